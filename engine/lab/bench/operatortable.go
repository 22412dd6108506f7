package bench

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
)

// OperatorReport is a comparison of operators on several graphs.
type OperatorReport struct {
	Version string        `json:"version,omitempty"`
	Machine Machine       `json:"machine"`
	Seed    uint64        `json:"seed"`
	Sets    []OperatorSet `json:"sets"`
}

// NewOperatorReport returns the report of what was measured on this computer.
func NewOperatorReport(sets []OperatorSet, seed uint64) *OperatorReport {
	return &OperatorReport{Machine: thisMachine(), Seed: seed, Sets: sets}
}

// WriteMarkdown writes a table of each graph: operators by engines.
func (r *OperatorReport) WriteMarkdown(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "Median / p99, ms; %s, seed %d. In brackets: how many of the queries the limit ended, were refused, or\n", r.Machine, r.Seed)
	b.WriteString("have another number than Cairn's (wrong); n where fewer were asked than of Cairn.\n")
	for i := range r.Sets {
		s := &r.Sets[i]
		fmt.Fprintf(&b, "\n%s: %s entities, %s triples; a query ends after %s\n\n", s.Name, thousands(s.Entities), thousands(s.Triples), shortTime(s.Limit))
		s.write(&b)
	}
	_, err := b.WriteTo(w)
	return err
}

func (s *OperatorSet) write(b *bytes.Buffer) {
	b.WriteString("| operator | query | n |")
	for _, e := range s.Engines {
		b.WriteString(" " + e.Name + " |")
	}
	b.WriteString("\n|---|---|---|" + strings.Repeat("---|", len(s.Engines)) + "\n")
	for i, op := range operators {
		if slices.Contains(s.Missing, op.name) {
			continue
		}
		asked := 0
		if rows := s.Engines[0].Rows; i < len(rows) {
			asked = rows[i].Queries
		}
		fmt.Fprintf(b, "| %s | `%s` | %d |", op.name, strings.ReplaceAll(op.text, "|", `\|`), asked)
		for _, e := range s.Engines {
			cell := "–"
			if i < len(e.Rows) && e.Rows[i].Queries > 0 {
				cell = e.Rows[i].cell(asked)
			}
			b.WriteString(" " + cell + " |")
		}
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
	for _, e := range s.Engines {
		switch {
		case e.Failed != "":
			fmt.Fprintf(b, "%s was not measured: %s\n", e.Name, e.Failed)
		case e.Build > 0:
			fmt.Fprintf(b, "%s was loaded in %s, and takes %s", e.Name, shortTime(e.Build), formatMegabytes(megabytes(e.Size)))
			fmt.Fprintln(b, strings.TrimRight("; "+e.About, "; "))
		}
	}
	if len(s.Missing) > 0 {
		fmt.Fprintf(b, "There is nothing to ask these of: %s\n", strings.Join(s.Missing, ", "))
	}
}

func (r *OperatorRow) cell(asked int) string {
	text := "refused"
	if r.Failed < r.Queries {
		text = ms(r.Times.Median) + " / " + ms(r.Times.P99)
	}
	var notes []string
	for _, n := range []struct {
		n    int
		what string
	}{{r.RanOut, "ended"}, {r.Failed, "refused"}, {r.Wrong, "wrong"}} {
		if n.n > 0 {
			notes = append(notes, fmt.Sprintf("%d %s", n.n, n.what))
		}
	}
	if r.Queries != asked {
		notes = append(notes, fmt.Sprintf("n %d", r.Queries))
	}
	if len(notes) > 0 {
		text += " (" + strings.Join(notes, ", ") + ")"
	}
	return text
}
