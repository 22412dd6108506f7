package app

import (
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/retrieve"
)

type questionBar struct {
	root     fyne.CanvasObject
	entry    *questionEntry
	ask      *button
	examples *button
	by       *button // chooses the retriever
	list     []string
	w        *window
}

// questionEntry is an entry that gives Esc away and recalls earlier questions
// with the arrow keys.
type questionEntry struct {
	widget.Entry
	asked []string
	at    int // into asked; len(asked) for what is being typed
}

func newQuestionBar(w *window) *questionBar {
	b := &questionBar{w: w}
	b.entry = &questionEntry{}
	b.entry.ExtendBaseWidget(b.entry)
	b.entry.SetPlaceHolder("Ask a question, or state a claim to check")
	b.entry.OnChanged = func(string) { b.entry.fit() }
	b.entry.OnSubmitted = func(string) { b.submit() }
	b.ask = primary(newIconButton("Ask", theme.SearchIcon(), b.submit))
	b.examples = newIconButton("Examples", theme.MenuDropDownIcon(), b.showExamples)
	b.examples.IconPlacement = widget.ButtonIconTrailingText
	b.by = newIconButton("", theme.MenuDropDownIcon(), func() { showMenuBelow(b.by, w.retrieverMenu()) })
	b.by.IconPlacement = widget.ButtonIconTrailingText
	b.root = container.NewBorder(nil, nil, nil, container.NewHBox(b.by, b.ask, b.examples), b.entry)
	b.setExamples(nil)
	return b
}

// setExamples sets the questions offered to begin with.
func (b *questionBar) setExamples(list []string) {
	b.list = list
	enable(b.examples, len(list) > 0)
}

// setRetriever says who looks for the evidence.
func (b *questionBar) setRetriever(m retrieve.Info) { b.by.SetText(m.Title) }

// enable says whether there is a graph to ask.
func (b *questionBar) enable(on bool) {
	if on {
		b.entry.Enable()
		b.ask.Enable()
		b.by.Enable()
	} else {
		b.entry.Disable()
		b.ask.Disable()
		b.by.Disable()
	}
}

// put writes a question into the entry and asks it.
func (b *questionBar) put(question string) {
	b.entry.write(question)
	b.submit()
}

// text is the question as it stands.
func (b *questionBar) text() string { return strings.TrimSpace(b.entry.Text) }

func (b *questionBar) submit() {
	q := b.text()
	if q == "" {
		b.w.status.say("Type a question first, or pick an example.")
		return
	}
	b.entry.remember(q)
	b.w.ask(q, engine.AskOptions{Retriever: b.w.retriever().ID})
}

func (b *questionBar) showExamples() {
	items := make([]*fyne.MenuItem, 0, len(b.list))
	for _, q := range b.list {
		items = append(items, fyne.NewMenuItem(present.Shorten(q, 80), func() { b.put(q) }))
	}
	if len(items) > 0 {
		showMenuBelow(b.examples, items)
	}
}

// showMenuBelow pops a menu up under an object, inside the window.
func showMenuBelow(o fyne.CanvasObject, items []*fyne.MenuItem) {
	c := fyne.CurrentApp().Driver().CanvasForObject(o)
	if c == nil {
		return
	}
	menu := widget.NewPopUpMenu(fyne.NewMenu("", items...), c)
	pos := fyne.CurrentApp().Driver().AbsolutePositionForObject(o).AddXY(0, o.Size().Height)
	pos.X = max(min(pos.X, c.Size().Width-menu.MinSize().Width-8), 0)
	menu.ShowAtPosition(pos)
	c.Focus(menu)
}

func (e *questionEntry) remember(q string) {
	if len(e.asked) == 0 || e.asked[len(e.asked)-1] != q {
		e.asked = append(e.asked, q)
	}
	e.at = len(e.asked)
}

func (e *questionEntry) TypedKey(k *fyne.KeyEvent) {
	if gaveEscape(e, k) {
		return
	}
	switch k.Name {
	case fyne.KeyUp, fyne.KeyDown:
		switch {
		case e.MultiLine:
			e.Entry.TypedKey(k)
		case k.Name == fyne.KeyUp:
			e.recall(-1)
		default:
			e.recall(+1)
		}
	case fyne.KeyReturn, fyne.KeyEnter:
		e.OnSubmitted(e.Text)
	default:
		e.Entry.TypedKey(k)
	}
}

func (e *questionEntry) recall(step int) {
	at := e.at + step
	if at < 0 || at > len(e.asked) {
		return
	}
	e.at = at
	text := ""
	if at < len(e.asked) {
		text = e.asked[at]
	}
	e.write(text)
}

// write sets the text with the cursor after it.
func (e *questionEntry) write(text string) {
	e.SetText(text)
	e.goTo(utf8.RuneCountInString(text))
}

// goTo puts the cursor before a character of the text, however that is wrapped.
func (e *questionEntry) goTo(character int) {
	row := 0
	for next := 1; ; next++ {
		e.CursorRow, e.CursorColumn = next, 0
		if first := e.CursorTextOffset(); first == 0 || first > character { // 0 is after the last row
			break
		}
		row = next
	}
	e.CursorRow = row
	e.CursorColumn = character - e.CursorTextOffset()
	e.Refresh()
}

// longLine is how many characters an entry shows on one line. A line that is
// wider than a texture of the graphics card would come out black.
const longLine = 500

// fit breaks a long text into lines.
func (e *questionEntry) fit() {
	long := utf8.RuneCountInString(e.Text) > longLine
	if long == e.MultiLine {
		return
	}
	at := e.CursorTextOffset()
	e.MultiLine = long
	if long {
		e.Wrapping = fyne.TextWrapWord
		e.SetMinRowsVisible(3)
	} else {
		e.Wrapping = fyne.TextWrapOff
		e.SetMinRowsVisible(1)
	}
	e.goTo(at)
}
