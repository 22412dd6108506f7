package learn_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/kg"
	"cairn/engine/questions"
	"cairn/engine/retrieve/learn"
	"cairn/internal/testing/retrievetest"
	"cairn/internal/testing/testkg"
)

func TestTokensHaveOneWordForEachName(t *testing.T) {
	g := testkg.Build("The Way Back|directed by|Peter Weir")
	for _, test := range []struct{ text, want string }{
		{"who directed [The Way Back]?", "who directed *"},
		{"[The Way Back]'s director", "* 's director"},
		{"films by [Peter Weir] like [The Way Back]", "films by * like *"},
		{"", "*"},
		{"?", "*"},
	} {
		tokens, span := learn.TokensOf(retrievetest.Asked(t, g, test.text))
		var got []string
		for i, x := range tokens {
			if span[i] >= 0 {
				x.Lower = "*"
			}
			got = append(got, x.Lower)
		}
		if s := strings.Join(got, " "); s != test.want {
			t.Errorf("learn.TokensOf(%q) = %q, want %q", test.text, s, test.want)
		}
	}
}

func TestNamesGoByTheirSpans(t *testing.T) {
	g := testkg.Build("Heat|directed by|Michael Mann", "Alien|directed by|Ridley Scott", "m1|directed by|Ridley Scott")
	m1 := retrievetest.Entity(t, g, "m1")
	for _, test := range []struct {
		name string
		q    questions.Example
		want []learn.Named
	}{
		{"two names", retrievetest.Asked(t, g, "is [Alien] like [Heat]"), []learn.Named{{0, []kg.EntityID{retrievetest.Entity(t, g, "Alien")}}, {1, []kg.EntityID{retrievetest.Entity(t, g, "Heat")}}}},
		{"one name of two", questions.Example{Text: "the heat", Topics: []kg.EntityID{m1, 0}, Spans: []questions.Span{{Start: 4, End: 8}}}, []learn.Named{{0, []kg.EntityID{m1, 0}}}},
		{"no names", questions.Example{Text: "x", Topics: []kg.EntityID{m1, 0}}, []learn.Named{{-1, []kg.EntityID{m1}}, {-1, []kg.EntityID{0}}}},
	} {
		if diff := cmp.Diff(test.want, learn.NamesOf(g, test.q)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", test.name, diff)
		}
	}
}

func TestVocabulary(t *testing.T) {
	g := testkg.Build("Heat|directed by|Michael Mann")
	v := learn.NewVocabulary([]questions.Example{retrievetest.Asked(t, g, "who made [Heat]"), retrievetest.Asked(t, g, "Who shot [Heat]")}, g)
	if diff := cmp.Diff([]string{"by", "directed", "who"}, v.Words); diff != "" {
		t.Errorf("words: (-want +got)\n%s", diff)
	}
	if !slices.Contains(v.Concepts, "director") {
		t.Errorf("concepts %v are without director", v.Concepts)
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var again learn.Vocabulary
	if err := json.Unmarshal(b, &again); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(*v, again); diff != "" {
		t.Errorf("saved and read: (-want +got)\n%s", diff)
	}
	known, unseen := v.Compare(testkg.Build("Heat|directed by|Michael Mann", "Heat|was shot in|Los Angeles"))
	if known != 1 || len(unseen) != 1 || unseen[0] != "was shot in" {
		t.Errorf("Compare = %d, %v, want 1, [was shot in]", known, unseen)
	}
}
