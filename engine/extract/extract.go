// Package extract reads texts with a language model: what they say, as triples of
// names, each with the place that says it.
//
//	Document   a text file; hides from models what is no prose
//	Extractor  document ─cut─▶ chunks ─prompt─▶ replies ─check─▶ statements
//	Proposal   what a name of the statements may mean in a graph
//
// A model only proposes. Every triple of a reply is compared with the text, word
// by word and without a model: its quote and both of its names must stand there.
// What fails is kept as invalid with its reason; what stands in a sentence that
// denies, hedges or asks is kept with a doubt. Nothing enters a graph before a
// person adds it.
package extract

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"cairn/engine/kg"
	"cairn/engine/llm"
)

// Options are the choices of an Extractor; the zero value is the default.
type Options struct {
	// ChunkTokens is how long a part of a text is, in tokens by estimate. Small
	// models overlook less in shorter parts; longer ones take fewer requests.
	//
	// The default value is 600, a third of a page.
	ChunkTokens int
	// ReplyTokens bounds the reply for one part. A part whose reply does not fit
	// is cut in two.
	//
	// The default value is 2048.
	ReplyTokens int
	// Logger is told of every part at debug level. The default discards.
	Logger *slog.Logger
}

func (o *Options) setDefaults() {
	if o.ChunkTokens <= 0 {
		o.ChunkTokens = 600
	}
	if o.ReplyTokens <= 0 {
		o.ReplyTokens = 2048
	}
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
}

// Extractor reads documents with one model. It is safe for concurrent use where
// the model is.
type Extractor struct {
	model      llm.Model
	opts       Options
	vocabulary vocabulary
}

// NewExtractor returns an Extractor that asks m, and tells it how g calls things.
func NewExtractor(m llm.Model, g *kg.Graph, o Options) *Extractor {
	o.setDefaults()
	return &Extractor{model: m, opts: o, vocabulary: describe(g)}
}

// maxFailures is how many parts may fail in a row before a run ends: then it is
// the model that fails, not the text.
const maxFailures = 5

// leastPart is how many times shorter than it should be a part may get. A model
// that still does not come to an end then, does not with one sentence either.
const leastPart = 4

// Run reads what was not yet read of a document and stages what it says, part by
// part: a run that was cut short goes on where it was, and parts that failed are
// tried again. progress, which may be nil, is told the parts read and their
// number. The document is returned as it then stands, also with an error.
func (x *Extractor) Run(ctx context.Context, st *kg.Store, d *Document, progress func(done, total int64)) (kg.Document, error) {
	staged, err := st.StageDocument(ctx, kg.Document{
		Name: d.Name, File: d.Path, Hash: d.Hash, Bytes: int64(len(d.Text)), Model: x.model.Name(), Began: time.Now(),
	}, d.chunks(x.opts.ChunkTokens))
	if err != nil {
		return staged, err
	}
	err = x.readAll(ctx, st, d, staged.ID, progress)
	// How it now stands is told after a cancel too.
	now, docErr := st.Document(context.WithoutCancel(ctx), staged.ID)
	return now, errors.Join(err, docErr)
}

// Beginning has the model read the first part of a document, and keeps nothing.
func (x *Extractor) Beginning(ctx context.Context, d *Document) ([]kg.Statement, error) {
	return x.read(ctx, d, &d.chunks(x.opts.ChunkTokens)[0]) // New refuses what has no word
}

func (x *Extractor) readAll(ctx context.Context, st *kg.Store, d *Document, id int64, progress func(done, total int64)) error {
	chunks, err := st.Chunks(ctx, id)
	if err != nil {
		return err
	}
	todo := slices.DeleteFunc(slices.Clone(chunks), func(c kg.Chunk) bool { return c.State == kg.ChunkRead })
	total, failures := len(chunks), 0
	for len(todo) > 0 {
		if progress != nil {
			progress(int64(total-len(todo)), int64(total))
		}
		c := todo[0]
		says, err := x.read(ctx, d, &c)
		if err != nil && (ctx.Err() != nil || llm.Lasting(err)) {
			return err
		}
		if at, ok := d.halves(c); ok && tooLong(err) && d.size(span{int(c.Start), int(c.End)}) > x.opts.ChunkTokens/leastPart {
			if err := st.SplitChunk(ctx, id, c, at); err != nil {
				return err
			}
			// Neither half was asked for before; the first carries what was spent.
			second := kg.Chunk{Start: at, End: c.End}
			c.End, c.Tries = at, 0
			todo = slices.Replace(todo, 0, 1, c, second)
			total++
			continue
		}
		if err != nil {
			c.State, c.Problem = kg.ChunkFailed, err.Error()
			failures++
		} else {
			c.State, c.Problem = kg.ChunkRead, ""
			failures = 0
		}
		if err := st.StageChunk(ctx, id, c, says); err != nil {
			return err
		}
		if failures == maxFailures {
			return fmt.Errorf("%s failed on %d parts of %s in a row, most recently: %w", x.model.Name(), failures, d.Name, err)
		}
		todo = todo[1:]
	}
	if progress != nil {
		progress(int64(total), int64(total))
	}
	return nil
}

// tooLong reports whether a shorter part may go better.
func tooLong(err error) bool {
	return errors.Is(err, llm.ErrPromptTooLong) || errors.Is(err, llm.ErrCut)
}

// read asks for what one part says, and compares it with the part. It fills in
// what the request took.
func (x *Extractor) read(ctx context.Context, d *Document, c *kg.Chunk) ([]kg.Statement, error) {
	part := span{int(c.Start), int(c.End)}
	req, err := x.request(d, part, c.Tries)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	// The digest is what the request itself met: the model may be pulled anew
	// between two parts.
	said, err := x.model.Ask(llm.WithTrace(ctx, func(e llm.Exchange) {
		c.Digest = e.Digest
		llm.Trace(ctx, e)
	}), req)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	c.Tries++
	c.Took += time.Since(began)
	c.PromptTokens += said.PromptTokens
	c.ReplyTokens += said.ReplyTokens
	if err != nil {
		return nil, err
	}
	r, err := parse(said.Text)
	if err != nil {
		return nil, err
	}
	check := newChecker(d, part, r, c.Digest)
	says := make([]kg.Statement, 0, len(r.Triples))
	for i := range r.Triples {
		says = append(says, check.check(&r.Triples[i]))
	}
	x.opts.Logger.DebugContext(ctx, "read a part", slog.Int64("start", c.Start), slog.Int("triples", len(says)), slog.Duration("took", time.Since(began)))
	return says, nil
}
