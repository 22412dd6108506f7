package app

import (
	"context"
	"io"
	"path/filepath"

	"cairn/app/output"
	"cairn/internal/guard"
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
