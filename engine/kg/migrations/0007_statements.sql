-- What statements say beside their triples: years, shares, publications.

-- The names of properties.
CREATE TABLE property (
  id  INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE
);

-- What the sets of properties hold that statements have. The sets are numbered from
-- 0, and no two are alike.
CREATE TABLE property_value (
  members  INTEGER NOT NULL,                     -- the set
  position INTEGER NOT NULL,                     -- in it, from 0
  property INTEGER NOT NULL REFERENCES property (id),
  value    TEXT NOT NULL,                        -- a literal's text; empty for an entity
  datatype TEXT NOT NULL DEFAULT '',             -- IRI of a typed literal, or a unit
  entity   INTEGER REFERENCES entity (id),       -- NULL for a literal
  PRIMARY KEY (members, position)
) WITHOUT ROWID;

-- A triple with a set of properties, and where it was read. What says the triple
-- alone has no row here. Every place is one of the triple's, too.
CREATE TABLE qualified (
  triple  INTEGER NOT NULL REFERENCES triple (id),
  members INTEGER NOT NULL,                      -- the set
  source  INTEGER NOT NULL REFERENCES source (id),
  line    INTEGER NOT NULL,
  PRIMARY KEY (triple, members, source, line)
) WITHOUT ROWID;
