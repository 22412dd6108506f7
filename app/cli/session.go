package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/kg"
)

// session is one command on its way.
type session struct {
	*command.Session
	start  Program            // what runs it
	models command.ModelFlags // which model server this command may ask
}

// graphEnding is the ending of a graph's file.
const graphEnding = ".cairn"

// open opens the graph at path; an empty path is the built-in sample.
func (s *session) open(ctx context.Context, path string) (*engine.Engine, error) {
	if path == "" {
		return s.openSample(ctx)
	}
	// The engine makes a graph where there is none; a question needs one.
	if err := command.Exists("open", path, noGraph(path)); err != nil {
		return nil, err
	}
	e, err := engine.Open(ctx, path, s.engineOptions(), s.events(false))
	if errors.Is(err, kg.ErrDamaged) && isDataFile(path) && !isGraphName(path) {
		return nil, notAGraph(path)
	}
	return s.opened(e, err)
}

// opened notes a graph that was opened, and closes it at the end of the command.
func (s *session) opened(e *engine.Engine, err error) (*engine.Engine, error) {
	if s.Opened = e; err == nil {
		s.Cleanup(e.Close)
	}
	return e, err
}

func isGraphName(path string) bool { return strings.HasSuffix(strings.ToLower(path), graphEnding) }

// graphNamed is the name of a graph that is made from a file.
func graphNamed(file string) string {
	return strings.TrimSuffix(file, filepath.Ext(file)) + graphEnding
}

// noGraph is what to do where there is no graph at path.
func noGraph(path string) string {
	if !isGraphName(path) {
		return "check the spelling; graph names end in " + graphEnding
	}
	return "check the spelling, or create it with cairn import FILE --into " + path
}

// notAGraph says of a file that is something else how a graph is made from it.
func notAGraph(path string) error {
	return command.UsageError(fmt.Sprintf("%s is a file but not a graph; if it has triples, create a graph from it with cairn import %[1]s --into %s", path, filepath.Base(graphNamed(path))))
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// events show progress; bytes says that reading files counts bytes.
func (s *session) events(bytes bool) *engine.Events {
	return &engine.Events{
		Progress: func(task string, done, total int64) {
			s.Show(present.ProgressText(task, done, total, bytes && strings.HasPrefix(task, "import ")))
		},
		StageEnd: func(run *engine.Run, r engine.StageRecord) {
			s.Show(fmt.Sprintf("%s: %s", r.Stage, present.Ended(s.Opened.Graph(), run, r).Summary))
		},
	}
}
