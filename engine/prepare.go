package engine

import (
	"context"
	"fmt"
	"sync"
	"time"

	"cairn/engine/cypher"
	"cairn/engine/embed"
	"cairn/engine/internal/arrays"
	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/plan/builtin"
	"cairn/engine/schema"
	"cairn/internal/guard"
)

// lateFrom is the number of entities from which opening a graph leaves to the
// first question what questions need: an import, or a look at what there is, does
// without. It is a variable for tests.
var lateFrom = 300_000

// isNamed reports whether names can be looked up by their vectors.
func (s *state) isNamed() bool { return s.vectors.builtin != nil }

// isReady reports whether questions can be asked.
func (s *state) isReady() bool { return s.linker != nil }

// Ready reports whether questions can be asked without preparing anything first.
func (e *Engine) Ready() bool { return e.now().isReady() }

// Prepare makes what questions need and opening a large graph leaves out: the
// vectors of its names, the tables to find names in texts with, what its relations
// say. What can be is kept in the folder beside the graph, so that it is made
// once. A question prepares what is missing by itself; where several want it, one
// makes it and all are told how far it has come.
func (e *Engine) Prepare(ctx context.Context, ev *Events) (err error) {
	ctx, leave := e.join(ctx, &err)
	defer leave()
	_, err = e.awaitReady(ctx, ev)
	return err
}

// Vocabulary returns what finds the names of the graph by their vectors, made
// where it is missing.
func (e *Engine) Vocabulary(ctx context.Context, ev *Events) (*link.Vocabulary, error) {
	s, err := e.named(ctx, ev)
	if err != nil {
		return nil, err
	}
	return s.vectors.serving(), nil
}

// named returns the current state, its names indexed.
func (e *Engine) named(ctx context.Context, ev *Events) (*state, error) {
	return e.await(ctx, ev, (*state).isNamed, e.indexNames)
}

// awaitReady returns the current state, ready for questions.
func (e *Engine) awaitReady(ctx context.Context, ev *Events) (*state, error) {
	return e.await(ctx, ev, (*state).isReady, func(ctx context.Context, s *state, ev *Events) error {
		if !s.isNamed() {
			if err := e.indexNames(ctx, s, ev); err != nil {
				return err
			}
			named := *s
			e.place(&named) // a cancelled preparation goes on from here
		}
		if err := s.link(ctx, e.cache(s), ev); err != nil {
			return err
		}
		// What the model of the names embedded is there as well, or says why not.
		v, err := e.reopen(ctx, s, ev)
		if err != nil {
			return err
		}
		s.vectors = v
		s.useVectors()
		return nil
	})
}

// await returns the current state once it is as wanted, and has one goroutine at
// a time improve it.
func (e *Engine) await(ctx context.Context, ev *Events, wanted func(*state) bool, improve func(context.Context, *state, *Events) error) (*state, error) {
	for {
		s := e.now()
		if wanted(s) {
			return s, nil
		}
		if err := e.preparing.take(ctx, ev); err != nil {
			return nil, err
		}
		err := func() error {
			defer e.preparing.give()
			better := *e.now()
			if wanted(&better) {
				return nil // another one has made it
			}
			if err := improve(ctx, &better, e.preparing.events(ev)); err != nil {
				return err
			}
			e.place(&better)
			return nil
		}()
		if err != nil {
			return nil, err
		}
	}
}

// place puts what was made for a state in place, unless the graph has changed.
func (e *Engine) place(s *state) {
	e.changing.Lock()
	defer e.changing.Unlock()
	if was := e.now(); was.graph == s.graph && was.lexicon == s.lexicon {
		e.put(s)
	}
}

// cache is where what is made from a state is kept.
func (e *Engine) cache(s *state) arrays.Folder {
	if e.store == nil || s.graph.Entities() < lateFrom {
		return arrays.Folder{}
	}
	return arrays.Folder{Dir: e.store.CacheFolder(), Version: s.version}
}

func (e *Engine) indexNames(ctx context.Context, s *state, ev *Events) error {
	return s.indexNames(ctx, e.cache(s), ev)
}

// indexNames makes the vectors of the names by the built-in embedder.
func (s *state) indexNames(ctx context.Context, kept arrays.Folder, ev *Events) error {
	label := func(i int) string { return s.graph.Label(kg.EntityID(i)) }
	emb, err := embed.OpenLexical(ctx, s.graph.Entities(), label, s.lexicon, kept, ev.progress("learn the words of the names"))
	if err != nil {
		return fmt.Errorf("learn the words of the names: %w", err)
	}
	v, err := link.OpenVocabulary(ctx, s.graph, emb, kept, ev.progress("index the names"))
	if err != nil {
		return fmt.Errorf("index the names of the graph: %w", err)
	}
	s.vectors.builtin, s.vocab = v, v
	return nil
}

// link makes what finds names in texts, and the planner. The planner reads the
// graph meanwhile.
func (s *state) link(ctx context.Context, kept arrays.Folder, ev *Events) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var graphSchema *schema.Schema
	var unread error
	var reading guard.Group
	reading.Go(func() { graphSchema, unread = schema.Read(ctx, s.graph) })
	linker, err := link.OpenLinker(ctx, s.graph, s.vocab, s.lexicon, kept, ev.progress("read the names"))
	if err != nil {
		cancel()
	}
	reading.Wait()
	switch {
	case err != nil:
		return fmt.Errorf("read the names of the graph: %w", err)
	case unread != nil:
		return fmt.Errorf("read the graph's schema: %w", unread)
	}
	s.linker = linker
	s.readBy(graphSchema)
	return nil
}

// readBy makes the planner, on the schema of the graph.
func (s *state) readBy(known *schema.Schema) {
	s.builtin = builtin.NewOn(known, s.linker, s.lexicon, s.opts.Planner)
	s.planner, s.over = s.builtin, cypher.Over(s.graph, s.linker.Named)
}

// prepareLock lets one goroutine at a time do a long work, and tells those who wait how
// far it has come.
type prepareLock struct {
	held chan struct{} // holds one thing while the work is done

	mu          sync.Mutex
	task        string
	done, total int64
}

// told is how often those who wait are told.
const told = 100 * time.Millisecond

// take waits until nobody else does the work.
func (l *prepareLock) take(ctx context.Context, ev *Events) error {
	tick := time.NewTicker(told)
	defer tick.Stop()
	for {
		select {
		case l.held <- struct{}{}:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
			l.mu.Lock()
			task, done, total := l.task, l.done, l.total
			l.mu.Unlock()
			if tell := ev.progress(task); tell != nil && task != "" {
				tell(done, total)
			}
		}
	}
}

func (l *prepareLock) give() {
	l.mu.Lock()
	l.task = ""
	l.mu.Unlock()
	<-l.held
}

// events are ev, with the progress noted for those who wait.
func (l *prepareLock) events(ev *Events) *Events {
	var noted Events
	if ev != nil {
		noted = *ev
	}
	tell := noted.Progress
	noted.Progress = func(task string, done, total int64) {
		l.mu.Lock()
		l.task, l.done, l.total = task, done, total
		l.mu.Unlock()
		if tell != nil {
			tell(task, done, total)
		}
	}
	return &noted
}
