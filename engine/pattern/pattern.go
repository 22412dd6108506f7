// Package pattern holds the words for what is looked for in a graph.
//
//	Pattern  nodes and edges to be matched, the asked node, and what to do with
//	         the matches (list, count, verify, compare)
//	Node     known (a mention, perhaps already linked) or a variable
//	Edge     a relation as text, as fixed relations, or unknown
//
// A Pattern is what planners make, what users edit and what retrievers match
// (SimGRAG §3.1, "pattern graph").
package pattern

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dominikbraun/graph"

	"cairn/engine/kg"
	"cairn/internal/token"
)

// Task is what is asked of the matches.
type Task int

// The tasks.
const (
	Find     Task = iota // which entities bind the asked node?
	Count                // how many different entities bind it?
	Verify               // does any match exist?
	Connect              // which paths join the first node and the second?
	Describe             // what does the graph say of the asked node?
	Contrast             // what do the first node and the second have in common, and what not?
)

var tasks = token.Names{"find", "count", "verify", "connect", "describe", "contrast"}

// String returns the task's name.
func (t Task) String() string { return tasks.Of(int(t)) }

// MarshalText writes the task's name.
func (t Task) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads a task's name.
func (t *Task) UnmarshalText(text []byte) error { return token.Read(tasks, "task", text, t) }

// Reuse says which pattern nodes may be bound to the same entity.
type Reuse int

// The reuse modes.
const (
	// ReuseNone binds different nodes to different entities (SimGRAG
	// Definition 1: a bijection). The default.
	ReuseNone Reuse = iota
	// ReuseVariables lets variables share an entity with each other, never with
	// a known node: "films sharing an actor with X" drops X itself, yet an
	// actor may also be the director. This is MetaQA's convention.
	ReuseVariables
	// ReuseAll lets any two nodes share an entity.
	ReuseAll
)

var reuses = token.Names{"none", "variables", "all"}

// DateWords says the comparison in words, before a date.
func (o Op) DateWords() string {
	return token.Names{"before", "no later than", "in", "no earlier than", "after", "other than"}.Of(int(o))
}

// MarshalText writes the token, for kept runs.
func (r Reuse) MarshalText() ([]byte, error) { return []byte(reuses.Of(int(r))), nil }

// UnmarshalText reads a token.
func (r *Reuse) UnmarshalText(text []byte) error { return token.Read(reuses, "reuse mode", text, r) }

// Node is one node of a pattern.
type Node struct {
	// Text is the mention of a known node as the question has it, and the
	// name of a variable ("?film") otherwise.
	Text string `json:"text"`
	// Variable says that any entity may bind, subject to Type.
	Variable bool `json:"variable,omitempty"`
	// Entities are the entities that a known node is linked to; empty means
	// that the retriever looks for the nearest names of Text.
	Entities []kg.EntityID `json:"entities,omitempty"`
	// Distances[i] is the distance of Entities[i] to the mention; nil means 0.
	Distances []float64 `json:"distances,omitempty"`
	// Type is a type hint in words, or empty.
	Type string `json:"type,omitempty"`
	// Within restricts a variable to these entities (ascending); nil means no
	// restriction. Planners fill it from types that the graph really has. A record
	// has the Type alone.
	Within []kg.EntityID `json:"-"`
}

// Direction says how a pattern edge lies on a triple.
type Direction int

// The directions.
const (
	Either  Direction = iota // From may be head or tail (the paper's matching)
	Forward                  // From is the head
)

var directions = token.Names{"either", "forward"}

// MarshalText writes the token, for kept runs.
func (d Direction) MarshalText() ([]byte, error) { return []byte(directions.Of(int(d))), nil }

// UnmarshalText reads a token.
func (d *Direction) UnmarshalText(text []byte) error {
	return token.Read(directions, "direction", text, d)
}

// Edge is one edge of a pattern.
type Edge struct {
	From int `json:"from"` // index into Nodes
	To   int `json:"to"`   // index into Nodes
	// Relation is the relation as text; empty means any relation at cost 0.
	Relation string `json:"relation"`
	// Fixed are the relations that the edge must have; empty means that the
	// retriever looks for the nearest relation names of Relation.
	Fixed []kg.RelationID `json:"fixed,omitempty"`
	// Direction is how the edge lies on a triple.
	Direction Direction `json:"direction,omitempty"`
	// Conditions are what one statement of the triple must say beside it.
	Conditions []Condition `json:"conditions,omitempty"`
	// Closure lets the edge be a chain of one or more triples, all of its relation and
	// direction.
	Closure bool `json:"closure,omitempty"`
}

// Op compares a value with a number or date.
type Op int

// The comparisons.
const (
	Less Op = iota
	AtMost
	Equal
	AtLeast
	Greater
	Unequal // of two nodes of a Filter: they are different things
)

var ops = token.Names{"<", "<=", "=", ">=", ">", "!="}

// String returns the comparison's sign.
func (o Op) String() string { return ops.Of(int(o)) }

// Words says the comparison in words, before a value.
func (o Op) Words() string {
	return token.Names{"less than", "at most", "exactly", "at least", "more than", "other than"}.Of(int(o))
}

// MarshalText writes the token, for kept runs.
func (o Op) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads a token.
func (o *Op) UnmarshalText(text []byte) error { return token.Read(ops, "comparison", text, o) }

// Filter keeps the matches whose node has a value that compares as said.
type Filter struct {
	Node  int     `json:"node"` // index into Nodes, whose entity is read as a value
	Op    Op      `json:"op"`
	Value float64 `json:"value"` // a number, or a date as years with fraction
	// Unit is the unit of Value, in which the values of the node must be told; empty where
	// they are compared as they stand.
	Unit string `json:"unit,omitempty"`
	// Told says how what was asked became Value, "4,000 miles = 6,437 km"; empty where it is
	// as it was.
	Told string `json:"told,omitempty"`
	// Than is the node with whose value the other is compared instead of Value; nil for
	// none. Values of different dimensions never compare. By Unequal the two are not one thing:
	// a name may stand for several, all of which are left out, and needs no edge. By Equal to a
	// name that no edge joins they are one thing.
	Than *int `json:"than,omitempty"`
	// Times is by how much the value of Than is multiplied first; 0 for 1.
	Times float64 `json:"times,omitempty"`
	// Plus is what is added to the value of Than then: years, where it is a date.
	Plus float64 `json:"plus,omitempty"`
	// Yearly is what dates are in, whatever their year, instead of how they compare with Value.
	Yearly kg.Yearly `json:"yearly,omitzero"`
}

// Holds compares a value with a filter, in its unit. A date is compared with a whole number by its
// year: "after 1999" is not met by December 1999, "by 1999" is.
func (f Filter) Holds(v kg.Value) bool {
	if f.Yearly != (kg.Yearly{}) {
		return f.Yearly.Has(v)
	}
	if f.Unit != "" {
		var ok bool
		if v, ok = v.In(f.Unit); !ok {
			return false
		}
	}
	number := v.Number
	if v.Kind == kg.DateValue && f.Value == math.Trunc(f.Value) {
		number = math.Floor(number)
	}
	// Values come from decimal text, so equal ones differ by rounding at most.
	const relative = 1e-9
	equal := math.Abs(number-f.Value) <= relative*max(1, math.Abs(number), math.Abs(f.Value))
	switch f.Op {
	case Less:
		return number < f.Value && !equal
	case AtMost:
		return number <= f.Value || equal
	case Equal:
		return equal
	case AtLeast:
		return number >= f.Value || equal
	case Greater:
		return number > f.Value && !equal
	case Unequal:
		return !equal
	}
	return false
}

// Excludes reports whether a filter leaves the things of a name out.
func (p *Pattern) Excludes(f Filter) bool { return f.Op == Unequal && p.IsOfName(f) }

// IsOfName reports whether a filter says by a name which things its node is, or is not.
func (p *Pattern) IsOfName(f Filter) bool {
	if f.Than == nil || p.Nodes[*f.Than].Variable || f.Op != Unequal && f.Op != Equal || f.Times != 0 || f.Plus != 0 {
		return false
	}
	return f.Op == Unequal || !slices.ContainsFunc(p.AllEdges(), func(e Edge) bool { return e.From == *f.Than || e.To == *f.Than })
}

// IsChoice reports whether what is asked for is one of some things that the pattern names: an
// either of names.
func (p *Pattern) IsChoice() bool {
	return slices.ContainsFunc(p.Branches, func(b Branch) bool {
		return b.Kind == OneOf && len(b.Edges) == 0 && len(b.Filters) == 1 && b.Filters[0].Node == p.Asked && b.Filters[0].Op == Equal && p.IsOfName(b.Filters[0])
	})
}

// Passes reports whether the value of e meets every filter; an entity that is no value
// meets none.
func Passes(g *kg.Graph, e kg.EntityID, filters []Filter) bool {
	if len(filters) == 0 {
		return true
	}
	v, ok := g.Value(e)
	return ok && !slices.ContainsFunc(filters, func(f Filter) bool { return !f.Holds(v) })
}

// Order keeps the matches with the largest or smallest value of a node.
type Order struct {
	Node       int  `json:"node"` // index into Nodes, whose entity is read as a value; or Measured
	Descending bool `json:"descending"`
	Limit      int  `json:"limit"` // how many things to keep, with those that tie with the last; 1 for "the largest"
	// Skip is how many distinct values are left out first: 1 for "the second largest".
	Skip int `json:"skip,omitempty"`
	// Of is the node that is ranked before it is known what leads from it to what is asked for:
	// the librettist of the shortest work is nobody where that work has none. It is nil where
	// all that matches is ranked.
	Of *int `json:"of,omitempty"`
	// Per is the node each of whose bindings has a ranking of its own: the country of the largest
	// city of each country. It is nil for one ranking.
	Per *int `json:"per,omitempty"`
	// Both keeps as many from the other end of the ranking, too: the first and the last.
	Both bool `json:"both,omitempty"`
}

// Told is a unit that an answer is wanted in.
type Told struct {
	Unit string `json:"unit"`
	// From is the unit of values whose labels say none; empty where that is not known.
	From string `json:"from,omitempty"`
}

// Pattern is what is looked for.
type Pattern struct {
	Nodes []Node `json:"nodes"`
	Edges []Edge `json:"edges"`
	// Asked is the node whose bindings answer the question; -1 for Verify.
	Asked   int      `json:"asked"`
	Task    Task     `json:"task"`
	Reuse   Reuse    `json:"reuse"`
	Filters []Filter `json:"filters,omitempty"`
	Order   *Order   `json:"order,omitempty"`
	// Branches are the parts that do not simply have to match.
	Branches []Branch `json:"branches,omitempty"`
	// Measure is the number that is asked for, or ordered by; nil for none.
	Measure *Measure `json:"measure,omitempty"`
	// Told is the unit in which the number that is asked for is told, too; nil for none.
	Told *Told `json:"told,omitempty"`
	// Connection bounds the paths of Connect; nil for the defaults.
	Connection *Connection `json:"connection,omitempty"`
	// Negated says that a claim denies what the edges state.
	Negated bool `json:"negated,omitempty"`
}

// Named returns the entities that the pattern names, in its order.
func (p *Pattern) Named() (es []kg.EntityID) {
	for _, n := range p.Nodes {
		if !n.Variable {
			es = append(es, n.Entities...)
		}
	}
	return es
}

// Apart returns the nodes that may not be bound to an entity that node n is bound to, as
// bits, of a pattern of 64 nodes at most.
func (p *Pattern) Apart(n int) (others uint64) {
	for i, o := range p.Nodes {
		known := !p.Nodes[n].Variable || !o.Variable
		if i != n && (p.Reuse == ReuseNone || p.Reuse == ReuseVariables && known) {
			others |= 1 << i
		}
	}
	return others
}

// FiltersOf returns the filters of node n.
func (p *Pattern) FiltersOf(n int) (fs []Filter) {
	for _, f := range p.Filters {
		if f.Node == n {
			fs = append(fs, f)
		}
	}
	return fs
}

// IsFixed reports whether nothing of the pattern is left to likeness, so that a match is
// an exact one: every name is linked at no distance, and every relation is settled or
// may be any.
func (p *Pattern) IsFixed() bool {
	open := func(e Edge) bool { return len(e.Fixed) == 0 && e.Relation != "" }
	far := func(n Node) bool {
		return !n.Variable && (len(n.Entities) == 0 || slices.ContainsFunc(n.Distances, func(d float64) bool { return d > 0 }))
	}
	return !slices.ContainsFunc(p.Edges, open) && !slices.ContainsFunc(p.Nodes, far)
}

// Check says what keeps the nodes, the edges and the filters of a pattern from being
// matched in g at all: none, or a place, a relation or an entity that is not there.
func (p *Pattern) Check(g *kg.Graph) error {
	node := func(n int) bool { return n >= 0 && n < len(p.Nodes) }
	switch {
	case len(p.Nodes) == 0:
		return errors.New("it has no nodes")
	case p.Asked != -1 && !node(p.Asked), p.Order != nil && (!node(p.Order.Node) || (p.Order.Of != nil && !node(*p.Order.Of) || p.Order.Per != nil && !node(*p.Order.Per))):
		return errors.New("the node that it asks for or orders by does not exist")
	}
	for i, e := range p.Edges {
		if !node(e.From) || !node(e.To) {
			return fmt.Errorf("edge %d joins nodes %d and %d of %d", i, e.From, e.To, len(p.Nodes))
		}
		if slices.ContainsFunc(e.Fixed, func(r kg.RelationID) bool { return int(r) >= g.Relations() }) {
			return fmt.Errorf("edge %d has a relation that the graph does not have", i)
		}
	}
	for i, n := range p.Nodes {
		if n.Distances != nil && len(n.Distances) != len(n.Entities) {
			return fmt.Errorf("node %d has %d entities and %d distances", i, len(n.Entities), len(n.Distances))
		}
		if slices.ContainsFunc(slices.Concat(n.Entities, n.Within), func(e kg.EntityID) bool { return int(e) >= g.Entities() }) {
			return fmt.Errorf("node %d has an entity that the graph does not have", i)
		}
	}
	if slices.ContainsFunc(p.Filters, func(f Filter) bool { return !node(f.Node) }) {
		return errors.New("a filter is on a node that does not exist")
	}
	return nil
}

// Parts returns the nodes of each connected part of the pattern, ascending, in
// the order of their first nodes. More than one part means that nothing in the
// question ties their matches together.
func (p *Pattern) Parts() ([][]int, error) {
	g := graph.New(graph.IntHash)
	for n := range p.Nodes {
		if err := g.AddVertex(n); err != nil {
			return nil, fmt.Errorf("pattern node %d: %w", n, err)
		}
	}
	for i, e := range p.Edges {
		// Parallel edges and edges both ways join the same nodes once.
		if err := g.AddEdge(e.From, e.To); err != nil && !errors.Is(err, graph.ErrEdgeAlreadyExists) {
			return nil, fmt.Errorf("pattern edge %d: %w", i, err)
		}
	}
	seen := make([]bool, len(p.Nodes))
	var parts [][]int
	for n := range p.Nodes {
		if seen[n] {
			continue
		}
		var part []int
		if err := graph.DFS(g, n, func(m int) bool {
			seen[m] = true
			part = append(part, m)
			return false
		}); err != nil {
			return nil, fmt.Errorf("walk the pattern from node %d: %w", n, err)
		}
		slices.Sort(part)
		parts = append(parts, part)
	}
	return parts, nil
}
