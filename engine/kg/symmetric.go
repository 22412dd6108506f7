package kg

import (
	"cmp"
	"context"
	"database/sql"
	"math"
	"slices"
)

// symmetricProperty is the type of a relation that its source declares symmetric.
const symmetricProperty = "http://www.w3.org/2002/07/owl#SymmetricProperty"

// symmetric selects the relations that hold both ways as the layers that are on have it:
// those that one of them declares symmetric, and those whose edges have no direction in
// any. An edge that is written in one layer with a direction counts for all.
var symmetric = `WITH
	given AS MATERIALIZED (SELECT relation, source FROM undirected WHERE ` + live("source") + `),
	said AS (
		SELECT relation, source FROM triple WHERE relation IN (SELECT relation FROM given)
		UNION ALL SELECT t.relation, p.source FROM provenance AS p JOIN triple AS t ON t.id = p.triple WHERE t.relation IN (SELECT relation FROM given)),
	directed AS MATERIALIZED (
		SELECT DISTINCT said.relation FROM said JOIN source AS s ON s.id = said.source
		WHERE (SELECT count(*) FROM source WHERE layer IS NULL AND off = 0) > 1 AND EXISTS (SELECT 1 FROM given)
			AND s.off = 0 AND NOT EXISTS (SELECT 1 FROM given AS g WHERE g.relation = said.relation AND g.source = coalesce(s.layer, s.id)))
	SELECT relation FROM given WHERE relation NOT IN (SELECT relation FROM directed)
	UNION SELECT r.id FROM type AS k CROSS JOIN relation AS r CROSS JOIN entity AS e ON e.key = r.key CROSS JOIN entity_type AS t ON t.entity = e.id AND t.type = k.id
		WHERE k.key = '` + symmetricProperty + `' AND ` + live("t.source")

// symmetric finds the relations that hold both ways.
func (s *scanner) symmetric() error {
	return s.each(symmetric, func(rows *sql.Rows) error {
		var r RelationID
		if err := rows.Scan(&r); err != nil {
			return err
		}
		if err := within("relation", int64(r), s.g.Relations()); err != nil {
			return err
		}
		s.g.setSymmetric(r)
		return nil
	})
}

func (g *Graph) setSymmetric(r RelationID) {
	if g.symmetric == nil {
		g.symmetric = make([]byte, g.Relations())
	}
	g.symmetric[r] = 1
}

// IsSymmetric reports whether the graph's sources say that a relation holds both ways:
// its edges have no direction, or it is declared symmetric. Its triples lie in the one
// direction in which they are written.
func (g *Graph) IsSymmetric(r RelationID) bool {
	return int(r) < len(g.symmetric) && g.symmetric[r] != 0
}

// turnedSample is how many heads are looked at for one whose edge is there the other way as well.
const turnedSample = 1024

// IsOneWay reports whether no triple of r is there both ways, as far as a sample shows.
func (g *Graph) IsOneWay(r RelationID) bool {
	heads := g.Heads(r)
	for i := 0; i < len(heads); i += max(1, len(heads)/turnedSample) {
		for _, x := range g.OutBy(heads[i], r) {
			if _, both := g.Find(Triple{Head: x.Entity, Relation: r, Tail: heads[i]}); both && x.Entity != heads[i] {
				return false
			}
		}
	}
	return true
}

// Along returns the edges of a relation that leave e, or enter it where inverse says so: of
// one that holds both ways, one edge for each neighbour at either end. They are sorted by
// neighbour.
func (g *Graph) Along(e EntityID, r RelationID, inverse bool) []Edge {
	along, against := g.OutBy, g.InBy
	if inverse {
		along, against = against, along
	}
	edges := along(e, r)
	if !g.IsSymmetric(r) {
		return edges
	}
	more := against(e, r)
	if len(more) == 0 {
		return edges
	}
	edges = slices.Concat(edges, more)
	slices.SortStableFunc(edges, func(a, b Edge) int { return cmp.Compare(a.Entity, b.Entity) })
	return slices.CompactFunc(edges, func(a, b Edge) bool { return a.Entity == b.Entity })
}

// Having returns the entities of which Along finds edges, ascending.
func (g *Graph) Having(r RelationID, inverse bool) []EntityID {
	along, against := g.Heads(r), g.Tails(r)
	if inverse {
		along, against = against, along
	}
	if !g.IsSymmetric(r) {
		return along
	}
	return Either(along, against)
}

// Either merges two lists that are ascending, each entity once.
func Either(a, b []EntityID) []EntityID {
	out := make([]EntityID, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		least := min(a[0], b[0])
		out = append(out, least)
		if a[0] == least {
			a = a[1:]
		}
		if b[0] == least {
			b = b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// Symmetric returns the keys of the relations that hold both ways; see Graph.IsSymmetric.
func (s *Store) Symmetric(ctx context.Context) (map[string]bool, error) {
	keys, err := list(ctx, s, "read", "SELECT key FROM relation WHERE id IN ("+symmetric+")", func(rows *sql.Rows, key *string) error { return rows.Scan(key) })
	out := map[string]bool{}
	for _, key := range keys {
		out[key] = true
	}
	return out, err
}

// Undirected says that the layer gives no edge of a relation a direction, once all of it
// was added.
func (w *Writer) Undirected(r RelationID) {
	if w.done != math.MaxInt64 {
		w.batch.undirected = append(w.batch.undirected, r)
	}
}
