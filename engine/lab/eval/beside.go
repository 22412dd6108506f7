package eval

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"text/tabwriter"
	"time"
)

// Beside compares what several methods answered to the same questions.
type Beside struct {
	Methods []string // as their journals name them
	Parts   []BesidePart
}

// BesidePart compares the questions of one part that all methods were asked. What is by
// method is in the order of Beside.Methods.
type BesidePart struct {
	Name string
	N    int
	// Exact are the questions that a method answered exactly, Alone those that no other
	// did, Wrong those that it was sure of and did not.
	Exact, Alone, Wrong []int
	All, None           int // answered exactly by all methods, and by none
	Median              []time.Duration
	Tokens              []int // of the evidence in words, in the mean
}

// ReadBeside reads journals of the same questions.
func ReadBeside(paths []string) (*Beside, error) {
	out := &Beside{}
	var all []map[asked]map[int]Record
	questions := ""
	for _, path := range paths {
		c, records, err := readJournal(path)
		if err != nil {
			return nil, err
		}
		if questions != "" && c.Questions != questions {
			return nil, &JournalError{path, "is of other questions than " + paths[0], "compare journals of one set, sample and seed"}
		}
		questions = c.Questions
		out.Methods = append(out.Methods, c.Retriever)
		all = append(all, records)
		for of := range records {
			if !slices.ContainsFunc(out.Parts, func(p BesidePart) bool { return p.Name == of.group }) {
				out.Parts = append(out.Parts, BesidePart{Name: of.group})
			}
		}
	}
	slices.SortFunc(out.Parts, func(a, b BesidePart) int { return slices.Index(partOrder, a.Name) - slices.Index(partOrder, b.Name) })
	for i := range out.Parts {
		out.Parts[i].compare(all)
	}
	return out, nil
}

// partOrder is that of MetaQA's parts; others come first, as they stand.
var partOrder = []string{"1-hop", "2-hop", "3-hop", "ntm"}

// readJournal reads a journal to its end, or to where it was cut off.
func readJournal(path string) (Config, map[asked]map[int]Record, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Config{}, nil, &JournalError{path, "is not there", "name a file that --journal has written"}
	}
	if err != nil {
		return Config{}, nil, fmt.Errorf("open the journal: %w", err)
	}
	defer f.Close()
	d := json.NewDecoder(bufio.NewReader(f))
	var c Config
	if err := d.Decode(&c); err != nil || c.Journal == 0 {
		return c, nil, errNoJournal(path)
	}
	records := map[asked]map[int]Record{}
	for {
		var r Record
		if err := d.Decode(&r); err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				return c, records, nil
			}
			return c, nil, &JournalError{path, "is damaged", "begin another journal"}
		}
		of := asked{group: r.Group} // the last of several seeds
		if records[of] == nil {
			records[of] = map[int]Record{}
		}
		records[of][r.At] = r
	}
}

// compare counts the questions that all methods were asked.
func (p *BesidePart) compare(all []map[asked]map[int]Record) {
	n := len(all)
	p.Exact, p.Alone, p.Wrong, p.Tokens, p.Median = make([]int, n), make([]int, n), make([]int, n), make([]int, n), make([]time.Duration, n)
	times := make([][]time.Duration, n)
	of := asked{group: p.Name}
next:
	for at := range all[0][of] {
		right, last := 0, 0
		for m := range all {
			r, ok := all[m][of][at]
			if !ok {
				continue next
			}
			if r.Fault == NoFault {
				right, last = right+1, m
			}
		}
		p.N++
		for m := range all {
			r := all[m][of][at]
			times[m] = append(times[m], r.Total)
			p.Tokens[m] += r.Tokens
			switch {
			case r.Fault == NoFault:
				p.Exact[m]++
			case r.Sure:
				p.Wrong[m]++
			}
		}
		switch right {
		case 0:
			p.None++
		case n:
			p.All++
		case 1:
			p.Alone[last]++
		}
	}
	for m := range all {
		slices.Sort(times[m])
		if k := len(times[m]); k > 0 {
			p.Median[m], p.Tokens[m] = times[m][k/2], p.Tokens[m]/k
		}
	}
}

// WriteText writes a table for people; shares are of the questions.
func (b *Beside) WriteText(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "part\tn\tby\texact\texact, it alone\tsure and not exact\tms, median\ttokens of paths\texact by all\tby none")
	for _, p := range b.Parts {
		for m, name := range b.Methods {
			fmt.Fprintf(tw, "%s\t%d\t%s\t%s\t%s\t%s\t%.2f\t%d\t%s\t%s\n", p.Name, p.N, name, pct(float64(p.Exact[m]), p.N), pct(float64(p.Alone[m]), p.N),
				pct(float64(p.Wrong[m]), p.N), float64(p.Median[m].Microseconds())/1000, p.Tokens[m], pct(float64(p.All), p.N), pct(float64(p.None), p.N))
		}
	}
	return tw.Flush()
}
