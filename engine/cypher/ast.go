// Package cypher reads and runs the part of openCypher that only reads, over any Graph.
//
//	text ─Parse─▶ Query ─compile─▶ chains of stages ─Run─▶ rows, each with the relationships it rests on
//
// A clause is a stage: rows come in and rows go out, one at a time; only ORDER BY, DISTINCT
// and aggregates hold any. What the conformance tests of openCypher say of these clauses
// holds. Over shows a knowledge graph as a Graph.
package cypher

import "slices"

// Query is a query that was parsed: the parts of a UNION, one where there is none.
type Query struct {
	Text  string
	Parts []part
	// All keeps rows that are there twice: UNION ALL.
	All bool
}

// part is a query without UNION: its clauses, in order.
type part struct{ Clauses []clause }

type clauseKind int

// The kinds of clauses.
const (
	clauseMatch clauseKind = iota
	clauseUnwind
	clauseWith
	clauseReturn
)

// clause is one step of a query: rows come in and rows go out.
type clause struct {
	Kind clauseKind
	At   int // its first byte in the text

	Optional bool   // OPTIONAL MATCH
	Paths    []Path // of MATCH
	Where    *Expr  // of MATCH and WITH

	List *Expr  // of UNWIND
	Name string // of UNWIND

	Items       []item // of WITH and RETURN
	Star        bool   // WITH *, RETURN *
	Distinct    bool
	Order       []key
	Skip, Limit *Expr
}

// item is one column of WITH or RETURN.
type item struct {
	Expr *Expr
	// Name is its alias, or its text.
	Name string
	// Named says that there is an alias.
	Named bool
}

// key is what rows are ordered by.
type key struct {
	Expr       *Expr
	Descending bool
}

// Path is one path pattern: Nodes[i] is joined to Nodes[i+1] by Edges[i].
type Path struct {
	Name  string
	Nodes []NodePattern
	Edges []EdgePattern
	// Shortest asks for one path that is as short as any, All for all of these.
	Shortest, All bool
	At            int
}

// NodePattern is what a node must be.
type NodePattern struct {
	Name       string
	Labels     []string
	Properties *Expr // a map or a parameter; nil for none
	At         int
}

// EdgePattern is what the relationship between two nodes must be.
type EdgePattern struct {
	Name       string
	Types      []string // any of them; none for all
	Properties *Expr
	// Out and In say which ways it may point; both for either way.
	Out, In bool
	// Many says that it stands for a path of Least to Most relationships; Most is -1
	// where there is no bound.
	Many        bool
	Least, Most int
	At          int
}

// ExprKind tells expressions.
type ExprKind int

// The kinds of expressions, with what their fields hold.
const (
	Literal       ExprKind = iota // Value
	Param                         // Name
	Variable                      // Name
	Property                      // Args[0], Name
	Index                         // Args[0], Args[1]
	Slice                         // Args[0], from and to, nil where not given
	HasLabels                     // Args[0], Names
	Unary                         // Name is the operator: NOT, -, +, IS NULL, IS NOT NULL
	Binary                        // Name is the operator
	Compare                       // Args joined by Names: a < b <= c
	ListOf                        // Args
	MapOf                         // Names and Args
	Call                          // Name in lower case, Args, Distinct; count(*) has Star
	Case                          // Subject or nil, when, then, …, else or nil
	ListComp                      // Name, list, where or nil, what or nil
	Quantifier                    // Names[0] is all, any, none or single; Name, list, where
	Reduce                        // Names[0] and Args[0] begin; Name, list, what
	PatternExists                 // Paths: a pattern as a condition
	PatternComp                   // Paths, where or nil, what
	Exists                        // Query, or Paths and Args[0]: where or nil
	CountOf                       // as Exists
)

// Expr is an expression. Which fields it has goes by its Kind.
type Expr struct {
	Kind     ExprKind
	At, End  int // its bytes in the text
	Name     string
	Value    any
	Args     []*Expr
	Names    []string
	Distinct bool
	Star     bool
	Paths    []Path
	Query    *Query
}

// walk calls f for an expression and all that is in it, until f returns false, which
// leaves out what is below.
func (e *Expr) walk(f func(*Expr) bool) {
	if e == nil || !f(e) {
		return
	}
	for _, a := range e.Args {
		a.walk(f)
	}
	for i := range e.Paths {
		e.Paths[i].walk(f)
	}
}

// walk calls f for the expressions of a path.
func (p *Path) walk(f func(*Expr) bool) {
	for i := range p.Nodes {
		p.Nodes[i].Properties.walk(f)
	}
	for i := range p.Edges {
		p.Edges[i].Properties.walk(f)
	}
}

// TypesNamed lists the types of relationships that a query's MATCH clauses name.
func (q *Query) TypesNamed() (names []string) {
	for _, p := range q.Parts {
		for _, c := range p.Clauses {
			for _, path := range c.Paths {
				for _, e := range path.Edges {
					names = append(names, e.Types...)
				}
			}
		}
	}
	return names
}

// Mentions reports whether a query has a variable, or a parameter, of that name.
func (q *Query) Mentions(name string) (found bool) {
	var in func(e *Expr) bool
	paths := func(ps []Path) {
		for _, p := range ps {
			p.walk(in)
			found = found || slices.ContainsFunc(p.Nodes, func(n NodePattern) bool { return n.Name == name }) ||
				slices.ContainsFunc(p.Edges, func(e EdgePattern) bool { return e.Name == name })
		}
	}
	in = func(e *Expr) bool {
		found = found || (e.Kind == Variable || e.Kind == Param) && e.Name == name || e.Query != nil && e.Query.Mentions(name)
		paths(e.Paths)
		return !found
	}
	for _, p := range q.Parts {
		for _, c := range p.Clauses {
			paths(c.Paths)
			for _, e := range []*Expr{c.Where, c.List, c.Skip, c.Limit} {
				e.walk(in)
			}
			for _, it := range c.Items {
				it.Expr.walk(in)
			}
			for _, k := range c.Order {
				k.Expr.walk(in)
			}
		}
	}
	return found
}

// aggregates reports whether an expression counts or sums rows.
func (e *Expr) aggregates() (yes bool) {
	e.walk(func(e *Expr) bool {
		yes = yes || e.Kind == Call && aggregates[e.Name] != nil
		return !yes
	})
	return yes
}
