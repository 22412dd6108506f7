package link_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/internal/testing/shared"
)

// asked is a question with the labels of the entities that it is about.
type asked struct {
	question string
	labels   []string
}

// TestNaturalQuestionsAreLinked asks how often the entities that questions and
// claims of people are about are among the mentions. An entity that the
// question does not name, or names only by knowledge of the world ("Shaq"),
// counts as missed, so that these rates have a ceiling below 1.
func TestNaturalQuestionsAreLinked(t *testing.T) {
	tests := []struct {
		name  string
		graph string
		asked func(t *testing.T) []asked
		least float64 // of the entities that the graph has
	}{
		{"WebQSP", "webqsp-cwq/freebase_subset.tsv", webQSP, 0.93},
		{"CWQ", "webqsp-cwq/freebase_subset.tsv", cwq, 0.91},
		{"FactKG", "factkg/dbpedia_subset.tsv", factKG, 0.94},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := tsvGraph(t, tt.graph)
			has := map[string]bool{}
			for e := range kg.EntityID(g.Entities()) {
				has[g.Label(e)] = true
			}
			l := link.NewLinker(g, nil, lexicon.Builtin())
			var all, first, found int
			for i, q := range tt.asked(t) {
				if i%4 != 0 { // a sample keeps the test quick
					continue
				}
				mentions, err := l.Link(t.Context(), q.question)
				if err != nil {
					t.Fatalf("Link(%q): %v", q.question, err)
				}
				for _, label := range q.labels {
					if !has[label] {
						continue
					}
					all++
					switch i := slices.IndexFunc(mentions, func(m link.Mention) bool { return means(g, m, label) }); {
					case i == 0:
						first++
						found++
					case i > 0:
						found++
					}
				}
			}
			t.Logf("%s: of %d entities %d are mentioned (%.1f %%), %d by the strongest mention", tt.name, all, found, 100*float64(found)/float64(all), first)
			if float64(found) < tt.least*float64(all) {
				t.Errorf("%s: %d of %d entities are mentioned, want at least %.0f %%", tt.name, found, all, 100*tt.least)
			}
		})
	}
}

// TestMisspeltTopicsAreLinked misspells the topics of MetaQA's 2-hop questions.
func TestMisspeltTopicsAreLinked(t *testing.T) {
	g := metaQA(t)
	l := link.NewLinker(g, nil, lexicon.Builtin())
	for _, tt := range []struct {
		edits int
		least float64
	}{{1, 0.96}, {2, 0.86}} {
		rng := rand.New(rand.NewPCG(7, uint64(tt.edits)))
		n, first := 0, 0
		for line := range lines(t, shared.Data(t, "metaqa/2-hop/qa_dev.txt")) {
			question, name := topic(line)
			if len(name) < 6 || rng.IntN(60) != 0 {
				continue
			}
			n++
			wrong := misspell(rng, name, tt.edits)
			mentions, err := l.Link(t.Context(), strings.Replace(question, name, wrong, 1))
			if err != nil {
				t.Fatalf("Link: %v", err)
			}
			if len(mentions) > 0 && means(g, mentions[0], name) {
				first++
			}
		}
		t.Logf("%d edits: the topic is the strongest mention in %d of %d questions", tt.edits, first, n)
		if float64(first) < tt.least*float64(n) {
			t.Errorf("%d edits: the topic is the strongest mention in %d of %d questions, want at least %.0f %%", tt.edits, first, n, 100*tt.least)
		}
	}
}

// means reports whether a mention has a candidate with the label, case aside.
func means(g *kg.Graph, m link.Mention, label string) bool {
	return slices.ContainsFunc(m.Candidates, func(c link.Candidate) bool {
		return lexicon.Fold(g.Label(c.Entity)) == lexicon.Fold(label)
	})
}

// misspell makes edits of one letter each.
func misspell(rng *rand.Rand, s string, edits int) string {
	rs := []rune(s)
	for range edits {
		i := rng.IntN(len(rs) - 1)
		c := 'a' + rune(rng.IntN(26))
		switch rng.IntN(4) {
		case 0:
			rs[i] = c
		case 1:
			rs = slices.Delete(rs, i, i+1)
		case 2:
			rs = slices.Insert(rs, i, c)
		case 3:
			rs[i], rs[i+1] = rs[i+1], rs[i]
		}
	}
	return string(rs)
}

func tsvGraph(t *testing.T, name string) *kg.Graph {
	t.Helper()
	var b kg.Builder
	for line := range lines(t, shared.Data(t, name)) {
		f := strings.Split(line, "\t")
		b.Add(f[0], f[1], f[2])
	}
	return b.Graph()
}

func webQSP(t *testing.T) []asked {
	t.Helper()
	var out []asked
	for q := range records[struct {
		Question string   `json:"question"`
		Topics   []string `json:"topic_entities"`
	}](t, "webqsp-cwq/webqsp_test.jsonl.gz") {
		out = append(out, asked{q.Question, q.Topics})
	}
	return out
}

func cwq(t *testing.T) []asked {
	t.Helper()
	var out []asked
	for q := range records[struct {
		Question string            `json:"question"`
		Topics   map[string]string `json:"topic_entity"`
	}](t, "webqsp-cwq/cwq_test.jsonl.gz") {
		a := asked{question: q.Question}
		for _, label := range q.Topics {
			a.labels = append(a.labels, label)
		}
		out = append(out, a)
	}
	return out
}

func factKG(t *testing.T) []asked {
	t.Helper()
	var out []asked
	for q := range records[struct {
		Claim    string   `json:"claim"`
		Entities []string `json:"entity_set"`
	}](t, "factkg/claims.jsonl") {
		out = append(out, asked{q.Claim, q.Entities})
	}
	return out
}

// records yields the JSON records of a file, one a line.
func records[T any](t *testing.T, name string) func(yield func(T) bool) {
	t.Helper()
	return func(yield func(T) bool) {
		f, err := os.Open(shared.Data(t, name))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = f.Close() }()
		s := bufio.NewScanner(f)
		if strings.HasSuffix(name, ".gz") {
			z, err := gzip.NewReader(f)
			if err != nil {
				t.Fatal(err)
			}
			s = bufio.NewScanner(z)
		}
		s.Buffer(nil, 1<<24)
		for s.Scan() {
			var record T
			if err := json.Unmarshal(s.Bytes(), &record); err != nil {
				t.Fatal(err)
			}
			if !yield(record) {
				return
			}
		}
	}
}

func BenchmarkLinkMisspelt(b *testing.B) {
	g := metaQA(b)
	l := link.NewLinker(g, nil, lexicon.Builtin())
	rng := rand.New(rand.NewPCG(7, 7))
	var questions []string
	for line := range lines(b, shared.Data(b, "metaqa/2-hop/qa_dev.txt")) {
		if q, name := topic(line); len(name) >= 6 {
			questions = append(questions, strings.Replace(q, name, misspell(rng, name, 1), 1))
		}
	}
	if _, err := l.Link(b.Context(), questions[0]); err != nil { // makes the word lists
		b.Fatal(err)
	}
	for i := 0; b.Loop(); i++ {
		if _, err := l.Link(b.Context(), questions[i%len(questions)]); err != nil {
			b.Fatal(err)
		}
	}
}
