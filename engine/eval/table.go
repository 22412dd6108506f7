package eval

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// Times sums up durations.
type Times struct {
	Median time.Duration `json:"median"`
	P99    time.Duration `json:"p99"`
	Max    time.Duration `json:"max"`
}

func times(ds []time.Duration) Times {
	if len(ds) == 0 {
		return Times{}
	}
	slices.Sort(ds)
	return Times{Median: ds[len(ds)/2], P99: ds[len(ds)*99/100], Max: ds[len(ds)-1]}
}

// String returns "median / p99 / max" in milliseconds.
func (t Times) String() string {
	ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	return fmt.Sprintf("%.2f / %.2f / %.1f", ms(t.Median), ms(t.P99), ms(t.Max))
}

// WriteText prints the table for people.
func (t *Table) WriteText(w io.Writer) error {
	fmt.Fprintln(w, t.About)
	fmt.Fprintf(w, "planner: %s · reader: %s", t.Planner, t.Reader)
	if t.Leaked {
		fmt.Fprint(w, " · LEAKED: the topic entity was supplied")
	}
	if t.Sample > 0 {
		fmt.Fprintf(w, " · sample of %d a part, seed %d", t.Sample, t.Seed)
	}
	fmt.Fprintf(w, "\ngraph: %d entities, %d triples, imported and opened in %.2f s\n\n", t.Import.Entities, t.Import.Triples, t.Import.Duration.Seconds())
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	t.questions(tw)
	t.claims(tw)
	if err := tw.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "\ntimes in ms, median / p99 / max")
	fmt.Fprintln(tw, "part\tmatching\tmatching, plain\tquestion to answer\talgorithms differ")
	for _, r := range t.Rows {
		plain, different := "-", "-"
		if r.Plain != (Times{}) {
			plain, different = r.Plain.String(), fmt.Sprint(r.Different)
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\n", r.Group, r.Match, plain, r.Total, different)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "\nnot exactly gold, by the first stage that went wrong")
	for _, r := range t.Rows {
		fmt.Fprintf(tw, "%s\t%s\n", r.Group, r.Faults)
	}
	return tw.Flush()
}

// String lists the faults, commonest first.
func (f Faults) String() string {
	keys := slices.SortedFunc(maps.Keys(f), func(a, b Fault) int {
		return cmp.Or(cmp.Compare(f[b], f[a]), cmp.Compare(a, b))
	})
	var parts []string
	for _, k := range keys {
		parts = append(parts, fmt.Sprintf("%s %d", k, f[k]))
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// pct returns a share in per cent.
func pct(part float64, n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", 100*part/float64(n))
}

func (t *Table) questions(w io.Writer) {
	if !slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Scores != nil }) {
		return
	}
	fmt.Fprintln(w, "part\tn\tHits@1\tHit\tAMR\tprecision\tF1\texact set\tabstained\tsure\tHits@1 when sure")
	for _, r := range t.Rows {
		s := r.Scores
		if s == nil {
			continue
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Group, s.N,
			pct(s.Hits1, s.N), pct(s.Hit, s.N), pct(s.AMR, s.N), pct(s.Precision, s.N), pct(s.F1, s.N), pct(s.Exact, s.N),
			pct(float64(s.Abstained), s.N), pct(float64(s.SureN), s.N), pct(s.SureHits1, s.SureN))
	}
}

func (t *Table) claims(w io.Writer) {
	if !slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Claims != nil }) {
		return
	}
	fmt.Fprintln(w, "part\tn\taccuracy\tbaseline: names adjacent\tdecided\taccuracy when decided\tone-hop pairs\taccuracy on them\tbaseline on them")
	for _, r := range t.Rows {
		c := r.Claims
		if c == nil {
			continue
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\t%d\t%s\t%s\n", r.Group, c.N,
			pct(float64(c.Right), c.N), pct(float64(c.Baseline), c.N),
			pct(float64(c.Decided), c.N), pct(float64(c.DecidedOK), c.Decided),
			c.PairN, pct(float64(c.PairRight), c.PairN), pct(float64(c.PairBaseline), c.PairN))
	}
}
