package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"cairn/app/cli/command"
)

type windowCommand struct {
	Graph    []string `arg:"" optional:"" help:"A graph to open, or files to import (default: the last graph opened)."`
	Question string   `help:"Ask this as soon as the graph is open." placeholder:"TEXT"`
	Folder   string   `help:"Keep new graphs in this folder." placeholder:"DIR"`
}

// Run opens the window. It is the one place that does.
func (c *windowCommand) Run(ctx context.Context, s *session) error {
	for i, path := range c.Graph {
		if _, err := os.Stat(path); err != nil {
			if isGraphName(path) {
				return command.Exists("open", path, noGraph(path))
			}
			return command.Unknown(s.Grammar.Node, path)
		}
		abs, err := filepath.Abs(path) // the window remembers it for the next start
		if err != nil {
			return fmt.Errorf("find %s: %w", path, err)
		}
		c.Graph[i] = abs
	}
	if s.start.Window == nil {
		return command.UsageError("this build has no window; use cairn ask or cairn tour")
	}
	if !hasDisplay(os.Getenv) {
		return command.UsageError("there is no display here; use cairn ask \"a question\", or cairn tour --out out, which need none")
	}
	if err := s.start.Window(ctx, WindowOptions{Paths: c.Graph, Question: c.Question, Folder: c.Folder, Logger: s.Log}); err != nil {
		return fmt.Errorf("open the window: %w", err)
	}
	return nil
}

// hasDisplay reports whether there is a display to open a window on.
func hasDisplay(env func(string) string) bool {
	switch runtime.GOOS {
	case "darwin", "windows", "js":
		return true
	}
	return env("DISPLAY") != "" || env("WAYLAND_DISPLAY") != ""
}
