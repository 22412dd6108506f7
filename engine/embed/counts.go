package embed

import (
	"context"
	"encoding/binary"
	"errors"
	"runtime"
	"sync/atomic"

	"cairn/engine/lexicon"
	"cairn/internal/guard"
)

// Counts are what a Lexical learns from labels: how many of them have each
// feature of a word. They do not depend on the order of the labels, nor on the
// lexicon.
type Counts struct {
	labels uint32
	of     []uint32 // indexed by a feature's hash mod idfSize
}

// counter counts the features of labels. A feature that a label has twice counts
// once: last[h] is the latest label that has it.
type counter struct {
	Counts
	last   []uint32
	tokens []lexicon.Token
	hashes []uint64
}

func newCounter() *counter {
	return &counter{Counts: Counts{of: make([]uint32, idfSize)}, last: make([]uint32, idfSize)}
}

func (c *counter) add(label string) {
	c.labels++
	c.tokens = lexicon.AppendTokens(c.tokens[:0], label)
	for _, t := range c.tokens[:min(len(c.tokens), maxTextTokens)] {
		c.hashes = appendCounted(c.hashes[:0], t.Lower)
		for _, h := range c.hashes {
			if at := h % idfSize; c.last[at] != c.labels {
				c.last[at] = c.labels
				c.of[at]++
			}
		}
	}
}

// countedAtOnce is how many labels are counted between two looks at the context,
// some 5 ms.
const countedAtOnce = 4096

// Count counts the features of n labels on all processors. label must be safe for
// concurrent use; progress, which may be nil, is told how many labels are done,
// on the caller's goroutine. The only error is the context's.
func Count(ctx context.Context, n int, label func(i int) string, progress func(done, total int64)) (*Counts, error) {
	workers := max(1, min(runtime.GOMAXPROCS(0), n/countedAtOnce))
	counters := make([]*counter, workers)
	var next atomic.Int64
	work := func(w int, told func(done, total int64)) {
		c := newCounter()
		counters[w] = c
		for ctx.Err() == nil {
			to := int(next.Add(countedAtOnce))
			from := to - countedAtOnce
			if from >= n {
				return
			}
			to = min(to, n)
			for i := from; i < to; i++ {
				c.add(label(i))
			}
			if told != nil {
				told(int64(to), int64(n))
			}
		}
	}
	var wg guard.Group
	for w := 1; w < workers; w++ {
		wg.Go(func() { work(w, nil) })
	}
	work(0, progress)
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	sum := &counters[0].Counts
	for _, c := range counters[1:] {
		sum.labels += c.labels
		for i, n := range c.of {
			sum.of[i] += n
		}
	}
	return sum, nil
}

// MarshalBinary writes the counts, 1 MB in little-endian order: the number of
// labels, then the counts.
func (c *Counts) MarshalBinary() ([]byte, error) {
	b := make([]byte, 0, 4*(1+idfSize))
	b = binary.LittleEndian.AppendUint32(b, c.labels)
	for _, n := range c.of {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return b, nil
}

// errCounts is returned for bytes that no Counts wrote.
var errCounts = errors.New("counts of words are damaged or of another version")

// UnmarshalBinary reads what MarshalBinary wrote.
func (c *Counts) UnmarshalBinary(b []byte) error {
	if len(b) != 4*(1+idfSize) {
		return errCounts
	}
	labels, of := binary.LittleEndian.Uint32(b), make([]uint32, idfSize)
	for i := range of {
		if of[i] = binary.LittleEndian.Uint32(b[4*(i+1):]); of[i] > labels {
			return errCounts
		}
	}
	c.labels, c.of = labels, of
	return nil
}

// CountsVersion is raised with any change to what is counted; counts of another
// version are of no use.
const CountsVersion = lexicalVersion
