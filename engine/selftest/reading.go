package selftest

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"cairn/engine/extract"
	"cairn/engine/kg"
)

// The text to read, and the two things that it joins.
const (
	passage = "In 1921 Torvald Lind founded the Harbour Museum in Westmere."
	fact    = "Torvald Lind founded the Harbour Museum"
	founder = "torvald lind"
	founded = "harbour museum"
)

// readText has the model read a fact in a text. What it says is compared with
// the text as for a user's document.
func (r *run) readText(ctx context.Context) (Check, error) {
	c := Check{Kind: Text, Name: "a fact read in a text", Asked: passage}
	d, err := extract.New("museum.txt", []byte(passage))
	if err != nil {
		return c, fmt.Errorf("read the text of the self-test: %w", err)
	}
	var kept notebook
	x := extract.NewExtractor(step{r.meter, toExtract}, r.engine.Graph(), extract.Options{ReplyTokens: 512})
	if _, err := x.Run(ctx, &kept, d, nil); err != nil {
		c.Why = sentence(err)
		return c, nil
	}
	if kept.problem != "" {
		c.Why = sentence(errors.New(kept.problem))
		return c, nil
	}
	for _, s := range kept.says {
		head, tail := strings.ToLower(s.Head), strings.ToLower(s.Tail)
		joins := strings.Contains(head, founder) && strings.Contains(tail, founded) || strings.Contains(head, founded) && strings.Contains(tail, founder)
		switch {
		case joins && s.State != kg.StatementInvalid:
			c.Passed, c.Why = true, ""
			return c, nil
		case s.State == kg.StatementInvalid && c.Why == "":
			c.Why = fmt.Sprintf("It read “%s %s %s”, which the text does not support: %s.", s.Head, s.Relation, s.Tail, strings.TrimSuffix(s.Reason, "."))
		}
	}
	if c.Why == "" {
		c.Why = "It did not read that " + fact + "."
	}
	return c, nil
}

// notebook keeps what is read in one document of one part, for as long as the
// self-test takes.
type notebook struct {
	document kg.Document
	chunks   []kg.Chunk
	says     []kg.Statement
	problem  string // why the part could not be read; empty where it was
}

// StageDocument implements extract.Staging.
func (n *notebook) StageDocument(_ context.Context, d kg.Document, chunks []kg.Chunk) (kg.Document, error) {
	n.document, n.chunks = d, chunks
	return d, nil
}

// Document implements extract.Staging.
func (n *notebook) Document(context.Context, int64) (kg.Document, error) { return n.document, nil }

// Chunks implements extract.Staging.
func (n *notebook) Chunks(context.Context, int64) ([]kg.Chunk, error) { return n.chunks, nil }

// StageChunk implements extract.Staging.
func (n *notebook) StageChunk(_ context.Context, _ int64, c kg.Chunk, says []kg.Statement) error {
	n.says, n.problem = says, c.Problem
	return nil
}

var errOnePart = errors.New("the text of the self-test has one part")

// SplitChunk implements extract.Staging.
func (n *notebook) SplitChunk(context.Context, int64, kg.Chunk, int64) error { return errOnePart }
