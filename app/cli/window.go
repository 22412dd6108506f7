package cli

import (
	"fmt"
	"os"
	"runtime"
	"strings"

	"cairn/app/present"
)

type windowCommand struct {
	Graph    string `arg:"" optional:"" help:"The graph to open, or a file to import; the graph that was open last where left out."`
	Question string `help:"Ask this as soon as the graph is open." placeholder:"TEXT"`
	Folder   string `help:"Keep new graphs in this folder." placeholder:"DIR"`
}

// Run opens the window. It is the one place that does.
func (c *windowCommand) Run(s *session) error {
	if c.Graph != "" {
		if _, err := os.Stat(c.Graph); err != nil {
			if strings.HasSuffix(strings.ToLower(c.Graph), graphEnding) {
				return exists("open", c.Graph, "check how the name is written, or make it with cairn import FILE --into "+c.Graph)
			}
			return noCommand(c.Graph)
		}
	}
	if s.Window == nil {
		return usageError("this build has no window; use cairn ask or cairn tour")
	}
	if !hasDisplay(os.Getenv) {
		return usageError("there is no display here; use cairn ask \"a question\", or cairn tour --out out, which need none")
	}
	if err := s.Window(WindowOptions{Path: c.Graph, Question: c.Question, Folder: c.Folder, Logger: s.log}); err != nil {
		return fmt.Errorf("open the window: %w", err)
	}
	return nil
}

func noCommand(word string) error {
	return usageError(fmt.Sprintf("there is no command and no file %q; the commands are ask, import, extract, train, embed, info, lexicon, models, tour, doctor, eval and bench", present.Shorten(word, 60)))
}

// hasDisplay reports whether there is a display to open a window on.
func hasDisplay(env func(string) string) bool {
	switch runtime.GOOS {
	case "darwin", "windows", "js":
		return true
	}
	return env("DISPLAY") != "" || env("WAYLAND_DISPLAY") != ""
}
