package link

import (
	"context"
	"sync/atomic"

	"cairn/engine/kg"
)

// tables are what a linker finds names with. They depend on nothing but the graph.
type tables struct {
	names *names
	late  *late[wordTables]
}

// wordTables find names by some of their words, by misspelt ones and by values. They
// are made when they are first needed.
type wordTables struct {
	parts    *parts
	spelling *spelling
	values   *values
}

func (t *tables) parts() *parts       { return t.late.get().parts }
func (t *tables) spelling() *spelling { return t.late.get().spelling }
func (t *tables) values() *values     { return t.late.get().values }

// newTables makes the tables that the first question needs, and the others later.
func newTables(ctx context.Context, g *kg.Graph) (*tables, error) {
	n, err := newNames(ctx, g, nil)
	if err != nil {
		return nil, err
	}
	return &tables{names: n, late: newLate(func(ctx context.Context) (*wordTables, error) { return newWordTables(ctx, g, n, nil) })}, nil
}

// newWordTables makes the tables of the words of names. tell, which may be nil, is told
// now and then how many keys were done since.
func newWordTables(ctx context.Context, g *kg.Graph, n *names, tell func(n int)) (t *wordTables, err error) {
	t = &wordTables{}
	if t.values, err = newValues(ctx, g); err != nil {
		return nil, err
	}
	if t.parts, err = newParts(ctx, &n.keys.dictionary, tell); err != nil {
		return nil, err
	}
	t.spelling, err = newSpelling(ctx, &t.parts.words.dictionary)
	return t, err
}

// late is a thing that is made once, when it is first asked for.
type late[T any] struct {
	made    atomic.Pointer[T]
	making  chan struct{} // holds one thing while it is made
	produce func(context.Context) (*T, error)
}

func newLate[T any](produce func(context.Context) (*T, error)) *late[T] {
	return &late[T]{making: make(chan struct{}, 1), produce: produce}
}

// prepare makes the thing, or waits until another has. One that is cancelled
// leaves it to the next. The only error is the context's.
func (l *late[T]) prepare(ctx context.Context) error {
	if l.made.Load() != nil {
		return nil
	}
	select {
	case l.making <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-l.making }()
	if l.made.Load() != nil {
		return nil
	}
	made, err := l.produce(ctx)
	if err == nil {
		l.made.Store(made)
	}
	return err
}

// get returns the thing, made where it is missing.
func (l *late[T]) get() *T {
	if err := l.prepare(context.Background()); err != nil {
		panic(err) // only a cancelled context fails
	}
	return l.made.Load()
}
