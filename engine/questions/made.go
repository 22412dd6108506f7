package questions

import (
	"math/rand/v2"
	"slices"
	"strings"

	"cairn/engine/kg"
)

// FromGraph makes examples of questions that were made out of a graph, and parts
// them: held has about a share of them, by which what was learnt of the others is
// measured.
//
// A wording is a question's text without the names of its topics. No wording of a
// chain is on both sides: a question that only differs in its names would be
// answered from memory. A chain is held only where other wordings of it are
// trained on. Where that leaves nothing to hold, because every chain has one
// wording, questions are held at random.
//
// Questions that are there twice are taken once. The same seed gives the same.
func FromGraph(g *kg.Graph, made []Generated, share float64, seed uint64) (train, held []Example) {
	type group struct {
		chain string
		of    []Example
	}
	var groups []*group
	byWording := map[string]*group{}
	wordings := map[string]int{} // of a chain, that are trained on
	seen := map[string]bool{}
	all := 0
	for _, m := range made {
		topics := slices.Compact(slices.Sorted(slices.Values(m.Pattern.Named())))
		x := Example{
			Text: m.Text, Topics: topics, Spans: spansOf(g, m.Text, nil, topics),
			Answers: slices.Compact(slices.Sorted(slices.Values(m.Answers))), Legs: m.Legs, Made: true,
		}
		if len(x.Topics) == 0 || len(x.Answers) == 0 || seen[m.Chain+"\x00"+m.Text] {
			continue
		}
		seen[m.Chain+"\x00"+m.Text] = true
		key := m.Chain + "\x00" + withoutNames(x)
		if byWording[key] == nil {
			byWording[key] = &group{chain: m.Chain}
			groups = append(groups, byWording[key])
			wordings[m.Chain]++
		}
		byWording[key].of = append(byWording[key].of, x)
		all++
	}
	want := int(share*float64(all) + 0.5)
	rng := rand.New(rand.NewPCG(seed, seed))
	for _, i := range rng.Perm(len(groups)) {
		gr := groups[i]
		if wordings[gr.chain] > 1 && len(held)+len(gr.of) <= want {
			wordings[gr.chain]--
			held = append(held, gr.of...)
			gr.of = nil
		}
	}
	for _, gr := range groups {
		train = append(train, gr.of...)
	}
	if len(held) == 0 && want > 0 && len(train) > 1 {
		hold := make([]bool, len(train))
		for _, i := range rng.Perm(len(train))[:want] {
			hold[i] = true
		}
		both := train
		train = nil
		for i, x := range both {
			if hold[i] {
				held = append(held, x)
			} else {
				train = append(train, x)
			}
		}
	}
	return train, held
}

// withoutNames is the text of an example without the names of its topics.
func withoutNames(x Example) string {
	var b strings.Builder
	at := 0
	for _, s := range x.Spans {
		b.WriteString(x.Text[at:s.Start] + "…")
		at = s.End
	}
	return strings.ToLower(b.String() + x.Text[at:])
}
