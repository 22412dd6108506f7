package ingest

import (
	"cmp"
	"errors"
	"io"
	"maps"
	bits64 "math/bits"
	"slices"
	"strings"
	"unicode"

	"cairn/engine/ingest/propgraph"
	"cairn/engine/kg"
	"cairn/internal/wording"
)

// graphLine returns what recognises a format of property graphs.
func graphLine(want propgraph.Format) func(beginning, *Format) int64 {
	return func(b beginning, f *Format) int64 {
		found, line := propgraph.Detect(b.text)
		if found != want {
			return 0
		}
		f.Example = graphExample(func(s propgraph.Sink) { _ = propgraph.Read(strings.NewReader(string(b.text)), want, s) })
		return line
	}
}

// sifNamed takes any text for SIF whose name says so, since nothing else tells it.
func sifNamed(b beginning, _ *Format) int64 {
	if b.named {
		return 1
	}
	return 0
}

// graphReader returns the reader of a format of property graphs.
func graphReader(f propgraph.Format) func(*importer, io.Reader) error {
	return func(im *importer, text io.Reader) error {
		g := im.newGraph()
		if err := propgraph.Read(text, f, g); err != nil && !errors.Is(err, errEnough) {
			return im.graphError(err)
		}
		return g.end()
	}
}

// graphTable imports a table whose rows are nodes or edges.
func (im *importer) graphTable(r io.Reader) error {
	g := im.newGraph()
	g.rows = true
	err := im.rows(r, func(rec *record) string {
		g.fault = ""
		if err := im.format.graph.Row(copyStrings(rec.fields), rec.line, g); err != nil {
			g.failed = err
		}
		return g.fault
	})
	if err = errors.Join(err, g.failed); err != nil && !errors.Is(err, errEnough) {
		return err
	}
	return g.end()
}

// graphHeader looks for the header of a property graph and reports whether there is one.
func (s *source) graphHeader(t table, f *Format, o *Options) (bool, error) {
	header := copyStrings(t.rows[0])
	rows := make([][]string, 0, len(t.rows))
	for _, row := range t.rows[1:] {
		rows = append(rows, copyStrings(row))
	}
	graph, ok := propgraph.NewTable(header, rows, rune(t.delim))
	if !ok && o.Kind == GraphTable {
		return false, refuse(s.file, 1, ErrColumns, "its first row is not a Neo4j, Neptune, KGX or Gephi header", "omit the format, or name the columns as one of these programs does")
	}
	if !ok {
		return false, nil
	}
	f.Kind, f.graph, f.Header, f.Names, f.LeftOut = GraphTable, graph, true, header, graph.LeftOut
	f.Width = max(f.Width, len(header))
	what := "nodes"
	switch {
	case graph.Edges && graph.Nodes:
		what = "nodes and edges"
	case graph.Edges:
		what = "edges"
	}
	note := cmp.Or(s.says, "Its rows are "+what+", with a header as "+graph.Title+" writes it")
	if len(f.LeftOut) > 0 {
		note += "; Cairn leaves out " + listed(f.LeftOut)
	}
	f.Notes = append(f.Notes, note+".")
	f.Example = graphExample(func(s propgraph.Sink) {
		for i, row := range rows[:min(len(rows), 100)] {
			_ = graph.Row(row, int64(i)+2, s)
		}
	})
	return true, nil
}

// exampleSink keeps the first edge, the first node, and what nodes are called.
type exampleSink struct {
	naming propgraph.Naming
	nodes  []propgraph.Node
	edge   *propgraph.Edge
}

func (x *exampleSink) Node(n propgraph.Node) error {
	if len(x.nodes) < maxSampleRows {
		x.naming.Learn(&n)
		x.nodes = append(x.nodes, n)
	}
	return nil
}

func (x *exampleSink) Edge(e propgraph.Edge) error {
	if x.edge == nil {
		x.edge = &e
	}
	return nil
}
func (x *exampleSink) Reject(*propgraph.Error) error { return nil }
func (x *exampleSink) LeaveOut(string)               {}

// graphExample returns the first edge, or else the first property of a node, in names.
func graphExample(read func(propgraph.Sink)) []string {
	var x exampleSink
	read(&x)
	x.naming.Decide()
	names := map[propgraph.Ref]string{}
	for i := range x.nodes {
		n := &x.nodes[i]
		if x.naming.Apply(n); n.Name != "" {
			names[n.Ref] = n.Name
		}
	}
	name := func(r propgraph.Ref) string {
		if names[r] != "" {
			return names[r]
		}
		return r.ID
	}
	if x.edge != nil {
		return []string{name(x.edge.From), edgeRelation(x.edge), name(x.edge.To)}
	}
	for _, n := range x.nodes {
		if len(n.Properties) > 0 {
			return []string{name(n.Ref), n.Properties[0].Name, n.Properties[0].Value}
		}
	}
	return nil
}

// unnamedRelation is the relation of an edge that does not say what it is.
const unnamedRelation = "linked to"

func edgeRelation(e *propgraph.Edge) string {
	if e.Type == "" {
		return unnamedRelation
	}
	return e.Type
}

// graphState is what is known of the nodes of a layer, over all its parts.
type graphState struct {
	declared, used bits
	nodes          int64
	again          []string // ids that a second node has; the first few
	stem           string
	undirected     map[string]int64 // how many edges of a relation have no direction
	bothWays       []string         // the relations of which none has one, ascending
}

// bits is a set of entities.
type bits []uint64

func (b *bits) put(e kg.EntityID) bool {
	word := int(e) / 64
	for len(*b) <= word {
		*b = append(*b, make([]uint64, max(64, len(*b)/2))...)
	}
	was := (*b)[word]&(1<<(e%64)) != 0
	(*b)[word] |= 1 << (e % 64)
	return was
}

// graph is the Sink of one part. The first nodes wait until it is known how nodes are
// named.
type graph struct {
	*importer
	naming    propgraph.Naming
	waiting   []propgraph.Node
	edges     int
	decided   bool
	joins     map[string]bool          // properties whose values are ids of nodes, or their names
	meant     map[string]propgraph.Ref // the nodes of ids and names
	called    map[string]string        // properties that are numbers, with their units in brackets
	rows      bool                     // a row is counted by whoever reads it
	fault     string                   // of the row
	failed    error
	leftOut   []string
	leftOutOf map[string]bool
}

// How many nodes are looked at to see how they are named, and how many edges may pass
// while there are fewer.
const (
	learnNodes = 2000
	learnEdges = 100_000
)

func (im *importer) newGraph() *graph {
	if im.graphNodes == nil {
		im.graphNodes = im.fs.newGraphState()
	}
	im.held = true
	return &graph{importer: im, leftOutOf: map[string]bool{}}
}

func (fs *fileSet) newGraphState() *graphState {
	return &graphState{stem: fs.stem(), undirected: map[string]int64{}}
}

// stem is what tells the nodes of this layer from those of others that have the same
// numbers: the name of its files, without what only tells nodes from edges, so that
// they find each other also when they are imported one by one.
func (fs *fileSet) stem() string {
	stem := ""
	for _, f := range fs.files {
		if f.inside {
			continue
		}
		name, _, _ := strings.Cut(strings.TrimLeft(f.name, "."), ".")
		if stem == "" {
			stem = name
			continue
		}
		n := 0
		for n < len(stem) && n < len(name) && stem[n] == name[n] {
			n++
		}
		if n >= 3 {
			stem = stem[:n]
		}
	}
	words := strings.FieldsFunc(stem, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	kept := slices.DeleteFunc(slices.Clone(words), func(w string) bool {
		return slices.Contains([]string{"node", "nodes", "edge", "edges", "vertex", "vertices", "link", "links", "relationship", "relationships"}, strings.ToLower(w))
	})
	if len(kept) == 0 {
		kept = words
	}
	return strings.Join(kept, "-")
}

// isLocalID reports whether an id is a number, perhaps after a letter or two as
// programs number nodes: elsewhere it means something else.
func isLocalID(id string) bool {
	digits := strings.TrimLeft(id, "-0123456789")
	if digits == "" {
		return true
	}
	rest := strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(id, "node"), "n"), "0123456789:n")
	return rest == "" && id != "n" && id != "node"
}

// entityOf returns the entity of a node.
func (g *graph) node(r propgraph.Ref) kg.EntityID {
	if r.Space == "" && !isLocalID(r.ID) {
		return g.entity([]byte(r.ID))
	}
	key := append(g.key[:0], g.graphNodes.stem...)
	key = append(key, '#')
	if r.Space != "" {
		key = append(append(key, r.Space...), '/')
	}
	g.key = append(key, r.ID...)
	if g.src.says != "" && isLocalID(strings.ReplaceAll(r.ID, "/", "")) { // many tables have a row 1
		return g.w.Entity(g.key, kindOfTable(r.Space)+" "+r.ID)
	}
	return g.w.Entity(g.key, r.ID)
}

func (g *graph) begin(line int64) {
	if !g.rows {
		g.at(line)
	}
	g.used = false
	g.w.At(line)
}

// done ends a record. Others may be on the same line, so that it is not yet complete.
func (g *graph) done(line int64) error {
	if g.rows {
		return nil
	}
	return g.tick(line - 1)
}

func (g *graph) Node(n propgraph.Node) error {
	if g.decided {
		g.addNode(&n)
		return g.done(n.Line)
	}
	g.naming.Learn(&n)
	if g.waiting = append(g.waiting, n); len(g.waiting) < learnNodes {
		return nil
	}
	return g.decide()
}

// decide settles how nodes are named and adds those that waited.
func (g *graph) decide() error {
	g.decided = true
	g.naming.Decide()
	g.findJoins()
	for i := range g.waiting {
		g.addNode(&g.waiting[i])
	}
	g.waiting, g.held = nil, false
	return g.ctx.Err()
}

// findJoins finds the properties that lead from node to node: all their values are ids of
// nodes, or names that one node has, or most of them and several, as rivers flow into rivers and
// one into the sea. Numbers are none, for they mean other things too. Properties that are numbers get
// their units in brackets.
func (g *graph) findJoins() {
	g.meant = map[string]propgraph.Ref{}
	named, isNumber := map[string]int{}, func(s string) bool { return strings.Trim(s, "-0123456789") == "" }
	for i := range g.waiting {
		n := &g.waiting[i]
		if named[n.Name]++; !isNumber(n.Name) {
			g.meant[n.Name] = n.Ref
		}
	}
	maps.DeleteFunc(g.meant, func(name string, _ propgraph.Ref) bool { return named[name] > 1 })
	for i := range g.waiting {
		if n := &g.waiting[i]; n.Space == "" && !isNumber(n.ID) {
			g.meant[n.ID] = n.Ref
		}
	}
	known, others, text := map[string]int{}, map[string]int{}, map[string]bool{}
	for i := range g.waiting {
		for _, p := range g.waiting[i].Properties {
			text[p.Name] = text[p.Name] || p.Datatype != propgraph.Integer && p.Datatype != propgraph.Double
			if to, ok := g.meant[p.Value]; ok && p.Datatype == "" && to != g.waiting[i].Ref {
				known[p.Name]++
			} else {
				others[p.Name]++
			}
		}
	}
	g.joins = map[string]bool{}
	for name, n := range known {
		g.joins[name] = others[name] == 0 || n > 1 && n > others[name]
	}
	g.called = map[string]string{}
	for name, isText := range text {
		if !isText {
			g.called[name] = unitInBrackets(name)
		}
	}
}

func (g *graph) addNode(n *propgraph.Node) {
	g.begin(n.Line)
	g.naming.Apply(n)
	e := g.node(n.Ref)
	if g.graphNodes.nodes++; g.graphNodes.declared.put(e) {
		const few = 5
		if g.report.Repeated++; len(g.graphNodes.again) < few {
			g.graphNodes.again = append(g.graphNodes.again, inQuotes(n.ID)+" in line "+itoa(n.Line))
		}
	}
	for _, kind := range n.Kinds {
		g.w.Type(e, []byte(kind))
	}
	if n.Name != "" {
		g.w.Label(e, n.Name, "", nameRank(0, 1))
	}
	for _, a := range n.Aliases {
		g.w.Alias(e, a, "")
	}
	if n.Description != "" {
		g.w.Describe(e, n.Description, 1)
	}
	for i := range n.Properties {
		p := &n.Properties[i]
		if meaningOf(p.Name) == aliasMeaning {
			g.w.Alias(e, p.Value, "") // and a fact, which is asked for
		}
		var tail kg.EntityID
		if g.joins[p.Name] && p.Datatype == "" {
			to, ok := g.meant[p.Value]
			if !ok {
				to.ID = p.Value
			}
			tail = g.node(to)
			g.graphNodes.used.put(tail)
		} else {
			tail = g.literal(p)
		}
		name := cmp.Or(g.called[p.Name], p.Name)
		g.add(kg.Triple{Head: e, Relation: g.w.Relation([]byte(name)), Tail: tail}, kg.FileItself, nil)
	}
	if !g.used {
		g.report.Skipped++
		g.report.Named++
	}
}

func (g *graph) literal(p *propgraph.Property) kg.EntityID {
	key := append(append(append(g.key[:0], '"'), p.Value...), '"')
	if p.Datatype != "" {
		key = append(append(append(key, "^^<"...), p.Datatype...), '>')
	}
	g.key = key
	return g.w.Literal(key, p.Value, p.Datatype, "")
}

func (g *graph) Edge(e propgraph.Edge) error {
	if g.edges++; !g.decided && g.edges > learnEdges {
		if err := g.decide(); err != nil {
			return err
		}
	}
	g.begin(e.Line)
	head, tail := g.node(e.From), g.node(e.To)
	g.graphNodes.used.put(head)
	g.graphNodes.used.put(tail)
	relation := edgeRelation(&e)
	switch {
	case meaningOf(relation) == typeMeaning:
		g.w.Type(head, []byte(e.To.ID))
	case e.Undirected:
		g.graphNodes.undirected[relation]++
	}
	from := kg.FileItself
	if e.Source != "" {
		from = g.w.Origin(e.Source)
	}
	properties := g.props[:0]
	for _, p := range e.Properties {
		properties = append(properties, kg.Property{Name: p.Name, Value: p.Value, Datatype: p.Datatype, Entity: kg.NoEntity})
	}
	g.props = properties
	g.add(kg.Triple{Head: head, Relation: g.w.Relation([]byte(relation)), Tail: tail}, from, properties)
	return g.done(e.Line)
}

func (g *graph) Reject(e *propgraph.Error) error {
	if g.rows {
		g.fault = e.Error()
		return nil
	}
	g.at(e.Line)
	return g.reject(e.Line, []byte(e.Text), e.Error())
}

func (g *graph) LeaveOut(what string) {
	if !g.leftOutOf[what] {
		g.leftOutOf[what] = true
		g.leftOut = append(g.leftOut, what)
	}
}

// end ends the part and says what became of it.
func (g *graph) end() error {
	if !g.decided {
		if err := g.decide(); err != nil {
			return err
		}
	}
	g.last = max(g.last, 1) + 1 // nothing more stands on the last line
	note := func(text string) { g.format.Notes = append(g.format.Notes, text) }
	if names := g.naming.Names(); len(names) > 0 {
		note("Its nodes are named by " + listed(names) + ".")
	}
	if len(g.leftOut) > 0 {
		note("Left out, because it says nothing about nodes and edges: " + listed(g.leftOut) + ".")
	}
	return nil
}

// endGraph counts the nodes that edges name and no file describes, names the ids that
// several nodes have, and marks the relations of which no edge has a direction. known is
// how many entities the graph had before.
func (im *importer) endGraph(known int) {
	if im.graphNodes == nil {
		return
	}
	if n := im.report.Repeated; n > 0 {
		im.report.Notes = append(im.report.Notes, wording.Count(n, "node has the id of an earlier one and was merged with it", "nodes have the id of an earlier one and were merged with it")+": "+strings.Join(im.graphNodes.again, ", ")+".")
	}
	for _, key := range slices.Sorted(maps.Keys(im.graphNodes.undirected)) {
		r, _ := im.w.FindRelation(key)
		if at, ok := im.relations[r]; ok && im.report.ByRelation[at].Statements == im.graphNodes.undirected[key] {
			im.w.Undirected(r)
			im.graphNodes.bothWays = append(im.graphNodes.bothWays, key)
		}
	}
	if im.graphNodes.nodes == 0 {
		return // all nodes are only named by edges
	}
	for w := range im.graphNodes.used {
		var declared uint64
		if w < len(im.graphNodes.declared) {
			declared = im.graphNodes.declared[w]
		}
		for missing := im.graphNodes.used[w] &^ declared; missing != 0; missing &= missing - 1 {
			if w*64+bits64.TrailingZeros64(missing) >= known {
				im.report.Stubs++
			}
		}
	}
	if n := im.report.Stubs; n > 0 {
		im.report.Notes = append(im.report.Notes, wording.Count(n, "node appears only in edges. Its id is its name.", "nodes appear only in edges. Their ids are their names."))
	}
}

// noteDirections says how edges without a direction are read, and which relations of
// other layers held both ways before and do not now.
func (im *importer) noteDirections(was map[string]bool) error {
	is, err := im.st.Symmetric(im.ctx)
	if err != nil {
		return err
	}
	note := func(text string) { im.report.Notes = append(im.report.Notes, text) }
	if x := im.graphNodes; x != nil {
		var both, one int64
		var mixed []string
		for _, key := range slices.Sorted(maps.Keys(x.undirected)) {
			if is[key] || im.o.Off && slices.Contains(x.bothWays, key) {
				both += x.undirected[key]
				continue
			}
			one += x.undirected[key]
			mixed = append(mixed, key)
		}
		if both > 0 {
			note(itoa(both) + " of its edges have no direction, so they apply both ways.")
		}
		if one > 0 {
			note(itoa(one) + " of its edges have no direction, but others of " + listed(mixed) + " have one; they are read in the direction in which they are written.")
		}
	}
	for _, key := range slices.Sorted(maps.Keys(was)) {
		if !is[key] {
			note(inQuotes(key) + " applied both ways, because none of its edges had a direction. This file adds some with a direction, so all are now read in the direction in which they are written.")
		}
	}
	return nil
}

// graphError says where a file is broken.
func (im *importer) graphError(err error) error {
	bad, ok := errors.AsType[*propgraph.Error](err)
	if !ok {
		if refused, isRefused := errors.AsType[*kg.FileError](err); isRefused {
			return refused
		}
		return im.src.readError(err)
	}
	return refuse(im.src.file, bad.Line, ErrFormat, bad.Error(), "export the file again, or correct it; what was already added stays and is not added twice")
}
