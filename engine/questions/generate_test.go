package questions_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"cairn/internal/testing/testkg"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/kg"
	"cairn/engine/plan"
)

func TestTeachKeepsOddNames(t *testing.T) {
	odd := []string{`Ocean's "Eleven"`, "[REC]", "Up!", "東京", "a|b", "What?", "50/50"}
	var b kg.Builder
	for i, name := range odd {
		b.Add(name, "directed_by", "Director "+strconv.Itoa(i))
	}
	text := ""
	for _, q := range maker(b.Graph()).Teach(t.Context(), 200, 1) {
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
		read, err := planner(g).Plan(t.Context(), q, nil)
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
		{"participle", "Ann Lee|born|1736", []string{"What is the date of birth of Ann Lee?"}},
		{"unit", "Rhine|length_km|1233", []string{"What is the length of Rhine?"}},
		{"yes or no", "Ann Lee|in milk|yes;Bess|in milk|yes", nil},
		{"no noun", "Ann Lee|licence since|1999", nil},
		{"possessive", "Orchard|ship's motto|Ever on", []string{"What is the ship's motto of Orchard?"}},
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
