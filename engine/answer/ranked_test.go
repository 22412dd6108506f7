package answer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cairn/engine/answer"
	"cairn/engine/check"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/plan"
	"cairn/internal/testing/golden"
)

// cinema is a world with two films of one name, a person who both wrote and
// directed one, and a film with many actors.
func cinema() *kg.Graph {
	var b kg.Builder
	l := []string{
		"Kismet#1944|directed by|William Dieterle", "Kismet#1955|directed by|Vincente Minnelli", "Kismet#1944|release year|1944",
		"Gigi|directed by|Vincente Minnelli", "Gigi|release year|1958", "Brigadoon|directed by|Vincente Minnelli",
		"Sabrina|directed by|Billy Wilder", "Sabrina|written by|Billy Wilder", "Sabrina|release year|1954", "Ace in the Hole|written by|Billy Wilder",
		"Atlantis|is a|myth",
	}
	for i := range 40 {
		l = append(l, fmt.Sprintf("Crowd|starred actors|Actor %d", i))
	}
	for _, line := range l {
		f := strings.Split(line, "|")
		b.Add(f[0], f[1], f[2])
	}
	b.SetLabel(b.Entity("Kismet#1944"), "Kismet")
	b.SetLabel(b.Entity("Kismet#1955"), "Kismet")
	return b.Graph()
}

// steps is a path through entities by key, over all triples of each hop.
func steps(t *testing.T, g *kg.Graph, keys ...string) evidence.Candidate {
	t.Helper()
	var entities []kg.EntityID
	var hops [][]kg.TripleID
	for _, key := range keys {
		e := entity(t, g, key)
		if n := len(entities); n > 0 {
			var hop []kg.TripleID
			for i := range g.Triples() {
				x := g.Triple(kg.TripleID(i))
				if from := entities[n-1]; x.Head == from && x.Tail == e || x.Head == e && x.Tail == from {
					hop = append(hop, kg.TripleID(i))
				}
			}
			if len(hop) == 0 {
				t.Fatalf("no triple joins %s to what is before it", key)
			}
			hops = append(hops, hop)
		}
		entities = append(entities, e)
	}
	return evidence.Path(entities, hops, "graph network")
}

func entity(t *testing.T, g *kg.Graph, key string) kg.EntityID {
	t.Helper()
	for e := range kg.EntityID(g.Entities()) {
		if g.Key(e) == key {
			return e
		}
	}
	t.Fatalf("no entity %s", key)
	return 0
}

func TestRankedInWords(t *testing.T) {
	g := cinema()
	seeds := func(keys ...string) *plan.Plan {
		p := &plan.Plan{}
		for _, key := range keys {
			p.Seeds = append(p.Seeds, entity(t, g, key))
		}
		return p
	}
	ranking := func(probabilities []float64, paths ...evidence.Candidate) evidence.Found {
		r := evidence.Found{By: "GNN-RAG (relation flow)", Candidates: paths}
		for _, p := range paths {
			if !slices.ContainsFunc(r.Answers, func(s evidence.Answer) bool { return s.Entity == p.End() }) {
				r.Answers = append(r.Answers, evidence.Answer{Entity: p.End(), Score: evidence.Score{Value: probabilities[len(r.Answers)], Scale: evidence.Probability}})
			}
		}
		r.Support(evidence.Candidate.End)
		return r
	}
	var crowd []evidence.Candidate
	var even []float64
	for i := range 40 {
		crowd = append(crowd, steps(t, g, "Crowd", fmt.Sprintf("Actor %d", i)))
		even = append(even, 0.02)
	}
	stale := ranking([]float64{0.93}, steps(t, g, "Gigi", "1958"))
	stale.Notes = []string{"The graph has changed since the retriever was trained."}
	astray := ranking([]float64{0.6}, steps(t, g, "Gigi", "1958"))
	astray.Answers = append(astray.Answers, evidence.Answer{Entity: entity(t, g, "Atlantis"), Score: evidence.Score{Value: 0.3, Scale: evidence.Probability}})
	lost := evidence.Found{Answers: astray.Answers[1:]}
	alone := seeds("Atlantis")
	unknown := &plan.Plan{Doubt: plan.NoMention, Unlinked: []string{"Xanadu"}}
	unusable := seeds("Gigi")
	unusable.Reason = "The weights are of another version of Cairn, so train the retriever again"
	var b strings.Builder
	for _, c := range []struct {
		question string
		plan     *plan.Plan
		ranking  evidence.Found
		whole    evidence.Completeness
	}{
		{"when was Gigi released?", seeds("Gigi"), ranking([]float64{0.97}, steps(t, g, "Gigi", "1958")), evidence.Exhaustive},
		{"who made Sabrina? (two relations on one hop)", seeds("Sabrina"), ranking([]float64{0.9999}, steps(t, g, "Sabrina", "Billy Wilder")), evidence.Exhaustive},
		{
			"films of Gigi's director (one name twice, two paths to one of them)", seeds("Gigi", "Kismet#1944"),
			ranking(
				[]float64{0.5, 0.3, 0.001}, steps(t, g, "Gigi", "Vincente Minnelli", "Kismet#1955"), steps(t, g, "Gigi", "Vincente Minnelli", "Brigadoon"),
				steps(t, g, "Kismet#1944", "1944"), steps(t, g, "Gigi", "Vincente Minnelli", "Kismet#1955"),
			), evidence.Exhaustive,
		},
		{"who made Kismet? (a name of two)", seeds("Kismet#1944", "Kismet#1955"), ranking([]float64{0.48, 0.47}, steps(t, g, "Kismet#1944", "William Dieterle"), steps(t, g, "Kismet#1955", "Vincente Minnelli")), evidence.Exhaustive},
		{"what did Minnelli make? (both films of the name)", seeds("Vincente Minnelli"), ranking([]float64{0.5, 0.4}, steps(t, g, "Vincente Minnelli", "Gigi"), steps(t, g, "Vincente Minnelli", "Kismet#1955")), evidence.Exhaustive},
		{"(both films named Kismet, over two hops)", seeds("Gigi"), ranking([]float64{0.5, 0.4}, steps(t, g, "Gigi", "Vincente Minnelli", "Kismet#1955"), steps(t, g, "1944", "Kismet#1944")), evidence.Exhaustive},
		{"who starred in Crowd? (wide, cut)", seeds("Crowd"), ranking(even, crowd...), evidence.CutByBudget},
		{"(answers without a path)", seeds("Gigi"), astray, evidence.Exhaustive},
		{"(one answer without a path)", &plan.Plan{}, lost, evidence.Exhaustive},
		{"(the graph has changed)", seeds("Gigi"), stale, evidence.TimedOut},
		{"who made Xanadu? (no entity named)", unknown, evidence.Found{}, evidence.Exhaustive},
		{"(no plan)", &plan.Plan{}, evidence.Found{Notes: stale.Notes}, evidence.Exhaustive},
		{"what is Atlantis? (nothing within reach)", alone, evidence.Found{}, evidence.Exhaustive},
		{"(nothing selected, weights not usable)", unusable, evidence.Found{Notes: stale.Notes}, evidence.Exhaustive},
	} {
		c.ranking.Completeness, c.ranking.Region = c.whole, evidence.Region{Entities: 9, Method: "3 hops"}
		if c.plan == alone {
			c.ranking.Region.Entities = 1
		}
		a := answer.Ranked(g, c.plan, -1, answer.Found{Found: c.ranking, Who: "the trained network"})
		b.WriteString(transcript(g, c.question, a))
		for i, it := range a.Items {
			if it.Probability != c.ranking.Answers[i].Score.Value || it.Distance != 1-it.Probability {
				t.Errorf("%s: item %+v, want the probability of %+v", c.question, it, c.ranking.Answers[i])
			}
		}
		if (a.Refusal != nil) != (len(c.ranking.Answers) == 0) || a.Count != len(c.ranking.Answers) {
			t.Errorf("%s: refusal %+v, %d answers of %d", c.question, a.Refusal, a.Count, len(c.ranking.Answers))
		}
		checkRanked(t, g, c.question, a)
	}
	golden.Compare(t, "testdata/ranked.txt", b.String())
}

// TestAnswersOfAChain: all answers of one reading have its probability, and share nothing.
func TestAnswersOfAChain(t *testing.T) {
	var b kg.Builder
	b.Add("Gigi", "written by", "Ann")
	b.Add("Gigi", "written by", "Bo")
	g := b.Graph()
	score := evidence.Score{Value: 0.06, Scale: evidence.Probability}
	f := evidence.Found{Answers: []evidence.Answer{{Entity: 1, Score: score}, {Entity: 2, Score: score}}}
	for _, reads := range []bool{false, true} {
		a := answer.Ranked(g, &plan.Plan{}, -1, answer.Found{Found: f, Who: "the reader", Reads: reads})
		shared := slices.ContainsFunc(a.Sentences, func(s answer.Sentence) bool { return strings.Contains(s.Text, "add up to at most 1") })
		if shared == reads {
			t.Errorf("it reads by itself: %v; the answers share a probability: %v", reads, shared)
		}
	}
}

// checkRanked holds the answer to the check that a model's sentences pass: what is
// no note must be covered by what it cites, and every citation must exist.
func checkRanked(t *testing.T, g *kg.Graph, question string, a *answer.Answer) {
	t.Helper()
	for i := range a.Sentences {
		s := &a.Sentences[i]
		for _, n := range s.Citations {
			if n < 1 || n > len(a.Pack.Triples) {
				t.Errorf("%s: %q cites T%d of %d", question, s.Text, n, len(a.Pack.Triples))
			}
		}
		if !s.Note && s.Check != check.Covered {
			t.Errorf("%s: %q is %v, want covered", question, s.Text, s.Check)
		}
		s.Check = check.Unchecked
	}
	answer.CheckSentences(g, a, nil)
	for _, s := range a.Sentences {
		if !s.Note && s.Check != check.Covered {
			t.Errorf("%s: the check takes %q for %v: %s", question, s.Text, s.Check, s.Reason)
		}
	}
}
