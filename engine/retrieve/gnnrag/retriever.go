package gnnrag

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/nn"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/internal/wording"
)

// retriever is a model over one graph, ready for questions. It is safe for
// concurrent use.
type retriever struct {
	model   *Model
	graph   *kg.Graph
	cutter  *Cutter // nil for networks that look at the whole graph
	members []*member
	notes   []string // of every ranking
}

// guide is a network that knows the ways that it took.
type guide interface {
	// explain says how the network read the question, with at most perAnswer ways to
	// each of the answers.
	explain(t *nn.Tape, x *example, answers []scored, perAnswer int) explanation
}

// explanation is how a network came to its answers.
type explanation struct {
	paths []evidence.Candidate // the likeliest ways to the answers
	steps []string             // how it read the question, in words
	cut   bool                 // it looked at less of the graph than there is to look at
}

// on makes a model ready for questions over a graph: the one that it was trained
// on, also where that has grown since. It fails with ErrModel where the graph has
// none of the relations that the model learned.
func (m *Model) on(ctx context.Context, w retrieve.World) (*retriever, error) {
	r := &retriever{model: m, graph: w.Graph}
	o := m.About.Options
	known, unseen := m.vocab.Compare(w.Graph)
	if known == 0 {
		return nil, fmt.Errorf("%w: the graph has none of the relations that it was trained with", retrieve.ErrModel)
	}
	if len(unseen) > 0 {
		r.notes = append(r.notes, fmt.Sprintf("The network did not see %s in training and knows %s only by name.", listed(unseen), itOrThem(unseen)))
	}
	if o.Kind != Flow {
		r.cutter = NewCutter(w.Graph, o.Region)
	}
	for _, n := range m.networks {
		mem, err := newMember(ctx, 0, n.Part, m.vocab, w, o)
		if err != nil {
			return nil, err
		}
		if err := mem.net.params().SetWeights(n.Weights); err != nil {
			return nil, fmt.Errorf("%w: %w", retrieve.ErrModel, err)
		}
		r.members = append(r.members, mem)
	}
	return r, nil
}

// listed names relations: "the relation “owns”", "3 relations, “owns” among them".
func listed(relations []string) string {
	if len(relations) == 1 {
		return fmt.Sprintf("the relation “%s”", relations[0])
	}
	return fmt.Sprintf("%d relations, “%s” among them,", len(relations), relations[0])
}

func itOrThem(relations []string) string {
	if len(relations) == 1 {
		return "it"
	}
	return "them"
}

const (
	// mass is how much of the probability of all entities the selected answers have
	// together, the paper's (§4.1).
	mass = 0.95
	// answersAtMost caps the selected answers where the query does not.
	answersAtMost = 2000
	// pathsPerAnswer caps the ways of a network to one answer, and the shortest paths
	// between one seed and one answer where a network knows no way.
	pathsPerAnswer = 8
)

// The rule of the paper stops within a group of equally probable answers, and takes
// ever less probable ones where no group is clear.
const (
	// evenShare is the share of the probability of the last answer that the mass rule
	// takes which further answers have: of many equally probable ones all are right
	// or none.
	evenShare = 0.3
	// leastShare is the share of the highest probability that every answer has. On
	// MetaQA's 3 hops and on PathQuestion the two together are worth 0.6 to 4 points
	// of F1 (TestSelectionRules).
	leastShare = 0.1
)

// answersOf selects at most limit answers among scores. The rules are for
// probabilities that add up to 1; a network that is not sure has less.
func answersOf(scores []scored, limit int) []scored {
	total := totalProbability(scores)
	if total == 0 {
		return nil
	}
	out := selectAnswers(times(scores, 1/total), selection{
		mass: mass, nodes: len(scores), even: evenShare, relative: leastShare, limit: limit,
	})
	return times(out, total)
}

// times returns the scores with their probabilities multiplied.
func times(scores []scored, by float64) []scored {
	out := slices.Clone(scores)
	for i := range out {
		out[i].Probability *= by
	}
	return out
}

// shownNodes is how many entities of a region a ranking lists for a picture.
const shownNodes = 60

// Retrieve answers a question from its Seeds on; the readings are not looked at. Past
// the deadline it asks no further network, and returns what the others found, TimedOut.
func (r *retriever) Retrieve(ctx context.Context, q retrieve.Query) (evidence.Found, error) {
	if len(q.Seeds) == 0 {
		return evidence.Found{By: r.Name()}, ctx.Err()
	}
	x := questions.Example{Text: q.Question, Topics: q.Seeds, Spans: retrieve.Spans(q.Mentions)}
	found, err := r.rank(ctx, x, q.Limits)
	if err != nil {
		return evidence.Found{}, err
	}
	doubt(&found, r.graph.Relations())
	return found, nil
}

// How much probability all answers have together is how much of what the network
// takes the question to ask for is there. Below leastSure it has nothing to say,
// below quiteSure a reader is told. Where there are more than twenty relations, each
// has less of it to begin with, and leastSure is so much lower: with the thousand of
// WebQSP, 50 of the 131 answers below 0.001 were right.
const leastSure, quiteSure = 0.001, 0.3

// manyAnswers is how many answers are so many that the network may just be unsure.
const manyAnswers = 50

// doubt says how sure the network is, and drops what it takes for all but impossible.
func doubt(f *evidence.Found, relations int) {
	least := leastSure * min(1, 20/float64(max(relations, 1)))
	switch p := evidence.TotalProbability(f.Answers); {
	case len(f.Answers) == 0 || p >= quiteSure:
	case p < least:
		f.Answers, f.Candidates = nil, nil
		f.Notes = append(f.Notes, fmt.Sprintf("The answers are too unlikely to be shown: their combined probability is %.2g.", p))
	default:
		f.Notes = append(f.Notes, fmt.Sprintf("Low confidence: the answers' combined probability is %.2g.", p))
	}
	if n := len(f.Answers); n > manyAnswers {
		f.Notes = append(f.Notes, fmt.Sprintf("The probability is spread over %s: if you expect fewer answers, treat these as guesses.", wording.Count(n, "entity", "entities")))
	}
}

// weighed is a question with the probabilities of entities by all networks that were
// asked.
type weighed struct {
	asked  []asking
	region *Region // nil where networks look at the whole graph
	scores []scored
	late   bool // some networks were not asked, since there was no time left
}

// weigh has the networks score entities, until the deadline has passed.
func (r *retriever) weigh(ctx context.Context, q questions.Example, deadline time.Duration) (w weighed, err error) {
	start := time.Now()
	x := example{seeds: q.Topics}
	if r.cutter != nil {
		if w.region, err = r.cutter.Cut(ctx, q.Topics); err != nil {
			return w, err
		}
		x.place(w.region)
	}
	for i, m := range r.members {
		if err := ctx.Err(); err != nil {
			return w, err
		}
		if i > 0 && time.Since(start) > deadline {
			w.late = true
			break
		}
		w.asked = append(w.asked, asking{member: m, tape: m.tape(), x: x})
		a := &w.asked[i]
		if a.x.words, err = m.enc.words(ctx, q); err != nil {
			return w, fmt.Errorf("read the words of the question: %w", err)
		}
		w.scores = united(w.scores, m.net.scores(a.tape, &a.x))
	}
	if p := totalProbability(w.scores); p > 1 { // of several networks
		w.scores = times(w.scores, 1/p)
	}
	return w, nil
}

// done gives the memory back.
func (w *weighed) done() {
	for _, a := range w.asked {
		a.member.tapes.Put(a.tape)
	}
}

// rank answers a question that names something.
func (r *retriever) rank(ctx context.Context, q questions.Example, limits retrieve.Limits) (evidence.Found, error) {
	start := time.Now()
	w, err := r.weigh(ctx, q, cmp.Or(limits.WallTime, 10*time.Second))
	defer w.done()
	if err != nil {
		return evidence.Found{}, err
	}
	res := evidence.Found{By: r.Name(), Notes: slices.Clone(r.notes)}
	res.Region = evidence.Region{Entities: r.graph.Entities(), Triples: r.graph.Triples(), Method: "the whole graph"}
	if in := w.region; in != nil {
		res.Completeness = in.Completeness
		res.Region = evidence.Region{
			Entities: len(in.Entities), Triples: len(in.Facts), Method: r.model.About.Options.Region.Describe(r.graph), Completeness: in.Completeness,
		}
	}
	if w.late {
		res.Completeness = evidence.TimedOut
	}
	limit, all := cmp.Or(limits.Answers, answersAtMost), w.scores
	answers := answersOf(all, limit+1) // one more shows that there are more
	if len(answers) > limit {
		answers = answers[:limit]
		if res.Completeness == evidence.Exhaustive {
			res.Completeness = evidence.CutByK
		}
	}
	res.Answers, res.Weighed = shown(answers), shown(top(all, shownNodes))
	for i := range res.Answers[:min(len(res.Answers), evidence.Explained)] {
		a := &res.Answers[i]
		a.Explanation = evidence.Explanation{
			Value:   a.Score.Value,
			Message: fmt.Sprintf("the probability by %s, of %s", res.By, wording.Count(len(all), "entity that was scored", "entities that were scored")),
		}
	}
	if err := r.trace(ctx, &res, q.Topics, &w, answers); err != nil {
		return evidence.Found{}, err
	}
	res.Stats = evidence.Stats{Considered: len(all), Found: len(answers), Duration: time.Since(start)}
	return res, nil
}

// shown are scored entities as answers.
func shown(list []scored) []evidence.Answer {
	return wording.Each(list, func(s scored) evidence.Answer {
		return evidence.Answer{Entity: s.Entity, Score: evidence.Score{Value: s.Probability, Scale: evidence.Probability}}
	})
}

// asking is a question as one network of the model has read it.
type asking struct {
	member *member
	tape   *nn.Tape
	x      example
}

// trace finds the paths to the answers: the ways that a network took where it knows
// them, and shortest paths to what is left.
func (r *retriever) trace(ctx context.Context, res *evidence.Found, seeds []kg.EntityID, w *weighed, answers []scored) error {
	left := answers
	for i := range w.asked {
		a := &w.asked[i]
		g, ok := a.member.net.(guide)
		if !ok {
			continue
		}
		e := g.explain(a.tape, &a.x, left, pathsPerAnswer)
		for _, step := range e.steps {
			if len(w.asked) > 1 {
				step = fmt.Sprintf("network %d: %s", i+1, step)
			}
			res.Steps = append(res.Steps, step)
		}
		res.Candidates = append(res.Candidates, e.paths...)
		left = withoutPath(left, res.Candidates)
		if res.Completeness == evidence.Exhaustive && e.cut {
			res.Completeness = evidence.CutByBudget
		}
	}
	shortest, whole, err := shortestPaths(ctx, r.graph, w.region, seeds, left, w.scores, pathsPerAnswer, pathSteps)
	if err != nil {
		return err
	}
	if whole == evidence.CutByBudget && res.Completeness == evidence.Exhaustive {
		res.Completeness = whole
	}
	res.Candidates = append(res.Candidates, shortest...)
	place := make(map[kg.EntityID]int, len(answers))
	for i, s := range answers {
		place[s.Entity] = i
	}
	slices.SortStableFunc(res.Candidates, func(a, b evidence.Candidate) int { return cmp.Compare(place[a.End()], place[b.End()]) })
	res.Support(evidence.Candidate.End)
	return nil
}

// withoutPath are the answers that no path leads to.
func withoutPath(answers []scored, paths []evidence.Candidate) []scored {
	reached := make(map[kg.EntityID]bool, len(answers))
	for _, p := range paths {
		reached[p.End()] = true
	}
	return slices.DeleteFunc(slices.Clone(answers), func(s scored) bool { return reached[s.Entity] })
}

// names are the networks' names for people.
var names = map[Kind]string{Flow: "relation flow", ReaRev: "ReaRev"}

// String returns the network's name for people.
func (k Kind) String() string { return cmp.Or(names[k], string(k)) }

// Name names the retriever for people: "GNN-RAG (relation flow)".
func (r *retriever) Name() string {
	name := r.model.About.Options.Kind.String()
	if n := len(r.members); n > 1 {
		name = fmt.Sprintf("%d × %s", n, name)
	}
	return "GNN-RAG (" + name + ")"
}

// united are the entities that either scoring has, with the higher probability
// (GNN-RAG §4.5: the ensemble).
func united(a, b []scored) []scored {
	if a == nil {
		return b
	}
	at := make(map[kg.EntityID]int, len(a))
	for i, s := range a {
		at[s.Entity] = i
	}
	for _, s := range b {
		if i, ok := at[s.Entity]; ok {
			a[i].Probability = max(a[i].Probability, s.Probability)
			continue
		}
		a = append(a, s)
	}
	return a
}

// top returns the n most probable of the scores that are above zero.
func top(scores []scored, n int) []scored {
	out := slices.DeleteFunc(slices.Clone(scores), func(s scored) bool { return s.Probability == 0 })
	slices.SortFunc(out, byProbability)
	return out[:min(n, len(out))]
}

// measure scores the retriever on the held questions, all of its networks together.
func (r *retriever) measure(ctx context.Context, d *dataSet) (retrieve.Metrics, error) {
	return measured(ctx, d.dev, func(q *question) ([]scored, error) {
		w, err := r.weigh(ctx, q.Example, math.MaxInt64)
		w.done()
		return w.scores, err
	})
}
