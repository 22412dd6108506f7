package bench

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"cairn/engine/lab/process"
)

// WriteText prints the report for people.
func (r *SimGRAGReport) WriteText(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "SimGRAG's tables on made graphs · %s\n", r.Machine)
	for i := range r.Graphs {
		fmt.Fprintln(&b)
		r.Graphs[i].write(&b)
	}
	if len(r.Growth) > 0 {
		fmt.Fprintln(&b)
		r.writeGrowth(&b)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// String says the machine in a line.
func (m Machine) String() string {
	parts := []string{m.System}
	if m.CPU != "" {
		parts = append(parts, m.CPU)
	}
	cores := "cores"
	if m.Cores == 1 {
		cores = "core"
	}
	return strings.Join(append(parts, fmt.Sprintf("%d %s", m.Cores, cores), m.Go), " · ")
}

func (r *GraphReport) write(w io.Writer) {
	fmt.Fprintf(w, "%s: %s entities, %s triples, %d relations, %d types; %s file, %s beside it\n", r.Name,
		thousands(r.Entities), thousands(r.Triples), r.Relations, r.Types, formatMegabytes(megabytes(r.File)), formatMegabytes(megabytes(r.Cache)))
	fmt.Fprintf(w, "opened in %s: graph %s, names %s\n", shortTime(r.Opened.Total()), shortTime(r.Opened.Graph), shortTime(r.Opened.Names))
	fmt.Fprintf(w, "memory: %s; after opening: %s\n", memoryText(r.Memory), memoryText(r.Open))
	queries := 0
	if len(r.Retrieval) > 0 {
		queries = r.Retrieval[0].Queries
	}
	fmt.Fprintf(w, "%d of the %s queries in %s, seed %d · k(n) = %d, k(r) = %d, k(t) = %d · soft deadline %s\n", queries, thousands(r.InFile), r.Queries, r.Seed,
		r.Parameters.Nodes, r.Parameters.Relations, r.Parameters.Types, shortTime(r.Deadline))
	if r.Interrupted {
		fmt.Fprintln(w, "INTERRUPTED: not all was measured")
	}
	if len(r.Retrieval) == 0 {
		return
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	r.writeTimes(tw)
	r.writeFound(tw)
	r.writeProfile(tw)
	tw.Flush()
	if r.Grid != nil {
		r.Grid.write(w)
	}
}

// memoryText says where the memory is.
func memoryText(m process.Memory) string {
	if m.Peak == 0 {
		return "unknown on this system"
	}
	return fmt.Sprintf("%s at most, %s heap and stacks, %s mapped files", formatMegabytes(megabytes(m.Peak)), formatMegabytes(megabytes(m.Anonymous)), formatMegabytes(megabytes(m.Mapped)))
}

// writeTimes is Table 4.
func (r *GraphReport) writeTimes(w io.Writer) {
	fmt.Fprintln(w, "\nretrieval time in ms, mean / median / p99 (Table 4)")
	fmt.Fprintln(w, "queries\tn\tk\tembedding\tvectors\tmatching\ttotal\tlongest")
	for _, x := range r.Retrieval {
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\n", x.Kind, x.Queries, x.K, x.Embedding, x.Vectors, x.Matching, x.Total, ms(x.Total.Max))
	}
	fmt.Fprintln(w, "paper, DBpedia\t\t3\t\t590\t150\t740")
}

// writeFound says what was found, and what deadlines cost.
func (r *GraphReport) writeFound(w io.Writer) {
	fmt.Fprintln(w, "\nwhat was found, % of the queries")
	fmt.Fprintf(w, "queries\tn\tk\tHits@1\tHits@k\tthe very subgraph\tat the best distance\tin reach\ttimed out\tcut\tunbounded: Hits@1\tthe very subgraph\tat the best distance\tgiven up after %s\n", shortTime(r.GiveUp))
	for _, x := range r.Retrieval {
		unbounded := fmt.Sprintf("%s\t%s\t%s\t%d", share(x.Unbounded.Hits1), share(x.Unbounded.Same), share(x.Unbounded.Best), x.GivenUp)
		if r.GiveUp < 0 {
			unbounded = "-\t-\t-\t-"
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%d\t%d\t%s\n", x.Kind, x.Queries, x.K, share(x.Found.Hits1), share(x.Found.Within),
			share(x.Found.Same), share(x.Found.Best), share(x.Reach), x.TimedOut, x.Cut, unbounded)
	}
	for _, x := range r.Retrieval {
		if x.Kind == allKinds && r.GiveUp >= 0 {
			fmt.Fprintf(w, "k = %d: the deadline costs %s points of Hits@1; vectors and matching take %s ms, median, and %s ms, p99\n",
				x.K, share(x.Unbounded.Hits1-x.Found.Hits1), ms(x.Total.Median), ms(x.Total.P99))
		}
	}
}

// writeProfile says where the processor's time went.
func (r *GraphReport) writeProfile(w io.Writer) {
	if len(r.Profile) == 0 {
		return
	}
	fmt.Fprintln(w, "\nwhere the processor's time goes in retrieval, % in each function itself")
	for _, s := range r.Profile {
		name := s.Function
		if name == "" {
			name = "all others"
		}
		fmt.Fprintf(w, "%s\t%s\n", name, share(s.Share))
	}
}

// write is the grid as a table: a line a choice of k(r), k(t) and k(n), with both
// algorithms beside each other, and its fronts.
func (g *Grid) write(w io.Writer) {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tw, "\ngrid of appendix E: %d queries, k = 1, each search at most %s; ≥ where searches were ended there\n", g.Queries, shortTime(g.Limit))
	fmt.Fprintln(tw, "k(r)\tk(t)\tk(n)\tvectors ms\tplain ms\tended\tHits@1 %\toptimised ms\tended\tHits@1 %\tplain/optimised")
	half := len(g.Cells) / 2
	for i, plain := range g.Cells[:half] {
		optimised := g.Cells[half+i]
		fmt.Fprintf(tw, "%d\t%d\t%d\t%s\t%s\t%d\t%s\t%s\t%d\t%s\t%s%.1f\n", plain.Relations, plain.Types, plain.Nodes, ms(plain.Vectors),
			atLeast(plain.Matching, plain.RanOut > 0), plain.RanOut, share(plain.Hits1),
			atLeast(optimised.Matching, optimised.RanOut > 0), optimised.RanOut, share(optimised.Hits1),
			bound(plain.RanOut > 0), float64(plain.Matching)/float64(max(1, optimised.Matching)))
	}
	notTried := 0
	for _, c := range g.Cells {
		notTried += c.NotTried
	}
	fmt.Fprintf(tw, "vector search timed on %d queries; %d searches were not tried, as the same query had met the limit with fewer candidates\n", g.Lookups, notTried)
	fmt.Fprintf(tw, "searches that ended in time with both algorithms and differ in the best distance: %d\n", g.Different)
	for _, f := range g.Fronts {
		what := "matching"
		if f.Whole {
			what = "vectors and matching"
		}
		fmt.Fprintf(tw, "\nPareto front, %s, time of %s (Figure 5)\n", f.Algorithm, what)
		fmt.Fprintln(tw, "Hits@1 %\tms\tk(r)\tk(t)\tk(n)")
		for _, p := range f.Points {
			c := g.Cells[p.Cell]
			fmt.Fprintf(tw, "%s\t%s\t%d\t%d\t%d\n", share(p.Hits1), atLeast(p.Time, p.AtLeast), c.Relations, c.Types, c.Nodes)
		}
	}
	tw.Flush()
}

func (r *SimGRAGReport) writeGrowth(w io.Writer) {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(tw, "how the costs grow: cost = a·entities^slope\ncost\tunit")
	for _, g := range r.Graphs {
		fmt.Fprintf(tw, "\t%s", formatCount(float64(g.Entities)))
	}
	fmt.Fprintln(tw, "\tslope")
	for _, c := range r.Growth {
		fmt.Fprintf(tw, "%s\t%s", c.Cost, c.Unit)
		for _, v := range c.Values {
			fmt.Fprintf(tw, "\t%s", threeDigits(v))
		}
		if c.HasSlope {
			fmt.Fprintf(tw, "\t%.2f\n", c.Slope)
		} else {
			fmt.Fprintln(tw, "\t-")
		}
	}
	tw.Flush()
}

// String returns "mean / median / p99" in milliseconds.
func (t Times) String() string {
	return fmt.Sprintf("%s / %s / %s", ms(t.Mean), ms(t.Median), ms(t.P99))
}

// ms writes a time in milliseconds.
func ms(d time.Duration) string { return threeDigits(float64(d) / float64(time.Millisecond)) }

// threeDigits writes a number with three digits at least, and never with an
// exponent.
func threeDigits(v float64) string {
	switch {
	case v == 0:
		return "0"
	case v >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case v >= 1:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return strconv.FormatFloat(v, 'f', 3, 64)
}

func atLeast(d time.Duration, is bool) string { return bound(is) + ms(d) }

func bound(is bool) string {
	if is {
		return "≥ "
	}
	return ""
}

// share writes a share in per cent.
func share(part float64) string { return strconv.FormatFloat(100*part, 'f', 1, 64) }

// shortTime writes a time for people; a negative one is none.
func shortTime(d time.Duration) string {
	if d < 0 {
		return "none"
	}
	return formatTime(d.Seconds())
}

// thousands writes a number with its thousands apart.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
