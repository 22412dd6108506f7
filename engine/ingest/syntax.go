package ingest

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"cairn/engine/ingest/rdf"
)

// ending returns the ending of a file's name that tells its format, in lower
// case: that before .gz.
func ending(file string) string {
	return filepath.Ext(strings.TrimSuffix(strings.ToLower(file), ".gz"))
}

const chooseFile = "choose a table, an RDF file or another file of facts"

// magics are the beginnings of files that are not text, and what to do with them.
var magics = []struct{ begin, what, remedy string }{
	{"\xd0\xcf\x11\xe0", "it is an old office document", "export the sheet as CSV"},
	{"\xfd7zXZ\x00", "it is compressed with xz", "unpack it with unxz"},
	{"7z\xbc\xaf", "it is a 7z archive", "unpack it"},
	{"%PDF-", "it is a PDF document", "a knowledge graph is a table or RDF: " + chooseFile},
	{"\x89PNG", "it is a picture", chooseFile},
	{"\xff\xd8\xff", "it is a picture", chooseFile},
	{"\x7fELF", "it is a program", chooseFile},
	{"$HDT", "it is an HDT file", "convert it to N-Triples with hdt2rdf"},
}

// packed says what a file is that begins with bytes known from files that are
// not text; empty where it may be text.
func packed(sample []byte) (what, remedy string) {
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
		return "it is not text, or it is UTF-16 text without a byte order mark", "save it as UTF-8, or import it with the encoding utf-16"
	}
	odd := 0
	for _, c := range sample {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' || c == 0x7f {
			odd++
		}
	}
	if odd > len(sample)/20 {
		return "it is not a text file", chooseFile + ", gzipped or not"
	}
	return "", ""
}

// sees returns a test for an expression near the beginning of a file.
func sees(expression string) func(beginning, *Format) int64 {
	re := regexp.MustCompile(expression)
	return func(b beginning, _ *Format) int64 {
		at := re.FindIndex(b.text[:min(len(b.text), 16<<10)])
		if at == nil {
			return 0
		}
		return int64(bytes.Count(b.text[:at[1]], []byte("\n"))) + 1
	}
}

// seesXML returns a test for the first element of a file of XML.
func seesXML(element string) func(beginning, *Format) int64 {
	begins := regexp.MustCompile(`\A<` + element + `(\s|/|>[^\t|])`)
	return func(b beginning, _ *Format) int64 {
		at := firstElement(b.text)
		if at < 0 || !begins.Match(b.text[at:]) {
			return 0
		}
		return int64(bytes.Count(b.text[:at], []byte("\n"))) + 1
	}
}

// firstElement returns where the first element of a text begins, after declarations and
// remarks; -1 for a text that begins in another way.
func firstElement(text []byte) int {
	if !bytes.HasPrefix(bytes.TrimSpace(text), []byte("<")) {
		return -1
	}
	in := xml.NewDecoder(bytes.NewReader(text))
	in.Strict = false
	in.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // it is UTF-8 already
	for {
		at := in.InputOffset()
		t, err := in.RawToken()
		if err != nil {
			return -1
		}
		if _, ok := t.(xml.StartElement); ok {
			return int(at)
		}
	}
}

// jsonldKeyword is a word that only JSON-LD has as a key.
var jsonldKeyword = sees(`"@(context|id|graph)"\s*:`)

// jsonldLine finds JSON-LD.
func jsonldLine(b beginning, f *Format) int64 {
	if b.named && len(bytes.TrimSpace(b.text)) > 0 {
		return 1
	}
	return min(jsonLine(b, f), jsonldKeyword(b, f))
}

// jsonLine returns 1 for a text that begins as JSON does, 0 otherwise: a { or [ alone is
// no sign, for names of things begin so too.
func jsonLine(b beginning, _ *Format) int64 {
	if head := bytes.TrimSpace(b.text); len(head) == 0 || head[0] != '{' && head[0] != '[' {
		return 0
	}
	in := json.NewDecoder(bytes.NewReader(b.text))
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
	// A triple inside a triple, or what is said about one.
	turtleStar = regexp.MustCompile(`^[^"|\t]*\s\{\|[\s<\w:]|^<<[^|]*>>[^|]*[.;,]$`)
	// A statement of Turtle, or one that goes on: terms, and what ends them.
	turtleStatement = regexp.MustCompile(`^\s*((<[^<>]*>|_:\S+|\[\s*\]|[\w.-]*:[\w.%-]*)\s+)?(<[^<>]*>|a|[\w.-]*:[\w.%-]+)\s+(<|"|'|\[|\(|[-+\d]|_:|true|false|[\w.-]*:).*[\s>"'\]\)][.;,]\s*$`)
)

// turtleLine finds Turtle: a prefix or base, or lines of which most are parts of
// its statements. It notes the first triple for people.
func turtleLine(b beginning, f *Format) (first int64) {
	if first = turtleSign(b.text); first == 0 && b.named {
		first = 1
	}
	if first > 0 {
		f.Example = firstTriple(b.text, turtle)
	}
	return first
}

// rdfXMLLine finds RDF/XML.
func rdfXMLLine(b beginning, f *Format) (first int64) {
	if first = rdfXMLSign(b, f); first == 0 && b.named && len(bytes.TrimSpace(b.text)) > 0 {
		first = 1
	}
	if first > 0 {
		f.Example = firstTriple(b.text, rdf.XML)
	}
	return first
}

var rdfXMLSign = seesXML(`(\w+:)?RDF`)

// firstTriple returns the first triple of the beginning of a document, for people.
func firstTriple(text []byte, parse func(io.Reader, rdf.Options, rdf.Handler) error) (example []string) {
	_ = parse(bytes.NewReader(text), rdf.Options{Base: "file:"}, rdf.Handler{Statement: func(st *rdf.Statement) error {
		if st.Subject.Kind != rdf.IRI || st.Object.Kind == rdf.Blank || st.Object.Kind == rdf.Triple {
			return nil
		}
		example = []string{string(st.Subject.Value), string(st.Predicate.Value), string(st.Object.Value)}
		return errEnough
	}})
	return example
}

// turtleSign returns the line by which a text is Turtle; 0 where none tells.
func turtleSign(text []byte) int64 {
	var first, n, statements, others int64
	for line := range bytes.Lines(text) {
		n++
		trimmed := bytes.TrimSpace(line)
		switch {
		case len(trimmed) == 0 || trimmed[0] == '#':
		case turtleDirective.Match(trimmed), turtleStar.Match(trimmed):
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
