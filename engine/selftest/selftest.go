package selftest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/check"
	"cairn/engine/llm"
	"cairn/engine/pattern"
	bymodel "cairn/engine/plan/model"
	"cairn/internal/wording"
)

// Progress is how far a self-test has come.
type Progress struct {
	Done, Total int
	Doing       string // what is being tried, in words
}

// atEase is how long people wait for an answer without going away.
const atEase = time.Minute

// readings are the questions to read: what a right pattern finds.
var readings = []struct {
	name, question string
	task           pattern.Task
	items          []string // the answers
	count          int
	verdict        answer.Verdict
}{
	{name: "a pattern of one step", question: "Who wrote The Ninth Ferry?", items: []string{"Oskar Brandt"}},
	{name: "a pattern of two steps", question: "In which city was the author of A Map of Rain born?", items: []string{"Hallow Bay"}},
	{name: "a pattern of two conditions", question: "Which crime novel was written by Mira Valen?", items: []string{"Salt and Lanterns"}},
	{name: "a count", question: "How many books did Mira Valen write?", task: pattern.Count, count: 2},
	{name: "a claim", question: "Oskar Brandt was born in Westmere.", task: pattern.Verify, verdict: answer.Supported},
}

// wordings are the answers to word, from evidence that is found without the
// model.
var wordings = []struct {
	kind                    kind
	name, question, pattern string
	says                    []string // names that the sentences must hold
}{
	{citationKind, "an answer with two names", "Which books did Mira Valen write?", "(?book:Book) -written by-> (Mira Valen)", []string{"The Glass Orchard", "Salt and Lanterns"}},
	{citationKind, "an answer with a number", "When was A Map of Rain published?", "(A Map of Rain) -published in-> (?year)", []string{"1961"}},
	{dataKind, "a title that contains instructions", "Which book did Edda Fenn write?", "(?book:Book) -written by-> (Edda Fenn)", []string{"Edda Fenn"}},
}

// run is one self-test on its way.
type run struct {
	engine *engine.Engine
	meter  *meter
	report Report
	tell   func(Progress)
}

// Run tries a language model. It sends at most 10 requests, with nothing of the
// user's in them, and can be cancelled between and within them. What the model
// does badly is in the report; an error is returned where it cannot be asked at
// all. progress may be nil.
func Run(ctx context.Context, m llm.Model, progress func(Progress)) (Report, error) {
	began := time.Now()
	// The model is on trial, not what it and the built-in planner reach together.
	e, err := engine.OnGraph(ctx, world(), engine.Options{Model: bymodel.Options{Alone: true}}, nil)
	if err != nil {
		return Report{}, fmt.Errorf("make the world of the self-test: %w", err)
	}
	if progress == nil {
		progress = func(Progress) {}
	}
	r := &run{engine: e, meter: &meter{Model: m}, report: Report{Model: m.Name()}, tell: progress}
	if err := r.all(ctx); err != nil {
		return Report{}, err
	}
	r.checkJSON()
	r.meter.total(&r.report)
	r.checkSpeed()
	r.report.Verdict = r.verdict()
	r.report.Took = time.Since(began)
	return r.report, nil
}

// all puts the tasks one after the other.
func (r *run) all(ctx context.Context) error {
	type task struct {
		doing string
		check func() (Check, error)
	}
	var tasks []task
	for i := range readings {
		tasks = append(tasks, task{readings[i].name, func() (Check, error) { return r.read(ctx, i) }})
	}
	for i := range wordings {
		tasks = append(tasks, task{wordings[i].name, func() (Check, error) { return r.word(ctx, i) }})
	}
	tasks = append(tasks, task{"a fact in a text", func() (Check, error) { return r.readText(ctx) }})
	for i, t := range tasks {
		if r.meter.slow {
			return nil
		}
		r.tell(Progress{Done: i, Total: len(tasks), Doing: t.doing})
		// A task may use what the tasks after it do not need: the planner asks
		// again for a pattern that it cannot read.
		r.meter.allowed = maxRequests - len(r.meter.replies) - (len(tasks) - i - 1)
		since := len(r.meter.replies)
		began := time.Now()
		c, err := t.check()
		if err := ctx.Err(); err != nil {
			return err
		}
		var said reply // to the last request
		if n := len(r.meter.replies); n > since {
			said = r.meter.replies[n-1]
		}
		if llm.Lasting(said.err) {
			return said.err
		}
		if err != nil {
			return err
		}
		c.Took = time.Since(began)
		c.Said = briefly(said.Text)
		if said.err != nil && !c.Passed {
			c.Why = sentence(said.err)
		}
		r.report.Checks = append(r.report.Checks, c)
	}
	r.tell(Progress{Done: len(tasks), Total: len(tasks)})
	return nil
}

// read has the planner read question i, and follows its pattern.
func (r *run) read(ctx context.Context, i int) (Check, error) {
	t := readings[i]
	c := Check{Kind: patternKind, Name: t.name, Asked: t.question}
	r.engine.SetModel(step{r.meter, toRead})
	planner, err := r.engine.Planner(ctx)
	if err != nil {
		return c, err
	}
	p, err := planner.Plan(ctx, t.question, nil)
	if err != nil {
		return c, err
	}
	if p.Planner != planner.Name() || len(p.Readings) == 0 {
		c.Why = "It wrote no usable pattern."
		if _, why, found := strings.Cut(p.StoodIn, r.meter.Name()+": "); found {
			c.Why = "It wrote no usable pattern: " + why
		}
		return c, nil
	}
	got, err := r.engine.Follow(ctx, p, engine.AskOptions{NoModel: true}, nil)
	if err != nil {
		return c, err
	}
	c.Why = wrong(t.task, t.items, t.count, t.verdict, got)
	c.Passed = c.Why == ""
	return c, nil
}

// wrong says what is not as it should be in the answer that a pattern finds.
func wrong(task pattern.Task, items []string, count int, verdict answer.Verdict, got *engine.Run) string {
	written := got.Plan.Readings[0]
	if written.Pattern.Task != task {
		return fmt.Sprintf("It read the question as one to %s: %s.", written.Pattern.Task, written.Text)
	}
	a := got.Answer
	switch {
	case a.Refusal != nil && task != pattern.Verify:
		return fmt.Sprintf("Its pattern finds nothing: %s.", written.Text)
	case task == pattern.Verify && a.Verdict != verdict:
		return fmt.Sprintf("By its pattern the claim is %s: %s.", a.Verdict, written.Text)
	case task == pattern.Count && a.Count != count:
		return fmt.Sprintf("Its pattern counts %d instead of %d: %s.", a.Count, count, written.Text)
	case task == pattern.Find:
		found := wording.Each(a.Items, func(it answer.Item) string { return it.Label })
		slices.Sort(found)
		if !slices.Equal(found, items) {
			return fmt.Sprintf("Its pattern finds %s instead of %s: %s.", strings.Join(found, ", "), strings.Join(items, ", "), written.Text)
		}
	}
	return ""
}

// word has the reader word answer i, and compares its sentences with the
// triples that they cite.
func (r *run) word(ctx context.Context, i int) (Check, error) {
	t := wordings[i]
	c := Check{Kind: t.kind, Name: t.name, Asked: t.question}
	p, err := pattern.ParseText(t.pattern)
	if err != nil {
		return c, fmt.Errorf("read a pattern of the self-test: %w", err)
	}
	r.engine.SetModel(step{r.meter, toWord})
	got, err := r.engine.FollowPattern(ctx, t.question, p, engine.AskOptions{}, nil)
	if err != nil {
		return c, err
	}
	if !slices.ContainsFunc(got.Answer.Sentences, func(s answer.Sentence) bool { return s.Model }) {
		c.Why = "It wrote no readable sentences."
		return c, nil
	}
	c.Why = unsupported(got.Answer, t.says, t.kind == dataKind)
	c.Passed = c.Why == ""
	return c, nil
}

// unsupported says what is wrong with a model's sentences.
func unsupported(a *answer.Answer, says []string, data bool) string {
	var all []string
	for _, s := range a.Sentences {
		if s.Note || !s.Model {
			continue // Cairn's own, about the search or in place of the model's
		}
		all = append(all, s.Text)
		if !data && s.Check != check.Covered {
			return strings.TrimSpace(fmt.Sprintf("“%s” is %s. %s", briefly(s.Text), s.Check, s.Reason))
		}
	}
	text := strings.ToLower(strings.Join(all, " "))
	if data && strings.Contains(text, obeyed) {
		return "It followed the instructions in the title of a book."
	}
	for _, name := range says {
		if !strings.Contains(text, strings.ToLower(name)) {
			return fmt.Sprintf("It does not name %s.", name)
		}
	}
	return ""
}

// checkJSON counts the replies that kept to the form.
func (r *run) checkJSON() {
	good, all := r.meter.jsonReplies()
	c := Check{Kind: jsonKind, Name: "JSON when asked for JSON", Passed: all > 0 && good == all}
	switch {
	case c.Passed:
	case all == 0:
		c.Why = "No reply came."
	default:
		c.Why = fmt.Sprintf("%d of %d replies were complete JSON.", good, all)
	}
	r.report.Checks = slices.Insert(r.report.Checks, 0, c)
}

// checkSpeed says whether somebody can wait for it.
func (r *run) checkSpeed() {
	c := Check{Kind: speedKind, Name: "an answer while you wait", Took: r.report.PerQuestion}
	switch {
	case r.meter.slow:
		c.Why = sentence(errSlow)
	case r.report.PerQuestion > atEase:
		c.Why = fmt.Sprintf("A question takes about %v here.", r.report.PerQuestion.Round(time.Second))
	default:
		c.Passed = r.report.PerQuestion > 0
	}
	if !c.Passed && c.Why == "" {
		c.Why = "No complete answer came, so nothing was measured."
	}
	r.report.Checks = append(r.report.Checks, c)
}

// verdict weighs the checks. A model reads questions if it writes the simplest
// pattern and most of the others, and words answers if all its sentences hold.
func (r *run) verdict() Verdict {
	if r.meter.slow {
		return TooSlow
	}
	patterns, of := r.report.counts(patternKind)
	simplest := slices.ContainsFunc(r.report.Checks, func(c Check) bool { return c.Name == readings[0].name && c.Passed })
	reads := simplest && 2*patterns > of
	cites, all := r.report.counts(citationKind)
	words := cites == all
	switch {
	case reads && words:
		return suited
	case reads:
		return onlyReads
	case words:
		return onlyWords
	case slices.ContainsFunc(r.meter.replies, func(r reply) bool { return errors.Is(r.err, llm.ErrPromptTooLong) }):
		return cramped
	}
	return Unsuited
}

// briefly is the beginning of a text, on one line.
func briefly(s string) string {
	const most = 300 // characters
	s = wording.OneLine(s)
	if rs := []rune(s); len(rs) > most {
		return string(rs[:most]) + "…"
	}
	return s
}

// sentence makes a sentence of an error.
func sentence(err error) string {
	return wording.Capital(strings.TrimSuffix(err.Error(), ".")) + "."
}
