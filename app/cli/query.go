package cli

import (
	"context"
	"fmt"
	"strings"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/cypher"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/internal/wording"
)

type queryCommand struct {
	First string `arg:"" name:"graph query" help:"The graph's .cairn file (default: the built-in sample) and the query, such as '(?film) -directed by-> (?director) | count ?film per ?director | largest count 5'."`

	Words []string `arg:"" name:"query" optional:"" hidden:""`

	Cypher bool     `help:"The query is in Cypher (its read-only part: MATCH, WHERE, WITH, RETURN and what belongs to them)."`
	Param  []string `help:"Set a parameter of the Cypher query." placeholder:"NAME=VALUE" sep:"none"`

	runOutput
}

// Run evaluates a query that is written as a text.
func (c *queryCommand) Run(ctx context.Context, s *session) error {
	path, text := splitGraph(append([]string{c.First}, c.Words...))
	if text == "" {
		return command.UsageError("the query is missing; write it after the graph in quotation marks, for example: cairn query '(Austria) -borders-> (?country)'")
	}
	if c.Cypher {
		return c.cypher(ctx, s, path, text)
	}
	p, err := pattern.ParseText(text)
	if err != nil {
		return err
	}
	return c.follow(ctx, s, path, p)
}

// cypherJSON is what cairn query --cypher --json writes. Nodes, relationships and paths
// are texts as in the table.
type cypherJSON struct {
	Columns  []string `json:"columns"`
	Rows     [][]any  `json:"rows"`
	Complete bool     `json:"complete"`
	Evidence []string `json:"evidence"`
	Notes    []string `json:"notes"`
}

// cypher runs a query in Cypher, and shows its rows.
func (c *queryCommand) cypher(ctx context.Context, s *session, path, text string) error {
	params, err := c.params()
	if err != nil {
		return err
	}
	e, err := s.open(ctx, path)
	if err != nil {
		return err
	}
	r, err := e.Cypher(ctx, text, cypher.Options{Params: params}, s.events(false))
	if err != nil {
		return err
	}
	g := e.Graph()
	table := present.CypherTable(g, r)
	evidence, cut := present.CypherEvidence(r)
	if s.JSON {
		out := cypherJSON{Columns: r.Columns, Rows: [][]any{}, Complete: !r.More && !r.Late && !r.Large, Evidence: wording.Each(evidence, func(t kg.TripleID) string { return present.TripleText(g, t) }), Notes: append([]string{}, r.Notes...)}
		for i, row := range r.Rows {
			cells := make([]any, len(row.Values))
			for j, v := range row.Values {
				cells[j] = v
				switch v.(type) {
				case nil, bool, int64, float64, string:
				default:
					cells[j] = table[i+1][j]
				}
			}
			out.Rows = append(out.Rows, cells)
		}
		return s.PrintJSON(out)
	}
	s.Table("", table)
	s.Printf("\n%s\n", present.CypherSummary(r))
	s.Lines("", r.Notes)
	if len(evidence) == 0 {
		return nil
	}
	some := ""
	if cut {
		some = "at least "
	}
	s.Printf("\nEvidence: %s%s\n", some, present.Plural(len(evidence), "triple", "triples"))
	for i, t := range evidence {
		if i == shownEvidence && !c.All {
			s.Printf("  … and %d more; --all shows them\n", len(evidence)-i)
			break
		}
		s.Printf("  T%d  %s\n", i+1, present.TripleText(g, t))
	}
	return nil
}

// params reads the values of parameters, as Cypher writes them; what is no value is a text.
func (c *queryCommand) params() (map[string]any, error) {
	params := map[string]any{}
	for _, p := range c.Param {
		name, value, ok := strings.Cut(p, "=")
		if !ok || name == "" {
			return nil, command.UsageError(fmt.Sprintf("--param needs a name and a value, such as --param 'name=Jaws', not %q", p))
		}
		params[strings.TrimPrefix(name, "$")] = cypher.Value(value)
	}
	return params, nil
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
	Words  []string `arg:"" name:"graph from to" help:"The graph's .cairn file (default: the built-in sample) and the names of two entities."`
	Within int      `help:"Find only paths of at most this many steps." placeholder:"N"`
	K      int      `name:"k" help:"Find this many paths, shortest first, instead of all the shortest." placeholder:"N"`
	Via    []string `help:"Find only paths through this entity." placeholder:"NAME" sep:"none"`
	Avoid  []string `help:"Find no paths through this entity." placeholder:"NAME" sep:"none"`

	runOutput
}

// Run finds the paths between two things.
func (c *pathCommand) Run(ctx context.Context, s *session) error {
	path, names := graphAndNames(c.Words)
	if len(names) == 2 && names[0] == names[1] {
		return command.UsageError(fmt.Sprintf(`a path joins two entities, but both names are %q; to see everything about it, use: cairn describe %[1]q`, names[0]))
	}
	if len(names) != 2 {
		return command.UsageError(`write the names of two entities in quotation marks, for example: cairn path "Austria" "Portugal"`)
	}
	if c.Within < 0 || c.K < 0 {
		return command.UsageError("--within and --k must be 1 or more")
	}
	p := &pattern.Pattern{Task: pattern.Connect, Asked: -1, Connection: &pattern.Connection{Within: c.Within, K: c.K}}
	node := func(name string) int {
		p.Nodes = append(p.Nodes, pattern.Node{Text: name})
		return len(p.Nodes) - 1
	}
	wording.Each(names, node)
	p.Connection.Via, p.Connection.Avoid = wording.Each(c.Via, node), wording.Each(c.Avoid, node)
	return c.follow(ctx, s, path, p)
}

type describeCommand struct {
	Words []string `arg:"" name:"graph name" help:"The graph's .cairn file (default: the built-in sample) and the name of an entity, or of two to see what they have in common."`

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
		return command.UsageError(fmt.Sprintf("write the name of an entity in quotation marks, or two names to compare, for example: cairn describe %q", strings.Join(names, " ")))
	}
	p.Nodes = wording.Each(names, func(name string) pattern.Node { return pattern.Node{Text: name} })
	return c.follow(ctx, s, path, p)
}

// graphAndNames takes a graph's file, or an empty word, off the front of the words.
func graphAndNames(words []string) (path string, names []string) {
	if isGraphName(words[0]) {
		return words[0], words[1:]
	}
	return "", words
}
