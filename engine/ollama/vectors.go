package ollama

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"time"

	"github.com/ollama/ollama/api"

	"cairn/engine/llm"
)

// Embed has a model make a vector of each text, in one request; the same text
// gives the same vector whatever else is in the list. It returns as many vectors
// as texts, all of one length and of finite numbers, or an error:
//
//	ErrPromptTooLong  one of the texts is longer than the model reads
//	ErrVector         the server sent something else than that
//	ErrUnsuited       the model makes no vectors
//
// One text of the first two kinds fails the whole list, so that callers divide
// it. Texts are sent as they are and never cut by the server: it cuts tokens,
// writes them as text and reads them again, which fails where a model does not
// know the words.
func (s *Server) Embed(ctx context.Context, model string, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(texts) == 0 {
		return nil, nil // a server answers an empty list with an empty list
	}
	if err := s.mayUse(model); err != nil {
		return nil, err
	}
	d, err := s.known(ctx, model)
	if err != nil {
		return nil, err
	}
	again := retries{wait: s.opts.RetryWait}
	for {
		vectors, why, err := s.embed(ctx, d, model, texts)
		if err == nil {
			return vectors, nil
		}
		s.forget(model)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !again.may(ctx, why) {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, err
		}
	}
}

// embed is one try of Embed.
func (s *Server) embed(ctx context.Context, d Details, model string, texts []string) (vectors [][]float32, why reason, err error) {
	no := false
	numCtx := s.contextOf(model)
	if d.Context > 0 {
		numCtx = min(numCtx, d.Context)
	}
	x := llm.Exchange{Purpose: "embedding", Model: model, Digest: d.Digest, Host: s.host, Began: time.Now().UTC()}
	for _, t := range texts {
		x.Estimated += llm.EstimateTokens(t)
	}
	watching, w := withWire(ctx)
	watching, stop := context.WithTimeoutCause(watching, firstWord, errSilent)
	defer stop()
	r, err := s.api.Embed(watching, &api.EmbedRequest{Model: model, Input: texts, Truncate: &no, Options: runnerOptions(numCtx)})
	x.Duration = time.Since(x.Began)
	x.Sent = w.body()
	switch {
	case ctx.Err() != nil:
		err = ctx.Err()
	case err != nil && errors.Is(context.Cause(watching), errSilent):
		err = s.mute(firstWord, err)
	case err != nil:
		why = reasonOf(err, w)
		err = s.explain(ctx, model, err)
	default:
		vectors, x.PromptTokens = r.Embeddings, r.PromptEvalCount
		if err = checkVectors(model, vectors, len(texts)); err == nil {
			x.Reply = fmt.Sprintf("(vectors: %d, of %d numbers)", len(vectors), len(vectors[0]))
		}
	}
	if err != nil {
		vectors, x.Err = nil, sentence(err)
	}
	s.opts.Logger.DebugContext(
		ctx, "embedded texts", slog.String("model", model), slog.Int("texts", len(texts)),
		slog.Int("tokens", x.PromptTokens), slog.Duration("took", x.Duration), slog.Any("error", err),
	)
	llm.Trace(ctx, x)
	return vectors, why, err
}

// contextOf returns the context size that a model was given.
func (s *Server) contextOf(model string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n, ok := s.numCtx[model]; ok {
		return n
	}
	return defaultNumCtx
}

// checkVectors returns an error unless there are n vectors of one length, all
// of finite numbers.
func checkVectors(model string, vectors [][]float32, n int) error {
	fail := func(format string, args ...any) error {
		return failure(llm.ErrVector, "("+model+" "+fmt.Sprintf(format, args...)+")", "choose another model for embeddings, or the built-in one", nil)
	}
	if len(vectors) != n {
		return fail("produced %d vectors for %d texts", len(vectors), n)
	}
	for _, v := range vectors {
		switch {
		case len(v) == 0:
			return fail("produced an empty vector")
		case len(v) != len(vectors[0]):
			return fail("produced vectors of %d and of %d numbers", len(vectors[0]), len(v))
		}
		for _, x := range v {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return fail("produced a vector with invalid numbers")
			}
		}
	}
	return nil
}
