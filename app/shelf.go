package app

import "sync"

// shelf holds the graphs that are open, from the moment they are: whoever is
// interrupted on the way to showing one leaves it here, to be closed with the
// window.
type shelf struct {
	mu         sync.Mutex
	openGraphs map[openGraph]bool
}

// put notes that a graph is open.
func (s *shelf) put(g openGraph) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.openGraphs == nil {
		s.openGraphs = map[openGraph]bool{}
	}
	s.openGraphs[g] = true
}

// close closes a graph, once.
func (s *shelf) close(g openGraph) error {
	s.mu.Lock()
	held := s.openGraphs[g]
	delete(s.openGraphs, g)
	s.mu.Unlock()
	if !held {
		return nil
	}
	return g.Close()
}

// closeAll closes what is left.
func (s *shelf) closeAll() error {
	s.mu.Lock()
	left := s.openGraphs
	s.openGraphs = nil
	s.mu.Unlock()
	var first error
	for g := range left {
		if err := g.Close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}
