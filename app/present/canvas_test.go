package present

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/canvas"
	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/pattern"
)

func TestCanvasModelMergesEntitiesAndTagsEdges(t *testing.T) {
	g, run := films(t, 3)
	m := CanvasModel(g, run)
	if got, want := len(m.Nodes), 1+3+3; got != want {
		t.Fatalf("CanvasModel: %d nodes, want %d (the director once)", got, want)
	}
	if got, want := len(m.Edges), 6; got != want {
		t.Fatalf("CanvasModel: %d edges, want %d", got, want)
	}
	roles := map[canvas.Role]int{}
	for _, n := range m.Nodes {
		roles[n.Role]++
	}
	if roles[canvas.Known] != 1 || roles[canvas.Variable] != 3 || roles[canvas.Answer] != 3 {
		t.Errorf("CanvasModel roles = %v, want 1 known, 3 variable, 3 answer", roles)
	}
	for i, e := range m.Edges {
		if want := Tag(i + 1); e.Tag != want {
			t.Errorf("edge %d: tag %q, want %q", i, e.Tag, want)
		}
		triple, ok := TripleOf(e.ID)
		if !ok {
			t.Fatalf("TripleOf(%q) not found", e.ID)
		}
		tr := g.Triple(triple)
		if m.Nodes[e.From].ID != NodeID(tr.Head) || m.Nodes[e.To].ID != NodeID(tr.Tail) {
			t.Errorf("edge %d does not lie on its triple", i)
		}
	}
	if !m.Layered {
		t.Error("CanvasModel of a chain is not layered")
	}
}

// TestCanvasModelKeepsTheOrderOfTheAnswer: a ranking is drawn from first to last.
func TestCanvasModelKeepsTheOrderOfTheAnswer(t *testing.T) {
	g, run := films(t, 3)
	slices.Reverse(run.Answer.Items)
	var got, want []string
	for _, n := range CanvasModel(g, run).Nodes {
		if n.Role == canvas.Answer {
			got = append(got, n.Label)
		}
	}
	for _, it := range run.Answer.Items {
		want = append(want, it.Label)
	}
	if diff := cmp.Diff(want, got); diff != "" || len(want) != 3 {
		t.Errorf("CanvasModel draws another order (-want +got):\n%s", diff)
	}
}

func TestCanvasModelSaysHowManyAreLeftOut(t *testing.T) {
	g, run := films(t, 77)
	m := CanvasModel(g, run)
	if len(m.Nodes) > maxDrawnNodes+5 {
		t.Errorf("CanvasModel: %d nodes, want at most about %d", len(m.Nodes), maxDrawnNodes)
	}
	last := m.Nodes[len(m.Nodes)-1]
	if last.ID != MoreNodeID || last.Label != "+63 more" {
		t.Errorf("last node = %q %q, want %q %q", last.ID, last.Label, MoreNodeID, "+63 more")
	}
	joined := false
	for _, e := range m.Edges {
		joined = joined || m.Nodes[e.To].ID == MoreNodeID || m.Nodes[e.From].ID == MoreNodeID
	}
	if !joined {
		t.Error("the node for what is left out is joined to nothing")
	}
}

func TestCanvasModelOfRefusal(t *testing.T) {
	g, run := films(t, 2)
	closest := run.Candidates[0]
	closest.Nodes = []kg.EntityID{closest.Nodes[0], closest.Nodes[1], kg.NoEntity}
	closest.Edges = []kg.TripleID{closest.Edges[0], kg.NoTriple}
	run.Candidates = nil
	run.Answer = &answer.Answer{Refusal: &answer.Refusal{Reason: "no match", Closest: []evidence.Candidate{closest}}}
	if m := CanvasModel(g, run); len(m.Nodes) != 2 || len(m.Edges) != 1 {
		t.Errorf("CanvasModel of a near miss: %d nodes, %d edges, want 2, 1", len(m.Nodes), len(m.Edges))
	}
	run.Answer.Refusal.Closest = nil
	m := CanvasModel(g, run)
	if len(m.Nodes) != 3 || m.Nodes[2].Role != canvas.Answer || m.Nodes[2].Label != "?year" {
		t.Errorf("CanvasModel without evidence = %+v, want the pattern", m.Nodes)
	}
	if !PicturesPattern(run) {
		t.Error("PicturesPattern = false, want true")
	}
	run.Pattern().Nodes[2] = pattern.Node{Text: "1940"} // as the other end of a path
	if m := CanvasModel(g, run); m.Nodes[2].Role != canvas.Known {
		t.Errorf("what is asked and named is drawn as %v, want what the question names", m.Nodes[2].Role)
	}
	run.Reading = -1
	if m := CanvasModel(g, run); len(m.Nodes) != 0 {
		t.Errorf("CanvasModel without a reading: %d nodes, want 0", len(m.Nodes))
	}
}

func TestEvidenceRowsCarryTheirShare(t *testing.T) {
	g, run := films(t, 3)
	rows := EvidenceRows(g, run)
	if len(rows) != 6 {
		t.Fatalf("EvidenceRows: %d rows, want 6", len(rows))
	}
	r := rows[1]
	if r.Number != 2 || r.Head != "Film 0" || r.Relation != "release year" || r.Tail != "1940" {
		t.Errorf("row 2 = %+v", r)
	}
	want := []string{
		"0.150  relation “release year” matched “release year”", "0.000  ?film is “Film 0”", "0.000  ?year is “1940”",
		"Its match: distance 0.250 (0 is exact, lower is closer); used by 1 match.",
	}
	if diff := cmp.Diff(want, r.Lines); diff != "" {
		t.Errorf("row 2 says (-want +got):\n%s", diff)
	}
}

func TestPatternTableAddsUp(t *testing.T) {
	g, run := films(t, 1)
	rows, total := PatternTable(g, run.Pattern(), run.Candidates[0])
	var sum float64
	for _, r := range rows {
		sum += r.Distance
	}
	if len(rows) != 5 || sum != total {
		t.Errorf("PatternTable: %d rows summing to %v, want 5 rows and %v", len(rows), sum, total)
	}
}

func TestCanvasModelDrawsWhatRefutes(t *testing.T) {
	g, run := films(t, 2)
	p := run.Pattern()
	p.Task, p.Asked = pattern.Verify, -1
	run.Candidates = nil
	run.Answer = &answer.Answer{Verdict: answer.Refuted, Pack: evidence.Pack{Triples: []kg.TripleID{0}}}
	m := CanvasModel(g, run)
	if len(m.Edges) != 1 || m.Edges[0].Tag != "T1" || m.Nodes[m.Edges[0].To].Role != canvas.Known {
		t.Errorf("CanvasModel of a refuted claim = %+v, want the triple that refutes it", m)
	}
	if PicturesPattern(run) {
		t.Error("PicturesPattern = true for a picture of evidence")
	}
}

func TestTypesKeepTheirColours(t *testing.T) {
	var b kg.Builder
	for _, x := range [][2]string{{"Vienna", "city"}, {"Austria", "country"}, {"Georgia", "country"}} {
		b.AddType(b.Entity(x[0]), x[1])
	}
	b.Add("Vienna", "capital_of", "Austria")
	g := b.Graph()
	hues := map[kg.EntityID]int{}
	for _, order := range [][]kg.EntityID{{0, 1, 2}, {2, 1, 0}, {1}, {2, 0}} {
		d := drawing{g: g, node: map[kg.EntityID]int{}}
		for _, e := range order {
			n := d.model.Nodes[d.add(e)]
			if was, ok := hues[e]; ok && n.Hue != was {
				t.Errorf("%s has hue %d in one picture and %d in another", n.Label, was, n.Hue)
			}
			hues[e] = n.Hue
		}
	}
	if hues[0] == hues[1] || hues[1] != hues[2] || hues[0] == 0 {
		t.Errorf("hues = %v, want one for each type", hues)
	}
}

// TestFewPathsAreDrawn: of very many paths, the picture has those that can be told apart.
func TestFewPathsAreDrawn(t *testing.T) {
	var b kg.Builder
	for i := range 60 {
		b.Add("Ann Lee", "works at", fmt.Sprintf("Company %d", i))
		b.Add("Bob Ray", "works at", fmt.Sprintf("Company %d", i))
	}
	e, err := engine.OnGraph(t.Context(), b.Graph(), engine.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	run, err := e.Ask(t.Context(), "How are Ann Lee and Bob Ray connected?", engine.AskOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if m := CanvasModel(e.Graph(), run); run.Answer.Count != 60 || len(m.Nodes) < 5 || len(m.Nodes) > maxOnTheWay+2 {
		t.Errorf("of %d paths, %d nodes are drawn", run.Answer.Count, len(m.Nodes))
	}
}

// TestEveryCountIsDrawn: of what is counted for each thing, none takes all the room.
func TestEveryCountIsDrawn(t *testing.T) {
	var b kg.Builder
	for room := range 9 {
		for i := range 60 - room {
			e := b.Entity(fmt.Sprintf("item %d of %d", i, room))
			b.AddType(e, "item")
			b.Add(fmt.Sprintf("item %d of %d", i, room), "room", fmt.Sprintf("Room %d", room))
		}
		b.AddType(b.Entity(fmt.Sprintf("Room %d", room)), "room")
	}
	e, err := engine.OnGraph(t.Context(), b.Graph(), engine.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	run, err := e.Ask(t.Context(), "How many items are in each room?", engine.AskOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := CanvasModel(e.Graph(), run)
	counts := map[int]int{}
	for _, edge := range m.Edges {
		if m.Nodes[edge.To].Role == canvas.Answer {
			counts[edge.To]++
		}
	}
	if run.Answer.Count != 9 || len(counts) != maxOnTheWay/2 || !m.Layered {
		t.Fatalf("of %d answers %d are drawn", run.Answer.Count, len(counts))
	}
	for to, n := range counts {
		if n != 1+maxFurther/len(counts) {
			t.Errorf("%s has %d items", m.Nodes[to].Label, n)
		}
	}
}
