package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"cairn/app/cli/command"
	"cairn/app/output"
	"cairn/app/present"
	"cairn/engine/kg"
)

type backupCommand struct {
	Graph  string `arg:"" help:"The graph to copy; it may be in use."`
	Target string `arg:"" help:"The file to copy it to." placeholder:"FILE.cairn"`
}

type backupResult struct {
	Graph string `json:"graph"`
	Copy  string `json:"copy"`
	Bytes int64  `json:"bytes"`
}

func (c *backupCommand) Run(ctx context.Context, s *session) (err error) {
	if err := command.Exists("copy", c.Graph, "check the spelling"); err != nil {
		return err
	}
	if !strings.EqualFold(filepath.Ext(c.Target), graphEnding) {
		return command.UsageError(fmt.Sprintf("the name of the copy must end in %[2]s, such as %[1]s%[2]s", c.Target, graphEnding))
	}
	st, err := kg.OpenStore(ctx, c.Graph)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, st.Close()) }()
	tell := s.events(false).Progress
	g := output.Guard{Graph: c.Graph, NewGraph: true, Force: s.Force}
	if err := command.Forced(output.Make(c.Target, g, func(temp string) error {
		return st.Backup(ctx, temp, func(done, total int64) { tell("copy the graph", done, total) })
	})); err != nil {
		return err
	}
	info, err := os.Stat(c.Target)
	if err != nil {
		return err
	}
	return s.Result(backupResult{Graph: c.Graph, Copy: c.Target, Bytes: info.Size()}, func() {
		s.Printf("Copied %s to %s and checked the copy: %s.\n", c.Graph, c.Target, present.Bytes(info.Size()))
	})
}
