package cli

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"cairn/app/present"
	"cairn/canvas"
	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/report"
)

// page puts a run into the words of a report, which the text output shares.
func (s *session) page(ctx context.Context, e *engine.Engine, run *engine.Run) (report.Report, error) {
	g := e.Graph()
	info, err := e.Info(ctx)
	if err != nil {
		return report.Report{}, err
	}
	s.path = info.Path
	r := report.Report{
		Question: present.Shorten(present.OneLine(run.Question), maxShownQuestion),
		When:     run.Started,
		App:      "Cairn " + s.version,
		Graph: report.Graph{
			Name: info.Name, Entities: info.Entities, Relations: info.Relations, Triples: info.Triples,
		},
		Basis: present.Basis(run),
		Doubt: present.Doubt(run),
	}
	for _, src := range info.Sources {
		r.Graph.Sources = append(r.Graph.Sources, fmt.Sprintf("%s (%s, %s %s)", src.Name, present.Plural(src.Added, "triple", "triples"), howAdded(src), src.Imported.UTC().Format(time.DateOnly)))
	}
	r.Headline, _ = present.Headline(run)
	for _, a := range present.AnswerRows(g, run) {
		label := a.Label
		if a.Detail != "" && a.Detail != label {
			label += " (" + a.Detail + ")"
		}
		r.Answers = append(r.Answers, label)
	}
	for _, x := range present.Sentences(run.Answer) {
		r.Sentences = append(r.Sentences, report.Sentence{
			Text: x.Text, Citations: x.Citations, Check: x.Check, Reason: x.Reason, Good: x.Good, Struck: x.Struck, Note: x.Note,
		})
	}
	r.Checked = present.CheckSummary(present.Sentences(run.Answer))
	r.Makers = present.MakerLines(run)
	for _, x := range present.PromptRows(run) {
		p := report.Prompt{Title: x.Title}
		for _, f := range x.Facts {
			p.Facts = append(p.Facts, report.Fact(f))
		}
		for _, v := range x.Views {
			p.Texts = append(p.Texts, report.Text{Name: v.Title, Note: v.Note, Text: present.Printable(v.Text)})
		}
		r.Prompts = append(r.Prompts, p)
	}
	if run.Answer != nil && run.Answer.Refusal != nil {
		if len(r.Sentences) == 0 {
			r.Missing = append(r.Missing, present.Sentence(run.Answer.Refusal.Reason))
		}
		for _, m := range run.Answer.Refusal.Missing {
			r.Missing = append(r.Missing, present.MissingText(m))
		}
	}
	if p := present.PatternOf(run); p != nil {
		r.Reading = pattern.Format(p)
		if c, ok := present.BestCandidate(run); ok {
			rows, total := present.PatternTable(g, p, c)
			r.Distance = total
			for _, row := range rows {
				r.Pattern = append(r.Pattern, report.PatternRow(row))
			}
		}
	}
	if present.Ranked(run) {
		r.Network = network(g, run)
	}
	if r.Evidence, err = evidenceRows(ctx, e, run); err != nil {
		return r, err
	}
	if err := addFigure(&r, present.CanvasModel(g, run)); err != nil {
		return r, err
	}
	r.Method = method(run)
	return r, nil
}

// network is what a trained network found.
func network(g *kg.Graph, run *engine.Run) report.Network {
	n := report.Network{Lines: present.NetworkReading(g, run), Notes: present.NetworkNotes(run), Scale: present.ProbabilityScale}
	groups, more := present.PathGroups(g, run)
	for _, group := range groups {
		a := report.Ranked{Name: group.Answer, Probability: present.Probability(group.Probability)}
		for _, p := range group.Paths {
			a.Paths = append(a.Paths, report.Path{Text: p.Text, Citations: p.Tags, Source: p.Source})
		}
		if group.More > 0 {
			a.More = "and " + present.Plural(group.More, "more path", "more paths")
		}
		n.Answers = append(n.Answers, a)
	}
	if more > 0 {
		n.More = "and " + present.Plural(more, "more answer", "more answers")
	}
	return n
}

// maxShownQuestion is how many characters of a question are repeated.
const maxShownQuestion = engine.MaxQuestion / 4

// evidenceRows lists the triples that an answer may cite, each with where it
// comes from.
func evidenceRows(ctx context.Context, e *engine.Engine, run *engine.Run) ([]report.Triple, error) {
	rows := present.EvidenceRows(e.Graph(), run)
	ts := make([]report.Triple, 0, len(rows))
	for _, row := range rows {
		t := report.Triple{Number: row.Number, Head: row.Head, Relation: row.Relation, Tail: row.Tail, Sources: []string{}, Extracted: row.Extracted}
		places, err := e.Source(ctx, row.Triple)
		if err != nil {
			return nil, err
		}
		for _, p := range places {
			// A file that was imported again after a change is two sources of one name.
			source := present.SourceOf(p)
			if text := present.SourceText(source); !slices.Contains(t.Sources, text) {
				t.Sources = append(t.Sources, text)
			}
			if x := p.Extraction; x != nil {
				t.Extractions = append(t.Extractions, report.Extraction{
					Text: present.ExtractionPlace(source) + ": " + present.ExtractionQuote(source), Document: p.File, Line: p.Line,
					Model: x.Model, Digest: x.Digest, Start: x.Start, End: x.End, Quote: x.Quote,
				})
			}
		}
		ts = append(ts, t)
	}
	return ts, nil
}

// howAdded says how a source came into its graph, before the day.
func howAdded(s kg.Source) string {
	if s.Model != "" {
		return s.Mapping + ", added"
	}
	return "imported"
}

// addFigure draws the evidence for light and dark pages.
func addFigure(r *report.Report, m canvas.Model) error {
	if len(m.Nodes) == 0 {
		return nil
	}
	for _, f := range []struct {
		dark bool
		to   *[]byte
	}{{false, &r.Figure}, {true, &r.FigureDark}} {
		var b bytes.Buffer
		if err := canvas.WriteSVG(&b, m, canvas.ExportOptions{Dark: f.dark}); err != nil {
			return fmt.Errorf("draw the evidence: %w", err)
		}
		*f.to = b.Bytes()
	}
	r.FigureAlt = figureText(m)
	return nil
}

// figureText says a picture in words, for those who do not see it.
func figureText(m canvas.Model) string {
	const most = 8 // edges that are said one by one
	if len(m.Edges) == 0 {
		return fmt.Sprintf("A graph of %s.", present.Plural(len(m.Nodes), "node", "nodes"))
	}
	said := make([]string, 0, most)
	for _, e := range m.Edges[:min(most, len(m.Edges))] {
		said = append(said, fmt.Sprintf("%s %s %s", m.Nodes[e.From].Label, e.Label, m.Nodes[e.To].Label))
	}
	text := fmt.Sprintf("A graph of %s and %s: %s", present.Plural(len(m.Nodes), "node", "nodes"), present.Plural(len(m.Edges), "edge", "edges"), strings.Join(said, "; "))
	if left := len(m.Edges) - most; left > 0 {
		text += fmt.Sprintf("; and %d more", left)
	}
	return present.OneLine(text) + "."
}

// method lists how the answer came about.
func method(run *engine.Run) []report.Fact {
	var facts []report.Fact
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, report.Fact{Name: name, Value: value})
		}
	}
	if run.Plan != nil {
		add("Planner", run.Plan.Planner)
		if n := len(run.Plan.Readings); n > 1 && run.Reading >= 0 {
			add("Reading", fmt.Sprintf("%d of %d", run.Reading+1, n))
		}
	}
	if present.Ranked(run) {
		add("Retriever", present.RetrieverName(run)+": entities by probability")
		add("Search", fmt.Sprintf("%s; %s weighed, %s selected", run.Completeness, present.Plural(run.Stats.Considered, "entity", "entities"), present.Count(run.Stats.Found)))
		return append(facts, howWorded(run)...)
	}
	add("Retriever", "SimGRAG: matches by graph semantic distance")
	add("Search", fmt.Sprintf("%s; %s considered, %s pruned", run.Completeness, present.Plural(run.Stats.Considered, "partial match", "partial matches"), present.Count(run.Stats.Pruned)))
	return append(facts, howWorded(run)...)
}

// howWorded lists who worded the answer, and the steps.
func howWorded(run *engine.Run) []report.Fact {
	words := "no model; from the matches alone"
	if present.Ranked(run) {
		words = "no model; from the paths alone"
	}
	for _, m := range present.Makers(run) {
		if m.Part == "Worded by" {
			words = m.Who + ", each sentence compared with the triples that it cites"
		}
	}
	facts := []report.Fact{{Name: "Worded by", Value: words}}
	for _, st := range run.Stages {
		facts = append(facts, report.Fact{Name: "Step " + st.Stage.String(), Value: present.Elapsed(st.Duration) + ", " + st.Summary})
	}
	return facts
}

// runResult is what ask --json writes.
type runResult struct {
	Question  string           `json:"question"`
	Graph     graphResult      `json:"graph"`
	Outcome   string           `json:"outcome"` // answered, supported, refuted, not found, no answer
	Headline  string           `json:"headline"`
	Answers   []answerResult   `json:"answers"`
	Count     int              `json:"count"`
	Sentences []sentenceResult `json:"sentences"`
	Missing   []string         `json:"missing,omitempty"`
	Doubt     string           `json:"doubt,omitempty"`
	// MadeBy says who read the question and who worded the answer, and why a model
	// that was asked did not.
	MadeBy    []string       `json:"made_by,omitempty"`
	Evidence  []tripleResult `json:"evidence"`
	Pattern   string         `json:"pattern"` // as --pattern takes it
	Planner   string         `json:"planner"`
	Retriever string         `json:"retriever"` // as --retriever takes it
	// Ranked are the answers of a trained network, most probable first, with their
	// paths.
	Ranked       []rankedResult `json:"ranked,omitempty"`
	Model        string         `json:"model,omitempty"`
	Reading      int            `json:"reading"` // from 1; 0 for none
	Readings     []string       `json:"readings"`
	Distance     float64        `json:"distance"` // of the best match; 0 is exact
	Completeness string         `json:"completeness"`
	Steps        []stepResult   `json:"steps"`
	// Exchanges are what was sent to a model and what it said, whole.
	Exchanges []engine.Exchange `json:"exchanges,omitempty"`
}

type graphResult struct {
	Name      string `json:"name"`
	Path      string `json:"path"`
	Entities  int    `json:"entities"`
	Relations int    `json:"relations"`
	Triples   int    `json:"triples"`
	Types     int    `json:"types"`
}

type answerResult struct {
	Label     string  `json:"label"`
	Key       string  `json:"key"`
	Citations []int   `json:"citations"`
	Distance  float64 `json:"distance"`
}

type rankedResult struct {
	Label string `json:"label"`
	Key   string `json:"key"`
	// Probability is in [0, 1], higher is more likely.
	Probability float64  `json:"probability"`
	Paths       []string `json:"paths"`
}

type sentenceResult struct {
	Text      string `json:"text"`
	Citations []int  `json:"citations"`
	Check     string `json:"check"`
	Reason    string `json:"reason,omitempty"`
	// Struck says that nothing in the evidence bears the sentence out.
	Struck bool `json:"struck,omitempty"`
}

type tripleResult struct {
	Number   int      `json:"number"` // 1 is T1; 0 is not cited
	Head     string   `json:"head"`
	Relation string   `json:"relation"`
	Tail     string   `json:"tail"`
	Sources  []string `json:"sources"`
	// Extracted says that only a model vouches for it, which read it in a text.
	Extracted   bool                `json:"extracted,omitempty"`
	Extractions []report.Extraction `json:"extractions,omitempty"`
}

type stepResult struct {
	Step         string  `json:"step"`
	Milliseconds float64 `json:"milliseconds"`
	Summary      string  `json:"summary"`
}

// runJSON puts a run into the form that --json promises: labels and sources
// rather than ids, which mean nothing outside one file.
func (s *session) runJSON(e *engine.Engine, run *engine.Run, page report.Report) runResult {
	g := e.Graph()
	r := runResult{
		Question: run.Question, Headline: page.Headline, Outcome: outcomeWord(run),
		Graph: graphResult{
			Name: page.Graph.Name, Path: s.path, Entities: g.Entities(), Relations: g.Relations(), Triples: g.Triples(), Types: g.NumTypes(),
		},
		Missing: page.Missing, Doubt: present.Doubt(run), MadeBy: page.Makers, Pattern: page.Reading, Distance: page.Distance,
		Completeness: run.Completeness.String(), Reading: run.Reading + 1, Exchanges: run.Exchanges,
		Answers: []answerResult{}, Sentences: []sentenceResult{}, Evidence: []tripleResult{}, Readings: []string{},
	}
	if r.Retriever = byMatching; present.Ranked(run) {
		r.Retriever, r.Ranked = byNetwork, rankedResults(g, run)
	}
	if run.Plan != nil {
		r.Planner = run.Plan.Planner
		for _, x := range run.Plan.Readings {
			r.Readings = append(r.Readings, x.Text)
		}
	}
	if a := run.Answer; a != nil {
		r.Count, r.Model = a.Count, a.Model
		for _, it := range a.Items {
			r.Answers = append(r.Answers, answerResult{Label: it.Label, Key: g.Key(it.Entity), Citations: list(it.Citations), Distance: it.Distance})
		}
	}
	for _, x := range page.Sentences {
		r.Sentences = append(r.Sentences, sentenceResult{Text: x.Text, Citations: list(x.Citations), Check: x.Check, Reason: x.Reason, Struck: x.Struck})
	}
	for _, t := range page.Evidence {
		r.Evidence = append(r.Evidence, tripleResult(t))
	}
	for _, st := range run.Stages {
		r.Steps = append(r.Steps, stepResult{Step: st.Stage.String(), Milliseconds: float64(st.Duration.Microseconds()) / 1000, Summary: st.Summary})
	}
	return r
}

func rankedResults(g *kg.Graph, run *engine.Run) []rankedResult {
	if run.Ranking == nil {
		return nil
	}
	paths := map[kg.EntityID][]string{}
	for _, p := range run.Ranking.Paths {
		paths[p.Answer()] = append(paths[p.Answer()], present.PathText(g, p))
	}
	results := make([]rankedResult, 0, len(run.Ranking.Answers))
	for _, a := range run.Ranking.Answers {
		results = append(results, rankedResult{g.Label(a.Entity), g.Key(a.Entity), a.Probability, append([]string{}, paths[a.Entity]...)})
	}
	return results
}

// list is ns as JSON should have it: [] rather than null.
func list(ns []int) []int {
	if ns == nil {
		return []int{}
	}
	return ns
}

func outcomeWord(run *engine.Run) string {
	switch a := run.Answer; {
	case a == nil:
		return "no answer"
	case a.Verdict == answer.NotFound:
		return "not found"
	case a.Verdict != answer.NoVerdict:
		return a.Verdict.String()
	case a.Refusal != nil:
		return "no answer"
	}
	return "answered"
}
