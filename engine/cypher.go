package engine

import (
	"context"
	"fmt"

	"cairn/engine/cypher"
)

// Cypher runs a query in Cypher, which only reads, over the graph. It fails with a
// *cypher.Error where the query makes no sense.
func (e *Engine) Cypher(ctx context.Context, text string, o cypher.Options, ev *Events) (_ *cypher.Result, err error) {
	ctx, leave := e.join(ctx, &err)
	defer leave()
	q, err := cypher.Parse(text)
	if err != nil {
		return nil, err
	}
	s, err := e.awaitReady(ctx, ev)
	if err != nil {
		return nil, fmt.Errorf("prepare the graph for questions: %w", err)
	}
	return cypher.Run(ctx, s.properties(), q, o)
}

// CypherOf writes the pattern of a run as a query in Cypher; empty where it cannot be, or
// where the graph is another by now.
func (e *Engine) CypherOf(run *Run) string {
	s := e.now()
	if p := run.Pattern(); p != nil && s.isReady() && run.Graph == s.version {
		if text, ok := s.properties().FromPattern(p); ok {
			return text
		}
	}
	return ""
}

// properties shows the graph as one of nodes, relationships and their properties. Names
// are found by going through all until there is an index of them.
func (s *state) properties() *cypher.KG {
	if s.over == nil {
		return cypher.Over(s.graph, nil)
	}
	return s.over
}
