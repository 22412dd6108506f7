package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"cairn/engine/embed"
	"cairn/engine/kg"
	"cairn/engine/retrieve"
	"cairn/engine/train"
	"cairn/internal/wording"
)

// trainedFor fails with ErrUntrained where a method needs weights and there are none.
func (e *Engine) trainedFor(ctx context.Context, m retrieve.Method) error {
	if !m.Info().Trained {
		return nil
	}
	if e.trainer.Keeper == nil {
		return ErrUntrained
	}
	kept, err := e.trainer.Keeper.TrainedModels(ctx, m.Info().ID)
	if err == nil && len(kept) == 0 {
		return ErrUntrained
	}
	return err
}

// trainedRetriever returns the trained retriever that questions to a method use, ready
// for the graph of s.
func (e *Engine) trainedRetriever(ctx context.Context, s *state, m retrieve.Trainable) (*opened, error) {
	kept, err := e.trainer.InOrder(ctx, m.Info().ID)
	if err != nil {
		return nil, err
	}
	if len(kept) == 0 {
		return nil, ErrUntrained
	}
	var broken error
	for _, t := range kept {
		r, err := e.makeReady(ctx, s, m, t)
		switch {
		case errors.Is(err, retrieve.ErrModel):
			if broken == nil {
				broken = fmt.Errorf("“%s”: %w", t.Name, err)
			}
			continue
		case err != nil:
			return nil, err
		case broken != nil:
			r.notes = append(r.notes, fmt.Sprintf("“%s” cannot be used, so “%s” answered instead. Delete the first and train again.", kept[0].Name, t.Name))
		}
		return r, nil
	}
	return nil, broken
}

// makeReady opens a method on what is kept of a training.
func (e *Engine) makeReady(ctx context.Context, s *state, m retrieve.Trainable, kept kg.Trained) (*opened, error) {
	d, err := e.trainer.Describe(ctx, m, kept)
	if err != nil {
		return nil, err
	}
	if d.Problem != "" {
		return nil, fmt.Errorf("%w: %s", retrieve.ErrModel, d.Problem)
	}
	o, err := e.openOn(ctx, s, m, train.KeyOf(kept), func() ([]byte, error) { return e.trainer.Keeper.Weights(ctx, kept.ID) })
	if errors.Is(err, retrieve.ErrModel) {
		e.trainer.Unusable(kept, d, err)
	}
	if err != nil {
		return nil, err
	}
	ready := *o
	ready.about = trainedOn(d.About)
	if d.Stale != "" {
		ready.notes = []string{d.Stale}
	}
	return &ready, nil
}

// trainedOn says what a trained retriever has learned from, and how good it was.
func trainedOn(a retrieve.About) []string {
	if a.Data == "" {
		return nil
	}
	on := "questions that it learned from"
	if a.Held > 0 {
		on = wording.Count(a.Held, "question", "questions") + " that it did not learn from"
	}
	return slices.Concat([]string{fmt.Sprintf("trained on %s: the first answer was right for %.1f %% of %s", a.Data, 100*a.Dev.H1, on)}, a.Notes)
}

// World is what methods are opened on, but for weights.
func (e *Engine) World() retrieve.World { return e.world(e.now()) }

// world is World for one state of the graph.
func (e *Engine) world(s *state) retrieve.World {
	w := retrieve.World{Graph: s.graph}
	if s.vocab != nil {
		w.Names = s.vocab
	}
	w.Embed = func(ctx context.Context, id string) (embed.Embedder, error) {
		vectors := s.vectors
		if !s.isNamed() {
			named, err := e.named(ctx, nil)
			if err != nil {
				return nil, err
			}
			vectors = named.vectors
		}
		emb := vectors.embedder
		switch builtin := vectors.builtin.Embedder(); {
		case id == "" || id == builtin.ID():
			return builtin, nil
		case emb != nil && emb.ID() == id:
		case e.opts.Embedder != nil:
			var err error
			if emb, err = e.opts.Embedder(ctx, id); err != nil {
				return nil, err
			}
		}
		if emb == nil || emb.ID() != id {
			return nil, fmt.Errorf("the embedder %s is not available: choose it under Models first", id)
		}
		return e.stored(embed.NewRecent(emb)), nil
	}
	return w
}
