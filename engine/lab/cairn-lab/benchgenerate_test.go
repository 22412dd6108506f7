package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cairn/engine/lab/synth"
	"cairn/internal/testing/golden"
)

func TestBenchGenerate(t *testing.T) {
	dir := home(t)
	out := filepath.Join(dir, "small")
	args := []string{"bench", "generate", "--entities", "5k", "--edges", "20_000", "--queries", "40", "--seed", "4", "--out", out}
	transcript := lab(t, dir, args...)
	sizes := regexp.MustCompile(`[\d,]+ bytes`) // another release of Go may compress otherwise
	golden.Compare(t, "testdata/bench-generate.txt", sizes.ReplaceAllString(transcript, "0 bytes"))

	lines, first := 0, synth.Query{}
	written, err := os.ReadFile(out + ".queries.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for s := bufio.NewScanner(bytes.NewReader(written)); s.Scan(); lines++ {
		var q synth.Query
		if err := json.Unmarshal(s.Bytes(), &q); err != nil || q.ID != lines {
			t.Fatalf("line %d: %v, %s", lines+1, err, s.Bytes())
		}
		if lines == 0 {
			first = q
		}
	}
	if lines != 40 || len(first.Edges) != 1 {
		t.Errorf("%d queries, the first %+v", lines, first)
	}

	// The queries alone are the same ones, and the graph stays as it is.
	graph := stamp(t, out+".nt.gz")
	if err := os.Remove(out + ".queries.jsonl"); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := start(t.Context(), append(args, "--only-queries")...); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	again, err := os.ReadFile(out + ".queries.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(again, written) || stamp(t, out+".nt.gz") != graph {
		t.Error("--only-queries writes other queries, or the graph")
	}
}

// stamp is when a file was written, and its size.
func stamp(t *testing.T, path string) string {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(info.ModTime(), info.Size())
}

func TestBenchGenerateAsJSON(t *testing.T) {
	dir := home(t)
	code, out, errs := start(t.Context(), "--json", "bench", "generate", "--entities", "3k", "--queries", "5", "--out", filepath.Join(dir, "x"))
	var g generated
	if err := json.Unmarshal([]byte(out), &g); code != 0 || err != nil {
		t.Fatalf("exit code %d, %v: %s%s", code, err, out, errs)
	}
	if g.Census == nil || g.Census.Edges != 12_900 || len(g.Census.Relations) != 522 || len(g.Census.Types) != 467 || g.Seed != 1 {
		t.Errorf("generated %+v", g)
	}
}

func TestBenchGenerateWrongly(t *testing.T) {
	dir := home(t)
	if err := os.Mkdir(filepath.Join(dir, "folder.nt.gz"), 0o755); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, args := range [][]string{
		{"bench", "generate"},
		{"bench", "generate", "--out", filepath.Join(dir, "x"), "--entities", "many"},
		{"bench", "generate", "--out", filepath.Join(dir, "x"), "--entities", "10"},
		{"bench", "generate", "--out", filepath.Join(dir, "x"), "--entities", "0"},
		{"bench", "generate", "--out", filepath.Join(dir, "x"), "--entities", "1.5"},
		{"bench", "generate", "--out", filepath.Join(dir, "x"), "--entities", "10k", "--edges", "1M"},
		{"bench", "generate", "--out", filepath.Join(dir, "x"), "--entities", "10k", "--queries=-1"},
		{"bench", "generate", "--out", filepath.Join(dir, "x"), "--entities", "10k", "--types", "9999"},
		{"bench", "generate", "--out", filepath.Join(dir, "nosuch", "x"), "--entities", "10k"},
		{"bench", "generate", "--out", filepath.Join(dir, "folder"), "--entities", "10k"},
	} {
		out.WriteString(lab(t, dir, args...))
	}
	golden.Compare(t, "testdata/bench-generate-wrongly.txt", out.String())
}

func TestBenchGenerateCancelled(t *testing.T) {
	dir := home(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	code, _, errs := start(ctx, "bench", "generate", "--entities", "100k", "--out", filepath.Join(dir, "x"))
	if code == 0 {
		t.Error("a cancelled command ends well")
	}
	left, err := filepath.Glob(filepath.Join(dir, "*x*"))
	hidden, _ := filepath.Glob(filepath.Join(dir, ".cairn-*"))
	if err != nil || len(left)+len(hidden) > 0 {
		t.Errorf("a cancelled command leaves %v %v (%s)", left, hidden, errs)
	}
}

func TestAmounts(t *testing.T) {
	for text, want := range map[string]amount{"0": 0, "17": 17, "43k": 43_000, "4.3M": 4_300_000, "10m": 10_000_000, "1_000": 1000, "0.5K": 500, "16.1k": 16_100, "2.01k": 2010, "1e3": 1000} {
		var a amount
		if err := a.UnmarshalText([]byte(text)); err != nil || a != want {
			t.Errorf("%q = %d, %v, want %d", text, a, err, want)
		}
	}
	for _, text := range []string{"", "k", "-1", "1.5", "NaN", "1e300", "ten", "0.0001k", "1.0001k", "Inf"} {
		var a amount
		if err := a.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q = %d, want an error", text, a)
		}
	}
}
