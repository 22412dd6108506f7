-- What was asked, and the vectors that an outside model gave for texts.

CREATE TABLE run (
  id       INTEGER PRIMARY KEY,
  started  INTEGER NOT NULL, -- ms since 1970
  question TEXT NOT NULL,
  record   TEXT NOT NULL     -- the whole run, JSON
);

CREATE TABLE embedding (
  model  TEXT NOT NULL,
  text   TEXT NOT NULL,
  vector BLOB NOT NULL,      -- float32, little endian
  PRIMARY KEY (model, text)
) WITHOUT ROWID;
