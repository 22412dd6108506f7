package command

import (
	"fmt"
	"slices"
	"strings"

	"cairn/engine/retrieve/gnnrag"
)

// NetworkFlags are the choices of a graph neural network and its training.
type NetworkFlags struct {
	Network  string   `help:"The network: flow (trains in seconds, reads as a plan), rearev (the paper's), nsm or graftnet (default: flow)." placeholder:"KIND"`
	Encoder  []string `help:"How words are read: tokens (learned), lexical (the built-in vectors) or the id of an embedder; given twice, two networks answer together (default: tokens)." placeholder:"ID"`
	Region   string   `help:"How the region around a question is cut out: hops, or pagerank as in the paper; flow needs none (default: hops)." placeholder:"WAY"`
	Reach    int      `help:"How many hops a region reaches (default: 3)." placeholder:"N"`
	Hub      int      `help:"Do not expand entities with more triples than this (default: derived from the graph)." placeholder:"N"`
	Entities int      `help:"The most entities in a region (default: 2,000)." placeholder:"N"`
	Layers   int      `help:"Layers of the network, or steps of flow (default: 3)." placeholder:"N"`
	Stages   int      `help:"How many times the network reads the question again (default: 1)." placeholder:"N"`
	Epochs   int      `help:"The most passes through the questions (default: by network and data)." placeholder:"N"`
	Rate     float64  `help:"Adam's initial learning rate (default: 0.002)." placeholder:"X"`
	Tries    int      `help:"The most attempts when a training stalls (default: 4)." placeholder:"N"`
}

// The ways to cut out a region.
const (
	ByHops     = "hops"
	ByPageRank = "pagerank"
)

// mostLayers is the most layers, and the most stages, of a network.
const mostLayers = 32

// Given is whether any choice was made.
func (f NetworkFlags) Given() bool {
	return f.Network != "" || len(f.Encoder) > 0 || f.Region != "" || f.Rate != 0 ||
		f.Reach != 0 || f.Hub != 0 || f.Entities != 0 || f.Layers != 0 || f.Stages != 0 || f.Epochs != 0 || f.Tries != 0
}

// Options are the flags as the networks have them.
func (f NetworkFlags) Options() (gnnrag.Options, error) {
	o := gnnrag.Options{
		Kind: gnnrag.Kind(f.Network), Encoders: f.Encoder, Layers: f.Layers, Stages: f.Stages, Epochs: f.Epochs, Rate: f.Rate, Tries: f.Tries,
		Region: gnnrag.RegionOptions{PageRank: f.Region == ByPageRank, Hops: f.Reach, Hub: f.Hub, Entities: f.Entities},
	}
	if f.Network != "" && !slices.Contains(gnnrag.Kinds, o.Kind) {
		var kinds []string
		for _, k := range gnnrag.Kinds {
			kinds = append(kinds, string(k))
		}
		return o, UsageError(fmt.Sprintf("there is no network %q; choose from %s", f.Network, strings.Join(kinds, ", ")))
	}
	if f.Region != "" && f.Region != ByHops && f.Region != ByPageRank {
		return o, UsageError(fmt.Sprintf("there is no way %q to cut out a region; choose %s or %s", f.Region, ByHops, ByPageRank))
	}
	for _, id := range f.Encoder {
		// Said before a training takes the place of one that was interrupted.
		if id != "tokens" && id != "lexical" && !strings.Contains(id, "/") {
			return o, UsageError(fmt.Sprintf("there is no encoder %q; choose tokens, lexical, or the id of an embedder as `cairn embed GRAPH --list` shows it", id))
		}
	}
	for _, x := range []struct {
		flag string
		n    int
	}{
		{"reach", f.Reach}, {"hub", f.Hub}, {"entities", f.Entities}, {"layers", f.Layers}, {"stages", f.Stages}, {"epochs", f.Epochs}, {"tries", f.Tries},
	} {
		if x.n < 0 {
			return o, UsageError(fmt.Sprintf("--%s cannot be below 0", x.flag))
		}
	}
	for _, x := range []struct {
		flag string
		n    int
	}{{"layers", f.Layers}, {"stages", f.Stages}} {
		if x.n > mostLayers { // memory and time grow with them, up to what no computer has
			return o, UsageError(fmt.Sprintf("--%s can be %d at most; choose fewer, or leave it out", x.flag, mostLayers))
		}
	}
	if f.Rate < 0 {
		return o, UsageError("--rate cannot be below 0")
	}
	return o, nil
}

// EpochText is one line of a training.
func EpochText(x gnnrag.Epoch) string {
	var b strings.Builder
	if x.Networks > 1 {
		fmt.Fprintf(&b, "network %d of %d, ", x.Network, x.Networks)
	}
	if x.Try > 1 {
		fmt.Fprintf(&b, "try %d, ", x.Try)
	}
	fmt.Fprintf(&b, "epoch %d of %d: loss %.4f", x.Epoch, x.Epochs, x.Loss)
	if d := x.Dev; d != nil {
		fmt.Fprintf(&b, ", Hits@1 %.1f, Hit %.1f, F1 %.1f", 100*d.H1, 100*d.Hit, 100*d.F1)
	}
	if x.Best {
		b.WriteString(", the best so far")
	}
	if x.Stalled {
		b.WriteString("; it stalled, and starts again with another seed")
	}
	return b.String()
}
