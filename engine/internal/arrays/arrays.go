// Package arrays keeps arrays of numbers in a file that can be made anew at any
// time, and reads them where they lie.
//
//	header    magic, format, byte order, length of the tag, number of sections
//	tag       what the arrays were made from
//	table     for each section: offset, length, CRC-32C
//	checksum  CRC-32C of everything above
//	sections  each at a multiple of 64 bytes, as it lies in memory
//
// A file is written whole or not at all, in the byte order of the machine.
// Nothing of it is used before its checksums are right and its tag is the one
// asked for; that the numbers make sense is for the caller to check.
package arrays

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"unsafe"

	"cairn/engine/internal/beside"
	"cairn/engine/internal/mapped"
)

const (
	magic  = "CAIRNARR"
	format = 1
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

// Number is an element of an array: of fixed size, without pointers and gaps.
type Number interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// Bytes views numbers as bytes, which must not be modified.
func Bytes[T Number](s []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(zero)))
}

// Of views the bytes of a section as the numbers that they were.
func Of[T Number](b []byte) ([]T, error) {
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

// Write saves sections at path, whole or not at all.
func Write(path, tag string, sections ...[]byte) (err error) {
	top, err := header(tag, sections)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+"-*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil { // which says it all
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}()
	w := bufio.NewWriterSize(f, 1<<20)
	_, _ = w.Write(top) // an error stays in w and comes back from Flush
	at := uint64(len(top))
	for _, s := range sections {
		_, _ = w.Write(make([]byte, aligned(at)-at))
		_, _ = w.Write(s)
		at = aligned(at) + uint64(len(s))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Chmod(beside.Mode(filepath.Dir(path))); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// header is what comes before the sections.
func header(tag string, sections [][]byte) ([]byte, error) {
	if len(tag) > maxTag || len(sections) > maxSections {
		return nil, fmt.Errorf("arrays: a tag of %d bytes and %d sections are too many", len(tag), len(sections))
	}
	h := head{Format: format, Order: order, Tag: uint32(len(tag)), Sections: uint32(len(sections))}
	copy(h.Magic[:], magic)
	table := make([]section, len(sections))
	at := uint64(binary.Size(h) + len(tag) + binary.Size(table) + 4)
	for i, s := range sections {
		at = aligned(at)
		table[i] = section{Offset: at, Length: uint64(len(s)), Sum: crc32.Checksum(s, castagnoli)}
		at += uint64(len(s))
	}
	top, err := binary.Append(nil, binary.NativeEndian, h)
	if err != nil {
		return nil, err
	}
	top = append(top, tag...)
	if top, err = binary.Append(top, binary.NativeEndian, table); err != nil {
		return nil, err
	}
	return binary.NativeEndian.AppendUint32(top, crc32.Checksum(top, castagnoli)), nil
}

func aligned(at uint64) uint64 { return (at + align - 1) / align * align }

// Open returns the sections of the file at path if it is sound and has the tag:
// ErrStale where the tag is another, ErrDamaged where the file cannot be used.
// Large files are mapped and stay so for as long as the program runs; see
// mapped.Open.
func Open(path, tag string) ([][]byte, error) {
	return OpenChecked(path, tag, func([][]byte) error { return nil })
}

// OpenChecked is Open, where check says whether the sections make sense. It may read
// all of them: what it has looked at does not stay in memory.
func OpenChecked(path, tag string, check func(sections [][]byte) error) ([][]byte, error) {
	f, err := mapped.Open(path)
	if err != nil {
		return nil, err
	}
	sections, err := read(f.Bytes(), tag)
	if err == nil {
		err = check(sections)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	f.Forget()
	return sections, nil
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
	var h head
	n, err := binary.Decode(b, binary.NativeEndian, &h)
	if err != nil || string(h.Magic[:]) != magic || h.Order != order || h.Format != format {
		return nil, fmt.Errorf("%w: its header is not ours", ErrDamaged)
	}
	if h.Tag > maxTag || h.Sections > maxSections {
		return nil, fmt.Errorf("%w: its header is too large", ErrDamaged)
	}
	table := make([]section, h.Sections)
	end := n + int(h.Tag) + binary.Size(table)
	if len(b) < end+4 || binary.NativeEndian.Uint32(b[end:]) != crc32.Checksum(b[:end], castagnoli) {
		return nil, fmt.Errorf("%w: the checksum of its header is wrong", ErrDamaged)
	}
	if got := string(b[n : n+int(h.Tag)]); got != tag && tag != anyTag {
		return nil, ErrStale
	}
	if _, err := binary.Decode(b[n+int(h.Tag):end], binary.NativeEndian, table); err != nil {
		return nil, fmt.Errorf("%w: its table cannot be read", ErrDamaged)
	}
	sections := make([][]byte, len(table))
	for i, s := range table {
		if s.Offset > uint64(len(b)) || s.Length > uint64(len(b))-s.Offset {
			return nil, fmt.Errorf("%w: it is cut short", ErrDamaged)
		}
		sections[i] = b[s.Offset : s.Offset+s.Length : s.Offset+s.Length]
		if crc32.Checksum(sections[i], castagnoli) != s.Sum {
			return nil, fmt.Errorf("%w: the checksum of section %d is wrong", ErrDamaged, i)
		}
	}
	return sections, nil
}
