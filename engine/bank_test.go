package engine

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/assets"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/builtin"
	"cairn/internal/testing/testkg"
)

var banks = []string{"companies", "medicine", "airports", "books", "sample"}

type bankQuestion struct{ graph, kind, gold, text string }

func readBank(t *testing.T, name string) (qs []bankQuestion) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "bank", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	q := bankQuestion{graph: name}
	for l := range strings.SplitSeq(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n") {
		switch mark, rest, _ := strings.Cut(l, " "); {
		case l == "":
		case mark == "#":
			q.kind = rest
		case mark == "=":
			q.gold = rest
		default:
			q.text = l
			qs = append(qs, q)
		}
	}
	return qs
}

// bankGraph is the graph of a bank, and its lines for the gold.
func bankGraph(t *testing.T, name string) (*kg.Graph, *goldWorld) {
	t.Helper()
	if name == "sample" {
		path := filepath.Join(t.TempDir(), "world.tsv")
		if err := os.WriteFile(path, assets.SampleWorld, 0o600); err != nil {
			t.Fatal(err)
		}
		return testkg.Sample(), readGoldWorld(t, path)
	}
	w := readGoldWorld(t, filepath.Join("testdata", "bank", name+".tsv"))
	var b kg.Builder
	for _, l := range w.lines {
		if l.rel == "is a" {
			b.AddType(b.Entity(l.head), l.tail)
			continue
		}
		var said []kg.Property
		for _, n := range []string{"share", "since", "from", "to", "distance"} {
			if v := l.props[n]; v != "" {
				said = append(said, kg.Property{Name: n, Value: v, Entity: kg.NoEntity})
			}
		}
		b.AddStatement(l.head, l.rel, l.tail, said...)
	}
	return b.Graph(), w
}

// TestBank asks the questions of the bank.
func TestBank(t *testing.T) {
	var b strings.Builder
	type sums struct{ asked, right, sureWrong, wrong, refused int }
	kinds := map[string]*sums{}
	var order []string
	for _, name := range banks {
		g, w := bankGraph(t, name)
		lex := lexicon.Builtin()
		p := builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{})
		for _, q := range readBank(t, name) {
			want := w.solve(q.gold)
			if len(want) == 0 {
				t.Errorf("%s: %s has no answer", q.text, q.gold)
				continue
			}
			got, err := p.Plan(t.Context(), q.text, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, k := range []string{q.kind, "all"} {
				if kinds[k] == nil {
					kinds[k] = &sums{}
					order = append(order, k)
				}
			}
			mark, found := "", bankAnswers(g, got)
			for _, k := range []string{q.kind, "all"} {
				s := kinds[k]
				s.asked++
				switch {
				case slices.Equal(found, want) || want[0] == "refuse" && len(found) == 0:
					s.right++
					mark = "right"
				case len(found) == 0:
					s.refused++
					mark = "refused"
				case got.Doubt == plan.Sure:
					s.sureWrong++
					mark = "SURE AND WRONG"
				default:
					s.wrong++
					mark = "wrong"
				}
			}
			fmt.Fprintf(&b, "%s (%s) %s: %s\n", mark, got.Doubt, name, q.text)
			if len(got.Readings) > 0 {
				fmt.Fprintf(&b, "    %s\n", got.Readings[0].Text)
			}
			if got.Reason != "" {
				fmt.Fprintf(&b, "    %s\n", got.Reason)
			}
			if mark != "right" {
				fmt.Fprintf(&b, "    found %s; right is %s = %s\n", few(found), q.gold, few(want))
			}
		}
	}
	fmt.Fprintf(&b, "%-12s%7s%7s%16s%7s%9s\n", "", "asked", "right", "sure and wrong", "wrong", "refused")
	order = append(slices.DeleteFunc(order, func(k string) bool { return k == "all" }), "all")
	for _, k := range order {
		s := kinds[k]
		fmt.Fprintf(&b, "%-12s%7d%7d%16d%7d%9d\n", k, s.asked, s.right, s.sureWrong, s.wrong, s.refused)
	}
	if path := os.Getenv("BANK_OUT"); path != "" {
		_ = os.WriteFile(path, []byte(b.String()), 0o600)
	}
}

// bankAnswers evaluates the first reading of a plan that is followed.
func bankAnswers(g *kg.Graph, pl *plan.Plan) []string {
	if len(pl.Readings) == 0 || pl.Doubt == plan.NoRelation || pl.Doubt == plan.NotSupported {
		return nil
	}
	p := pl.Readings[0].Pattern
	label := func(n int) string { return g.Label(p.Nodes[n].Entities[0]) }
	switch p.Task {
	case pattern.Connect, pattern.Contrast:
		ends := []string{label(0), label(1)}
		slices.Sort(ends)
		text := p.Task.String() + " " + strings.Join(ends, ", ")
		if c := p.Connection; c != nil {
			if c.Within > 0 {
				text += fmt.Sprintf(", within=%d", c.Within)
			}
			for _, v := range c.Via {
				text += ", via=" + label(v)
			}
			for _, v := range c.Avoid {
				text += ", avoid=" + label(v)
			}
		}
		return []string{text}
	case pattern.Describe:
		if !p.Nodes[p.Asked].Variable {
			return []string{"describe " + label(p.Asked)}
		}
	}
	if p.Asked < 0 {
		return []string{"verdict"}
	}
	return (&naive{g: g, p: p}).answers()
}

// naive evaluates patterns by trying everything, for graphs of a few hundred triples.
type naive struct {
	g *kg.Graph
	p *pattern.Pattern
}

func (n *naive) allowed(b []kg.EntityID, i int, e kg.EntityID) bool {
	node := n.p.Nodes[i]
	if !node.Variable && !slices.Contains(node.Entities, e) || node.Within != nil && !slices.Contains(node.Within, e) {
		return false
	}
	apart := n.p.Apart(i)
	for j, o := range b {
		if apart&(1<<j) == 0 {
			continue
		}
		if o == e || o == kg.NoEntity && !n.p.Nodes[j].Variable && slices.Contains(n.p.Nodes[j].Entities, e) {
			return false
		}
	}
	return true
}

// pairs returns the ends of an edge.
func (n *naive) pairs(e pattern.Edge) (ps [][2]kg.EntityID) {
	test := pattern.NewTest(n.g, e.Conditions)
	for id := range kg.TripleID(n.g.Triples()) {
		tr := n.g.Triple(id)
		if len(e.Fixed) > 0 && !slices.Contains(e.Fixed, tr.Relation) || !test.Holds(id) {
			continue
		}
		ps = append(ps, [2]kg.EntityID{tr.Head, tr.Tail})
		if e.Direction == pattern.Either {
			ps = append(ps, [2]kg.EntityID{tr.Tail, tr.Head})
		}
	}
	for more := e.Closure; more; {
		more = false
		for _, a := range ps {
			for _, b := range ps {
				if x := [2]kg.EntityID{a[0], b[1]}; a[1] == b[0] && !slices.Contains(ps, x) {
					ps = append(ps, x)
					more = true
				}
			}
		}
	}
	return ps
}

// each yields the bindings of some edges and filters that go on from a binding.
func (n *naive) each(b []kg.EntityID, edges []pattern.Edge, filters []pattern.Filter, cache map[int][][2]kg.EntityID, yield func([]kg.EntityID)) {
	// the edge that has the most bound ends comes first
	best, bound := -1, -1
	for i, e := range edges {
		k := 0
		for _, x := range []int{e.From, e.To} {
			if b[x] != kg.NoEntity || !n.p.Nodes[x].Variable {
				k++
			}
		}
		if k > bound {
			best, bound = i, k
		}
	}
	if best < 0 {
		if !slices.ContainsFunc(filters, func(f pattern.Filter) bool { return !n.holds(b, f) }) {
			yield(b)
		}
		return
	}
	e := edges[best]
	rest := slices.Delete(slices.Clone(edges), best, best+1)
	for _, x := range n.pairs(e) {
		next := slices.Clone(b)
		if !n.bind(next, e.From, x[0]) || !n.bind(next, e.To, x[1]) {
			continue
		}
		n.each(next, rest, filters, cache, yield)
	}
}

func (n *naive) bind(b []kg.EntityID, i int, e kg.EntityID) bool {
	if b[i] != kg.NoEntity {
		return b[i] == e
	}
	if !n.allowed(b, i, e) {
		return false
	}
	b[i] = e
	return true
}

func (n *naive) holds(b []kg.EntityID, f pattern.Filter) bool {
	v, ok := kg.ParseValue(n.g.Label(b[f.Node]))
	if !ok {
		return false
	}
	if f.Than != nil {
		o, ok := kg.ParseValue(n.g.Label(b[*f.Than]))
		f.Value = o.Number
		if o.Kind == kg.DateValue {
			f.Value = math.Floor(o.Number)
		}
		if !ok {
			return false
		}
	}
	return f.Holds(v)
}

// branches reports whether a binding meets the branches of the pattern.
func (n *naive) branches(b []kg.EntityID) bool {
	one, open := false, false
	for i, br := range n.p.Branches {
		count := map[kg.EntityID]bool{}
		matches := 0
		n.each(b, br.Edges, br.Filters, nil, func(x []kg.EntityID) {
			matches++
			if br.Kind == pattern.Quantity {
				count[x[br.Node]] = true
			}
		})
		switch br.Kind {
		case pattern.Without:
			if matches > 0 {
				return false
			}
		case pattern.OneOf, pattern.OrElse:
			if br.Kind == pattern.OneOf {
				one, open = false, true
			}
			one = one || matches > 0
			last := i+1 == len(n.p.Branches) || n.p.Branches[i+1].Kind != pattern.OrElse
			if open && last && !one {
				return false
			}
		case pattern.Only:
			e := br.Edges[0]
			known := e.To
			if n.p.Nodes[e.To].Variable {
				known = e.From
			}
			for _, x := range n.pairs(e) {
				far, near := x[1], x[0]
				nearNode := e.From
				if known == e.From {
					far, near, nearNode = x[0], x[1], e.To
				}
				if b[nearNode] == near && !slices.Contains(n.p.Nodes[known].Entities, far) {
					return false
				}
			}
		case pattern.Quantity:
			f := pattern.Filter{Op: br.Op, Value: float64(br.N)}
			if !f.Holds(kg.Value{Number: float64(len(count))}) {
				return false
			}
		}
	}
	return true
}

func (n *naive) answers() []string {
	p := n.p
	start := make([]kg.EntityID, len(p.Nodes))
	for i := range start {
		start[i] = kg.NoEntity
	}
	var rows [][]kg.EntityID
	take := func(b []kg.EntityID) {
		if b[p.Asked] != kg.NoEntity {
			if n.branches(b) {
				rows = append(rows, b)
			}
			return
		}
		for e := range kg.EntityID(n.g.Entities()) {
			next := slices.Clone(b)
			if p.Nodes[p.Asked].Within == nil && n.g.IsLiteral(e) {
				continue
			}
			if n.bind(next, p.Asked, e) && n.branches(next) {
				rows = append(rows, next)
			}
		}
	}
	n.each(start, p.Edges, p.Filters, nil, take)
	number := func(e kg.EntityID) float64 { v, _ := kg.ParseValue(n.g.Label(e)); return v.Number }
	measure := map[kg.EntityID]float64{}
	if m := p.Measure; m != nil {
		seen := map[kg.EntityID]map[[2]kg.EntityID]bool{}
		for _, b := range rows {
			group := kg.EntityID(0)
			if m.Per >= 0 {
				group = b[m.Per]
			}
			if seen[group] == nil {
				seen[group] = map[[2]kg.EntityID]bool{}
			}
			pair := [2]kg.EntityID{b[m.Node], 0}
			if m.Of >= 0 {
				pair[1] = b[m.Of]
			}
			seen[group][pair] = true
		}
		for group, pairs := range seen {
			sum, least, most := 0.0, math.Inf(1), math.Inf(-1)
			for x := range pairs {
				v := number(x[0])
				sum, least, most = sum+v, min(least, v), max(most, v)
			}
			measure[group] = map[pattern.Func]float64{pattern.CountOf: float64(len(pairs)), pattern.Sum: sum, pattern.Average: sum / float64(len(pairs)), pattern.Least: least, pattern.Most: most}[m.Func]
		}
		if p.Order == nil {
			var out []string
			for group, v := range measure {
				if m.Per < 0 {
					return []string{number6(v)}
				}
				out = append(out, n.g.Label(group)+" = "+number6(v))
			}
			slices.Sort(out)
			return out
		}
	}
	if o := p.Order; o != nil {
		key := func(b []kg.EntityID) float64 {
			if o.Node == pattern.Measured {
				return measure[b[p.Measure.Per]]
			}
			return number(b[o.Node])
		}
		var values []float64
		for _, b := range rows {
			values = append(values, key(b))
		}
		slices.Sort(values)
		values = slices.Compact(values)
		if o.Descending {
			slices.Reverse(values)
		}
		values = values[min(o.Skip, len(values)):min(o.Skip+o.Limit, len(values))]
		rows = slices.DeleteFunc(rows, func(b []kg.EntityID) bool { return !slices.Contains(values, key(b)) })
	}
	found := map[string]bool{}
	for _, b := range rows {
		found[n.g.Label(b[p.Asked])] = true
	}
	if p.Task == pattern.Count {
		return []string{fmt.Sprint(len(found))}
	}
	var out []string
	for l := range found {
		out = append(out, l)
	}
	slices.Sort(out)
	return out
}
