package app

import (
	"errors"
	"sync"
)

// openGraphs holds the graphs that are open, from the moment they are: whoever is
// interrupted on the way to showing one leaves it here, to be closed with the
// window.
type openGraphs struct{ graphs sync.Map }

func (o *openGraphs) add(g openGraph) { o.graphs.Store(g, nil) }

// close closes a graph, once.
func (o *openGraphs) close(g openGraph) error {
	if _, held := o.graphs.LoadAndDelete(g); !held {
		return nil
	}
	return g.Close()
}

// closeAll closes what is left.
func (o *openGraphs) closeAll() (err error) {
	o.graphs.Range(func(g, _ any) bool {
		err = errors.Join(err, o.close(g.(openGraph))) //nolint:errcheck // all are
		return true
	})
	return err
}
