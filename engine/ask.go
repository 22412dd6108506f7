package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"cairn/engine/answer"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/llm"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/retrieve"
	"cairn/internal/guard"
	"cairn/internal/wording"
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
	// method looks for the evidence, and task is what is asked for.
	method retrieve.Method
	task   pattern.Task
	// starts are the mentions that a method begins at which is Seeded.
	starts []link.Mention

	engine *Engine
}

// Ask answers a question or checks a claim. It fails only for reasons that lie
// outside the question: a cancelled context, above all. A question that cannot
// be answered is answered with a refusal that says why.
func (e *Engine) Ask(ctx context.Context, question string, o AskOptions, ev *Events) (run *Run, err error) {
	defer guard.Recover(e.opts.Logger, &err)
	ctx, leave := e.tasks.Join(ctx)
	defer leave()
	if strings.TrimSpace(question) == "" {
		return nil, ErrNoQuestion
	}
	m, err := e.method(o.Retriever)
	if err != nil {
		return nil, err
	}
	a, err := e.begin(ctx, question, m, o, ev)
	if err != nil {
		return nil, err
	}
	if n := utf8.RuneCountInString(a.run.Question); n > MaxQuestion {
		return e.Follow(ctx, &plan.Plan{
			Question: a.run.Question, Doubt: plan.NotSupported,
			Reason: fmt.Sprintf("It has %d characters: ask one question of at most %d characters.", n, MaxQuestion),
		}, o, ev)
	}
	return e.through(a.traced(ctx), a, a.link, a.plan, a.retrieve, a.answer, a.check)
}

// Follow answers by a plan that is already there: a pattern that the user
// wrote or edited, or an oracle's. A method that matches patterns follows it.
func (e *Engine) Follow(ctx context.Context, p *plan.Plan, o AskOptions, ev *Events) (run *Run, err error) {
	defer guard.Recover(e.opts.Logger, &err)
	ctx, leave := e.tasks.Join(ctx)
	defer leave()
	m, err := e.matching(o.Retriever)
	if err != nil {
		return nil, err
	}
	a, err := e.begin(ctx, p.Question, m, o, ev)
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
		Planner:  plan.ByHand,
		Readings: []plan.Reading{{Pattern: p, Text: pattern.Format(p)}},
	}
	if len(parts) > 1 {
		followed.Reason = fmt.Sprintf("The pattern falls into %d parts that nothing ties together, so every match of one goes with every match of the others.", len(parts))
	}
	return e.Follow(ctx, followed, o, ev)
}

func (e *Engine) begin(ctx context.Context, question string, m retrieve.Method, o AskOptions, ev *Events) (*asking, error) {
	o.setDefaults()
	if err := e.trainedFor(ctx, m); err != nil {
		return nil, err
	}
	ready, err := e.awaitReady(ctx, ev)
	if err != nil {
		return nil, fmt.Errorf("prepare the graph for questions: %w", err)
	}
	s := *ready
	if o.NoModel {
		s.use(nil)
	}
	a := &asking{state: &s, engine: e, method: m, opts: o, ev: ev}
	a.run = &Run{Question: strings.TrimSpace(question), Started: time.Now().UTC(), Reading: -1, Method: m.Info()}
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
	rec := StageRecord{Stage: s, Duration: time.Since(start), Summary: summary, Details: details, Empty: a.foundNothing(s)}
	if err != nil {
		rec.Err = err.Error()
	}
	a.run.Stages = append(a.run.Stages, rec)
	a.ev.end(rec)
	return err
}

// foundNothing reports whether a stage that has run left nothing for the next.
func (a *asking) foundNothing(s Stage) bool {
	run := a.run
	switch s {
	case StageLink:
		return len(a.mentions) == 0
	case StagePlan:
		return run.Reading < 0 && (run.Plan == nil || len(run.Plan.Seeds) == 0)
	case StageRetrieve:
		return len(run.Candidates) == 0 && len(run.Answers) == 0
	case StageAnswer, StageCheck:
		return run.Answer == nil || run.Answer.Refusal != nil
	}
	return false
}

func (a *asking) link(ctx context.Context) error {
	return a.stage(StageLink, func() (string, []string, error) {
		ms := a.opts.Mentions
		if ms == nil {
			var err error
			if ms, err = a.linker.Link(ctx, a.run.Question); err != nil {
				return "", nil, fmt.Errorf("find the names in the question: %w", err)
			}
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
		if a.method.Info().Seeded {
			return a.locate()
		}
		p, err := a.planner.Read(ctx, a.run.Question, a.mentions)
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
	if p := a.pattern(); p != nil {
		a.task = p.Task
	}
}

// pattern returns the pattern to match, or nil where the plan has no reading.
func (a *asking) pattern() *pattern.Pattern {
	if a.run.Reading < 0 {
		return nil
	}
	return a.run.Plan.Readings[a.run.Reading].Pattern
}

// query is the question as the method is asked it.
func (a *asking) query() retrieve.Query {
	q := retrieve.Query{
		Question: a.run.Question, Mentions: a.mentions, Task: a.task,
		Limits: retrieve.Limits{K: a.opts.K, Answers: a.opts.MaxAnswers, WallTime: a.opts.MaxWallTime, Plain: a.opts.Plain},
	}
	if seeds := a.run.Plan.Seeds; len(seeds) > 0 {
		q.Seeds, q.Mentions = seeds, a.starts
	}
	if i := a.run.Reading; i >= 0 {
		rs := a.run.Plan.Readings
		q.Readings = slices.Concat(rs[i:i+1], rs[:i], rs[i+1:])
	}
	return q
}

func (a *asking) retrieve(ctx context.Context) error {
	return a.stage(StageRetrieve, func() (string, []string, error) {
		q, run := a.query(), a.run
		if q.Pattern() == nil && len(q.Seeds) == 0 {
			return "nothing to look for", nil, nil
		}
		by, err := a.engine.retriever(ctx, a.state, a.method)
		if err != nil {
			return "", nil, fmt.Errorf("make %s ready: %w", a.method.Info().Who, err)
		}
		err = a.retryOnFallback(func() (err error) {
			run.Found, err = by.Retrieve(ctx, q)
			return err
		})
		if err != nil {
			return "", nil, fmt.Errorf("look for the evidence: %w", err)
		}
		details := slices.Concat(by.about, a.lookedAt(), numbered(run.Steps))
		if len(q.Seeds) > 0 {
			run.Notes = slices.Concat(by.notes, run.Notes, a.cautions())
			brought, err := a.augment(ctx)
			if err != nil {
				return "", nil, err
			}
			details = append(details, brought...)
		}
		return a.found(), append(details, run.Notes...), nil
	})
}

// lookedAt says how much of the graph was looked at.
func (a *asking) lookedAt() []string {
	if r := a.run.Region; r.Entities > 0 {
		return []string{fmt.Sprintf("%s and %s looked through: %s", wording.Count(r.Entities, "entity", "entities"), wording.Count(r.Triples, "triple", "triples"), r.Method)}
	}
	return []string{fmt.Sprintf("%d partial matches considered, %d pruned", a.run.Stats.Considered, a.run.Stats.Pruned)}
}

// numbered numbers the steps in which a question was read, where there are several.
func numbered(steps []string) []string {
	out := slices.Clone(steps)
	for i := range out {
		out[i] = fmt.Sprintf("%d. %s", i+1, out[i])
	}
	return out
}

// found says in a few words what was found.
func (a *asking) found() string {
	run := a.run
	summary := wording.Count(len(run.Candidates), "match", "matches")
	if len(run.Plan.Seeds) > 0 {
		summary = wording.Count(len(run.Answers), "answer", "answers") + ", " + wording.Count(len(run.Candidates), "path", "paths")
	}
	summary += ", " + run.Completeness.String()
	best, ok := run.Best()
	if !ok {
		return summary
	}
	switch best.Scale {
	case evidence.Distance:
		summary += fmt.Sprintf(", distance %.2f (0 is exact)", best.Value)
	case evidence.Probability:
		summary += fmt.Sprintf(", probability %.2f (1 is sure)", best.Value)
	case evidence.Conditions:
		summary += ", " + wording.Count(int(best.Value), "condition met", "conditions met")
	case evidence.NoScale:
	}
	return summary
}

func (a *asking) answer(ctx context.Context) error {
	return a.stage(StageAnswer, func() (string, []string, error) {
		run := a.run
		found := answer.Found{Found: run.Found, Who: a.method.Info().Who, Lexicon: a.lexicon, Means: a.means}
		run.Answer = answer.Make(a.graph, run.Plan, run.Reading, found)
		style := a.opts.Style
		if style == evidence.Tuples && len(run.Plan.Seeds) > 0 {
			style = evidence.Paths // what a model is given is reasoning paths (GNN-RAG §4.3)
		}
		return a.word(ctx, answer.PhraseOptions{Style: style, Pattern: a.pattern(), Starts: run.Plan.Seeds})
	})
}

// means returns the words and the concepts of a relation, the user's own where
// they were changed.
func (a *asking) means(r kg.RelationID) (words, concepts []string) {
	m := a.builtin.Mapping(r)
	return m.Words, m.Concepts
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
		return fmt.Sprintf("%d of %s supported by the cited triples", covered, wording.Count(n, "sentence", "sentences")), details, nil
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
	return fmt.Sprintf("%s by %s to check", wording.Count(n, "sentence", "sentences"), a.Model)
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
