package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
)

// A list of lists in JSON is a table: its members are the cells of rows.

// errNoTable ends the reading of JSON that is no table.
var errNoTable = errors.New("no table")

// jsonTable returns the table that a file of JSON is, where nothing else can be made of it;
// nil where it is none.
func (s *source) jsonTable(ctx context.Context, o *Options) *source {
	rows := func(take func(cells []string) error) error {
		r, _, _, err := s.text(ctx, o.Encoding)
		if err != nil {
			return err
		}
		defer s.stop()
		return jsonRows(r, take)
	}
	n := 0
	err := rows(func(cells []string) error {
		if n++; len(cells) > maxColumns {
			return errNoTable
		}
		return ctx.Err()
	})
	if err != nil || n == 0 {
		return nil
	}
	return s.table("", rows)
}

// jsonRows reads a list of lists of plain values.
func jsonRows(r io.Reader, take func(cells []string) error) error {
	in := json.NewDecoder(r)
	in.UseNumber()
	if t, err := in.Token(); err != nil || t != json.Delim('[') {
		return errors.Join(err, errNoTable)
	}
	for in.More() {
		if t, err := in.Token(); err != nil || t != json.Delim('[') {
			return errors.Join(err, errNoTable)
		}
		var cells []string
		for in.More() {
			t, err := in.Token()
			if err != nil {
				return err
			}
			cell, ok := jsonCell(t)
			if !ok {
				return errNoTable
			}
			cells = append(cells, cell)
		}
		if _, err := in.Token(); err != nil {
			return err
		}
		if err := take(cells); err != nil {
			return err
		}
	}
	_, err := in.Token()
	return err
}

// jsonCell writes a plain value.
func jsonCell(value json.Token) (cell string, ok bool) {
	switch v := value.(type) {
	case nil:
		return "", true
	case string:
		return strings.TrimSpace(v), true
	case json.Number:
		return v.String(), true
	case bool:
		return strconv.FormatBool(v), true
	}
	return "", false
}
