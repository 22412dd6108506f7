package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/retrieve"
	"cairn/engine/train"
)

// Methods describes the ways to look for evidence, the default one first.
func (e *Engine) Methods() []retrieve.Info { return MethodInfos(e.opts.Methods) }

// MethodInfos describes methods, in their order.
func MethodInfos(ms []retrieve.Method) []retrieve.Info {
	list := make([]retrieve.Info, len(ms))
	for i, m := range ms {
		list[i] = m.Info()
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
	m, err := e.method(id)
	if err != nil || !m.Info().Seeded {
		return m, err
	}
	if i := slices.IndexFunc(e.opts.Methods, func(m retrieve.Method) bool { return !m.Info().Seeded }); i >= 0 {
		return e.opts.Methods[i], nil
	}
	return nil, fmt.Errorf("%s matches no patterns, and no other retriever does", m.Info().Who)
}

// able names the first method that can do what another one cannot; empty for none.
func (e *Engine) able(can func(retrieve.Info) bool) string {
	list := e.Methods()
	if i := slices.IndexFunc(list, can); i >= 0 {
		return list[i].Who
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
}

// retrievers are the methods that are ready.
type retrievers struct {
	opening chan struct{} // holds one thing while a method is opened

	mu    sync.Mutex
	ready map[string]*opened // by the method's ID
}

// get returns the method that is ready for a state of the graph, or nil.
func (r *retrievers) get(id string, of train.Key, s *state) *opened {
	r.mu.Lock()
	defer r.mu.Unlock()
	if o := r.ready[id]; o != nil && o.of == of && o.graph == s.graph && o.names == s.vocab {
		return o
	}
	return nil
}

func (r *retrievers) put(id string, o *opened) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ready == nil {
		r.ready = map[string]*opened{}
	}
	r.ready[id] = o
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
		return e.trainedRetriever(ctx, s, t)
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
	e.retrievers.put(id, o)
	return o, nil
}
