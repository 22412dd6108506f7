package templates

import (
	"maps"
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
	// with has, for every feature, where shapes have it.
	with map[string][]posting
	// knows has the stems of a template's shapes and of the relations of its query.
	knows []map[string]bool
}

// shape is one shape of a template.
type shape struct {
	template int
	text     string
	features []feature
	norm     float64
}

// posting says that a shape has a feature: s.list[shape].features[at].
type posting struct{ shape, at int }

// feature is a word or a pair of words, and how often it is there. Features are sorted, so
// that sums over them are the same each time.
type feature struct {
	name  string
	count float64
}

// stemWeight is what the stem of a word counts beside the word.
const stemWeight = 0.5

// featuresOf lists the features of a shape, with their weights before rarity.
func featuresOf(text string) []feature {
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
	fs := make([]feature, 0, len(out))
	for _, name := range slices.Sorted(maps.Keys(out)) {
		fs = append(fs, feature{name, out[name]})
	}
	return fs
}

func newShapes(templates []Template) *shapes {
	s := &shapes{rarity: map[string]float64{}, with: map[string][]posting{}}
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
		for at, f := range x.features {
			s.with[f.name] = append(s.with[f.name], posting{i, at})
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

// rarityOf is the rarity of a feature; that of one that no shape has is the highest.
func (s *shapes) rarityOf(f string) float64 {
	if r, ok := s.rarity[f]; ok {
		return r
	}
	return math.Log(1 + float64(len(s.list)))
}

func (s *shapes) normOf(features []feature) float64 {
	sum := 0.0
	for _, f := range features {
		w := f.count * s.rarityOf(f.name)
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
	for _, f := range features {
		r := s.rarity[f.name]
		for _, p := range s.with[f.name] {
			dots[p.shape] += f.count * r * r * s.list[p.shape].features[p.at].count
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
