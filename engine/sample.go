package engine

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"cairn/assets"
	"cairn/engine/ingest"
	"cairn/engine/kg"
	"cairn/engine/questions"
)

// sampleName is the name of the sample's file, and so of the graph.
const sampleName = "World (sample).cairn"

// OpenSample opens the built-in sample graph, which is made in a folder of its
// own below dir where it is not there yet. Its source files lie beside it, so
// that every triple has a line to show.
func OpenSample(ctx context.Context, dir string, o Options, ev *Events) (*Engine, error) {
	hash := sha256.New()
	hash.Write(assets.SampleWorld)
	hash.Write(assets.SampleLabels)
	dir = filepath.Join(dir, fmt.Sprintf("sample-%x", hash.Sum(nil)[:4]))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("make a folder for the sample graph: %w", err)
	}
	world, labels := filepath.Join(dir, "world.tsv"), filepath.Join(dir, "labels.tsv")
	for path, content := range map[string][]byte{world: assets.SampleWorld, labels: assets.SampleLabels} {
		if err := writeOnce(path, content); err != nil {
			return nil, fmt.Errorf("write the sample graph: %w", err)
		}
	}
	e, err := Open(ctx, filepath.Join(dir, sampleName), o, ev)
	if errors.Is(err, kg.ErrNewer) {
		// A newer version was here before. Its file stays as it is.
		older := filepath.Join(dir, "older")
		if err := os.MkdirAll(older, 0o755); err != nil {
			return nil, fmt.Errorf("make a folder for the sample graph: %w", err)
		}
		e, err = Open(ctx, filepath.Join(older, sampleName), o, ev)
	}
	if err != nil {
		return nil, err
	}
	sources, err := e.store.Sources(ctx)
	if err == nil && (len(sources) != 2 || slices.ContainsFunc(sources, func(s kg.Source) bool { return !s.Complete })) {
		// An import that was killed is made good: importing again adds what is missing.
		_, err = e.Import(ctx, []string{world}, ingest.Options{Labels: labels}, ev)
	}
	if err != nil {
		e.Close()
		return nil, err
	}
	return e, nil
}

// writeOnce writes a file unless it is there with this very content. The new
// content takes the old one's place at once or not at all.
func writeOnce(path string, content []byte) error {
	old, err := os.ReadFile(path)
	if err == nil && bytes.Equal(old, content) {
		return nil
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".sample-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	if _, err := tmp.Write(content); err != nil {
		tmp.Close()
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// exampleTime is how long questions to begin with are looked for: a graph is opened
// only then.
const exampleTime = 3 * time.Second

// Examples returns up to n questions to begin with: plain ones about
// well-known names of the graph, each read back without a doubt and with few
// answers. There are fewer, or none, where the graph's words do not make good
// questions. The same graph gives the same questions; where they take longer than
// exampleTime to find, there are fewer.
func (e *Engine) Examples(ctx context.Context, n int) []string {
	ctx, leave := e.tasks.Join(ctx)
	defer leave()
	s, err := e.awaitReady(ctx, nil)
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, exampleTime)
	defer cancel()
	return questions.NewMaker(s.builtin).Suggest(ctx, n)
}
