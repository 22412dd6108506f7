-- What was trained on this graph.

-- A retriever's weights, with what they were trained on.
CREATE TABLE trained (
  id      INTEGER PRIMARY KEY,
  kind    TEXT NOT NULL,    -- the retriever: gnn
  name    TEXT NOT NULL,    -- for people
  made    INTEGER NOT NULL, -- ms since 1970
  graph   TEXT NOT NULL,    -- the graph's version that it was trained on
  about   TEXT NOT NULL,    -- JSON: data, metrics, seed, options
  weights BLOB NOT NULL
);

-- A training under way, one of a kind: what it goes on from after a kill.
CREATE TABLE training (
  kind  TEXT PRIMARY KEY,
  saved INTEGER NOT NULL,   -- ms since 1970
  graph TEXT NOT NULL,      -- the graph's version that it runs on
  about TEXT NOT NULL,      -- JSON: what it was asked to do
  state BLOB NOT NULL
) WITHOUT ROWID;
