package present

import (
	"cmp"
	"math"
	"slices"

	"cairn/engine"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/report"
	"cairn/engine/schema"
)

// dated is one row of a timeline before the axis is known.
type dated struct {
	kg.Extent
	triple   kg.TripleID
	when     string
	from, to string // the texts of its ends; empty for an open one
}

// Timeline puts the statements behind an answer in the order of their times, on one axis.
// It is empty where fewer than two say a time.
func Timeline(g *kg.Graph, run *engine.Run) (tl report.Timeline) {
	if run == nil || run.Answer == nil || run.Answer.Refusal != nil || !g.HasProperties() {
		return tl
	}
	times := newTimeReader(g)
	var all []dated
	for _, t := range run.Answer.Pack.Triples {
		from := len(all)
		for said := range g.Statements(t) {
			for _, d := range times.read(said) {
				if !slices.ContainsFunc(all[from:], func(o dated) bool { return o.when == d.when }) {
					d.triple = t
					all = append(all, d)
				}
			}
		}
	}
	if len(all) < 2 {
		return tl
	}
	slices.SortStableFunc(all, func(a, b dated) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.Until, b.Until))
	})
	begin, end := math.Inf(1), math.Inf(-1)
	for _, d := range all {
		for _, e := range []struct {
			at   float64
			text string
		}{{d.Number, d.from}, {d.Until, d.to}} {
			if e.text != "" && e.at < begin {
				begin, tl.First = e.at, e.text
			}
			if e.text != "" && e.at > end {
				end, tl.Last = e.at, e.text
			}
		}
	}
	at := func(x float64) float64 {
		if end == begin {
			return 0
		}
		return (min(max(x, begin), end) - begin) / (end - begin)
	}
	name := rowNames(g, all)
	for _, d := range all {
		tl.Rows = append(tl.Rows, report.Period{
			Label: name(d.triple), When: d.when, From: at(d.Number), Until: at(d.Until), Citations: citation(run, d.triple),
		})
	}
	return tl
}

// rowNames names triples by what is not the same in all of them.
func rowNames(g *kg.Graph, all []dated) func(kg.TripleID) string {
	first := g.Triple(all[0].triple)
	head, relation, tail := true, true, true
	for _, d := range all {
		t := g.Triple(d.triple)
		head, relation, tail = head && t.Head == first.Head, relation && t.Relation == first.Relation, tail && t.Tail == first.Tail
	}
	return func(id kg.TripleID) string {
		t := g.Triple(id)
		switch {
		case relation && tail:
			return OneLine(g.Label(t.Head))
		case relation && head:
			return OneLine(g.Label(t.Tail))
		case head:
			return OneLine(g.RelationText(t.Relation) + " → " + g.Label(t.Tail))
		}
		return TripleText(g, id)
	}
}

// timeReader knows which properties of statements say times.
type timeReader struct {
	g     *kg.Graph
	share map[string][2]int // of a sample: how many values look like times, of how many
}

// maxWhen is how many characters of a time are shown.
const maxWhen = 24

// timesSample is how many statements are looked at.
const timesSample = 2000

func newTimeReader(g *kg.Graph) timeReader {
	x := timeReader{g, map[string][2]int{}}
	for _, said := range g.SomeQualified(timesSample) {
		for _, p := range said {
			n := x.share[p.Name]
			if e, ok := p.Extent(); ok && schema.IsTime(e) {
				n[0]++
			}
			n[1]++
			x.share[p.Name] = n
		}
	}
	return x
}

// isTime reports whether nearly all values of a property look like times: one number
// that looks like a year is none.
func (x timeReader) isTime(name string) bool {
	n := x.share[name]
	return n[1] == 0 || 5*n[0] >= 4*n[1]
}

// read returns the times that a statement says: its interval, with one end open where it
// says the other alone, or else each of its dates.
func (x timeReader) read(said []kg.Property) (list []dated) {
	whole := dated{Extent: kg.Extent{Value: kg.Value{Kind: kg.DateValue, Number: math.Inf(-1)}, Until: math.Inf(1)}}
	for _, p := range said {
		e, ok := p.Extent()
		if !ok || !schema.IsTime(e) || !x.isTime(p.Name) {
			continue
		}
		e = e.Dates()
		text := Shorten(OneLine(x.g.PropertyValue(p)), maxWhen)
		begins, ends := pattern.EndOf(x.g, p.Name)
		isEnd := func(o kg.Property) bool {
			return pattern.IsInterval(x.g.PropertyText(p.Name), x.g.PropertyText(o.Name))
		}
		begins = begins && (!pattern.IsMoment(x.g.PropertyText(p.Name)) || slices.ContainsFunc(said, isEnd))
		switch {
		case begins && e.Number > whole.Number:
			whole.Number, whole.from = e.Number, text
		case ends && e.Until < whole.Until:
			whole.Until, whole.to = e.Until, text
		case !begins && !ends:
			list = append(list, dated{Extent: e, when: OneLine(x.g.PropertyText(p.Name)) + " " + text, from: text, to: text})
		}
	}
	switch {
	case whole.from == "" && whole.to == "":
		return list
	case whole.to == "":
		whole.when = "from " + whole.from
	case whole.from == "":
		whole.when = "until " + whole.to
	case whole.from == whole.to:
		whole.when = whole.from
	default:
		whole.when = whole.from + " – " + whole.to
	}
	return []dated{whole}
}
