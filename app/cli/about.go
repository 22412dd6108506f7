package cli

import (
	"cmp"
	"context"
	"slices"

	"github.com/alecthomas/kong"

	"cairn/app/cli/command"
)

type versionCommand struct{}

// Run says which program this is.
func (versionCommand) Run(s *session) error {
	b := command.ThisBuild()
	return s.Result(b, func() {
		const unknown = "unknown: not built from a checkout"
		s.Printf("Cairn %s\n", b.Version)
		s.Table("  ", [][]string{{"commit", cmp.Or(b.CommitText(), unknown)}, {"date", cmp.Or(b.Date, unknown)}, {"go", b.Go}, {"system", b.System}})
	})
}

type helpCommand struct {
	Command []string `arg:"" optional:"" help:"The command, such as ask or train gnn (default: all commands)."`
}

// Run shows what --help shows of a command.
func (c *helpCommand) Run(ctx context.Context, s *session) error {
	node := s.Grammar.Node
	for _, word := range c.Command {
		at := slices.IndexFunc(node.Children, func(n *kong.Node) bool { return n.Name == word })
		if at < 0 {
			return command.Unknown(node, word)
		}
		node = node.Children[at]
	}
	p := s.start
	p.Args = append(slices.Clone(c.Command), "--help")
	return command.OutcomeError(p.Run(ctx))
}
