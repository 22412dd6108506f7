package ingest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"cairn/engine/internal/shared"
)

// parseAll parses a document and returns its statements and its first error.
func parseAll(doc []byte) (n int, err error) {
	in := newLines(bytes.NewReader(doc), '\n', 1<<20)
	var p ntParser
	for {
		line, _, lineErr := in.next()
		if errors.Is(lineErr, io.EOF) {
			return n, err
		}
		_, ok, parseErr := p.parse(line)
		if parseErr != nil && err == nil {
			err = parseErr
		}
		if ok {
			n++
		}
	}
}

// TestNTriplesConformance runs the RDF 1.1 N-Triples syntax suite of the W3C.
func TestNTriplesConformance(t *testing.T) {
	f, err := os.Open(shared.Data(t, "w3c-rdf-tests.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	zipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for in := tar.NewReader(zipped); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if dir, name := path.Split(h.Name); strings.HasSuffix(dir, "rdf11/rdf-n-triples/") {
			if files[name], err = io.ReadAll(in); err != nil {
				t.Fatal(err)
			}
		}
	}
	blocks := strings.Split(string(files["manifest.ttl"]), "rdft:TestNTriples")[1:]
	action := regexp.MustCompile(`mf:action\s+<([^>]+)>`)
	if len(blocks) != 70 {
		t.Fatalf("the manifest has %d tests, want 70", len(blocks))
	}
	for _, block := range blocks {
		name := action.FindStringSubmatch(block)[1]
		_, err := parseAll(files[name])
		if positive := strings.HasPrefix(block, "Positive"); positive != (err == nil) {
			t.Errorf("%s: error %v, want one: %v", name, err, !positive)
		}
	}
}

func TestNTriplesTerms(t *testing.T) {
	var p ntParser
	tests := []struct {
		line, object, datatype, language string
	}{
		{`<a:s> <a:p> <http://x/\u00E9\U0001F600> .`, "http://x/é😀", "", ""},
		{`<a:s><a:p>"x".`, "x", "", ""},
		{`  <a:s>	<a:p> "a\tb\n\"\\" . # end`, "a\tb\n\"\\", "", ""},
		{`<a:s> <a:p> "x"@en-GB .`, "x", "", "en-GB"},
		{`<a:s> <a:p> "x"@de-1996.`, "x", "", "de-1996"},
		{`<a:s> <a:p> "5"^^<http://www.w3.org/2001/XMLSchema#int> .`, "5", "http://www.w3.org/2001/XMLSchema#int", ""},
		{`<a:s> <a:p> "5"^^<http://www.w3.org/2001/XMLSchema#string> .`, "5", "", ""},
		{`_:a.b <a:p> _:c.`, "c", "", ""},
	}
	for _, tt := range tests {
		st, ok, err := p.parse([]byte(tt.line))
		if !ok || err != nil || string(st.object.value) != tt.object || string(st.object.datatype) != tt.datatype || string(st.object.language) != tt.language {
			t.Errorf("parse(%s) = %q %q %q, %v, %v", tt.line, st.object.value, st.object.datatype, st.object.language, ok, err)
		}
	}
	for _, line := range []string{
		`<a:s> <a:p> "x"@1 .`, `<a:s> <a:p> "x"@en- .`, `<a:s> <a:p> "x"^^"y" .`, `<a:s> <a:p> .`, `<a:s> _:b <a:o> .`, `"x" <a:p> <a:o> .`,
		`<a:s> <a:p> <a:o>`, `<a:s> <a:p> <a:o> . x`, `<a:s> <a:p> "\uD800" .`, `<a:s> <a:p> "\U00110000" .`, `<a:s> <a:p> <a:b c> .`,
		`<a:s> <a:p> <a:\u0020> .`, `<s> <a:p> <a:o> .`, `<<( <a:s> <a:p> <a:o> )>> <a:p> <a:o> .`, `_: <a:p> <a:o> .`, `<a:s`, `<a:s> <a:p> "x`,
	} {
		if _, ok, err := p.parse([]byte(line)); ok || err == nil {
			t.Errorf("parse(%s) succeeded", line)
		}
	}
}
