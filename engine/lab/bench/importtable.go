package bench

import (
	"bytes"
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// WriteImports prints rows for people: a table of what importing costs, and where there
// are other ways of reading the files, a table of these.
func WriteImports(w io.Writer, rows []ImportRow) error {
	var b bytes.Buffer
	tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "form\tfile MB\tlines\tstatements\tproperties\twall s\tprocessor s\tlines/s\tstatements/s\tpeak MB\tgraph MB\tcache MB\tdamage: line named\tno line\tnothing said\t")
	for _, r := range rows {
		t := r.Runs[0]
		if r.Failed != "" {
			fmt.Fprintf(tw, "%s\t%s\t%s\tfailed: %s\t\n", r.Form, formatMegabytes(megabytes(r.Bytes)), thousands(r.Lines), r.Failed)
			continue
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\t%.2f\t%.2f\t%s\t%s\t%s\t%s\t%s\t%d\t%d\t%d\t\n", r.Form,
			formatMegabytes(megabytes(r.Bytes)), thousands(r.Lines), thousands(int(r.Statements)), thousands(int(r.Properties)),
			t.Wall.Seconds(), t.Processor.Seconds(), rate(r.Lines, t.Wall), rate(int(r.Statements), t.Wall),
			formatMegabytes(megabytes(t.Peak)), formatMegabytes(megabytes(r.Graph)), formatMegabytes(megabytes(r.Snapshot)),
			r.Named, r.Unnamed, r.Unseen)
	}
	_ = tw.Flush() // to a buffer
	fmt.Fprintln(&b, "\nwall and processor seconds of each way of reading a file, in turn, the median")
	for _, r := range rows {
		if len(r.Runs) < 2 {
			continue
		}
		fmt.Fprintf(&b, "%s:", r.Form)
		for _, t := range r.Runs {
			if t.Failed != "" {
				fmt.Fprintf(&b, "  %s –", t.Name)
				continue
			}
			fmt.Fprintf(&b, "  %s %.2f / %.2f", t.Name, t.Wall.Seconds(), t.Processor.Seconds())
		}
		fmt.Fprintln(&b)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func rate(n int, d time.Duration) string {
	if d <= 0 {
		return ""
	}
	return thousands(int(float64(n) / d.Seconds()))
}
