package bench

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"time"
)

// File is one of the files that a report is written as.
type File struct {
	Name  string
	Write func(w io.Writer) error
}

// Files are the tables of the report as CSV and its plots as SVG.
func (r *SimGRAGReport) Files() []File {
	files := []File{{"retrieval.csv", r.writeRetrievalCSV}}
	for _, g := range r.Graphs {
		if g.Grid != nil {
			figure := g.figure5()
			files = append(files, File{"grid-" + g.Name + ".csv", g.Grid.writeCSV}, File{"figure5-" + g.Name + ".csv", g.Grid.writeFrontsCSV},
				File{"figure5-" + g.Name + ".svg", figure.WriteSVG})
		}
	}
	if len(r.Growth) > 0 {
		files = append(files, File{"growth.csv", r.writeGrowthCSV}, File{"growth.svg", r.growthPlot().WriteSVG})
	}
	return files
}

// writeCSV writes rows, of which the first is the header.
func writeCSV(w io.Writer, rows [][]string) error {
	c := csv.NewWriter(w)
	if err := c.WriteAll(rows); err != nil {
		return fmt.Errorf("write CSV: %w", err)
	}
	return nil
}

// cell writes a value of a CSV table; times are in milliseconds.
func cell(v any) string {
	switch v := v.(type) {
	case time.Duration:
		return strconv.FormatFloat(float64(v)/float64(time.Millisecond), 'f', 4, 64)
	case float64:
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	return fmt.Sprint(v)
}

func row(vs ...any) []string {
	cells := make([]string, len(vs))
	for i, v := range vs {
		cells[i] = cell(v)
	}
	return cells
}

func (r *SimGRAGReport) writeRetrievalCSV(w io.Writer) error {
	rows := [][]string{row("graph", "entities", "queries", "n", "k", "k(n)", "k(r)", "k(t)",
		"embedding_mean_ms", "embedding_median_ms", "embedding_p99_ms", "vectors_mean_ms", "vectors_median_ms", "vectors_p99_ms",
		"matching_mean_ms", "matching_median_ms", "matching_p99_ms", "total_mean_ms", "total_median_ms", "total_p99_ms", "total_max_ms",
		"hits1", "hits_k", "very_subgraph", "at_best_distance", "in_reach", "timed_out", "cut",
		"unbounded_hits1", "unbounded_very_subgraph", "unbounded_at_best_distance", "given_up")}
	for _, g := range r.Graphs {
		for _, x := range g.Retrieval {
			vs := []any{g.Name, g.Entities, x.Kind, x.Queries, x.K, g.Parameters.Nodes, g.Parameters.Relations, g.Parameters.Types}
			for _, t := range []Times{x.Embedding, x.Vectors, x.Matching, x.Total} {
				vs = append(vs, t.Mean, t.Median, t.P99)
			}
			vs = append(vs, x.Total.Max, x.Found.Hits1, x.Found.Within, x.Found.Same, x.Found.Best, x.Reach, x.TimedOut, x.Cut,
				x.Unbounded.Hits1, x.Unbounded.Same, x.Unbounded.Best, x.GivenUp)
			rows = append(rows, row(vs...))
		}
	}
	return writeCSV(w, rows)
}

func (g *Grid) writeCSV(w io.Writer) error {
	rows := [][]string{row("algorithm", "k(n)", "k(r)", "k(t)", "n", "vectors_ms", "matching_ms", "hits1", "at_best_distance", "ended_at_limit", "not_tried")}
	for _, c := range g.Cells {
		rows = append(rows, row(c.Algorithm, c.Nodes, c.Parameters.Relations, c.Parameters.Types, c.Queries, c.Vectors, c.Matching, c.Hits1, c.Best, c.RanOut, c.NotTried))
	}
	return writeCSV(w, rows)
}

func (g *Grid) writeFrontsCSV(w io.Writer) error {
	rows := [][]string{row("algorithm", "with_vectors", "hits1", "ms", "at_least", "k(n)", "k(r)", "k(t)")}
	for _, f := range g.Fronts {
		for _, p := range f.Points {
			c := g.Cells[p.Cell]
			rows = append(rows, row(f.Algorithm, f.Whole, p.Hits1, p.Time, p.AtLeast, c.Nodes, c.Relations, c.Types))
		}
	}
	return writeCSV(w, rows)
}

func (r *SimGRAGReport) writeGrowthCSV(w io.Writer) error {
	header := []any{"cost", "unit"}
	for _, g := range r.Graphs {
		header = append(header, g.Entities)
	}
	rows := [][]string{row(append(header, "slope")...)}
	for _, c := range r.Growth {
		vs := []any{c.Cost, c.Unit}
		for _, v := range c.Values {
			vs = append(vs, v)
		}
		slope := ""
		if c.HasSlope {
			slope = cell(c.Slope)
		}
		rows = append(rows, row(append(vs, slope)...))
	}
	return writeCSV(w, rows)
}

// figure5 is Figure 5 on one graph.
func (r *GraphReport) figure5() *Plot {
	p := &Plot{
		Title: fmt.Sprintf("Retrieval time against Hits@1, %s entities", formatCount(float64(r.Entities))),
		Text:  fmt.Sprintf("Pareto curves of the plain and the optimised retrieval over %d choices of k(n), k(r) and k(t), on %d queries.", len(r.Grid.Cells)/2, r.Grid.Queries),
	}
	open := false
	for _, whole := range []bool{false, true} {
		panel := Panel{Title: "Matching", X: Axis{Label: "retrieval Hits@1", Format: formatShare}, Y: Axis{Label: "mean time of a query", Log: true, Format: formatTime}}
		if whole {
			panel.Title = "Vectors and matching"
		}
		for _, f := range r.Grid.Fronts {
			if f.Whole != whole {
				continue
			}
			c := Curve{Name: f.Algorithm}
			for _, q := range f.Points {
				c.Points = append(c.Points, PlotPoint{X: q.Hits1, Y: q.Time.Seconds(), Open: q.AtLeast})
				open = open || q.AtLeast
			}
			for _, q := range r.Grid.points(f.Algorithm, whole) {
				c.Faint = append(c.Faint, PlotPoint{X: q.Hits1, Y: q.Time.Seconds()})
			}
			panel.Curves = append(panel.Curves, c)
		}
		p.Panels = append(p.Panels, panel)
	}
	p.Note = "Faint: choices that another beats."
	if open {
		p.Note += fmt.Sprintf(" Hollow: some searches were ended after %s, so the time is at least this.", shortTime(r.Grid.Limit))
	}
	return p
}

// growthPlot draws the costs against the number of entities.
func (r *SimGRAGReport) growthPlot() *Plot {
	p := &Plot{Title: "How the costs grow", Text: "Costs against the number of entities, both axes logarithmic; the slope is the exponent of the size."}
	x := Axis{Label: "entities", Log: true, Format: formatCount}
	panels := []struct {
		scale map[string]float64
		panel Panel
	}{
		{
			map[string]float64{millisecond: 1e-3, second: 1},
			Panel{Title: "Time", X: x, Y: Axis{Label: "time", Log: true, Format: formatTime}},
		},
		{
			map[string]float64{megabyte: 1},
			Panel{Title: "Memory and files", X: x, Y: Axis{Label: "size", Log: true, Format: formatMegabytes}},
		},
	}
	for _, of := range panels {
		for _, c := range r.Growth {
			factor, ok := of.scale[c.Unit]
			// The retrieval as a whole would lie on its largest part.
			if !ok || c.Cost == retrievalMedian || c.Cost == retrievalP99 {
				continue
			}
			curve := Curve{Name: c.Cost}
			if c.HasSlope {
				curve.Name = fmt.Sprintf("%s (%.2f)", c.Cost, c.Slope)
			}
			for i, v := range c.Values {
				curve.Points = append(curve.Points, PlotPoint{X: float64(r.Graphs[i].Entities), Y: v * factor})
			}
			of.panel.Curves = append(of.panel.Curves, curve)
		}
		p.Panels = append(p.Panels, of.panel)
	}
	p.Note = "In brackets: the slope. 1 is a cost in proportion to the size, 0 one that does not depend on it."
	return p
}
