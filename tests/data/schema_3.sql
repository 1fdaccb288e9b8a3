PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE levelsense_schema (
	version INTEGER NOT NULL, 
	PRIMARY KEY (version)
);
INSERT INTO levelsense_schema VALUES(3);
CREATE TABLE levels (
	digest TEXT NOT NULL, 
	name TEXT NOT NULL, 
	json TEXT NOT NULL, 
	PRIMARY KEY (digest)
);
INSERT INTO levels VALUES('536dd8e6c6fc8a3f-4e989c49a65bbe601240ef62ebcc08149d253b4587314fa3','01-first-steps',replace('{\n  "name": "First steps",\n  "about": "Line up three of a color; the board is small and forgiving.",\n  "moves": 15,\n  "colors": 4,\n  "board": [\n    ". . . . . . .",\n    ". . . . . . .",\n    ". . . . . . .",\n    ". . . . . . .",\n    ". . . . . . .",\n    ". . . . . . .",\n    ". . . . . . ."\n  ],\n  "goals": {"score": 4000},\n  "stars": [15000, 30000, 50000],\n  "bonus": true\n}\n','\n',char(10)));
INSERT INTO levels VALUES('ecfd101c7c7647dc-7de930779c18e6b86971b68a8883dfe367130c99093ae729','27-clockwork',replace('{\n  "name": "Clockwork",\n  "about": "Twenty-six seconds are not enough; the time candies are the goal and the way.",\n  "seconds": 26,\n  "colors": 5,\n  "board": [\n    "- . . .  . . -",\n    ". . . .  . . .",\n    ". . . .  . . .",\n    ". . . .@ . . .",\n    ". . . .  . . .",\n    ". . . .  . . .",\n    ". . . .  . . .",\n    "- . . .  . . -"\n  ],\n  "jelly": [\n    "- . . .  . . -",\n    ". . . .  . . .",\n    ". . 1 1  1 . .",\n    ". . 1 1  1 . .",\n    ". . 1 1  1 . .",\n    ". . 1 1  1 . .",\n    ". . . .  . . .",\n    "- . . .  . . -"\n  ],\n  "goals": {"jelly": "all", "orders": {"time": 6}},\n  "drops": [{"piece": "time", "rate": 0.05}],\n  "stars": [11500, 19500, 25500]\n}\n','\n',char(10)));
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
INSERT INTO runs VALUES(1,'2026-11-17T12:45:48+00:00','2026-11-17T12:45:48+00:00','levelsense playtest 01-first-steps 27-clockwork --agent random --attempts 6 --seed 3 --threads 1 --db v3.db','{"python": "3.11.7", "levelsense": "0.1.0", "numba": "0.68.1", "numpy": "2.4.6"}',2,3,6,NULL,NULL);
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
	checksum BIGINT, 
	PRIMARY KEY (result), 
	CONSTRAINT player_results_attempts CHECK (attempts >= 0), 
	CONSTRAINT player_results_successes CHECK (successes >= 0), 
	CONSTRAINT player_results_undated CHECK (date IS NOT NULL OR (attempts >= 1 AND successes <= attempts))
);
INSERT INTO player_results VALUES(1,'a','bob',NULL,NULL,2,2,NULL,NULL,'people.csv',1700762378);
INSERT INTO player_results VALUES(2,'a','ann','2014-01-04','x',3,1,2.5,1,'people.csv',762928767);
INSERT INTO player_results VALUES(3,'b',NULL,NULL,NULL,40,7,NULL,NULL,'people.csv',564916638);
CREATE TABLE run_pairs (
	run INTEGER NOT NULL, 
	level TEXT NOT NULL, 
	agent TEXT NOT NULL, 
	attempts INTEGER, 
	PRIMARY KEY (run, level, agent), 
	FOREIGN KEY(run) REFERENCES runs (run), 
	FOREIGN KEY(level) REFERENCES levels (digest)
);
INSERT INTO run_pairs VALUES(1,'536dd8e6c6fc8a3f-4e989c49a65bbe601240ef62ebcc08149d253b4587314fa3','random',6);
INSERT INTO run_pairs VALUES(1,'ecfd101c7c7647dc-7de930779c18e6b86971b68a8883dfe367130c99093ae729','random',6);
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
	checksum BIGINT, 
	PRIMARY KEY (level, agent, rules, seed, attempt), 
	FOREIGN KEY(level) REFERENCES levels (digest)
)
 WITHOUT ROWID

;
INSERT INTO attempts VALUES('536dd8e6c6fc8a3f-4e989c49a65bbe601240ef62ebcc08149d253b4587314fa3','random',2,3,0,1,'goals met',55540,3,3,12,NULL,0,8,3,3,0,21.333333333333332148,'{"score":55540}',NULL,NULL,NULL,3389700931);
INSERT INTO attempts VALUES('536dd8e6c6fc8a3f-4e989c49a65bbe601240ef62ebcc08149d253b4587314fa3','random',2,3,1,1,'goals met',33140,2,8,7,NULL,0,6,2,2,0,20.499999999999999999,'{"score":33140}',NULL,NULL,NULL,2440801289);
INSERT INTO attempts VALUES('536dd8e6c6fc8a3f-4e989c49a65bbe601240ef62ebcc08149d253b4587314fa3','random',2,3,2,1,'goals met',75020,3,1,14,NULL,0,8,9,4,2,22.0,'{"score":75020}',NULL,NULL,NULL,1269117555);
INSERT INTO attempts VALUES('536dd8e6c6fc8a3f-4e989c49a65bbe601240ef62ebcc08149d253b4587314fa3','random',2,3,3,1,'goals met',42400,2,7,8,NULL,0,6,7,2,0,18.0,'{"score":42400}',NULL,NULL,NULL,2166550454);
INSERT INTO attempts VALUES('536dd8e6c6fc8a3f-4e989c49a65bbe601240ef62ebcc08149d253b4587314fa3','random',2,3,4,1,'goals met',39400,2,10,5,NULL,0,9,8,6,2,17.30000000000000071,'{"score":39400}',NULL,NULL,NULL,2726128370);
INSERT INTO attempts VALUES('536dd8e6c6fc8a3f-4e989c49a65bbe601240ef62ebcc08149d253b4587314fa3','random',2,3,5,1,'goals met',20060,1,13,2,NULL,0,5,8,2,1,17.61538461538461675,'{"score":20060}',NULL,NULL,NULL,2051438561);
INSERT INTO attempts VALUES('ecfd101c7c7647dc-7de930779c18e6b86971b68a8883dfe367130c99093ae729','random',2,3,0,0,'time',12760,0,16,NULL,-1.5,0,3,0,1,0,8.875,'{"jelly":11,"time":3}',X'000000000000000100000000000000000000',X'000000000000000000000000000000000000',X'000000000000000000000000000000000000',785882260);
INSERT INTO attempts VALUES('ecfd101c7c7647dc-7de930779c18e6b86971b68a8883dfe367130c99093ae729','random',2,3,1,0,'time',19660,0,24,NULL,-2.5,0,3,4,3,0,11.333333333333333925,'{"jelly":11,"time":8}',X'000000000080000000000000000000000000',X'000000000000000000000000000000000000',X'000000000000000000000000000000000000',801984116);
INSERT INTO attempts VALUES('ecfd101c7c7647dc-7de930779c18e6b86971b68a8883dfe367130c99093ae729','random',2,3,2,0,'time',12340,0,13,NULL,0.0,0,2,3,0,0,8.5384615384615383248,'{"jelly":10,"time":2}',X'000000080000000200000000000000000000',X'000000000000000000000000000000000000',X'000000000000000000000000000000000000',991058926);
INSERT INTO attempts VALUES('ecfd101c7c7647dc-7de930779c18e6b86971b68a8883dfe367130c99093ae729','random',2,3,3,0,'time',15960,0,21,NULL,-2.0,0,3,2,1,0,11.95238095238095255,'{"jelly":11,"time":6}',X'000000000080000000000000000000000000',X'000000000000000000000000000000000000',X'000000000000000000000000000000000000',3416406425);
INSERT INTO attempts VALUES('ecfd101c7c7647dc-7de930779c18e6b86971b68a8883dfe367130c99093ae729','random',2,3,4,0,'time',12620,0,12,NULL,-1.5,0,3,0,0,0,7.8333333333333330372,'{"jelly":11,"time":1}',X'000000000200000000000000000000000000',X'000000000000000000000000000000000000',X'000000000000000000000000000000000000',3038733138);
INSERT INTO attempts VALUES('ecfd101c7c7647dc-7de930779c18e6b86971b68a8883dfe367130c99093ae729','random',2,3,5,1,'goals met',17840,1,10,NULL,30.0,0,4,1,3,0,16.899999999999998578,'{"jelly":12,"time":7}',NULL,NULL,NULL,831885554);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('runs',1);
CREATE UNIQUE INDEX player_results_key ON player_results (level, coalesce(cohort, ''), coalesce(player, ''), coalesce(date, ''));
COMMIT;
