package bench

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"
)

// The Hits@1 of SG-RAG with GPT-4o: by edits, over FB-ERQA and in the experiment on
// robustness (Tables 2 and 4), and by conditions (Table 3).
var (
	paperByEdits      = map[int]string{0: "82.5", 1: "80.0", 2: "79.2", 3: "43.3"}
	paperByConditions = map[int]string{4: "71.2", 5: "68.4", 6: "69.1"}
)

// WriteJSON writes the report for programs; times are in nanoseconds.
func (r *ERQAReport) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// WriteText prints the report for people.
func (r *ERQAReport) WriteText(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(tw, "Bridge-star questions over %s: %s entities, %s triples, seed %d · %s\n", r.Graph, thousands(r.Entities), thousands(r.Triples), r.Seed, r.Machine)
	for _, q := range r.Examples {
		fmt.Fprintf(tw, "such as: %s\n", q)
	}
	for at := 0; at < len(r.Rows); {
		first := r.Rows[at]
		fmt.Fprintf(tw, "\n%s, asked by %s; %% of the questions\n", first.Retriever, map[Way]string{ByWords: "the words alone", ByPattern: "the pattern"}[first.Way])
		fmt.Fprintln(tw, "conditions\tedits\tn\tHits@1\tP\tR\tF1\tno answer\tsure\tsure and wrong\tby conditions alone\tpaper's Hits@1\tmedian ms\tp99\t")
		for ; at < len(r.Rows) && r.Rows[at].Retriever == first.Retriever && r.Rows[at].Way == first.Way; at++ {
			cells := r.Rows[at].cells()
			for _, c := range slices.Insert(cells[2:], 10, r.Rows[at].paper()) {
				fmt.Fprintf(tw, "%s\t", c)
			}
			fmt.Fprintln(tw)
		}
	}
	fmt.Fprintln(tw, "\nby conditions alone: the Hits@1 to expect of one of those that meet the most conditions, any of them\nthe paper's are of its own questions, over Freebase, with GPT-4o")
	return tw.Flush()
}

// paper is the paper's Hits@1 beside a row.
func (r *ERQARow) paper() string {
	switch {
	case r.Conditions == 0:
		return paperByEdits[r.Edits]
	case r.Edits == 0:
		return paperByConditions[r.Conditions]
	}
	return ""
}

// WriteCSV writes the rows as a table, shares in per cent and times in milliseconds.
func (r *ERQAReport) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	rows := [][]string{{"retriever", "way", "conditions", "edits", "questions", "hits_at_1", "precision", "recall", "f1", "none", "sure", "sure_and_wrong", "chance", "median_ms", "p99_ms"}}
	for _, row := range r.Rows {
		rows = append(rows, row.cells())
	}
	return c.WriteAll(rows)
}

// cells are the columns of a row.
func (r *ERQARow) cells() []string {
	conditions := "all"
	if r.Conditions > 0 {
		conditions = strconv.Itoa(r.Conditions)
	}
	chance := "-"
	if r.Counted > 0 {
		chance = share(r.Chance)
	}
	return []string{
		r.Retriever, string(r.Way), conditions, strconv.Itoa(r.Edits), strconv.Itoa(r.Questions), share(r.Hits1), share(r.Precision), share(r.Recall),
		share(r.F1), share(r.None), share(r.Sure), share(r.SureWrong), chance, ms(r.Times.Median), ms(r.Times.P99),
	}
}
