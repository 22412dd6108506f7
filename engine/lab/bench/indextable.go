package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
	"time"

	"cairn/engine/index"
)

// IndexReport is a comparison of indexes on several sets of names.
type IndexReport struct {
	Version string     `json:"version,omitempty"` // of the program
	Machine Machine    `json:"machine"`
	Sets    []IndexSet `json:"sets"`
}

// NewIndexReport returns the report of what was measured on this computer.
func NewIndexReport(sets []IndexSet) *IndexReport {
	return &IndexReport{Machine: thisMachine(), Sets: sets}
}

// WriteJSON writes the report for programs; times are in nanoseconds.
func (r *IndexReport) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// WriteText prints the report for people.
func (r *IndexReport) WriteText(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "Indexes of names compared · %s\n", r.Machine)
	for i := range r.Sets {
		fmt.Fprintln(&b)
		r.Sets[i].write(&b)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (s *IndexSet) write(w io.Writer) {
	fmt.Fprintf(w, "%s: %s distinct names, %d dimensions, embedded in %s\n", s.Name, thousands(s.Vectors), s.Dims, shortTime(s.Embedded))
	fmt.Fprintf(w, "%d queries, names misspelt or shortened, seed %d · graphs: M = %d, efConstruction = %d · %s to build each\n",
		s.Queries, s.Seed, s.M, s.EfConstruction, shortTime(s.Limit))
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "index\tbuild\tof processors\tmemory\tpeak\tfile\topened in\tk\tef\tmedian\tp99\trecall@k\t")
	for _, p := range s.Peers {
		p.write(tw)
	}
	_ = tw.Flush() // to a buffer
	for _, p := range s.Peers {
		if p.Cut {
			fmt.Fprintf(w, "%s was cut after %s: %s of %s vectors were linked\n", p.Name, shortTime(p.Build), thousands(p.Linked), thousands(s.Vectors))
		}
	}
	fmt.Fprintln(w, "memory holds the vectors as well; peak is what building took beside the float32 vectors")
	fmt.Fprintf(w, "at 10 M names of %d dimensions: %s\n", s.Dims, tenMillion(s.Dims, s.M))
}

func (p *IndexPeer) write(w io.Writer) {
	none := func(held int64) string {
		if held == 0 {
			return ""
		}
		return formatMegabytes(megabytes(held))
	}
	some := func(d time.Duration) string {
		if d == 0 {
			return ""
		}
		return shortTime(d)
	}
	head := fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s\t%s", p.Name, some(p.Build), some(p.Processor), none(p.Memory), none(p.Peak), none(p.File), some(p.Open))
	if p.Cut {
		fmt.Fprintf(w, "%s\tcut\t\n", head)
		return
	}
	for _, q := range p.Searches {
		ef := ""
		if q.Ef > 0 {
			ef = strconv.Itoa(q.Ef)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%.4f\t\n", head, thousands(q.K), ef, shortTime(q.Times.Median), shortTime(q.Times.P99), q.Recall)
		head = "\t\t\t\t\t\t"
	}
	if p.Probed > 0 {
		verdict := "not admitted"
		if p.Probed >= index.MinRecall {
			verdict = "admitted"
		}
		fmt.Fprintf(w, "\t\t\t\t\t\t\tprobe\t128\t%s\t\t%.4f\t\n", verdict, p.Probed)
	}
}

// tenMillion says what the indexes hold of ten million vectors, by what they keep of
// each one.
func tenMillion(dims, m int) string {
	const n = 10_000_000
	links := 4 * (1 + 2*m)             // layer 0: how many, and they
	links += 4 * (1 + m) / max(1, m-1) // above it, 1/M + 1/M² + … of the vectors
	links += 1 + 4 + 4                 // level, place, the next equal vector
	codes := 2*dims + 20               // a Scan
	peer := 4*dims + 4*(1+2*m) + 8 + 8 // hnswlib: vector, links, label, upper links
	size := func(each int) string { return formatMegabytes(megabytes(int64(each) * n)) }
	return fmt.Sprintf("scan %s; hnsw %s of links beside it; hnswlib %s", size(codes), size(links), size(peer))
}
