package operators

import (
	"context"
	"fmt"
	"maps"

	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/schema"
)

var howOld = lexicon.Phrases("how old")

// aged reads how old a name was at an event of its own or of another name: "How old was X when he died?", "At what
// age did X die?", "How old was X when Y opened?", "How old did X live to be?". It is nil where none is said.
func (r *reader) aged(_ context.Context, p *phrase) (*part, error) {
	at := p.match(0, howOld)
	x := p.afterThe(at + 1)
	event, of := p.nameAt(x), x
	if at == 0 || !p.is(at, auxiliary) || event == 0 || event == p.len() || r.isLiteral(p, x) {
		return nil, nil
	}
	switch {
	case p.says(event, "live", "get", "become", "grow"): // "live to be"
		p = r.cut(p, span(0, event), text("die"))
	case p.says(0, "how") && !p.says(event, "when"):
		return nil, nil
	}
	for _, i := range p.names(event, p.len()) {
		if of != x || r.isLiteral(p, i) {
			return nil, nil
		}
		of = i
	}
	g, s := r.voc.Graph(), r.voc.Schema()
	begins, _ := r.stepsBy(r.voc.Lexicon().Comparisons("older"), func(schema.Step) bool { return true })
	if len(begins) == 0 {
		begins = r.valueSteps(r.phrase("born", nil), 0)
	}
	ends := map[schema.Step]float64{}
	for k := event; k < p.len(); k++ {
		maps.Copy(ends, r.valueSteps(p, k))
	}
	begin, _, isBegun := bestStep(begins, func(st schema.Step) bool { return isDated(s.Value(st.To()), p, x, st, g, s) })
	end, rival, isOver := bestStep(ends, func(st schema.Step) bool { return isDated(s.Value(st.To()), p, of, st, g, s) })
	if !isBegun || !isOver || of == x && begin == end {
		return nil, refuse(p.text(0, at), "the graph does not give both dates, or it is unclear which.")
	}
	got := &part{pat: &pattern.Pattern{Reuse: pattern.ReuseVariables, Nodes: []pattern.Node{p.known(x)}}}
	other := 0
	if of != x {
		other = addNode(got.pat, p.known(of))
	}
	more, then := r.extend(got.pat, other, end, nil, "then")
	add(got.pat, more)
	more, begun := r.extend(got.pat, 0, begin, nil, "begun")
	add(got.pat, more)
	got.pat.Asked, got.pat.Measure = then, &pattern.Measure{Func: pattern.Difference, Node: then, Of: begun, Per: -1}
	a, b := p.entitiesOf(x)[0], p.entitiesOf(of)[0]
	got.text = fmt.Sprintf("the years from %s of %s to %s of %s", g.RelationText(begin.Relation()), g.Label(a), g.RelationText(end.Relation()), g.Label(b))
	p.doubtNames(got, x, of)
	if _, rough, _ := g.YearsBetween(s.Edges(a, begin)[0].Entity, s.Edges(b, end)[0].Entity); rough {
		got.unsure(plan.Unsure, "Of a date, only the year or the month is known: it may be one year less.")
	} else if rival {
		got.unsure(plan.Unsure, unclearValue)
	}
	r.doubtWords(p, got, func(i int) bool { return i < at })
	return got, nil
}
