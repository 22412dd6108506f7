package templates

import (
	"math"
	"slices"
	"strings"

	"cairn/engine/lexicon"
)

// shapes compares questions with the shapes of templates: cosine of the words and pairs of
// words that they have, by tf-idf. Words count as written and, for less, by their stems. A
// template that takes no account of a word of the question is as much less like it as the
// word is rare.
type shapes struct {
	rarity map[string]float64
	list   []shape
	// with has, for every feature, the shapes that have it.
	with map[string][]int
	// knows has the stems of a template's shapes and of the relations of its query.
	knows []map[string]bool
}

// shape is one shape of a template.
type shape struct {
	template int
	text     string
	features map[string]float64
	norm     float64
}

// stemWeight is what the stem of a word counts beside the word.
const stemWeight = 0.5

// featuresOf lists the features of a shape, with their weights before rarity.
func featuresOf(text string) map[string]float64 {
	out := map[string]float64{}
	before := "^"
	for _, w := range strings.Fields(text) {
		if _, ok := slotOf(w); ok {
			w = "{}"
		}
		out[w]++
		if stem := lexicon.Stem(w); w != "{}" {
			out["~"+stem] += stemWeight
		}
		out[before+" "+w]++
		before = w
	}
	out[before+" $"]++
	return out
}

func newShapes(templates []Template) *shapes {
	s := &shapes{rarity: map[string]float64{}, with: map[string][]int{}}
	for i, t := range templates {
		known := map[string]bool{}
		for _, a := range append(t.Asks, t.query.TypesNamed()...) {
			for _, w := range lexicon.Stems(a) {
				known[w] = true
			}
		}
		s.knows = append(s.knows, known)
		for _, a := range t.Asks {
			s.list = append(s.list, shape{template: i, text: a, features: featuresOf(a)})
		}
	}
	for i, x := range s.list {
		for f := range x.features {
			s.with[f] = append(s.with[f], i)
		}
	}
	for f, in := range s.with {
		s.rarity[f] = math.Log(1 + float64(len(s.list))/float64(len(in)))
	}
	for i := range s.list {
		s.list[i].norm = s.normOf(s.list[i].features)
	}
	return s
}

// unseen is the rarity of a feature that no shape has.
func (s *shapes) rarityOf(f string) float64 {
	if r, ok := s.rarity[f]; ok {
		return r
	}
	return math.Log(1 + float64(len(s.list)))
}

func (s *shapes) normOf(features map[string]float64) float64 {
	sum := 0.0
	for f, n := range features {
		w := n * s.rarityOf(f)
		sum += w * w
	}
	return math.Sqrt(sum)
}

// wordsOf lists the stems of a shape's words.
func wordsOf(text string) (stems []string) {
	for _, w := range strings.Fields(text) {
		if _, ok := slotOf(w); !ok {
			stems = append(stems, lexicon.Stem(w))
		}
	}
	return stems
}

// near is a template with the shape of it that is most like a question.
type near struct {
	template int
	shape    int
	likeness float64 // of 1
}

// nearest returns the templates whose shapes are most like a question's, best first.
func (s *shapes) nearest(text string, most int) []near {
	features := featuresOf(text)
	norm := s.normOf(features)
	dots := map[int]float64{}
	for f, n := range features {
		r := s.rarity[f]
		for _, i := range s.with[f] {
			dots[i] += n * r * r * s.list[i].features[f]
		}
	}
	best := map[int]near{}
	for i, d := range dots {
		x := &s.list[i]
		n := near{x.template, i, min(1, d/(norm*x.norm))}
		if b, ok := best[x.template]; !ok || n.likeness > b.likeness || n.likeness == b.likeness && i < b.shape {
			best[x.template] = n
		}
	}
	out := make([]near, 0, len(best))
	words := wordsOf(text)
	all := 0.0
	for _, w := range words {
		all += s.rarityOf("~" + w)
	}
	for _, n := range best {
		for _, w := range words {
			if !s.knows[n.template][w] {
				n.likeness -= n.likeness * s.rarityOf("~"+w) / all
			}
		}
		n.likeness = max(n.likeness, 0)
		out = append(out, n)
	}
	slices.SortFunc(out, func(a, b near) int {
		switch {
		case a.likeness > b.likeness:
			return -1
		case a.likeness < b.likeness:
			return 1
		}
		return a.shape - b.shape
	})
	return out[:min(len(out), most)]
}
