package app

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"cairn/app/output"
	"cairn/app/present"
	"cairn/canvas"
	"cairn/engine"
	"cairn/engine/export"
	"cairn/engine/report"
	"cairn/internal/guard"
	"cairn/internal/wording"
)

// saving is a file that the window writes where the user wants it.
type saving struct {
	what        string   // it is, for people, such as "picture"
	title, name string   // of the dialog, and the name that it proposes
	endings     []string // of which its name has one; nil for any
	// write writes it, off the UI goroutine; g is the open graph, nil for none.
	write func(ctx context.Context, g openGraph, w io.Writer, ending string) error
	// graph, in place of write, makes a copy of the open graph in an empty file.
	graph func(ctx context.Context, g openGraph, into string, post func(func())) error
	// several, in place of write, writes the files that belong to the chosen name.
	several func(ctx context.Context, g openGraph, name string, post func(func()), to ...io.Writer) error
	files   func(name string) []string // that several writes
	// done is called on the UI goroutine once the file is there; nil says so in the
	// status line only.
	done func(path string)
}

// saveFile asks for a file and writes it. The dialog asks before it takes a file
// that is there; graphs, sources and caches are not written over in any case.
func (w *window) saveFile(s saving) {
	w.pickFile(fileQuestion{
		title: s.title, confirm: "Save", kind: fileToWrite, name: s.name, endings: s.endings,
		chosen: func(path string) { w.writeFile(path, s) },
	})
}

// writeFile writes a file that was chosen, off the UI goroutine.
func (w *window) writeFile(path string, s saving) {
	w.status.say("Writing the " + s.what + " …")
	work := func(ctx context.Context, g openGraph, post func(func())) {
		err := guard.Do(func() error { return writeGuarded(ctx, g, path, s, post) })
		post(func() {
			switch {
			case err != nil:
				w.status.say("The " + s.what + " was not written.")
				w.fail("The "+s.what+" was not written", "write the "+s.what, err)
			case s.done != nil:
				s.done(path)
			default:
				w.status.say("Wrote the " + s.what + " to " + path + ".")
			}
		})
	}
	if w.session != nil {
		w.use(work)
		return
	}
	w.jobs.start(func(ctx context.Context, post func(func())) { work(ctx, nil, post) })
}

// writeGuarded writes a file over nothing that must be kept; g is the open graph, nil
// for none. That other files may be replaced the dialog has asked.
func writeGuarded(ctx context.Context, g openGraph, path string, s saving, post func(func())) error {
	keep := output.Guard{Replace: true}
	if g != nil {
		info, err := g.Info(ctx)
		if err != nil {
			return err
		}
		keep.Graph, keep.Sources = g.Path(), info.Sources
	}
	if s.graph != nil {
		keep.NewGraph = true
		return output.Make(path, keep, func(into string) error { return s.graph(ctx, g, into, post) })
	}
	if s.several != nil {
		files := s.files(path)
		keep.Replace = len(files) == 1 // the dialog asked of no other name
		return output.Several(files, func(name string, write func(io.Writer) error) error {
			return output.Write(name, keep, write)
		}, func(to ...io.Writer) error { return s.several(ctx, g, path, post, to...) })
	}
	return output.Write(path, keep, func(to io.Writer) error { return s.write(ctx, g, to, filepath.Ext(path)) })
}

// saveCopy asks for a file and copies the open graph to it.
func (w *window) saveCopy() {
	if w.session == nil {
		w.status.say("Open a graph first.")
		return
	}
	w.saveFile(saving{
		what: "copy", title: "Save a copy of the graph", name: w.session.Name() + " copy" + graphEnding, endings: []string{graphEnding},
		graph: func(ctx context.Context, g openGraph, into string, post func(func())) error {
			return g.Backup(ctx, into, progressEvents(post, w.sayProgress))
		},
	})
}

// exportGraph asks for a file, whose ending tells the format, and exports the open
// graph to it, as cairn export does.
func (w *window) exportGraph() {
	if w.session == nil {
		w.status.say("Open a graph first.")
		return
	}
	endings := wording.Each(export.Formats(), func(f export.Format) string { return f.Ending })
	var wrote export.Report
	files := func(name string) []string {
		f, _ := export.ByEnding(name)
		return f.Files(name)
	}
	w.saveFile(saving{
		what: "graph", title: "Export the graph to a file ending in " + wording.Choice(endings), name: w.session.Name() + endings[0], endings: endings,
		files: files,
		several: func(ctx context.Context, g openGraph, name string, post func(func()), to ...io.Writer) (err error) {
			f, _ := export.ByEnding(name)
			wrote, err = g.Export(ctx, f, engine.ExportPart{}, progressEvents(post, w.sayProgress), to...)
			return err
		},
		done: func(path string) {
			f, _ := export.ByEnding(path)
			said := []string{present.Exported(f, files(path), wrote)}
			for _, left := range wrote.LeftOut {
				said = append(said, left+".")
			}
			w.status.say(strings.Join(said, " "))
		},
	})
}

// exportPicture asks for a file and writes the picture to it: SVG where the
// name ends so, PNG otherwise.
func (w *window) exportPicture() {
	if len(w.figure.model.Nodes) == 0 {
		w.status.say("There is no picture to export yet.")
		return
	}
	shown, colours := w.figure.picture(), canvas.ThemePalette()
	w.saveFile(saving{
		what: "picture", title: "Export the picture (name it .svg for SVG)", name: fileName(w.figure.model.Title) + ".png",
		endings: []string{".png", ".svg"},
		write: func(_ context.Context, _ openGraph, to io.Writer, ending string) error {
			if strings.EqualFold(ending, ".svg") {
				return shown.WriteSVG(to, colours)
			}
			return shown.WritePNG(to, colours)
		},
	})
}

func fileName(question string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r > 127:
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, question)
	name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '-' }), "-")
	name = strings.TrimSuffix(present.Shorten(name, 50), "…")
	if name == "" {
		return "evidence"
	}
	return name
}

// exportReport asks for a file and writes the page of the answer on view to it, the
// same as "cairn ask --html"; then it is opened.
func (w *window) exportReport() {
	run := w.run
	if run == nil || w.session == nil {
		w.status.say("There is no answer to report yet.")
		return
	}
	w.saveFile(saving{
		what: "report", title: "Export the answer and its evidence as a web page",
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
