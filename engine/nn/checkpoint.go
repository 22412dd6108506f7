package nn

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
)

// ErrCheckpoint is returned for bytes that are not what the same network wrote: cut
// off, changed, of another network or of another version.
var ErrCheckpoint = errors.New("the weights cannot be used")

// What is written begins with magic and with what it is, and ends with the checksum
// of everything before (CRC-32C). Between them, in little-endian numbers:
//
//	steps, count, then of each weight: length of its name, name, rows, columns, numbers
//
// where there are two sets of numbers of an optimiser, means and means of squares.
const (
	magic       = "cairn.nn1"
	kindWeights = 'w'
	kindAdam    = 'a'
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// numbers are as many as each weight has, by weight.
type numbers func(weight int) []float32

// Weights writes the weights: names, shapes, numbers and a checksum.
func (p *Params) Weights() []byte { return p.write(kindWeights, 0, p.numbers) }

// SetWeights reads what Weights wrote into the same network. Where it fails with
// ErrCheckpoint, the weights are as they were.
func (p *Params) SetWeights(b []byte) error {
	_, err := p.read(b, kindWeights, p.numbers)
	if err == nil {
		p.changes++
	}
	return err
}

func (p *Params) numbers(weight int) []float32 { return p.list[weight].Data }

// State writes what the optimiser of a network remembers, with a checksum. Rate and
// Clip are not in it.
func (a *Adam) State(p *Params) []byte {
	a.remember(p)
	return p.write(kindAdam, a.steps, a.means, a.squares)
}

// SetState reads what State wrote for the same network. Where it fails with
// ErrCheckpoint, the optimiser is as it was.
func (a *Adam) SetState(p *Params, b []byte) error {
	a.remember(p)
	steps, err := p.read(b, kindAdam, a.means, a.squares)
	if err == nil {
		a.steps = steps
	}
	return err
}

func (a *Adam) means(weight int) []float32   { return a.mean[weight] }
func (a *Adam) squares(weight int) []float32 { return a.square[weight] }

func (p *Params) write(kind byte, steps int, sets ...numbers) []byte {
	b := make([]byte, 0, len(magic)+64+4*len(sets)*p.Len()+64*len(p.list))
	b = append(append(b, magic...), kind)
	b = appendLen(appendLen(b, steps), len(p.list))
	for i, w := range p.list {
		b = append(appendLen(b, len(w.Name)), w.Name...)
		b = appendLen(appendLen(b, w.Rows), w.Cols)
		for _, set := range sets {
			for _, x := range set(i) {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
			}
		}
	}
	return seal(b)
}

// read writes to the sets only where nothing is wrong.
func (p *Params) read(b []byte, kind byte, sets ...numbers) (steps int, err error) {
	r, err := unseal(b, kind)
	if err != nil {
		return 0, err
	}
	steps = r.len()
	if n := r.len(); n != len(p.list) {
		return 0, fmt.Errorf("%w: they are of a network with %d weights, and this one has %d", ErrCheckpoint, n, len(p.list))
	}
	var pieces [][]byte
	for i, w := range p.list {
		name, rows, cols := string(r.take(r.len())), r.len(), r.len()
		if !r.cut && (name != w.Name || rows != w.Rows || cols != w.Cols) {
			return 0, fmt.Errorf("%w: weight %d is %q of %d×%d, and %q of %d×%d in this network",
				ErrCheckpoint, i+1, name, rows, cols, w.Name, w.Rows, w.Cols)
		}
		for range sets {
			pieces = append(pieces, r.take(4*len(w.Data)))
		}
	}
	if err := r.end(); err != nil {
		return 0, err
	}
	for i := range p.list {
		for j, set := range sets {
			piece := pieces[i*len(sets)+j]
			for k, dst := 0, set(i); k < len(dst); k++ {
				dst[k] = math.Float32frombits(binary.LittleEndian.Uint32(piece[4*k:]))
			}
		}
	}
	return steps, nil
}

// seal adds the checksum.
func seal(b []byte) []byte {
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

func appendLen(b []byte, n int) []byte { return binary.LittleEndian.AppendUint32(b, uint32(n)) }

// reader takes pieces from bytes; behind their end it takes none, and says so at
// the end.
type reader struct {
	rest []byte
	cut  bool
}

// unseal checks head and checksum, and returns a reader of what is between.
func unseal(b []byte, kind byte) (*reader, error) {
	head := len(magic) + 1
	if len(b) < head+4 || string(b[:len(magic)]) != magic || b[len(magic)] != kind {
		return nil, fmt.Errorf("%w: they are of another kind or version", ErrCheckpoint)
	}
	body, sum := b[:len(b)-4], binary.LittleEndian.Uint32(b[len(b)-4:])
	if crc32.Checksum(body, castagnoli) != sum {
		return nil, fmt.Errorf("%w: they are damaged, for the checksum differs", ErrCheckpoint)
	}
	return &reader{rest: body[head:]}, nil
}

func (r *reader) take(n int) []byte {
	if n > len(r.rest) {
		r.rest, r.cut = nil, true
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) len() int {
	if b := r.take(4); len(b) == 4 {
		return int(binary.LittleEndian.Uint32(b))
	}
	return 0
}

// end reports what was wrong.
func (r *reader) end() error {
	switch {
	case r.cut:
		return fmt.Errorf("%w: they are cut off", ErrCheckpoint)
	case len(r.rest) > 0:
		return fmt.Errorf("%w: there are %d bytes too many", ErrCheckpoint, len(r.rest))
	default:
		return nil
	}
}
