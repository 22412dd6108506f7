package app

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynelayout "fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/canvas"
	"cairn/engine"
	"cairn/engine/kg"
	"cairn/engine/plan/model"
	"cairn/engine/retrieve"
	"cairn/internal/guard"
	"cairn/internal/wording"
)

// appName is the window's title at first show, by which desktops know it.
const appName = "Cairn"

// window is the main window: three linked panes under a question and its steps.
//
//	┌ header: graph, import, look, settings ─────────────┐
//	│ question                                           │
//	│ link → plan → retrieve → answer → check            │
//	├ answer ──────────┬ picture of the evidence ────────┤
//	│ evidence │ match │                                 │
//	└ status ────────────────────────────────────────────┘
//
// All fields belong to the UI goroutine.
type window struct {
	app     fyne.App
	win     fyne.Window
	log     *slog.Logger
	scale   func(by float32)
	jobs    *jobs
	prefs   prefs
	theme   *cairnTheme
	opener  opener
	version string

	openGraphs openGraphs  // every graph that is open
	session    *session    // the one that is shown; nil for none
	run        *engine.Run // the last finished one on this graph
	before     *engine.Run // the one that was shown before it, to compare with
	whole      *engine.Run // the one on the whole graph, while triples are left out; else nil
	choosing   bool        // the user chose the reading that was asked last
	lit        []string    // the edges that stay lit when the pointer leaves a citation
	opening    latest      // of the graphs that were chosen
	// changed says that the file is another by now than the graph that is open.
	changed bool
	// accepted are the readings that the user accepted for this graph.
	accepted  []model.Example
	cancel    context.CancelFunc
	preparing context.CancelFunc // stops what prepare does; nil where it does nothing
	// first is done once a graph is open; nil afterwards.
	first func()

	asking   *asking
	header   *header
	question *questionBar
	steps    *stepBar
	answer   *answerPane
	evidence *evidencePane
	match    *matchPane
	figure   *figurePane
	// makeFigure makes a further one, for a dialog.
	makeFigure newFigure
	status     *statusLine
	models     *models
	trainings  *trainings
	methods    []retrieve.Info // the default one first
	tabs       *tabs
	side       *container.Split // the answer above the evidence
	sideOffset float64          // of side where there is evidence

	dialogs   map[string]shownDialog // what was shown last, by name
	importing *importDialog          // the one that is open; nil for none
}

// session is an open graph with those who use it: it is closed when the last
// of them is done.
type session struct {
	openGraph
	busy sync.WaitGroup
	// drafts are question templates that are written and not saved yet, by templateKey.
	drafts map[string]templateDraft
	// queries are what the Cypher dialog had when it was closed, by what it began with.
	queries map[string]string
}

// parts are what a window is made of that tests replace.
type parts struct {
	opener  opener
	methods []retrieve.Info // the ways to look for evidence; nil for those of the engine
	figure  newFigure
	scale   func(by float32) // what Fyne draws, from the next time a theme is set
	do      func(func())     // to the UI goroutine
	icon    fyne.Resource
	version string
	log     *slog.Logger
}

func newWindow(a fyne.App, p parts) *window {
	w := &window{
		app: a, win: a.NewWindow(appName), log: p.log, prefs: prefs{a.Preferences()},
		opener: p.opener, version: p.version, methods: p.methods, makeFigure: p.figure, scale: p.scale,
	}
	if w.methods == nil {
		w.methods = engine.MethodInfos(engine.Methods())
	}
	w.jobs, fault = newJobs(p.do, w.fault), w.fault
	w.theme = newTheme(w.prefs.look())
	w.scale(textScales[w.prefs.textSize()])
	a.Settings().SetTheme(w.theme)
	w.status = newStatusLine(w.log, func() { w.showModels() }, func() { w.showTrain() })
	w.models, w.trainings = newModels(w), &trainings{w: w, methods: retrieve.Trainables(engine.Methods())}
	w.asking = &asking{jobs: w.jobs, view: w.askView()}
	w.header, w.question = newHeader(p.icon, w), newQuestionBar(w)
	w.question.setRetriever(w.retriever())
	w.steps = newStepBar(w.retriever(), w.stop, w.showPrompts)
	w.answer = newAnswerPane(answerActions{
		cite: w.cite, light: w.light, answer: w.showAnswer, hint: w.status.hint, copyAll: w.copyAnswer,
		reading: func(i int) {
			w.ask(w.run.Question, engine.AskOptions{Retriever: w.same(w.run), Reading: i, Chosen: true, Without: w.run.Without})
		},
		putBack: w.putBack,
		ask:     func(q string) { w.question.put(q) },
		edges:   w.highlight, explain: w.whyNot,
		copyText: w.copyText, prompts: func() { w.showPrompts(engine.StageLink) }, other: w.askOther,
	})
	w.evidence = newEvidencePane(w.selectRow)
	w.evidence.onKeep, w.evidence.hint = w.keepTriple, w.status.hint
	w.match = newMatchPane(matchActions{accept: w.toggleAccepted, path: w.showPath, answer: w.showAnswer, hint: w.status.hint})
	w.figure = newFigurePane(p.figure, figureActions{
		events: figureEvents{selectNode: w.selectNode, selectEdge: w.selectEdge},
		export: w.exportPicture, hint: w.status.hint,
	})
	w.tabs = newTabs([]string{"Evidence", "How it matched"}, w.evidence.root, w.match.root)

	w.win.SetMainMenu(w.mainMenu())
	w.win.SetContent(w.layout())
	w.win.SetOnDropped(func(_ fyne.Position, uris []fyne.URI) { w.dropped(uris) })
	w.win.SetCloseIntercept(w.close)
	w.win.Canvas().SetOnTypedKey(w.typedKey)
	w.win.Resize(w.prefs.size())
	w.status.setModel(w.prefs.model(), false)
	w.showNoGraph()
	return w
}

func (w *window) layout() fyne.CanvasObject {
	const gap = 6
	w.side = container.NewVSplit(
		container.New(margins{BottomPadding: gap / 2}, newPane(w.answer.root)),
		container.New(margins{TopPadding: gap / 2}, newPane(w.tabs.root)),
	)
	w.sideOffset = 0.58
	w.side.SetOffset(w.sideOffset)
	panes := container.NewHSplit(
		container.New(margins{RightPadding: gap / 2}, w.side),
		container.New(margins{LeftPadding: gap / 2}, newPane(w.figure.root)),
	)
	panes.SetOffset(0.4)
	top := container.NewVBox(w.header.root, w.question.root, w.steps.root)
	inset := float32(8)
	head := container.New(margins{TopPadding: inset, RightPadding: inset, BottomPadding: 2, LeftPadding: inset}, top)
	body := container.New(margins{RightPadding: inset, LeftPadding: inset}, quiet(panes))
	foot := container.New(margins{RightPadding: inset, LeftPadding: inset}, w.status.root)
	// Tab goes through the objects of a container in their order.
	return container.New(fynelayout.NewBorderLayout(head, foot, nil, nil), head, body, foot)
}

// close cancels what is under way and closes the window, at once; end waits.
func (w *window) close() {
	w.prefs.setSize(w.win.Canvas().Size())
	w.asking.drop()
	w.jobs.end()
	w.win.SetCloseIntercept(nil)
	w.win.Close()
}

// end waits until what was under way when the window was closed has kept what it
// must, and closes the graphs. It is not called on the UI goroutine.
func (w *window) end() {
	// Engines first, which end what goes on after a cancel; then what a job has still
	// opened.
	for range 2 {
		if err := w.openGraphs.closeAll(); err != nil {
			w.log.Warn("close the graphs", slog.Any("error", err))
		}
		w.jobs.wait()
	}
	w.figure.figure.Close()
}

// use runs work with the open graph, off the UI goroutine, and keeps the graph
// open for as long.
func (w *window) use(work func(ctx context.Context, g openGraph, post func(func()))) context.CancelFunc {
	s := w.session
	s.busy.Add(1)
	return w.jobs.start(func(ctx context.Context, post func(func())) {
		defer s.busy.Done()
		work(ctx, s.openGraph, post)
	})
}

// consult gets something of the open graph and shows it; where that fails, it says so
// under title, with doing as what was being done.
func consult[T any](w *window, title, doing string, get func(context.Context, openGraph) (T, error), show func(T)) {
	if w.session == nil {
		w.status.say("Open a graph first.")
		return
	}
	w.use(func(ctx context.Context, g openGraph, post func(func())) {
		got, err := get(ctx, g)
		post(func() {
			if err != nil {
				w.fail(title, doing, err)
				return
			}
			show(got)
		})
	})
}

// change changes something of the open graph, and then goes on; where that fails, it says so
// under title, with doing as what was being done.
func (w *window) change(title, doing string, do func(context.Context, openGraph) error, then func()) {
	consult(w, title, doing, func(ctx context.Context, g openGraph) (struct{}, error) { return struct{}{}, do(ctx, g) }, func(struct{}) { then() })
}

// retire closes a graph once nobody uses it.
func (w *window) retire(s *session) {
	if s == nil {
		return
	}
	w.jobs.start(func(ctx context.Context, _ func(func())) {
		s.busy.Wait()
		if err := w.openGraphs.close(s.openGraph); err != nil {
			w.log.WarnContext(ctx, "close the graph", slog.Any("error", err))
		}
	})
}

// path is the open graph's file.
func (w *window) path() string {
	if w.session == nil {
		return ""
	}
	return w.session.Path()
}

// ask puts a question to the open graph.
func (w *window) ask(question string, o engine.AskOptions) {
	if w.session == nil || question == "" {
		return
	}
	if m := w.method(o.Retriever); m.ID != w.retriever().ID {
		w.chooseRetriever(m) // what stands beside the entry is what answers
	}
	o.Style = w.prefs.style()
	o.Save = true
	w.choosing = o.Chosen
	if len(o.Without) == 0 {
		w.whole = nil
	}
	s := w.session
	s.busy.Add(1)
	w.asking.ask(s, question, o, s.busy.Done)
}

// askView shows a question on its way.
func (w *window) askView() askView {
	return askView{
		begin: func(q, retriever string) {
			w.before, w.run = w.run, nil
			w.steps.begin(w.method(retriever))
			w.answer.showBusy(q, "Working on it …")
			w.showEvidence(nil, "")
			w.status.say("Working …")
		},
		stageBegin: func(s engine.Stage) {
			w.steps.stageBegin(s)
			if m := w.prefs.model(); m != "" && s == engine.StagePlan && !w.retriever().Seeded {
				w.answer.showBusy(w.asking.question, m+" is reading the question …")
			}
		},
		stageEnd: func(st present.Step) { w.steps.stageEnd(st) },
		progress: func(text string) { w.steps.progress(text) },
		direct:   w.showDirect,
		partial:  func(text string) { w.answer.draft(text) },
		stopped: func(q string) {
			w.steps.halt(present.Stopped)
			if w.run != nil { // the direct answer: it needs no model
				w.answer.endDraft("You stopped the model before it had written the answer. This answer was found, written and checked without it.")
				w.status.say("Stopped. This is the answer without the model.")
				return
			}
			if w.whole != nil {
				w.putBack()
				w.status.say("Stopped. This is the answer from the whole graph.")
				return
			}
			w.answer.showStopped(q)
			w.status.say("Stopped.")
		},
		done: w.finished,
	}
}

// showDirect shows the answer that needs no model, while one words it.
func (w *window) showDirect(run *engine.Run) {
	w.run = run
	w.answer.showRun(w.session.Graph(), run, w.compare(run))
	w.answer.beginDraft(w.prefs.model())
	w.status.say("The answer was found; the model is writing it …")
	w.showEvidence(run, noEvidence)
}

const noEvidence = "There is no evidence for this question."

// finished shows the answer to a question, or why there is none.
func (w *window) finished(run *engine.Run, err error) {
	if run == nil || run.Answer == nil {
		if w.run == nil && w.untrained(err) {
			return
		}
		sentence, remedy := w.explain("answer the question", err)
		w.steps.halt(present.Failed)
		if w.run != nil { // the direct answer
			w.answer.endDraft(strings.TrimSpace("The model did not write the answer. " + sentence + " " + remedy))
			w.status.say(sentence)
			return
		}
		w.answer.showError("This question could not be answered", sentence, remedy)
		w.status.say(sentence)
		return
	}
	before := w.run
	w.showFinished(run)
	if before != nil && before.Answer != nil && slices.Equal(before.Answer.Pack.Triples, run.Answer.Pack.Triples) {
		w.loadSources(w.evidence.rows) // as it was for the direct answer, whatever the user did to the picture
	} else {
		w.showEvidence(run, noEvidence)
	}
	w.status.say(present.StatusLine(run))
	if err != nil { // answered, but the record of it could not be kept
		w.changed = true
		w.status.say(w.said("save the record of a question", err))
	}
}

// showFinished shows the steps and the answer of a run.
func (w *window) showFinished(run *engine.Run) {
	w.run = run
	g := w.session.Graph()
	w.steps.finish(g, run)
	w.answer.showRun(g, run, w.compare(run))
	if w.choosing {
		w.offerLesson(run)
	}
}

// reopen shows a question of the history as it was answered.
func (w *window) reopen(run *engine.Run) {
	w.asking.drop()
	w.before = nil
	w.question.entry.write(run.Question)
	w.showFinished(run)
	w.showEvidence(run, noEvidence)
	w.status.say(present.AskedLine(run))
}

// showEvidence fills the list, the match and the picture from a run.
func (w *window) showEvidence(run *engine.Run, emptyText string) {
	w.lit = nil
	if run == nil {
		if emptyText != "" {
			w.giveRoom(false)
		}
		w.evidence.show(nil, emptyText)
		w.tabs.setTitle(0, "Evidence")
		w.match.show(nil, nil, noCandidate, false)
		w.figure.show(canvas.Model{}, "", "")
		return
	}
	g := w.session.Graph()
	w.evidence.past = run.Since != nil
	rows := present.EvidenceRows(g, run)
	count := len(rows)
	rows = append(rows, present.LeftOutRows(g, run)...)
	w.giveRoom(len(rows) > 0)
	w.evidence.show(rows, emptyText)
	is := "Evidence · "
	if count > 0 && !present.StandingOf(run).IsEvidence() {
		is = "Closest · "
	}
	w.tabs.setTitle(0, is+present.Count(count))
	how := "How it matched"
	if run.Method.Seeded {
		how = "How it was found"
	}
	w.tabs.setTitle(1, how)
	c, ok := present.BestCandidate(run)
	w.match.show(g, run, c, ok)
	w.drawAccepted()
	m := present.CanvasModel(g, run)
	m.Note = w.session.Name()
	w.figure.show(m, figureTitle(m, present.PicturesPattern(run), present.StandingOf(run), count),
		emptyFigure(run))
	w.loadSources(rows)
}

// noRoom is the place of a split whose second part has only the room that it cannot do without.
const noRoom = 1

// giveRoom gives the evidence its room, or where there is none, the answer.
func (w *window) giveRoom(evidence bool) {
	switch given := w.side.Offset != noRoom; {
	case given && !evidence:
		w.sideOffset = w.side.Offset
		w.side.SetOffset(noRoom)
	case !given && evidence:
		w.side.SetOffset(w.sideOffset)
	}
}

// emptyFigure says why there is nothing to draw.
func emptyFigure(run *engine.Run) string {
	if run.Method.Seeded {
		return "There is nothing to draw: no answer was found."
	}
	return "There is nothing to draw: the question could not be read as a pattern."
}

// loadSources looks up where the triples come from, for the rows.
func (w *window) loadSources(rows []present.EvidenceRow) {
	if len(rows) == 0 {
		return
	}
	triples := wording.Each(rows, func(r present.EvidenceRow) kg.TripleID { return r.ID })
	run, graph := w.run, w.session.Graph()
	w.use(func(ctx context.Context, g openGraph, post func(func())) {
		sources, err := g.Sources(ctx, triples)
		if err != nil {
			return // the rows simply have no source; selecting one says why
		}
		found := make(map[kg.TripleID]string, len(sources))
		for t, places := range sources {
			found[t] = present.PlaceText(graph, places[0])
		}
		post(func() {
			if w.run == run {
				w.evidence.setSources(found)
			}
		})
	})
}

// sayProgress says how far something has come.
func (w *window) sayProgress(task string, done, total int64) {
	w.status.say(present.ProgressText(task, done, total, false))
}

// stop cancels the question under way.
func (w *window) stop() { w.asking.stop() }

// escape closes a dialog, or stops a question, or closes the details of a step, or takes the highlight off.
func (w *window) escape() {
	if w.goBack() || w.closeTop() {
		return
	}
	switch {
	case w.asking.stop():
	case w.steps.opened >= 0:
		w.steps.toggle(w.steps.opened)
	default:
		w.chooseNothing()
	}
}

// typedKey hears keys while nothing has the focus.
func (w *window) typedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyEscape:
		w.escape()
	case fyne.KeyF5:
		w.command(w.figure.figure.Relayout)()
	case fyne.KeyF1:
		w.command(w.showShortcuts)()
	default:
	}
}

// explain turns an error into words, and logs the whole of it.
func (w *window) explain(doing string, err error) (sentence, remedy string) {
	if err == nil {
		return "There was no result.", ""
	}
	w.log.Debug("could not", slog.String("do", doing), slog.Any("error", err))
	guard.Log(w.log, err)
	return present.Explain(err)
}

// said is explain in one text.
func (w *window) said(doing string, err error) string {
	sentence, remedy := w.explain(doing, err)
	return strings.TrimSpace(sentence + " " + remedy)
}

// fault says that something panicked.
func (w *window) fault(err error) { w.fail("Something went wrong", "do this", err) }

// switchLook turns light into dark and back.
func (w *window) switchLook() {
	next := lookDark
	if w.isDark() {
		next = lookLight
	}
	w.setLook(next)
}

func (w *window) isDark() bool {
	switch w.prefs.look() {
	case lookDark:
		return true
	case lookLight:
		return false
	case lookSystem:
	}
	return w.app.Settings().ThemeVariant() == theme.VariantDark
}

func (w *window) setLook(l look) {
	w.prefs.setLook(l)
	w.theme.look = l
	w.app.Settings().SetTheme(w.theme)
}

// setTextSize draws everything smaller or larger, in a window as large as it is.
func (w *window) setTextSize(s textSize) {
	w.prefs.setTextSize(s)
	on := w.win.Canvas()
	size, was := on.Size(), on.Scale()
	w.scale(textScales[s])
	w.app.Settings().SetTheme(w.theme)
	by := was / on.Scale()
	w.win.Resize(fyne.NewSize(size.Width*by, size.Height*by))
	for _, shown := range w.dialogs {
		shown.dialog.Resize(w.sizeOf(shown.size))
	}
}

// tabs shows one of several panes; its titles are buttons, so that they take
// the focus.
type tabs struct {
	root    fyne.CanvasObject
	buttons []*pressable
	titles  []*widget.Label
	panes   []fyne.CanvasObject
}

func newTabs(titles []string, panes ...fyne.CanvasObject) *tabs {
	t := &tabs{panes: panes}
	row := container.NewHBox()
	for i, title := range titles {
		l := bold(title)
		b := newPressable(l, "", func() { t.choose(i) })
		b.inset = 0
		t.titles, t.buttons = append(t.titles, l), append(t.buttons, b)
		row.Add(b)
	}
	t.root = container.NewBorder(row, nil, nil, nil, container.NewStack(panes...))
	t.choose(0)
	return t
}

func (t *tabs) choose(i int) {
	for j, p := range t.panes {
		t.buttons[j].setChosen(j == i)
		show(p, j == i)
	}
}

func (t *tabs) setTitle(i int, title string) { t.titles[i].SetText(title) }
