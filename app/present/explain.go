package present

import (
	"context"
	"fmt"

	"cairn/engine"
	"cairn/engine/evidence"
	"cairn/engine/kg"
)

// Explainer finds out how an entity stands to the question of a run.
type Explainer interface {
	Graph() *kg.Graph
	WhyNot(ctx context.Context, run *engine.Run, e kg.EntityID) (*engine.WhyNot, error)
	Why(ctx context.Context, run *engine.Run, e kg.EntityID) (*evidence.Why, error)
}

// FindReasons tells why an entity is an answer of a run, or why not. It fails with
// engine.ErrNoConditions where the run asks for no entity by conditions.
func FindReasons(ctx context.Context, by Explainer, run *engine.Run, e kg.EntityID) (Reasons, error) {
	w, err := by.WhyNot(ctx, run, e)
	if err != nil {
		return Reasons{}, err
	}
	var why *evidence.Why
	if w.Place > 0 && w.Place <= w.Answers {
		if why, err = by.Why(ctx, run, e); err != nil {
			return Reasons{}, err
		}
	}
	return ReasonsOf(by.Graph(), w, why), nil
}

// NoConditions says why nothing can be explained of an entity.
const NoConditions = "Such a text asks for no entity by conditions, so that nothing can be said of one."

// CanExplain reports whether FindReasons has something to say of a run's entities.
func CanExplain(run *engine.Run) bool {
	return run != nil && run.Plan != nil && run.Pattern() != nil && run.Pattern().Asked >= 0
}

// NamesFor says why a name means no one entity, and what can be asked for instead: keys,
// where the name is of several, else the nearest names.
func NamesFor(g *kg.Graph, name string, es []kg.EntityID, named bool) (why string, names []string) {
	for _, e := range es {
		if named {
			names = append(names, g.Key(e))
		} else {
			names = append(names, g.Label(e))
		}
	}
	switch {
	case named:
		return fmt.Sprintf("“%s” may be any of %d. Choose one by its key:", OneLine(name), len(es)), names
	case len(es) > 0:
		return fmt.Sprintf("Nothing in this graph is called “%s”. The nearest names:", OneLine(name)), names
	}
	return fmt.Sprintf("Nothing in this graph is called “%s”.", OneLine(name)), nil
}
