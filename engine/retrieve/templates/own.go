package templates

import (
	"context"
	"fmt"
	"slices"

	"cairn/engine/cypher"
	"cairn/engine/kg"
	"cairn/engine/retrieve"
	"cairn/internal/wording"
)

// State says how a template stands to those that were learned.
type State string

// The states of templates.
const (
	Learned State = "learned"
	Changed State = "changed" // by the user
	Own     State = "own"     // the user's
	Deleted State = "deleted" // by the user
)

// Row is a template of a graph: one that is asked, or one that was learned and deleted.
type Row struct {
	Template

	State State
	// Was is the template as it was learned, where the user changed it; nil for others.
	Was *Template
}

// Rows compares the templates that are asked with those that were learned. A template is
// another one that was changed where it has its query, or else a shape of it.
func Rows(asked, learned []Template) []Row {
	byQuery, byAsk := map[string]int{}, map[string]int{}
	for i, t := range learned {
		byQuery[t.Cypher] = i
		for _, a := range t.Asks {
			byAsk[a] = i
		}
	}
	rows := make([]Row, 0, len(asked))
	taken := make([]bool, len(learned))
	take := func(row *Row, was int) {
		row.State, row.Was, row.From, taken[was] = Changed, &learned[was], FromUser, true
		if slices.Equal(row.Asks, row.Was.Asks) && row.Cypher == row.Was.Cypher {
			row.State, row.From, row.Was = Learned, row.Was.From, nil
		}
	}
	for i, t := range asked {
		rows = append(rows, Row{Template: t, State: Own})
		if was, ok := byQuery[t.Cypher]; ok && !taken[was] {
			take(&rows[i], was)
		}
	}
	for i := range rows {
		row := &rows[i]
		for _, a := range row.Asks {
			if was, ok := byAsk[a]; row.State == Own && ok && !taken[was] {
				take(row, was)
			}
		}
		if row.State == Own {
			row.From = FromUser
		}
	}
	for i, t := range learned {
		if !taken[i] {
			rows = append(rows, Row{Template: t, State: Deleted})
		}
	}
	return rows
}

// Asked are the templates of rows that are asked.
func Asked(rows []Row) (ts []Template) {
	for _, r := range rows {
		if r.State != Deleted {
			ts = append(ts, r.Template)
		}
	}
	return ts
}

// Renewed are the templates to ask after a training: what the user has written, and of
// what was learned anew that which the user has not changed or deleted.
func Renewed(rows []Row, learned []Template) (ts []Template) {
	gone := map[string]bool{} // queries
	own := map[string]bool{}  // shapes
	for _, r := range rows {
		switch r.State {
		case Changed:
			gone[r.Was.Cypher] = true
		case Deleted:
			gone[r.Cypher] = true
		case Learned:
			continue
		case Own:
		}
		if r.State != Deleted {
			gone[r.Cypher] = true
			ts = append(ts, r.Template)
			for _, a := range r.Asks {
				own[a] = true
			}
		}
	}
	for _, t := range learned {
		t.Asks = slices.DeleteFunc(slices.Clone(t.Asks), func(a string) bool { return own[a] })
		if !gone[t.Cypher] && len(t.Asks) > 0 {
			ts = append(ts, t)
		}
	}
	return ts
}

// Trial is what a template makes of a question.
type Trial struct {
	// Ask is the shape of the template that is most like the question.
	Ask   string
	Slots []Slot
	// Cypher is the query, filled in, so that it runs by itself.
	Cypher string
	// Result is nil where the template was not run: Why says it in a sentence.
	Result *cypher.Result
	Why    string
	// Unread are the words of the question that the template takes no account of.
	Unread []string
	// Taken is the template that a question like this is answered by, -1 for none.
	Taken int
}

// Slot is a slot with what fills it.
type Slot struct {
	Name     string
	Entities []kg.EntityID
}

// Try asks one of the templates a question, or for -1 the one that fits best. Their
// queries are run over the graph.
func Try(ctx context.Context, over *cypher.KG, g *kg.Graph, ts []Template, at int, q retrieve.Query) (*Trial, error) {
	r := newRetriever(g, over, &Set{Templates: ts})
	x := exampleOf(q)
	text, names := shapeOf(g, x)
	trial := &Trial{Taken: -1}
	if len(names) == 0 {
		trial.Why = "No name in the question is in this graph, so no slot can be filled."
		return trial, ctx.Err()
	}
	runs, err := r.run(ctx, text, names, q.Limits)
	if err != nil {
		return nil, err
	}
	if len(runs) > 0 {
		trial.Taken = runs[0].template
	}
	if at < 0 {
		like := r.shapes.nearest(text, 1)
		switch {
		case trial.Taken >= 0:
			at = trial.Taken
		case len(like) > 0 && like[0].likeness >= leastLike:
			at = like[0].template
		default:
			trial.Why = "No template is like this question."
			return trial, ctx.Err()
		}
	}
	one := newRetriever(g, over, &Set{Templates: ts[at : at+1]})
	n := near{shape: 0}
	if like := one.shapes.nearest(text, 1); len(like) > 0 {
		n = like[0]
	}
	trial.Ask, trial.Unread = one.shapes.list[n.shape].text, one.unread(0, text)
	slots := slotsOf(trial.Ask)
	bound := map[string][]kg.EntityID{}
	for i, name := range names {
		s := Slot{Entities: name.Seeds}
		if i < len(slots) {
			s.Name = slots[i]
			bound[s.Name] = name.Seeds
		}
		trial.Slots = append(trial.Slots, s)
	}
	if len(names) != len(slots) {
		trial.Why = fmt.Sprintf("The question has %s, but the template has %s.", wording.Count(len(names), "name", "names"), wording.Count(len(slots), "slot", "slots"))
		return trial, ctx.Err()
	}
	trial.Cypher = over.Filled(ts[at].query, bound)
	trial.Result, err = one.fill(ctx, n, names, q.Limits, wallTime)
	return trial, err
}
