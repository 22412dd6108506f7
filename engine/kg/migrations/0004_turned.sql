-- A relation of a text may be one of the graph with its ends exchanged: "capital
-- of" is "capital" turned round.
ALTER TABLE naming ADD COLUMN turned INTEGER NOT NULL DEFAULT 0;
