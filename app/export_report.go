package app

import (
	"context"
	"io"

	"cairn/engine/report"
)

// exportReport asks for a file and writes the page of the answer on view to it, the
// same as "cairn ask --html"; then it is opened.
func (w *window) exportReport() {
	run := w.run
	if run == nil || w.session == nil {
		w.status.say("There is no answer to report yet.")
		return
	}
	w.saveFile(saving{
		what: "report", title: "Export the answer with its evidence, as a page",
		name: fileName(run.Question) + ".html", endings: []string{".html", ".htm"},
		write: func(ctx context.Context, g openGraph, to io.Writer, _ string) error {
			page, err := g.Report(ctx, run, w.version)
			if err != nil {
				return err
			}
			return report.WriteHTML(to, page)
		},
		done: func(path string) {
			w.status.say("Wrote the report to " + path + ".")
			w.openFile(path)
		},
	})
}
