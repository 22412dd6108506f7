package canvas

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"cairn/canvas/paint"
)

// TestManyAnswersStandInOneFrame counts the frames, and the edges that are drawn:
// many answers to one question are one thing to look at, a few are not.
func TestManyAnswersStandInOneFrame(t *testing.T) {
	for _, c := range []struct {
		name          string
		m             Model
		frames, edges int
	}{
		{"one answer", starModel(1), 0, 1},
		{"twelve answers", starModel(12), 0, 12},
		{"thirteen answers", starModel(13), 1, 1},
		{"a hundred answers", starModel(100), 1, 1},
		{"two thousand answers", starModel(2000), 1, 1},
		{"two hops by shared middles", threeHopModel(), 5, 8 + 8 + 5},
		{"a drug for each way", asthmaModel(), 0, 13},
	} {
		s := sceneOf(t, c.m, 1200, 800, nil)
		if !s.cards() || len(s.grids.all) != c.frames {
			t.Errorf("%s: cards %t with %d frames, want cards with %d", c.name, s.cards(), len(s.grids.all), c.frames)
		}
		drawn := 0
		for e := range c.m.Edges {
			if !s.edgeHidden(e) {
				drawn++
			}
		}
		if drawn != c.edges {
			t.Errorf("%s: %d edges are drawn, want %d", c.name, drawn, c.edges)
		}
	}
}

// TestNoAnswerStandsInAChain checks that no edge runs through a card on its way,
// which would look as if one answer led to the next.
func TestNoAnswerStandsInAChain(t *testing.T) {
	for _, m := range []Model{starModel(9), starModel(40), starModel(100), threeHopModel(), bordersModel()} {
		s := sceneOf(t, m, 1200, 800, nil)
		ends := s.ends()
		for e, r := range s.ways() {
			if s.edgeHidden(e) {
				continue
			}
			for _, p := range samples(r.points) {
				for n := range m.Nodes {
					if n != m.Edges[e].From && n != m.Edges[e].To && ends[n] != ends[m.Edges[e].From] && ends[n] != ends[m.Edges[e].To] && ends[n].grown(-1).has(p) {
						t.Fatalf("%s: edge %s runs through %q", m.Title, m.Edges[e].ID, m.Nodes[n].Label)
					}
				}
			}
		}
	}
}

// TestTextIsReadableAtTheFittedZoom looks for text below 11 view pixels, in
// windows of all sizes and on screens of all scales. A question mark in a badge
// is a drawing.
func TestTextIsReadableAtTheFittedZoom(t *testing.T) {
	for _, m := range []Model{pathModel(), weighedModel(), threeHopModel(), asthmaModel(), oddModel(true), oddModel(false), starModel(9), starModel(40), starModel(2000), webModel(40), webModel(500)} {
		s := sceneOf(t, m, 740, 430, func(b *board) { b.hover = 1 })
		all := s.extent()
		for _, view := range []struct{ w, h float32 }{{740, 430}, {380, 260}, {1900, 1000}} {
			for _, px := range []float32{1, 1.5, 2} {
				s.px, s.lens.w, s.lens.h = px, view.w*px, view.h*px
				s.lens.camera = fitted(all.grown(fitMargin), view.w*px, view.h*px, fitZoom*px)
				s.draw()
				texts := 0
				for i := range s.list.Items {
					it := &s.list.Items[i]
					if it.Kind != paint.Text || it.Text == "?" {
						continue
					}
					if texts++; it.Size < 11*px-0.01 {
						t.Errorf("%s in %v at scale %v: %q is %.1f high", m.Title, view, px, it.Text, it.Size/px)
						break
					}
				}
				if texts == 0 {
					t.Errorf("%s in %v at scale %v has no text", m.Title, view, px)
				}
			}
		}
	}
}

// TestNamesAreWholeWhereThereIsRoom draws 39 films as the window does at its
// first size: none of the names is cut, the long ones take two lines.
func TestNamesAreWholeWhereThereIsRoom(t *testing.T) {
	m := starModel(39)
	for i, name := range []string{"The Bonfire of the Vanities", "Chicago Joe and the Showgirl", "I Bought a Vampire Motorcycle", "A Shock to the System", "Memento"} {
		m.Nodes[3*i+1].Label = name
	}
	v := shown(t, m)
	v.Resize(fyne.NewSize(740, 430))
	v.Relayout()
	v.compose(740, 430)
	var all []string
	for i := range v.scene.list.Items {
		if it := &v.scene.list.Items[i]; it.Kind == paint.Text {
			all = append(all, it.Text)
		}
	}
	text := strings.Join(all, " ")
	if strings.Contains(text, "…") {
		t.Errorf("a name is cut: %s", text)
	}
	for _, n := range m.Nodes {
		if !strings.Contains(text, n.Label) {
			t.Errorf("%q is not in the picture", n.Label)
		}
	}
}

// TestSmallCardsBreakNoWord makes cards smaller and smaller: what one shows of its name is
// whole words, or ends in an ellipsis.
func TestSmallCardsBreakNoWord(t *testing.T) {
	m := starModel(9)
	for i := range m.Nodes {
		m.Nodes[i].Role = Variable // each as wide as its own name
	}
	s := sceneOf(t, m, 900, 500, nil)
	cut := 0
	for zoom := float32(0.9); zoom > 0.3; zoom -= 0.01 {
		s.lens.zoom = zoom
		s.draw()
		for _, text := range texts(s.list) {
			if strings.HasSuffix(text, "…") {
				cut++
			}
			for i := range s.shapes {
				for w := range strings.FieldsSeq(s.shapes[i].label) {
					if len(text) < len(w) && (strings.HasPrefix(w, text) || strings.HasSuffix(w, text)) {
						t.Errorf("at %.2f, a card shows %q of %q", zoom, text, w)
					}
				}
			}
		}
	}
	if cut == 0 {
		t.Error("no card was too small for its name")
	}
}

// TestSmallPicturesSayWhatTheyShow zooms out until no card can hold its name: some
// names stand over the cards, and what a frame holds is said once.
func TestSmallPicturesSayWhatTheyShow(t *testing.T) {
	for _, c := range []struct {
		m    Model
		want []string
	}{
		{starModel(100), []string{"European Union", "100 × Country"}},
		{threeHopModel(), []string{"Tom Hanks", "5 × Film"}},
		{asthmaModel(), []string{"Asthma"}},
	} {
		s := sceneOf(t, c.m, 600, 300, nil)
		s.lens.zoom = 0.2
		s.draw()
		said := texts(s.list)
		for _, want := range c.want {
			if !slices.Contains(said, want) {
				t.Errorf("%s: the small picture does not say %q", c.m.Title, want)
			}
		}
	}
}

// TestNodesOfAFrameAreNodes selects one by a click and the next by a key, cites
// one, and drags one: its frame comes along.
func TestNodesOfAFrameAreNodes(t *testing.T) {
	v := shown(t, starModel(20))
	var told []string
	v.OnSelectNode = func(id string) { told = append(told, id) }
	v.click(v.middle("c3"), 0)
	v.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	if want := []string{"c3", "c4"}; !slices.Equal(told, want) {
		t.Errorf("a click and the arrow down select %v, want %v", told, want)
	}
	v.Highlight([]string{"e7"})
	v.compose(900, 600)
	if s := &v.scene; s.edges[0] != strong || s.nodes[8] != usual || s.nodes[9] != faint {
		t.Errorf("a citation lights the edge %v, its answer %v and another answer %v", s.edges[0], s.nodes[8], s.nodes[9])
	}
	if _, marked := v.scene.markOf(8); !marked {
		t.Error("the answer of a citation has no mark")
	}
	v.Highlight(nil)
	v.choose()
	before := slices.Clone(v.board.now.at)
	v.dragBy(v.middle("c3"), 30, 20, 0)
	for n := 2; n < len(before); n++ {
		if got, want := paint.Gap(before[n], v.board.now.at[n]), paint.Gap(before[1], v.board.now.at[1]); got == 0 || got-want > 0.1 || want-got > 0.1 {
			t.Fatalf("%s moved by %v, the first of its frame by %v", v.board.model.Nodes[n].ID, got, want)
		}
	}
	if v.board.now.at[0] != before[0] {
		t.Error("the question moved, too")
	}
}

// TestWhatIsLeftOutIsNoAnswer compares the card for what is not drawn with an
// answer: it has another shape, and no mark of an answer.
func TestWhatIsLeftOutIsNoAnswer(t *testing.T) {
	m := starModel(20)
	m.Nodes = append(m.Nodes, Node{ID: "more", Label: "+736 more", Role: Rest})
	m.Edges = append(m.Edges, Edge{ID: "more1", From: 21, To: 0, Label: "member of"})
	s := sceneOf(t, m, 1200, 800, nil)
	if g := s.grids.node[21]; g != 0 {
		t.Errorf("what is left out stands in frame %d, want that of the answers", g)
	}
	if got := s.grids.all[0].title(&m); got != "20 × Country" {
		t.Errorf("title of the frame = %q, want it to count the answers alone", got)
	}
	if said := texts(s.list); !slices.Contains(said, "×20") || !slices.Contains(said, "+736 more") {
		t.Error("the picture does not say how many answers it draws, and how many not")
	}
	if new(Model).roleName(Rest) == new(Model).roleName(Answer) {
		t.Error("what is left out is called an answer")
	}
}
