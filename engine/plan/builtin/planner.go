// Package builtin plans without a language model: from the names that a
// question mentions, the words that ask for relations, and what the graph can
// realise.
//
//	question ─link─▶ mentions ─words─▶ cues ─graph─▶ shapes ─score─▶ readings
//
//	Mapping  what a relation means in the words of questions; users may edit it
//	cue      a phrase that asks for a step, with its weight
//	shape    chains of steps from mentions, met at one node: a reading before it
//	         is written as a pattern
//
// Nothing is trained and nothing is random: the same question on the same graph
// gives the same plan. A chain that the graph cannot realise is not proposed.
package builtin

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/meanings"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/operators"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// Linker is what planning needs of linking.
type Linker interface {
	// Link returns the mentions of a question, strongest first.
	Link(ctx context.Context, question string) ([]link.Mention, error)
}

// Options change how questions are read. The zero value is the default.
type Options struct {
	// Weights rank the readings.
	//
	// The default value is DefaultWeights().
	Weights *Weights
	words.Own
	// NoMeanings leaves words with the meanings that the lexicon tells: what package
	// meanings knows of them is not used.
	NoMeanings bool
}

// readingsMost is how many readings a plan has at most.
const readingsMost = 5

// Planner plans for one graph. It is immutable and safe for concurrent use.
type Planner struct {
	*words.Vocabulary

	g       *kg.Graph
	lex     *lexicon.Lexicon
	schema  *schema.Schema
	names   []relationName // by relation
	said    *properties    // nil where statements say nothing beside their triples
	linker  Linker
	weights Weights
}

// Planner plans.
var _ plan.Planner = (*Planner)(nil)

// New returns a planner for g. It reads the whole graph once.
func New(g *kg.Graph, l Linker, lex *lexicon.Lexicon, o Options) *Planner {
	s, err := schema.Read(context.Background(), g)
	if err != nil {
		panic(err) // only a cancelled context fails
	}
	return NewOn(s, l, lex, o)
}

// NewOn is New for a graph whose schema is read.
func NewOn(s *schema.Schema, l Linker, lex *lexicon.Lexicon, o Options) *Planner {
	weights := DefaultWeights()
	if o.Weights != nil {
		weights = *o.Weights
	}
	var table *meanings.Table
	if !o.NoMeanings {
		table = meanings.Builtin()
	}
	v := words.New(s, lex, o.Own, table)
	return &Planner{
		Vocabulary: v, g: s.Graph(), lex: v.Lexicon(), schema: v.Schema(), names: readNames(v),
		said: readProperties(s.Graph()), linker: l, weights: weights,
	}
}

// Name is the planner's name for people.
func (p *Planner) Name() string { return "built-in" }

type proposal struct {
	q       *question
	shape   shape
	verdict verdict
	score   float64
	// reuse is the mode in which the graph has answers.
	reuse   pattern.Reuse
	answers []kg.EntityID // a sample, for those that were realised
	// unmet is set where the proposal reads many conditions.
	unmet *unmet
	// misread says how the grammar reads the question otherwise; empty where it does not.
	misread string
	// lacks is what the score lost because the grammar says that more steps are asked for.
	lacks float64
}

// realiseMost is how many of the best proposals are tried on the graph.
const realiseMost = 40

// Task says what a text asks for, from its form alone: to check a claim, to count, or
// to find.
func (p *Planner) Task(text string, mentions []link.Mention) pattern.Task {
	r := p.newReader(text, mentions)
	if r.claim {
		return pattern.Verify
	}
	q := p.newQuestion(r.Words, nil)
	if q.wh != howMany {
		return pattern.Find
	}
	for _, w := range q.Words {
		for s := range w.Weight {
			if p.isNumber(s.To()) { // how many inhabitants: the graph has the number
				return pattern.Find
			}
		}
	}
	return pattern.Count
}

// Plan reads a question. It fails only when cancelled.
func (p *Planner) Plan(ctx context.Context, text string, mentions []link.Mention) (out *plan.Plan, err error) {
	if mentions == nil {
		if mentions, err = p.linker.Link(ctx, text); err != nil {
			return nil, fmt.Errorf("link the question: %w", err)
		}
	}
	defer func() {
		if err == nil {
			p.account(out)
		}
	}()
	r := p.newReader(text, mentions)
	if why := r.refusedDate(); why != "" {
		return &plan.Plan{Question: text, Planner: p.Name(), Mentions: mentions, Claim: r.claim, Doubt: plan.NotSupported, Reason: why}, nil
	}
	if out = (&plan.Plan{Question: text, Planner: p.Name(), Mentions: mentions, Claim: true}); r.claim && r.readTruth(out) {
		return out, nil // a column of yes and no is not counted
	}
	out, err = operators.Read(ctx, operands{p}, p.Vocabulary, text, mentions, r.claim)
	if err != nil {
		return nil, err
	}
	if out != nil {
		out.Planner = p.Name()
		out.Claim = r.claim && (len(out.Readings) == 0 || out.Readings[0].Pattern.Task == pattern.Verify)
		return out, nil
	}
	out = &plan.Plan{Question: text, Planner: p.Name(), Mentions: mentions, Claim: r.claim}
	if r.claim {
		err = r.readClaim(ctx, out)
		r.readAsOfNow(out)
		return out, err
	}
	_, err = r.readQuestion(ctx, out)
	return out, err
}

// account marks the words of a plan's first reading. What it leaves out is in doubt.
func (p *Planner) account(out *plan.Plan) {
	defer func() {
		for i := range out.Readings {
			if pat := out.Readings[i].Pattern; pat.Task != pattern.Verify || out.Doubt == plan.Sure {
				p.passZeros(pat)
			}
		}
	}()
	if len(out.Readings) == 0 {
		return
	}
	p.countStatements(out)
	p.takeText(out)
	r := &out.Readings[0]
	if why := p.unreadable(r.Pattern); why != "" && out.Doubt == plan.Sure {
		out.Doubt, out.Reason = plan.Unsure, why
	}
	r.Words = p.Mark(out.Question, out.Mentions, r.Pattern)
	var unread, loose []string
	for _, w := range r.Words {
		switch text := out.Question[w.Start:w.End]; {
		case w.Role == plan.Unread:
			unread = append(unread, text)
		case w.Loose:
			loose = append(loose, takenFor(text, w.For))
		}
	}
	out.Open = out.Open && len(unread) == 0 && len(loose) == 0
	if out.Doubt != plan.Sure || r.Plain {
		return
	}
	r.Unused = kg.With(r.Unused, unread...)
	switch {
	case len(r.Unused) > 0:
		out.Doubt, out.Reason = plan.Unsure, leavesOut(r.Unused)
	case len(loose) > 0:
		out.Doubt, out.Reason = plan.Unsure, takes(loose)
	default:
		if turned := p.turnedKind(p.NewText(out.Question, out.Mentions), r.Pattern); turned != "" {
			out.Doubt, out.Reason = plan.NoRelation, saidTurned(turned)
		}
	}
}

// takeText takes a name of a reading in doubt for the text that statements of its relation say, letter by letter: who
// "played The Owl King" has that role, and need not be in the play of that name, as who "acted in" it is.
func (p *Planner) takeText(out *plan.Plan) {
	rd := &out.Readings[0]
	if p.said == nil || out.Doubt != plan.Unsure {
		return
	}
	for i := range rd.Pattern.Edges {
		e := &rd.Pattern.Edges[i]
		for _, at := range []int{e.From, e.To} {
			n := rd.Pattern.Nodes[at]
			if n.Variable || len(e.Fixed) != 1 || len(e.Conditions) > 0 || p.followsPreposition(out.Question, n.Text, e.Fixed[0]) {
				continue
			}
			values := p.said.values[stems(n.Text)]
			for _, name := range slices.Sorted(maps.Keys(values)) {
				value := values[name]
				if p.said.on[e.Fixed[0]][name] == nil || !strings.EqualFold(value, n.Text) {
					continue
				}
				rd.Pattern.Nodes[at] = pattern.Node{Text: "?thing", Variable: true}
				e.Conditions = append(e.Conditions, pattern.Condition{Property: name, Op: pattern.Equal, Value: value})
				rd.Text += fmt.Sprintf(" (%s %s)", p.g.PropertyText(name), value)
				break
			}
		}
	}
}

// followsPreposition reports whether a preposition stands before a text of a question and its article, or that of a
// relation anywhere before.
func (p *Planner) followsPreposition(question, text string, r kg.RelationID) bool {
	before, _, found := strings.Cut(question, text)
	ws := lexicon.Tokenize(before)
	for len(ws) > 0 && determiners[ws[len(ws)-1].Lower] {
		ws = ws[:len(ws)-1]
	}
	isOwn := func(w lexicon.Token) bool {
		return prepositions[w.Lower] && slices.Contains(lexicon.RelationWords(p.g.RelationName(r)), w.Lower)
	}
	return found && len(ws) > 0 && (prepositions[ws[len(ws)-1].Lower] || slices.ContainsFunc(ws, isOwn))
}

// unreadable says in a sentence that a pattern compares or orders values of which some cannot be
// read, "12 or 13 May", and so falls silent on what has them; "" where it does not.
func (p *Planner) unreadable(pat *pattern.Pattern) string {
	const most = 50_000
	nodes := []int{}
	for _, f := range pat.AllFilters() {
		nodes = append(nodes, f.Node)
	}
	if pat.Order != nil {
		nodes = append(nodes, pat.Order.Node)
	}
	if pat.Measure != nil && pat.Measure.Func != pattern.CountOf {
		nodes = append(nodes, pat.Measure.Node)
	}
	for _, e := range pat.AllEdges() {
		if len(e.Fixed) != 1 || e.Direction != pattern.Forward || !slices.Contains(nodes, e.To) || p.schema.Value(schema.Forward(e.Fixed[0]).To()) == schema.NoValue {
			continue
		}
		tails := p.g.Tails(e.Fixed[0])
		for _, t := range tails[:min(len(tails), most)] {
			label := p.g.Label(t)
			if _, ok := kg.ParseExtent(strings.Trim(label, `"`)); !ok && strings.ContainsAny(label, "0123456789") {
				if _, ok := p.g.Value(t); !ok {
					return fmt.Sprintf("Some values of %s cannot be compared, such as %s.", wording.Quote(p.g.RelationText(e.Fixed[0])), wording.Quote(label))
				}
			}
		}
	}
	return ""
}

// passZeros keeps a pattern that asks only whether something has any of what a relation counts
// from what has none of them: with 0 children, one has no children.
func (p *Planner) passZeros(pat *pattern.Pattern) {
	free := func(n int) bool {
		isOf := func(f pattern.Filter) bool { return f.Node == n || f.Than != nil && *f.Than == n }
		return pat.Nodes[n].Variable && pat.Measure == nil && pat.Order == nil && !slices.ContainsFunc(pat.AllFilters(), isOf)
	}
	pass := func(edges []pattern.Edge, to *[]pattern.Filter, counted int) {
		for _, e := range edges {
			anyone := !slices.ContainsFunc(pat.AllEdges(), func(o pattern.Edge) bool {
				return o.To == e.To && o.From != e.From && !pat.Nodes[o.From].Variable || o.From == e.To
			})
			if e.Direction == pattern.Forward && len(e.Fixed) == 1 && anyone && free(e.To) && e.To != counted && p.countsNone(e.Fixed[0]) && (pat.Task != pattern.Verify || pat.Nodes[e.From].Variable || p.hasNone(pat.Nodes[e.From], e.Fixed[0])) {
				*to = append(*to, pattern.Filter{Node: e.To, Op: pattern.Greater})
			}
		}
	}
	pass(pat.Edges, &pat.Filters, pat.Asked)
	for i := range pat.Branches {
		b := &pat.Branches[i]
		pass(b.Edges, &b.Filters, b.Node)
	}
}

// hasNone reports whether what a claim names has 0 of what a relation counts: of anything else,
// how many it has is for the claim to say.
func (p *Planner) hasNone(n pattern.Node, r kg.RelationID) bool {
	return !n.Variable && !slices.ContainsFunc(n.Entities, func(e kg.EntityID) bool {
		return slices.ContainsFunc(p.g.OutBy(e, r), func(x kg.Edge) bool { return !p.isZero(x.Entity) })
	})
}

// isZero reports whether an entity is the number 0.
func (p *Planner) isZero(e kg.EntityID) bool {
	v, ok := p.g.Value(e)
	return ok && v.Kind == kg.NumberValue && v.Number == 0
}

// countsNone reports whether a relation says of something that it has 0 of what it counts, or 0 "in stock".
func (p *Planner) countsNone(r kg.RelationID) bool {
	name := p.names[r].words
	isIn := len(name) > 1 && name[len(name)-2] == "in" && p.schema.Value(schema.Forward(r).To()) == schema.NumberValue
	return (isIn || p.Counts(r)) && slices.ContainsFunc(p.g.Tails(r), p.isZero)
}

// readQuestion fills the plan of a question without operators, and returns the proposal that
// its first reading is made of; nil for none.
func (r *reader) readQuestion(ctx context.Context, out *plan.Plan) (first *proposal, err error) {
	p := r.p
	if r.unlike != "" {
		out.Doubt, out.Reason = plan.NotSupported, r.unlike
		return nil, nil
	}
	var proposals []proposal
	if !r.isDescription(ctx) {
		proposals = r.propose(ctx)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r.weighMisread(proposals)
	var shown []*proposal
	best := p.joinPartners(p.joinSameNames(p.realiseBest(ctx, proposals)))
	if listed := r.ofLists(proposals, best); listed != nil {
		best = slices.Insert(best, 0, listed)
	}
	for _, pr := range best {
		pr.verdict.unused = slices.DeleteFunc(pr.verdict.unused, pr.isJoining)
		shown = append(shown, pr)
		out.Readings = append(out.Readings, p.write(pr))
	}
	shown = p.addCovers(ctx, r, out, shown)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(shown) == 0 {
		r.giveUp(out)
		return nil, nil
	}
	r.first = r.look(ctx, out.Readings, shown)
	r.first.doubt(out)
	r.first.weigh(out)
	return shown[0], nil
}

// realiseBest returns the best of the proposals that have answers in the graph.
// Those whose only answers are worth little, the very name that the question
// has, or things without a name, lose points and fall behind.
func (p *Planner) realiseBest(ctx context.Context, proposals []proposal) []*proposal {
	var found []proposal
	for i := range proposals[:min(len(proposals), realiseMost)] {
		pr := &proposals[i]
		// Nothing that follows can overtake what has been found.
		if len(found) >= readingsMost && found[readingsMost-1].score >= pr.score {
			break
		}
		if !p.realise(ctx, pr) {
			continue
		}
		if pr.reuse == pattern.ReuseAll && (pr.verdict.uncued+pr.verdict.faint > 0 || pr.namesAll() && (pr.onlyItself() || pr.sharesWithItself())) {
			pr.score -= p.weights.TopicAnswer
		}
		if pr.readTwice() != "" || pr.qualified() != "" {
			pr.score -= p.weights.MisreadLacks
		}
		if !slices.ContainsFunc(pr.answers, func(e kg.EntityID) bool { return !schema.IsNameless(p.g, e) }) && len(pr.answers) > 0 {
			pr.score -= p.weights.NamelessAnswer
		}
		if pr.ofOtherType() != "" || pr.againstAsked() && pr.ofYesNo() == "" { // another reading may lead to what is asked for
			pr.score -= p.weights.Against
		}
		if pr.ranksOne() {
			pr.score -= uncuedMargin
		}
		found = append(found, *pr)
		sortProposals(found)
	}
	out := make([]*proposal, 0, readingsMost)
	for i := range found[:min(len(found), readingsMost)] {
		out = append(out, &found[i])
	}
	return out
}

// ranksOne reports whether a proposal asks for the most of what one step leads to, which is one thing alone: the
// oldest candidate of a party is none of its only leader.
func (pr *proposal) ranksOne() bool {
	s := &pr.shape
	ranks := slices.ContainsFunc(s.values, func(v valueLeg) bool { return v.comparison.superlative })
	return ranks && len(s.legs) == 1 && s.size() == 1 && len(pr.q.p.schema.Edges(s.legs[0].entity, s.hops()[0].step)) == 1
}

// sortProposals puts the best first; among equals the shorter, then the first
// found.
func sortProposals(ps []proposal) {
	// Proposals are large: their places are sorted, and each is moved once.
	at := make([]int, len(ps))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(i, j int) int {
		return cmp.Or(byScore(ps[i].score, ps[j].score), cmp.Compare(ps[i].shape.size(), ps[j].shape.size()))
	})
	was := slices.Clone(ps)
	for to, from := range at {
		ps[to] = was[from]
	}
}

// scoreNoise is the difference of scores that comes from rounding alone.
const scoreNoise = 1e-9

// byScore puts the higher score first.
func byScore(a, b float64) int {
	if math.Abs(a-b) <= scoreNoise {
		return 0
	}
	return cmp.Compare(b, a)
}
