package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"cairn/engine"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/questions"
)

// ERQAOptions are the choices of a measurement by bridge-stars. The zero value of
// numbers is the default.
type ERQAOptions struct {
	Retrievers []string // IDs of methods; none is the engine's first
	Conditions []int    // The default value is 4, 5, 6, the paper's.
	Edits      []int    // The default value is 0, 1, 2, 3, the paper's.
	// Questions is how many are made for each number of conditions.
	//
	// The default value is 100.
	Questions int
	Seed      uint64
	// Sure reports whether an answer is shown without any doubt.
	Sure func(*engine.Run) bool
	// Failed, if set, is told of every question whose first answer is not the one that
	// it was made from.
	Failed func(ERQAFailure)
	// Progress may be nil.
	Progress func(task string, done, total int64)
}

// ERQAFailure is a question that was not answered as it was made.
type ERQAFailure struct {
	Retriever string   `json:"retriever"`
	Way       Way      `json:"way"`
	Question  string   `json:"question"`
	Edits     []string `json:"edits,omitempty"`
	Answers   []string `json:"answers"` // of the question as it was made
	Named     []string `json:"named"`   // the first answers that were given
	Sure      bool     `json:"sure"`
	Wrong     bool     `json:"wrong"` // sure, and the first does not meet every condition
	Reading   string   `json:"reading,omitempty"`
}

func (o *ERQAOptions) setDefaults() {
	if len(o.Retrievers) == 0 {
		o.Retrievers = []string{""}
	}
	if len(o.Conditions) == 0 {
		o.Conditions = []int{4, 5, 6}
	}
	if o.Edits == nil {
		o.Edits = []int{0, 1, 2, 3}
	}
	if o.Questions == 0 {
		o.Questions = 100
	}
	if o.Progress == nil {
		o.Progress = func(string, int64, int64) {}
	}
}

// Way is how a question is asked.
type Way string

// The ways.
const (
	ByWords   Way = "words"   // as text: names and conditions are found in it
	ByPattern Way = "pattern" // as the pattern that it was made from
)

// ERQARow is how questions were answered that have as many conditions and edits.
type ERQARow struct {
	Retriever  string `json:"retriever"`
	Way        Way    `json:"way"`
	Conditions int    `json:"conditions"` // 0 for all together
	Edits      int    `json:"edits"`
	Questions  int    `json:"questions"`
	// Shares of the questions: Hits@1, precision, recall and F1 in the mean, those
	// without an answer, those whose first answer is shown as sure, and those of these
	// where it does not meet every condition that was asked: an edited question may
	// have other answers than the one that it was made from.
	Hits1     float64 `json:"hits_at_1"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
	None      float64 `json:"none"`
	Sure      float64 `json:"sure"`
	SureWrong float64 `json:"sure_and_wrong"`
	// Chance is the mean of Star.Chance over Counted questions.
	Chance  float64 `json:"chance"`
	Counted int     `json:"counted"`
	Times   Times   `json:"times"` // from question to answer
}

// ERQAReport is a measurement of one graph.
type ERQAReport struct {
	Version  string    `json:"version,omitempty"`
	Machine  Machine   `json:"machine"`
	Graph    string    `json:"graph"`
	Entities int       `json:"entities"`
	Triples  int       `json:"triples"`
	Seed     uint64    `json:"seed"`
	Examples []string  `json:"examples"` // some of the questions
	Rows     []ERQARow `json:"rows"`
}

// ERQA makes bridge-star questions out of the graph of an engine and asks them. What was
// measured before an error is returned with it.
func ERQA(ctx context.Context, e *engine.Engine, name string, o ERQAOptions) (*ERQAReport, error) {
	o.setDefaults()
	if err := e.Prepare(ctx, &engine.Events{Progress: o.Progress}); err != nil {
		return nil, err
	}
	p, err := e.Planner(ctx)
	if err != nil {
		return nil, err
	}
	words, ok := p.(questions.Planner)
	if !ok {
		return nil, errors.New("questions are made in the words of the built-in planner: ask without a model")
	}
	o.Progress("draw questions", 0, 0)
	m, err := newStarMaker(ctx, words, o.Seed)
	if err != nil {
		return nil, err
	}
	g := e.Graph()
	r := &ERQAReport{Machine: thisMachine(), Graph: name, Entities: g.Entities(), Triples: g.Triples(), Seed: o.Seed}
	sets, err := m.sets(ctx, &o)
	if err != nil {
		return nil, err
	}
	for i, s := range sets[0].stars {
		if i < 3 {
			r.Examples = append(r.Examples, s.Text)
		}
	}
	for _, id := range o.Retrievers {
		for _, way := range []Way{ByWords, ByPattern} {
			rows, err := m.ask(ctx, e, sets, id, way, &o)
			r.Rows = append(r.Rows, rows...)
			if err != nil {
				return r, err
			}
		}
	}
	return r, nil
}

// starSet are the questions with as many conditions and edits.
type starSet struct {
	conditions, edits int
	stars             []Star
}

func (m *starMaker) sets(ctx context.Context, o *ERQAOptions) (sets []starSet, err error) {
	for _, n := range o.Conditions {
		stars, err := m.Stars(ctx, n, o.Questions)
		if err != nil {
			return nil, err
		}
		for _, x := range o.Edits {
			set := starSet{conditions: n, edits: x}
			for i, s := range stars {
				o.Progress(fmt.Sprintf("edit questions with %d conditions", n), int64(i), int64(len(stars)))
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				if edited, ok := m.Edited(ctx, s, x); ok {
					set.stars = append(set.stars, edited)
				}
			}
			sets = append(sets, set)
		}
	}
	return sets, nil
}

// ask asks all questions in one way, and sums up by edits, then by conditions and edits.
func (m *starMaker) ask(ctx context.Context, e *engine.Engine, sets []starSet, id string, way Way, o *ERQAOptions) ([]ERQARow, error) {
	var rows []ERQARow
	all := map[int]*starTally{}
	asked, total := 0, 0
	for _, s := range sets {
		total += len(s.stars)
	}
	for _, set := range sets {
		t := &starTally{}
		if all[set.edits] == nil {
			all[set.edits] = &starTally{}
		}
		for i := range set.stars {
			s := &set.stars[i]
			o.Progress(strings.TrimSpace(id+" by "+string(way)), int64(asked), int64(total))
			asked++
			began := time.Now()
			run, err := s.ask(ctx, e, way, engine.AskOptions{NoModel: true, Retriever: id})
			if err != nil {
				return rows, fmt.Errorf("ask %q: %w", s.Text, err)
			}
			took := time.Since(began)
			sure := o.Sure != nil && o.Sure(run)
			wrong := sure && len(run.Answers) > 0 && !m.holds(ctx, s.Pattern, run.Answers[0].Entity)
			for _, to := range []*starTally{t, all[set.edits]} {
				to.add(s, run, sure, wrong, took)
				to.row.Retriever = run.Method.ID
			}
			if o.Failed != nil && (len(run.Answers) == 0 || !slices.Contains(s.Answers, run.Answers[0].Entity)) {
				o.Failed(s.failure(m.g, run, way, sure, wrong))
			}
		}
		t.row.Way, t.row.Conditions, t.row.Edits = way, set.conditions, set.edits
		rows = append(rows, t.done())
	}
	for _, x := range o.Edits {
		all[x].row.Way, all[x].row.Edits = way, x
		rows = append(rows, all[x].done())
	}
	return rows, nil
}

func (s *Star) ask(ctx context.Context, e *engine.Engine, way Way, o engine.AskOptions) (*engine.Run, error) {
	if way == ByPattern {
		return e.FollowPattern(ctx, s.Text, s.Pattern, o, nil)
	}
	return e.Ask(ctx, s.Text, o, nil)
}

// shownAnswers is how many answers a failure names.
const shownAnswers = 3

func (s *Star) failure(g *kg.Graph, run *engine.Run, way Way, sure, wrong bool) ERQAFailure {
	f := ERQAFailure{Retriever: run.Method.ID, Way: way, Question: s.Text, Sure: sure, Wrong: wrong, Named: []string{}}
	for _, e := range s.Edits {
		f.Edits = append(f.Edits, e.String())
	}
	for _, e := range s.Answers {
		f.Answers = append(f.Answers, g.Label(e))
	}
	for _, a := range run.Answers[:min(len(run.Answers), shownAnswers)] {
		f.Named = append(f.Named, a.Label(g))
	}
	if p := run.Pattern(); p != nil {
		f.Reading = pattern.Format(p)
	}
	return f
}

// starTally sums up how questions were answered.
type starTally struct {
	row  ERQARow
	took []time.Duration
}

func (t *starTally) add(s *Star, run *engine.Run, sure, wrong bool, took time.Duration) {
	t.row.Questions++
	t.took = append(t.took, took)
	if s.Chance >= 0 {
		t.row.Chance += s.Chance
		t.row.Counted++
	}
	var named []kg.EntityID
	if run.Answer != nil && run.Answer.Refusal == nil {
		for _, a := range run.Answers {
			named = append(named, a.Entity)
		}
	}
	if len(named) == 0 {
		t.row.None++
		return
	}
	right := 0
	for _, a := range named {
		if slices.Contains(s.Answers, a) {
			right++
		}
	}
	for counter, counts := range map[*float64]bool{&t.row.Hits1: slices.Contains(s.Answers, named[0]), &t.row.Sure: sure, &t.row.SureWrong: wrong} {
		if counts {
			*counter++
		}
	}
	if right > 0 {
		p, r := float64(right)/float64(len(named)), float64(right)/float64(len(s.Answers))
		t.row.Precision += p
		t.row.Recall += r
		t.row.F1 += 2 * p * r / (p + r)
	}
}

// done divides the sums.
func (t *starTally) done() ERQARow {
	r := t.row
	n := float64(max(r.Questions, 1))
	for _, x := range []*float64{&r.Hits1, &r.Precision, &r.Recall, &r.F1, &r.None, &r.Sure, &r.SureWrong} {
		*x /= n
	}
	r.Chance /= float64(max(r.Counted, 1))
	r.Times = timesOf(t.took)
	return r
}
