package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"cairn/assets"
	"cairn/engine/embed"
	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/match"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/dense"
	"cairn/engine/retrieve/exact"
	"cairn/engine/retrieve/gnnrag"
	"cairn/engine/retrieve/gsr"
	"cairn/engine/retrieve/scoring"
	"cairn/engine/retrieve/simgrag"
	"cairn/engine/retrieve/templates"
	"cairn/engine/train"
	"cairn/internal/wording"
)

// Methods lists the ways to look for evidence, the default one first: all that is
// made of a choice of methods, flags, menus, help and evaluations, is made from it.
func Methods() []retrieve.Method {
	return []retrieve.Method{
		simgrag.Method{},
		gnnrag.Method{},
		gsr.Method{Base: assets.GSRBase},
		exact.Method{},
		templates.Method{},
		dense.Method{},
		scoring.Method{},
	}
}

// Methods describes the ways to ask, the default one first.
func (e *Engine) Methods() []retrieve.Info { return MethodInfos(e.opts.Methods) }

// MethodInfos describes methods, in their order, behind the automatic choice among them
// where there is one.
func MethodInfos(ms []retrieve.Method) []retrieve.Info {
	list := wording.Each(ms, func(m retrieve.Method) retrieve.Info { return m.Info() })
	if len(ms) > 1 && !list[0].Seeded && slices.ContainsFunc(list, func(i retrieve.Info) bool { return i.Seeded }) {
		list = slices.Insert(list, 0, automatic(list[0]))
	}
	return list
}

// method returns the method with an ID; the empty one is the default's.
func (e *Engine) method(id string) (retrieve.Method, error) {
	var ids []string
	for _, m := range e.opts.Methods {
		if m.Info().ID == id || id == "" {
			return m, nil
		}
		ids = append(ids, m.Info().ID)
	}
	return nil, fmt.Errorf("there is no retriever %q; choose one of %s", id, strings.Join(ids, ", "))
}

// matching returns the method that matches patterns: that with the ID, or else the
// first that does.
func (e *Engine) matching(id string) (retrieve.Method, error) {
	if id == Auto {
		id = ""
	}
	m, err := e.method(id)
	if err != nil || !m.Info().Seeded {
		return m, err
	}
	if i := slices.IndexFunc(e.opts.Methods, func(m retrieve.Method) bool { return !m.Info().Seeded }); i >= 0 {
		return e.opts.Methods[i], nil
	}
	return nil, fmt.Errorf("%s does not match patterns, and no other retriever does", m.Info().Who)
}

// able names the first method that can do what another one cannot; empty for none.
func (e *Engine) able(can func(retrieve.Info) bool) string {
	for _, m := range e.opts.Methods {
		if i := m.Info(); can(i) {
			return i.Who
		}
	}
	return ""
}

// opened is a method that is ready for questions over one graph.
type opened struct {
	retrieve.Retriever

	of    train.Key // zero where nothing is trained
	graph *kg.Graph
	names *link.Vocabulary
	// notes say what a reader must know of it beside what it says itself, and about
	// what it has learned from.
	notes, about []string
	// made says that it knows no questions but those that were made out of the graph.
	made bool
}

// retrievers are the methods that are ready.
type retrievers struct {
	opening chan struct{} // holds one thing while a method is opened

	mu    sync.Mutex
	ready map[string]*opened // by readyKey
}

// readyKey keeps a method that is open on a graph without some triples beside the one on
// the whole graph.
func readyKey(id string, s *state) string {
	if s.without != nil {
		return id + " without"
	}
	return id
}

// get returns the method that is ready for a state of the graph, or nil.
func (r *retrievers) get(id string, of train.Key, s *state) *opened {
	r.mu.Lock()
	defer r.mu.Unlock()
	if o := r.ready[readyKey(id, s)]; o != nil && o.of == of && o.graph == s.graph && o.names == s.vocab {
		return o
	}
	return nil
}

func (r *retrievers) put(id string, s *state, o *opened) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ready == nil {
		r.ready = map[string]*opened{}
	}
	r.ready[readyKey(id, s)] = o
}

// forget lets go of what was opened on a trained retriever that was deleted.
func (r *retrievers) forget(trained int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, o := range r.ready {
		if o.of.ID == trained {
			delete(r.ready, id)
		}
	}
}

// retriever returns a method, ready for the graph of s. Making one ready may take a
// moment: it is done for the first question, and again when the graph has changed. It
// fails with ErrUntrained where the method needs weights and there are none.
func (e *Engine) retriever(ctx context.Context, s *state, m retrieve.Method) (*opened, error) {
	select {
	case e.retrievers.opening <- struct{}{}:
		defer func() { <-e.retrievers.opening }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if t, ok := m.(retrieve.Trainable); ok {
		return train.Again(func() (*opened, error) { return e.trainedRetriever(ctx, s, t) })
	}
	return e.openOn(ctx, s, m, train.Key{}, nil)
}

// openOn opens a method on a state of the graph, where it is not open there already.
// weights returns what it has learned.
func (e *Engine) openOn(ctx context.Context, s *state, m retrieve.Method, of train.Key, weights func() ([]byte, error)) (*opened, error) {
	id := m.Info().ID
	if o := e.retrievers.get(id, of, s); o != nil {
		return o, nil
	}
	w := e.world(s)
	if weights != nil {
		var err error
		if w.Weights, err = weights(); err != nil {
			return nil, err
		}
	}
	r, err := m.Open(ctx, w)
	if err != nil {
		return nil, err
	}
	o := &opened{Retriever: r, of: of, graph: s.graph, names: s.vocab}
	e.retrievers.put(id, s, o)
	return o, nil
}

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
			broken = cmp.Or(broken, fmt.Errorf("“%s”: %w", t.Name, err))
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
	ready.about, ready.made = trainedOn(d.About), d.About.HeldMade
	if d.Stale != "" {
		ready.notes = []string{d.Stale}
	}
	return &ready, nil
}

// trainedOn says what a trained retriever has learned from, and how good it was.
func trainedOn(a retrieve.About) []string {
	switch {
	case a.Data == "":
		return nil
	case a.Own:
		return []string{a.Data + ", which you wrote or edited"}
	}
	on := "the questions it was trained on"
	if a.Held > 0 {
		on = wording.Count(a.Held, "question", "questions") + " held back from training"
	}
	return slices.Concat([]string{fmt.Sprintf("trained on %s: the first answer was right for %.1f%% of %s", a.Data, 100*a.Dev.H1, on)}, a.Notes)
}

// world is what methods are opened on, but for weights, for one state of the graph.
func (e *Engine) world(s *state) retrieve.World {
	w := retrieve.World{Graph: s.graph, Paths: func() match.Engine { return e.paths.of(e, s) }}
	if s.vocab != nil {
		w.Names = s.vocab
	}
	if s.builtin != nil {
		w.Schema = s.builtin.Schema()
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
