package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/canvas"
	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/words"
	"cairn/engine/report"
	"cairn/internal/wording"
)

type askCommand struct {
	First     string   `arg:"" optional:"" name:"graph" help:"The graph's .cairn file (default: the built-in sample)."`
	Words     []string `arg:"" optional:"" name:"question" help:"The question or claim; - reads it from standard input."`
	Pattern   string   `help:"Match this pattern instead of planning one, such as '(Austria) -borders-> (?country:Country) -currency-> (euro)'." placeholder:"TEXT"`
	Retriever string   `help:"The retriever: ${retriever_help}." enum:"${retrievers}" default:"${retriever}"`
	Reading   int      `help:"Use this reading of the question instead of the best, counting from 1 (see --explain)." placeholder:"N"`
	Remember  bool     `help:"Save with the graph which relation a word asks for in the chosen --reading."`
	Without   []string `sep:"none" help:"Answer as if this triple were not in the graph, and show what changes; can be repeated." placeholder:"'HEAD | RELATION | TAIL'"`
	// AnyRelation is for methods that can do without relations.
	AnyRelation bool `help:"Accept any relation between what the question relates; for --retriever exact."`
	Plain       bool `help:"Match with the plain algorithm of the paper; slower, with the same result."`

	runOutput
	command.ModelFlags
}

// runOutput are the choices of how an answer is shown, and what it is written to.
type runOutput struct {
	Explain bool   `help:"Show how the question was read, every step, and where the distance comes from."`
	All     bool   `help:"Show all answers and all evidence, no matter how long."`
	HTML    string `name:"html" help:"Also write a report to this file." placeholder:"FILE"`
	Prompts string `help:"Also write the prompts to the model and its replies to this file." placeholder:"FILE"`

	// learned is what the choice of a reading taught, nil for nothing, and said says so.
	learned *words.Choice
	said    string
	// whatIf is what leaving triples out changed; nil for the whole graph.
	whatIf *present.WhatIf

	pictureFiles
}

// pictureFiles are where a picture is written to.
type pictureFiles struct {
	PNG string `name:"png" help:"Also write a picture of the evidence to this file." placeholder:"FILE"`
	SVG string `name:"svg" help:"Also write the picture as SVG to this file." placeholder:"FILE"`
}

func (c *pictureFiles) draw(ctx context.Context, s *session, model func() canvas.Model) error {
	if c.PNG == "" && c.SVG == "" {
		return nil
	}
	picture, err := canvas.NewPicture(model())
	if err != nil {
		return err
	}
	if c.PNG != "" {
		if err := s.WriteFile(ctx, c.PNG, func(w io.Writer) error { return picture.WritePNG(w, canvas.LightPalette()) }); err != nil {
			return err
		}
	}
	if c.SVG == "" {
		return nil
	}
	return s.WriteFile(ctx, c.SVG, func(w io.Writer) error { return picture.WriteSVG(w, canvas.LightPalette()) })
}

func (c *askCommand) Run(ctx context.Context, s *session) error {
	path, question := splitGraph(append([]string{c.First}, c.Words...))
	if question == "-" {
		text, err := s.readText("-")
		if err != nil {
			return err
		}
		question = strings.TrimSpace(text)
	}
	if question == "" && c.Pattern == "" {
		return command.UsageError("the question is missing; write it after the graph, for example: cairn ask \"What is the capital of Mongolia?\"")
	}
	if path == "" && isDataFile(c.First) {
		return notAGraph(c.First)
	}
	if m := s.Method(c.Retriever); m.Seeded && (c.Pattern != "" || c.Plain || c.Reading > 0 && !m.Reads) {
		leave := "--pattern, --reading and --plain"
		if m.Reads {
			leave = "--pattern and --plain"
		}
		return command.UsageError(fmt.Sprintf("--retriever %s does not match patterns; omit %s", m.ID, leave))
	}
	switch {
	case c.Remember && (c.Reading == 0 || c.Pattern != ""):
		return command.UsageError("--remember saves the choice of a reading; choose one with --reading")
	case c.Remember && len(c.Without) > 0:
		return command.UsageError("--remember saves a choice for the whole graph; omit --without")
	case c.Remember && path == "":
		return command.UsageError("--remember saves the choice with a graph; give the graph file before the question")
	}
	e, own, err := c.prepare(ctx, s, path)
	if err != nil {
		return err
	}
	if err := c.check(ctx, s); err != nil {
		return err
	}
	without, err := leftOut(ctx, e, c.Without)
	if err != nil {
		return err
	}
	run, err := c.ask(ctx, s, e, question, own, nil)
	if err != nil {
		return err
	}
	if len(without) > 0 {
		whole := run
		if run, err = c.ask(ctx, s, e, question, own, without); err != nil {
			return err
		}
		c.whatIf = present.WhatIfOf(e.Graph(), whole, run)
	}
	if c.Remember {
		if err := c.remember(ctx, s, e, run, path); err != nil {
			return err
		}
	}
	return c.write(ctx, s, e, run)
}

// remember keeps what the choice of the reading teaches, and says so.
func (c *askCommand) remember(ctx context.Context, s *session, e *engine.Engine, run *engine.Run, path string) error {
	choice, ok := e.Teaches(run)
	if !ok {
		c.said = "Nothing was saved: no single word of the question sets this reading apart from the others."
		return nil
	}
	if err := e.Learn(ctx, choice, s.events(false)); err != nil {
		return err
	}
	c.learned = &choice
	c.said = fmt.Sprintf("From now on, %s in this graph. cairn lexicon %s lists such choices and undoes them.", present.Choice(e.Graph(), choice), shellWord(path))
	return nil
}

// prepare opens the graph that is asked, with its model, and reads the pattern that stands
// in for a plan; nil for none.
func (c *askCommand) prepare(ctx context.Context, s *session, path string) (e *engine.Engine, own *pattern.Pattern, err error) {
	if c.Pattern != "" {
		if own, err = pattern.ParseText(c.Pattern); err != nil {
			return nil, nil, err
		}
	}
	s.models = c.ModelFlags
	if e, err = s.open(ctx, path); err != nil {
		return nil, nil, err
	}
	return e, own, c.Use(e, s.Log)
}

// check finds out before anything is asked whether the files can be written.
func (c *runOutput) check(ctx context.Context, s *session) error {
	return s.CheckFiles(ctx, c.HTML, c.Prompts, c.PNG, c.SVG)
}

// write shows an answer and writes its files; the error is how the question ended.
func (c *runOutput) write(ctx context.Context, s *session, e *engine.Engine, run *engine.Run) error {
	page, err := present.Page(ctx, e, run, command.Version)
	if err != nil {
		return err
	}
	if c.whatIf != nil {
		page.WhatIf = append(page.WhatIf, c.whatIf.Lines()...)
	}
	if err := c.writeFiles(ctx, s, e, run, page); err != nil {
		return err
	}
	if s.JSON {
		result := s.runJSON(e, run, page)
		result.WhatIf = c.whatIf
		if result.Remembered = c.learned; c.said != "" {
			s.Note("%s", c.said)
		}
		if err := s.PrintJSON(result); err != nil {
			return err
		}
	} else {
		s.printRun(e, run, page, c.Explain, c.All)
		if c.said != "" {
			s.Printf("\n%s\n", c.said)
		}
	}
	return outcome(run)
}

func (c *askCommand) ask(ctx context.Context, s *session, e *engine.Engine, question string, own *pattern.Pattern, without []kg.TripleID) (*engine.Run, error) {
	o := engine.AskOptions{Without: without, Retriever: c.Retriever, NoModel: c.NoModel, Style: c.Style, Plain: c.Plain, AnyRelation: c.AnyRelation, Reading: max(c.Reading-1, 0), Chosen: c.Reading > 0}
	if own != nil {
		question = cmp.Or(question, c.Pattern)
		return e.FollowPattern(ctx, question, own, o, s.events(false))
	}
	run, err := e.Ask(ctx, question, o, s.events(false))
	if errors.Is(err, engine.ErrUntrained) {
		return nil, untrained(c.First, c.Retriever)
	}
	if err == nil && c.Reading > len(run.Plan.Readings) {
		return nil, command.UsageError(fmt.Sprintf("there is no reading %d; the question has %s", c.Reading, present.Plural(len(run.Plan.Readings), "reading", "readings")))
	}
	return run, err
}

// untrained says how a graph gets a retriever of a method; first is the first word after ask.
func untrained(first, method string) error {
	if path, _ := splitGraph([]string{first}); path != "" {
		return command.InputError(fmt.Sprintf("this retriever is not trained on this graph yet; train it with cairn train %s %s", method, shellWord(path)))
	}
	return command.InputError("this retriever is not trained on the sample graph; create your own graph with cairn import, then train on it with cairn train " + method)
}

// splitGraph takes a graph's file, or an empty word, off the front of the words.
func splitGraph(args []string) (path, question string) {
	path, args = graphAndNames(args)
	return path, strings.TrimSpace(strings.Join(args, " "))
}

// isDataFile reports whether a word is the name of a file, with an ending, which
// no question begins with.
func isDataFile(word string) bool {
	info, err := os.Stat(word)
	return err == nil && info.Mode().IsRegular() && filepath.Ext(word) != ""
}

// outcome turns how a run ended into an exit code.
func outcome(run *engine.Run) error {
	switch present.Confidence(run) {
	case present.Refused:
		return command.OutcomeError(command.ExitNoAnswer)
	case present.Likely:
		return command.OutcomeError(command.ExitLikely)
	}
	if run.Answer.Verdict == answer.Refuted {
		return command.OutcomeError(command.ExitRefuted)
	}
	return nil
}

func (c *runOutput) writeFiles(ctx context.Context, s *session, e *engine.Engine, run *engine.Run, page report.Report) error {
	if c.HTML != "" {
		if err := s.WriteFile(ctx, c.HTML, func(w io.Writer) error { return report.WriteHTML(w, page) }); err != nil {
			return err
		}
	}
	if c.Prompts != "" {
		text := present.PromptsText(run)
		if err := s.WriteFile(ctx, c.Prompts, func(w io.Writer) error { _, err := io.WriteString(w, text); return err }); err != nil {
			return err
		}
	}
	return c.draw(ctx, s, func() canvas.Model { return present.CanvasModel(e.Graph(), run) })
}

// How much is printed where --all is not given.
const (
	shownEvidence  = 40
	shownSentences = 20
)

// printRun prints an answer for people.
func (s *session) printRun(e *engine.Engine, run *engine.Run, page report.Report, explain, all bool) {
	s.Printf("%s\n\n", page.Question)
	if len(page.WhatIf) > 0 {
		s.Printf("%s\n\n", strings.Join(page.WhatIf, "\n"))
	}
	if page.Headline != "" {
		s.Printf("%s\n", page.Headline)
	}
	for _, c := range page.Cards {
		if c.Text != "" {
			s.Printf("%s: %s\n", c.Name, c.Text)
		}
	}
	said := map[string]bool{}
	for i, sentence := range page.Sentences {
		if i == shownSentences && !all {
			s.Printf("… and %s (--all shows them)\n", present.Plural(len(page.Sentences)-i, "more sentence", "more sentences"))
			break
		}
		said[sentence.Text] = true
		s.Printf("%s%s\n", sentence.Marked(), tags(sentence.Citations))
		if sentence.Doubtful() {
			s.Printf("    ! %s. %s\n", sentence.Check, sentence.Reason)
		}
	}
	if page.Doubtful() && page.Checked != "" {
		s.Printf("%s\n", page.Checked)
	}
	s.Lines("", page.Missing)
	if page.Doubt != "" {
		s.Printf("Note: %s\n", page.Doubt)
	}
	s.Lines("", present.Chosen(run))
	if doubt := run.Plan != nil && (run.Plan.Doubt == plan.Ambiguous || run.Plan.Doubt == plan.NoRelation || run.Plan.Doubt == plan.Unsure && run.Method.Reads); doubt && !explain {
		for _, r := range present.Readings(e.Graph(), run) {
			if !r.Chosen {
				s.Printf("  --reading %d: %s\n", r.Index+1, r.Line())
			}
		}
	}
	s.printAmounts(run, all)
	s.printTimeline(page.Timeline, all)
	s.printEvidence(page, all)
	s.printPaths(page, all)
	for _, note := range page.Network.Notes {
		if !said[note] { // where a model worded the answer, its sentences leave them out
			s.Printf("Note: %s\n", note)
		}
	}
	if page.Basis != "" {
		s.Printf("\n%s · %s\n", page.Basis, present.Took(run))
	}
	s.Lines("", page.Makers)
	if explain {
		s.printExplanation(e, run, page)
	}
}

// printAmounts prints the answers with their numbers, a bar each. Those without numbers are
// listed where the sentences name only the first.
func (s *session) printAmounts(run *engine.Run, all bool) {
	rows := wording.Each(present.Bars(run.Answer), func(b report.Bar) []string {
		return []string{b.Label, b.Amount, strings.Repeat("█", int(b.Share*barWidth+0.5)), strings.TrimSpace(tags(b.Citations))}
	})
	if len(rows) > 1 {
		s.Printf("\nNumbers\n")
		s.first(rows, shownEvidence, all, "more", "more")
	} else if a := run.Answer; all && a != nil && len(a.Items) > answer.MaxNames {
		s.Printf("\nAnswers\n")
		for _, it := range a.Items {
			s.Printf("  %s%s\n", present.OneLine(it.Label), tags(it.Citations))
		}
		if more := a.Count - len(a.Items); more > 0 {
			s.Printf("  … and %s more, which the evidence leaves out\n", present.Count(more))
		}
	}
}

// printTimeline prints when what statements say was so, a bar each on one axis.
func (s *session) printTimeline(tl report.Timeline, all bool) {
	if len(tl.Rows) == 0 {
		return
	}
	var rows [][]string
	for _, p := range tl.Rows {
		from := min(int(p.From*barWidth+0.5), barWidth-1)
		until := max(int(p.Until*barWidth+0.5), from+1)
		bar := strings.Repeat("·", from) + strings.Repeat("█", until-from) + strings.Repeat("·", barWidth-until)
		rows = append(rows, []string{p.Label, p.When, bar, strings.TrimSpace(tags(p.Citations))})
	}
	s.Printf("\nTimeline, %s to %s\n", tl.First, tl.Last)
	s.first(rows, shownEvidence, all, "more", "more")
}

// first prints the first of some rows, and how many more there are; all of them with all.
func (s *session) first(rows [][]string, most int, all bool, one, many string) {
	if left := len(rows) - most; left > 0 && !all {
		rows = append(rows[:most], []string{"…", fmt.Sprintf("and %s (--all shows them)", present.Plural(left, one, many))})
	}
	s.Table("  ", rows)
}

// barWidth is how many characters the longest bar has.
const barWidth = 24

func (s *session) printEvidence(page report.Report, all bool) {
	if len(page.Evidence) == 0 {
		return
	}
	s.Printf("\n%s\n", page.Standing)
	var rows [][]string
	var read []string // where a model read the triples
	for i, t := range page.Evidence {
		tag := "-"
		if t.Number > 0 {
			tag = present.Tag(t.Number)
		}
		rows = append(rows, []string{tag, t.Head, t.Relation, t.Tail, strings.Join(t.Where(), ", ")})
		for _, x := range t.Extractions {
			if i < shownEvidence || all {
				read = append(read, fmt.Sprintf("  %s %s", tag, x.Text))
			}
		}
	}
	s.first(rows, shownEvidence, all, "more triple", "more triples")
	if len(read) > 0 {
		s.Printf("\nRead from texts by a model\n%s\n", strings.Join(read, "\n"))
	}
}

// shownPaths is how many answers are printed with their paths.
const shownPaths = 10

// printPaths prints how a network came to its answers, the most probable first.
func (s *session) printPaths(page report.Report, all bool) {
	n := page.Network
	switch {
	case len(n.Answers) == 0:
	case n.Score == "":
		s.Printf("\nPaths\n")
	default:
		s.Printf("\nPaths, by %s (%s)\n", strings.ToLower(n.Score), n.Scale)
	}
	for i, a := range n.Answers {
		if i == shownPaths && !all {
			s.Printf("  … and %s (--all shows them)\n", present.Plural(len(n.Answers)-i, "more answer", "more answers"))
			break
		}
		s.Printf("  %s\n", strings.TrimSpace(a.Score+"  "+a.Name))
		for _, p := range a.Paths {
			s.Printf("    %s%s\n", p.Text, tags(p.Citations))
		}
		if a.More != "" {
			s.Printf("    … %s\n", a.More)
		}
	}
	if n.More != "" && (all || len(n.Answers) <= shownPaths) {
		s.Printf("  … %s\n", n.More)
	}
}

func (s *session) printExplanation(e *engine.Engine, run *engine.Run, page report.Report) {
	if rows := present.Readings(e.Graph(), run); len(rows) > 0 {
		s.Printf("\nReadings\n")
		for _, r := range rows {
			mark := " "
			if r.Chosen {
				mark = "*"
			}
			s.Printf(" %s %d. %s\n", mark, r.Index+1, r.Line())
			if len(r.Unused) > 0 {
				s.Printf("      ignored: %s\n", strings.Join(r.Unused, ", "))
			}
		}
	}
	if ws := present.Words(run); ws != nil {
		s.Printf("\nWords\n")
		for _, w := range ws {
			if !w.Gap && w.Role != plan.Filler {
				s.Printf("  %s: %s\n", present.OneLine(w.Text), w.Means())
			}
		}
	}
	if page.Reading != "" {
		s.Printf("\nPattern (for --pattern)\n  %s\n", page.Reading)
		if text := e.CypherOf(run); text != "" {
			s.Printf("\nThe same in Cypher (for cairn query --cypher)\n  %s\n", text)
		}
	}
	if len(page.Pattern) > 0 {
		if page.NoMatch != "" {
			s.Printf("\n%s\n", page.NoMatch)
		} else {
			s.Printf("\nDistance, part by part (0 is exact, lower is closer)\n")
		}
		rows := make([][]string, 0, len(page.Pattern)+1)
		for _, r := range page.Pattern {
			part := present.PartText(r.Distance)
			if r.Missing {
				part = "-"
			}
			rows = append(rows, []string{part, r.Kind, r.Asked, "matched " + r.Found})
		}
		if page.NoMatch == "" {
			rows = append(rows, []string{present.PartText(page.Distance), "sum"})
		}
		s.Table("  ", rows)
	}
	if len(page.Network.Lines) > 0 {
		s.Printf("\nHow the question was read\n")
		s.Lines("  ", page.Network.Lines)
	}
	s.Printf("\nSteps\n")
	for _, r := range run.Stages {
		step := present.Ended(e.Graph(), run, r)
		s.Printf("  %-9s%-8s%s\n", r.Stage, step.Time, step.Summary)
		s.Lines("    ", step.Details)
	}
}

// tags writes citations, three and more in a row as a range: " [T1–T24]".
func tags(citations []int) string {
	var b strings.Builder
	for _, r := range report.Runs(citations) {
		if r.From == r.To {
			fmt.Fprintf(&b, " [%s]", present.Tag(r.From))
		} else {
			fmt.Fprintf(&b, " [%s–%s]", present.Tag(r.From), present.Tag(r.To))
		}
	}
	return b.String()
}

// leftOut finds the triples that --without names.
func leftOut(ctx context.Context, e *engine.Engine, named []string) ([]kg.TripleID, error) {
	var out []kg.TripleID
	for _, text := range named {
		parts := strings.Split(text, "|")
		if len(parts) != 3 {
			return nil, command.UsageError(fmt.Sprintf("--without takes a triple as 'HEAD | RELATION | TAIL', but “%s” has %s", text, present.Plural(len(parts), "part", "parts")))
		}
		found, near, err := e.TriplesNamed(ctx, strings.TrimSpace(parts[0]), strings.TrimSpace(parts[1]), strings.TrimSpace(parts[2]))
		if err != nil {
			return nil, err
		}
		switch {
		case len(found) == 1:
			out = append(out, found[0])
		case len(found) > 1:
			return nil, command.UsageError(fmt.Sprintf("“%s” may be any of %s; use keys instead of names: %s", text, present.Plural(len(found), "triple", "triples"), written(e.Graph(), found)))
		case len(near) > 0:
			return nil, command.UsageError(fmt.Sprintf("the graph has no triple “%s”; the closest: %s", text, written(e.Graph(), near)))
		default:
			return nil, command.UsageError(fmt.Sprintf("the graph has no triple “%s”, and none close to it", text))
		}
	}
	return out, nil
}

// written lists the first of several triples as --without takes them, by keys.
func written(g *kg.Graph, ts []kg.TripleID) string {
	const most = 5
	return strings.Join(wording.Each(ts[:min(len(ts), most)], func(t kg.TripleID) string {
		x := g.Triple(t)
		text := present.OneLine(fmt.Sprintf("'%s | %s | %s'", g.Key(x.Head), g.RelationKey(x.Relation), g.Key(x.Tail)))
		if g.Key(x.Head) != g.Label(x.Head) || g.Key(x.Tail) != g.Label(x.Tail) {
			text += " (" + present.TripleText(g, t) + ")"
		}
		return text
	}), ", ")
}
