-- Relations of which a layer gives no edge a direction. Such a relation holds both ways,
-- unless another layer that is on gives an edge of it one; see kg.symmetric.
CREATE TABLE undirected (
  relation INTEGER NOT NULL REFERENCES relation (id),
  source   INTEGER NOT NULL REFERENCES source (id), -- the layer
  PRIMARY KEY (relation, source)
) WITHOUT ROWID;
