package engine

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cairn/engine/answer"
	"cairn/engine/ingest"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/internal/testing/golden"
	"cairn/internal/testing/shared"
	"cairn/internal/testing/testkg"
	"cairn/internal/wording"
)

// rankings are the graphs that questions are put to: the sample, and made ones of
// three trades that write their relations in three ways (writtenBy, owned_by, "is
// symptom of").
var rankings = []string{"sample", "library", "register", "biomedical"}

// TestRanking puts questions that people would ask to small graphs, and keeps on
// record how each is read: testdata/ranking/NAME.txt has the questions below the
// pattern that finds the right answers, NAME.golden what is made of them, and
// stats.golden the sums. After a change of the planner,
//
//	go test -tags ci ./engine -run TestRanking -update
//
// writes them again, and the difference shows what became better and what worse.
func TestRanking(t *testing.T) {
	shared.Sequential(t)
	var graphs, kinds scoreboard
	for _, name := range rankings {
		g, e := testkg.Sample(), openSample(t)
		if name != "sample" {
			g, e = readRankingGraph(t, name), importRanking(t, name)
		}
		var b strings.Builder
		for _, q := range readRanking(t, g, name) {
			r := rank(t, e, q)
			if q.first {
				fmt.Fprintf(&b, "\n# %s: %s\n", q.kind, q.gold)
			}
			b.WriteString(r.text)
			graphs.add(name, r)
			kinds.add(q.kind, r)
		}
		golden.Compare(t, "testdata/ranking/"+name+".golden", strings.TrimPrefix(b.String(), "\n"))
	}
	golden.Compare(t, "testdata/ranking/stats.golden", graphs.table()+"\n"+kinds.table())
}

// importRanking opens a graph that was made of a file of triples.
func importRanking(t *testing.T, name string) *Engine {
	t.Helper()
	e, err := Open(t.Context(), filepath.Join(t.TempDir(), "g.cairn"), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	if _, err := e.Import(t.Context(), []string{filepath.Join("testdata", "ranking", name+".tsv")}, ingest.Options{}, nil); err != nil {
		t.Fatal(err)
	}
	return e
}

// rankedQuestion is one way to ask for what a pattern finds.
type rankedQuestion struct {
	kind, gold, text string
	first            bool     // of those with one pattern
	want             []string // sorted; nil where the graph has no answer
	// absent says that a claim's verdict rests on what the graph does not have: not
	// to find it is right too.
	absent bool
}

// unanswerable stands in place of a pattern.
const unanswerable = "-"

// readRanking reads questions: "# kind", "= pattern", and then wordings.
func readRanking(t *testing.T, g *kg.Graph, name string) []rankedQuestion {
	t.Helper()
	var out []rankedQuestion
	var q rankedQuestion
	for i, line := range strings.Split(readGolden(t, name+".txt"), "\n") {
		switch mark, rest, _ := strings.Cut(line, " "); {
		case line == "":
		case mark == "#":
			q.kind = rest
		case mark == "=":
			q.gold, q.want, q.first = rest, nil, true
			if rest != unanswerable {
				q.want = solve(t, g, rest)
				q.absent = slices.Equal(q.want, []string{"no"}) != strings.HasPrefix(rest, "not; ")
				if len(q.want) == 0 {
					t.Fatalf("%s.txt:%d: the pattern finds nothing", name, i+1)
				}
			}
		default:
			q.text = line
			out = append(out, q)
			q.first = false
		}
	}
	return out
}

func readRankingGraph(t *testing.T, name string) *kg.Graph {
	t.Helper()
	var b kg.Builder
	for line := range strings.Lines(readGolden(t, name+".tsv")) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if f[1] == "is a" {
			b.AddType(b.Entity(f[0]), f[2])
		} else {
			b.Add(f[0], f[1], f[2])
		}
	}
	return b.Graph()
}

func readGolden(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "ranking", name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n")
}

// ranked is how one wording was read.
type ranked struct {
	text       string
	answerable bool
	rank       int  // of the right reading, from 1; 0 for none
	sure       bool // it was answered without a doubt
	wrong      bool // it was answered, and not by the right reading
}

// rank asks in one wording, and finds the right reading among those of the plan: the
// one with the right answers, or the right verdict.
func rank(t *testing.T, e *Engine, q rankedQuestion) ranked {
	t.Helper()
	ask := func(o AskOptions) (*Run, []string) {
		run, err := e.Ask(t.Context(), q.text, o, nil)
		if err != nil {
			t.Fatalf("%q: %v", q.text, err)
		}
		return run, foundBy(run)
	}
	right := func(found []string) bool {
		return q.want != nil && (slices.Equal(found, q.want) || q.absent && slices.Equal(found, notFound))
	}
	r := ranked{answerable: q.want != nil}
	run, found := ask(AskOptions{})
	if right(found) {
		r.rank = run.Reading + 1
	}
	for i := 0; r.answerable && r.rank == 0 && i < len(run.Plan.Readings); i++ {
		if _, other := ask(AskOptions{Reading: i, Chosen: true}); right(other) {
			r.rank = i + 1
		}
	}
	answered := run.Answer.Refusal == nil && len(found) > 0 && !slices.Equal(found, notFound)
	r.sure = answered && run.Plan.Doubt == plan.Sure
	r.wrong = answered && r.rank != 1
	how, place, reading := "unsure", strconv.Itoa(r.rank), "no reading"
	switch {
	case r.sure:
		how = "sure"
	case !answered:
		how = "refused"
	}
	if !r.answerable {
		place = unanswerable
	}
	if run.Reading >= 0 && run.Reading < len(run.Plan.Readings) {
		reading = run.Plan.Readings[run.Reading].Text
	}
	if run.Answer.Verdict != answer.NoVerdict && len(found) > 0 {
		reading += " " + found[0]
	}
	r.text = fmt.Sprintf("%s %-8s %s\n%11s%s\n", place, how, q.text, "", reading)
	if r.wrong && r.answerable {
		r.text += fmt.Sprintf("%11sfinds %s; right is %s\n", "", cmp.Or(wording.First(found, 3), "nothing"), cmp.Or(wording.First(q.want, 3), "nothing"))
	}
	return r
}

var notFound = []string{"not found"}

// foundBy returns what a run answered: labels, a number, or a verdict; nothing where
// it refused.
func foundBy(run *Run) []string {
	switch a := run.Answer; {
	case a.Verdict == answer.Supported:
		return []string{"yes"}
	case a.Verdict == answer.Refuted:
		return []string{"no"}
	case a.Verdict == answer.NotFound:
		return notFound
	case a.Refusal != nil:
		return nil
	case run.Plan.Readings[run.Reading].Pattern.Task == pattern.Count:
		return []string{strconv.Itoa(a.Count)}
	}
	var out []string
	for _, it := range run.Answer.Items {
		out = append(out, it.Label)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// scoreboard sums rankings by a name.
type scoreboard struct {
	names []string
	sums  map[string]*rankSum
}

type rankSum struct {
	asked, first, five, sureWrong, refused, unanswerable int
	reciprocal                                           float64
}

func (y *scoreboard) add(name string, r ranked) {
	if y.sums == nil {
		y.sums = map[string]*rankSum{}
	}
	for _, n := range []string{name, "all"} {
		s := y.sums[n]
		if s == nil {
			s = &rankSum{}
			y.sums[n] = s
			y.names = append(y.names, n)
		}
		if r.sure && r.wrong {
			s.sureWrong++
		}
		if !r.answerable {
			s.unanswerable++
			if !r.sure {
				s.refused++
			}
			continue
		}
		s.asked++
		if r.rank == 1 {
			s.first++
		}
		if r.rank > 0 {
			s.five++
			s.reciprocal += 1 / float64(r.rank)
		}
	}
}

func (y *scoreboard) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-14s%8s%13s%15s%7s%16s%22s\n", "", "asked", "right first", "right in five", "MRR", "sure and wrong", "unanswerable refused")
	names := slices.DeleteFunc(slices.Clone(y.names), func(n string) bool { return n == "all" })
	for _, n := range append(names, "all") {
		s := y.sums[n]
		fmt.Fprintf(&b, "%-14s%8d%13d%15d%7.3f%16d%15d of %3d\n",
			n, s.asked, s.first, s.five, s.reciprocal/max(1, float64(s.asked)), s.sureWrong, s.refused, s.unanswerable)
	}
	return b.String()
}

// solve returns what a pattern finds, by trying everything: labels, "yes" or "no"
// where it has no ?x, or a number. A pattern is a list of "head | relation | tail"
// divided by "; ", where ?name is a variable and another head or tail is a name.
// "?n > 5" and "?x != Name" compare, "max ?n" and "min ?n" keep the largest or the
// smallest, "count ?x" counts, and "not" turns the verdict round.
func solve(t *testing.T, g *kg.Graph, text string) []string {
	t.Helper()
	rows := []map[string]kg.EntityID{{}}
	var counts, denied bool
	best := ""
	for clause := range strings.SplitSeq(text, "; ") {
		f := strings.Fields(clause)
		switch {
		case f[0] == "count":
			counts = true
		case f[0] == "max" || f[0] == "min":
			best = f[0]
		case f[0] == "not":
			denied = true
		case strings.Contains(clause, " | "):
			parts := strings.Split(clause, " | ")
			rows = extend(t, g, rows, [3]string(parts))
		default:
			rows = slices.DeleteFunc(rows, func(row map[string]kg.EntityID) bool { return !compares(t, g, row, clause) })
		}
	}
	if best != "" {
		keep := number(g, slices.MaxFunc(rows, func(a, b map[string]kg.EntityID) int {
			d := number(g, a) - number(g, b)
			if best == "min" {
				d = -d
			}
			return int(max(-1, min(1, d)))
		}))
		rows = slices.DeleteFunc(rows, func(row map[string]kg.EntityID) bool { return number(g, row) != keep })
	}
	if !strings.Contains(text, "?x") {
		if len(rows) > 0 != denied {
			return []string{"yes"}
		}
		return []string{"no"}
	}
	var found []kg.EntityID
	for _, row := range rows {
		found = append(found, row["?x"])
	}
	slices.Sort(found)
	if found = slices.Compact(found); counts {
		return []string{strconv.Itoa(len(found))}
	}
	var out []string
	for _, e := range found {
		out = append(out, g.Label(e))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// extend joins rows with the triples that a clause allows.
func extend(t *testing.T, g *kg.Graph, rows []map[string]kg.EntityID, clause [3]string) []map[string]kg.EntityID {
	t.Helper()
	var out []map[string]kg.EntityID
	if clause[1] == "is a" {
		for _, row := range rows {
			for e := range kg.EntityID(g.Entities()) {
				was, bound := row[clause[0]]
				is := slices.ContainsFunc(g.Types(e), func(ty kg.TypeID) bool { return g.TypeLabel(ty) == clause[2] })
				if is && (!bound || was == e) {
					out = append(out, with(row, clause[0], e))
				}
			}
		}
		return out
	}
	matches := func(row map[string]kg.EntityID, name string, e kg.EntityID) bool {
		if strings.HasPrefix(name, "?") {
			was, bound := row[name]
			return !bound || was == e
		}
		return g.Label(e) == name || slices.Contains(g.Aliases(e), name)
	}
	known := false
	for id := range kg.TripleID(g.Triples()) {
		tr := g.Triple(id)
		if g.RelationKey(tr.Relation) != clause[1] {
			continue
		}
		known = true
		for _, row := range rows {
			if matches(row, clause[0], tr.Head) && matches(row, clause[2], tr.Tail) {
				out = append(out, with(with(row, clause[0], tr.Head), clause[2], tr.Tail))
			}
		}
	}
	if !known {
		t.Fatalf("no triple has the relation %q", clause[1])
	}
	return out
}

// with binds a variable; names stay as they are.
func with(row map[string]kg.EntityID, name string, e kg.EntityID) map[string]kg.EntityID {
	if !strings.HasPrefix(name, "?") {
		return row
	}
	out := maps.Clone(row)
	out[name] = e
	return out
}

// compares reports whether a row meets "?n > 5" or "?x != Name".
func compares(t *testing.T, g *kg.Graph, row map[string]kg.EntityID, clause string) bool {
	t.Helper()
	name, rest, _ := strings.Cut(clause, " ")
	op, value, _ := strings.Cut(rest, " ")
	if op == "!=" {
		return g.Label(row[name]) != value
	}
	limit, err := strconv.ParseFloat(value, 64)
	if err != nil {
		t.Fatalf("%q: %v", clause, err)
	}
	if op == "<" {
		return number(g, row) < limit
	}
	return number(g, row) > limit
}

// number is the value of ?n.
func number(g *kg.Graph, row map[string]kg.EntityID) float64 {
	v, _ := kg.ParseValue(g.Label(row["?n"]))
	return v.Number
}
