package confidence

import (
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"cairn/engine/lab/eval"
)

// Report fits and measures, and prints it all as tables.
func Report(w io.Writer, all []eval.Example) error {
	var fit, held []*eval.Example
	var graphs []string
	for i := range all {
		x := &all[i]
		if x.Held {
			held = append(held, x)
		} else {
			fit = append(fit, x)
		}
		if !slices.Contains(graphs, x.Graph) {
			graphs = append(graphs, x.Graph)
		}
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	// Each graph is judged by what the others taught, on questions that nothing was
	// fitted by.
	odds, above := map[*eval.Example]float64{}, map[*eval.Example]bool{}
	for _, g := range graphs {
		others := slices.DeleteFunc(slices.Clone(fit), func(x *eval.Example) bool { return x.Graph == g })
		m := Fit(others)
		bar := Bar(&m, others)
		for _, x := range held {
			if x.Graph == g {
				odds[x] = m.Odds(x)
				above[x] = m.passes(x, bar)
			}
		}
	}
	m := Fit(fit)
	bar := Bar(&m, fit)
	fmt.Fprintln(tw, "held questions: share that is sure @ of these right\t\t\t\t\t\t")
	fmt.Fprintln(tw, "set\tforgotten\tn\tright\twithout the bar\tits graph left out\tfitted now\tas shipped")
	for _, row := range groups(held) {
		r := row.examples
		fmt.Fprintf(tw, "%s\t%d %%\t%d\t%.1f\t%s\t%s\t%s\t%s\n", row.name, row.forget, len(r), 100*share(r, func(x *eval.Example) bool { return x.Right }),
			cover(r, func(x *eval.Example) bool { return x.Sure }),
			cover(r, func(x *eval.Example) bool { return above[x] }),
			cover(r, func(x *eval.Example) bool { return m.passes(x, bar) }),
			cover(r, func(x *eval.Example) bool { return x.Above }))
	}
	fmt.Fprintln(tw, "\nreliability, graph left out, all answered questions\nconfidence\tn\tmean\tright\tn, sure\tmean\tright")
	for i := range bins {
		all := bin(held, odds, i, func(x *eval.Example) bool { return x.Confidence > 0 })
		sure := bin(held, odds, i, func(x *eval.Example) bool { return x.Confidence > 0 && x.Sure })
		fmt.Fprintf(tw, "%.1f–%.1f\t%s\t%s\n", float64(i)/bins, float64(i+1)/bins, all, sure)
	}
	fmt.Fprintf(tw, "\ncosts, for engine/plan/builtin/costs.go\ncertainty = %.2f\nbar = %.2f, a confidence of %.2f\n", m.Certainty, bar, chance(bar))
	for _, name := range signs(fit) {
		fmt.Fprintf(tw, "%q: %.2f,\n", name, m.Costs[name])
	}
	return tw.Flush()
}

// group is one set in one copy, or all sets of one.
type group struct {
	name     string
	forget   int
	examples []*eval.Example
}

// groups parts examples by set and copy, and then by graph.
func groups(xs []*eval.Example) []*group {
	var out []*group
	for _, by := range []func(*eval.Example) string{
		func(x *eval.Example) string { return x.Set },
		func(x *eval.Example) string { return "all of " + x.Graph },
	} {
		for _, x := range xs {
			i := slices.IndexFunc(out, func(g *group) bool { return g.name == by(x) && g.forget == x.Forget })
			if i < 0 {
				i = len(out)
				out = append(out, &group{name: by(x), forget: x.Forget})
			}
			out[i].examples = append(out[i].examples, x)
		}
	}
	return out
}

func share(xs []*eval.Example, is func(*eval.Example) bool) float64 {
	n := 0
	for _, x := range xs {
		if is(x) {
			n++
		}
	}
	return float64(n) / float64(max(1, len(xs)))
}

// cover is which share of the examples is sure, and which of these is right.
func cover(xs []*eval.Example, sure func(*eval.Example) bool) string {
	both := share(xs, func(x *eval.Example) bool { return sure(x) && x.Right })
	s := share(xs, sure)
	if s == 0 {
		return "0"
	}
	return fmt.Sprintf("%.1f @ %.1f", 100*s, 100*both/s)
}

// bins is how many bins a reliability table has.
const bins = 10

// bin says how many examples are in a bin, their mean confidence and their share of right
// ones.
func bin(xs []*eval.Example, odds map[*eval.Example]float64, at int, is func(*eval.Example) bool) string {
	n, mean, right := 0, 0.0, 0.0
	for _, x := range xs {
		p := chance(odds[x])
		if !is(x) || min(bins-1, int(p*bins)) != at {
			continue
		}
		n++
		mean += p
		if x.Right {
			right++
		}
	}
	if n == 0 {
		return "0\t-\t-"
	}
	return fmt.Sprintf("%d\t%.2f\t%.2f", n, mean/float64(n), right/float64(n))
}

func chance(odds float64) float64 { return 1 / (1 + math.Exp(-odds)) }
