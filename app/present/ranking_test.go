package present

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/canvas"
	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/check"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/plan"
	"cairn/engine/retrieve/gnnrag"
)

// ranked is the graph of films, and the run of a network that lists the years of
// the director's films, the first with a probability of 0.9.
func ranked(tb testing.TB, n int) (*kg.Graph, *engine.Run) {
	tb.Helper()
	g, matched := films(tb, n)
	run := &engine.Run{
		Question: matched.Question, Method: gnnrag.Method{}.Info(), Reading: -1,
		Plan: &plan.Plan{
			Planner: "GNN-RAG", Mentions: matched.Plan.Mentions,
		},
		Found: evidence.Found{
			By:     "GNN-RAG (relation flow)",
			Region: evidence.Region{Entities: 2*n + 1, Triples: 2 * n, Method: "3 hops", Completeness: evidence.CutByBudget},
			Steps:  []string{"directed by, backwards (0.99)", "release year (0.97)"},
			Notes:  []string{"it was trained before the last import"},
		},
		Answer: &answer.Answer{Count: n},
	}
	for i, c := range matched.Candidates {
		director, film, year := c.Nodes[0], c.Nodes[1], c.Nodes[2]
		p := 0.9
		if i > 0 {
			p = 0.09 / float64(n)
		}
		s := evidence.Answer{Entity: year, Score: evidence.Score{Value: p, Scale: evidence.Probability}}
		run.Answers, run.Weighed = append(run.Answers, s), append(run.Weighed, s)
		path := evidence.Path([]kg.EntityID{director, film, year}, [][]kg.TripleID{{c.Edges[0]}, {c.Edges[1]}}, "graph network")
		run.Candidates = append(run.Candidates, path)
		run.Answer.Items = append(run.Answer.Items, answer.Item{Entity: year, Label: g.Label(year)})
	}
	run.Plan.Seeds = []kg.EntityID{run.Candidates[0].Nodes[0]}
	run.Weighed = append(run.Weighed, evidence.Answer{Entity: run.Candidates[0].Nodes[1], Score: evidence.Score{Value: 0.004, Scale: evidence.Probability}})
	run.Support(evidence.Candidate.End)
	run.Answer.Pack, _ = evidence.NewPack(run.Candidates, 0)
	for _, s := range engine.Stages {
		run.Stages = append(run.Stages, engine.StageRecord{Stage: s})
	}
	return g, run
}

func TestProbabilityIsNeverACertainty(t *testing.T) {
	for p, want := range map[float64]string{1: "over 0.99", 0.9999: "over 0.99", 0.93: "0.93", 0.5: "0.50", 0.001: "under 0.01", 0: "under 0.01"} {
		if got := evidence.ProbabilityText(p); got != want {
			t.Errorf("Probability(%v) = %q, want %q", p, got, want)
		}
	}
}

func TestCanvasModelDrawsANetworksPaths(t *testing.T) {
	g, run := ranked(t, 2)
	m := CanvasModel(g, run)
	var got []string
	for _, n := range m.Nodes {
		got = append(got, fmt.Sprint(n.Label, " ", n.Role, " ", n.Mark))
	}
	want := []string{"Anthony Mann 1 ", "Film 0 2 <0.01", "1940 3 0.90", "Film 1 2 ", "1941 3 0.04"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("nodes with roles and marks (-want +got):\n%s", diff)
	}
	if len(m.Edges) != 4 || m.Edges[0].Tag != "T1" || m.Nodes[m.Edges[0].From].Label != "Film 0" {
		t.Errorf("edges = %+v, want 4, the first T1 from Film 0", m.Edges)
	}
	if !strings.Contains(m.Level, "0 to 1") || !m.Layered {
		t.Errorf("level %q, layered %t, want the scale, layered", m.Level, m.Layered)
	}
	if PicturesPattern(run) {
		t.Error("a network's picture is taken for that of a pattern")
	}
}

func TestCanvasModelOfANetworkIsBounded(t *testing.T) {
	g, run := ranked(t, 77)
	m := CanvasModel(g, run)
	if len(m.Nodes) > maxDrawnNodes+5 {
		t.Errorf("CanvasModel: %d nodes, want at most about %d", len(m.Nodes), maxDrawnNodes)
	}
	last := m.Nodes[len(m.Nodes)-1]
	if last.ID != MoreNodeID || last.Label != "+63 more" {
		t.Errorf("last node = %q %q, want %q %q", last.ID, last.Label, MoreNodeID, "+63 more")
	}
}

func TestCanvasModelOfANetworkThatFoundNothing(t *testing.T) {
	g, run := ranked(t, 1)
	run.Found, run.Answer = evidence.Found{}, &answer.Answer{Refusal: &answer.Refusal{Reason: "the question names no entity"}}
	if m := CanvasModel(g, run); len(m.Nodes) != 0 {
		t.Errorf("CanvasModel = %d nodes, want none", len(m.Nodes))
	}
	if rows := EvidenceRows(g, run); len(rows) != 0 {
		t.Errorf("EvidenceRows = %v, want none", rows)
	}
	if text, tone := Glance(run); text != "No answer in this graph" || tone != Doubtful {
		t.Errorf("Glance = %q, %v", text, tone)
	}
	_ = Steps(g, run)
}

func TestPathTextKeepsDirections(t *testing.T) {
	var b kg.Builder
	t1 := b.Add("Vienna", "capital_of", "Austria")
	t2 := b.Add("Austria", "borders", "Hungary")
	t3 := b.Add("Hungary", "borders", "Austria")
	t4 := b.Add("Austria", "trades_with", "Hungary")
	g := b.Graph()
	at := func(x kg.TripleID) kg.Triple { return g.Triple(x) }
	entities, hops := []kg.EntityID{at(t1).Head, at(t1).Tail, at(t2).Tail}, [][]kg.TripleID{{t1}, {t2, t3, t4}}
	want := "Vienna — capital of → Austria — borders, trades with → and ← borders — Hungary"
	if got := PathText(g, evidence.Path(entities, hops, "")); got != want {
		t.Errorf("PathText = %q, want %q", got, want)
	}
	slices.Reverse(entities)
	slices.Reverse(hops)
	if got := PathText(g, evidence.Path(entities, hops, "")); !strings.HasSuffix(got, "Austria ← capital of — Vienna") {
		t.Errorf("PathText of the way back = %q", got)
	}
}

func TestRankedRunInWords(t *testing.T) {
	g, run := ranked(t, 3)
	if text, tone := Glance(run); text != "Most likely: 1940 (0.90) and 2 more" || tone != Doubtful {
		t.Errorf("Glance = %q, %v, want what is likely, doubtful for its notes", text, tone)
	}
	sure := *run
	sure.Notes, sure.Region, sure.Plan = nil, evidence.Region{}, nil
	if _, tone := Glance(&sure); tone != Plain {
		t.Errorf("Glance without notes has tone %v, want plain", tone)
	}
	run.Answers[1].Score.Value = 0.9
	if text, _ := Glance(run); text != "Most likely: 1940 and 1941 (0.90 each) and 1 more" {
		t.Errorf("Glance of two alike = %q", text)
	}
	run.Answers[1].Score.Value = 0.03
	rows := AnswerRows(g, run)
	if rows[0].Score != (evidence.Score{Value: 0.9, Scale: evidence.Probability}) {
		t.Errorf("AnswerRows[0] = %+v, want a probability of 0.9", rows[0])
	}
	found := Network(g, run)
	groups := found.Answers
	if len(groups) != 3 || found.More != "" || len(groups[0].Paths) != 1 || groups[0].Paths[0].Text != "Anthony Mann ← directed by — Film 0 — release year → 1940" {
		t.Errorf("Network = %+v", found)
	}
	if got := groups[0].Paths[0].Citations; !slices.Equal(got, []int{1, 2}) {
		t.Errorf("tags of the first path = %v, want 1, 2", got)
	}
	if got := groups[0].Paths[0].Source; got != "" {
		t.Errorf("the only source is named: %q", got)
	}
	run.Candidates[0].Source = "relation chain of m"
	if mixed := Network(g, run).Answers; mixed[0].Paths[0].Source != "relation chain of m" || mixed[1].Paths[0].Source != "graph network" {
		t.Errorf("paths of two sources do not name them: %+v", mixed)
	}
	if got := RunnersUp(run); len(got) != 1 || got[0].Label(g) != "Film 0" {
		t.Errorf("RunnersUp = %v, want Film 0", got)
	}
	if got := EvidenceRows(g, run)[0].Lines; !strings.Contains(got[0], "0.90  on a path to 1940") || !strings.Contains(got[1], scaleWords(evidence.Probability)) {
		t.Errorf("the first triple says %q", got)
	}
	if got := strings.Join(notes(run), " "); !strings.Contains(got, "It was trained before") || !strings.Contains(got, "cut off at a size limit") {
		t.Errorf("Notes = %q", got)
	}
	if !CanvasModel(g, run).Doubtful {
		t.Error("the picture shows an answer of low confidence as a sure one")
	}
	if got := strings.Join(networkReading(g, run), "\n"); !strings.Contains(got, "started from Anthony Mann") || !strings.Contains(got, "7 entities") || !strings.Contains(got, "• directed by, backwards (0.99)") {
		t.Errorf("NetworkReading = %q", got)
	}
	for _, text := range []string{Basis(run), StatusLine(run), AnswerText(g, run), strings.Join(Steps(g, run)[engine.StageRetrieve].Details, "\n")} {
		if strings.Contains(text, "istance") || strings.Contains(text, "match") || text == "" {
			t.Errorf("a network's answer is said in a pattern's words: %q", text)
		}
	}
	if got := AnswerText(g, run); !strings.Contains(got, "1940: 0.90") || !strings.Contains(got, scaleWords(evidence.Probability)) {
		t.Errorf("AnswerText lacks probabilities:\n%s", got)
	}
	if got := Steps(g, run)[int(engine.StageRetrieve)].Hint; got != "weigh the entities" {
		t.Errorf("hint = %q", got)
	}
	if c, ok := CandidateOf(run, rows[0].Entity); !ok || len(c.Triples()) != 2 {
		t.Errorf("CandidateOf = %v, %t, want the two triples of its path", c, ok)
	}
}

func TestCompared(t *testing.T) {
	_, network := ranked(t, 3)
	_, pattern := films(t, 3)
	pattern.Question = network.Question
	if got := Compared(pattern, network); got != "Pattern matching, asked the same question, agreed." {
		t.Errorf("Compared = %q", got)
	}
	network.Answer.Items = network.Answer.Items[:1]
	if got := Compared(pattern, network); got != "Pattern matching, asked the same question, gave 3 answers (1940, 1941 and 1942); 1 of them is here too." {
		t.Errorf("Compared = %q", got)
	}
	network.Answer = &answer.Answer{Refusal: &answer.Refusal{Reason: "nothing"}}
	if got := Compared(network, pattern); got != "The trained network, asked the same question, found no answer." {
		t.Errorf("Compared = %q", got)
	}
	if got := Compared(pattern, pattern); got != "" {
		t.Errorf("Compared with itself = %q", got)
	}
}

func TestMadeByOfANetwork(t *testing.T) {
	g, run := ranked(t, 1)
	if got := MadeBy(run); got != "" {
		t.Errorf("MadeBy without a model = %q", got)
	}
	run.Answer.Model = "qwen3:4b"
	run.Answer.Sentences = []answer.Sentence{{Text: "It was 1940 [T2].", Citations: []int{2}, Check: check.Covered, Model: true}}
	if got, want := MadeBy(run), "Read by GNN-RAG (relation flow), written by qwen3:4b, checked by Cairn"; got != want {
		t.Errorf("MadeBy = %q, want %q", got, want)
	}
	run.Answer.Sentences[0].Check = check.NotInGraph
	if got := MakerLines(run); !slices.Contains(got, "Written by Cairn, because nothing qwen3:4b wrote passed the check") {
		t.Errorf("MakerLines = %q", got)
	}
	if got := strings.Join(Steps(g, run)[engine.StageAnswer].Details, "\n"); !strings.Contains(got, "nothing that qwen3:4b wrote passed") {
		t.Errorf("details of the answer = %q", got)
	}
}

// TestAnswersInThePictureOfAComparison: what only a doubtful run gives is drawn as no answer beside
// sure ones, and as an uncertain one where there is nothing else.
func TestAnswersInThePictureOfAComparison(t *testing.T) {
	g, doubtful := ranked(t, 2)
	calm := *doubtful
	calm.Notes, calm.Region, calm.Plan = nil, evidence.Region{}, nil
	ends := []kg.EntityID{doubtful.Answers[0].Entity, doubtful.Answers[1].Entity}
	for _, first := range []*engine.Run{&calm, doubtful} {
		c := &engine.Comparison{
			Opinions: []engine.Opinion{{Run: first}, {Run: doubtful}},
			Answers:  []engine.Shared{{Entity: ends[0], By: []int{0}}, {Entity: ends[1], By: []int{1}}},
		}
		for _, e := range ends {
			c.Evidence = append(c.Evidence, engine.FoundTriple{Triple: g.In(e)[0].Triple, By: []int{0, 1}})
		}
		m := ComparisonModel(g, c)
		drawn := map[string]canvas.Role{}
		for _, n := range m.Nodes {
			drawn[n.Label] = n.Role
		}
		isSure := first == &calm
		if second := drawn[g.Label(ends[1])]; m.Doubtful == isSure || drawn[g.Label(ends[0])] != canvas.Answer || (second == canvas.Answer) == isSure {
			t.Errorf("the first sure: %v; doubtful %v, %v", isSure, m.Doubtful, drawn)
		}
	}
}
