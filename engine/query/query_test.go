package query

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/pattern"
)

// world has films, rivers with lengths in two units, dates, parts of parts and owners.
func world() *kg.Graph {
	var b kg.Builder
	for _, line := range []string{
		"Winchester|directed by|Mann", "Naked Spur|directed by|Mann", "Laura|directed by|Preminger", "Vertigo|directed by|Hitchcock", "Psycho|directed by|Hitchcock",
		"Psycho|genre|Horror", "Vertigo|genre|Thriller", "Laura|genre|Thriller", "Winchester|genre|Western", "Naked Spur|genre|Western",
		"Winchester|award|Oscar", "Winchester|award|Bafta", "Psycho|award|Oscar",
		"Nile|length|6650 km", "Danube|length|2850 km", "Inn|length|518 km", "Trickle|length|900 m", "Brook|length|unknown", "Rill|length|12 kg",
		"Danube|country|Austria", "Inn|country|Austria", "Trickle|country|Austria", "Brook|country|Austria", "Mur|country|Austria", "Nile|country|Egypt",
		"Austria|borders|Germany", "Austria|borders|Italy", "Denmark|borders|Germany", "Egypt|borders|Sudan",
		"Vienna|part of|Austria", "Austria|part of|Europe", "Hofburg|part of|Vienna", "Europe|part of|World", "World|part of|Europe",
		"Laura|released|1944-10-11", "Psycho|released|1960-06-16", "Vertigo|released|1958-05-09",
	} {
		x := strings.Split(line, "|")
		b.Add(x[0], x[1], x[2])
	}
	share := func(who, whom, percent string) {
		b.AddStatement(who, "owns", whom, kg.Property{Name: "share", Value: percent, Entity: kg.NoEntity})
	}
	share("Acme", "Bolt", "60 %")
	share("Acme", "Cog", "25 %")
	share("Dyn", "Cog", "30 %")
	b.Add("Acme", "owns", "Eel")
	return b.Graph()
}

func TestEvaluate(t *testing.T) {
	tests := []struct {
		text string
		want string // answers, joined by ", "
		note string // part of a note
	}{
		{"(?f) -directed by-> (?d) | count ?f per ?d | largest count", "Mann 2, Hitchcock 2", "2 are shown although 1 was asked for"},
		{"(?f) -directed by-> (?d) | count ?f per ?d | largest count 1 after 1", "Preminger 1", ""},
		{"(?f) -directed by-> (?d) | count ?f per ?d | smallest count", "Preminger 1", "assumes that the graph is complete"},
		{"(Germany) <-borders- (?c) <-country- (?r) | count ?r per every ?c | smallest count", "Denmark 0", "1 entity without any is counted as 0: Denmark."},
		{"(Germany) <-borders- (?c) <-country- (?r) | count ?r per every ?c | average count", "2.50", "Among those that have any, it is 5."},
		{"(?d) <-directed by- (?f); (Preminger) | find ?d | more than (Preminger) ?f2: (?d) <-directed by- (?f2)", "Mann, Hitchcock", "Preminger has 1."},
		{"(?c) <-country- (?r) | count ?r per ?c | average count", "3", ""},
		{"(?c) <-country- (?r) | count ?r per ?c | most count", "5", ""},
		{"(?f) -directed by-> (?d) | count ?f per ?d | largest count 1 after 5", "", "There are only 2 different numbers"},
		{"(?f) -directed by-> (?d) | find ?f | count ?f per ?d | smallest count", "Laura", ""},
		{"(?f) -directed by-> (Hitchcock) | without (?f) -genre-> (Horror)", "Vertigo", "assumes that the graph is complete"},
		{"(?f) -directed by-> (?d) | find ?f | either (?f) -genre-> (Horror) | or (?f) -genre-> (Thriller)", "Laura, Vertigo, Psycho", ""},
		{"(?c) | either (?c) -borders-> (Italy) | or (?c) -borders-> (Sudan)", "Austria, Egypt", ""},
		{"(?c) -borders-> (?x) | find ?c | only (?c) -borders-> (Germany)", "Denmark", ""},
		{"(?c) -borders-> (?x) | find ?c | only (?c) -borders-> (Germany); (?c) -borders-> (Italy)", "Austria, Denmark", ""},
		{"(?d) <-directed by- (?f) | find ?d | only (?d) <-directed by- (?g) -genre-> (Western)", "Mann", ""},
		{"(?f) -directed by-> (?d) | find ?f | at least 2 ?a: (?f) -award-> (?a)", "Winchester", ""},
		{"(?f) -directed by-> (?d) | find ?f | exactly 1 ?a: (?f) -award-> (?a)", "Psycho", ""},
		{"(?f) -directed by-> (?d) | find ?f | fewer than 1 ?a: (?f) -award-> (?a)", "Naked Spur, Laura, Vertigo", ""},
		{"(?r) -length-> (?km); (?r) -country-> (Austria) | sum ?km of ?r", "3,368.90 km", "Units were converted: 900 m = 0.9 km."},
		{"(?r) -length-> (?km); (?r) -country-> (Austria) | average ?km of ?r", "1,122.97 km", "1 entity has no value in this graph and was left out: Mur"},
		{"(?r) -length-> (?km); (?r) -country-> (?c) | sum ?km of ?r per ?c", "Egypt 6,650 km, Austria 3,368.90 km", "because it is no number or date: unknown"},
		{"(?r) -length-> (?km) | find ?r | largest ?km 1 after 1", "Danube 2850 km", ""},
		{"(?f) -award-> (?a); (?f) -released-> (?day) | find ?a | smallest ?day of ?f", "", "that of Laura"},
		{"(?f) -award-> (?a); (?f) -released-> (?day) | find ?a | largest ?day of ?f", "Oscar 1960-06-16", ""},
		{"(?r) -length-> (?km) | find ?r | smallest ?km", "Trickle 900 m", "units of different kinds are never mixed: most are in km, not 12 kg"},
		{"(?r) -length-> (?km) | find ?r | ?km > 600 km", "Nile 6650 km, Danube 2850 km", "1 value was not compared"},
		{"(?r) -length-> (?km) | find ?r | ?km > 600 kilometres", "Nile 6650 km, Danube 2850 km", ""},
		{"(?r) -length-> (?km) | find ?r | ?km < 0.6 miles", "Trickle 900 m", ""},
		{"(Nile) -length-> (?km) | verify | ?km > 5000 km", "yes", ""},
		{"(Nile) -length-> (?km) | verify | ?km > 7000 km", "", ""},
		{"(?r) -country-> (Austria) | find ?r | either (?r) -length-> (?km) where ?km > 600 km | share ?r", "20%", "That is 1 of 5."},
		{"(?r) -length-> (?km); (Inn) -length-> (?inn) | find ?r | ?km > ?inn", "Nile, Danube", ""},
		{"(?r) -length-> (?km); (Nile) | find ?r | ?r != (Nile) | largest ?km", "Danube 2850 km", ""},
		{"(?f) -directed by-> (?d); (Mann) | count ?f per ?d | ?d != (Mann) | largest count", "Hitchcock 2", ""},
		{"(Austria) -borders-> (?b) <-borders- (?c) | find ?c | ?b != ?c", "Denmark", ""},
		{"(?x) -part of+-> (Austria)", "Vienna, Hofburg", ""},
		{"(?x) -part of+-> (Europe) | reuse all", "Austria, Vienna, Europe, Hofburg, World", ""},
		{"(?x) -part of+-> (Austria) | without (?x) -part of+ [since > 1900]-> (Austria)", "Vienna, Hofburg", ""},
		{"(Hofburg) -part of+-> (?x)", "Austria, Vienna, Europe, World", ""},
		{"(?f) -released-> (?when) | least ?when of ?f", "1944-10-11", ""},
		{"(?f) -released-> (?when) | average ?when of ?f", "", "Dates have no average"},
		{"(Psycho) -released-> (?one); (Laura) -released-> (?two) | difference ?one to ?two", "15 years", ""},
		{"(Psycho) -released-> (?one); (Laura) -released-> (?two) | ratio ?one to ?two", "", "Dates have no ratio"},
		{"(?f) -directed by-> (Nobody) | sum ?f of ?f", "", "There is no number to take the sum of"},
		{"(?f) -directed by-> (?d) | sum ?d of ?f", "", "Mann"},
		{"(Acme) -owns-> (?x) | sum share of (Acme) -owns-> (?x)", "85%", "1 statement has no number for “share” and was left out"},
		{"(Acme) -owns-> (?x) | values share of (Acme) -owns-> (?x)", "60 %, 25 %", "1 statement has no value for “share”"},
		{"(?f) -directed by-> (Mann); (Hitchcock) | difference ?f to (Hitchcock)", "0", "It is 2 for Mann, and 2 for Hitchcock."},
		{"(?f) -directed by-> (Mann); (Nobody) | ratio ?f to (Nobody)", "", "Nothing is a multiple of 0."},
		{"(?o) -owns-> (?x) | most share of (?o) -owns-> (?x) per ?x", "Bolt 60 %, Cog 30 %", ""},
		{"(Laura) -genre-> (Thriller) | verify | without (Laura) -genre-> (Horror)", "yes", ""},
		{"(Laura) -genre-> (Thriller) | verify | at least 2 ?g: (Laura) -genre-> (?g)", "", ""},
	}
	g := world()
	for _, test := range tests {
		f := evaluated(t, g, linked(t, g, test.text))
		got := strings.Join(labels(g, f), ", ")
		if len(f.Answers) == 0 && len(f.Candidates) > 0 {
			got = "yes"
		}
		if got != test.want || !strings.Contains(strings.Join(f.Notes, "\n"), test.note) {
			t.Errorf("%s\n got %s\nwant %s\nnotes %q, want %q", test.text, got, test.want, f.Notes, test.note)
		}
	}
}

func TestEvaluateExcludes(t *testing.T) {
	g := world()
	f := evaluated(t, g, linked(t, g, "(?f) -directed by-> (?d) | find ?f | without (?f) -genre-> (Western)"))
	var got []string
	for _, x := range f.Excluded {
		got = append(got, g.Label(x.Entity)+" "+x.Why+" "+g.Label(g.Triple(x.Triples[0]).Tail))
	}
	want := []string{"Winchester without (?f) -genre-> (Western) Western", "Naked Spur without (?f) -genre-> (Western) Western"}
	if diff := gocmp.Diff(want, got); diff != "" || f.ExcludedCount != 2 {
		t.Errorf("excluded %d (-want +got):\n%s", f.ExcludedCount, diff)
	}
}

func TestDescribeAndContrast(t *testing.T) {
	g := world()
	say := func(f evidence.Found) (out []string) {
		for _, x := range f.Groups {
			out = append(out, fmt.Sprint(g.Label(x.Entity), " ", g.RelationText(x.Relation), " ", x.Inward, " ", x.Side, " ", x.Count))
		}
		return out
	}
	want := []string{"Austria borders false both 2", "Austria part of false both 1", "Austria country true both 5", "Austria part of true both 1"}
	if diff := gocmp.Diff(want, say(evaluated(t, g, linked(t, g, "describe (Austria)")))); diff != "" {
		t.Errorf("describe (-want +got):\n%s", diff)
	}
	want = []string{"Austria borders false both 1", "Austria borders false first 1", "Austria part of false first 1", "Austria country true first 5", "Austria part of true first 1"}
	f := evaluated(t, g, linked(t, g, "compare (Austria) with (Denmark)"))
	if diff := gocmp.Diff(want, say(f)); diff != "" {
		t.Errorf("compare (-want +got):\n%s", diff)
	}
	if x := f.Groups[0]; g.Triple(x.Triples[0]).Tail != g.Triple(x.With[0]).Tail {
		t.Errorf("what is in common is not of one entity: %+v", x)
	}
}

func TestEvaluateRefuses(t *testing.T) {
	g := world()
	for _, change := range []func(p *pattern.Pattern){
		func(p *pattern.Pattern) { p.Order = &pattern.Order{Node: 1} },
		func(p *pattern.Pattern) { p.Order = &pattern.Order{Node: pattern.Measured, Limit: 1} },
		func(p *pattern.Pattern) { p.Asked = 7 },
		func(p *pattern.Pattern) { p.Branches = []pattern.Branch{{Kind: pattern.Without}} },
		func(p *pattern.Pattern) { p.Branches = []pattern.Branch{{Kind: pattern.OrElse, Edges: p.Edges}} },
		func(p *pattern.Pattern) { p.Measure = &pattern.Measure{Func: pattern.Sum, Node: 1, Of: -1, Per: -1} },
		func(p *pattern.Pattern) { p.Measure = &pattern.Measure{Func: pattern.Share, Node: 0, Of: -1, Per: -1} },
		func(p *pattern.Pattern) {
			p.Measure = &pattern.Measure{Func: pattern.Sum, Node: 1, Of: 0, Property: "x", Edge: 9, Per: -1}
		},
		func(p *pattern.Pattern) { p.Edges[0].To = 9 },
		func(p *pattern.Pattern) { p.Edges[0].Fixed = []kg.RelationID{99} },
		func(p *pattern.Pattern) { p.Task = pattern.Connect; p.Nodes = p.Nodes[:1]; p.Edges = nil },
	} {
		p := linked(t, g, "(?f) -directed by-> (?d)")
		change(p)
		if _, err := Evaluate(t.Context(), g, p, Limits{}); !errors.Is(err, ErrPattern) {
			t.Errorf("Evaluate(%+v) error = %v, want ErrPattern", p, err)
		}
	}
}

func TestEvaluateKeepsItsLimits(t *testing.T) {
	var b kg.Builder
	r := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		b.Add(fmt.Sprint(r.IntN(2000)), "r", fmt.Sprint(r.IntN(2000)))
	}
	g := b.Graph()
	p := linked(t, g, "(?a) -r-> (?b) -r-> (?c) -r-> (?d) | count ?a per ?d | largest count")
	for _, test := range []struct {
		limits Limits
		want   evidence.Completeness
	}{
		{Limits{Rows: 1000}, evidence.CutByBudget},
		{Limits{Work: 10_000}, evidence.CutByBudget},
		{Limits{WallTime: time.Millisecond}, evidence.TimedOut},
	} {
		f, err := Evaluate(t.Context(), g, p, test.limits)
		if err != nil || f.Completeness != test.want {
			t.Errorf("%+v: completeness %v, error %v, want %v", test.limits, f.Completeness, err, test.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Evaluate(ctx, g, p, Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestMetamorphic changes random queries in ways that say what becomes of the answers.
func TestMetamorphic(t *testing.T) {
	keys := func(g *kg.Graph, f evidence.Found) (out []string) {
		for _, a := range f.Answers {
			out = append(out, a.Key(g))
		}
		slices.Sort(out)
		return out
	}
	for seed := range uint64(1500) {
		g, p := randomQuery(seed)
		if p.Task != pattern.Find || p.Measure != nil || p.Order != nil {
			continue
		}
		before := keys(g, evaluated(t, g, p))
		// What meets a branch and what meets its negation are all there is, apart.
		plain := *p
		plain.Branches = nil
		all := keys(g, evaluated(t, g, &plain))
		if len(p.Branches) == 1 && p.Branches[0].Kind == pattern.Without && len(p.Edges) == 0 {
			with := *p
			with.Branches = slices.Clone(p.Branches)
			with.Branches[0].Kind = pattern.OneOf
			both := slices.Concat(before, keys(g, evaluated(t, g, &with)))
			if slices.Sort(both); !slices.Equal(both, all) {
				t.Fatalf("seed %d: %s: without and with give %q, all are %q", seed, pattern.Format(p), both, all)
			}
		}
		for _, e := range before {
			if !slices.Contains(all, e) {
				t.Fatalf("seed %d: %s: a branch adds %s", seed, pattern.Format(p), e)
			}
		}
		// The text says the same.
		text := pattern.Format(p)
		again, err := pattern.ParseText(text)
		if slices.ContainsFunc(p.Branches, func(b pattern.Branch) bool { return b.Kind == pattern.Quantity && !p.Nodes[b.Node].Variable }) {
			continue // a name is not counted in a text
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if diff := gocmp.Diff(text, pattern.Format(again)); diff != "" {
			t.Fatalf("seed %d (-pattern +its text):\n%s", seed, diff)
		}
		// Splitting an either into two queries splits its answers.
		if n := len(p.Branches); n > 1 && p.Branches[n-1].Kind == pattern.OrElse && p.Branches[n-2].Kind == pattern.OneOf {
			one, other := *p, *p
			one.Branches = p.Branches[:n-1]
			other.Branches = append(slices.Clone(p.Branches[:n-2]), p.Branches[n-1])
			other.Branches[n-2].Kind = pattern.OneOf
			both := slices.Concat(keys(g, evaluated(t, g, &one)), keys(g, evaluated(t, g, &other)))
			slices.Sort(both)
			if both = slices.Compact(both); !slices.Equal(both, before) {
				t.Fatalf("seed %d: %s: apart %q, together %q", seed, pattern.Format(p), both, before)
			}
		}
	}
}

func TestRowsAreSortedOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, n := range []int{0, 1, 2, 100, 5000, 20_000} {
		for width := 1; width < 4; width++ {
			list := rows{width: width}
			var want [][]kg.EntityID
			for range n {
				row := make([]kg.EntityID, width)
				for i := range row {
					row[i] = kg.EntityID(r.IntN(3)) << r.IntN(20)
				}
				list.ids, want = append(list.ids, row...), append(want, row)
			}
			slices.SortFunc(want, slices.Compare)
			want = slices.CompactFunc(want, slices.Equal)
			if list.compact(); !slices.Equal(list.ids, slices.Concat(want...)) {
				t.Errorf("%d rows of %d: %d left, want %d", n, width, list.len(), len(want))
			}
		}
	}
}
