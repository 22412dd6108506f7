package kg

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unsafe"

	"cairn/engine/internal/beside"
	"cairn/engine/internal/mapped"
)

// A snapshot file is the Graph's own arrays, one after another:
//
//	header    magic, format, byte order, version of the graph, number of sections
//	table     for each section: offset, length, checksum
//	checksum  CRC-32C of header and table
//	sections  each at the next multiple of 64 bytes, as it lies in memory
//
// It is written in the byte order of the machine and refused by another, so that
// a reader may use the sections where they lie, mapped rather than read. All of it
// is checked before it is used: the checksums, then that every offset and id stays
// within bounds. A file that fails is made anew.
//
// The names in a mapped file outlive the Graph that they came from, so that it
// stays mapped, and on Windows a mapped file cannot be replaced. So each version
// of the graph has a file of its own; see snapshotPath.
const (
	snapshotMagic  = "CAIRNCSR"
	snapshotFormat = 4 // raised also when what is derived for a snapshot changes, such as the texts of relations
	snapshotAlign  = 64
	snapshotOrder  = 0x01020304
	maxVersionText = 64
)

// snapshotBlock is how many bytes of a section are checked at a time: whole
// elements of every size, and few enough to be still in the cache when the bounds
// are looked at after the checksum.
const snapshotBlock = 3 << 16

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
	Sum            uint32 // CRC-32C of the CRC-32C of each block of it
}

// CacheFolder returns the folder beside the file that holds what can be made
// anew at any time.
func (s *Store) CacheFolder() string { return beside.Folder(s.path) }

// snapshotPath returns the name of the snapshot of a version.
func (s *Store) snapshotPath(version string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", snapshotFormat, version))
	return filepath.Join(s.CacheFolder(), fmt.Sprintf("graph-%x.csr", sum[:8]))
}

// removeStale removes snapshots of other versions than the one at keep, as far as
// that can be done: on Windows one that is in use goes the next time.
func removeStale(dir, keep string) {
	for _, name := range graphFiles(dir, ".csr") {
		if name != filepath.Base(keep) {
			_ = os.Remove(filepath.Join(dir, name))
		}
	}
}

// removeLeftovers removes what writers that were killed left behind.
func removeLeftovers(dir string) {
	for _, name := range graphFiles(dir, ".tmp") {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > time.Hour {
			_ = os.Remove(path)
		}
	}
}

// graphFiles returns the names of the files of snapshots with an ending. The folder
// may be called anything, so that it cannot be part of a pattern.
func graphFiles(dir, ending string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "graph") && strings.HasSuffix(e.Name(), ending) {
			names = append(names, e.Name())
		}
	}
	return names
}

// words are the names of relations and types as a snapshot holds them.
type words struct{ relationKeys, relationTexts, typeLabels texts }

func (g *Graph) words() *words {
	return &words{textsOf(g.relationKeys), textsOf(g.relationTexts), textsOf(g.typeLabels)}
}

// The parts of a snapshot in the order of the file. Reading and writing walk the
// same lists, so they cannot disagree.

func (g *Graph) parts(w *words) []part {
	var list []part
	for _, of := range [][]part{w.parts(), g.nameParts(), g.typeParts(), g.edgeParts()} {
		list = append(list, of...)
	}
	return list
}

func (w *words) parts() []part {
	return textParts(&w.relationKeys, &w.relationTexts, &w.typeLabels)
}

func (g *Graph) nameParts() []part {
	return append(textParts(&g.keys, &g.labels, &g.aliases), offsets(&g.aliasAt), array(&g.literal, nil))
}

func (g *Graph) typeParts() []part {
	return []part{
		offsets(&g.typeAt),
		array(&g.types, func(lo, hi int) bool { return below(g.types[lo:hi], len(g.typeLabels)) }),
		offsets(&g.ofTypeAt),
		array(&g.ofType, func(lo, hi int) bool { return below(g.ofType[lo:hi], g.Entities()) }),
	}
}

func (g *Graph) edgeParts() []part {
	list := []part{array(&g.triples, g.soundTriples), array(&g.extracted, nil)}
	for _, a := range []*adjacency{&g.out, &g.in} {
		list = append(
			list,
			array(&a.at, func(lo, hi int) bool { return ascending(a.at[max(lo-1, 0):hi]) && a.hubsAreThere(lo, hi) }),
			array(&a.edges, func(lo, hi int) bool { return g.soundEdges(a.edges[lo:hi]) }),
			array(&a.hubs, func(lo, hi int) bool { return a.soundHubs(lo, hi, g.Relations()) }),
			offsets(&a.runsAt),
			array(&a.runs, nil), // looked at with the hubs
		)
	}
	return list
}

func textParts(list ...*texts) []part {
	var parts []part
	for _, t := range list {
		parts = append(parts, offsets(&t.at), array(&t.bytes, nil))
	}
	return parts
}

// part is one array seen as bytes, and a way to set it from bytes.
type part struct {
	bytes func() []byte
	set   func(b []byte) bool // false where b is no whole number of elements
	size  int                 // of an element, in bytes
	// sound reports whether the elements from lo to hi lie within bounds, whatever
	// the other arrays hold; nil for elements that may be anything.
	sound func(lo, hi int) bool
}

// array views a slice of fixed-size elements without pointers.
func array[T any](p *[]T, sound func(lo, hi int) bool) part {
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
		size:  size,
		sound: sound,
	}
}

// offsets views a slice of numbers of which none is smaller than the one before.
func offsets[N uint32 | uint64](p *[]N) part {
	return array(p, func(lo, hi int) bool { return ascending((*p)[max(lo-1, 0):hi]) })
}

// snapshotWriter writes a snapshot, whole or not at all.
type snapshotWriter struct {
	path string
	f    *os.File // nil once it is finished
	at   uint64   // how much of the file is written
	head snapshotHead
	// table holds the sections so far; it is written last, in front.
	table []snapshotSection
}

// addSum adds the checksum of the next block to that of a section.
func addSum(section, block uint32) uint32 {
	return crc32.Update(section, castagnoli, binary.NativeEndian.AppendUint32(nil, block))
}

// topSize is the length in bytes of header, table and their checksum.
func topSize(sections int) uint64 {
	return uint64(binary.Size(snapshotHead{}) + sections*binary.Size(snapshotSection{}) + crc32.Size)
}

// align returns the first offset from at on where a section may begin.
func align(at uint64) uint64 { return (at + snapshotAlign - 1) / snapshotAlign * snapshotAlign }

// createSnapshot begins the snapshot of version at path.
func createSnapshot(path, version string) (*snapshotWriter, error) {
	dir := filepath.Dir(path)
	if err := beside.Make(dir); err != nil {
		return nil, err
	}
	removeLeftovers(dir)
	f, err := os.CreateTemp(dir, "graph-*.tmp")
	if err != nil {
		return nil, err
	}
	sections := len(new(Graph).parts(new(words)))
	w := &snapshotWriter{
		path: path, f: f, at: topSize(sections),
		head: snapshotHead{Format: snapshotFormat, Order: snapshotOrder, Sections: uint32(sections)},
	}
	copy(w.head.Magic[:], snapshotMagic)
	copy(w.head.Version[:], version)
	return w, nil
}

// put writes parts, in the order of the file.
func (w *snapshotWriter) put(ctx context.Context, parts []part) error {
	for _, p := range parts {
		b := p.bytes()
		sec := snapshotSection{Offset: align(w.at), Length: uint64(len(b))}
		w.at = sec.Offset // what lies between the sections stays a hole
		for len(b) > 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			block := b[:min(len(b), snapshotBlock)]
			sec.Sum = addSum(sec.Sum, crc32.Checksum(block, castagnoli))
			if _, err := w.f.WriteAt(block, int64(w.at)); err != nil {
				return err
			}
			b = b[len(block):]
			w.at += uint64(len(block))
		}
		w.table = append(w.table, sec)
	}
	return nil
}

// finish puts the file in its place. It need not have reached the disk: what a
// power cut leaves of it has not its checksums.
func (w *snapshotWriter) finish() error {
	top, err := binary.Append(nil, binary.NativeEndian, w.head)
	if err != nil {
		return err
	}
	if top, err = binary.Append(top, binary.NativeEndian, w.table); err != nil {
		return err
	}
	top = binary.NativeEndian.AppendUint32(top, crc32.Checksum(top, castagnoli))
	if _, err := w.f.WriteAt(top, 0); err != nil {
		return err
	}
	// A last section that is empty leaves no bytes of its own.
	if err := w.f.Truncate(int64(w.at)); err != nil {
		return err
	}
	if err := w.f.Chmod(beside.Mode(filepath.Dir(w.path))); err != nil {
		return err
	}
	temp := w.f.Name()
	err = w.f.Close()
	w.f = nil
	if err == nil {
		err = os.Rename(temp, w.path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(temp))
	}
	return err
}

// abort removes what was written of a snapshot that is not finished. It does not
// wait for the system to throw away a large file.
func (w *snapshotWriter) abort() {
	f := w.f
	if f == nil {
		return
	}
	removed := os.Remove(f.Name()) == nil // Windows wants it closed first
	end := func() {
		_ = f.Close()
		if !removed {
			_ = os.Remove(f.Name())
		}
	}
	if w.at < mapped.Least {
		end()
	} else {
		go end()
	}
}
