package engine

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"cairn/engine/export"
	"cairn/engine/kg"
)

// ExportPart says which part of a graph is exported; the zero value is all of it.
// Only one of its fields is set.
type ExportPart struct {
	// Entities are names or keys of entities, which are exported with what is at most
	// Hops triples away.
	Entities []string
	Hops     int
	// Layer is the number of a layer.
	Layer *int64
	// Run is a question of the history, whose evidence is exported.
	Run int64
}

// NotThereError is returned for a part of a graph that is not in it.
type NotThereError struct{ What string }

// Error returns the sentence.
func (e *NotThereError) Error() string { return e.What }

// Export writes the graph, or a part of it, to as many writers as the format has files.
func (e *Engine) Export(ctx context.Context, f export.Format, part ExportPart, ev *Events, to ...io.Writer) (_ export.Report, err error) {
	ctx, leave := e.join(ctx, &err)
	defer leave()
	if e.store == nil {
		return export.Report{}, ErrInMemory
	}
	g := e.Graph()
	only, err := e.selection(ctx, g, part)
	if err != nil {
		return export.Report{}, err
	}
	return export.Write(ctx, export.Graph{Graph: g, Store: e.store}, f, only, ev.progress("export the graph"), to...)
}

// selection finds a part of the graph; nil is all of it.
func (e *Engine) selection(ctx context.Context, g *kg.Graph, part ExportPart) (*export.Selection, error) {
	switch {
	case len(part.Entities) > 0:
		var all []kg.EntityID
		for _, name := range part.Entities {
			found := entitiesNamed(g, name)
			if len(found) == 0 {
				return nil, &NotThereError{fmt.Sprintf("nothing in this graph is called %q", name)}
			}
			all = append(all, found...)
		}
		return export.Around(g, all, part.Hops), nil
	case part.Layer != nil:
		sources, err := e.store.Sources(ctx)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(sources, func(s kg.Source) bool { return s.ID == *part.Layer }) {
			return nil, &NotThereError{fmt.Sprintf("this graph has no layer %d", *part.Layer)}
		}
		ts, err := e.store.LayerTriples(ctx, *part.Layer)
		if err != nil {
			return nil, err
		}
		ts = slices.DeleteFunc(ts, func(t kg.TripleID) bool { return int(t) >= g.Triples() })
		return export.Triples(g, ts), nil
	case part.Run != 0:
		run, err := e.PastRun(ctx, part.Run)
		if err != nil {
			return nil, err
		}
		var ts []kg.TripleID
		for _, c := range run.Candidates {
			ts = append(ts, c.Triples()...)
		}
		if len(ts) == 0 {
			return nil, &NotThereError{fmt.Sprintf("question %d found no evidence", part.Run)}
		}
		return export.Triples(g, ts), nil
	}
	return nil, nil //nolint:nilnil // all of the graph
}

// entitiesNamed returns the entities that have a key or a name, ascending: several
// where the name is that of several.
func entitiesNamed(g *kg.Graph, name string) (found []kg.EntityID) {
	for i := range g.Entities() {
		e := kg.EntityID(i)
		if g.IsLiteral(e) || g.Gone(e) {
			continue
		}
		if g.Key(e) == name {
			return []kg.EntityID{e}
		}
		is := func(label string) bool { return strings.EqualFold(label, name) }
		if is(g.Label(e)) || slices.ContainsFunc(g.Aliases(e), is) {
			found = append(found, e)
		}
	}
	return found
}
