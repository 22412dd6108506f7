package sample

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// tables is the order of the sources. A table further up decides an entity's type.
var tables = []string{
	"countries", "borders", "organisations", "permanent", "capitals", "cities", "states",
	"oceans", "seas", "waters", "rivers", "mountains", "people", "elements", "prizes",
	"namesakes", "currencies",
}

// generate returns world.tsv and labels.tsv, made from the tables in dir, which people edit.
//
// A table is a text file: comments, one header, then rows, cells divided by "|"
// and several values of one cell by ";". The first cell of the header is the type
// of the heads ("*" for none of its own), the others are relations:
//
//	population #             values: never entities with a type
//	continent > continent    entities, of this type unless a table has them as heads
//	named after > *          entities that some other table gives a type
//	capital > city ^ located in   as above, and each tail is "located in" the head
//	~ member of > country    turned round: each value is a "member of" the head
//
// Numbers may end in M or k (millions, thousands). The order of the output is the
// order of the tables: the same source gives the same bytes.
func generate(dir string) (world, labels []byte, err error) {
	var all []*table
	for _, name := range tables {
		t, err := readTable(filepath.Join(dir, name+".txt"))
		if err != nil {
			return nil, nil, err
		}
		all = append(all, t)
	}
	names, err := readTable(filepath.Join(dir, "labels.txt"))
	if err != nil {
		return nil, nil, err
	}
	w := newWriter(all)
	for _, t := range all {
		w.table(t)
	}
	w.checkTyped()
	var out bytes.Buffer
	fmt.Fprintf(&out, "id\tlabel\n")
	for _, r := range names.rows {
		if !w.known[r.cells[0][0]] {
			w.fail(names, r, "%q has a label but is in no triple", r.cells[0][0])
			continue
		}
		fmt.Fprintf(&out, "%s\t%s\n", r.cells[0][0], r.cells[1][0])
	}
	return w.out.Bytes(), out.Bytes(), errors.Join(w.errs...)
}

// column is one relation of a header.
type column struct {
	relation string
	literal  bool   // "#"
	turned   bool   // "~"
	typ      string // of the tails; "" where another table says it
	also     string // the relation of a second triple, from tail to head; or ""
}

// row is one line: the head and the values of each column.
type row struct {
	line  int
	cells [][]string
}

type table struct {
	path    string
	typ     string // of the heads; "" for none
	columns []column
	rows    []row
}

// readTable reads one source file.
func readTable(path string) (*table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading a table of the sample graph: %w", err)
	}
	defer f.Close()
	t := &table{path: path}
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20) // the members of the United Nations are one long line
	header := false
	for line := 1; s.Scan(); line++ {
		text := strings.TrimSpace(s.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		cells := strings.Split(text, "|")
		if !header {
			header = true
			t.header(cells)
			continue
		}
		if len(cells) > len(t.columns)+1 {
			return nil, fmt.Errorf("%s:%d: %d cells, the header has %d", path, line, len(cells), len(t.columns)+1)
		}
		r := row{line: line, cells: make([][]string, len(t.columns)+1)}
		for i, c := range cells {
			r.cells[i] = cellValues(c)
		}
		if len(r.cells[0]) != 1 {
			return nil, fmt.Errorf("%s:%d: a row needs exactly one name in its first cell", path, line)
		}
		t.rows = append(t.rows, r)
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	return t, nil
}

func (t *table) header(cells []string) {
	t.typ = strings.TrimSpace(cells[0])
	if t.typ == "*" {
		t.typ = ""
	}
	for _, cell := range cells[1:] {
		var c column
		text := strings.TrimSpace(cell)
		text, c.turned = strings.CutPrefix(text, "~")
		text, c.also, _ = strings.Cut(text, "^")
		text, c.typ, _ = strings.Cut(text, ">")
		text, c.literal = strings.CutSuffix(strings.TrimSpace(text), "#")
		c.relation, c.also, c.typ = strings.TrimSpace(text), strings.TrimSpace(c.also), strings.TrimSpace(c.typ)
		if c.typ == "*" {
			c.typ = ""
		}
		t.columns = append(t.columns, c)
	}
}

// cellValues cuts a cell; an empty cell has none.
func cellValues(cell string) []string {
	var vs []string
	for v := range strings.SplitSeq(cell, ";") {
		if v = strings.TrimSpace(v); v != "" {
			vs = append(vs, number(v))
		}
	}
	return vs
}

// number writes 41.5M as 41500000 and 82k as 82000; anything else stays.
func number(v string) string {
	for suffix, times := range map[string]float64{"M": 1e6, "k": 1e3} {
		if digits, ok := strings.CutSuffix(v, suffix); ok {
			if f, err := strconv.ParseFloat(digits, 64); err == nil {
				return strconv.FormatFloat(f*times, 'f', 0, 64)
			}
		}
	}
	return v
}

// writer collects the triples.
type writer struct {
	out   bytes.Buffer
	seen  map[[3]string]bool
	heads map[string]bool // entities that a table has as heads with a type
	typed map[string]bool
	known map[string]bool // every entity
	from  map[string]string
	order []string
	errs  []error
}

func newWriter(all []*table) *writer {
	w := &writer{
		seen: map[[3]string]bool{}, heads: map[string]bool{}, typed: map[string]bool{},
		known: map[string]bool{}, from: map[string]string{},
	}
	for _, t := range all {
		for _, r := range t.rows {
			if t.typ != "" {
				w.heads[r.cells[0][0]] = true
			}
		}
	}
	fmt.Fprintf(&w.out, "head\trelation\ttail\n")
	return w
}

func (w *writer) fail(t *table, r row, format string, args ...any) {
	w.errs = append(w.errs, fmt.Errorf("%s:%d: %s", t.path, r.line, fmt.Sprintf(format, args...)))
}

func (w *writer) table(t *table) {
	for _, r := range t.rows {
		head := r.cells[0][0]
		w.entity(t, r, head)
		w.setType(head, t.typ)
		for i, c := range t.columns {
			given := map[string]bool{}
			for _, v := range r.cells[i+1] {
				if given[v] {
					w.fail(t, r, "%s: %q is given twice", c.relation, v)
				}
				given[v] = true
				w.value(t, r, c, head, v)
			}
		}
	}
}

func (w *writer) value(t *table, r row, c column, head, v string) {
	if c.literal {
		w.triple(head, c.relation, v)
		if c.relation == isA {
			w.typed[head] = true
		}
		return
	}
	w.entity(t, r, v)
	if !w.heads[v] {
		w.setType(v, c.typ)
	}
	if c.turned {
		w.triple(v, c.relation, head)
	} else {
		w.triple(head, c.relation, v)
	}
	if c.also != "" {
		w.triple(v, c.also, head)
	}
}

// isA is the relation that gives an entity its type.
const isA = "is a"

func (w *writer) entity(t *table, r row, name string) {
	if !w.known[name] {
		w.known[name] = true
		w.order = append(w.order, name)
		w.from[name] = fmt.Sprintf("%s:%d", t.path, r.line)
	}
}

// setType gives an entity a type where it has none yet.
func (w *writer) setType(name, typ string) {
	if typ == "" || w.typed[name] {
		return
	}
	w.typed[name] = true
	w.triple(name, isA, typ)
}

// triple writes a triple once: city tables repeat what a capital column says.
func (w *writer) triple(head, relation, tail string) {
	key := [3]string{head, relation, tail}
	if w.seen[key] {
		return
	}
	w.seen[key] = true
	fmt.Fprintf(&w.out, "%s\t%s\t%s\n", head, relation, tail)
}

func (w *writer) checkTyped() {
	for _, name := range w.order {
		if !w.typed[name] {
			w.errs = append(w.errs, fmt.Errorf("%s: no table says what %q is", w.from[name], name))
		}
	}
}
