package link_test

import (
	"strings"
	"testing"
	"time"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/internal/testing/hostile"
)

func TestHostileNames(t *testing.T) {
	var b kg.Builder
	names := hostile.Names()
	for _, n := range names {
		b.Add(n.Text, n.Text, "Kismet")
	}
	g := b.Graph()
	l := link.NewLinker(g, nil, lexicon.Builtin())
	if err := l.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		for _, question := range []string{"who directed " + n.Text + "?", "“" + n.Text + "” or " + n.Text + "s", n.Text} {
			mentions, err := l.Link(t.Context(), question)
			if err != nil {
				t.Fatal(err)
			}
			checkMentions(t, question, mentions)
			l.Unlinked(question, mentions)
		}
		found, err := l.Lookup(t.Context(), n.Text, 3)
		if err != nil {
			t.Fatal(err)
		}
		if len(found) == 0 && len(lexicon.Tokenize(n.Text)) > 0 && !strings.Contains(n.Text, "://") {
			t.Errorf("%s: Lookup(%.60q) finds nothing, and it is a name", n.Why, n.Text)
		}
	}
}

// TestHugeNames looks names up in a graph that has a description of a megabyte: a
// question that repeats its words took a minute. Today it takes 1 to 3 s, and four
// times that under the race detector.
func TestHugeNames(t *testing.T) {
	for _, n := range hostile.Huge(1 << 20) {
		var b kg.Builder
		b.Add(n.Text, "describes", "Kismet")
		b.AddAlias(b.Entity("Kismet"), n.Text)
		began := time.Now()
		l := link.NewLinker(b.Graph(), nil, lexicon.Builtin())
		if err := l.Prepare(t.Context()); err != nil {
			t.Fatal(err)
		}
		question := "who directed " + n.Text[:900] + " Kismet?"
		mentions, err := l.Link(t.Context(), question)
		if err != nil {
			t.Fatal(err)
		}
		checkMentions(t, question, mentions)
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("%s: names and a question took %v", n.Why, took)
		}
	}
}

func FuzzName(f *testing.F) {
	for _, n := range hostile.Names() {
		f.Add(n.Text)
	}
	f.Fuzz(func(t *testing.T, name string) {
		var b kg.Builder
		b.Add(name, name, "Kismet "+name)
		l := link.NewLinker(b.Graph(), nil, nil)
		if err := l.Prepare(t.Context()); err != nil {
			t.Fatal(err)
		}
		question := "who " + strings.ToUpper(name) + " directed '" + name + "'?"
		mentions, err := l.Link(t.Context(), question)
		if err != nil {
			t.Fatal(err)
		}
		checkMentions(t, question, mentions)
	})
}

// checkMentions checks that mentions lie where they say.
func checkMentions(t *testing.T, question string, mentions []link.Mention) {
	t.Helper()
	for i, m := range mentions {
		if m.Start < 0 || m.End > len(question) || m.Start >= m.End || question[m.Start:m.End] != m.Text {
			t.Fatalf("mention %.100q is not at %d..%d of %.100q", m.Text, m.Start, m.End, question)
		}
		if len(m.Candidates) == 0 {
			t.Fatalf("mention %.100q has no candidates", m.Text)
		}
		if i > 0 && mentions[i-1].Strength < m.Strength {
			t.Fatalf("mention %.100q is stronger than the one before it", m.Text)
		}
	}
}
