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
	"cairn/internal/wording"
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
	root := shared.Data(t, ".")
	paths, films, cup := pathQuestion(), metaQA(), worldCup()
	for _, set := range []struct {
		name   string
		of     *Dataset
		groups []Group
		each   int     // questions of a part
		least  float64 // per cent that agree
	}{
		{"PathQuestion 2-hop", paths, paths.Groups[:1], 1908, 99.5},
		{"PathQuestion 3-hop", paths, paths.Groups[1:], 5198, 98.5},
		{"PathQuestion 3-hop", paths, paths.Groups[1:], 100, 97.5},
		{"MetaQA", films, films.Groups[:3], 1000, 97},
		{"MetaQA", films, films.Groups[:3], 66, 96.5},
		{"WorldCup, where each relation has a twin", cup, cup.Groups[:1], 3241, 67.5},
		{"WorldCup, where each relation has a twin", cup, cup.Groups[:1], 100, 63},
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
		parts := taughtBy(t, root, g, set.groups, max(set.each, 1000))
		was, is := rightly(g, parts, set.each)
		eng.Close()
		t.Logf("%s, %d a part: the first chain is the set's, one of those taught is, how many are taught: the shortest %s; agreed on %s", set.name, set.each, was, is)
		if is.first < set.least {
			t.Errorf("%s: %v %% can be reached", set.name, set.least)
		}
	}
}

// taught is a question's gold chain, the shortest that lead to its answers, and its clue.
type taught struct {
	gold     []schema.Step
	shortest [][]schema.Step
	clue     learn.Clue
}

// taughtBy draws questions of each part.
func taughtBy(t *testing.T, root string, g *kg.Graph, groups []Group, each int) (parts [][]taught) {
	t.Helper()
	relations := map[string]kg.RelationID{}
	for r := range kg.RelationID(g.Relations()) {
		relations[g.RelationKey(r)] = r
	}
	ground := questions.NewGrounder(g)
	for _, group := range groups {
		load := group.Load
		if group.Train != nil {
			load = group.Train
		}
		qs, err := load(root)
		if err != nil {
			t.Fatal(err)
		}
		qs, _ = draw(qs, each, 0, 5)
		var xs []questions.Example
		for _, q := range qs {
			x, _, err := ground.Ground(t.Context(), questions.Question{Text: q.Text, Topics: q.Topics, Answers: q.Gold})
			if err != nil {
				t.Fatal(err)
			}
			xs = append(xs, x)
		}
		var part []taught
		k := (&learn.Walkers{Graph: g, Returns: learn.Return(xs)}).Take()
		for i, x := range xs {
			chains := k.Chains(x.Topics, x.Answers, 3, learn.Selected)
			if len(chains) == 0 {
				continue
			}
			gold := wording.Each(qs[i].Chains[0].Steps, func(s Step) schema.Step {
				step := schema.Forward(relations[s.Relation])
				if s.Inverse {
					return step.Back()
				}
				return step
			})
			part = append(part, taught{gold, chains, learn.ClueOf(x, k.Leads(x.Topics, x.Answers, 3))})
		}
		parts = append(parts, part)
	}
	return parts
}

// taughtRate says how often chains are gold.
type taughtRate struct{ first, some, each float64 }

func (r taughtRate) String() string {
	return fmt.Sprintf("%.1f %%, %.1f %%, %.2f", r.first, r.some, r.each)
}

// rightly takes so many questions of each part, up to eight times others, and returns how often
// the shortest chains are gold, and those that are agreed on.
func rightly(g *kg.Graph, parts [][]taught, each int) (shortest, agreed taughtRate) {
	draws := min(8, max(1, len(parts[0])/each))
	for d := range draws {
		var qs []taught
		for _, part := range parts {
			qs = append(qs, part[d*each:min(len(part), (d+1)*each)]...)
		}
		n := float64(len(qs) * draws)
		for i, chains := range learn.Agree(g, wording.Each(qs, func(q taught) learn.Clue { return q.clue })) {
			shortest.count(qs[i].shortest, qs[i].gold, n)
			agreed.count(chains, qs[i].gold, n)
		}
	}
	return shortest, agreed
}

// count takes account of one question of n.
func (r *taughtRate) count(chains [][]schema.Step, gold []schema.Step, n float64) {
	r.each += float64(len(chains)) / n
	switch at := slices.IndexFunc(chains, func(c []schema.Step) bool { return slices.Equal(c, gold) }); {
	case at == 0:
		r.first += 100 / n
		fallthrough
	case at > 0:
		r.some += 100 / n
	}
}
