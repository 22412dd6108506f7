// Package query evaluates the patterns that ask for more than matches: branches,
// measures, ranks, chains, paths, descriptions. It is exact, and says how complete it is.
//
//	pattern ─split─▶ the part outside of branches, and the branches
//	        ─match─▶ rows: what the nodes that matter are bound to, each once
//	        ─branch─▶ the rows that meet the branches; the others are excluded
//	        ─rank, measure─▶ answers with amounts
//	        ─support─▶ the triples behind the first answers
//
// What is matched is left to match.Anchored. A variable that nothing outside of branches
// touches is each branch's own. Nodes may share an entity as pattern.Reuse says, within
// the part outside and within each branch, but not across.
package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"cairn/engine/evidence"
	"cairn/engine/internal/bail"
	"cairn/engine/kg"
	"cairn/engine/match"
	"cairn/engine/pattern"
	"cairn/internal/wording"
)

// ErrPattern is returned for a pattern that cannot be evaluated.
var ErrPattern = errors.New("the query cannot be evaluated")

// Limits bound an evaluation. What is zero has its default value.
type Limits struct {
	// Rows is how many rows are held at once. The default value is 4 million.
	Rows int
	// Work is how many entities and triples are looked at, about. The default value is
	// 400 million.
	Work int
	// WallTime is the soft deadline. The default value is 10s.
	WallTime time.Duration
	// Shown is how many answers come with their supports, and how many supports an
	// answer has, exclusions and facts are shown. The default value is 40.
	Shown int
	// Together is how many rows there are at least where those that meet a branch are
	// found all at once rather than one by one. The default value is 1000.
	Together int
}

func (l *Limits) setDefaults() {
	l.Rows = cmp.Or(l.Rows, 4_000_000)
	l.Work = cmp.Or(l.Work, 400_000_000)
	l.WallTime = cmp.Or(l.WallTime, 10*time.Second)
	l.Shown = cmp.Or(l.Shown, 40)
	l.Together = cmp.Or(l.Together, 1000)
}

// closureStarts is how many entities a chain may begin at to be followed before the rest
// is matched.
const closureStarts = 16

// evaluation is one pattern on its way. What it cannot go on with, a limit for one, it
// leaves by a bail.Out.
type evaluation struct {
	ctx    context.Context //nolint:containedctx // it lives as long as the evaluation
	g      *kg.Graph
	p      *pattern.Pattern
	limits Limits
	found  evidence.Found
	left   int // work

	main   *part
	groups []group // the branches
	nodes  []int   // of the pattern, whose entities make a row
	rows   rows

	// spokes and tallied are what is counted, where that is what one edge leads to.
	spokes  *spokes
	tallied []tally

	valued      []kg.EntityID // that have a value, see noteMissing; nil where that is not known
	all         int           // that a share is of
	closures    int           // how many there are
	reached     map[reachKey][]kg.EntityID
	reachedSize int
	// walked is the last walk along a closure that chains were told of: several answers
	// mostly lie on one.
	walked struct {
		from  reachKey
		first map[kg.EntityID]firstStep
	}
	values map[kg.EntityID]kg.Value
	// units and texts are values that were left out: of another unit, and no values.
	units map[kg.EntityID]string
	texts map[kg.EntityID]bool
	// pairs are the answers that are made of two values.
	pairs map[[2]kg.EntityID]int
	// others are the matches of the other of two counts.
	others []evidence.Candidate
	// silent counts the statements that do not say what is measured.
	silent int
	// first are what came first, where that is ranked before the rest is matched.
	first []kg.EntityID
}

// Evaluate finds what a pattern asks for. Its names are linked and its relations settled:
// what is not is not found. A cancelled context is an error; running out of time or over
// a limit is not: what was found is returned, and Completeness says so. It fails with
// ErrPattern for a pattern that makes no sense, and says why.
func Evaluate(ctx context.Context, g *kg.Graph, p *pattern.Pattern, l Limits) (evidence.Found, error) {
	start := time.Now()
	l.setDefaults()
	x := &evaluation{
		g: g, p: p, limits: l, left: l.Work, reached: map[reachKey][]kg.EntityID{}, values: map[kg.EntityID]kg.Value{},
		units: map[kg.EntityID]string{}, texts: map[kg.EntityID]bool{},
	}
	if err := x.check(); err != nil {
		return evidence.Found{}, err
	}
	if p.Measure != nil {
		x.all = len(p.Nodes[p.Measure.Node].Within)
	}
	limited, cancel := context.WithDeadline(ctx, start.Add(l.WallTime))
	defer cancel()
	x.ctx = limited
	err := x.evaluate()
	switch {
	case ctx.Err() != nil:
		return evidence.Found{}, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		x.found.Completeness = evidence.TimedOut
	case errors.Is(err, match.ErrBudget):
		x.found.Completeness = evidence.CutByBudget
	case err != nil:
		return evidence.Found{}, err
	}
	x.found.Stats.Duration = time.Since(start)
	return x.found, nil
}

// evaluate fills x.found, as far as time and work go.
func (x *evaluation) evaluate() error {
	switch x.p.Task {
	case pattern.Connect:
		return bail.Try(x.connect)
	case pattern.Contrast:
		return bail.Try(x.contrast)
	case pattern.Find, pattern.Count, pattern.Verify, pattern.Describe:
	}
	err := bail.Try(func() {
		x.rankFirst()
		x.split()
		x.findRows()
	})
	if err != nil && !isCut(err) {
		return err
	}
	if err == nil && x.p.Task == pattern.Verify && x.rows.len() == 0 {
		err = bail.Try(x.refute)
	}
	// What was found before a limit is worth its answers and their support.
	if err == nil && x.rows.cut {
		err = match.ErrBudget
	}
	return cmp.Or(bail.Try(x.finish), err)
}

func isCut(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, match.ErrBudget)
}

// finish makes answers of the rows.
func (x *evaluation) finish() {
	var entered rows // of a choice, whose others are shown with what they have
	if x.p.IsChoice() && x.p.Order != nil {
		entered = rows{ids: slices.Clone(x.rows.ids), width: x.rows.width}
	}
	if o := x.p.Order; o != nil && o.Node != pattern.Measured {
		x.rank(o)
	}
	if x.p.Task == pattern.Describe {
		x.describeAll()
		return
	}
	x.answers()
	x.noteFirst()
	x.noteValues()
	if x.closedWorld() {
		x.note(trusting)
	}
	x.support()
	x.outranked(&entered)
}

// outranked notes the things of a choice that others come before, with the triples that say so.
func (x *evaluation) outranked(entered *rows) {
	at := x.column(x.p.Asked)
	place := map[kg.EntityID]int{}
	for i := range entered.len() {
		row := entered.at(i)
		e := row[at]
		if slices.ContainsFunc(x.found.Answers, func(a evidence.Answer) bool { return a.Entity == e }) {
			continue
		}
		k, ok := place[e]
		if !ok {
			k = len(x.found.Excluded)
			place[e] = k
			x.found.Excluded = append(x.found.Excluded, evidence.Exclusion{Entity: e, Why: "another comes before it"})
			x.found.ExcludedCount++
		}
		if out := &x.found.Excluded[k]; len(out.Triples) < branchTriples {
			out.Triples = append(out.Triples, x.behind(row).Edges...)
		}
	}
	for i := range x.found.Excluded {
		ts := slices.DeleteFunc(x.found.Excluded[i].Triples, func(t kg.TripleID) bool { return t == kg.NoTriple })
		x.found.Excluded[i].Triples = slices.Compact(slices.Sorted(slices.Values(ts)))
	}
}

// closedWorld reports whether more triples could take an answer away.
func (x *evaluation) closedWorld() bool {
	return slices.ContainsFunc(x.p.Branches, func(b pattern.Branch) bool {
		return b.Kind == pattern.Without || b.Kind == pattern.Only || b.Kind == pattern.Quantity && (b.Op <= pattern.Equal || b.Than != nil)
	}) || x.p.Order != nil && x.p.Order.Node == pattern.Measured && !x.p.Order.Descending || x.p.Measure != nil && (x.p.Measure.Every || x.p.Measure.Func == pattern.Share || x.p.CountsTwo())
}

// check fails for a pattern that makes no sense.
func (x *evaluation) check() error {
	p := x.p
	fail := func(format string, args ...any) error {
		return fmt.Errorf("%w: "+format, append([]any{ErrPattern}, args...)...)
	}
	has := func(n int) bool { return n >= 0 && n < len(p.Nodes) }
	filters := slices.Clone(p.Filters)
	for i, b := range p.Branches {
		switch {
		case len(b.Edges) == 0 && (len(b.Filters) == 0 || b.Kind == pattern.Only || b.Kind == pattern.Quantity):
			return fail("a branch of the kind %q has no edges", b.Kind)
		case b.Kind == pattern.Quantity && !has(b.Node):
			return fail("a branch counts node %d of %d", b.Node, len(p.Nodes))
		case b.Than != nil && (b.Kind != pattern.Quantity || !has(*b.Than) || p.Nodes[*b.Than].Variable || !has(b.Beside()) || b.Beside() == b.Node):
			return fail("it is unclear whose number is compared: its first edge must connect what is counted")
		case b.Kind == pattern.OrElse && (i == 0 || p.Branches[i-1].Kind != pattern.OneOf && p.Branches[i-1].Kind != pattern.OrElse):
			return fail("or needs an either right before it")
		}
		filters = append(filters, b.Filters...)
	}
	if slices.ContainsFunc(p.AllEdges(), func(e pattern.Edge) bool {
		return !has(e.From) || !has(e.To) || slices.ContainsFunc(e.Fixed, func(r kg.RelationID) bool { return int(r) >= x.g.Relations() })
	}) || slices.ContainsFunc(filters, func(f pattern.Filter) bool { return !has(f.Node) || f.Than != nil && !has(*f.Than) }) {
		return fail("it names a node or a relation that does not exist")
	}
	for _, n := range p.Nodes {
		if slices.ContainsFunc(slices.Concat(n.Entities, n.Within), func(e kg.EntityID) bool { return int(e) >= x.g.Entities() }) {
			return fail("it names an entity that the graph does not have")
		}
	}
	switch {
	case p.Task == pattern.Connect || p.Task == pattern.Contrast:
		if len(p.Nodes) < 2 || p.Connection != nil && slices.ContainsFunc(slices.Concat(p.Connection.Via, p.Connection.Avoid), func(n int) bool { return !has(n) }) {
			return fail("two entities must be named")
		}
	case p.Task != pattern.Verify && !has(p.Asked):
		return fail("nothing is asked for; name a variable, such as ?x, and ask for it with | find ?x")
	}
	if o := p.Order; o != nil {
		switch {
		case o.Node != pattern.Measured && !has(o.Node), o.Of != nil && !has(*o.Of), o.Per != nil && (!has(*o.Per) || o.Of != nil || o.Node == pattern.Measured || p.Measure != nil), o.Limit < 1, o.Skip < 0:
			return fail("no rank is selected: keep at least one")
		case o.Node == pattern.Measured && (p.Measure == nil || !has(p.Measure.Per)):
			return fail("largest and smallest need something to compare: say what is counted or measured, and per what, such as | count ?film per ?director")
		}
	}
	if m := p.Measure; m != nil {
		switch {
		case !has(m.Node) || m.Per >= len(p.Nodes) || m.Of >= len(p.Nodes):
			return fail("what is measured does not exist")
		case m.Property != "" && (m.Edge < 0 || m.Edge >= len(p.Edges) || p.Edges[m.Edge].Closure):
			return fail("the edge whose statements have %q does not exist or is a chain", m.Property)
		case m.Func == pattern.Share && (m.Per >= 0 || p.Nodes[m.Node].Within == nil && !slices.ContainsFunc(p.Edges, func(e pattern.Edge) bool {
			return len(p.Branches) > 0 && (e.From == m.Node || e.To == m.Node)
		})):
			return fail("a share needs a whole: all entities of a type, such as (?film:film), or what stands outside a branch")
		case m.Func == pattern.Values && (m.Property == "" || m.Per >= 0), m.To != "" && m.Property == "":
			return fail("values must be properties of the statements of an edge")
		case p.CountsTwo() && (m.Property != "" || m.Per >= 0 || p.Replaced() < 0 || p.Replaced() == m.Of || !p.Nodes[m.Node].Variable):
			return fail("a %s of counts needs a name in the pattern for the other name to replace", m.Func)
		case m.Func.IsOfTwo() && (m.Property != "" || m.Per >= 0 || m.Of < 0):
			return fail("a %s needs two values, such as %s ?value to ?other", m.Func, m.Func)
		case m.Property == "" && m.Func != pattern.CountOf && m.Func != pattern.Share && m.Of < 0:
			return fail("say whose value %s is, such as of ?river", p.Nodes[m.Node].Text)
		}
	}
	return x.checkGroups()
}

// split makes the parts of the pattern.
func (x *evaluation) split() {
	var need []int
	if x.p.Asked >= 0 {
		need = append(need, x.p.Asked)
	}
	if n := x.compared(); n >= 0 {
		need = append(need, n)
	}
	if o := x.p.Order; o != nil && o.Per != nil {
		need = append(need, *o.Per)
	}
	if m := x.p.Measure; m != nil {
		need = append(need, m.Node)
		for _, n := range []int{m.Of, m.Per} {
			if n >= 0 && (n != m.Of || !x.p.CountsTwo()) {
				need = append(need, n)
			}
		}
		if m.Property != "" {
			need = append(need, x.p.Edges[m.Edge].From, x.p.Edges[m.Edge].To)
		}
	}
	x.main = x.newPart(x.p.Edges, x.p.Filters, need...)
	for i, b := range x.p.Branches {
		if b.Kind == pattern.OrElse {
			continue
		}
		g := group{kind: b.Kind}
		for j := i; j == i || j < len(x.p.Branches) && x.p.Branches[j].Kind == pattern.OrElse; j++ {
			b := x.newBranch(x.p.Branches[j])
			g.branches = append(g.branches, b)
			need = append(need, b.shared...)
		}
		x.groups = append(x.groups, g)
	}
	if len(need) == 0 && len(x.main.nodes) > 0 { // a claim: any binding will do
		need = x.main.nodes[:1]
	}
	x.nodes = slices.Compact(slices.Sorted(slices.Values(need)))
}

// compared is the node whose value an answer is shown with: what is ranked by, or the one
// that a filter compares; -1 for none.
func (x *evaluation) compared() int {
	p := x.p
	switch {
	case p.Order != nil:
		return p.Order.Node
	case len(p.Filters) == 1 && p.Filters[0].Than == nil && p.Measure == nil && p.Asked >= 0:
		return p.Filters[0].Node
	}
	return -1
}

// column is the place of a node in a row.
func (x *evaluation) column(n int) int { return slices.Index(x.nodes, n) }

// findRows fills x.rows with what meets everything but ranks.
func (x *evaluation) findRows() {
	if len(x.nodes) == 0 { // a claim of branches alone
		x.rows = rows{width: 1, ids: []kg.EntityID{kg.NoEntity}}
	} else if x.tallySpokes() {
		return
	} else {
		x.narrow()
		var err error
		x.rows, err = x.someBound(x.main, x.free(x.main), x.nodes)
		bail.If(err)
	}
	if m := x.p.Measure; m != nil && m.Func == pattern.Share && len(x.groups) > 0 {
		x.all = x.distinct(m.Node)
	}
	if value, of := x.measuredOf(); value >= 0 && x.column(of) >= 0 && !x.rows.cut {
		list := x.columns(of)
		x.valued = only(list.ids)
	}
	x.step("%s outside branches", wording.Count(x.rows.len(), "row", "rows"))
	err := bail.Try(func() {
		for i := range x.groups {
			x.keep(&x.groups[i])
		}
	})
	if err != nil {
		x.rows.ids = nil // those left are not tested
		panic(bail.Out{Err: err})
	}
}

// distinct counts what a node is bound to.
func (x *evaluation) distinct(n int) int {
	at, seen := x.column(n), map[kg.EntityID]bool{}
	for i := range x.rows.len() {
		seen[x.rows.at(i)[at]] = true
	}
	return len(seen)
}

// free pins nothing.
func (x *evaluation) free(p *part) []kg.EntityID {
	return slices.Repeat([]kg.EntityID{kg.NoEntity}, len(p.nodes))
}

// step notes a step of the evaluation, with its counts.
func (x *evaluation) step(format string, args ...any) {
	x.found.Steps = append(x.found.Steps, fmt.Sprintf(format, args...))
}

// note adds a sentence for the reader, once.
func (x *evaluation) note(format string, args ...any) {
	if s := fmt.Sprintf(format, args...); !slices.Contains(x.found.Notes, s) {
		x.found.Notes = append(x.found.Notes, s)
	}
}

// join is the join engine with the work that is left.
func (x *evaluation) join() match.Anchored { return match.Anchored{Graph: x.g, Budget: max(x.left, 1)} }

// count adds what the join engine did to what was done.
func (x *evaluation) count(s match.Stats) {
	x.found.Stats.Considered += s.Considered
	x.left -= s.Considered
}

// work counts steps, and fails where time or work is over.
func (x *evaluation) work(steps int) {
	const often = 1 << 10
	before := x.left / often
	if x.left -= steps; x.left < 0 {
		panic(bail.Out{Err: match.ErrBudget})
	}
	if x.left/often != before {
		bail.If(x.ctx.Err())
	}
}

// names lists entities by their labels, the first few, with how many more there are.
func (x *evaluation) names(es []kg.EntityID) string {
	const first = 5
	names := make([]string, len(es)) // of the others nothing is read
	for i, e := range es[:min(first, len(es))] {
		names[i] = wording.OneLine(x.g.Label(e))
	}
	return wording.First(names, first)
}

// support finds the triples behind the first answers: for each some bindings of the part
// outside, with what its branches rest on.
func (x *evaluation) support() {
	p := x.p
	if p.Task == pattern.Verify {
		if x.rows.len() > 0 {
			x.supportRow(x.rows.at(0), -1)
		}
		return
	}
	by := p.Asked
	at := x.column(by)
	defer func() {
		if slices.ContainsFunc(x.found.Answers, func(a evidence.Answer) bool { return p.Measure != nil && a.Matches > max(len(a.Supports), 1) }) {
			x.note("Each number covers everything that matches; the evidence shows the first %d for each of the first %d answers.", x.limits.Shown, x.limits.Shown)
		}
	}()
	shown := x.limits.Shown
	if p.Measure == nil {
		shown = 3 // one says it all
	}
	of, wanted := map[kg.EntityID]int{}, 0
	for i, a := range x.found.Answers[:min(len(x.found.Answers), x.limits.Shown)] {
		of[a.Entity] = i
		wanted += min(shown, a.Matches)
	}
	for i := range x.rows.len() {
		if wanted == 0 && p.Measure == nil {
			break
		}
		row := x.rows.at(i)
		n, ok := of[row[at]]
		if p.Measure != nil && (p.Measure.Per < 0 || p.Measure.Fold != nil) {
			n, ok = 0, len(x.found.Answers) > 0
		}
		if m := p.Measure; m != nil && m.Func.IsOfTwo() && !p.CountsTwo() {
			n, ok = x.pairs[[2]kg.EntityID{row[x.column(m.Node)], row[x.column(m.Of)]}]
		}
		if !ok || len(x.found.Answers[n].Supports) >= shown {
			continue
		}
		x.supportRow(row, n)
		wanted--
	}
	if len(x.found.Answers) == 1 { // what the other of two counts is made of
		a := &x.found.Answers[0]
		for _, c := range x.others[:min(len(x.others), x.limits.Shown)] {
			a.Supports = append(a.Supports, len(x.found.Candidates))
			x.found.Candidates = append(x.found.Candidates, c)
		}
	}
}

// supportRow adds the first binding behind a row, as a support of an answer.
func (x *evaluation) supportRow(row []kg.EntityID, answer int) {
	if answer >= 0 {
		a := &x.found.Answers[answer]
		a.Supports = append(a.Supports, len(x.found.Candidates))
	}
	x.found.Candidates = append(x.found.Candidates, x.behind(row))
}

// behind is the first binding behind a row, with what meets the branches.
func (x *evaluation) behind(row []kg.EntityID) evidence.Candidate {
	c := evidence.Candidate{
		Nodes: slices.Repeat([]kg.EntityID{kg.NoEntity}, len(x.p.Nodes)),
		Edges: slices.Repeat([]kg.TripleID{kg.NoTriple}, len(x.p.Edges)),
	}
	pins := x.free(x.main)
	for i, n := range x.nodes {
		pins[x.main.local(n)] = row[i]
	}
	x.each(x.main, pins, func(b match.Binding) bool {
		for i, n := range x.main.nodes {
			c.Nodes[n] = b.Nodes[i]
		}
		for i, e := range x.main.edges {
			c.Edges[e] = b.Edges[i]
		}
		for _, chained := range x.main.closures {
			chain := x.chain(chained, b.Nodes[chained.From], b.Nodes[chained.To])
			if len(chain) == 0 {
				return false
			}
			c.Edges[chained.edge] = chain[0]
			c.Edges = append(c.Edges, chain[1:]...)
		}
		return false
	})
	for _, g := range x.groups {
		for _, b := range g.branches {
			c.Edges = append(c.Edges, x.proof(b, row)...)
		}
	}
	return c
}

// nodeText words a variable or a name.
func (x *evaluation) nodeText(n int) string { return strings.TrimPrefix(x.p.Nodes[n].Text, "?") }
