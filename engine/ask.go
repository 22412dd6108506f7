package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"cairn/engine/answer"
	"cairn/engine/evidence"
	"cairn/engine/link"
	"cairn/engine/llm"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/simgrag"
)

// ErrNoQuestion is returned when there is nothing to answer.
var ErrNoQuestion = errors.New("the question is empty")

// MaxQuestion is the length of the longest question, in characters. Longer text is
// no question but a document, and its names would be read as one question's.
const MaxQuestion = 2000

// setDefaults fills what was left at its zero value.
func (o *AskOptions) setDefaults() {
	if o.K == 0 {
		o.K = 3
	}
	if o.MaxAnswers == 0 {
		o.MaxAnswers = 2000
	}
	if o.MaxWallTime == 0 {
		o.MaxWallTime = 10 * time.Second
	}
}

// asking is one question on its way through the stages.
type asking struct {
	*state
	opts AskOptions
	ev   *Events
	run  *Run
	// watch notes how texts were looked up by their vectors.
	watch link.Watch
	// current is the stage that is running.
	current Stage
	// mentions are what the link stage found.
	mentions []link.Mention
	// bindings are what the asked node may be, all of them.
	bindings []evidence.Binding
}

// Ask answers a question or checks a claim. It fails only for reasons that lie
// outside the question: a cancelled context, above all. A question that cannot
// be answered is answered with a refusal that says why.
func (e *Engine) Ask(ctx context.Context, question string, o AskOptions, ev *Events) (*Run, error) {
	if strings.TrimSpace(question) == "" {
		return nil, ErrNoQuestion
	}
	a, err := e.begin(ctx, question, o, ev)
	if err != nil {
		return nil, err
	}
	if n := utf8.RuneCountInString(a.run.Question); n > MaxQuestion {
		return e.Follow(ctx, &plan.Plan{
			Question: a.run.Question, Doubt: plan.NotSupported,
			Reason: fmt.Sprintf("It has %d characters: ask one question of at most %d characters.", n, MaxQuestion),
		}, o, ev)
	}
	ctx = a.traced(ctx)
	switch o.Retriever {
	case ByPattern:
		return e.through(ctx, a, a.link, a.plan, a.retrieve, a.answer, a.check)
	case ByGNN:
		return e.askTrained(ctx, a)
	}
	return nil, fmt.Errorf("there is no retriever %q; the one that is trained is %q, and the default has no name", o.Retriever, ByGNN)
}

// Follow answers by a plan that is already there: a pattern that the user
// wrote or edited, or an oracle's.
func (e *Engine) Follow(ctx context.Context, p *plan.Plan, o AskOptions, ev *Events) (*Run, error) {
	a, err := e.begin(ctx, p.Question, o, ev)
	if err != nil {
		return nil, err
	}
	a.run.Plan = p
	a.choose()
	return e.through(a.traced(ctx), a, a.retrieve, a.answer, a.check)
}

// through runs the stages one after the other, and keeps the run.
func (e *Engine) through(ctx context.Context, a *asking, stages ...func(context.Context) error) (*Run, error) {
	for _, stage := range stages {
		if err := stage(ctx); err != nil {
			return nil, err
		}
	}
	if err := e.noteExtracted(ctx, a.graph, a.run); err != nil {
		return nil, err
	}
	if a.opts.Save && e.store != nil && !e.store.ReadOnly() {
		if err := e.save(ctx, a.run); err != nil {
			return a.run, err
		}
	}
	return a.run, nil
}

// FollowPattern answers by a pattern that the user wrote or edited.
func (e *Engine) FollowPattern(ctx context.Context, question string, p *pattern.Pattern, o AskOptions, ev *Events) (*Run, error) {
	parts, err := p.Parts()
	if err != nil {
		return nil, fmt.Errorf("read the pattern: %w", err)
	}
	followed := &plan.Plan{
		Question: question,
		Planner:  "your pattern",
		Readings: []plan.Reading{{Pattern: p, Text: pattern.Format(p)}},
	}
	if len(parts) > 1 {
		followed.Reason = fmt.Sprintf("The pattern falls into %d parts that nothing ties together, so every match of one goes with every match of the others.", len(parts))
	}
	return e.Follow(ctx, followed, o, ev)
}

func (e *Engine) begin(ctx context.Context, question string, o AskOptions, ev *Events) (*asking, error) {
	o.setDefaults()
	ready, err := e.whole(ctx, ev)
	if err != nil {
		return nil, fmt.Errorf("prepare the graph for questions: %w", err)
	}
	s := *ready
	if o.NoModel {
		s.use(nil)
	}
	a := &asking{state: &s, opts: o, ev: ev}
	a.run = &Run{Question: strings.TrimSpace(question), Started: time.Now().UTC(), Reading: -1}
	return a, nil
}

// traced returns a context whose requests to a model are put on record. They are
// made one after the other, on the goroutine of the run. What is looked up by
// its vector is watched.
func (a *asking) traced(ctx context.Context) context.Context {
	ctx = link.WithWatch(ctx, &a.watch)
	return llm.WithTrace(ctx, func(x llm.Exchange) {
		a.run.Exchanges = append(a.run.Exchanges, Exchange{Stage: a.current, Exchange: x})
	})
}

// stage runs one step and records it. A step tells its result in a summary and
// details for people.
func (a *asking) stage(s Stage, do func() (summary string, details []string, err error)) error {
	a.ev.begin(s)
	a.current = s
	start := time.Now()
	summary, details, err := do()
	if said := a.lookedUp(); said != a.run.Vectors {
		a.run.Vectors = said
		details = append(details, said)
	}
	rec := StageRecord{Stage: s, Duration: time.Since(start), Summary: summary, Details: details}
	if err != nil {
		rec.Err = err.Error()
	}
	a.run.Stages = append(a.run.Stages, rec)
	a.ev.end(rec)
	return err
}

func (a *asking) link(ctx context.Context) error {
	return a.stage(StageLink, func() (string, []string, error) {
		ms, err := a.linker.Link(ctx, a.run.Question)
		if err != nil {
			return "", nil, fmt.Errorf("find the names in the question: %w", err)
		}
		a.mentions = ms
		var names, details []string
		for _, m := range ms {
			names = append(names, m.Text)
			details = append(details, a.describe(m))
		}
		if len(names) == 0 {
			return "no name of the graph found", nil, nil
		}
		return first(names, 4), details, nil
	})
}

// describe says what a mention may mean, for the step view.
func (a *asking) describe(m link.Mention) string {
	var b strings.Builder
	fmt.Fprintf(&b, "“%s” →", m.Text)
	for i, c := range m.Candidates {
		if i == 5 {
			fmt.Fprintf(&b, " and %d more", len(m.Candidates)-i)
			break
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, " %s", a.graph.Label(c.Entity))
		if key := a.graph.Key(c.Entity); key != a.graph.Label(c.Entity) {
			fmt.Fprintf(&b, " [%s]", key)
		}
		fmt.Fprintf(&b, " (%s)", c.Method)
	}
	return b.String()
}

func (a *asking) plan(ctx context.Context) error {
	return a.stage(StagePlan, func() (string, []string, error) {
		p, err := a.planner.Plan(ctx, a.run.Question)
		if err != nil {
			return "", nil, fmt.Errorf("plan the question: %w", err)
		}
		if p.Unlinked == nil {
			p.Unlinked = a.linker.Unlinked(a.run.Question, p.Mentions)
		}
		a.run.Plan = p
		a.choose()
		var details []string
		for i, r := range p.Readings {
			details = append(details, fmt.Sprintf("%d. %s (score %.2f, higher is better)", i+1, r.Text, r.Score))
		}
		for _, why := range []string{p.StoodIn, p.Reason} {
			if why != "" {
				details = append(details, why)
			}
		}
		if a.run.Reading < 0 {
			return "no way found to read the question", details, nil
		}
		return p.Readings[a.run.Reading].Text, details, nil
	})
}

// choose settles which reading of the plan is followed.
//
// Where nothing in the graph fits what is asked, the readings are suggestions:
// none is followed until the user chooses it.
func (a *asking) choose() {
	if a.run.Plan.Doubt == plan.NoRelation && a.opts.Reading == 0 && !a.opts.Chosen {
		a.run.Reading = -1
		return
	}
	a.run.Reading = min(a.opts.Reading, len(a.run.Plan.Readings)-1)
}

// pattern returns the pattern to match, or nil where the plan has no reading.
func (a *asking) pattern() *pattern.Pattern {
	if a.run.Reading < 0 {
		return nil
	}
	return a.run.Plan.Readings[a.run.Reading].Pattern
}

func (a *asking) retrieve(ctx context.Context) error {
	return a.stage(StageRetrieve, func() (string, []string, error) {
		p := a.pattern()
		if p == nil {
			return "nothing to look for", nil, nil
		}
		var r simgrag.Result
		err := a.steadily(func() (err error) {
			r, err = simgrag.Search(ctx, a.graph, p, a.vocab, a.search())
			return err
		})
		if err != nil {
			return "", nil, fmt.Errorf("match the pattern: %w", err)
		}
		a.run.Candidates, a.run.Completeness, a.run.Stats = r.Candidates, r.Completeness, r.Stats
		a.bindings = r.Bindings
		summary := fmt.Sprintf("%s, %s", plural(len(r.Candidates), "match", "matches"), r.Completeness)
		if len(r.Candidates) > 0 {
			summary += fmt.Sprintf(", distance %.2f (0 is exact)", r.Candidates[0].Distance)
		}
		details := []string{fmt.Sprintf("%d partial matches considered, %d pruned", r.Stats.Considered, r.Stats.Pruned)}
		return summary, append(details, r.Notes...), nil
	})
}

// search are the matcher's options for this question.
func (a *asking) search() simgrag.Options {
	o := simgrag.Options{
		K:           a.opts.K,
		AllBest:     true,
		MaxBest:     a.opts.MaxAnswers,
		PerAnswer:   1,
		MaxWallTime: a.opts.MaxWallTime,
	}
	if a.opts.Plain {
		o.Algorithm = simgrag.Plain
	}
	return o
}

func (a *asking) answer(ctx context.Context) error {
	return a.stage(StageAnswer, func() (string, []string, error) {
		run := a.run
		found := answer.Found{Candidates: run.Candidates, Bindings: a.bindings, Completeness: run.Completeness}
		p := a.pattern()
		if p != nil && len(run.Candidates) == 0 {
			// What comes closest shows a refusal what is there instead, and speaks
			// against a claim.
			var relaxed simgrag.Result
			err := a.steadily(func() (err error) {
				relaxed, err = simgrag.Relax(ctx, a.graph, p, a.vocab, a.search())
				return err
			})
			if err != nil {
				return "", nil, fmt.Errorf("look for the closest match: %w", err)
			}
			found.Closest = relaxed.Candidates
		}
		if len(run.Candidates) == 0 && (p == nil || p.Task != pattern.Verify) {
			run.Answer = answer.Refuse(a.graph, run.Plan, found.Closest)
			return "no evidence found", nil, nil
		}
		run.Answer = answer.Direct(a.graph, run.Plan, run.Reading, found)
		return a.word(ctx, answer.PhraseOptions{Style: a.opts.Style, Pattern: p})
	})
}

// word has the model word the direct answer, where there is a model and something
// to word, and summarises what is said.
func (a *asking) word(ctx context.Context, o answer.PhraseOptions) (summary string, details []string, err error) {
	run := a.run
	if a.model == nil || len(run.Candidates) == 0 || run.Answer.Refusal != nil {
		// A refusal claims nothing, so that there is nothing to word and to check.
		return summarise(run.Answer), nil, nil
	}
	a.showDirect()
	o.OnToken, o.OnRestart = a.ev.token(), a.ev.restart()
	phrased, err := answer.Phrase(ctx, a.model, a.graph, run.Question, run.Answer, run.Candidates, o)
	switch {
	case ctx.Err() != nil:
		return "", nil, ctx.Err()
	case err == nil:
		run.Answer = phrased
		return summarise(run.Answer) + ", " + written(run.Answer), nil, nil
	}
	// The direct answer stands; the model only words it.
	run.Answer.NotWorded = fmt.Sprintf("The model did not word the answer: %s.", strings.TrimSuffix(err.Error(), "."))
	return summarise(run.Answer), []string{run.Answer.NotWorded}, nil
}

// showDirect tells of the direct answer before a model words it.
func (a *asking) showDirect() {
	if a.ev == nil || a.ev.Direct == nil {
		return
	}
	run, said := *a.run, *a.run.Answer
	said.Sentences = slices.Clone(said.Sentences)
	answer.CheckSentences(a.graph, &said, a.linker)
	run.Answer, run.Stages, run.Exchanges = &said, slices.Clone(run.Stages), slices.Clone(run.Exchanges)
	a.ev.Direct(&run)
}

func (a *asking) check(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return a.stage(StageCheck, func() (string, []string, error) {
		if a.run.Answer.Refusal != nil {
			return "nothing claimed", nil, nil
		}
		answer.CheckSentences(a.graph, a.run.Answer, a.linker)
		covered, n := 0, 0
		var details []string
		for _, s := range a.run.Answer.Sentences {
			if s.Note || a.run.Answer.Model != "" && !s.Model {
				continue // it says nothing of the graph, or is made of its triples
			}
			n++
			if s.Check == answer.Covered {
				covered++
				continue
			}
			details = append(details, fmt.Sprintf("%s: %s. %s", s.Check, s.Reason, s.Text))
		}
		return fmt.Sprintf("%d of %s supported by the cited triples", covered, plural(n, "sentence", "sentences")), details, nil
	})
}

// written says how much of an answer a model wrote. Whether that is what is shown
// is for the check to find out.
func written(a *answer.Answer) string {
	n := 0
	for _, s := range a.Sentences {
		if s.Model {
			n++
		}
	}
	return fmt.Sprintf("%s by %s to check", plural(n, "sentence", "sentences"), a.Model)
}

// summarise says an answer in a few words.
func summarise(a *answer.Answer) string {
	switch {
	case a.Refusal != nil:
		return "no evidence found"
	case a.Verdict != answer.NoVerdict:
		return a.Verdict.String()
	case len(a.Items) == 0:
		return fmt.Sprintf("%d", a.Count)
	}
	var names []string
	for _, it := range a.Items {
		names = append(names, it.Label)
	}
	return first(names, 3)
}

// first joins the first n names and says how many are left out.
func first(names []string, n int) string {
	if len(names) <= n {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:n], ", "), len(names)-n)
}

// plural returns "1 match" or "2,000 matches".
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return grouped(n) + " " + many
}

// grouped writes 7649 as 7,649.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
