package bench

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"cairn/engine"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan/builtin"
	"cairn/engine/questions"
	"cairn/internal/testing/testkg"

	"github.com/google/go-cmp/cmp"
)

func makerOf(t *testing.T, g *kg.Graph, seed uint64) *starMaker {
	t.Helper()
	lex := lexicon.Builtin()
	m, err := newStarMaker(t.Context(), builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{}), seed)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// dense is a small graph with many stars: films, each with several things that other
// films have too.
func dense() *kg.Graph {
	var b kg.Builder
	for f := range 60 {
		for k, r := range []string{"has_genre", "directed_by", "starred_actors", "in_language", "written_by", "filmed_in"} {
			b.Add(fmt.Sprintf("Film %c%c", 'A'+f/26, 'a'+f%26), r, fmt.Sprintf("%s %c", strings.ReplaceAll(r, "_", " "), 'A'+(f*(k+3)+k)%17))
		}
	}
	b.Add("Film Aa", "sequel_of", "Film Aa") // a loop
	return b.Graph()
}

func TestStars(t *testing.T) {
	for _, g := range []*kg.Graph{testkg.Sample(), dense()} {
		for _, conditions := range []int{4, 5, 6} {
			m := makerOf(t, g, 7)
			stars, err := m.Stars(t.Context(), conditions, 20)
			if err != nil {
				t.Fatal(err)
			}
			again, err := makerOf(t, g, 7).Stars(t.Context(), conditions, 20)
			if err != nil || cmp.Diff(stars, again) != "" {
				t.Errorf("%d conditions: twice: %v\n%s", conditions, err, cmp.Diff(stars, again))
			}
			for _, s := range stars {
				checkStar(t, g, s, conditions)
				checkEdits(t, m, s)
			}
		}
	}
}

// checkStar checks that exactly the answers meet every condition.
func checkStar(t *testing.T, g *kg.Graph, s Star, conditions int) {
	t.Helper()
	if len(s.Legs) != conditions || s.Conditions != conditions || len(s.Answers) == 0 {
		t.Errorf("%q: %d legs, %d answers", s.Text, len(s.Legs), len(s.Answers))
	}
	if want := testkg.Execute(g, s.Pattern); !slices.Equal(s.Answers, want) {
		t.Errorf("%q: answers %v, want %v", s.Text, s.Answers, want)
	}
	for _, l := range s.Legs {
		if !strings.Contains(s.Text, strings.ReplaceAll(g.Label(l.Entity), "_", " ")) && !strings.Contains(s.Text, g.Label(l.Entity)) {
			t.Errorf("%q does not name %q", s.Text, g.Label(l.Entity))
		}
	}
}

// checkEdits checks that as many conditions as were edited are gone, or not met.
func checkEdits(t *testing.T, m *starMaker, s Star) {
	t.Helper()
	for x := range 4 {
		e, ok := m.Edited(t.Context(), s, x)
		if !ok {
			continue
		}
		same := 0
		for _, l := range s.Legs {
			if slices.ContainsFunc(e.Legs, func(o questions.Leg) bool { return cmp.Equal(o, l) }) {
				same++
			}
		}
		dropped, added := 0, 0
		for _, edit := range e.Edits {
			if edit == Dropped {
				dropped++
			}
			if edit == Added {
				added++
			}
		}
		if len(e.Edits) != x || same != len(s.Legs)-x+added || len(e.Legs) != len(s.Legs)-dropped+added {
			t.Errorf("%d edits %v of %q: %q keeps %d conditions of %d", x, e.Edits, s.Text, e.Text, same, len(s.Legs))
		}
		if x > 0 && pattern.Canonical(e.Pattern) == pattern.Canonical(s.Pattern) {
			t.Errorf("%v of %q changes nothing", e.Edits, s.Text)
		}
		if !slices.Equal(e.Answers, s.Answers) || x > dropped && intersects(testkg.Execute(m.g, e.Pattern), s.Answers) {
			t.Errorf("%v of %q: %q is still met by %v", e.Edits, s.Text, e.Text, s.Answers)
		}
		if e.Chance < 0 || e.Chance > 1 {
			t.Errorf("%q: chance %v", e.Text, e.Chance)
		}
	}
}

func intersects(a, b []kg.EntityID) bool {
	return slices.ContainsFunc(a, func(e kg.EntityID) bool { return slices.Contains(b, e) })
}

func TestNoStars(t *testing.T) {
	lex := lexicon.Builtin()
	maker := func(ctx context.Context, lines ...string) (*starMaker, error) {
		g := testkg.Build(lines...)
		return newStarMaker(ctx, builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{}), 1)
	}
	for _, lines := range [][]string{nil, {"A|r|B"}, {"A|r|A"}} {
		if _, err := maker(t.Context(), lines...); !errors.Is(err, ErrNoStars) {
			t.Errorf("%v: %v, want ErrNoStars", lines, err)
		}
	}
	m, err := maker(t.Context(), "Ann|knows|Bob", "Ann|knows|Cid", "Ann|knows|Dan", "Ann|knows|Eve")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Stars(t.Context(), 4, 3); !errors.Is(err, ErrNoStars) || !strings.Contains(err.Error(), "second") {
		t.Errorf("one star: %v, want what is missing", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Stars(ctx, 4, 3); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestERQA measures an engine: by the pattern, what was not edited is answered wholly.
func TestERQA(t *testing.T) {
	e, err := engine.OnGraph(t.Context(), dense(), engine.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	o := ERQAOptions{Retrievers: []string{"exact"}, Conditions: []int{4}, Edits: []int{0, 1}, Questions: 8, Seed: 3, Sure: func(*engine.Run) bool { return true }}
	var failures []ERQAFailure
	o.Failed = func(f ERQAFailure) { failures = append(failures, f) }
	r, err := ERQA(t.Context(), e, "dense", o)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range r.Rows {
		whole := row.Way == ByPattern && row.Edits == 0
		if row.Questions == 0 || whole && (row.F1 != 1 || row.SureWrong != 0) || row.Hits1 > 1 {
			t.Errorf("%+v", row)
		}
	}
	missed := 0.
	for _, row := range r.Rows {
		if row.Conditions == 0 {
			missed += float64(row.Questions) * (1 - row.Hits1)
		}
	}
	if math.Abs(missed-float64(len(failures))) > 1e-6 {
		t.Errorf("%d failures are told, of %v", len(failures), missed)
	}
	var text, table bytes.Buffer
	if err := errors.Join(r.WriteText(&text), r.WriteCSV(&table), r.WriteJSON(&bytes.Buffer{})); err != nil || !strings.Contains(text.String(), "82.5") {
		t.Errorf("%v\n%s", err, text.String())
	}
	if rows, err := csv.NewReader(&table).ReadAll(); err != nil || len(rows) != 1+len(r.Rows) {
		t.Errorf("%d lines of CSV, %v; want %d", len(rows), err, 1+len(r.Rows))
	}
}
