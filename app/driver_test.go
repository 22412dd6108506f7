//go:build xvfb

package app

import (
	"fmt"
	"image/color"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	fynecanvas "fyne.io/fyne/v2/canvas"
	"github.com/adrg/xdg"

	"cairn/engine"
)

// These tests drive the real window on a display of their own by the pointer and the
// keyboard, as xdotool sends them: `make test-window`. There is one window for all of
// them, on the main goroutine, in a home folder of its own.

var display *driven

// driven is the real window.
type driven struct{ *window }

func TestMain(m *testing.M) {
	home, err := os.MkdirTemp("", "cairn-window")
	if err != nil {
		panic(err)
	}
	for _, v := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"} {
		os.Setenv(v, filepath.Join(home, v))
	}
	os.Setenv("LANG", "en_US.UTF-8")
	xdg.Reload()
	w, err := realWindow(Options{Folder: home, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		panic(err)
	}
	w.setLook(lookLight)
	code := 1
	display = &driven{window: w}
	w.app.Lifecycle().SetOnStarted(func() {
		w.begin(nil)
		go func() {
			code = m.Run()
			fyne.Do(w.close)
		}()
	})
	w.win.ShowAndRun()
	w.end()
	os.RemoveAll(home)
	os.Exit(code)
}

func (d *driven) ui(f func()) { fyne.DoAndWait(f) }

// xdotool moves the pointer or presses keys.
func (d *driven) xdotool(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command("xdotool", args...).CombinedOutput(); err != nil {
		t.Fatalf("xdotool %v: %v %s", args, err, out)
	}
}

// point moves the pointer to a place of the window.
func (d *driven) point(t *testing.T, at fyne.Position) {
	t.Helper()
	scale := d.win.Canvas().Scale()
	d.xdotool(t, "mousemove", strconv.Itoa(int(at.X*scale)), strconv.Itoa(int(at.Y*scale)))
}

// pixels are what the display shows.
func (d *driven) pixels(t *testing.T) []byte {
	t.Helper()
	time.Sleep(120 * time.Millisecond) // for what was changed to be drawn
	out, err := exec.Command("import", "-window", "root", "-depth", "8", "rgb:-").Output()
	if err != nil {
		t.Fatalf("take a picture of the display: %v", err)
	}
	return out
}

// changed is how many pixels differ by more than a shade.
func changed(a, b []byte) int {
	const shade = 12
	n := 0
	for i := 0; i+2 < min(len(a), len(b)); i += 3 {
		for c := range 3 {
			if d := int(a[i+c]) - int(b[i+c]); d > shade || d < -shade {
				n++
				break
			}
		}
	}
	return n
}

// blink is as many pixels as a cursor that comes and goes has.
const blink = 70

// settle waits until the window stops changing, and returns what it says.
func (d *driven) settle() string {
	was := d.state()
	for range 60 {
		time.Sleep(70 * time.Millisecond)
		is := d.state()
		if is == was {
			break
		}
		was = is
	}
	return was
}

// roots are what the window shows: its content, and what lies over it, if anything
// does, which then takes all clicks.
func (d *driven) root() fyne.CanvasObject {
	if top := d.win.Canvas().Overlays().Top(); top != nil {
		return top
	}
	return d.win.Content()
}

// state is what the window shows, in words: every text with its place and colour,
// every icon, and what has the focus.
func (d *driven) state() string {
	var b strings.Builder
	d.ui(func() {
		for _, p := range append(seen(d.win.Content()), seen(d.root())...) {
			switch o := p.object.(type) {
			case *fynecanvas.Text:
				fmt.Fprintln(&b, o.Text, p.at, shadeOf(o.Color))
			case *fynecanvas.Image:
				if o.Resource != nil {
					fmt.Fprintln(&b, o.Resource.Name(), p.at)
				}
			}
		}
		fmt.Fprintf(&b, "focus %p, picture %v %v, lit %v\n", d.win.Canvas().Focused(), d.figure.figure.CanUndo(), d.figure.figure.CanRedo(), d.lit)
	})
	return b.String()
}

func shadeOf(c color.Color) string {
	r, g, b, a := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x%02x", r>>8, g>>8, b>>8, a>>8)
}

// target is something that can be pressed.
type target struct {
	name   string // its kind and its text
	at     fyne.Position
	object fyne.CanvasObject
}

// targets are what can be pressed and is in view; each is to be pressed in the middle
// of its text, or of itself where it has none.
func (d *driven) targets() []target {
	var found []target
	d.ui(func() {
		all := seen(d.root())
		for _, p := range all {
			_, taps := p.object.(fyne.Tappable)
			if can, ok := p.object.(fyne.Disableable); !taps || ok && can.Disabled() || p.object == d.root() {
				continue
			}
			if press, ok := p.object.(*pressable); ok && (press.disabled || press.onTapped == nil) {
				continue
			}
			if strings.HasPrefix(reflect.TypeOf(p.object).String(), "*widget.scroll") {
				continue
			}
			at, text := p.middle(), ""
			for _, within := range all {
				// The first text of what it holds, if it is not another's that lies over it.
				if c, ok := within.object.(*fynecanvas.Text); ok && c.Text != "" && len(text) < 40 && p.covers(within.middle()) && holds(p.object, within.object) {
					if text == "" {
						at = within.middle()
					}
					text += c.Text + " "
				}
			}
			if !p.covers(at) || !fits(d, at) {
				continue
			}
			found = append(found, target{strings.TrimPrefix(reflect.TypeOf(p.object).String(), "*") + " " + text + hintOf(p.object), at, p.object})
		}
	})
	return found
}

func fits(d *driven, at fyne.Position) bool {
	s := d.win.Canvas().Size()
	return at.X >= 0 && at.Y >= 0 && at.X < s.Width && at.Y < s.Height
}

// hintOf tells icon buttons apart.
func hintOf(o fyne.CanvasObject) string {
	if p, ok := o.(*pressable); ok && p.hint != "" {
		return " (" + p.hint + ")"
	}
	return ""
}

// holds reports whether an object is under another.
func holds(outer, inner fyne.CanvasObject) bool {
	return slices.ContainsFunc(seen(outer), func(p placed) bool { return p.object == inner })
}

// screen is a state of the window to begin from.
type screen struct {
	name string
	show func()
	// still are the names, or beginnings of them, of what rightly changes nothing: what is
	// chosen already, or a view that is as it should be.
	still []string
	least int // targets
}

// await waits for a condition on the UI goroutine.
func (d *driven) await(t *testing.T, what string, ready func() bool) {
	t.Helper()
	for range 400 {
		ok := false
		d.ui(func() { ok = ready() })
		if ok {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	t.Fatalf("%s: not within 10 s", what)
}

// TestRealWindowTextSize: larger text enlarges everything in a window of the same size.
func TestRealWindowTextSize(t *testing.T) {
	display.await(t, "the sample", func() bool { return display.session != nil })
	display.settle()
	pixels := func() (scale, width, height float32) {
		c := display.win.Canvas()
		return c.Scale(), c.Size().Width * c.Scale(), c.Size().Height * c.Scale()
	}
	var before, w, h float32
	display.ui(func() { before, w, h = pixels() })
	for _, size := range []textSize{textLargest, textNormal} {
		display.ui(func() { display.setTextSize(size) })
		display.await(t, string(size), func() bool {
			const rounded = 2
			scale, nw, nh := pixels()
			return scale > 0.9*before*textScales[size] && max(nw-w, w-nw, nh-h, h-nh) <= rounded
		})
	}
}

// begin puts a screen on.
func (d *driven) begin(t *testing.T, s screen) {
	t.Helper()
	d.ui(func() {
		for d.closeTop() {
		}
		d.setLook(lookLight)
		if d.prefs.textSize() != textNormal { // a click chose another
			d.setTextSize(textNormal)
		}
		d.tabs.choose(0)
		d.refreshGraph()
		if d.retriever().ID != engine.Auto {
			d.chooseRetriever(d.method(engine.Auto))
		}
		d.win.Canvas().Unfocus()
		s.show()
	})
	d.await(t, s.name, func() bool { return d.asking.cancel == nil && d.session != nil })
	d.ui(func() { d.win.Canvas().Unfocus() })
	d.settle()
}

// screens are the first ones that a user meets.
func (d *driven) screens() []screen {
	return []screen{
		{"the sample", func() {}, []string{"app.pressable Evidence"}, 18},
		{
			"an answer", func() { d.question.put("Which country borders Austria and Hungary and uses the euro?") },
			[]string{"app.pressable Evidence", "app.pressable ●", "app.pressable  (Fit", "app.pressable  (Lay"},
			25,
		},
		{
			"several readings", func() { d.question.put("What is the capital of Georgia?") },
			[]string{"app.pressable Evidence", "app.pressable ●", "app.pressable  (Fit", "app.pressable  (Lay"},
			25,
		},
		{"the import", func() { d.showImport(nil) }, []string{"app.pressable A new graph"}, 6},
		{"the settings", d.showSettings, []string{"app.pressable Light", "app.pressable Normal", "app.button Show"}, 12},
	}
}

// most is how many targets of a kind are tried: rows are alike.
const most = 3

func TestRealWindowHearsEveryClick(t *testing.T) {
	d := display
	d.await(t, "the sample", func() bool { return d.session != nil })
	tried := map[string]bool{} // also on a screen before
	for _, s := range d.screens() {
		d.point(t, fyne.NewPos(2, d.win.Canvas().Size().Height-2))
		d.begin(t, s)
		all := d.targets()
		if len(all) < s.least {
			t.Errorf("%s: only %d things to press: %v", s.name, len(all), all)
		}
		kinds, pressed, fresh := map[string]int{}, 0, true
		for _, aim := range all {
			kind, _, _ := strings.Cut(aim.name, " ")
			if kind != "app.pressable" {
				kinds[kind]++
			}
			if tried[aim.name] || kinds[kind] > most || slices.ContainsFunc(s.still, func(begins string) bool { return strings.HasPrefix(aim.name, begins) }) {
				continue
			}
			tried[aim.name] = true
			if !fresh {
				d.begin(t, s)
				now := d.targets()
				i := slices.IndexFunc(now, func(other target) bool { return other.name == aim.name })
				if i < 0 { // a row at the edge of what is in view
					continue
				}
				aim = now[i]
			}
			d.point(t, aim.at)
			was := d.settle()
			before := d.pixels(t)
			d.xdotool(t, "click", "1")
			for range 10 {
				time.Sleep(30 * time.Millisecond)
				if d.state() != was {
					break
				}
			}
			same := d.state() == was
			pixels := changed(before, d.pixels(t))
			fresh = same && pixels <= blink
			switch {
			case pixels <= blink:
				t.Errorf("%s: a click on %q at %v changes nothing on the display", s.name, aim.name, aim.at)
			case same && !strings.Contains(aim.name, "oom "): // zooming is in the picture only
				t.Errorf("%s: a click on %q at %v changes the display only", s.name, aim.name, aim.at)
			}
			pressed++
		}
		if pressed < s.least/5 {
			t.Errorf("%s: only %d things were pressed", s.name, pressed)
		}
		t.Logf("%s: %d things to press, %d of them pressed", s.name, len(all), pressed)
	}
}

func TestRealWindowWorksByKeys(t *testing.T) {
	d := display
	d.await(t, "the sample", func() bool { return d.session != nil })
	for _, s := range d.screens()[:2] {
		d.point(t, fyne.NewPos(2, d.win.Canvas().Size().Height-2))
		d.begin(t, s)
		before := d.pixels(t)
		want, inView := map[fyne.Focusable]string{}, map[fyne.Focusable]bool{}
		d.ui(func() {
			for _, p := range seen(d.win.Content()) {
				f, ok := p.object.(fyne.Focusable)
				if can, disables := p.object.(fyne.Disableable); !ok || disables && can.Disabled() {
					continue
				}
				if press, ok := p.object.(*pressable); ok && press.disabled {
					continue
				}
				if p.object != d.evidence.list && holds(d.evidence.list, p.object) { // the arrows go there
					continue
				}
				want[f] = fmt.Sprintf("%T%s at %v", f, hintOf(p.object), p.at)
				inView[f] = p.covers(p.middle())
			}
		})
		var at fyne.Focusable
		for range len(want) + 30 { // what is in rows of lists comes between
			if len(want) == 0 {
				break
			}
			was := at
			d.xdotool(t, "key", "Tab")
			for range 50 {
				time.Sleep(20 * time.Millisecond)
				if d.ui(func() { at = d.win.Canvas().Focused() }); at != was {
					break
				}
			}
			name, first := want[at]
			delete(want, at)
			if !first || !inView[at] {
				continue
			}
			after := d.pixels(t)
			if changed(before, after) < blink/2 {
				t.Errorf("%s: that the focus is on %s does not show", s.name, name)
			}
			before = after
		}
		for _, name := range want {
			t.Errorf("%s: Tab does not reach %s", s.name, name)
		}
	}
	for _, key := range []string{"Return", "space"} {
		d.begin(t, d.screens()[0])
		d.ui(d.focusAnswer)
		d.settle()
		d.xdotool(t, "key", key)
		d.await(t, key+" on a sample question", func() bool { return d.run != nil })
	}
}
