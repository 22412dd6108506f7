package propgraph

import (
	"bufio"
	"encoding/json"
	"errors"
	"html"
	"io"
	"strconv"
	"strings"
)

// gml reads GML, the Graph Modelling Language of Michael Himsolt: keys and values,
// where a value is a number, a text in double quotes, or a list in brackets.
type gml struct {
	r            *bufio.Reader
	line, column int64
	last         byte // that was read
	size         int  // bytes of the record that is being read
	sink         Sink
	undirected   bool
}

func readGML(r io.Reader, sink Sink) error {
	g := &gml{r: bufio.NewReaderSize(r, 64<<10), line: 1, sink: sink, undirected: true}
	for {
		key, err := g.key()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if key == "]" {
			return g.fail("a bracket is closed that is not open")
		}
		open, v, err := g.value(0)
		switch {
		case err != nil:
			return err
		case key == "graph" && open:
			err = g.graph()
		case open:
			g.sink.LeaveOut(key)
			_, err = g.list(1)
		default:
			_ = v // Creator, Version: who wrote the file
		}
		if err != nil {
			return err
		}
	}
}

func (g *gml) fail(what string) *Error { return &Error{Line: g.line, Column: g.column, What: what} }

func (g *gml) byte() (byte, error) {
	c, err := g.r.ReadByte()
	if err != nil {
		return 0, err
	}
	if g.last == '\n' {
		g.line, g.column = g.line+1, 0
	}
	g.column++
	g.last = c
	if g.size++; g.size > maxRecord {
		return 0, g.fail(errTooLong.Error())
	}
	return c, nil
}

// start returns the first byte of the next token.
func (g *gml) start() (byte, error) {
	for {
		c, err := g.byte()
		if err != nil {
			return 0, err
		}
		if c == '#' && (g.column == 1) {
			for c != '\n' && err == nil {
				c, err = g.byte()
			}
			if err != nil {
				return 0, err
			}
		}
		if c > ' ' {
			return c, nil
		}
	}
}

// word reads a token without quotes that begins with c.
func (g *gml) word(c byte) (string, error) {
	b := []byte{c}
	for {
		next, err := g.r.Peek(1)
		if errors.Is(err, io.EOF) || err == nil && (next[0] <= ' ' || next[0] == '[' || next[0] == ']' || next[0] == '"') {
			return string(b), nil
		}
		if err != nil {
			return "", err
		}
		if c, err = g.byte(); err != nil {
			return "", err
		}
		b = append(b, c)
	}
}

// key reads a key, or the bracket that closes a list.
func (g *gml) key() (string, error) {
	g.size = 0
	c, err := g.start()
	switch {
	case err != nil:
		return "", err
	case c == ']':
		return "]", nil
	case c|0x20 < 'a' || c|0x20 > 'z':
		if c != '_' {
			return "", g.fail("a key is missing: " + strconv.Quote(string(rune(c))) + " stands there")
		}
	}
	return g.word(c)
}

// value reads a value; open says that it is a list whose bracket was read.
func (g *gml) value(int) (open bool, v any, err error) {
	c, err := g.start()
	if errors.Is(err, io.EOF) {
		return false, nil, g.fail("the file ends too early: a key has no value")
	}
	switch {
	case err != nil:
		return false, nil, err
	case c == '[':
		return true, nil, nil
	case c == ']':
		return false, nil, g.fail("a key has no value")
	case c != '"':
		word, err := g.word(c)
		if err != nil {
			return false, nil, err
		}
		if _, notNumber := strconv.ParseFloat(word, 64); notNumber == nil {
			return false, json.Number(word), nil
		}
		return false, word, nil
	}
	var b []byte
	for {
		c, err := g.byte()
		if errors.Is(err, io.EOF) {
			return false, nil, g.fail("the file ends too early: a quotation mark is not closed")
		}
		if err != nil {
			return false, nil, err
		}
		if c == '"' {
			return false, html.UnescapeString(string(b)), nil
		}
		b = append(b, c)
	}
}

// list reads the rest of a list. A key that comes again makes an array.
func (g *gml) list(depth int) (object, error) {
	if depth > maxDepth {
		return nil, g.fail("it is nested more than " + strconv.Itoa(maxDepth) + " levels deep")
	}
	o, size := object{}, g.size
	for {
		g.size = size
		key, err := g.inner()
		if err != nil {
			return nil, err
		}
		if key == "]" {
			return o, nil
		}
		g.size = size
		open, v, err := g.value(depth)
		if err == nil && open {
			v, err = g.list(depth + 1)
		}
		if err != nil {
			return nil, err
		}
		size = g.size
		o = append(o, member{key, v})
	}
}

// inner is key where the file cannot end.
func (g *gml) inner() (string, error) {
	size := g.size
	key, err := g.key()
	g.size += size
	if errors.Is(err, io.EOF) {
		return "", g.fail("the file ends too early: a bracket is not closed")
	}
	return key, err
}

func (g *gml) graph() error {
	var u unnamed
	for {
		g.size = 0
		key, err := g.inner()
		if err != nil {
			return err
		}
		if key == "]" {
			return nil
		}
		line := g.line
		open, v, err := g.value(1)
		var o object
		if err == nil && open {
			o, err = g.list(1)
		}
		switch {
		case err != nil:
			return err
		case open && key == "node":
			err = g.node(o, line)
		case open && key == "edge":
			err = g.edge(o, line, &u)
		case key == "directed":
			g.undirected = v != json.Number("1")
		default:
			g.sink.LeaveOut("the graph's " + key)
		}
		if err != nil {
			return err
		}
	}
}

func (g *gml) node(o object, line int64) error {
	n := Node{Line: line}
	n.ID, _, _ = scalar(o.get("id"))
	n.Name, _, _ = scalar(o.get("label"))
	if n.ID == "" {
		return g.sink.Reject(&Error{Line: line, What: "the node has no id", Text: compact(o)})
	}
	if o.get("graphics") != nil {
		g.sink.LeaveOut("graphics")
	}
	n.Properties = propertiesOf(without(o, "id", "label", "graphics"), nil, nodeElement)
	settleNode(&n)
	return g.sink.Node(n)
}

func (g *gml) edge(o object, line int64, u *unnamed) error {
	e := Edge{From: u.ref(o.get("source")), To: u.ref(o.get("target")), Line: line, Undirected: g.undirected}
	if e.From.ID == "" || e.To.ID == "" {
		return g.sink.Reject(&Error{Line: line, What: "the edge has not two ends", Text: compact(o)})
	}
	if o.get("graphics") != nil {
		g.sink.LeaveOut("graphics")
	}
	e.Properties = propertiesOf(without(o, "source", "target", "id", "graphics"), nil, edgeElement)
	settleEdge(&e)
	return g.sink.Edge(e)
}

// readSIF reads the simple interaction format of Cytoscape: node, relation, nodes;
// divided by tabs where a line has one, and by spaces otherwise.
func readSIF(r io.Reader, sink Sink) error {
	return eachLine(r, sink, func(line []byte, number int64) error { return sifLine(string(line), number, sink) })
}

func sifLine(line string, number int64, sink Sink) error {
	signs := " "
	if strings.Contains(line, "\t") {
		signs = "\t"
	}
	fields := divide(strings.TrimSpace(line), signs)
	switch len(fields) {
	case 0:
		return nil
	case 1:
		return sink.Node(Node{Ref: Ref{ID: fields[0]}, Line: number})
	case 2:
		return sink.Reject(&Error{Line: number, What: "a line of SIF is a node, a relation and one or more nodes", Text: line})
	}
	for _, to := range fields[2:] {
		if err := sink.Edge(Edge{From: Ref{ID: fields[0]}, To: Ref{ID: to}, Type: fields[1], Line: number}); err != nil {
			return err
		}
	}
	return nil
}
