package ingest

import (
	"bytes"
	"slices"
	"strings"

	"cairn/engine/internal/lines"
	"cairn/internal/wording"
)

// A sheet may hold several tables: one below the other, or side by side. Read as one they
// would say what none of them does.

// block is a run of rows between blank ones.
type block struct {
	line int64
	rows [][][]byte
}

// header returns what names the columns of a block that is a table by itself.
func (b *block) header() []string {
	const body = 2 // rows below the header
	if len(b.rows) < 1+body {
		return nil
	}
	first := copyStrings(b.rows[0])
	for len(first) > 0 && first[len(first)-1] == "" {
		first = first[:len(first)-1]
	}
	if len(first) < 2 || slices.Contains(first, "") {
		return nil
	}
	if is, doubt := headerOdds(first, b.rows[1:], false); !is || doubt {
		return nil
	}
	return first
}

// oneTable returns an error for rows that are two tables.
func (s *source) oneTable(sample []byte, end byte, t *table) error {
	if t.width < 2 {
		return nil
	}
	var blocks []block
	in := s.newRecords(lines.New(bytes.NewReader(sample), end, sampleSize), t.delim)
	blank := true
	for range maxSampleRows {
		rec, err := in.next()
		if err != nil {
			break
		}
		if rec.fault != "" {
			continue
		}
		if isBlank(rec.fields) {
			blank = true
			continue
		}
		if blank {
			blocks, blank = append(blocks, block{line: rec.line}), false
		}
		b := &blocks[len(blocks)-1]
		b.rows = append(b.rows, wording.Each(rec.fields, bytes.Clone))
	}
	var first []string
	for i := range blocks {
		names := blocks[i].header()
		switch {
		case names == nil:
		case first == nil:
			first = names
		case !slices.Equal(names, first):
			return refuse(s.file, blocks[i].line, ErrFormat,
				"it has two tables: one with "+few(wording.Each(first, inQuotes))+", and from here on one with "+few(wording.Each(names, inQuotes)), "put each into its own file or sheet")
		}
	}
	for i := range blocks {
		if left, right := blocks[i].beside(); left != nil {
			return refuse(s.file, blocks[i].line, ErrFormat,
				"it has two tables side by side: one with "+few(wording.Each(left, inQuotes))+", and one with "+few(wording.Each(right, inQuotes)), "put each into its own file or sheet, or give the columns of one and leave out the others")
		}
	}
	return nil
}

// beside returns the headers of two tables that stand side by side with an empty column in
// between, one of which ends before the other; nil where a block is none.
func (b *block) beside() (left, right []string) {
	const body = 2 // rows
	if len(b.rows) < 1+body {
		return nil, nil
	}
	first := copyStrings(b.rows[0])
	for c := 2; c < len(first)-2; c++ {
		if first[c] != "" || slices.ContainsFunc(b.rows, func(row [][]byte) bool { return c < len(row) && len(row[c]) > 0 }) {
			continue
		}
		left, right = first[:c], first[c+1:]
		if strings.Join(left, "") == "" || slices.Contains(left, "") || slices.Contains(right, "") {
			continue
		}
		ends := [2]int{}
		gaps := false
		for i, row := range b.rows {
			for side, cells := range [2][][]byte{row[:min(c, len(row))], row[min(c+1, len(row)):]} {
				if isBlank(cells) {
					continue
				}
				gaps = gaps || ends[side] != i // rows are missing above it
				ends[side] = i + 1
			}
		}
		if !gaps && ends[0] != ends[1] && min(ends[0], ends[1]) > 1 {
			return left, right
		}
	}
	return nil, nil
}
