package propgraph

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"regexp"

	"cairn/engine/internal/bail"
)

// gmlBegin is how GML begins: perhaps remarks and who wrote it, then a graph.
var gmlBegin = regexp.MustCompile(`(?i)\A\s*((#[^\n]*|creator\s+"[^"]*"|comment\s+"[^"]*"|version\s+\S+)\s+)*graph\s*\[\s*(\]|#|\w+\s+[\["\w-])`)

// Detect tells which format the beginning of a text has, and the first line, from 1,
// that shows it; 0 where it has none. SIF, which any text could be, is not told.
func Detect(begin []byte) (Format, int64) {
	begin = bytes.TrimPrefix(begin, []byte("\xef\xbb\xbf"))
	head := bytes.TrimSpace(begin)
	if len(head) == 0 {
		return "", 0
	}
	switch head[0] {
	case '<':
		return detectXML(begin)
	case '{', '[':
		return detectJSON(begin)
	case '#': // remarks, above JSON Lines perhaps
		rest, line := begin, int64(0)
		for len(rest) > 0 && rest[0] == '#' {
			_, rest, _ = bytes.Cut(rest, []byte("\n"))
			line++
		}
		if f, at := detectJSON(rest); f == Lines {
			return f, line + at
		}
	}
	if at := gmlBegin.FindIndex(begin); at != nil {
		return GML, int64(bytes.Count(begin[:at[1]], []byte("\n"))) + 1
	}
	if verticesBegin.Match(begin) {
		return Vertices, 1
	}
	return "", 0
}

// detectXML looks at the first element.
func detectXML(begin []byte) (Format, int64) {
	in := newXMLReader(bytes.NewReader(begin), out{})
	for {
		t, err := in.Token()
		if err != nil {
			return "", 0
		}
		e, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		line := in.line()
		text, _ := in.Token()
		if words, ok := text.(xml.CharData); ok && len(bytes.TrimSpace(words)) > 0 {
			return "", 0 // of names between tabs
		}
		switch e.Name.Local {
		case "graphml":
			return GraphML, line
		case "gexf":
			return GEXF, line
		}
		return "", 0
	}
}

// counter is a Sink that looks for a first node or edge.
type counter struct {
	found, rejected int
	line            int64
}

var errEnough = errors.New("enough was seen")

func (c *counter) see(line int64) error {
	c.line = cmp.Or(c.line, line)
	if c.found++; c.found >= 20 {
		return errEnough
	}
	return nil
}

func (c *counter) Node(n Node) error { return c.see(n.Line) }
func (c *counter) Edge(e Edge) error { return c.see(e.Line) }
func (c *counter) Reject(*Error) error {
	if c.rejected++; c.rejected >= 20 {
		return errEnough
	}
	return nil
}
func (c *counter) LeaveOut(string) {}

// detectJSON reads the beginning. A line that is an object by itself is one of JSON
// Lines; a document may be cut by the end of what is looked at.
func detectJSON(begin []byte) (Format, int64) {
	first, more, _ := bytes.Cut(bytes.TrimLeft(begin, "\r\n\t "), []byte("\n"))
	var c counter
	line := func(text []byte, number int64, c *counter) error {
		return bail.Try(func() { readLine(text, number, out{c}, &unnamed{}) })
	}
	if err := line(first, 1, &c); (err == nil || errors.Is(err, errEnough)) && c.found > 0 && !listsInside(first) {
		return Lines, 1
	} else if c.rejected > 0 && len(bytes.TrimSpace(more)) > 0 && first[0] == '{' && !bytes.HasSuffix(bytes.TrimSpace(first), []byte("[")) {
		// The first line may be the broken one.
		second, _, _ := bytes.Cut(more, []byte("\n"))
		var d counter
		if err := line(second, 2, &d); err == nil && d.found > 0 {
			return Lines, 2
		}
	}
	c = counter{}
	_ = Read(bytes.NewReader(begin), JSON, &c) // what was found counts, not how it ends
	if c.found > c.rejected && !plainRecords(begin) {
		return JSON, max(c.line, 1)
	}
	same := func(name string) string { return name }
	x := NewRecords("", same, same)
	if _ = x.Learn(bytes.NewReader(begin)); x.Found() {
		return Lists, 1
	}
	return "", 0
}

// plainRecords reports whether a list of what may be nodes and edges has neither: its objects have no labels, and no
// ends, or these are times.
func plainRecords(begin []byte) bool {
	var s shapes
	_ = Read(bytes.NewReader(begin), JSON, &s)
	return bytes.HasPrefix(bytes.TrimSpace(begin), []byte("[")) && !graphMember.Match(begin) && s.nodes+s.spans > 0 && s.edges == 0 && s.labelled == 0
}

// graphMember is a member that only graphs have: a list of nodes or edges, or the data of one.
var graphMember = regexp.MustCompile(`(?i)"(nodes|vertices|edges|links|rels|relationships|data|properties)"\s*:\s*[\[{]`)

// shapes is a Sink that counts what looks like a graph, and what does not.
type shapes struct{ nodes, labelled, edges, spans int }

// isTime is a year, a month or a day.
var isTime = regexp.MustCompile(`^\d{4}(-\d{2}(-\d{2})?)?$`)

func (s *shapes) Node(n Node) error {
	if s.nodes++; len(n.Kinds) > 0 {
		s.labelled++
	}
	return nil
}

func (s *shapes) Edge(e Edge) error {
	if isTime.MatchString(e.From.ID) && isTime.MatchString(e.To.ID) && e.From.ID <= e.To.ID {
		s.spans++
	} else {
		s.edges++
	}
	return nil
}
func (s *shapes) Reject(*Error) error { return nil }
func (s *shapes) LeaveOut(string)     {}

// listsInside reports whether a line is a whole document with lists of its own.
func listsInside(line []byte) bool {
	var c counter
	_ = Read(bytes.NewReader(line), JSON, &c)
	return c.found > 1
}
