package questions_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cairn/internal/testing/shared"
	"cairn/internal/testing/testkg"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/questions"
)

func TestTeach(t *testing.T) {
	g, m := newSampleMaker()
	qs := m.Teach(t.Context(), 600, 5)
	if len(qs) != 600 {
		t.Fatalf("Teach made %d questions, want 600", len(qs))
	}
	if diff := cmp.Diff(qs, m.Teach(t.Context(), 600, 5)); diff != "" {
		t.Errorf("Teach twice with one seed: (-first +second)\n%s", diff)
	}
	if cmp.Equal(qs, m.Teach(t.Context(), 600, 6)) {
		t.Error("Teach made the same questions with another seed")
	}
	hops := map[int]int{}
	for _, q := range qs {
		topics := q.Pattern.Named()
		if len(topics) > 1 {
			hops[0]++
		} else {
			hops[len(q.Pattern.Edges)]++
		}
		for _, e := range topics {
			if !strings.Contains(q.Text, g.Label(e)) {
				t.Errorf("%q does not name %q", q.Text, g.Label(e))
			}
		}
		if len(q.Answers) == 0 || len(topics) == 0 || slices.ContainsFunc(topics, func(e kg.EntityID) bool { return slices.Contains(q.Answers, e) }) || q.Chain == "" || strings.Contains(q.Text, "  ") || q.Pattern.Task != pattern.Find {
			t.Errorf("%+v is no question to learn from", q)
		}
		if got := testkg.Execute(g, q.Pattern); !sameSet(got, q.Answers) {
			t.Errorf("%q: its pattern has the answers %v, want %v", q.Text, got, q.Answers)
		}
	}
	for n, least := range map[int]int{0: 40, 1: 120, 2: 150, 3: 120} {
		if hops[n] < least {
			t.Errorf("%d questions of %d hops (0: two names), want at least %d", hops[n], n, least)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if qs := m.Teach(ctx, 100, 5); len(qs) > 0 {
		t.Errorf("Teach when cancelled made %d questions, want none", len(qs))
	}
	var empty kg.Builder
	if qs := maker(empty.Graph()).Teach(t.Context(), 10, 1); len(qs) > 0 {
		t.Errorf("Teach of an empty graph made %v, want none", qs)
	}
}

func sameSet(got, want []kg.EntityID) bool {
	got = slices.Clone(got)
	slices.Sort(got)
	return slices.Equal(got, want)
}

// cinemas has 600 films of 3 genres and 4 years, each with a director of two films.
func cinemas() *kg.Graph {
	var b kg.Builder
	for i := range 600 {
		film := fmt.Sprintf("The Film %d", i)
		b.Add(film, "directed_by", fmt.Sprintf("Director %d", i/2))
		b.Add(film, "written_by", fmt.Sprintf("Director %d", i*7%300))
		b.Add(film, "has_genre", []string{"Drama", "Comedy", "War"}[i%3])
		b.Add(film, "release_year", fmt.Sprint(1990+i%4))
	}
	return b.Graph()
}

// Nobody asks for what can only be reached through a crowd, or through a year.
func TestTeachGoesThroughNoCrowd(t *testing.T) {
	g := cinemas()
	chains := map[string]bool{}
	for _, q := range maker(g).Teach(t.Context(), 400, 1) {
		if len(q.Pattern.Named()) == 1 && len(q.Pattern.Edges) > 1 {
			chains[q.Chain] = true
			// Genres and years are asked for, at the end, and never gone on from.
			for i, e := range q.Pattern.Edges {
				crowd := e.Relation == "has genre" || e.Relation == "release year"
				if crowd && (e.To != q.Pattern.Asked || q.Pattern.Edges[i].From == q.Pattern.Asked) {
					t.Errorf("%q goes through %q", q.Text, e.Relation)
				}
			}
		}
	}
	if len(chains) < 10 {
		t.Errorf("%d chains of several hops, want 10 and more", len(chains))
	}
}

// Every relation is asked for in many ways, over one hop already.
func TestTeachWordsVary(t *testing.T) {
	g := cinemas()
	wordings := map[string]map[string]bool{}
	for _, q := range maker(g).Teach(t.Context(), 3000, 1) {
		if len(q.Pattern.Edges) != 1 {
			continue
		}
		if wordings[q.Chain] == nil {
			wordings[q.Chain] = map[string]bool{}
		}
		text := strings.ToLower(strings.Replace(q.Text, g.Label(q.Pattern.Named()[0]), "…", 1))
		wordings[q.Chain][strings.TrimSuffix(text, "?")] = true
	}
	if len(wordings) < 7 {
		t.Errorf("%d chains of one hop, want 7 and more", len(wordings))
	}
	all := map[string]bool{}
	for chain, ws := range wordings {
		if len(ws) < 20 {
			t.Errorf("chain %s has %d wordings, want 20 and more", chain, len(ws))
		}
		maps.Copy(all, ws)
	}
	for _, way := range []string{
		`^who .*(wrote|written|penned) (the )?(script|screenplay|story) (of|for) …`, `(has|have) (been )?(… )?(directed|written|penned)`,
		`^(classify|categorize) …`, `^(how|what) (do|would|did) (you|people|they) `,
	} {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(all)), regexp.MustCompile(way).MatchString) {
			t.Errorf("nothing is asked as %q", way)
		}
	}
}

// TestTeachCoversMetaQA: what the questions that people made for a graph of films
// ask for is among what is generated from it.
func TestTeachCoversMetaQA(t *testing.T) {
	var b kg.Builder
	for _, line := range readLines(t, "metaqa/kb.txt") {
		if f := strings.Split(line, "|"); len(f) == 3 {
			b.Add(f[0], f[1], f[2])
		}
	}
	g := b.Graph()
	var made []string
	for _, q := range maker(g).Teach(t.Context(), 2000, 1) {
		if len(q.Pattern.Named()) == 1 {
			made = append(made, stepsOf(q))
		}
	}
	relation := map[string]string{
		"actor": "starred actors", "director": "directed by", "writer": "written by", "year": "release year", "genre": "has genre",
		"language": "in language", "tags": "has tags", "tag": "has tags", "imdbrating": "has imdb rating", "imdbvotes": "has imdb votes",
	}
	missing := map[string]bool{}
	for _, hops := range []string{"1", "2", "3"} {
		for _, kind := range readLines(t, "metaqa/"+hops+"-hop/qa_dev_qtype.txt") {
			ends := strings.Split(kind, "_to_")
			steps := ""
			for i := range len(ends) - 1 {
				if ends[i+1] == "movie" {
					steps += " <" + relation[ends[i]]
				} else {
					steps += " >" + relation[ends[i+1]]
				}
			}
			if kind != "" && !slices.Contains(made, steps) {
				missing[kind] = true
			}
		}
	}
	if len(missing) > 0 {
		t.Errorf("no question is made of %v", missing)
	}
}

// stepsOf writes the chain of a question of one name: " <directed by >release year".
func stepsOf(q questions.Generated) string {
	at := slices.IndexFunc(q.Pattern.Nodes, func(n pattern.Node) bool { return !n.Variable })
	steps := ""
	for _, e := range q.Pattern.Edges {
		if e.From == at {
			steps += " >" + e.Relation
			at = e.To
		} else {
			steps += " <" + e.Relation
			at = e.From
		}
	}
	return steps
}

// readLines reads a file of the data sets.
func readLines(t *testing.T, file string) []string {
	t.Helper()
	data, err := os.ReadFile(shared.Data(t, file))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.ReplaceAll(string(data), "\r", ""), "\n")
}
