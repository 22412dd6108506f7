package link_test

import (
	"strings"
	"testing"
	"time"

	"cairn/engine/lexicon"
	"cairn/engine/link"
)

// TestLongQuestionOnRealNames bounds what 10,000 characters cost on a graph
// whose names have nearly every word.
func TestLongQuestionOnRealNames(t *testing.T) {
	g := metaQA(t)
	l := link.NewLinker(g, nil, lexicon.Builtin())
	if err := l.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, question := range map[string]string{
		"plain":    strings.Repeat("who directed the films that share actors with Kismet ", 190),
		"misspelt": strings.Repeat("Stanly Kubrik and Tha Godfathr of Steven Speilberg ", 190),
		"small":    strings.Repeat("stanly kubrik godfathr of steven speilberg jon smyth ", 190),
	} {
		start := time.Now()
		mentions, err := l.Link(t.Context(), question)
		took := time.Since(start)
		if err != nil || len(mentions) == 0 {
			t.Errorf("%s: Link = %d mentions, %v", name, len(mentions), err)
		}
		t.Logf("%s: %d characters, %d mentions, %v", name, len(question), len(mentions), took)
		if took > 3*time.Second {
			t.Errorf("%s: Link took %v", name, took)
		}
	}
}
