// Package gguf writes GGUF files, the form in which a model server takes a model.
//
// File is one in the making: metadata, then tensors, whose numbers are converted
// to the type that they are kept in (Add) or are in it already (AddRaw).
package gguf

import (
	"encoding/binary"
	"fmt"
	"math"
)

// The types of a tensor's numbers, as GGUF numbers them.
const (
	F32  Type = 0
	F16  Type = 1
	Q4_0 Type = 2 // blocks of 32: a scale in half precision, then 16 bytes of two numbers each; only as it is
	Q8_0 Type = 8 // blocks of 32: a scale in half precision, then 32 signed bytes
)

// Type is the type of a tensor's numbers.
type Type uint32

// GGUF version 3 (github.com/ggml-org/ggml, docs/gguf.md): all little-endian,
// tensors aligned.
const (
	ggufMagic     = "GGUF"
	ggufVersion   = 3
	ggufAlignment = 32
)

// The types of a metadata value.
const (
	kindUint8   = 0
	kindUint32  = 4
	kindInt32   = 5
	kindFloat32 = 6
	kindBool    = 7
	kindString  = 8
	kindArray   = 9
)

// File is a GGUF file in the making: metadata, then tensors. The zero value is
// empty and ready.
type File struct {
	keys    []string
	values  []any
	tensors []tensor
}

type tensor struct {
	name string
	typ  Type
	dims []int
	data []float32
	raw  []byte // instead of data
}

// Set adds a metadata value: a uint32, int32, float32, bool or string, or a slice
// of byte, int32, float32 or string. It panics on any other.
func (f *File) Set(key string, value any) {
	switch value.(type) {
	case uint32, int32, float32, bool, string, []byte, []int32, []float32, []string:
	default:
		panic(fmt.Sprintf("gguf: %s: GGUF has no %T", key, value))
	}
	f.keys = append(f.keys, key)
	f.values = append(f.values, value)
}

// Add adds a tensor. dims are in GGUF's order: the first is the one whose numbers
// lie beside each other, so that a matrix of out rows by in columns has the dims
// in, out. data is kept, not copied.
func (f *File) Add(name string, typ Type, data []float32, dims ...int) {
	if n := product(dims); n != len(data) {
		panic(fmt.Sprintf("gguf: %s: %d numbers for the dims %v", name, len(data), dims))
	}
	if typ == Q4_0 {
		panic(fmt.Sprintf("gguf: %s: numbers are not converted to four bits here", name))
	}
	if typ == Q8_0 && dims[0]%quantBlock != 0 {
		panic(fmt.Sprintf("gguf: %s: rows of %d numbers are no whole blocks of %d", name, dims[0], quantBlock))
	}
	f.tensors = append(f.tensors, tensor{name: name, typ: typ, dims: dims, data: data})
}

// AddRaw is Add for numbers that are in the file's own form already. raw is kept, not
// copied.
func (f *File) AddRaw(name string, typ Type, raw []byte, dims ...int) {
	if want := typ.size(product(dims)); want != len(raw) {
		panic(fmt.Sprintf("gguf: %s: %d bytes for the dims %v, want %d", name, len(raw), dims, want))
	}
	f.tensors = append(f.tensors, tensor{name: name, typ: typ, dims: dims, raw: raw})
}

func product(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}

// Parameters returns how many numbers the tensors hold.
func (f *File) Parameters() int {
	n := 0
	for _, t := range f.tensors {
		n += product(t.dims)
	}
	return n
}

// Bytes writes the file.
func (f *File) Bytes() []byte {
	le := binary.LittleEndian
	b := append([]byte(nil), ggufMagic...)
	b = le.AppendUint32(b, ggufVersion)
	b = le.AppendUint64(b, uint64(len(f.tensors)))
	b = le.AppendUint64(b, uint64(len(f.keys)))
	for i, key := range f.keys {
		b = appendString(b, key)
		b = appendValue(b, f.values[i])
	}
	offset := 0
	for _, t := range f.tensors {
		b = appendString(b, t.name)
		b = le.AppendUint32(b, uint32(len(t.dims)))
		for _, d := range t.dims {
			b = le.AppendUint64(b, uint64(d))
		}
		b = le.AppendUint32(b, uint32(t.typ))
		b = le.AppendUint64(b, uint64(offset))
		offset += aligned(t.typ.size(product(t.dims)))
	}
	b = align(b)
	for _, t := range f.tensors {
		b = align(t.append(b))
	}
	return b
}

func appendString(b []byte, s string) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(len(s)))
	return append(b, s...)
}

func appendValue(b []byte, value any) []byte {
	le := binary.LittleEndian
	array := func(kind uint32, n int) {
		b = le.AppendUint32(b, kindArray)
		b = le.AppendUint32(b, kind)
		b = le.AppendUint64(b, uint64(n))
	}
	switch v := value.(type) {
	case uint32:
		return le.AppendUint32(le.AppendUint32(b, kindUint32), v)
	case int32:
		return le.AppendUint32(le.AppendUint32(b, kindInt32), uint32(v))
	case float32:
		return le.AppendUint32(le.AppendUint32(b, kindFloat32), math.Float32bits(v))
	case bool:
		b = le.AppendUint32(b, kindBool)
		if v {
			return append(b, 1)
		}
		return append(b, 0)
	case string:
		return appendString(le.AppendUint32(b, kindString), v)
	case []byte:
		array(kindUint8, len(v))
		b = append(b, v...)
	case []int32:
		array(kindInt32, len(v))
		for _, n := range v {
			b = le.AppendUint32(b, uint32(n))
		}
	case []float32:
		array(kindFloat32, len(v))
		for _, x := range v {
			b = le.AppendUint32(b, math.Float32bits(x))
		}
	case []string:
		array(kindString, len(v))
		for _, s := range v {
			b = appendString(b, s)
		}
	}
	return b
}

func aligned(n int) int { return (n + ggufAlignment - 1) / ggufAlignment * ggufAlignment }

func align(b []byte) []byte { return append(b, make([]byte, aligned(len(b))-len(b))...) }
