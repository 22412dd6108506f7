// Package mapped reads large files of ours where they lie: their pages come in
// when they are looked at and leave when memory is short, so that a file of
// gigabytes is open at once and costs what is used of it.
package mapped

import (
	"errors"
	"fmt"
	"io"
	"os"
	"unsafe"
)

// File is the content of a file, to be read only. It is safe for concurrent use.
type File struct {
	data   []byte
	mapped bool
}

// Least is the size, in bytes, from which Open maps a file. A smaller one is
// read: that takes no longer, frees itself, and is indifferent to what becomes of
// the file.
const Least = 64 << 20

// Open opens the file at path for reading. Nobody may write into it afterwards
// (a file of ours is replaced, never changed): of one that is cut short the
// missing pages cannot be read, and the program ends.
func Open(path string) (*File, error) { return open(path, Least) }

func open(path string, least int64) (_ *File, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	size := info.Size()
	if int64(int(size)) != size {
		return nil, fmt.Errorf("read %s: %d bytes are more than this computer can address", path, size)
	}
	if size >= least && size > 0 {
		if data, err := mapFile(f, int(size)); err == nil {
			return &File{data: data, mapped: true}, nil
		}
		// A file system that cannot map can still be read.
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return &File{data: data}, nil
}

// Bytes returns the content, which must not be modified: a write into a mapped
// file ends the program.
func (f *File) Bytes() []byte { return f.data }

// Mapped reports whether the content is mapped rather than read.
func (f *File) Mapped() bool { return f.mapped }

// Forget lets go of the memory that the pages of a mapped file take. They come in
// again when they are looked at: whoever has read a file once from end to end, to
// check it, keeps what is used of it and no more.
func (f *File) Forget() {
	if f.mapped && f.data != nil {
		forget(f.data)
	}
}

// ForgetPart is Forget for a part of Bytes, as far as whole pages lie in it.
func (f *File) ForgetPart(part []byte) {
	if !f.mapped || len(part) == 0 {
		return
	}
	page := uintptr(os.Getpagesize())
	first := uintptr(unsafe.Pointer(unsafe.SliceData(part)))
	lo := (first+page-1)/page*page - first
	if hi := (first+uintptr(len(part)))/page*page - first; lo < hi && hi <= uintptr(len(part)) {
		forget(part[lo:hi])
	}
}

// Close gives the content back. Nothing that Bytes returned may be used any
// more; whoever has handed parts of it out, such as names, never closes.
func (f *File) Close() error {
	data := f.data
	f.data = nil
	if !f.mapped || data == nil {
		return nil
	}
	return unmap(data)
}
