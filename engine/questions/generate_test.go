package questions_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"cairn/internal/testing/testkg"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/plan"
)

func TestGenerate(t *testing.T) {
	g, m := newSampleMaker()
	qs := m.Generate(t.Context(), 200, 5)
	if len(qs) != 200 {
		t.Fatalf("Generate made %d questions, want 200", len(qs))
	}
	if diff := cmp.Diff(qs, m.Generate(t.Context(), 200, 5)); diff != "" {
		t.Errorf("Generate twice with one seed: (-first +second)\n%s", diff)
	}
	if cmp.Equal(qs, m.Generate(t.Context(), 200, 6)) {
		t.Error("Generate made the same questions with another seed")
	}
	forms, edges, names, counts := map[string]bool{}, map[int]bool{}, map[int]bool{}, 0
	for _, q := range qs {
		forms[q.Form] = true
		edges[len(q.Pattern.Edges)] = true
		known := 0
		for _, n := range q.Pattern.Nodes {
			if !n.Variable {
				known++
				if !strings.Contains(q.Text, g.Label(n.Entities[0])) {
					t.Errorf("%q does not name %q", q.Text, g.Label(n.Entities[0]))
				}
			}
		}
		names[known] = true
		if q.Pattern.Task == pattern.Count {
			counts++
		}
		if len(q.Answers) == 0 || strings.Contains(q.Text, "  ") {
			t.Errorf("%q has %d answers", q.Text, len(q.Answers))
		}
		if got := testkg.Execute(g, q.Pattern); !sameSet(got, q.Answers) {
			t.Errorf("%q: its pattern has the answers %v, want %v", q.Text, got, q.Answers)
		}
	}
	if len(forms) < 15 || len(edges) < 3 || len(names) < 2 || counts == 0 {
		t.Errorf("%d forms, %d numbers of edges, %d numbers of names, %d counts: too much alike", len(forms), len(edges), len(names), counts)
	}
}

func sameSet(got, want []kg.EntityID) bool {
	got = slices.Clone(got)
	slices.Sort(got)
	return slices.Equal(got, want)
}

// A relation with few triples is asked about as often as one with many.
func TestGenerateIsFairToChains(t *testing.T) {
	var b kg.Builder
	for i := range 1000 {
		b.Add("film "+strconv.Itoa(i), "genre", "genre "+strconv.Itoa(i%100))
	}
	for i := range 5 {
		b.Add("river "+strconv.Itoa(i), "length", "place "+strconv.Itoa(i))
	}
	seen := map[string]int{}
	for _, q := range maker(b.Graph()).Generate(t.Context(), 60, 1) {
		seen[q.Pattern.Edges[0].Relation]++
	}
	if seen["length"] < 10 || seen["genre"] < 10 {
		t.Errorf("first relations %v, want both often", seen)
	}
}

func TestGenerateKeepsOddNames(t *testing.T) {
	odd := []string{`Ocean's "Eleven"`, "[REC]", "Up!", "東京", "a|b", "What?", "50/50"}
	var b kg.Builder
	for i, name := range odd {
		b.Add(name, "directed_by", "Director "+strconv.Itoa(i))
	}
	text := ""
	for _, q := range maker(b.Graph()).Generate(t.Context(), 200, 1) {
		text += q.Text + "\n"
	}
	for _, name := range odd {
		if !strings.Contains(text, name) {
			t.Errorf("no question about %q", name)
		}
	}
}

func TestSuggest(t *testing.T) {
	g, m := newSampleMaker()
	got := m.Suggest(t.Context(), 8)
	if len(got) != 8 {
		t.Fatalf("Suggest made %d questions, want 8: %q", len(got), got)
	}
	if diff := cmp.Diff(got, m.Suggest(t.Context(), 8)); diff != "" {
		t.Errorf("Suggest twice: (-first +second)\n%s", diff)
	}
	hops := map[int]bool{}
	for i, q := range got {
		if slices.Contains(got[:i], q) || !strings.HasSuffix(q, "?") {
			t.Errorf("Suggest made %q", q)
		}
		read, err := planner(g).Plan(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if read.Doubt != plan.Sure {
			t.Errorf("%q is in doubt: %s", q, read.Reason)
			continue
		}
		hops[len(read.Readings[0].Pattern.Edges)] = true
		if n := len(testkg.Execute(g, read.Readings[0].Pattern)); n < 1 || n > 20 {
			t.Errorf("%q has %d answers, want 1 to 20", q, n)
		}
	}
	if len(hops) < 2 {
		t.Errorf("all suggestions %q have as many hops", got)
	}
}

// The suggestions of any graph are plain English, or there are none.
func TestSuggestWords(t *testing.T) {
	for _, test := range []struct {
		name    string
		triples string
		want    []string
	}{
		{"empty", "", nil},
		{"agent", "Kismet|directed_by|William Dieterle", []string{"Who is the director of Kismet?"}},
		{"link word", "Kismet|has_genre|Fantasy", []string{"What is the genre of Kismet?"}},
		{"member", "Peru|member_of|Andean Community", []string{"What is Peru a member of?"}},
		{"verb", "Aspirin|interacts_with|Warfarin", []string{"What does Aspirin interact with?"}},
		{"several", "Ann Lee|languages|Greek;Ann Lee|languages|Latin", []string{"What are the languages of Ann Lee?"}},
		{"place", "Ann Lee|place_of_birth|Salford", []string{"What is the place of birth of Ann Lee?"}},
		{"underscores", "ann_lee|place_of_birth|salford", []string{"What is the place of birth of ann lee?"}},
		{"unit", "Rhine|length_km|1233", []string{"What is the length of Rhine?"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var b kg.Builder
			for line := range strings.SplitSeq(test.triples, ";") {
				if f := strings.Split(line, "|"); len(f) == 3 {
					b.Add(f[0], f[1], f[2])
				}
			}
			got := maker(b.Graph()).Suggest(t.Context(), 8)
			for _, q := range test.want {
				if !slices.Contains(got, q) {
					t.Errorf("Suggest = %q, want %q among them", got, q)
				}
			}
			if test.want == nil && len(got) > 0 {
				t.Errorf("Suggest = %q, want none", got)
			}
		})
	}
}
