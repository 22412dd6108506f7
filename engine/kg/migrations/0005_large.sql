-- What makes imports of millions of entities quick.

-- The keys of entities get an index of its own instead of one that comes with the
-- column: a large import drops it and makes it anew at its end, in the order of the
-- keys. Where it is missing, an import was cut short; see kg.Store.settle.
CREATE TABLE entity_0005 (
  id               INTEGER PRIMARY KEY,
  key              TEXT NOT NULL,         -- IRI, CURIE, name; "…"^^<…> for a literal
  label            TEXT,                  -- NULL where it is the key
  label_rank       INTEGER NOT NULL,      -- how good the label is; 0 is best
  language         TEXT NOT NULL DEFAULT '',
  literal          INTEGER NOT NULL DEFAULT 0,
  datatype         TEXT NOT NULL DEFAULT '',
  description      TEXT,
  description_rank INTEGER NOT NULL DEFAULT 255
);
INSERT INTO entity_0005 (id, key, label, label_rank, language, literal, datatype, description, description_rank)
  SELECT id, key, label, label_rank, language, literal, datatype, description, description_rank FROM entity ORDER BY id;
DROP TABLE entity;
ALTER TABLE entity_0005 RENAME TO entity;
CREATE UNIQUE INDEX entity_key ON entity (key);

-- What a large import found out about entities whose rows were written before: a
-- row a finding, in the order in which they were made, the last one the best. They
-- go into the rows in one pass when the import ends.
CREATE TABLE pending_name (
  entity   INTEGER NOT NULL REFERENCES entity (id),
  kind     INTEGER NOT NULL,        -- 0 a label, 1 a description
  text     TEXT NOT NULL,
  language TEXT NOT NULL,
  rank     INTEGER NOT NULL
);
