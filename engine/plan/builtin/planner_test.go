package builtin_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/assets/sample"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/builtin"
)

func TestPlanIsDeterministic(t *testing.T) {
	_, p := newSamplePlanner()
	_, again := newSamplePlanner()
	for _, q := range sample.Questions() {
		a, err := p.Plan(t.Context(), q.Text, nil)
		if err != nil {
			t.Fatal(err)
		}
		b, err := again.Plan(t.Context(), q.Text, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(a, b); diff != "" {
			t.Errorf("Plan(%q) twice: (-first +second)\n%s", q.Text, diff)
		}
	}
}

func TestDoubts(t *testing.T) {
	_, p := newSamplePlanner()
	for _, test := range []struct {
		text   string
		want   plan.Doubt
		reason string
	}{
		{"", plan.NoMention, "name"},
		{"Who is Xyzzy Plugh?", plan.NoMention, "name"},
		{"首都はどこですか", plan.NoMention, "name"},
		{"Who composed the national anthem of Peru?", plan.NoRelation, "composed"},
		{"What is the capital of Georgia?", plan.Ambiguous, "2 entities"},
		{"What is the capital of Mongolia?", plan.Sure, ""},
	} {
		got, err := p.Plan(t.Context(), test.text, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got.Doubt != test.want || !strings.Contains(got.Reason, test.reason) || (got.Reason == "") != (got.Doubt == plan.Sure) {
			t.Errorf("Plan(%q): doubt %d, reason %q, want %d with %q", test.text, got.Doubt, got.Reason, test.want, test.reason)
		}
	}
}

func TestPlanStopsWhenCancelled(t *testing.T) {
	_, p := newSamplePlanner()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Plan(ctx, "What is the capital of Mongolia?", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Plan after cancel: %v, want %v", err, context.Canceled)
	}
}

func TestPlanReadsAnything(t *testing.T) {
	var empty kg.Builder
	var one kg.Builder
	one.Add("Kismet", "directed_by", "William Dieterle")
	lex := lexicon.Builtin()
	for name, g := range map[string]*kg.Graph{"empty": empty.Graph(), "one triple": one.Graph()} {
		p := builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{})
		for _, q := range []string{"", "?", "who directed Kismet", "the longest", "more than", "most", "more than 5", strings.Repeat("Kismet who ", 1000), "\xff\xfe"} {
			if _, err := p.Plan(t.Context(), q, nil); err != nil {
				t.Errorf("%s: Plan(%.20q): %v", name, q, err)
			}
		}
	}
}

func FuzzPlan(f *testing.F) {
	for _, q := range sample.Questions() {
		f.Add(q.Text)
	}
	f.Add("Ho hinjagh is Kilimanjaro") // a claim that two names are joined by any relation
	f.Add("o was awarded th\xc4\xc4\xc4\xc4e 1911 Nobel Prize in\xdeChemistr")
	g, p := newSamplePlanner()
	f.Fuzz(func(t *testing.T, s string) {
		got, err := p.Plan(t.Context(), s, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range got.Readings {
			for _, e := range r.Pattern.Edges {
				// An edge without words asks for any relation, one with words for those that it has.
				if e.From >= len(r.Pattern.Nodes) || e.To >= len(r.Pattern.Nodes) || (len(e.Fixed) == 0) != (e.Relation == "") {
					t.Fatalf("Plan(%q): edge %+v of %d nodes", s, e, len(r.Pattern.Nodes))
				}
			}
			if text := pattern.Format(r.Pattern); len(r.Pattern.Edges) > 0 {
				if _, err := pattern.ParseText(text); err != nil {
					t.Fatalf("Plan(%q): its pattern is shown as %s, which cannot be read: %v", s, text, err)
				}
			}
			for _, n := range r.Pattern.Nodes {
				if !n.Variable && (len(n.Entities) == 0 || int(n.Entities[0]) >= g.Entities()) {
					t.Fatalf("Plan(%q): known node %+v", s, n)
				}
			}
		}
	})
}
