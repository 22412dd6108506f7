package propgraph

import (
	"cmp"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"cairn/engine/internal/bail"
)

// xmlReader reads the elements of a document one after the other.
type xmlReader struct {
	*xml.Decoder
	places     *places
	sink       out
	depth      int
	order      []*declared // those with a default, as they come
	undirected bool        // edges that do not say
}

func newXMLReader(r io.Reader, sink out) *xmlReader {
	x := &xmlReader{places: &places{r: r}, sink: sink}
	x.Decoder = xml.NewDecoder(x.places)
	// The text is in UTF-8 already, whatever its declaration says.
	x.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	return x
}

func (x *xmlReader) fail(what string) bail.Out {
	line, column := x.InputPos()
	return bail.Out{Err: &Error{Line: int64(line), Column: int64(column), What: what}}
}

func (x *xmlReader) line() int64 {
	line, _ := x.InputPos()
	return int64(line)
}

// next returns the next token, nil at the end, with errors in words.
func (x *xmlReader) next() xml.Token {
	t, err := x.Token()
	x.places.taken, x.places.newlines = x.InputOffset(), x.places.newlines[:0]
	switch syntax, isSyntax := errors.AsType[*xml.SyntaxError](err); {
	case isSyntax && strings.Contains(syntax.Msg, "entity"):
		panic(x.fail(syntax.Msg + " (entities of a DOCTYPE are not expanded)"))
	case isSyntax && strings.Contains(syntax.Msg, "EOF"):
		panic(x.fail("the document ends too early"))
	case isSyntax:
		panic(x.fail("it is not XML: " + syntax.Msg))
	case errors.Is(err, errTooLong):
		panic(x.fail(err.Error()))
	case errors.Is(err, io.EOF):
		return nil
	}
	bail.If(err)
	switch t.(type) {
	case xml.StartElement:
		if x.depth++; x.depth > maxDepth {
			panic(x.fail("it is nested more than " + strconv.Itoa(maxDepth) + " levels deep"))
		}
	case xml.EndElement:
		x.depth--
	}
	return t
}

// children calls each for every element until the one that is open ends. each must
// read its element to its end.
func (x *xmlReader) children(each func(xml.StartElement)) {
	for {
		switch t := x.next().(type) {
		case xml.StartElement:
			each(t)
		case xml.EndElement:
			return
		case nil:
			panic(x.fail("the document ends too early"))
		}
	}
}

// text returns the text of the element that is open and of those in it, up to its
// end. inner is the text of the first element in it of one of the names.
func (x *xmlReader) text(names ...string) (all, inner string) {
	var b strings.Builder
	x.collect(&b, &inner, names)
	return strings.TrimSpace(b.String()), inner
}

func (x *xmlReader) collect(b *strings.Builder, inner *string, names []string) {
	begin := x.depth
	for {
		switch t := x.next().(type) {
		case xml.CharData:
			if b.Len()+len(t) > maxRecord {
				panic(x.fail(errTooLong.Error()))
			}
			b.Write(t)
		case xml.StartElement:
			if slices.Contains(names, t.Name.Local) && *inner == "" {
				var label strings.Builder
				x.collect(&label, inner, nil)
				*inner = strings.Join(strings.Fields(label.String()), " ")
			}
		case xml.EndElement:
			if x.depth < begin {
				return
			}
		case nil:
			panic(x.fail("the document ends too early"))
		}
	}
}

// skip reads an element that says nothing of nodes and edges.
func (x *xmlReader) skip(e xml.StartElement) {
	x.sink.LeaveOut(e.Name.Local)
	x.pass()
}

// pass reads an element to its end.
func (x *xmlReader) pass() {
	x.children(func(xml.StartElement) { x.pass() })
}

// root finds the first element.
func (x *xmlReader) root() {
	for {
		switch x.next().(type) {
		case xml.StartElement:
			return
		case nil:
			panic(bail.Out{Err: &Error{Line: 1, What: "the document is empty"}})
		}
	}
}

// attributes are those of an element.
type attributes []xml.Attr

func (as attributes) get(name string) string {
	for _, a := range as {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// declared is a property as a document declares it.
type declared struct {
	name, datatype, byDefault string
	array                     bool
	of                        string // node, edge; empty for both
}

// values gives the property its values; an array is written between brackets.
func (d *declared) values(ps []Property, text string) []Property {
	if !d.array {
		return addTo(ps, d.name, text, d.datatype)
	}
	var list []string
	if json.Unmarshal([]byte(text), &list) == nil {
		for _, one := range list {
			ps = addTo(ps, d.name, one, d.datatype)
		}
		return ps
	}
	text = strings.Trim(strings.TrimSpace(text), "[]")
	signs := ","
	if strings.Contains(text, "|") {
		signs = "|"
	}
	for _, one := range divide(text, signs) {
		ps = addTo(ps, d.name, one, d.datatype)
	}
	return ps
}

// readDefault reads the default value in the declaration that is open.
func (x *xmlReader) readDefault(d *declared) {
	x.children(func(e xml.StartElement) {
		if e.Name.Local != "default" {
			x.pass()
			return
		}
		d.byDefault, _ = x.text()
	})
	if d.byDefault != "" {
		x.order = append(x.order, d)
	}
}

// defaults adds what an element, a node or an edge, has without saying so.
func (x *xmlReader) defaults(ps *[]Property, of string) {
	for _, d := range x.order {
		if d.of != "" && d.of != of || slices.ContainsFunc(*ps, func(p Property) bool { return p.Name == d.name }) {
			continue
		}
		*ps = d.values(*ps, d.byDefault)
	}
}

func (x *xmlReader) emitNode(n *Node) {
	if n.ID == "" {
		x.sink.reject(&Error{Line: n.Line, What: "the node has no id"})
		return
	}
	x.defaults(&n.Properties, "node")
	if len(n.Kinds) > 0 { // APOC writes them twice
		take(&n.Properties, "labels")
	}
	settleNode(n)
	x.sink.node(*n)
}

// emitEdge hands on an edge, once settle has been asked for its type.
func (x *xmlReader) emitEdge(e *Edge, settle func()) {
	if e.From.ID == "" || e.To.ID == "" {
		x.sink.reject(&Error{Line: e.Line, What: "the edge does not have two ends"})
		return
	}
	x.defaults(&e.Properties, "edge")
	settle()
	settleEdge(e)
	x.sink.edge(*e)
}

// graphML reads GraphML: http://graphml.graphdrawing.org/specification.html.
type graphML struct {
	*xmlReader
	keys map[string]*declared
}

func readGraphML(r io.Reader, sink out) {
	g := &graphML{xmlReader: newXMLReader(r, sink), keys: map[string]*declared{}}
	g.root()
	g.children(g.part)
}

// part reads a child of the document, or of a graph.
func (g *graphML) part(e xml.StartElement) {
	as := attributes(e.Attr)
	switch e.Name.Local {
	case "key":
		g.key(as)
	case "graph":
		g.undirected = as.get("edgedefault") == "undirected"
		g.children(g.part)
	case "node":
		g.node(as)
	case "edge":
		g.edge(as)
	case "desc":
		g.pass()
	case "data":
		name := as.get("key")
		if d := g.keys[name]; d != nil {
			name = d.name
		}
		g.sink.LeaveOut("the graph's " + name)
		g.pass()
	default:
		g.skip(e)
	}
}

func (g *graphML) key(as attributes) {
	d := &declared{name: as.get("attr.name"), of: as.get("for")}
	if d.of == "all" {
		d.of = ""
	}
	d.datatype, d.array = typed(as.get("attr.type"))
	if list := as.get("attr.list"); list != "" { // as APOC writes arrays
		d.datatype, _ = typed(list)
		d.array = true
	}
	d.name = cmp.Or(d.name, as.get("id"))
	g.keys[as.get("id")] = d
	g.readDefault(d)
}

// data reads the value of a property; label is what yEd shows.
func (g *graphML) data(as attributes, ps []Property, label *string) []Property {
	d := cmp.Or(g.keys[as.get("key")], &declared{name: as.get("key")})
	all, inner := g.text("NodeLabel", "EdgeLabel")
	if inner != "" {
		*label = cmp.Or(*label, inner)
		return ps
	}
	return d.values(ps, all)
}

func (g *graphML) node(as attributes) {
	n := Node{Ref: Ref{ID: as.get("id")}, Line: g.line()}
	n.Kinds = divide(as.get("labels"), ":")
	emitted := false
	g.children(func(e xml.StartElement) {
		switch e.Name.Local {
		case "data":
			n.Properties = g.data(e.Attr, n.Properties, &n.Name)
		case "graph": // a group: its nodes are nodes like others
			emitted = true
			g.emitNode(&n)
			g.children(g.part)
		case "desc":
			n.Description, _ = g.text()
		default:
			g.skip(e)
		}
	})
	if !emitted {
		g.emitNode(&n)
	}
}

func (g *graphML) edge(as attributes) {
	e := Edge{From: Ref{ID: as.get("source")}, To: Ref{ID: as.get("target")}, Type: as.get("label"), Line: g.line(), Undirected: g.undirected}
	if d := as.get("directed"); d != "" {
		e.Undirected = d == "false"
	}
	var label string
	g.children(func(child xml.StartElement) {
		switch child.Name.Local {
		case "data":
			e.Properties = g.data(child.Attr, e.Properties, &label)
		case "desc":
			g.pass()
		default:
			g.skip(child)
		}
	})
	g.emitEdge(&e, func() {
		switch {
		case e.Type != "": // APOC writes it twice
			if t := take(&e.Properties, "label"); len(t) > 0 && t[0] != e.Type {
				e.Properties = append(e.Properties, Property{Name: "label", Value: t[0]})
			}
		case label != "":
			e.Type = label
		}
	})
}

// gexf reads GEXF 1.1 to 1.3: https://gexf.net.
type gexf struct {
	*xmlReader
	of map[string]map[string]*declared // node or edge → id → property
}

func readGEXF(r io.Reader, sink out) {
	g := &gexf{xmlReader: newXMLReader(r, sink), of: map[string]map[string]*declared{"node": {}, "edge": {}}}
	g.root()
	g.children(g.part)
}

func (g *gexf) part(e xml.StartElement) {
	as := attributes(e.Attr)
	switch e.Name.Local {
	case "graph":
		g.undirected = as.get("defaultedgetype") != "directed"
		g.children(g.part)
	case "nodes", "edges":
		g.children(g.part)
	case "attributes":
		class := as.get("class")
		g.children(func(e xml.StartElement) { g.declare(class, e) })
	case "node":
		g.node(as)
	case "edge":
		g.edge(as)
	default:
		g.skip(e)
	}
}

func (g *gexf) declare(class string, e xml.StartElement) {
	if e.Name.Local != "attribute" || g.of[class] == nil {
		g.skip(e)
		return
	}
	as := attributes(e.Attr)
	d := &declared{name: as.get("title"), of: class}
	d.datatype, d.array = typed(strings.TrimSuffix(as.get("type"), "string"))
	d.name = cmp.Or(d.name, as.get("id"))
	g.of[class][as.get("id")] = d
	g.readDefault(d)
}

// values reads what an element has below it, other than what is drawn.
func (g *gexf) values(class string, ps *[]Property, inner func(xml.StartElement)) {
	g.children(func(e xml.StartElement) {
		switch e.Name.Local {
		case "attvalues":
			g.children(func(e xml.StartElement) {
				as := attributes(e.Attr)
				id := cmp.Or(as.get("for"), as.get("id"))
				d := cmp.Or(g.of[class][id], &declared{name: id})
				*ps = d.values(*ps, as.get("value"))
				g.pass()
			})
		case "nodes", "edges":
			inner(e)
		default:
			g.skip(e)
		}
	})
}

// lifetimes are the attributes of an element of a graph over time.
var lifetimes = []string{"start", "end", "timestamp"}

func (g *gexf) node(as attributes) {
	n := Node{Ref: Ref{ID: as.get("id")}, Name: as.get("label"), Line: g.line()}
	for _, name := range lifetimes {
		n.Properties = addTo(n.Properties, name, as.get(name), "")
	}
	emit := sync.OnceFunc(func() { g.emitNode(&n) })
	g.values("node", &n.Properties, func(xml.StartElement) {
		emit()
		g.children(g.part)
	})
	emit()
}

func (g *gexf) edge(as attributes) {
	e := Edge{From: Ref{ID: as.get("source")}, To: Ref{ID: as.get("target")}, Type: as.get("kind"), Line: g.line(), Undirected: g.undirected}
	if t := as.get("type"); t != "" {
		e.Undirected = t == "undirected"
	}
	label := as.get("label")
	if e.Type == "" {
		e.Type = label
	} else if label != e.Type {
		e.Properties = addTo(e.Properties, "label", label, "")
	}
	e.Properties = addTo(e.Properties, "weight", as.get("weight"), Double)
	for _, name := range lifetimes {
		e.Properties = addTo(e.Properties, name, as.get(name), "")
	}
	g.values("edge", &e.Properties, g.skip)
	g.emitEdge(&e, func() {})
}
