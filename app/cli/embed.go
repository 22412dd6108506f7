package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/embed"
	"cairn/engine/kg"
	"cairn/engine/ollama"
)

type embedCommand struct {
	Graph   string `arg:"" help:"A .cairn file."`
	Model   string `help:"Embed the names in the graph with this Ollama model, and use its vectors to match names from now on." placeholder:"NAME" xor:"what"`
	BuiltIn bool   `help:"Use the built-in vectors again; the vectors from models are kept." xor:"what"`
	List    bool   `help:"List the vectors in the graph (the default)." xor:"what"`
	Delete  string `help:"Delete the vectors of this model, or those with this id from --list." placeholder:"ID" xor:"what"`

	command.HostFlags
}

// Run embeds the names of a graph with a model, or manages the vectors that it
// holds.
func (c *embedCommand) Run(ctx context.Context, s *session) error {
	s.models = command.ModelFlags{HostFlags: c.HostFlags}
	if c.Model == "" {
		s.models.NoModel = c.BuiltIn || c.Delete != ""
	}
	e, err := s.open(ctx, c.Graph)
	if err != nil {
		return err
	}
	if info, err := e.Info(ctx); err != nil {
		return err
	} else if info.ReadOnly && (c.Model != "" || c.BuiltIn || c.Delete != "") {
		return &kg.FileError{Doing: "change", Path: c.Graph, What: "it is read-only, so the choice of vectors cannot be saved", Remedy: "copy it to a folder of your own and change the copy"}
	}
	switch {
	case c.Model != "":
		return c.embed(ctx, s, e)
	case c.BuiltIn:
		if err := e.SetEmbedder(ctx, nil, s.events(false)); err != nil {
			return err
		}
		return s.printEmbedder(e)
	case c.Delete != "":
		return c.delete(ctx, s, e)
	}
	return s.printSets(ctx, e)
}

func (c *embedCommand) embed(ctx context.Context, s *session, e *engine.Engine) error {
	server, err := s.models.Server(s.Log)
	if err != nil {
		return err
	}
	emb, err := ollama.NewEmbedder(ctx, server, c.Model)
	if err != nil {
		return err
	}
	err = e.SetEmbedder(ctx, emb, s.events(false))
	if errors.Is(err, context.Canceled) {
		s.Clear()
		fmt.Fprintln(s.Stderr, "The names embedded so far are kept. Run the same command again to continue.")
	}
	if err != nil {
		return err
	}
	return s.printEmbedder(e)
}

// printEmbedder says what was embedded and which embedder serves now.
func (s *session) printEmbedder(e *engine.Engine) error {
	info := e.Embedder()
	return s.Result(info, func() {
		s.Printf("Names are matched with %s.\n", embedderText(info))
		if info.Model == "" {
			return
		}
		rows := [][]string{
			{"embedded now", present.Count(info.Stats.Made), ""},
			{"already embedded", present.Count(info.Stats.Found)},
			{"shortened to fit", present.Count(info.Report.Shortened)},
			{"without a vector", present.Count(info.Report.Blank), strings.Join(info.Report.Named, " · ")},
		}
		if info.Stats.Made > 0 {
			rows[0][2] = fmt.Sprintf("in %s, %.0f per second", present.Elapsed(info.Stats.Took), info.Stats.PerSecond())
		}
		s.Table("  ", rows)
	})
}

func (c *embedCommand) delete(ctx context.Context, s *session, e *engine.Engine) error {
	sets, err := e.EmbeddingSets(ctx)
	if err != nil {
		return err
	}
	var found []engine.EmbeddingSet
	for _, x := range sets {
		if x.ID == c.Delete || ollama.SameName(x.Model, c.Delete) {
			found = append(found, x)
		}
	}
	switch len(found) {
	case 0:
		return command.UsageError(fmt.Sprintf("the graph has no vectors of %s; `cairn embed %s --list` shows what it has", c.Delete, c.Graph))
	case 1:
	default:
		return command.UsageError(fmt.Sprintf("the graph has %d sets of vectors of %s; give the id of one, as `cairn embed %s --list` shows", len(found), c.Delete, c.Graph))
	}
	n, err := e.DeleteEmbeddings(ctx, found[0].ID)
	if err != nil {
		return err
	}
	return s.Result(map[string]any{"deleted": found[0].ID, "texts": n}, func() {
		s.Printf("%s of %s deleted. The file keeps its size and reuses the space.\n", present.Plural(n, "vector", "vectors"), found[0].Model)
	})
}

// setsResult is what embed --list --json writes.
type setsResult struct {
	Embedder engine.EmbedderInfo   `json:"embedder"`
	Sets     []engine.EmbeddingSet `json:"sets"`
}

func (s *session) printSets(ctx context.Context, e *engine.Engine) error {
	sets, err := e.EmbeddingSets(ctx)
	if err != nil {
		return err
	}
	info := e.Embedder()
	return s.Result(setsResult{Embedder: info, Sets: sets}, func() {
		s.Printf("Names are matched with %s.\n", embedderText(info))
		if info.Notice != "" {
			s.Printf("%s\n", info.Notice)
		}
		s.Table("  ", setRows(sets))
	})
}

// embedderText says an embedder in a few words.
func embedderText(info engine.EmbedderInfo) string {
	if info.Model == "" {
		return "the built-in vectors"
	}
	return fmt.Sprintf("the vectors of %s, %d numbers each", info.Model, info.Dims)
}

// setRows are the vectors that a graph holds, one row a set.
func setRows(sets []engine.EmbeddingSet) [][]string {
	rows := make([][]string, 0, 2*len(sets))
	for _, x := range sets {
		state := ""
		if x.InUse {
			state = "in use"
		}
		if x.Blank > 0 {
			state = strings.TrimPrefix(state+", ", ", ") + present.Plural(x.Blank, "name", "names") + " without a vector"
		}
		rows = append(rows, []string{x.Model, present.Plural(x.Texts, "name", "names"), present.Bytes(x.Bytes), state})
	}
	// The id is long, and wanted only where two sets are of one model.
	for i, x := range sets {
		if slices.ContainsFunc(sets, func(y engine.EmbeddingSet) bool { return y.ID != x.ID && y.Model == x.Model }) {
			rows[i][0] = x.ID
		}
	}
	return rows
}

// reopenEmbedder opens the embedder that a graph was last used with; nil where no
// model is to be asked.
func (s *session) reopenEmbedder(ctx context.Context, id string) (embed.Embedder, error) {
	if s.models.NoModel {
		return nil, nil
	}
	server, err := s.models.Server(s.Log)
	if err != nil {
		return nil, err
	}
	return ollama.ReopenEmbedder(ctx, server, id)
}

// engineOptions are the options of every engine that the command line opens.
func (s *session) engineOptions() engine.Options {
	return engine.Options{Logger: s.Log, Methods: s.Methods, Embedder: s.reopenEmbedder}
}
