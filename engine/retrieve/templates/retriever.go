package templates

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"cairn/engine/cypher"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/learn"
	"cairn/internal/wording"
)

// retriever answers by templates. It is safe for concurrent use.
type retriever struct {
	g      *kg.Graph
	over   *cypher.KG
	set    *Set
	shapes *shapes
}

var _ retrieve.Reader = (*retriever)(nil)

const (
	// tried is how many templates are run for a question, the likeliest first.
	tried = 8
	// sharpness turns likenesses into probabilities: a shape that is 0.05 more like a
	// question is e times as likely to be what it asks.
	sharpness = 20
	// leastLike is how like a question's shape must be for its template to be run.
	leastLike = 0.1
	// leastChance is the probability below which a reading is not worth reading.
	leastChance = 0.002
	// answersAtMost caps the answers where the query does not.
	answersAtMost = 2000
	// wallTime is the deadline where the query has none.
	wallTime = 10 * time.Second
	// rowsPerAnswer is how many rows an answer has at most, on average.
	rowsPerAnswer = 8
)

func newRetriever(g *kg.Graph, over *cypher.KG, s *Set) *retriever {
	return &retriever{g: g, over: over, set: s, shapes: newShapes(s.Templates)}
}

// run is a template that was run and found something.
type run struct {
	near
	p      float64 // the probability that it is what is asked
	result *cypher.Result
	names  []learn.Named
}

// Read lists the templates whose shapes are most like a question's and that find
// anything, as patterns where their queries are such.
func (r *retriever) Read(ctx context.Context, q retrieve.Query) ([]plan.Reading, error) {
	text, names := shapeOf(r.g, exampleOf(q))
	runs, err := r.run(ctx, text, names, q.Limits)
	var out []plan.Reading
	for _, one := range runs {
		if one.p < leastChance {
			break
		}
		out = append(out, r.reading(one, text))
	}
	return out, err
}

func exampleOf(q retrieve.Query) questions.Example {
	return questions.Example{Text: q.Question, Topics: q.Seeds, Spans: retrieve.Spans(q.Mentions)}
}

func (r *retriever) reading(one run, text string) plan.Reading {
	t := &r.set.Templates[one.template]
	bound := map[string][]kg.EntityID{}
	for i, slot := range slotsOf(r.shapes.list[one.shape].text) {
		bound[slot] = one.names[i].Seeds
	}
	p, ok := r.over.Pattern(t.query, bound)
	if !ok {
		p = &pattern.Pattern{Nodes: []pattern.Node{{Text: "?answer", Variable: true}}}
		for _, n := range one.names {
			p.Nodes = append(p.Nodes, pattern.Node{Text: r.g.Label(n.Seeds[0]), Entities: n.Seeds})
		}
	}
	return plan.Reading{
		Pattern: p, Score: one.p, Text: t.Cypher, Unused: r.unread(one.template, text),
		Explanation: r.explained(one),
	}
}

// explained says where the probability of a template comes from.
func (r *retriever) explained(one run) evidence.Explanation {
	return evidence.Explanation{Value: one.p, Message: "how likely this template fits the question", Children: []evidence.Explanation{
		{Value: one.likeness, Message: fmt.Sprintf("how like the question “%s” is", r.shapes.list[one.shape].text)},
		{Value: min(1, one.p/one.likeness), Message: "its share among the templates that find something"},
	}}
}

// Retrieve answers with what the query of the chosen template returns, the likeliest where
// none is chosen.
func (r *retriever) Retrieve(ctx context.Context, q retrieve.Query) (evidence.Found, error) {
	start := time.Now()
	f := evidence.Found{By: "question templates", Region: evidence.Region{Entities: r.g.Entities(), Triples: r.g.Triples(), Method: "the whole graph"}}
	if q.Readings == nil {
		var err error
		if q.Readings, err = r.Read(ctx, q); err != nil {
			return f, err
		}
	}
	f.Stats.Considered = len(q.Readings)
	text, names := shapeOf(r.g, exampleOf(q))
	if len(q.Readings) > 0 && len(names) > 0 {
		one, err := r.chosen(ctx, q, text, names)
		if err != nil {
			return f, err
		}
		if one != nil {
			r.say(&f, *one, text)
			r.collect(&f, *one, cmp.Or(q.Limits.Answers, answersAtMost))
		}
	}
	if time.Since(start) >= cmp.Or(q.Limits.WallTime, wallTime) {
		f.Completeness = evidence.TimedOut
	}
	f.Stats.Found, f.Stats.Duration = len(f.Answers), time.Since(start)
	return f, ctx.Err()
}

// chosen runs the template of the first reading; nil where it is none of a template.
func (r *retriever) chosen(ctx context.Context, q retrieve.Query, text string, names []learn.Named) (*run, error) {
	reading := q.Readings[0]
	for _, n := range r.shapes.nearest(text, 4*tried) {
		if t := &r.set.Templates[n.template]; t.Cypher != reading.Text || len(t.slots) != len(names) {
			continue
		}
		result, err := r.fill(ctx, n, names, q.Limits, cmp.Or(q.Limits.WallTime, wallTime))
		if err != nil {
			return nil, ctx.Err() // one that cannot be run on this graph answers nothing
		}
		return &run{near: n, p: reading.Score, result: result, names: names}, nil
	}
	return nil, ctx.Err()
}

// run runs the templates whose shapes are most like a question's; those that find
// anything, the likeliest first.
func (r *retriever) run(ctx context.Context, text string, names []learn.Named, limits retrieve.Limits) (runs []run, err error) {
	if len(names) == 0 {
		return nil, ctx.Err()
	}
	until := time.Now().Add(cmp.Or(limits.WallTime, wallTime))
	for _, n := range r.shapes.nearest(text, 4*tried) {
		left := time.Until(until)
		if n.likeness < leastLike || len(runs) == tried || left <= 0 {
			break
		}
		if len(r.set.Templates[n.template].slots) != len(names) {
			continue
		}
		result, err := r.fill(ctx, n, names, limits, left)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil && len(result.Rows) > 0 {
			runs = append(runs, run{near: n, result: result, names: names})
		}
	}
	total := 0.0
	for _, one := range runs {
		total += math.Exp(sharpness * (one.likeness - runs[0].likeness))
	}
	for i := range runs {
		runs[i].p = runs[i].likeness * math.Exp(sharpness*(runs[i].likeness-runs[0].likeness)) / total
	}
	return runs, ctx.Err()
}

// fill runs a template with the entities of its slots. A name of several entities stands
// for all of them.
func (r *retriever) fill(ctx context.Context, n near, names []learn.Named, limits retrieve.Limits, wall time.Duration) (all *cypher.Result, err error) {
	t := &r.set.Templates[n.template]
	slots := slotsOf(r.shapes.list[n.shape].text)
	o := cypher.Options{
		Rows: cmp.Or(limits.Answers, answersAtMost) * rowsPerAnswer, WallTime: wall, Params: map[string]any{}, Bound: map[string]any{},
	}
	var each func(i int) error
	each = func(i int) error {
		if i == len(names) {
			found, err := cypher.Run(ctx, r.over, t.query, o)
			if err != nil {
				return err
			}
			if all == nil {
				all = found
				return nil
			}
			all.Rows = append(all.Rows, found.Rows...)
			all.More, all.Late, all.Large = all.More || found.More, all.Late || found.Late, all.Large || found.Large
			return nil
		}
		for _, e := range names[i].Seeds {
			o.Bound[slots[i]], o.Params[slots[i]] = cypher.Node(e), r.g.Label(e)
			if err := each(i + 1); err != nil {
				return err
			}
		}
		return nil
	}
	return all, each(0)
}

// unread are the words of a question that a template takes no account of.
func (r *retriever) unread(template int, text string) (words []string) {
	for w := range strings.FieldsSeq(text) {
		if _, ok := slotOf(w); !ok && !r.shapes.knows[template][lexicon.Stem(w)] && !lexicon.Builtin().IsStop(w) && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words
}

// say tells which template was taken, and what it takes no account of.
func (r *retriever) say(f *evidence.Found, best run, text string) {
	t, ask := &r.set.Templates[best.template], r.shapes.list[best.shape].text
	f.Steps = []string{fmt.Sprintf("the template “%s” (%s)", ask, evidence.ProbabilityText(best.p)), t.Cypher}
	if unread := r.unread(best.template, text); len(unread) > 0 {
		for i, w := range unread {
			unread[i] = "“" + w + "”"
		}
		f.Notes = append(f.Notes, fmt.Sprintf("The template used ignores %s.", wording.List(unread)))
	}
	f.Notes = append(f.Notes, best.result.Notes...)
	switch {
	case best.result.Late:
		f.Completeness = evidence.TimedOut
	case best.result.Large:
		f.Completeness = evidence.CutByBudget
	case best.result.More:
		f.Completeness = evidence.CutByK
	}
}

// collect makes answers of rows: what their first column has.
func (r *retriever) collect(f *evidence.Found, best run, limit int) {
	at := map[string]int{}
	var from []kg.EntityID
	for _, n := range best.names {
		from = append(from, n.Seeds...)
	}
	score := evidence.Score{Value: best.p, Scale: evidence.Probability}
	for _, row := range best.result.Rows {
		a := evidence.Answer{Entity: kg.NoEntity, Score: score}
		switch v := row.Values[0].(type) {
		case nil:
			continue
		case cypher.Node:
			a.Entity = kg.EntityID(v)
		case string:
			a.Value = v
		case fmt.Stringer:
			a.Value = v.String()
		default:
			a.Value = cypher.Text(v)
		}
		key := fmt.Sprint(a.Entity, a.Value)
		i, ok := at[key]
		if !ok {
			if len(f.Answers) == limit {
				f.Completeness = evidence.CutByK
				continue
			}
			i = len(f.Answers)
			at[key] = i
			if i < evidence.Explained {
				a.Explanation = r.explained(best)
			}
			f.Answers = append(f.Answers, a)
		}
		for _, c := range r.paths(row, from, f.Answers[i].Entity) {
			f.Answers[i].Supports = append(f.Answers[i].Supports, len(f.Candidates))
			f.Candidates = append(f.Candidates, c)
		}
	}
	f.Weighed = f.Answers[:min(len(f.Answers), 60)]
}

// paths writes the triples of a row as paths from what the question names to the answer;
// triples at the answer that are on none, such as a year that was compared, lead to it by
// themselves. What is behind a value, such as a number, are triples one by one.
func (r *retriever) paths(row cypher.Row, from []kg.EntityID, answer kg.EntityID) (out []evidence.Candidate) {
	type hop struct {
		triple kg.TripleID
		to     kg.EntityID
	}
	next := map[kg.EntityID][]hop{}
	left := map[kg.TripleID]bool{}
	for _, rel := range row.Rels {
		t := cypher.Triple(rel)
		if left[t] {
			continue
		}
		x := r.g.Triple(t)
		left[t] = true
		next[x.Head] = append(next[x.Head], hop{t, x.Tail})
		next[x.Tail] = append(next[x.Tail], hop{t, x.Head})
	}
	if answer == kg.NoEntity {
		for _, t := range slices.Sorted(maps.Keys(left)) {
			x := r.g.Triple(t)
			out = append(out, evidence.Path([]kg.EntityID{x.Head, x.Tail}, [][]kg.TripleID{{t}}, "templates"))
		}
		return out
	}
	for _, start := range from {
		before := map[kg.EntityID]kg.EntityID{start: start}
		for queue := []kg.EntityID{start}; len(queue) > 0; queue = queue[1:] {
			for _, h := range next[queue[0]] {
				if _, seen := before[h.to]; !seen {
					before[h.to] = queue[0]
					queue = append(queue, h.to)
				}
			}
		}
		if _, ok := before[answer]; !ok || answer == start {
			continue
		}
		nodes := []kg.EntityID{answer}
		var hops [][]kg.TripleID
		for at := answer; at != start; at = before[at] {
			var parallel []kg.TripleID
			for _, h := range next[at] {
				if h.to == before[at] {
					parallel = append(parallel, h.triple)
					delete(left, h.triple)
				}
			}
			slices.Sort(parallel)
			nodes, hops = append(nodes, before[at]), append(hops, parallel)
		}
		slices.Reverse(nodes)
		slices.Reverse(hops)
		out = append(out, evidence.Path(nodes, hops, "templates"))
	}
	for _, h := range next[answer] {
		if left[h.triple] {
			out = append(out, evidence.Path([]kg.EntityID{h.to, answer}, [][]kg.TripleID{{h.triple}}, "templates"))
		}
	}
	return out
}
