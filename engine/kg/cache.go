package kg

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unsafe"
)

// A snapshot file is the Graph's own arrays, one after another:
//
//	header    magic, format, byte order, version of the graph, number of sections
//	table     for each section: offset, length, CRC-32C
//	checksum  CRC-32C of header and table
//	sections  each at a multiple of 64 bytes, as it lies in memory
//
// It is written in the byte order of the machine and refused by another, so that
// a reader may use the sections where they lie, and later map them instead of
// reading. Everything is checked before it is used: the checksums, then that
// every offset and id stays within bounds. A file that fails is made anew.
const (
	snapshotMagic  = "CAIRNCSR"
	snapshotFormat = 3 // raised also when what is derived for a snapshot changes, such as the texts of relations
	snapshotAlign  = 64
	snapshotOrder  = 0x01020304
	maxVersionText = 64
)

// errStale is returned for a snapshot of another state of the graph.
var errStale = errors.New("snapshot is of another state of the graph")

// errSnapshot is returned for a snapshot that cannot be used.
var errSnapshot = errors.New("snapshot is damaged or of another kind")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// snapshotHead is the header as it lies in the file.
type snapshotHead struct {
	Magic    [8]byte
	Format   uint32
	Order    uint32
	Version  [maxVersionText]byte // padded with zeros
	Sections uint32
}

// snapshotSection is one entry of the table.
type snapshotSection struct {
	Offset, Length uint64
	Sum            uint32
}

// CacheFolder returns the folder beside the file that holds what can be made
// anew at any time.
func (s *Store) CacheFolder() string { return s.path + ".d" }

func (s *Store) snapshotPath() string { return filepath.Join(s.CacheFolder(), "graph.csr") }

// parts lists the arrays of g in the order of the file. Reading and writing walk
// the same list, so they cannot disagree.
func (g *Graph) parts(strs *[3]texts) []part {
	list := []part{
		array(&g.triples), array(&g.outAt), array(&g.out), array(&g.inAt), array(&g.in), array(&g.literal),
		array(&g.aliasAt), array(&g.typeAt), array(&g.types), array(&g.ofTypeAt), array(&g.ofType), array(&g.extracted),
	}
	for _, t := range []*texts{&g.keys, &g.labels, &g.aliases, &strs[0], &strs[1], &strs[2]} {
		list = append(list, array(&t.at), array(&t.bytes))
	}
	return list
}

// part is one array seen as bytes, and a way to set it from bytes.
type part struct {
	bytes func() []byte
	set   func(b []byte) bool // false where b is no whole number of elements
}

// array views a slice of fixed-size elements without pointers.
func array[T any](p *[]T) part {
	var zero T
	size := int(unsafe.Sizeof(zero))
	return part{
		bytes: func() []byte {
			return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(*p))), len(*p)*size)
		},
		set: func(b []byte) bool {
			if len(b)%size != 0 {
				return false
			}
			if len(b) == 0 {
				*p = nil
				return true
			}
			first := unsafe.Pointer(unsafe.SliceData(b))
			if uintptr(first)%unsafe.Alignof(zero) != 0 {
				return false
			}
			*p = unsafe.Slice((*T)(first), len(b)/size)
			return true
		},
	}
}

// writeSnapshot saves g as the snapshot of version at path, whole or not at all.
func writeSnapshot(path, version string, g *Graph) (err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	removeLeftovers(dir)
	f, err := os.CreateTemp(dir, "graph-*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close(), os.Remove(f.Name()))
		}
	}()
	strs := [3]texts{textsOf(g.relationKeys), textsOf(g.relationTexts), textsOf(g.typeLabels)}
	parts := g.parts(&strs)
	head := snapshotHead{Format: snapshotFormat, Order: snapshotOrder, Sections: uint32(len(parts))}
	copy(head.Magic[:], snapshotMagic)
	copy(head.Version[:], version)
	table := make([]snapshotSection, len(parts))
	at := uint64(binary.Size(head) + binary.Size(table) + 4)
	for i, p := range parts {
		at = (at + snapshotAlign - 1) / snapshotAlign * snapshotAlign
		b := p.bytes()
		table[i] = snapshotSection{Offset: at, Length: uint64(len(b)), Sum: crc32.Checksum(b, castagnoli)}
		at += uint64(len(b))
	}
	w := bufio.NewWriterSize(f, 1<<20)
	top, err := binary.Append(nil, binary.NativeEndian, head)
	if err != nil {
		return err
	}
	if top, err = binary.Append(top, binary.NativeEndian, table); err != nil {
		return err
	}
	top = binary.NativeEndian.AppendUint32(top, crc32.Checksum(top, castagnoli))
	written := uint64(len(top))
	_, _ = w.Write(top) // an error stays in w and comes back from Flush
	for i, p := range parts {
		_, _ = w.Write(make([]byte, table[i].Offset-written))
		_, _ = w.Write(p.bytes())
		written = table[i].Offset + table[i].Length
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// removeLeftovers removes what writers that were killed left behind.
func removeLeftovers(dir string) {
	names, err := filepath.Glob(filepath.Join(dir, "graph-*.tmp"))
	if err != nil {
		return
	}
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && time.Since(info.ModTime()) > time.Hour {
			_ = os.Remove(name)
		}
	}
}

// readSnapshot reads the snapshot at path if it is sound and of version.
func readSnapshot(path, version string) (*Graph, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, errStale
		}
		return nil, err
	}
	var head snapshotHead
	n, err := binary.Decode(b, binary.NativeEndian, &head)
	if err != nil || string(head.Magic[:]) != snapshotMagic || head.Order != snapshotOrder || head.Format != snapshotFormat {
		return nil, fmt.Errorf("%w: its header is not ours", errSnapshot)
	}
	var g Graph
	var strs [3]texts
	parts := g.parts(&strs)
	table := make([]snapshotSection, len(parts))
	if int(head.Sections) != len(parts) {
		return nil, fmt.Errorf("%w: it has %d sections, not %d", errSnapshot, head.Sections, len(parts))
	}
	m, err := binary.Decode(b[n:], binary.NativeEndian, table)
	if err != nil || len(b) < n+m+4 || binary.NativeEndian.Uint32(b[n+m:]) != crc32.Checksum(b[:n+m], castagnoli) {
		return nil, fmt.Errorf("%w: the checksum of its header is wrong", errSnapshot)
	}
	if strings.TrimRight(string(head.Version[:]), "\x00") != version {
		return nil, errStale
	}
	for i, p := range parts {
		sec := table[i]
		if sec.Offset > uint64(len(b)) || sec.Length > uint64(len(b))-sec.Offset {
			return nil, fmt.Errorf("%w: it is cut short", errSnapshot)
		}
		section := b[sec.Offset : sec.Offset+sec.Length]
		if crc32.Checksum(section, castagnoli) != sec.Sum || !p.set(section) {
			return nil, fmt.Errorf("%w: the checksum of section %d is wrong", errSnapshot, i)
		}
	}
	for _, t := range strs {
		if !t.sound() {
			return nil, fmt.Errorf("%w: a name lies outside it", errSnapshot)
		}
	}
	g.relationKeys, g.relationTexts, g.typeLabels = strs[0].list(), strs[1].list(), strs[2].list()
	if !g.sound() {
		return nil, fmt.Errorf("%w: an id lies outside it", errSnapshot)
	}
	return &g, nil
}

// sound reports whether every offset and id of g lies within bounds.
func (g *Graph) sound() bool {
	n, t, r, k := g.labels.size(), len(g.triples), len(g.relationKeys), len(g.typeLabels)
	for _, names := range []*texts{&g.keys, &g.labels, &g.aliases} {
		if !names.sound() {
			return false
		}
	}
	switch {
	case g.keys.size() != n, len(g.literal) != n, len(g.relationTexts) != r,
		!offsets(g.outAt, n, t), !offsets(g.inAt, n, t), len(g.out) != t, len(g.in) != t,
		!offsets(g.aliasAt, n, g.aliases.size()), !offsets(g.typeAt, n, len(g.types)),
		!offsets(g.ofTypeAt, k, len(g.ofType)), len(g.types) != len(g.ofType),
		len(g.extracted) != 0 && len(g.extracted) != (t+63)/64:
		return false
	}
	for _, x := range g.triples {
		if int(x.Head) >= n || int(x.Tail) >= n || int(x.Relation) >= r {
			return false
		}
	}
	for _, edges := range [2][]Edge{g.out, g.in} {
		for _, e := range edges {
			if int(e.Entity) >= n || int(e.Relation) >= r || int(e.Triple) >= t {
				return false
			}
		}
	}
	for i := range g.types {
		if int(g.types[i]) >= k || int(g.ofType[i]) >= n {
			return false
		}
	}
	return true
}

// offsets reports whether at divides size elements into rows.
func offsets(at []uint32, rowCount, size int) bool {
	return len(at) == rowCount+1 && at[0] == 0 && ascending(at) && int(at[rowCount]) == size
}
