package canvas

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cairn/canvas/paint"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"github.com/google/go-cmp/cmp"
)

// shown returns a view with a model in a window of 900×600.
func shown(t *testing.T, m Model) *View {
	t.Helper()
	test.NewTempApp(t)
	v := NewView()
	w := test.NewTempWindow(t, v)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(900, 600))
	v.SetModel(m)
	return v
}

// middle is where a node is on screen.
func (v *View) middle(id string) fyne.Position {
	p := v.lens().project(v.board.now.at[v.board.byID[id]])
	return fyne.NewPos(p.X, p.Y)
}

// selection are the ids of the selected nodes.
func (v *View) selection() (ids []string) {
	for _, i := range v.chosen() {
		ids = append(ids, v.board.model.Nodes[i].ID)
	}
	return ids
}

// choose selects nodes by their ids.
func (v *View) choose(ids ...string) {
	var nodes []int
	for _, id := range ids {
		nodes = append(nodes, v.board.byID[id])
	}
	v.selectNodes(nodes)
}

func (v *View) click(p fyne.Position, mods fyne.KeyModifier) {
	ev := &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: p}, Button: desktop.MouseButtonPrimary, Modifier: mods}
	v.MouseDown(ev)
	v.MouseUp(ev)
	v.mouse.clickAt = v.mouse.clickAt.Add(-1e10) // the next click is no double click
}

func (v *View) dragBy(p fyne.Position, dx, dy float32, mods fyne.KeyModifier) {
	ev := &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: p}, Button: desktop.MouseButtonPrimary, Modifier: mods}
	v.MouseDown(ev)
	for range 2 {
		p = p.AddXY(dx/2, dy/2)
		v.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: p}, Dragged: fyne.NewDelta(dx/2, dy/2)})
	}
	ev.Position = p
	v.MouseUp(ev)
	v.DragEnd()
}

func TestViewFitsModelIntoWindow(t *testing.T) {
	v := shown(t, asthmaModel())
	all := v.board.extent()
	seen := v.lens().seen()
	if seen.x0 > all.x0 || seen.y0 > all.y0 || seen.x1 < all.x1 || seen.y1 < all.y1 {
		t.Errorf("view shows %v of %v", seen, all)
	}
	v.Resize(fyne.NewSize(400, 300))
	seen = v.lens().seen()
	if seen.x0 > all.x0 || seen.y0 > all.y0 || seen.x1 < all.x1 || seen.y1 < all.y1 {
		t.Errorf("after a resize view shows %v of %v", seen, all)
	}
}

func TestClickSelectsNodeEdgeAndNothing(t *testing.T) {
	v := shown(t, pathModel())
	var log []string
	v.OnSelectNode = func(id string) { log = append(log, "node "+id) }
	v.OnSelectEdge = func(id string) { log = append(log, "edge "+id) }
	v.click(v.middle("lotr"), 0)
	p := v.lens().project(v.board.ways()[1].label)
	v.click(fyne.NewPos(p.X, p.Y), 0)
	v.click(fyne.NewPos(5, 5), 0)
	if diff := cmp.Diff([]string{"node lotr", "edge e2", "node "}, log); diff != "" {
		t.Errorf("callbacks differ (-want +got):\n%s", diff)
	}
}

func TestCtrlClickToggles(t *testing.T) {
	v := shown(t, pathModel())
	v.click(v.middle("lotr"), 0)
	v.click(v.middle("film"), fyne.KeyModifierControl)
	if diff := cmp.Diff([]string{"lotr", "film"}, v.selection()); diff != "" {
		t.Errorf("after Ctrl+click selection differs:\n%s", diff)
	}
	v.click(v.middle("lotr"), fyne.KeyModifierShift)
	if diff := cmp.Diff([]string{"film"}, v.selection()); diff != "" {
		t.Errorf("after Shift+click on a selected node selection differs:\n%s", diff)
	}
}

func TestMarqueeSelects(t *testing.T) {
	v := shown(t, pathModel())
	v.dragBy(fyne.NewPos(2, 2), 890, 590, fyne.KeyModifierShift)
	if got := len(v.selection()); got != 3 {
		t.Errorf("marquee over everything selects %d nodes, want 3", got)
	}
}

func TestDragMovesAndPins(t *testing.T) {
	v := shown(t, pathModel())
	before := v.middle("lotr")
	v.dragBy(before, 60, 40, 0)
	after := v.middle("lotr")
	if dx, dy := after.X-before.X, after.Y-before.Y; dx < 59 || dx > 61 || dy < 39 || dy > 41 {
		t.Errorf("dragged node moved by %v, %v, want 60, 40", dx, dy)
	}
	if v.pinned() != 1 {
		t.Errorf("pinned nodes = %d, want 1", v.pinned())
	}
	v.Relayout()
	if got := v.board.now.at[1]; got != v.lens().world(point(v.middle("lotr"))) && !v.board.now.pinned[1] {
		t.Errorf("arranging moved a pinned node to %v", got)
	}
	v.Undo()
	v.Undo()
	if got := v.middle("lotr"); got != before {
		t.Errorf("after undo node is at %v, want %v", got, before)
	}
}

func TestWheelZoomsAtTheCursor(t *testing.T) {
	v := shown(t, pathModel())
	at := fyne.NewPos(200, 150)
	before := v.lens().world(point(at))
	v.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: at}, Scrolled: fyne.NewDelta(0, 5000)})
	after := v.lens().world(point(at))
	if paint.Gap(before, after) > 0.01 {
		t.Errorf("the point under the cursor moved from %v to %v", before, after)
	}
	if z := v.board.now.camera.zoom; z < 1.5 || z > 3 {
		t.Errorf("zoom after a wild wheel = %v, want one clamped step", z)
	}
}

func TestArrowsWalkAlongThePath(t *testing.T) {
	v := shown(t, pathModel())
	v.choose("tolkien")
	var told []string
	v.OnSelectNode = func(id string) { told = append(told, id) }
	v.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	v.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	v.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight}) // nothing there
	v.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
	if diff := cmp.Diff([]string{"lotr", "film", "lotr"}, told); diff != "" {
		t.Errorf("walk differs:\n%s", diff)
	}
}

func TestHideOthersAndShowAll(t *testing.T) {
	v := shown(t, asthmaModel())
	v.choose("asthma", "mast")
	v.TypedRune('H')
	if v.hidden() != 12 {
		t.Errorf("hidden = %d, want 12", v.hidden())
	}
	v.TypedRune('u')
	if v.hidden() != 0 {
		t.Errorf("hidden after show all = %d, want 0", v.hidden())
	}
}

// TestUndoingEverythingRestoresTheStart does random things, takes all of them
// back and does all of them again.
func TestUndoingEverythingRestoresTheStart(t *testing.T) {
	for seed := range uint64(12) {
		v := shown(t, []Model{asthmaModel(), webModel(12), starModel(30)}[seed%3])
		r := rand.New(rand.NewPCG(seed, 1))
		start := v.board.now
		did := []string{}
		for range 60 {
			did = append(did, v.random(r))
		}
		end := v.board.now
		for v.CanUndo() {
			v.Undo()
		}
		if !v.board.now.same(&start) {
			t.Errorf("seed %d: after %v and undoing all, the state differs from the first", seed, did)
		}
		for v.CanRedo() {
			v.Redo()
		}
		if !v.board.now.same(&end) {
			t.Errorf("seed %d: after redoing all, the state differs from the last", seed)
		}
	}
}

// random does one thing that a user may do.
func (v *View) random(r *rand.Rand) string {
	node := v.board.model.Nodes[r.IntN(len(v.board.model.Nodes))].ID
	somewhere := fyne.NewPos(r.Float32()*900, r.Float32()*600)
	switch k := r.IntN(16); k {
	case 0, 1:
		v.dragBy(v.middle(node), r.Float32()*100-50, r.Float32()*100-50, 0)
		return "drag " + node
	case 2:
		v.dragBy(somewhere, r.Float32()*300-150, 40, 0)
		return "drag from " + fmt.Sprint(somewhere)
	case 3:
		v.dragBy(somewhere, 200, 200, fyne.KeyModifierShift)
		return "marquee"
	case 4, 5:
		v.click(v.middle(node), 0)
		return "click " + node
	case 6:
		v.click(somewhere, fyne.KeyModifierControl)
		return "ctrl click"
	case 7:
		v.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: somewhere}, Scrolled: fyne.NewDelta(0, r.Float32()*100-50)})
		return "wheel"
	case 8:
		v.hideSelected()
		return "hide"
	case 9:
		v.showAll()
		return "show all"
	case 10:
		v.Relayout()
		return "arrange"
	case 11:
		v.pin()
		return "pin"
	case 12:
		v.releasePins()
		return "release pins"
	case 13:
		v.Fit()
		return "fit"
	case 14:
		v.TypedKey(&fyne.KeyEvent{Name: []fyne.KeyName{fyne.KeyLeft, fyne.KeyRight, fyne.KeyUp, fyne.KeyDown}[r.IntN(4)]})
		return "walk"
	default:
		if r.IntN(2) == 0 {
			v.Undo()
			return "undo"
		}
		v.hideType()
		return "hide type"
	}
}

func TestHighlightDimsTheRest(t *testing.T) {
	v := shown(t, asthmaModel())
	v.Highlight([]string{"e0", "e3", "nonsense"})
	v.compose(900, 600)
	var strongs, faints int
	for _, l := range v.scene.edges {
		switch l {
		case strong:
			strongs++
		case faint:
			faints++
		default:
		}
	}
	if strongs != 2 || faints != len(v.board.model.Edges)-2 {
		t.Errorf("Highlight lights %d edges and dims %d, want 2 and the rest", strongs, faints)
	}
	v.Highlight(nil)
	v.compose(900, 600)
	for _, l := range v.scene.edges {
		if l != usual {
			t.Error("an edge stands out after the highlight ended")
		}
	}
}

// litEdges are the ids of the edges that stand out.
func litEdges(v *View) []string {
	v.compose(900, 600)
	var lit []string
	for e, l := range v.scene.edges {
		if l == strong || e == v.board.now.edge {
			lit = append(lit, v.board.model.Edges[e].ID)
		}
	}
	return lit
}

func TestOneEdgeIsChosenWhicheverWay(t *testing.T) {
	v := shown(t, pathModel())
	told := "none"
	v.OnSelectNode = func(string) { told = "none" }
	v.OnSelectEdge = func(id string) { told = id }
	check := func(when, want string) {
		t.Helper()
		var lit []string
		if want != "none" {
			lit = []string{want}
		}
		if diff := cmp.Diff(lit, litEdges(v)); diff != "" {
			t.Errorf("%s the lit edges differ (-want +got):\n%s", when, diff)
		}
		if told != want {
			t.Errorf("%s the view says that %q is chosen, want %q", when, told, want)
		}
	}
	click := func(e int) {
		p := v.lens().project(v.board.ways()[e].label)
		v.click(fyne.NewPos(p.X, p.Y), 0)
	}
	v.Highlight([]string{"e1"})
	click(1)
	check("after a click on another edge than the lit one", "e2")
	v.Highlight([]string{"e1"})
	told = "e1" // by whoever lit it
	check("after lighting another edge than the clicked one", "e1")
	v.click(fyne.NewPos(5, 5), 0)
	check("after a click beside everything", "none")
	click(0)
	click(1)
	v.Undo()
	check("after undoing", told)
}

func TestHueIsOfTheTypeAndNotOfTheOrder(t *testing.T) {
	hues := map[string]int{}
	for _, labels := range [][]string{{"A", "B", "C"}, {"C", "A"}, {"B", "C", "A"}} {
		var m Model
		for _, l := range labels {
			m.Nodes = append(m.Nodes, Node{ID: l, Label: l, Type: "type " + l, Hue: int(l[0]-'A') + 4})
		}
		for i, s := range newBoard(m, NewView().fonts).shapes {
			if was, ok := hues[labels[i]]; ok && was != s.hue {
				t.Errorf("type %s has hue %d in one picture and %d in another", labels[i], was, s.hue)
			}
			hues[labels[i]] = s.hue
		}
	}
}

func TestSetModelKeepsPinnedPlaces(t *testing.T) {
	v := shown(t, asthmaModel())
	v.dragBy(v.middle("mast"), 30, 90, 0)
	where := v.board.now.at[v.board.byID["mast"]]
	m := asthmaModel()
	m.Nodes = append(m.Nodes, Node{ID: "new", Label: "Histamine", Type: "Compound"})
	m.Edges = append(m.Edges, Edge{ID: "new", From: 3, To: len(m.Nodes) - 1, Label: "releases"})
	v.SetModel(m)
	if got := v.board.now.at[v.board.byID["mast"]]; got != where {
		t.Errorf("pinned node is at %v after SetModel, want %v", got, where)
	}
	if v.CanUndo() {
		t.Error("a new model can be undone")
	}
}

func TestLargeModelIsArrangedInTheBackground(t *testing.T) {
	v := shown(t, Model{})
	queue := make(chan func(), 8)
	v.later = func(f func()) { queue <- f }
	v.SetModel(webModel(400))
	if v.layouts == nil {
		t.Fatal("400 nodes were laid out at once")
	}
	v.compose(900, 600)
	if !slices.Contains(texts(v.scene.list), "Arranging 400 nodes…") {
		t.Error("the view does not say that it is arranging")
	}
	v.SetModel(webModel(300)) // the first layout is dropped
	for v.layouts != nil {
		(<-queue)()
	}
	if n := len(v.board.now.at); n != 300 {
		t.Errorf("view shows %d nodes, want 300", n)
	}
	start := v.board.now
	v.Relayout()
	for v.layouts != nil {
		(<-queue)()
	}
	v.Undo()
	if !v.board.now.same(&start) {
		t.Error("undoing an arrangement does not restore the places")
	}
}

func TestEdgesCanBeHit(t *testing.T) {
	for _, m := range []Model{asthmaModel(), oddModel(true), oddModel(false), webModel(120)} {
		b, err := arranged(m, NewView().fonts)
		if err != nil {
			t.Fatal(err)
		}
		missed := 0
		for e := range b.model.Edges {
			var scratch [4]paint.Point
			points := b.discWay(e, &scratch)
			if b.cards() {
				points = b.ways()[e].points
			}
			middle := samples(points)[8]
			if got := b.edgeAt(middle, 6); got < 0 {
				missed++
			}
		}
		if missed > 0 {
			t.Errorf("%s: %d edges cannot be hit", m.Title, missed)
		}
	}
}

func TestPictureKeepsWhatTheUserArranged(t *testing.T) {
	v := shown(t, asthmaModel())
	v.dragBy(v.middle("mast"), 10, 120, 0)
	v.choose("il6", "tnf")
	v.hideSelected()
	var out strings.Builder
	if err := v.Picture().WriteSVG(&out, LightPalette()); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), "TNF") || !strings.Contains(out.String(), "Mast cell") {
		t.Error("the picture shows hidden nodes, or lacks others")
	}
	if err := v.Picture().WritePNG(io.Discard, LightPalette()); err != nil {
		t.Error(err)
	}
}

func TestEmptyView(t *testing.T) {
	v := shown(t, Model{})
	v.compose(900, 600)
	if v.Hide(); v.Visible() {
		t.Error("a view cannot be hidden")
	}
	for _, act := range []func(){v.Fit, v.ZoomIn, v.hideSelected, v.Relayout, v.selectAll, v.Undo, v.Redo, func() { v.walk(fyne.KeyLeft) }} {
		act() // nothing there, nothing happens
	}
}

func texts(l *paint.List) []string {
	var out []string
	for i := range l.Items {
		if l.Items[i].Kind == paint.Text {
			out = append(out, l.Items[i].Text)
		}
	}
	return out
}

// TestViewHasALegend: below the picture stands what the marks in it mean, and no others; what
// lies under the pointer there is no part of the picture.
func TestViewHasALegend(t *testing.T) {
	m := Model{Layered: true, Tags: "cited triple", Nodes: []Node{{ID: "a", Label: "Peru", Role: Known}, {ID: "b", Label: "Lima", Role: Answer}, {ID: "c", Label: "Callao", Role: Variable}}, Edges: []Edge{
		{ID: "1", From: 0, To: 1, Label: "capital", Tag: "T1"}, {ID: "2", From: 0, To: 2, Label: "port"},
	}}
	v := shown(t, m)
	legend := func() (texts []string) {
		v.compose(900, 600)
		for _, it := range v.scene.list.Items {
			if it.Kind == paint.Text && it.P[0].Y > v.room().Height {
				texts = append(texts, it.Text)
			}
		}
		return texts
	}
	if diff := cmp.Diff([]string{"In the question", "?", "Found on the way", "Answer", "T1", "Cited triple"}, legend()); diff != "" {
		t.Errorf("the legend (-want +got):\n%s", diff)
	}
	if v.board.extent().grown(1).y1 > v.lens().seen().y1 {
		t.Error("the picture does not fit above its legend")
	}
	v.choose("c")
	v.hideSelected()
	if got := legend(); slices.Contains(got, "Found on the way") {
		t.Errorf("the legend explains what is hidden: %q", got)
	}
	v.board.now.at[0] = v.lens().world(paint.Point{X: 450, Y: 590})
	if node, edge := v.find(paint.Point{X: 450, Y: 590}); node >= 0 || edge >= 0 {
		t.Errorf("on the legend lies node %d, edge %d", node, edge)
	}
	v.SetModel(Model{})
	if got := legend(); len(got) != 0 {
		t.Errorf("an empty picture has a legend: %q", got)
	}
}
