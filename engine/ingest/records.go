package ingest

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"cairn/engine/ingest/propgraph"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
)

// Lists of objects in JSON are tables: each list is a part, and is read as a table of rows is, joined to the other
// tables of the import. What JSON tells besides is kept: which member names a record, which one numbers it, and
// which record holds it.

// openRecords puts the tables of records in the place of the parts that hold them.
func (fs *fileSet) openRecords(ctx context.Context, o *Options) error {
	var all []*source
	var tables [][]*source // of each part; nil where it is no records
	graph := false
	for _, p := range fs.parts {
		own := o.of(p.file)
		if own.Kind != Auto && own.Kind != JSONRecords || own.Delimiter != 0 || p.rows {
			tables = append(tables, nil)
			continue
		}
		begin, err := p.sample(ctx, own.Encoding, &Format{})
		p.stop()
		if head := bytes.TrimSpace(begin); err != nil || len(head) == 0 || head[0] != '[' && head[0] != '{' {
			tables = append(tables, nil) // sniff tells why
			continue
		}
		f, err := p.sniff(ctx, own)
		p.stop()
		var of []*source
		switch {
		case err == nil && f.Kind == JSONRecords:
			of, err = fs.recordTables(ctx, p, own)
			if err != nil {
				return err
			}
		case err == nil:
			graph = graph || f.Kind == JSONGraph || f.Kind == JSONLines
		case errors.Is(err, ErrFormat):
			if t := p.jsonTable(ctx, own); t != nil {
				of = []*source{t}
			}
		}
		tables = append(tables, of)
	}
	for i, p := range fs.parts {
		switch isNodes := strings.Contains(strings.ToLower(p.name), "node") || strings.Contains(strings.ToLower(p.name), "vert"); {
		case tables[i] == nil:
			all = append(all, p)
		case len(tables[i]) == 1 && tables[i][0].nodes && (graph || isNodes): // the edges are elsewhere
			p.kind = JSONGraph
			all = append(all, p)
		default:
			all = append(all, tables[i]...)
		}
	}
	fs.parts = all
	return nil
}

// recordTables writes the tables of a file of records to files of their own.
func (fs *fileSet) recordTables(ctx context.Context, s *source, o *Options) ([]*source, error) {
	x := propgraph.NewRecords(strings.TrimSuffix(s.name, filepath.Ext(s.name)), kindOfTable, severalOf)
	read := func(of func(io.Reader) error) error {
		r, _, _, err := s.text(ctx, o.Encoding)
		if err != nil {
			return err
		}
		defer s.stop()
		if err = of(r); err == nil {
			return nil
		}
		if bad, ok := errors.AsType[*propgraph.Error](err); ok {
			return refuse(s.file, bad.Line, ErrFormat, bad.Error(), "export the file again, or correct it")
		}
		if refused, ok := errors.AsType[*kg.FileError](err); ok {
			return refused
		}
		return s.readError(err)
	}
	if err := read(x.Learn); err != nil {
		return nil, err
	}
	into := map[*propgraph.RecordTable]*tableFile{}
	err := read(func(r io.Reader) error {
		return x.Rows(r, func(t *propgraph.RecordTable, line string, cells []string) error {
			f := into[t]
			if f == nil {
				var err error
				if f, err = s.newTableFile(t); err != nil {
					return err
				}
				into[t] = f
			}
			return f.rows.Write(append([]string{line}, cells...))
		})
	})
	var out []*source
	for _, t := range x.Tables {
		f := into[t]
		if f == nil {
			continue
		}
		f.rows.Flush()
		err = errors.Join(err, f.rows.Error())
		at, seekErr := f.disk.Seek(0, io.SeekCurrent)
		err = errors.Join(err, seekErr)
		part := &source{name: s.name, file: s.file, begin: fromStart(f.disk), size: at, closer: func() error { return nil }, inside: true, named: true, rows: true, record: t, of: s.file}
		if !t.Whole {
			part.name, part.file = t.Name, s.file+"/"+t.Name
		}
		if t.Within != "" {
			part.file = s.file + "/" + t.Within + "." + t.Name
		}
		part.nodes = t.Whole && len(x.Tables) == 1 && t.ID >= 0
		out = append(out, part)
	}
	if len(out) == 0 && err == nil {
		err = refuse(s.file, 0, ErrFormat, "this JSON has no list of objects", "write one object per record in a list, [{…}, {…}]")
	}
	if len(x.LeftOut) > 0 {
		fs.leftOut = append(fs.leftOut, s.file+": "+listed(x.LeftOut)+": no list of objects")
	}
	return out, err
}

// tableFile is a table on its way to the disk.
type tableFile struct {
	disk *os.File
	rows *csv.Writer
}

// newTableFile begins the file of a table, which is gone when s is closed.
func (s *source) newTableFile(t *propgraph.RecordTable) (*tableFile, error) {
	disk, err := s.temporary()
	if err != nil {
		return nil, err
	}
	f := &tableFile{disk, csv.NewWriter(disk)}
	made := "id"
	header := []string{"line", made}
	for _, c := range t.Columns {
		header = append(header, c.Name)
	}
	return f, f.rows.Write(header)
}

// severalOf is what a table of the things is called of which one is a member of a record; the member itself where
// it only says how they are joined: headed_by.
func severalOf(member string) string {
	words := wordsIn(member)
	if len(words) == 0 || !isKind(strings.Join(words, " ")) {
		return member
	}
	last := words[len(words)-1]
	if lexicon.Builtin().IsStop(last) || lexicon.IsParticiple(last) || lexicon.IsPlural(last) {
		return member
	}
	return strings.TrimSuffix(member, member[len(member)-len(last):]) + lexicon.Plural(last)
}

// recordReading is the reading of a table of records whose names or ids are known; none where they are not.
func (m *mapper) recordReading(f *Format) (Reading, bool) {
	t := m.record
	if t == nil {
		return Reading{}, false
	}
	before := 0 // columns before those of the table
	if t.Made > 0 {
		before = 1
	}
	at := func(c int) int {
		if c < 0 {
			return -1
		}
		return c + before
	}
	if t.Tail >= 0 {
		r := m.linked(at(t.Holder), at(t.Tail), f)
		r.Relation = t.Name
		r.Columns[at(t.TailType)] = Column{Name: r.Columns[at(t.TailType)].Name, Role: AsTailType}
		return r, true
	}
	m.recordID, m.recordName = at(t.ID), at(t.Label)
	switch {
	case t.Made > 0 && m.recordID < 0:
		m.recordID = 0
	case t.Made > 0: // some have no id of their own
		return Reading{}, false
	}
	if m.recordID < 0 && m.recordName < 0 {
		return Reading{}, false
	}
	names := make([]string, len(m.columns))
	copy(names, f.Names)
	r := m.entityReading(max(m.recordName, m.recordID), names, f)
	if r.HeadType == "" && !t.Whole && severalOf(t.Name) == t.Name && lexicon.Singular(kindOfTable(t.Name)) != "" {
		r.HeadType = kindOfTable(t.Name)
	}
	for c := range r.Columns { // they are what the list is called, whatever kind they are of
		if r.Columns[c].Role == AsHeadType && r.HeadType != "" {
			r.Columns[c].Role, r.Columns[c].Holds = AsValue, HoldsEntities
		}
	}
	return r, true
}

// recordColumns finds the columns of the ids and of the names of records.
func (m *mapper) recordColumns(key int, names []string) (id, name int) {
	switch {
	case m.recordName < 0:
		return -1, m.recordID
	case m.recordID >= 0 || m.record.Holds: // those it holds know it by this
		return m.recordID, m.recordName
	}
	id, name = m.idAndName(key, names)
	if name != m.recordName {
		id = -1
	}
	return id, m.recordName
}

// listed says which cells of records are lists. The others are one value each, whatever sign is in them.
func (m *mapper) listed(c int, col *Column) {
	sign := m.listSign(c)
	if col.Split = ""; sign == "" {
		return
	}
	f := &m.columns[c]
	all := columnFacts{values: map[string]int{}}
	var rows [][][]byte
	for cell := range f.values {
		for piece := range strings.SplitSeq(cell, sign) {
			rows = append(rows, [][]byte{[]byte(piece)})
		}
	}
	all = factsOf(rows, 0)
	all.describe(col)
	col.Split = sign
}

// recordsLine recognises lists of objects.
func recordsLine(b beginning, _ *Format) int64 {
	f, line := propgraph.Detect(b.text)
	if f != propgraph.Lists {
		return 0
	}
	return line
}

// listSign is the sign between the values of a column of records; empty where a cell is one.
func (m *mapper) listSign(c int) string {
	if m.record == nil {
		return ""
	}
	if m.record.Made > 0 {
		c--
	}
	if c < 0 || c >= len(m.record.Columns) {
		return ""
	}
	return m.record.Columns[c].Split
}
