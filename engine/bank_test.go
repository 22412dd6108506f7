package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cairn/assets"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/builtin"
	"cairn/engine/query"
	"cairn/internal/testing/testkg"
)

var banks = []string{"companies", "medicine", "airports", "books", "sample", "held_companies", "held_medicine", "held_airports", "held_books", "held_sample", "films", "library", "register", "beyond"}

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
	w := readGoldWorld(t, filepath.Join("testdata", bankFolder(name), name+".tsv"))
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

// bankFolder is where the lines of a graph are.
func bankFolder(name string) string {
	if slices.Contains(rankings, name) {
		return "ranking"
	}
	return "bank"
}

// TestBank asks the questions of the bank.
func TestBank(t *testing.T) {
	var b strings.Builder
	type sums struct{ asked, right, sureWrong, wrong, refused int }
	kinds := map[string]*sums{}
	var order []string
	for _, name := range banks {
		g, w := bankGraph(t, strings.ReplaceAll(strings.TrimPrefix(name, "held_"), "beyond", "books"))
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
			for _, k := range []string{q.kind, sumName(q), "all"} {
				if kinds[k] == nil {
					kinds[k] = &sums{}
					order = append(order, k)
				}
			}
			mark, found := "", bankAnswers(t, g, got)
			for _, k := range []string{q.kind, sumName(q), "all"} {
				s := kinds[k]
				s.asked++
				switch {
				case slices.Equal(found, want) || want[0] == "refuse" && (len(found) == 0 || q.graph == "beyond" && got.Doubt != plan.Sure):
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

// sumName says which half of the bank a question is of.
func sumName(q bankQuestion) string {
	if strings.HasPrefix(q.graph, "held_") {
		return "other words"
	}
	if slices.Index(banks, q.graph) >= 10 {
		return "other graphs"
	}
	return "first"
}

// bankAnswers evaluates the first reading of a plan that is followed.
func bankAnswers(t *testing.T, g *kg.Graph, pl *plan.Plan) []string {
	t.Helper()
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
	case pattern.Find, pattern.Count, pattern.Verify:
	case pattern.Describe:
		if !p.Nodes[p.Asked].Variable {
			return []string{"describe " + label(p.Asked)}
		}
	}
	if p.Asked < 0 {
		return []string{"verdict"}
	}
	found, err := query.Evaluate(t.Context(), g, p, query.Limits{})
	if err != nil {
		t.Errorf("%s: %v", pattern.Format(p), err)
	}
	if p.Task == pattern.Count && p.Measure == nil {
		return []string{strconv.Itoa(len(found.Answers))}
	}
	var out []string
	for _, a := range found.Answers {
		switch {
		case a.Entity == kg.NoEntity:
			out = append(out, number6(a.Amount.Value))
		case p.Measure != nil && p.Order == nil:
			out = append(out, g.Label(a.Entity)+" = "+number6(a.Amount.Value))
		default:
			out = append(out, g.Label(a.Entity))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
