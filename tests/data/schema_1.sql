BEGIN TRANSACTION;
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
INSERT INTO "attempts" VALUES('536dd8e6c6fc8a3f60186d8b3d28155e1de9f228479e03cb13abbb1cf471e7df','random',1,3,0,1,'goals met',53320,3,3,12,NULL,0,7,4,2,1,2.23333333333333321495e+01,'{"score":53320}',NULL,NULL,NULL);
INSERT INTO "attempts" VALUES('536dd8e6c6fc8a3f60186d8b3d28155e1de9f228479e03cb13abbb1cf471e7df','random',1,3,1,1,'goals met',19960,1,12,3,NULL,0,7,5,2,1,2.08333333333333321486e+01,'{"score":19960}',NULL,NULL,NULL);
INSERT INTO "attempts" VALUES('536dd8e6c6fc8a3f60186d8b3d28155e1de9f228479e03cb13abbb1cf471e7df','random',1,3,2,1,'goals met',39300,2,7,8,NULL,0,5,7,3,0,1.88571428571428576503e+01,'{"score":39300}',NULL,NULL,NULL);
INSERT INTO "attempts" VALUES('536dd8e6c6fc8a3f60186d8b3d28155e1de9f228479e03cb13abbb1cf471e7df','random',1,3,3,1,'goals met',32560,2,9,6,NULL,0,8,1,4,0,2.0333333333333332149e+01,'{"score":32560}',NULL,NULL,NULL);
INSERT INTO "attempts" VALUES('536dd8e6c6fc8a3f60186d8b3d28155e1de9f228479e03cb13abbb1cf471e7df','random',1,3,4,1,'goals met',68680,3,4,11,NULL,0,10,8,7,3,20.75,'{"score":68680}',NULL,NULL,NULL);
CREATE TABLE levels (
	digest TEXT NOT NULL, 
	name TEXT NOT NULL, 
	json TEXT NOT NULL, 
	PRIMARY KEY (digest)
);
INSERT INTO "levels" VALUES('536dd8e6c6fc8a3f60186d8b3d28155e1de9f228479e03cb13abbb1cf471e7df','01-first-steps','{
  "name": "First steps",
  "about": "Line up three of a color; the board is small and forgiving.",
  "moves": 15,
  "colors": 4,
  "board": [
    ". . . . . . .",
    ". . . . . . .",
    ". . . . . . .",
    ". . . . . . .",
    ". . . . . . .",
    ". . . . . . .",
    ". . . . . . ."
  ],
  "goals": {"score": 4000},
  "stars": [15000, 30000, 50000],
  "bonus": true
}
');
CREATE TABLE levelsense_schema (
	version INTEGER NOT NULL, 
	PRIMARY KEY (version)
);
INSERT INTO "levelsense_schema" VALUES(1);
CREATE TABLE run_pairs (
	run INTEGER NOT NULL, 
	level TEXT NOT NULL, 
	agent TEXT NOT NULL, 
	attempts INTEGER, 
	PRIMARY KEY (run, level, agent), 
	FOREIGN KEY(run) REFERENCES runs (run), 
	FOREIGN KEY(level) REFERENCES levels (digest)
);
INSERT INTO "run_pairs" VALUES(1,'536dd8e6c6fc8a3f60186d8b3d28155e1de9f228479e03cb13abbb1cf471e7df','random',5);
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
INSERT INTO "runs" VALUES(1,'2026-11-16T01:44:29+00:00','2026-11-16T01:45:17+00:00','levelsense playtest 01-first-steps --agent random --attempts 5 --seed 3 --threads 1 --db v1.db','{"python": "3.11.7", "levelsense": "unknown", "numba": "0.68.1", "numpy": "2.4.6"}',1,3,5,NULL,NULL);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('runs',1);
COMMIT;
