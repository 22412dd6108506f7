package eval

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"cairn/engine"
	"cairn/engine/kg"
	"cairn/engine/questions"
	"cairn/engine/retrieve/learn"
	"cairn/engine/schema"
	"cairn/internal/testing/shared"
)

// TestTaughtChains says how often the chains that questions and their answers teach are those
// that the sets were made of: of the shortest that lead to the answers, and of those that the
// words of all questions agree on. It runs where CAIRN_EVAL is set:
//
//	CAIRN_EVAL=1 go test -run TestTaughtChains -v ./engine/lab/eval
func TestTaughtChains(t *testing.T) {
	if os.Getenv("CAIRN_EVAL") == "" {
		t.Skip("set CAIRN_EVAL to measure which chains are taught")
	}
	const each = 1000 // questions of a part of MetaQA
	root := shared.Data(t, ".")
	paths, films := pathQuestion(), metaQA()
	for _, set := range []struct {
		name   string
		of     *Dataset
		groups []Group
		least  float64 // per cent that agree
	}{
		{"PathQuestion 2-hop", paths, paths.Groups[:1], 99.5},
		{"PathQuestion 3-hop", paths, paths.Groups[1:], 98.5},
		{"MetaQA", films, films.Groups[:3], 97},
	} {
		sources := set.groups[0].KG
		if sources == nil {
			sources = set.of.KG
		}
		eng, _, err := open(t.Context(), filepath.Join(t.TempDir(), "taught.cairn"), root, sources, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		g := eng.Graph()
		gold, shortest, clues := taughtBy(t, root, g, set.groups, each)
		eng.Close()
		was, is := rightly(shortest, gold), rightly(learn.Agree(g, clues), gold)
		t.Logf("%s: %d questions; the first chain is the set's, one of those taught is, how many are taught: the shortest %s; agreed on %s", set.name, len(gold), was, is)
		if is.first < set.least {
			t.Errorf("%s: %v %% can be reached", set.name, set.least)
		}
	}
}

// taughtBy are the gold chains of questions, the shortest that lead to their answers, and clues.
func taughtBy(t *testing.T, root string, g *kg.Graph, groups []Group, each int) (gold [][]schema.Step, shortest [][][]schema.Step, clues []learn.Clue) {
	t.Helper()
	relations := map[string]kg.RelationID{}
	for r := range kg.RelationID(g.Relations()) {
		relations[g.RelationKey(r)] = r
	}
	var xs []questions.Example
	var of []Question
	ground := questions.NewGrounder(g)
	for _, group := range groups {
		qs, err := group.Load(root)
		if group.Train != nil {
			if qs, err = group.Train(root); err == nil {
				qs = sample(qs, each, 1)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range qs {
			x, _, err := ground.Ground(t.Context(), questions.Question{Text: q.Text, Topics: q.Topics, Answers: q.Gold})
			if err != nil {
				t.Fatal(err)
			}
			xs, of = append(xs, x), append(of, q)
		}
	}
	k := (&learn.Walkers{Graph: g, Returns: learn.Return(xs)}).Take()
	for i, x := range xs {
		chains := k.Chains(x.Topics, x.Answers, 3, learn.Selected)
		if len(chains) == 0 {
			continue
		}
		var chain []schema.Step
		for _, s := range of[i].Chains[0].Steps {
			step := schema.Forward(relations[s.Relation])
			if s.Inverse {
				step = step.Back()
			}
			chain = append(chain, step)
		}
		gold, shortest = append(gold, chain), append(shortest, chains)
		clues = append(clues, learn.ClueOf(x, k.Leads(x.Topics, x.Answers, 3)))
	}
	return gold, shortest, clues
}

// taughtRate says how often chains are gold.
type taughtRate struct{ first, some, each float64 }

func (r taughtRate) String() string {
	return fmt.Sprintf("%.1f %%, %.1f %%, %.2f", r.first, r.some, r.each)
}

func rightly(taught [][][]schema.Step, gold [][]schema.Step) (r taughtRate) {
	n := float64(len(gold))
	for i, chains := range taught {
		r.each += float64(len(chains)) / n
		switch at := slices.IndexFunc(chains, func(c []schema.Step) bool { return slices.Equal(c, gold[i]) }); {
		case at == 0:
			r.first += 100 / n
			fallthrough
		case at > 0:
			r.some += 100 / n
		}
	}
	return r
}
