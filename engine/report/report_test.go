package report

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"cairn/internal/testing/golden"

	"github.com/google/go-cmp/cmp"
)

func sampleReport() Report {
	return Report{
		Question: "Which country borders Austria and Hungary and uses the euro?",
		Headline: "2 answers",
		When:     time.Date(2026, 5, 4, 13, 7, 0, 0, time.UTC),
		App:      "Cairn 0.1.0",
		Graph:    Graph{Name: "world", Entities: 1234, Relations: 33, Triples: 7649, Sources: []string{"world.tsv (7,649 triples)"}},
		Answers:  []string{"Slovakia", "Slovenia"},
		Sentences: []Sentence{
			{Text: "Slovenia borders Austria.", Citations: []int{1}, Check: "supported", Good: true},
			{Text: "Slovenia is nice.", Citations: []int{1}, Check: "partly supported", Reason: "The cited triples say nothing of \"nice\"."},
			{Text: "Slovenia borders Japan.", Citations: []int{1}, Check: "not in the evidence", Reason: "No triple names “Japan”.", Struck: true},
			{Text: "The graph was searched completely.", Note: true},
		},
		Checked:  "2 of 3 sentences are not supported by the triples they cite.",
		Makers:   []string{"Worded by qwen3:4b · 640 + 120 tokens · 5.1 s"},
		Basis:    "Rests on 2 triples",
		Missing:  []string{"Nothing in this graph is called “Atlantis”."},
		Doubt:    "The question can be read in more than one way.",
		Reading:  "(Austria) -borders- (?country)",
		Pattern:  []PatternRow{{Kind: "node", Asked: "Austria", Found: "Austria"}, {Kind: "edge", Asked: "a — b → c", Found: "not found", Missing: true}},
		Distance: 0.25,
		Network: Network{
			Lines: []string{"It began at Austria and weighed 60 entities."},
			Answers: []Ranked{
				{Name: "Slovenia", Score: "0.93", Paths: []Path{{Text: "Austria ← borders — Slovenia", Citations: []int{1}, Source: "graph network"}, {Text: "Austria — borders → Slovenia"}}, More: "and 2 more paths"},
				{Name: "Atlantis", Score: "under 0.01"},
			},
			More: "and 3 more answers", Score: "Probability", Scale: "0 to 1, higher is more likely", Notes: []string{"The graph has changed since."},
		},
		Figure:     []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`),
		FigureDark: []byte(`<svg xmlns="http://www.w3.org/2000/svg" class="dark"/>`),
		FigureAlt:  "Austria borders Slovenia.",
		Evidence: []Triple{
			{Number: 1, Head: "Slovenia", Relation: "borders", Tail: "Austria", Sources: []string{"world.tsv:12", "more.tsv:3"}},
			{Head: "Slovenia", Relation: "currency", Tail: "euro"},
		},
		Method: []Fact{{"Planner", "built-in"}, {"Search", "complete"}},
		Steps:  []Fact{{"link", "0.1 ms, Austria"}},
		Prompts: []Prompt{{
			Title: "1 · Answer: answer", Facts: []Fact{{"Model", "qwen3:4b"}},
			Texts: []Text{{Name: "Prompt", Note: "The messages", Text: "first line\nsecond <line>"}},
		}},
	}
}

func TestWriteHTMLGolden(t *testing.T) {
	var b bytes.Buffer
	if err := WriteHTML(&b, sampleReport()); err != nil {
		t.Fatalf("WriteHTML: %v", err)
	}
	golden.Compare(t, filepath.Join("testdata", "report.golden.html"), b.String())
}

func TestWriteHTMLIsSelfContained(t *testing.T) {
	var b bytes.Buffer
	if err := WriteHTML(&b, sampleReport()); err != nil {
		t.Fatalf("WriteHTML: %v", err)
	}
	page := b.String()
	for _, bad := range []string{"http://", "https://", "<script", "@import", "ZgotmplZ"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	if !strings.Contains(page, `href="#T1"`) || !strings.Contains(page, `id="T1"`) {
		t.Error("the citation does not lead to its triple")
	}
	if !strings.Contains(page, base64.StdEncoding.EncodeToString(sampleReport().Figure)) {
		t.Error("the figure is not in the page")
	}
	balanced(t, page)
}

// balanced checks that every element that must be closed is.
func balanced(t *testing.T, page string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(page))
	d.Strict = false
	d.AutoClose = xml.HTMLAutoClose
	d.Entity = xml.HTMLEntity
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("the page is not well-formed: %v", err)
		}
	}
}

// TestWriteHTMLPrintsShort checks what keeps the page of a short answer on one or
// two sheets: paper has a style of its own that lets sections run on and bounds
// the picture, and what only a few want to see is folded, and not printed.
func TestWriteHTMLPrintsShort(t *testing.T) {
	r := sampleReport()
	r.Distance = 0
	var b bytes.Buffer
	if err := WriteHTML(&b, r); err != nil {
		t.Fatalf("WriteHTML: %v", err)
	}
	page := b.String()
	_, paper, ok := strings.Cut(page, "@media print {")
	if !ok {
		t.Fatal("the page has no style for paper")
	}
	paper, _, _ = strings.Cut(paper, "</style>")
	for _, rule := range regexp.MustCompile(`(?m)^\s*([^{}]*\bsection\b[^{}]*)\{([^}]*)\}`).FindAllStringSubmatch(paper, -1) {
		if strings.Contains(rule[2], "break-inside") {
			t.Errorf("a section is kept on one sheet, so that each begins a new one: %s", rule[0])
		}
	}
	if !regexp.MustCompile(`\bimg \{[^}]*max-height: \d+mm`).MatchString(paper) {
		t.Error("nothing bounds the height of the picture on paper")
	}
	if !regexp.MustCompile(`details:not\(\[open\]\)[^{}]*\{ display: none; \}`).MatchString(paper) {
		t.Error("folded parts are printed")
	}
	for _, folded := range []string{"0.1 ms, Austria", `<th scope="col">Part</th>`, "The messages"} {
		before, _, found := strings.Cut(page, folded)
		if fold := strings.LastIndex(before, "<details>"); !found || fold < strings.LastIndex(before, "</details>") {
			t.Errorf("%q is not folded", folded)
		}
	}
	b.Reset()
	if err := WriteHTML(&b, sampleReport()); err != nil {
		t.Fatalf("WriteHTML: %v", err)
	}
	if !strings.Contains(b.String(), "<details open>") {
		t.Error("the parts of a distance above 0 are folded")
	}
}

func TestWriteHTMLEscapes(t *testing.T) {
	evil := `"><script>alert(1)</script><img src=x onerror=alert(2)>`
	r := Report{
		Question: evil, Headline: evil, App: evil, Graph: Graph{Name: evil, Sources: []string{evil}}, Answers: []string{evil},
		Sentences: []Sentence{{Text: evil, Check: evil, Reason: evil, Struck: true}}, Basis: evil, Missing: []string{evil}, Doubt: evil, Reading: evil,
		Pattern: []PatternRow{{evil, evil, evil, 0, false}}, Figure: []byte(evil), FigureAlt: evil,
		Network:  Network{[]string{evil}, []Ranked{{evil, evil, []Path{{Text: evil, Citations: []int{1}, Source: evil}}, evil}}, evil, evil, evil, []string{evil}},
		Evidence: []Triple{{1, evil, evil, evil, []string{evil}, []string{evil}, [][]Property{{{evil, evil, evil, evil, evil}}}, true, []Extraction{{Text: evil, Document: evil, Model: evil, Digest: evil, Quote: evil}}}}, Method: []Fact{{evil, evil}}, Steps: []Fact{{evil, evil}},
		Bars: []Bar{{evil, evil, 1, nil}}, Timeline: Timeline{evil, evil, []Period{{evil, evil, 0, 1, nil}}}, Excluded: Excluded{[]Left{{evil, evil}}, 0},
		Cards:   []Card{{evil, []string{evil}, []string{evil}, evil, evil, evil, []CardRow{{evil, true, 2, []Thing{{evil, evil, evil, nil}}, 1}}}},
		Checked: evil, Makers: []string{evil}, Prompts: []Prompt{{Title: evil, Facts: []Fact{{evil, evil}}, Texts: []Text{{Name: evil, Note: evil, Text: evil}}}},
	}
	var b bytes.Buffer
	if err := WriteHTML(&b, r); err != nil {
		t.Fatalf("WriteHTML: %v", err)
	}
	if page := b.String(); strings.Contains(page, "<script") || strings.Contains(page, "<img src=x") {
		t.Error("markup came into the page")
	}
}

func TestWriteHTMLTables(t *testing.T) {
	write := func(r Report) string {
		t.Helper()
		var b bytes.Buffer
		if err := WriteHTML(&b, r); err != nil {
			t.Fatalf("WriteHTML: %v", err)
		}
		balanced(t, b.String())
		return b.String()
	}
	lacks := func(page string, wants ...string) {
		t.Helper()
		for _, want := range wants {
			if !strings.Contains(page, want) {
				t.Errorf("the page lacks %s:\n%s", want, page)
			}
		}
	}
	page := write(Report{
		Answers:  []string{"Slovakia", "Slovenia"},
		Bars:     []Bar{{"Slovakia", "5.4 million", 1, []int{1}}, {"Slovenia", "2.1 million", 0.389, nil}},
		Timeline: Timeline{"1914", "1956", []Period{{"Irene Curie", "from 1946", 0.75, 1, []int{2}}}},
		Excluded: Excluded{[]Left{{"Austria", "Austria — borders → Hungary"}}, 1200},
	})
	lacks(page, `<div class="bar" style="width: 38.9%">`, `<div class="bar" style="margin-left: 75.0%; width: 25.0%">`, `href="#T2"`,
		`<s>Austria</s> <span class="quiet">Austria — borders → Hungary</span>`, "and 1,200 more")
	if strings.Contains(page, `class="answers"`) {
		t.Error("the answers with bars are listed again")
	}
	page = write(Report{
		Answers: []string{"Slovenia"},
		Cards: []Card{{
			Name: "Slovenia", Kinds: []string{"country", "state"}, Names: []string{"Slovenija"}, Key: "Q215", Text: "Hills and a sea.", Heading: "8 facts by 1 relation",
			Rows: []CardRow{{"borders", true, 8, []Thing{{"Austria", "since 1991", "Tell me about Austria", []int{1}}, {Name: "Italy"}}, 6}},
		}},
		Sentences: []Sentence{{Text: "What this graph says about Slovenia", Note: true}, {Text: "Austria borders Slovenia.", Citations: []int{1}}, {Text: "It was cut.", Note: true}},
	})
	lacks(page, "<h3>Slovenia · country, state</h3>", "Also called Slovenija", "Q215", "Hills and a sea.", "← borders (8)", "since 1991", "and 6 more", "It was cut.")
	for _, said := range []string{"What this graph says about Slovenia", "Austria borders Slovenia.", `class="answers"`} {
		if strings.Contains(page, said) {
			t.Errorf("what the card says is said again: %s", said)
		}
	}
}

func TestWriteHTMLEmpty(t *testing.T) {
	var b bytes.Buffer
	if err := WriteHTML(&b, Report{}); err != nil {
		t.Fatalf("WriteHTML of an empty report: %v", err)
	}
	balanced(t, b.String())
	if err := WriteHTML(failing{}, sampleReport()); err == nil {
		t.Error("WriteHTML to a failing writer: no error")
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriteIndex(t *testing.T) {
	var b bytes.Buffer
	x := Index{Title: "T<i>", About: "a", App: "Cairn", Entries: []Entry{
		{Kind: "one hop", Question: "Q & A?", Text: "Yes.", Page: "01-q.html", Picture: "01-q.png", PictureAlt: "A graph."},
		{Question: "R?", Headline: "No answer", Page: "javascript:alert(1)"},
	}}
	if err := WriteIndex(&b, x); err != nil {
		t.Fatalf("WriteIndex: %v", err)
	}
	page := b.String()
	balanced(t, page)
	for _, want := range []string{"T&lt;i&gt;", "Q &amp; A?", `href="01-q.html"`, `src="01-q.png"`, "No answer"} {
		if !strings.Contains(page, want) {
			t.Errorf("the index lacks %s:\n%s", want, page)
		}
	}
	if strings.Contains(page, "javascript:") {
		t.Error("a script came in as a link")
	}
}

func TestRuns(t *testing.T) {
	tests := []struct {
		in   []int
		want []Run
	}{
		{nil, nil},
		{[]int{1, 2}, []Run{{1, 1}, {2, 2}}},
		{[]int{1, 2, 3, 5, 7, 8, 9, 10, 4}, []Run{{1, 3}, {5, 5}, {7, 10}, {4, 4}}},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, Runs(test.in)); diff != "" {
			t.Errorf("Runs(%v) (-want +got):\n%s", test.in, diff)
		}
	}
}
