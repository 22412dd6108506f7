package app

import (
	"context"
	"fmt"
	"io"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/report"
)

// promptsView shows what a run asked of models: the requests on the left, and
// of the one that is chosen every byte that was sent, and the reply.
type promptsView struct {
	root  fyne.CanvasObject
	rows  []report.Prompt
	list  *list
	facts *fyne.Container
	views *fyne.Container // a button for each way to look at it
	note  *widget.Label
	text  *textLines
	row   int // index into rows
	view  int // index into the views of rows[row]
	copy  func(text string)
	save  func(name, text string)
}

func newPromptsView(rows []report.Prompt, copyText func(string), save func(name, text string)) *promptsView {
	p := &promptsView{
		rows: rows, facts: container.New(stacked), views: container.NewHBox(), note: clipped(caption("")),
		text: newTextLines(), copy: copyText, save: save,
	}
	p.list = newList(
		func() int { return len(p.rows) }, newTwoLines,
		func(id int, row twoLines) {
			row.name.Importance = widget.MediumImportance
			if p.rows[id].Failed {
				row.name.Importance = widget.DangerImportance
			}
			row.name.SetText(p.rows[id].Title)
			row.about.SetText(p.rows[id].About)
		},
	)
	p.list.OnSelected = func(id widget.ListItemID) { p.choose(id) }
	buttons := container.NewHBox(
		newIconButton("Copy", theme.ContentCopyIcon(), func() { p.copy(p.current().Text) }),
		newIconButton("Save as …", theme.DocumentSaveIcon(), func() { p.save(p.fileName(), p.current().Text) }),
	)
	const listWidth = 235
	p.root = container.NewBorder(nil, nil, container.New(fixedWidth(listWidth), newQuote(p.list)), nil,
		container.New(margins{LeftPadding: 8}, container.NewBorder(
			container.NewVBox(p.facts, container.NewBorder(nil, nil, p.views, buttons), p.note), nil, nil, nil, newQuote(p.text),
		)))
	return p
}

// choose shows a request, by the view that the one before was looked at by.
func (p *promptsView) choose(row int) {
	p.row = row
	r := p.rows[row]
	p.facts.RemoveAll()
	for _, f := range r.Facts {
		l := wrapped(caption(f.Name + ": " + f.Value))
		l.Selectable = true
		if f.Name == "Failed" || f.Name == "Left out" {
			l.Importance = widget.WarningImportance
		}
		p.facts.Add(l)
	}
	p.look(min(p.view, len(r.Texts)-1))
}

// look shows one way to look at the request.
func (p *promptsView) look(view int) {
	p.view = view
	p.views.RemoveAll()
	for i, v := range p.rows[p.row].Texts {
		b := newPressable(bold(v.Name), "", func() { p.look(i) })
		b.inset = 0
		b.setChosen(i == view)
		p.views.Add(b)
	}
	p.note.SetText(p.current().Note)
	p.text.setText(p.current().Text)
}

func (p *promptsView) current() report.Text { return p.rows[p.row].Texts[p.view] }

// fileName is what the text on view is called where it is kept.
func (p *promptsView) fileName() string {
	ending := "txt"
	if p.current().JSON {
		ending = "json"
	}
	return safeName(fmt.Sprintf("%s, %s.%s", p.rows[p.row].Title, p.current().Name, ending))
}

// showPrompts shows what the last run asked of a model, from the first request
// of a step on; engine.StageLink for all.
func (w *window) showPrompts(from engine.Stage) {
	rows := present.PromptRows(w.run)
	if len(rows) == 0 {
		w.status.say("No model was asked for this answer.")
		return
	}
	first := 0
	for i, x := range w.run.Exchanges {
		if x.Stage >= from {
			first = i
			break
		}
	}
	w.showPromptRows(rows, first)
}

// showPromptRows shows requests, with one of them chosen.
func (w *window) showPromptRows(rows []report.Prompt, first int) {
	p := newPromptsView(rows, w.copyText, w.saveText)
	all := newIconButton("Save all …", theme.DocumentSaveIcon(), func() { w.saveText("prompts.txt", present.PromptRowsText(rows)) })
	shut := primary(w.closeButton("Close"))
	if w.showDialog("prompts", largest, w.newDialog("What the model was asked", p.root, all, shut)) {
		p.list.Select(first)
	}
}

func (w *window) copyText(text string) {
	w.app.Clipboard().SetContent(text)
	w.status.say("Copied.")
}

// saveText asks where to keep a text, and writes it there.
func (w *window) saveText(name, text string) {
	w.saveFile(saving{what: "text", title: "Save the text", name: name, write: func(_ context.Context, _ openGraph, to io.Writer, _ string) error {
		_, err := io.WriteString(to, text)
		return err
	}})
}
