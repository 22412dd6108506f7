package app

import (
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine"
)

// showMapping shows what the built-in planner takes each relation to mean, and
// lets the user add words of their own.
func (w *window) showMapping() {
	if w.session == nil {
		w.status.say("Open a graph first.")
		return
	}
	w.use(func(ctx context.Context, g openGraph, post func(func())) {
		rows, err := g.Mapping(ctx)
		if ctx.Err() != nil {
			return
		}
		post(func() {
			if err != nil {
				sentence, remedy := w.explain("read the meanings of the relations", err)
				w.alert("The meanings cannot be shown", sentence, remedy)
				return
			}
			w.editMapping(rows)
		})
	})
}

func (w *window) editMapping(rows []relationWords) {
	own := map[string]string{}
	for _, r := range rows {
		own[r.Key] = strings.Join(r.Own, ", ")
	}
	list := widget.NewList(
		func() int { return len(rows) },
		func() fyne.CanvasObject { return newMappingRow() },
		func(id widget.ListItemID, o fyne.CanvasObject) { drawMappingRow(o, rows[id], own) },
	)
	list.HideSeparators = true
	help := wrapped(caption("To read a question, Cairn matches its words with the words of the relations. These are the words it knows; add yours, divided by commas, where your questions use others."))
	var d *dialog.CustomDialog
	save := widget.NewButtonWithIcon("Save", theme.DocumentSaveIcon(), func() {
		d.Hide()
		w.saveMapping(own)
	})
	save.Importance = widget.HighImportance
	d = dialog.NewCustomWithoutButtons("What the relations mean", container.NewBorder(help, nil, nil, nil, list), w.win)
	d.SetButtons([]fyne.CanvasObject{widget.NewButton("Cancel", func() { d.Hide() }), save})
	w.place(d)
	d.Show()
}

// newMappingRow is the look of one relation: its name, the words known, and the
// user's own.
func newMappingRow() fyne.CanvasObject {
	entry := widget.NewEntry()
	entry.SetPlaceHolder("your words")
	return container.NewBorder(nil, nil, nil, container.New(fixedWidth(230), entry),
		container.New(stacked{}, clipped(bold("relation")), clipped(caption("words"))))
}

func drawMappingRow(o fyne.CanvasObject, r relationWords, own map[string]string) {
	row := o.(*fyne.Container)                                                        //nolint:errcheck // made by newMappingRow
	texts := row.Objects[0].(*fyne.Container)                                         //nolint:errcheck // as above
	name, words := texts.Objects[0].(*widget.Label), texts.Objects[1].(*widget.Label) //nolint:errcheck // as above
	entry := row.Objects[1].(*fyne.Container).Objects[0].(*widget.Entry)              //nolint:errcheck // as above
	name.SetText(r.Text + "  (" + present.Plural(r.Triples, "triple", "triples") + ")")
	said := strings.Join(r.Words, ", ")
	if r.Sense != "" {
		said = r.Sense + ": " + said
	}
	if said == "" {
		said = "no word known but its own name"
	}
	words.SetText(said)
	entry.OnChanged = nil
	entry.SetText(own[r.Key])
	entry.OnChanged = func(s string) { own[r.Key] = s }
}

// saveMapping gives the graph the user's words and reads it anew with them.
func (w *window) saveMapping(texts map[string]string) {
	own := map[string][]string{}
	for key, text := range texts {
		for word := range strings.SplitSeq(text, ",") {
			if word = strings.ToLower(strings.TrimSpace(word)); word != "" && !slices.Contains(own[key], word) {
				own[key] = append(own[key], word)
			}
		}
	}
	w.status.say("Reading the graph with your words …")
	w.use(func(ctx context.Context, g openGraph, post func(func())) {
		err := g.SetMapping(ctx, own, &engine.Events{})
		post(func() {
			if err != nil {
				sentence, remedy := w.explain("save your words", err)
				w.alert("Your words were not saved", sentence, remedy)
				return
			}
			w.status.say("Your words are saved with this graph and used from now on.")
		})
	})
}
