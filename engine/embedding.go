package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"cairn/engine/embed"
	"cairn/engine/index"
	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/llm"
	"cairn/engine/ollama"
)

// The store's settings about embedders.
const (
	settingEmbedder    = "embedder"     // the one that was chosen, JSON of chosenEmbedder
	settingCalibration = "calibration " // followed by an embedder's id; JSON of link.Calibration
)

// chosenEmbedder is the embedder that a graph was last used with. Where its
// server is, is no business of the graph's: the file may be opened elsewhere.
type chosenEmbedder struct {
	Model string `json:"model"`
	ID    string `json:"id"`
}

// EmbedderInfo says which embedder's vectors names are found by. Of a large graph
// that is not ready it says the model alone.
type EmbedderInfo struct {
	ID   string `json:"id"`
	Dims int    `json:"dims"`
	// Model is the model's name; empty for the built-in embedder.
	Model string `json:"model,omitempty"`
	// Notice says in sentences why the embedder that this graph was last used
	// with does not serve; empty where it does.
	Notice string `json:"notice,omitempty"`
	// Stats and Report say what SetEmbedder did.
	Stats  embed.Stats        `json:"stats"`
	Report ollama.EmbedReport `json:"report"`
}

// EmbeddingSet is what the file holds of one embedder's vectors.
type EmbeddingSet struct {
	kg.EmbeddingSet

	Model string `json:"model"` // the model's name; the id where it is not known
	// InUse says that the graph is used with them, also while they cannot serve.
	InUse bool `json:"in_use"`
}

var (
	// errNoSuchSet is returned for a set of vectors that the graph does not have.
	errNoSuchSet = errors.New("this graph has no such set of vectors")
	// errSetInUse is returned for deleting the vectors that serve.
	errSetInUse = errors.New("the graph uses these vectors")
)

// SetEmbedder makes names be found by the vectors of another embedder, or of
// the built-in one for nil, and remembers the choice with the graph. Names that
// the file has no vector of are embedded, and each batch is kept, so that after
// a cancel or a kill the same call goes on where it was. Until it returns, and
// where it fails, the embedder that was in use serves. The vectors of every
// embedder stay in the file.
func (e *Engine) SetEmbedder(ctx context.Context, emb embed.Embedder, ev *Events) (err error) {
	ctx, leave := e.join(ctx, &err)
	defer leave()
	select {
	case e.embedding <- struct{}{}:
		defer func() { <-e.embedding }()
	case <-ctx.Done():
		return ctx.Err()
	}
	for {
		was, err := e.awaitReady(ctx, ev)
		if err != nil {
			return err
		}
		v, err := e.vectorsFrom(ctx, was, emb, emb, ev)
		if err != nil {
			return err
		}
		if placed, err := e.serve(ctx, was, v); placed || err != nil {
			return err
		}
		// An import came between, say: its names are embedded too.
	}
}

// serve puts vectors in place, unless the state of the store is no longer that of
// was.
func (e *Engine) serve(ctx context.Context, was *state, v vectors) (placed bool, err error) {
	e.changing.Lock()
	defer e.changing.Unlock()
	s := *e.now()
	if s.vectors.builtin != was.vectors.builtin {
		return false, nil
	}
	if err := e.remember(ctx, v); err != nil {
		return false, err
	}
	s.vectors = v
	s.useVectors()
	e.put(&s)
	return true, nil
}

// remember keeps the choice of an embedder with the graph, where it can.
func (e *Engine) remember(ctx context.Context, v vectors) error {
	if e.store == nil || e.store.ReadOnly() {
		return nil
	}
	if v.embedder == nil {
		return e.store.SetSetting(ctx, settingEmbedder, "")
	}
	return e.setJSON(ctx, settingEmbedder, chosenEmbedder{Model: v.model(), ID: v.embedder.ID()})
}

// vectors are what names are found by. Those of the built-in embedder are always
// there once a graph is ready: they need no server, and stand in for the others.
type vectors struct {
	builtin  *link.Vocabulary
	chosen   *link.Vocabulary // with builtin behind it; nil where builtin serves
	embedder embed.Embedder   // of chosen; nil for the built-in one
	notice   string           // why the embedder that was chosen does not serve
	last     chosenEmbedder   // the one that a graph that is not ready was last used with
	stats    embed.Stats
}

// serving is the vocabulary that questions use.
func (v vectors) serving() *link.Vocabulary {
	if v.chosen != nil {
		return v.chosen
	}
	return v.builtin
}

// model is the name of the chosen embedder's model.
func (v vectors) model() string {
	switch m := v.embedder.(type) {
	case nil:
		return v.last.Model
	case interface{ Model() string }:
		return m.Model()
	default:
		return v.embedder.ID()
	}
}

func (s *state) useVectors() {
	s.vocab = s.vectors.serving()
	s.linker = s.linker.With(s.vocab)
	s.use(s.model)
}

// vectorsFrom makes the vectors of an embedder. Names are embedded by one of the same
// vectors, which may refuse to.
func (e *Engine) vectorsFrom(ctx context.Context, s *state, emb, names embed.Embedder, ev *Events) (vectors, error) {
	v := vectors{builtin: s.vectors.builtin, embedder: emb}
	if emb == nil {
		return v, nil
	}
	// The texts of questions are not kept in the file, but remembered.
	stored := e.stored(embed.NewRecent(names))
	vocab, err := link.OpenVocabulary(ctx, s.graph, stored, e.cache(s), ev.embedding(v.model(), stored))
	if err != nil {
		return v, err
	}
	c, err := e.calibration(ctx, s.graph, emb, ev)
	if err != nil {
		return v, fmt.Errorf("measure the distances of %s: %w", v.model(), err)
	}
	v.chosen, v.stats = vocab.Behind(c, v.builtin), stored.Stats()
	return v, nil
}

// calibration returns the calibration of an embedder for a graph, from the file
// where it was measured before.
func (e *Engine) calibration(ctx context.Context, g *kg.Graph, emb embed.Embedder, ev *Events) (link.Calibration, error) {
	key := settingCalibration + emb.ID()
	if e.store != nil {
		text, err := e.store.Setting(ctx, key)
		if err != nil {
			return link.Calibration{}, err
		}
		var c link.Calibration
		if text != "" && json.Unmarshal([]byte(text), &c) == nil && c.Fits(g) {
			return c, nil
		}
	}
	if tell := ev.progress("measure the distances of the vectors"); tell != nil {
		tell(0, 0)
	}
	known := embed.NewStored(emb, nil)
	if e.store != nil {
		known = embed.NewReadOnly(emb, e.store)
	}
	c, err := link.Calibrate(ctx, g, known)
	if err != nil || e.store == nil || e.store.ReadOnly() || g.Entities() == 0 {
		return c, err
	}
	return c, e.setJSON(ctx, key, c)
}

// stored returns an embedder whose vectors of names are kept in the graph's file where
// it has one that can be written.
func (e *Engine) stored(emb embed.Embedder) *embed.Stored {
	switch {
	case e.store == nil:
		return embed.NewStored(emb, nil)
	case e.store.ReadOnly():
		return embed.NewReadOnly(emb, e.store)
	}
	return embed.NewStored(emb, e.store)
}

// chosen returns the embedder that the graph was last used with; empty for the
// built-in one.
func (e *Engine) chosen(ctx context.Context) (chosenEmbedder, error) {
	text, err := e.store.Setting(ctx, settingEmbedder)
	var c chosenEmbedder
	if err == nil && text != "" && json.Unmarshal([]byte(text), &c) != nil {
		c = chosenEmbedder{} // not written by us: as good as none
	}
	return c, err
}

// reopenWithin is how long opening a graph waits for the embedder that it was
// last used with.
const reopenWithin = 5 * time.Second

// reopen makes the vectors of the embedder that the graph was last used with,
// from what the file holds of them: opening a graph never embeds its names.
// Where that embedder cannot serve, the built-in one does, and the notice says
// why.
func (e *Engine) reopen(ctx context.Context, s *state, ev *Events) (vectors, error) {
	builtin := vectors{builtin: s.vectors.builtin}
	chosen, err := e.chosen(ctx)
	if err != nil || chosen.ID == "" {
		return builtin, err
	}
	v, why := e.reopened(ctx, s, chosen, ev)
	if why == nil {
		return v, nil
	}
	builtin.notice = standIn(chosen.Model, why)
	return builtin, nil
}

func (e *Engine) reopened(ctx context.Context, s *state, chosen chosenEmbedder, ev *Events) (vectors, error) {
	if e.opts.Embedder == nil {
		return vectors{}, reason("no model server is set; choose the embedder again")
	}
	within, cancel := context.WithTimeout(ctx, reopenWithin)
	defer cancel()
	emb, err := e.opts.Embedder(within, chosen.ID)
	switch {
	case err != nil:
		return vectors{}, err
	case emb == nil:
		return vectors{}, reason("it was not asked")
	case emb.ID() != chosen.ID:
		return vectors{}, reason("the model is not the one that embedded the names; choose it again to embed them with this one")
	}
	return e.vectorsFrom(ctx, s, emb, onlyKept{emb}, ev)
}

// standIn says that the built-in embedder serves instead of another one.
func standIn(model string, why error) string {
	// What was being done when it happened is no matter.
	var ofServer *llm.Error
	var ofOurs reason
	switch {
	case errors.Is(why, context.Canceled):
		why = reason("embedding was stopped; choose it again to continue")
	case errors.As(why, &ofServer):
		why = ofServer
	case errors.As(why, &ofOurs):
		why = ofOurs
	}
	return fmt.Sprintf("The built-in embedder is used instead of %s: %v.", model, why)
}

// reason is an error that says enough by itself.
type reason string

func (r reason) Error() string { return string(r) }

// onlyKept is an Embedder of questions: names must have been embedded before.
type onlyKept struct{ embed.Embedder }

func (o onlyKept) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	if kind == embed.Document {
		return nil, reason("some names have no vector from it yet; choose it again to embed them")
	}
	return o.Embedder.Embed(ctx, kind, texts)
}

// embedding returns the function that reports how far embedding has come, and
// how fast it is.
func (ev *Events) embedding(model string, s *embed.Stored) func(done, total int64) {
	if ev == nil || ev.Progress == nil {
		return nil
	}
	return func(done, total int64) {
		task := "read the vectors of " + model
		if s.Stats().Made > 0 {
			task = "embed with " + model
		}
		if rate := s.Stats().PerSecond(); rate > 0 {
			left := time.Duration(float64(total-done) / rate * float64(time.Second)).Round(time.Second)
			task += fmt.Sprintf(" (%.0f/s, %v left)", rate, left)
		}
		ev.Progress(task, done, total)
	}
}

// Embedder says which embedder's vectors names are found by.
func (e *Engine) Embedder() EmbedderInfo {
	s := e.now()
	v := s.vectors
	if !s.isNamed() {
		return EmbedderInfo{ID: v.last.ID, Model: v.last.Model}
	}
	serving := v.serving().Embedder()
	info := EmbedderInfo{ID: serving.ID(), Dims: serving.Dims(), Model: v.model(), Notice: v.notice, Stats: v.stats}
	if r, ok := v.embedder.(interface{ Report() ollama.EmbedReport }); ok {
		info.Report = r.Report()
	}
	return info
}

// EmbeddingSets lists the vectors that the graph's file holds.
func (e *Engine) EmbeddingSets(ctx context.Context) ([]EmbeddingSet, error) {
	if e.store == nil {
		return nil, nil
	}
	found, err := e.store.EmbeddingSets(ctx)
	if err != nil {
		return nil, err
	}
	chosen, err := e.chosen(ctx)
	if err != nil {
		return nil, err
	}
	sets := make([]EmbeddingSet, len(found))
	for i, x := range found {
		sets[i] = EmbeddingSet{EmbeddingSet: x, Model: x.ID, InUse: x.ID == chosen.ID}
		if model, ok := ollama.ModelOf(x.ID); ok {
			sets[i].Model = model
		}
	}
	return sets, nil
}

// DeleteEmbeddings forgets the vectors of an embedder that the graph is not used
// with, and returns how many names they were of.
func (e *Engine) DeleteEmbeddings(ctx context.Context, id string) (texts int, err error) {
	if e.store == nil {
		return 0, ErrInMemory
	}
	chosen, err := e.chosen(ctx)
	if err != nil {
		return 0, err
	}
	if id == chosen.ID {
		return 0, fmt.Errorf("%w (%s); choose another embedder first", errSetInUse, chosen.Model)
	}
	texts, err = e.store.DeleteEmbeddings(ctx, id)
	if err == nil && texts == 0 {
		err = fmt.Errorf("%w (%s)", errNoSuchSet, id)
	}
	if err != nil {
		return 0, err
	}
	return texts, e.store.SetSetting(ctx, settingCalibration+id, "")
}

// retryOnFallback runs a search whose distances must all be of one embedder: once more
// where the embedder failed on the way and the built-in one took over.
func (a *asking) retryOnFallback(search func() error) error {
	before := a.watch.Err()
	err := search()
	if err == nil && before == nil && a.watch.Err() != nil {
		err = search()
	}
	return err
}

// lookedUp is Run.Vectors.
func (a *asking) lookedUp() string {
	switch v := a.vectors; {
	case a.watch.Err() != nil:
		return standIn(v.model(), a.watch.Err())
	case a.watch.Lookups() == 0:
		return ""
	case v.notice != "":
		return v.notice
	case v.chosen != nil:
		return fmt.Sprintf("Inexact names were matched with %s embeddings.", v.model())
	}
	return ""
}

// IndexNames links near names of a large graph, so that few are found by the links
// from the next opening on: faster than by a scan, and not quite exactly. It is only
// done on request, takes minutes a million names, and keeps nothing that
// index.Probe does not admit; see link.Vocabulary.IndexNames. The error is
// link.ErrFewNames for a graph that does not need it.
func (e *Engine) IndexNames(ctx context.Context, kind index.Kind, o index.HNSWOptions, ev *Events) (*link.NameIndex, error) {
	v, err := e.Vocabulary(ctx, ev)
	if err != nil {
		return nil, err
	}
	o.Progress = ev.progress("link the names")
	made, err := v.IndexNames(ctx, kind, o)
	if err != nil && !errors.Is(err, link.ErrFewNames) {
		return nil, fmt.Errorf("index the names of the graph: %w", err)
	}
	return made, err
}

// DropNameIndex removes what IndexNames kept, and reports whether there was anything.
func (e *Engine) DropNameIndex(ctx context.Context, ev *Events) (bool, error) {
	v, err := e.Vocabulary(ctx, ev)
	if err != nil {
		return false, err
	}
	return v.DropNameIndex()
}
