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
	P95    time.Duration `json:"p95"`
	P99    time.Duration `json:"p99"`
	Max    time.Duration `json:"max"`
}

func times(ds []time.Duration) Times {
	if len(ds) == 0 {
		return Times{}
	}
	slices.Sort(ds)
	return Times{Median: ds[len(ds)/2], P95: ds[len(ds)*95/100], P99: ds[len(ds)*99/100], Max: ds[len(ds)-1]}
}

// String returns "median / p99 / max" in milliseconds.
func (t Times) String() string {
	ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	return fmt.Sprintf("%.2f / %.2f / %.1f", ms(t.Median), ms(t.P99), ms(t.Max))
}

// WriteText prints the table for people.
func (t *Table) WriteText(w io.Writer) error {
	fmt.Fprintln(w, t.About)
	fmt.Fprintf(w, "retriever: %s · planner: %s · reader: %s", t.Config.Retriever, t.Planner, t.Reader)
	t.model(w)
	if t.Import.Embedded != nil {
		fmt.Fprintf(w, " · embedder: %s", t.Import.Embedded.Model)
	}
	if t.Config.Given {
		fmt.Fprint(w, " · topics given by the set")
	}
	switch {
	case t.Config.WordsKept:
		fmt.Fprint(w, " · without the lexicon's words for relations")
	case t.Config.Forget > 0:
		fmt.Fprintf(w, " · forgetful: %d %% of the relations", t.Config.Forget)
	}
	if t.Config.NoMeanings {
		fmt.Fprint(w, " · without word vectors")
	}
	if t.Leaked {
		fmt.Fprint(w, " · LEAKED: the topic entity was supplied")
	}
	if t.Sample > 0 {
		fmt.Fprintf(w, " · sample of %d a part, seed %d", t.Sample, t.Seed)
	}
	fmt.Fprintf(w, "\ngraph: %d entities, %d triples, imported and opened in %.2f s\n", t.Import.Entities, t.Import.Triples, t.Import.Duration.Seconds())
	if e := t.Import.Embedded; e != nil {
		fmt.Fprintf(w, "names: %d embedded in %.1f s, %.0f a second; %d kept from before; %d by their beginning, %d without a vector\n",
			e.Stats.Made, e.Stats.Took.Seconds(), e.Stats.PerSecond(), e.Stats.Found, e.Report.Shortened, e.Report.Blank)
		fmt.Fprint(w, "questions that its vectors were looked up for:")
		for _, r := range t.Rows {
			fmt.Fprintf(w, " %s %d", r.part(), r.Vectors)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	t.questions(tw)
	t.risks(tw)
	t.claims(tw)
	t.replies(tw)
	t.models(tw)
	t.times(tw)
	t.training(tw)
	t.kinds(tw)
	fmt.Fprintln(tw, "\nnot exactly gold, by the first stage that went wrong")
	for _, r := range t.Rows {
		fmt.Fprintf(tw, "%s\t%s\n", r.part(), r.Faults)
	}
	return tw.Flush()
}

// model names the model and how it was asked.
func (t *Table) model(w io.Writer) {
	c := t.Config
	if c.Model == "" {
		return
	}
	fmt.Fprintf(w, " · model: %s", c.Model)
	if c.Digest != "" {
		fmt.Fprintf(w, " (%.12s)", strings.TrimPrefix(c.Digest, "sha256:"))
	}
	if c.Planner == "model" {
		switch {
		case c.Chains:
			fmt.Fprint(w, " · relation chains")
		case c.Samples > 1:
			fmt.Fprintf(w, " · %d samples", c.Samples)
		}
		if c.Alone {
			fmt.Fprint(w, " · its readings are always followed")
		}
	}
	if c.Reader == "model" {
		fmt.Fprintf(w, " · evidence as %s", c.Style)
	}
}

// part names a row: its part, and the seed of the training.
func (row *Row) part() string {
	if row.Trained == nil {
		return row.Group
	}
	return fmt.Sprintf("%s, seed %d", row.Group, row.Seed)
}

func (t *Table) times(w io.Writer) {
	fmt.Fprintln(w, "\ntimes in ms, median / p99 / max")
	fmt.Fprintln(w, "part\tretrieval\tby the plain algorithm\tquestion to answer\talgorithms differ")
	for _, r := range t.Rows {
		plain, different := "-", "-"
		if r.Plain != (Times{}) {
			plain, different = r.Plain.String(), fmt.Sprint(r.Different)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", r.part(), r.Match, plain, r.Total, different)
	}
}

// training prints what was learned and what it took.
func (t *Table) training(w io.Writer) {
	if t.Learned == "" {
		return
	}
	fmt.Fprintf(w, "\nlearned from %s\n", t.Learned)
	fmt.Fprintln(w, "part\tmodels\tseconds\tepochs\ttries\tweights\tright answers within reach in training: some / all / share\tentities looked at\ttriples\tpaths: tokens\tas a set of triples\tpeak MB")
	for _, r := range t.Rows {
		m := r.Trained
		reach := "all of the graph"
		if c := m.Last.About.Reach; c != nil {
			reach = fmt.Sprintf("%.1f / %.1f / %.1f", 100*c.Any, 100*c.All, 100*c.Share)
		}
		fmt.Fprintf(w, "%s\t%d\t%.1f\t%d\t%d\t%d\t%s\t%.0f\t%.0f\t%d\t%d\t%.0f\n", r.part(), m.Models, m.Seconds, m.Epochs, m.Tries,
			m.Last.About.Weights, reach, r.Entities, r.Triples, r.Tokens, r.Set, r.PeakMB)
	}
}

// shownKinds is how many kinds of questions a part has at most for them to be
// printed; --json has all.
const shownKinds = 8

func (t *Table) kinds(w io.Writer) {
	few := func(r Row) bool { return len(r.Kinds) > 1 && len(r.Kinds) <= shownKinds }
	if !slices.ContainsFunc(t.Rows, few) {
		return
	}
	fmt.Fprintln(w, "\nby the set's kinds of questions")
	fmt.Fprintln(w, "part\tkind\tn\tHits@1\tHit\tF1")
	for _, r := range t.Rows {
		if !few(r) {
			continue
		}
		for _, k := range slices.Sorted(maps.Keys(r.Kinds)) {
			s := r.Kinds[k]
			fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s\n", r.part(), k, s.N, pct(s.Hits1, s.N), pct(s.Hit, s.N), pct(s.F1, s.N))
		}
	}
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
	fmt.Fprintln(w, "part\tn\tHits@1\tHit\tAMR\tprecision\tF1\tF1, strict 0.95\texact set\tabstained\tsure\tHits@1 when sure\tsure and wrong")
	line := func(part string, n int, cells []float64) {
		fmt.Fprintf(w, "%s\t%d", part, n)
		for _, c := range cells {
			if c < 0 {
				fmt.Fprint(w, "\t-")
				continue
			}
			fmt.Fprintf(w, "\t%.2f", 100*c)
		}
		fmt.Fprintln(w)
	}
	var parts []string
	of := map[string][]*Row{} // the seeds of a part
	for i := range t.Rows {
		if r := &t.Rows[i]; r.Scores != nil {
			if of[r.Group] == nil {
				parts = append(parts, r.Group)
			}
			of[r.Group] = append(of[r.Group], r)
		}
	}
	for _, part := range parts {
		var seeds [][]float64
		for _, r := range of[part] {
			seeds = append(seeds, r.Scores.cells(r.Strict))
			line(r.part(), r.Scores.N, seeds[len(seeds)-1])
		}
		if len(seeds) > 1 {
			worst, mean := spread(seeds)
			line(part+", worst", of[part][0].Scores.N, worst)
			line(part+", mean", of[part][0].Scores.N, mean)
		}
	}
	for _, p := range t.Published {
		line(p.Part+", "+p.Name, p.Scores.N, p.Scores.cells(nil))
	}
}

// higherIsWorse are the columns that count what should not be: the questions without
// an answer, and those with a wrong one that nothing warns of.
var higherIsWorse = []int{7, 10}

// cells are the shares of a row of answers, in the order of its columns; −1 for none.
func (s *Scores) cells(strict *Scores) []float64 {
	n := float64(max(1, s.N))
	strictF1, whenSure := -1., -1.
	if strict != nil {
		strictF1 = strict.F1 / n
	}
	if s.SureN > 0 {
		whenSure = s.SureHits1 / float64(s.SureN)
	}
	return []float64{
		s.Hits1 / n, s.Hit / n, s.AMR / n, s.Precision / n, s.F1 / n, strictF1, s.Exact / n, float64(s.Abstained) / n,
		float64(s.SureN) / n, whenSure, (float64(s.SureN) - s.SureHits1) / n,
	}
}

// spread returns the worst and the mean of each column.
func spread(rows [][]float64) (worst, mean []float64) {
	worst, mean = slices.Clone(rows[0]), make([]float64, len(rows[0]))
	for _, r := range rows {
		for i, x := range r {
			mean[i] += x / float64(len(rows))
			if slices.Contains(higherIsWorse, i) {
				worst[i] = max(worst[i], x)
			} else {
				worst[i] = min(worst[i], x)
			}
		}
	}
	return worst, mean
}

func (t *Table) claims(w io.Writer) {
	if !slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Claims != nil }) {
		return
	}
	fmt.Fprintln(w, "part\tn\taccuracy\tbaseline: names adjacent\tdecided\taccuracy when decided\tlikely\taccuracy when likely\tone-hop pairs\taccuracy on them\tbaseline on them")
	for _, r := range t.Rows {
		c := r.Claims
		if c == nil {
			continue
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%s\t%s\n", r.Group, c.N,
			pct(float64(c.Right), c.N), pct(float64(c.Baseline), c.N),
			pct(float64(c.Decided), c.N), pct(float64(c.DecidedOK), c.Decided),
			pct(float64(c.Likely), c.N), pct(float64(c.LikelyOK), c.Likely),
			c.PairN, pct(float64(c.PairRight), c.PairN), pct(float64(c.PairBaseline), c.PairN))
	}
}

// replies prints what the papers count, by their own definitions.
func (t *Table) replies(w io.Writer) {
	if !slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Replies != nil }) {
		return
	}
	fmt.Fprintln(w, "\nas the papers count")
	fmt.Fprintln(w, "part\treply\treplied\tSimGRAG Hits@1\tRoG Hits@1 = GNN-RAG Hit\tGNN-RAG, GSR H@1\tRoG, GNN-RAG F1\tGSR Hits\tGSR F1\tSG-RAG AMR")
	for _, r := range t.Rows {
		for _, reply := range r.Replies {
			s := reply.Scores
			hits, f1 := "-", "-" // a sentence is no answer line
			if reply.List {
				hits, f1 = pct(s.GSRHits, s.N), pct(s.GSRF1, s.N)
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Group, reply.Reply, pct(float64(s.Said), s.N),
				pct(s.SimGRAG, s.N), pct(s.RoGHit, s.N), pct(s.FirstLine, s.N), pct(s.RoGF1, s.N), hits, f1, pct(s.AMR, s.N))
		}
	}
}

// models prints what a model did and what it took.
func (t *Table) models(w io.Writer) {
	for _, r := range t.Rows {
		m := r.Model
		if m == nil {
			continue
		}
		fmt.Fprintf(w, "\nthe model, %s\n", r.Group)
		if t.Planner == "model" {
			fmt.Fprintf(w, "plan followed\t%s\n", shares(m.Planned, m.N))
			fmt.Fprintf(w, "pattern repaired\t%s %%\n", pct(float64(m.Repaired), m.N))
		}
		if t.Reader == "model" {
			sentences := 0
			for _, n := range m.Checks {
				sentences += n
			}
			fmt.Fprintf(w, "answer worded\t%s %%\n", pct(float64(m.Worded), m.N))
			fmt.Fprintf(w, "its %d sentences\t%s\n", sentences, shares(m.Checks, sentences))
		}
		if c := m.Claims; c != nil {
			fmt.Fprintf(w, "accuracy as SimGRAG counts\t%s %% (%s %% of replies hold both words)\n", pct(float64(c.Right), c.N), pct(float64(c.Both), c.N))
		}
		if len(m.Errors) > 0 {
			fmt.Fprintf(w, "requests that failed\t%s\n", counts(m.Errors))
		}
		fmt.Fprintf(w, "seconds a question\t%.2f median, %.2f p95\n", r.Total.Median.Seconds(), r.Total.P95.Seconds())
		fmt.Fprintln(w, "\nrequests\tof questions\tn\tfailed\tprompt tokens\treply tokens\tseconds\ta question: tokens\tseconds")
		for _, c := range m.Costs {
			n := float64(max(1, m.N))
			fmt.Fprintf(w, "%s\t%s %%\t%d\t%d\t%d\t%d\t%.1f\t%.0f\t%.2f\n", c.Step, pct(float64(c.Questions), m.N), c.Requests, c.Failed,
				c.PromptTokens, c.ReplyTokens, c.Duration.Seconds(), float64(c.PromptTokens+c.ReplyTokens)/n, c.Duration.Seconds()/n)
		}
	}
}

// byCount sorts names, the commonest first.
func byCount(of map[string]int) []string {
	return slices.SortedFunc(maps.Keys(of), func(a, b string) int {
		return cmp.Or(cmp.Compare(of[b], of[a]), cmp.Compare(a, b))
	})
}

// shares lists names with their shares of n, the commonest first.
func shares(of map[string]int, n int) string {
	var parts []string
	for _, name := range byCount(of) {
		parts = append(parts, fmt.Sprintf("%s %s %%", name, pct(float64(of[name]), n)))
	}
	return strings.Join(parts, ", ")
}

// counts lists names with their numbers, the commonest first.
func counts(of map[string]int) string {
	var parts []string
	for _, name := range byCount(of) {
		parts = append(parts, fmt.Sprintf("%s %d", name, of[name]))
	}
	return strings.Join(parts, ", ")
}
