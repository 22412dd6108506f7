package app

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/ingest"
	"cairn/engine/pattern"
	"cairn/engine/plan"
)

const curie = `@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix dc: <http://purl.org/dc/terms/> .
:marie a :Person ; rdfs:label "Marie Curie" ; skos:altLabel "Maria Sklodowska" ; dc:description "She found radium." ; :birthYear 1867 .
:marie :directorOf :institute {| :from 1914 ; :to 1934 |} .
:irene rdfs:label "Irene Curie" ; :directorOf :institute {| :from 1946 ; :to 1956 |} ; :childOf :marie .
:eve rdfs:label "Eve Curie" ; :childOf :marie .
:institute rdfs:label "Radium Institute" . :Person rdfs:label "person" .
:directorOf rdfs:label "director of" . :childOf rdfs:label "child of" . :birthYear rdfs:label "birth year" .
`

// askCurie answers a query over the graph of the Curies.
func askCurie(t *testing.T, query string) (*engine.Engine, *engine.Run) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "curie.ttl")
	if err := os.WriteFile(file, []byte(curie), 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(t.Context(), filepath.Join(t.TempDir(), "curie.cairn"), engine.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	if _, err := e.Import(t.Context(), []string{file}, ingest.Options{}, nil); err != nil {
		t.Fatal(err)
	}
	p, err := pattern.ParseText(query)
	if err != nil {
		t.Fatal(err)
	}
	run, err := e.FollowPattern(t.Context(), query, p, engine.AskOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return e, run
}

// narrowPane shows a run in a pane as narrow as that of a small window, in the dark look.
func narrowPane(t *testing.T, e *engine.Engine, run *engine.Run, do answerActions) (*answerPane, fyne.Window) {
	t.Helper()
	a := test.NewTempApp(t)
	a.Settings().SetTheme(newTheme(lookDark))
	p := newAnswerPane(do)
	w := a.NewWindow("")
	t.Cleanup(w.Close)
	w.SetContent(newPane(p.root))
	w.Resize(fyne.NewSize(320, 600))
	p.showRun(e.Graph(), run, comparison{})
	if got := p.box.MinSize().Width; got > 320 {
		t.Errorf("the pane needs a width of %g", got)
	}
	return p, w
}

func TestDescriptionIsACard(t *testing.T) {
	var asked string
	e, run := askCurie(t, "describe (Marie Curie)")
	p, _ := narrowPane(t, e, run, answerActions{ask: func(q string) { asked = q }, light: func(int, bool) {}, hint: func(string) {}})
	got := texts(p.box)
	for _, want := range []string{
		"Marie Curie · person", "Also called Maria Sklodowska", "She found radium.", "5 facts by 4 relations", "birth year 1867 [T2]",
		"director of [Radium Institute] (from 1914 to 1934) [T3]", "← child of (2) [Irene Curie] [T4] [Eve Curie] [T5]",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the card lacks %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "What this graph says about") {
		t.Errorf("what the card says is said again:\n%s", got)
	}
	all := chips(p.box)
	i := slices.IndexFunc(all, func(c *chip) bool { return c.text == "Eve Curie" })
	if i < 0 {
		t.Fatal("no link")
	}
	all[i].TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if asked != "Tell me about Eve Curie" {
		t.Errorf("the link asked %q", asked)
	}
}

// TestLikelyClaimSaysItsDoubt: what no triple says of a claim stands below the verdict, once
// and in its colour, and the step that answered is in doubt as well.
func TestLikelyClaimSaysItsDoubt(t *testing.T) {
	e, _ := askCurie(t, "describe (Marie Curie)")
	for claim, unsaid := range map[string]string{
		"Marie Curie, a scientist, was the director of the Radium Institute.": "No triple says “scientist”.",
		"Marie Curie was the director of the Radium Institute.":               "",
	} {
		run, err := e.Ask(t.Context(), claim, engine.AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		p, _ := narrowPane(t, e, run, answerActions{light: func(int, bool) {}, hint: func(string) {}})
		var doubts []string
		for _, o := range seen(p.box) {
			if l, ok := o.object.(*widget.Label); ok && l.Importance == widget.WarningImportance && !strings.HasPrefix(l.Text, "Likely supported") {
				doubts = append(doubts, l.Text)
			}
		}
		if got := strings.Join(doubts, " "); got != unsaid || strings.Count(texts(p.box), "No triple says") != len(doubts) {
			t.Errorf("%s: in doubt is %q, want %q once in\n%s", claim, got, unsaid, texts(p.box))
		}
		for _, s := range present.Steps(e.Graph(), run) {
			if want := unsaid != "" && s.Stage == engine.StageAnswer; (s.State == present.Doubted) != want {
				t.Errorf("%s: the step %s is %v", claim, s.Title, s.State)
			}
		}
	}
}

// TestDoubtStandsAboveTheAnswer: why an answer is in doubt can be seen without scrolling.
func TestDoubtStandsAboveTheAnswer(t *testing.T) {
	e, run := askCurie(t, "(?who) -director of-> (Radium Institute)")
	doubted := *run.Plan
	doubted.Doubt, doubted.Reason = plan.Unsure, "The reading takes “head” to mean “director of”"
	run.Plan = &doubted
	p, _ := narrowPane(t, e, run, answerActions{light: func(int, bool) {}, hint: func(string) {}})
	got := texts(p.box)
	if before, _, found := strings.Cut(got, doubted.Reason); !found || strings.Contains(before, "[T1]") || strings.Count(got, doubted.Reason) != 1 {
		t.Errorf("the doubt does not stand above the answer, once:\n%s", got)
	}
}

func TestTimelineInTheWindow(t *testing.T) {
	cited := 0
	e, run := askCurie(t, "(?who) -director of-> (Radium Institute)")
	p, _ := narrowPane(t, e, run, answerActions{cite: func(n int) { cited = n }, light: func(int, bool) {}, hint: func(string) {}})
	got := texts(p.box)
	for _, want := range []string{"1914\n1956\n", "Marie Curie · 1914 – 1934 [T1]", "Irene Curie · 1946 – 1956 [T2]"} {
		if !strings.Contains(got, want) {
			t.Errorf("the pane lacks %q:\n%s", want, got)
		}
	}
	pane := p.timeline(present.Timeline(e.Graph(), run))
	var press *pressable
	for _, o := range pane[0].(*panel).content.(*fyne.Container).Objects { //nolint:errcheck // as timeline makes it
		if row, ok := o.(*pressable); ok {
			press = row
		}
	}
	press.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	if cited != 2 {
		t.Errorf("the last row led to T%d", cited)
	}
}
