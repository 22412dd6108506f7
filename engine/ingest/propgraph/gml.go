package propgraph

import (
	"bufio"
	"encoding/json"
	"errors"
	"html"
	"io"
	"strconv"
	"strings"

	"cairn/engine/internal/bail"
)

// gml reads GML, the Graph Modelling Language of Michael Himsolt: keys and values,
// where a value is a number, a text in double quotes, or a list in brackets.
type gml struct {
	r            *bufio.Reader
	line, column int64
	last         byte // that was read
	size         int  // bytes of the record that is being read
	sink         out
	undirected   bool
}

func readGML(r io.Reader, sink out) {
	g := &gml{r: bufio.NewReaderSize(r, 64<<10), line: 1, sink: sink, undirected: true}
	for {
		key := g.key()
		switch key {
		case "":
			return
		case "]":
			panic(g.fail("a closing bracket has no opening one"))
		}
		switch open, _ := g.value(); { // a value says who wrote the file: Creator, Version
		case key == "graph" && open:
			g.graph()
		case open:
			g.sink.LeaveOut(key)
			g.list(1)
		}
	}
}

func (g *gml) fail(what string) bail.Out {
	return bail.Out{Err: &Error{Line: g.line, Column: g.column, What: what}}
}

// byte returns the next byte; ok is false at the end.
func (g *gml) byte() (c byte, ok bool) {
	c, err := g.r.ReadByte()
	if errors.Is(err, io.EOF) {
		return 0, false
	}
	bail.If(err)
	if g.last == '\n' {
		g.line, g.column = g.line+1, 0
	}
	g.column++
	g.last = c
	if g.size++; g.size > maxRecord {
		panic(g.fail(errTooLong.Error()))
	}
	return c, true
}

// start returns the first byte of the next token.
func (g *gml) start() (c byte, ok bool) {
	for {
		if c, ok = g.byte(); ok && c == '#' && g.column == 1 {
			for ok && c != '\n' {
				c, ok = g.byte()
			}
		}
		if !ok || c > ' ' {
			return c, ok
		}
	}
}

// word reads a token without quotes that begins with c.
func (g *gml) word(c byte) string {
	b := []byte{c}
	for {
		next, err := g.r.Peek(1)
		if errors.Is(err, io.EOF) || err == nil && (next[0] <= ' ' || next[0] == '[' || next[0] == ']' || next[0] == '"') {
			return string(b)
		}
		bail.If(err)
		c, _ = g.byte()
		b = append(b, c)
	}
}

// key reads a key, or the bracket that closes a list; "" at the end.
func (g *gml) key() string {
	g.size = 0
	c, ok := g.start()
	switch {
	case !ok:
		return ""
	case c == ']':
		return "]"
	case (c|0x20 < 'a' || c|0x20 > 'z') && c != '_':
		panic(g.fail("a key is missing: " + strconv.Quote(string(rune(c))) + " is there instead"))
	}
	return g.word(c)
}

// value reads a value; open says that it is a list whose bracket was read.
func (g *gml) value() (open bool, v any) {
	c, ok := g.start()
	switch {
	case !ok:
		panic(g.fail("the file ends too early: a key has no value"))
	case c == '[':
		return true, nil
	case c == ']':
		panic(g.fail("a key has no value"))
	case c != '"':
		word := g.word(c)
		if _, notNumber := strconv.ParseFloat(word, 64); notNumber == nil {
			return false, json.Number(word)
		}
		return false, word
	}
	var b []byte
	for {
		c, ok := g.byte()
		if !ok {
			panic(g.fail("the file ends too early: a quotation mark is not closed"))
		}
		if c == '"' {
			return false, html.UnescapeString(string(b))
		}
		b = append(b, c)
	}
}

// list reads the rest of a list. A key that comes again makes an array.
func (g *gml) list(depth int) object {
	if depth > maxDepth {
		panic(g.fail("it is nested more than " + strconv.Itoa(maxDepth) + " levels deep"))
	}
	o, size := object{}, g.size
	for {
		g.size = size
		key := g.inner()
		if key == "]" {
			return o
		}
		g.size = size
		open, v := g.value()
		if open {
			v = g.list(depth + 1)
		}
		size = g.size
		o = append(o, member{key, v})
	}
}

// inner is key where the file cannot end.
func (g *gml) inner() string {
	size := g.size
	key := g.key()
	g.size += size
	if key == "" {
		panic(g.fail("the file ends too early: a bracket is not closed"))
	}
	return key
}

func (g *gml) graph() {
	var u unnamed
	for {
		g.size = 0
		key := g.inner()
		if key == "]" {
			return
		}
		line := g.line
		open, v := g.value()
		var o object
		if open {
			o = g.list(1)
		}
		switch {
		case open && key == "node":
			g.node(o, line)
		case open && key == "edge":
			g.edge(o, line, &u)
		case key == "directed":
			g.undirected = v != json.Number("1")
		default:
			g.sink.LeaveOut("the graph's " + key)
		}
	}
}

func (g *gml) node(o object, line int64) {
	n := Node{Line: line}
	n.ID, _, _ = scalar(o.get("id"))
	n.Name, _, _ = scalar(o.get("label"))
	if n.ID == "" {
		g.sink.reject(&Error{Line: line, What: "the node has no id", Text: compact(o)})
		return
	}
	if o.get("graphics") != nil {
		g.sink.LeaveOut("graphics")
	}
	n.Properties = propertiesOf(without(o, "id", "label", "graphics"), nil, nodeElement)
	settleNode(&n)
	g.sink.node(n)
}

func (g *gml) edge(o object, line int64, u *unnamed) {
	e := Edge{From: u.ref(o.get("source")), To: u.ref(o.get("target")), Line: line, Undirected: g.undirected}
	if e.From.ID == "" || e.To.ID == "" {
		g.sink.reject(&Error{Line: line, What: "the edge does not have two ends", Text: compact(o)})
		return
	}
	if o.get("graphics") != nil {
		g.sink.LeaveOut("graphics")
	}
	e.Properties = propertiesOf(without(o, "source", "target", "id", "graphics"), nil, edgeElement)
	settleEdge(&e)
	g.sink.edge(e)
}

func sifLine(line string, number int64, sink out) {
	signs := " "
	if strings.Contains(line, "\t") {
		signs = "\t"
	}
	fields := divide(strings.TrimSpace(line), signs)
	switch len(fields) {
	case 0:
	case 1:
		sink.node(Node{Ref: Ref{ID: fields[0]}, Line: number})
	case 2:
		sink.reject(&Error{Line: number, What: "a SIF line must be a node, a relation and one or more nodes", Text: line})
	default:
		for _, to := range fields[2:] {
			sink.edge(Edge{From: Ref{ID: fields[0]}, To: Ref{ID: to}, Type: fields[1], Line: number})
		}
	}
}
