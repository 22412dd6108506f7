package index

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"sync/atomic"

	"cairn/engine/internal/arrays"
	"cairn/engine/internal/beside"
	"cairn/engine/internal/mapped"
	"cairn/engine/vec"
)

// The file of a Scan is written from front to back, a block of vectors at a time,
// so that writing needs the memory of one block, whatever the number of vectors:
//
//	header    4,096 bytes, written last
//	blocks    vec.Codes of codeRows vectors each, and of what is left
//	sums      CRC-32C of each block
//
// Everything is in the byte order of the machine, as the codes lie in memory.
const (
	scanMagic  = "CAIRNVEC"
	scanFormat = 1
	scanOrder  = 0x01020304
	// scanTop is the size of the header: a page, so that blocks lie alike in
	// memory and in the file.
	scanTop = 4096
	// maxDims and maxVectors bound what a damaged header can ask for. An id has 32
	// bits.
	maxDims    = 1 << 16
	maxVectors = math.MaxUint32
)

var (
	// ErrStale is returned by OpenScan and OpenHNSW for a file that was made from
	// something else.
	ErrStale = arrays.ErrStale
	// ErrDamaged is returned by OpenScan and OpenHNSW for a file that cannot be
	// used.
	ErrDamaged = arrays.ErrDamaged
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// scanHead is the header as it lies in the file; its last four bytes, at the end
// of the page, are its checksum.
type scanHead struct {
	Magic   [8]byte
	Format  uint32
	Order   uint32
	Dims    uint32
	Block   uint32 // codeRows
	Vectors uint64
	Tag     [sha256.Size]byte // of what the vectors were made from
	Sums    uint32            // CRC-32C of the sums
}

// ScanWriter writes the file of a Scan. It is for one goroutine.
type ScanWriter struct {
	path    string
	dims    int
	tag     string
	f       *os.File
	block   *vec.Codes
	used    int // vectors in block
	vectors int
	sums    []byte
	err     error // the first one; nothing is written after it
}

// CreateScan begins the file of a Scan at path, for vectors of the given number of
// dimensions. tag says what they are made from, and OpenScan asks for the same.
// Nothing is at path before Close.
func CreateScan(path string, dims int, tag string) (*ScanWriter, error) {
	if dims <= 0 || dims > maxDims {
		return nil, fmt.Errorf("write vectors: %d dimensions, want 1 to %d", dims, maxDims)
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+"-*.tmp")
	if err != nil {
		return nil, fmt.Errorf("write vectors: %w", err)
	}
	w := &ScanWriter{path: path, dims: dims, tag: tag, f: f, block: vec.NewCodes(dims, codeRows)}
	if _, err := f.Write(make([]byte, scanTop)); err != nil {
		w.err = fmt.Errorf("write vectors: %w", err)
		return nil, errors.Join(w.err, w.Abort())
	}
	return w, nil
}

// Add writes vectors behind those that are there; the first one is vector 0. It
// returns an error, and writes none of them, where one is not vec.Codable.
//
//	rows (N,D) row-major
func (w *ScanWriter) Add(rows []float32) error {
	if len(rows)%w.dims != 0 {
		panic(badRows)
	}
	if w.err != nil {
		return w.err
	}
	n := len(rows) / w.dims
	if uint64(w.vectors)+uint64(n) > maxVectors {
		return fmt.Errorf("write vectors: more than %d of them", uint64(maxVectors))
	}
	for i := range n {
		if !vec.Codable(rows[i*w.dims : (i+1)*w.dims]) {
			return fmt.Errorf("write vectors: vector %d has numbers that are not finite or too large", w.vectors+i)
		}
	}
	for ; len(rows) > 0; rows = rows[w.dims:] {
		w.block.Put(w.used, rows[:w.dims])
		w.used++
		w.vectors++
		if w.used == codeRows {
			if w.flush(w.block); w.err != nil {
				return w.err
			}
			w.block, w.used = vec.NewCodes(w.dims, codeRows), 0
		}
	}
	return nil
}

const badRows = "index: rows are not a whole number of vectors"

// flush writes a block.
func (w *ScanWriter) flush(block *vec.Codes) {
	w.sums = binary.NativeEndian.AppendUint32(w.sums, crc32.Checksum(block.Bytes(), castagnoli))
	w.write(block.Bytes())
}

func (w *ScanWriter) write(b []byte) {
	if w.err == nil {
		if _, err := w.f.Write(b); err != nil {
			w.err = fmt.Errorf("write vectors: %w", err)
		}
	}
}

// Close finishes the file and puts it at its path, whole; or removes it and
// returns what went wrong.
func (w *ScanWriter) Close() error {
	if w.f == nil {
		return w.err
	}
	if w.used > 0 {
		w.flush(w.block.First(w.used))
	}
	w.write(w.sums)
	if w.err == nil {
		_, w.err = w.f.WriteAt(w.head(), 0)
	}
	if w.err == nil {
		w.err = w.f.Sync()
	}
	if w.err == nil {
		w.err = w.f.Chmod(beside.Mode(filepath.Dir(w.path)))
	}
	if w.err != nil {
		return errors.Join(w.err, w.Abort())
	}
	name := w.f.Name()
	w.err = w.f.Close()
	w.f = nil
	if w.err == nil {
		w.err = os.Rename(name, w.path)
	}
	if w.err != nil {
		w.err = errors.Join(fmt.Errorf("write vectors: %w", w.err), os.Remove(name))
	}
	return w.err
}

// Abort removes what was written. After Close it does nothing.
func (w *ScanWriter) Abort() error {
	if w.f == nil {
		return nil
	}
	err := errors.Join(w.f.Close(), os.Remove(w.f.Name()))
	w.f = nil
	if w.err == nil {
		w.err = errors.New("write vectors: aborted")
	}
	return err
}

func (w *ScanWriter) head() []byte {
	h := scanHead{
		Format: scanFormat, Order: scanOrder, Dims: uint32(w.dims), Block: codeRows, Vectors: uint64(w.vectors),
		Tag: sha256.Sum256([]byte(w.tag)), Sums: crc32.Checksum(w.sums, castagnoli),
	}
	copy(h.Magic[:], scanMagic)
	top, err := binary.Append(nil, binary.NativeEndian, h)
	if err != nil {
		panic(err) // a struct of fixed size always fits
	}
	top = append(top, make([]byte, scanTop-len(top))...)
	binary.NativeEndian.PutUint32(top[scanTop-4:], crc32.Checksum(top[:scanTop-4], castagnoli))
	return top
}

// OpenScan returns the index in the file at path, which stays where it is: what is
// looked at is in memory for as long as there is room. The file stays mapped for as
// long as the program runs; one that replaces it has another name.
//
// All of it is checked on all processors, which takes about as long as reading it
// once. The error is ErrStale where the file was made for another tag, ErrDamaged
// where it is not whole or not ours, and one of the file system where there is none.
func OpenScan(path, tag string) (*Scan, error) {
	f, err := mapped.Open(path)
	if err != nil {
		return nil, err
	}
	s, err := readScan(f.Bytes(), tag)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("vectors in %s, which can be removed and are then made anew: %w", path, err), f.Close())
	}
	f.Forget()
	return s, nil
}

// anyTag is the tag of no file: with it all are read.
const anyTag = ""

// Verify reports what is wrong with the file of a Scan, whatever it was made from.
func Verify(path string) error {
	f, err := mapped.Open(path)
	if err != nil {
		return err
	}
	_, err = readScan(f.Bytes(), anyTag)
	return errors.Join(err, f.Close())
}

// readScan returns the index in the bytes of a file, which it keeps.
func readScan(b []byte, tag string) (*Scan, error) {
	var h scanHead
	_, err := binary.Decode(b, binary.NativeEndian, &h)
	if err != nil || len(b) < scanTop || string(h.Magic[:]) != scanMagic || h.Format != scanFormat || h.Order != scanOrder {
		return nil, fmt.Errorf("%w: its header is not ours", ErrDamaged)
	}
	if binary.NativeEndian.Uint32(b[scanTop-4:]) != crc32.Checksum(b[:scanTop-4], castagnoli) {
		return nil, fmt.Errorf("%w: the checksum of its header is wrong", ErrDamaged)
	}
	if h.Dims == 0 || h.Dims > maxDims || h.Block != codeRows || h.Vectors > maxVectors {
		return nil, fmt.Errorf("%w: its header has numbers that cannot be", ErrDamaged)
	}
	if tag != anyTag && h.Tag != sha256.Sum256([]byte(tag)) {
		return nil, ErrStale
	}
	blocks, sums, ok := cut(b, int(h.Dims), h.Vectors)
	if !ok {
		return nil, fmt.Errorf("%w: it is cut short or too long", ErrDamaged)
	}
	if h.Sums != crc32.Checksum(sums, castagnoli) {
		return nil, fmt.Errorf("%w: the checksum of its checksums is wrong", ErrDamaged)
	}
	var wrong atomic.Int64
	spread(len(blocks), func(i int) {
		if crc32.Checksum(blocks[i].Bytes(), castagnoli) != binary.NativeEndian.Uint32(sums[4*i:]) {
			wrong.Store(int64(i) + 1)
		}
	})
	if i := wrong.Load(); i > 0 {
		return nil, fmt.Errorf("%w: the checksum of block %d is wrong", ErrDamaged, i-1)
	}
	return &Scan{rows: rows{n: int(h.Vectors), dims: int(h.Dims), blocks: blocks}}, nil
}

// cut returns the blocks of so many vectors and their checksums, if the file is as
// long as they are.
func cut(b []byte, dims int, vectors uint64) (blocks []*vec.Codes, sums []byte, ok bool) {
	whole, rest := vectors/codeRows, int(vectors%codeRows)
	n := whole
	size := scanTop + whole*uint64(vec.CodesSize(dims, codeRows))
	if rest > 0 {
		n++
		size += uint64(vec.CodesSize(dims, rest))
	}
	if size += 4 * n; size != uint64(len(b)) {
		return nil, nil, false
	}
	blocks = make([]*vec.Codes, 0, n)
	b = b[scanTop:]
	for left := int(vectors); left > 0; left -= codeRows {
		count := min(left, codeRows)
		size := vec.CodesSize(dims, count)
		blocks = append(blocks, vec.CodesIn(b[:size:size], dims, count))
		b = b[size:]
	}
	return blocks, b, true
}
