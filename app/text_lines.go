package app

import (
	"image/color"
	"strings"

	"fyne.io/fyne/v2"
	fynecanvas "fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
)

// textLines shows a long text, broken into lines of its width. Only the lines in
// view are drawn, so that a megabyte costs no more than a page: a label or an
// entry of 50 kB holds up the window for seconds.
type textLines struct {
	widget.List
	text    string // safe to show
	lines   []string
	columns int
}

func newTextLines() *textLines {
	t := &textLines{}
	t.Length = func() int { return len(t.lines) }
	t.CreateItem = func() fyne.CanvasObject {
		text := fynecanvas.NewText("0", color.Black) // its height is every line's
		text.TextSize, text.TextStyle.Monospace = theme.Size(sizeMono), true
		return container.New(margins{BottomPadding: 2}, text)
	}
	t.UpdateItem = func(id widget.ListItemID, o fyne.CanvasObject) {
		text := o.(*fyne.Container).Objects[0].(*fynecanvas.Text) //nolint:errcheck // made by CreateItem
		text.Color, text.TextSize = theme.Color(theme.ColorNameForeground), theme.Size(sizeMono)
		text.Text = ""
		if id < len(t.lines) {
			text.Text = t.lines[id]
		}
		text.Refresh()
	}
	t.OnSelected = t.Unselect
	t.HideSeparators = true
	t.ExtendBaseWidget(t)
	return t
}

func (t *textLines) TypedKey(k *fyne.KeyEvent) {
	if !gaveEscape(t, k) {
		t.List.TypedKey(k)
	}
}

// setText replaces the text and goes to its top.
func (t *textLines) setText(text string) {
	t.text = strings.ReplaceAll(present.Printable(strings.ToValidUTF8(text, "\uFFFD")), "\t", "    ")
	t.wrap()
	t.ScrollToTop()
}

// Resize implements fyne.CanvasObject: another width has other lines.
func (t *textLines) Resize(size fyne.Size) {
	t.List.Resize(size)
	letter := fyne.MeasureText("0", theme.Size(sizeMono), fyne.TextStyle{Monospace: true}).Width
	columns := max(int((size.Width-2*theme.ScrollBarSize())/letter), 1)
	if columns != t.columns {
		t.columns = columns
		t.wrap()
	}
}

func (t *textLines) wrap() {
	if t.columns > 0 {
		t.lines = breakLines(t.text, t.columns)
		t.Refresh()
	}
}

// breakLines breaks a text at line ends, and what is longer than columns at the
// last space that fits, or within a word where there is none.
func breakLines(text string, columns int) []string {
	lines := make([]string, 0, len(text)/columns+strings.Count(text, "\n")+1)
	for line := range strings.SplitSeq(text, "\n") {
		for {
			head, rest := breakLine(line, columns)
			lines = append(lines, head)
			if rest == "" {
				break
			}
			line = rest
		}
	}
	return lines
}

// breakLine splits off as much of a line as columns hold.
func breakLine(line string, columns int) (head, rest string) {
	width, space := 0, -1
	for at, r := range line {
		width += cells(r)
		if width > columns && at > 0 {
			if space > 0 {
				return line[:space+1], line[space+1:]
			}
			return line[:at], line[at:]
		}
		if r == ' ' {
			space = at
		}
	}
	return line, ""
}

// cells is how many columns a letter takes: the scripts of East Asia are set in
// squares, and what no monospaced font has is given as much.
func cells(r rune) int {
	const wide = 0x1100 // Hangul, and nearly everything after it that is no symbol
	if r < wide || r >= 0x2000 && r < 0x2e80 {
		return 1
	}
	return 2
}
