package bench

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// ExactReport is a comparison of matching engines on several graphs.
type ExactReport struct {
	Version string     `json:"version,omitempty"`
	Machine Machine    `json:"machine"`
	Seed    uint64     `json:"seed"`
	Sets    []ExactSet `json:"sets"`
}

// NewExactReport returns the report of what was measured on this computer.
func NewExactReport(sets []ExactSet, seed uint64) *ExactReport {
	return &ExactReport{Machine: thisMachine(), Seed: seed, Sets: sets}
}

// WriteJSON writes the report for programs; times are in nanoseconds.
func (r *ExactReport) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// WriteText prints the report for people.
func (r *ExactReport) WriteText(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(tw, "Exact matching compared · %s\n", r.Machine)
	for i := range r.Sets {
		s := &r.Sets[i]
		fmt.Fprintf(tw, "\n%s: %s entities, %s triples; a query ends after %s, seed %d\n", s.Name, thousands(s.Entities), thousands(s.Triples), shortTime(s.Limit), r.Seed)
		fmt.Fprintln(tw, "queries\tengine\tn\tbindings\tlooked at\tended\tfailed\twrong\tnot known\tmedian ms\tp99\tmax\t")
		s.write(tw)
		for _, shape := range s.Missing {
			fmt.Fprintf(tw, "no %s was found\n", shape)
		}
		for _, e := range s.Engines {
			switch {
			case e.Failed != "":
				fmt.Fprintf(tw, "%s was not measured: %s\n", e.Name, e.Failed)
			case e.Build > 0:
				fmt.Fprintf(tw, "%s was made ready in %s, and takes %s", e.Name, shortTime(e.Build), formatMegabytes(megabytes(e.Size)))
				fmt.Fprintln(tw, strings.TrimRight("; "+e.About, "; "))
			}
		}
	}
	fmt.Fprintln(tw, "\nwrong: another number of bindings than is known, or than the anchored engine counts")
	return tw.Flush()
}

// write has the engines beside each other, shape by shape.
func (s *ExactSet) write(w io.Writer) {
	if len(s.Engines) == 0 {
		return
	}
	for i, first := range s.Engines[0].Rows {
		for _, e := range s.Engines {
			if i < len(e.Rows) {
				fmt.Fprintf(w, "%s\t%s\t\n", first.Shape, strings.Join(e.cells(i), "\t"))
			}
		}
	}
}

// cells are the columns of a row, but for the shape.
func (e *ExactEngine) cells(i int) []string {
	r := e.Rows[i]
	cells := []string{e.Name}
	for _, n := range []int{r.Queries, r.Bindings, r.Considered, r.RanOut, r.Failed, r.Wrong, r.Unknown} {
		cells = append(cells, thousands(n))
	}
	for _, d := range []time.Duration{r.Times.Median, r.Times.P99, r.Times.Max} {
		cells = append(cells, ms(d))
	}
	return cells
}

// WriteCSV writes the rows as a table, times in milliseconds.
func (r *ExactReport) WriteCSV(w io.Writer) error {
	rows := [][]string{{"graph", "entities", "shape", "engine", "queries", "bindings", "looked_at", "ended", "failed", "wrong", "not_known", "median_ms", "p99_ms", "max_ms"}}
	for _, s := range r.Sets {
		for _, e := range s.Engines {
			for i, row := range e.Rows {
				cells := append([]string{s.Name, strconv.Itoa(s.Entities), string(row.Shape)}, e.cells(i)...)
				for j := range cells {
					cells[j] = strings.ReplaceAll(cells[j], ",", "")
				}
				rows = append(rows, cells)
			}
		}
	}
	return csv.NewWriter(w).WriteAll(rows)
}
