package eval

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/retrieve"
)

// Beside compares what several methods answered to the same questions.
type Beside struct {
	Parts []BesidePart `json:"parts"`
}

// BesidePart compares the questions of one part of a set that all methods were asked.
type BesidePart struct {
	Set  string      `json:"set"`
	Name string      `json:"part"`
	N    int         `json:"n"`
	All  int         `json:"all"`  // answered exactly by all methods
	None int         `json:"none"` // answered exactly by none
	Rows []BesideRow `json:"rows"` // in the order of the journals

	order  int  // of the part in its set
	claims bool // which have no gold answers for the evidence to hold
}

// BesideRow is what one method did. A claim is scored as a question whose answer is its
// truth; what is not found counts as false.
type BesideRow struct {
	By     string `json:"by"`
	Scores Scores `json:"scores"`
	// Alone are the questions that this method alone answered exactly.
	Alone int `json:"alone"`
	// Covered is the sum over the questions of the share of the gold answers that the
	// evidence of the method holds, in its answer's triples.
	Covered float64       `json:"covered"`
	Median  time.Duration `json:"median,omitempty"` // of the time from question to answer; 0 for what no method did
	Tokens  int           `json:"tokens,omitempty"` // of the evidence in words, in the mean
}

// The rows that no method made.
const (
	// union has all answers of the methods but the automatic choice, the oracle and the
	// baselines: those that most gave first, then by their best place.
	union = "union"
	// adjacency takes a claim for true whose names stand in one triple.
	adjacency = "adjacency"
)

// kept is a journal that was read.
type kept struct {
	config  Config
	records map[asked]map[int]Record
}

// by names the method of a journal.
func (k *kept) by() string {
	if k.config.Planner == "built-in" || k.config.Planner == "" {
		return k.config.Retriever
	}
	return k.config.Retriever + ", " + k.config.Planner + " plan"
}

// isOwn reports whether a method found what it found by itself, from the question, and is
// more than a baseline.
func (k *kept) isOwn() bool {
	isBaseline := slices.ContainsFunc(engine.Methods(), func(m retrieve.Method) bool { return m.Info().ID == k.config.Retriever && m.Info().Baseline })
	return !isBaseline && k.by() != engine.Auto && k.config.Planner != "oracle"
}

// set names the questions of a journal.
func (k *kept) set() string {
	if k.config.Forget > 0 {
		return fmt.Sprintf("%s, %d %% forgotten", k.config.Dataset, k.config.Forget)
	}
	return k.config.Dataset
}

// ReadBeside reads journals, and compares those of the same questions, set by set.
func ReadBeside(paths []string) (*Beside, error) {
	var sets []string // by the digest of their questions
	of := map[string][]*kept{}
	for _, path := range paths {
		k, err := readJournal(path)
		if err != nil {
			return nil, err
		}
		key := fmt.Sprint(k.set(), k.config.Questions)
		if of[key] == nil {
			sets = append(sets, key)
		}
		of[key] = append(of[key], k)
	}
	out := &Beside{}
	for _, key := range sets {
		var parts []BesidePart
		for group := range of[key][0].records {
			p := compareJournals(group, of[key])
			p.order = slices.Index(of[key][0].config.Groups, p.Name)
			parts = append(parts, p)
		}
		slices.SortFunc(parts, func(a, b BesidePart) int { return cmp.Compare(a.order, b.order) })
		out.Parts = append(out.Parts, parts...)
	}
	return out, nil
}

// readJournal reads a journal to its end, or to where it was cut off.
func readJournal(path string) (*kept, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &JournalError{path, "does not exist", "name a file that --journal has written"}
	}
	if err != nil {
		return nil, fmt.Errorf("open the journal: %w", err)
	}
	defer f.Close()
	d := json.NewDecoder(bufio.NewReader(f))
	k := &kept{records: map[asked]map[int]Record{}}
	if err := d.Decode(&k.config); err != nil || k.config.Journal == 0 {
		return nil, errNoJournal(path)
	}
	if k.config.Journal != journalVersion {
		return nil, &JournalError{path, "is of another version of this program", "measure again, into another file"}
	}
	for {
		var r Record
		if err := d.Decode(&r); err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				return k, nil
			}
			return nil, &JournalError{path, "is damaged", "begin another journal"}
		}
		of := asked{group: r.Group} // the last of several seeds
		if k.records[of] == nil {
			k.records[of] = map[int]Record{}
		}
		k.records[of][r.At] = r
	}
}

// compareJournals compares the questions of a part that all methods were asked.
func compareJournals(of asked, by []*kept) BesidePart {
	p := BesidePart{Set: by[0].set(), Name: of.group, Rows: make([]BesideRow, len(by))}
	together, near := BesideRow{By: union}, BesideRow{By: adjacency}
	times := make([][]time.Duration, len(by))
	own := 0
	for m, k := range by {
		p.Rows[m].By = k.by()
		count(&own, k.isOwn())
	}
next:
	for at := range by[0].records[of] {
		records := make([]Record, len(by))
		for m, k := range by {
			var ok bool
			if records[m], ok = k.records[of][at]; !ok {
				continue next
			}
		}
		p.N++
		right, last := 0, 0
		var theirs []Record
		for m, r := range records {
			times[m] = append(times[m], r.Total)
			p.Rows[m].Tokens += r.Evidence
			if p.Rows[m].add(r) {
				right, last = right+1, m
			}
			if by[m].isOwn() {
				theirs = append(theirs, r)
			}
		}
		switch right {
		case 0:
			p.None++
		case len(by):
			p.All++
		case 1:
			p.Rows[last].Alone++
		}
		together.add(joined(theirs))
		if r := records[0]; r.Label != nil {
			r.Verdict, r.Sure = "", false
			if r.Adjacent {
				r.Verdict = answer.Supported.String()
			}
			near.add(r)
		}
	}
	for m := range by {
		slices.Sort(times[m])
		if k := len(times[m]); k > 0 {
			p.Rows[m].Median, p.Rows[m].Tokens = times[m][k/2], p.Rows[m].Tokens/k
		}
	}
	switch {
	case near.Scores.N > 0:
		p.Rows, p.claims = append(p.Rows, near), true
	case own > 1:
		p.Rows = append(p.Rows, together)
	}
	return p
}

// add scores one answer, and reports whether it is exact.
func (row *BesideRow) add(r Record) bool {
	if r.Label != nil {
		truth := func(yes bool) []string { return []string{fmt.Sprint(yes)} }
		return row.Scores.Score(truth(*r.Label), truth(r.holds()), r.Sure && r.Verdict != answer.NotFound.String())
	}
	if len(r.Gold) > 0 {
		row.Covered += float64(len(r.Covered)) / float64(len(r.Gold))
	}
	return row.Scores.Score(r.Gold, r.Answers, r.Sure)
}

// joined has the answers and the evidence of all records of one question.
func joined(records []Record) Record {
	out := Record{}
	votes, place := map[string]int{}, map[string]int{}
	for _, r := range records {
		out.Gold = r.Gold
		for at, a := range distinct(r.Answers) {
			if votes[a]++; votes[a] == 1 {
				out.Answers, place[a] = append(out.Answers, a), at
			}
			place[a] = min(place[a], at)
		}
		for _, i := range r.Covered {
			if !slices.Contains(out.Covered, i) {
				out.Covered = append(out.Covered, i)
			}
		}
	}
	slices.SortStableFunc(out.Answers, func(a, b string) int {
		return cmp.Or(cmp.Compare(votes[b], votes[a]), cmp.Compare(place[a], place[b]))
	})
	return out
}

// Forms are how a comparison can be written.
func Forms() []string { return []string{"text", "csv", "markdown"} }

// Write writes the comparison in one of the Forms; shares are of the questions.
func (b *Beside) Write(w io.Writer, form string) error {
	head := []string{
		"set", "part", "n", "by", "Hits@1", "AMR", "F1", "exact", "it alone", "sure", "sure and wrong", "gold in the evidence",
		"ms, median", "tokens", "exact by all", "by none",
	}
	rows := [][]string{head}
	for _, p := range b.Parts {
		for i := range p.Rows {
			rows = append(rows, p.cells(&p.Rows[i]))
		}
	}
	switch form {
	case "csv":
		return csv.NewWriter(w).WriteAll(rows)
	case "markdown":
		rows = slices.Insert(rows, 1, slices.Repeat([]string{"---"}, len(head)))
		for _, row := range rows {
			if _, err := fmt.Fprintf(w, "| %s |\n", strings.Join(row, " | ")); err != nil {
				return err
			}
		}
		return nil
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(tw, strings.Join(row, "\t"))
	}
	return tw.Flush()
}

// cells are the columns of a row; "-" for what it has not.
func (p *BesidePart) cells(r *BesideRow) []string {
	s := &r.Scores
	out := []string{
		p.Set, p.Name, fmt.Sprint(p.N), r.By, pct(s.Hits1, s.N), pct(s.AMR, s.N), pct(s.F1, s.N), pct(s.Exact, s.N), "-", "-", "-", pct(r.Covered, s.N),
		"-", "-", pct(float64(p.All), p.N), pct(float64(p.None), p.N),
	}
	if p.claims {
		out[11] = "-"
	}
	if r.Median > 0 {
		out[8], out[9], out[10] = pct(float64(r.Alone), p.N), pct(float64(s.SureN), p.N), pct(float64(s.SureN)-s.SureHits1, p.N)
		out[12], out[13] = fmt.Sprintf("%.2f", float64(r.Median.Microseconds())/1000), fmt.Sprint(r.Tokens)
	}
	return out
}
