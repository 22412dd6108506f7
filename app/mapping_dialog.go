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
	consult(w, "The meanings cannot be shown", "read the meanings of the relations",
		func(ctx context.Context, g openGraph) ([]relationWords, error) { return g.Mapping(ctx) }, w.editMapping)
}

func (w *window) editMapping(rows []relationWords) {
	list := newDialogList(
		func() int { return len(rows) },
		func() fyne.CanvasObject { return newMappingRow() },
		func(id widget.ListItemID, o fyne.CanvasObject) { drawMappingRow(o, &rows[id]) },
	)
	help := wrapped(caption("Cairn matches the words of a question with these: the meanings that a relation has in the lexicon, and words of your own. Change them if your questions use others. Separate them with commas. They are kept with this graph."))
	var d *dialog.CustomDialog
	save := newIconButton("Save", theme.DocumentSaveIcon(), func() {
		d.Hide()
		w.saveMapping(rows)
	})
	save.Importance = widget.HighImportance
	d = w.newDialog("What the relations mean", container.NewBorder(help, nil, nil, nil, list))
	d.SetButtons([]fyne.CanvasObject{newButton("Cancel", func() { d.Hide() }), save})
	w.place(d)
	w.showOnce("meanings", d)
}

// newMappingRow is the look of one relation: its name, where the meaning comes
// from, and the two texts that can be changed.
func newMappingRow() fyne.CanvasObject {
	meanings, words := newEntry(), newEntry()
	meanings.SetPlaceHolder("no meaning of the lexicon")
	words.SetPlaceHolder("no words besides")
	reset := newButton("Reset", nil)
	reset.Importance = widget.LowImportance
	return container.NewBorder(nil, nil,
		container.New(fixedWidth(210), container.New(stacked, clipped(bold("relation")), clipped(caption("from")))),
		reset, container.NewVBox(meanings, words))
}

func drawMappingRow(o fyne.CanvasObject, r *relationWords) {
	row := o.(*fyne.Container)                                                       //nolint:errcheck // made by newMappingRow
	entries := row.Objects[0].(*fyne.Container)                                      //nolint:errcheck // as above
	texts := row.Objects[1].(*fyne.Container).Objects[0].(*fyne.Container)           //nolint:errcheck // as above
	reset := row.Objects[2].(*button)                                                //nolint:errcheck // as above
	name, from := texts.Objects[0].(*widget.Label), texts.Objects[1].(*widget.Label) //nolint:errcheck // as above
	meanings, words := entries.Objects[0].(*entry), entries.Objects[1].(*entry)      //nolint:errcheck // as above

	source := func() {
		about := present.Plural(r.Triples, "triple", "triples") + " · from " + r.From
		switch {
		case r.Own:
			about = present.Plural(r.Triples, "triple", "triples") + " · yours"
			reset.Enable()
		default:
			reset.Disable()
		}
		if r.SameAs != "" {
			about += " · says the same as “" + r.SameAs + "”"
		}
		from.SetText(about)
	}
	meanings.OnChanged, words.OnChanged = nil, nil
	name.SetText(r.Text)
	meanings.SetText(strings.Join(r.Concepts, ", "))
	words.SetText(strings.Join(r.Words, ", "))
	source()
	meanings.OnChanged = func(s string) { r.Concepts, r.Own = split(s), true; source() }
	words.OnChanged = func(s string) { r.Words, r.Own = split(s), true; source() }
	reset.OnTapped = func() {
		r.Own = false
		source()
		from.SetText("back to the lexicon when saved")
	}
}

// split divides a text at commas.
func split(text string) []string {
	var words []string
	for word := range strings.SplitSeq(text, ",") {
		if word = strings.ToLower(strings.TrimSpace(word)); word != "" && !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return words
}

// saveMapping gives the graph the user's meanings and reads it anew with them.
func (w *window) saveMapping(rows []relationWords) {
	own := slices.DeleteFunc(slices.Clone(rows), func(r relationWords) bool { return !r.Own })
	w.status.say("Reading the graph with your words …")
	w.use(func(ctx context.Context, g openGraph, post func(func())) {
		err := g.SetMapping(ctx, own, &engine.Events{})
		post(func() {
			if err != nil {
				sentence, remedy := w.explain("save your words", err)
				w.status.say(sentence)
				w.alert("Your words were not saved", sentence, remedy)
				return
			}
			w.status.say("Your words are kept with this graph and used from now on.")
		})
	})
}
