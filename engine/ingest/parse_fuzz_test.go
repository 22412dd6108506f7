package ingest

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

// write writes a term as N-Triples does.
func (t *term) write(b *strings.Builder) {
	switch t.kind {
	case blankTerm:
		b.WriteString("_:" + string(t.value))
	case iriTerm:
		b.WriteString("<" + string(t.value) + ">")
	case literalTerm:
		text := strings.NewReplacer("\\", "\\\\", "\"", "\\\"", "\n", "\\n", "\r", "\\r").Replace(string(t.value))
		b.WriteString("\"" + text + "\"")
		if len(t.language) > 0 {
			b.WriteString("@" + string(t.language))
		} else if len(t.datatype) > 0 {
			b.WriteString("^^<" + string(t.datatype) + ">")
		}
	}
	b.WriteByte(' ')
}

func (st *statement) write() string {
	var b strings.Builder
	for _, t := range []*term{&st.subject, &st.predicate, &st.object} {
		t.write(&b)
	}
	if len(st.graph.value) > 0 {
		st.graph.write(&b)
	}
	return b.String() + "."
}

// FuzzNTriplesLine: what parses prints back to the same statement.
func FuzzNTriplesLine(f *testing.F) {
	for _, s := range []string{
		`<a:b> <a:c> <a:d> .`, `_:x <a:c> "\u0041\n"@en-US . # c`, `<a:b><a:c>"1"^^<a:d>.`, `<a:\u00e9> <a:c> _:y.z <a:g> .`, `<a:b> <a:c> "\"`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		var p ntParser
		st, ok, err := p.parse([]byte(line))
		if !ok {
			return
		}
		if err != nil {
			t.Fatalf("a statement and an error: %v", err)
		}
		once := st.write()
		var again ntParser
		st, ok, err = again.parse([]byte(once))
		if !ok || err != nil {
			t.Fatalf("%q printed as %q: %v", line, once, err)
		}
		if twice := st.write(); twice != once {
			t.Errorf("%q printed as %q, then as %q", line, once, twice)
		}
	})
}

// FuzzRecords: what encoding/csv reads without complaint is read alike, and
// whatever the text, every line belongs to one row.
func FuzzRecords(f *testing.F) {
	for _, s := range []string{"a,b,c\n", "\"a\nb\",c\r\n\n", "\"a\"\"b\",\"\n", "a,\"b\" \nc", "\u2000"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		in := newRecords(newLines(strings.NewReader(text), '\n', 1<<16), ',')
		var rows [][]string
		last, clean := int64(0), true
		for {
			rec, err := in.next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if rec.line != last+1 || in.last < rec.line {
				t.Fatalf("a row at line %d after line %d, up to %d", rec.line, last, in.last)
			}
			last = in.last
			clean = clean && rec.fault == ""
			if len(rec.fields) > 0 {
				rows = append(rows, copyStrings(rec.fields))
			}
		}
		if lines := int64(strings.Count(strings.TrimSuffix(text, "\n")+"x", "\n") + 1); text != "" && last != lines {
			t.Errorf("%d lines were read of %d", last, lines)
		}
		// Where both read everything, they read the same. Spaces and lone carriage
		// returns are treated otherwise on purpose.
		spaces := strings.ContainsFunc(text, func(r rune) bool { return unicode.IsSpace(r) && r != '\n' })
		if spaces || strings.HasPrefix(text, string(byteOrderMark)) || !clean {
			return
		}
		reader := csv.NewReader(strings.NewReader(text))
		reader.FieldsPerRecord = -1
		want, err := reader.ReadAll()
		if err != nil {
			return
		}
		for _, row := range want {
			for i := range row {
				row[i] = string(bytes.TrimSpace([]byte(row[i])))
			}
		}
		if diff := cmp.Diff(want, rows); diff != "" {
			t.Errorf("rows (-encoding/csv +ours):\n%s", diff)
		}
	})
}
