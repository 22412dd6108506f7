package cypher_test

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"sort"
	"strings"

	"cairn/engine/cypher"
)

// memory is a property graph that CREATE makes.
type memory struct {
	nodes []memoryNode
	rels  []memoryRel
	names []string // of labels and types: an id is an index
}

type memoryNode struct {
	labels     []string
	properties map[string]any
	out, in    []cypher.Rel
}

type memoryRel struct {
	from, to   cypher.Node
	kind       string
	properties map[string]any
}

func (m *memory) id(name string) uint32 {
	if i := slices.Index(m.names, name); i >= 0 {
		return uint32(i)
	}
	m.names = append(m.names, name)
	return uint32(len(m.names) - 1)
}

func (m *memory) Label(name string) (cypher.LabelID, bool) {
	i := slices.Index(m.names, name)
	return cypher.LabelID(max(i, 0)), i >= 0
}

func (m *memory) Types(name string) []cypher.TypeID {
	if i := slices.Index(m.names, name); i >= 0 {
		return []cypher.TypeID{cypher.TypeID(i)}
	}
	return nil
}

func (m *memory) HasProperty(string) (has, leads bool) { return true, false }

func (m *memory) Names() (labels, types, properties []string) { return m.names, m.names, nil }

func (m *memory) Nodes() iter.Seq[cypher.Node] {
	return func(yield func(cypher.Node) bool) {
		for i := range m.nodes {
			if !yield(cypher.Node(i)) {
				return
			}
		}
	}
}

func (m *memory) NodesOf(l cypher.LabelID) iter.Seq[cypher.Node] {
	return func(yield func(cypher.Node) bool) {
		for i := range m.nodes {
			if m.HasLabel(cypher.Node(i), l) && !yield(cypher.Node(i)) {
				return
			}
		}
	}
}

// NodesWith has an index of the property name, so that the tests go through seeks.
func (m *memory) NodesWith(property string, value any) (iter.Seq[cypher.Node], bool) {
	return func(yield func(cypher.Node) bool) {
		for i := range m.nodes {
			if m.nodes[i].properties[property] == value && !yield(cypher.Node(i)) {
				return
			}
		}
	}, property == "name"
}

func (m *memory) Size(l cypher.LabelID) int {
	n := 0
	for range m.NodesOf(l) {
		n++
	}
	return n
}

func (m *memory) Labels(n cypher.Node) []string { return m.nodes[n].labels }

func (m *memory) HasLabel(n cypher.Node, l cypher.LabelID) bool {
	return slices.Contains(m.nodes[n].labels, m.names[l])
}

func (m *memory) Of(n cypher.Node, property string) (any, []cypher.Rel) {
	return m.nodes[n].properties[property], nil
}

func (m *memory) Keys(n cypher.Node) []string {
	return slices.Sorted(maps.Keys(m.nodes[n].properties))
}

func (m *memory) Ends(r cypher.Rel) (from, to cypher.Node) { return m.rels[r].from, m.rels[r].to }

func (m *memory) Type(r cypher.Rel) string { return m.rels[r].kind }

func (m *memory) OfRel(r cypher.Rel, property string) any { return m.rels[r].properties[property] }

func (m *memory) RelKeys(r cypher.Rel) []string {
	return slices.Sorted(maps.Keys(m.rels[r].properties))
}

func (m *memory) Expand(steps []cypher.Step, n cypher.Node, out bool, types []cypher.TypeID) []cypher.Step {
	rels := m.nodes[n].in
	if out {
		rels = m.nodes[n].out
	}
	for _, r := range rels {
		if types != nil && !slices.ContainsFunc(types, func(t cypher.TypeID) bool { return m.names[t] == m.rels[r].kind }) {
			continue
		}
		other := m.rels[r].from
		if out {
			other = m.rels[r].to
		}
		steps = append(steps, cypher.Step{Rel: r, To: other})
	}
	return steps
}

// create runs statements such as MATCH (a) UNWIND … CREATE (a)-[:R]->(b).
func (m *memory) create(text string) error {
	p, err := cypher.NewParser(text)
	if err != nil {
		return err
	}
	columns, rows := []string{}, [][]any{{}}
	from := p.At()
	for !p.Ended() {
		at := p.At()
		write := ""
		for _, w := range []string{"CREATE", "SET", "DELETE"} {
			if p.Accept(w) {
				write = w
				break
			}
		}
		if write == "" {
			p.Skip()
			continue
		}
		// The clauses before go on from the rows that there are.
		if clauses := strings.TrimSpace(text[from:at]); clauses != "" {
			head := "UNWIND $rows AS ` row` WITH *"
			for i, n := range columns {
				head += fmt.Sprintf(", ` row`[%d] AS %s", i, cypher.Name(n))
			}
			all := cypher.List{}
			for _, r := range rows {
				all = append(all, cypher.List(r))
			}
			q, err := cypher.Parse(head + " " + clauses + " RETURN *")
			if err != nil {
				return err
			}
			found, err := cypher.Run(background, m, q, cypher.Options{Rows: 1e6, Params: map[string]any{"rows": all}})
			if err != nil {
				return err
			}
			columns, rows = slices.Clone(found.Columns), nil
			own := slices.Index(columns, " row")
			if own >= 0 {
				columns = slices.Delete(columns, own, own+1)
			}
			for _, r := range found.Rows {
				values := slices.Clone(r.Values)
				if own >= 0 {
					values = slices.Delete(values, own, own+1)
				}
				rows = append(rows, values)
			}
		}
		if write != "CREATE" {
			if err := m.change(write, p, columns, rows); err != nil {
				return err
			}
			from = p.At()
			continue
		}
		paths, err := p.Patterns()
		if err != nil {
			return err
		}
		names := columns
		for i := range rows {
			names = slices.Clone(columns)
			for _, path := range paths {
				if names, rows[i], err = m.add(path, names, rows[i]); err != nil {
					return err
				}
			}
		}
		columns = names
		from = p.At()
	}
	return nil
}

// change sets a property, or deletes relationships.
func (m *memory) change(write string, p *cypher.Parser, names []string, rows [][]any) error {
	e, err := p.Expr()
	if err != nil {
		return err
	}
	for _, r := range rows {
		if write == "DELETE" {
			v, err := cypher.Compute(m, e, names, r)
			if err != nil {
				return err
			}
			if rel, ok := v.(cypher.Rel); ok {
				gone := func(other cypher.Rel) bool { return other == rel }
				from, to := m.Ends(rel)
				m.nodes[from].out = slices.DeleteFunc(m.nodes[from].out, gone)
				m.nodes[to].in = slices.DeleteFunc(m.nodes[to].in, gone)
			}
			continue
		}
		of, err := cypher.Compute(m, e.Args[0].Args[0], names, r) // e is n.name = value
		if err != nil {
			return err
		}
		if n, ok := of.(cypher.Node); ok {
			if m.nodes[n].properties[e.Args[0].Name], err = cypher.Compute(m, e.Args[1], names, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// add creates a path, of which some nodes may be there.
func (m *memory) add(path cypher.Path, names []string, values []any) ([]string, []any, error) {
	properties := func(e *cypher.Expr) (map[string]any, error) {
		if e == nil {
			return map[string]any{}, nil
		}
		v, err := cypher.Compute(m, e, names, values)
		if err != nil {
			return nil, err
		}
		of, _ := v.(cypher.Map)
		maps.DeleteFunc(of, func(_ string, v any) bool { return v == nil })
		return of, nil
	}
	var last cypher.Node
	for i, n := range path.Nodes {
		var node cypher.Node
		if at := slices.Index(names, n.Name); at >= 0 && n.Name != "" {
			node, _ = values[at].(cypher.Node)
		} else {
			of, err := properties(n.Properties)
			if err != nil {
				return nil, nil, err
			}
			node = cypher.Node(len(m.nodes))
			m.nodes = append(m.nodes, memoryNode{labels: n.Labels, properties: of})
			for _, l := range n.Labels {
				m.id(l)
			}
			if n.Name != "" {
				names, values = append(names, n.Name), append(values, node)
			}
		}
		if i > 0 {
			e := path.Edges[i-1]
			of, err := properties(e.Properties)
			if err != nil {
				return nil, nil, err
			}
			from, to := last, node
			if !e.Out {
				from, to = to, from
			}
			m.id(e.Types[0])
			r := cypher.Rel(len(m.rels))
			m.rels = append(m.rels, memoryRel{from, to, e.Types[0], of})
			m.nodes[from].out = append(m.nodes[from].out, r)
			m.nodes[to].in = append(m.nodes[to].in, r)
			if e.Name != "" {
				names, values = append(names, e.Name), append(values, r)
			}
		}
		last = node
	}
	return names, values, nil
}

// text writes a value as the conformance tests do, in one order.
func (m *memory) text(v any) string {
	properties := func(of map[string]any) string {
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(of)) {
			parts = append(parts, k+": "+m.text(of[k]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	described := func(labels string, of map[string]any) string {
		if len(of) == 0 {
			return labels
		}
		return strings.TrimSpace(labels + " " + properties(of))
	}
	switch v := v.(type) {
	case cypher.Node:
		labels := slices.Clone(m.nodes[v].labels)
		sort.Strings(labels)
		all := ""
		for _, l := range labels {
			all += ":" + l
		}
		return "(" + described(all, m.nodes[v].properties) + ")"
	case cypher.Rel:
		return "[" + described(":"+m.rels[v].kind, m.rels[v].properties) + "]"
	case cypher.Walk:
		b := "<" + m.text(v.Nodes[0])
		for i, r := range v.Rels {
			if m.rels[r].from == v.Nodes[i] {
				b += "-" + m.text(r) + "->"
			} else {
				b += "<-" + m.text(r) + "-"
			}
			b += m.text(v.Nodes[i+1])
		}
		return b + ">"
	case cypher.List:
		parts := make([]string, len(v))
		for i, x := range v {
			parts[i] = m.text(x)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case cypher.Map:
		return properties(v)
	case string:
		return "'" + v + "'"
	}
	return cypher.Text(v)
}
