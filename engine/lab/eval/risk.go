package eval

import (
	"cmp"
	"fmt"
	"io"
	"slices"
)

// RiskPoint is how much can be answered at a risk.
type RiskPoint struct {
	Right float64 `json:"right"` // of what is answered, at least
	Cover float64 `json:"cover"` // of all questions, at most
}

// risk puts the questions in the order of their confidence, and returns how many of them
// can be answered before too many of the first answers are wrong.
func risk(qs []Question, records []Record) []RiskPoint {
	var said []int
	for i := range records {
		if records[i].Confidence > 0 && len(records[i].Answers) > 0 && qs[i].Label == nil {
			said = append(said, i)
		}
	}
	if len(said) == 0 {
		return nil
	}
	slices.SortStableFunc(said, func(i, j int) int { return cmp.Compare(records[j].Confidence, records[i].Confidence) })
	out := []RiskPoint{{Right: 0.95}, {Right: 0.97}, {Right: 0.99}}
	right := 0
	for n, i := range said {
		count(&right, slices.Contains(qs[i].Gold, records[i].Answers[0]))
		if n+1 < len(said) && records[said[n+1]].Confidence == records[i].Confidence {
			continue // nothing parts equals
		}
		for k := range out {
			if float64(right) >= out[k].Right*float64(n+1) {
				out[k].Cover = float64(n+1) / float64(len(qs))
			}
		}
	}
	return out
}

// risks prints how much can be answered at which risk.
func (t *Table) risks(w io.Writer) {
	for i, r := range t.Rows {
		if i == 0 && r.Risk != nil {
			fmt.Fprintln(w, "\nanswered at most, by confidence, for so many of the first answers to be right\npart\t95 %\t97 %\t99 %")
		}
		if r.Risk != nil {
			fmt.Fprintf(w, "%s\t%.1f\t%.1f\t%.1f\n", r.part(), 100*r.Risk[0].Cover, 100*r.Risk[1].Cover, 100*r.Risk[2].Cover)
		}
	}
}
