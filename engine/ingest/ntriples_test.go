package ingest_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"cairn/engine/ingest"
	"cairn/engine/kg"
)

// document is one file of a conformance suite: good ones are read whole, bad ones
// are refused with the line that is at fault.
type document struct{ name, text string }

func (d document) bad() bool { return strings.Contains(d.name, "-bad-") }

// conform imports a document as a user does.
func conform(t *testing.T, d document) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, d.name)
	write(t, file, d.text)
	st, err := kg.OpenStore(t.Context(), filepath.Join(dir, "g.cairn"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	r, err := ingest.File(t.Context(), st, file, ingest.Options{}, nil)
	if e := r.Check(); e != nil {
		t.Errorf("%s: %v", d.name, e)
	}
	lines := strings.Split(d.text, "\n")
	content := func(line string) bool { line = strings.TrimSpace(line); return line != "" && line[0] != '#' }
	if !d.bad() {
		var statements int64
		for _, line := range lines {
			if content(line) {
				statements++
			}
		}
		if err != nil || r.Rejected != 0 || r.Added+r.Duplicate+r.Named != statements {
			t.Errorf("%s: %v, %v; want %d statements", d.name, r, err, statements)
		}
		return
	}
	var line int64
	if refused, ok := errors.AsType[*kg.FileError](err); ok {
		line = refused.Line
	} else if err == nil && r.Rejected > 0 {
		line = r.Rejects[0].Line
	}
	if line < 1 || line > int64(len(lines)) || !content(lines[line-1]) {
		t.Errorf("%s: line %d, %v, %v; want the line that is wrong", d.name, line, r, err)
	}
}

// TestConformance holds the import to the grammar of N-Triples and N-Quads with
// documents like those of the suites of the W3C, which TestW3C runs.
func TestConformance(t *testing.T) {
	const s, p, o = "<http://x/s> ", "<http://x/p> ", "<http://x/o> "
	for _, d := range []document{
		{"empty.nt", ""},
		{"empty.nq", ""},
		{"comment.nt", "#Nothing here."},
		{"comments.nq", "# One, two; three|four\n\n# five\n"},
		{"controls.nt", s + p + "\"\x00\x09\x0b\x0c\x0e\x26\x28\x5b\x5d\x7f\" .\n"},
		{"controls.nq", s + p + "\"\x01\x02\x03\x04\x05\x06\x07\x08\x7f\" <http://x/g> .\n"},
		{"bare.nt", "<http://x/s><http://x/p><http://x/o>.\n_:a<http://x/p>\"x\"@en.#c\n"},
		{"blank.nq", s + p + o + "_:g .\n"},
		{"graph-below.nq", strings.Repeat(s+p+o+".\n", 300) + s + p + o + "<http://x/g> .\n"},
		{"x-bad-base.nt", "@base <http://x/> .\n" + s + p + o + ".\n"},
		{"x-bad-prefix.nq", "# a comment\n@prefix : <http://x/> .\n" + s + p + o + ".\n"},
		{"x-bad-blank.nt", "_::a " + p + o + ".\n"},
		{"x-bad-blank.nq", "# a comment\n_:a:b " + p + o + ".\n"},
		{"x-bad-fifth.nq", s + p + o + "<http://x/g> <http://x/h> .\n"},
		{"x-bad-graph.nq", s + p + o + "\"g\" .\n"},
		{"x-bad-graph-iri.nq", s + p + o + "<g> .\n"},
		{"x-bad-escape.nt", "# a comment\n" + s + p + "\"\\u00ZZ\" .\n"},
		{"x-bad-after-good.nt", s + p + o + ".\n" + s + p + "1 .\n"},
		{"x-bad-objects.nt", s + p + o + ", <http://x/o2> .\n"},
		{"x-bad-term.nt", "<<( " + s + p + o + ")>> " + p + o + ".\n"},
	} {
		conform(t, d)
	}
}
