package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"cairn/engine/llm"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/internal/wording"
)

const (
	// warm is the temperature of every sample but the first: high enough that
	// samples differ, low enough that they stay about the question.
	warm = 0.7
	// maxTokens bounds a reply. Eight triples in words have a few hundred; a small
	// model that goes on only repeats itself.
	maxTokens = 512
	// maxEdges is the size of the largest pattern that a question can mean; the
	// paper's questions have up to three hops.
	maxEdges = 8
)

// reading is a reading of the model's, with what it finds.
type reading struct {
	linked
	grounding Grounding
	cost      cost
	from      string // which sample gave it first, for people
	agreed    int    // how many samples gave it
	of        int    // how many samples could be read
}

// sampled asks for patterns, and returns the different ones, best first.
//
// Samples are chosen by evidence, not by vote: the reading with the least cost is
// the best, however few samples gave it, since a model repeats its mistakes more
// readily than the graph confirms them. How many agreed only breaks ties.
func (p *Planner) sampled(ctx context.Context, q *question) ([]*reading, error) {
	var out []*reading
	byText := map[string]*reading{}
	var first error
	read := 0
	for i := range p.opts.Samples {
		r, err := p.sample(ctx, q, i)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if first = cmp.Or(first, err); isServers(err) {
				break // asking again would fail again
			}
			continue
		}
		read++
		key := pattern.Canonical(r.Pattern)
		if same, ok := byText[key]; ok {
			same.agreed++
			continue
		}
		byText[key] = r
		out = append(out, r)
	}
	if len(out) == 0 {
		return nil, first
	}
	for _, r := range out {
		r.of = read
	}
	slices.SortStableFunc(out, func(a, b *reading) int { return cmp.Or(compareReadings(a, b), cmp.Compare(b.agreed, a.agreed)) })
	return out, nil
}

// isServers reports whether an error is the server's or the connection's, not
// the reply's.
func isServers(err error) bool {
	return !errors.Is(err, errReply) && !errors.Is(err, errNotSensible) && !errors.Is(err, llm.ErrCut)
}

// compareReadings puts readings with a match first, then the one with the least
// cost, then the one with fewer conditions. A claim is not read better for being
// true: with one among them, only the costs count.
func compareReadings(a, b *reading) int {
	if a.isClaim() == b.isClaim() && !a.isClaim() && a.grounding.Found != b.grounding.Found {
		if a.grounding.Found {
			return -1
		}
		return 1
	}
	if d := a.cost.total() - b.cost.total(); d < -noise || d > noise {
		return cmp.Compare(d, 0)
	}
	return cmp.Compare(len(a.Edges), len(b.Edges))
}

func (r *reading) isClaim() bool { return r.Task == pattern.Verify }

// sample asks for one pattern, and once more where the reply is no good.
func (p *Planner) sample(ctx context.Context, q *question, i int) (*reading, error) {
	req, err := p.patternRequest(q, i)
	if err != nil {
		return nil, err
	}
	reply, err := p.model.Ask(ctx, req)
	if err != nil {
		return nil, err
	}
	got, err := p.read(ctx, q, reply.Text)
	if err != nil && isServers(err) {
		return nil, err
	}
	from := sampleName(i)
	if complaint := p.complaint(got, err); complaint != "" {
		repaired, again := p.repair(ctx, q, req, reply.Text, complaint, got)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if again == nil && (got == nil || repaired.loose() < got.loose()) {
			got, err, from = repaired, nil, from+", repaired"
		}
	}
	if err != nil {
		return nil, err // what was wrong at first says more than what was wrong again
	}
	r := &reading{linked: *got, from: from, agreed: 1}
	return r, p.weigh(ctx, q, r)
}

// loose counts the names and relations that the graph has nothing like.
func (l *linked) loose() int { return len(l.unlinked) + len(l.strange) }

// sampleName names sample i for people.
func sampleName(i int) string {
	if i == 0 {
		return "the first sample (temperature 0)"
	}
	return fmt.Sprintf("sample %d (temperature %.1f, seed %d)", i+1, warm, i)
}

// weigh settles a reading on the graph and measures it.
func (p *Planner) weigh(ctx context.Context, q *question, r *reading) (err error) {
	if r.grounding, err = p.settle(ctx, q, r.Pattern); err != nil {
		return err
	}
	r.cost = p.costOf(q, r.Pattern, r.grounding)
	return nil
}

// patternRequest is the request for sample i: the first is the model's best
// guess, the same every time; the others are drawn.
func (p *Planner) patternRequest(q *question, i int) (llm.Request, error) {
	req := llm.Request{Purpose: "pattern", Schema: replySchema(len(p.about.properties) > 0), MaxTokens: maxTokens}
	if i > 0 {
		req.Purpose, req.Temperature, req.Seed = fmt.Sprintf("pattern, sample %d", i+1), warm, i
	}
	return p.patternPrompt(q, req)
}

// read parses a reply, and ties its pattern to the graph. A pattern that a
// question cannot mean is an error; names that the graph does not have are not.
func (p *Planner) read(ctx context.Context, q *question, text string) (*linked, error) {
	pat, err := parsePattern(text)
	if err != nil {
		return nil, err
	}
	if err := sensible(pat); err != nil {
		return nil, err
	}
	got, err := p.link(ctx, q, pat)
	if err != nil {
		return nil, err
	}
	if err := p.aboutQuestion(q, pat); err != nil {
		return nil, err
	}
	return got, nil
}

// sensible refuses patterns that would match anything.
func sensible(p *pattern.Pattern) error {
	if len(p.Edges) > maxEdges {
		return fmt.Errorf("%w: it has %d conditions", errNotSensible, len(p.Edges))
	}
	if !slices.ContainsFunc(p.Nodes, func(n pattern.Node) bool { return !n.Variable }) {
		return fmt.Errorf("%w: it names nothing", errNotSensible)
	}
	return nil
}

// aboutQuestion refuses a pattern that has none of the question's names: the
// model recites an example, or its own thoughts.
func (p *Planner) aboutQuestion(q *question, pat *pattern.Pattern) error {
	var names []string
	for i := range pat.Nodes {
		n := &pat.Nodes[i]
		if n.Variable {
			continue
		}
		if p.inQuestion(q, n) {
			return nil
		}
		names = append(names, n.Text)
	}
	return fmt.Errorf("%w: the question has nothing like %s", errNotSensible, wording.Quotes(names[:min(3, len(names))]))
}

// toPlan makes the reading one of a plan's.
func (p *Planner) toPlan(r *reading) plan.Reading {
	message := fmt.Sprintf("read by %s: %s", p.model.Name(), r.from)
	if r.of > 1 {
		message += fmt.Sprintf("; %d of %d samples agreed", r.agreed, r.of)
	}
	return plan.Reading{
		Pattern: r.Pattern, Score: 0 - r.cost.total(), Unused: r.cost.unused,
		Explanation: r.cost.explain(r.grounding, message),
		Text:        pattern.Format(r.Pattern),
	}
}
