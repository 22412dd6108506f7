package link

import (
	"context"
	"sync"

	"cairn/engine/kg"
)

// tables are what a linker finds names with. They depend on nothing but the graph.
type tables struct {
	names *names
	// parts, spelling and values are made when they are first needed.
	parts    func() *parts
	spelling func() *spelling
	values   func() *values
}

// newTables makes the tables that the first question needs, and the others later.
func newTables(ctx context.Context, g *kg.Graph) (*tables, error) {
	n, err := newNames(ctx, g, nil)
	if err != nil {
		return nil, err
	}
	t := &tables{
		names:  n,
		parts:  uncancelled(func(ctx context.Context) (*parts, error) { return newParts(ctx, &n.keys.dictionary, nil) }),
		values: uncancelled(func(ctx context.Context) (*values, error) { return newValues(ctx, g) }),
	}
	t.spelling = uncancelled(func(ctx context.Context) (*spelling, error) { return newSpelling(ctx, &t.parts().words.dictionary) })
	return t, nil
}

// uncancelled returns what makes a thing once, when it is first asked for.
func uncancelled[T any](produce func(context.Context) (T, error)) func() T {
	return sync.OnceValue(func() T {
		made, err := produce(context.Background())
		if err != nil {
			panic(err) // only a cancelled context fails
		}
		return made
	})
}
