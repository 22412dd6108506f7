package propgraph

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"cairn/engine/internal/bail"
	"cairn/engine/internal/lines"
)

// object is an object of JSON with its members in their order. A value is a string,
// a json.Number, a bool, nil, a []any or an object.
type object []member

type member struct {
	name  string
	value any
}

// get returns the first of the named members that there is.
func (o object) get(names ...string) any {
	for _, name := range names {
		for _, m := range o {
			if m.name == name {
				return m.value
			}
		}
	}
	return nil
}

// What the members of a document are called that list nodes or edges, that hold such
// lists, and that hold the properties of a node or an edge.
var (
	nodeLists  = []string{"nodes", "vertices"}
	edgeLists  = []string{"edges", "links", "rels", "relationships"}
	containers = []string{"graph", "elements", "network", "data"}
	holders    = []string{"properties", "props", "attributes", "data", "v", "metadata"}
	ends       = [][2]string{
		{"start", "end"},
		{"subject", "object"},
		{"source", "target"},
		{"from", "to"},
		{"s", "t"},
		{"startNode", "endNode"},
		{"start_node", "end_node"},
		{"src", "dst"},
		{"head", "tail"},
		{"_from", "_to"},
		{"outV", "inV"},
	}
	ids = []string{"id", "@id", "_id", "key", "identity"}
)

// elementKind is what an object is by its place.
type elementKind byte

const (
	anyElement elementKind = iota
	nodeElement
	edgeElement
)

type jsonReader struct {
	*json.Decoder
	places *places
	sink   out
	unnamed
	undirected bool
	alias      [3]map[string]string // of CX2: short names of properties, by elementKind
	defaults   [3][]Property        // and values that elements have without saying so
}

// unnamed are nodes without an id: edges call them by their number or name.
type unnamed struct {
	nodes  int
	byName map[string]string
}

// readJSON reads a document. One with a list of nodes or edges may have it at the
// top, within another member, or in pieces.
func readJSON(r io.Reader, sink out) {
	j := newJSONReader(r, sink)
	j.document(func() { j.list(anyElement) }, func() { j.top(1) })
}

// document reads what follows the first tokens of the lists and objects at the top.
func (j *jsonReader) document(list, object func()) {
	for {
		token, ended := j.token()
		switch {
		case ended:
			return
		case token == json.Delim('['):
			list()
		case token == json.Delim('{'):
			object()
		default:
			panic(j.fail("it is neither a list nor an object"))
		}
	}
}

func newJSONReader(r io.Reader, sink out) *jsonReader {
	j := &jsonReader{places: &places{r: r}, sink: sink}
	j.Decoder = json.NewDecoder(j.places)
	j.UseNumber()
	return j
}

func (j *jsonReader) fail(what string) bail.Out { return j.places.fail(j.InputOffset(), what) }

// token returns the next token, or that there is none, with errors in words.
func (j *jsonReader) token() (t json.Token, ended bool) {
	t, err := j.Token()
	if err == nil {
		j.places.taken = j.InputOffset()
		return t, false
	}
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		at := syntax.Offset
		if at != j.InputOffset() { // it counts the sign that is wrong
			at--
		}
		panic(j.places.fail(max(at, 0), "it is not JSON: "+syntax.Error()))
	}
	switch {
	case errors.Is(err, errTooLong):
		panic(j.fail(err.Error()))
	case errors.Is(err, io.ErrUnexpectedEOF):
		panic(j.fail("the document ends too early"))
	case !errors.Is(err, io.EOF):
		panic(bail.Out{Err: err})
	}
	return nil, true
}

// inside is token where the document cannot end.
func (j *jsonReader) inside() json.Token {
	t, ended := j.token()
	if ended {
		panic(j.fail("the document ends too early"))
	}
	return t
}

// top reads an object that may hold lists, and takes it for a node or an edge where
// it holds none.
func (j *jsonReader) top(depth int) {
	line, _ := j.places.at(j.InputOffset())
	o, listed := j.holder(depth)
	if len(o) > 0 && o[0].name == "CXVersion" {
		return
	}
	if !listed {
		if known := slices.ContainsFunc(o, func(m member) bool { return j.declaration(m) }); !known && !j.aside(o) {
			j.element(o, anyElement, "", line)
		}
		return
	}
	for _, m := range o {
		if inner, empty := m.value.(object); !j.declaration(m) && !isDirected(m.name) && (!empty || len(inner) > 0) {
			j.sink.LeaveOut(m.name)
		}
	}
}

// isDirected reports whether a member of a graph says what all edges are like.
func isDirected(name string) bool { return name == "directed" || name == "multigraph" }

// aside reports whether an object is one of the parts of CX2 beside nodes and edges:
// it has a single member, a list or a version.
func (j *jsonReader) aside(o object) bool {
	if len(o) != 1 {
		return false
	}
	if _, list := o[0].value.([]any); list {
		j.sink.LeaveOut(o[0].name)
		return true
	}
	return false
}

// holder reads the members of an object; those that list nodes and edges are handled
// at once, and listed says that there were some.
func (j *jsonReader) holder(depth int) (o object, listed bool) {
	begin := j.InputOffset()
	for j.More() {
		name, _ := j.inside().(string)
		token := j.inside()
		kind := anyElement
		if slices.Contains(nodeLists, strings.ToLower(name)) {
			kind = nodeElement
		} else if slices.Contains(edgeLists, strings.ToLower(name)) {
			kind = edgeElement
		}
		var value any
		switch {
		case kind != anyElement && token == json.Delim('['):
			listed = true
			j.list(kind)
		case kind != anyElement && token == json.Delim('{'):
			listed = true
			j.table(kind)
		case token == json.Delim('{') && depth < 4 && slices.Contains(containers, strings.ToLower(name)):
			inner, found := j.holder(depth + 1)
			if !found {
				value = inner
				break
			}
			listed = true
			for _, m := range inner {
				j.sink.LeaveOut(name + "." + m.name)
			}
		default:
			value = j.value(token, begin, depth)
		}
		if directed, ok := value.(bool); ok && name == "directed" {
			j.undirected = !directed
		}
		if value != nil {
			o = append(o, member{name, value})
		}
	}
	j.inside()
	return o, listed
}

// list reads the elements of an array.
func (j *jsonReader) list(kind elementKind) {
	for j.More() {
		token := j.inside()
		if kind == anyElement && token == json.Delim('{') {
			j.top(1)
			continue
		}
		j.one(token, kind, "")
	}
	j.inside()
}

// table reads the elements of an object whose members are called by their ids.
func (j *jsonReader) table(kind elementKind) {
	for j.More() {
		id, _ := j.inside().(string)
		j.one(j.inside(), kind, id)
	}
	j.inside()
}

// one reads one element whose first token is read already.
func (j *jsonReader) one(token json.Token, kind elementKind, id string) {
	line, column := j.places.at(j.InputOffset())
	value := j.value(token, j.InputOffset(), 1)
	o, ok := value.(object)
	if !ok && kind == nodeElement && id == "" {
		id, _, ok = scalar(value) // a list of ids
	}
	if !ok {
		j.sink.reject(&Error{Line: line, Column: column, What: "a node or an edge must be an object", Text: compact(value)})
		return
	}
	j.element(o, kind, id, line)
}

// value reads a value whose first token is read already. begin is the offset of the
// record that it is part of.
func (j *jsonReader) value(token json.Token, begin int64, depth int) any {
	if depth > maxDepth {
		panic(j.fail("it is nested more than " + strconv.Itoa(maxDepth) + " levels deep"))
	}
	if j.InputOffset()-begin > maxRecord {
		panic(j.fail("a node or an edge has more than " + strconv.Itoa(maxRecord>>20) + " MB"))
	}
	switch token {
	case json.Delim('['):
		list := []any{}
		for j.More() {
			list = append(list, j.value(j.inside(), begin, depth+1))
		}
		j.inside()
		return list
	case json.Delim('{'):
		o := object{}
		for j.More() {
			name, _ := j.inside().(string)
			o = append(o, member{name, j.value(j.inside(), begin, depth+1)})
		}
		j.inside()
		return o
	}
	return token
}

// declaration takes what CX2 declares of properties.
func (j *jsonReader) declaration(m member) bool {
	if m.name != "attributeDeclarations" {
		return false
	}
	list, _ := m.value.([]any)
	for _, one := range list {
		declared, _ := one.(object)
		for kind, name := range map[elementKind]string{nodeElement: "nodes", edgeElement: "edges"} {
			properties, _ := declared.get(name).(object)
			for _, p := range properties {
				about, _ := p.value.(object)
				if short, ok := about.get("a").(string); ok {
					if j.alias[kind] == nil {
						j.alias[kind] = map[string]string{}
					}
					j.alias[kind][short] = p.name
				}
				if v := about.get("v"); v != nil {
					j.defaults[kind] = flatten(j.defaults[kind], p.name, v)
				}
			}
		}
	}
	return true
}

// element hands on one node or edge.
func (j *jsonReader) element(o object, kind elementKind, id string, line int64) {
	emit(o, kind, id, line, j.sink, &j.unnamed, j)
}

// emit makes a node or an edge of an object. id is the key that it stands under, where
// it does. j is nil where each element stands for itself.
func emit(o object, kind elementKind, id string, line int64, sink out, u *unnamed, j *jsonReader) {
	for _, m := range o { // as Cytoscape does: everything is in data
		if inner, ok := m.value.(object); ok && m.name == "data" && inner.get(ids...) != nil {
			o = append(inner, slices.DeleteFunc(slices.Clone(o), func(x member) bool { return x.name == "data" || layoutMember(x.name) })...)
			break
		}
	}
	said, _ := o.get("type").(string)
	var pair [2]string
	for _, p := range ends {
		if o.get(p[0]) != nil && o.get(p[1]) != nil && kind != nodeElement {
			pair = p
			break
		}
	}
	apoc := said == "relationship" && o.get("label") != nil || said == "node" && o.get("id") != nil
	switch {
	case kind == anyElement && said == "node" && apoc:
		kind = nodeElement
	case kind == anyElement && pair[0] != "":
		kind = edgeElement
	case kind == anyElement && (id != "" || o.get(ids...) != nil):
		kind = nodeElement
	case kind == anyElement:
		sink.reject(&Error{Line: line, What: "it is neither a node (with an id) nor an edge (with two ends)", Text: compact(o)})
		return
	}
	if kind == edgeElement {
		if pair[0] == "" {
			sink.reject(&Error{Line: line, What: "the edge does not have two ends", Text: compact(o)})
			return
		}
		e := Edge{Line: line, From: u.ref(o.get(pair[0])), To: u.ref(o.get(pair[1])), Undirected: j != nil && j.undirected}
		if e.From.ID == "" || e.To.ID == "" {
			sink.reject(&Error{Line: line, What: "an end of the edge is empty", Text: compact(o)})
			return
		}
		if undirected, ok := o.get("directed").(bool); ok {
			e.Undirected = !undirected
		}
		if apoc {
			e.Type, _, _ = scalar(o.get("label"))
			o = without(o, "type", "label")
		}
		e.Properties = propertiesOf(without(o, pair[0], pair[1], "id", "@id", "_id", "key", "identity", "directed"), j, kind)
		provenanceOf(&e)
		settleEdge(&e)
		sink.edge(e)
		return
	}
	n := Node{Line: line}
	if n.ID, _, _ = scalar(o.get(ids...)); n.ID != "" {
		at := slices.IndexFunc(ids, func(name string) bool { return o.get(name) != nil })
		o = without(o, ids[at])
	} else if n.ID = id; n.ID == "" {
		n.ID = u.add(o)
	}
	if apoc {
		o = without(o, "type")
	}
	if list, ok := o.get("labels", "category").([]any); ok {
		for _, one := range list {
			if text, _, ok := scalar(one); ok {
				n.Kinds = append(n.Kinds, text)
			}
		}
		o = without(o, "labels", "category")
	}
	n.Properties = propertiesOf(o, j, kind)
	settleNode(&n)
	sink.node(n)
}

// add numbers a node without an id.
func (u *unnamed) add(o object) string {
	id := strconv.Itoa(u.nodes)
	u.nodes++
	if name, ok := o.get("name", "label", "title").(string); ok {
		if u.byName == nil {
			u.byName = map[string]string{}
		}
		u.byName[name] = id
	}
	return id
}

// ref returns what the end of an edge stands for.
func (u *unnamed) ref(end any) Ref {
	if o, ok := end.(object); ok {
		end = o.get(append(ids, "name")...)
	}
	id, _, _ := scalar(end)
	if name, ok := end.(string); ok && u.byName != nil {
		if number, known := u.byName[name]; known {
			id = number
		}
	}
	return Ref{ID: id}
}

// provenanceOf takes out of the properties what an edge names as its own source.
func provenanceOf(e *Edge) {
	if from := take(&e.Properties, "primaryknowledgesource"); from != nil {
		e.Source = from[0]
	}
}

// layoutMember reports whether a member says where a node is drawn, and not what it is.
func layoutMember(name string) bool {
	return slices.Contains([]string{"x", "y", "z", "position", "selected", "grabbable", "locked", "classes"}, name)
}

// without returns an object less some members.
func without(o object, names ...string) object {
	out := make(object, 0, len(o))
	for _, m := range o {
		if !slices.Contains(names, m.name) {
			out = append(out, m)
		}
	}
	return out
}

// propertiesOf returns the values of an object; those of a member that only holds
// properties are its own.
func propertiesOf(o object, j *jsonReader, kind elementKind) []Property {
	var ps []Property
	for _, m := range o {
		inner, ok := m.value.(object)
		if !ok || !slices.Contains(holders, m.name) {
			if j != nil && layoutMember(m.name) && o.get("v") != nil {
				j.sink.LeaveOut(m.name) // of CX2: where it is drawn
				continue
			}
			ps = flatten(ps, m.name, m.value)
			continue
		}
		for _, p := range inner {
			name := p.name
			if j != nil && j.alias[kind][name] != "" {
				name = j.alias[kind][name]
			}
			ps = flatten(ps, name, p.value)
		}
	}
	if j != nil {
		for _, d := range j.defaults[kind] {
			if !slices.ContainsFunc(ps, func(p Property) bool { return p.Name == d.Name }) {
				ps = append(ps, d)
			}
		}
	}
	return ps
}

// flatten adds a value, of an array every one, of an object every one under its own name.
func flatten(ps []Property, name string, v any) []Property {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			if text, datatype, ok := scalar(one); ok {
				ps = addTo(ps, name, text, datatype)
			} else if one != nil {
				ps = addTo(ps, name, compact(one), "")
			}
		}
		return ps
	case object:
		for _, m := range v {
			ps = flatten(ps, name+"."+m.name, m.value)
		}
		return ps
	}
	text, datatype, _ := scalar(v)
	return addTo(ps, name, text, datatype)
}

// scalar returns the text and the type of a value that is no array and no object.
func scalar(v any) (text, datatype string, ok bool) {
	switch v := v.(type) {
	case string:
		return v, "", true
	case bool:
		return strconv.FormatBool(v), Boolean, true
	case json.Number:
		if strings.ContainsAny(string(v), ".eE") {
			return string(v), Double, true
		}
		return string(v), Integer, true
	}
	return "", "", false
}

// compact writes a value as JSON, for people.
func compact(v any) string {
	var b strings.Builder
	var write func(v any)
	write = func(v any) {
		switch v := v.(type) {
		case object:
			b.WriteByte('{')
			for i, m := range v {
				if i > 0 {
					b.WriteString(", ")
				}
				b.WriteString(strconv.Quote(m.name) + ": ")
				write(m.value)
			}
			b.WriteByte('}')
		case []any:
			b.WriteByte('[')
			for i, one := range v {
				if i > 0 {
					b.WriteString(", ")
				}
				write(one)
			}
			b.WriteByte(']')
		case string:
			b.WriteString(strconv.Quote(v))
		case nil:
			b.WriteString("null")
		default:
			text, _, _ := scalar(v)
			b.WriteString(text)
		}
	}
	write(v)
	return b.String()
}

// readLines reads one object a line. A line that is none is rejected; one that begins
// with # is a remark.
func readLines(r io.Reader, sink out) {
	var u unnamed
	eachLine(r, sink, func(line []byte, number int64) { readLine(line, number, sink, &u) })
}

// eachLine hands every line to read; one that is too long is rejected.
func eachLine(r io.Reader, sink out, read func(line []byte, number int64)) {
	in := lines.New(r, '\n', maxRecord)
	for {
		line, tooLong, err := in.Next()
		switch {
		case errors.Is(err, io.EOF):
			return
		case tooLong > 0:
			sink.reject(&Error{Line: in.Number, What: "the line has " + strconv.FormatInt(tooLong, 10) + " bytes; the limit is " + strconv.Itoa(maxRecord), Text: string(line[:200])})
		default:
			bail.If(err)
			read(line, in.Number)
		}
	}
}

func readLine(line []byte, number int64, sink out, u *unnamed) {
	text := bytes.TrimSpace(line)
	if len(text) == 0 || text[0] == '#' {
		return
	}
	j := newJSONReader(bytes.NewReader(line), sink)
	var v any
	err := bail.Try(func() { v = j.value(j.inside(), 0, 1) })
	if bad, ok := errors.AsType[*Error](err); ok {
		bad.Line, bad.Text = number, string(text)
		sink.reject(bad)
		return
	}
	o, ok := v.(object)
	if _, more := j.Token(); !ok || !errors.Is(more, io.EOF) {
		sink.reject(&Error{Line: number, What: "a line must be one object", Text: string(text)})
		return
	}
	emit(o, anyElement, "", number, sink, u, nil)
}
