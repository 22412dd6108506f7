package ingest

import (
	"bytes"
	"io"
	"slices"

	"cairn/engine/ingest/propgraph"
	"cairn/engine/ingest/rdf"
)

// format is one form that files may have. It is recognised by what a file holds, and
// where that does not tell, by the ending of its name.
type format struct {
	kind    Kind
	title   string   // for people, after "it is"
	endings []string // of files' names, in lower case

	// recognise returns the first line, from 1, of the beginning of a file that speaks for
	// the format, 0 where none does. It notes in f what the reader needs to know. It is
	// nil for what only Options and the columns tell.
	recognise func(b beginning, f *Format) (line int64)

	// read reads the text, unpacked and in UTF-8, from its beginning: it gives statements
	// and names to the importer, rejects what it cannot read, and calls tick.
	read func(im *importer, text io.Reader) error
	// remedy is what to do with a format that has no reader.
	remedy string

	// rdf is set for documents of RDF statements: they may be empty, and names have
	// languages.
	rdf bool
}

// beginning is what a format is recognised by.
type beginning struct {
	text    []byte // up to sampleSize of it, of whole lines
	lineEnd byte
	// named is set in a second look, for formats whose ending the file has: then what may
	// be the format is.
	named bool
}

// formats are all forms that are known, in the order in which they are recognised.
// One that is before another is the more certain.
var formats []format

// The list is made here, for readers of some formats look into it again.
func init() {
	formats = []format{
		{kind: NTriples, title: "N-Triples", endings: []string{".nt", ".ntriples", ".nq", ".nquads"}, recognise: ntriplesLine, read: (*importer).ntriples, rdf: true},
		{kind: Turtle, title: "Turtle", endings: []string{".ttl", ".turtle", ".n3", ".trig", ".ttls", ".trigs"}, recognise: turtleLine, read: document(turtle), rdf: true},
		{kind: GraphML, title: "GraphML", endings: []string{".graphml"}, recognise: graphLine(propgraph.GraphML), read: graphReader(propgraph.GraphML)},
		{kind: GEXF, title: "GEXF", endings: []string{".gexf"}, recognise: graphLine(propgraph.GEXF), read: graphReader(propgraph.GEXF)},
		{title: "OWL in XML", remedy: "save it as RDF/XML and " + toTriples, endings: []string{".owx"}, recognise: seesXML(`(\w+:)?Ontology`)},
		{kind: RDFXML, title: "RDF/XML", endings: []string{".rdf", ".rdfs", ".owl"}, recognise: rdfXMLLine, read: document(rdf.XML), rdf: true},
		{title: "XML or HTML", remedy: "export it as CSV or N-Triples", endings: []string{".xml", ".html", ".htm"}, recognise: sees(`(?i)\A\s*<(\?xml|!doctype|html)\b`)},
		{kind: JSONLD, title: "JSON-LD", endings: []string{".jsonld"}, recognise: jsonldLine, read: document(rdf.JSONLD), rdf: true},
		{kind: JSONGraph, title: "a graph in JSON", endings: []string{".json", ".cx", ".cx2", ".cyjs"}, recognise: graphLine(propgraph.JSON), read: graphReader(propgraph.JSON)},
		{kind: JSONLines, title: "nodes and edges in JSON, one per line", endings: []string{".jsonl", ".ndjson"}, recognise: graphLine(propgraph.Lines), read: graphReader(propgraph.Lines)},
		{kind: JSONRecords, title: "records in JSON", recognise: recordsLine, read: (*importer).triples},
		{title: "JSON without a list of objects", remedy: "write one object per record in a list, [{…}, {…}], or export it as CSV", endings: []string{".json", ".jsonl", ".ndjson"}, recognise: jsonLine},
		{title: "OWL in functional syntax", remedy: "save it as RDF/XML and " + toTriples, endings: []string{".ofn"}, recognise: sees(`(?m)\A(Prefix|Ontology)\s*\(`)},
		{title: "OWL in Manchester syntax", remedy: "save it as RDF/XML and " + toTriples, endings: []string{".omn"}, recognise: sees(`(?m)\A(Prefix|Ontology):\s`)},
		{kind: OBO, title: "OBO", endings: []string{".obo"}, recognise: sees(`(?m)\A(format-version:|\s*(!.*\s+)*\[(Term|Typedef|Instance)\]\s*$)`), read: (*importer).obo, rdf: true},
		{kind: GML, title: "GML", endings: []string{".gml"}, recognise: graphLine(propgraph.GML), read: graphReader(propgraph.GML)},
		{kind: SIF, title: "SIF", endings: []string{".sif"}, recognise: sifNamed, read: graphReader(propgraph.SIF)},
		{kind: Vertices, title: "a list of vertices and edges", endings: []string{".graph", ".lg"}, recognise: graphLine(propgraph.Vertices), read: graphReader(propgraph.Vertices)},
		{title: "Graphviz", remedy: toCSV, endings: []string{".dot", ".gv"}, recognise: sees(`\A\s*(strict\s+)?(di)?graph\b[^\n|;,\t]*[\[{]`)},
		{title: "SQL", remedy: toCSV, endings: []string{".sql"}, recognise: sees(`(?im)^\s*(insert into|create table)\s+\S[^\t|\n]*$`)},
		{title: "Cypher", remedy: toCSV, endings: []string{".cypher", ".cql"}, recognise: sees(`(?im)\A\s*(create|merge|match)\s*\([^|\t\n]*$`)},
		{title: "an Excel workbook", remedy: "export the sheet as CSV", endings: []string{".xlsx", ".xls", ".ods"}},
		{kind: GraphTable, title: "a table of a property graph", read: (*importer).graphTable},
		{kind: Labels, title: "names of entities that the graph already has", read: (*importer).names},
		{kind: Delimited, title: "a table", read: (*importer).triples},
	}
}

// What to do with a format that has no reader.
const (
	toCSV     = "export it as CSV: one triple per line, with the columns head, relation and tail"
	toTriples = "convert it to N-Triples, for example with riot or rapper"
)

// formatOf returns the format of a kind, nil for Auto.
func formatOf(k Kind) *format {
	for i := range formats {
		if k != Auto && formats[i].kind == k {
			return &formats[i]
		}
	}
	return nil
}

// Title says for people what the file is: "N-Triples".
func (f Format) Title() string {
	x := formatOf(f.Kind)
	switch {
	case x == nil:
		return "an unknown form"
	case f.Kind == NTriples && f.Quads:
		return "N-Quads"
	}
	return x.title
}

// recognise finds the format of a beginning; nil where the text may be a table. The
// content counts first, then the name. A format without a reader is an error.
func (s *source) recognise(b beginning, f *Format) (*format, error) {
	blank := len(bytes.TrimSpace(b.text)) == 0
	what, remedy := notText(b.text)
	for i := range formats {
		x := &formats[i]
		if blank || x.recognise == nil || what != "" && x.read == nil {
			continue
		}
		line := x.recognise(b, f)
		switch {
		case line > 0 && x.read == nil:
			return nil, refuse(s.file, line, ErrFormat, "it looks like "+x.title+", which is not supported yet", x.remedy)
		case line > 0:
			return x, nil
		}
	}
	if what != "" {
		return nil, refuse(s.file, 0, ErrBinary, what, remedy)
	}
	named := ending(s.file)
	for i := range formats {
		x := &formats[i]
		switch b.named = true; {
		case !slices.Contains(x.endings, named):
		case x.read == nil && !blank:
			return nil, refuse(s.file, 0, ErrFormat,
				"by its name it is "+x.title+", which is not supported yet",
				x.remedy+"; if it is a table, give the delimiter")
		case x.read != nil && x.recognise(b, f) > 0:
			return x, nil
		}
	}
	return nil, nil
}
