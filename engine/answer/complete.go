package answer

import (
	"fmt"
	"slices"
	"strings"

	"cairn/engine/check"
	"cairn/engine/kg"
	"cairn/internal/wording"
)

// CheckSentences compares every unchecked sentence of an answer, notes apart, with
// the triples that it cites, without a model; see check.Checker. With nil names the
// graph is not searched.
//
// Where a model wrote sentences, the answer is then made whole again: see complete.
func CheckSentences(g *kg.Graph, a *Answer, names check.Names) {
	c := checker(g, a, names)
	checked := false
	for i := range a.Sentences {
		if s := &a.Sentences[i]; s.Check == check.Unchecked && !s.Note {
			s.Check, s.Reason = c.Sentence(s.Text, s.Citations)
			checked = true
		}
	}
	if checked {
		complete(a, c)
	}
}

func checker(g *kg.Graph, a *Answer, names check.Names) *check.Checker {
	return check.New(g, check.Evidence{
		Pack: a.Pack, Count: a.Count, Answers: wording.Each(a.Items, func(it Item) kg.EntityID { return it.Entity }),
		OfClaim: a.Verdict != NoVerdict, Refuted: a.Verdict == Refuted, Unproven: a.Verdict == NotFound || a.Verdict == Likely,
	}, names)
}

// complete makes an answer whole again once a model's sentences are checked. What
// Cairn found without the model stands, whatever the model says:
//
//   - where no sentence of the model is Covered, the direct sentences come first,
//     and the model's follow, marked as what they are;
//   - where the Covered ones leave out answers, a sentence lists those, with their
//     triples.
//
// Nothing that the model wrote is taken away.
func complete(a *Answer, c *check.Checker) {
	if a.Model == "" || len(a.Direct) == 0 {
		return
	}
	at := slices.IndexFunc(a.Sentences, func(s Sentence) bool { return s.Model && s.Check == check.Covered })
	if at < 0 {
		said := slices.DeleteFunc(slices.Clone(a.Direct), func(s Sentence) bool { return s.Note && !strings.HasPrefix(s.Text, andMore) })
		if slices.ContainsFunc(a.Sentences, func(s Sentence) bool { return s.Model }) {
			said = append(said, note(fmt.Sprintf("No sentence written by %s passed the check against the triples, so the answer above was made without it. It wrote:", a.Model)))
		}
		a.Sentences = append(said, a.Sentences...)
		return
	}
	if left := unmentioned(a, c); len(left) > 0 {
		names, cites := listed(left, len(left), func(i int) string { return left[i].Label })
		s := Sentence{Citations: cites, Check: check.Covered}
		s.Text = fmt.Sprintf("%s left out %d of %d answers: %s.", a.Model, len(left), len(a.Items), wording.List(names))
		// Before the notes, which are about the whole.
		end := len(a.Sentences)
		for end > 0 && a.Sentences[end-1].Note {
			end--
		}
		a.Sentences = slices.Insert(a.Sentences, end, s)
	}
}

// unmentioned lists the items that no covered sentence of the model names.
func unmentioned(a *Answer, c *check.Checker) []Item {
	said := map[kg.EntityID]bool{}
	for _, s := range a.Sentences {
		if s.Model && s.Check == check.Covered {
			for _, e := range c.Named(s.Text) {
				said[e] = true
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
