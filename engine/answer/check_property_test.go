package answer

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cairn/assets"
	"cairn/engine/evidence"
	"cairn/engine/internal/shared"
	"cairn/engine/kg"
)

// sampleWorld returns the built-in sample graph.
func sampleWorld(t testing.TB) *kg.Graph {
	t.Helper()
	r := csv.NewReader(strings.NewReader(string(assets.SampleWorld)))
	r.Comma, r.LazyQuotes = '\t', true
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatalf("read the sample: %v", err)
	}
	var b kg.Builder
	for _, row := range rows[1:] {
		switch row[1] {
		case "is a":
			b.AddType(b.Entity(row[0]), row[2])
		case "also known as":
		default:
			b.Add(row[0], row[1], row[2])
		}
	}
	return b.Graph()
}

var digits = regexp.MustCompile(`\d+`)

func TestCheckSentencesOnSampleGraph(t *testing.T) { rightAndWrong(t, sampleWorld(t), 600) }

func TestCheckSentencesOnMetaQA(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a large graph")
	}
	kb, err := os.ReadFile(shared.Data(t, "metaqa/kb.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var b kg.Builder
	for line := range strings.Lines(string(kb)) {
		if f := strings.Split(strings.TrimSpace(line), "|"); len(f) == 3 {
			b.Add(f[0], f[1], f[2])
		}
	}
	rightAndWrong(t, b.Graph(), 600)
}

// rightAndWrong says random triples rightly and wrongly, with two other triples
// as evidence beside them: what is right must nearly always be covered, and
// nothing wrong may be.
func rightAndWrong(t *testing.T, g *kg.Graph, rounds int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 7))
	var missed, wrong []string
	tried := 0
	for range rounds {
		var pack evidence.Pack
		for len(pack.Triples) < 3 {
			if id := kg.TripleID(rng.IntN(g.Triples())); !slices.Contains(pack.Triples, id) {
				pack.Triples = append(pack.Triples, id)
			}
		}
		check := func(text string, cites ...int) Sentence {
			a := &Answer{Pack: pack, Sentences: []Sentence{{Text: text, Citations: cites}}}
			CheckSentences(g, a, nil)
			return a.Sentences[0]
		}
		right := TripleText(g, pack.Triples[0]) + "."
		if s := check(right, 1); s.Check != Covered {
			missed = append(missed, fmt.Sprintf("%s (%v: %s)", right, s.Check, s.Reason))
		}
		both := strings.TrimSuffix(right, ".") + " and " + TripleText(g, pack.Triples[1]) + "."
		if s := check(both, 1, 2); s.Check != Covered {
			missed = append(missed, fmt.Sprintf("%s (%v: %s)", both, s.Check, s.Reason))
		}
		for kind, text := range fabrications(g, pack, right) {
			tried++
			if s := check(text, 1, 2, 3); s.Check == Covered {
				wrong = append(wrong, fmt.Sprintf("%s: %s (from %s)", kind, text, right))
			}
		}
		tried++
		if s := check(right, 2, 3); s.Check == Covered {
			wrong = append(wrong, "cites other triples: "+right)
		}
	}
	if len(wrong) > 0 {
		slices.Sort(wrong)
		t.Errorf("%d of %d fabrications pass as covered, such as\n%s", len(wrong), tried, strings.Join(wrong[:min(25, len(wrong))], "\n"))
	}
	if len(missed) > rounds/50 {
		slices.Sort(missed)
		t.Errorf("%d of %d true sentences are not covered, such as\n%s", len(missed), rounds, strings.Join(missed[:min(25, len(missed))], "\n"))
	}
	t.Logf("%d fabrications, none covered; %d of %d true sentences not covered", tried, len(missed), rounds)
}

// fabrications are false versions of a sentence about the first triple of the
// evidence.
func fabrications(g *kg.Graph, pack evidence.Pack, right string) map[string]string {
	t, other := g.Triple(pack.Triples[0]), g.Triple(pack.Triples[1])
	head, tail := Name(g, t.Head), Name(g, t.Tail)
	out := map[string]string{}
	// A name within the other cannot be replaced by text alone.
	if strings.Contains(head, tail) || strings.Contains(tail, head) || strings.Count(right, head) != 1 || strings.Count(right, tail) != 1 {
		return out
	}
	holds := func(h, e kg.EntityID) bool {
		_, ok := g.Find(kg.Triple{Head: h, Relation: t.Relation, Tail: e})
		return ok
	}
	for name, e := range map[string]kg.EntityID{"head of another": other.Head, "tail of another": other.Tail} {
		if Name(g, e) != head && Name(g, e) != tail && !holds(t.Head, e) && !holds(e, t.Head) {
			out[name] = strings.Replace(right, tail, Name(g, e), 1)
		}
	}
	if !holds(t.Tail, t.Head) {
		swapped := strings.Replace(strings.Replace(right, head, "\x00", 1), tail, head, 1)
		out["turned round"] = strings.Replace(swapped, "\x00", tail, 1)
	}
	second := TripleText(g, pack.Triples[1])
	if h2, t2 := Name(g, other.Head), Name(g, other.Tail); t2 != tail && !holds(t.Head, other.Tail) && strings.Count(second, t2) == 1 && !strings.Contains(h2, t2) && !strings.Contains(t2, h2) {
		out["tails swapped"] = strings.Replace(strings.TrimSuffix(right, "."), tail, t2, 1) + " and " + strings.Replace(second, t2, tail, 1) + "."
	}
	out["nowhere"] = strings.Replace(right, tail, "Zorgonia", 1)
	out["nowhere, lower case"] = strings.Replace(right, head, "zorgonia", 1)
	out["denied"] = "It is not true that " + right
	if digits.MatchString(tail) {
		out["another number"] = strings.Replace(right, tail, digits.ReplaceAllStringFunc(tail, func(d string) string { return d + "7" }), 1)
	}
	return out
}
