package words

import (
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/schema"
)

// Bound is what words of a question say of the number or the date beside them: "at least",
// "no longer than", "on or after"; "or more", "or longer", "at the latest".
type Bound struct {
	Op pattern.Op
	// Date says that only a date is compared so.
	Date bool
	// By is the word that says what is compared: "longer"; -1 for none. Where less of it is
	// meant ("shorter"), the comparison is the other way round.
	By int
	// To is the word after.
	To int
}

var bounds = []struct {
	words [][]string
	op    pattern.Op
	date  bool
}{
	{lexicon.Phrases("at least"), pattern.AtLeast, false},
	{lexicon.Phrases("at most"), pattern.AtMost, false},
	{lexicon.Phrases("more than"), pattern.Greater, false},
	{lexicon.Phrases("fewer than"), pattern.Less, false},
	{lexicon.Phrases("exactly"), pattern.Equal, false},
	{lexicon.Phrases("after"), pattern.Greater, true},
	{lexicon.Phrases("since"), pattern.AtLeast, true},
	{lexicon.Phrases("before"), pattern.Less, true},
	{lexicon.Phrases("until"), pattern.AtMost, true},
}

var (
	orMore    = lexicon.Phrases("or more")
	orFewer   = lexicon.Phrases("or fewer")
	orLater   = lexicon.Phrases("or later")
	orEarlier = lexicon.Phrases("or earlier")
	including = lexicon.Phrases("including")
	dayWords  = map[string]bool{"in": true, "on": true, "during": true}
)

// matchAt returns how many words of the longest of some phrases stand at i; 0 for none.
func matchAt(ws []Word, i int, phrases [][]string) (n int) {
	for _, p := range phrases {
		if len(p) > n && i >= 0 && i+len(p) <= len(ws) && says(ws[i:], p) {
			n = len(p)
		}
	}
	return n
}

func says(ws []Word, phrase []string) bool {
	for j, w := range phrase {
		if ws[j].Lower != w || ws[j].Mention >= 0 {
			return false
		}
	}
	return true
}

// BoundAt reads what stands before a number or a date, at word i.
func (v *Vocabulary) BoundAt(ws []Word, i int) (b Bound, ok bool) {
	n := 0
	for _, x := range bounds {
		if k := matchAt(ws, i, x.words); k > n {
			b, n = Bound{Op: x.op, Date: x.date, By: -1, To: i + k}, k
		}
	}
	switch {
	case n > 0 && b.Date && b.To+1 < len(ws) && ws[b.To].Lower == "or" && dayWords[ws[b.To+1].Lower]: // before or in
		b.To += 2
		return b.orEqual(), b.Op == pattern.Less || b.Op == pattern.Greater
	case n > 0:
		return b, true
	case i < 0 || i+1 >= len(ws) || ws[i].Mention >= 0:
		return b, false
	case ws[i].Lower == "not", ws[i].Lower == "no", ws[i].Lower == "t":
		if b, ok = v.BoundAt(ws, i+1); !ok || b.Op == pattern.Equal || ws[i].Lower == "no" && ws[b.To-1].Lower != "than" || ws[i+1].Lower == "not" {
			return b, false
		}
		b.Op = map[pattern.Op]pattern.Op{pattern.Less: pattern.AtLeast, pattern.AtMost: pattern.Greater, pattern.AtLeast: pattern.Less, pattern.Greater: pattern.AtMost}[b.Op]
		return b, true
	case matchAt(ws, i, including) > 0: // on or after
		b, ok = v.BoundAt(ws, i+matchAt(ws, i, including))
		return b.orEqual(), ok && (b.Op == pattern.Less || b.Op == pattern.Greater) && b.By < 0
	case i+2 < len(ws) && (ws[i].Lower == "more" || ws[i].Lower == "less") && len(v.lex.Comparisons(ws[i+1].Lower)) > 0 && ws[i+2].Lower == "than": // "less bitter than"
		return Bound{Op: map[bool]pattern.Op{true: pattern.Greater, false: pattern.Less}[ws[i].Lower == "more"], By: i + 1, To: i + 3}, true
	case len(v.lex.Comparisons(ws[i].Lower)) > 0 && ws[i+1].Lower == "than":
		return Bound{Op: pattern.Greater, By: i, To: i + 2}, true
	}
	return b, false
}

// orEqual lets a bound be reached.
func (b Bound) orEqual() Bound {
	b.Op = map[pattern.Op]pattern.Op{pattern.Less: pattern.AtMost, pattern.Greater: pattern.AtLeast}[b.Op]
	return b
}

// BoundAfter reads what stands behind a number or a date, at word i.
func (v *Vocabulary) BoundAfter(ws []Word, i int) (b Bound, ok bool) {
	for _, x := range []struct {
		words [][]string
		op    pattern.Op
		date  bool
	}{{orLater, pattern.AtLeast, true}, {orEarlier, pattern.AtMost, true}, {orMore, pattern.AtLeast, false}, {orFewer, pattern.AtMost, false}} {
		if n := matchAt(ws, i, x.words); n > 0 && !than(ws, i+n) && (i+n >= len(ws) || !isAmount(ws[i+n])) { // "or after 2015" is another bound
			return Bound{Op: x.op, Date: x.date, By: -1, To: i + n}, true
		}
	}
	if i >= 0 && i+1 < len(ws) && (ws[i].Lower == "or" || ws[i].Lower == "and") && strings.HasSuffix(ws[i+1].Lower, "er") && len(v.lex.Comparisons(ws[i+1].Lower)) > 0 && !than(ws, i+2) {
		return Bound{Op: pattern.AtLeast, By: i + 1, To: i + 2}, true
	}
	return b, false
}

func than(ws []Word, i int) bool { return i < len(ws) && ws[i].Lower == "than" }

// IsOfBound reports whether the "or" at word i is of a comparison: "on or after 1950", "1950 or
// later", "5 km or more".
func (v *Vocabulary) IsOfBound(ws []Word, i int) bool {
	for from := max(0, i-2); from < i; from++ {
		if b, ok := v.BoundAt(ws, from); ok && b.To > i {
			return true
		}
	}
	const away = 4 // words of a unit and a noun behind a number
	_, ok := v.BoundAfter(ws, i)
	return ok && slices.ContainsFunc(ws[max(0, i-away):i], isAmount)
}

// measuring are verbs, with the dimensions of what they measure.
var measuring = lexicon.Phrases("verbs of measures")

// Measures reports whether a word is a verb by which things have as much as a relation says: they "take" 30 minutes.
func (v *Vocabulary) Measures(word string, r kg.RelationID) bool {
	return slices.ContainsFunc(measuring, func(verb []string) bool {
		return verb[0] == lexicon.Base(word) && v.isIn(r, verb[1:])
	})
}

// IsAmount reports whether a word is a verb or a noun for as much as a relation says: distances are so many "kilometres",
// and prices so much "money".
func (v *Vocabulary) IsAmount(word string, r kg.RelationID) bool {
	if v.Measures(word, r) {
		return true
	}
	dimensions := []string{DimensionOf(lexicon.Stem(word))}
	if moneys[word] {
		dimensions[0] = "money"
	}
	if lexicon.IsPlural(word) { // a "yard" may be a place, and "second" an ordinal
		for _, u := range kg.UnitsOf(word) {
			dimensions = append(dimensions, u.Dimension)
		}
	}
	return v.isIn(r, dimensions)
}

// isIn reports whether the values of a relation are in units of one of some dimensions.
func (v *Vocabulary) isIn(r kg.RelationID, dimensions []string) bool {
	us := kg.UnitsOf(v.schema.Measured(r).Unit)
	return len(us) > 0 && slices.ContainsFunc(dimensions, func(d string) bool { return Measures(us[0], d) })
}

// Measures reports whether a unit is one of a dimension, or of "money" in some currency.
func Measures(u kg.Unit, dimension string) bool {
	return u.Dimension == dimension || strings.HasPrefix(u.Dimension, dimension+" in ")
}

// DimensionOf returns what the units measure of values that a noun, by its stem, is for; "" for none.
func DimensionOf(stem string) string { return dimensionOf[stem] }

// DimensionByVerb returns what a word measures that is a verb for one thing alone: one "pays" so much money, and "takes"
// much else than time; "" for none.
func DimensionByVerb(lower string) string {
	i := slices.IndexFunc(measuring, func(verb []string) bool { return verb[0] == lexicon.Base(lower) })
	if i < 0 || !slices.Equal(measuring[i][1:], []string{"money"}) {
		return ""
	}
	return measuring[i][1]
}

var dimensionOf = func() map[string]string {
	m := map[string]string{}
	for _, line := range lexicon.Phrases("nouns of measures") {
		m[lexicon.Stem(line[0])] = line[1]
	}
	return m
}()

// isAmount reports whether a word is of an amount.
func isAmount(w Word) bool { return strings.ContainsAny(w.Lower, "0123456789") || numberWords[w.Lower] }

// sizes are nouns for numbers that tell how large a thing is.
var sizes = lexicon.Words("sizes")

// TellsSize reports whether the numbers of a relation tell how large things are.
func (v *Vocabulary) TellsSize(r kg.RelationID) bool {
	return slices.ContainsFunc(v.NameOf(r), func(w string) bool { return sizes[w] }) || v.isIn(r, []string{"length", "area", "volume", "mass"})
}

// ByAmount returns the steps to numbers that may tell what an adjective compares though no relation is called so: of
// "the largest stadium" those that tell how large things are, such as a capacity, and of others those in units of
// what it compares, and of nothing else: the "dearest" flat is the one of the highest rent.
func (v *Vocabulary) ByAmount(compared []lexicon.Comparison) (out []schema.Step) {
	if len(compared) == 0 {
		return nil
	}
	bySize := v.lex.Concepts[compared[0].Concept].Name == "size"
	var dimensions []string
	for _, c := range compared {
		for _, name := range v.lex.Concepts[c.Concept].Relation {
			if v.lex.Concepts[c.Concept].Answer == lexicon.Date {
				break // of a year of birth no number of years tells
			}
			if d := DimensionOf(name.Stems[len(name.Stems)-1]); d != "" && c.Less == compared[0].Less && !bySize {
				dimensions = append(dimensions, d)
			}
		}
	}
	for _, m := range v.Mappings() {
		st := schema.Forward(m.Relation)
		isOther := func(c int) bool { return v.lex.Concepts[c].Answer == lexicon.Number }
		switch {
		case m.SameAs != m.Relation || v.schema.Value(st.To()) != schema.NumberValue:
		case bySize && slices.ContainsFunc(m.name, func(w string) bool { return sizes[w] }),
			!bySize && v.isIn(m.Relation, dimensions) && !slices.ContainsFunc(m.Means, isOther):
			out = append(out, st)
		}
	}
	return out
}
