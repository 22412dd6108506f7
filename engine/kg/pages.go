package kg

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"cairn/engine/internal/pagesum"
)

// Damage is a page of a graph's file that is not what was written.
type Damage struct {
	Page int64 `json:"page"`
	// Part is what it holds, for people.
	Part string `json:"part"`
	// First and Last are the rows that it may hold, by number; both -1 where the part
	// has no such rows or they are not known.
	First int64 `json:"first"`
	Last  int64 `json:"last"`
	// OneBit says that a single bit is wrong, so that it is known what was written.
	OneBit bool `json:"one_bit"`

	table string // whose tree it is in
}

// pageFile is the file of a graph as pages, whatever SQLite makes of it.
type pageFile struct {
	r     io.ReaderAt
	size  int
	count int64
	bad   map[int64]*Damage
	right map[int64][]byte // the content of those of bad with OneBit
}

// openPages looks at the header of a file.
func openPages(f *os.File) (*pageFile, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	head := make([]byte, 100)
	if _, err := f.ReadAt(head, 0); err != nil || !bytes.HasPrefix(head, liteMagic) {
		return nil, errBeginning("check", f.Name())
	}
	const usual = 4096
	p := &pageFile{r: f, size: int(binary.BigEndian.Uint16(head[16:])), bad: map[int64]*Damage{}, right: map[int64][]byte{}}
	if p.size != usual {
		p.size = usual // what is there of page 1 will say that it is damaged
	}
	p.count = (info.Size() + int64(p.size) - 1) / int64(p.size)
	return p, nil
}

// verify reads all pages and notes those without their sums. Pages of zeros were
// made by the file system and never written; SQLite does not read them.
func (p *pageFile) verify(ctx context.Context, progress func(done, total int64)) error {
	const atOnce = 256
	buffer := make([]byte, atOnce*p.size)
	zeros := make([]byte, p.size)
	for first := int64(1); first <= p.count; first += atOnce {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := p.r.ReadAt(buffer, (first-1)*int64(p.size))
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		clear(buffer[n:]) // of a file that was cut
		for i := range min(atOnce, p.count-first+1) {
			page := buffer[i*int64(p.size) : (i+1)*int64(p.size)]
			if pagesum.Good(page, first+i) || bytes.Equal(page, zeros) {
				continue
			}
			// Another program may have been writing it.
			if _, err := p.r.ReadAt(page, (first+i-1)*int64(p.size)); err != nil || !pagesum.Good(page, first+i) {
				p.note(first+i, page)
			}
		}
		if progress != nil {
			progress(min(first+atOnce-1, p.count), p.count)
		}
	}
	return nil
}

// note notes a damaged page, and what was written where that can be found out.
func (p *pageFile) note(n int64, page []byte) {
	d := &Damage{Page: n, Part: "unused space", First: -1, Last: -1}
	right := bytes.Clone(page)
	if d.OneBit = pagesum.Flip(right, n); d.OneBit {
		p.right[n] = right
	}
	p.bad[n] = d
}

// page returns a page as it was written; nil where that is not known.
func (p *pageFile) page(n int64) []byte {
	if right := p.right[n]; right != nil || p.bad[n] != nil || n < 1 || n > p.count {
		return right
	}
	b := make([]byte, p.size)
	if _, err := p.r.ReadAt(b, (n-1)*int64(p.size)); err != nil {
		return nil
	}
	return b
}

// parts are what the tables hold, for people.
var parts = map[string]string{
	"graph": "the graph's version", "source": "sources", "entity": "entities, with their names", "alias": "other names of entities",
	"relation": "relations", "type": "types", "entity_type": "the types of entities", "triple": "triples, with their lines",
	"description": "further descriptions of entities", "property": "names of properties", "property_value": "properties of statements", "qualified": "which statements have which properties",
	"provenance": "further places of triples", "undirected": "which relations have no direction", "setting": "settings, with the lexicon and what relations mean",
	"run": "history", "embedding": "vectors of a model", "extraction": "quotes of triples from texts",
	"document": "texts that were read", "chunk": "texts that were read", "statement": "statements of texts", "span": "quotes of statements",
	"naming": "meanings of names in texts", "trained": "trained networks", "training": "a training in progress",
	"pending_name": "names from the last import", "sqlite_schema": "the list of what is in the file",
}

// explain finds out what the damaged pages hold, by the trees of all tables.
func (p *pageFile) explain() {
	if len(p.bad) == 0 {
		return
	}
	seen := map[int64]bool{}
	p.walk(1, owner{table: "sqlite_schema", first: math.MinInt64, last: math.MaxInt64}, seen, func(record []byte) {
		kind, table, root := schemaRow(record)
		o := owner{table: table, first: math.MinInt64, last: math.MaxInt64, index: kind == "index"}
		p.walk(root, o, seen, nil)
	})
}

// owner is whose a page is: a table or an index on one, and which of its rows.
type owner struct {
	table       string
	index       bool
	first, last int64
}

// The kinds of pages of a tree.
const (
	interiorIndex = 2
	interiorTable = 5
	leafIndex     = 10
	leafTable     = 13
)

// walk goes over the tree below page n, and gives row, if not nil, the records of its
// leaves that lie whole in their page.
func (p *pageFile) walk(n int64, o owner, seen map[int64]bool, row func(record []byte)) {
	if seen[n] {
		return
	}
	seen[n] = true
	b := p.page(n)
	if d := p.bad[n]; d != nil {
		p.assign(d, o, b)
	}
	t, ok := newTreePage(b, n)
	if !ok {
		return
	}
	below := o
	for i := range t.cells {
		c, ok := t.cell(i, p.size-pagesum.Reserved)
		if !ok {
			return
		}
		if c.child != 0 {
			if t.kind == interiorTable {
				below.last = c.rowid
			}
			p.walk(c.child, below, seen, row)
			below.first = c.rowid + 1
		}
		if row != nil && t.kind == leafTable && c.overflow == 0 {
			row(c.payload)
		}
		for next := c.overflow; next != 0 && !seen[next]; {
			seen[next] = true
			chain := p.page(next)
			if d := p.bad[next]; d != nil {
				p.assign(d, owner{table: o.table, index: o.index, first: c.rowid, last: c.rowid}, nil)
			}
			if next = 0; chain != nil {
				next = int64(binary.BigEndian.Uint32(chain))
			}
		}
	}
	if t.right != 0 {
		below.last = o.last
		p.walk(t.right, below, seen, row)
	}
}

// assign says of a damaged page whose it is. right is what was written, if known.
func (p *pageFile) assign(d *Damage, o owner, right []byte) {
	d.table = o.table
	if d.Part = parts[o.table]; d.Part == "" {
		d.Part = o.table
	}
	if o.index {
		d.table, d.Part = "", "an index of "+d.Part+" (a copy of data stored elsewhere)"
		return
	}
	if d.First, d.Last = max(o.first, 0), o.last; o.last == math.MaxInt64 {
		d.Last = -1
	}
	t, ok := newTreePage(right, d.Page)
	if !ok || t.kind != leafTable {
		if ok && t.kind != interiorTable {
			d.First, d.Last = -1, -1 // rows without numbers
		}
		return
	}
	wrong := make([]byte, p.size)
	if _, err := p.r.ReadAt(wrong, (d.Page-1)*int64(p.size)); err != nil {
		return
	}
	at := 0
	for at < len(wrong) && wrong[at] == right[at] {
		at++
	}
	d.First, d.Last = -1, -1
	for i := range t.cells {
		c, ok := t.cell(i, p.size-pagesum.Reserved)
		if ok && at >= c.start && at < c.end {
			d.First, d.Last = c.rowid, c.rowid
			return
		}
		if i == 0 {
			d.First = c.rowid
		}
		d.Last = c.rowid
	}
}

type treePage struct {
	b     []byte
	at    int // of its header
	kind  byte
	cells int
	right int64 // the last page below; 0 for a leaf
}

func newTreePage(b []byte, n int64) (t treePage, ok bool) {
	if b == nil {
		return t, false
	}
	t.b = b
	if n == 1 {
		t.at = 100
	}
	t.kind, t.cells = b[t.at], int(binary.BigEndian.Uint16(b[t.at+3:]))
	switch t.kind {
	case interiorIndex, interiorTable:
		t.right = int64(binary.BigEndian.Uint32(b[t.at+8:]))
	case leafIndex, leafTable:
	default:
		return t, false
	}
	return t, t.at+12+2*t.cells <= len(b)
}

type treeCell struct {
	child, rowid, overflow int64 // 0 for none
	payload                []byte
	start, end             int // where it lies
}

// cell returns a cell; usable is how much of a page is SQLite's.
func (t treePage) cell(i, usable int) (c treeCell, ok bool) {
	at := t.at + 8
	if t.right != 0 {
		at += 4
	}
	c.start = int(binary.BigEndian.Uint16(t.b[at+2*i:]))
	if c.start+12 > len(t.b) {
		return c, false
	}
	b := t.b[c.start:usable]
	if t.right != 0 {
		c.child, b = int64(binary.BigEndian.Uint32(b)), b[4:]
	}
	size := int64(0)
	if t.kind != interiorTable {
		size, b = liteVarint(b)
	}
	if t.kind == interiorTable || t.kind == leafTable {
		c.rowid, b = liteVarint(b)
	}
	local, most, least := size, int64(usable-35), int64((usable-12)*32/255-23)
	if t.kind != leafTable {
		most = int64((usable-12)*64/255 - 23)
	}
	if size > most {
		if local = least + (size-least)%int64(usable-4); local > most {
			local = least
		}
	}
	if size < 0 || local+4 > int64(len(b)) && size > most || local > int64(len(b)) {
		return c, false
	}
	if size > most {
		c.overflow = int64(binary.BigEndian.Uint32(b[local:]))
	}
	c.payload, c.end = b[:local], usable-len(b)+int(local)
	return c, true
}

// liteVarint cuts a number as SQLite writes it from the front of b.
func liteVarint(b []byte) (int64, []byte) {
	n := uint64(0)
	for i := range min(9, len(b)) {
		if i == 8 {
			return int64(n<<8 | uint64(b[i])), b[9:]
		}
		n = n<<7 | uint64(b[i]&0x7f)
		if b[i] < 0x80 {
			return int64(n), b[i+1:]
		}
	}
	return -1, nil
}

// schemaRow reads the kind, the table and the first page of a row of sqlite_schema.
func schemaRow(record []byte) (kind, table string, root int64) {
	size, types := liteVarint(record)
	if size < 0 || size > int64(len(record)) {
		return "", "", 0
	}
	body := record[size:]
	types = types[:max(0, len(types)-len(body))]
	var columns []string
	for len(types) > 0 && len(columns) < 4 {
		var of int64
		of, types = liteVarint(types)
		n := [...]int64{0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0}[min(max(of, 0), 11)]
		if of >= 12 {
			n = (of - 12) / 2
		}
		if n > int64(len(body)) {
			return "", "", 0
		}
		columns, body = append(columns, string(body[:n])), body[n:]
	}
	if len(columns) < 4 {
		return "", "", 0
	}
	for _, digit := range []byte(columns[3]) {
		root = root<<8 | int64(digit)
	}
	return columns[0], strings.Clone(columns[2]), root
}

// String says in a line what is damaged.
func (d Damage) String() string {
	rows := ""
	switch {
	case d.First >= 0 && d.First == d.Last:
		rows = fmt.Sprintf(", row %d", d.First)
	case d.First >= 0 && d.Last < 0:
		rows = fmt.Sprintf(", rows from %d on", d.First)
	case d.First >= 0:
		rows = fmt.Sprintf(", some of the rows %d to %d", d.First, d.Last)
	}
	bit := ""
	if d.OneBit {
		bit = "; one bit is wrong"
	}
	return fmt.Sprintf("%s%s (page %d%s)", d.Part, rows, d.Page, bit)
}
