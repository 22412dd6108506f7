package main

import (
	"strings"
	"testing"

	"cairn/engine/lab/eval"
	"cairn/engine/retrieve/gnnrag"
)

// TestEvalNetworksWrongly is what is said where no network can be measured.
func TestEvalNetworksWrongly(t *testing.T) {
	dir := home(t)
	t.Setenv("CAIRN_DATA", dir)
	var out strings.Builder
	for _, args := range [][]string{
		{"eval", "metaqa", "--seeds", "5"},
		{"eval", "metaqa", "--network", "flow"},
		{"eval", "metaqa", "--retriever", "pattern", "--mass", "0.9"},
		{"eval", "metaqa", "--retriever", "gnn", "--planner", "oracle"},
		{"eval", "metaqa", "--retriever", "gnn", "--network", "bert"},
		{"eval", "metaqa", "--retriever", "gnn", "--published", "--network", "flow"},
		{"eval", "metaqa", "--retriever", "gnn", "--generated", "100", "--train", "100"},
		{"eval", "metaqa", "--retriever", "gnn", "--folds", "1"},
		{"eval", "metaqa", "--retriever", "gnn", "--seeds=-1"},
		{"eval", "metaqa", "--retriever", "gnn", "--topics", "guessed"},
		{"eval", "metaqa", "--retriever", "gnn", "--mass", "0.9,1.5"},
		{"eval", "metaqa", "--retriever", "gnn", "--hops", "4"},
		{"eval", "metaqa", "--retriever", "gnn"},
	} {
		out.WriteString(lab(t, dir, args...))
	}
	golden(t, "eval-networks-wrongly.txt", out.String())
}

func TestPublishedSettings(t *testing.T) {
	c := evalCommand{Set: "metaqa", Retriever: "gnn", Planner: "built-in", Reader: "direct", Algorithm: "optimised"}
	c.Published = true
	o, err := c.gnnOptions()
	want := gnnrag.Options{Kind: gnnrag.ReaRev, Stages: 2, Published: true, Rate: 0.0005, Region: gnnrag.RegionOptions{PageRank: true, Entities: 500}}
	if err != nil || o.Training.Kind != want.Kind || o.Training.Stages != want.Stages || o.Training.Region != want.Region || !o.Training.Published || o.Training.Rate != want.Rate {
		t.Errorf("--published = %+v, %v, want %+v", o.Training, err, want)
	}
}

func TestNetworkProgress(t *testing.T) {
	for _, test := range []struct {
		progress eval.GNNProgress
		want     string
	}{
		{eval.GNNProgress{Part: "3-hop", Seed: 2, Task: "measuring", Done: 50, Total: 100}, "3-hop, seed 2: measuring: 50 of 100 (50 %)"},
		{
			eval.GNNProgress{Part: "1-hop + 2-hop", Seed: 1, Epoch: &gnnrag.Epoch{Network: 1, Networks: 1, Try: 1, Epoch: 1, Epochs: 9, Loss: 1}},
			"1-hop + 2-hop, seed 1: epoch 1 of 9: loss 1.0000",
		},
	} {
		if got := gnnProgress(test.progress); got != test.want {
			t.Errorf("gnnProgress(%+v) = %q, want %q", test.progress, got, test.want)
		}
	}
}
