package app

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"

	"cairn/app/output"
	"cairn/app/present"
	"cairn/assets/sample"
	"cairn/engine"
	"cairn/engine/embed"
	"cairn/engine/ingest"
	"cairn/engine/llm"
	"cairn/engine/ollama"
	"cairn/engine/report"
)

type engineOpener struct{ log *slog.Logger }

func (o engineOpener) Open(ctx context.Context, path string, connect connectFunc, ev *engine.Events) (openGraph, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return nil, fmt.Errorf("make the folder of %s: %w", path, err)
	}
	e, err := engine.Open(ctx, path, o.options(connect), ev)
	if err != nil {
		return nil, err
	}
	return newEngineGraph(ctx, e, path, graphName(path)), nil
}

// options are those of a graph whose embedder is at the server of connect.
func (o engineOpener) options(connect connectFunc) engine.Options {
	return engine.Options{Logger: o.log, Embedder: func(ctx context.Context, id string) (embed.Embedder, error) {
		server, err := connect()
		if err != nil {
			return nil, err
		}
		return server.Reopen(ctx, id)
	}}
}

func (o engineOpener) Sniff(ctx context.Context, files []string, c ingest.Options) (fileLook, error) {
	f, err := ingest.Sniff(ctx, files, c)
	look := fileLook{Format: f, Mapping: present.MappingFor(files[0], &f)}
	if err != nil {
		return look, err
	}
	look.Lines = present.FormatLines(f)
	if f.Unsure != "" {
		look.Asks = present.Sentence(f.Unsure)
	}
	return look, nil
}

func (o engineOpener) Trial(ctx context.Context, path string, c ingest.Options) (ingest.Report, error) {
	return ingest.Trial(ctx, path, c)
}

func (o engineOpener) Keep(m ingest.MappingFile) (string, error) {
	folder, err := present.MappingFolder()
	if err != nil {
		return "", err
	}
	if err := output.Folder(folder); err != nil {
		return "", err
	}
	path := filepath.Join(folder, safeName(nameFor(m.For))+ingest.MappingEnding)
	return path, output.Write(path, output.Guard{Replace: true}, func(w io.Writer) error {
		_, err := w.Write(m.Text())
		return err
	})
}

func (o engineOpener) Sample(ctx context.Context, dir string, connect connectFunc, ev *engine.Events) (openGraph, error) {
	if dir == "" {
		return nil, present.ErrNoHome
	}
	e, err := engine.OpenSample(ctx, dir, o.options(connect), ev)
	if err != nil {
		return nil, err
	}
	info, err := e.Info(ctx)
	if err != nil {
		e.Close()
		return nil, err
	}
	return newEngineGraph(ctx, e, info.Path, info.Name), nil
}

func (o engineOpener) Server(host string, remote bool) (modelServer, error) {
	s, err := ollama.NewServer(host, ollama.ServerOptions{AllowRemote: remote, Logger: o.log})
	if err != nil {
		return nil, err
	}
	return ollamaServer{s}, nil
}

// ollamaServer is an Ollama server as the window sees it.
type ollamaServer struct{ *ollama.Server }

func (s ollamaServer) Model(name string, size int) (llm.Model, error) {
	return s.Server.Model(name, ollama.ModelOptions{NumCtx: size})
}

func (s ollamaServer) Embedder(ctx context.Context, name string) (embed.Embedder, error) {
	return ollama.NewEmbedder(ctx, s.Server, name)
}

func (s ollamaServer) Reopen(ctx context.Context, id string) (embed.Embedder, error) {
	return ollama.ReopenEmbedder(ctx, s.Server, id)
}

// engineGraph is an engine as the window sees it.
type engineGraph struct {
	*engine.Engine
	path, name string
	// examples are made when the graph changes: that walks all its triples.
	examples atomic.Pointer[[]string]
}

func newEngineGraph(ctx context.Context, e *engine.Engine, path, name string) *engineGraph {
	g := &engineGraph{Engine: e, path: path, name: name}
	g.findExamples(ctx)
	return g
}

func (g *engineGraph) Name() string { return g.name }

func (g *engineGraph) Path() string { return g.path }

func (g *engineGraph) Report(ctx context.Context, run *engine.Run, version string) (report.Report, error) {
	return present.Page(ctx, g.Engine, run, version)
}

func (g *engineGraph) Import(ctx context.Context, files []string, o ingest.Options, ev *engine.Events) (ingest.Report, error) {
	r, err := g.Engine.Import(ctx, files, o, ev)
	g.findExamples(context.WithoutCancel(ctx)) // what was added before a cancel is there
	return r, err
}

// exampleCount is how many questions are offered to begin with.
const exampleCount = 8

func (g *engineGraph) Examples() []string { return *g.examples.Load() }

// findExamples takes the questions that come with the sample, and for other
// graphs some that the planner is sure to read.
func (g *engineGraph) findExamples(ctx context.Context) {
	var texts []string
	if g.name == sampleName {
		for _, q := range sample.Questions() {
			texts = append(texts, q.Text)
		}
	} else if g.Ready() { // others are found when it is
		texts = g.Engine.Examples(ctx, exampleCount)
	}
	g.examples.Store(&texts)
}

func (g *engineGraph) Prepare(ctx context.Context, ev *engine.Events) error {
	if err := g.Engine.Prepare(ctx, ev); err != nil {
		return err
	}
	g.findExamples(ctx)
	return nil
}
