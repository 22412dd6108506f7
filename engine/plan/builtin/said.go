package builtin

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
)

// What a question says of a statement rather than of a thing: when it was so ("in
// 2015"), how much of it ("more than 25 %"), or a property by its name ("role
// secretary"). Which properties there are, on which relations and what their values
// are is read from the graph; an interval is two properties whose names begin and end
// one and whose values are dates.

const (
	// propertySample is how many statements are looked at to know the properties.
	propertySample = 200_000
	// mostTexts is how many different texts are known as values.
	mostTexts = 100_000
	// kindShare is the share of the values of a property that must be of a kind.
	kindShare = 0.8
)

// properties are what the statements of a graph say.
type properties struct {
	on      map[kg.RelationID]map[string]*propertyUse
	lasting map[kg.RelationID]bool // what a verb of a beginning or an end tells of now: who "buys" bought before, too
	called  map[string][]string    // the stems of a property's name → the names in the source
	longest int                    // the most words of such a name
	unit    map[string]string      // the unit that a property's name ends in: "share_percent"
	// values are the folded text of a value → the properties that have it, as they write it.
	values map[string]map[string]string
}

// truths are the properties that say yes or no of what a folded word says, as "patched" and
// "unpatched" do, and the value that agrees.
func (ps *properties) truths(word string) (names []string, value string) {
	for called, of := range ps.called {
		denied, ok := lexicon.SaysQuality(called, word)
		if !ok {
			continue
		}
		for _, name := range of {
			if ps.isTruth(name) {
				names = append(names, name)
			}
		}
		for _, has := range ps.values {
			for name, text := range has {
				if yes, is := lexicon.Truth(text); is && yes == !denied && slices.Contains(names, name) {
					value = text
				}
			}
		}
	}
	return names, value
}

// isTruth reports whether all values of a property say yes or no.
func (ps *properties) isTruth(name string) bool {
	for _, uses := range ps.on {
		if u := uses[name]; u != nil && u.truths < u.all {
			return false
		}
	}
	return true
}

// propertyUse counts the values of a property on a relation.
type propertyUse struct {
	all, dates, numbers, truths int
	units                       map[string]bool
	most                        float64 // of its numbers
}

func (u *propertyUse) isDate() bool   { return float64(u.dates) >= kindShare*float64(u.all) }
func (u *propertyUse) isNumber() bool { return float64(u.numbers) >= kindShare*float64(u.all) }

// readProperties returns what the statements of g say; nil where they say nothing.
func readProperties(g *kg.Graph) *properties {
	if !g.HasProperties() {
		return nil
	}
	ps := &properties{on: map[kg.RelationID]map[string]*propertyUse{}, lasting: map[kg.RelationID]bool{}, called: map[string][]string{}, unit: map[string]string{}, values: map[string]map[string]string{}}
	for t, said := range g.SomeQualified(propertySample) {
		r := g.Triple(t).Relation
		if ps.on[r] == nil {
			ps.on[r] = map[string]*propertyUse{}
			begins, ends := lexicon.EventNow(g.RelationName(r))
			ps.lasting[r] = begins || ends
		}
		for _, p := range said {
			u := ps.on[r][p.Name]
			if u == nil {
				u = &propertyUse{units: map[string]bool{}}
				ps.on[r][p.Name] = u
			}
			u.all++
			switch x, ok := p.Extent(); {
			case ok && schema.IsTime(x):
				u.dates++
				u.numbers++ // "2015" may be a number
			case ok:
				u.numbers++
				u.units[x.Unit] = true
				u.most = max(u.most, x.Number)
			default:
				value := g.PropertyValue(p)
				text := stems(value)
				if _, is := lexicon.Truth(value); is {
					u.truths++
				}
				if ps.values[text] == nil && len(ps.values) < mostTexts {
					ps.values[text] = map[string]string{}
				}
				if at := ps.values[text]; at != nil && at[p.Name] == "" {
					at[p.Name] = value
				}
			}
		}
	}
	for _, name := range g.PropertyNames() {
		text := stems(g.PropertyText(name))
		ps.called[text] = append(ps.called[text], name)
		short, unit, bracketed := strings.Cut(g.PropertyText(name), " (") // "dose (l/ha)"
		if ws := lexicon.Tokenize(short); bracketed {
			unit = strings.TrimRight(unit, ")")
		} else if n := len(ws) - 1; n >= 0 {
			short, unit = short[:ws[n].Start], ws[n].Lower
		}
		if us := kg.UnitsOf(unit); us != nil {
			ps.unit[name] = us[0].Symbol
		}
		if short != "" && (bracketed || ps.unit[name] != "") {
			ps.called[stems(short)] = append(ps.called[stems(short)], name)
		}
		ps.longest = max(ps.longest, strings.Count(text, " ")+1)
	}
	return ps
}

// saidOn are what statements of a relation say; nil for nothing.
func (p *Planner) saidOn(r kg.RelationID) map[string]*propertyUse {
	if p.said == nil {
		return nil
	}
	return p.said.on[r]
}

// stems folds a text to the stems of its words.
func stems(text string) string { return strings.Join(lexicon.Stems(text), " ") }

// saying is one thing that a question says of a statement.
type saying struct {
	taken []int // words
	text  string
	names []string // of properties that it may be about; nil where it names none
	time  bool     // it says when
	op    pattern.Op
	value string
	unit  string
	// first and last are when it began and ended, where a text says that it did.
	first, last string
	began       bool // value is when it began, or when what it tells of did: "bought since 2019"
}

// saidLeg is a saying put on a hop of a shape.
type saidLeg struct {
	saying     *saying
	at         int // the hop
	conditions []pattern.Condition
}

// conditions returns what the saying asks of a statement of a relation; none where
// its statements have no such property, or several that it might mean.
func (ps *properties) conditions(s *saying, r kg.RelationID) []pattern.Condition {
	uses := ps.on[r]
	names := slices.Sorted(maps.Keys(uses))
	var fit []pattern.Condition
	add := func(c pattern.Condition) {
		c.Op, c.Value = s.op, s.value
		if (ps.isNamedIn(c.Property, s.unit) || uses[c.Property].isShare(c.Property, s.unit)) && !uses[c.Property].units[s.unit] {
			c.Value = strings.TrimSuffix(s.value, " "+s.unit) // 50 % is the 50 of "share_percent"
		}
		fit = append(fit, c)
	}
	if own := *s; ps.lasting[r] && s.value != "" {
		switch {
		case s.began:
			own.first = s.value
		case s.op == pattern.Equal: // it was so then, whenever it began
			own.first, own.last = "", ""
		}
		s = &own
	}
	if s.first != "" || s.last != "" {
		if bounds := ps.bounds(s, uses, names); bounds != nil || s.value == "" {
			return bounds
		}
	}
	switch {
	case s.names != nil:
		for _, n := range names {
			if slices.Contains(s.names, n) {
				add(pattern.Condition{Property: n})
			}
		}
	case s.time:
		_, yearly := kg.ParseYearly(s.value)
		for _, a := range names {
			for _, b := range names {
				if !yearly && pattern.IsInterval(a, b) && uses[a].isDate() && uses[b].isDate() {
					add(pattern.Condition{Property: a, To: b})
				}
			}
		}
		if len(fit) > 0 {
			break
		}
		for _, n := range names {
			if uses[n].isDate() {
				add(pattern.Condition{Property: n})
				switch c := &fit[len(fit)-1]; {
				case yearly || !pattern.Begins(n):
				case s.began:
					c.Op = pattern.Equal
				case s.op == pattern.Equal && s.first == "":
					c.Op = pattern.AtMost // it has been so since then
				}
			}
		}
	default:
		for _, n := range names {
			isIn := uses[n].isIn(s.unit) || ps.isNamedIn(n, s.unit) || uses[n].isShare(n, s.unit)
			if uses[n].isNumber() && (isIn && s.unit != "" || s.unit == "" && !uses[n].isDate() && (isIn || uses[n].mayBeBare(s.value))) {
				add(pattern.Condition{Property: n})
			}
		}
	}
	if len(fit) != 1 {
		return nil
	}
	return fit
}

// measuredAs returns the one property of a relation whose units measure what a noun is for: the amount of so many nM
// is a "concentration", and who "pays" pays a fee; "" for none or several.
func (ps *properties) measuredAs(w *words.Word, of kg.RelationID) (name string) {
	dimension := cmp.Or(words.DimensionOf(w.Stem), words.DimensionByVerb(w.Lower))
	if dimension == "" || w.Mention >= 0 {
		return ""
	}
	for n, use := range ps.on[of] {
		units := append(slices.Collect(maps.Keys(use.units)), ps.unit[n])
		isIn := func(unit string) bool {
			us := kg.UnitsOf(unit)
			return len(us) > 0 && words.Measures(us[0], dimension)
		}
		isCalled := func(w string) bool { return words.DimensionOf(lexicon.Stem(w)) == dimension } // a fee is money
		if !use.isNumber() || !slices.ContainsFunc(units, isIn) && !slices.ContainsFunc(lexicon.RelationWords(n), isCalled) && (dimension != "share" || !use.isShare(n, "%")) {
			continue
		}
		if name != "" {
			return ""
		}
		name = n
	}
	return name
}

// mayBeBare reports whether a number without a unit may be in that of a property: a fee of 30, where fees go into the
// millions, may be 30 million.
func (u *propertyUse) mayBeBare(number string) bool {
	const thousand = 1000
	n, err := strconv.ParseFloat(number, 64)
	return err == nil && n*thousand > u.most
}

// isNamedIn reports whether the name of a property says that its values are in a unit.
func (ps *properties) isNamedIn(property, unit string) bool {
	return unit != "" && ps.unit[property] == unit
}

// isShare reports whether a property has percent without the sign, as its name and its numbers tell.
func (u *propertyUse) isShare(property, unit string) bool {
	return unit == "%" && u.units[""] && u.most > 1 && u.most <= 100 && slices.ContainsFunc(lexicon.RelationWords(property), func(w string) bool { return shareNouns[w] })
}

var shareNouns = lexicon.Words("shares")

// measuresIn reports whether the values of some property can be told in a unit.
func (ps *properties) measuresIn(unit kg.Unit) bool {
	if ps == nil {
		return false
	}
	for _, uses := range ps.on {
		for name, u := range uses {
			if u.isIn(unit.Symbol) || ps.isNamedIn(name, unit.Symbol) {
				return true
			}
		}
	}
	return false
}

// isIn reports whether some values of a property can be told in a unit.
func (u *propertyUse) isIn(unit string) bool {
	for has := range u.units {
		if _, ok := (kg.Value{Unit: has}).In(unit); ok {
			return true
		}
	}
	return false
}

// findSaid finds what the question says of statements, as far as some relation has
// such properties.
func (r *reader) findSaid() []*saying {
	ps := r.p.said
	if ps == nil {
		return nil
	}
	var out []*saying
	used := make([]bool, len(r.Words))
	for i := range r.Words {
		if used[i] || r.PartOfName(i) {
			continue
		}
		for _, read := range []func(int) *saying{r.namedAt, r.amountAt, r.timeAt, r.truthAt, r.textAt} {
			s := read(i)
			if s == nil || slices.ContainsFunc(s.taken, func(t int) bool { return used[t] || r.PartOfName(t) }) ||
				!slices.ContainsFunc(slices.Collect(maps.Keys(ps.on)), func(rel kg.RelationID) bool { return ps.conditions(s, rel) != nil }) {
				continue
			}
			slices.Sort(s.taken)
			for _, t := range s.taken {
				used[t] = true
			}
			s.text = r.Source[r.Words[s.taken[0]].Start:r.Words[s.taken[len(s.taken)-1]].End]
			out = append(out, s)
			break
		}
	}
	return out
}

// isSaidOf reports whether some of the words are an amount that a statement says.
func (r *reader) isSaidOf(ws []int) bool {
	return slices.ContainsFunc(r.said, func(s *saying) bool {
		return !s.time && slices.ContainsFunc(s.taken, func(t int) bool { return slices.Contains(ws, t) })
	})
}

// isCompared reports whether an amount or a time whose property no word names is compared with a
// value that a word does name: "deeper than 12 m", "founded before 1995".
func (r *reader) isCompared(s *saying) bool {
	return s.names == nil && slices.ContainsFunc(r.compare, func(c *comparison) bool {
		return c.means[0].fit > looseFit && slices.ContainsFunc(s.taken, func(t int) bool { return slices.Contains(c.taken, t) })
	})
}

// takeSaid takes the words of the sayings, so that they ask for nothing else.
func (r *reader) takeSaid() {
	for _, s := range r.said {
		for _, t := range s.taken {
			r.Words[t].Taken = true
		}
		isIn := func(x words.Span) bool {
			return slices.ContainsFunc(s.taken, func(t int) bool { return x.From <= t && t < x.To })
		}
		r.Spans = slices.DeleteFunc(slices.Clone(r.Spans), isIn) // Spans is a part of All
		r.All = slices.DeleteFunc(slices.Clone(r.All), isIn)
	}
}

// upTo returns the words from i to below j.
func upTo(i, j int) (list []int) {
	for ; i < j; i++ {
		list = append(list, i)
	}
	return list
}

// propertyAt returns the properties that the words from i on name, and the word after.
func (r *reader) propertyAt(i int) (names []string, end int) { return r.p.said.named(r.Words, i) }

// gradeNouns are for how much of something there is, behind what it is: "evidence level".
var gradeNouns = lexicon.Words("empty nouns")

// named returns the properties that the longest words from i on name, and the word after.
func (ps *properties) named(ws []words.Word, i int) (names []string, end int) {
	for end = min(i+ps.longest, len(ws)); end > i; end-- {
		if names := ps.called[strings.Join(words.Stems(ws[i:end]), " ")]; names != nil {
			if end < len(ws) && ws[end].Mention < 0 && gradeNouns[lexicon.Singular(ws[end].Lower)] {
				end++
			}
			return names, end
		}
	}
	return nil, i
}

// links are the words that may stand between a property and its value.
func (r *reader) skipLinks(i int) int {
	for n := 0; n < 2 && i < len(r.Words) && r.Words[i].Stop && !r.isThreshold(i); n++ {
		i++
	}
	return i
}

func (r *reader) isThreshold(i int) bool {
	_, n, _ := r.threshold(i)
	return n > 0
}

// threshold reads a comparing phrase at word i and returns how many words it has.
func (r *reader) threshold(i int) (op pattern.Op, n int, date bool) {
	if b, ok := r.p.BoundAt(r.Words, i); ok && b.By < 0 {
		return b.Op, b.To - i, b.Date
	}
	return pattern.Equal, 0, false
}

// namedAt reads a property by its name with a value: "share of more than 25 %", "pmid
// 1234", "role secretary".
func (r *reader) namedAt(i int) *saying {
	names, next := r.propertyAt(i)
	if names == nil || r.isAskedKind(i) || r.claim && r.boundsAt(i) != nil { // "since" may be a property of another relation
		return nil
	}
	at := r.skipLinks(next)
	for k := next; k < at; k++ {
		if _, end := r.dateAt(k); end > 0 { // "in May 2024", where "may" is a word that links, too
			at = k
		}
	}
	s := &saying{names: names}
	var n int
	s.op, n, _ = r.threshold(at)
	at += n
	if value, unit, end := r.amount(at); end > 0 {
		s.value, s.unit, s.taken = value, unit, upTo(i, end)
		return s
	}
	if value, end := r.dateAt(at); end > 0 {
		s.value, s.taken = value, upTo(i, end)
		return s
	}
	if n > 0 {
		return nil
	}
	const longest = 8                      // words of a value
	for from := at; from >= next; from-- { // it may be a word that says little, as grade A is
		for end := min(from+longest, len(r.Words)); end > from; end-- {
			value := r.Source[r.Words[from].Start:r.Words[end-1].End]
			has := r.p.said.values[stems(value)]
			if k := slices.IndexFunc(names, func(n string) bool { return has[n] != "" && (from == at || has[n] == value) }); k >= 0 {
				s.value, s.taken = has[names[k]], upTo(i, end)
				return s
			}
		}
	}
	return nil
}

// truthAt reads what statements say yes or no of: "unpatched vulnerabilities", "was patched".
func (r *reader) truthAt(i int) *saying {
	names, value := r.p.said.truths(r.Words[i].Lower)
	if value == "" || r.Words[i].IsNamedKind() {
		return nil
	}
	return &saying{names: names, op: pattern.Equal, value: value, taken: upTo(i, i+1)}
}

// textAt reads a text that statements say, by itself, where no word of it asks for anything else:
// "exports cocoa", "played as a striker", "chaired".
func (r *reader) textAt(i int) *saying {
	const longest = 8 // words of a value
	as := i - 1
	if as > 0 && (r.Words[as].Lower == "a" || r.Words[as].Lower == "an") {
		as--
	}
	if r.TypeFrom(i) > 0 && (as < 0 || r.Words[as].Lower != "as") {
		return nil // "solvents" are all things of that kind, and what was used "as a solvent" need not be one
	}
	for end := min(i+longest, len(r.Words)); end > i; end-- {
		ws := r.Words[i:end]
		has := r.p.said.values[stems(r.Source[ws[0].Start:ws[len(ws)-1].End])]
		if len(has) == 0 || ws[0].Stop || slices.ContainsFunc(ws, func(w words.Word) bool { return w.IsCue() || w.IsNamedKind() }) {
			continue
		}
		names := slices.Sorted(maps.Keys(has))
		asks := func(k int) bool {
			for _, weight := range r.AsksAt(k) {
				if weight >= words.StrongCue {
					return true
				}
			}
			return false
		}
		isVerb := ws[0].IsPast() || i == 1 && r.Words[0].Lower == "who"
		if text := r.Source[ws[0].Start:ws[len(ws)-1].End]; !isVerb && !strings.EqualFold(text, has[names[0]]) && slices.ContainsFunc(upTo(i, end), asks) {
			continue // "members" are all of them, whatever a statement calls one
		}
		return &saying{names: names, op: pattern.Equal, value: has[names[0]], taken: upTo(i, end)}
	}
	return nil
}

// amountAt reads a compared amount: "more than 25 %", "over 25 % share".
func (r *reader) amountAt(i int) *saying {
	if majorities[r.Words[i].Lower] && i+1 < len(r.Words) && r.Words[i+1].Lower == "of" {
		return &saying{op: pattern.Greater, value: "50 %", unit: "%", taken: []int{i}}
	}
	if value, end := r.fractionAt(i); end > 0 && end < len(r.Words) && r.Words[end].Lower == "of" {
		return &saying{op: pattern.Equal, value: value, unit: "%", taken: upTo(i, end+1)}
	}
	op, n, date := r.threshold(i)
	if date {
		return nil
	}
	value, unit, end := r.amount(i + n)
	if part, after := r.fractionAt(i + n); n > 0 && after > 0 {
		value, unit, end = part, "%", after
	}
	if end == 0 || n == 0 && unit == "" && !r.isObject(i, end) {
		return nil
	}
	s := &saying{op: op, value: value, unit: unit, taken: upTo(i, end)}
	if names, after := r.propertyAt(end); names != nil && !r.Words[end].Stop { // "paid 500 to X"
		s.names, s.taken = names, upTo(i, after)
		return s
	}
	if unit == "" && r.countsAt(end) {
		return nil // "more than two parties" counts them
	}
	if unit == "%" && end < len(r.Words) && r.Words[end].Lower == "of" { // who owns 25 % of X owns X
		s.taken = append(s.taken, end)
	}
	return s
}

// isObject reports whether a bare number, words [i, end), is the object of a verb for a relation whose
// statements say one number: "transferred 5000 to X", "paid X 5000".
func (r *reader) isObject(i, end int) bool {
	if end < len(r.Words) && r.countsAt(end) && !moneys[r.Words[end].Lower] || schema.IsYear(r.Words[i].Lower) {
		return false
	}
	verb := i - 1
	for verb > 0 && r.PartOfName(verb) {
		verb--
	}
	if verb < 0 || r.PartOfName(verb) || r.Words[verb].Stop {
		return false
	}
	for st := range r.AsksAt(verb) {
		if (operands{r.p}).Amount(st.Relation(), nil) != "" {
			return true
		}
	}
	return false
}

var moneys = lexicon.Words("money")

// countsAt reports whether a number before word i may be of what that word counts, and says no amount.
func (r *reader) countsAt(i int) bool {
	return i < len(r.Words) && !r.PartOfName(i) && !r.Words[i].Stop
}

// fractionAt reads "half", "a third" or "three quarters" at word i, as percent, and returns the word
// after; 0 for none.
func (r *reader) fractionAt(i int) (value string, end int) {
	if i >= len(r.Words) {
		return "", 0
	}
	percent, n := lexicon.Fraction(r.Words[i].Lower, r.Words[min(i+1, len(r.Words)-1)].Lower)
	if n == 0 || i+n > len(r.Words) {
		return "", 0
	}
	return strconv.FormatFloat(percent, 'f', -1, 64) + " %", i + n
}

// majorities are more than one half.
var majorities = lexicon.Words("majorities")

// amount reads a number at word i, with its unit where a known one follows, and
// returns the word after; 0 where there is none.
func (r *reader) amount(i int) (value, unit string, end int) {
	c := comparison{}
	if end = r.numberAt(i, &c); end == 0 {
		return "", "", 0
	}
	value = strconv.FormatFloat(c.number, 'f', -1, 64)
	if c.units != nil {
		unit = c.units[max(0, slices.IndexFunc(c.units, r.p.said.measuresIn))].Symbol // "pounds" weigh, or are paid
		value += " " + unit
	} else if end < len(r.Words) {
		if us := kg.UnitsOf(r.Words[end].Lower); us != nil && us[0].Symbol == "%" { // though no value of the graph has it
			return value + " %", "%", end + 1
		}
	}
	return value, unit, end
}

// dateAt reads a year or a date at word i and returns the word after; 0 for none.
func (r *reader) dateAt(i int) (value string, end int) {
	if value, end = r.spokenDate(i); end > 0 {
		return value, end
	}
	for end = min(i+4, len(r.Words)); end > i; end-- {
		if words.IsInNumber(r.Source, r.Words[i].Start, r.Words[end-1].End) {
			continue
		}
		text := r.Source[r.Words[i].Start:r.Words[end-1].End]
		if !strings.ContainsAny(text, "0123456789") {
			continue
		}
		text = link.DateText(text)
		if year, ok := strings.CutSuffix(text, "0s"); ok && schema.IsYear(year+"0") { // "the 1950s"
			return year + "0–" + year + "9", end
		}
		v, ok := kg.ParseValue(text)
		if ok && (v.Kind == kg.DateValue || end == i+1 && schema.IsYear(text)) {
			return text, end
		}
	}
	return "", 0
}

// timeAt reads when something was so: "in 2015", "after 3 May 1999", "from 1914 to
// 1934", "between 1914 and 1934".
func (r *reader) timeAt(i int) *saying {
	bounds := r.boundsAt(i)
	if begins, _ := r.event(); r.claim && bounds != nil && (!begins || bounds.last != "") { // who has "joined since 2010" did so in any later year
		return bounds
	}
	w := r.Words[i].Lower
	if w == "from" || w == "between" {
		first, at := r.dateAt(i + 1)
		if at == 0 {
			first, at = r.inYearOf(i + 1)
		}
		if at > 0 && at < len(r.Words) && slices.Contains([]string{"to", "until", "till", "and"}, r.Words[at].Lower) {
			if last, end := r.dateAt(at + 1); end > 0 {
				s := &saying{time: true, op: pattern.Equal, value: first + "–" + last, taken: upTo(i, end)}
				r.boundByEvent(s)
				return s
			}
		}
	}
	op, n, _ := r.threshold(i)
	if n == 0 && slices.Contains([]string{"in", "during", "on", "at"}, w) {
		n = 1
	}
	value, end := r.dateAt(r.skipYear(i + n))
	if end == 0 && n == 1 && op == pattern.Equal {
		value, end = r.yearlyAt(i + n)
	}
	if end == 0 || n > 0 && w != "in" && op == pattern.Equal && n > 1 {
		return nil
	}
	s := &saying{time: true, op: op, value: value, taken: upTo(i, end), began: r.claim && bounds != nil && bounds.first == value}
	if one := bounds != nil && (bounds.first == "") != (bounds.last == ""); one && (bounds.last != "" || r.hasBeen()) {
		s.first, s.last = bounds.first, bounds.last // "was director until 2012", "has been director since 2010"
	}
	if op == pattern.Equal {
		r.boundByEvent(s)
	}
	return s
}

// boundByEvent puts down when something began, or ended, where a verb of the text tells that it did.
func (r *reader) boundByEvent(s *saying) {
	switch begins, ends := r.event(); {
	case begins && !ends:
		s.first = s.value
	case ends && !begins:
		s.last = s.value
	}
}

// inYearOf reads a month or a day at word i that is of the year of the date behind it, "February and April 2024", and
// returns the word after it; 0 for none.
func (r *reader) inYearOf(i int) (value string, end int) {
	if _, end = r.yearlyAt(i); end == 0 {
		return "", 0
	}
	last, after := r.dateAt(end + 1)
	x, ok := kg.ParseExtent(last)
	if after == 0 || !ok {
		return "", 0
	}
	return link.DateText(fmt.Sprintf("%s %d", r.Source[r.Words[i].Start:r.Words[end-1].End], int(x.Number))), end
}

// hasBeen reports whether the text says of something that has been so, and is.
func (r *reader) hasBeen() bool {
	return slices.ContainsFunc(r.Words, func(w words.Word) bool { return w.Lower == "been" }) && slices.ContainsFunc(r.Words, func(w words.Word) bool { return w.Lower == "has" || w.Lower == "have" })
}

// event reports whether the text tells how something began or ended: who joined in a year did
// not join in the next, as a member is one. "Was married" tells of what was so in between.
func (r *reader) event() (begins, ends bool) {
	for i := range r.Words {
		w := r.Words[i].Lower
		if r.PartOfName(i) || i > 0 && w == "married" && copulas[r.Words[i-1].Lower] {
			continue
		}
		b, e := lexicon.Event(lexicon.Base(w))
		b = b || lexicon.Base(w) == "take" && i+1 < len(r.Words) && r.Words[i+1].Lower == "up"
		begins, ends = begins || b, ends || e
	}
	return begins, ends
}

// withSaid puts the sayings of the question on the shapes: on any hop whose statements
// have such a property. A shape that leaves one out loses points, and its reading says
// so.
func (r *reader) withSaid(base []proposal) []proposal {
	out := base
	for _, s := range r.said {
		sortProposals(out)
		var hung []proposal
		for _, p := range out[:min(len(out), valueShapes)] {
			hops := p.shape.hops()
			for at, h := range hops {
				var conditions []pattern.Condition
				for _, rel := range r.p.schema.Twins(h.step.Relation()) {
					if conditions = r.p.said.conditions(s, rel); conditions != nil {
						break
					}
				}
				if len(conditions) == 0 {
					continue
				}
				n := p
				n.score += r.p.weights.Compared
				if (r.p.goesBack(hops, at) || at+1 < len(hops) && r.p.goesBack(hops, at+1)) && !p.q.mayShare() {
					n.score -= r.p.weights.CompareUnused // what was detected in 2023 is nothing that was found where another was
				}
				n.shape.said = append(slices.Clone(p.shape.said), saidLeg{s, at, conditions})
				hung = append(hung, n)
			}
		}
		for i := range out {
			out[i].score -= r.p.weights.CompareUnused
		}
		out = append(out, hung...)
	}
	return out
}

// unsaid returns the sayings that a proposal leaves out, as the question has them. One
// that is read as a comparison of values is not.
func (r *reader) unsaid(pr *proposal) (texts []string) {
	for _, s := range r.said {
		made := slices.ContainsFunc(pr.shape.said, func(l saidLeg) bool { return l.saying == s }) ||
			slices.ContainsFunc(pr.shape.values, func(v valueLeg) bool {
				return strings.Contains(v.comparison.text, s.value) || strings.Contains(s.text, v.comparison.text)
			})
		if !made {
			texts = append(texts, s.text)
		}
	}
	return texts
}

// isSaid reports whether a word belongs to a saying.
func (r *reader) isSaid(i int) bool {
	return slices.ContainsFunc(r.said, func(s *saying) bool { return slices.Contains(s.taken, i) })
}
