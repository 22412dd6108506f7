package engine

import (
	"os"
	"path/filepath"
	"testing"

	"cairn/engine/ingest"
	"cairn/engine/kg"
	"cairn/engine/pattern"
)

// TestPathIndex: an index is kept with the graph, is left when the graph changes or the
// file is damaged, and questions are answered the same with it and without.
func TestPathIndex(t *testing.T) {
	dir := t.TempDir()
	file, graph := filepath.Join(dir, "t.tsv"), filepath.Join(dir, "t.cairn")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	open := func() *Engine {
		e, err := Open(t.Context(), graph, Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { e.Close() })
		return e
	}
	has := func(e *Engine) bool { return e.paths.of(e, e.now()) != nil }
	ask := func(e *Engine, without ...kg.TripleID) (answers int) {
		p, err := pattern.ParseText("(?x) -knows-> (?y) -knows-> (?z) | find ?x")
		if err != nil {
			t.Fatal(err)
		}
		run, err := e.FollowPattern(t.Context(), "", p, AskOptions{Retriever: "exact", Without: without}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return len(run.Answers)
	}
	write("a\tknows\tb\nb\tknows\tc\nc\tknows\td\n")
	e := open()
	if _, err := e.Import(t.Context(), []string{file}, ingest.Options{}, nil); err != nil {
		t.Fatal(err)
	}
	if n := ask(e); has(e) || n != 2 {
		t.Fatalf("without an index, has one: %t, %d answers", has(e), n)
	}
	made, err := e.IndexPaths(t.Context(), nil)
	if err != nil || made.Paths == 0 {
		t.Fatalf("IndexPaths = %+v, %v", made, err)
	}
	if n := ask(e); !has(e) || n != 2 {
		t.Fatalf("with an index, has one: %t, %d answers", has(e), n)
	}
	if n := ask(e, 0); n != 1 || !has(e) {
		t.Fatalf("without a triple, %d answers, and the whole graph has an index: %t", n, has(e))
	}
	e.Close()
	again := open()
	if n := ask(again); !has(again) || n != 2 {
		t.Fatalf("opened again, has one: %t, %d answers", has(again), n)
	}
	again.Close()
	kept, _ := filepath.Glob(filepath.Join(graph+".d", "paths-*"))
	if len(kept) != 1 {
		t.Fatalf("kept are %v", kept)
	}
	text, err := os.ReadFile(kept[0])
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 0xff
	if err := os.WriteFile(kept[0], text, 0o600); err != nil {
		t.Fatal(err)
	}
	damaged := open()
	if n := ask(damaged); has(damaged) || n != 2 {
		t.Fatalf("damaged, it is used: %t, %d answers", has(damaged), n)
	}
	if _, err := damaged.IndexPaths(t.Context(), nil); err != nil || !has(damaged) {
		t.Fatalf("made again: %t, %v", has(damaged), err)
	}
	write("d\tknows\te\n")
	if _, err := damaged.Import(t.Context(), []string{file}, ingest.Options{}, nil); err != nil {
		t.Fatal(err)
	}
	if n := ask(damaged); has(damaged) || n != 3 {
		t.Fatalf("stale, it is used: %t, %d answers", has(damaged), n)
	}
	if was, err := damaged.DropPathIndex(t.Context()); was || err != nil {
		t.Fatalf("dropped a stale one: %t, %v", was, err)
	}
	if kept, _ = filepath.Glob(filepath.Join(graph+".d", "paths-*")); len(kept) > 0 {
		t.Fatalf("the stale one is kept: %v", kept)
	}
	if _, err := damaged.IndexPaths(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if was, err := damaged.DropPathIndex(t.Context()); !was || err != nil || has(damaged) {
		t.Fatalf("dropped: %t, %v, has one: %t", was, err, has(damaged))
	}
}
