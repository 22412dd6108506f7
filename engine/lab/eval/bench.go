package eval

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"text/tabwriter"
	"time"

	"cairn/engine"
	"cairn/engine/lab/process"
)

// BenchOptions are the choices of one benchmark of the life of a graph file.
type BenchOptions struct {
	Dir string // the folder that holds the data sets
	// Datasets are the sets whose graphs are measured, by name.
	Datasets []string
}

// BenchRow is what one graph cost.
type BenchRow struct {
	Graph    string        `json:"graph"`
	Entities int           `json:"entities"`
	Triples  int           `json:"triples"`
	Import   time.Duration `json:"import"`      // files to a graph ready for questions
	ColdOpen time.Duration `json:"cold_open"`   // without the cache beside the file
	WarmOpen time.Duration `json:"warm_open"`   // with it
	First    time.Duration `json:"first"`       // the first answer after opening
	HeapMB   float64       `json:"heap_mb"`     // live after opening and one answer
	PeakMB   float64       `json:"peak_rss_mb"` // of the whole process so far; 0 where unknown
	FileMB   float64       `json:"file_mb"`
}

// Bench imports, reopens and asks each graph once.
func Bench(ctx context.Context, o BenchOptions) ([]BenchRow, error) {
	tmp, err := os.MkdirTemp("", "cairn-bench-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the graphs: %w", err)
	}
	defer os.RemoveAll(tmp)
	var rows []BenchRow
	for _, name := range o.Datasets {
		d, err := Find(name)
		if err != nil {
			return nil, err
		}
		group := d.Groups[0]
		files := d.KG
		if group.KG != nil {
			files = group.KG
		}
		qs, err := group.Load(o.Dir)
		if err != nil {
			return nil, err
		}
		row, err := benchGraph(ctx, filepath.Join(tmp, d.Name+".cairn"), o.Dir, files, qs[0].Text)
		if err != nil {
			return nil, err
		}
		row.Graph = files[0].File
		rows = append(rows, row)
	}
	return rows, nil
}

func benchGraph(ctx context.Context, path, dir string, files []Source, question string) (BenchRow, error) {
	eng, loading, err := open(ctx, path, dir, files, engine.Options{})
	if err != nil {
		return BenchRow{}, err
	}
	row := BenchRow{Entities: loading.Entities, Triples: loading.Triples, Import: loading.Duration}
	if err := eng.Close(); err != nil {
		return row, err
	}
	if st, err := os.Stat(path); err == nil {
		row.FileMB = float64(st.Size()) / (1 << 20)
	}
	if err := os.RemoveAll(path + ".d"); err != nil {
		return row, fmt.Errorf("drop the cache: %w", err)
	}
	for _, opening := range []*time.Duration{&row.ColdOpen, &row.WarmOpen} {
		start := time.Now()
		eng, err := engine.Open(ctx, path, engine.Options{}, nil)
		if err != nil {
			return row, err
		}
		*opening = time.Since(start)
		start = time.Now()
		if _, err := eng.Ask(ctx, question, engine.AskOptions{NoModel: true}, nil); err != nil {
			return row, err
		}
		row.First = time.Since(start)
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		row.HeapMB = float64(m.HeapAlloc) / (1 << 20)
		if err := eng.Close(); err != nil {
			return row, err
		}
	}
	row.PeakMB = peakRSS()
	return row, nil
}

// peakRSS returns the peak resident memory of the process in MiB, or 0 where
// the system does not say.
func peakRSS() float64 { return float64(process.ReadMemory().Peak) / (1 << 20) }

// WriteBench prints the rows for people.
func WriteBench(w io.Writer, rows []BenchRow) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "graph\tentities\ttriples\timport s\ttriples/s\tfile MB\topen, no cache s\topen s\tfirst answer ms\theap MB\tpeak RSS MB")
	for _, r := range rows {
		fmt.Fprintf(tw, "%s\t%d\t%d\t%.2f\t%.0f\t%.1f\t%.2f\t%.2f\t%.1f\t%.0f\t%.0f\n", r.Graph, r.Entities, r.Triples,
			r.Import.Seconds(), float64(r.Triples)/r.Import.Seconds(), r.FileMB, r.ColdOpen.Seconds(), r.WarmOpen.Seconds(),
			float64(r.First)/float64(time.Millisecond), r.HeapMB, r.PeakMB)
	}
	return tw.Flush()
}
