package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"cairn/engine/evidence"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/exact"
	"cairn/engine/retrieve/gnnrag"
	"cairn/engine/retrieve/simgrag"
	"cairn/internal/testing/retrievetest"
)

// stuck is a method that never comes to an end by itself.
type stuck struct{ retrievetest.Neighbours }

func (stuck) Info() retrieve.Info {
	return retrieve.Info{ID: "stuck", Who: "the stuck one", Seeded: true}
}

func (s stuck) Open(context.Context, retrieve.World) (retrieve.Retriever, error) { return s, nil }

func (stuck) Retrieve(ctx context.Context, _ retrieve.Query) (f evidence.Found, _ error) {
	<-ctx.Done()
	return f, ctx.Err()
}

// TestCompare asks five methods the same: two that agree, one that finds more, one that
// is not trained, and one that never ends. What each said, and what all said together,
// stands beside what the others could not.
func TestCompare(t *testing.T) {
	ms := []retrieve.Method{simgrag.Method{}, exact.Method{}, retrievetest.Neighbours{}, gnnrag.Method{}, stuck{}}
	e, err := OnGraph(t.Context(), retrievetest.Graph(), Options{Methods: ms}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := e.Compare(t.Context(), "who directed Alien?", nil, AskOptions{MaxWallTime: 500 * time.Millisecond}, nil)
	if err != nil || len(c.Opinions) != len(ms) || c.Answered() != 3 {
		t.Fatalf("%+v, %v: want five opinions, three of them answers", c, err)
	}
	if err := c.Opinions[3].Err; !errors.Is(err, ErrUntrained) {
		t.Errorf("the one without a training: %v", err)
	}
	if err := c.Opinions[4].Err; !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the one that never ends: %v", err)
	}
	var said []string
	for _, a := range c.Answers {
		said = append(said, a.Label)
	}
	if first := c.Answers[0]; strings.Join(said, ", ") != "Ridley Scott, 1979" || !slices.Equal(first.By, []int{0, 1, 2}) || !slices.Equal(c.Answers[1].By, []int{2}) {
		t.Errorf("answers %q by %v and %v, want the director by all of them first", said, first.By, c.Answers[1].By)
	}
	if len(c.Evidence) != 2 || !slices.Equal(c.Evidence[0].By, []int{0, 1, 2}) || !slices.Equal(c.Evidence[1].By, []int{2}) {
		t.Errorf("evidence %+v, want two triples, the common one first", c.Evidence)
	}
	// Of three pairs one says the same, and two have one of two answers in common.
	if want := (1 + 0.5 + 0.5) / 3; c.Agreement != want {
		t.Errorf("agreement %g, want %g", c.Agreement, want)
	}
}

// TestPeers: what a baseline says takes part, and is not counted where two others are
// asked.
func TestPeers(t *testing.T) {
	base := func(b bool) Opinion { return Opinion{Method: retrieve.Info{Baseline: b}} }
	for _, tt := range []struct {
		asked []Opinion
		want  []int
	}{
		{[]Opinion{base(false), base(true), base(false)}, []int{0, 2}},
		{[]Opinion{base(false), base(true)}, []int{0, 1}},
		{[]Opinion{base(true), base(true)}, []int{0, 1}},
	} {
		if got := (&Comparison{Opinions: tt.asked}).Peers(); !slices.Equal(got, tt.want) {
			t.Errorf("of %+v %v are counted, want %v", tt.asked, got, tt.want)
		}
	}
}

// TestCompareNothing: what cannot be compared is said as an error.
func TestCompareNothing(t *testing.T) {
	e, err := OnGraph(t.Context(), retrievetest.Graph(), Options{Methods: []retrieve.Method{simgrag.Method{}, stuck{}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Compare(t.Context(), " ", nil, AskOptions{}, nil); !errors.Is(err, ErrNoQuestion) {
		t.Errorf("no question: %v", err)
	}
	if _, err := e.Compare(t.Context(), "who?", []string{"pattern", "none"}, AskOptions{}, nil); err == nil || !strings.Contains(err.Error(), "choose one of pattern, stuck") {
		t.Errorf("an unknown method: %v", err)
	}
	if _, err := e.Compare(t.Context(), "who?", []string{"pattern", "pattern"}, AskOptions{}, nil); err == nil {
		t.Error("a method twice: no error")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := e.Compare(ctx, "who directed Alien?", nil, AskOptions{}, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("cancelled: %v", err)
	}
	c, err := e.Compare(t.Context(), "who directed Nobody?", []string{"pattern"}, AskOptions{}, nil)
	if err != nil || c.Answered() != 0 || c.Agreement != -1 || len(c.Answers)+len(c.Evidence) != 0 {
		t.Errorf("no answer: %+v, %v", c, err)
	}
}
