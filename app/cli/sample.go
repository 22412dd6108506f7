package cli

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"cairn/app/present"
	"cairn/engine"
)

// openSample opens the built-in sample graph, which is made at the first use
// and kept in the user's data folder, where the window keeps it too. Where that
// folder cannot be used, a temporary one serves: the sample always works.
func (s *session) openSample(ctx context.Context) (*engine.Engine, error) {
	o := s.engineOptions()
	dir, err := present.DataFolder()
	if err == nil {
		e, openErr := engine.OpenSample(ctx, dir, o, s.events(true))
		if openErr == nil || ctx.Err() != nil {
			return s.opened(e, openErr)
		}
		err = openErr
	} else {
		s.Warn("HOME is not set, so the sample graph is in a temporary folder this time. Set HOME or XDG_DATA_HOME to keep it.")
	}
	s.Log.DebugContext(ctx, "sample in a temporary folder", slog.Any("error", err))
	tmp, tmpErr := os.MkdirTemp("", "cairn-")
	if tmpErr != nil {
		return nil, fmt.Errorf("make a folder for the sample graph: %w", tmpErr)
	}
	s.Cleanup(func() error { return os.RemoveAll(tmp) })
	return s.opened(engine.OpenSample(ctx, tmp, o, s.events(true)))
}
