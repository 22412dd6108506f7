package kg

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"math/bits"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// Layer states, as source.off has them.
const (
	layerOn      = 0
	layerOff     = 1
	layerRemoved = 2
)

// NoLayerError is returned for a layer that the graph does not have.
type NoLayerError struct{ Layer int64 }

// Error returns the sentence.
func (e *NoLayerError) Error() string { return fmt.Sprintf("this graph has no layer %d", e.Layer) }

// live is the condition that a source, given by a column of source.id, is of a layer
// that is on; -1 is of none, and stays.
func live(column string) string {
	return "NOT EXISTS (SELECT 1 FROM source AS its WHERE its.id = " + column + " AND its.off <> 0)"
}

// ofLayer is the condition that a column of source.id is of the layer ?1.
const ofLayer = "IN (SELECT id FROM source WHERE id = ?1 OR layer = ?1)"

// SwitchLayer switches a layer off, or on again: what only layers say that are off is in
// no question. The ids stay as they are.
func (s *Store) SwitchLayer(ctx context.Context, layer int64, on bool) error {
	state := layerOff
	if on {
		state = layerOn
	}
	return s.changeLayers(ctx, "turn a layer off or on in", []layerChange{{layer, state}})
}

// RemoveLayer removes a layer, and with it what only it says.
func (s *Store) RemoveLayer(ctx context.Context, layer int64) error {
	return s.changeLayers(ctx, "remove a layer from", []layerChange{{layer, layerRemoved}})
}

// ReplaceLayer switches a layer on and removes the one that it takes the place of, both
// or neither.
func (s *Store) ReplaceLayer(ctx context.Context, old, by int64) error {
	return s.changeLayers(ctx, "replace a layer in", []layerChange{{by, layerOn}, {old, layerRemoved}})
}

type layerChange struct {
	layer int64
	state int
}

func (s *Store) changeLayers(ctx context.Context, doing string, changes []layerChange) error {
	if s.readOnly {
		return s.cannotWrite(doing)
	}
	if !s.importing.CompareAndSwap(false, true) {
		return errImporting(doing, s.path)
	}
	defer s.importing.Store(false)
	if err := s.settle(ctx, nil); err != nil {
		return err
	}
	return s.update(ctx, doing, func(conn *sql.Conn) error {
		for _, c := range changes {
			if err := c.make(ctx, conn); err != nil {
				return err
			}
		}
		return execAll(ctx, conn, []string{renewVersion})
	})
}

// make changes the state of one layer, and what entities are called by that.
func (c layerChange) make(ctx context.Context, conn *sql.Conn) error {
	var was int
	err := conn.QueryRowContext(context.WithoutCancel(ctx), "SELECT coalesce((SELECT off FROM source WHERE id = ? AND layer IS NULL), 2)", c.layer).Scan(&was)
	switch {
	case err != nil:
		return err
	case was == layerRemoved:
		return &NoLayerError{c.layer}
	case was == c.state:
		return nil
	}
	if err := execAll(ctx, conn, []string{
		"UPDATE source SET off = ?2 WHERE id = ?1 OR layer = ?1",
		"CREATE TEMP TABLE renamed (entity INTEGER PRIMARY KEY)",
		`INSERT INTO renamed SELECT id FROM entity WHERE label_source = ?1
			UNION SELECT entity FROM alias WHERE source = ?1 AND rank < 255`,
		keepLabel + " WHERE id IN (SELECT entity FROM renamed) AND label_rank < 255",
		`UPDATE entity SET (label, language, label_rank, label_source) = (
				SELECT text, language, rank, source FROM (
					SELECT text, language, rank, source, first, rowid AS at FROM alias WHERE alias.entity = entity.id AND rank < 255 AND ` + live("alias.source") + `
					UNION ALL SELECT NULL, '', 255, -1, 0, 0)
				ORDER BY rank, source, first DESC, at LIMIT 1)
			WHERE id IN (SELECT entity FROM renamed)`,
		"DELETE FROM renamed",
		`INSERT INTO renamed SELECT id FROM entity WHERE description_source = ?1 UNION SELECT entity FROM description WHERE source = ?1`,
		keepDescription + " WHERE id IN (SELECT entity FROM renamed) AND description_rank < 255",
		`UPDATE entity SET (description, description_rank, description_source) = (
				SELECT text, rank, source FROM (
					SELECT text, rank, source FROM description WHERE description.entity = entity.id AND ` + live("description.source") + `
					UNION ALL SELECT NULL, 255, -1)
				ORDER BY rank, source LIMIT 1)
			WHERE id IN (SELECT entity FROM renamed)`,
		"DROP TABLE renamed",
	}, c.layer, c.state); err != nil {
		return err
	}
	if err := nameByKey(ctx, conn); err != nil || c.state != layerRemoved {
		return err
	}
	return execAll(ctx, conn, []string{
		"DELETE FROM alias WHERE source = ?1",
		"DELETE FROM description WHERE source = ?1",
		"DELETE FROM entity_type WHERE source = ?1",
		"DELETE FROM undirected WHERE source = ?1",
		"UPDATE relation SET label = NULL, label_source = -1 WHERE label_source = ?1",
		"DELETE FROM extraction WHERE source " + ofLayer,
		"DELETE FROM qualified WHERE source " + ofLayer,
		"DELETE FROM provenance WHERE source " + ofLayer,
	}, c.layer)
}

// nameByKey calls the entities whose names are gone by the local names of their IRIs.
func nameByKey(ctx context.Context, conn *sql.Conn) error {
	type unnamed struct {
		id  int64
		key string
	}
	last := int64(-1)
	for {
		rows, err := conn.QueryContext(ctx, "SELECT id, key FROM entity WHERE id > ? AND label_rank = 255 AND label IS NULL AND literal = 0 AND key LIKE '%://%' ORDER BY id LIMIT 4096", last)
		if err != nil {
			return err
		}
		var all []unnamed
		for rows.Next() {
			var u unnamed
			if err := rows.Scan(&u.id, &u.key); err != nil {
				return errors.Join(err, rows.Close())
			}
			all = append(all, u)
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil || len(all) == 0 {
			return err
		}
		last = all[len(all)-1].id
		for _, u := range all {
			if name := LocalName(u.key); name != u.key {
				if _, err := conn.ExecContext(context.WithoutCancel(ctx), "UPDATE entity SET label = ? WHERE id = ?", name, u.id); err != nil {
					return err
				}
			}
		}
	}
}

// LocalName names an IRI that no source names: its last part, with escapes undone and
// underscores as spaces.
func LocalName(iri string) string {
	name := strings.TrimRight(iri, "/#")
	if i := strings.LastIndexAny(name, "/#"); i >= 0 {
		name = name[i+1:]
	}
	if u, err := url.PathUnescape(name); err == nil && utf8.ValidString(u) {
		name = u
	}
	if name = strings.TrimSpace(strings.ReplaceAll(name, "_", " ")); name == "" {
		return iri
	}
	return name
}

// inactive returns which of n triples no layer says that is on, a bit each; nil where
// all layers are on.
func inactive(r *tableReader, n int) (off []uint64, err error) {
	var some bool
	if err := r.conns[0].QueryRowContext(r.ctx, "SELECT EXISTS (SELECT 1 FROM source WHERE off <> 0)").Scan(&some); err != nil || !some {
		return nil, err
	}
	off = make([]uint64, (n+63)/64)
	err = r.each(`SELECT t.id FROM triple AS t JOIN source AS s ON s.id = t.source WHERE s.off <> 0 AND NOT EXISTS (
		SELECT 1 FROM provenance AS p JOIN source AS o ON o.id = p.source WHERE p.triple = t.id AND o.off = 0)`, func(rows *sql.Rows) error {
		var t int64
		if err := rows.Scan(&t); err != nil {
			return err
		}
		off[t/64] |= 1 << (t % 64)
		return within("triple", t, n)
	})
	return off, err
}

// gone finds the entities of which no layer says anything that is on.
func (s *scanner) gone() error {
	if !s.someOff {
		return nil
	}
	s.g.gone = make([]uint64, (s.entities+63)/64)
	return s.each(`SELECT id FROM entity AS e WHERE label_rank = 255 AND description_rank = 255
		AND NOT EXISTS (SELECT 1 FROM alias AS a WHERE a.entity = e.id AND `+live("a.source")+`)
		AND NOT EXISTS (SELECT 1 FROM entity_type AS t WHERE t.entity = e.id AND `+live("t.source")+`)
		AND id NOT IN (SELECT entity FROM property_value WHERE entity IS NOT NULL)`, func(rows *sql.Rows) error {
		var e EntityID
		if err := rows.Scan(&e); err != nil {
			return err
		}
		if s.g.Degree(e) == 0 {
			s.g.gone[e/64] |= 1 << (e % 64)
		}
		return nil
	})
}

// Off reports whether no layer that is on says a triple: no edge leads over it.
func (g *Graph) Off(t TripleID) bool { return len(g.off) > 0 && g.off[t/64]>>(t%64)&1 != 0 }

// Gone reports whether no layer that is on says anything of an entity.
func (g *Graph) Gone(e EntityID) bool { return len(g.gone) > 0 && g.gone[e/64]>>(e%64)&1 != 0 }

// Live walks the triples that a layer says that is on, ascending.
func (g *Graph) Live() iter.Seq[TripleID] {
	return func(yield func(TripleID) bool) {
		for t := range TripleID(len(g.triples)) {
			if !g.Off(t) && !yield(t) {
				return
			}
		}
	}
}

// Without returns the graph as it is without some of its triples: as though no layer said
// them. All ids stay, and so do the entities. It takes time in the number of triples.
func (g *Graph) Without(triples ...TripleID) *Graph {
	w := *g
	if w.off = slices.Clone(g.off); len(w.off) == 0 {
		w.off = make([]uint64, (len(g.triples)+63)/64)
	}
	for _, t := range triples {
		w.off[t/64] |= 1 << (t % 64)
	}
	w.out, w.in = g.out.without(w.Off), g.in.without(w.Off)
	return &w
}

// Count returns how many entities and triples there are in the layers that are on; ids
// go up to Entities and Triples.
func (g *Graph) Count() (entities, triples int) {
	return g.Entities() - count(g.gone), len(g.out.edges)
}

// count returns how many bits are set.
func count(words []uint64) (n int) {
	for _, w := range words {
		n += bits.OnesCount64(w)
	}
	return n
}

// LayerDifference is what another version of a layer says otherwise, in statements.
type LayerDifference struct {
	Added   int64 `json:"added"`
	Removed int64 `json:"removed"`
	// Changed counts the triples that both say, with something else beside them.
	Changed int64 `json:"changed"`
	Same    int64 `json:"same"`
	// A few triples of each.
	AddedSample, RemovedSample, ChangedSample []TripleID `json:"-"`
}

// differenceSample is how many triples of each kind a LayerDifference names.
const differenceSample = 5

// CompareLayers says what the layer by says otherwise than old.
func (s *Store) CompareLayers(ctx context.Context, old, by int64) (d LayerDifference, err error) {
	says := func(layer string) string {
		of := "IN (SELECT id FROM source WHERE id = " + layer + " OR layer = " + layer + ")"
		return `SELECT DISTINCT p.triple AS triple, coalesce(q.members, -1) AS members FROM (
				SELECT id AS triple, source, line FROM triple WHERE source ` + of + `
				UNION ALL SELECT triple, source, line FROM provenance WHERE source ` + of + `) AS p
			LEFT JOIN qualified AS q ON q.triple = p.triple AND q.source = p.source AND q.line = p.line`
	}
	with := "WITH old AS MATERIALIZED (" + says("?1") + "), new AS MATERIALIZED (" + says("?2") + `),
		come AS MATERIALIZED (SELECT * FROM new EXCEPT SELECT * FROM old), left AS MATERIALIZED (SELECT * FROM old EXCEPT SELECT * FROM new) `
	const changed = "triple IN (SELECT triple FROM come) AND triple IN (SELECT triple FROM left)"
	const doing = "compare layers of"
	err = s.db.QueryRowContext(ctx, with+`SELECT
		(SELECT count(*) FROM come WHERE NOT (`+changed+`)), (SELECT count(*) FROM left WHERE NOT (`+changed+`)),
		(SELECT count(DISTINCT triple) FROM come WHERE `+changed+`), (SELECT count(*) FROM (SELECT * FROM old INTERSECT SELECT * FROM new))`, old, by).
		Scan(&d.Added, &d.Removed, &d.Changed, &d.Same)
	if err != nil {
		return d, fileError(doing, s.path, endOr(ctx, err))
	}
	for _, x := range []struct {
		of   string
		into *[]TripleID
	}{
		{"come WHERE NOT (" + changed + ")", &d.AddedSample}, {"left WHERE NOT (" + changed + ")", &d.RemovedSample}, {"come WHERE " + changed, &d.ChangedSample},
	} {
		if *x.into, err = list(ctx, s, doing, with+"SELECT DISTINCT triple FROM "+x.of+" ORDER BY triple LIMIT ?3",
			func(rows *sql.Rows, t *TripleID) error { return rows.Scan(t) }, old, by, differenceSample); err != nil {
			return d, err
		}
	}
	return d, nil
}
