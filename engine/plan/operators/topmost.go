package operators

import (
	"context"
	"fmt"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/internal/wording"
)

// topClaim reads "X is the highest hut" and "Is X the highest hut?": the value of X compares so with
// the best of all others. It is nil where the words ask for no rank of things that X is one of.
func (r *reader) topClaim(ctx context.Context, p *phrase) (*part, error) {
	fronted := p.is(0, copulas)
	at := p.afterThe(map[bool]int{true: 1}[fronted])
	from, denied := p.nameAt(at), false
	if from == 0 || (p.is(from, copulas) || p.IsContractedNot(from)) == fronted {
		return nil, nil
	}
	for isn := p.IsContractedNot; p.is(from, copulas) || p.is(from, exclusions) || isn(from) || isn(from-1); from++ {
		denied = denied || p.is(from, exclusions) || isn(from)
	}
	if i := from + 1; !p.says(from, "the") || p.isName(i) || i >= p.len() || !lexicon.IsSuperlative(p.word(i).Lower) && p.match(i, most)+p.match(i, fewest) == 0 {
		return nil, nil
	}
	rest := r.cut(p, text("What is"), span(from, p.len()))
	asked, err := r.core.Read(ctx, rest.Source, rest.mentions)
	if err != nil || len(asked.Readings) == 0 || asked.Doubt > plan.Unsure {
		return nil, err
	}
	best := asked.Readings[0]
	got := &part{pat: copied(best.Pattern), unused: slices.Clone(best.Unused), doubt: asked.Doubt, reason: asked.Reason}
	if !r.putTop(ctx, p, got, at) {
		return nil, ctx.Err()
	}
	got.pat.Negated = denied
	got.text = fmt.Sprintf("%s: %s", r.voc.Graph().Label(p.entitiesOf(at)[0]), best.Text)
	return got, nil
}

// putTop puts a name in the place of what a ranking asks for, and beside it the best of the others.
func (r *reader) putTop(ctx context.Context, p *phrase, got *part, at int) bool {
	pat, g, name := got.pat, r.voc.Graph(), p.known(at)
	o, asked := pat.Order, pat.Asked
	if o == nil || o.Node < 0 || o.Limit != 1 || o.Skip > 0 || pat.Measure != nil || len(pat.Branches) > 0 || !pat.Nodes[asked].Variable {
		return false
	}
	ranked := slices.IndexFunc(pat.Edges, func(e pattern.Edge) bool { return e.From == asked && e.To == o.Node })
	if pat.Order = nil; ranked < 0 {
		return false
	}
	all, ok := r.core.Answers(ctx, pat)
	mine, is := r.topValue(name.Entities[0], pat.Edges[ranked], o.Descending)
	if !ok || !is || !slices.Contains(all, name.Entities[0]) {
		return false
	}
	rival, most := kg.NoEntity, kg.Value{}
	for _, e := range all {
		v, ok := r.topValue(e, pat.Edges[ranked], o.Descending)
		if v.Unit != mine.Unit && ok {
			v, ok = v.In(mine.Unit)
		}
		if !ok {
			return false // it cannot be told who comes first
		}
		if e != name.Entities[0] && (rival == kg.NoEntity || v.Number > most.Number == o.Descending && v.Number != most.Number) {
			rival, most = e, v
		}
	}
	if rival == kg.NoEntity {
		return false
	}
	what := wording.Quote(g.RelationText(pat.Edges[ranked].Fixed[0]))
	if without := len(pat.Nodes[asked].Within) - len(all); len(pat.Edges) == 1 && without > 0 {
		got.unsure(plan.Unsure, fmt.Sprintf("The graph has no %s of %s, which were not compared.", what, wording.Count(without, "thing", "things")))
	}
	if most.Number == mine.Number {
		got.unsure(plan.Unsure, fmt.Sprintf("%s has the same %s.", g.Label(rival), what))
	}
	p.doubtNames(got, at)
	pat.Nodes[asked], pat.Task, pat.Asked = name, pattern.Verify, -1
	edge := pat.Edges[ranked]
	edge.From = addNode(pat, pattern.Node{Text: g.Label(rival), Entities: []kg.EntityID{rival}})
	edge.To = addNode(pat, pattern.Node{Text: "?other", Variable: true})
	pat.Edges = append(pat.Edges, edge)
	pat.Filters = append(pat.Filters, pattern.Filter{Node: o.Node, Op: map[bool]pattern.Op{true: pattern.AtLeast, false: pattern.AtMost}[o.Descending], Than: &edge.To})
	return true
}

// topValue is the largest or the smallest of the values that an edge leads to.
func (r *reader) topValue(e kg.EntityID, edge pattern.Edge, largest bool) (top kg.Value, ok bool) {
	for _, rel := range edge.Fixed {
		for _, x := range r.voc.Graph().Along(e, rel, false) {
			if v, is := r.voc.Graph().Value(x.Entity); is && (!ok || v.Number > top.Number == largest) {
				top, ok = v, true
			}
		}
	}
	return top, ok
}
