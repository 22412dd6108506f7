-- What models read out of texts: where each triple stands in its text, and what
-- waits to be added.

-- The model that read a layer's triples; empty for a file of triples.
ALTER TABLE source ADD COLUMN model TEXT NOT NULL DEFAULT '';

-- Where a text says a triple. The layer is the text as one model read it; its
-- triples have line 0 in their own rows, since one may stand in many lines.
CREATE TABLE extraction (
  triple INTEGER NOT NULL REFERENCES triple (id),
  source INTEGER NOT NULL REFERENCES source (id),
  start  INTEGER NOT NULL,  -- byte offsets in the file
  stop   INTEGER NOT NULL,
  line   INTEGER NOT NULL,  -- of start, from 1
  quote  TEXT NOT NULL,     -- what stands there
  digest TEXT NOT NULL,     -- of the model's weights; empty where it was not told
  PRIMARY KEY (triple, source, start, stop)
) WITHOUT ROWID;

-- A text that a model reads, part by part. What it says waits as statements.
CREATE TABLE document (
  id    INTEGER PRIMARY KEY,
  name  TEXT NOT NULL,
  file  TEXT NOT NULL,      -- the path as it was given
  hash  TEXT NOT NULL,      -- SHA-256 of the file, in hex
  bytes INTEGER NOT NULL,
  model TEXT NOT NULL,
  began INTEGER NOT NULL,   -- ms since 1970
  UNIQUE (hash, model)
);

-- A part that is read with one request.
CREATE TABLE chunk (
  document      INTEGER NOT NULL REFERENCES document (id),
  start         INTEGER NOT NULL,
  stop          INTEGER NOT NULL,
  state         INTEGER NOT NULL DEFAULT 0, -- 0 to be read, 1 read, 2 failed
  tries         INTEGER NOT NULL DEFAULT 0,
  problem       TEXT NOT NULL DEFAULT '',   -- why it failed, a sentence
  digest        TEXT NOT NULL DEFAULT '',
  prompt_tokens INTEGER NOT NULL DEFAULT 0,
  reply_tokens  INTEGER NOT NULL DEFAULT 0,
  took          INTEGER NOT NULL DEFAULT 0, -- ms
  PRIMARY KEY (document, start)
) WITHOUT ROWID;

-- What a document says, in names. It becomes a triple when a person adds it.
CREATE TABLE statement (
  id        INTEGER PRIMARY KEY,
  document  INTEGER NOT NULL REFERENCES document (id),
  key       TEXT NOT NULL,              -- the same for statements that say the same
  head      TEXT NOT NULL,
  head_type TEXT NOT NULL DEFAULT '',
  relation  TEXT NOT NULL,
  tail      TEXT NOT NULL,
  tail_type TEXT NOT NULL DEFAULT '',
  state     INTEGER NOT NULL,           -- 0 proposed, 1 accepted, 2 declined, 3 invalid, 4 added
  reason    TEXT NOT NULL DEFAULT '',   -- why it is invalid
  triple    INTEGER REFERENCES triple (id), -- NULL until it is added
  UNIQUE (document, key)
);

-- Where a statement stands in its document.
CREATE TABLE span (
  statement INTEGER NOT NULL REFERENCES statement (id),
  start     INTEGER NOT NULL,
  stop      INTEGER NOT NULL,
  line      INTEGER NOT NULL,
  quote     TEXT NOT NULL,
  doubt     TEXT NOT NULL DEFAULT '',   -- why the place may not say it: a negation, say
  digest    TEXT NOT NULL DEFAULT '',   -- of the model's weights
  PRIMARY KEY (statement, start, stop)
) WITHOUT ROWID;

-- What a person decided that a name of a document means.
CREATE TABLE naming (
  document INTEGER NOT NULL REFERENCES document (id),
  kind     INTEGER NOT NULL,            -- 0 entity, 1 relation
  name     TEXT NOT NULL,
  existing TEXT NOT NULL DEFAULT '',    -- the key that it means; empty for something new
  turned   INTEGER NOT NULL DEFAULT 0,  -- 1 where it means existing with its ends exchanged
  made     TEXT NOT NULL DEFAULT '',    -- the key of what was made for it
  PRIMARY KEY (document, kind, name)
) WITHOUT ROWID;
