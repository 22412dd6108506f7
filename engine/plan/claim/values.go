package claim

import (
	"math"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/plan/words"
)

// findValues adds to the numbers of the claim what the graph has of the claim's
// other names and says the same, as precisely as the claim does: 5.2 million
// is 5,204,110, and 388 is 388.0. A number that is nowhere linked becomes a name
// that means nothing.
func (v *verifier) findValues() {
	type value struct {
		kg.Value
		is kg.EntityID
	}
	var near []value // beside the names
	for _, n := range v.names {
		for _, e := range n.is {
			if v.g.Degree(e) > claimScan {
				continue
			}
			for _, x := range v.g.Out(e) {
				y, ok := v.g.Value(x.Entity)
				if y.Unit == "" {
					y.Unit = v.schema.Measured(x.Relation).Unit
				}
				if y := (value{y, x.Entity}); ok && y.Kind == kg.NumberValue && !slices.Contains(near, y) {
					near = append(near, y)
				}
			}
		}
	}
	for i := range v.words {
		x, digits, to, ok := v.number(i)
		if !ok && !v.isCode(i) {
			continue
		}
		at := slices.IndexFunc(v.names, func(n claimName) bool { return n.From <= i && i < n.To })
		if at >= 0 && !v.isValue(v.names[at].Span) {
			continue
		}
		// "7.5" is one number, whatever else its parts are called.
		v.names = slices.DeleteFunc(v.names, func(n claimName) bool { return n.From > i && n.From < to && v.isValue(n.Span) })
		if at >= 0 && v.names[at].To < to {
			n := &v.names[at]
			n.To, n.End = to, v.words[to-1].End
			n.Text = v.t.Source[n.Start:n.End]
		}
		var same []kg.EntityID
		var said kg.Value // with its unit
		if at >= 0 {
			said, _ = kg.ParseValue(strings.Trim(v.names[at].Text, `"`))
			v.names[at].is = slices.Clone(v.names[at].is)
		} else if to > 0 && to < len(v.words) {
			said, _ = kg.ParseValue(v.t.Source[v.words[i].Start:v.words[to].End])
			isLike := func(y value) bool { _, ok := y.In(said.Unit); return ok && y.Unit != "" }
			if said.Unit != "" && slices.ContainsFunc(near, isLike) {
				to++
			} else {
				said.Unit = ""
			}
		}
		for _, y := range near {
			told := y.Value
			if said.Unit != "" && y.Unit != "" {
				var ok bool
				if told, ok = told.In(said.Unit); !ok {
					told.Number = math.NaN() // of another kind
				}
				if at >= 0 && !saysTheSame(x, digits, told.Number) {
					v.names[at].is = slices.DeleteFunc(v.names[at].is, func(e kg.EntityID) bool { return e == y.is })
				}
			}
			if to > 0 && saysTheSame(x, digits, told.Number) && !slices.Contains(same, y.is) {
				same = append(same, y.is)
			}
		}
		if at < 0 && len(same) > 0 {
			m := link.Mention{Start: v.words[i].Start, End: v.words[to-1].End, Strength: words.SureStrength}
			m.Text = v.t.Source[m.Start:m.End]
			for _, e := range same {
				m.Candidates = append(m.Candidates, link.Candidate{Entity: e, Method: link.Folded})
			}
			v.names = append(v.names, claimName{Span: words.Span{Mention: m, From: i, To: to}, needed: true})
			at = len(v.names) - 1
		}
		if at < 0 && (to == 0 || digits > 2) {
			v.unknown = append(v.unknown, v.t.Source[v.words[i].Start:v.words[max(i, to-1)].End])
		}
		if at >= 0 && len(v.names[at].is) == 0 && len(same) == 0 {
			v.unknown = append(v.unknown, v.names[at].Text)
			v.names = slices.Delete(v.names, at, at+1)
			continue
		}
		if at >= 0 && v.saysOnly(v.names[at].Span, to) { // and not "1949 Nobel Prize in Physics"
			v.names[at].is = kg.With(v.names[at].is, same...)
		}
	}
	slices.SortFunc(v.names, func(a, b claimName) int { return a.From - b.From })
}

// saysOnly reports whether a span says nothing but the number that ends before word to.
func (v *verifier) saysOnly(s words.Span, to int) bool {
	_, ok := kg.ParseValue(strings.Trim(s.Text, `"`))
	return ok || s.To <= to
}

// isCode reports whether word i is a long run of digits that is no number, such
// as 0842321616.
func (v *verifier) isCode(i int) bool {
	text := v.words[i].Text
	return len(text) > 4 && text[0] == '0' && strings.Trim(text, "0123456789") == ""
}

// number reads the number that starts at word i: its value, how many digits it
// is given with, and the word after it.
func (v *verifier) number(i int) (x float64, digits, to int, ok bool) {
	if n, ok := lexicon.Numeral(v.words[i].Lower); ok {
		if i+1 == len(v.words) || v.words[i+1].Stop {
			return 0, 0, 0, false // "one of"
		}
		return float64(n), 1, i + 1, true
	}
	start := v.words[i].Start
	if c := v.words[i].Text[0]; c < '0' || c > '9' || i > 0 && v.words[i-1].End == start-1 && strings.ContainsAny(v.t.Source[start-1:start], ".,-/") {
		return 0, 0, 0, false // within a longer number or code
	}
	to = i + 1
	for to < len(v.words) && v.words[to].Start == v.words[to-1].End+1 && strings.ContainsAny(v.t.Source[v.words[to-1].End:v.words[to].Start], ".,-/") {
		to++
	}
	val, ok := kg.ParseValue(v.t.Source[start:v.words[to-1].End])
	if !ok || val.Kind != kg.NumberValue {
		return 0, 0, 0, false
	}
	x = val.Number
	for _, c := range strings.TrimLeft(strings.SplitN(v.t.Source[start:v.words[to-1].End], "e", 2)[0], "0.") {
		if c >= '0' && c <= '9' {
			digits++
		}
	}
	if to < len(v.words) {
		if scale := v.schema.Scale(v.words[to].Text); scale > 0 {
			x *= scale
			to++
		}
	}
	return x, max(digits, 1), to, true
}

// saysTheSame reports whether y, rounded to the digits that x is given with, is
// x.
func saysTheSame(x float64, digits int, y float64) bool {
	if x == y {
		return true
	}
	if x == 0 || y == 0 || digits < 2 {
		return false
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(x)))-float64(digits)+1)
	return math.Abs(x-y) <= unit/2*(1+1e-9)
}
