package canvas

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"
	"sync/atomic"
	"time"

	"cairn/canvas/layout"
	"cairn/canvas/paint"
	"cairn/internal/guard"
	"cairn/internal/wording"

	"fyne.io/fyne/v2"
	fynecanvas "fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

const (
	glideTime = 220 * time.Millisecond
	// arrangedAtOnce is how many nodes are laid out before SetModel returns; it
	// takes less than a frame. Larger models are laid out in the background.
	arrangedAtOnce = 40
	fitMargin      = 28
)

// View is a widget that shows a Model and lets the user work with it. Its
// methods must be called on the goroutine of the user interface; the work of
// large layouts is done elsewhere.
type View struct {
	widget.BaseWidget

	// OnSelectNode is told the node that was selected last, "" when none is.
	OnSelectNode func(id string)
	// OnSelectEdge is told the edge that was selected.
	OnSelectEdge func(id string)
	// OnChanged is told that something changed which menus may show: what can be
	// undone, the selection, what is hidden or pinned.
	OnChanged func()
	// OnFault is told of a panic; nil ignores it.
	OnFault func(error)

	fonts   *paint.Fonts
	board   *board
	history history
	scene   scene
	image   *image.RGBA

	raster *fynecanvas.Raster

	focused bool
	mouse   mouse

	glide   *glide
	tasks   *guard.Tasks
	closed  atomic.Bool
	layouts context.CancelFunc // of the layout that runs; nil when none does
	turn    int                // counts layouts; a late one is dropped
	loading bool               // the system's fonts
	later   func(func())       // runs something on the goroutine of the user interface
}

// NewView returns an empty view.
func NewView() *View {
	f, err := bundledFonts()
	if err != nil {
		panic(err) // the fonts are compiled in
	}
	v := &View{fonts: f, later: fyne.Do}
	v.board = newBoard(Model{}, f)
	v.scene.list = paint.NewList(f)
	v.tasks = guard.NewTasks(func(err error) { v.post(func() { v.failed(err) }) })
	v.ExtendBaseWidget(v)
	return v
}

// Close ends what the view does in the background, and waits for it. It may be called
// on any goroutine, and not twice at a time.
func (v *View) Close() {
	v.closed.Store(true)
	v.tasks.Stop()
}

// post runs f on the goroutine of the user interface, unless the view is closed.
func (v *View) post(f func()) {
	v.later(func() {
		if v.closed.Load() {
			return
		}
		err := guard.Do(func() error {
			f()
			return nil
		})
		v.failed(err)
	})
}

func (v *View) failed(err error) {
	if err != nil && v.OnFault != nil {
		v.OnFault(err)
	}
}

// SetModel shows a model. Nodes that were there before, by their ids, keep their
// place where the user had pinned it; the history begins anew. The view does not
// change m and the caller must not change its slices.
func (v *View) SetModel(m Model) {
	v.stopLayout()
	v.settle()
	old := v.board
	b := newBoard(m, v.fonts)
	start, known := make([]paint.Point, len(b.model.Nodes)), 0
	for i := range b.model.Nodes {
		start[i] = paint.Point{X: float32(math.NaN())}
		if j, ok := old.byID[b.model.Nodes[i].ID]; ok {
			start[i] = old.now.at[j]
			known++
			b.now.pinned[i] = old.now.pinned[j]
			b.now.hidden[i] = old.now.hidden[j]
			if b.now.pinned[i] {
				b.now.at[i] = start[i]
			}
		}
	}
	if known*2 < len(start) || known == 0 {
		start = nil // another picture: begin afresh
	}
	v.board = b
	v.history = history{}
	v.mouse.reset()
	v.arrange(start, true, v.glideInto)
	v.loadFonts()
	v.repaint()
	v.changed()
}

// glideInto moves the nodes to where a layout has them.
func (v *View) glideInto(a arrangement) {
	to := v.board.now
	to.at, to.bends = a.at, a.bends
	v.glideTo(to)
}

// arrange computes a layout and hands it to done, at once for a small model.
// fresh says that nothing is shown yet: a larger model is then scattered first.
func (v *View) arrange(start []paint.Point, fresh bool, done func(arrangement)) {
	v.stopLayout()
	size := v.room()
	p := v.board.plan(start, layout.Size{W: float64(size.Width), H: float64(size.Height)})
	if len(v.board.model.Nodes) <= arrangedAtOnce {
		if a, err := p.compute(context.Background()); err == nil {
			v.board.wear(a.worn)
			done(a)
		}
		return
	}
	if fresh {
		v.board.scatter(start)
		v.autoFit()
	}
	v.turn++
	turn := v.turn
	v.layouts = v.tasks.Go(func(ctx context.Context) {
		a, err := guard.Get(func() (arrangement, error) { return p.compute(ctx) })
		v.post(func() {
			if v.turn != turn || v.layouts == nil {
				return // another model or another layout came
			}
			v.layouts = nil
			if err != nil {
				v.failed(err)
				v.repaint()
				return
			}
			v.board.wear(a.worn)
			done(a)
			v.repaint()
		})
	})
}

// scatter puts nodes where they begin, or on a sunflower, so that there is
// something to look at until their layout is known.
func (b *board) scatter(start []paint.Point) {
	at := make([]paint.Point, len(b.now.at))
	for i := range at {
		angle, r := float64(i)*2.399963229728653, 34*math.Sqrt(float64(i))
		at[i] = paint.Point{X: float32(r * math.Cos(angle)), Y: float32(r * math.Sin(angle))}
		if start != nil && !math.IsNaN(float64(start[i].X)) {
			at[i] = start[i]
		}
	}
	b.now.at = at
	b.routes = nil
}

func (v *View) stopLayout() {
	if v.layouts != nil {
		v.layouts()
		v.layouts = nil
	}
}

// loadFonts looks for fonts of the system when the bundled ones lack characters.
func (v *View) loadFonts() {
	if v.loading || !v.fonts.WantsSystem() {
		return
	}
	v.loading = true
	v.tasks.Go(func(context.Context) {
		v.fonts.LoadSystem() // where it panics, it is not tried again
		v.post(func() {
			v.loading = false
			v.board.measure(v.fonts)
			v.board.routes = nil
			if v.history.done == 0 && v.layouts == nil { // widths have changed
				v.arrange(nil, false, v.glideInto)
			}
			v.repaint()
		})
	})
}

// Highlight lights the edges of a citation and dims the rest; no ids end it.
// What is out of view is brought into it. A selected edge is let go: what is lit is
// what is chosen.
func (v *View) Highlight(edgeIDs []string) {
	b := v.board
	b.now.edge = -1
	b.lit = nil
	chosen := make([]bool, len(b.model.Nodes))
	for _, id := range edgeIDs {
		e, ok := b.edgeID[id]
		if !ok {
			continue
		}
		if b.lit == nil {
			b.lit = make([]bool, len(b.model.Edges))
		}
		b.lit[e] = true
		chosen[b.model.Edges[e].From], chosen[b.model.Edges[e].To] = true, true
	}
	where := b.extentOf(func(i int) bool { return chosen[i] })
	if !where.empty() && b.now.moved && !v.lens().seen().holds(where) {
		v.lookAt(where, b.now.camera.zoom)
	}
	v.repaint()
}

// repaint asks for a new picture.
func (v *View) repaint() {
	if v.raster != nil {
		v.raster.Refresh()
	}
}

func (v *View) changed() {
	if v.OnChanged != nil {
		v.OnChanged()
	}
}

// lens is the camera before the view, in view pixels.
func (v *View) lens() lens {
	size := v.room()
	return lens{camera: v.board.now.camera, w: size.Width, h: size.Height}
}

// CreateRenderer is called by Fyne.
func (v *View) CreateRenderer() fyne.WidgetRenderer {
	v.raster = fynecanvas.NewRaster(v.paint)
	v.raster.ScaleMode = fynecanvas.ImageScalePixels
	return &renderer{v}
}

type renderer struct{ v *View }

func (r *renderer) Layout(size fyne.Size) {
	r.v.raster.Resize(size)
	r.v.autoFit()
}

func (r *renderer) MinSize() fyne.Size { return fyne.NewSize(240, 160) } // for a few cards
func (r *renderer) Refresh()           { r.v.repaint() }
func (r *renderer) Destroy()           { r.v.stopLayout() }
func (r *renderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.v.raster}
}

// legend is that of what is shown, below it. It is found again when the width or what is
// hidden changes.
func (v *View) legend() *legend {
	b, width := v.board, v.Size().Width-2*legendLeft
	if b.key == nil || b.keyWidth != width || len(b.now.hidden) > 0 && b.keyHidden != &b.now.hidden[0] {
		l := b.legend(v.fonts, width)
		if b.key, b.keyWidth = &l, width; len(b.now.hidden) > 0 {
			b.keyHidden = &b.now.hidden[0]
		}
	}
	return b.key
}

// room is the part of the view above the legend.
func (v *View) room() fyne.Size {
	return v.Size().SubtractWidthHeight(0, float32(v.legend().rows)*legendRow)
}

// autoFit shows everything, unless the user has chosen what to see.
func (v *View) autoFit() {
	if v.board.now.moved {
		return
	}
	v.board.now.camera = v.fitCamera()
}

func (v *View) fitCamera() camera {
	where, size := v.board.extent(), v.room()
	if where.empty() {
		return camera{zoom: 1}
	}
	if !v.board.cards() { // names stand beside the discs, and do not shrink with them
		size = size.SubtractWidthHeight(2*lineHeight, 2*lineHeight)
	}
	return fitted(where.grown(fitMargin), size.Width, size.Height, fitZoom)
}

// paint is the raster's generator: w and h are device pixels.
func (v *View) paint(w, h int) image.Image {
	if v.image == nil || v.image.Rect.Dx() != w || v.image.Rect.Dy() != h {
		v.image = image.NewRGBA(image.Rect(0, 0, w, h))
	}
	v.compose(float32(w), float32(h))
	v.scene.list.Raster(v.image, 2)
	v.loadFonts()
	return v.image
}

// compose fills the display list with what the view shows now.
func (v *View) compose(w, h float32) {
	s := &v.scene
	s.board, s.pal = v.board, ThemePalette()
	s.px = w / max(v.Size().Width, 1)
	s.lens = lens{camera: v.board.now.camera, w: w, h: v.room().Height * s.px}
	s.lens.zoom *= s.px
	s.draw()
	s.minimap(v.mapBox(), v.mapLens())
	s.marquee(&v.mouse)
	s.status(v.statusText())
	s.list.H = h
	s.list.RoundRect(0, s.lens.h, w, h-s.lens.h, 0, s.pal.Background, 0, s.pal.Background, 0)
	s.drawLegend(*v.legend(), legendLeft, s.lens.h/s.px+legendRow/2, s.px)
	if v.focused {
		s.list.RoundRect(0, 0, w, h, 3*s.px, color.NRGBA{}, 2*s.px, s.pal.Select, 0)
	}
}

// statusText says what the picture leaves out, or what is being done.
func (v *View) statusText() string {
	if v.layouts != nil {
		return fmt.Sprintf("Arranging %s nodes…", wording.Number(len(v.board.model.Nodes)))
	}
	switch hidden := v.hidden(); {
	case hidden > 0:
		return wording.Count(hidden, "node hidden", "nodes hidden")
	case len(v.board.model.Nodes) > dotsAbove:
		return wording.Count(len(v.board.model.Nodes), "node", "nodes") + ", " + wording.Count(len(v.board.model.Edges), "edge", "edges") + ": zoom in to read"
	}
	return ""
}

// status writes a line into the lower left corner.
func (s *scene) status(text string) {
	if text == "" {
		return
	}
	size := 11.5 * s.px
	w := s.list.Measure(text, size, false)
	h := 24 * s.px
	y := s.lens.h - h - 10*s.px
	s.list.RoundRect(10*s.px, y, w+20*s.px, h, h/2, s.pal.Card, s.px, s.pal.Line, 0)
	s.list.Text(text, paint.Point{X: 20 * s.px, Y: y + h/2 + size*0.36}, size, false, s.pal.Text)
}

// marquee draws the rubber band.
func (s *scene) marquee(m *mouse) {
	if m.mode != marqueeDrag {
		return
	}
	b := m.band()
	fill := mix(s.pal.Background, s.pal.Select, 0.5)
	fill.A = 50
	s.list.RoundRect(b.x0*s.px, b.y0*s.px, b.w()*s.px, b.h()*s.px, 2*s.px, fill, 0, fill, 0)
	s.list.RoundRect(b.x0*s.px, b.y0*s.px, b.w()*s.px, b.h()*s.px, 2*s.px, color.NRGBA{}, 1.2*s.px, s.pal.Select, 5*s.px)
}

// The interfaces a View has, checked by the compiler. DoubleTappable is left out
// on purpose: with it Fyne delays every tap.
var (
	_ fyne.Widget            = (*View)(nil)
	_ fyne.Draggable         = (*View)(nil)
	_ fyne.Scrollable        = (*View)(nil)
	_ fyne.Focusable         = (*View)(nil)
	_ fyne.Shortcutable      = (*View)(nil)
	_ fyne.SecondaryTappable = (*View)(nil)
	_ desktop.Mouseable      = (*View)(nil)
	_ desktop.Hoverable      = (*View)(nil)
	_ desktop.Cursorable     = (*View)(nil)
)
