package app

import (
	"context"
	"io"
	"strings"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/export"
	"cairn/internal/wording"
)

// exportGraph asks for a file, whose ending tells the format, and exports the open
// graph to it, as cairn export does.
func (w *window) exportGraph() {
	if w.session == nil {
		w.status.say("Open a graph first.")
		return
	}
	endings := wording.Each(export.Formats(), func(f export.Format) string { return f.Ending })
	var report export.Report
	files := func(name string) []string {
		f, _ := export.ByEnding(name)
		return f.Files(name)
	}
	w.saveFile(saving{
		what: "graph", title: "Export the graph to a file that ends in " + wording.Choice(endings), name: w.session.Name() + endings[0], endings: endings,
		files: files,
		several: func(ctx context.Context, g openGraph, name string, post func(func()), to ...io.Writer) (err error) {
			f, _ := export.ByEnding(name)
			report, err = g.Export(ctx, f, engine.ExportPart{}, progressEvents(post, func(task string, done, total int64) {
				w.status.say(present.ProgressText(task, done, total, false))
			}), to...)
			return err
		},
		done: func(path string) {
			f, _ := export.ByEnding(path)
			said := []string{present.Exported(f, files(path), report)}
			for _, left := range report.LeftOut {
				said = append(said, left+".")
			}
			w.status.say(strings.Join(said, " "))
		},
	})
}
