package nn

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// ErrCheckpoint is returned for bytes that are no weights of this network: cut
// off, changed, or of another one.
var ErrCheckpoint = errors.New("the weights cannot be used")

// checkpointMagic begins every checkpoint; its last byte is the version.
const checkpointMagic = "cairn-nn\x01"

// Weights writes the weights: names, shapes, numbers and a checksum.
func (p *Params) Weights() []byte { return p.write(0, func(i int) []float32 { return p.list[i].Data }) }

// SetWeights reads what Weights wrote into the same network. Where it fails with
// ErrCheckpoint, the weights are as they were.
func (p *Params) SetWeights(b []byte) error {
	_, err := p.read(b, func(i int) []float32 { return p.list[i].Data })
	return err
}

// State writes what the optimiser remembers of the network's weights, with a
// checksum.
func (a *Adam) State(p *Params) []byte {
	a.remember(p)
	first := p.write(a.steps, func(i int) []float32 { return a.mean[i] })
	return append(binary.LittleEndian.AppendUint64(nil, uint64(len(first))), append(first, p.write(a.steps, func(i int) []float32 { return a.square[i] })...)...)
}

// SetState reads what State wrote for the same network, or fails with
// ErrCheckpoint.
func (a *Adam) SetState(p *Params, b []byte) error {
	if len(b) < 8 || binary.LittleEndian.Uint64(b) > uint64(len(b)-8) {
		return fmt.Errorf("%w: they are cut off", ErrCheckpoint)
	}
	n := binary.LittleEndian.Uint64(b)
	next := &Adam{}
	next.remember(p)
	if _, err := p.read(b[8:8+n], func(i int) []float32 { return next.mean[i] }); err != nil {
		return err
	}
	steps, err := p.read(b[8+n:], func(i int) []float32 { return next.square[i] })
	if err != nil {
		return err
	}
	a.steps, a.mean, a.square = steps, next.mean, next.square
	return nil
}

// write writes one number and the numbers of every weight.
func (p *Params) write(number int, of func(i int) []float32) []byte {
	out := binary.LittleEndian.AppendUint64([]byte(checkpointMagic), uint64(number))
	out = append(out, p.shapes()...)
	for i := range p.list {
		for _, x := range of(i) {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
		}
	}
	sum := sha256.Sum256(out)
	return append(out, sum[:]...)
}

// read reads what write wrote for the same weights.
func (p *Params) read(b []byte, of func(i int) []float32) (number int, err error) {
	if !bytes.HasPrefix(b, []byte(checkpointMagic)) {
		return 0, fmt.Errorf("%w: they are of another kind or version", ErrCheckpoint)
	}
	shapes := p.shapes()
	head := len(checkpointMagic) + 8
	if len(b) < head+sha256.Size {
		return 0, fmt.Errorf("%w: they are cut off", ErrCheckpoint)
	}
	body, sum := b[:len(b)-sha256.Size], b[len(b)-sha256.Size:]
	if want := sha256.Sum256(body); !bytes.Equal(sum, want[:]) {
		return 0, fmt.Errorf("%w: they are damaged or cut off, their checksum is wrong", ErrCheckpoint)
	}
	numbers, same := bytes.CutPrefix(body[head:], shapes)
	if !same || len(numbers) != 4*p.Len() {
		return 0, fmt.Errorf("%w: they are of another network", ErrCheckpoint)
	}
	for i := range p.list {
		to := of(i)
		for j := range to {
			to[j] = math.Float32frombits(binary.LittleEndian.Uint32(numbers[4*j:]))
		}
		numbers = numbers[4*len(to):]
	}
	return int(binary.LittleEndian.Uint64(body[len(checkpointMagic):])), nil
}

// shapes names the weights and their sizes.
func (p *Params) shapes() []byte {
	var b bytes.Buffer
	for _, w := range p.list {
		fmt.Fprintf(&b, "%s %d %d\n", w.Name, w.Rows, w.Cols)
	}
	return b.Bytes()
}
