package gsr

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/match"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/learn"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// retriever is a model over one graph, ready for questions. It is safe for concurrent
// use.
type retriever struct {
	*speaker

	graph *kg.Graph
	notes []string // of every answer
}

var _ retrieve.Reader = (*retriever)(nil)

const (
	// answersAtMost caps the answers where the query does not.
	answersAtMost = 2000
	// pathsPerAnswer caps the paths to one answer from one name.
	pathsPerAnswer = 8
	// joins is how much work following one reading may take: see match.Anchored.
	joins = 4_000_000
	// leastChance is the probability below which a reading is not worth reading.
	leastChance = 0.002
	// shownBeside is how many entities of other readings are listed for a picture.
	shownBeside = 60
)

// Read returns the chains that a question may mean, as patterns, the likeliest first.
func (r *retriever) Read(ctx context.Context, q retrieve.Query) ([]plan.Reading, error) {
	if len(q.Seeds) == 0 {
		return nil, ctx.Err()
	}
	x := questions.Example{Text: q.Question, Topics: q.Seeds, Spans: retrieve.Spans(q.Mentions)}
	rs, err := r.read(ctx, x)
	if err != nil {
		return nil, err
	}
	var out []plan.Reading
	for i, c := range rs {
		if i > 0 && c.p < leastChance {
			break
		}
		out = append(out, r.reading(c))
	}
	return out, nil
}

// reading writes a reading as a pattern, with where its probability comes from.
func (r *retriever) reading(c reading) plan.Reading {
	p := &pattern.Pattern{Reuse: pattern.ReuseVariables, Nodes: []pattern.Node{{Text: "?answer", Variable: true}}}
	if r.walks.Returns {
		p.Reuse = pattern.ReuseAll
	}
	out := plan.Reading{Pattern: p, Score: c.p, Explanation: evidence.Explanation{Value: c.p, Message: "how likely the question asks for these relations"}}
	for _, l := range c.legs {
		r.addLeg(p, r.graph.Label(l.topics[0]), l)
		for _, s := range l.said {
			out.Explanation.Children = append(out.Explanation.Children, r.explained(s))
		}
	}
	out.Text = r.text(c.legs)
	for _, o := range c.also {
		out.Explanation.Message += fmt.Sprintf("; or “%s”, which leads to the same answers", r.text(o.legs))
	}
	for _, n := range c.left {
		out.Unused = append(out.Unused, r.graph.Label(n.Seeds[0]))
	}
	out.Unused = append(out.Unused, c.strange...)
	for _, s := range c.lacking {
		out.Lacking = append(out.Lacking, "“"+r.name(s)+"”")
	}
	return out
}

// addLeg adds a chain from what a question names to the asked node, 0.
func (r *retriever) addLeg(p *pattern.Pattern, name string, l leg) {
	at := len(p.Nodes)
	p.Nodes = append(p.Nodes, pattern.Node{Text: name, Entities: l.topics})
	chain := l.chain()
	for i, s := range chain {
		to := 0
		if i < len(chain)-1 {
			to = len(p.Nodes)
			p.Nodes = append(p.Nodes, pattern.Node{Text: fmt.Sprintf("?step%d", to), Variable: true})
		}
		e := pattern.Edge{From: at, To: to, Relation: r.graph.RelationText(s.Relation()), Fixed: []kg.RelationID{s.Relation()}, Direction: pattern.Forward}
		if s.IsBack() {
			e.From, e.To = e.To, e.From
		}
		p.Edges = append(p.Edges, e)
		at = to
	}
}

// text says legs in words: "Jaws → directed by → directed by, backwards".
func (r *retriever) text(legs []leg) string {
	var out []string
	for _, l := range legs {
		said := []string{r.graph.Label(l.topics[0])}
		for _, s := range l.chain() {
			said = append(said, r.name(s))
		}
		out = append(out, strings.Join(said, " → "))
	}
	return strings.Join(out, " and ")
}

func (r *retriever) name(s schema.Step) string {
	switch {
	case s == atEnd:
		return "the end"
	case s.IsBack():
		return r.graph.RelationText(s.Relation()) + ", backwards"
	}
	return r.graph.RelationText(s.Relation())
}

// explained is a step with its probability, and what else it might have been.
func (r *retriever) explained(s spoken) evidence.Explanation {
	e := evidence.Explanation{Value: s.p, Message: r.name(s.step)}
	for _, o := range s.instead {
		e.Children = append(e.Children, evidence.Explanation{Value: o.p, Message: r.name(o.step)})
	}
	return e
}

// Retrieve answers with what the first reading leads to. An answer's probability is that
// of all readings that lead to it, together.
func (r *retriever) Retrieve(ctx context.Context, q retrieve.Query) (evidence.Found, error) {
	start := time.Now()
	f := evidence.Found{By: "GSR", Region: evidence.Region{Entities: r.graph.Entities(), Triples: r.graph.Triples(), Method: "the whole graph"}}
	if len(q.Seeds) == 0 {
		return f, ctx.Err()
	}
	if q.Readings == nil {
		var err error
		if q.Readings, err = r.Read(ctx, q); err != nil {
			return f, err
		}
	}
	f.Notes = slices.Clone(r.notes)
	if len(q.Readings) == 0 {
		return f, ctx.Err()
	}
	if out := left(q); len(out) > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("The relations followed ignore %s.", wording.List(out)))
	}
	if out := q.Readings[0].Lacking; len(out) > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("The question seems to ask for %s, which the graph does not have here, so this is the closest match.", wording.List(out)))
	}
	a := answering{r: r, q: q, f: &f, until: start.Add(cmp.Or(q.Limits.WallTime, 10*time.Second)), limit: cmp.Or(q.Limits.Answers, answersAtMost)}
	if err := a.run(ctx); err != nil {
		return evidence.Found{}, err
	}
	f.Stats.Found, f.Stats.Duration = len(f.Answers), time.Since(start)
	return f, nil
}

// left are the words and names of a question that the chain to follow takes no account
// of: those that were never learned, and numbers, for chains have no conditions.
func left(q retrieve.Query) []string {
	out := slices.Clone(q.Readings[0].Unused)
	tokens, span := learn.TokensOf(questions.Example{Text: q.Question, Spans: retrieve.Spans(q.Mentions)})
	for i, t := range tokens {
		if span[i] < 0 && t.Lower != "" && strings.IndexFunc(t.Lower, unicode.IsDigit) == 0 && !slices.Contains(out, t.Lower) {
			out = append(out, t.Lower)
		}
	}
	for i := range out {
		out[i] = "“" + out[i] + "”"
	}
	return out
}

type answering struct {
	r     *retriever
	q     retrieve.Query
	f     *evidence.Found
	until time.Time
	limit int
}

func (a *answering) run(ctx context.Context) error {
	followed := a.q.Readings[0]
	set, query, err := a.follow(ctx, followed.Pattern, a.limit+1) // one more shows that there are more
	if err != nil || query == nil {
		return err
	}
	more := len(set) > a.limit
	chance := make(map[kg.EntityID]float64, len(set))
	for _, e := range set {
		chance[e] = followed.Score
	}
	beside := map[kg.EntityID]float64{}
	for _, other := range a.q.Readings[1:] {
		if time.Now().After(a.until) {
			break
		}
		also, _, err := a.follow(ctx, other.Pattern, answersAtMost)
		if err != nil {
			return err
		}
		for _, e := range also {
			if _, ok := chance[e]; ok {
				chance[e] += other.Score
			} else {
				beside[e] += other.Score
			}
		}
	}
	answers := scored(chance)
	if len(answers) > a.limit {
		answers = answers[:a.limit]
	}
	if more && a.f.Completeness == evidence.Exhaustive {
		a.f.Completeness = evidence.CutByK
	}
	a.f.Steps = steps(followed)
	a.f.Weighed = slices.Concat(answers[:min(len(answers), shownBeside)], scored(beside))
	a.f.Weighed = a.f.Weighed[:min(len(a.f.Weighed), shownBeside)]
	a.f.Stats.Considered = len(chance) + len(beside)
	return a.support(ctx, query, answers)
}

// follow returns what the pattern of a reading leads to, ascending.
func (a *answering) follow(ctx context.Context, p *pattern.Pattern, limit int) ([]kg.EntityID, *match.Query, error) {
	query, err := match.Compile(a.r.graph, p)
	if err != nil {
		return nil, nil, nil //nolint:nilerr // a pattern of the user's own that no chain makes: nothing is found
	}
	set, stats, err := match.Anchored{Graph: a.r.graph, Budget: joins}.Answers(ctx, query, p.Asked, limit)
	a.f.Stats.Considered += stats.Considered
	if errors.Is(err, match.ErrBudget) {
		a.f.Completeness, err = evidence.CutByBudget, nil
	}
	return set, query, err
}

// scored are entities with their probabilities, the likeliest first.
func scored(chance map[kg.EntityID]float64) []evidence.Answer {
	out := make([]evidence.Answer, 0, len(chance))
	for e, p := range chance {
		out = append(out, evidence.Answer{Entity: e, Score: evidence.Score{Value: min(p, 1), Scale: evidence.Probability}})
	}
	slices.SortFunc(out, evidence.ByScore)
	return out
}

// steps are those of a reading with their probabilities.
func steps(r plan.Reading) []string {
	out := wording.Each(r.Explanation.Children, func(c evidence.Explanation) string {
		return fmt.Sprintf("%s (%s)", c.Message, evidence.ProbabilityText(c.Value))
	})
	return out
}

// support finds the paths to the answers, and drops those that there is no time for.
func (a *answering) support(ctx context.Context, query *match.Query, answers []evidence.Answer) error {
	p := a.q.Readings[0].Pattern
	engine := match.Anchored{Graph: a.r.graph, Budget: joins}
	asked := query.Nodes[p.Asked].In
	for i := range answers {
		if i > 0 && time.Now().After(a.until) {
			answers, a.f.Completeness = answers[:i], evidence.TimedOut
			break
		}
		query.Nodes[p.Asked].In = []kg.EntityID{answers[i].Entity}
		n := 0
		_, err := engine.Each(ctx, query, func(b match.Binding) bool {
			a.f.Candidates = append(a.f.Candidates, paths(p, b)...)
			n++
			return n < pathsPerAnswer
		})
		if err != nil && !errors.Is(err, match.ErrBudget) {
			return err
		}
		if i < evidence.Explained {
			answers[i].Explanation = a.explanation(answers[i])
		}
	}
	query.Nodes[p.Asked].In = asked
	a.f.Answers = answers
	a.f.Support(evidence.Candidate.End)
	return nil
}

// explanation says where an answer's probability comes from.
func (a *answering) explanation(x evidence.Answer) evidence.Explanation {
	return evidence.Explanation{Value: x.Score.Value, Message: "the total probability of all chains that lead to it; the chain followed has " +
		evidence.ProbabilityText(a.q.Readings[0].Score)}
}

// paths are the legs of a binding as paths, from what the question names to the answer.
func paths(p *pattern.Pattern, b match.Binding) []evidence.Candidate {
	var out []evidence.Candidate
	for n := range p.Nodes {
		if p.Nodes[n].Variable {
			continue
		}
		entities := []kg.EntityID{b.Nodes[n]}
		var hops [][]kg.TripleID
		used := make([]bool, len(p.Edges))
		for at := n; at != p.Asked; {
			i := slices.IndexFunc(p.Edges, func(e pattern.Edge) bool { return e.From == at || e.To == at })
			for i >= 0 && i < len(p.Edges) && (used[i] || p.Edges[i].From != at && p.Edges[i].To != at) {
				i++
			}
			if i < 0 || i == len(p.Edges) {
				break // it is no chain
			}
			used[i] = true
			if at = p.Edges[i].From + p.Edges[i].To - at; at < 0 {
				break
			}
			entities, hops = append(entities, b.Nodes[at]), append(hops, []kg.TripleID{b.Edges[i]})
		}
		if entities[len(entities)-1] == b.Nodes[p.Asked] && len(hops) > 0 {
			out = append(out, evidence.Path(entities, hops, "relation chain"))
		}
	}
	return out
}
