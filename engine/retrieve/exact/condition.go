package exact

import (
	"iter"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/retrieve"
	"cairn/internal/wording"
)

// mask is a set of conditions.
type mask uint64

const (
	maxConditions = 64
	// maxSoft is how many names that the reading leaves out become conditions.
	maxSoft = 12
)

func (m mask) has(c int) bool { return m>>c&1 != 0 }
func (m mask) count() int     { return bits.OnesCount64(uint64(m)) }

// all yields the conditions of a set, ascending.
func (m mask) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		for ; m != 0; m &= m - 1 {
			if !yield(bits.TrailingZeros64(uint64(m))) {
				return
			}
		}
	}
}

// condition is one thing that is asked of an answer.
type condition struct {
	text    string
	edges   []int // of the pattern: those that lead to its end, in order, and what it needs beside them
	filters []int // of the pattern
	// end is the node that it is about, and last the edge to it; -1 where it has none.
	end, last int
	// kind says that the asked node is of some kind.
	kind bool
	// names says that it leads from an entity of the question, so that there are not
	// many that meet it, and tied that it is about the asked node at all.
	names, tied bool
}

// split makes conditions of the pattern.
//
// From the asked node edges are followed over what is not known. An edge to a known
// node is a condition, with the way to it; so is one that closes a ring, a way that
// ends at nothing known, and a filter on the way.
func (x *question) split() {
	s := splitter{question: x, way: make([][]int, len(x.p.Nodes)), used: make([]bool, len(x.p.Edges)), reached: make([]bool, len(x.p.Nodes))}
	if a := x.p.Asked; a >= 0 {
		s.from(a, true)
		if x.p.Nodes[a].Within != nil {
			x.conditions = append(x.conditions, condition{text: "kind: " + x.p.kindText(a), end: a, last: -1, kind: true, tied: true})
		}
	}
	for n, of := range x.p.Nodes {
		if !of.Variable && !s.reached[n] {
			s.from(n, false)
		}
	}
	for n := range x.p.Nodes {
		if !s.reached[n] {
			s.from(n, false)
		}
	}
	for i := range x.conditions {
		x.hard |= 1 << i
	}
}

// splitter walks a pattern.
type splitter struct {
	*question

	way     [][]int // edges that lead to a node from where the walk began
	used    []bool  // edges that some condition has as its last, or that lead on
	reached []bool
}

// from makes the conditions that begin at a node.
func (s *splitter) from(root int, tied bool) {
	s.reached[root] = true
	queue, ends := []int{root}, map[int]bool{root: true}
	for at := 0; at < len(queue); at++ {
		u := queue[at]
		for i, e := range s.p.Edges {
			if s.used[i] || e.From != u && e.To != u {
				continue
			}
			s.used[i] = true
			w := e.From + e.To - u
			switch {
			case !s.p.Nodes[w].Variable:
				ends[u] = true // it leads somewhere
				s.add(condition{edges: append(slices.Clone(s.way[u]), i), end: w, last: i, names: true, tied: tied}, root)
			case s.reached[w]:
				ends[u], ends[w] = true, true
				s.add(condition{edges: append(kg.With(slices.Clone(s.way[u]), s.way[w]...), i), end: w, last: i, tied: tied}, root)
			default:
				ends[u], s.reached[w] = true, true
				s.way[w] = append(slices.Clone(s.way[u]), i)
				queue = append(queue, w)
			}
		}
	}
	for _, n := range queue {
		var filters []int
		for i, f := range s.p.Filters {
			if f.Node == n && !s.isIdle(n) {
				filters = append(filters, i)
			}
		}
		if way := s.way[n]; (!ends[n] && len(way) > 0) || len(filters) > 0 {
			c := condition{edges: way, filters: filters, end: n, last: -1, tied: tied}
			if len(way) > 0 {
				c.last = way[len(way)-1]
			}
			s.add(c, root)
		}
	}
}

// isIdle reports whether nothing is said of a node, and nothing asks for it, so that it
// stays unbound.
func (s *splitter) isIdle(n int) bool {
	of := s.p.Nodes[n]
	return of.Variable && of.Within == nil && n != s.p.Asked && !slices.ContainsFunc(s.p.Edges, func(e pattern.Edge) bool { return e.From == n || e.To == n })
}

// add words a condition and keeps it.
func (s *splitter) add(c condition, root int) {
	c.text = s.p.conditionText(s.graph, c, root)
	if root != s.p.Asked && !s.p.Nodes[root].Variable {
		c.names = true
	}
	s.conditions = append(s.conditions, c)
}

// conditionText words a condition: "director: Steven Spielberg", "directed by → born
// in: Paris", "population: more than 1000000". An arrow back marks a relation that is
// followed from its tail.
func (x *grounded) conditionText(g *kg.Graph, c condition, root int) string {
	var way []string
	at := root
	for _, i := range c.edges {
		e := x.Edges[i]
		text := x.relationText(g, e)
		if e.Direction == pattern.Forward && e.From != at {
			text = "← " + text
		}
		way = append(way, text+pattern.ConditionsText(e.Conditions))
		at = e.From + e.To - at
	}
	said := wording.Each(c.filters, func(f int) string {
		return x.Filters[f].Op.Words() + " " + strconv.FormatFloat(x.Filters[f].Value, 'f', -1, 64)
	})
	end := x.Nodes[c.end]
	name := strings.Join(said, " and ")
	switch {
	case name != "":
	case !end.Variable && len(end.Entities) > 0:
		name = g.Label(end.Entities[0])
	case !end.Variable:
		name = end.Text
	case end.Type != "":
		name = "some " + end.Type
	default:
		name = "something"
	}
	if len(way) == 0 {
		return name
	}
	lead := strings.Join(way, " → ")
	if root != x.Asked {
		lead = x.nodeText(g, root) + " → " + lead
	}
	return lead + ": " + name
}

func (x *grounded) relationText(g *kg.Graph, e pattern.Edge) string {
	switch {
	case e.Relation != "":
		return e.Relation
	case len(e.Fixed) > 0:
		return g.RelationText(e.Fixed[0])
	}
	return "related to"
}

func (x *grounded) nodeText(g *kg.Graph, n int) string {
	if of := x.Nodes[n]; !of.Variable && len(of.Entities) > 0 {
		return g.Label(of.Entities[0])
	}
	return x.Nodes[n].Text
}

// kindText names the kind of a node.
func (x *grounded) kindText(n int) string {
	if t := x.Nodes[n].Type; t != "" {
		return t
	}
	return "as asked"
}

// addSoft makes conditions of the names that the reading leaves out: what answers the
// question is next to them, over any relation (SG-RAG's query edges have none). Of a name
// that the graph does not have nobody knows whether it is.
func (x *question) addSoft(q retrieve.Query) {
	if x.p.Asked < 0 || x.p.Task != pattern.Find || x.p.Order != nil {
		return
	}
	add := func(node pattern.Node) {
		n, e := len(x.p.Nodes), len(x.p.Edges)
		x.p.Nodes, x.p.noName = append(x.p.Nodes, node), append(x.p.noName, len(node.Entities) == 0)
		x.p.Edges, x.p.noRelation = append(x.p.Edges, pattern.Edge{From: x.p.Asked, To: n}), append(x.p.noRelation, false)
		x.p.relations = append(x.p.relations, nil)
		c := condition{edges: []int{e}, end: n, last: e, names: true, tied: true}
		c.text = x.p.conditionText(x.graph, c, x.p.Asked)
		x.conditions = append(x.conditions, c)
	}
	for _, m := range unread(q) {
		node := pattern.Node{Text: m.Text}
		for _, c := range m.Candidates {
			if c.Distance > nearName || c.Distance > m.Candidates[0].Distance {
				break
			}
			node.Entities = append(node.Entities, c.Entity)
		}
		if len(node.Entities) > 0 {
			add(node)
		}
	}
	for _, name := range unlinked(q) {
		if len(x.p.Nodes) < x.nodes+maxSoft {
			add(pattern.Node{Text: name})
		}
	}
}
