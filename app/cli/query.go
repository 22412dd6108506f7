package cli

import (
	"context"
	"fmt"
	"strings"

	"cairn/app/cli/command"
	"cairn/engine"
	"cairn/engine/pattern"
)

type queryCommand struct {
	Words []string `arg:"" name:"graph query" help:"A graph's .cairn file (the built-in sample where left out), and the query, such as '(?film) -directed by-> (?director) | count ?film per ?director | largest count 5'."`

	runOutput
}

// Run evaluates a query that is written as a text.
func (c *queryCommand) Run(ctx context.Context, s *session) error {
	path, text := splitGraph(c.Words)
	if text == "" {
		return command.UsageError("there is no query; write it after the graph, in quotation marks, such as: cairn query '(Austria) -borders-> (?country)'")
	}
	p, err := pattern.ParseText(text)
	if err != nil {
		return err
	}
	return c.follow(ctx, s, path, p)
}

// follow answers a pattern, and shows the answer.
func (c *runOutput) follow(ctx context.Context, s *session, path string, p *pattern.Pattern) error {
	e, err := s.open(ctx, path)
	if err != nil {
		return err
	}
	if err := c.check(ctx, s); err != nil {
		return err
	}
	run, err := e.FollowPattern(ctx, pattern.Format(p), p, engine.AskOptions{NoModel: true, Retriever: exactID}, s.events(false))
	if err != nil {
		return err
	}
	return c.write(ctx, s, e, run)
}

// exactID is the method that answers plain queries: it finds all that fits, and no other.
const exactID = "exact"

type pathCommand struct {
	Words  []string `arg:"" name:"graph from to" help:"A graph's .cairn file (the built-in sample where left out), and the names of two things."`
	Within int      `help:"Paths of at most this many steps." placeholder:"N"`
	K      int      `name:"k" help:"This many paths, the shortest first, rather than all of the shortest." placeholder:"N"`
	Via    []string `help:"Only paths that visit this." placeholder:"NAME" sep:"none"`
	Avoid  []string `help:"No path that visits this." placeholder:"NAME" sep:"none"`

	runOutput
}

// Run finds the paths between two things.
func (c *pathCommand) Run(ctx context.Context, s *session) error {
	path, names := graphAndNames(c.Words)
	if len(names) != 2 || names[0] == names[1] {
		return command.UsageError(`write the names of two things, both in quotation marks, such as: cairn path "Austria" "Portugal"`)
	}
	if c.Within < 0 || c.K < 0 {
		return command.UsageError("--within and --k are numbers from 1 on")
	}
	p := &pattern.Pattern{Task: pattern.Connect, Asked: -1, Connection: &pattern.Connection{Within: c.Within, K: c.K}}
	node := func(name string) int {
		p.Nodes = append(p.Nodes, pattern.Node{Text: name})
		return len(p.Nodes) - 1
	}
	for _, name := range names {
		node(name)
	}
	for _, name := range c.Via {
		p.Connection.Via = append(p.Connection.Via, node(name))
	}
	for _, name := range c.Avoid {
		p.Connection.Avoid = append(p.Connection.Avoid, node(name))
	}
	return c.follow(ctx, s, path, p)
}

type describeCommand struct {
	Words []string `arg:"" name:"graph name" help:"A graph's .cairn file (the built-in sample where left out), and the name of a thing; of two things, what they have in common."`

	runOutput
}

// Run says what a graph says of a thing, or what two things have in common.
func (c *describeCommand) Run(ctx context.Context, s *session) error {
	path, names := graphAndNames(c.Words)
	p := &pattern.Pattern{Task: pattern.Describe}
	switch {
	case len(names) == 2 && names[0] != names[1]:
		p.Task, p.Asked = pattern.Contrast, -1
	case len(names) != 1:
		return command.UsageError(fmt.Sprintf("write the name of one thing, in quotation marks, or of two to compare, such as: cairn describe %q", strings.Join(names, " ")))
	}
	for _, name := range names {
		p.Nodes = append(p.Nodes, pattern.Node{Text: name})
	}
	return c.follow(ctx, s, path, p)
}

// graphAndNames takes a graph's file, or an empty word, off the front of the words.
func graphAndNames(words []string) (path string, names []string) {
	if isGraphName(words[0]) {
		return words[0], words[1:]
	}
	return "", words
}
