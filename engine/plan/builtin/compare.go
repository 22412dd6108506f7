package builtin

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
)

// comparison is what a question says about a value: "more than 40 million
// people", "the longest river", "released after 1990".
type comparison struct {
	// superlative asks for the largest or smallest value; otherwise the value is
	// compared with number.
	superlative bool
	descending  bool
	op          pattern.Op
	number      float64
	units       []kg.Unit // of number, where the question says one
	amount      string    // number and unit as the question has them
	taken       []int     // its words
	scale       float64   // by which a word after number multiplied it; 0 for none
	exact       bool      // number and most are what the amount may be rounded from
	only        bool      // such an amount is all that is said: "a height of 220 m"
	most        *float64  // where it is not nil, the value is also at most this
	until       float64   // where it is not 0, the value is also less than this
	yearly      kg.Yearly // what a date is in instead, whatever its year
	bare        bool      // nothing says what number it is, neither a word nor a unit
	when        string    // what speaks of a date that no word need name: "in March 2022", "oldest"
	// means are the steps to values that the words can mean, best first.
	means []valueMeaning
	// noun is the word after a superlative that says what is compared: "river";
	// -1 where there is none.
	noun int
	text string
}

// valueMeaning is one step to a value, how well it fits the words, from 0 to 1,
// and whether less of it is meant ("oldest": the smallest birth date).
type valueMeaning struct {
	step  schema.Step
	fit   float64
	less  bool
	named bool // by a word of its own: "nitrate", not "the largest"
}

// valueLeg is a comparison hung on a node of a shape.
type valueLeg struct {
	comparison *comparison
	step       schema.Step
	less       bool
	loose      bool // no word names the value
	// at is the hop whose end is compared, or -1 for the root.
	at int
	// record leads from there to what has the value, where it is said of a record of the thing: of
	// the "wells with nitrate above 50" it is their samples that have it. Nil for the thing itself.
	record *schema.Step
}

// findComparisons looks for comparing words outside sure names, and takes them,
// so that they ask for nothing else. A comparison that no value of the graph
// can meet is left alone.
func (r *reader) findComparisons() []*comparison {
	var out []*comparison
	for i := range r.Words {
		if r.PartOfName(i) && !r.isAmount(i) || r.Words[i].Taken {
			continue
		}
		c, taken := r.superlativeAt(i)
		if c == nil {
			if c, taken = r.thresholdAt(i); c != nil {
				r.addAmounts(c, taken)
			}
		}
		if c == nil {
			c, taken = r.withinDate(i)
		}
		if c == nil || len(c.means) == 0 || c.means[0].fit <= looseFit && r.isSaidOf(taken) {
			continue
		}
		verb := taken[0] - 1
		if verb > 1 && r.Words[verb].Lower == "the" { // "takes the longest"
			verb--
		}
		if verb > 0 && !r.PartOfName(verb) && r.p.Measures(r.Words[verb].Lower, c.means[0].step.Relation()) {
			taken = append([]int{verb}, taken...)
		}
		for _, t := range taken {
			r.Words[t].Taken = true
		}
		// A name whose value is compared with is used up.
		r.Spans = slices.DeleteFunc(r.Spans, func(s words.Span) bool {
			return slices.ContainsFunc(taken, func(t int) bool { return s.From <= t && t < s.To })
		})
		c.taken = taken
		c.text = r.Source[r.Words[taken[0]].Start:r.Words[taken[len(taken)-1]].End]
		out = append(out, c)
	}
	return out
}

// isAskedKind reports whether word i is for the kind of thing that is asked for, and so names no value: which
// "members joined before 2010" says nothing of a membership fee.
func (r *reader) isAskedKind(i int) bool {
	return i > 0 && r.TypeFrom(i) > 0 && slices.Contains([]string{"which", "what", "many"}, r.Words[i-1].Lower)
}

// isAmount reports whether word i begins a number or a date, be it the name of one or not.
func (r *reader) isAmount(i int) bool {
	return r.Words[i].Lower[0] >= '0' && r.Words[i].Lower[0] <= '9' && !slices.ContainsFunc(r.Spans, func(s words.Span) bool {
		_, value := kg.ParseValue(s.Text)
		return s.From <= i && i < s.To && !value && s.IsSure()
	})
}

// startsNoun are words that a superlative follows; elsewhere "first" says when.
var startsNoun = lexicon.Words("before superlatives")

// superlativeAt reads "longest river", "most populous country", "most people"
// or "largest population" at word i. It returns the words that it takes.
func (r *reader) superlativeAt(i int) (c *comparison, taken []int) {
	w := r.Words[i].Lower
	taken = []int{i}
	at, less := i, false
	if w == "most" || w == "least" || w == "fewest" {
		less = w != "most"
		if at = i + 1; at >= len(r.Words) {
			return nil, nil
		}
	} else if !lexicon.IsSuperlative(w) {
		return nil, nil
	}
	if (w == "first" || w == "last") && (i == 0 || !startsNoun[r.Words[i-1].Lower]) {
		return nil, nil // "when was it first released"
	}
	c = &comparison{superlative: true, descending: true, noun: -1}
	// "largest population": the noun says which value, the adjective which end.
	noun := at
	if at == i {
		noun = i + 1
	}
	cs := r.p.lex.Comparisons(r.Words[at].Lower)
	var named []valueMeaning
	if noun < len(r.Words) { // of "the lightest mission" the mission is what is light, though the graph has an end of mission
		named = r.valuesNamed(noun)
		isThing := at == i && r.TypeFrom(noun) > 0 && len(r.valuesCompared(cs)) > 0
		if c.means = named; len(named) > 0 && !isThing {
			taken = append(taken, noun)
			if k := noun + 1; k < len(r.Words) && !r.PartOfName(k) { // "the highest optimal temperature" is no optimal pH
				if both := slices.DeleteFunc(slices.Clone(c.means), func(m valueMeaning) bool { return !r.namesAgain(&comparison{means: []valueMeaning{m}}, k) }); len(both) > 0 && len(both) < len(c.means) {
					c.means, taken = both, append(taken, k)
				}
			}
			// "What is the longest shelf life" asks for the value, and names it once more.
			asks := i > 1 && r.Words[i-1].Lower == "the" && (copulas[r.Words[i-2].Lower] || r.Words[i-2].Lower == lexicon.Possessive)
			for k := noun + 1; !asks && k < len(r.Words) && !r.PartOfName(k) && r.namesAgain(c, k); k++ {
				taken = append(taken, k)
			}
			c.descending = !less && (at != i || len(cs) == 0 || !cs[0].Less)
			for k := range c.means { // the longest licensed was licensed first
				c.means[k].less = (w == "longest" || w == "shortest") && r.p.schema.Value(c.means[k].step.To()) == schema.DateValue
			}
			return c, taken
		}
	}
	if at != i {
		taken = append(taken, at)
	}
	c.descending = !less
	c.noun = at + 1
	few := len(cs) > 0 && cs[0].Less || len(cs) == 0 && lexicon.IsLittle(w)
	for by := at + 2; by < min(at+4, len(r.Words)-1); by++ { // "the smallest company by revenue", "opera house by number of seats"
		of, last := by+1, len(r.Words)-1
		for of < last && slices.Contains([]string{"the", "number", "of"}, r.Words[of].Lower) {
			of++
		}
		if w := r.Words[by].Lower; w != "by" && (w != "in" || of < last) || r.PartOfName(of) || len(r.valuesNamed(of)) == 0 {
			continue
		}
		for _, m := range r.valuesNamed(of) {
			m.less = few
			c.means = append(c.means, m)
		}
		return c, append(taken, upTo(by, of+1)...)
	}
	if len(cs) == 0 {
		return nil, nil
	}
	c.means = r.valuesCompared(cs)
	for _, st := range r.p.ByAmount(cs) {
		c.means = addMeaning(c.means, valueMeaning{step: st, fit: looseFit, less: r.isLess(cs, st)})
	}
	// "oldest", where the graph dates things by a word of its own: any date may be meant.
	if dated := slices.IndexFunc(cs, func(x lexicon.Comparison) bool { return r.p.lex.Concepts[x.Concept].Answer == lexicon.Date }); dated >= 0 {
		c.when = r.Words[i].Text
		for _, m := range r.onlyDates(slices.Concat(named, r.valuesOfKind(true))) {
			m.less = cs[dated].Less
			c.means = addMeaning(c.means, m)
		}
	}
	return c, taken
}

// isLess reports whether a word that compares asks for less of what a step leads to: who is older was born earlier, and is
// of more years.
func (r *reader) isLess(cs []lexicon.Comparison, st schema.Step) bool {
	isDate := r.p.schema.Value(st.To()) == schema.DateValue
	fits := slices.IndexFunc(cs, func(c lexicon.Comparison) bool { return (r.p.lex.Concepts[c.Concept].Answer == lexicon.Date) == isDate })
	return cs[max(0, fits)].Less
}

// valuesNamed returns the steps to values that word i asks for as a cue.
func (r *reader) valuesNamed(i int) []valueMeaning {
	var out []valueMeaning
	for step, weight := range r.AsksAt(i) {
		if !step.IsBack() && r.p.schema.Value(step.To()) != schema.NoValue {
			out = addMeaning(out, valueMeaning{step: step, fit: min(1, weight), named: true})
		}
	}
	return out
}

// valuesCompared returns the steps to values that mean the concepts.
func (r *reader) valuesCompared(cs []lexicon.Comparison) []valueMeaning {
	var out []valueMeaning
	for rank, c := range cs {
		name := r.p.lex.Concepts[c.Concept].Name
		for _, m := range r.p.Mappings() {
			to := schema.Forward(m.Relation).To()
			if m.SameAs == m.Relation && r.p.schema.Value(to) != schema.NoValue && slices.Contains(m.Concepts, name) {
				out = addMeaning(out, valueMeaning{step: schema.Forward(m.Relation), fit: 1 / (1 + 0.15*float64(rank)), less: c.Less})
			}
		}
	}
	return out
}

// valuesOfKind returns all steps to dates, or to values of any kind, as loose
// meanings.
func (r *reader) valuesOfKind(dates bool) []valueMeaning {
	var out []valueMeaning
	for _, m := range r.p.Mappings() {
		kind := r.p.schema.Value(schema.Forward(m.Relation).To())
		if m.SameAs == m.Relation && kind != schema.NoValue && dates == (kind == schema.DateValue) {
			out = append(out, valueMeaning{step: schema.Forward(m.Relation), fit: looseFit})
		}
	}
	return out
}

// looseFit is the fit of a value of which no word but the number speaks.
const looseFit = 0.3

// addMeaning adds a meaning, or improves the one of the same step.
func addMeaning(to []valueMeaning, m valueMeaning) []valueMeaning {
	for i := range to {
		if to[i].step == m.step {
			to[i].fit = max(to[i].fit, m.fit)
			return to
		}
	}
	return append(to, m)
}

// thresholdAt reads "more than 40 million people", "not higher than 5000 m", "on or after
// 4 May 1990", "longer than the Nile", "5000 km or longer" or "by 1750 at the latest" at word
// i.
func (r *reader) thresholdAt(i int) (c *comparison, taken []int) {
	if c, taken = r.betweenAt(i); c != nil {
		return c, taken
	}
	c = &comparison{noun: -1}
	b, before := r.p.BoundAt(r.Words, i)
	from := i
	if before {
		from = b.To
	} else if datesBefore[r.Words[i].Lower] {
		from = i + 1 // "in 1950 or later"
	} else if r.Words[i].Lower == "within" && r.numberAt(i+1, c) > 0 && c.units != nil { // "within half an hour"
		b, before, from = words.Bound{Op: pattern.AtMost, By: -1}, true, i+1
	}
	c.op = b.Op
	value, to := r.dateAt(from)
	isDate := to > 0 && (to > from+1 || !before && from > i)
	end := to
	if !isDate {
		end = r.numberAt(from, c)
	}
	if end == 0 && before && b.By >= 0 {
		end = r.valueOfNameAt(from, c, r.p.lex.Comparisons(r.Words[b.By].Lower))
	}
	if end == 0 || from > i && !before && !isDate {
		return nil, nil
	}
	after := end
	if !before {
		if b, before = r.p.BoundAfter(r.Words, end); !before && end < len(r.Words) {
			c.means = r.valuesNamed(end)
			if len(c.means) > 0 || dimensions[r.Words[end].Lower] { // "100 million people or more", "14 m deep or deeper"
				if b, before = r.p.BoundAfter(r.Words, end+1); before {
					end++
				}
			}
		}
		if !before && r.Words[i].Lower == "by" && isDate {
			b, before = words.Bound{Op: pattern.AtMost, Date: true, By: -1, To: end}, true
		}
		if !before {
			return nil, nil
		}
		c.op, after = b.Op, b.To
	}
	taken = upTo(i, max(end, after))
	switch {
	case len(c.means) > 0:
	case before && b.By >= 0 && i > 0 && !r.PartOfName(i-1) && len(r.valuesNamed(i-1)) > 0: // "a half life longer than"
		taken = r.nameValues(c, taken, len(r.Words), b.Date)
		for k := range c.means {
			c.means[k].less = r.isLess(r.p.lex.Comparisons(r.Words[b.By].Lower), c.means[k].step)
		}
	case b.By >= 0:
		if c.means = r.valuesCompared(r.p.lex.Comparisons(r.Words[b.By].Lower)); len(c.means) == 0 && c.units != nil { // "larger than 1 GW"
			c.means = r.valuesOfKind(false)
		}
	case after > end:
		taken = r.nameValues(c, taken, len(r.Words), b.Date)
	default:
		taken = r.nameValues(c, taken, end, b.Date)
	}
	if b.Date {
		if c.means = r.onlyDates(c.means); len(c.means) == 0 {
			return nil, nil
		}
	}
	if own := r.endingIn(c.means, r.Words[i].Lower); before && len(own) > 0 {
		c.op, c.means = pattern.Equal, own
	}
	if isDate {
		r.coversDate(c, value)
	}
	r.inUnits(c)
	return c, taken
}

// addAmounts adds to what a comparison with a number of some unit may mean, loosely, what else is in such units and may
// be told by its adjective: of "boats over 12 m long" the berths have a length, and the boats themselves an "LOA".
func (r *reader) addAmounts(c *comparison, taken []int) {
	if c.units == nil || len(c.means) == 0 || c.means[0].fit <= looseFit {
		return
	}
	for _, i := range taken {
		word := r.Words[i].Lower
		cs := r.p.lex.Comparisons(word)
		if dimensions[word] {
			cs = r.p.lex.Comparisons(lexicon.Comparative(word))
		}
		for _, st := range r.p.ByAmount(cs) {
			if c.mayBeIn(r.p.schema.Measured(st.Relation()).Unit) {
				c.means = addMeaning(c.means, valueMeaning{step: st, fit: looseFit, less: r.isLess(cs, st)})
			}
		}
	}
}

// endingIn returns the values whose relation ends in a word: "on air since" says that itself, so
// that "on air since 1976" asks for 1976 and no later year, and what was "ordered before June" is no "best before".
func (r *reader) endingIn(ms []valueMeaning, word string) (out []valueMeaning) {
	for _, m := range ms {
		if name := r.p.names[m.step.Relation()].words; m.fit > looseFit && len(name) > 1 && name[len(name)-1] == word {
			out = append(out, m)
		}
	}
	return out
}

// nameValues finds what is compared: what is counted may follow the number, at word end ("40
// million people", "5000 km long"), or stand before the phrase ("a population of more than 40
// million"). It returns the words of the comparison.
func (r *reader) nameValues(c *comparison, taken []int, end int, dates bool) []int {
	if c.units != nil && end+1 < len(r.Words) && (r.Words[end].Lower == "of" || r.Words[end].Lower == "in") && len(r.valuesNamed(end+1)) > 0 { // "more than 10 g of protein", "more than 200 euros in fees"
		end++
	}
	if end < len(r.Words) {
		if c.means = r.valuesNamed(end); len(c.means) == 0 && dimensions[r.Words[end].Lower] {
			c.means = r.valuesCompared(r.p.lex.Comparisons(lexicon.Comparative(r.Words[end].Lower)))
		}
		if len(c.means) > 0 {
			taken = append(taken, end)
			for end++; end < len(r.Words) && !r.PartOfName(end) && r.namesAgain(c, end); end++ {
				taken = append(taken, end)
			}
			taken = append(taken, upTo(end, r.perUnit(c, end))...)
		}
	}
	i := taken[0]
	const near = 3 // words, names not counted: "the height of Mount Everest between"
	for j, n := i-1, 0; j >= 0 && n < near; j-- {
		if r.PartOfName(j) || r.TypeFrom(j) > 1 || r.isAskedKind(j) || dates && r.TypeFrom(j) > 0 && len(c.means) == 0 && !r.Words[j].IsPast() { // what was "painted" is no date of all that is done with "paintings"
			continue
		}
		n++
		named := r.valuesNamed(j)
		if len(named) > 0 && (len(c.means) == 0 || r.namesAgain(c, j)) {
			taken = append([]int{j}, taken...)
			if len(c.means) == 0 {
				c.means = named
			}
			continue
		}
		if taken[0] < i || len(named) > 0 { // what stands before is of something else
			break
		}
	}
	if len(c.means) == 0 {
		c.bare = !dates && c.units == nil
		c.means = r.valuesOfKind(dates || schema.IsYearNumber(c.number) && c.units == nil)
		for j := i - 1; j >= 0 && j > i-near && !r.PartOfName(j); j-- { // "costs more than 300 euros"
			if some := slices.DeleteFunc(slices.Clone(c.means), func(m valueMeaning) bool { return !r.p.Measures(r.Words[j].Lower, m.step.Relation()) }); len(some) > 0 {
				for k := range some {
					some[k].fit = verbFit
				}
				c.means, taken = some, append([]int{j}, taken...)
				break
			}
		}
	}
	return taken
}

// verbFit is the fit of a value that a verb measures: what "costs" so much has a price.
const verbFit = 0.6

// namesAgain reports whether word i asks for a value that another word has named: "cost more than 3 €
// per kg" asks once for the price per kg.
func (r *reader) namesAgain(c *comparison, i int) bool {
	return slices.ContainsFunc(r.valuesNamed(i), func(m valueMeaning) bool {
		return slices.ContainsFunc(c.means, func(o valueMeaning) bool { return o.step == m.step })
	})
}

// perUnit returns the word after "per 100 g", at word i, where the unit in the name of a value that is
// compared says so: "protein (g/100 g)"; i for nothing.
func (r *reader) perUnit(c *comparison, i int) int {
	if i+1 >= len(r.Words) || r.Words[i].Lower != "per" {
		return i
	}
	for _, m := range c.means {
		_, per, _ := strings.Cut(strings.TrimRight(r.p.g.RelationText(m.step.Relation()), ")] "), "/")
		to := i + 1
		for end := r.Words[to].Start + len(per); per != "" && strings.HasPrefix(r.Source[r.Words[i+1].Start:], per) && to < len(r.Words) && r.Words[to].End <= end; {
			to++
		}
		if to > i+1 {
			return to
		}
	}
	return i
}

// betweenAt reads "between 100 and 150 m" at word i; years are dates.
func (r *reader) betweenAt(i int) (c *comparison, taken []int) {
	if r.Words[i].Lower != "between" {
		return nil, nil
	}
	c = &comparison{noun: -1, op: pattern.AtLeast}
	last := *c
	and := r.numberAt(i+1, c)
	if and == 0 || and >= len(r.Words) || r.Words[and].Lower != "and" {
		return nil, nil
	}
	end := r.numberAt(and+1, &last)
	if end == 0 || schema.IsYearNumber(c.number) && schema.IsYearNumber(last.number) && last.units == nil {
		return nil, nil
	}
	c.amount = r.Source[r.Words[i+1].Start:r.Words[end-1].End]
	if c.units == nil {
		c.units = last.units
	}
	if c.scale == 0 && last.scale > 0 { // "between 10 and 11 million"
		c.number *= last.scale
	}
	c.most = &last.number
	taken = r.nameValues(c, upTo(i, end), end, false)
	r.inUnits(c)
	return c, taken
}

var (
	numberPattern = regexp.MustCompile(`^[0-9][0-9,]*(\.[0-9]+)?`)
	signPattern   = regexp.MustCompile(`\p{Sc}$`)
	// scalePattern is a word behind a number that may multiply it, with the one behind that.
	scalePattern = regexp.MustCompile(`^\s*(\pL+)(?:\s+[\pL$€£¥]+)?`)
	// dimensions are words that say behind a number what it measures.
	dimensions = lexicon.Words("dimensions")
	// datesBefore stand before a date that is a bound.
	datesBefore = map[string]bool{"in": true, "on": true, "by": true, "from": true}
)

// numberAt reads a number that begins at word i into c and returns the word
// after it, or 0.
func (r *reader) numberAt(i int, c *comparison) int {
	if i >= len(r.Words) {
		return 0
	}
	start := r.Words[i].Start
	n, end := r.wordedAt(i)
	if end == start {
		digits := numberPattern.FindString(r.Source[start:])
		var err error
		if n, err = strconv.ParseFloat(strings.ReplaceAll(strings.TrimRight(digits, ","), ",", ""), 64); err != nil {
			return 0
		}
		if end = start + len(digits); end+1 == r.Words[i].End && r.Words[i].Lower[len(digits):] == "s" { // "1990s"
			end++
		}
	}
	sign := signPattern.FindString(strings.TrimRight(r.Source[:start], " ")) // of "$5 million"
	if behind := scalePattern.FindStringSubmatch(r.Source[end:]); behind != nil {
		scale := r.p.schema.Scale(behind[1])
		if scale == 0 {
			for _, unit := range []string{sign + behind[1], strings.TrimSpace(behind[0])} { // "$5m", "5 M USD"
				if word, of := kg.Scaled(unit); word != "" && of != unit {
					scale = kg.Scale(word)
				}
			}
		}
		if scale > 0 {
			n, c.scale, end = n*scale, scale, end+strings.Index(behind[0], behind[1])+len(behind[1])
		}
	}
	if c.number = n; start > 0 && (r.Source[start-1] == '-' || strings.HasSuffix(r.Source[:start], "−")) && strings.HasSuffix(strings.TrimRight(r.Source[:start], "-−"), " ") {
		c.number = -n
	}
	var length int
	if c.units, length = r.p.schema.LeadingUnit(r.Source[end:]); length == 0 && start > 0 {
		c.units = kg.UnitsOf(sign)
	}
	for i < len(r.Words) && r.Words[i].Start < end+length {
		i++
	}
	if c.units != nil {
		c.amount = r.Source[start : end+length]
	}
	return i
}

// wordedAt reads a number in words that a scale or a unit follows, "two million", "half a tonne",
// and returns where it ends: where the word begins for none.
func (r *reader) wordedAt(i int) (n float64, end int) {
	w := r.Words[i]
	number, ok := lexicon.Numeral(w.Lower)
	n, end = float64(number), w.End
	if w.Lower == "half" && i+1 < len(r.Words) && (r.Words[i+1].Lower == "a" || r.Words[i+1].Lower == "an") {
		n, end, ok = 0.5, r.Words[i+1].End, true
	} else if w.Lower == "a" || w.Lower == "an" {
		n, ok = 1, true
	}
	if !ok {
		return 0, w.Start
	}
	if _, unit := r.p.schema.LeadingUnit(r.Source[end:]); unit == 0 {
		if behind := scalePattern.FindStringSubmatch(r.Source[end:]); behind == nil || kg.Scale(behind[1]) <= 0 {
			return 0, w.Start
		}
	}
	return n, end
}

// valueOfNameAt reads a name whose value is compared with: "longer than the
// Nile". It returns the word after it, or 0.
func (r *reader) valueOfNameAt(i int, c *comparison, cs []lexicon.Comparison) int {
	for i < len(r.Words) && r.Words[i].Stop {
		i++
	}
	for _, s := range r.Spans {
		if s.From != i {
			continue
		}
		for _, m := range r.valuesCompared(cs) {
			for _, named := range s.Candidates {
				if v, ok := r.p.valueOf(named.Entity, m.step); ok {
					c.number, c.means = v, []valueMeaning{m}
					return s.To
				}
			}
		}
	}
	return 0
}

// valueOf returns the first value of an entity along a step.
func (p *Planner) valueOf(e kg.EntityID, s schema.Step) (float64, bool) {
	for _, edge := range p.schema.Edges(e, s) {
		if v, ok := p.g.Value(edge.Entity); ok {
			return v.Number, true
		}
	}
	return 0, false
}

// opFor returns the comparison's operator on the value itself: "older than 1950"
// asks for less.
func (v *valueLeg) opFor() pattern.Op {
	if !v.less {
		return v.comparison.op
	}
	return pattern.Greater - v.comparison.op // the comparisons stand in order
}

// descendingFor reports whether the largest value is asked for.
func (v *valueLeg) descendingFor() bool { return v.comparison.descending != v.less }

// withValues hangs the comparisons of the question on the shapes: on the end of
// any hop whose things have such a value.
func (r *reader) withValues(base []proposal, cs []*comparison) []proposal {
	out := base
	for _, c := range cs {
		sortProposals(out)
		var hung []proposal
		for _, p := range out[:min(len(out), valueShapes)] {
			hung = append(hung, r.hang(p, c)...)
		}
		for i := range out {
			if !out[i].hasSaid(c) {
				out[i].score -= r.p.weights.CompareUnused
			}
		}
		out = append(out, hung...)
	}
	return out
}

// hasSaid reports whether a proposal has read the words of a comparison as what a statement says.
func (pr *proposal) hasSaid(c *comparison) bool {
	return slices.ContainsFunc(pr.shape.said, func(l saidLeg) bool {
		return slices.ContainsFunc(l.saying.taken, func(t int) bool { return slices.Contains(c.taken, t) })
	})
}

// valueShapes is how many of the best shapes a comparison is hung on.
const valueShapes = 60

// hanging is a proposal that a comparison is hung on.
type hanging struct {
	proposal
	c           *comparison
	hops        []hop
	noun, named int // see nounCompared and namedCompared
}

// hang returns a proposal for every way to hang c on p: on things that have such a value or, where the
// shape has none, on those whose records have it.
func (r *reader) hang(p proposal, c *comparison) []proposal {
	var out []proposal
	h := &hanging{p, c, p.shape.hops(), p.nounCompared(c), p.namedCompared(c)}
	for _, ofRecord := range []bool{false, true} {
		for at := -1; at < len(h.hops) && (!ofRecord || len(out) == 0); at++ {
			out = append(out, r.hangAt(h, at, ofRecord)...)
		}
	}
	return out
}

// hangAt is hang for the end of one hop, -1 for the root.
func (r *reader) hangAt(p *hanging, at int, ofRecord bool) []proposal {
	var out []proposal
	c, noun, named := p.c, p.noun, p.named
	var slots schema.Slot
	switch {
	case at >= 0:
		slots = p.hops[at].step.To()
	case p.shape.root != nil:
		slots = p.shape.root.at
	default:
		return nil
	}
	isAsked := at == p.shape.askedHop()
	root := p.shape.root
	ofRoot := c.superlative && root != nil && len(p.shape.tail) == 1 && root.word == 1 && p.q.has(0, 1, "which") // "which room seats the most" asks for the room
	for _, m := range c.means {
		if m.fit <= looseFit && (p.hasSaid(c) || p.isOfOther(c)) || ofRoot && p.shape.tail[0] == m.step {
			continue
		}
		leg := valueLeg{comparison: c, step: m.step, less: m.less, loose: m.fit <= looseFit, at: at}
		score := p.score + r.p.weights.Compared*m.fit
		if ofRecord && noun >= 0 && p.isSaidOf(noun, at) {
			leg.record = r.recordOf(slots, p.shape.rootTypes(at), c, m)
			score -= r.p.weights.ComparedLoose
		}
		if ofRecord != (leg.record != nil) || !ofRecord && !r.p.hasValue(slots, p.shape.rootTypes(at), m.step) {
			continue
		}
		switch {
		case named >= 0 && named != at:
			score -= r.p.weights.ComparedLoose
		case named >= 0:
			score += r.p.weights.ComparedLoose
		case noun >= 0 && p.isSaidOf(noun, at):
			if c.superlative {
				score += r.p.weights.ComparedLoose
			}
		case c.superlative && noun == c.noun && noun >= 0 && len(p.q.Words[noun].Types) > 0:
			score -= r.p.weights.CompareUnused // of "the oldest find" no museum is old
		case noun >= 0 || !isAsked:
			score -= r.p.weights.ComparedLoose
		}
		n := p.proposal
		n.score = score
		n.shape.values = append(slices.Clone(p.shape.values), leg)
		out = append(out, n)
	}
	return out
}

// nounCompared returns the noun for the things of which a question compares a value: "the oldest
// linguist", "a linguist who was born before 1950", "a manager with a salary over 4500"; -1 for none.
func (pr *proposal) nounCompared(c *comparison) int {
	q, noun := pr.q, c.noun
	if noun < 0 {
		for noun = c.taken[0] - 1; noun > 0 && q.Words[noun].Mention < 0 && (copulas[q.Words[noun].Lower] || q.has(noun, noun+1, relatives...) || q.has(noun, noun+1, "a", "an", "the", "with", "has", "have", "had")); noun-- {
		}
	}
	if noun < 0 || noun >= len(q.Words) || q.Words[noun].Mention >= 0 || !q.Words[noun].IsKind() {
		return -1
	}
	if last := q.lastNoun(noun); c.superlative && !lexicon.IsParticiple(q.Words[last].Lower) { // of "the oldest jury president" the president is old
		return last
	}
	return noun
}

// isOfOther reports whether a noun that no thing of the graph is called stands behind a superlative: of "the
// largest quota" the quota is large.
func (pr *proposal) isOfOther(c *comparison) bool {
	ws := pr.q.Words[min(max(c.noun, 0), len(pr.q.Words)):]
	return c.superlative && c.when == "" && c.noun >= 0 && len(ws) > 0 && ws[0].Mention < 0 && !ws[0].Stop &&
		!slices.ContainsFunc(ws[:min(2, len(ws))], func(w words.Word) bool { return w.IsKind() }) // "opera house"
}

// namedCompared returns the hop to the things of which a name that stands for their kind says that
// they are compared: "the heaviest lion" is what is a lion, and no mother of one; -1 for none.
func (pr *proposal) namedCompared(c *comparison) int {
	for i, h := range pr.shape.hops() {
		if !c.superlative || h.at > 0 || h.leg >= len(pr.shape.legs) {
			continue
		}
		m := pr.q.Mentions[pr.shape.legs[h.leg].mention]
		if m.From == c.noun && (m.To == len(pr.q.Words) || pr.q.Words[m.To].Mention >= 0 || !pr.q.Words[m.To].IsKind()) {
			return i
		}
	}
	return -1
}

// isSaidOf reports whether what a question says of things that a noun stands for is said of the end
// of a hop, -1 for the root: of two nouns for one kind, the asked one is for what is asked.
func (pr *proposal) isSaidOf(noun, at int) bool {
	s, asked := &pr.shape, pr.shape.askedHop()
	names := func(at int) bool {
		if at < 0 {
			return s.root != nil && pr.q.namesRoot(&pr.q.Words[noun], s.root)
		}
		return pr.q.NamesSlot(&pr.q.Words[noun], s.hops()[at].step.To())
	}
	switch {
	case noun == pr.q.asked:
		return at == asked
	case s.root != nil && noun == s.root.word:
		return at < 0
	case at == asked && pr.q.asked >= 0 && slices.ContainsFunc(upTo(-1, asked), names):
		return false
	}
	return names(at)
}

// namesRoot reports whether a word names the things that a shape begins at: by their type, where both
// have one, for things of other types may be in the slot too.
func (q *question) namesRoot(w *words.Word, root *root) bool {
	if len(w.Types) > 0 && len(root.types) > 0 {
		return slices.ContainsFunc(w.Types, func(t kg.TypeID) bool { return slices.Contains(root.types, t) })
	}
	return q.NamesSlot(w, root.at)
}

// all is a share of all, but for rounding.
const all = 0.999

// hasValue reports whether things in a slot have values along a step.
func (p *Planner) hasValue(at schema.Slot, types []kg.TypeID, s schema.Step) bool {
	isOfTypes := slices.ContainsFunc(types, func(t kg.TypeID) bool { return p.schema.Types(s.From())[t] > 0 })
	if len(types) > 0 && p.schema.Typed(s.From()) > all {
		return isOfTypes // where all that has it is typed, other things of the slot tell nothing
	}
	return isOfTypes || at == s.From() || p.schema.Shared(at, s.From()) > 0
}
