package answer

import (
	"fmt"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/internal/wording"
)

// complete makes an answer whole again once a model's sentences are checked. What
// Cairn found without the model stands, whatever the model says:
//
//   - where no sentence of the model is Covered, the direct sentences come first,
//     and the model's follow, marked as what they are;
//   - where the Covered ones leave out answers, a sentence lists those, with their
//     triples.
//
// Nothing that the model wrote is taken away.
func complete(g *kg.Graph, a *Answer) {
	if a.Model == "" || len(a.Direct) == 0 {
		return
	}
	at := slices.IndexFunc(a.Sentences, func(s Sentence) bool { return s.Model && s.Check == Covered })
	if at < 0 {
		said := slices.DeleteFunc(slices.Clone(a.Direct), func(s Sentence) bool { return s.Note && !strings.HasPrefix(s.Text, andMore) })
		if slices.ContainsFunc(a.Sentences, func(s Sentence) bool { return s.Model }) {
			said = append(said, note(fmt.Sprintf("No sentence that %s wrote passed the check against the triples; the answer above was made without it. It wrote:", a.Model)))
		}
		a.Sentences = append(said, a.Sentences...)
		return
	}
	if left := unmentioned(g, a); len(left) > 0 {
		s := Sentence{Citations: []int{}, Check: Covered}
		var names []string
		for _, it := range left[:min(len(left), maxNames)] {
			names = append(names, marked(it.Label, it.Citations))
			for _, n := range it.Citations {
				if !slices.Contains(s.Citations, n) {
					s.Citations = append(s.Citations, n)
				}
			}
		}
		if more := len(left) - len(names); more > 0 {
			names = append(names, fmt.Sprintf("%d more", more))
		}
		s.Text = fmt.Sprintf("%s leaves out %d of %d answers: %s.", a.Model, len(left), len(a.Items), wording.List(names))
		// Before the notes, which are about the whole.
		end := len(a.Sentences)
		for end > 0 && a.Sentences[end-1].Note {
			end--
		}
		a.Sentences = slices.Insert(a.Sentences, end, s)
	}
}

// unmentioned lists the items that no covered sentence of the model names.
func unmentioned(g *kg.Graph, a *Answer) []Item {
	said := map[kg.EntityID]bool{}
	c := newChecker(g, a, nil)
	for _, s := range a.Sentences {
		if s.Model && s.Check == Covered {
			r := c.newReading(s.Text, nil, nil, c.packNames())
			r.scan()
			for _, it := range r.items {
				for _, es := range it.names {
					for _, e := range es {
						said[e] = true
					}
				}
			}
		}
	}
	var left []Item
	for _, it := range a.Items {
		if !said[it.Entity] {
			left = append(left, it)
		}
	}
	return left
}
