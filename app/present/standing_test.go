package present

import (
	"slices"
	"strings"
	"testing"

	"cairn/canvas"
	"cairn/engine"
	"cairn/engine/kg"
	"cairn/engine/pattern"
)

// TestNothingLooksLikeAnAnswerThatIsNone follows what comes close to an answer, and
// what speaks against a claim, to everything that shows them.
func TestNothingLooksLikeAnAnswerThatIsNone(t *testing.T) {
	var b kg.Builder
	for c := range strings.FieldsSeq("Austria:Vienna Hungary:Budapest Spain:Madrid Italy:Rome France:Paris Poland:Warsaw Greece:Athens Chad:NDjamena Peru:Lima Cuba:Havana Togo:Lome") {
		country, city, _ := strings.Cut(c, ":")
		b.Add(country, "capital", city)
		b.Add(city, "located in", country)
	}
	b.Add("Austria", "borders", "Hungary")
	b.Add("Austria", "borders", "Italy")
	b.Add("France", "borders", "Italy")
	e, err := engine.OnGraph(t.Context(), b.Graph(), engine.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := e.Graph()
	for _, tt := range []struct {
		question string
		want     Standing
		known    []string // drawn as named in the question
		empty    bool     // its answer step found nothing
	}{
		{"What is the capital of Austria?", answering, []string{"Austria"}, false},
		{"Vienna is the capital of Austria.", supporting, []string{"Austria", "Vienna"}, false},
		{"Vienna is the capital of Hungary.", refuting, []string{"Hungary"}, false},
		{"Vienna is not the capital of Austria.", refuting, []string{"Austria", "Vienna"}, false},
		{"Vienna despises Austria.", undeciding, []string{"Austria", "Vienna"}, true},
		{"Austria borders France.", undeciding, nil, true},
		{"(Hungary) <-borders- (?country) -borders-> (Spain)", comingClose, nil, true},
	} {
		var run *engine.Run
		if p, bad := pattern.ParseText(tt.question); bad == nil {
			for i := range p.Nodes {
				for id := range kg.EntityID(g.Entities()) {
					if g.Label(id) == p.Nodes[i].Text {
						p.Nodes[i].Entities = []kg.EntityID{id}
					}
				}
			}
			run, err = e.FollowPattern(t.Context(), tt.question, p, engine.AskOptions{}, nil)
		} else {
			run, err = e.Ask(t.Context(), tt.question, engine.AskOptions{}, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		is := StandingOf(run)
		if is != tt.want {
			t.Errorf("%q: %v, want %v", tt.question, is, tt.want)
			continue
		}
		m := CanvasModel(g, run)
		var known []string
		for _, n := range m.Nodes {
			if n.Role == canvas.Answer && is != answering {
				t.Errorf("%q: %s is drawn as an answer", tt.question, n.Label)
			}
			if n.Role == canvas.Known {
				known = append(known, n.Label)
				if !strings.Contains(tt.question, n.Label) {
					t.Errorf("%q: %s is drawn as named in the question", tt.question, n.Label)
				}
			}
		}
		if slices.Sort(known); tt.known != nil && !slices.Equal(known, tt.known) {
			t.Errorf("%q: %q are drawn as named, want %q", tt.question, known, tt.known)
		}
		if is != answering && !strings.Contains(m.Title, is.String()) {
			t.Errorf("%q: the picture says %q, want %q in it", tt.question, m.Title, is)
		}
		page, err := Page(t.Context(), e, run, "0")
		if err != nil {
			t.Fatal(err)
		}
		shows := page.Standing + page.NoMatch + page.Checked
		for _, row := range EvidenceRows(g, run) {
			if !is.IsEvidence() && len(row.Lines) > 0 {
				t.Errorf("%q: T%d says %q", tt.question, row.Number, row.Lines)
			}
		}
		if !is.IsEvidence() && (strings.Contains(shows, "✓") || len(page.Pattern) > 0 && page.NoMatch == "") {
			t.Errorf("%q: the page says %q", tt.question, shows)
		}
		steps := Steps(g, run)
		if got := steps[len(steps)-2].State; (got == Empty) != tt.empty {
			t.Errorf("%q: the answer step is %v", tt.question, got)
		}
	}
}
