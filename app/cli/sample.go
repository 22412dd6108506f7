package cli

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"

	"cairn/engine"
)

// openSample opens the built-in sample graph, which is made at the first use
// and kept in the user's data folder, where the window keeps it too. Where that
// folder cannot be used, a temporary one serves: the sample always works.
func (s *session) openSample(ctx context.Context) (*engine.Engine, error) {
	o := s.engineOptions()
	e, err := engine.OpenSample(ctx, dataFolder(), o, s.events(true))
	if err == nil || ctx.Err() != nil {
		return e, err
	}
	s.log.DebugContext(ctx, "sample in a temporary folder", slog.Any("error", err))
	tmp, tmpErr := os.MkdirTemp("", "cairn-")
	if tmpErr != nil {
		return nil, fmt.Errorf("make a folder for the sample graph: %w", tmpErr)
	}
	s.cleanup = append(s.cleanup, func() { os.RemoveAll(tmp) })
	return engine.OpenSample(ctx, tmp, o, s.events(true))
}

// dataFolder is where graphs are kept that no path was given for.
func dataFolder() string { return filepath.Join(xdg.DataHome, "cairn") }
