package app

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/kg"
	"cairn/internal/guard"
	"cairn/internal/wording"
)

// extractReview is the page on which the user decides on what a model read in a
// text: statements on the left; of the one that is selected, on the right, the
// place in the text and what its names mean in the graph.
type extractReview struct {
	d      *extractDialog
	doc    kg.Document
	rows   []present.StatementRow
	names  map[present.NameID]*present.NameRow
	shown  []int // rows that are listed
	filter present.StatementFilter
	search *entry
	keeper decisionKeeper

	list    *statementList
	filters []*pressable
	titles  []*widget.Label
	counts  []int
	state   *widget.Label
	all     *button // accepts what is listed
	addAll  *button // adds what is accepted to the graph
	detail  *fyne.Container
	passage latest // of the statements that were selected
}

func newExtractReview(d *extractDialog, doc kg.Document, rows []present.StatementRow, names map[present.NameID]*present.NameRow) *extractReview {
	r := &extractReview{d: d, doc: doc, rows: rows, names: names, detail: container.NewVBox(), state: clipped(caption(""))}
	r.keeper = decisionKeeper{w: d.w, document: doc.ID, failed: func(err error) { d.failed("save a decision", err) }}
	r.search = newField("Search names", "", func(string) { r.refilter() })
	r.list = newStatementList(r)
	for _, f := range present.StatementFilters {
		l := widget.NewLabel("")
		b := newPressable(l, "", func() { r.filter = f; r.refilter() })
		b.inset = 0
		r.filters, r.titles = append(r.filters, b), append(r.titles, l)
	}
	r.all = newIconButton("", theme.ConfirmIcon(), r.acceptShown)
	r.addAll = primary(newIconButton("", theme.ContentAddIcon(), func() { r.keeper.then(func() { d.add(doc) }) }))
	return r
}

func (r *extractReview) show() {
	filters := container.NewHBox()
	for _, f := range r.filters {
		filters.Add(f)
	}
	const searchWidth = 190
	about := clipped(widget.NewLabel(present.OneLine(r.doc.Name) + " · read by " + present.OneLine(r.doc.Model)))
	head := container.NewVBox(
		container.NewBorder(nil, nil, nil, container.New(fixedWidth(searchWidth), r.search), about),
		container.NewHScroll(filters),
	)
	split := container.NewHSplit(container.New(margins{RightPadding: 4}, r.list), container.New(margins{LeftPadding: 6}, scrolled(r.detail)))
	split.SetOffset(0.58)
	r.d.show(container.NewBorder(head, container.NewBorder(nil, nil, nil, r.all, r.state), nil, nil, quiet(split)),
		newButton("Back", func() { r.keeper.then(func() { r.d.choose(); r.d.load() }) }),
		newButton("Close", func() { r.keeper.then(r.d.dialog.Hide) }),
		r.addAll)
	r.d.dialog.Resize(r.d.w.sizeOf(largest))
	r.refilter()
	r.d.w.win.Canvas().Focus(r.list)
}

// refilter lists what the filter and the search let through.
func (r *extractReview) refilter() {
	r.shown, r.counts = present.FilterStatements(r.rows, r.filter, r.search.Text)
	r.list.fit()
	r.list.ScrollToTop()
	r.list.UnselectAll()
	r.list.selected = -1
	r.drawCounts()
	if len(r.shown) > 0 {
		r.list.Select(0)
	} else {
		r.inspect(-1)
	}
}

// drawCounts says how many there are of each kind, and what can be done at once.
func (r *extractReview) drawCounts() {
	for i, f := range present.StatementFilters {
		r.titles[i].SetText(f.String() + " " + present.Count(r.counts[i]))
		r.titles[i].TextStyle.Bold = f == r.filter
		r.filters[i].setChosen(f == r.filter)
	}
	plain := 0
	for _, i := range r.shown {
		if r.rows[i].Plain() {
			plain++
		}
	}
	r.all.SetText("Accept " + present.Count(plain) + " of the list")
	enable(r.all, plain > 0)
	accepted := r.counts[slices.Index(present.StatementFilters, present.ShowAccepted)]
	r.addAll.SetText("Add " + present.Count(accepted) + " to the graph")
	enable(r.addAll, accepted > 0)
	text := "A accepts, D declines, U undoes; use the arrow keys to move."
	if len(r.shown) == 0 {
		text = "There are no statements of this kind."
	}
	r.state.SetText(text)
}

// decide sets the state of a listed statement and goes on to the next one.
func (r *extractReview) decide(at int, s kg.StatementState) {
	if at < 0 || at >= len(r.shown) {
		return
	}
	i := r.shown[at]
	if !r.rows[i].Open() {
		return
	}
	if r.rows[i].State != s {
		r.rows[i].State = s
		r.keeper.state(r.rows[i].ID, s)
		_, r.counts = present.FilterStatements(r.rows, r.filter, r.search.Text)
		r.drawCounts() // the list stays as it is until it is filtered anew
	}
	r.list.Refresh()
	if s != kg.StatementProposed && at+1 < len(r.shown) && at == r.list.selected {
		r.list.Select(at + 1)
		return
	}
	r.inspect(at)
}

// acceptShown accepts what is listed, undecided and without a doubt.
func (r *extractReview) acceptShown() {
	for _, i := range r.shown {
		if r.rows[i].Plain() {
			r.rows[i].State = kg.StatementAccepted
			r.keeper.state(r.rows[i].ID, kg.StatementAccepted)
		}
	}
	_, r.counts = present.FilterStatements(r.rows, r.filter, r.search.Text)
	r.drawCounts()
	r.list.Refresh()
	r.inspect(r.list.selected)
}

// inspect shows the place of a listed statement and what its names mean.
func (r *extractReview) inspect(at int) {
	current := r.passage.begin()
	r.detail.RemoveAll()
	if at < 0 || at >= len(r.shown) {
		return
	}
	row := r.rows[r.shown[at]]
	if row.Note != "" {
		r.detail.Add(warning(widget.NewLabel(row.Note)))
	}
	if row.Quote != "" {
		where := "Line " + present.Count(row.Line)
		if row.Places > 1 {
			where += ", and " + present.Plural(row.Places-1, "other place", "other places")
		}
		place := container.NewStack(passageFlow(passage{place: row.Quote}))
		r.detail.Add(bold(where))
		r.detail.Add(newQuote(container.New(margins{TopPadding: 4, RightPadding: 6, BottomPadding: 4, LeftPadding: 6}, place)))
		r.readPassage(row, place, current)
	}
	for _, n := range []struct {
		kind kg.NameKind
		name string
	}{{kg.EntityName, row.Head}, {kg.RelationName, row.Relation}, {kg.EntityName, row.Tail}} {
		if name := r.names[present.IDOfName(n.kind, n.name)]; name != nil {
			r.detail.Add(r.meaning(name, row.Open()))
		}
	}
	r.detail.Refresh()
}

// readPassage fills in what stands round the place, off the UI goroutine.
func (r *extractReview) readPassage(row present.StatementRow, into *fyne.Container, current func() bool) {
	file := r.doc.File
	r.d.w.jobs.start(func(_ context.Context, post func(func())) {
		p := readPassage(file, row)
		post(func() {
			if current() && p.before+p.after != "" {
				into.Objects = []fyne.CanvasObject{passageFlow(p)}
				into.Refresh()
				r.detail.Refresh()
			}
		})
	})
}

// passageFlow is a passage with its place in bold.
func passageFlow(p passage) *flow {
	f := newFlow(theme.SizeNameText)
	f.add(p.before, fyne.TextStyle{}, colorMuted)
	f.add(p.place, fyne.TextStyle{Bold: true}, theme.ColorNameForeground)
	f.add(p.after, fyne.TextStyle{}, colorMuted)
	return f
}

// meaning lets the user choose what a name means in the graph.
func (r *extractReview) meaning(n *present.NameRow, open bool) fyne.CanvasObject {
	texts := wording.Each(n.Choices, func(c present.NameChoice) string { return c.Text })
	choice := newSelector(texts)
	choice.SetSelectedIndex(n.Chosen)
	choice.OnChanged = func(string) {
		n.Chosen = choice.SelectedIndex()
		chosen := n.Choices[n.Chosen]
		r.keeper.name(kg.Naming{Kind: n.Kind, Name: n.Name, Existing: chosen.Key, Turned: chosen.Turned})
	}
	if !open {
		choice.Disable()
	}
	title := "“" + present.Shorten(n.Name, 60) + "” is"
	if n.Kind == kg.RelationName {
		title = "“" + present.Shorten(n.Name, 60) + "” means"
	}
	box := container.NewVBox(wrapped(widget.NewLabel(title)), choice)
	if n.Why != "" && len(n.Choices) > 1 {
		box.Add(wrapped(caption(n.Why)))
	}
	return box
}

// decisionKeeper keeps decisions with the graph, one write at a time and in
// order; what is decided meanwhile goes with the next write.
type decisionKeeper struct {
	w        *window
	document int64
	failed   func(error)
	decided  engine.Decisions // not written yet
	writing  bool
	after    []func() // to do once all is kept
}

func (k *decisionKeeper) state(id int64, s kg.StatementState) {
	if k.decided.States == nil {
		k.decided.States = map[int64]kg.StatementState{}
	}
	k.decided.States[id] = s
	k.write()
}

func (k *decisionKeeper) name(n kg.Naming) {
	k.decided.Names = append(k.decided.Names, n)
	k.write()
}

// then runs f once all decisions are kept.
func (k *decisionKeeper) then(f func()) {
	k.after = append(k.after, f)
	k.write()
}

// write starts the next write, unless one is under way.
func (k *decisionKeeper) write() {
	if k.writing || k.w.session == nil {
		return
	}
	decided := k.decided
	if len(decided.States) == 0 && len(decided.Names) == 0 {
		after := k.after
		k.after = nil
		for _, f := range after {
			f()
		}
		return
	}
	k.decided, k.writing = engine.Decisions{}, true
	k.w.use(func(ctx context.Context, g openGraph, post func(func())) {
		err := guard.Do(func() error { return g.Decide(context.WithoutCancel(ctx), k.document, decided) })
		post(func() {
			k.writing = false
			if err != nil {
				k.after = nil
				k.failed(err)
				return
			}
			k.write()
		})
	})
}
