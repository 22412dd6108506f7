package eval

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// WriteText prints the table for people.
func (t *GNNTable) WriteText(w io.Writer) error {
	fmt.Fprintln(w, t.About)
	fmt.Fprintf(w, "network: %s\ntrained on: %s · topics: %s", t.network(), t.Data, t.Topics)
	if t.Sample > 0 {
		fmt.Fprintf(w, " · sample of %d a part, seed %d", t.Sample, t.Seed)
	}
	fmt.Fprintf(w, "\ngraph: %d entities, %d triples\n\n", t.Import.Entities, t.Import.Triples)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	t.answers(tw)
	t.regions(tw)
	t.masses(tw)
	t.kinds(tw)
	t.times(tw)
	if t.PeakMB > 0 {
		fmt.Fprintf(tw, "\npeak memory of the whole process: %.0f MB\n", t.PeakMB)
	}
	return tw.Flush()
}

// network says the network and its options in words.
func (t *GNNTable) network() string {
	o := t.Options
	parts := []string{string(cmp.Or(o.Kind, "flow"))}
	if len(o.Encoders) > 0 {
		parts = append(parts, "words by "+strings.Join(o.Encoders, " and "))
	}
	for _, x := range []struct {
		name string
		n    int
	}{{"layers", o.Layers}, {"stages", o.Stages}, {"instructions", o.Instructions}, {"epochs at most", o.Epochs}} {
		if x.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", x.n, x.name))
		}
	}
	if o.Published {
		parts = append(parts, "as published")
	}
	if o.Rate > 0 {
		parts = append(parts, fmt.Sprintf("rate %g", o.Rate))
	}
	if o.Region.PageRank {
		parts = append(parts, "PageRank")
	}
	if o.Region.Hops > 0 {
		parts = append(parts, fmt.Sprintf("regions of %d hops", o.Region.Hops))
	}
	if o.Region.Hub > 0 {
		parts = append(parts, fmt.Sprintf("not past entities of more than %d triples", o.Region.Hub))
	}
	if o.Region.Entities > 0 {
		parts = append(parts, fmt.Sprintf("%d entities a region", o.Region.Entities))
	}
	return strings.Join(parts, ", ")
}

// answers prints the scores, and over several seeds the lowest and the mean.
func (t *GNNTable) answers(w io.Writer) {
	fmt.Fprintln(w, "part\tseed\tn\tHits@1\tHit\tF1\tF1, strict 0.95\texact set\tAMR\tprecision\tabstained")
	line := func(part, seed string, n int, cells [8]float64) {
		fmt.Fprintf(w, "%s\t%s\t%d", part, seed, n)
		for _, c := range cells {
			fmt.Fprintf(w, "\t%.2f", 100*c)
		}
		fmt.Fprintln(w)
	}
	for _, part := range t.parts() {
		var rows [][8]float64
		n := 0
		for _, r := range t.Rows {
			if r.Part != part {
				continue
			}
			rows, n = append(rows, cellsOf(r.Scores, r.Strict)), r.Scores.N
			line(part, fmt.Sprint(r.Seed), n, cellsOf(r.Scores, r.Strict))
		}
		if len(rows) > 1 {
			worst, mean := spread(rows)
			line(part, "worst", n, worst)
			line(part, "mean", n, mean)
		}
	}
	for _, p := range t.Published {
		line(p.Part, p.Name, p.Scores.N, cellsOf(p.Scores, p.Scores))
	}
}

// cellsOf are the shares of a row of answers, in the order of its columns.
func cellsOf(s, strict Scores) [8]float64 {
	n := float64(max(1, s.N))
	return [8]float64{s.Hits1 / n, s.Hit / n, s.F1 / n, strict.F1 / n, s.Exact / n, s.AMR / n, s.Precision / n, float64(s.Abstained) / n}
}

// spread returns the worst and the mean of each column; of the last, the share
// without an answer, the highest is the worst.
func spread(rows [][8]float64) (worst, mean [8]float64) {
	worst = rows[0]
	for _, r := range rows {
		for i, x := range r {
			mean[i] += x / float64(len(rows))
			if i == len(r)-1 {
				worst[i] = max(worst[i], x)
			} else {
				worst[i] = min(worst[i], x)
			}
		}
	}
	return worst, mean
}

// parts are the names of the parts, in the order of the rows.
func (t *GNNTable) parts() []string {
	var names []string
	for _, r := range t.Rows {
		if !slices.Contains(names, r.Part) {
			names = append(names, r.Part)
		}
	}
	return names
}

func (t *GNNTable) regions(w io.Writer) {
	fmt.Fprintln(w, "\nwhat the network looked at, and the reasoning paths")
	fmt.Fprintln(w, "part\tseed\tright answers within: any\tall\tshare\tentities\ttriples\twithout a topic\tpath to a right answer\ttokens, median")
	for _, r := range t.Rows {
		n := r.Scores.N
		fmt.Fprintf(w, "%s\t%d\t%.2f\t%.2f\t%.2f\t%.0f\t%.0f\t%d\t%s\t%d\n", r.Part, r.Seed, 100*r.Region.Any, 100*r.Region.All, 100*r.Region.Share,
			r.Region.Entities, r.Region.Facts, r.Unseeded, pct(float64(r.Paths.Covered), n), r.Paths.Tokens)
	}
}

func (t *GNNTable) masses(w io.Writer) {
	if !slices.ContainsFunc(t.Rows, func(r GNNRow) bool { return r.Masses != nil }) {
		return
	}
	fmt.Fprintln(w, "\nanswers selected by cumulative probability")
	fmt.Fprintln(w, "part\tseed\tmass\tHit\tF1\texact set\tAMR\tprecision\tpath to a right answer\ttokens, median")
	for _, r := range t.Rows {
		for _, m := range r.Masses {
			s := m.Scores
			fmt.Fprintf(w, "%s\t%d\t%.2f\t%s\t%s\t%s\t%s\t%s\t%s\t%d\n", r.Part, r.Seed, m.Mass, pct(s.Hit, s.N), pct(s.F1, s.N), pct(s.Exact, s.N),
				pct(s.AMR, s.N), pct(s.Precision, s.N), pct(float64(m.Paths.Covered), s.N), m.Paths.Tokens)
		}
	}
}

// shownKinds is how many kinds of questions a part has at most for them to be
// printed; --json has all.
const shownKinds = 8

func (t *GNNTable) kinds(w io.Writer) {
	few := func(r GNNRow) bool { return len(r.Kinds) > 1 && len(r.Kinds) <= shownKinds }
	if !slices.ContainsFunc(t.Rows, few) {
		return
	}
	fmt.Fprintln(w, "\nby the set's kinds of questions")
	fmt.Fprintln(w, "part\tseed\tkind\tn\tHits@1\tHit\tF1")
	for _, r := range t.Rows {
		if !few(r) {
			continue
		}
		for _, k := range slices.Sorted(maps.Keys(r.Kinds)) {
			s := r.Kinds[k]
			fmt.Fprintf(w, "%s\t%d\t%s\t%d\t%s\t%s\t%s\n", r.Part, r.Seed, k, s.N, pct(s.Hits1, s.N), pct(s.Hit, s.N), pct(s.F1, s.N))
		}
	}
}

func (t *GNNTable) times(w io.Writer) {
	fmt.Fprintln(w, "\nwhat it took; times of one question in ms, median / p99 / max")
	fmt.Fprintln(w, "part\tseed\tmodels\tquestions\tto pick\ttraining s\tepochs\ttries\tweights\tanswer and paths\tfinding topics\tpeak MB")
	for _, r := range t.Rows {
		link := "-"
		if r.Link != (Times{}) {
			link = r.Link.String()
		}
		m := r.Trained
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%.1f\t%d\t%d\t%d\t%s\t%s\t%.0f\n", r.Part, r.Seed, m.Models, m.Questions, m.Held, m.Seconds, m.Epochs, m.Tries,
			m.Weights, r.Total, link, r.PeakMB)
	}
}
