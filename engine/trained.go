package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"cairn/engine/embed"
	"cairn/engine/kg"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/gnnrag"
	"cairn/internal/wording"
)

// kindGNN is the kind of trained retriever that ByGNN uses.
const kindGNN = "gnn"

// settingTrained is the store's setting that holds the id of the trained retriever
// in use.
const settingTrained = "retriever gnn"

// TrainedModel is a retriever that was trained on this graph.
type TrainedModel struct {
	ID    int64        `json:"id"`
	Name  string       `json:"name"`
	Bytes int64        `json:"bytes"` // of its weights
	About gnnrag.About `json:"about"`
	// InUse says that questions to ByGNN use it.
	InUse bool `json:"in_use"`
	// Stale says in a sentence that the graph has changed since it was trained;
	// empty where it has not.
	Stale string `json:"stale,omitempty"`
	// Problem says in a sentence why it cannot be used; empty where it can.
	Problem string `json:"problem,omitempty"`
}

// staleText is TrainedModel.Stale.
const staleText = "The graph has changed since this retriever was trained, so it has not learned what is new: train again to have it do so."

// trainedKey tells a trained retriever from all others: the id of one that was
// deleted may be given again, by another program too.
type trainedKey struct{ id, made int64 }

func keyOf(t kg.Trained) trainedKey { return trainedKey{t.ID, t.Made.UnixMilli()} }

// trained is what the engine knows of trained retrievers beside what is kept.
type trained struct {
	mu       sync.Mutex
	chosen   int64 // in a file that can only be read; 0 for what the setting says
	problems map[trainedKey]string
}

// problem returns why a trained retriever cannot be used, and whether that is known.
func (t *trained) problem(of trainedKey) (why string, known bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	why, known = t.problems[of]
	return why, known
}

func (t *trained) setProblem(of trainedKey, why string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.problems == nil {
		t.problems = map[trainedKey]string{}
	}
	t.problems[of] = why
}

// forget lets go of a trained retriever that was deleted.
func (t *trained) forget(id int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.chosen == id {
		t.chosen = 0
	}
}

// decode reads a trained retriever and remembers whether it could be read.
func (e *Engine) decode(ctx context.Context, t kg.Trained) (*gnnrag.Model, error) {
	weights, err := e.kept.Weights(ctx, t.ID)
	if err != nil {
		return nil, err
	}
	m, err := gnnrag.Decode(weights)
	e.trained.setProblem(keyOf(t), problemText(err))
	return m, err
}

// problemText is TrainedModel.Problem; empty for no error.
func problemText(err error) string {
	if err == nil {
		return ""
	}
	return sentence(err.Error()) + " Delete it and train again."
}

// sentence makes a sentence of an error's text.
func sentence(text string) string {
	text = strings.TrimSuffix(text, ".")
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// Trained lists the retrievers that were trained on this graph, the latest first.
func (e *Engine) Trained(ctx context.Context) ([]TrainedModel, error) {
	kept, err := e.kept.TrainedModels(ctx, kindGNN)
	if err != nil {
		return nil, err
	}
	version := e.now().version
	list := make([]TrainedModel, len(kept))
	for i, t := range kept {
		if list[i], err = e.trainedModel(ctx, t, version); err != nil {
			return nil, err
		}
	}
	id, err := e.choice(ctx)
	if err != nil {
		return nil, err
	}
	if i := chosenOf(list, id); i >= 0 {
		list[i].InUse = true
	}
	return list, nil
}

// trainedModel describes what is kept, and looks whether it can be read.
func (e *Engine) trainedModel(ctx context.Context, t kg.Trained, version string) (TrainedModel, error) {
	m := TrainedModel{ID: t.ID, Name: t.Name, Bytes: t.Bytes}
	if t.Graph != version {
		m.Stale = staleText
	}
	readable := readJSON(t.About, &m.About)
	why, known := e.trained.problem(keyOf(t))
	if !known || !readable && why == "" {
		model, err := e.decode(ctx, t)
		switch {
		case errors.Is(err, gnnrag.ErrModel):
			why = problemText(err)
		case err != nil:
			return m, err
		case !readable:
			m.About = model.About // it is beside the weights too
		}
	}
	m.Problem = why
	return m, nil
}

// choice returns the id of the trained retriever that was chosen last; 0 for none.
func (e *Engine) choice(ctx context.Context) (int64, error) {
	e.trained.mu.Lock()
	id := e.trained.chosen
	e.trained.mu.Unlock()
	if id != 0 {
		return id, nil
	}
	text, err := e.kept.Setting(ctx, settingTrained)
	if err != nil || text == "" {
		return 0, err
	}
	if !readJSON(text, &id) {
		id = 0 // not written by us: as good as none
	}
	return id, nil
}

// readJSON reads what the engine wrote, and reports whether it could.
func readJSON(text string, v any) bool { return json.Unmarshal([]byte(text), v) == nil }

// chosenOf returns the index of the trained retriever that questions use: the one
// that was chosen, or else the latest that can be used; −1 for none.
func chosenOf(list []TrainedModel, id int64) int {
	usable := func(m TrainedModel) bool { return m.Problem == "" }
	if i := slices.IndexFunc(list, func(m TrainedModel) bool { return m.ID == id && usable(m) }); i >= 0 {
		return i
	}
	return slices.IndexFunc(list, usable)
}

// UseTrained makes questions to ByGNN use a trained retriever, and remembers the
// choice with the graph where that can be written.
func (e *Engine) UseTrained(ctx context.Context, id int64) error {
	list, err := e.Trained(ctx)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list, func(m TrainedModel) bool { return m.ID == id })
	switch {
	case i < 0:
		return fmt.Errorf("%w (number %d)", kg.ErrNoTrained, id)
	case list[i].Problem != "":
		return fmt.Errorf("%w: %s", gnnrag.ErrModel, list[i].Problem)
	}
	return e.use(ctx, id)
}

// use is UseTrained for one that is there and can be used.
func (e *Engine) use(ctx context.Context, id int64) error {
	if e.store != nil && e.store.ReadOnly() {
		e.trained.mu.Lock()
		defer e.trained.mu.Unlock()
		e.trained.chosen = id
		return nil
	}
	return e.kept.SetSetting(ctx, settingTrained, strconv.FormatInt(id, 10))
}

// DeleteTrained deletes a trained retriever. Where it was in use, the latest one
// that is left takes its place.
func (e *Engine) DeleteTrained(ctx context.Context, id int64) error {
	chosen, err := e.choice(ctx)
	if err != nil {
		return err
	}
	if err := e.kept.DeleteTrained(ctx, id); err != nil {
		return err
	}
	e.trained.forget(id)
	e.retrievers.forget(id)
	if chosen != id {
		return nil
	}
	// Another one may get its id.
	return e.kept.SetSetting(ctx, settingTrained, "")
}

// trainedFor fails with ErrUntrained where a method needs weights and there are none.
func (e *Engine) trainedFor(ctx context.Context, m retrieve.Method) error {
	if !m.Info().Trained {
		return nil
	}
	kept, err := e.kept.TrainedModels(ctx, m.Info().ID)
	if err == nil && len(kept) == 0 {
		return ErrUntrained
	}
	return err
}

// trainedRetriever returns the trained retriever that questions to a method use, ready
// for the graph of s.
func (e *Engine) trainedRetriever(ctx context.Context, s *state, m retrieve.Method) (*opened, error) {
	kept, err := e.kept.TrainedModels(ctx, m.Info().ID)
	if err != nil {
		return nil, err
	}
	if len(kept) == 0 {
		return nil, ErrUntrained
	}
	id, err := e.choice(ctx)
	if err != nil {
		return nil, err
	}
	// The one that was chosen first, then the latest.
	if i := slices.IndexFunc(kept, func(t kg.Trained) bool { return t.ID == id }); i > 0 {
		t := kept[i]
		kept = slices.Insert(slices.Delete(kept, i, i+1), 0, t)
	}
	var broken error
	for _, t := range kept {
		r, err := e.makeReady(ctx, s, m, t)
		switch {
		case errors.Is(err, gnnrag.ErrModel):
			if broken == nil {
				broken = fmt.Errorf("“%s”: %w", t.Name, err)
			}
			continue
		case err != nil:
			return nil, err
		case broken == nil:
			return r, nil
		}
		another := *r
		another.notes = append(slices.Clone(r.notes), fmt.Sprintf("“%s” cannot be used, so “%s” answered instead: delete the first and train again.", kept[0].Name, t.Name))
		return &another, nil
	}
	return nil, broken
}

// makeReady opens a method on what is kept of a training.
func (e *Engine) makeReady(ctx context.Context, s *state, m retrieve.Method, t kg.Trained) (*opened, error) {
	if why, known := e.trained.problem(keyOf(t)); known && why != "" {
		return nil, fmt.Errorf("%w: %s", retrieve.ErrModel, why)
	}
	o, err := e.openOn(ctx, s, m, keyOf(t), func() ([]byte, error) { return e.kept.Weights(ctx, t.ID) })
	if errors.Is(err, retrieve.ErrModel) {
		e.trained.setProblem(keyOf(t), problemText(err))
	}
	if err != nil {
		return nil, err
	}
	ready := *o
	if t.Graph != s.version {
		ready.notes = []string{staleText}
	}
	var about gnnrag.About
	if readJSON(t.About, &about) {
		ready.about = trainedOn(about)
	}
	return &ready, nil
}

// World is what methods are opened on, but for weights.
func (e *Engine) World() retrieve.World { return e.world(e.now()) }

// lexicalEncoder is the other name of the built-in embedder in gnnrag.Options.
const lexicalEncoder = "lexical"

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
		builtin := vectors.builtin.Embedder()
		switch {
		case id == "" || id == lexicalEncoder || id == builtin.ID():
			return builtin, nil
		case vectors.embedder != nil && vectors.embedder.ID() == id:
			return embed.NewStored(embed.NewRecent(vectors.embedder), e.keeper()), nil
		case e.opts.Embedder == nil:
			return nil, fmt.Errorf("the embedder %s is not at hand: choose it under Models first", id)
		}
		emb, err := e.opts.Embedder(ctx, id)
		switch {
		case err != nil:
			return nil, err
		case emb == nil || emb.ID() != id:
			return nil, fmt.Errorf("the embedder %s is not at hand: choose it under Models first", id)
		}
		return embed.NewStored(embed.NewRecent(emb), e.keeper()), nil
	}
	return w
}

// trainedOn says what a trained retriever has learned from, and how good it was.
func trainedOn(a gnnrag.About) []string {
	if a.Data == "" {
		return nil
	}
	on := "questions that it learned from"
	if a.Held > 0 {
		on = wording.Count(a.Held, "question", "questions") + " that it did not learn from"
	}
	lines := []string{fmt.Sprintf("trained on %s: the first answer was right for %.1f %% of %s", a.Data, 100*a.Dev.H1, on)}
	if a.Coverage.Entities > 0 {
		lines = append(lines, fmt.Sprintf("where it looked, there was a right answer for %.1f %% of them, and all of them for %.1f %%: what lies outside cannot be found", 100*a.Coverage.Any, 100*a.Coverage.All))
	}
	return lines
}
