package retrievetest

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/match"
	"cairn/engine/plan"
	"cairn/engine/retrieve"
)

// read has a question read, which has no readings yet.
func (c contract) read(t *testing.T, q retrieve.Query) []plan.Reading {
	t.Helper()
	q.Readings = nil
	rs, err := c.reader.Read(t.Context(), q)
	if err != nil {
		t.Fatalf("Read(%q): %v", q.Question, err)
	}
	return rs
}

// readings holds a Reader to what is said of it.
func (c contract) readings(t *testing.T) {
	read := 0
	for _, q := range c.queries(t) {
		read += len(q.Readings)
		sum, last := 0., 1.
		for i, r := range q.Readings {
			c.reading(t, q, r)
			if r.Score < 0 || r.Score > last+1e-9 {
				t.Errorf("%s: reading %d has probability %g after one of %g", q.Question, i, r.Score, last)
			}
			sum, last = sum+r.Score, r.Score
			chosen := q // another reading than the likeliest is followed
			chosen.Readings = slices.Concat(q.Readings[i:i+1], q.Readings[:i], q.Readings[i+1:])
			for _, x := range c.ask(t, chosen).Candidates {
				c.real(t, q, x)
			}
		}
		if sum > 1+1e-6 {
			t.Errorf("%s: the probabilities of its readings add up to %g", q.Question, sum)
		}
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				again := q
				again.Readings = nil
				rs, err := c.reader.Read(t.Context(), again)
				if diff := cmp.Diff(q.Readings, rs); diff != "" || err != nil {
					t.Errorf("%s: read again: %v (-want +got):\n%s", q.Question, err, diff)
				}
			})
		}
		all.Wait()
		bare := q
		bare.Readings = nil
		if diff := cmp.Diff(c.ask(t, q), c.ask(t, bare), apartFromTime); diff != "" {
			t.Errorf("%s: asked without readings, it does not follow the likeliest (-want +got):\n%s", q.Question, diff)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := c.reader.Read(ctx, bare); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: Read with a cancelled context = %v", q.Question, err)
		}
	}
	if read == 0 {
		t.Error("no question has a reading")
	}
	if rs := c.read(t, retrieve.Query{Question: "who is that?"}); len(rs) > 0 {
		t.Errorf("a question that names nothing is read as %+v", rs)
	}
}

// reading checks that a reading is a pattern about what the question names that leaves
// nothing open, in words, with where its probability comes from.
func (c contract) reading(t *testing.T, q retrieve.Query, r plan.Reading) {
	t.Helper()
	p := r.Pattern
	if p == nil || r.Text == "" {
		t.Fatalf("%s: a reading without a pattern, or without words: %+v", q.Question, r)
	}
	if _, err := match.Compile(c.graph, p); err != nil || !p.IsFixed() || p.Asked < 0 || !p.Nodes[p.Asked].Variable {
		t.Errorf("%s: the pattern of “%s” cannot be evaluated: %v, %+v", q.Question, r.Text, err, p)
	}
	named := p.Named()
	if len(named) == 0 || slices.ContainsFunc(named, func(e kg.EntityID) bool { return !slices.Contains(q.Seeds, e) }) {
		t.Errorf("%s: the pattern of “%s” begins at %v, and the question names %v", q.Question, r.Text, named, q.Seeds)
	}
	if x := r.Explanation; x.Message == "" || math.Abs(x.Value-r.Score) > 1e-9 || len(x.Children) == 0 {
		t.Errorf("%s: the probability %g of “%s” is explained as %+v", q.Question, r.Score, r.Text, x)
	}
	for _, step := range r.Explanation.Children {
		for _, x := range slices.Concat([]evidence.Explanation{step}, step.Children) {
			if x.Message == "" || x.Value < 0 || x.Value > 1+1e-9 {
				t.Errorf("%s: a step of “%s” is explained as %+v", q.Question, r.Text, x)
			}
		}
	}
}
