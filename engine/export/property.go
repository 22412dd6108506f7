package export

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/internal/wording"
)

// column is a property of nodes or of edges.
type column struct {
	name     string
	datatype string // that all values share; empty where they do not
	several  bool   // some node or edge has several values
	seen     bool
}

func (c *column) learn(datatype string) {
	if c.seen && c.datatype != datatype {
		datatype = ""
	}
	c.datatype, c.seen = datatype, true
}

// propertyGraph is what the formats of property graphs share: literals are properties
// of their entities, and what statements say are properties of edges.
type propertyGraph struct {
	*writing
	values  []column // of nodes, indexed by RelationID; not seen where it joins things only
	ofEdges []column
	edgeAt  map[string]int // in ofEdges
	divider string         // between the values of a cell; empty where they are arrays
	nodeRow func(row []cell)
	edgeRow func(row []cell, bothWays bool)
}

// bothWaysLost is said by formats in which every edge has a direction.
const bothWaysLost = "that edges apply both ways; GraphML can"

// cell is the value or values of a column.
type cell []string

// learn finds out which columns there are.
func (p *propertyGraph) learn() {
	g := p.g
	p.values = make([]column, g.Relations())
	for e := range g.Entities() {
		for r, edges := range g.RelationsOut(kg.EntityID(e)) {
			c, n := &p.values[r], 0
			for _, x := range edges {
				if g.IsLiteral(x.Entity) && p.wantsTriple(x.Triple) {
					c.learn(literalOf(g.Graph, x.Entity).datatype)
					n++
				}
			}
			c.name, c.several = g.RelationKey(r), c.several || n > 1
		}
	}
	p.edgeAt = map[string]int{}
	for t, list := range g.Qualified() {
		if !p.wantsTriple(t) || g.IsLiteral(g.Triple(t).Tail) {
			continue
		}
		last := -1
		for _, x := range list {
			at, ok := p.edgeAt[x.Name]
			if !ok {
				at = len(p.ofEdges)
				p.edgeAt[x.Name] = at
				p.ofEdges = append(p.ofEdges, column{name: x.Name})
			}
			c := &p.ofEdges[at]
			c.learn(x.Datatype)
			c.several, last = c.several || at == last, at
		}
	}
}

// nodeColumns returns the columns of the properties of nodes.
func (p *propertyGraph) nodeColumns() []column {
	return slices.DeleteFunc(slices.Clone(p.values), func(c column) bool { return !c.seen })
}

func (p *propertyGraph) entity(e kg.EntityID, x *kg.Entity) {
	row := []cell{{x.Key}, {x.Label}, nil, nil, one(x.Description)}
	for _, k := range p.g.Types(e) {
		row[2] = append(row[2], p.types[k].Key)
	}
	for _, a := range x.Aliases {
		row[3] = append(row[3], a.Text)
		if a.Language != "" {
			p.leave("the languages of names; N-Quads and Turtle can")
		}
	}
	if x.Language != "" {
		p.leave("the languages of names; N-Quads and Turtle can")
	}
	for r := range p.values {
		if !p.values[r].seen {
			continue
		}
		var values cell
		for _, edge := range p.g.OutBy(e, kg.RelationID(r)) {
			if !p.g.IsLiteral(edge.Entity) || !p.wantsTriple(edge.Triple) {
				continue
			}
			l := literalOf(p.g.Graph, edge.Entity)
			if l.language != "" {
				p.leave("the languages of texts; N-Quads and Turtle can")
			}
			if l.datatype != p.values[r].datatype {
				p.leave("different datatypes within a property; N-Quads and Turtle can")
			}
			values = append(values, l.text)
		}
		row = append(row, values)
	}
	p.nodeRow(row)
}

func (p *propertyGraph) say(t kg.Triple, x *kg.Saying) {
	if p.g.IsLiteral(t.Tail) {
		if len(x.Properties) > 0 || x.Origin != "" {
			p.leave("properties of values, such as the year of a number; N-Quads and Turtle can")
		}
		return
	}
	row := make([]cell, 4+len(p.ofEdges))
	row[0], row[1], row[2], row[3] = cell{p.g.Key(t.Head)}, cell{p.g.RelationKey(t.Relation)}, cell{p.g.Key(t.Tail)}, one(x.Origin)
	for _, y := range x.Properties {
		at := 4 + p.edgeAt[y.Name]
		value := y.Value
		if y.Entity != kg.NoEntity {
			value = p.g.Key(y.Entity)
		} else if y.Datatype != p.ofEdges[at-4].datatype {
			p.leave("different datatypes within a property; N-Quads and Turtle can")
		}
		row[at] = append(row[at], value)
	}
	p.edgeRow(row, p.g.IsSymmetric(t.Relation))
}

func one(text string) cell {
	if text == "" {
		return nil
	}
	return cell{text}
}

// joined writes a cell with its values divided.
func (p *propertyGraph) joined(c cell) string {
	if len(c) > 1 && slices.ContainsFunc(c, func(v string) bool { return strings.Contains(v, p.divider) }) {
		p.leave("values containing the separator " + p.divider + ", which are read as several")
	}
	return strings.Join(c, p.divider)
}

// neo4jTypes are the words of neo4j-admin for datatypes.
var neo4jTypes = map[string]string{
	"integer": "int", "int": "int", "long": "long", "short": "short", "byte": "byte", "double": "double", "float": "float", "decimal": "double",
	"boolean": "boolean", "date": "date", "dateTime": "datetime", "duration": "duration",
}

const xsd = "http://www.w3.org/2001/XMLSchema#"

// neo4j writes the name of a column as neo4j-admin wants it.
func neo4j(c column) string {
	kind, typed := neo4jTypes[strings.TrimPrefix(c.datatype, xsd)]
	if !typed || !strings.HasPrefix(c.datatype, xsd) {
		kind = "string"
	}
	if c.several {
		kind += "[]"
	}
	return c.name + ":" + kind
}

// tables are the formats of two tables.
type tables struct {
	propertyGraph
	comma        rune
	nodes, edges *csv.Writer
	nodeHeader   []string
	edgeHeader   []string
	title        func(column) string
}

func newCSV(w *writing) sink {
	return &tables{
		propertyGraph: propertyGraph{writing: w, divider: ";"}, comma: ',', title: neo4j,
		nodeHeader: []string{"id:ID", "name:string", ":LABEL", "synonym:string[]", "description:string"},
		edgeHeader: []string{":START_ID", ":TYPE", ":END_ID", "source:string"},
	}
}

func newKGX(w *writing) sink {
	return &tables{
		propertyGraph: propertyGraph{writing: w, divider: "|"}, comma: '\t', title: func(c column) string { return c.name },
		nodeHeader: []string{"id", "name", "category", "synonym", "description"},
		edgeHeader: []string{"subject", "predicate", "object", "primary_knowledge_source"},
	}
}

func (t *tables) begin() {
	t.learn()
	t.nodes, t.edges = csv.NewWriter(t.out[0]), csv.NewWriter(t.out[1])
	t.nodes.Comma, t.edges.Comma = t.comma, t.comma
	t.nodeRow = func(row []cell) { t.row(t.nodes, row) }
	t.edgeRow = func(row []cell, bothWays bool) {
		if bothWays {
			t.leave(bothWaysLost)
		}
		t.row(t.edges, row)
	}
	for _, c := range slices.Concat(t.nodeColumns(), t.ofEdges) {
		if c.datatype != "" && t.title(c) == c.name {
			t.leave("the datatypes of a property; N-Quads and Turtle can")
		}
	}
	_ = t.nodes.Write(append(t.nodeHeader, wording.Each(t.nodeColumns(), t.title)...))
	_ = t.edges.Write(append(t.edgeHeader, wording.Each(t.ofEdges, t.title)...))
}

func (t *tables) row(to *csv.Writer, row []cell) {
	texts := make([]string, len(row))
	for i, c := range row {
		texts[i] = t.joined(c)
		if t.comma == '\t' && strings.ContainsAny(texts[i], "\t\r\n") {
			// KGX knows no quotes around what holds a tab or a line's end.
			texts[i] = strings.Join(strings.FieldsFunc(texts[i], func(r rune) bool { return r == '\t' || r == '\n' || r == '\r' }), " ")
			t.leave("tabs and line breaks in texts, which became spaces")
		}
	}
	_ = to.Write(texts)
}

func (t *tables) end() {
	t.nodes.Flush()
	t.edges.Flush()
}

// graphML writes GraphML; several values are arrays as Neo4j's APOC writes them.
type graphML struct {
	propertyGraph
	nodeKeys, edgeKeys []column
}

func newGraphML(w *writing) sink { return &graphML{propertyGraph: propertyGraph{writing: w}} }

var graphMLTypes = map[string]string{"integer": "long", "int": "int", "long": "long", "double": "double", "float": "float", "decimal": "double", "boolean": "boolean"}

func (m *graphML) begin() {
	m.learn()
	m.nodeKeys = append([]column{{name: "name"}, {name: "labels", several: true}, {name: "synonym", several: true}, {name: "description"}}, m.nodeColumns()...)
	m.edgeKeys = append([]column{{name: "predicate"}, {name: "source"}}, m.ofEdges...)
	m.nodeRow = func(row []cell) {
		m.element("node", fmt.Sprintf(`id="%s"`, m.escaped(row[0][0])), "n", m.nodeKeys, row[1:])
	}
	m.edgeRow = func(row []cell, bothWays bool) {
		attributes := fmt.Sprintf(`source="%s" target="%s"`, m.escaped(row[0][0]), m.escaped(row[2][0]))
		if bothWays {
			attributes += ` directed="false"`
		}
		m.element("edge", attributes, "e", m.edgeKeys, append([]cell{row[1]}, row[3:]...))
	}
	to := m.out[0]
	fmt.Fprint(to, xml.Header, `<graphml xmlns="http://graphml.graphdrawing.org/xmlns">`, "\n")
	for i, keys := range [][]column{m.nodeKeys, m.edgeKeys} {
		of := []string{"node", "edge"}[i]
		for at, c := range keys {
			kind, typed := graphMLTypes[strings.TrimPrefix(c.datatype, xsd)]
			if !typed || !strings.HasPrefix(c.datatype, xsd) || c.several {
				kind = "string"
			}
			list := ""
			if c.several {
				list = ` attr.list="string"`
			}
			fmt.Fprintf(to, `<key id="%c%d" for="%s" attr.name="%s" attr.type="%s"%s/>`+"\n", of[0], at, of, m.escaped(c.name), kind, list)
		}
	}
	fmt.Fprintln(to, `<graph edgedefault="directed">`)
}

// escaped writes a text for XML, which has no place for some signs.
func (m *graphML) escaped(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a builder takes everything
	if strings.ContainsRune(b.String(), '\uFFFD') && !strings.ContainsRune(s, '\uFFFD') {
		m.leave("control characters, which became \uFFFD")
	}
	return b.String()
}

func (m *graphML) element(name, attributes, key string, columns []column, row []cell) {
	to := m.out[0]
	fmt.Fprintf(to, "<%s %s>", name, attributes)
	for i, c := range row {
		if len(c) == 0 {
			continue
		}
		text := c[0]
		if columns[i].several {
			array, _ := json.Marshal(c) // texts always can be
			text = string(array)
		}
		fmt.Fprintf(to, `<data key="%s%d">%s</data>`, key, i, m.escaped(text))
	}
	fmt.Fprintf(to, "</%s>\n", name)
}

func (m *graphML) end() { fmt.Fprintln(m.out[0], "</graph>\n</graphml>") }
