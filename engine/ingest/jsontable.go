package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A list of objects in JSON of which none has a name is a table: its members are columns. So is
// a list of lists.

// errNoTable ends the reading of JSON that is no table.
var errNoTable = errors.New("no table")

// jsonTable returns the table that a file of JSON is, where nothing else can be made of it;
// nil where it is none.
func (s *source) jsonTable(ctx context.Context, o *Options) *source {
	begin, err := s.sample(ctx, o.Encoding, &Format{})
	s.stop()
	if text := strings.TrimSpace(string(begin[:min(len(begin), 1<<10)])); err != nil || !strings.HasPrefix(text, "[") {
		return nil
	}
	var names []string
	at := map[string]int{}
	listed, objects := false, false
	each := func(take func(names, cells []string) error) error {
		r, _, _, err := s.text(ctx, o.Encoding)
		if err != nil {
			return err
		}
		defer s.stop()
		return jsonRows(r, take)
	}
	err = each(func(members, cells []string) error {
		listed, objects = listed || members == nil, objects || members != nil
		for _, name := range members {
			if _, ok := at[name]; !ok {
				at[name] = len(names)
				names = append(names, name)
			}
		}
		if listed && objects || len(names) > maxColumns || len(cells) > maxColumns {
			return errNoTable
		}
		return ctx.Err()
	})
	if err != nil || !listed && len(names) < 2 {
		return nil
	}
	t := s.table("", func(row func([]string) error) error {
		if objects {
			if err := row(slices.Clone(names)); err != nil {
				return err
			}
		}
		return each(func(members, cells []string) error {
			if members == nil {
				return row(cells)
			}
			all := make([]string, len(names))
			for i, name := range members {
				all[at[name]] = cells[i]
			}
			return row(all)
		})
	})
	t.named = objects
	return t
}

// jsonRows reads a list of objects or lists of plain values, and gives the members of each,
// nil for a list, and their values. A list in an object is written with |.
func jsonRows(r io.Reader, take func(members, cells []string) error) error {
	in := json.NewDecoder(r)
	in.UseNumber()
	if t, err := in.Token(); err != nil || t != json.Delim('[') {
		return errors.Join(err, errNoTable)
	}
	for in.More() {
		t, err := in.Token()
		if err != nil {
			return err
		}
		if t != json.Delim('{') && t != json.Delim('[') {
			return errNoTable
		}
		var members, cells []string
		if t == json.Delim('{') {
			members = []string{}
		}
		for in.More() {
			name := ""
			if members != nil {
				key, err := in.Token()
				if err != nil {
					return err
				}
				name, _ = key.(string)
			}
			var value any
			if err := in.Decode(&value); err != nil {
				return err
			}
			if members == nil {
				cell, ok := jsonCell(value)
				if !ok {
					return errNoTable
				}
				cells = append(cells, cell)
				continue
			}
			if members, cells, err = jsonMember(members, cells, name, value); err != nil {
				return err
			}
		}
		if _, err := in.Token(); err != nil {
			return err
		}
		if err := take(members, cells); err != nil {
			return err
		}
	}
	_, err := in.Token()
	return err
}

// jsonMember adds a member of an object; those of an object in it are called after both.
func jsonMember(members, cells []string, name string, value any) (m, c []string, err error) {
	if inner, ok := value.(map[string]any); ok {
		for _, k := range slices.Sorted(maps.Keys(inner)) {
			if members, cells, err = jsonMember(members, cells, name+" "+k, inner[k]); err != nil {
				return nil, nil, err
			}
		}
		return members, cells, nil
	}
	cell, ok := jsonCell(value)
	if list, isList := value.([]any); !ok && isList {
		var all []string
		for _, x := range list {
			one, plain := jsonCell(x)
			if !plain {
				return nil, nil, errNoTable
			}
			all = append(all, one)
		}
		cell, ok = strings.Join(all, "|"), true
	}
	if !ok || slices.Contains(members, name) {
		return nil, nil, errNoTable
	}
	return append(members, name), append(cells, cell), nil
}

// jsonCell writes a plain value.
func jsonCell(value any) (cell string, ok bool) {
	switch v := value.(type) {
	case nil:
		return "", true
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	case bool:
		return strconv.FormatBool(v), true
	}
	return "", false
}
