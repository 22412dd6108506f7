package cli

import (
	"fmt"
	"slices"
	"strings"

	"cairn/engine/gnnrag"
)

// networkFlags are the choices of a graph neural network and its training.
type networkFlags struct {
	Network  string   `help:"The network: flow (trains in seconds, reads as a plan), rearev (the paper's), nsm or graftnet (default: flow)." placeholder:"KIND"`
	Encoder  []string `help:"What reads the words: tokens (learns them), lexical (the built-in vectors) or the id of an embedder; named twice, two networks answer together (default: tokens)." placeholder:"ID"`
	Region   string   `help:"How the part of the graph around a question is cut out: hops, or pagerank as the paper does; not of flow (default: hops)." placeholder:"WAY"`
	Reach    int      `help:"How many hops a region reaches (default: 3)." placeholder:"N"`
	Hub      int      `help:"Go not past entities of more triples than this (default: derived from the graph)." placeholder:"N"`
	Entities int      `help:"The most entities in a region (default: 2,000)." placeholder:"N"`
	Layers   int      `help:"Layers of the network; of flow, its steps (default: 3)." placeholder:"N"`
	Stages   int      `help:"How often the network reads the question again (default: 1)." placeholder:"N"`
	Epochs   int      `help:"How often the questions are gone through at most (default: by network and data)." placeholder:"N"`
	Rate     float64  `help:"Adam's rate at the beginning (default: 0.002)." placeholder:"X"`
	Tries    int      `help:"How many trainings are begun at most where they stall (default: 4)." placeholder:"N"`
}

// The ways to cut out a region.
const (
	byHops     = "hops"
	byPageRank = "pagerank"
)

// mostLayers is the most layers, and the most stages, of a network.
const mostLayers = 32

// given is whether any choice was made.
func (f networkFlags) given() bool {
	return f.Network != "" || len(f.Encoder) > 0 || f.Region != "" || f.Rate != 0 ||
		f.Reach != 0 || f.Hub != 0 || f.Entities != 0 || f.Layers != 0 || f.Stages != 0 || f.Epochs != 0 || f.Tries != 0
}

// options are the flags as the networks have them.
func (f networkFlags) options() (gnnrag.Options, error) {
	o := gnnrag.Options{
		Kind: gnnrag.Kind(f.Network), Encoders: f.Encoder, Layers: f.Layers, Stages: f.Stages, Epochs: f.Epochs, Rate: f.Rate, Tries: f.Tries,
		Region: gnnrag.RegionOptions{PageRank: f.Region == byPageRank, Hops: f.Reach, Hub: f.Hub, Entities: f.Entities},
	}
	if f.Network != "" && !slices.Contains(gnnrag.Kinds, o.Kind) {
		var kinds []string
		for _, k := range gnnrag.Kinds {
			kinds = append(kinds, string(k))
		}
		return o, usageError(fmt.Sprintf("there is no network %q; choose from %s", f.Network, strings.Join(kinds, ", ")))
	}
	if f.Region != "" && f.Region != byHops && f.Region != byPageRank {
		return o, usageError(fmt.Sprintf("there is no way %q to cut out a region; choose %s or %s", f.Region, byHops, byPageRank))
	}
	for _, id := range f.Encoder {
		// Said before a training takes the place of one that was interrupted.
		if id != "tokens" && id != "lexical" && !strings.Contains(id, "/") {
			return o, usageError(fmt.Sprintf("there is no encoder %q; choose tokens, lexical, or the id of an embedder as `cairn embed GRAPH --list` shows it", id))
		}
	}
	for _, x := range []struct {
		flag string
		n    int
	}{
		{"reach", f.Reach}, {"hub", f.Hub}, {"entities", f.Entities}, {"layers", f.Layers}, {"stages", f.Stages}, {"epochs", f.Epochs}, {"tries", f.Tries},
	} {
		if x.n < 0 {
			return o, usageError(fmt.Sprintf("--%s cannot be below 0", x.flag))
		}
	}
	for _, x := range []struct {
		flag string
		n    int
	}{{"layers", f.Layers}, {"stages", f.Stages}} {
		if x.n > mostLayers { // memory and time grow with them, up to what no computer has
			return o, usageError(fmt.Sprintf("--%s can be %d at most; choose fewer, or leave it out", x.flag, mostLayers))
		}
	}
	if f.Rate < 0 {
		return o, usageError("--rate cannot be below 0")
	}
	return o, nil
}
