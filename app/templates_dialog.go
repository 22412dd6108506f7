package app

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	fynelayout "fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/cypher"
	"cairn/engine/retrieve/templates"
	"cairn/internal/wording"
)

// templateKeeper is what the window needs of a graph to show its question templates.
type templateKeeper interface {
	// Templates are those that are asked, and those that were learned and deleted.
	Templates(ctx context.Context) ([]templates.Row, error)
	// SetTemplates replaces them by those of a text.
	SetTemplates(ctx context.Context, text string) (engine.TrainedModel, []string, error)
	// CheckTemplate makes a template, and remarks what it names that is not there.
	CheckTemplate(ctx context.Context, asks []string, text string) (templates.Template, []string, error)
	// TryTemplate asks one of some templates a question.
	TryTemplate(ctx context.Context, ts []templates.Template, at int, question string) (*templates.Trial, error)
}

// templateDraft is a template as the user is writing it.
type templateDraft struct{ asks, cypher string }

// draftOf is a template as it is kept.
func draftOf(t *templates.Template) templateDraft {
	return templateDraft{strings.Join(t.Asks, "\n"), t.Cypher}
}

// lines are the shapes of a draft.
func (d templateDraft) lines() []string {
	return slices.DeleteFunc(strings.Split(d.asks, "\n"), func(l string) bool { return strings.TrimSpace(l) == "" })
}

// templateRow is a line of the list. One that is not kept yet has no State.
type templateRow struct {
	templates.Row

	key   string   // of its draft
	texts []string // that the search looks at: its wordings, its query, where it comes from
}

func newTemplateRow(r templates.Row) templateRow {
	d := draftOf(&r.Template)
	return templateRow{r, d.asks + "\n" + d.cypher, append(slices.Clone(r.Asks), strings.ToLower(r.Cypher), present.TemplateOrigin(&r))}
}

// templateHit is a template that the search finds, in one of its texts; -1 for none of them.
type templateHit struct{ row, text int }

// templatesDialog lists question templates, and lets one be changed and tried.
//
//	┌ search ─────────┬ questions, one a line ────────┐
//	│ shape           │ Cypher                        │
//	│ where from      │ what is wrong with it         │
//	│ …               │ [Save] [Undo] [Delete]        │
//	│                 │ question to try        [Try]  │
//	│ [Add]           │ slots, query, rows            │
//	└─────────────────┴───────────────────────────────┘
type templatesDialog struct {
	w      *window
	s      *session
	dialog *dialog.CustomDialog
	rows   []templateRow
	gone   int // of rows, deleted
	shown  []templateHit
	at     int // in rows; -1 for none
	list   *list
	search *entry
	count  *widget.Label

	origin       *widget.Label
	asks, cypher *entry
	problem      *widget.Label
	save, undo   *button
	remove       *button
	whole        *templates.Template // what is written, where nothing is wrong with it
	check        context.CancelFunc  // of the check under way; nil for none
	checked      latest
	saving       bool

	question *entry
	try      *button
	stop     context.CancelFunc // of the trial under way; nil for none
	said     *widget.Label
	query    *widget.Label
	table    *rowTable
	below    *fyne.Container // the table
}

// showTemplates opens the dialog, at the template of the answer on view.
func (w *window) showTemplates() {
	consult(w, "The question templates cannot be shown", "read the question templates",
		func(ctx context.Context, g openGraph) ([]templateRow, error) { return readTemplates(ctx, g) }, w.listTemplates)
}

func readTemplates(ctx context.Context, g openGraph) ([]templateRow, error) {
	rows, err := g.Templates(ctx)
	return wording.Each(rows, newTemplateRow), err
}

func (w *window) listTemplates(rows []templateRow) {
	d := &templatesDialog{w: w, s: w.session, at: -1, table: newRowTable()}
	if d.s.drafts == nil {
		d.s.drafts = map[string]templateDraft{}
	}
	learn := newButton("Learn templates …", func() {
		d.dialog.Hide()
		if v := w.showTrain(); v != nil {
			v.form.choose(templates.Method{}.Info().ID)
		}
	})
	d.dialog = w.newDialog("Question templates", d.build(), learn, w.closeButton("Close"))
	d.dialog.SetOnClosed(d.closed)
	if !w.showDialog("templates", largest, d.dialog) {
		return
	}
	d.put(rows)
	first := 0
	if run := w.run; run != nil && run.Plan != nil && run.Reading < len(run.Plan.Readings) {
		first = max(0, slices.IndexFunc(d.rows, func(r templateRow) bool { return r.Cypher == run.Plan.Readings[run.Reading].Text }))
		d.question.SetText(run.Question)
	}
	d.open(min(first, len(d.rows)-1))
	w.win.Canvas().Focus(d.search)
}

func (d *templatesDialog) build() fyne.CanvasObject {
	d.search, d.count = newField("Search", "", func(string) { d.find() }), caption("")
	d.list = newList(func() int { return len(d.shown) }, newTwoLines, d.draw)
	add := newIconButton("Add", theme.ContentAddIcon(), d.add)
	const listWidth = 330
	top := container.New(stacked, d.search, d.count)
	left := container.New(fixedWidth(listWidth), container.New(fynelayout.NewBorderLayout(top, add, nil, nil), top, newQuote(d.list), add))

	d.origin, d.problem = clipped(caption("")), wrapped(widget.NewLabel(""))
	d.asks, d.cypher = newTemplateEntry(), newTemplateEntry()
	d.asks.SetPlaceHolder("which films did {x} direct")
	d.cypher.SetPlaceHolder("MATCH (answer)-[:directed_by]->(x) RETURN answer")
	d.cypher.TextStyle.Monospace = true
	for _, e := range []*entry{d.asks, d.cypher} {
		e.OnSubmitted = func(string) { d.start() }
	}
	d.save = primary(newIconButton("Save", theme.DocumentSaveIcon(), func() { d.keep(true) }))
	d.undo = newIconButton("", theme.ContentUndoIcon(), d.back)
	d.remove = newIconButton("Delete", theme.DeleteIcon(), d.delete)
	d.question = newField("A question to try it on", "", nil)
	d.question.OnSubmitted = func(string) { d.start() }
	d.try = newIconButton("Try", theme.MediaPlayIcon(), d.start)
	d.said, d.query = wrapped(widget.NewLabel("")), wrapped(widget.NewLabel(""))
	d.said.Selectable, d.query.Selectable = true, true
	d.query.TextStyle.Monospace = true
	const rowsHeight = 190
	d.below = container.New(fixedHeight(rowsHeight), newQuote(d.table.table))
	right := container.NewBorder(
		container.New(stacked, d.origin, wrapped(caption("Questions, one per line, with {x} in place of a name"))),
		container.NewVBox(
			wrapped(caption("Cypher: x is the entity named, and the first value returned is the answer")), d.cypher,
			d.problem, container.NewHBox(d.save, d.undo, d.remove),
			container.NewBorder(nil, nil, nil, d.try, d.question),
			container.New(stacked, d.said, d.query), d.below),
		nil, nil, d.asks)
	return container.NewBorder(nil, nil, left, nil, container.New(margins{LeftPadding: 8}, scrolled(right)))
}

// newTemplateEntry is an entry of several lines.
func newTemplateEntry() *entry {
	e := newEntry()
	e.MultiLine, e.Wrapping = true, fyne.TextWrapWord
	e.SetMinRowsVisible(3)
	return e
}

// put lists templates, below those that are being written and not kept yet.
func (d *templatesDialog) put(rows []templateRow) {
	d.rows = nil
	for _, key := range slices.Sorted(maps.Keys(d.s.drafts)) {
		if !slices.ContainsFunc(rows, func(r templateRow) bool { return r.key == key }) {
			d.rows = append(d.rows, templateRow{key: key})
		}
	}
	d.rows, d.gone = append(d.rows, rows...), 0
	for _, r := range rows {
		if r.State == templates.Deleted {
			d.gone++
		}
	}
	d.find()
}

// find lists the templates of which a text has the search in it, and then those of which
// one has all its words.
func (d *templatesDialog) find() {
	words := strings.Fields(strings.ToLower(d.search.Text))
	phrase := strings.Join(words, " ")
	d.shown = nil
	var rest []templateHit
	for i, r := range d.rows {
		if n := slices.IndexFunc(r.texts, func(text string) bool { return strings.Contains(text, phrase) }); n >= 0 || r.State == "" {
			d.shown = append(d.shown, templateHit{i, n})
		} else if n := slices.IndexFunc(r.texts, func(text string) bool {
			return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
		}); n >= 0 {
			rest = append(rest, templateHit{i, n})
		}
	}
	d.shown = append(d.shown, rest...)
	said := present.Plural(len(d.rows), "template", "templates")
	if len(words) > 0 {
		said = present.Count(len(d.shown)) + " of " + said
	}
	if d.gone > 0 {
		said += ", " + present.Count(d.gone) + " of them deleted"
	}
	d.count.SetText(said)
	d.list.OnSelected = func(int) {}
	d.list.UnselectAll()
	if i := d.place(d.at); i >= 0 {
		d.list.Select(i)
	}
	d.list.OnSelected = func(id int) { d.choose(d.shown[id].row) }
	d.list.Refresh()
}

// place is where a template stands in the list; -1 where the search does not find it.
func (d *templatesDialog) place(row int) int {
	return slices.IndexFunc(d.shown, func(h templateHit) bool { return h.row == row })
}

// draw fills a row of the list.
func (d *templatesDialog) draw(id int, row twoLines) {
	r := &d.rows[d.shown[id].row]
	text, edited := d.text(r)
	name, about := "(no question yet)", "new"
	if lines := text.lines(); len(lines) > 0 {
		name = present.OneLine(lines[0])
	}
	if n := d.shown[id].text; !edited && n >= 0 && n < len(r.Asks) {
		name = r.Asks[n]
	}
	if r.State != "" {
		about = present.TemplateOrigin(&r.Row)
		if n := len(r.Asks); n > 1 {
			about += " · " + present.Plural(n, "wording", "wordings")
		}
	}
	if edited {
		about = "not saved · " + about
	}
	row.name.Importance = widget.MediumImportance
	if r.State == templates.Deleted {
		row.name.Importance = widget.LowImportance
	}
	row.name.SetText(name)
	row.about.SetText(about)
}

// text is a template as it is written, and whether that is saved.
func (d *templatesDialog) text(r *templateRow) (t templateDraft, edited bool) {
	if draft, ok := d.s.drafts[r.key]; ok {
		return draft, true
	}
	return draftOf(&r.Template), false
}

// choose shows a template; -1 for none.
func (d *templatesDialog) choose(at int) {
	if at == d.at && at >= 0 {
		return
	}
	d.at = at
	d.result(nil)
	d.say("", widget.MediumImportance)
	var t templateDraft
	if at >= 0 {
		t, _ = d.text(&d.rows[at])
	}
	for _, e := range []*entry{d.asks, d.cypher} {
		e.OnChanged = nil
		enable(e, at >= 0)
	}
	d.asks.SetText(t.asks)
	d.cypher.SetText(t.cypher)
	d.asks.OnChanged = func(string) { d.changed() }
	d.cypher.OnChanged = func(string) { d.changed() }
	d.look()
}

// changed keeps what is written, until it is saved.
func (d *templatesDialog) changed() {
	r := &d.rows[d.at]
	if t := (templateDraft{d.asks.Text, d.cypher.Text}); r.State != "" && t == draftOf(&r.Template) {
		delete(d.s.drafts, r.key)
	} else {
		d.s.drafts[r.key] = t
	}
	d.list.Refresh()
	d.look()
}

// pause is how long the user has stopped writing before what is written is checked.
const pause = 200 * time.Millisecond

// look checks what is written, once the user pauses.
func (d *templatesDialog) look() {
	if d.check != nil {
		d.check()
		d.check = nil
	}
	d.whole = nil
	d.update()
	if d.at < 0 {
		d.origin.SetText("")
		d.say("This graph has no question templates yet. Learn them from questions or from the graph in seconds, or add your own.", widget.MediumImportance)
		return
	}
	r := &d.rows[d.at]
	text, edited := d.text(r)
	d.origin.SetText("A new template")
	if r.State != "" {
		d.origin.SetText(wording.Capital(present.TemplateOrigin(&r.Row)))
	}
	current := d.checked.begin()
	d.check = d.w.use(func(ctx context.Context, g openGraph, post func(func())) {
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
		t, notes, err := g.CheckTemplate(ctx, text.lines(), text.cypher)
		post(func() {
			if !current() {
				return
			}
			switch {
			case len(text.lines()) == 0 || strings.TrimSpace(text.cypher) == "":
				d.say("Write a question with {x} in place of a name, and the Cypher query that answers it.", widget.MediumImportance)
			case err != nil:
				d.say(d.w.said("check a template", err), widget.DangerImportance)
			default:
				d.whole = &t
				switch {
				case len(notes) > 0:
					d.say(strings.Join(notes, " "), widget.WarningImportance)
				case edited:
					d.say("The template works.", widget.SuccessImportance)
				case d.problem.Importance != widget.SuccessImportance:
					d.say("", widget.MediumImportance)
				}
			}
			d.update()
		})
	})
}

func (d *templatesDialog) say(text string, importance widget.Importance) {
	d.problem.Importance = importance
	setLabel(d.problem, text)
}

func (d *templatesDialog) update() {
	edited, back := false, false
	d.undo.SetText("Undo changes")
	if d.at >= 0 {
		r := &d.rows[d.at]
		if _, edited = d.s.drafts[r.key]; !edited {
			switch r.State {
			case templates.Changed:
				back = true
				d.undo.SetText("Restore the learned template")
			case templates.Deleted:
				back = true
				d.undo.SetText("Restore")
			case templates.Learned, templates.Own:
			}
		}
	}
	enable(d.save, edited && d.whole != nil && !d.saving)
	enable(d.undo, (edited || back) && !d.saving)
	enable(d.remove, d.at >= 0 && d.rows[d.at].State != templates.Deleted && !d.saving)
	enable(d.try, d.stop != nil || d.whole != nil)
}

func (d *templatesDialog) add() {
	if _, ok := d.s.drafts[""]; !ok {
		d.s.drafts[""] = templateDraft{}
		d.rows = append([]templateRow{{}}, d.rows...)
	}
	d.at = -1
	d.find()
	d.open(0)
	d.w.win.Canvas().Focus(d.asks)
}

// back undoes what is written and not saved, or what was saved of a learned template.
func (d *templatesDialog) back() {
	r := &d.rows[d.at]
	if _, ok := d.s.drafts[r.key]; ok {
		d.drop()
		return
	}
	was := r.Template
	if r.Was != nil {
		was = *r.Was
	}
	d.whole = &was
	d.keep(true)
}

// drop forgets what is written and not saved.
func (d *templatesDialog) drop() {
	r := d.rows[d.at]
	delete(d.s.drafts, r.key)
	at := d.at
	if d.at = -1; r.State == "" {
		d.rows = slices.Delete(d.rows, at, at+1)
		at = min(at, len(d.rows)-1)
	}
	d.find()
	d.open(at)
}

// open shows a template, in the list too where the search finds it; -1 for none.
func (d *templatesDialog) open(at int) {
	if i := d.place(at); i >= 0 {
		d.list.Select(i)
		d.list.ScrollTo(i)
	} else {
		d.choose(at)
	}
}

// delete deletes a template, and asks where it cannot be learned again.
func (d *templatesDialog) delete() {
	switch r := &d.rows[d.at]; r.State {
	case "":
		if text, _ := d.text(r); strings.TrimSpace(text.asks+text.cypher) == "" {
			d.drop()
			return
		}
		d.w.confirmDelete("Delete this template?", "It is not saved, and what you wrote is lost.", d.drop)
	case templates.Learned:
		d.keep(false)
	case templates.Changed, templates.Own, templates.Deleted:
		d.w.confirmDelete("Delete this template?", "You wrote “"+present.Shorten(r.Asks[0], 60)+"”. It will be deleted with all its wordings.", func() { d.keep(false) })
	}
}

// keep saves the templates, with the one on view as it is written, or without it.
func (d *templatesDialog) keep(it bool) {
	ts := d.all(it)
	key, asked := d.rows[d.at].key, ""
	if it {
		asked = d.whole.Asks[0]
	}
	d.saving = true
	d.update()
	d.w.use(func(ctx context.Context, g openGraph, post func(func())) {
		_, _, err := g.SetTemplates(ctx, templates.Format(&templates.Set{Templates: ts}))
		var rows []templateRow
		if err == nil {
			rows, err = readTemplates(ctx, g)
		}
		post(func() {
			d.saving = false
			if err != nil {
				d.say(d.w.said("save the templates", err), widget.DangerImportance)
				d.update()
				return
			}
			delete(d.s.drafts, key)
			at := d.at
			d.at = -1
			d.put(rows)
			if i := slices.IndexFunc(d.rows, func(r templateRow) bool {
				return asked != "" && r.State != templates.Deleted && slices.Contains(r.Asks, asked)
			}); i >= 0 {
				at = i
			}
			d.open(min(at, len(d.rows)-1))
			d.say("Saved with the graph.", widget.SuccessImportance)
			if !it { // the key that deleted one deletes no other
				d.w.win.Canvas().Focus(d.list)
			}
		})
	})
}

// all are the templates that are asked, with the one on view as it is written, or without it.
func (d *templatesDialog) all(it bool) (ts []templates.Template) {
	for i := range d.rows {
		switch r := &d.rows[i]; {
		case i == d.at && it:
			ts = append(ts, *d.whole)
		case i == d.at, r.State == "", r.State == templates.Deleted:
		default:
			ts = append(ts, r.Template)
		}
	}
	return ts
}

// start tries the template on view on the question, or stops that.
func (d *templatesDialog) start() {
	if d.stop != nil {
		d.stop()
		return
	}
	question := strings.TrimSpace(d.question.Text)
	if question == "" || d.whole == nil {
		d.w.win.Canvas().Focus(d.question)
		return
	}
	ts, at := d.all(true), 0
	for _, r := range d.rows[:d.at] {
		if r.State != "" && r.State != templates.Deleted {
			at++
		}
	}
	d.try.running(true, "Try")
	d.said.SetText("Running …")
	row := d.at
	d.stop = d.w.use(func(ctx context.Context, g openGraph, post func(func())) {
		trial, err := g.TryTemplate(ctx, ts, at, question)
		post(func() {
			d.stop = nil
			d.try.running(false, "Try")
			d.update()
			switch {
			case row != d.at:
				d.result(nil)
			case err != nil:
				d.result(nil)
				setLabel(d.said, d.w.said("try a template", err))
			default:
				d.result(trial)
				setLabel(d.said, strings.Join(append(present.TrialLines(g.Graph(), trial, ts, at), d.found(trial)...), " "))
				d.w.status.say("The template was tried.")
			}
		})
	})
}

// found says how many rows a trial has.
func (d *templatesDialog) found(t *templates.Trial) []string {
	if t.Result == nil {
		return nil
	}
	return []string{d.table.said()}
}

// result shows the query and the rows of a trial; nil for none.
func (d *templatesDialog) result(t *templates.Trial) {
	r := &cypher.Result{}
	text := ""
	if t != nil {
		if text = t.Cypher; t.Result != nil {
			r = t.Result
		}
	}
	setLabel(d.said, "")
	setLabel(d.query, text)
	d.table.show(d.s.Graph(), r)
	show(d.below, len(r.Columns) > 0)
}

// closed stops what is under way, and says what is not saved.
func (d *templatesDialog) closed() {
	for _, stop := range []context.CancelFunc{d.check, d.stop} {
		if stop != nil {
			stop()
		}
	}
	if n := len(d.s.drafts); n > 0 {
		d.w.status.say(present.Plural(n, "question template is", "question templates are") + " not saved. Open the templates again before you open another graph or quit.")
	}
}
