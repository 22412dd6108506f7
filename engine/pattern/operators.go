package pattern

import (
	"slices"

	"cairn/engine/kg"
	"cairn/internal/token"
)

// BranchKind says what a branch asks of the matches of the rest.
type BranchKind int

// The kinds of branches.
const (
	Without  BranchKind = iota // it has no match
	OneOf                      // it has one, or the OrElse branches right behind it do
	OrElse                     // an alternative to the branch before
	Only                       // whatever its first edge leads to meets it
	Quantity                   // the number of its bindings compares as said
)

var branchKinds = token.Names{"without", "either", "or", "only", "quantity"}

// String returns the kind as a token.
func (k BranchKind) String() string { return branchKinds.Of(int(k)) }

// MarshalText writes the token, for kept runs.
func (k BranchKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads a token.
func (k *BranchKind) UnmarshalText(text []byte) error {
	return token.Read(branchKinds, "branch", text, k)
}

// Branch is a part of a pattern that does not simply have to match. Its edges join
// nodes of the pattern. Variables that nothing outside of branches touches are each
// branch's own: they stand for anything there is. Texts read best where such nodes have
// the last numbers.
//
// Without, Only and the upper bounds of a Quantity hold as far as the graph is
// complete: what it does not say counts as not so.
type Branch struct {
	Kind    BranchKind `json:"kind"`
	Edges   []Edge     `json:"edges"`
	Filters []Filter   `json:"filters,omitempty"`
	// Node is the variable whose different bindings a Quantity counts; Op and N are
	// what their number is compared with.
	Node int `json:"node,omitempty"`
	Op   Op  `json:"op,omitempty"`
	N    int `json:"n,omitempty"`
	// Than is a name whose own number of such bindings is taken instead of N: that with the
	// name in the place of Beside; nil for none.
	Than *int `json:"than,omitempty"`
	// Times is by how much the number of Than is multiplied first; 0 for 1.
	Times float64 `json:"times,omitempty"`
}

// Beside is the node that the first edge of a Quantity joins what it counts to; -1 where
// it joins something else.
func (b Branch) Beside() int {
	if len(b.Edges) == 0 || b.Edges[0].From != b.Node && b.Edges[0].To != b.Node {
		return -1
	}
	return b.Edges[0].From + b.Edges[0].To - b.Node
}

// AllEdges returns the edges of the pattern, and behind them those of its branches.
func (p *Pattern) AllEdges() []Edge {
	edges := slices.Clone(p.Edges)
	for _, b := range p.Branches {
		edges = append(edges, b.Edges...)
	}
	return edges
}

// AllFilters returns the filters of the pattern, and behind them those of its branches.
func (p *Pattern) AllFilters() []Filter {
	filters := slices.Clone(p.Filters)
	for _, b := range p.Branches {
		filters = append(filters, b.Filters...)
	}
	return filters
}

// Func makes one number of many.
type Func int

// The functions.
const (
	CountOf Func = iota // of different entities
	Sum
	Average
	Least
	Most
	Share      // of all that bind the node outside of branches, how many do in all, in percent; without branches, of all of its kind
	Difference // of the values of Node and Of: the first less the second
	Ratio      // of the values of Node and Of: how many times the second the first is
	Values     // of a Property: each as it is said, and no number made of them
	Median
)

var funcs = token.Names{"count", "sum", "average", "least", "most", "share", "difference", "ratio", "values", "median"}

// IsOfTwo reports whether a function takes two values, and not many.
func (f Func) IsOfTwo() bool { return f == Difference || f == Ratio }

// String returns the function as a token.
func (f Func) String() string { return funcs.Of(int(f)) }

// MarshalText writes the token, for kept runs.
func (f Func) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads a token.
func (f *Func) UnmarshalText(text []byte) error { return token.Read(funcs, "function", text, f) }

// Measure is a number made of the matches: one for all of them, or one for each entity
// that binds a node. The pattern's Asked is then Per, or another node of what is kept.
// A CountOf of all is Task Count instead.
type Measure struct {
	Func Func `json:"func"`
	// Node is what is counted, or what is read as a value.
	Node int `json:"node"`
	// Of is the node that Node is a value of, each pair of which counts once: two rivers
	// of one length are two lengths. -1 for CountOf and Share. Of a Difference and a Ratio it
	// is the second value; where it is a name, they are of two counts: how many bind Node, and
	// how many do with that name in the place of the pattern's Replaced.
	Of int `json:"of"`
	// Property, where it is not empty, is what the statements of the edge at index Edge
	// say; its values are taken instead of Node's, once for each triple. A CountOf counts the
	// statements that have it.
	Property string `json:"property,omitempty"`
	// To names the property that ends what Property begins: Values are then intervals, and
	// other functions take how long these are, in years.
	To   string `json:"to,omitempty"`
	Edge int    `json:"edge,omitempty"`
	// Per is the node each of whose entities has a number of its own; -1 for one number
	// of all.
	Per int `json:"per"`
	// Every lets a CountOf have a number for all that Per may be bound to, 0 for what has
	// nothing that is counted; otherwise these have none.
	Every bool `json:"every,omitempty"`
	// Having are what the number of each Per must be; their Node is Measured.
	Having []Filter `json:"having,omitempty"`
	// Fold makes one number of those of all that Per is bound to: a CountOf how many there are; nil
	// for none.
	Fold *Func `json:"fold,omitempty"`
}

// CountsTwo reports whether the measure is of two counts.
func (p *Pattern) CountsTwo() bool {
	m := p.Measure
	return m != nil && m.Func.IsOfTwo() && m.Of >= 0 && m.Of < len(p.Nodes) && !p.Nodes[m.Of].Variable
}

// Replaced is the name in whose place another is put to count again: the first that an edge
// joins; -1 for none.
func (p *Pattern) Replaced() int {
	for i, n := range p.Nodes {
		if !n.Variable && slices.ContainsFunc(p.Edges, func(e Edge) bool { return e.From == i || e.To == i }) {
			return i
		}
	}
	return -1
}

// Measured is the Node of an Order that orders by the Measure. It keeps as many entities
// as the Order's Limit says, and those that tie with the last; Skip leaves out the first
// different numbers.
const Measured = -1

// Connection bounds the paths that Connect asks for. Paths go along triples in either
// direction and visit no entity twice.
type Connection struct {
	// Within is how many triples a path has at most; 0 for the evaluator's own bound.
	Within int `json:"within,omitempty"`
	// K is how many paths are asked for, the shortest first; 0 for all of the shortest.
	K int `json:"k,omitempty"`
	// Via are nodes that each path visits, Avoid those that none does.
	Via   []int `json:"via,omitempty"`
	Avoid []int `json:"avoid,omitempty"`
}

// beyond returns the edges that lead from a node to what is asked for, and no other way: those at
// the node behind which the asked node lies, with all that hangs on them.
func (p *Pattern) beyond(of int) (beyond []bool) {
	beyond = make([]bool, len(p.Edges))
	for i, first := range p.Edges {
		if first.From != of && first.To != of {
			continue
		}
		behind, nodes := make([]bool, len(p.Edges)), []int{first.From + first.To - of}
		behind[i] = true
		for k := 0; k < len(nodes); k++ {
			for j, e := range p.Edges {
				if n := nodes[k]; !behind[j] && p.Nodes[n].Variable && (e.From == n || e.To == n) && e.From != of && e.To != of {
					behind[j] = true
					nodes = append(nodes, e.From+e.To-n)
				}
			}
		}
		if slices.Contains(nodes, p.Asked) {
			for j := range behind {
				beyond[j] = beyond[j] || behind[j]
			}
		}
	}
	return beyond
}

// RankedFirst returns the pattern of what is ranked before it is known what leads from it to what
// is asked for: of "the librettist of the shortest work", that of the shortest work.
func (p *Pattern) RankedFirst() *Pattern {
	of, order := *p.Order.Of, *p.Order
	order.Of = nil
	first := &Pattern{Nodes: p.Nodes, Asked: of, Task: Find, Reuse: p.Reuse, Order: &order}
	inside, outside := map[int]bool{of: true}, map[int]bool{p.Asked: true}
	for i, beyond := range p.beyond(of) {
		side := inside
		if beyond {
			side = outside
		} else {
			first.Edges = append(first.Edges, p.Edges[i])
		}
		side[p.Edges[i].From], side[p.Edges[i].To] = true, true
	}
	delete(outside, of)
	for _, f := range p.Filters {
		if inside[f.Node] && (f.Than == nil || !outside[*f.Than]) {
			first.Filters = append(first.Filters, f)
		}
	}
	kept := true
	for _, b := range p.Branches {
		if apart := func(e Edge) bool { return outside[e.From] || outside[e.To] }; b.Kind != OrElse {
			kept = !slices.ContainsFunc(b.Edges, apart) && !slices.ContainsFunc(b.Filters, func(f Filter) bool { return outside[f.Node] })
		}
		if kept {
			first.Branches = append(first.Branches, b)
		}
	}
	return first
}

// IsPlain reports whether the pattern is a conjunction of edges, conditions and
// filters, which every retriever reads; what is not plain is evaluated by engine/query.
func (p *Pattern) IsPlain() bool {
	return len(p.Branches) == 0 && p.Measure == nil && p.Told == nil && p.Task <= Verify && (p.Task != Verify || len(p.Filters) == 0) && (p.Order == nil || p.Order.Skip <= 0 && p.Order.Of == nil && p.Order.Per == nil && !p.Order.Both) &&
		!slices.ContainsFunc(p.Edges, func(e Edge) bool { return e.Closure }) &&
		!slices.ContainsFunc(p.Nodes, func(n Node) bool { return n.Variable && n.Within == nil && !ReadKinds(n.Type).IsOne() }) &&
		!slices.ContainsFunc(p.Filters, func(f Filter) bool { return f.Than != nil || f.Unit != "" || f.Yearly != (kg.Yearly{}) })
}
