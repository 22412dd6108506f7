package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"cairn/engine/answer"
	"cairn/engine/check"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/llm"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	bymodel "cairn/engine/plan/model"
	"cairn/engine/retrieve"
	"cairn/engine/say"
	"cairn/internal/wording"
)

// ErrNoQuestion is returned when there is nothing to answer.
var ErrNoQuestion = errors.New("the question is empty")

// MaxQuestion is the length of the longest question, in characters. Longer text is
// no question but a document, and its names would be read as one question's.
const MaxQuestion = 2000

const (
	leastMatches = 3    // to keep, the best ones among them: the paper's k
	maxAnswers   = 2000 // matches at the best distance
)

// setDefaults fills what was left at its zero value.
func (o *AskOptions) setDefaults() { o.MaxWallTime = cmp.Or(o.MaxWallTime, 10*time.Second) }

// asking is one question on its way through the stages.
type asking struct {
	*state
	opts AskOptions
	ev   *Events
	run  *Run
	// watch notes how texts were looked up by their vectors.
	watch link.Watch
	// record is of the stage that is running.
	record StageRecord
	method retrieve.Method // looks for the evidence
	by     *opened         // the method, once it is ready
	engine *Engine
}

// Ask answers a question or checks a claim. It fails only for reasons that lie
// outside the question: a cancelled context, above all. A question that cannot
// be answered is answered with a refusal that says why.
func (e *Engine) Ask(ctx context.Context, question string, o AskOptions, ev *Events) (run *Run, err error) {
	ctx, leave := e.join(ctx, &err)
	defer leave()
	if strings.TrimSpace(question) == "" {
		return nil, ErrNoQuestion
	}
	if o.Retriever == "" || o.Retriever == Auto {
		return e.auto(ctx, question, o, ev)
	}
	m, err := e.method(o.Retriever)
	if err != nil {
		return nil, err
	}
	return e.askBy(ctx, question, m, o, ev)
}

func (e *Engine) askBy(ctx context.Context, question string, m retrieve.Method, o AskOptions, ev *Events) (*Run, error) {
	a, err := e.begin(ctx, question, m, o, ev)
	if err != nil {
		return nil, err
	}
	if n := utf8.RuneCountInString(a.run.Question); n > MaxQuestion {
		return e.Follow(ctx, &plan.Plan{
			Question: a.run.Question, Doubt: plan.NotSupported,
			Reason: fmt.Sprintf("It has %d characters; ask one question of at most %d characters.", n, MaxQuestion),
		}, o, ev)
	}
	return e.through(a.traced(ctx), a, a.link, a.plan, a.retrieve, a.answer, a.check)
}

// Follow answers by a plan that is already there: a pattern that the user
// wrote or edited, or an oracle's. A method that matches patterns follows it.
func (e *Engine) Follow(ctx context.Context, p *plan.Plan, o AskOptions, ev *Events) (run *Run, err error) {
	ctx, leave := e.join(ctx, &err)
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
	return a.run, e.keepRun(ctx, a.run, a.opts.Save)
}

// keepRun keeps a run in the history where that is asked for and possible. What a graph
// would say without some triples is no part of that.
func (e *Engine) keepRun(ctx context.Context, run *Run, asked bool) error {
	if !asked || len(run.Without) > 0 || e.store == nil || e.store.ReadOnly() {
		return nil
	}
	return e.save(ctx, run)
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
	if len(parts) > 1 && p.IsPlain() {
		followed.Reason = fmt.Sprintf("The pattern has %d unconnected parts, so every match of one is combined with every match of the others.", len(parts))
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
	asked, err := e.stateWithout(ctx, ready, o.Without)
	if err != nil {
		return nil, err
	}
	s := *asked
	if o.NoModel {
		s.use(nil)
	}
	a := &asking{state: &s, engine: e, method: m, opts: o, ev: ev}
	a.run = &Run{Question: strings.TrimSpace(question), Started: time.Now().UTC(), Graph: s.version, Without: s.without, Reading: -1, Method: m.Info()}
	a.opts.Mentions = moved(o.Mentions, question, a.run.Question)
	return a, nil
}

// moved returns mentions in a question as mentions in what is left of it without the
// spaces around it. Those that reach beyond it name nothing and go. Nil stays nil.
func moved(ms []link.Mention, question, trimmed string) []link.Mention {
	before := strings.Index(question, trimmed)
	ms = slices.Clone(ms)
	for i := range ms {
		ms[i].Start, ms[i].End = ms[i].Start-before, ms[i].End-before
	}
	return slices.DeleteFunc(ms, func(m link.Mention) bool { return m.Start < 0 || m.Start > m.End || m.End > len(trimmed) })
}

// traced returns a context whose requests to a model are put on record. They are
// made one after the other, on the goroutine of the run. What is looked up by
// its vector is watched.
func (a *asking) traced(ctx context.Context) context.Context {
	ctx = link.WithWatch(ctx, &a.watch)
	return llm.WithTrace(ctx, func(x llm.Exchange) {
		a.run.Exchanges = append(a.run.Exchanges, Exchange{Stage: a.record.Stage, Exchange: x})
	})
}

// stage runs one step and records it.
func (a *asking) stage(s Stage, do func() error) error {
	a.ev.begin(s)
	a.record = StageRecord{Stage: s}
	start := time.Now()
	err := do()
	a.run.Vectors = a.lookedUp()
	a.record.Duration = time.Since(start)
	if err != nil {
		a.record.Err = err.Error()
	}
	a.run.Stages = append(a.run.Stages, a.record)
	a.ev.end(a.run, a.record)
	return err
}

func (a *asking) link(ctx context.Context) error {
	return a.stage(StageLink, func() (err error) {
		if a.run.Mentions = a.opts.Mentions; a.run.Mentions != nil {
			return nil
		}
		if a.run.Mentions, err = a.linker.Link(ctx, a.run.Question); err != nil {
			return fmt.Errorf("find the names in the question: %w", err)
		}
		return nil
	})
}

func (a *asking) plan(ctx context.Context) error {
	return a.stage(StagePlan, func() error {
		if a.method.Info().Seeded {
			if done, err := a.readsOperators(ctx); done || err != nil {
				return err
			}
			a.run.Plan = a.locate()
			return a.read(ctx)
		}
		p, err := a.planner.Plan(ctx, a.run.Question, a.run.Mentions)
		if err != nil {
			return fmt.Errorf("plan the question: %w", err)
		}
		if p.Unlinked == nil {
			p.Unlinked = a.linker.Unlinked(a.run.Question, p.Mentions)
		}
		if name := ignoredName(p); name != "" {
			p.Doubt, p.Reason = plan.NoRelation, fmt.Sprintf("The reading ignores %s.", wording.Quote(name))
		}
		a.run.Plan = p
		a.choose()
		return nil
	})
}

// ignoredName returns a name that the graph does not have and that the reading of a question leaves
// out, where it has no other name: what is asked of one thing is not answered by all of its kind. It returns "" for none.
func ignoredName(p *plan.Plan) string {
	if len(p.Readings) == 0 || p.Claim || len(p.Readings[0].Pattern.Named()) > 0 {
		return ""
	}
	for _, name := range p.Unlinked {
		at := strings.Index(p.Question, name)
		isRead := func(w plan.Word) bool {
			return w.Start < at+len(name) && at < w.End && w.Role != plan.Unread && w.Role != plan.Filler
		}
		if at >= 0 && !slices.ContainsFunc(p.Readings[0].Words, isRead) {
			return name
		}
	}
	return ""
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
	if p := a.run.Pattern(); p != nil && len(a.run.Plan.Seeds) == 0 {
		a.run.Task = p.Task
	}
}

// open makes the method ready, once for all stages.
func (a *asking) open(ctx context.Context) (err error) {
	if a.by != nil {
		return nil
	}
	if a.by, err = a.engine.retriever(ctx, a.state, a.method); err != nil {
		return fmt.Errorf("make %s ready: %w", a.method.Info().Who, err)
	}
	return nil
}

// query is the question as the method is asked it.
func (a *asking) query() retrieve.Query {
	q := a.run.query()
	q.Limits = retrieve.Limits{
		K: leastMatches, Answers: maxAnswers, WallTime: a.opts.MaxWallTime, Plain: a.opts.Plain, AnyRelation: a.opts.AnyRelation,
	}
	return q
}

// query is what a run asked a method, but for its limits.
func (r *Run) query() retrieve.Query {
	q := retrieve.Query{Question: r.Question, Mentions: r.Mentions}
	if len(r.Plan.Seeds) > 0 {
		q.Seeds, q.Mentions = r.Plan.Seeds, r.Plan.Mentions
	}
	if i := r.Reading; i >= 0 {
		rs := r.Plan.Readings
		q.Readings = slices.Concat(rs[i:i+1], rs[:i], rs[i+1:])
	}
	return q
}

func (a *asking) retrieve(ctx context.Context) error {
	return a.stage(StageRetrieve, func() error {
		q, run := a.query(), a.run
		if p := q.Pattern(); p != nil && len(q.Seeds) == 0 && !p.IsPlain() {
			return a.evaluate(ctx)
		}
		if q.Pattern() == nil && len(q.Seeds) == 0 {
			return nil
		}
		if err := a.open(ctx); err != nil {
			return err
		}
		by := a.by
		run.Made = by.made
		err := a.retryOnFallback(func() (err error) {
			run.Found, err = by.Retrieve(ctx, q)
			return err
		})
		if err != nil {
			return fmt.Errorf("look for the evidence: %w", err)
		}
		a.record.Details = by.about
		if run.Plan.Planner == plan.ByHand && run.Pattern() != nil {
			p, _, err := ground(ctx, a.graph, a.vocab, run.Pattern())
			if err != nil {
				return err
			}
			more, err := unknown(ctx, a.graph, a.vocab, p)
			if err != nil {
				return err
			}
			run.Found.Notes = append(run.Found.Notes, more...)
		}
		if len(q.Seeds) == 0 {
			return nil
		}
		run.Notes = slices.Concat(by.notes, run.Notes, a.cautions())
		if m, ok := a.planner.(*bymodel.Planner); ok && a.state.opts.Model.Chains {
			brought, err := m.Augment(ctx, run.Question, run.Mentions, run.Plan.Seeds, &run.Found)
			a.record.Details = slices.Concat(by.about, brought)
			return err
		}
		return nil
	})
}

func (a *asking) answer(ctx context.Context) error {
	return a.stage(StageAnswer, func() error {
		run := a.run
		a.mark()
		found := answer.Found{Found: run.Found, Who: run.Method.Who, Reads: run.Method.Reads, Words: check.Words{Lexicon: a.lexicon, Means: a.means}}
		run.Answer = answer.Make(a.graph, run.Plan, run.Reading, found)
		if err := a.askInstead(ctx); err != nil {
			return err
		}
		a.hedge()
		a.oppose()
		if text := a.overlap(); text != "" {
			a.record.Details = []string{text}
		}
		style := a.opts.Style
		if style == evidence.Tuples && len(run.Plan.Seeds) > 0 {
			style = evidence.Paths // what a model is given is reasoning paths (GNN-RAG §4.3)
		}
		return a.word(ctx, answer.PhraseOptions{Style: style, Pattern: run.Matched(), Starts: run.Plan.Seeds})
	})
}

// askInstead follows the question that a claim is read as, where the claim's own words
// leave it undecided or in doubt.
func (a *asking) askInstead(ctx context.Context) error {
	was := *a.run
	undecided := was.Answer.Verdict == answer.NotFound || was.Answer.Verdict == answer.Likely || was.Answer.Verdict == answer.Supported && was.Plan.Doubt != plan.Sure
	if !undecided || a.opts.Reading > 0 || a.opts.Chosen || was.Plan.Planner != a.builtin.Name() {
		return nil
	}
	asked, holds := a.builtin.Asked(ctx, was.Plan)
	if asked == nil || asked.Doubt != plan.Sure && was.Answer.Verdict != answer.NotFound {
		return ctx.Err()
	}
	run := a.run
	run.Plan, run.Reading = asked, 0
	if err := a.open(ctx); err != nil {
		return err
	}
	var err error
	if run.Found, err = a.by.Retrieve(ctx, a.query()); err != nil {
		return fmt.Errorf("look for the evidence: %w", err)
	}
	a.mark()
	if run.Answer = answer.Make(a.graph, run.Plan, 0, answer.Found{Found: run.Found, Who: run.Method.Who}); run.Answer.Verdict == answer.NotFound || holds == (run.Answer.Verdict == answer.Refuted) {
		*run = was
	}
	return nil
}

// hedge makes an answer to a text less than sure that does not say outright that something
// is so: what triples state is no more than what will, may or should be.
func (a *asking) hedge() {
	run := a.run
	isClaim := run.Answer.Verdict == answer.Supported || run.Answer.Verdict == answer.Refuted
	if !isClaim && (run.Plan.Claim || run.Plan.Doubt != plan.Sure) || run.Plan.Planner == plan.ByHand {
		return
	}
	named := map[string]bool{}
	if p := run.Pattern(); p != nil {
		for _, n := range p.Nodes {
			for _, t := range lexicon.Tokenize(n.Text) {
				named[t.Lower] = true
			}
		}
	}
	for _, id := range run.Answer.Pack.Triples {
		for _, t := range lexicon.Tokenize(a.graph.RelationText(a.graph.Triple(id).Relation)) {
			named[t.Lower] = true
		}
	}
	tokens := lexicon.Tokenize(run.Question[:lexicon.Tag(run.Question)])
	word := lexicon.Supposes(tokens, func(i int) bool { return named[tokens[i].Lower] })
	isNegated := slices.ContainsFunc(tokens, func(t lexicon.Token) bool { return t.Lower == "not" || t.Lower == "t" })
	if word == "" || !isClaim && !isNegated && strings.EqualFold(word, "can") { // what is so can be so
		return
	}
	run.Answer.Weaken()
	p := *run.Plan // the plan may be another's as well
	p.Doubt, p.Reason = plan.Unsure, fmt.Sprintf("The text says %q, but the graph states only facts.", word)
	run.Plan = &p
}

// oppose puts a claim in doubt that the graph supports, and speaks against as well, and one that it
// does not decide, though it connects the names of it.
func (a *asking) oppose() {
	run := a.run
	if run.Plan.Doubt != plan.Sure || run.Pattern() == nil {
		return
	}
	p, named := *run.Plan, run.Pattern().Named() // the plan may be another's as well
	isBetween := func(id kg.TripleID) bool {
		t := a.graph.Triple(id)
		return slices.Contains(named, t.Head) && slices.Contains(named, t.Tail)
	}
	switch v := run.Answer.Verdict; {
	case v == answer.Supported:
		if against := answer.Against(a.graph, run.Answer.Pack.Triples); len(against) > 0 {
			p.Doubt, p.Reason = plan.Unsure, fmt.Sprintf("The graph also says: %s. %s", say.Triple(a.graph, against[0].Triple), against[0].Reason)
		}
	case v == answer.NotFound && slices.ContainsFunc(run.Answer.Pack.Triples, isBetween):
		p.Doubt, p.Reason = plan.Unsure, "The graph connects these names, but Cairn is not sure that it says so."
	}
	if p.Doubt != plan.Sure {
		run.Plan = &p
	}
}

// mark says what each word of the question stands for in the reading that is followed, where
// its planner has not said it. What networks learned of words is not known here.
func (a *asking) mark() {
	run := a.run
	if run.Method.Reads || len(run.Plan.Seeds) > 0 || run.Pattern() == nil || run.Plan.Readings[run.Reading].Words != nil {
		return
	}
	p := *run.Plan // the plan may be another's as well
	p.Readings = slices.Clone(p.Readings)
	p.Readings[run.Reading].Words = a.builtin.Mark(run.Question, run.Mentions, run.Pattern())
	run.Plan = &p
}

// mergedAtMost is how many matches are looked at to say how much they overlap.
const mergedAtMost = 100

// overlap says how much the matches of a run have in common, and what merging those that
// overlap saves a reader (SG-RAG MOT); nothing where they have nothing.
func (a *asking) overlap() string {
	cs := a.run.Candidates[:min(len(a.run.Candidates), mergedAtMost)]
	_, m := evidence.Arranging{}.Arrange(a.graph, a.run.Plan.Seeds, cs, func(t kg.TripleID) int {
		return llm.EstimateTokens(say.Triple(a.graph, t)) + 1
	})
	before, after := m.Redundant()
	if before == 0 {
		return ""
	}
	return fmt.Sprintf("The %s repeat %.0f%% of their triples; merged into %s they repeat %.0f%%, which takes %d tokens instead of %d.",
		wording.Count(m.Matches, "match", "matches"), 100*before, wording.Count(m.Subgraphs, "subgraph", "subgraphs"), 100*after, m.TokensAfter, m.TokensBefore)
}

// means returns the name, the words and the concepts of a relation, the words and concepts the user's
// own where they were changed.
func (a *asking) means(r kg.RelationID) (name, words, concepts []string) {
	m := a.builtin.Mapping(r)
	return a.builtin.NameOf(r), m.Words, m.Concepts
}

// word has the model word the direct answer, where there is a model and something to
// word: a refusal claims nothing.
func (a *asking) word(ctx context.Context, o answer.PhraseOptions) error {
	run := a.run
	if a.model == nil || len(run.Candidates) == 0 || run.Answer.Refusal != nil {
		return nil
	}
	if p := run.Pattern(); p != nil && !p.IsPlain() {
		run.Answer.NotWorded = "No model was used, because the answer is computed by a query."
		return nil
	}
	a.showDirect()
	o.OnToken, o.OnRestart = a.ev.token(), a.ev.restart()
	phrased, err := answer.Phrase(ctx, a.model, a.graph, run.Question, run.Answer, run.Candidates, o)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil:
		run.Answer = phrased
	default: // the direct answer stands; the model only words it
		run.Answer.NotWorded = fmt.Sprintf("The model did not write the answer: %s.", strings.TrimSuffix(err.Error(), "."))
	}
	return nil
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
	return a.stage(StageCheck, func() error {
		if a.run.Answer.Refusal == nil {
			answer.CheckSentences(a.graph, a.run.Answer, a.linker)
		}
		return nil
	})
}
