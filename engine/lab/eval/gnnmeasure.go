package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/llm"
	"cairn/engine/questions"
	"cairn/engine/retrieve/gnnrag"
	"cairn/internal/guard"
)

// GNNRow is what one part gave with one seed.
type GNNRow struct {
	Part string `json:"part"`
	Seed uint64 `json:"seed"`
	// Scores are by the default selection of answers.
	Scores Scores `json:"scores"`
	// Strict are by the paper's rule to the letter: no more answers than it takes to
	// have 0.95 of the probability, even where others are as probable.
	Strict Scores `json:"strict"`
	// Masses are by other amounts of probability.
	Masses []MassRow `json:"masses,omitempty"`
	// Kinds are the scores of the set's own kinds of questions.
	Kinds map[string]*Scores `json:"kinds,omitempty"`
	// Region says how many right answers were within reach of the network, and how
	// much it looked at.
	Region gnnrag.Coverage `json:"region"`
	// Paths are what a language model would be shown (GNN-RAG Table 1).
	Paths PathScores `json:"paths"`
	// Unseeded counts the questions of which no topic was found in the graph.
	Unseeded int `json:"unseeded"`
	// Total is the time from topics to answers and paths; Link that of finding topics
	// in the question.
	Total Times `json:"total"`
	Link  Times `json:"link"`
	// Trained is what training took; of several folds, together.
	Trained TrainingRow `json:"trained"`
	PeakMB  float64     `json:"peak_rss_mb"` // since training began, data included; 0 where unknown
}

// MassRow is a selection of answers by another amount of probability.
type MassRow struct {
	Mass   float64    `json:"mass"`
	Scores Scores     `json:"scores"`
	Paths  PathScores `json:"paths"`
}

// PathScores are about the reasoning paths of the selected answers.
type PathScores struct {
	// Covered counts the questions with a path to at least one right answer: the
	// paper's answer coverage.
	Covered int `json:"covered"`
	// Tokens is the median of how many tokens the verbalised paths have, as
	// llm.EstimateTokens counts them.
	Tokens int `json:"tokens"`
}

// TrainingRow is what training took.
type TrainingRow struct {
	Models    int     `json:"models"`
	Questions int     `json:"questions"` // of one model
	Held      int     `json:"held"`
	Seconds   float64 `json:"seconds"`
	Epochs    int     `json:"epochs"`
	Tries     int     `json:"tries"`
	Weights   int     `json:"weights"` // of one model
	// Dev is what the last model had on the questions that picked its weights.
	Dev gnnrag.Metrics `json:"dev"`
}

// outcome of one question.
type gnnOutcome struct {
	answers []evidence.Answer
	names   []string // of answers
	covered bool     // a path leads to a right answer
	tokens  int      // of all paths in words
	steps   []string
	seeded  bool
	asked   questions.Example // with its right answers
	size    gnnrag.Coverage
	total   time.Duration
	link    time.Duration
	masses  []gnnOutcome
}

// measure asks the questions of a part.
func (s *school) measure(ctx context.Context, name string, seed uint64, r retriever, qs []Question, t *gnnTally) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	outcomes := make([]gnnOutcome, len(qs))
	next := make(chan int)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				var err error
				if outcomes[i], err = guard.Get(func() (gnnOutcome, error) { return s.ask(ctx, r, qs[i]) }); err != nil {
					cancel(fmt.Errorf("question %s: %w", qs[i].ID, err))
				}
			}
		})
	}
feed:
	for i := range qs {
		select {
		case next <- i:
			if s.opts.Progress != nil {
				s.opts.Progress(GNNProgress{Part: name, Seed: seed, Task: "measuring", Done: int64(i + 1), Total: int64(len(qs))})
			}
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	wg.Wait()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if err := s.cover(ctx, outcomes, t); err != nil {
		return err
	}
	for i, q := range qs {
		exact := t.add(q, &outcomes[i])
		if !exact && s.opts.Failures != nil {
			if err := writeGNNFailure(s.opts.Failures, name, seed, s.ground.graph, q, &outcomes[i]); err != nil {
				return fmt.Errorf("write the failures: %w", err)
			}
		}
	}
	return nil
}

// cover measures how many right answers were within reach of the network.
func (s *school) cover(ctx context.Context, outcomes []gnnOutcome, t *gnnTally) error {
	var xs []questions.Example
	for _, out := range outcomes {
		if out.seeded && len(out.asked.Answers) > 0 {
			xs = append(xs, out.asked)
		}
	}
	c := gnnrag.Coverage{Any: 1, All: 1, Share: 1}
	if k := s.opts.Training.Kind; k != "" && k != gnnrag.Flow && len(xs) > 0 {
		var err error
		if c, err = gnnrag.MeasureCoverage(ctx, s.ground.graph, xs, s.opts.Training.Region); err != nil {
			return err
		}
	}
	n, r := float64(len(xs)), &t.row.Region
	r.Any += n * c.Any
	r.All += n * c.All
	r.Share += n * c.Share
	r.Far += n * c.Far
	r.Hubs += n * c.Hubs
	r.Crowded += n * c.Crowded
	return nil
}

// ask asks one question.
func (s *school) ask(ctx context.Context, r retriever, q Question) (gnnOutcome, error) {
	var out gnnOutcome
	x, err := s.ground.example(ctx, q)
	if err != nil {
		return out, err
	}
	if s.opts.Linked {
		start := time.Now()
		seeds, names, err := s.eng.Seeds(ctx, q.Text)
		if err != nil {
			return out, err
		}
		out.link = time.Since(start)
		x.Topics, x.Spans = seeds, gnnrag.Spans(names)
	}
	start := time.Now()
	res, err := r.Rank(ctx, x, gnnrag.RetrieveOptions{})
	if errors.Is(err, gnnrag.ErrNoSeed) {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	took, link := time.Since(start), out.link
	out = s.outcome(q, res)
	out.asked, out.link, out.total = x, link, took
	for _, m := range s.opts.Masses {
		res, err := r.Rank(ctx, x, gnnrag.RetrieveOptions{Mass: m})
		if err != nil {
			return out, err
		}
		out.masses = append(out.masses, s.outcome(q, res))
	}
	return out, nil
}

// outcome keeps of a result what is scored.
func (s *school) outcome(q Question, res evidence.Found) gnnOutcome {
	g := s.ground.graph
	out := gnnOutcome{answers: res.Answers, steps: res.Steps, seeded: true}
	for _, a := range res.Answers {
		out.names = append(out.names, g.Label(a.Entity))
	}
	for _, p := range res.Candidates {
		out.covered = out.covered || slices.Contains(q.Gold, g.Label(p.End()))
		out.tokens += llm.EstimateTokens(verbalise(g, p)) + 1 // and the line's end
	}
	out.size = gnnrag.Coverage{Entities: float64(res.Region.Entities), Facts: float64(res.Region.Triples)}
	return out
}

// gnnTally adds up the outcomes of one part and seed.
type gnnTally struct {
	row    GNNRow
	total  []time.Duration
	link   []time.Duration
	tokens [][]int // of the default selection and of each mass
}

func newGNNTally(part string, seed uint64, masses []float64) *gnnTally {
	t := &gnnTally{row: GNNRow{Part: part, Seed: seed}, tokens: make([][]int, 1+len(masses))}
	for _, m := range masses {
		t.row.Masses = append(t.row.Masses, MassRow{Mass: m})
	}
	return t
}

// trained adds what a model took.
func (t *gnnTally) trained(a gnnrag.About) {
	r := &t.row.Trained
	r.Models++
	r.Questions, r.Held, r.Weights, r.Dev = a.Questions, a.Held, a.Weights, a.Dev
	r.Seconds += a.Seconds
	r.Epochs += a.Epochs
	r.Tries += a.Tries
}

// add scores one question.
func (t *gnnTally) add(q Question, out *gnnOutcome) (exact bool) {
	r := &t.row
	exact = r.Scores.Score(q.Gold, out.names, false)
	r.Strict.Score(q.Gold, out.names[:strict(out.answers, paperMass)], false)
	for _, k := range q.Kinds {
		if r.Kinds == nil {
			r.Kinds = map[string]*Scores{}
		}
		if r.Kinds[k] == nil {
			r.Kinds[k] = &Scores{}
		}
		r.Kinds[k].Score(q.Gold, out.names, false)
	}
	count(&r.Unseeded, !out.seeded)
	t.paths(0, &r.Paths, out)
	for i := range r.Masses {
		m := &gnnOutcome{}
		if out.seeded {
			m = &out.masses[i]
		}
		r.Masses[i].Scores.Score(q.Gold, m.names, false)
		t.paths(i+1, &r.Masses[i].Paths, m)
	}
	r.Region.Entities += out.size.Entities
	r.Region.Facts += out.size.Facts
	if out.seeded {
		t.total = append(t.total, out.total)
	}
	if out.link > 0 {
		t.link = append(t.link, out.link)
	}
	return exact
}

// paperMass is the paper's amount of probability (§4.1).
const paperMass = 0.95

// strict is how many of the answers, most probable first, it takes to have more
// than that much probability; all where they have less.
func strict(answers []evidence.Answer, mass float64) int {
	sum := 0.
	for i, a := range answers {
		if sum += a.Score.Value; sum > mass {
			return i + 1
		}
	}
	return len(answers)
}

// paths scores the reasoning paths of one selection.
func (t *gnnTally) paths(selection int, p *PathScores, out *gnnOutcome) {
	count(&p.Covered, out.covered)
	t.tokens[selection] = append(t.tokens[selection], out.tokens)
}

// verbalise writes a path as the paper's prompts do: A → r → B.
func verbalise(g *kg.Graph, p evidence.Candidate) string {
	var b strings.Builder
	b.WriteString(g.Label(p.Nodes[0]))
	for i := range p.Hops {
		var names []string
		for _, id := range p.Hop(i) {
			names = append(names, g.RelationText(g.Triple(id).Relation))
		}
		slices.Sort(names)
		fmt.Fprintf(&b, " → %s → %s", strings.Join(slices.Compact(names), ", "), g.Label(p.Nodes[i+1]))
	}
	return b.String()
}

// done is the row of all that was added.
func (t *gnnTally) done() GNNRow {
	r := t.row
	n := float64(r.Scores.N)
	for _, mean := range []*float64{
		&r.Region.Any, &r.Region.All, &r.Region.Share, &r.Region.Far, &r.Region.Hubs, &r.Region.Crowded, &r.Region.Entities, &r.Region.Facts,
	} {
		*mean /= n
	}
	r.Paths.Tokens = median(t.tokens[0])
	for i := range r.Masses {
		r.Masses[i].Paths.Tokens = median(t.tokens[i+1])
	}
	r.Total, r.Link = times(t.total), times(t.link)
	r.PeakMB = peakRSS()
	return r
}

func median(xs []int) int {
	if len(xs) == 0 {
		return 0
	}
	slices.Sort(xs)
	return xs[len(xs)/2]
}

// shownAnswers is how many answers a failure lists.
const shownAnswers = 20

// writeGNNFailure writes what is needed to see why a question went wrong.
func writeGNNFailure(w io.Writer, part string, seed uint64, g *kg.Graph, q Question, out *gnnOutcome) error {
	type scored struct {
		Name        string  `json:"name"`
		Probability float64 `json:"probability"`
	}
	rec := struct {
		Part   string   `json:"part"`
		Seed   uint64   `json:"seed"`
		ID     string   `json:"id"`
		Text   string   `json:"question"`
		Kinds  []string `json:"kinds,omitempty"`
		Topics []string `json:"topics"` // the set's
		Seeded bool     `json:"seeded"`
		Gold   []string `json:"gold"`
		Got    []scored `json:"got"`
		Steps  []string `json:"steps,omitempty"`
	}{Part: part, Seed: seed, ID: q.ID, Text: q.Text, Kinds: q.Kinds, Topics: q.Topics, Seeded: out.seeded, Gold: q.Gold, Steps: out.steps}
	for _, a := range out.answers[:min(shownAnswers, len(out.answers))] {
		rec.Got = append(rec.Got, scored{g.Label(a.Entity), a.Score.Value})
	}
	line, err := json.Marshal(rec)
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}
