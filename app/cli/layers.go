package cli

import (
	"context"
	"errors"
	"strconv"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/kg"
)

type layersCommand struct {
	Graph  string `arg:"" help:"A .cairn file."`
	Off    *int64 `help:"Leave out a layer when answering, by its number in the list." placeholder:"N"`
	On     *int64 `help:"Use a layer again." placeholder:"N"`
	Remove *int64 `help:"Remove a layer and everything found only in it." placeholder:"N"`
}

// Run lists the layers of a graph, or changes one first.
func (c *layersCommand) Run(ctx context.Context, s *session) error {
	changes := map[*int64]func(*engine.Engine, int64) error{
		c.Off:    func(e *engine.Engine, n int64) error { return e.SwitchLayer(ctx, n, false, s.events(false)) },
		c.On:     func(e *engine.Engine, n int64) error { return e.SwitchLayer(ctx, n, true, s.events(false)) },
		c.Remove: func(e *engine.Engine, n int64) error { return e.RemoveLayer(ctx, n, s.events(false)) },
	}
	delete(changes, nil)
	if len(changes) > 1 {
		return command.UsageError("--off, --on and --remove each change a layer; use only one of them")
	}
	e, err := s.open(ctx, c.Graph)
	if err != nil {
		return err
	}
	for n, change := range changes {
		err := change(e, *n)
		if missing := (*kg.NoLayerError)(nil); errors.As(err, &missing) {
			return command.InputError(missing.Error() + "; list its layers with cairn layers " + c.Graph)
		}
		if err != nil {
			return err
		}
	}
	info, err := e.Info(ctx)
	if err != nil {
		return err
	}
	return s.Result(append([]kg.Source{}, info.Sources...), func() {
		rows := [][]string{{"number", "", "source", "added", "imported", "read as"}}
		for _, x := range info.Sources {
			state := "on"
			if x.Off {
				state = "off"
			}
			rows = append(rows, []string{strconv.FormatInt(x.ID, 10), state, x.Name, present.Count(x.Added), present.When(x.Imported), present.Shorten(x.Mapping, 90)})
		}
		s.Table("", rows)
		s.Printf("Questions use %s and %s.\n", present.Plural(info.Triples, "triple", "triples"), present.Plural(info.Entities, "entity", "entities"))
	})
}
