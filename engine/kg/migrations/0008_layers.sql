-- Layers may be switched off and removed, and take with them what only they said.

-- 0 on, 1 switched off, 2 removed. What rows of a layer name as their source has that
-- of the layer. A layer that was removed keeps its row, since triples are never
-- renumbered and name it as where they were first read.
ALTER TABLE source ADD COLUMN off INTEGER NOT NULL DEFAULT 0;

-- Which layer gave a name, a description, a type: source.id, or -1 where that is not
-- known, because the key itself gave it or an older Cairn wrote the file. The row of an
-- entity has the best of what the layers say that are on; what else they say is beside it.
ALTER TABLE entity ADD COLUMN label_source INTEGER NOT NULL DEFAULT -1;
ALTER TABLE entity ADD COLUMN description_source INTEGER NOT NULL DEFAULT -1;
ALTER TABLE relation ADD COLUMN label_source INTEGER NOT NULL DEFAULT -1;
ALTER TABLE pending_name ADD COLUMN source INTEGER NOT NULL DEFAULT -1;

-- With rank below 255 it is a label that is not the best; of those of one layer and
-- rank, first is 1 for the one that was read before the others.
CREATE TABLE alias_0008 (
  entity   INTEGER NOT NULL REFERENCES entity (id),
  text     TEXT NOT NULL,
  language TEXT NOT NULL DEFAULT '',
  rank     INTEGER NOT NULL DEFAULT 255,
  first    INTEGER NOT NULL DEFAULT 0,
  source   INTEGER NOT NULL DEFAULT -1,
  UNIQUE (entity, text, source, rank)
);
CREATE TABLE entity_type_0008 (
  entity INTEGER NOT NULL REFERENCES entity (id),
  type   INTEGER NOT NULL REFERENCES type (id),
  source INTEGER NOT NULL DEFAULT -1,
  PRIMARY KEY (entity, type, source)
) WITHOUT ROWID;

-- Descriptions that are not the best: the first of each layer and rank.
CREATE TABLE description (
  entity INTEGER NOT NULL REFERENCES entity (id),
  source INTEGER NOT NULL,
  rank   INTEGER NOT NULL,
  text   TEXT NOT NULL,
  PRIMARY KEY (entity, source, rank)
) WITHOUT ROWID;

-- In a graph of one layer, that gave everything.
UPDATE entity SET label_source = (SELECT id FROM source WHERE layer IS NULL)
  WHERE label_rank < 255 AND (SELECT count(*) FROM source WHERE layer IS NULL) = 1;
UPDATE entity SET description_source = (SELECT id FROM source WHERE layer IS NULL)
  WHERE description_rank < 255 AND (SELECT count(*) FROM source WHERE layer IS NULL) = 1;
UPDATE relation SET label_source = (SELECT id FROM source WHERE layer IS NULL)
  WHERE label IS NOT NULL AND (SELECT count(*) FROM source WHERE layer IS NULL) = 1;
UPDATE pending_name SET source = (SELECT id FROM source WHERE layer IS NULL)
  WHERE (SELECT count(*) FROM source WHERE layer IS NULL) = 1;
INSERT INTO alias_0008 (entity, text, language, source)
  SELECT entity, text, language, CASE (SELECT count(*) FROM source WHERE layer IS NULL) WHEN 1 THEN (SELECT id FROM source WHERE layer IS NULL) ELSE -1 END
  FROM alias ORDER BY rowid;
INSERT INTO entity_type_0008 (entity, type, source)
  SELECT entity, type, CASE (SELECT count(*) FROM source WHERE layer IS NULL) WHEN 1 THEN (SELECT id FROM source WHERE layer IS NULL) ELSE -1 END
  FROM entity_type;
DROP TABLE alias;
ALTER TABLE alias_0008 RENAME TO alias;
DROP TABLE entity_type;
ALTER TABLE entity_type_0008 RENAME TO entity_type;
