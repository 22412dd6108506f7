package app

import (
	"image/color"

	"fyne.io/fyne/v2"
	fynecanvas "fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// tappable is what can be pressed like a button: it takes the focus, answers to Enter
// and Space, and knows whether the pointer is on it.
type tappable struct {
	widget.BaseWidget
	self     fyne.CanvasObject // what embeds it, as Fyne knows it
	onTapped func()
	// onHover, if set, is told when the pointer comes and goes.
	onHover func(in bool)
	// onHint, if set, is given hint while the pointer or the focus is here, and
	// "" when it leaves.
	onHint func(string)
	hint   string

	hovered, focused, disabled bool
}

func (t *tappable) extend(self fyne.Widget) {
	t.self = self
	t.ExtendBaseWidget(self)
}

// setDisabled makes t deaf, or wakes it.
func (t *tappable) setDisabled(disabled bool) {
	if t.disabled != disabled {
		t.disabled = disabled
		t.Refresh()
	}
}

func (t *tappable) Tapped(*fyne.PointEvent) {
	if t.onTapped != nil && !t.disabled {
		safe(t.onTapped)()
	}
}

func (t *tappable) MouseIn(*desktop.MouseEvent) { t.hover(true) }

func (t *tappable) MouseMoved(*desktop.MouseEvent) {}

func (t *tappable) MouseOut() { t.hover(false) }

func (t *tappable) hover(in bool) {
	t.hovered = in
	t.changed()
	if t.onHover != nil {
		t.onHover(in)
	}
}

func (t *tappable) Cursor() desktop.Cursor { return desktop.PointerCursor }

func (t *tappable) FocusGained() { t.focused = true; t.changed(); reveal(t.self) }

func (t *tappable) FocusLost() { t.focused = false; t.changed() }

func (t *tappable) TypedRune(rune) {}

func (t *tappable) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		t.Tapped(nil)
	default:
		gaveEscape(t.self, e)
	}
}

func (t *tappable) changed() {
	t.Refresh()
	switch {
	case t.onHint == nil:
	case t.hovered || t.focused:
		t.onHint(t.hint)
	default:
		t.onHint("")
	}
}

// pressable makes any content into a button, which shows when it is hovered, focused
// or chosen.
type pressable struct {
	tappable
	content fyne.CanvasObject
	ground  fyne.ThemeColorName // empty for none
	inset   float32
	chosen  bool
}

func newPressable(content fyne.CanvasObject, ground fyne.ThemeColorName, onTapped func()) *pressable {
	p := &pressable{content: content, ground: ground, inset: 4}
	p.onTapped = onTapped
	p.extend(p)
	return p
}

// setChosen marks p as the one that is open or selected.
func (p *pressable) setChosen(chosen bool) {
	if p.chosen != chosen {
		p.chosen = chosen
		p.Refresh()
	}
}

func (p *pressable) CreateRenderer() fyne.WidgetRenderer {
	// wash lies on the ground and says hovered or chosen.
	ground, wash, over := fynecanvas.NewRectangle(color.Transparent), fynecanvas.NewRectangle(color.Transparent), fynecanvas.NewRectangle(color.Transparent)
	ground.CornerRadius, wash.CornerRadius = 7, 7
	return newPainted(container.NewStack(ground, wash, inset(p.inset, p.content), over), func() {
		if p.ground != "" {
			ground.FillColor, ground.StrokeColor, ground.StrokeWidth = theme.Color(p.ground), theme.Color(colorBorder), 1
		}
		wash.FillColor, wash.StrokeWidth = color.Transparent, 0
		switch {
		case p.chosen:
			wash.FillColor = theme.Color(theme.ColorNameSelection)
		case p.hovered:
			wash.FillColor = theme.Color(theme.ColorNameHover)
		}
		if p.focused {
			wash.StrokeColor, wash.StrokeWidth = theme.Color(theme.ColorNamePrimary), 2
		}
		over.FillColor = color.Transparent
		if p.disabled { // a veil of the pane's colour dims whatever the content is
			over.FillColor = veil(theme.Color(colorSurface))
		}
	})
}

// veil is c at two thirds.
func veil(c color.Color) color.Color {
	const alpha = 0xa8
	n, ok := color.NRGBAModel.Convert(c).(color.NRGBA)
	if !ok {
		return color.Transparent
	}
	n.A = alpha
	return n
}

// hinted sets the space within p, and what it does in words, for the status line.
func (p *pressable) hinted(space float32, hint string, onHint func(string)) *pressable {
	p.inset, p.hint, p.onHint = space, hint, onHint
	return p
}

// iconButton is a small button that shows an icon and says in words, in the
// status line, what it does.
func iconButton(icon fyne.Resource, hint string, onHint func(string), onTapped func()) *pressable {
	return newPressable(widget.NewIcon(icon), "", onTapped).hinted(7, hint, onHint)
}

// chip is a small mark that can be pressed, such as the citation T1.
type chip struct {
	tappable
	text string
	lit  bool // what it stands for is selected
	link bool // it is a name in a text
}

func newChip(text string, onTapped func()) *chip {
	c := &chip{text: text}
	c.onTapped = onTapped
	c.extend(c)
	return c
}

// chipText is the size of its text.
const chipText = 12.5

func (c *chip) CreateRenderer() fyne.WidgetRenderer {
	insetX, insetY := float32(6), float32(1.5) // in Fyne units
	if c.link {
		insetX = 0
	}
	ground, text := fynecanvas.NewRectangle(color.Transparent), fynecanvas.NewText("", color.Black)
	text.TextSize, text.TextStyle.Bold, text.Alignment = chipText, true, fyne.TextAlignCenter
	ground.CornerRadius = 6
	within := container.New(margins{TopPadding: insetY, BottomPadding: insetY, LeftPadding: insetX, RightPadding: insetX}, text)
	return newPainted(container.NewStack(ground, within), func() {
		text.Text = c.text
		ground.FillColor, text.Color = theme.Color(colorChip), theme.Color(colorOnChip)
		if c.link {
			ground.FillColor, text.Color = color.Transparent, theme.Color(theme.ColorNameHyperlink)
			text.TextSize, text.TextStyle.Bold = theme.TextSize(), false
		}
		if c.hovered || c.lit {
			ground.FillColor, text.Color = theme.Color(colorLit), theme.Color(colorOnLit)
		}
		ground.StrokeWidth = 0
		if c.focused {
			ground.StrokeWidth, ground.StrokeColor = 2, theme.Color(theme.ColorNamePrimary)
		}
	})
}

// copyable offers to copy what it shows, by a click with the second button. It is
// no part of flow because Fyne gives every click to the innermost object that hears
// any: text that hears the second button would swallow the first within a pressable.
type copyable struct {
	widget.BaseWidget
	content fyne.CanvasObject
	onCopy  func()
}

func newCopyable(content fyne.CanvasObject, onCopy func()) *copyable {
	c := &copyable{content: content, onCopy: onCopy}
	c.ExtendBaseWidget(c)
	return c
}

func (c *copyable) TappedSecondary(e *fyne.PointEvent) {
	if on := fyne.CurrentApp().Driver().CanvasForObject(c); on != nil {
		copyThis := fyne.NewMenuItemWithIcon("Copy this sentence", theme.ContentCopyIcon(), c.onCopy)
		widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", copyThis), on, e.AbsolutePosition)
	}
}

func (c *copyable) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(c.content) }
