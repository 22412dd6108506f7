package kg

import (
	"context"
	"database/sql"
)

// Text is a text with its language, which is empty where the source gives none.
type Text struct{ Text, Language string }

// Saying is one thing that the sources of a triple say: what stands beside it in the
// statement, and what the statement itself names as its source, such as a named graph
// or a publication; empty for nothing.
type Saying struct {
	Triple     TripleID
	Properties []Property
	Origin     string
}

// Sayings returns what is said of the triples from lo to below hi, ascending, each once.
// g is the snapshot of the store as it is.
func (s *Store) Sayings(ctx context.Context, g *Graph, lo, hi TripleID) ([]Saying, error) {
	// A part of a layer is named after its file, and is no source that a statement names.
	const query = `
		SELECT DISTINCT p.triple, coalesce(q.members, -1) AS members,
			CASE WHEN s.layer IS NULL OR s.file = s.name OR s.file LIKE '%/' || s.name THEN '' ELSE s.name END AS origin
		FROM (SELECT id AS triple, source, line FROM triple WHERE id >= ?1 AND id < ?2
		      UNION ALL SELECT triple, source, line FROM provenance WHERE triple >= ?1 AND triple < ?2) AS p
		JOIN source AS s ON s.id = p.source AND s.off = 0
		LEFT JOIN qualified AS q ON q.triple = p.triple AND q.source = p.source AND q.line = p.line
		ORDER BY p.triple, members, origin`
	return list(ctx, s, "read the statements of", query, func(rows *sql.Rows, x *Saying) error {
		set := int64(-1)
		if err := rows.Scan(&x.Triple, &set, &x.Origin); err != nil {
			return err
		}
		if set >= 0 && set < int64(len(g.said.setAt))-1 { // it may have come since the snapshot
			x.Properties = g.said.properties(propertySet(set))
		}
		return nil
	}, int64(lo), int64(hi))
}

// Entities returns what there is to show of the entities from lo to below hi, with
// their other names.
func (s *Store) Entities(ctx context.Context, lo, hi EntityID) ([]Entity, error) {
	const doing = "read entities from"
	all, err := list(ctx, s, doing, `
		SELECT key, coalesce(label, key), label_rank < ?3, language, coalesce(description, ''), literal, datatype
		FROM entity WHERE id >= ?1 AND id < ?2 ORDER BY id`, func(rows *sql.Rows, x *Entity) error {
		return rows.Scan(&x.Key, &x.Label, &x.Named, &x.Language, &x.Description, &x.Literal, &x.Datatype)
	}, int64(lo), int64(hi), RankFallback)
	if err != nil {
		return nil, err
	}
	type alias struct {
		of int64
		Text
	}
	names, err := list(ctx, s, doing, "SELECT entity, text, language FROM alias WHERE entity >= ?1 AND entity < ?2 ORDER BY entity, rowid", func(rows *sql.Rows, x *alias) error {
		return rows.Scan(&x.of, &x.Text.Text, &x.Language)
	}, int64(lo), int64(hi))
	for _, n := range names {
		if err := within("entity", n.of-int64(lo), len(all)); err != nil {
			return nil, fileError(doing, s.path, err)
		}
		if x := &all[n.of-int64(lo)]; n.Text.Text != x.Label {
			x.Aliases = append(x.Aliases, n.Text)
		}
	}
	return all, err
}

// Named is a relation or a type that the source names: itself, or as an entity of the
// same key.
type Named struct {
	Key    string
	Label  string   // of itself; empty for none
	Entity EntityID // NoEntity for none
}

// Vocabulary returns the relations and the types of the graph, by their ids.
func (s *Store) Vocabulary(ctx context.Context) (relations, types []Named, err error) {
	scan := func(rows *sql.Rows, x *Named) error { return rows.Scan(&x.Key, &x.Label, &x.Entity) }
	const doing = "read the relations and types of"
	relations, err = list(ctx, s, doing, "SELECT r.key, coalesce(r.label, ''), coalesce(e.id, ?) FROM relation AS r LEFT JOIN entity AS e ON e.key = r.key ORDER BY r.id", scan, int64(NoEntity))
	if err == nil {
		types, err = list(ctx, s, doing, "SELECT t.key, '', coalesce(e.id, ?) FROM type AS t LEFT JOIN entity AS e ON e.key = t.key ORDER BY t.id", scan, int64(NoEntity))
	}
	return relations, types, err
}

// LayerTriples returns the triples that a layer says, ascending.
func (s *Store) LayerTriples(ctx context.Context, layer int64) ([]TripleID, error) {
	const query = `
		SELECT id FROM triple WHERE source IN (SELECT id FROM source WHERE id = ?1 OR layer = ?1)
		UNION SELECT triple FROM provenance WHERE source IN (SELECT id FROM source WHERE id = ?1 OR layer = ?1) ORDER BY 1`
	return list(ctx, s, "read a layer of", query, func(rows *sql.Rows, t *TripleID) error { return rows.Scan(t) }, layer)
}
