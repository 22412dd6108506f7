package propgraph

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Table reads the rows below a header that says what each column of a property graph
// is. It is made by NewTable.
type Table struct {
	Title   string // of the convention that the header follows, for people
	Nodes   bool   // a row with an id is a node
	Edges   bool   // a row is an edge, otherwise a node
	LeftOut []string
	columns []column
}

// part is what a column holds.
type part byte

const (
	propertyPart part = iota
	idPart
	kindPart
	fromPart
	toPart
	typePart
	namePart
	aliasPart
	descriptionPart
	sourcePart
	directionPart
	ignoredPart
)

type column struct {
	part     part
	name     string // of the property; of an id too, where the header gives one
	space    string
	datatype string
	divider  string // between the values of a cell; empty where it holds one
}

// conventions are the ways in which programs write headers.
var conventions = []struct {
	title string
	read  func(header []string, rows [][]string, delimiter rune) ([]column, bool)
}{
	{"Neo4j", neo4jColumns},
	{"Neo4j", apocColumns},
	{"Neptune", neptuneColumns},
	{"KGX", kgxColumns},
	{"Gephi", gephiColumns},
}

// NewTable returns the reader for a header that follows a convention, and whether it
// follows one. rows are some of those below it; delimiter is that of the columns.
func NewTable(header []string, rows [][]string, delimiter rune) (*Table, bool) {
	for _, c := range conventions {
		columns, ok := c.read(header, rows, delimiter)
		if !ok {
			continue
		}
		t := &Table{Title: c.title, columns: columns}
		for i, c := range columns {
			t.Edges = t.Edges || c.part == fromPart
			if c.part == ignoredPart {
				t.LeftOut = append(t.LeftOut, header[i])
			}
		}
		t.Nodes = !t.Edges || has(columns, idPart) && has(columns, kindPart)
		return t, true
	}
	return nil, false
}

// has reports whether one of the columns is of a part.
func has(columns []column, p part) bool {
	return slices.ContainsFunc(columns, func(c column) bool { return c.part == p })
}

// neo4jColumn is a column of neo4j-admin import: name, colon, type, and the group in
// which an id is unique. Options between braces may follow.
var neo4jColumn = regexp.MustCompile(`(?i)^([^:]*):(ID|START_ID|END_ID|LABEL|TYPE|IGNORE)(?:\(([^)]*)\))?(?:\{.*\})?$`)

// neo4jColumns reads https://neo4j.com/docs/operations-manual/current/import/.
func neo4jColumns(header []string, _ [][]string, delimiter rune) ([]column, bool) {
	divider := ";"
	if delimiter == ';' {
		divider = "|"
	}
	columns := make([]column, len(header))
	for i, h := range header {
		c := &columns[i]
		if m := neo4jColumn.FindStringSubmatch(strings.TrimSpace(h)); m != nil {
			c.name, c.space = m[1], m[3]
			switch strings.ToUpper(m[2]) {
			case "ID":
				c.part = idPart
			case "START_ID":
				c.part = fromPart
			case "END_ID":
				c.part = toPart
			case "LABEL":
				c.part, c.divider = kindPart, divider
			case "TYPE":
				c.part = typePart
			case "IGNORE":
				c.part = ignoredPart
			}
			continue
		}
		*c = typedColumn(h, divider)
	}
	return columns, has(columns, idPart) || has(columns, fromPart) && has(columns, toPart)
}

// apocColumns reads what the procedures of Neo4j export: nodes and edges in one table, the
// columns of both in each row.
func apocColumns(header []string, _ [][]string, _ rune) ([]column, bool) {
	parts := map[string]part{"_id": idPart, "_labels": kindPart, "_start": fromPart, "_end": toPart, "_type": typePart}
	columns := make([]column, len(header))
	for i, h := range header {
		c := &columns[i]
		if c.name = strings.TrimSpace(h); c.name == "" {
			c.part = ignoredPart
		}
		if p, ok := parts[c.name]; ok {
			*c = column{part: p}
		}
		if c.part == kindPart {
			c.divider = ":"
		}
	}
	return columns, has(columns, idPart) && has(columns, kindPart) || has(columns, fromPart) && has(columns, toPart) && has(columns, typePart)
}

// typedColumn reads name:type, name:type[].
func typedColumn(header, divider string) column {
	c := column{name: strings.TrimSpace(header)}
	if c.name == "" {
		return column{part: ignoredPart}
	}
	if at := strings.LastIndexByte(c.name, ':'); at > 0 {
		var array bool
		name := c.name[at+1:]
		name, _, _ = strings.Cut(name, "(") // Neptune's (single) and (set)
		c.datatype, array = typed(name)
		if slices.Contains([]string{"string", "string[]", "char", "char[]", "localtime", "time", "point"}, strings.ToLower(strings.Split(name, "{")[0])) || c.datatype != "" {
			c.name = c.name[:at]
			if array {
				c.divider = divider
			}
		}
	}
	return c
}

// neptuneColumns reads the headers of Amazon Neptune, ~id ~label ~from ~to, and of Neo4j
// Bloom, ~start_node_id ~end_node_id ~relationship_type.
func neptuneColumns(header []string, _ [][]string, _ rune) ([]column, bool) {
	columns := make([]column, len(header))
	for i, h := range header {
		c := &columns[i]
		system, tilde := strings.CutPrefix(strings.ToLower(strings.TrimSpace(h)), "~")
		switch {
		case !tilde:
			*c = typedColumn(h, ";")
		case system == "id":
			c.part = idPart
		case system == "from" || strings.HasPrefix(system, "start_node"):
			c.part = fromPart
		case system == "to" || strings.HasPrefix(system, "end_node"):
			c.part = toPart
		case system == "label" || system == "labels":
			c.part, c.divider = kindPart, ";"
		case strings.HasPrefix(system, "relationship_type"), system == "type":
			c.part = typePart
		default:
			c.part = ignoredPart
		}
	}
	edges := has(columns, fromPart) && has(columns, toPart)
	for i := range columns {
		if edges && columns[i].part == kindPart { // the label of an edge is its type
			columns[i].part, columns[i].divider = typePart, ""
		}
	}
	return columns, edges || has(columns, idPart)
}

// kgxWords are columns of edges that only KGX has.
var kgxWords = []string{
	"primary_knowledge_source", "aggregator_knowledge_source", "knowledge_source", "knowledge_level", "agent_type", "provided_by",
	"publications", "relation", "category", "qualified_predicate", "has_evidence", "negated",
}

// kgxColumns reads the tables of the Knowledge Graph Exchange:
// https://github.com/biolink/kgx/blob/master/specification/kgx-format.md.
func kgxColumns(header []string, rows [][]string, _ rune) ([]column, bool) {
	parts := map[string]part{"id": idPart, "category": kindPart, "name": namePart, "synonym": aliasPart, "description": descriptionPart}
	edges := slices.Contains(header, "subject") && slices.Contains(header, "predicate") && slices.Contains(header, "object")
	if edges {
		parts = map[string]part{
			"subject": fromPart, "predicate": typePart, "object": toPart, "primary_knowledge_source": sourcePart, "id": ignoredPart,
		}
		if !slices.ContainsFunc(kgxWords, func(w string) bool { return slices.Contains(header, w) }) {
			return nil, false
		}
	} else if at := slices.Index(header, "category"); at < 0 || !slices.Contains(header, "id") || !curies(rows, slices.Index(header, "id")) || !curies(rows, at) {
		return nil, false
	}
	columns := make([]column, len(header))
	for i, h := range header {
		c := &columns[i]
		p, known := parts[h]
		c.part, c.name = p, h
		switch {
		case h == "":
			c.part = ignoredPart
		case !known || p == kindPart || p == aliasPart:
			c.divider = "|"
		}
	}
	return columns, true
}

// curies reports whether most cells of a column are prefix, colon, and something.
func curies(rows [][]string, at int) bool {
	n := 0
	for _, row := range rows {
		if at < len(row) && strings.Index(row[at], ":") > 0 {
			n++
		}
	}
	return n > 0 && 2*n > len(rows)
}

// gephiColumns reads the tables of Gephi: Source, Target, Type and further columns of
// edges, where a type is a direction; Id, Label and a time of nodes.
func gephiColumns(header []string, rows [][]string, _ rune) ([]column, bool) {
	index := func(name string) int {
		return slices.IndexFunc(header, func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), name) })
	}
	columns := make([]column, len(header))
	for i, h := range header {
		if columns[i] = (column{name: strings.TrimSpace(h)}); columns[i].name == "" {
			columns[i].part = ignoredPart
		}
	}
	from, to, direction, id, label := index("source"), index("target"), index("type"), index("id"), index("label")
	if from >= 0 && to >= 0 && direction >= 0 && directions(rows, direction) {
		columns[from].part, columns[to].part, columns[direction].part = fromPart, toPart, directionPart
		if id >= 0 {
			columns[id].part = ignoredPart
		}
		if label >= 0 {
			columns[label].part = typePart
		}
		if w := index("weight"); w >= 0 {
			columns[w].datatype = Double
		}
		return columns, true
	}
	if id < 0 || label < 0 || index("timeset") < 0 && index("interval") < 0 {
		return nil, false
	}
	columns[id].part, columns[label].part = idPart, namePart
	return columns, true
}

// directions reports whether a column says of edges whether they have a direction.
func directions(rows [][]string, at int) bool {
	n := 0
	for _, row := range rows {
		if at >= len(row) || row[at] == "" {
			continue
		}
		if n++; !slices.Contains([]string{"directed", "undirected", "mutual"}, strings.ToLower(row[at])) {
			return false
		}
	}
	return n > 0
}

// Row reads a row into the sink.
func (t *Table) Row(cells []string, line int64, sink Sink) error {
	if len(cells) > len(t.columns) {
		return sink.Reject(&Error{Line: line, What: "it has " + strconv.Itoa(len(cells)) + " columns, but the header has " + strconv.Itoa(len(t.columns)), Text: strings.Join(cells, ", ")})
	}
	var n Node
	var e Edge
	var ps []Property
	for i, cell := range cells {
		c := &t.columns[i]
		if cell = strings.TrimSpace(cell); cell == "" {
			continue
		}
		switch c.part {
		case idPart:
			n.Ref = Ref{c.space, cell}
			if t.Nodes {
				ps = addTo(ps, c.name, named(c, cell), "")
			}
		case fromPart:
			e.From = Ref{c.space, cell}
		case toPart:
			e.To = Ref{c.space, cell}
		case typePart:
			e.Type = cell
		case kindPart:
			n.Kinds = append(n.Kinds, divide(cell, c.divider)...)
		case namePart:
			n.Name = cell
		case aliasPart:
			n.Aliases = append(n.Aliases, divide(cell, c.divider)...)
		case descriptionPart:
			n.Description = cell
		case sourcePart:
			e.Source = cell
		case directionPart:
			e.Undirected = strings.EqualFold(cell, "undirected")
		case propertyPart:
			values := []string{cell}
			if c.divider != "" {
				values = divide(cell, c.divider)
			}
			for _, v := range values {
				ps = addTo(ps, c.name, v, c.datatype)
			}
		case ignoredPart:
		}
	}
	if !t.Edges || t.Nodes && n.ID != "" && e.From.ID == "" && e.To.ID == "" {
		n.Properties, n.Line = ps, line
		if n.ID == "" {
			return sink.Reject(&Error{Line: line, What: "the node has no id", Text: strings.Join(cells, ", ")})
		}
		settleNode(&n)
		return sink.Node(n)
	}
	e.Properties, e.Line = ps, line
	switch {
	case e.From.ID == "":
		return sink.Reject(&Error{Line: line, What: "the edge has no start", Text: strings.Join(cells, ", ")})
	case e.To.ID == "":
		return sink.Reject(&Error{Line: line, What: "the edge has no end", Text: strings.Join(cells, ", ")})
	}
	settleEdge(&e)
	return sink.Edge(e)
}

// named returns the value of an id that is a property too: the header names it.
func named(c *column, cell string) string {
	if c.name == "" || strings.EqualFold(c.name, "id") {
		return ""
	}
	return cell
}
