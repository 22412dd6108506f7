package eval

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestReplyScores(t *testing.T) {
	tests := []struct {
		name  string
		gold  []string
		lines []string
		list  bool
		want  ReplyScores
	}{
		{
			name: "all of it", gold: []string{"Paris", "Nice"}, lines: []string{"Nice", "Paris"}, list: true,
			want: ReplyScores{Said: 1, SimGRAG: 1, RoGHit: 1, FirstLine: 1, RoGF1: 1, GSRHits: 1, GSRF1: 1, AMR: 1},
		},
		{
			name: "the first line is another", gold: []string{"Paris"}, lines: []string{"Rome", "Paris"}, list: true,
			want: ReplyScores{Said: 1, SimGRAG: 1, RoGHit: 1, RoGF1: 2.0 / 3, GSRHits: 1, GSRF1: 2.0 / 3, AMR: 1},
		},
		{
			name: "articles, case and punctuation", gold: []string{"The Far Country!"}, lines: []string{"far country"}, list: true,
			want: ReplyScores{Said: 1, RoGHit: 1, FirstLine: 1, RoGF1: 1, GSRHits: 1, GSRF1: 1},
		},
		{
			name: "within another word", gold: []string{"Iran"}, lines: []string{"Tirana"}, list: true,
			want: ReplyScores{Said: 1, SimGRAG: 1, RoGHit: 1, FirstLine: 1, RoGF1: 1},
		},
		{
			name: "a sentence", gold: []string{"Paris", "Nice"}, lines: []string{"The cities are Paris and Nice."},
			// RoG's precision is 2 answers in 1 line, so that F1 is 2·2·1/3.
			want: ReplyScores{Said: 1, SimGRAG: 1, RoGHit: 1, FirstLine: 1, RoGF1: 4.0 / 3, AMR: 1},
		},
		{
			name: "a list has whole lines", gold: []string{"Paris"}, lines: []string{"Paris Hilton"}, list: true,
			want: ReplyScores{Said: 1, SimGRAG: 1, RoGHit: 1, FirstLine: 1, RoGF1: 1},
		},
		{
			name: "punctuation is in every text, and in none for us", gold: []string{"?!"}, lines: []string{"What?"},
			want: ReplyScores{Said: 1},
		},
		{name: "nothing said", gold: []string{"Paris"}},
		{name: "nothing is gold", lines: []string{"Paris"}, list: true, want: ReplyScores{Said: 1}},
		{
			name: "repeats", gold: []string{"Paris", "paris"}, lines: []string{"Paris", "Paris."}, list: true,
			want: ReplyScores{Said: 1, SimGRAG: 1, RoGHit: 1, FirstLine: 1, RoGF1: 1, GSRHits: 1, GSRF1: 1, AMR: 0.5},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got ReplyScores
			got.Score(test.gold, test.lines, test.list)
			test.want.N = 1
			if diff := cmp.Diff(test.want, got, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
				t.Errorf("Score(%q, %q) (-want +got):\n%s", test.gold, test.lines, diff)
			}
		})
	}
}

func TestNormalise(t *testing.T) {
	for in, want := range map[string]string{
		"The  Man, the Myth & a Legend": "man myth legend",
		"An A-Team":                     "ateam",
		"Anaïs the théâtre":             "anaïs théâtre",
		"…the end":                      "… end",
		"<pad>":                         "pad",
		"":                              "",
	} {
		if got := normalise(in); got != want {
			t.Errorf("normalise(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestNamed(t *testing.T) {
	labels := []string{"Harvey", "Harvey Keitel", "M", "Winchester '73", "Zoë"}
	for text, want := range map[string][]string{
		"Harvey Keitel saw Harvey.":               {"Harvey Keitel", "Harvey"},
		"Harvey Keitel was in M, not in Harveys.": {"Harvey Keitel", "M"},
		"ZoëM, Zoës; Winchester '73's Zoë":        {"Winchester '73", "Zoë"},
		"nobody":                                  nil,
	} {
		if diff := cmp.Diff(want, named(text, labels)); diff != "" {
			t.Errorf("named(%q) (-want +got):\n%s", text, diff)
		}
	}
}

func TestClaimsAsSimGRAGCounts(t *testing.T) {
	m := newModelRow()
	for _, c := range []struct {
		label   bool
		verdict string
		said    string
	}{
		{true, "supported", "Vienna is the capital of Austria."},       // right
		{false, "not found in this graph", ""},                         // right: not found is false
		{true, "refuted", "Vienna is the capital of Austria."},         // wrong
		{true, "refuted", "It is True that the capital is elsewhere."}, // both words: right, as the code has it
	} {
		r := &Record{Verdict: c.verdict}
		if c.said != "" {
			r.Said = []Said{{Text: c.said}}
		}
		m.add(Question{Label: &c.label}, r)
	}
	if want := (FactKG{N: 4, Right: 3, Both: 1}); *m.Claims != want {
		t.Errorf("Claims = %+v, want %+v", *m.Claims, want)
	}
}

func TestCostsAreSortedByStep(t *testing.T) {
	m := newModelRow()
	for _, purposes := range [][]string{
		{"pattern", "answer"},
		{"pattern", "pattern, repaired", "pattern, sample 2", "pattern, sample 2, repaired", "claim", "claim, again"},
	} {
		r := &Record{}
		for i, p := range purposes {
			x := Request{Purpose: p, PromptTokens: 10, ReplyTokens: 1}
			if i == 2 {
				x.Err = "the model's reply was cut short (the model repeated itself); try again"
			}
			r.Requests = append(r.Requests, x)
		}
		m.add(Question{}, r)
	}
	type row struct {
		Step                        string
		Questions, Requests, Failed int
	}
	var got []row
	for _, c := range m.Costs {
		got = append(got, row{c.Step, c.Questions, c.Requests, c.Failed})
	}
	want := []row{
		{"pattern", 2, 2, 0},
		{"further samples", 1, 1, 1},
		{"pattern repaired", 1, 2, 0},
		{"answer", 2, 2, 0},
		{"answer put right", 1, 1, 0},
		{"all", 2, 8, 1},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("costs (-want +got):\n%s", diff)
	}
	if m.Repaired != 1 || m.Errors["the model's reply was cut short"] != 1 {
		t.Errorf("repaired %d, errors %v", m.Repaired, m.Errors)
	}
}
