// Package report writes an answer and everything that it rests on as a page
// that needs nothing beside itself: no script, no network, no other file.
//
// It knows nothing of the engine: whoever has a run fills in a Report, in the
// words that the page shows.
package report

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"time"

	"cairn/internal/wording"
)

// Report is what a page says. Empty parts are left out of it.
type Report struct {
	Question string
	WhatIf   []string // that triples were left out of the graph, which, and what that changed
	Headline string   // the outcome in a few words: "2 answers", "Refuted by this graph"
	When     time.Time
	App      string // the program and its version
	Graph    Graph

	Answers   []string // the things that answer the question, by name
	Bars      []Bar    // the same with their numbers, where they have any
	Timeline  Timeline
	Excluded  Excluded
	Cards     []Card // what is described
	Sentences []Sentence
	Checked   string   // the result of the check of all sentences
	Makers    []string // who read the question and worded the answer, one line each
	Basis     string   // what the answer rests on, in one sentence
	Missing   []string // what was not found, one sentence each
	Doubt     string   // why the question may mean something else

	Reading  string // the pattern in one line
	Pattern  []PatternRow
	NoMatch  string  // what Pattern shows where that is no match; empty where it is one
	Distance float64 // the distance of the best match; 0 is exact
	Network  Network // what a retriever found that scores entities, instead of Pattern

	Figure     []byte // the evidence as SVG, for a light page
	FigureDark []byte // the same for a dark page; Figure where empty
	FigureAlt  string

	Evidence []Triple
	Standing string // what Evidence is, as its title: "Evidence against the claim"
	Method   []Fact
	Steps    []Fact   // each with its time and result; folded
	Prompts  []Prompt // what a model was asked
}

// Graph says which graph was asked.
type Graph struct {
	Path                         string // of its file; no page says it
	Name                         string
	Entities, Relations, Triples int
	Sources                      []string
}

// Sentence is one sentence of the answer.
type Sentence struct {
	Text      string `json:"text"`
	Citations []int  `json:"citations"`        // numbers of Evidence: 1 is T1
	Check     string `json:"check"`            // the result of the check in words; empty where not checked
	Reason    string `json:"reason,omitempty"` // why it is not fully supported
	Struck    bool   `json:"struck,omitempty"` // nothing in the evidence supports it: shown, but crossed out
	Good      bool   `json:"-"`                // the check found every part of it in the cited triples
	Note      bool   `json:"-"`                // it is about the search, not about the world, and needs no check
	Model     bool   `json:"-"`                // a model wrote it
}

// Doubtful reports whether the check found something against the sentence.
func (s Sentence) Doubtful() bool { return s.Check != "" && !s.Good && !s.Note }

// Marked is the sentence as text, between ~~ where it is struck.
func (s Sentence) Marked() string {
	if s.Struck {
		return "~~" + s.Text + "~~"
	}
	return s.Text
}

// Why says in a few words what the check found against a doubtful sentence:
// "not in the evidence: T1 does not say “1987”".
func (s Sentence) Why() string {
	if !s.Doubtful() {
		return ""
	}
	return strings.TrimSuffix(s.Check+": "+strings.TrimSuffix(s.Reason, "."), ": ")
}

// Copied is the sentence as it goes to the clipboard: marked, with its citations, and
// with what is against it.
func (s Sentence) Copied() string {
	var b strings.Builder
	b.WriteString(s.Marked())
	for _, n := range s.Citations {
		fmt.Fprintf(&b, " [T%d]", n)
	}
	if why := s.Why(); why != "" {
		b.WriteString(" (" + why + ")")
	}
	return b.String()
}

// Spoken are the sentences that a page shows.
func (r Report) Spoken() []Sentence {
	if len(r.Cards) > 0 {
		return BesideCards(r.Sentences)
	}
	return r.Sentences
}

// BesideCards are those of an answer's sentences that its cards do not say: a model's,
// and what follows the last that cites.
func BesideCards(all []Sentence) (rest []Sentence) {
	last := -1
	for i, s := range all {
		if len(s.Citations) > 0 && !s.Model {
			last = i
		}
	}
	for i, s := range all {
		if i > last || s.Model {
			rest = append(rest, s)
		}
	}
	return rest
}

// Doubtful reports whether the check found something against a sentence.
func (r Report) Doubtful() bool { return slices.ContainsFunc(r.Sentences, Sentence.Doubtful) }

// PatternRow is a part of the pattern with what matched it.
type PatternRow struct {
	Kind     string // "node" or "edge"
	Asked    string
	Found    string
	Distance float64 // its part of the distance; lower is closer
	Missing  bool    // nothing was found for it
}

// Network is what a trained network found.
type Network struct {
	Lines   []string // where it looked and how it read the question
	Answers []Ranked // the best first
	More    string   // answers that are left out
	Score   string   // heads the scores: "Probability"; empty where there are none
	Scale   string   // how they are read: "0 to 1, higher is more likely"
	Notes   []string // what a reader must know, one sentence each
}

// Ranked is an answer with its score and the paths that lead to it.
type Ranked struct {
	Name  string
	Score string // "0.93"; empty without
	Paths []Path
	More  string // paths that are left out
}

// Path is one path, from what the question names to an answer.
type Path struct {
	Text      string   // "Austria ← capital of — Vienna"
	Edges     []string // the ids of its triples in the picture
	Citations []int    // numbers of Evidence that it consists of
	Source    string   // what found it; empty where all paths are of one source
}

// Bar is one answer with its number.
type Bar struct {
	Label     string
	Amount    string
	Share     float64 // of the longest bar, from 0 to 1
	Citations []int
}

// Card is what a graph says of one thing.
type Card struct {
	Name    string
	Kinds   []string
	Names   []string // that it has as well
	Key     string   // in its source; empty where that is its name
	Text    string   // the description that its source gives
	Heading string   // "42 facts by 14 relations"
	Rows    []CardRow
}

// CardRow is what it has by one relation.
type CardRow struct {
	Relation string
	Inward   bool // the relation leads to it
	Count    int
	Things   []Thing // the first
	More     int     // that are left out
}

// Title is the relation, with an arrow where it leads to what the card is about, and how
// often.
func (r CardRow) Title() string {
	title := r.Relation
	if r.Inward {
		title = "← " + title
	}
	if r.Count > 1 {
		title += " (" + wording.Number(r.Count) + ")"
	}
	return title
}

// Thing is a value, or something that can be asked about.
type Thing struct {
	Name      string
	Said      string // what statements say beside the triple
	Asks      string // the question about it; empty for a value
	Citations []int
}

// Timeline is what statements say of times, in their order, on one axis.
type Timeline struct {
	First, Last string // where the axis begins and ends
	Rows        []Period
}

// Period is one time.
type Period struct {
	Label       string
	When        string  // "1914 – 1934", "from 1914"
	From, Until float64 // its place on the axis, from 0 to 1
	Citations   []int
}

// Excluded are things that are no answers because of what triples say.
type Excluded struct {
	Things []Left
	More   int // that are left out of the list
}

// Left is one of them, with the reason.
type Left struct{ Name, Why string }

// Triple is one triple of the evidence.
type Triple struct {
	Number   int      `json:"number"` // 1 is T1; 0 for one that is not cited
	Head     string   `json:"head"`
	Relation string   `json:"relation"`
	Tail     string   `json:"tail"`
	Sources  []string `json:"sources"` // "countries.tsv:1204"
	// Places are Sources, each with what the statement there says beside the triple; nil
	// where that is nothing.
	Places []string `json:"-"`
	// Statements are what different statements say beside the triple.
	Statements [][]Property `json:"statements,omitempty"`
	// Extracted says that only a model vouches for it, which read it in a text.
	Extracted   bool         `json:"extracted,omitempty"`
	Extractions []Extraction `json:"extractions,omitempty"`
}

// Where returns the places, or else the sources.
func (t Triple) Where() []string {
	if len(t.Places) > 0 {
		return t.Places
	}
	return t.Sources
}

// Property is one thing that a statement says beside its triple.
type Property struct {
	Name     string `json:"name"`  // for people
	Value    string `json:"value"` // with its unit; of an entity its name
	Key      string `json:"key"`   // of the property, in its source
	Datatype string `json:"datatype,omitempty"`
	Entity   string `json:"entity,omitempty"` // its key
}

// Extraction is a place of a text where a model read a triple.
type Extraction struct {
	Text     string `json:"-"`        // all of it in words
	Document string `json:"document"` // the file
	Line     int64  `json:"line"`
	Model    string `json:"model"`
	Digest   string `json:"digest,omitempty"` // of the model's weights
	// Byte offsets in the document, and what stands there.
	Start int64  `json:"start"`
	End   int64  `json:"end"`
	Quote string `json:"quote"`
}

// Fact is one line of the method box.
type Fact struct{ Name, Value string }

// Prompt is one request to a model, with what came back.
type Prompt struct {
	Title  string // "1 · Plan: pattern"
	About  string // "qwen3:4b · 640 + 120 tokens · 5.1 s"
	Failed bool
	Facts  []Fact
	Texts  []Text // ways to look at it
}

// Text is a long text, folded until it is asked for.
type Text struct {
	Name, Note string
	Text       string // as it is; the page leaves out what cannot be shown
	JSON       bool
}

//go:embed report.html
var pageText string

//go:embed report.css
var style string

var page = template.Must(template.New("report").Funcs(template.FuncMap{
	"number":  wording.Number[int],
	"tag":     func(n int) string { return fmt.Sprintf("T%d", n) },
	"mark":    mark,
	"shown":   wording.Printable,
	"runs":    Runs,
	"percent": func(from, to float64) string { return fmt.Sprintf("%.1f%%", 100*max(to-from, 0)) },
	"part":    func(d float64) string { return fmt.Sprintf("%.3f", max(d, 0)) },
	"date":    func(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04 UTC") },
	"css":     func() template.CSS { return template.CSS(style) },
	"image":   image,
	"srcset":  func(svg []byte) template.Srcset { return template.Srcset(image(svg)) },
}).Parse(pageText))

// WriteHTML writes r as a self-contained HTML page. Nothing in r can bring
// markup into it: texts are escaped, and figures are shown as images, which run
// no script.
func WriteHTML(w io.Writer, r Report) error {
	if err := writePage(w, page, r); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// writePage makes a page in memory first: it is whole or not there.
func writePage(w io.Writer, t *template.Template, of any) error {
	var b bytes.Buffer
	if err := t.Execute(&b, of); err != nil {
		return err
	}
	_, err := b.WriteTo(w)
	return err
}

// image makes a figure part of the page. As an image it keeps its ids and
// styles to itself.
func image(svg []byte) template.URL {
	return template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(svg))
}

// mark is a sign beside the words of a check, never in their place.
func mark(good bool, check string) string {
	switch {
	case check == "":
		return ""
	case good:
		return "✓ "
	}
	return "! "
}

// Run is a run of citations, From to To.
type Run struct{ From, To int }

// Runs gathers citations for display: three and more in a row are one Run, any
// other is a Run of its own.
func Runs(citations []int) []Run {
	var runs []Run
	for i := 0; i < len(citations); {
		end := i + 1
		for end < len(citations) && citations[end] == citations[end-1]+1 {
			end++
		}
		if end-i < 3 {
			end = i + 1
		}
		runs = append(runs, Run{citations[i], citations[end-1]})
		i = end
	}
	return runs
}

// Index is a page that leads to the pages of several questions.
type Index struct {
	Title   string
	About   string
	App     string
	Entries []Entry
}

// Entry is one question of an Index.
type Entry struct {
	Kind       string // what the question shows
	Question   string
	Headline   string
	Text       string // the answer in short
	Page       string // the page's file beside the index
	Picture    string // a picture's file beside the index; may be empty
	PictureAlt string
}

//go:embed index.html
var indexText string

var indexPage = template.Must(template.New("index").Funcs(template.FuncMap{
	"css": func() template.CSS { return template.CSS(style) },
}).Parse(indexText))

// WriteIndex writes an index as an HTML page. Pictures are links to the files
// beside it.
func WriteIndex(w io.Writer, x Index) error {
	if err := writePage(w, indexPage, x); err != nil {
		return fmt.Errorf("write the index: %w", err)
	}
	return nil
}
