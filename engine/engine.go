// Package engine answers questions over a knowledge graph. It has no user
// interface: package app drives it, and so do tests and evaluations.
//
//	question ─link─▶ mentions ─plan─▶ Plan ─retrieve─▶ Found ─answer─▶ Answer ─check─▶ Run
package engine

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"cairn/engine/plan/words"

	"cairn/engine/cypher"
	"cairn/engine/embed"
	"cairn/engine/ingest"
	"cairn/engine/internal/arrays"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/llm"
	"cairn/engine/plan"
	"cairn/engine/plan/builtin"
	bymodel "cairn/engine/plan/model"
	"cairn/engine/retrieve"
	"cairn/engine/train"
	"cairn/internal/guard"
)

// Options are the choices of an Engine; the zero value is the default.
type Options struct {
	// Logger is told what the engine does, at debug level.
	//
	// The default value discards.
	Logger *slog.Logger
	// Planner are the choices of the built-in planner.
	Planner builtin.Options
	// Model are the choices of planning with a model.
	Model bymodel.Options
	// Methods are the ways to look for evidence, the default one first.
	//
	// The default value is Methods().
	Methods []retrieve.Method
	// Embedder opens the embedder that a graph was last used with, by its id, when
	// the graph is opened. It is not called for a graph that uses the built-in one.
	//
	// The default value is nil: then the built-in embedder serves until
	// SetEmbedder is called.
	Embedder func(ctx context.Context, id string) (embed.Embedder, error)
	// ImportFirst says that the engine is there for Import, and nothing is asked
	// before it is done. A graph in which a large import was cut short is then not
	// read before the import has gone on with it, nor after it is cut short again:
	// reading it takes minutes. See Unread.
	ImportFirst bool
}

// setDefaults fills what was left at its zero value.
func (o *Options) setDefaults() {
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	if o.Methods == nil {
		o.Methods = Methods()
	}
}

// Engine answers questions over one knowledge graph. It is safe for concurrent
// use: an import builds the new state beside the old one, and questions that
// are under way finish on the state that they began with.
type Engine struct {
	tasks *guard.Tasks // what goes on by itself, until Close
	store *kg.Store    // nil for a graph in memory
	path  string
	opts  Options

	unread     atomic.Bool   // see Options.ImportFirst
	changing   sync.Mutex    // held while a new state is made
	preparing  prepareLock   // held while what a large graph lacks is made
	embedding  chan struct{} // holds one thing while SetEmbedder runs
	trainer    *train.Trainer
	retrievers retrievers
	paths      pathIndex
	whatIf     whatIf
	mu         sync.RWMutex
	state      *state
}

// state is everything that is derived from one snapshot of the graph. Of a large
// one the vectors, vocab, linker, over and planners are nil at first: see Prepare.
type state struct {
	graph   *kg.Graph
	version string // of graph; see kg.Store.Version
	lexicon *lexicon.Lexicon
	vectors vectors
	vocab   *link.Vocabulary // of vectors, the one that serves
	linker  *link.Linker
	over    *cypher.KG // the graph as Cypher sees it, with the names of linker
	builtin *builtin.Planner
	model   llm.Model    // nil for none
	planner plan.Planner // the model's, with builtin behind it, or builtin
	opts    Options
	without []kg.TripleID // that are left out of graph; nil where none is asked to be
}

// Open opens the .cairn file at path, or makes it where there is none. An empty
// graph is fine: Import fills it.
func Open(ctx context.Context, path string, o Options, ev *Events) (_ *Engine, err error) {
	o.setDefaults()
	defer guard.Recover(o.Logger, &err)
	st, err := kg.OpenStore(ctx, path)
	if err != nil {
		return nil, err
	}
	e := newEngine(o)
	e.store, e.path = st, path
	e.trainer.Methods, e.trainer.Keeper, e.trainer.ReadOnly = retrieve.Trainables(o.Methods), st, st.ReadOnly()
	if err := e.first(ctx, ev); err != nil {
		st.Close()
		return nil, err
	}
	return e, nil
}

// first makes the first state.
func (e *Engine) first(ctx context.Context, ev *Events) error {
	if !e.opts.ImportFirst {
		return e.load(ctx, ev)
	}
	cut, err := e.store.CutShort(ctx)
	if err != nil {
		return err
	}
	if !cut {
		return e.load(ctx, ev)
	}
	var empty kg.Builder
	s, err := newState(ctx, empty.Graph(), lexicon.Builtin(), e.opts, ev)
	if err != nil {
		return err
	}
	e.unread.Store(true)
	e.put(s)
	return nil
}

// OnGraph makes an Engine over a graph in memory, without provenance. Nothing can be
// trained on it.
func OnGraph(ctx context.Context, g *kg.Graph, o Options, ev *Events) (*Engine, error) {
	o.setDefaults()
	e := newEngine(o)
	s, err := newState(ctx, g, lexicon.Builtin(), o, ev)
	if err != nil {
		return nil, err
	}
	e.put(s)
	return e, nil
}

func newEngine(o Options) *Engine {
	e := &Engine{
		tasks: guard.NewTasks(func(err error) { guard.Log(o.Logger, err) }),
		opts:  o, embedding: make(chan struct{}, 1),
		preparing:  prepareLock{held: make(chan struct{}, 1)},
		retrievers: retrievers{opening: make(chan struct{}, 1)},
		whatIf:     whatIf{making: make(chan struct{}, 1)},
	}
	e.trainer = &train.Trainer{Version: func() string { return e.now().version }, Log: o.Logger}
	return e
}

// Close ends what is under way, as a cancel does, waits for it, and closes the file.
func (e *Engine) Close() error {
	e.tasks.Stop()
	if e.store == nil {
		return nil
	}
	return e.store.Close()
}

// load makes the state from the store and puts it in place.
func (e *Engine) load(ctx context.Context, ev *Events) error { return e.reload(ctx, ctx, ev) }

// reload is load, where embedding new names ends with a context of its own: the
// built-in embedder then serves, as it does until they are embedded.
func (e *Engine) reload(ctx, embedding context.Context, ev *Events) error {
	ctx, leave := e.tasks.Join(ctx)
	defer leave()
	if err := e.renew(ctx, ev); err != nil {
		return err
	}
	e.embedNew(embedding, ev)
	return nil
}

// renew puts the state of the store in place, but for vectors that must be made.
func (e *Engine) renew(ctx context.Context, ev *Events) error {
	e.changing.Lock()
	defer e.changing.Unlock()
	g, version, err := e.read(ctx, ev)
	if err != nil {
		return err
	}
	lex, err := e.userLexicon(ctx)
	if err != nil {
		return err
	}
	o := e.opts
	if o.Planner.Overrides, err = listKept[words.Override](ctx, e, settingOverrides, "this graph's own meanings of relations"); err != nil {
		return err
	}
	if o.Planner.Choices, err = e.Choices(ctx); err != nil {
		return err
	}
	on, err := e.meanings(ctx)
	if err != nil {
		return err
	}
	o.Planner.NoMeanings = o.Planner.NoMeanings || !on
	if o.Model.Accepted, err = e.AcceptedPatterns(ctx); err != nil {
		return err
	}
	if g.Entities() >= lateFrom { // the rest is made by the first question
		s := &state{graph: g, version: version, lexicon: lex, opts: o, model: e.Model()}
		if s.vectors.last, err = e.chosen(ctx); err == nil {
			e.put(s)
		}
		return err
	}
	s, err := newState(ctx, g, lex, o, ev)
	if err != nil {
		return err
	}
	s.model, s.version = e.Model(), version
	if was := e.now(); was == nil {
		if s.vectors, err = e.reopen(ctx, s, ev); err != nil {
			return err
		}
	} else if emb := was.vectors.embedder; emb != nil {
		s.vectors.embedder = emb
		s.vectors.notice = standIn(was.vectors.model(), reason("new names are being embedded"))
	}
	s.useVectors()
	e.put(s)
	return nil
}

// read reads the graph and its version. What is kept of a graph is kept by its
// version, so that the two must go together: where another program changes the
// graph in between, it is read again.
func (e *Engine) read(ctx context.Context, ev *Events) (*kg.Graph, string, error) {
	for {
		version, err := e.store.Version(ctx)
		if err != nil {
			return nil, "", err
		}
		g, err := e.store.Graph(ctx, ev.progress("open the graph"))
		if err != nil {
			return nil, "", err
		}
		if now, err := e.store.Version(ctx); err != nil || now == version {
			return g, version, err
		}
	}
}

// embedNew makes the vectors that the current state still lacks of the embedder
// that it is used with. It may take long, so that changing is not held: models
// can be chosen, and questions asked, meanwhile.
func (e *Engine) embedNew(ctx context.Context, ev *Events) {
	for {
		s := e.now()
		if s.vectors.embedder == nil || s.vectors.chosen != nil {
			return
		}
		v, err := e.vectorsFrom(ctx, s, s.vectors.embedder, s.vectors.embedder, ev)
		if err != nil {
			v = vectors{builtin: s.vectors.builtin, notice: standIn(s.vectors.model(), err)}
		}
		if e.placeNew(s, v) {
			return
		}
	}
}

// placeNew puts vectors that were made for was in place, unless another state of
// the store, or another choice of the embedder, has come between.
func (e *Engine) placeNew(was *state, v vectors) bool {
	e.changing.Lock()
	defer e.changing.Unlock()
	s := *e.now()
	if s.vectors.builtin != was.vectors.builtin || s.vectors.chosen != nil || s.vectors.embedder == nil || s.vectors.embedder.ID() != was.vectors.embedder.ID() {
		return false
	}
	s.vectors = v
	s.useVectors()
	e.put(&s)
	return true
}

// newState derives everything that questions need from a graph.
func newState(ctx context.Context, g *kg.Graph, lex *lexicon.Lexicon, o Options, ev *Events) (*state, error) {
	s := &state{graph: g, lexicon: lex, opts: o}
	if err := s.indexNames(ctx, arrays.Folder{}, ev); err != nil {
		return nil, err
	}
	if err := s.link(ctx, arrays.Folder{}, ev); err != nil {
		return nil, err
	}
	return s, nil
}

// use makes a state plan with m, or with the built-in planner for nil.
func (s *state) use(m llm.Model) {
	s.model = m
	if !s.isReady() {
		return
	}
	s.planner = s.builtin
	if m != nil {
		s.planner = bymodel.New(m, bymodel.World{
			Graph: s.graph, Lexicon: s.lexicon, Linker: s.linker, Names: s.vocab,
			Grounder: grounder{s.graph, s.vocab}, Schema: s.builtin, Fallback: s.builtin,
		}, s.opts.Model)
	}
}

// put makes s the current state. Making one takes a while; what was chosen in the
// meantime holds.
func (e *Engine) put(s *state) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if l := s.linker; l != nil {
		// The word lists for misspelt names are made while the user types. Where that
		// fails, the first question makes them, and says why it cannot.
		e.tasks.Go(func(ctx context.Context) { _ = l.Prepare(ctx) })
	}
	if was := e.state; was != nil {
		accepted := s.opts.Model.Accepted
		s.opts.Model = was.opts.Model
		s.opts.Model.Accepted = accepted
		s.use(was.model)
	}
	e.state = s
}

// choose changes what the user chooses of the current state. It waits for no state
// that is being made, since windows call it.
func (e *Engine) choose(change func(*state)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := *e.state
	change(&s)
	e.state = &s
}

func (e *Engine) now() *state {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return e.state
}

// join lets what its caller does end with the engine, which waits for it. leave is for defer; it
// turns a panic of the caller into *err.
func (e *Engine) join(ctx context.Context, err *error) (_ context.Context, leave func()) {
	ctx, done := e.tasks.Join(ctx)
	return ctx, func() {
		v := recover()
		done()
		guard.Recovered(v, e.opts.Logger, err)
	}
}

// Import adds files to the graph as one layer. Where it fails or is cancelled, what was
// committed stays, and the engine goes on with it.
func (e *Engine) Import(ctx context.Context, files []string, o ingest.Options, ev *Events) (total ingest.Report, err error) {
	ctx, leave := e.join(ctx, &err)
	defer leave()
	if e.store == nil {
		return ingest.Report{}, ErrInMemory
	}
	name := "files"
	if len(files) == 1 {
		name = filepath.Base(files[0])
	}
	total, failed := ingest.Files(ctx, e.store, files, o, &ingest.Events{
		Load: ev.progress("read the graph"), Progress: ev.progress("import " + name), Settle: ev.progress("sort the names"),
	})
	version, err := e.store.Version(context.WithoutCancel(ctx)) // new also where a file only says again what was there
	if !total.Changed() && !e.unread.Load() && (err != nil || version == e.now().version) {
		total.Describe(e.Graph())
		return total, failed
	}
	if e.opts.ImportFirst && errors.Is(failed, context.Canceled) {
		if cut, err := e.store.CutShort(context.WithoutCancel(ctx)); err == nil && cut {
			e.unread.Store(true)
			return total, failed
		}
	}
	e.unread.Store(false)
	// The state is made anew even after a cancel: what was committed is there.
	// Only the vectors of a model wait for another time.
	if err := e.reload(context.WithoutCancel(ctx), ctx, ev); err != nil {
		return total, cmp.Or(failed, err)
	}
	total.Describe(e.Graph())
	return total, failed
}

// Unread reports whether the file holds more than Graph knows of: with
// Options.ImportFirst, while a large import is cut short.
func (e *Engine) Unread() bool { return e.unread.Load() }

// SetModel sets the language model that questions use, or none for nil.
func (e *Engine) SetModel(m llm.Model) { e.choose(func(s *state) { s.use(m) }) }

// Model returns the language model in use, or nil.
func (e *Engine) Model() llm.Model {
	if s := e.now(); s != nil {
		return s.model
	}
	return nil
}

// Planner returns the planner that questions use: the model's where one is set,
// with the built-in one behind it, and the built-in one otherwise. A graph that is not
// ready is prepared first.
func (e *Engine) Planner(ctx context.Context) (plan.Planner, error) {
	s, err := e.awaitReady(ctx, nil)
	if err != nil {
		return nil, err
	}
	return s.planner, nil
}

// Graph returns the current snapshot of the graph.
func (e *Engine) Graph() *kg.Graph { return e.now().graph }

// Sources returns where each of the triples comes from, oldest import first; nothing
// for a graph in memory.
func (e *Engine) Sources(ctx context.Context, ts []kg.TripleID) (map[kg.TripleID][]kg.Provenance, error) {
	if e.store == nil || len(ts) == 0 {
		return nil, nil
	}
	return e.store.Provenances(ctx, ts)
}

// Info is what there is to know of a graph at a glance.
type Info struct {
	Name      string      `json:"name"`
	Path      string      `json:"path"` // empty for a graph in memory
	Entities  int         `json:"entities"`
	Relations int         `json:"relations"`
	Triples   int         `json:"triples"`
	Types     int         `json:"types"`
	Sources   []kg.Source `json:"sources"`
	ReadOnly  bool        `json:"read_only,omitempty"` // nothing can be kept in its file
}

// Info describes the graph.
func (e *Engine) Info(ctx context.Context) (Info, error) {
	g := e.Graph()
	entities, triples := g.Count()
	info := Info{
		Name:      "graph in memory",
		Path:      e.path,
		Entities:  entities,
		Relations: g.Relations(),
		Triples:   triples,
		Types:     g.NumTypes(),
	}
	if e.store == nil {
		return info, nil
	}
	info.ReadOnly = e.store.ReadOnly()
	info.Name = strings.TrimSuffix(filepath.Base(e.path), filepath.Ext(e.path))
	var err error
	info.Sources, err = e.store.Sources(ctx)
	return info, err
}
