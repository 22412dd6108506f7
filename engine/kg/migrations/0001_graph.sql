-- The graph. Ids are dense and start at 0; nothing here is ever renumbered.
-- References are declared for readers and for the integrity check, and are not
-- enforced while rows are written.

-- One row: what tells one state of the graph from every other.
CREATE TABLE graph (
  version TEXT NOT NULL -- a random word, new with every change
);
INSERT INTO graph (version) VALUES (lower(hex(randomblob(16))));

-- A file that was imported (a layer), or, with layer set, what a row of that
-- file names as its own source.
CREATE TABLE source (
  id        INTEGER PRIMARY KEY,
  layer     INTEGER REFERENCES source (id),
  name      TEXT NOT NULL,
  file      TEXT NOT NULL DEFAULT '',    -- the path as it was given
  hash      TEXT NOT NULL DEFAULT '',    -- SHA-256 of the file, in hex
  mapping   TEXT NOT NULL DEFAULT '',    -- how the file was read, in words
  bytes     INTEGER NOT NULL DEFAULT 0,
  imported  INTEGER NOT NULL DEFAULT 0,  -- ms since 1970, when the import began
  line      INTEGER NOT NULL DEFAULT 0,  -- the last line whose statements are in
  complete  INTEGER NOT NULL DEFAULT 0,  -- 1 once the whole file is in
  read      INTEGER NOT NULL DEFAULT 0,  -- the counts of the first complete import
  added     INTEGER NOT NULL DEFAULT 0,
  duplicate INTEGER NOT NULL DEFAULT 0,
  rejected  INTEGER NOT NULL DEFAULT 0,
  skipped   INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE entity (
  id               INTEGER PRIMARY KEY,
  key              TEXT NOT NULL UNIQUE,  -- IRI, CURIE, name; "…"^^<…> for a literal
  label            TEXT,                  -- NULL where it is the key
  label_rank       INTEGER NOT NULL,      -- how good the label is; 0 is best
  language         TEXT NOT NULL DEFAULT '',
  literal          INTEGER NOT NULL DEFAULT 0,
  datatype         TEXT NOT NULL DEFAULT '',
  description      TEXT,
  description_rank INTEGER NOT NULL DEFAULT 255
);

CREATE TABLE alias (
  entity   INTEGER NOT NULL REFERENCES entity (id),
  text     TEXT NOT NULL,
  language TEXT NOT NULL DEFAULT '',
  UNIQUE (entity, text)
);

CREATE TABLE relation (
  id    INTEGER PRIMARY KEY,
  key   TEXT NOT NULL UNIQUE,
  label TEXT              -- NULL where the source gives none
);

CREATE TABLE type (
  id  INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE -- its label is that of the entity with this key
);

CREATE TABLE entity_type (
  entity INTEGER NOT NULL REFERENCES entity (id),
  type   INTEGER NOT NULL REFERENCES type (id),
  PRIMARY KEY (entity, type)
) WITHOUT ROWID;

CREATE TABLE triple (
  id       INTEGER PRIMARY KEY,
  head     INTEGER NOT NULL REFERENCES entity (id),
  relation INTEGER NOT NULL REFERENCES relation (id),
  tail     INTEGER NOT NULL REFERENCES entity (id),
  source   INTEGER NOT NULL REFERENCES source (id), -- where it was first read
  line     INTEGER NOT NULL
);

-- Where else a triple was read.
CREATE TABLE provenance (
  triple INTEGER NOT NULL REFERENCES triple (id),
  source INTEGER NOT NULL REFERENCES source (id),
  line   INTEGER NOT NULL,
  PRIMARY KEY (triple, source, line)
) WITHOUT ROWID;

CREATE TABLE setting (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;
