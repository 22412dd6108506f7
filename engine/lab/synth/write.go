package synth

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"cairn/internal/guard"
)

// The predicates of labels and types, and the language-independent parts of lines.
const (
	labelOpen = "> <http://www.w3.org/2000/01/rdf-schema#label> \""
	typeOpen  = "> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <" + ontology
)

// blockSize is the number of entities that are written as one member of the gzip
// file: large enough to compress well, small enough for many cores to share.
const blockSize = 8192

// Progress is told how many of the entities are written. It is called in order,
// from one goroutine at a time, and must return quickly.
type Progress func(done, total int)

// WriteNTriples writes the world as N-Triples, compressed: a gzip file of many
// members, which any reader of gzip joins. Each subject has its label, its type
// and its edges; then come the labels of the types. The text follows from the
// options alone, and its compressed bytes from them and the release of Go. The
// memory it takes is that of a few blocks and about eight bytes an entity for the
// census. It returns ctx.Err() when ctx is done.
func (w *World) WriteNTriples(ctx context.Context, out io.Writer, progress Progress) (*Census, error) {
	c := newCensus(w)
	blocks := (w.subjects + blockSize - 1) / blockSize
	err := w.inOrder(ctx, blocks+1, func(k *blockWriter, i int) ([]byte, error) {
		if i == blocks {
			return k.types()
		}
		return k.block(c, i*blockSize, min((i+1)*blockSize, w.subjects))
	}, func(i int, b []byte) error {
		c.bytes += int64(len(b))
		if progress != nil {
			progress(min((i+1)*blockSize, w.subjects), w.subjects)
		}
		_, err := out.Write(b)
		return err
	})
	if err != nil {
		return nil, err
	}
	c.finish()
	return c, nil
}

// inOrder makes blocks on all processors and hands them to emit in order. At most
// two a processor are in memory.
func (w *World) inOrder(ctx context.Context, blocks int, mk func(*blockWriter, int) ([]byte, error), emit func(int, []byte) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	workers := runtime.GOMAXPROCS(0)
	slots := make([]chan []byte, min(2*workers, blocks))
	for i := range slots {
		slots[i] = make(chan []byte, 1)
	}
	room := make(chan struct{}, len(slots))
	var next atomic.Int64
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel(nil) // before waiting
	for range workers {
		wg.Go(func() {
			k := newBlockWriter(w)
			for {
				select {
				case <-ctx.Done():
					return
				case room <- struct{}{}:
				}
				i := int(next.Add(1) - 1)
				if i >= blocks {
					return
				}
				b, err := guard.Get(func() ([]byte, error) { return mk(k, i) })
				if err != nil {
					cancel(err)
					return
				}
				slots[i%len(slots)] <- b
			}
		})
	}
	for i := range blocks {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case b := <-slots[i%len(slots)]:
			if err := emit(i, b); err != nil {
				return err
			}
			<-room
		}
	}
	return ctx.Err()
}

// blockWriter writes blocks, one after the other.
type blockWriter struct {
	w     *World
	walk  *walker
	edges []edge
	lines []byte
	key   []byte
	gz    *gzip.Writer
}

func newBlockWriter(w *World) *blockWriter {
	gz, err := gzip.NewWriterLevel(io.Discard, gzip.BestSpeed)
	if err != nil {
		panic(err) // the level is a known one
	}
	return &blockWriter{w: w, walk: w.newWalker(), gz: gz}
}

// flushSize is how much text is handed to the compressor at once.
const flushSize = 64 << 10

// block returns the lines of entities [from, to), compressed.
func (k *blockWriter) block(c *Census, from, to int) ([]byte, error) {
	var out bytes.Buffer
	out.Grow(1 << 20)
	k.gz.Reset(&out)
	t := newTally(k.w)
	for e := from; e < to; e++ {
		k.subject(c, t, k.w.place(e))
		if err := k.flush(flushSize); err != nil {
			return nil, err
		}
	}
	c.add(t)
	return k.member(&out)
}

// types returns the labels of the types, compressed.
func (k *blockWriter) types() ([]byte, error) {
	var out bytes.Buffer
	k.gz.Reset(&out)
	for _, t := range k.w.types {
		if t.family >= 0 {
			k.lines = append(append(append(append(k.lines, '<'), ontology...), t.name...), labelOpen...)
			k.lines = append(append(k.lines, t.words...), "\"@en .\n"...)
		}
	}
	return k.member(&out)
}

// member ends a member of the gzip file.
func (k *blockWriter) member(out *bytes.Buffer) ([]byte, error) {
	if err := k.flush(0); err != nil {
		return nil, err
	}
	if err := k.gz.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// flush compresses the lines once they are more than size bytes.
func (k *blockWriter) flush(size int) error {
	if len(k.lines) < size {
		return nil
	}
	_, err := k.gz.Write(k.lines)
	k.lines = k.lines[:0]
	return err
}

// subject writes the lines of a place.
func (k *blockWriter) subject(c *Census, t *tally, place int) {
	w := k.w
	ty := w.typeOf(place)
	k.key = w.appendKey(append(k.key[:0], '<'), place)
	subject := k.key

	k.lines = append(append(k.lines, subject...), labelOpen...)
	at := len(k.lines)
	k.lines = w.appendLabel(k.lines, place)
	c.label(k.lines[at:])
	tag := language(k.lines[at:])
	k.lines = escapeQuotes(k.lines, at)
	k.lines = append(append(append(k.lines, "\"@"...), tag...), " .\n"...)

	k.lines = append(append(append(k.lines, subject...), typeOpen...), w.types[ty].name...)
	k.lines = append(k.lines, "> .\n"...)

	k.edges = k.walk.edges(k.edges[:0], place)
	t.count(ty, k.edges)
	for _, e := range k.edges {
		c.in(e.tail)
		k.lines = append(append(append(k.lines, subject...), "> <"+ontology...), w.relations[e.relation]...)
		if e.tail < w.subjects {
			k.lines = w.appendKey(append(k.lines, "> <"...), e.tail)
			k.lines = append(k.lines, "> .\n"...)
		} else {
			k.lines = w.appendKey(append(k.lines, "> "...), e.tail)
			k.lines = append(k.lines, " .\n"...)
		}
	}
}

// escapeQuotes writes the quotation marks of b[at:] as N-Triples does.
func escapeQuotes(b []byte, at int) []byte {
	n := bytes.Count(b[at:], []byte{'"'})
	if n == 0 {
		return b
	}
	text := append([]byte(nil), b[at:]...)
	b = b[:at]
	for _, c := range text {
		if c == '"' {
			b = append(b, '\\')
		}
		b = append(b, c)
	}
	return b
}
