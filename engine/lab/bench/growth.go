package bench

import "time"

// Growth is a cost on graphs of several sizes.
type Growth struct {
	Cost   string    `json:"cost"`
	Unit   string    `json:"unit"` // "ms", "s" or "MB"
	Values []float64 `json:"values"`
	// Slope is the exponent b of the fit cost = a·entities^b: 1 is a cost in
	// proportion to the size, 0 one that does not depend on it. HasSlope says that
	// there are enough sizes for one.
	Slope    float64 `json:"slope"`
	HasSlope bool    `json:"has_slope"`
}

// Units of the costs.
const (
	millisecond = "ms"
	second      = "s"
	megabyte    = "MB"
)

// Names of the costs of the whole retrieval.
const (
	retrievalMedian = "retrieval, median"
	retrievalP99    = "retrieval, p99"
)

// growth are the costs of graphs, smallest graph first; nil for fewer than two.
func growth(graphs []GraphReport) []Growth {
	if len(graphs) < 2 {
		return nil
	}
	ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	of := func(pick func(r Retrieval) time.Duration) func(g GraphReport) float64 {
		return func(g GraphReport) float64 {
			if len(g.Retrieval) == 0 {
				return 0
			}
			return ms(pick(g.Retrieval[0]))
		}
	}
	costs := []struct {
		name, unit string
		value      func(g GraphReport) float64
	}{
		{"embedding, mean", millisecond, of(func(r Retrieval) time.Duration { return r.Embedding.Mean })},
		{"vectors, median", millisecond, of(func(r Retrieval) time.Duration { return r.Vectors.Median })},
		{"matching, median", millisecond, of(func(r Retrieval) time.Duration { return r.Matching.Median })},
		{"matching, p99", millisecond, of(func(r Retrieval) time.Duration { return r.Matching.P99 })},
		{retrievalMedian, millisecond, of(func(r Retrieval) time.Duration { return r.Total.Median })},
		{retrievalP99, millisecond, of(func(r Retrieval) time.Duration { return r.Total.P99 })},
		{"opening", second, func(g GraphReport) float64 { return g.Opened.Total().Seconds() }},
		{"peak memory", megabyte, func(g GraphReport) float64 { return megabytes(g.Memory.Peak) }},
		{"heap and stacks", megabyte, func(g GraphReport) float64 { return megabytes(g.Memory.Anonymous) }},
		{"file", megabyte, func(g GraphReport) float64 { return megabytes(g.File) }},
		{"folder beside it", megabyte, func(g GraphReport) float64 { return megabytes(g.Cache) }},
	}
	var sizes []float64
	for _, g := range graphs {
		sizes = append(sizes, float64(g.Entities))
	}
	rows := make([]Growth, 0, len(costs))
	for _, c := range costs {
		row := Growth{Cost: c.name, Unit: c.unit}
		for _, g := range graphs {
			row.Values = append(row.Values, c.value(g))
		}
		row.Slope, row.HasSlope = slope(sizes, row.Values)
		rows = append(rows, row)
	}
	return rows
}

func megabytes(bytes int64) float64 { return float64(bytes) / 1e6 }
