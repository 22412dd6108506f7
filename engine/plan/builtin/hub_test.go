package builtin_test

import (
	"bufio"
	"compress/gzip"
	"os"
	"strings"
	"testing"
	"time"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/plan/builtin"
	"cairn/internal/testing/shared"
)

// TestHubs plans on FB15k-237: 310,116 triples, 237 relations, and entities
// with thousands of neighbours. It runs where CAIRN_EVAL is set.
func TestHubs(t *testing.T) {
	if os.Getenv("CAIRN_EVAL") == "" {
		t.Skip("reads a large graph; set CAIRN_EVAL")
	}
	var b kg.Builder
	for _, line := range readLines(t, "fb15k-237/entity2text.txt") {
		if id, name, ok := strings.Cut(line, "\t"); ok {
			b.SetLabel(b.Entity(id), name)
		}
	}
	f, err := os.Open(shared.Data(t, "fb15k-237/train.tsv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	zr, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for sc := bufio.NewScanner(zr); sc.Scan(); {
		if f := strings.Split(sc.Text(), "\t"); len(f) == 3 {
			b.Add(f[0], f[1], f[2])
		}
	}
	g, lex := b.Graph(), lexicon.Builtin()
	start := time.Now()
	p := builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{})
	t.Logf("planner made in %v", time.Since(start))
	for _, q := range []string{
		"Which films did Steven Spielberg direct?",
		"Who was born in New York City?",
		"Which people from the United States of America won an Academy Award and were born in New York City?",
		"Which languages are spoken in the countries that border Germany?",
		"Which event involved both Denmark and the United Kingdom as participating countries?",
		"Where did the director of Titanic study?",
	} {
		start := time.Now()
		got, err := p.Plan(t.Context(), q, nil)
		if err != nil {
			t.Fatal(err)
		}
		text := got.Reason
		if len(got.Readings) > 0 {
			text = got.Readings[0].Text
		}
		t.Logf("%v  %s → %s", time.Since(start).Round(time.Millisecond), q, text)
	}
}
