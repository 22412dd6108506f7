package sample

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/assets"
)

// graph is the sample graph as the tests see it: names, not ids.
type graph struct {
	triples [][3]string
	byRel   map[string][][3]string
	has     map[[3]string]bool
	names   map[string][]string // key → label and aliases
}

func load(t *testing.T) graph {
	t.Helper()
	g := graph{byRel: map[string][][3]string{}, has: map[[3]string]bool{}, names: map[string][]string{}}
	for i, line := range strings.Split(strings.TrimSpace(string(assets.SampleWorld)), "\n") {
		cells := strings.Split(line, "\t")
		if len(cells) != 3 {
			t.Fatalf("world.tsv:%d: %d cells, want 3", i+1, len(cells))
		}
		if i == 0 {
			continue
		}
		tr := [3]string(cells)
		g.triples = append(g.triples, tr)
		g.byRel[tr[1]] = append(g.byRel[tr[1]], tr)
		if g.has[tr] {
			t.Errorf("world.tsv:%d: a duplicate of %v", i+1, tr)
		}
		g.has[tr] = true
		for _, c := range cells {
			if c == "" || c != strings.TrimSpace(c) {
				t.Errorf("world.tsv:%d: %q is empty or has spaces around it", i+1, c)
			}
		}
	}
	labels := map[string]string{}
	for i, line := range strings.Split(strings.TrimSpace(string(assets.SampleLabels)), "\n") {
		key, label, ok := strings.Cut(line, "\t")
		if !ok {
			t.Fatalf("labels.tsv:%d: want two cells", i+1)
		}
		if i > 0 {
			labels[key] = label
		}
	}
	for _, tr := range g.triples {
		for _, name := range []string{tr[0], tr[2]} {
			if g.names[name] == nil {
				label := name
				if l, ok := labels[name]; ok {
					label = l
				}
				g.names[name] = []string{label}
			}
		}
	}
	for _, tr := range g.byRel["also known as"] {
		g.names[tr[0]] = append(g.names[tr[0]], tr[2])
	}
	for key := range labels {
		if g.names[key] == nil {
			t.Errorf("labels.tsv: %q is in no triple", key)
		}
	}
	return g
}

// values are the relations whose tails are values and names, not entities.
var values = []string{
	"population", "area (km²)", "length (km)", "height (m)", "atomic number", "founded", "year",
	"birth year", "death year", "discovered in", "ISO code", "symbol", "currency code", "also known as",
	"is a", // its tails are types
}

// numbers are the first so many of values.
const numbers = 10

func TestSizeAndTypes(t *testing.T) {
	g := load(t)
	if got := len(g.triples); got < 2500 {
		t.Errorf("%d triples, want 2500 or more", got)
	}
	typed := map[string]bool{}
	for _, tr := range g.byRel["is a"] {
		typed[tr[0]] = true
	}
	for _, tr := range g.triples {
		for i, name := range tr {
			if i == 1 || i == 2 && slices.Contains(values, tr[1]) {
				continue
			}
			if !typed[name] {
				t.Errorf("%q in %v has no type", name, tr)
				typed[name] = true // say it once
			}
		}
	}
}

func TestNumbersParse(t *testing.T) {
	g := load(t)
	for _, relation := range values[:numbers] {
		if len(g.byRel[relation]) == 0 {
			t.Errorf("no triple with the relation %q", relation)
		}
		once := map[string]bool{}
		for _, tr := range g.byRel[relation] {
			if n, err := strconv.ParseFloat(tr[2], 64); err != nil || n <= 0 {
				t.Errorf("%v is not a number above 0", tr)
			}
			if once[tr[0]] {
				t.Errorf("%q has two values of %q", tr[0], relation)
			}
			once[tr[0]] = true
		}
	}
}

func TestBordersAreSymmetric(t *testing.T) {
	g := load(t)
	for _, relation := range []string{"borders", "spouse"} {
		for _, tr := range g.byRel[relation] {
			if !g.has[[3]string{tr[2], relation, tr[0]}] {
				t.Errorf("%s %s %s, but not the other way", tr[0], relation, tr[2])
			}
			if tr[0] == tr[2] {
				t.Errorf("%v joins a thing with itself", tr)
			}
		}
	}
}

func TestCountries(t *testing.T) {
	g := load(t)
	// What has another number of capitals than one.
	capitals := map[string]int{
		"Bolivia": 2, "Eswatini": 2, "South Africa": 3,
		"Monaco": 0, "Nauru": 0, "Singapore": 0, "Vatican City": 0,
	}
	count := func(head, relation string) int {
		n := 0
		for _, tr := range g.byRel[relation] {
			if tr[0] == head {
				n++
			}
		}
		return n
	}
	countries := 0
	codes := map[string]string{}
	for _, tr := range g.byRel["is a"] {
		if tr[2] != "country" && tr[2] != "U.S. state" {
			continue
		}
		want, listed := capitals[tr[0]]
		if !listed {
			want = 1
		}
		if got := count(tr[0], "capital"); got != want {
			t.Errorf("%s has %d capitals, want %d", tr[0], got, want)
		}
		if tr[2] != "country" {
			continue
		}
		countries++
		for relation, most := range map[string]int{"continent": 2, "currency": 2, "official language": 12, "population": 1, "area (km²)": 1, "ISO code": 1} {
			if got := count(tr[0], relation); got < 1 || got > most {
				t.Errorf("%s has %d of %q, want 1 to %d", tr[0], got, relation, most)
			}
		}
	}
	if countries != 197 {
		t.Errorf("%d countries, want 197: 193 members of the United Nations, 2 observers, Kosovo, Taiwan", countries)
	}
	for _, tr := range g.byRel["ISO code"] {
		if other, ok := codes[tr[2]]; ok || len(tr[2]) != 2 {
			t.Errorf("ISO code %q of %s: of two letters and its own; also of %q", tr[2], tr[0], other)
		}
		codes[tr[2]] = tr[0]
	}
	for _, tr := range g.byRel["capital"] {
		if !g.has[[3]string{tr[2], "located in", tr[0]}] {
			t.Errorf("%s is the capital of %s, but not located in it", tr[2], tr[0])
		}
	}
}

// Sizes of well-known groups, so that a name lost from a long line shows.
func TestKnownCounts(t *testing.T) {
	g := load(t)
	count := func(relation, tail string) int {
		n := 0
		for _, tr := range g.byRel[relation] {
			if tr[2] == tail {
				n++
			}
		}
		return n
	}
	for _, c := range []struct {
		relation, tail string
		want           int
	}{
		{"member of", "United Nations", 193},
		{"member of", "European Union", 27},
		{"member of", "NATO", 32},
		{"member of", "G7", 7},
		{"member of", "G20", 21},
		{"member of", "ASEAN", 11},
		{"member of", "African Union", 54},
		{"member of", "OPEC", 11},
		{"member of", "BRICS", 10},
		{"member of", "Arab League", 22},
		{"member of", "OECD", 38},
		{"member of", "Commonwealth of Nations", 56},
		{"member of", "ECOWAS", 12},
		{"permanent member of", "United Nations Security Council", 5},
		{"currency", "euro", 27}, // 21 of the EU; Andorra, Kosovo, Monaco, Montenegro, San Marino, Vatican City
		{"currency", "West African CFA franc", 8},
		{"currency", "Central African CFA franc", 6},
		{"currency", "East Caribbean dollar", 6},
		{"is a", "chemical element", 118},
		{"is a", "U.S. state", 50},
	} {
		if got := count(c.relation, c.tail); got != c.want {
			t.Errorf("%d × %q %q, want %d", got, c.relation, c.tail, c.want)
		}
	}
	for continent, want := range map[string]int{"South America": 12, "Africa": 54, "North America": 23, "Oceania": 14} {
		got := 0
		for _, tr := range g.byRel["continent"] {
			if tr[2] == continent && g.has[[3]string{tr[0], "is a", "country"}] {
				got++
			}
		}
		if got != want {
			t.Errorf("%d countries in %s, want %d", got, continent, want)
		}
	}
	numbered := map[string]bool{}
	for _, tr := range g.byRel["atomic number"] {
		numbered[tr[2]] = true
	}
	if len(numbered) != 118 {
		t.Errorf("%d different atomic numbers, want 118", len(numbered))
	}
}

func TestSharedNames(t *testing.T) {
	g := load(t)
	for _, name := range []string{"Georgia", "Congo", "Korea", "Mississippi", "Mercury"} {
		n := 0
		for _, names := range g.names {
			if slices.Contains(names, name) {
				n++
			}
		}
		if n < 2 {
			t.Errorf("%d entities are called %q, want two or more", n, name)
		}
	}
}

// The patterns of the sample questions find what the questions expect.
func TestQuestions(t *testing.T) {
	g := load(t)
	qs := Questions()
	if lines := strings.Count(strings.TrimSpace(assets.SampleQuestions), "\n"); len(qs) != lines || lines < 12 {
		t.Fatalf("%d questions from %d lines, want all of them and a dozen or more", len(qs), lines)
	}
	kinds := map[string]bool{}
	for _, q := range qs {
		kinds[q.Kind] = true
		got := g.answers(t, q.Pattern)
		want := slices.Clone(q.Answers)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: want (-), got (+):\n%s", q.Text, diff)
		}
	}
	for _, kind := range []string{
		"one hop", "two hops", "three hops", "conjunction", "count", "comparison", "superlative",
		"true claim", "false claim", "ambiguous name", "no answer",
	} {
		if !kinds[kind] {
			t.Errorf("no question of the kind %q", kind)
		}
	}
}

// answers finds the values of ?x by trying everything. A pattern is a list of
// "head | relation | tail" divided by "; ", where ?name is a variable and another
// head or tail is any name of an entity; "?n > 5" compares, "max ?n" keeps the
// largest, "count ?x" counts. Without ?x the answer is yes or no.
func (g graph) answers(t *testing.T, pattern string) []string {
	t.Helper()
	var clauses [][3]string
	var counted, most bool
	limit := -1.0
	for clause := range strings.SplitSeq(pattern, "; ") {
		switch {
		case clause == "count ?x":
			counted = true
		case clause == "max ?n":
			most = true
		case strings.HasPrefix(clause, "?n > "):
			var err error
			if limit, err = strconv.ParseFloat(clause[len("?n > "):], 64); err != nil {
				t.Fatalf("%q: %v", pattern, err)
			}
		default:
			cells := strings.Split(clause, " | ")
			if len(cells) != 3 {
				t.Fatalf("%q: clause %q needs three parts", pattern, clause)
			}
			clauses = append(clauses, [3]string(cells))
		}
	}
	type binding struct {
		x string
		n float64
	}
	var found []binding
	var try func(int, map[string]string)
	try = func(i int, bound map[string]string) {
		if i == len(clauses) {
			n, _ := strconv.ParseFloat(bound["?n"], 64)
			if n > limit {
				found = append(found, binding{bound["?x"], n})
			}
			return
		}
		c := clauses[i]
		for _, tr := range g.byRel[c[1]] {
			next := map[string]string{}
			maps.Copy(next, bound)
			if g.fits(c[0], tr[0], next) && g.fits(c[2], tr[2], next) {
				try(i+1, next)
			}
		}
	}
	try(0, map[string]string{})
	if !strings.Contains(pattern, "?x") {
		return []string{map[bool]string{true: "yes", false: "no"}[len(found) > 0]}
	}
	if most {
		top := slices.MaxFunc(found, func(a, b binding) int { return int(a.n - b.n) })
		found = slices.DeleteFunc(found, func(b binding) bool { return b.n < top.n })
	}
	var xs []string
	for _, b := range found {
		xs = append(xs, g.label(b.x))
	}
	slices.Sort(xs)
	xs = slices.Compact(xs)
	if counted {
		return []string{fmt.Sprint(len(xs))}
	}
	return xs
}

func (g graph) label(key string) string { return g.names[key][0] }

// fits tells whether a part of a clause agrees with a name, and binds it where it
// is a free variable.
func (g graph) fits(part, name string, bound map[string]string) bool {
	if !strings.HasPrefix(part, "?") {
		return part == name || slices.Contains(g.names[name], part)
	}
	if b, ok := bound[part]; ok {
		return b == name
	}
	bound[part] = name
	return true
}
