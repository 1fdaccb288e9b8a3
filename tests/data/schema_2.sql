PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE levelsense_schema (
	version INTEGER NOT NULL, 
	PRIMARY KEY (version)
);
INSERT INTO levelsense_schema VALUES(2);
CREATE TABLE levels (
	digest TEXT NOT NULL, 
	name TEXT NOT NULL, 
	json TEXT NOT NULL, 
	PRIMARY KEY (digest)
);
INSERT INTO levels VALUES('536dd8e6c6fc8a3f-4e989c49a65bbe601240ef62ebcc08149d253b4587314fa3','01-first-steps',replace('{\n  "name": "First steps",\n  "about": "Line up three of a color; the board is small and forgiving.",\n  "moves": 15,\n  "colors": 4,\n  "board": [\n    ". . . . . . .",\n    ". . . . . . .",\n    ". . . . . . .",\n    ". . . . . . .",\n    ". . . . . . .",\n    ". . . . . . .",\n    ". . . . . . ."\n  ],\n  "goals": {"score": 4000},\n  "stars": [15000, 30000, 50000],\n  "bonus": true\n}\n','\n',char(10)));
INSERT INTO levels VALUES('71aa9b5649c1fbdf-0499787c57fd26cd945b5c7cf9526f0b54c131d916c39f87','11-beat-the-clock',replace('{\n  "name": "Beat the clock",\n  "about": "The first clock: keep the cascades short and the moves quick.",\n  "seconds": 50,\n  "colors": 5,\n  "board": [\n    ". . . . . . . .",\n    ". . . . . . . .",\n    ". . . . . . . .",\n    ". . . . . . . .",\n    ". . . . . . . .",\n    ". . . . . . . .",\n    ". . . . . . . .",\n    ". . . . . . . ."\n  ],\n  "goals": {"score": 4000},\n  "stars": [4000, 4500, 6000]\n}\n','\n',char(10)));
CREATE TABLE runs (
	run INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	started TEXT NOT NULL, 
	finished TEXT, 
	command TEXT, 
	versions TEXT NOT NULL, 
	rules INTEGER NOT NULL, 
	seed BIGINT NOT NULL, 
	attempts INTEGER NOT NULL, 
	precision DOUBLE, 
	ceiling INTEGER
);
INSERT INTO runs VALUES(1,'2026-11-17T09:40:15+00:00','2026-11-17T09:40:38+00:00','levelsense playtest 01-first-steps 11-beat-the-clock --agent random --attempts 4 --seed 3 --threads 1 --db v2.db','{"python": "3.11.7", "levelsense": "0.1.0", "numba": "0.68.1", "numpy": "2.4.6"}',1,3,4,NULL,NULL);
CREATE TABLE player_results (
	result INTEGER NOT NULL, 
	level TEXT NOT NULL, 
	player TEXT, 
	date TEXT, 
	cohort TEXT, 
	attempts INTEGER NOT NULL, 
	successes INTEGER NOT NULL, 
	moves_left DOUBLE, 
	boosters INTEGER, 
	source TEXT NOT NULL, 
	PRIMARY KEY (result), 
	CONSTRAINT player_results_attempts CHECK (attempts >= 0), 
	CONSTRAINT player_results_successes CHECK (successes >= 0), 
	CONSTRAINT player_results_undated CHECK (date IS NOT NULL OR (attempts >= 1 AND successes <= attempts))
);
INSERT INTO player_results VALUES(1,'a','bob',NULL,NULL,2,2,NULL,NULL,'people.csv');
INSERT INTO player_results VALUES(2,'a','ann','2014-01-04','x',3,1,2.5,1,'people.csv');
INSERT INTO player_results VALUES(3,'b',NULL,NULL,NULL,40,7,NULL,NULL,'people.csv');
CREATE TABLE run_pairs (
	run INTEGER NOT NULL, 
	level TEXT NOT NULL, 
	agent TEXT NOT NULL, 
	attempts INTEGER, 
	PRIMARY KEY (run, level, agent), 
	FOREIGN KEY(run) REFERENCES runs (run), 
	FOREIGN KEY(level) REFERENCES levels (digest)
);
INSERT INTO run_pairs VALUES(1,'536dd8e6c6fc8a3f-4e989c49a65bbe601240ef62ebcc08149d253b4587314fa3','random',4);
INSERT INTO run_pairs VALUES(1,'71aa9b5649c1fbdf-0499787c57fd26cd945b5c7cf9526f0b54c131d916c39f87','random',4);
CREATE TABLE attempts (
	level TEXT NOT NULL, 
	agent TEXT NOT NULL, 
	rules INTEGER NOT NULL, 
	seed BIGINT NOT NULL, 
	attempt INTEGER NOT NULL, 
	won BOOLEAN NOT NULL, 
	reason TEXT NOT NULL, 
	score BIGINT NOT NULL, 
	stars INTEGER NOT NULL, 
	moves_made INTEGER NOT NULL, 
	moves_left INTEGER, 
	time_left DOUBLE, 
	shuffles INTEGER NOT NULL, 
	longest_cascade INTEGER NOT NULL, 
	striped INTEGER NOT NULL, 
	wrapped INTEGER NOT NULL, 
	color_bomb INTEGER NOT NULL, 
	legal_moves DOUBLE, 
	goals TEXT NOT NULL, 
	left_jelly BLOB, 
	left_blocker BLOB, 
	left_ingredient BLOB, 
	PRIMARY KEY (level, agent, rules, seed, attempt), 
	FOREIGN KEY(level) REFERENCES levels (digest)
)
 WITHOUT ROWID

;
INSERT INTO attempts VALUES('536dd8e6c6fc8a3f-4e989c49a65bbe601240ef62ebcc08149d253b4587314fa3','random',1,3,0,1,'goals met',45240,2,6,9,NULL,0,6,6,6,1,18.66666666666666785,'{"score":45240}',NULL,NULL,NULL);
INSERT INTO attempts VALUES('536dd8e6c6fc8a3f-4e989c49a65bbe601240ef62ebcc08149d253b4587314fa3','random',1,3,1,1,'goals met',40700,2,5,10,NULL,0,7,4,1,0,22.60000000000000142,'{"score":40700}',NULL,NULL,NULL);
INSERT INTO attempts VALUES('536dd8e6c6fc8a3f-4e989c49a65bbe601240ef62ebcc08149d253b4587314fa3','random',1,3,2,1,'goals met',37520,2,9,6,NULL,0,9,8,3,0,19.222222222222221432,'{"score":37520}',NULL,NULL,NULL);
INSERT INTO attempts VALUES('536dd8e6c6fc8a3f-4e989c49a65bbe601240ef62ebcc08149d253b4587314fa3','random',1,3,3,1,'goals met',61040,3,2,13,NULL,0,6,6,6,2,16.5,'{"score":61040}',NULL,NULL,NULL);
INSERT INTO attempts VALUES('71aa9b5649c1fbdf-0499787c57fd26cd945b5c7cf9526f0b54c131d916c39f87','random',1,3,0,1,'goals met',4460,1,17,NULL,2.5,0,4,4,1,0,19.941176470588235503,'{"score":4460}',NULL,NULL,NULL);
INSERT INTO attempts VALUES('71aa9b5649c1fbdf-0499787c57fd26cd945b5c7cf9526f0b54c131d916c39f87','random',1,3,1,1,'goals met',9360,3,13,NULL,7.0,0,9,5,1,0,20.61538461538461675,'{"score":9360}',NULL,NULL,NULL);
INSERT INTO attempts VALUES('71aa9b5649c1fbdf-0499787c57fd26cd945b5c7cf9526f0b54c131d916c39f87','random',1,3,2,1,'goals met',4120,1,8,NULL,25.499999999999999999,0,4,3,1,0,14.75,'{"score":4120}',NULL,NULL,NULL);
INSERT INTO attempts VALUES('71aa9b5649c1fbdf-0499787c57fd26cd945b5c7cf9526f0b54c131d916c39f87','random',1,3,3,1,'goals met',4120,1,18,NULL,-2.0,0,6,0,1,0,14.111111111111110716,'{"score":4120}',NULL,NULL,NULL);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('runs',1);
CREATE UNIQUE INDEX player_results_key ON player_results (level, coalesce(cohort, ''), coalesce(player, ''), coalesce(date, ''));
COMMIT;
