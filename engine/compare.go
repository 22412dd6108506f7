package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"cairn/engine/kg"
	"cairn/engine/retrieve"
	"cairn/internal/guard"
	"cairn/internal/wording"
)

// patience is how many times the soft deadline of a retrieval a method may take in a
// comparison, all steps together, before the others' evidence stands alone.
const patience = 6

// Opinion is what one method said to a question that several were asked.
type Opinion struct {
	Method retrieve.Info
	// Run is the record of the question; nil where the method did not answer, and Err is
	// then why.
	Run      *Run
	Err      error
	Duration time.Duration
	barred   string // why its word counts for nothing beside the first one's; empty where it may count
}

// Shared is an answer, or a verdict, with the methods that gave it.
type Shared struct {
	Entity kg.EntityID // kg.NoEntity for a value or a verdict
	Label  string
	By     []int // indices into Comparison.Opinions, ascending
	place  int   // the best place that a method gave it, from 0
}

// FoundTriple is a triple of the evidence, with the methods that brought it.
type FoundTriple struct {
	Triple kg.TripleID
	By     []int // indices into Comparison.Opinions, ascending
}

// Comparison is one question, asked of several methods: their union with who found
// what (GNN-RAG §4.5).
type Comparison struct {
	Question string
	Opinions []Opinion // in the order in which the methods were named
	// Answers are all that any method gave: those that most gave first, then by their
	// best place.
	Answers []Shared
	// Evidence are the triples that any answer rests on, those that most found first.
	Evidence []FoundTriple
	// Agreement is the mean over all pairs of Peers that answered of what their answers
	// have in common (Jaccard), in [0, 1]; -1 where fewer than two answered.
	Agreement float64
}

// Compare asks methods the same question, each on a goroutine of its own. None of them,
// as ids, is all that can be asked. What fails or takes too long is left out of the
// comparison with its reason. It fails where the question is empty, a method unknown, or
// ctx cancelled.
func (e *Engine) Compare(ctx context.Context, question string, methods []string, o AskOptions, ev *Events) (c *Comparison, err error) {
	defer guard.Recover(e.opts.Logger, &err)
	if len(methods) == 0 {
		for _, m := range e.opts.Methods {
			methods = append(methods, m.Info().ID)
		}
	}
	c = &Comparison{Question: question}
	var asked []retrieve.Method
	for i, id := range methods {
		m, err := e.method(id)
		if err != nil {
			return nil, err
		}
		if slices.Contains(methods[:i], id) {
			return nil, fmt.Errorf("%s is named twice", id)
		}
		asked = append(asked, m)
	}
	// What all need is made once, and the progress of it is told once.
	if _, err := e.awaitReady(ctx, ev); err != nil {
		return nil, fmt.Errorf("prepare the graph for questions: %w", err)
	}
	c.Opinions = e.opinions(ctx, question, asked, o, patience)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(c.Opinions, func(op Opinion) bool { return errors.Is(op.Err, ErrNoQuestion) }); i >= 0 {
		return nil, ErrNoQuestion
	}
	c.join()
	return c, nil
}

// opinions asks each of the methods on a goroutine of its own, and leaves out those that
// take more than so many times the soft deadline.
func (e *Engine) opinions(ctx context.Context, question string, methods []retrieve.Method, o AskOptions, patience time.Duration) []Opinion {
	o.setDefaults()
	list := make([]Opinion, len(methods))
	var workers guard.Group
	for i, m := range methods {
		workers.Go(func() {
			op, start := &list[i], time.Now()
			limited, cancel := context.WithTimeout(ctx, patience*o.MaxWallTime)
			defer cancel()
			op.Method = m.Info()
			op.Run, op.Err = e.Ask(limited, question, o.by(m), nil)
			op.Duration = time.Since(start)
		})
	}
	workers.Wait()
	return list
}

func (o AskOptions) by(m retrieve.Method) AskOptions {
	o.Retriever = m.Info().ID
	return o
}

// join makes one body of what was said and of what it rests on.
func (c *Comparison) join() {
	answers, triples := map[saidKey]*Shared{}, map[kg.TripleID]*FoundTriple{}
	said := make([]map[saidKey]bool, len(c.Opinions))
	for i := range c.Opinions {
		op := &c.Opinions[i]
		items := op.Run.said()
		said[i] = map[saidKey]bool{}
		for place, it := range items {
			k := keyOf(it)
			if said[i][k] {
				continue
			}
			said[i][k] = true
			a := answers[k]
			if a == nil {
				a = &Shared{Entity: it.Entity, Label: it.Label, place: place}
				answers[k] = a
			}
			a.By, a.place = append(a.By, i), min(a.place, place)
		}
		if len(items) == 0 {
			continue
		}
		for _, t := range op.Run.Answer.Pack.Triples {
			f := triples[t]
			if f == nil {
				f = &FoundTriple{Triple: t}
				triples[t] = f
			}
			f.By = append(f.By, i)
		}
	}
	for _, a := range answers {
		c.Answers = append(c.Answers, *a)
	}
	slices.SortFunc(c.Answers, func(a, b Shared) int {
		return cmp.Or(cmp.Compare(len(b.By), len(a.By)), cmp.Compare(a.place, b.place), cmp.Compare(a.Entity, b.Entity), cmp.Compare(a.Label, b.Label))
	})
	for _, f := range triples {
		c.Evidence = append(c.Evidence, *f)
	}
	slices.SortFunc(c.Evidence, func(a, b FoundTriple) int {
		return cmp.Or(cmp.Compare(len(b.By), len(a.By)), cmp.Compare(a.Triple, b.Triple))
	})
	peers := wording.Each(c.Peers(), func(i int) map[saidKey]bool { return said[i] })
	c.Agreement = agreement(peers)
}

// agreement is the mean Jaccard index over the pairs of sets that are not empty; -1
// where there is no pair.
func agreement[K comparable](sets []map[K]bool) float64 {
	pairs, sum := 0, 0.0
	for i, a := range sets {
		for _, b := range sets[i+1:] {
			if len(a) == 0 || len(b) == 0 {
				continue
			}
			common := 0
			for k := range a {
				if b[k] {
					common++
				}
			}
			pairs++
			sum += float64(common) / float64(len(a)+len(b)-common)
		}
	}
	if pairs == 0 {
		return -1
	}
	return sum / float64(pairs)
}

// Peers are the opinions whose agreement says something, as indices: all but those of
// baselines, or simply all where fewer than two are left.
func (c *Comparison) Peers() []int {
	var all, peers []int
	for i := range c.Opinions {
		if all = append(all, i); !c.Opinions[i].Method.Baseline {
			peers = append(peers, i)
		}
	}
	if len(peers) < 2 {
		return all
	}
	return peers
}

// Answered counts the Peers that gave an answer or a verdict.
func (c *Comparison) Answered() (n int) {
	for _, i := range c.Peers() {
		if len(c.Opinions[i].Run.said()) > 0 {
			n++
		}
	}
	return n
}
