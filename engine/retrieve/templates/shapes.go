package templates

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"cairn/engine/lexicon"
	"cairn/internal/wording"
)

// shapes compares questions with the shapes of templates: cosine of the words and pairs of
// words that they have, by tf-idf. Words count as written and, for less, by their stems. A
// template that takes no account of a word of the question is less like it.
type shapes struct {
	rarity map[string]float64
	list   []shape
	// with has, for every feature, where shapes have it.
	with map[string][]posting
	// knows has the stems of a template's shapes and of the relations of its query.
	knows []map[string]bool
}

type shape struct {
	template int
	text     string
	features []feature
	norm     float64
	words    []string // stems, without little words
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
	for w := range strings.FieldsSeq(text) {
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
	return wording.Each(slices.Sorted(maps.Keys(out)), func(name string) feature { return feature{name, out[name]} })
}

func newShapes(templates []Template) *shapes {
	s := &shapes{rarity: map[string]float64{}, with: map[string][]posting{}}
	taken := map[string]bool{} // a shape that two templates have is the first one's
	for i, t := range templates {
		known := map[string]bool{}
		for _, a := range append(slices.Clone(t.Asks), t.query.TypesNamed()...) {
			for _, k := range lexicon.Tokenize(a) {
				known[lexicon.Stem(k.Lower)] = true
			}
		}
		s.knows = append(s.knows, known)
		for _, a := range t.Asks {
			if taken[a] {
				continue
			}
			taken[a] = true
			s.list = append(s.list, shape{template: i, text: a, features: featuresOf(a), words: wordsOf(a)})
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

const (
	// unreadCosts is what is left of a likeness for every word of the question that the
	// template takes no account of, and unsaidCosts for every word of the shape that the
	// question does not say.
	unreadCosts, unsaidCosts = 0.5, 0.8
	// weighed is how many shapes, the most like a question by their words, are weighed so.
	weighed = 400
)

// wordsOf lists the stems of a shape's words, but for little ones.
func wordsOf(text string) (stems []string) {
	for w := range strings.FieldsSeq(text) {
		if _, ok := slotOf(w); !ok && !lexicon.Builtin().IsStop(w) {
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
	all := make([]near, 0, len(dots))
	for i, d := range dots {
		all = append(all, near{s.list[i].template, i, min(1, d/(norm*s.list[i].norm))})
	}
	slices.SortFunc(all, near.compare)
	words := wordsOf(text)
	all = all[:min(len(all), weighed)]
	for i := range all {
		n := &all[i]
		for _, w := range words {
			if !s.knows[n.template][w] {
				n.likeness *= unreadCosts
			}
		}
		for _, w := range s.list[n.shape].words {
			if !slices.Contains(words, w) {
				n.likeness *= unsaidCosts
			}
		}
	}
	slices.SortFunc(all, near.compare)
	var out []near
	for _, n := range all {
		if len(out) < most && !slices.ContainsFunc(out, func(o near) bool { return o.template == n.template }) {
			out = append(out, n)
		}
	}
	return out
}

// compare puts what is more like a question first.
func (n near) compare(o near) int {
	return cmp.Or(cmp.Compare(o.likeness, n.likeness), cmp.Compare(n.shape, o.shape))
}
