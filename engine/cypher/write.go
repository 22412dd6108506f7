package cypher

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/internal/wording"
)

// FromPattern writes a pattern as a query, whose names are linked and whose relations are
// settled; ok is false for what Cypher, or this writer, cannot say: only, comparisons of
// two things, and units. Where there is no index of names, things are told by their keys.
//
// One MATCH lets no two of its relationships be the same. A pattern asks that of edges
// between the same two nodes alone: others have a MATCH of their own where they could be.
func (o *KG) FromPattern(p *pattern.Pattern) (text string, ok bool) {
	w := &queryWriter{KG: o, p: p, seen: make([]bool, len(p.Nodes))}
	switch p.Task {
	case pattern.Contrast:
		return "", false
	case pattern.Connect:
		return w.connect()
	case pattern.Find, pattern.Count, pattern.Verify, pattern.Describe:
	}
	for _, e := range p.AllEdges() {
		if len(e.Fixed) == 0 && e.Relation != "" || e.Closure && len(e.Conditions) > 0 {
			return "", false
		}
	}
	for _, n := range p.Nodes {
		if !n.Variable && len(n.Entities) == 0 {
			return "", false
		}
	}
	return w.query()
}

type queryWriter struct {
	*KG

	p     *pattern.Pattern
	seen  []bool // nodes that were written
	where []string
	rels  int
	bad   bool // something cannot be said
}

// name is how a node is called.
func (w *queryWriter) name(n int) string {
	if node := w.p.Nodes[n]; node.Variable && len(node.Text) > 1 {
		if name := strings.TrimPrefix(node.Text, "?"); !slices.ContainsFunc(w.p.Nodes[:n], func(o pattern.Node) bool { return o.Text == node.Text }) {
			return Name(name)
		}
	}
	return fmt.Sprintf("n%d", n)
}

// node writes a node, with what it must be the first time.
func (w *queryWriter) node(n int) string {
	name := w.name(n)
	if w.seen[n] {
		return "(" + name + ")"
	}
	w.seen[n] = true
	node := w.p.Nodes[n]
	if !node.Variable {
		text, where := w.known(name, node.Entities)
		if where != "" {
			w.where = append(w.where, where)
		}
		return text
	}
	if node.Type != "" {
		if l, ok := w.Label(node.Type); ok && node.Within != nil && slices.Equal(w.g.OfType(kg.TypeID(l)), node.Within) {
			return "(" + name + ":" + Name(w.g.TypeLabel(kg.TypeID(l))) + ")"
		}
	}
	w.bad = w.bad || node.Within != nil
	return "(" + name + ")"
}

func (w *queryWriter) path(e pattern.Edge) string {
	types := wording.Each(e.Fixed, func(r kg.RelationID) string { return Name(w.g.RelationKey(r)) })
	inside := ""
	if len(types) > 0 {
		inside = ":" + strings.Join(types, "|")
	}
	if e.Closure {
		inside += "*"
	}
	if len(e.Conditions) > 0 {
		rel := fmt.Sprintf("r%d", w.rels)
		w.rels++
		inside = rel + inside
		for _, c := range e.Conditions {
			w.where = append(w.where, w.said(rel, c))
		}
	}
	edge := "-[" + inside + "]-"
	if inside == "" {
		edge = "--"
	}
	if e.Direction == pattern.Forward {
		edge += ">"
	}
	from := w.node(e.From)
	return from + edge + w.node(e.To)
}

// paths writes edges: the text of each MATCH.
func (w *queryWriter) paths(edges []pattern.Edge) (paths []string) {
	var first []pattern.Edge // of each MATCH
	for _, e := range edges {
		text := w.path(e)
		at := slices.IndexFunc(first, func(o pattern.Edge) bool {
			return w.p.Reuse == pattern.ReuseNone || w.p.Reuse == pattern.ReuseVariables && min(o.From, o.To) == min(e.From, e.To) && max(o.From, o.To) == max(e.From, e.To)
		})
		if at >= 0 {
			paths[at] += ", " + text
			continue
		}
		first, paths = append(first, e), append(paths, text)
	}
	return paths
}

// said writes what a statement must say.
func (w *queryWriter) said(rel string, c pattern.Condition) string {
	value := quote(c.Value)
	if v, ok := kg.ParseValue(c.Value); ok && v.Unit == "" && v.Kind == kg.NumberValue {
		value = numberText(v.Number)
	} else if ok {
		w.bad = true
	}
	w.bad = w.bad || c.To != ""
	return rel + "." + Name(c.Property) + " " + c.Op.String() + " " + value
}

func numberText(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// filter writes a comparison of a node's value.
func (w *queryWriter) filter(f pattern.Filter) string {
	switch {
	case w.p.IsOfName(f):
		return map[bool]string{true: "NOT "}[f.Op == pattern.Unequal] + w.name(f.Node) + ".key IN " + w.keys(w.p.Nodes[*f.Than].Entities)
	case f.Op == pattern.Unequal && f.Than != nil:
		return w.name(f.Node) + " <> " + w.name(*f.Than)
	}
	w.bad = w.bad || f.Unit != "" || f.Than != nil || f.Yearly != (kg.Yearly{})
	op := f.Op.String()
	if f.Op == pattern.Unequal {
		op = "<>"
	}
	return "toFloat(" + w.name(f.Node) + ".name) " + op + " " + numberText(f.Value)
}

// known writes a node that stands for entities, with a condition that it needs besides.
func (o *KG) known(name string, es []kg.EntityID) (node, where string) {
	if len(es) > 1 {
		return "(" + name + ")", name + ".key IN " + o.keys(es)
	}
	if label := o.g.Label(es[0]); o.find != nil && !slices.ContainsFunc(o.find(label), func(e kg.EntityID) bool { return e != es[0] && o.g.Label(e) == label }) {
		return "(" + name + " {name: " + quote(label) + "})", ""
	}
	return "(" + name + " {key: " + quote(o.g.Key(es[0])) + "})", ""
}

// keys lists the keys of entities.
func (o *KG) keys(es []kg.EntityID) string {
	keys := wording.Each(es, func(e kg.EntityID) string { return quote(o.g.Key(e)) })
	return "[" + strings.Join(keys, ", ") + "]"
}

// Filled writes a query with the entities that its bound variables, and its parameters,
// stand for, so that it runs by itself.
func (o *KG) Filled(q *Query, bound map[string][]kg.EntityID) string {
	var begin []string // of each part
	for _, name := range slices.Sorted(maps.Keys(bound)) {
		node, where := o.known(Name(name), bound[name])
		if where != "" {
			node += " WHERE " + where
		}
		begin = append(begin, "MATCH "+node+"\n")
	}
	starts := map[int]bool{}
	for _, p := range q.Parts {
		starts[p.Clauses[0].At] = true
	}
	var b strings.Builder
	from := 0
	for _, t := range lex(q.Text) { // it was parsed
		es := bound[t.text]
		if isParam := t.kind == param && len(es) > 0; !isParam && !starts[t.at] {
			continue
		} else if b.WriteString(q.Text[from:t.at]); isParam {
			b.WriteString(quote(o.g.Label(es[0])))
			from = t.end
			continue
		}
		b.WriteString(strings.Join(begin, ""))
		from = t.at
	}
	return b.String() + q.Text[from:]
}

// query writes MATCH, WHERE and RETURN.
func (w *queryWriter) query() (string, bool) {
	p := w.p
	if p.Task == pattern.Describe {
		return "MATCH " + w.node(p.Asked) + "-[r]-(other) RETURN type(r), other", !w.bad
	}
	paths := w.paths(p.Edges)
	inside := make([]bool, len(p.Nodes)) // of branches alone
	for _, b := range p.Branches {
		for _, e := range b.Edges {
			inside[e.From], inside[e.To] = true, true
		}
	}
	filters := p.AllFilters()
	left := func(n int) bool { // out, or chosen, by a name that needs no match
		return slices.ContainsFunc(filters, func(f pattern.Filter) bool { return p.IsOfName(f) && *f.Than == n })
	}
	for n := range p.Nodes {
		if !w.seen[n] && !left(n) && (!inside[n] || n == p.Asked || !p.Nodes[n].Variable) {
			paths = append(paths, w.node(n))
		}
	}
	outer := slices.Clone(w.seen)
	for i := range p.Nodes {
		for j := range i {
			if outer[i] && outer[j] && w.apart(i, j) {
				w.where = append(w.where, w.name(j)+" <> "+w.name(i))
			}
		}
	}
	w.where = append(w.where, wording.Each(p.Filters, w.filter)...)
	for i, b := range p.Branches {
		if b.Kind != pattern.OrElse { // which is written with its either
			w.where = append(w.where, w.branch(i, outer))
		}
	}
	return w.matching(paths) + w.result(), !w.bad && len(paths) > 0
}

// matching writes MATCH of paths, and WHERE.
func (w *queryWriter) matching(paths []string) string {
	text := "MATCH " + strings.Join(paths, " MATCH ")
	if len(w.where) > 0 {
		text += " WHERE " + strings.Join(w.where, " AND ")
	}
	return text
}

// apart reports whether a pattern binds two nodes to different entities only.
func (w *queryWriter) apart(a, b int) bool {
	if !w.p.Nodes[a].Variable && !w.p.Nodes[b].Variable {
		return false
	}
	if w.p.Reuse == pattern.ReuseAll || w.p.Reuse == pattern.ReuseVariables && w.p.Nodes[a].Variable == w.p.Nodes[b].Variable {
		return false
	}
	// What is joined to a named thing by a relation that it does not have to itself is
	// another thing.
	for _, e := range w.p.Edges {
		if named := w.p.Nodes[e.From].Entities; min(e.From, e.To) == min(a, b) && max(e.From, e.To) == max(a, b) && len(e.Fixed) > 0 && !e.Closure {
			named = append(slices.Clone(named), w.p.Nodes[e.To].Entities...)
			if len(named) > 0 && !slices.ContainsFunc(named, func(x kg.EntityID) bool {
				return slices.ContainsFunc(e.Fixed, func(r kg.RelationID) bool {
					_, loop := w.g.Find(kg.Triple{Head: x, Relation: r, Tail: x})
					return loop
				})
			}) {
				return false
			}
		}
	}
	return true
}

// branch writes a branch, and with an either those that stand behind it.
func (w *queryWriter) branch(at int, outer []bool) string {
	b := &w.p.Branches[at]
	switch b.Kind {
	case pattern.Without:
		return "NOT " + w.exists("EXISTS", b, outer)
	case pattern.OneOf:
		all := []string{w.exists("EXISTS", b, outer)}
		for at++; at < len(w.p.Branches) && w.p.Branches[at].Kind == pattern.OrElse; at++ {
			all = append(all, w.exists("EXISTS", &w.p.Branches[at], outer))
		}
		return "(" + strings.Join(all, " OR ") + ")"
	case pattern.Quantity:
		w.bad = w.bad || len(b.Edges) != 1 || b.Than != nil
		return w.exists("COUNT", b, outer) + " " + b.Op.String() + " " + strconv.Itoa(b.N)
	case pattern.OrElse, pattern.Only:
	}
	w.bad = true
	return ""
}

// exists writes the pattern of a branch. What only branches have is each one's own.
func (w *queryWriter) exists(word string, b *pattern.Branch, outer []bool) string {
	if len(b.Edges) == 0 && len(b.Filters) > 0 {
		return "(" + strings.Join(wording.Each(b.Filters, w.filter), " AND ") + ")"
	}
	before, seen := w.where, w.seen
	w.where, w.seen = nil, slices.Clone(outer)
	paths := w.paths(b.Edges)
	w.where = append(w.where, wording.Each(b.Filters, w.filter)...)
	if len(paths) == 0 {
		w.bad = true
	}
	at := func(n int) bool {
		return slices.ContainsFunc(b.Edges, func(e pattern.Edge) bool { return e.From == n || e.To == n })
	}
	for j := range w.p.Nodes {
		for i := range j {
			if (!outer[i] || !outer[j]) && at(i) && at(j) && w.apart(i, j) {
				w.where = append(w.where, w.name(i)+" <> "+w.name(j))
			}
		}
	}
	text := word + " { " + w.matching(paths) + " }"
	w.where, w.seen = before, seen
	return text
}

// result writes what is returned.
func (w *queryWriter) result() string {
	p := w.p
	limit := func(o *pattern.Order, by string) string {
		w.bad = w.bad || o.Per != nil || o.Both
		text := " ORDER BY " + by
		if o.Descending {
			text += " DESC"
		}
		if o.Skip > 0 {
			text += fmt.Sprintf(" SKIP %d", o.Skip)
		}
		return text + fmt.Sprintf(" LIMIT %d", o.Limit)
	}
	switch m := p.Measure; {
	case m != nil:
		w.bad = w.bad || m.Property != "" || m.Func.IsOfTwo() || m.Every || m.Fold != nil || len(m.Having) > 0 || m.Func == pattern.Median || m.Func == pattern.Share || p.Asked != m.Per && m.Per >= 0
		of := "count(DISTINCT " + w.name(m.Node) + ")"
		if m.Func != pattern.CountOf {
			name := map[pattern.Func]string{pattern.Sum: "sum", pattern.Average: "avg", pattern.Least: "min", pattern.Most: "max"}[m.Func]
			of = name + "(toFloat(" + w.name(m.Node) + ".name))"
		}
		if m.Per < 0 {
			return " RETURN " + of
		}
		text := " RETURN " + w.name(m.Per) + ", " + of + " AS amount"
		if p.Order != nil {
			text += limit(p.Order, "amount")
		}
		return text
	case p.Task == pattern.Verify:
		return " RETURN count(*) > 0"
	case p.Task == pattern.Count:
		return " RETURN count(DISTINCT " + w.name(p.Asked) + ")"
	case p.Order != nil:
		return " RETURN DISTINCT " + w.name(p.Asked) + ", toFloat(" + w.name(p.Order.Node) + ".name) AS value" + limit(p.Order, "value")
	}
	return " RETURN DISTINCT " + w.name(p.Asked)
}

// connect writes the question how two things are connected.
func (w *queryWriter) connect() (string, bool) {
	c := w.p.Connection
	if len(w.p.Nodes) < 2 || c != nil && (c.K > 0 || len(c.Via) > 0 || len(c.Avoid) > 0) || len(w.p.Nodes[0].Entities) != 1 || len(w.p.Nodes[1].Entities) != 1 {
		return "", false
	}
	most := ""
	if c != nil && c.Within > 0 {
		most = ".." + strconv.Itoa(c.Within)
	}
	return "MATCH p = allShortestPaths(" + w.node(0) + "-[*" + most + "]-" + w.node(1) + ") RETURN p", true
}
