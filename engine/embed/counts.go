package embed

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"cairn/engine/internal/arrays"
	"cairn/engine/lexicon"
	"cairn/internal/guard"
)

// counts are what a Lexical learns from labels: how many of them have each
// feature of a word. They do not depend on the order of the labels, nor on the
// lexicon.
type counts struct {
	labels uint32
	of     []uint32 // indexed by a feature's hash mod idfSize
}

// counter counts the features of labels. A feature that a label has twice counts
// once: last[h] is the latest label that has it.
type counter struct {
	counts
	last   []uint32
	tokens []lexicon.Token
	hashes []uint64
}

func newCounter() *counter {
	return &counter{counts: counts{of: make([]uint32, idfSize)}, last: make([]uint32, idfSize)}
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

// OpenLexical is NewLexical for n labels, which are counted on all processors. What is
// learnt from them is kept in a folder, for a large graph has millions of them. label
// must be safe for concurrent use; progress, which may be nil, is told how many labels
// are done, on the caller's goroutine. The only error is the context's.
func OpenLexical(ctx context.Context, n int, label func(i int) string, lex *lexicon.Lexicon, kept arrays.Folder, progress func(done, total int64)) (*Lexical, error) {
	tag := fmt.Sprintf("words 2.%d of %s", lexicalVersion, kept.Version)
	path := kept.Path("words", "", "counts")
	if !kept.Nowhere() {
		var c counts
		if err := arrays.Open(path, tag, c.set); err == nil {
			return newLexical(&c, lex), nil
		}
	}
	c, err := count(ctx, n, label, progress)
	if err != nil {
		return nil, err
	}
	if !kept.Nowhere() {
		kept.Prune("words")
		_ = arrays.Write(path, tag, arrays.Sections(c.views(&[]uint32{c.labels}))...) // what cannot be kept is learnt again
	}
	return newLexical(c, lex), nil
}

// views are the arrays of a file; labels holds their number alone.
func (c *counts) views(labels *[]uint32) []arrays.View {
	return []arrays.View{arrays.ViewOf(labels), arrays.ViewOf(&c.of)}
}

// set reads the sections of a file.
func (c *counts) set(sections [][]byte) error {
	var labels []uint32
	if err := arrays.Set(sections, c.views(&labels)); err != nil {
		return err
	}
	if len(labels) != 1 || len(c.of) != idfSize || slices.Max(c.of) > labels[0] {
		return arrays.ErrDamaged
	}
	c.labels = labels[0]
	return nil
}

// count counts the features of n labels.
func count(ctx context.Context, n int, label func(i int) string, progress func(done, total int64)) (*counts, error) {
	workers := max(1, min(runtime.GOMAXPROCS(0), n/countedAtOnce))
	counters := make([]*counter, workers)
	for w := range counters {
		counters[w] = newCounter()
	}
	err := guard.Share(ctx, workers, n, countedAtOnce, func(worker, from, to int) {
		for i := from; i < to; i++ {
			counters[worker].add(label(i))
		}
		if worker == 0 && progress != nil {
			progress(int64(to), int64(n))
		}
	})
	if err != nil {
		return nil, err
	}
	sum := &counters[0].counts
	for _, c := range counters[1:] {
		sum.labels += c.labels
		for i, n := range c.of {
			sum.of[i] += n
		}
	}
	return sum, nil
}
