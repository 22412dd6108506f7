package link

import (
	"context"
	"sync/atomic"

	"cairn/engine/kg"
)

// tables are what a linker finds names with. They depend on nothing but the graph.
type tables struct {
	names *names
	late  lateTables
}

// lateTables are made when they are first needed.
type lateTables struct {
	parts    *late[parts]
	spelling *late[spelling]
	values   *late[values]
}

func (t *tables) parts() *parts       { return t.late.parts.get() }
func (t *tables) spelling() *spelling { return t.late.spelling.get() }
func (t *tables) values() *values     { return t.late.values.get() }

// newTables makes the tables that the first question needs, and the others later.
func newTables(ctx context.Context, g *kg.Graph) (*tables, error) {
	n, err := newNames(ctx, g, nil)
	if err != nil {
		return nil, err
	}
	words := newLate(func(ctx context.Context) (*parts, error) { return newParts(ctx, &n.keys.dictionary, nil) })
	return &tables{names: n, late: lateTables{
		parts:  words,
		values: newLate(func(ctx context.Context) (*values, error) { return newValues(ctx, g) }),
		spelling: newLate(func(ctx context.Context) (*spelling, error) {
			if err := words.prepare(ctx); err != nil {
				return nil, err
			}
			return newSpelling(ctx, &words.get().words.dictionary)
		}),
	}}, nil
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
