package ingest

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode"

	"cairn/engine/internal/lines"

	"github.com/google/go-cmp/cmp"
)

// FuzzRecords: what encoding/csv reads without complaint is read alike, and
// whatever the text, every line belongs to one row.
func FuzzRecords(f *testing.F) {
	for _, s := range []string{"a,b,c\n", "\"a\nb\",c\r\n\n", "\"a\"\"b\",\"\n", "a,\"b\" \nc", "\u2000"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		in := newRecords(lines.New(strings.NewReader(text), '\n', 1<<16), ',')
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
		if spaces || strings.HasPrefix(text, string(lines.ByteOrderMark)) || !clean {
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
