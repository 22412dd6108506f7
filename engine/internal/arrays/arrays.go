// Package arrays keeps arrays of numbers in a file that can be made anew at any
// time, and reads them where they lie.
//
//	header    magic, format, byte order, length of the tag, number of sections
//	tag       what the arrays were made from
//	table     for each section: offset, length, CRC-32C of the CRC-32C of each block
//	checksum  CRC-32C of everything above
//	sections  each at a multiple of 64 bytes, as it lies in memory
//
// A file is written whole or not at all, in the byte order of the machine.
// Nothing of it is used before its checksums are right and its tag is the one
// asked for; that the numbers make sense is for the caller to check. Parse, Verify
// and Writer are for who makes or checks sections one by one.
package arrays

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"sync/atomic"
	"unsafe"

	"cairn/engine/internal/beside"
	"cairn/engine/internal/mapped"
	"cairn/internal/guard"
	"cairn/internal/wording"
)

const (
	magic  = "CAIRNARR"
	format = 2
	order  = 0x01020304
	align  = 64
	// maxTag and maxSections bound what a damaged header can ask for.
	maxTag      = 4096
	maxSections = 256
)

var (
	// ErrStale is returned for a file that was made from something else.
	ErrStale = errors.New("the file was made from another state of the graph")
	// ErrDamaged is returned for a file that cannot be used.
	ErrDamaged = errors.New("the file is damaged or of another version")
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// head is the header as it lies in the file.
type head struct {
	Magic    [8]byte
	Format   uint32
	Order    uint32
	Tag      uint32
	Sections uint32
}

// section is one entry of the table.
type section struct {
	Offset, Length uint64
	Sum, Zero      uint32
}

// Bytes views numbers as bytes, which must not be modified. An element, here as below, is
// of fixed size, without pointers and gaps.
func Bytes[T any](s []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(zero)))
}

// Of views the bytes of a section as the numbers that they were.
func Of[T any](b []byte) ([]T, error) {
	var zero T
	size := int(unsafe.Sizeof(zero))
	first := unsafe.Pointer(unsafe.SliceData(b))
	if len(b)%size != 0 || uintptr(first)%unsafe.Alignof(zero) != 0 {
		return nil, fmt.Errorf("%w: a section has %d bytes", ErrDamaged, len(b))
	}
	if len(b) == 0 {
		return nil, nil
	}
	return unsafe.Slice((*T)(first), len(b)/size), nil
}

// View is an array as the section of a file that it is. Who writes a file and who reads it
// walk the same list of views, so that they cannot disagree.
type View struct {
	Size  int // of an element, in bytes
	Bytes func() []byte
	Set   func(section []byte) error
}

// ViewOf views an array.
func ViewOf[T any](p *[]T) View {
	var zero T
	return View{
		Size: int(unsafe.Sizeof(zero)), Bytes: func() []byte { return Bytes(*p) },
		Set: func(section []byte) (err error) {
			*p, err = Of[T](section)
			return err
		},
	}
}

// Sections are the sections that views write.
func Sections(views []View) (sections [][]byte) {
	return wording.Each(views, func(v View) []byte { return v.Bytes() })
}

// Set sets views from the sections of a file.
func Set(sections [][]byte, views []View) error {
	if len(sections) != len(views) {
		return fmt.Errorf("%w: it has %d sections, not %d", ErrDamaged, len(sections), len(views))
	}
	for i, v := range views {
		if err := v.Set(sections[i]); err != nil {
			return err
		}
	}
	return nil
}

// Write saves sections at path, whole or not at all.
func Write(path, tag string, sections ...[]byte) error {
	w, err := Create(path, tag, len(sections))
	if err != nil {
		return err
	}
	defer w.Abort()
	if err := w.Put(context.Background(), sections...); err != nil {
		return err
	}
	return w.Finish()
}

// Writer writes a file section by section, whole or not at all.
type Writer struct {
	Size uint64 // of what is written

	path, tag string
	f         *os.File // nil once it is finished
	sections  int
	table     []section // written last, in front
	sum       uint32    // CRC-32C of what was written of the block under way
}

// Create begins the file at path, which will have so many sections.
func Create(path, tag string, sections int) (*Writer, error) {
	if len(tag) > maxTag || sections > maxSections {
		return nil, fmt.Errorf("arrays: a tag of %d bytes and %d sections are too many", len(tag), sections)
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+"-*.tmp")
	if err != nil {
		return nil, err
	}
	return &Writer{Size: topSize(len(tag), sections), path: path, tag: tag, f: f, sections: sections}, nil
}

// Put writes the next sections. What lies between sections stays a hole.
func (w *Writer) Put(ctx context.Context, sections ...[]byte) error {
	for _, b := range sections {
		w.Begin()
		if err := w.Append(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

// Begin begins the next section, which Append writes.
func (w *Writer) Begin() {
	w.end()
	w.Size = aligned(w.Size)
	w.table = append(w.table, section{Offset: w.Size})
}

// Append writes more of the section that Begin began.
func (w *Writer) Append(ctx context.Context, b []byte) error {
	s := &w.table[len(w.table)-1]
	for len(b) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		part := b[:min(uint64(len(b)), block-s.Length%block)]
		if _, err := w.f.WriteAt(part, int64(w.Size)); err != nil {
			return err
		}
		w.sum = crc32.Update(w.sum, castagnoli, part)
		w.Size += uint64(len(part))
		if s.Length += uint64(len(part)); s.Length%block == 0 {
			s.Sum, w.sum = addSum(s.Sum, w.sum), 0
		}
		b = b[len(part):]
	}
	return nil
}

// end finishes the checksum of the last section.
func (w *Writer) end() {
	if n := len(w.table); n > 0 && w.table[n-1].Length%block != 0 {
		w.table[n-1].Sum, w.sum = addSum(w.table[n-1].Sum, w.sum), 0
	}
}

// Finish puts the file in its place. It need not have reached the disk: what a power
// cut leaves of it has not its checksums.
func (w *Writer) Finish() error {
	w.end()
	h := head{Format: format, Order: order, Tag: uint32(len(w.tag)), Sections: uint32(len(w.table))}
	copy(h.Magic[:], magic)
	top, err := binary.Append(nil, binary.NativeEndian, h)
	if err == nil {
		top, err = binary.Append(append(top, w.tag...), binary.NativeEndian, w.table)
	}
	if err != nil || len(w.table) != w.sections {
		return errors.Join(err, fmt.Errorf("arrays: %d sections of %d", len(w.table), w.sections))
	}
	top = binary.NativeEndian.AppendUint32(top, crc32.Checksum(top, castagnoli))
	if _, err := w.f.WriteAt(top, 0); err != nil {
		return err
	}
	// A last section that is empty leaves no bytes of its own.
	if err := w.f.Truncate(int64(w.Size)); err != nil {
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
		return errors.Join(err, os.Remove(temp))
	}
	return nil
}

// Abort removes what was written of a file that is not finished. It does not wait for
// the system to throw away a large one.
func (w *Writer) Abort() {
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
	if w.Size < mapped.Least {
		end()
	} else {
		go end()
	}
}

// block is how many bytes of a section are checked at a time: whole elements of every
// size, and few enough to be still in the cache when they are looked at after the
// checksum.
const block = 3 << 16

// addSum adds the checksum of the next block to that of a section.
func addSum(section, block uint32) uint32 {
	return crc32.Update(section, castagnoli, binary.NativeEndian.AppendUint32(nil, block))
}

// topSize is the length in bytes of what comes before the sections.
func topSize(tag, sections int) uint64 {
	return uint64(binary.Size(head{}) + tag + sections*binary.Size(section{}) + crc32.Size)
}

func aligned(at uint64) uint64 { return (at + align - 1) / align * align }

// Open has use read the sections of the file at path if it is sound and has the tag:
// ErrStale where the tag is another, ErrDamaged where the file cannot be used. use says
// whether the sections make sense. It may read all of them: what it has looked at does
// not stay in memory. Large files are mapped and stay so for as long as the program
// runs; see mapped.Open.
func Open(path, tag string, use func(sections [][]byte) error) error {
	f, err := mapped.Open(path)
	if err != nil {
		return err
	}
	sections, err := read(f.Bytes(), tag)
	if err == nil {
		err = use(sections)
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	f.Forget()
	return nil
}

// anyTag is the tag of no file: with it all are read.
const anyTag = ""

// Verify reports what is wrong with the file at path, whatever it was made from.
func Verify(path string) error {
	f, err := mapped.Open(path)
	if err != nil {
		return err
	}
	_, err = read(f.Bytes(), anyTag)
	return errors.Join(err, f.Close())
}

func read(b []byte, tag string) ([][]byte, error) {
	f, err := Parse(b, tag)
	if err == nil {
		err = f.Verify(context.Background(), 0, len(f.Sections), func(int, int, int) bool { return true })
	}
	return f.Sections, err
}

// File is the content of a file where it lies.
type File struct {
	Sections [][]byte // not to be used before Verify
	sums     []uint32
}

// Parse divides the content of a file into its sections.
func Parse(b []byte, tag string) (f File, err error) {
	var h head
	n, err := binary.Decode(b, binary.NativeEndian, &h)
	if err != nil || string(h.Magic[:]) != magic || h.Order != order || h.Format != format {
		return f, fmt.Errorf("%w: its header is not ours", ErrDamaged)
	}
	if h.Tag > maxTag || h.Sections > maxSections {
		return f, fmt.Errorf("%w: its header is too large", ErrDamaged)
	}
	end := topSize(int(h.Tag), int(h.Sections))
	sum := end - crc32.Size
	if uint64(len(b)) < end || binary.NativeEndian.Uint32(b[sum:]) != crc32.Checksum(b[:sum], castagnoli) {
		return f, fmt.Errorf("%w: the checksum of its header is wrong", ErrDamaged)
	}
	table := make([]section, h.Sections)
	if _, err := binary.Decode(b[n+int(h.Tag):], binary.NativeEndian, table); err != nil {
		return f, fmt.Errorf("%w: its table cannot be read", ErrDamaged)
	}
	if got := string(b[n : n+int(h.Tag)]); got != tag && tag != anyTag {
		return f, ErrStale
	}
	for i, s := range table {
		if s.Offset != aligned(end) || s.Offset > uint64(len(b)) || s.Length > uint64(len(b))-s.Offset {
			return f, fmt.Errorf("%w: section %d lies elsewhere", ErrDamaged, i)
		}
		if gap := b[end:s.Offset]; bytes.Count(gap, []byte{0}) != len(gap) {
			return f, fmt.Errorf("%w: something lies before section %d", ErrDamaged, i)
		}
		end = s.Offset + s.Length
		f.Sections, f.sums = append(f.Sections, b[s.Offset:end:end]), append(f.sums, s.Sum)
	}
	if end != uint64(len(b)) {
		return f, fmt.Errorf("%w: it has a wrong length", ErrDamaged)
	}
	return f, nil
}

// Verify checks that the sections from first to before last have their checksums and
// are sound, block by block, on all processors. sound looks at the bytes from lo to hi
// of a section, whatever the others hold.
func (f File) Verify(ctx context.Context, first, last int, sound func(section, lo, hi int) bool) error {
	type piece struct {
		section, lo, hi int
		sum             uint32
	}
	var pieces []piece
	for i := first; i < last; i++ {
		for lo := 0; lo < len(f.Sections[i]); lo += block {
			pieces = append(pieces, piece{section: i, lo: lo, hi: min(lo+block, len(f.Sections[i]))})
		}
	}
	var unsound atomic.Bool
	err := guard.Each(ctx, len(pieces), func(i int) {
		if unsound.Load() {
			return
		}
		p := &pieces[i]
		p.sum = crc32.Checksum(f.Sections[p.section][p.lo:p.hi], castagnoli)
		if !sound(p.section, p.lo, p.hi) {
			unsound.Store(true)
		}
	})
	if err != nil {
		return err
	}
	if unsound.Load() {
		return fmt.Errorf("%w: a number lies outside it", ErrDamaged)
	}
	sums := make([]uint32, len(f.Sections))
	for _, p := range pieces {
		sums[p.section] = addSum(sums[p.section], p.sum)
	}
	for i := first; i < last; i++ {
		if sums[i] != f.sums[i] {
			return fmt.Errorf("%w: the checksum of section %d is wrong", ErrDamaged, i)
		}
	}
	return nil
}
