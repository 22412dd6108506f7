package link

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/engine/embed"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/vec"
)

// Calibration brings the distances of an embedder to those of the built-in one.
// The zero value changes nothing, and is the built-in embedder's own.
//
// Every limit of this program ("a name may be 0.5 away, a relation 0.9"), and
// every distance that is added up with one (0.3 for an edit), was set for the
// built-in embedder. Another embedder's distances mean something else: with
// some, no two texts are further apart than 0.8. So its distances are measured
// on pairs of texts of which it is known whether they mean the same, and drawn
// to where the built-in embedder has the same share of the same pairs:
//
//	names    alike: a label of this graph and the same with an error in it;
//	         unlike: that and the other labels
//	phrases  alike: two relation names of one concept of the lexicon;
//	         unlike: relation names of different concepts
//
// A distance of 0.8 then means with any embedder: half of the misspelt names,
// and half of the relation names that mean the same, are nearer. Where an
// embedder does not keep alike and unlike apart, the unlike decide: a distance
// is never drawn nearer than in proportion to the nearest hundredth of them.
//
// Measured on MetaQA with a model that embeds pairs of letters: of 400 titles
// with two letters swapped and the 400 right ones, 3.7 % of the wrong pairs were
// within the limit of 1.0 as they were, and 0.01 % are now, as with the built-in
// embedder, whose own calibration moves none of its limits by more than 0.02.
type Calibration struct {
	Names   Scale `json:"names"`   // of entities
	Phrases Scale `json:"phrases"` // of relations and types
	Labels  int   `json:"labels"`  // how many labels of the graph were measured
}

// Scale maps distances to those of the built-in embedder, linearly between its
// knots. A Scale without knots changes nothing.
type Scale []Knot

// Knot is one point of a Scale.
type Knot struct {
	From float64 `json:"from"` // the embedder's distance
	To   float64 `json:"to"`   // the built-in embedder's
}

// Fits reports whether c can be used for g: it is sound, and g has not so many
// more labels than when it was measured that it would be measured better now.
func (c Calibration) Fits(g *kg.Graph) bool {
	labels, _ := sampleOf(g)
	return c.Sound() && c.Labels*2 >= len(labels)
}

// Sound reports whether distances are larger on both scales where the
// embedder's are, so that what was kept of a Calibration can be used.
func (c Calibration) Sound() bool {
	for _, s := range []Scale{c.Names, c.Phrases} {
		last := Knot{}
		for _, k := range s {
			if !(k.From > last.From && k.To > last.To) { // also where one is not a number
				return false
			}
			last = k
		}
	}
	return true
}

// Of returns the built-in embedder's distance for one of the embedder; larger
// for larger.
func (s Scale) Of(distance float64) float64 {
	if len(s) == 0 {
		return distance
	}
	from := Knot{}
	for _, k := range s {
		if distance <= k.From {
			return from.To + (distance-from.From)*(k.To-from.To)/(k.From-from.From)
		}
		from = k
	}
	return from.To + distance - from.From
}

// The quantiles at which pairs are compared, and the built-in embedder's
// distances there: on 200 labels of MetaQA (43,234 of them learnt) it has 0.55,
// 0.80, 1.03, 1.28 and 1.40, on the phrases 0.45, 0.81, 1.01, 1.25 and 1.41.
var (
	alikeKnots  = []quantile{{0.1, 0.5}, {0.5, 0.8}, {0.9, 1.02}}
	unlikeKnots = []quantile{{0.01, 1.26}, {0.5, 1.4}}
)

// quantile is a share of pairs and the built-in embedder's distance that this
// share is nearer than.
type quantile struct{ share, builtin float64 }

const (
	// sampleNames is how many labels are looked at, and fewestNames how few are
	// too few to tell: then the phrases' scale serves names too.
	sampleNames, fewestNames = 200, 24
	// minName and maxName are how many characters a label of the sample has: an
	// error in a shorter one makes another name of it, a longer one is no name.
	minName, maxName = 4, 60
	// sampleSeed seeds the choice of labels and of the errors in them.
	sampleSeed = 43
)

// Calibrate measures an embedder on a graph's labels and on the built-in
// lexicon. It embeds some 350 texts of each kind and returns the same for the
// same graph and embedder.
func Calibrate(ctx context.Context, g *kg.Graph, emb embed.Embedder) (Calibration, error) {
	names, misspelt := sampleOf(g)
	c := Calibration{Labels: len(names)}
	var err error
	if c.Phrases, err = measure(ctx, emb, samePhrases()); err != nil {
		return Calibration{}, fmt.Errorf("compare relation names: %w", err)
	}
	if len(names) < fewestNames {
		c.Names = c.Phrases
		return c, nil
	}
	if c.Names, err = measure(ctx, emb, pairs{names, misspelt}); err != nil {
		return Calibration{}, fmt.Errorf("compare names: %w", err)
	}
	return c, nil
}

// pairs are texts that mean the same, in order: asked[i] and named[i].
type pairs struct{ named, asked []string }

// samePhrases returns the first and the last relation name of every concept.
func samePhrases() pairs {
	var p pairs
	for _, c := range lexicon.Builtin().Concepts {
		var names []string
		for _, r := range c.Relation {
			if !r.Gap && !r.Weak {
				names = append(names, r.Text)
			}
		}
		if len(names) > 1 {
			p.named = append(p.named, names[0])
			p.asked = append(p.asked, names[len(names)-1])
		}
	}
	return p
}

// sampleOf returns labels of g, and each with an error in it.
func sampleOf(g *kg.Graph) (names, misspelt []string) {
	if g.Entities() == 0 {
		return nil, nil
	}
	rng := rand.New(rand.NewPCG(sampleSeed, sampleSeed))
	seen := map[string]bool{}
	for range 20 * sampleNames {
		if len(names) == sampleNames {
			break
		}
		label := g.Label(kg.EntityID(rng.IntN(g.Entities())))
		letters := utf8.RuneCountInString(label)
		if seen[label] || letters < minName || letters > maxName || strings.IndexFunc(label, unicode.IsLetter) < 0 {
			continue
		}
		seen[label] = true
		names = append(names, label)
		misspelt = append(misspelt, misspell(label, len(names), rng))
	}
	return names, misspelt
}

// misspell makes one error in a name, of the kinds in turn: two letters swapped,
// one left out, one wrong, or a word left out.
func misspell(name string, kind int, rng *rand.Rand) string {
	letters := []rune(name)
	at := 1 + rng.IntN(len(letters)-2)
	words := strings.Fields(name)
	switch {
	case kind%4 == 0 && len(words) > 1:
		at = rng.IntN(len(words))
		return strings.Join(slices.Delete(words, at, at+1), " ")
	case kind%4 == 1 && letters[at] != letters[at+1]:
		letters[at], letters[at+1] = letters[at+1], letters[at]
	case kind%4 == 2:
		letters = slices.Delete(letters, at, at+1)
	case letters[at] == 'e':
		letters[at] = 'a'
	default:
		letters[at] = 'e'
	}
	return string(letters)
}

// measure returns the scale on which an embedder has the built-in embedder's
// shares of pairs.
func measure(ctx context.Context, emb embed.Embedder, p pairs) (Scale, error) {
	named, err := emb.Embed(ctx, embed.Document, p.named)
	if err != nil {
		return nil, err
	}
	asked, err := emb.Embed(ctx, embed.Query, p.asked)
	if err != nil {
		return nil, err
	}
	var alike, unlike []float64
	for i, a := range asked {
		for j, n := range named {
			if blank(a) || blank(n) {
				continue
			}
			d := math.Sqrt(float64(vec.SquaredL2(a, n)))
			if i == j {
				alike = append(alike, d)
			} else {
				unlike = append(unlike, d)
			}
		}
	}
	return scaleOf(alike, unlike), nil
}

// blank reports whether a vector is that of a text without one.
func blank(v []float32) bool {
	return !slices.ContainsFunc(v, func(x float32) bool { return x != 0 })
}

// scaleOf puts the knots where the shares are.
func scaleOf(alike, unlike []float64) Scale {
	if len(alike) == 0 || len(unlike) == 0 {
		return nil
	}
	slices.Sort(alike)
	slices.Sort(unlike)
	strange := unlikeKnots[0]
	nearest := at(unlike, strange.share)
	var s Scale
	add := func(from, to float64) {
		last := Knot{}
		if len(s) > 0 {
			last = s[len(s)-1]
		}
		if from > last.From && to > last.To {
			s = append(s, Knot{From: from, To: to})
		}
	}
	for _, q := range alikeKnots {
		add(min(at(alike, q.share), nearest*q.builtin/strange.builtin), q.builtin)
	}
	for _, q := range unlikeKnots {
		add(at(unlike, q.share), q.builtin)
	}
	add(2, 2) // opposite is opposite
	return s
}

// at returns the value that a share of the sorted values does not exceed.
func at(sorted []float64, share float64) float64 {
	return sorted[int(share*float64(len(sorted)-1))]
}
