package ingest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// ending returns the ending of a file's name that tells its format, in lower
// case: that before .gz.
func ending(file string) string {
	return filepath.Ext(strings.TrimSuffix(strings.ToLower(file), ".gz"))
}

// namedStatements reports whether a file's name says that it is N-Triples or
// N-Quads.
func namedStatements(file string) bool {
	return slices.Contains([]string{".nt", ".ntriples", ".nq", ".nquads"}, ending(file))
}

const (
	toCSV      = "export it as CSV: one triple a line, with the columns head, relation and tail"
	toTriples  = "convert it to N-Triples, for example with riot or rapper"
	chooseFile = "choose a CSV, TSV or N-Triples file"
)

// magics are the beginnings of files that are not text, and what to do with them.
var magics = []struct{ begin, what, remedy string }{
	{"SQLite format 3\x00", "it is a SQLite database", "open a .cairn file with Open instead of importing it; from other databases, export a table as CSV"},
	{"\xd0\xcf\x11\xe0", "it is an old office document", "export the sheet as CSV"},
	{"BZh", "it is packed with bzip2", "unpack it with bunzip2"},
	{"\xfd7zXZ\x00", "it is packed with xz", "unpack it with unxz"},
	{"\x28\xb5\x2f\xfd", "it is packed with zstd", "unpack it with unzstd"},
	{"7z\xbc\xaf", "it is a 7z archive", "unpack it"},
	{"PAR1", "it is a Parquet file", "export it as CSV"},
	{"%PDF-", "it is a PDF document", "a knowledge graph is a table or RDF: " + chooseFile},
	{"\x89PNG", "it is a picture", chooseFile},
	{"\xff\xd8\xff", "it is a picture", chooseFile},
	{"\x7fELF", "it is a program", chooseFile},
	{"$HDT", "it is an HDT file", "convert it to N-Triples with hdt2rdf"},
}

// packed says what a file is that begins with bytes known from files that are
// not text; empty where it may be text.
func packed(sample []byte) (what, remedy string) {
	if bytes.HasPrefix(sample, []byte("PK\x03\x04")) {
		switch {
		case bytes.Contains(sample, []byte("[Content_Types].xml")) || bytes.Contains(sample, []byte("xl/")):
			return "it is an Excel workbook or another office document", "export the sheet as CSV"
		case bytes.Contains(sample, []byte("vnd.oasis.opendocument")):
			return "it is an OpenDocument file", "export the sheet as CSV"
		}
		return "it is a ZIP archive", "unpack it, or export the sheet as CSV where it is an office document"
	}
	for _, m := range magics {
		if bytes.HasPrefix(sample, []byte(m.begin)) {
			return m.what, m.remedy
		}
	}
	return "", ""
}

// notText says why a sample cannot be text; empty where it may be.
func notText(sample []byte) (what, remedy string) {
	if zeros := bytes.Count(sample, []byte{0}); zeros > len(sample)/4 {
		return "it is not text, or text in UTF-16 without a mark", "save it as UTF-8, or import it with the encoding utf-16"
	}
	odd := 0
	for _, c := range sample {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' || c == 0x7f {
			odd++
		}
	}
	if odd > len(sample)/20 {
		return "it is not a text file", chooseFile + ", also packed with gzip"
	}
	return "", ""
}

// syntax is a format of text that has no reader here.
type syntax struct {
	name, remedy string
	endings      []string
	// line returns the first line, from 1, that speaks for it; 0 where none does.
	line func(sample []byte) int64
}

// syntaxes are told apart in this order.
var syntaxes = []syntax{
	{"RDF-star (triples inside triples)", toTriples + ", without what is said about triples", []string{".ttls", ".trigs"}, sees(`(?m)^[^"\n|\t]*\s\{\|[\s<\w:]|^\s*<<[^|\n]*>>[^|\n]*[.;,]\s*$`)},
	{"Turtle", toTriples, []string{".ttl", ".turtle", ".n3", ".trig"}, turtleLine},
	{"GraphML", toCSV, []string{".graphml"}, seesXML(`graphml`)},
	{"GEXF", toCSV, []string{".gexf"}, seesXML(`gexf`)},
	{"OWL in XML", "save it as RDF/XML and " + toTriples, []string{".owx"}, seesXML(`(\w+:)?Ontology`)},
	{"RDF/XML", toTriples, []string{".rdf", ".rdfs", ".owl"}, seesXML(`(\w+:)?RDF`)},
	{"XML or HTML", "export it as CSV or N-Triples", []string{".xml", ".html", ".htm"}, sees(`(?i)\A\s*<(\?xml|!doctype|html)\b`)},
	{"JSON-LD", toTriples, []string{".jsonld"}, func(sample []byte) int64 {
		return min(isJSON(sample), sees(`"@(context|id|graph)"\s*:`)(sample))
	}},
	{"JSON", toCSV, []string{".json", ".jsonl", ".ndjson"}, isJSON},
	{"OWL in functional syntax", "save it as RDF/XML and " + toTriples, []string{".ofn"}, sees(`(?m)\A(Prefix|Ontology)\s*\(`)},
	{"OWL in Manchester syntax", "save it as RDF/XML and " + toTriples, []string{".omn"}, sees(`(?m)\A(Prefix|Ontology):\s`)},
	{"OBO", "convert it with robot, then " + toTriples, []string{".obo"}, sees(`\Aformat-version:`)},
	{"GML or Graphviz", toCSV, []string{".gml", ".dot", ".gv"}, sees(`\A\s*(strict\s+)?(di)?graph\b[^\n|;,\t]*[\[{]`)},
	{"SQL", toCSV, []string{".sql"}, sees(`(?im)^\s*(insert into|create table)\s+\S[^\t|\n]*$`)},
	{"Cypher", toCSV, []string{".cypher", ".cql"}, sees(`(?im)\A\s*(create|merge|match)\s*\([^|\t\n]*$`)},
	{"an Excel workbook", "export the sheet as CSV", []string{".xlsx", ".xls", ".ods"}, func([]byte) int64 { return 0 }},
}

// sees returns a test for an expression near the beginning of a file.
func sees(expression string) func([]byte) int64 {
	re := regexp.MustCompile(expression)
	return func(sample []byte) int64 {
		at := re.FindIndex(sample[:min(len(sample), 16<<10)])
		if at == nil {
			return 0
		}
		return int64(bytes.Count(sample[:at[1]], []byte("\n"))) + 1
	}
}

// seesXML returns a test for an element at the beginning of a file of XML.
func seesXML(element string) func([]byte) int64 {
	return sees(`(?s)\A\s*(<[?!].*)?<` + element + `(\s|/|>[^\t|])`)
}

// otherSyntax is the error for a format that is text but has no reader; nil where
// the text may be a table. Its content counts first, then its name.
func (s *source) otherSyntax(sample []byte) error {
	for _, x := range syntaxes {
		if line := x.line(sample); line > 0 {
			return refuse(s.file, line, ErrFormat, "it looks like "+x.name+", which is not read yet", x.remedy)
		}
	}
	named := ending(s.file)
	for _, x := range syntaxes {
		if slices.Contains(x.endings, named) {
			return refuse(s.file, 0, ErrFormat,
				"by its name it is "+x.name+", which is not read yet",
				x.remedy+"; if it is a table all the same, give the delimiter")
		}
	}
	return nil
}

// isJSON returns 1 for a text that begins as JSON does, 0 otherwise: a { or [ alone is
// no sign, for names of things begin so too.
func isJSON(sample []byte) int64 {
	if head := bytes.TrimSpace(sample); len(head) == 0 || head[0] != '{' && head[0] != '[' {
		return 0
	}
	in := json.NewDecoder(bytes.NewReader(sample))
	const enough = 4 // tokens, such as [ { "key" value
	for n := range enough {
		_, err := in.Token()
		if ended := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF); ended && n >= 2 {
			return 1
		} else if err != nil {
			return 0
		}
	}
	return 1
}

var (
	// A prefix, a base, or the graph of TriG that a statement begins.
	turtleDirective = regexp.MustCompile(`(?i)^(@?(prefix\s+[^\s:<>|]*:|base)\s*<[^>]*>\s*\.?\s*(#.*)?$|(\S+\s*)?\{\s*(<[^<>]+>|\[.*\]|[\w.-]*:[\w-]*)\s+(<[^<>]+>|a|[\w.-]*:[\w-]+)\s)`)
	// A statement of Turtle, or one that goes on: terms, and what ends them.
	turtleStatement = regexp.MustCompile(`^\s*((<[^<>]*>|_:\S+|\[\s*\]|[\w.-]*:[\w.%-]*)\s+)?(<[^<>]*>|a|[\w.-]*:[\w.%-]+)\s+(<|"|'|\[|\(|[-+\d]|_:|true|false|[\w.-]*:).*[\s>"'\]\)][.;,]\s*$`)
)

// turtleLine finds Turtle: a prefix or base, or lines of which most are parts of
// its statements.
func turtleLine(sample []byte) int64 {
	var first, n, statements, others int64
	for line := range bytes.Lines(sample) {
		n++
		trimmed := bytes.TrimSpace(line)
		switch {
		case len(trimmed) == 0 || trimmed[0] == '#':
		case turtleDirective.Match(trimmed):
			return n
		case turtleStatement.Match(trimmed):
			if statements++; first == 0 {
				first = n
			}
		default:
			others++
		}
		if statements+others == 200 {
			break
		}
	}
	if statements == 0 || others >= statements {
		return 0
	}
	return first
}
