package eval

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"cairn/engine"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/llm"
	"cairn/engine/say"
)

// MergingOptions are the choices of Merging.
type MergingOptions struct {
	Dir    string // the folder that holds the data sets
	Set    string
	Parts  []string // those with these names; nil for all
	Sample int      // questions of each part
	Train  int      // questions that templates are learned from
	Seed   uint64
}

// thresholds are those that are tried; 0 is the default, which goes by the matches.
var thresholds = []float64{0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7}

// merged is what merging did at one threshold, summed over questions.
type merged struct {
	n                                     int
	matches, subgraphs, before, after     float64
	redundantBefore, redundantAfter       float64
	tokensBefore, tokensAfter, tokensLeft float64
}

func (m *merged) add(x evidence.Merging) {
	before, after := x.Redundant()
	m.n++
	m.matches += float64(x.Matches)
	m.subgraphs += float64(x.Subgraphs)
	m.before += float64(x.Before)
	m.after += float64(x.After)
	m.redundantBefore += before
	m.redundantAfter += after
	m.tokensBefore += float64(x.TokensBefore)
	m.tokensAfter += float64(x.TokensAfter)
	m.tokensLeft += float64(x.TokensDistinct)
}

// Merging has templates find the evidence of a set's questions, merges it at several
// thresholds, orders it in every way, and writes a table (SG-RAG MOT).
func Merging(ctx context.Context, w io.Writer, o MergingOptions) error {
	d, err := Find(o.Set)
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "cairn-merging-")
	if err != nil {
		return fmt.Errorf("make a folder for the graph: %w", err)
	}
	defer os.RemoveAll(tmp)
	for i, g := range d.Groups {
		if g.Train == nil || o.Parts != nil && !slices.Contains(o.Parts, g.Name) {
			continue
		}
		if err := mergePart(ctx, w, o, filepath.Join(tmp, fmt.Sprint(i)), d, g); err != nil {
			return fmt.Errorf("%s %s: %w", d.Name, g.Name, err)
		}
	}
	return nil
}

func mergePart(ctx context.Context, w io.Writer, o MergingOptions, at string, d *Dataset, g Group) error {
	sources := d.KG
	if g.KG != nil {
		sources = g.KG
	}
	eng, _, err := open(ctx, at+".cairn", o.Dir, sources, engine.Options{})
	if err != nil {
		return err
	}
	defer eng.Close()
	train, err := g.Train(o.Dir)
	if err != nil {
		return err
	}
	if err := writeQuestions(at+".jsonl", sample(train, o.Train, o.Seed)); err != nil {
		return err
	}
	if _, err := eng.Train(ctx, engine.TrainOptions{Method: "templates", File: at + ".jsonl", Format: "jsonl", Seed: o.Seed}, nil); err != nil {
		return err
	}
	qs, err := g.Load(o.Dir)
	if err != nil {
		return err
	}
	qs = sample(qs, o.Sample, o.Seed)
	var recall float64
	byThreshold := make([]merged, len(thresholds))
	apart := make([]float64, len(evidence.Orders))
	paths := 0
	for _, q := range qs {
		run, err := eng.Ask(ctx, q.Text, engine.AskOptions{NoModel: true, Retriever: "templates"}, nil)
		if err != nil {
			return err
		}
		found := answerLabels(eng.Graph(), run)
		hits := 0
		for _, a := range q.Gold {
			if slices.Contains(found, a) {
				hits++
			}
		}
		recall += float64(hits) / float64(max(1, len(q.Gold)))
		if len(run.Candidates) == 0 {
			continue
		}
		cost := func(t kg.TripleID) int { return llm.EstimateTokens(say.Triple(eng.Graph(), t)) + 1 }
		for i, th := range thresholds {
			_, m := evidence.Arranging{Threshold: th}.Arrange(eng.Graph(), run.Plan.Seeds, run.Candidates, cost)
			byThreshold[i].add(m)
		}
		for i, order := range evidence.Orders {
			parts, _ := evidence.Arranging{Order: order}.Arrange(eng.Graph(), run.Plan.Seeds, run.Candidates, nil)
			sum, n := linesApart(parts, run.Candidates)
			apart[i] += sum
			if i == 0 {
				paths += n
			}
		}
	}
	fmt.Fprintf(w, "%s, %s: %d questions, templates learned from %d; AMR %.2f\n", d.Name, g.Name, len(qs), o.Train, 100*recall/float64(max(1, len(qs))))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "threshold\tmatches\tsubgraphs\ttriples before\tafter\trepeated before\tafter\ttokens before\tafter\teach triple once")
	for i, th := range thresholds {
		m := byThreshold[i]
		n := float64(max(1, m.n))
		name := "by length"
		if th > 0 {
			name = fmt.Sprint(th)
		}
		fmt.Fprintf(t, "%s\t%.2f\t%.2f\t%.2f\t%.2f\t%.1f %%\t%.1f %%\t%.1f\t%.1f\t%.1f\n", name, m.matches/n, m.subgraphs/n, m.before/n, m.after/n,
			100*m.redundantBefore/n, 100*m.redundantAfter/n, m.tokensBefore/n, m.tokensAfter/n, m.tokensLeft/n)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "lines between the first and the last triple of a path: breadth first %.2f, depth first %.2f, as matched %.2f\n\n",
		apart[evidence.BreadthFirst]/float64(max(1, paths)), apart[evidence.DepthFirst]/float64(max(1, paths)), apart[evidence.ByMatch]/float64(max(1, paths)))
	return nil
}

// linesApart sums how many lines lie between the first and the last triple of each match of
// several triples, in the subgraph that it was merged into.
func linesApart(parts []evidence.Subgraph, matches []evidence.Candidate) (sum float64, n int) {
	for _, p := range parts {
		line := make(map[kg.TripleID]int, len(p.Triples))
		for i, t := range p.Triples {
			line[t] = i
		}
		for _, m := range p.Matches {
			ts := matches[m].Triples()
			if len(ts) < 2 {
				continue
			}
			first, last := len(p.Triples), 0
			for _, t := range ts {
				first, last = min(first, line[t]), max(last, line[t])
			}
			sum += float64(last - first)
			n++
		}
	}
	return sum, n
}
