package simgrag

import (
	"strconv"
	"time"

	"cairn/engine/kg"
)

// valueOf reads the label of e as a number or a date.
func valueOf(g *kg.Graph, e kg.EntityID) (number float64, date, ok bool) {
	s := g.Label(e)
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		return float64(t.Year()) + float64(t.YearDay()-1)/366, true, true
	}
	n, err := strconv.ParseFloat(s, 64)
	return n, false, err == nil
}
