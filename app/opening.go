package app

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/extract"
	"cairn/internal/guard"
)

// graphEnding is the ending of a graph's file.
const graphEnding = ".cairn"

// begin opens the first graph.
func (w *window) begin(paths []string) {
	if w.prefs.model() != "" {
		w.models.look() // says so where they cannot be used
	}
	switch {
	case len(paths) > 0:
		w.take(paths)
	case w.prefs.last() != "":
		w.open(w.prefs.last())
	default:
		w.openSample()
	}
}

// doFirst does what was waiting for a graph.
func (w *window) doFirst() {
	if do := w.first; do != nil {
		w.first = nil
		do()
	}
}

// open opens the graph at path in place of the one that is open.
func (w *window) open(path string) {
	if w.session != nil && w.path() == path && !w.changed {
		return
	}
	if graphName(path) == sampleName {
		w.openSample() // which makes it anew where it is gone or of an older version
		return
	}
	connect := w.models.connect()
	w.load("Opening "+graphName(path), path, func(ctx context.Context, ev *engine.Events) (openGraph, error) {
		return w.opener.Open(ctx, path, connect, ev)
	})
}

// sampleName is the name of the built-in sample, as package engine makes it.
const sampleName = "World (sample)"

// openSample opens the built-in sample graph.
func (w *window) openSample() {
	folder, connect := w.prefs.folder(), w.models.connect()
	w.load("Opening the sample", "", func(ctx context.Context, ev *engine.Events) (openGraph, error) {
		return w.opener.Sample(ctx, folder, connect, ev)
	})
}

// load opens a graph off the UI goroutine. Should another one be opened
// meanwhile, this one is closed again.
func (w *window) load(doing, path string, open func(context.Context, *engine.Events) (openGraph, error)) {
	if w.cancel != nil {
		w.cancel()
	}
	current := w.opening.begin()
	w.status.say(doing + " …")
	if w.session == nil {
		w.answer.showActions(doing+" …", "A large graph takes a while the first time.", w.waysIn()...)
	}
	w.cancel = w.jobs.start(func(ctx context.Context, post func(func())) {
		g, err := guard.Get(func() (openGraph, error) { return open(ctx, w.openEvents(post, current)) })
		if err != nil {
			post(func() {
				if current() {
					w.cancel = nil
					w.openFailed(path, err)
				}
			})
			return
		}
		w.openGraphs.add(g)
		post(func() {
			if !current() {
				w.retire(&session{openGraph: g})
				return
			}
			w.cancel = nil
			w.show(g)
		})
	})
}

// openEvents says in the status line how far opening has come.
func (w *window) openEvents(post func(func()), current func() bool) *engine.Events {
	return progressEvents(post, func(task string, done, total int64) {
		if current() {
			w.sayProgress(task, done, total)
		}
	})
}

func (w *window) openFailed(path string, err error) {
	sentence, remedy := w.explain("open a graph", err)
	w.status.say(sentence)
	if errors.Is(err, fs.ErrNotExist) {
		w.prefs.forget(path)
	}
	if w.session == nil {
		w.showNoGraph()
		w.answer.showError("The graph could not be opened", sentence, remedy, w.waysIn()...)
		return
	}
	w.alert("The graph could not be opened", sentence, remedy)
}

func (w *window) show(g openGraph) {
	w.models.embed.stop() // it is the old graph's, which keeps what was made so far
	w.trainings.leave()   // as well
	w.retire(w.session)
	w.session, w.run, w.before, w.whole = &session{openGraph: g}, nil, nil, nil
	w.changed = false
	w.prefs.opened(g.Path())
	w.win.SetTitle(g.Name() + " – " + appName)
	w.applyModel()
	w.loadAccepted()
	w.refreshGraph()
	w.status.say("Ready. " + present.Path(g.Path()))
	if notice := g.Embedder().Notice; notice != "" {
		w.status.say(notice)
	}
	w.models.sayMissing()
	w.win.Canvas().Focus(w.question.entry)
	w.doFirst()
}

// refreshGraph shows the open graph as it is now, after opening or an import; what
// was asked before was asked of something else.
func (w *window) refreshGraph() {
	w.asking.drop()
	w.question.entry.write("")
	g := w.session.Graph()
	w.question.setExamples(nil)
	w.header.show(w.session.Name(), g)
	w.question.enable(g.Triples() > 0)
	w.steps.clear(w.retriever())
	w.run, w.before, w.whole = nil, nil, nil
	w.trainings.load() // a changed graph makes trained retrievers stale
	w.question.setRetriever(w.retriever())
	w.showEvidence(nil, "The triples that support an answer are listed here, each with its source.")
	w.figure.show(w.figure.model, "", "The evidence for an answer is drawn here, from the entities in the question on the left to the answers on the right.")
	if g.Triples() == 0 {
		add := primary(newIconButton("Import files …", theme.FolderOpenIcon(), func() { w.showImport(nil) }))
		read := newButton("Read a text with the model …", func() { w.showExtract(nil) })
		w.answer.showActions("This graph is empty", "Import a file of triples, or drop one onto this window. A language model can also read a text.", add, read)
		return
	}
	w.invite()
	w.prepare()
	w.sayIncomplete()
}

// sayIncomplete says beside the graph's name which of its files were not read to the end.
func (w *window) sayIncomplete() {
	s := w.session
	w.use(func(ctx context.Context, g openGraph, post func(func())) {
		info, err := g.Info(ctx)
		said := present.IncompleteText(info.Sources)
		if err != nil || said == "" {
			return
		}
		post(func() {
			if w.session == s {
				w.header.counts.SetText(w.header.counts.Text + " · " + said)
			}
		})
	})
}

// invite offers questions to begin with.
func (w *window) invite() {
	const shown = 6
	examples, text := w.session.Examples(), "Type a question above."
	if len(examples) > 0 {
		text = "Type a question above, or start with one of these."
	}
	w.question.setExamples(examples)
	w.answer.showEmpty("Ask "+w.session.Name(), text, examples[:min(len(examples), shown)])
}

// showNoGraph invites to open one.
func (w *window) showNoGraph() {
	w.header.show("", nil)
	w.question.enable(false)
	w.question.setExamples(nil)
	w.steps.clear(w.retriever())
	w.evidence.show(nil, "")
	w.match.show(nil, nil, noCandidate, false)
	w.answer.showActions("No graph is open",
		"Open a graph, import a file of triples (or drop one onto this window), or explore the built-in sample.", w.waysIn()...)
}

// waysIn are the buttons that lead to an open graph.
func (w *window) waysIn() []fyne.CanvasObject {
	sample := primary(newButton("Open the built-in sample", w.openSample))
	return []fyne.CanvasObject{
		sample,
		newButton("Open a graph …", w.chooseFile),
		newButton("Import files …", func() { w.showImport(nil) }),
	}
}

// chooseFile asks for a graph to open, or a file to import.
func (w *window) chooseFile() {
	w.pickFile(fileQuestion{
		title: "Open a graph, or import a file", confirm: "Open",
		chosen: func(path string) { w.take([]string{path}) },
	})
}

func (w *window) dropped(uris []fyne.URI) {
	var paths []string
	for _, u := range uris {
		if u.Scheme() == "file" {
			paths = append(paths, u.Path())
		}
	}
	switch {
	case w.importing != nil:
		w.importing.add(paths)
	case w.modal():
		w.status.say("Close the open dialog first (Esc).")
	default:
		w.take(paths)
	}
}

// take opens a graph, or offers to import files.
func (w *window) take(paths []string) {
	if len(paths) == 0 {
		return
	}
	if len(paths) == 1 && strings.EqualFold(filepath.Ext(paths[0]), graphEnding) {
		w.open(paths[0])
		return
	}
	if !slices.ContainsFunc(paths, func(p string) bool { return !extract.Is(p) }) {
		w.takeTexts(paths)
		return
	}
	w.showImport(paths)
}

// takeTexts has a model read files that look like prose, and imports the others:
// both may be called .txt.
func (w *window) takeTexts(paths []string) {
	w.jobs.start(func(_ context.Context, post func(func())) {
		prose := !slices.ContainsFunc(paths, func(p string) bool { return !readsAsProse(p) })
		post(func() {
			if prose {
				w.showExtract(paths)
			} else {
				w.showImport(paths)
			}
		})
	})
}

// fail says under a title that what was being done did not succeed, and why.
func (w *window) fail(title, doing string, err error) {
	sentence, remedy := w.explain(doing, err)
	w.alert(title, sentence, remedy)
}

// alert shows a sentence and what can be done, if anything.
func (w *window) alert(title, sentence, remedy string) {
	text := sentence
	if remedy != "" {
		text += "\n\n" + remedy
	}
	w.showDialog(title+text, small, w.newDialog(title, wrapped(widget.NewLabel(text)), primary(w.closeButton("Close"))))
}

// openGraphs holds the graphs that are open, from the moment they are: whoever is
// interrupted on the way to showing one leaves it here, to be closed with the
// window.
type openGraphs struct{ graphs sync.Map }

func (o *openGraphs) add(g openGraph) { o.graphs.Store(g, nil) }

// close closes a graph, once.
func (o *openGraphs) close(g openGraph) error {
	if _, held := o.graphs.LoadAndDelete(g); !held {
		return nil
	}
	return g.Close()
}

// closeAll closes what is left.
func (o *openGraphs) closeAll() (err error) {
	o.graphs.Range(func(g, _ any) bool {
		err = errors.Join(err, o.close(g.(openGraph))) //nolint:errcheck // all are
		return true
	})
	return err
}

// prepare makes what questions to a large graph need while the user looks round,
// and says how far it has come. A question that is asked meanwhile waits for it;
// where it fails, the question says why.
func (w *window) prepare() {
	if w.preparing != nil {
		w.preparing() // that of the graph before
		w.preparing = nil
	}
	if w.session.Ready() {
		return
	}
	current, of := w.opening.current(), w.session
	w.preparing = w.use(func(ctx context.Context, g openGraph, post func(func())) {
		err := g.Prepare(ctx, w.openEvents(post, current))
		if ctx.Err() != nil {
			return
		}
		post(func() {
			switch {
			case w.session != of:
			case err != nil:
				sentence, _ := w.explain("prepare the graph for questions", err)
				w.status.say(sentence)
			default:
				w.status.say("Ready. " + present.Path(g.Path()))
				if w.run == nil && w.asking.cancel == nil {
					w.invite()
				}
			}
		})
	})
}
