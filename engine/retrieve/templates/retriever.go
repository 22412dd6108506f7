package templates

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"cairn/engine/cypher"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/learn"
	"cairn/internal/wording"
)

// Retriever answers by templates. It is safe for concurrent use.
type Retriever struct {
	g      *kg.Graph
	over   cypher.Graph
	set    *Set
	shapes *shapes
}

var _ retrieve.Retriever = (*Retriever)(nil)

const (
	// tried is how many templates are run for a question, the likeliest first.
	tried = 8
	// sharpness turns likenesses into probabilities: a shape that is 0.05 more like a
	// question is e times as likely to be what it asks.
	sharpness = 20
	// leastLike is how like a question's shape must be for its template to be run.
	leastLike = 0.3
	// answersAtMost caps the answers where the query does not.
	answersAtMost = 2000
	// rowsPerAnswer is how many rows an answer has at most, on average.
	rowsPerAnswer = 8
)

func newRetriever(g *kg.Graph, s *Set) *Retriever {
	return &Retriever{g: g, over: cypher.Over(g, nil), set: s, shapes: newShapes(s.Templates)}
}

// Retrieve runs the template whose shape is most like the question's and that finds
// anything.
func (r *Retriever) Retrieve(ctx context.Context, q retrieve.Query) (evidence.Found, error) {
	x := questions.Example{Text: q.Question, Topics: q.Seeds, Spans: retrieve.Spans(q.Mentions)}
	_, names := shapeOf(r.g, x)
	return r.answer(ctx, x, names, q.Limits)
}

// run is a template that was run.
type run struct {
	near
	result *cypher.Result
	bound  []kg.EntityID
}

func (r *Retriever) answer(ctx context.Context, x questions.Example, names []learn.Named, limits retrieve.Limits) (evidence.Found, error) {
	start := time.Now()
	f := evidence.Found{By: "question templates", Region: evidence.Region{Entities: r.g.Entities(), Triples: r.g.Triples(), Method: "the whole graph"}}
	text, _ := shapeOf(r.g, x)
	if len(names) == 0 {
		return f, ctx.Err()
	}
	limit := limits.Answers
	if limit == 0 {
		limit = answersAtMost
	}
	wall := limits.WallTime
	if wall == 0 {
		wall = 10 * time.Second
	}
	var runs []run
	for _, n := range r.shapes.nearest(text, 4*tried) {
		if n.likeness < leastLike || len(runs) == tried || time.Since(start) > wall {
			break
		}
		t := &r.set.Templates[n.template]
		if len(t.slots) != len(names) {
			continue
		}
		result, bound, err := r.fill(ctx, n, names, cypher.Options{Rows: limit * rowsPerAnswer, WallTime: wall - time.Since(start)})
		if err != nil {
			return f, err
		}
		f.Stats.Considered++
		if result != nil && len(result.Rows) > 0 {
			runs = append(runs, run{n, result, bound})
		}
	}
	if len(runs) == 0 {
		f.Stats.Duration = time.Since(start)
		return f, ctx.Err()
	}
	total := 0.0
	for _, one := range runs {
		total += math.Exp(sharpness * (one.likeness - runs[0].likeness))
	}
	best := runs[0]
	p := best.likeness / total
	r.say(&f, best, p, text)
	r.collect(&f, best, p, limit)
	f.Stats.Found, f.Stats.Duration = len(f.Answers), time.Since(start)
	return f, ctx.Err()
}

// fill runs a template with the entities of its slots. A name of several entities stands
// for all of them. A template of the user's that cannot be computed finds nothing.
func (r *Retriever) fill(ctx context.Context, n near, names []learn.Named, o cypher.Options) (all *cypher.Result, bound []kg.EntityID, err error) {
	t := &r.set.Templates[n.template]
	slots := slotsOf(r.shapes.list[n.shape].text)
	o.Params, o.Bound = map[string]any{}, map[string]any{}
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
			bound = append(bound, e)
			if err := each(i + 1); err != nil {
				return err
			}
		}
		return nil
	}
	if err := each(0); err != nil && ctx.Err() == nil {
		return nil, nil, nil //nolint:nilerr // a template that cannot be run on this graph answers nothing
	}
	slices.Sort(bound)
	return all, slices.Compact(bound), ctx.Err()
}

// say tells which template was taken, and what it takes no account of.
func (r *Retriever) say(f *evidence.Found, best run, p float64, text string) {
	t, ask := &r.set.Templates[best.template], r.shapes.list[best.shape].text
	f.Steps = []string{fmt.Sprintf("the template “%s” (%s)", ask, evidence.ProbabilityText(p)), t.Cypher}
	stems := map[string]bool{}
	for _, a := range t.Asks {
		for _, w := range strings.Fields(a) {
			stems[lexicon.Stem(w)] = true
		}
	}
	var unread []string
	for _, w := range strings.Fields(text) {
		if _, ok := slotOf(w); !ok && !stems[lexicon.Stem(w)] && !lexicon.Builtin().IsStop(w) && !slices.Contains(unread, "“"+w+"”") {
			unread = append(unread, "“"+w+"”")
		}
	}
	if len(unread) > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("The template that was taken has no %s.", wording.List(unread)))
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
func (r *Retriever) collect(f *evidence.Found, best run, p float64, limit int) {
	at := map[string]int{}
	score := evidence.Score{Value: p, Scale: evidence.Probability}
	for _, row := range best.result.Rows {
		a := evidence.Answer{Entity: kg.NoEntity, Score: score}
		switch v := row.Values[0].(type) {
		case nil:
			continue
		case cypher.Node:
			a.Entity = kg.EntityID(v)
		case string:
			a.Value = v
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
				a.Explanation = evidence.Explanation{Value: p, Message: "how likely the template is what is asked, of those that find anything"}
			}
			f.Answers = append(f.Answers, a)
		}
		for _, c := range r.paths(row, best.bound, f.Answers[i].Entity) {
			f.Answers[i].Supports = append(f.Answers[i].Supports, len(f.Candidates))
			f.Candidates = append(f.Candidates, c)
		}
	}
	f.Weighed = f.Answers[:min(len(f.Answers), 60)]
}

// paths writes the triples of a row as paths from what the question names to the answer;
// triples at the answer that are on none, such as a year that was compared, lead to it by
// themselves.
func (r *Retriever) paths(row cypher.Row, from []kg.EntityID, answer kg.EntityID) (out []evidence.Candidate) {
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
