package query

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"cairn/engine/evidence"
	"cairn/engine/internal/bail"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/internal/wording"
)

// value reads an entity as a value.
func (x *evaluation) value(e kg.EntityID) (kg.Value, bool) {
	if v, ok := x.values[e]; ok {
		return v, true
	}
	v, ok := x.g.Value(e)
	if ok && len(x.values) < most {
		x.values[e] = v
	}
	return v, ok
}

// most bounds what is kept for notes, and to be read again, alone.
const most = 10_000

// holds reports whether an entity's value meets a filter: its number, or the value of
// another entity. Values of different dimensions never do.
func (x *evaluation) holds(f pattern.Filter, e, than kg.EntityID) bool {
	if f.Op == pattern.Unequal && f.Than != nil {
		return e != than
	}
	v, ok := x.value(e)
	if !ok {
		return false
	}
	if f.Yearly != (kg.Yearly{}) {
		return f.Holds(v)
	}
	with := kg.Value{Number: f.Value, Unit: f.Unit}
	if f.Than != nil {
		if with, ok = x.value(than); !ok {
			return false
		}
	}
	if with.Unit != "" && (v.Unit != "" || f.Than == nil) {
		if v, ok = v.In(with.Unit); !ok {
			if len(x.units) < most {
				x.units[e] = with.Unit
			}
			return false
		}
	}
	if f.Than == nil {
		return f.Holds(v)
	}
	// Dates compare as they are, and with a bare year by their years.
	if v.Kind != with.Kind {
		v.Number, with.Number = math.Floor(v.Number), math.Floor(with.Number)
	}
	if f.Plus != 0 && f.Op == pattern.Equal { // "ten years after": in that year
		v.Number, with.Number = math.Floor(v.Number), math.Floor(with.Number)
	}
	f.Value = with.Number*cmp.Or(f.Times, 1) + f.Plus
	return f.Holds(kg.Value{Number: v.Number})
}

// sample is one value that is ranked or measured.
type sample struct {
	kg.Value

	per    kg.EntityID
	entity kg.EntityID // whose value it is
	said   string      // by a statement, where it is no entity's
}

func (x *evaluation) text(s *sample) string {
	if s.said != "" {
		return s.said
	}
	return wording.OneLine(x.g.Label(s.entity))
}

// oneUnit tells the samples in the unit that most have, and says which were told so, and
// which are left out because they cannot be.
func (x *evaluation) oneUnit(list []sample) []sample {
	counts := map[string]int{}
	for i := range list {
		counts[list[i].Unit]++
	}
	if len(counts) < 2 {
		return list
	}
	best := ""
	for u, n := range counts {
		if b := counts[best]; n > b || n == b && u < best {
			best = u
		}
	}
	left := 0
	var kept []sample
	var others, told []string
	for _, s := range list {
		v, ok := s.In(best)
		text := x.text(&s)
		switch {
		case !ok:
			if left++; len(others) < 100 && !slices.Contains(others, text) {
				others = append(others, text)
			}
			continue
		case s.Unit != best:
			if text += " = " + wording.Amount(v.Number, best); len(told) < 100 && !slices.Contains(told, text) {
				told = append(told, text)
			}
		}
		s.Value = v
		kept = append(kept, s)
	}
	if len(told) > 0 {
		x.note("Units were converted: %s.", wording.First(told, 3))
	}
	if left > 0 {
		x.note("%s left out, because units of different kinds are never mixed: most are %s, not %s.", wording.Count(left, "value was", "values were"), unitWords(best), wording.First(others, 3))
	}
	return kept
}

func unitWords(unit string) string {
	if unit == "" {
		return "without a unit"
	}
	return "in " + unit
}

// rank keeps the rows whose value of a node is among the first, and sorts them so. The first
// three are as many things as that, and those that tie with the last.
func (x *evaluation) rank(o *pattern.Order) {
	at, per, of := x.column(o.Node), -1, max(x.column(x.p.Asked), 0)
	if o.Per != nil {
		per = x.column(*o.Per)
	}
	if o.Of != nil {
		of = x.column(*o.Of)
	}
	group := func(row []kg.EntityID) kg.EntityID {
		if per < 0 {
			return kg.NoEntity
		}
		return row[per]
	}
	var samples []sample
	seen := map[kg.EntityID]bool{}
	for i := range x.rows.len() {
		if e := x.rows.at(i)[at]; !seen[e] {
			seen[e] = true
			if v, ok := x.value(e); ok {
				samples = append(samples, sample{Value: v, entity: e})
			} else if len(x.texts) < most {
				x.texts[e] = true
			}
		}
	}
	samples = x.oneUnit(samples)
	number := map[kg.EntityID]float64{}
	for _, s := range samples {
		number[s.entity] = s.Number
	}
	type one struct {
		group, thing kg.EntityID
		n            float64
	}
	counted := map[one]bool{}
	ranked := map[kg.EntityID]map[float64]int{} // of each group, how many things have each value, and then its place
	for i := range x.rows.len() {
		row := x.rows.at(i)
		if n, ok := number[row[at]]; ok {
			if ranked[group(row)] == nil {
				ranked[group(row)] = map[float64]int{}
			}
			if c := (one{group(row), row[of], n}); !counted[c] {
				counted[c] = true
				ranked[c.group][n]++
			}
		}
	}
	for g, place := range ranked {
		values := slices.Sorted(maps.Keys(place))
		if o.Descending {
			slices.Reverse(values)
		}
		kept := x.ranks(values, place)
		if per < 0 {
			x.step("%s, of which %s", wording.Count(len(values), "different value", "different values"), wording.Count(len(kept), "is kept", "are kept"))
		}
		ranked[g] = map[float64]int{}
		for i, v := range kept {
			ranked[g][v] = i
		}
	}
	rank := func(row []kg.EntityID) (int, bool) {
		n, ok := number[row[at]]
		i, is := ranked[group(row)][n]
		return i, ok && is
	}
	x.rows.keep(func(row []kg.EntityID) bool { _, ok := rank(row); return ok })
	order := make([]int, x.rows.len())
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		i, _ := rank(x.rows.at(a))
		j, _ := rank(x.rows.at(b))
		if by := cmp.Compare(group(x.rows.at(a)), group(x.rows.at(b))); by != 0 {
			return by
		}
		if asked := x.column(x.p.Asked); i == j && asked >= 0 {
			return cmp.Compare(x.rows.at(a)[asked], x.rows.at(b)[asked])
		}
		return i - j
	})
	sorted := make([]kg.EntityID, 0, len(x.rows.ids))
	for _, i := range order {
		sorted = append(sorted, x.rows.at(i)...)
	}
	x.rows.ids = sorted
}

// ranks cuts the ranks that are asked for out of distinct values, best first, of which so many things have each.
func (x *evaluation) ranks(values []float64, things map[float64]int) []float64 {
	o := x.p.Order
	if o.Skip >= len(values) && len(values) > 0 {
		x.note("%s, so there is none after the first %d.", wording.Count(len(values), "different value was found", "different values were found"), o.Skip)
	}
	rest := values[min(o.Skip, len(values)):]
	n := firstOf(rest, things, o.Limit)
	if o.Both {
		slices.Reverse(values)
		behind := firstOf(values, things, o.Limit)
		slices.Reverse(values)
		return slices.Concat(rest[:n], rest[max(n, len(rest)-behind):])
	}
	return rest[:n]
}

// firstOf returns how many values the first so many things have.
func firstOf(values []float64, things map[float64]int, limit int) (n int) {
	for seen := 0; n < len(values) && seen < limit; n++ {
		seen += things[values[n]]
	}
	return n
}

// amount is a measured number.
type amount struct {
	evidence.Amount

	per kg.EntityID
	n   int // how many values it is made of
}

// tied begins the note that more come first than were asked for.
const tied = "Several share a value"

// answers makes x.found.Answers of the rows.
func (x *evaluation) answers() {
	p := x.p
	switch {
	case p.Task == pattern.Verify:
		x.found.Stats.Found = x.rows.len()
		return
	case p.Measure != nil:
		x.measure()
		return
	}
	at, value, per := x.column(p.Asked), x.column(x.compared()), -1
	if p.Order != nil && p.Order.Per != nil {
		per = x.column(*p.Order.Per)
	}
	var place map[kg.EntityID]int
	if p.Order == nil {
		x.rows.sortBy(at) // the rows of an answer stand together
		x.found.Answers = slices.Grow(x.found.Answers, x.rows.runs(at))
	} else {
		place = make(map[kg.EntityID]int, x.rows.len())
	}
	for i := range x.rows.len() {
		row := x.rows.at(i)
		n := len(x.found.Answers) - 1
		ok := n >= 0 && x.found.Answers[n].Entity == row[at]
		if place != nil {
			n, ok = place[row[at]]
		}
		if !ok {
			n = len(x.found.Answers)
			if place != nil {
				place[row[at]] = n
			}
			a := evidence.Answer{Entity: row[at], Score: evidence.Score{Scale: evidence.Distance}}
			if value >= 0 {
				v, _ := x.value(row[value])
				a.Amount = &evidence.Amount{Value: v.Number, Unit: v.Unit, Text: wording.OneLine(x.g.Label(row[value]))}
			}
			x.found.Answers = append(x.found.Answers, a)
		}
		if a := &x.found.Answers[n]; per >= 0 && a.Matches == 0 { // whose best it is
			a.Amount.Text = x.bestOf(row[per], row[value])
		} else if per >= 0 && !strings.Contains("; "+a.Amount.Text+"; ", "; "+x.bestOf(row[per], row[value])+"; ") {
			a.Amount.Text += "; " + x.bestOf(row[per], row[value])
		}
		x.found.Answers[n].Matches++
	}
	if n := len(x.found.Answers); p.Order != nil && per < 0 && !p.Order.Both && n > p.Order.Limit {
		x.note(tied+", so %d are shown, including all ties.", n)
	}
	x.found.Stats.Found = len(x.found.Answers)
}

// bestOf says of which group something is the best, and by what value.
func (x *evaluation) bestOf(group, value kg.EntityID) string {
	return wording.OneLine(x.g.Label(group)) + ": " + wording.OneLine(x.g.Label(value))
}

// measure makes the numbers, of all rows or of each group, and answers of them.
func (x *evaluation) measure() {
	m, o := x.p.Measure, x.p.Order
	var amounts []amount
	groups := -1
	switch {
	case x.p.CountsTwo():
		amounts = x.ofTwoCounts()
	case m.Func.IsOfTwo():
		amounts = x.ofTwo()
	case m.Func == pattern.CountOf && m.Property == "":
		all := x.tallies()
		amounts, groups = x.counts(all), len(all)
	default:
		amounts = x.amounts(x.samples())
	}
	if m.Every {
		amounts = x.withNone(amounts)
	}
	if len(m.Having) > 0 {
		amounts = x.having(amounts)
	}
	if m.Fold != nil {
		amounts = x.fold(*m.Fold, amounts)
	}
	if m.Per < 0 || m.Fold != nil {
		x.found.Stats.Found = len(amounts)
		for _, a := range amounts {
			answer := evidence.Answer{Entity: kg.NoEntity, Value: a.Text, Amount: &a.Amount, Matches: a.n, Score: evidence.Score{Scale: evidence.Distance}}
			if m.Func == pattern.Values {
				answer.Amount = nil // nothing is made of it
			}
			x.found.Answers = append(x.found.Answers, answer)
		}
		return
	}
	descending := o == nil || o.Node != pattern.Measured || o.Descending
	slices.SortFunc(amounts, func(a, b amount) int {
		by := cmp.Compare(a.Value, b.Value)
		if descending {
			by = -by
		}
		return cmp.Or(by, cmp.Compare(a.per, b.per))
	})
	x.step("%s of %s for each of %s", m.Func, x.nodeText(m.Node), wording.Count(max(groups, len(amounts)), "group", "groups"))
	if o != nil && o.Node == pattern.Measured {
		all := amounts
		if amounts = x.top(amounts); x.p.IsChoice() {
			for _, a := range all[min(len(amounts), len(all)):] {
				x.note("%s has %s.", x.names([]kg.EntityID{a.per}), a.Text)
			}
		}
	}
	place := map[kg.EntityID]*amount{}
	for i := range amounts {
		place[amounts[i].per] = &amounts[i]
	}
	per, asked := x.column(m.Per), x.column(x.p.Asked)
	x.rows.keep(func(row []kg.EntityID) bool { return place[row[per]] != nil })
	if per == asked {
		for _, a := range amounts {
			x.found.Answers = append(x.found.Answers, evidence.Answer{Entity: a.per, Amount: &a.Amount, Matches: a.n, Score: evidence.Score{Scale: evidence.Distance}})
		}
		if x.spokes != nil {
			x.spokeRows()
		}
	} else {
		seen := map[kg.EntityID]bool{}
		for i := range x.rows.len() {
			if row := x.rows.at(i); !seen[row[asked]] {
				seen[row[asked]] = true
				x.found.Answers = append(x.found.Answers, evidence.Answer{Entity: row[asked], Matches: 1, Score: evidence.Score{Scale: evidence.Distance}})
			}
		}
	}
	x.found.Stats.Found = len(x.found.Answers)
}

// having keeps the groups whose number is as it must be, and their rows.
func (x *evaluation) having(amounts []amount) []amount {
	n := len(amounts)
	kept := map[kg.EntityID]bool{}
	amounts = slices.DeleteFunc(amounts, func(a amount) bool {
		v := kg.Value{Kind: kg.NumberValue, Number: a.Value, Unit: a.Unit}
		out := slices.ContainsFunc(x.p.Measure.Having, func(f pattern.Filter) bool { return !f.Holds(v) })
		kept[a.per] = !out
		return out
	})
	x.step("%s, of which %s", wording.Count(n, "group", "groups"), wording.Count(len(amounts), "is kept", "are kept"))
	if per := x.column(x.p.Measure.Per); x.spokes == nil {
		x.rows.keep(func(row []kg.EntityID) bool { return kept[row[per]] })
	}
	return amounts
}

// ofTwo are the differences, or the ratios, of the values of two nodes: one for each pair.
func (x *evaluation) ofTwo() (out []amount) {
	m := x.p.Measure
	x.pairs = map[[2]kg.EntityID]int{}
	pairs := rows{width: 2}
	for i := range x.rows.len() {
		row := x.rows.at(i)
		pairs.ids = append(pairs.ids, row[x.column(m.Node)], row[x.column(m.Of)])
	}
	pairs.compact()
	for i := range pairs.len() {
		x.work(1)
		row := pairs.at(i)
		v, ok := x.value(row[0])
		w, is := x.value(row[1])
		if !ok || !is {
			for _, e := range row {
				if _, ok := x.value(e); !ok && len(x.texts) < most {
					x.texts[e] = true
				}
			}
			continue
		}
		told, may := w.In(v.Unit)
		isDate := v.Kind == kg.DateValue || w.Kind == kg.DateValue
		years, _, isAge := x.g.YearsBetween(row[1], row[0])
		switch {
		case isDate && isAge && m.Func == pattern.Difference:
			v, told = kg.Value{Number: years, Unit: "years"}, kg.Value{}
		case isDate:
			x.note("Dates have no %s; compare them instead.", m.Func)
			continue
		case !may:
			x.note("%s and %s are measured in units of different kinds.", wording.OneLine(x.g.Label(row[0])), wording.OneLine(x.g.Label(row[1])))
			continue
		case m.Func == pattern.Ratio && told.Number == 0:
			x.note("Nothing is a multiple of 0.")
			continue
		}
		a := amount{per: kg.NoEntity, n: 1, Amount: evidence.Amount{Value: v.Number / told.Number}}
		if m.Func == pattern.Difference {
			a.Value, a.Unit = v.Number-told.Number, v.Unit
		}
		a.Text = wording.Amount(a.Value, a.Unit)
		x.pairs[[2]kg.EntityID(row)] = len(out)
		out = append(out, a)
	}
	return out
}

// ofTwoCounts counts with one name and with the other in its place.
func (x *evaluation) ofTwoCounts() []amount {
	m, at := x.p.Measure, x.p.Replaced()
	q := *x.p
	q.Nodes = slices.Clone(q.Nodes)
	q.Nodes[at], q.Nodes[m.Of] = q.Nodes[m.Of], q.Nodes[at]
	q.Task, q.Asked, q.Measure = pattern.Find, m.Node, nil
	l := x.limits
	l.Work = max(x.left, 1)
	other, err := Evaluate(x.ctx, x.g, &q, l)
	bail.If(err)
	x.work(other.Stats.Considered)
	x.others = other.Candidates
	if x.found.Completeness == evidence.Exhaustive {
		x.found.Completeness = other.Completeness
	}
	one, two := x.distinct(m.Node), len(other.Answers)
	x.note("It is %s for %s, and %s for %s.", wording.Number(one), x.names(x.p.Nodes[at].Entities), wording.Number(two), x.names(x.p.Nodes[m.Of].Entities))
	a := amount{per: kg.NoEntity, n: one + two, Amount: evidence.Amount{Value: float64(one - two)}}
	if m.Func == pattern.Ratio {
		if a.Value = float64(one) / float64(two); two == 0 {
			x.note("Nothing is a multiple of 0.")
			return nil
		}
	}
	a.Text = wording.Amount(a.Value, "")
	return []amount{a}
}

// top keeps the groups that are asked for: as many as asked, and all that tie with the last.
func (x *evaluation) top(amounts []amount) []amount {
	o := x.p.Order
	for skipped := range o.Skip {
		i := slices.IndexFunc(amounts, func(a amount) bool { return a.Value != amounts[0].Value })
		if i < 0 {
			if len(amounts) > 0 {
				x.note("There are only %d different numbers, so there is none after the first %d.", skipped+1, o.Skip)
			}
			return nil
		}
		amounts = amounts[i:]
	}
	n := min(o.Limit, len(amounts))
	if o.Both {
		last := max(n, len(amounts)-n)
		for ; n < last && amounts[n].Value == amounts[n-1].Value; n++ {
		}
		for ; last > n && amounts[last-1].Value == amounts[min(last, len(amounts)-1)].Value; last-- {
		}
		return slices.Concat(amounts[:n], amounts[last:])
	}
	for n < len(amounts) && amounts[n].Value == amounts[n-1].Value {
		n++
	}
	if n > o.Limit {
		x.note("%d are shown although %d %s asked for, because all of these tie with the last, at %s.", n, o.Limit, map[bool]string{true: "was", false: "were"}[o.Limit == 1], amounts[n-1].Text)
	}
	if !o.Descending && x.p.Measure.Func == pattern.CountOf && !x.p.Measure.Every {
		x.note("Those without any were not compared.")
	}
	return amounts[:n]
}

// samples are the values that are measured, each pair of a thing and its value once.
func (x *evaluation) samples() (list []sample) {
	m := x.p.Measure
	columns := []int{m.Per, m.Of, m.Node}
	if m.Func == pattern.CountOf || m.Func == pattern.Share {
		columns[1] = -1
	}
	if m.Property != "" {
		e := x.p.Edges[m.Edge]
		columns = []int{m.Per, e.From, e.To}
	}
	pairs := x.columns(columns...)
	for i := range pairs.len() {
		x.work(1)
		row := pairs.at(i)
		switch {
		case m.Property != "":
			list = x.said(list, row)
		case m.Func == pattern.CountOf, m.Func == pattern.Share:
			list = append(list, sample{per: row[0], Value: kg.Value{Number: 1}})
		default:
			if v, ok := x.value(row[2]); ok {
				list = append(list, sample{Value: v, per: row[0], entity: row[2]})
			} else if len(x.texts) < most {
				x.texts[row[2]] = true
			}
		}
	}
	return list
}

// columns are the rows with some nodes alone, each once; kg.NoEntity for a node that is none.
func (x *evaluation) columns(nodes ...int) rows {
	at := wording.Each(nodes, x.column)
	list := rows{width: len(nodes), ids: make([]kg.EntityID, 0, x.rows.len()*len(nodes))}
	for i := range x.rows.len() {
		row := x.rows.at(i)
		for _, n := range at {
			e := kg.NoEntity
			if n >= 0 {
				e = row[n]
			}
			list.ids = append(list.ids, e)
		}
	}
	list.compact()
	return list
}

// said appends what the statements between two entities say of the measured property:
// each different value of a triple once.
func (x *evaluation) said(list []sample, row []kg.EntityID) []sample {
	m := x.p.Measure
	edge := x.main.query.Edges[slices.Index(x.main.edges, m.Edge)]
	test := pattern.NewTest(x.g, x.p.Edges[m.Edge].Conditions)
	names, counts := pattern.PropertiesCalled(x.g, m.Property), m.Func == pattern.CountOf
	span := pattern.NewInterval(x.g, m.Property, m.To)
	add := func(from int, s sample) {
		if !slices.ContainsFunc(list[from:], func(o sample) bool { return o.Value == s.Value && (o.said == s.said || m.To == "" && s.Number != 0) }) {
			list = append(list, s)
		}
	}
	values := 0
	for _, s := range x.steps(edge, row[1], true) {
		if s.Entity != row[2] {
			continue
		}
		from := len(list)
		for said := range x.g.Statements(s.Triple) {
			if !test.Says(said) {
				continue
			}
			if m.To != "" {
				if s, ok := x.spanned(said, span); ok {
					s.per = row[0]
					add(from, s)
				}
				continue
			}
			if counts && slices.ContainsFunc(said, func(p kg.Property) bool { return slices.Contains(names, p.Name) }) {
				list = append(list, sample{Value: kg.Value{Number: 1}, per: row[0]})
			}
			for _, p := range said {
				v, ok := p.Extent()
				if !counts && slices.Contains(names, p.Name) && (ok || m.Func == pattern.Values) {
					add(from, sample{Value: v.Value, per: row[0], said: wording.OneLine(x.g.PropertyValue(p))})
				}
			}
		}
		values += len(list) - from
	}
	if values == 0 {
		x.silent++
	}
	return list
}

// spanned is the interval that a statement says, as it says it, with its length in years; one
// that is open has no length.
func (x *evaluation) spanned(said []kg.Property, span pattern.Interval) (s sample, ok bool) {
	first, last := span.Ends(said)
	text := func(p kg.Property) string { return wording.OneLine(x.g.PropertyValue(p)) }
	begins, isFirst := first.Extent()
	ends, isLast := last.Extent()
	if isFirst && isLast && begins.Unit == "" && ends.Unit == "" && begins.Number <= ends.Number {
		s.Value = kg.Value{Number: ends.Number - begins.Number, Unit: years}
	} else if x.p.Measure.Func != pattern.Values {
		return s, false
	}
	switch {
	case first.Name == "" && last.Name == "":
		return s, false
	case last.Name == "":
		s.said = "since " + text(first)
	case first.Name == "":
		s.said = "until " + text(last)
	default:
		s.said = text(first) + "–" + text(last)
		if strings.ContainsAny(s.said, "- ") { // 2000-03-01
			s.said = text(first) + " – " + text(last)
		}
	}
	return s, true
}

// years is the unit of how long something was so.
const years = "years"

// amounts are the numbers that samples make, by group, ascending.
func (x *evaluation) amounts(samples []sample) []amount {
	m := x.p.Measure
	if m.Func == pattern.Values {
		return x.listed(samples)
	}
	if m.Func != pattern.CountOf && m.Func != pattern.Share {
		samples = x.oneUnit(samples)
		isDate := func(s sample) bool { return s.Kind == kg.DateValue }
		if (m.Func == pattern.Sum || m.Func == pattern.Average || m.Func == pattern.Median) && slices.ContainsFunc(samples, isDate) {
			x.note("Dates have no %s; ask for the earliest or the latest instead.", m.Func)
			return nil
		}
		if len(samples) == 0 {
			x.note("There is no number to take the %s of.", m.Func)
		}
	}
	place := map[kg.EntityID]int{}
	var out []amount
	numbers := map[kg.EntityID][]float64{} // of each group, for its median
	if (m.Func == pattern.CountOf || m.Func == pattern.Share) && m.Per < 0 {
		out, place[kg.NoEntity] = append(out, amount{per: kg.NoEntity}), 0
	}
	for _, s := range samples {
		i, ok := place[s.per]
		if !ok {
			i = len(out)
			place[s.per] = i
			out = append(out, amount{per: s.per, Amount: evidence.Amount{Unit: s.Unit}})
		}
		a := &out[i]
		a.n++
		switch m.Func {
		case pattern.CountOf, pattern.Share:
			a.Value++
		case pattern.Sum, pattern.Average:
			a.Value += s.Number
		case pattern.Least, pattern.Most:
			if a.n == 1 || m.Func == pattern.Least && s.Number < a.Value || m.Func == pattern.Most && s.Number > a.Value {
				a.Value, a.Text = s.Number, x.text(&s)
			}
		case pattern.Median:
			numbers[s.per] = append(numbers[s.per], s.Number)
		case pattern.Difference, pattern.Ratio, pattern.Values: // see ofTwo and listed
		}
	}
	for i := range out {
		a := &out[i]
		if m.Func == pattern.Average {
			a.Value /= float64(a.n)
		}
		if m.Func == pattern.Median {
			a.Value = median(numbers[a.per])
		}
		if m.Func == pattern.Share {
			a.Unit = "%"
			if a.Value *= 100 / float64(x.all); x.all == 0 {
				x.note("There is nothing to take the share of.")
				return nil
			}
			x.note("That is %s of %s.", wording.Number(a.n), wording.Number(x.all))
		}
		if a.Text == "" {
			a.Text = wording.Amount(a.Value, a.Unit)
		}
	}
	return out
}

// median is the number in the middle, or between the two there.
func median(list []float64) float64 {
	slices.Sort(list)
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
}

// listed are the different values that are said, as they are.
func (x *evaluation) listed(samples []sample) (out []amount) {
	place := map[string]int{}
	for _, s := range samples {
		i, ok := place[s.said]
		if !ok {
			i = len(out)
			place[s.said] = i
			out = append(out, amount{per: kg.NoEntity, Amount: evidence.Amount{Value: s.Number, Unit: s.Unit, Text: s.said}})
		}
		out[i].n++
	}
	return out
}

// noteValues names what was left out: values that are none, or of another unit, and
// things without a value.
func (x *evaluation) noteValues() {
	if n := len(x.texts); n > 0 {
		x.note("%s left out because %s no number or date: %s.", wording.Count(n, "value was", "values were"), map[bool]string{true: "it is", false: "they are"}[n == 1], x.names(slices.Sorted(maps.Keys(x.texts))))
	}
	if n := len(x.units); n > 0 {
		es := slices.Sorted(maps.Keys(x.units))
		x.note("%s not compared because %s not %s: %s.", wording.Count(n, "value was", "values were"), map[bool]string{true: "it is", false: "they are"}[n == 1], unitWords(x.units[es[0]]), x.names(es))
	}
	if x.silent > 0 {
		x.note("%s for %s and %s left out.", wording.Count(x.silent, "statement has no "+x.sought(), "statements have no "+x.sought()), wording.Quote(x.p.Measure.Property), map[bool]string{true: "was", false: "were"}[x.silent == 1])
	}
	x.noteMissing()
}

// sought is what statements must say to be measured.
func (x *evaluation) sought() string {
	switch m := x.p.Measure; {
	case m.Func == pattern.Values:
		return "value"
	case m.To != "":
		return "start and end"
	}
	return "number"
}

// measuredOf is the node of what is measured or ranked by, and that of what it is of, where
// that may have no value; -1 where there is none.
func (x *evaluation) measuredOf() (value, of int) {
	value, of = -1, -1
	if m := x.p.Measure; m != nil && m.Func != pattern.CountOf && !m.Func.IsOfTwo() && m.Property == "" {
		value, of = m.Node, m.Of
	} else if o := x.p.Order; o != nil && o.Node >= 0 {
		value = o.Node
	}
	touch := slices.DeleteFunc(slices.Clone(x.p.Edges), func(e pattern.Edge) bool { return e.From != value && e.To != value })
	if value < 0 || len(touch) != 1 || slices.ContainsFunc(x.p.Filters, func(f pattern.Filter) bool { return f.Node == value || f.Than != nil && *f.Than == value }) {
		return -1, -1
	}
	if of < 0 {
		of = touch[0].From + touch[0].To - value
	}
	return value, of
}

// noteMissing names the things that are left out because they have no value: those that
// everything else fits.
func (x *evaluation) noteMissing() {
	value, of := x.measuredOf()
	if value < 0 {
		return
	}
	rest := slices.DeleteFunc(slices.Clone(x.p.Edges), func(e pattern.Edge) bool { return e.From == value || e.To == value })
	bounded := slices.ContainsFunc(rest, func(e pattern.Edge) bool { return e.From == of || e.To == of }) || x.p.Nodes[of].Within != nil
	if !bounded || !x.p.Nodes[of].Variable {
		return
	}
	all := x.newPart(rest, x.p.Filters, of)
	list := x.bound(all, x.free(all), []int{of})
	with := x.valued
	if with == nil {
		with = x.bound(x.main, x.free(x.main), []int{of}).ids
	}
	list.keep(func(row []kg.EntityID) bool { return !kg.Holds(with, row[0]) })
	if n := list.len(); n > 0 {
		x.note("%s no value in this graph and %s left out: %s.", wording.Count(n, "entity has", "entities have"), map[bool]string{true: "was", false: "were"}[n == 1], x.names(list.ids))
	}
}
