package canvas

import (
	"math"
	"time"
	"unicode"

	"cairn/canvas/paint"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

type dragMode int

const (
	noDrag dragMode = iota
	panDrag
	nodeDrag
	marqueeDrag
	miniDrag
)

// mouse is what the pointer is doing.
type mouse struct {
	mode   dragMode
	begun  bool // moved since the button went down
	button desktop.MouseButton
	add    bool // Ctrl or Shift was held
	down   paint.Point
	at     paint.Point
	node   int // pressed, -1
	edge   int // pressed, -1
	before state

	clickAt time.Time // of the last click, for double clicks
	clickOn paint.Point
}

func (m *mouse) reset() {
	m.mode, m.begun, m.node, m.edge, m.button = noDrag, false, -1, -1, 0
}

// band is the rubber band, in view pixels.
func (m *mouse) band() box {
	return box{min(m.down.X, m.at.X), min(m.down.Y, m.at.Y), max(m.down.X, m.at.X), max(m.down.Y, m.at.Y)}
}

func point(p fyne.Position) paint.Point { return paint.Point{X: p.X, Y: p.Y} }

// Reach of the pointer, in view pixels.
const (
	nodeReach = 4
	edgeReach = 7
)

// find returns what lies under a point of the view: a node or an edge, -1 for
// none. Nodes win.
func (v *View) find(p paint.Point) (node, edge int) {
	l := v.lens()
	if p.Y > l.h { // on the legend
		return -1, -1
	}
	w := l.world(p)
	node = v.board.nodeAt(w, nodeReach/l.zoom)
	if node >= 0 {
		return node, -1
	}
	return -1, v.board.edgeAt(w, edgeReach/l.zoom)
}

// MouseDown is called by Fyne.
func (v *View) MouseDown(ev *desktop.MouseEvent) {
	if c := v.windowCanvas(); c != nil {
		c.Focus(v)
	}
	v.press(point(ev.Position), ev.Button, ev.Modifier)
}

func (v *View) windowCanvas() fyne.Canvas {
	return fyne.CurrentApp().Driver().CanvasForObject(v)
}

func (v *View) press(p paint.Point, button desktop.MouseButton, mods fyne.KeyModifier) {
	v.settle()
	m := &v.mouse
	m.reset()
	m.button, m.down, m.at = button, p, p
	m.add = mods&(fyne.KeyModifierShift|fyne.KeyModifierShortcutDefault|fyne.KeyModifierControl) != 0
	if button == desktop.MouseButtonSecondary {
		return
	}
	if button == desktop.MouseButtonTertiary {
		m.mode = panDrag
		return
	}
	if v.mapBox().has(p) {
		m.mode = miniDrag
		v.goOnMap(p)
		return
	}
	m.node, m.edge = v.find(p)
	switch {
	case m.node >= 0:
		m.mode = nodeDrag
		if !m.add && !v.board.now.selected[m.node] {
			v.selectNodes([]int{m.node})
		}
	case mods&fyne.KeyModifierShift != 0:
		m.mode = marqueeDrag
	default:
		m.mode = panDrag
	}
}

// MouseUp is called by Fyne.
func (v *View) MouseUp(ev *desktop.MouseEvent) {
	m := &v.mouse
	if m.begun || m.button != desktop.MouseButtonPrimary || m.mode == miniDrag {
		v.DragEnd()
		return
	}
	p := point(ev.Position)
	node, edge, add := m.node, m.edge, m.add
	m.reset()
	if v.doubleClick(p) {
		v.open(node)
		return
	}
	switch {
	case node >= 0 && add:
		v.toggle(node)
	case node >= 0:
		if len(v.chosen()) > 1 {
			v.selectNodes([]int{node})
		}
	case edge >= 0:
		v.selectEdge(edge)
	case !add && (v.board.lit != nil || v.board.now.edge >= 0 || len(v.chosen()) > 0):
		v.selectNodes(nil)
	}
	v.repaint()
}

// doubleClick tells whether a click is the second of a pair.
func (v *View) doubleClick(p paint.Point) bool {
	m := &v.mouse
	again := time.Since(m.clickAt) < fyne.CurrentApp().Driver().DoubleTapDelay() && paint.Gap(p, m.clickOn) < 4
	m.clickAt, m.clickOn = time.Now(), p
	if again {
		m.clickAt = time.Time{}
	}
	return again
}

// open is what a double click does: it goes to a node, or shows everything.
func (v *View) open(node int) {
	if node < 0 {
		v.Fit()
		return
	}
	v.lookAt(v.board.bounds(node), max(v.board.now.camera.zoom, fitZoom))
}

// Dragged is called by Fyne.
func (v *View) Dragged(ev *fyne.DragEvent) {
	p := point(ev.Position)
	m := &v.mouse
	if m.mode == noDrag && m.button == 0 {
		// A driver that sends no MouseDown.
		v.press(paint.Point{X: p.X - ev.Dragged.DX, Y: p.Y - ev.Dragged.DY}, desktop.MouseButtonPrimary, 0)
	}
	v.drag(p, ev.Dragged.DX, ev.Dragged.DY)
}

func (v *View) drag(p paint.Point, dx, dy float32) {
	m := &v.mouse
	m.at = p
	zoom := v.board.now.camera.zoom
	switch m.mode {
	case panDrag:
		m.begun = true
		c := v.board.now.camera
		c.centre.X -= dx / zoom
		c.centre.Y -= dy / zoom
		v.see(c)
	case nodeDrag:
		if !m.begun {
			m.begun = true
			if !v.board.now.selected[m.node] {
				v.selectNodes([]int{m.node})
			}
			m.before = v.board.now
		}
		now := v.board.now
		now.move(&v.board.model, v.board.mates(v.chosen()), dx/zoom, dy/zoom)
		v.board.hover, v.board.over = -1, -1
		now.moved = true // or fitting would move the ground under the pointer
		v.show(now)
	case marqueeDrag:
		m.begun = true
		v.repaint()
	case miniDrag:
		m.begun = true
		v.goOnMap(p)
	case noDrag:
	}
}

// DragEnd is called by Fyne.
func (v *View) DragEnd() {
	m := &v.mouse
	mode, begun := m.mode, m.begun
	switch {
	case mode == nodeDrag && begun:
		after := v.board.now
		v.history.push(entry{name: "Move " + v.say(v.chosen()), kind: moveAction, before: m.before, after: after})
		v.changed()
	case mode == marqueeDrag && begun:
		v.lasso(m.band())
	case mode == panDrag && begun, mode == miniDrag:
		v.changed()
	}
	m.reset()
	v.repaint()
}

// lasso adds the nodes in a rectangle of the view to the selection.
func (v *View) lasso(b box) {
	l := v.lens()
	p, q := l.world(paint.Point{X: b.x0, Y: b.y0}), l.world(paint.Point{X: b.x1, Y: b.y1})
	area := box{p.X, p.Y, q.X, q.Y}
	v.selectWhere(func(i int) bool {
		return v.board.now.selected[i] || v.board.bounds(i).overlap(area) > 0
	})
}

// Scrolled is called by Fyne.
func (v *View) Scrolled(ev *fyne.ScrollEvent) {
	mods := modifiers()
	// A fast wheel multiplies its steps; a trackpad sends small ones.
	const most = 100
	dx := min(max(ev.Scrolled.DX, -most), most)
	dy := min(max(ev.Scrolled.DY, -most), most)
	if mods&(fyne.KeyModifierControl|fyne.KeyModifierSuper) != 0 || mods&fyne.KeyModifierShift == 0 && dx == 0 {
		v.see(v.lens().zoomedAt(point(ev.Position), float32(math.Exp(float64(dy)*0.005))))
		v.changed()
		return
	}
	if mods&fyne.KeyModifierShift != 0 && dx == 0 {
		dx, dy = dy, 0
	}
	c := v.board.now.camera
	c.centre.X -= dx * 2 / c.zoom
	c.centre.Y -= dy * 2 / c.zoom
	v.see(c)
	v.changed()
}

// modifiers are the keys held now; events of the wheel do not say.
func modifiers() fyne.KeyModifier {
	if d, ok := fyne.CurrentApp().Driver().(desktop.Driver); ok {
		return d.CurrentKeyModifiers()
	}
	return 0
}

// MouseIn is called by Fyne.
func (v *View) MouseIn(*desktop.MouseEvent) {}

// MouseOut is called by Fyne.
func (v *View) MouseOut() { v.hover(-1, -1) }

// MouseMoved is called by Fyne.
func (v *View) MouseMoved(ev *desktop.MouseEvent) {
	if v.glide != nil {
		return
	}
	p := point(ev.Position)
	if v.mapBox().has(p) {
		v.hover(-1, -1)
		return
	}
	v.hover(v.find(p))
}

// hover repaints only when the thing under the pointer changes.
func (v *View) hover(node, edge int) {
	if node == v.board.hover && edge == v.board.over {
		return
	}
	v.board.hover, v.board.over = node, edge
	v.repaint()
}

// Cursor is called by Fyne.
func (v *View) Cursor() desktop.Cursor {
	switch {
	case v.board.hover >= 0 || v.board.over >= 0:
		return desktop.PointerCursor
	case v.mouse.mode == marqueeDrag:
		return desktop.CrosshairCursor
	}
	return desktop.DefaultCursor
}

// TappedSecondary opens the context menu.
func (v *View) TappedSecondary(ev *fyne.PointEvent) {
	c := v.windowCanvas()
	if c == nil {
		return
	}
	v.settle()
	node, edge := v.find(point(ev.Position))
	if node >= 0 && !v.board.now.selected[node] {
		v.selectNodes([]int{node})
	}
	if edge >= 0 {
		v.selectEdge(edge)
	}
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", v.menuItems(node)...), c, ev.AbsolutePosition)
}

// menuItems are what can be done where the pointer is; node is -1 beside all of them.
func (v *View) menuItems(node int) []*fyne.MenuItem {
	var items []*fyne.MenuItem
	item := func(label string, enabled bool, do func()) {
		it := fyne.NewMenuItem(label, do)
		it.Disabled = !enabled
		items = append(items, it)
	}
	if node >= 0 {
		pin := "Pin (L)"
		if v.board.now.pinned[node] {
			pin = "Unpin (L)"
		}
		item(pin, true, v.pin)
		item("Hide (H)", true, v.hideSelected)
		item("Hide others (Shift+H)", true, v.hideOthers)
		if v.board.model.Nodes[node].Type != "" {
			item("Hide this type (T)", true, v.hideType)
		}
		item("Select neighbours (N)", true, v.selectNeighbours)
		items = append(items, fyne.NewMenuItemSeparator())
	}
	undo, redo := "Undo", "Redo"
	if v.CanUndo() {
		undo += ": " + v.history.entries[v.history.done-1].name
	}
	if v.CanRedo() {
		redo += ": " + v.history.entries[v.history.done].name
	}
	item("Fit to view (F)", true, v.Fit)
	item("Lay out again (F5)", true, v.Relayout)
	item("Release all pins", v.pinned() > 0, v.releasePins)
	item("Show hidden nodes (U)", v.hidden() > 0, v.showAll)
	items = append(items, fyne.NewMenuItemSeparator())
	item(undo, v.CanUndo(), v.Undo)
	item(redo, v.CanRedo(), v.Redo)
	return items
}

// FocusGained is called by Fyne.
func (v *View) FocusGained() {
	v.focused = true
	v.repaint()
}

// FocusLost is called by Fyne.
func (v *View) FocusLost() {
	v.focused = false
	v.repaint()
}

var runeActions = map[rune]func(*View){
	'+': (*View).ZoomIn, '=': (*View).ZoomIn,
	'-': (*View).ZoomOut, '_': (*View).ZoomOut,
	'0': (*View).Fit, 'f': (*View).Fit,
	'9': (*View).fitSelection,
	'h': (*View).hideSelected,
	'H': (*View).hideOthers, 'o': (*View).hideOthers,
	't': (*View).hideType,
	'u': (*View).showAll,
	'l': (*View).pin,
	'n': (*View).selectNeighbours,
	'e': func(v *View) {
		if c := v.board.now.cursor; c >= 0 {
			v.open(c)
		}
	},
}

// TypedRune is called by Fyne.
func (v *View) TypedRune(r rune) {
	do := runeActions[r]
	if do == nil {
		do = runeActions[unicode.ToLower(r)]
	}
	if do != nil {
		do(v)
	}
}

// TypedKey is called by Fyne.
func (v *View) TypedKey(ev *fyne.KeyEvent) {
	switch ev.Name {
	case fyne.KeyLeft, fyne.KeyRight, fyne.KeyUp, fyne.KeyDown:
		v.walk(ev.Name)
	case fyne.KeyReturn, fyne.KeyEnter:
		if v.board.now.cursor < 0 {
			v.walk(fyne.KeyRight) // to the middle one
			return
		}
		v.tellSelection()
	case fyne.KeyEscape:
		if v.board.lit == nil && v.board.now.edge < 0 && len(v.chosen()) == 0 {
			if c := v.windowCanvas(); c != nil && c.OnTypedKey() != nil {
				c.OnTypedKey()(ev) // it may stop what is under way
			}
			return
		}
		v.selectNodes(nil)
		v.repaint()
	case fyne.KeyF5:
		v.Relayout()
	case fyne.KeyHome:
		v.Fit()
	case fyne.KeyPageUp:
		v.zoom(1.1)
	case fyne.KeyPageDown:
		v.zoom(1 / 1.1)
	case fyne.KeyDelete:
		v.hideSelected()
	default:
	}
}

// pan moves the view by a share of its width and of its height.
func (v *View) pan(dx, dy float32) {
	l := v.lens()
	c := l.camera
	c.centre.X += dx * l.w / l.zoom
	c.centre.Y += dy * l.h / l.zoom
	v.moveView(c)
}

const (
	control = fyne.KeyModifierShortcutDefault
	panStep = 1. / 8
)

// shortcuts are those that the window has no command for.
var shortcuts = map[desktop.CustomShortcut]func(*View){
	{KeyName: fyne.KeyZ, Modifier: control | fyne.KeyModifierShift}: (*View).Redo,
	{KeyName: fyne.KeyA, Modifier: control | fyne.KeyModifierAlt}:   (*View).invertSelection,
	{KeyName: fyne.KeyLeft, Modifier: control}:                      func(v *View) { v.pan(-panStep, 0) },
	{KeyName: fyne.KeyRight, Modifier: control}:                     func(v *View) { v.pan(panStep, 0) },
	{KeyName: fyne.KeyUp, Modifier: control}:                        func(v *View) { v.pan(0, -panStep) },
	{KeyName: fyne.KeyDown, Modifier: control}:                      func(v *View) { v.pan(0, panStep) },
}

// TypedShortcut is called by Fyne while the view has the focus. What it does not
// know it hands on to the window.
func (v *View) TypedShortcut(s fyne.Shortcut) {
	switch s := s.(type) {
	case *fyne.ShortcutSelectAll:
		v.selectAll()
		return
	case *desktop.CustomShortcut:
		if do := shortcuts[*s]; do != nil {
			do(v)
			return
		}
	}
	if c, ok := v.windowCanvas().(fyne.Shortcutable); ok {
		c.TypedShortcut(s)
	}
}
