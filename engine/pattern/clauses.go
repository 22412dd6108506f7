package pattern

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"cairn/engine/kg"
	"cairn/internal/wording"
)

// This file writes and reads the clauses of operators.go.

// BranchText writes one branch of a pattern as its text has it.
func BranchText(p *Pattern, b Branch) string {
	w := writer{p: p, names: nodeNames(p), next: len(p.Nodes), end: -1}
	return w.branch(b)
}

// Clauses are what a pattern asks for beside its paths, as its text has it.
func Clauses(p *Pattern) []string {
	w := writer{p: p, names: nodeNames(p), next: len(p.Nodes), end: -1}
	return w.clauses()
}

// lead writes what stands in place of paths, and reports whether anything does.
func (w *writer) lead() bool {
	words := []string{}
	switch p := w.p; {
	case p.Task == Connect && len(p.Nodes) > 1:
		words = []string{"path ", " to "}
	case p.Task == Contrast && len(p.Nodes) > 1:
		words = []string{"compare ", " with "}
	case p.Task == Describe && len(p.Nodes) == 1 && len(p.Edges) == 0 && !p.Nodes[0].Variable:
		words = []string{"describe "}
	}
	for n, word := range words {
		w.b.WriteString(word)
		w.node(n)
	}
	w.led = len(words) > 0
	return w.led
}

// outside returns how many nodes, the first ones, stand before the clauses: up to the
// last that is asked for, or that an edge or no branch touches.
func outside(p *Pattern) int {
	n := min(max(p.Asked+1, 1), len(p.Nodes)) // the text begins with a node
	for i := n; i < len(p.Nodes); i++ {
		touches := func(e Edge) bool { return e.From == i || e.To == i }
		within := func(b Branch) bool { return slices.ContainsFunc(b.Edges, touches) }
		if slices.ContainsFunc(p.Edges, touches) || !slices.ContainsFunc(p.Branches, within) {
			n = i + 1
		}
	}
	return n
}

func (w *writer) valid(n int) bool { return n >= 0 && n < len(w.p.Nodes) }

// apart is a writer for a clause, which goes on with the nodes.
func (w *writer) apart() *writer { return &writer{p: w.p, names: w.names, next: w.next, end: -1} }

// branch writes a branch with the nodes that it is the first to mention.
func (w *writer) branch(b Branch) string {
	c := w.apart()
	switch b.Kind {
	case Without, OneOf, OrElse, Only:
		c.b.WriteString(b.Kind.String() + " ")
	case Quantity:
		words := b.Op.Words()
		if b.Op == Less {
			words = "fewer than"
		}
		number := strconv.Itoa(b.N)
		if b.Than != nil && w.valid(*b.Than) {
			number = timesText(b.Times) + w.ref(*b.Than)
		}
		fmt.Fprintf(&c.b, "%s %s %s: ", words, number, w.ref(b.Node))
	}
	for _, e := range b.Edges {
		c.edge(e)
	}
	if len(b.Edges) == 0 && len(b.Filters) > 0 {
		c.node(b.Filters[0].Node)
	}
	for i, f := range b.Filters {
		c.b.WriteString([]string{" where ", " and "}[min(i, 1)] + w.filter(f))
	}
	w.next = c.next
	return c.b.String()
}

func (w *writer) filter(f Filter) string {
	with := numberText(f.Value)
	if f.Unit != "" {
		with += " " + unitText(f.Unit)
	}
	switch {
	case f.Than != nil:
		with = timesText(f.Times) + w.ref(*f.Than)
		if f.Plus != 0 {
			with += map[bool]string{true: " + ", false: " - "}[f.Plus > 0] + numberText(math.Abs(f.Plus))
		}
	case f.Yearly != (kg.Yearly{}):
		with = f.Yearly.String()
	}
	if f.Node == Measured {
		return fmt.Sprintf("%s %s %s", w.p.Measure.Func, f.Op, with)
	}
	return fmt.Sprintf("%s %s %s", w.ref(f.Node), f.Op, with)
}

// timesText writes by how much what follows is multiplied.
func timesText(times float64) string {
	if times == 0 {
		return ""
	}
	return numberText(times) + " * "
}

// unitText writes a unit so that it is read back.
func unitText(s string) string {
	if s != strings.Join(strings.Fields(s), " ") || strings.ContainsAny(s, "|\"\\+-.0123456789") && !isUnitWord(s) || !plain(s) || slices.Contains(strings.Fields(s), "and") {
		return quote(s)
	}
	return s
}

// isUnitWord reports whether a unit may stand bare although it holds digits or signs:
// km2, m^2.
func isUnitWord(s string) bool {
	first := []rune(s)[0]
	return !strings.ContainsAny(s, "|\"\\") && first > '9'
}

func (w *writer) measure(m *Measure) string {
	text := m.Func.String() + " "
	switch {
	case m.Property != "" && m.Edge >= 0 && m.Edge < len(w.p.Edges):
		c := w.apart()
		c.edge(w.p.Edges[m.Edge])
		text += propertyText(m.Property)
		if m.To != "" {
			text += ".." + propertyText(m.To)
		}
		text += " of " + c.b.String()
	default:
		text += w.ref(m.Node)
		if w.valid(m.Of) {
			text += map[bool]string{true: " to ", false: " of "}[m.Func.IsOfTwo()] + w.ref(m.Of)
		}
	}
	if w.valid(m.Per) {
		text += " per " + map[bool]string{true: "every "}[m.Every] + w.ref(m.Per)
	}
	if len(m.Having) > 0 {
		text += " where " + strings.Join(wording.Each(m.Having, w.filter), " and ")
	}
	if m.Fold != nil {
		text += " | " + m.Fold.String() + " " + m.Func.String()
	}
	return text
}

// propertyText writes the name of a property so that it is read back before "of".
func propertyText(s string) string {
	if s == "" || strings.ContainsAny(s, "?()|\"\\") || strings.Contains(s, "..") || strings.HasSuffix(s, ".") || s != strings.Join(strings.Fields(s), " ") || !plain(s) || slices.Contains(strings.Fields(s), "of") {
		return quote(s)
	}
	return s
}

func (w *writer) order(o *Order) string {
	text := "smallest "
	if o.Descending {
		text = "largest "
	}
	if o.Both {
		text += map[bool]string{true: "and smallest ", false: "and largest "}[o.Descending]
	}
	if o.Node == Measured {
		text += w.p.Measure.Func.String()
	} else {
		text += w.ref(o.Node)
	}
	if o.Of != nil && w.valid(*o.Of) {
		text += " of " + w.ref(*o.Of)
	}
	if o.Per != nil && w.valid(*o.Per) {
		text += " per " + w.ref(*o.Per)
	}
	if o.Limit != 1 || o.Skip > 0 {
		text += " " + strconv.Itoa(o.Limit)
	}
	if o.Skip > 0 {
		text += " after " + strconv.Itoa(o.Skip)
	}
	return text
}

// connection writes the clauses of a path: its further nodes in their order.
func (w *writer) connection(c *Connection) (cs []string) {
	if c.Within > 0 {
		cs = append(cs, "within "+strconv.Itoa(c.Within))
	}
	if c.K > 0 {
		cs = append(cs, "shortest "+strconv.Itoa(c.K))
	}
	clause := func(word string, n int) {
		a := w.apart()
		a.node(n)
		w.next = a.next
		cs = append(cs, word+a.b.String())
	}
	for n := range w.p.Nodes {
		if slices.Contains(c.Via, n) {
			clause("via ", n)
		}
		if slices.Contains(c.Avoid, n) {
			clause("avoiding ", n)
		}
	}
	return cs
}

// takeWord moves past spaces and a whole word, and reports whether it stood there.
func (r *reader) takeWord(word string) bool {
	start := r.at
	r.space()
	if after, ok := strings.CutPrefix(r.text[r.at:], word); ok && (after == "" || after[0] < 'a' || after[0] > 'z') {
		r.at += len(word)
		return true
	}
	r.at = start
	return false
}

// whole reads a whole number of at least least, which what names.
func (r *reader) whole(least int, what string) int {
	r.space()
	start := r.at
	n, err := strconv.Atoi(r.run('0', '9'))
	if err != nil || n < least {
		r.at = start
		panic(r.fail("expected %s, a number from %d on", what, least))
	}
	return n
}

// lead reads what may stand in place of paths, and reports whether it did.
func (r *reader) lead() bool {
	join := ""
	switch {
	case r.takeWord("path"):
		r.task, join = "path", "to"
	case r.takeWord("compare"):
		r.task, join = "compare", "with"
	case r.takeWord("describe"):
		r.task = "describe"
	default:
		return false
	}
	first := r.knownNode()
	if join == "" {
		r.asked = first
		return true
	}
	if !r.takeWord(join) {
		panic(r.fail("expected %s and the second of two names, such as %s (Austria)", join, join))
	}
	if r.knownNode() == first {
		panic(r.fail("expected a different name from the first; for a second entity with that name, write (%s#2)", quote(r.p.Nodes[first].Text)))
	}
	return true
}

// knownNode reads a node that is no variable.
func (r *reader) knownNode() int {
	r.space()
	n := r.node()
	if r.p.Nodes[n].Variable {
		panic(r.fail("expected a name such as (Austria), not a variable, before this"))
	}
	return n
}

// connection reads a clause of a path.
func (r *reader) connection() {
	c := r.p.Connection
	if c == nil {
		c = &Connection{}
		r.p.Connection = c
	}
	once := func(to *int, what string) {
		if *to > 0 {
			panic(r.fail("within and shortest can each be used only once"))
		}
		*to = r.whole(1, what)
	}
	also := func(to *[]int) {
		*to = slices.Compact(slices.Sorted(slices.Values(append(*to, r.knownNode()))))
	}
	switch {
	case r.takeWord("within"):
		once(&c.Within, "how many steps a path may have")
	case r.takeWord("shortest"):
		once(&c.K, "how many paths")
	case r.takeWord("via"):
		also(&c.Via)
	case r.takeWord("avoiding"):
		also(&c.Avoid)
	default:
		panic(r.fail("expected within, shortest, via or avoiding after a path"))
	}
}

// branch reads what follows the words of a branch.
func (r *reader) branch(b Branch) {
	if n := len(r.p.Branches); b.Kind == OrElse && (n == 0 || r.p.Branches[n-1].Kind != OneOf && r.p.Branches[n-1].Kind != OrElse) {
		panic(r.fail("or continues an either clause: put one such as either (?x) -borders-> (Germany) right before it"))
	}
	counted, number := "", 0
	if b.Kind == Quantity {
		r.space()
		if b.Times = r.times(); b.Times > 0 || r.peek() == '(' {
			than := r.ref()
			b.Than = &than
		} else {
			b.N = r.whole(0, "how many")
		}
		if r.space(); !r.take("?") {
			panic(r.fail("expected what is counted and a colon, such as ?award:"))
		}
		counted, number = r.refName()
		if r.space(); !r.take(":") {
			panic(r.fail("expected a colon after what is counted, and then an edge"))
		}
	}
	// The edges before the clauses are put aside, so that paths are read in one way.
	edges := r.p.Edges
	r.p.Edges = nil
	r.paths()
	b.Edges, r.p.Edges = r.p.Edges, edges
	for more := r.takeWord("where"); more; more = r.takeWord("and") {
		f := r.filter()
		b.Filters = append(b.Filters, f)
	}
	if len(b.Edges) == 0 && (len(b.Filters) == 0 || b.Kind == Only || b.Kind == Quantity) {
		panic(r.fail("expected an edge such as -genre-> and another node"))
	}
	if b.Kind == Quantity {
		n, ok := r.ids[nodeKey(Node{Text: counted, Variable: true}, number)]
		if !ok {
			panic(r.fail("expected %s, which is counted, to be part of the pattern", counted))
		}
		b.Node = n
	}
	r.p.Branches = append(r.p.Branches, b)
}

// quantity reads the words before the number of a Quantity.
func (r *reader) quantity(word string) (b Branch, ok bool) {
	b.Kind = Quantity
	switch {
	case word == "at" && r.takeWord("least"):
		b.Op = AtLeast
	case word == "at" && r.takeWord("most"):
		b.Op = AtMost
	case word == "more" && r.takeWord("than"):
		b.Op = Greater
	case (word == "fewer" || word == "less") && r.takeWord("than"):
		b.Op = Less
	case word == "exactly":
		b.Op = Equal
	default:
		return b, false
	}
	return b, true
}

// measure reads what follows the function of a Measure.
func (r *reader) measure(f Func) {
	if r.folds(f) {
		return
	}
	if r.p.Measure != nil {
		panic(r.fail("count, sum, average, least or most can be used only once"))
	}
	m := &Measure{Func: f, Of: -1, Per: -1}
	r.space()
	switch c := r.peek(); {
	case c == '?' || c == '(':
		m.Node = r.ref()
		if f != CountOf && f != Share {
			if word := map[bool]string{true: "to", false: "of"}[f.IsOfTwo()]; !r.takeWord(word) {
				panic(r.fail("expected %s and another node, such as %s ?river", word, word))
			}
			m.Of = r.ref()
		}
	case f == Share || f.IsOfTwo():
		panic(r.fail("expected what is counted, such as ?film"))
	default:
		r.measuredProperty(m)
	}
	if f != Share && !f.IsOfTwo() && r.takeWord("per") {
		m.Every = f == CountOf && r.takeWord("every")
		m.Per = r.ref()
		for more := r.takeWord("where"); more; more = r.takeWord("and") {
			if r.space(); !r.takeWord(f.String()) {
				panic(r.fail("expected the number itself, such as %s > 10", f))
			}
			m.Having = append(m.Having, r.compared(Filter{Node: Measured, Op: r.op()}))
		}
	}
	r.p.Measure = m
}

// folds reads what a function makes one number of, where that is the measure before it.
func (r *reader) folds(f Func) bool {
	of := r.p.Measure
	if of == nil || of.Per < 0 || of.Fold != nil || !r.takeWord(of.Func.String()) {
		return false
	}
	of.Fold = &f
	return true
}

// times reads "2 *" before a node; 0 for none.
func (r *reader) times() float64 {
	start := r.at
	for r.at < len(r.text) && strings.IndexByte("+-.0123456789eE", r.text[r.at]) >= 0 {
		r.at++
	}
	n, err := strconv.ParseFloat(r.text[start:r.at], 64)
	if r.space(); err != nil || !r.take("*") || !(n > 0) || math.IsInf(n, 0) {
		r.at = start
		return 0
	}
	r.space()
	return n
}

// measuredProperty reads the property of an edge's statements: share of (?x) -owns-> (?y).
func (r *reader) measuredProperty(m *Measure) {
	if m.Property = r.propertyName(); r.take("..") {
		m.To = r.propertyName()
	}
	if !r.takeWord("of") {
		panic(r.fail("expected of and the edge whose statements have it"))
	}
	r.space()
	edges, nodes, start := r.p.Edges, len(r.p.Nodes), r.at
	r.p.Edges = nil
	r.path()
	said := r.p.Edges
	r.p.Edges = edges
	if len(said) == 1 && len(r.p.Nodes) == nodes {
		m.Edge = slices.IndexFunc(edges, func(e Edge) bool { return sameEdge(e, said[0]) })
		if m.Edge >= 0 {
			m.Node = edges[m.Edge].To
			return
		}
	}
	r.at = start
	panic(r.fail("expected one of the edges before the clauses, repeated exactly"))
}

// propertyName reads a property before "of", or before the one that ends it.
func (r *reader) propertyName() string {
	if quoted, ok := r.quoted(); ok {
		return quoted
	}
	name, _, found := strings.Cut(r.text[r.at:], " of ")
	name, _, _ = strings.Cut(name, "..")
	word := strings.TrimSpace(name)
	if !found || word == "" || strings.ContainsAny(name, "|()?\"") {
		panic(r.fail("expected a node such as ?km, or a property and its edge, such as share of (?company) -owns-> (?x)"))
	}
	r.at += len(name)
	return word
}

func sameEdge(a, b Edge) bool {
	return a.From == b.From && a.To == b.To && a.Relation == b.Relation && a.Direction == b.Direction && a.Closure == b.Closure && slices.Equal(a.Conditions, b.Conditions)
}

// told reads the unit of the answer, and from which one it is told.
func (r *reader) told() {
	unit, from, _ := strings.Cut(r.unit(), " from ")
	if from == "" && r.takeWord("from") {
		from = r.unit()
	}
	if unit == "" || r.p.Told != nil {
		panic(r.fail("expected one unit, such as in km"))
	}
	r.p.Told = &Told{Unit: unit, From: from}
}

// unit reads the unit of a number; "" for none.
func (r *reader) unit() string {
	r.space()
	if q, ok := r.quoted(); ok {
		return q
	}
	var words []string
	for {
		start := r.at
		r.space()
		end := strings.IndexFunc(r.text[r.at:], func(c rune) bool { return c == '|' || unicode.IsSpace(c) })
		if end < 0 {
			end = len(r.text) - r.at
		}
		word := r.text[r.at : r.at+end]
		if word == "" || word == "and" || len(words) == 0 && word[0] < 'A' && word[0] != '%' && word[0] != '$' || !plain(word) || strings.ContainsAny(word, "\"\\") {
			r.at = start
			return strings.Join(words, " ")
		}
		words = append(words, word)
		r.at += end
	}
}
