package questions

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/kg"
	"cairn/internal/testing/shared"
)

// films is a graph with two films of one name, an alias, and names that differ in
// case alone.
func films() *kg.Graph {
	var b kg.Builder
	b.Add("Kismet (1944)", "directed_by", "William Dieterle")
	b.Add("Kismet (1955)", "directed_by", "Vincente Minnelli")
	b.Add("Snatch", "directed_by", "Guy Ritchie")
	b.Add("SNATCH", "has_tags", "snatch")
	b.Add("Los_Angeles", "is_in", "California")
	b.SetLabel(b.Entity("Kismet (1944)"), "Kismet")
	b.SetLabel(b.Entity("Kismet (1955)"), "Kismet")
	b.AddAlias(b.Entity("Los_Angeles"), "L.A.")
	return b.Graph()
}

var fuzzGraph = films()

func TestGround(t *testing.T) {
	g := films()
	w := NewGrounder(g)
	ids := func(keys ...string) []kg.EntityID {
		var out []kg.EntityID
		for e := range kg.EntityID(g.Entities()) {
			for _, k := range keys {
				if g.Key(e) == k {
					out = append(out, e)
				}
			}
		}
		return out
	}
	for _, test := range []struct {
		name, text      string
		topics, answers []string
		want            Example
		why             string
	}{
		{"same names", "who directed Kismet?", []string{"Kismet"}, []string{"William Dieterle"}, Example{
			Topics: ids("Kismet (1944)", "Kismet (1955)"), Spans: []Span{{13, 19}}, Answers: ids("William Dieterle"),
		}, ""},
		{"a key tells them apart, in answers too", "what did vincente minnelli make", []string{"Vincente Minnelli"}, []string{"Kismet (1955)", "Nothing"}, Example{
			Topics: ids("Vincente Minnelli"), Spans: []Span{{9, 26}}, Answers: ids("Kismet (1955)"),
		}, ""},
		{"all of one name are right", "what did William Dieterle make", []string{"William Dieterle"}, []string{"Kismet"}, Example{
			Topics: ids("William Dieterle"), Spans: []Span{{9, 25}}, Answers: ids("Kismet (1944)", "Kismet (1955)"),
		}, ""},
		{"case tells names apart", "the tag of SNATCH but not of Snatch", []string{"SNATCH"}, []string{"snatch"}, Example{
			Topics: ids("SNATCH"), Spans: []Span{{11, 17}}, Answers: ids("snatch"),
		}, ""},
		{"case that tells nothing", "who made kismet", []string{"KISMET"}, []string{"guy ritchie"}, Example{
			Topics: ids("Kismet (1944)", "Kismet (1955)"), Spans: []Span{{9, 15}}, Answers: ids("Guy Ritchie"),
		}, ""},
		{"underscores and aliases", "where is los angeles, or L.A.", []string{"los angeles"}, []string{"california"}, Example{
			Topics: ids("Los_Angeles"), Spans: []Span{{9, 20}, {25, 29}}, Answers: ids("California"),
		}, ""},
		{"an alias", "where is L.A.", []string{"L.A."}, []string{"California"}, Example{
			Topics: ids("Los_Angeles"), Spans: []Span{{9, 13}}, Answers: ids("California"),
		}, ""},
		{"a name that the text lacks", "where is it", []string{"L.A.", "Atlantis"}, []string{"California"}, Example{
			Topics: ids("Los_Angeles"), Answers: ids("California"),
		}, ""},
		{"no part of a word", "Kismets and Kismet", []string{"Kismet"}, []string{"Snatch"}, Example{
			Topics: ids("Kismet (1944)", "Kismet (1955)"), Spans: []Span{{12, 18}}, Answers: ids("Snatch"),
		}, ""},
		{"ambiguous but for case", "sNATCH", []string{"sNATCH"}, []string{"Snatch"}, Example{}, `Nothing in this graph is called "sNATCH".`},
		{"unknown topic", "Atlantis", []string{"Atlantis"}, []string{"Snatch"}, Example{}, `Nothing in this graph is called "Atlantis".`},
		{"unknown answer", "Kismet", []string{"Kismet"}, []string{"Atlantis"}, Example{}, `Its answer "Atlantis" is not in the graph.`},
		{"unknown answers", "Kismet", []string{"Kismet"}, []string{"Atlantis", "Mu"}, Example{}, `None of its 2 answers is in the graph, such as "Atlantis".`},
		{"no topic", "Kismet", nil, []string{"Snatch"}, Example{}, "The file does not say which entity the question names."},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, problem, err := w.Ground(t.Context(), Question{Text: test.text, Topics: test.topics, Answers: test.answers, Line: 7})
			if err != nil {
				t.Fatalf("Ground: %v", err)
			}
			if test.why != "" {
				if problem == nil || *problem != (Problem{7, test.why}) {
					t.Errorf("Ground: problem %v, want %q of line 7", problem, test.why)
				}
				return
			}
			test.want.Text = test.text
			if diff := cmp.Diff(test.want, got); diff != "" || problem != nil {
				t.Errorf("Ground: problem %v (-want +got):\n%s", problem, diff)
			}
		})
	}
}

func TestGroundLinks(t *testing.T) {
	w := NewGrounder(films())
	broken := errors.New("broken")
	w.Link = func(_ context.Context, text string) ([]kg.EntityID, []Span, error) {
		switch at := strings.Index(text, "Kismet"); {
		case text == "fail":
			return nil, nil, broken
		case at >= 0:
			return w.names.find("Kismet"), []Span{{at, at + 6}}, nil
		}
		return nil, nil, nil
	}
	var told []int64
	got, problems, err := w.GroundAll(t.Context(), []Question{
		{Text: "who made Kismet", Answers: []string{"Vincente Minnelli"}, Line: 1},
		{Text: "who made it", Answers: []string{"Vincente Minnelli"}, Line: 2},
	}, func(done, total int64) { told = append(told, done, total) })
	if err != nil {
		t.Fatalf("GroundAll: %v", err)
	}
	want := []Example{{Text: "who made Kismet", Topics: w.names.find("Kismet"), Spans: []Span{{9, 15}}, Answers: w.names.find("Vincente Minnelli")}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("GroundAll (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Problem{{2, "The question names no entity in the graph."}}, problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int64{0, 2, 2, 2}, told); diff != "" {
		t.Errorf("progress (-want +got):\n%s", diff)
	}
	if _, _, err := w.GroundAll(t.Context(), []Question{{Text: "fail", Answers: []string{"Kismet"}}}, nil); !errors.Is(err, broken) {
		t.Errorf("GroundAll = %v, want the linker's error", err)
	}
}

// TestGroundMetaQA: every question of the official dev split has its topic and all
// of its answers in the graph, and its topic's name in its text.
func TestGroundMetaQA(t *testing.T) {
	var b kg.Builder
	for line := range strings.SplitSeq(readAll(t, "metaqa/kb.txt"), "\n") {
		if f := strings.Split(line, "|"); len(f) == 3 {
			b.Add(f[0], f[1], f[2])
		}
	}
	g := b.Graph()
	w := NewGrounder(g)
	for _, file := range []string{"metaqa/1-hop/qa_dev.txt", "metaqa/2-hop/qa_dev.txt", "metaqa/3-hop/qa_dev.txt"} {
		qs, _, err := Read(t.Context(), shared.Data(t, file), "")
		if err != nil {
			t.Fatal(err)
		}
		xs, problems, err := w.GroundAll(t.Context(), qs, nil)
		if err != nil || len(problems) > 0 {
			t.Fatalf("GroundAll(%s): %d problems, the first %+v; %v", file, len(problems), problems[:min(1, len(problems))], err)
		}
		for i, x := range xs {
			if len(x.Topics) != 1 || len(x.Spans) != 1 || len(x.Answers) != len(qs[i].Answers) || x.Text[x.Spans[0].Start:x.Spans[0].End] != g.Label(x.Topics[0]) {
				t.Errorf("%s: Ground(%+v) = %+v", file, qs[i], x)
			}
		}
	}
}
