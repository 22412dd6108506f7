package pattern

import (
	"math"
	"slices"
	"strings"

	"cairn/engine/internal/bail"
	"cairn/engine/kg"
)

// Condition is what the statement of an edge must say beside its triple: a property
// that compares with a value.
type Condition struct {
	// Property is the name of the property in its source, or for people.
	Property string `json:"property"`
	// To names the property that ends what Property begins, so that both are an
	// interval: from and to. Empty for a single property.
	To string `json:"to,omitempty"`
	Op Op     `json:"op"`
	// Value is a number with or without a unit, a date, a month or a day of any year, an
	// interval, a name or a text.
	Value string `json:"value"`
}

// Test tells which triples of a graph have a statement that meets all of some
// conditions. Everything that evaluates patterns asks a Test.
type Test struct {
	g     *kg.Graph
	tests []test
}

type test struct {
	Condition
	interval Interval // of the properties
	extent   kg.Extent
	measured bool // extent is the value
	yearly   kg.Yearly
}

// NewTest returns the test of conditions; nil, which every triple passes, for none.
func NewTest(g *kg.Graph, conditions []Condition) *Test {
	if len(conditions) == 0 {
		return nil
	}
	t := &Test{g: g}
	for _, c := range conditions {
		x := test{Condition: c, interval: NewInterval(g, c.Property, c.To)}
		x.extent, x.measured = kg.Property{Value: c.Value, Entity: kg.NoEntity}.Extent()
		if c.Op == Equal {
			x.yearly, _ = kg.ParseYearly(c.Value)
		}
		t.tests = append(t.tests, x)
	}
	return t
}

// PropertiesCalled returns the names in their source of the properties that are called
// so, there or for people.
func PropertiesCalled(g *kg.Graph, name string) (names []string) {
	if name == "" {
		return nil
	}
	for _, n := range g.PropertyNames() {
		if n == name || Fold(n) == Fold(name) || Fold(g.PropertyText(n)) == Fold(name) {
			names = append(names, n)
		}
	}
	return names
}

// Holds reports whether one statement of a triple meets all conditions.
func (t *Test) Holds(id kg.TripleID) bool {
	if t == nil {
		return true
	}
	for said := range t.g.Statements(id) {
		if t.Says(said) {
			return true
		}
	}
	return false
}

// Says reports whether a statement meets all conditions.
func (t *Test) Says(said []kg.Property) bool {
	return t == nil || !slices.ContainsFunc(t.tests, func(x test) bool { return !x.meets(t.g, said) })
}

// meets reports whether a statement meets a condition. Of a property that it has
// several times one is enough.
func (x *test) meets(g *kg.Graph, said []kg.Property) bool {
	if x.To != "" {
		whole, ok := x.interval.Of(said)
		return ok && x.measured && x.extent.Unit == "" && x.Op.touches(whole, x.extent.Dates())
	}
	return slices.ContainsFunc(said, func(p kg.Property) bool {
		if !slices.Contains(x.interval.begins, p.Name) {
			return false
		}
		text := g.PropertyValue(p)
		if v, ok := p.Extent(); ok && (x.measured || x.yearly != (kg.Yearly{})) {
			return x.measured && x.Op.compares(v, x.extent) || x.yearly.Has(v.Value)
		}
		return x.Op == Equal && (strings.EqualFold(text, strings.TrimSpace(x.Value)) || strings.EqualFold(p.Value, strings.TrimSpace(x.Value)) ||
			p.Entity != kg.NoEntity && g.Key(p.Entity) == x.Value)
	})
}

// Interval is what two properties of statements begin and end; one property alone is its own
// beginning.
type Interval struct{ begins, ends []string }

// NewInterval returns the interval of two properties, by their names in their source or for
// people.
func NewInterval(g *kg.Graph, property, to string) Interval {
	return Interval{PropertiesCalled(g, property), PropertiesCalled(g, to)}
}

// Ends returns the properties of a statement that begin and end the interval; those that it
// lacks are empty.
func (x Interval) Ends(said []kg.Property) (first, last kg.Property) {
	for _, p := range said {
		switch {
		case first.Name == "" && slices.Contains(x.begins, p.Name):
			first = p
		case last.Name == "" && slices.Contains(x.ends, p.Name):
			last = p
		}
	}
	return first, last
}

// Of returns the interval that a statement says: open where it says one end
// alone, and none where it says neither or one that is no date.
func (x Interval) Of(said []kg.Property) (whole kg.Extent, ok bool) {
	whole = kg.Extent{Value: kg.Value{Kind: kg.DateValue, Number: math.Inf(-1)}, Until: math.Inf(1)}
	for _, p := range said {
		begins, ends := slices.Contains(x.begins, p.Name), slices.Contains(x.ends, p.Name)
		if !begins && !ends {
			continue
		}
		v, is := p.Extent()
		if !is || v.Unit != "" {
			return whole, false
		}
		v, ok = v.Dates(), true
		if begins {
			whole.Number = max(whole.Number, v.Number)
		}
		if ends {
			whole.Until = min(whole.Until, v.Until)
		}
	}
	return whole, ok
}

// touches reports whether some of an interval lies where the comparison says: who was
// director from 1914 to 1934 was so before 1920, in 1920 and after it.
func (o Op) touches(whole, with kg.Extent) bool {
	const slack = 1e-9 // what is dated ends before the next day or year begins
	switch o {
	case Less:
		return whole.Number < with.Number-slack
	case AtMost:
		return whole.Number < with.Until-slack
	case Equal:
		return whole.Number < with.Until-slack && with.Number < whole.Until-slack
	case AtLeast:
		return whole.Until > with.Number+slack
	case Unequal: // which no statement is asked for
	case Greater:
		return whole.Until > with.Until+slack
	}
	return false
}

// compares reports whether what one value covers compares with another: equal are
// those that have something in common, and less is what lies before all of it.
// Numbers compare with dates as years; units of different dimensions never do.
func (o Op) compares(v, with kg.Extent) bool {
	if v.Unit != "" && with.Unit != "" {
		until, _ := kg.Value{Number: with.Until, Unit: with.Unit}.In(v.Unit)
		var ok bool
		if with.Value, ok = with.In(v.Unit); !ok {
			return false
		}
		with.Until = until.Number
	}
	// Numbers come from decimal text, so equal ones differ by rounding at most. What is
	// dated ends before the next day or year begins.
	slack := 1e-9 * max(1, math.Abs(v.Number), math.Abs(with.Number))
	if v.Kind == kg.DateValue || with.Kind == kg.DateValue {
		if v.Unit != "" || with.Unit != "" {
			return false
		}
		v, with, slack = v.Dates(), with.Dates(), -1e-9
	}
	switch o {
	case Less:
		return v.Until < with.Number-slack
	case AtMost:
		return v.Number <= with.Until+slack
	case Equal:
		return v.Number <= with.Until+slack && with.Number <= v.Until+slack
	case AtLeast:
		return v.Until >= with.Number-slack
	case Greater:
		return v.Number > with.Until+slack
	case Unequal: // which no statement is asked for
	}
	return false
}

// ConditionsText writes conditions as ParseText reads them, with a space before; "" for
// none.
func ConditionsText(list []Condition) string {
	if len(list) == 0 {
		return ""
	}
	var texts []string
	for _, c := range list {
		name := conditionWord(c.Property)
		if c.To != "" {
			name += ".." + conditionWord(c.To)
		}
		texts = append(texts, name+" "+c.Op.String()+" "+conditionWord(c.Value))
	}
	return " [" + strings.Join(texts, ", ") + "]"
}

// conditionWord writes a name or a value so that it is read back. A single point is
// part of a number; two divide the ends of an interval.
func conditionWord(s string) string {
	if s == "" || s != strings.TrimSpace(s) || strings.ContainsAny(s, ",[]=<>\"\\") || strings.Contains(s, "..") || strings.HasSuffix(s, ".") || !plain(s) {
		return quote(s)
	}
	return s
}

// ParseConditions reads conditions as patterns write them: "share > 25 %, from..to = 2015".
func ParseConditions(text string) (list []Condition, err error) {
	defer bail.To(&err)
	r := &reader{text: text + "]"}
	list = r.conditions()
	if r.at < len(r.text) {
		panic(r.fail("expected nothing after the conditions"))
	}
	return list, nil
}

// conditions reads what follows an opening bracket, and the closing one.
func (r *reader) conditions() (list []Condition) {
	for {
		var c Condition
		c.Property = r.conditionWord("a property such as from or share")
		if r.take("..") {
			c.To = r.conditionWord("the property that ends the interval")
		}
		c.Op = r.op()
		c.Value = r.conditionWord("a value")
		list = append(list, c)
		if r.take("]") {
			return list
		}
		if !r.take(",") {
			panic(r.fail("expected , or ] after the condition"))
		}
	}
}

func (r *reader) conditionWord(what string) string {
	r.space()
	if q, ok := r.quoted(); ok {
		r.space()
		return q
	}
	rest := r.text[r.at:]
	end := strings.IndexAny(rest, ",[]=<>\"")
	if dots := strings.Index(rest, ".."); dots >= 0 && (end < 0 || dots < end) {
		end = dots
	}
	word := ""
	if end > 0 {
		word = strings.TrimSpace(rest[:end])
	}
	if word == "" {
		panic(r.fail("expected %s", what))
	}
	r.at += end
	return word
}

// moments are words by which properties call when something was.
var moments = []string{"year", "date", "time"}

// IsMoment reports whether the name of a property says when something was, and that it has been so
// from then on only where a statement says an end besides.
func IsMoment(name string) bool { return slices.Contains(moments, Fold(name)) }

// intervals are words by which properties call the beginning and the end of what is so.
var intervals = [][2][]string{
	{{"from"}, {"to", "until", "till", "through"}},
	{{"since"}, {"until", "till", "to"}},
	{moments, {"until", "till"}},
	{{"start", "starts", "started"}, {"end", "ends", "ended", "stop", "stopped", "finish", "finished"}},
	{{"begin", "begins", "began", "beginning"}, {"end", "ends", "ended", "ending"}},
	{{"first"}, {"last"}},
}

// IsInterval reports whether one property names the beginning of what another names the
// end of: from and to, start time and end time, valid_from and valid_to. They differ in
// one word, which stands for a beginning and an end.
func IsInterval(first, last string) bool {
	a, b := strings.Fields(Fold(first)), strings.Fields(Fold(last))
	if len(a) != len(b) {
		return false
	}
	turned := false
	for i := range a {
		if a[i] == b[i] {
			continue
		}
		if turned || !slices.ContainsFunc(intervals, func(x [2][]string) bool { return slices.Contains(x[0], a[i]) && slices.Contains(x[1], b[i]) }) {
			return false
		}
		turned = true
	}
	return turned
}

// Begins reports whether the name of a property says that something has been so from then on: since.
func Begins(name string) bool {
	name = Fold(name)
	return name == "since" || strings.HasSuffix(name, " since")
}

// Ends reports whether the name of a property says that something was so up to then: until.
func Ends(name string) bool {
	name = Fold(name)
	return name == "until" || strings.HasSuffix(name, " until")
}

// EndOf reports whether a property of a graph names the beginning or the end of an interval: by its
// own name, or by that of another of its properties, which names the other.
func EndOf(g *kg.Graph, name string) (begins, ends bool) {
	text := g.PropertyText(name)
	ends = Ends(text)
	for _, other := range g.PropertyNames() {
		o := g.PropertyText(other)
		begins, ends = begins || IsInterval(text, o), ends || IsInterval(o, text)
	}
	return begins, ends && !begins
}
