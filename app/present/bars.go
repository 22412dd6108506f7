package present

import (
	"cairn/engine/answer"
	"cairn/engine/report"
)

// Bars lists the answers that have numbers, in their order. Numbers that are all above
// zero are drawn from zero on; others, and values that lie close together far from zero
// as dates do, from the smallest.
func Bars(a *answer.Answer) (bars []report.Bar) {
	if a == nil {
		return nil
	}
	low, high := 0.0, 0.0
	for i, it := range a.Items {
		if it.Amount == nil {
			continue
		}
		if v := it.Amount.Value; i == 0 {
			low, high = v, v
		} else {
			low, high = min(low, v), max(high, v)
		}
	}
	if low > 0 && high-low > low/10 || low == high {
		low = min(low, 0)
	}
	for _, it := range a.Items {
		if it.Amount == nil {
			continue
		}
		b := report.Bar{Label: OneLine(it.Label), Amount: OneLine(it.Amount.Text), Citations: it.Citations}
		if high > low {
			b.Share = (it.Amount.Value - low) / (high - low)
		}
		bars = append(bars, b)
	}
	return bars
}
