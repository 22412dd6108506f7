package link_test

import (
	"bufio"
	"os"
	"slices"
	"strings"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/internal/testing/shared"
)

// metaQA reads the graph of MetaQA.
func metaQA(tb testing.TB) *kg.Graph {
	tb.Helper()
	var b kg.Builder
	for line := range lines(tb, shared.Data(tb, "metaqa/kb.txt")) {
		f := strings.SplitN(line, "|", 3)
		b.Add(f[0], f[1], f[2])
	}
	return b.Graph()
}

// lines yields the lines of a file.
func lines(tb testing.TB, path string) func(yield func(string) bool) {
	tb.Helper()
	return func(yield func(string) bool) {
		f, err := os.Open(path)
		if err != nil {
			tb.Fatal(err)
		}
		defer func() { _ = f.Close() }()
		for s := bufio.NewScanner(f); s.Scan(); {
			if !yield(s.Text()) {
				return
			}
		}
	}
}

// topic splits a question of MetaQA into its words and the bracketed topic.
func topic(line string) (question, name string) {
	question, _, _ = strings.Cut(line, "\t")
	_, rest, _ := strings.Cut(question, "[")
	name, _, _ = strings.Cut(rest, "]")
	return strings.NewReplacer("[", "", "]", "").Replace(question), name
}

// TestMetaQATopicsAreLinked strips the brackets of every fifth question of the
// dev sets and asks whether the strongest mention is the topic.
func TestMetaQATopicsAreLinked(t *testing.T) {
	g := metaQA(t)
	l := link.NewLinker(g, nil, lexicon.Builtin())
	for _, hops := range []string{"1-hop", "2-hop", "3-hop"} {
		var read, n, first, found int
		for line := range lines(t, shared.Data(t, "metaqa/"+hops+"/qa_dev.txt")) {
			if read++; read%5 != 0 { // a sample keeps the test quick
				continue
			}
			n++
			question, name := topic(line)
			mentions, err := l.Link(t.Context(), question)
			if err != nil {
				t.Fatalf("Link(%q): %v", question, err)
			}
			named := func(m link.Mention) bool {
				return slices.ContainsFunc(m.Candidates, func(c link.Candidate) bool { return g.Label(c.Entity) == name })
			}
			switch {
			case len(mentions) > 0 && named(mentions[0]):
				first++
				found++
			case slices.ContainsFunc(mentions, named):
				found++
				t.Logf("%s: %q is not the strongest of %q: %v", hops, name, question, mentions[0])
			default:
				t.Logf("%s: %q is not found in %q", hops, name, question)
			}
		}
		t.Logf("%s: the topic is the strongest mention in %d of %d questions, some mention in %d", hops, first, n, found)
		if least := n * 999 / 1000; first < least {
			t.Errorf("%s: the topic is the strongest mention in %d of %d questions, want at least %d", hops, first, n, least)
		}
	}
}

func BenchmarkNewLinker(b *testing.B) {
	g := metaQA(b)
	for b.Loop() {
		link.NewLinker(g, nil, lexicon.Builtin())
	}
}

func BenchmarkLink(b *testing.B) {
	g := metaQA(b)
	l := link.NewLinker(g, nil, lexicon.Builtin())
	var questions []string
	for line := range lines(b, shared.Data(b, "metaqa/2-hop/qa_dev.txt")) {
		q, _ := topic(line)
		questions = append(questions, q)
	}
	for i := 0; b.Loop(); i++ {
		if _, err := l.Link(b.Context(), questions[i%len(questions)]); err != nil {
			b.Fatal(err)
		}
	}
}
