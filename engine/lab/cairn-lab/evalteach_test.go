package main

import (
	"encoding/json"
	"strings"
	"testing"

	"cairn/engine/retrieve/gnnrag"
	"cairn/internal/testing/golden"

	"github.com/google/go-cmp/cmp"
)

// TestEvalNetworksWrongly is what is said where no network can be measured.
func TestEvalNetworksWrongly(t *testing.T) {
	dir := home(t)
	t.Setenv("CAIRN_DATA", dir)
	var out strings.Builder
	for _, args := range [][]string{
		{"eval", "metaqa", "--seeds", "5"},
		{"eval", "metaqa", "--network", "flow"},
		{"eval", "metaqa", "--retriever", "pattern", "--folds", "3"},
		{"eval", "metaqa", "--retriever", "gnn", "--planner", "oracle"},
		{"eval", "metaqa", "--retriever", "gnn", "--network", "bert"},
		{"eval", "metaqa", "--retriever", "gnn", "--published", "--network", "flow"},
		{"eval", "metaqa", "--retriever", "gnn", "--generated", "100", "--train", "100"},
		{"eval", "metaqa", "--retriever", "gnn", "--folds", "1"},
		{"eval", "metaqa", "--retriever", "gnn", "--seeds=-1"},
		{"eval", "metaqa", "--retriever", "gnn", "--topics", "guessed"},
		{"eval", "metaqa", "--retriever", "gnn", "--hops", "4"},
		{"eval", "metaqa", "--retriever", "gnn"},
	} {
		out.WriteString(lab(t, dir, args...))
	}
	golden.Compare(t, "testdata/eval-networks-wrongly.txt", out.String())
}

func TestPublishedSettings(t *testing.T) {
	c := newEvalCommand()
	c.Set, c.Planner, c.Algorithm, c.Published = "metaqa", "built-in", "optimised", true
	got, err := c.checked(gnnrag.Method{}.Info())
	if err != nil {
		t.Fatal(err)
	}
	settings, err := gnnrag.Method{}.Settings(got.How.Chosen)
	if err != nil {
		t.Fatal(err)
	}
	var o gnnrag.Options
	if err := json.Unmarshal(settings, &o); err != nil {
		t.Fatal(err)
	}
	want := gnnrag.Options{Kind: gnnrag.ReaRev, Stages: 2, Published: true, Rate: 0.0005, Region: gnnrag.RegionOptions{PageRank: true, Entities: 500}}
	if diff := cmp.Diff(want, o); diff != "" {
		t.Errorf("--published (-want +got):\n%s", diff)
	}
}
