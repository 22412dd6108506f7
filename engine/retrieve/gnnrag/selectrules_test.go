package gnnrag

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/learn"
)

// TestSelectionRules prints what the rules of selection make of the same scores: of
// ReaRev, trained briefly and less briefly on 1,000 questions of MetaQA and of
// PathQuestion.
func TestSelectionRules(t *testing.T) {
	if os.Getenv("CAIRN_EVAL") == "" {
		t.Skip("trains for half a minute; set CAIRN_EVAL")
	}
	films, hops := metaQA(t)
	people := readGraph(t, "pathquestion/3H-kb.txt", "\t")
	asked := readExamples(t, people, "pathquestion/PQ-3H.txt", 1500)
	for _, set := range []struct {
		name       string
		g          *kg.Graph
		train, dev []questions.Example
		epochs     []int
	}{
		{"MetaQA 3-hop", films, readExamples(t, films, "metaqa/3-hop/qa_train.txt.gz", 1000), someOf(hops[3], 1000), []int{3, 8}},
		{"PathQuestion 3-hop", people, asked[:1000], asked[1000:], []int{6}},
	} {
		for _, epochs := range set.epochs {
			m, err := Train(t.Context(), retrieve.World{Graph: set.g}, set.train, someOf(set.dev, 200), Options{Kind: ReaRev, Epochs: epochs, Seed: 1}, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s, %d epochs\n%s", set.name, epochs, rulesTable(t, m, set.g, set.dev))
		}
	}
}

func rulesTable(t *testing.T, m *Model, g *kg.Graph, dev []questions.Example) string {
	t.Helper()
	r, err := m.on(t.Context(), retrieve.World{Graph: g})
	if err != nil {
		t.Fatal(err)
	}
	rules := []struct {
		name string
		selection
	}{
		{"mass 0.95, the paper's", selection{mass: 0.95}},
		{"mass 0.95, even 0.3", selection{mass: 0.95, even: 0.3}},
		{"mass 0.95, even 0.3, relative 0.1", selection{mass: 0.95, even: 0.3, relative: 0.1}},
		{"mass 0.95, even 0.3, relative 0.3", selection{mass: 0.95, even: 0.3, relative: 0.3}},
		{"mass 0.75, even 0.3, relative 0.1", selection{mass: 0.75, even: 0.3, relative: 0.1}},
		{"mass 0.99, even 0.3, relative 0.1", selection{mass: 0.99, even: 0.3, relative: 0.1}},
		{"relative 0.1", selection{relative: 0.1}},
		{"relative 0.3", selection{relative: 0.3}},
		{"relative 0.5", selection{relative: 0.5}},
	}
	measured := make([][]retrieve.Metrics, len(rules))
	answers := make([]int, len(rules))
	for _, q := range dev {
		x, scores := scoresOf(t, r, q)
		for i, rule := range rules {
			rule.nodes = len(scores)
			found := selectAnswers(scores, rule.selection)
			measured[i] = append(measured[i], learn.Score(entities(found), x.answers))
			answers[i] += len(found)
		}
	}
	var b strings.Builder
	for i, rule := range rules {
		m := learn.Mean(measured[i])
		fmt.Fprintf(&b, "%-34s H@1 %.2f Hit %.2f F1 %.2f, %.1f answers\n", rule.name, 100*m.H1, 100*m.Hit, 100*m.F1, float64(answers[i])/float64(len(dev)))
	}
	return b.String()
}

// scoresOf asks the first network of a retriever.
func scoresOf(t *testing.T, r *retriever, q questions.Example) (*example, []scored) {
	t.Helper()
	region, err := r.cutter.Cut(t.Context(), q.Topics)
	if err != nil {
		t.Fatal(err)
	}
	x := &example{seeds: q.Topics, answers: q.Answers}
	x.place(region)
	if x.words, err = r.members[0].enc.words(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	tape := r.members[0].tape()
	defer r.members[0].tapes.Put(tape)
	return x, r.members[0].net.scores(tape, x)
}
