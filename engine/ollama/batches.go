package ollama

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"cairn/engine/embed"
	"cairn/engine/llm"
	"cairn/internal/wording"
)

type call struct {
	*Embedder
	kind embed.Kind
	out  [][]float32
	todo []item
	// blank are the texts that the model failed on, shortened how many had only
	// their beginning embedded.
	blank     []int
	shortened int
	lone      int // texts in a row that failed alone
}

type item struct {
	at   int // in the call's texts
	text string
	cut  bool // the text was longer
}

// newCall puts in order what is to be sent: an empty text never is, because the
// server leaves it out of its reply where it stands alone.
func (e *Embedder) newCall(kind embed.Kind, texts []string) *call {
	c := &call{Embedder: e, kind: kind, out: make([][]float32, len(texts))}
	for i, text := range texts {
		c.out[i] = make([]float32, e.dims)
		s, cut := readable(text)
		if s == "" {
			continue
		}
		if cut {
			c.shortened++
		}
		c.todo = append(c.todo, item{i, s, cut})
	}
	return c
}

// run embeds the texts, batch by batch, and makes sure that the model was the
// same from the first to the last.
func (c *call) run(ctx context.Context) error {
	if len(c.todo) == 0 {
		return ctx.Err()
	}
	for from := 0; from < len(c.todo); {
		to, bytes := from, 0
		for to < len(c.todo) && to-from < c.batchTexts && (to == from || bytes+len(c.todo[to].text) <= c.batchBytes) {
			bytes += len(c.todo[to].text)
			to++
		}
		if err := c.batch(ctx, c.todo[from:to]); err != nil {
			return err
		}
		from = to
	}
	return c.same(ctx)
}

// same makes sure that the server has the weights that the id names.
func (c *call) same(ctx context.Context) error {
	now, err := c.server.Details(ctx, c.model)
	if err != nil {
		return err
	}
	if weights(now) != weights(c.details) {
		return c.changed("its name now refers to other weights")
	}
	return nil
}

// batch embeds the items of one request. Where one of them spoils it, the
// halves are embedded by themselves.
func (c *call) batch(ctx context.Context, items []item) error {
	vectors, err := c.ask(ctx, items)
	switch {
	case err == nil:
		c.lone = 0
		for i, it := range items {
			if !unit(vectors[i]) {
				c.blank = append(c.blank, it.at)
				continue
			}
			c.out[it.at] = vectors[i]
		}
		return nil
	case !spoilt(err):
		return err
	case len(items) == 1:
		return c.alone(ctx, items[0])
	}
	half := len(items) / 2
	if err := c.batch(ctx, items[:half]); err != nil {
		return err
	}
	return c.batch(ctx, items[half:])
}

// spoilt reports whether an error may be a single text's fault: the server is
// there and has the model, but refuses what was sent or fails on it.
func spoilt(err error) bool {
	return errors.Is(err, llm.ErrServer) || errors.Is(err, llm.ErrPromptTooLong) || errors.Is(err, llm.ErrVector)
}

// alone embeds the beginning of a text that failed by itself, or leaves it
// without a vector.
func (c *call) alone(ctx context.Context, it item) error {
	for len(it.text) >= cuttable {
		it.text = beginning(it.text, utf8.RuneCountInString(it.text)/2)
		vectors, err := c.ask(ctx, []item{it})
		if err == nil && unit(vectors[0]) {
			c.lone = 0
			c.out[it.at] = vectors[0]
			if !it.cut {
				c.shortened++
			}
			return nil
		}
		if err != nil && !spoilt(err) {
			return err
		}
	}
	c.blank = append(c.blank, it.at)
	if c.lone++; c.lone < maxLone {
		return nil
	}
	// So many in a row may be the model's fault and not the texts'.
	c.lone = 0
	_, err := c.ask(ctx, []item{{text: lifeSign}})
	return err
}

// ask sends one request and checks that the reply is one of this model.
func (c *call) ask(ctx context.Context, items []item) ([][]float32, error) {
	texts := wording.Each(items, func(it item) string { return c.prefixes.of(c.kind) + it.text })
	vectors, err := c.server.Embed(ctx, c.model, texts)
	if err != nil {
		return nil, err
	}
	if len(vectors) != len(items) {
		return nil, &llm.Error{
			Kind: llm.ErrVector, Detail: fmt.Sprintf("(%d vectors for %d texts)", len(vectors), len(items)),
			Remedy: "try again; if it happens again, restart Ollama",
		}
	}
	for _, v := range vectors {
		if len(v) != c.dims {
			return nil, c.changed(fmt.Sprintf("its vectors have %d numbers instead of %d", len(v), c.dims))
		}
	}
	return vectors, nil
}
