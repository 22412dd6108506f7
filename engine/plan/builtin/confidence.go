package builtin

import (
	"context"
	"fmt"
	"math"
	"slices"

	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/plan"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// sign is something that speaks against a reading, on any graph.
type sign struct {
	name string // in costs
	// much is how much of it there is, 0 for nothing.
	much func(*look) float64
	// say says it in plain words, to follow "It is not sure of this reading: ".
	say func(*look) string
}

// look is a reading among its rivals, as reasons and signs see it.
type look struct {
	*proposal

	r        *reader
	shown    []*proposal // the reading first
	texts    []string    // of those shown
	doubtful bool        // the plan is not sure
	hops     []hop
	last     []schema.Step
	// missing are the words for relations that the graph does not have, left those that the reading
	// has no use for.
	missing, left []string
	empty         empty
	role          string // see roleDoubt
}

// look returns the first of the proposals that are shown as readings.
func (r *reader) look(ctx context.Context, readings []plan.Reading, shown []*proposal) *look {
	pr := shown[0]
	return &look{
		proposal: pr, r: r, shown: shown, texts: wording.Each(readings, func(g plan.Reading) string { return g.Text }),
		hops: pr.shape.hops(), last: pr.shape.lastSteps(),
		missing: r.missingWords(pr), left: r.leftOver(pr), empty: r.findEmpty(ctx, pr), role: r.roleDoubt(ctx, pr),
	}
}

// weigh says how likely the first reading is right, and takes back that it is sure where
// that is too little. Readings that compare, start from a kind or set conditions on statements
// stay sure: their rivals are of other kinds, and say little.
func (l *look) weigh(out *plan.Plan) {
	l.doubtful = out.Doubt != plan.Sure
	odds := certainty
	for _, s := range signs {
		if much := s.much(l); much > 0 {
			cost := costs[s.name] * much
			odds -= cost
			out.Signs = append(out.Signs, plan.Sign{Name: s.name, Much: much, Cost: cost, Message: s.say(l)})
		}
	}
	out.Confidence = 1 / (1 + math.Exp(-odds))
	slices.SortStableFunc(out.Signs, plan.Sign.Compare)
	isChain := len(l.shape.values)+len(l.shape.said) == 0 && l.shape.root == nil
	if out.Doubt == plan.Sure && isChain && odds < bar {
		out.Doubt, out.Barred, out.Open = plan.Unsure, true, l.isWhole()
		out.Reason = fmt.Sprintf("Cairn is not sure it read the question correctly: %s.", out.Signs[0].Message)
	}
}

var signs = []sign{
	{"doubted", func(l *look) float64 { return flag(l.doubtful) }, always("the planner doubts it")},
	{"crowded", (*look).entropy, always("other readings fit nearly as well")},
	{"missing", func(l *look) float64 { return float64(len(l.missing)) }, func(l *look) string {
		return "nothing in this graph matches " + wording.Quotes(l.missing)
	}},
	{"unused", func(l *look) float64 { return float64(len(l.verdict.unused)) }, func(l *look) string {
		return "the reading ignores " + wording.Quotes(l.unusedWords())
	}},
	{"genitives", (*look).genitives, always("the question has more “of” phrases than the reading has steps")},
	{"words", (*look).wordsOver, always("the question says more than the reading covers")},
	{"wordless", (*look).wordless, always("one step of the reading has no matching word in the question")},
	{"inner", (*look).inner, always("the answer is in the middle of the path, not at its end")},
	{"repeats", (*look).repeats, always("the reading uses one relation twice")},
	{"many", func(l *look) float64 { return flag(len(l.answers) > 50) }, always("there are very many answers")},
	{"several", (*look).several, always("the question asks for one answer, but there are several")},
	{"echo", (*look).echo, always("the question itself names one of the answers")},
	{"other", func(l *look) float64 {
		return flag(l.q.wh != noWh && l.q.wh != howMany && len(l.last) > 0 && !l.q.fitsWh(l.last[0].To()))
	}, always("the answers are not of the type that the question word asks for")},
	{"inside", (*look).inside, always("a name that the reading starts from may be part of a longer one")},
}

func always(text string) func(*look) string { return func(*look) string { return text } }

func flag(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// entropy is that of the readings as if their scores were log-odds. Readings with the
// same answers are one.
func (l *look) entropy() float64 {
	var mass []float64
	total := 0.0
	for i, pr := range l.shown {
		x := math.Exp(pr.score - l.score)
		total += x
		if at := slices.IndexFunc(l.shown[:i], func(o *proposal) bool { return slices.Equal(o.answers, pr.answers) }); at >= 0 {
			mass[at] += x
			x = 0
		}
		mass = append(mass, x)
	}
	h := 0.0
	for _, x := range mass {
		if p := x / total; p > 0 {
			h -= p * math.Log(p)
		}
	}
	return h
}

// size is the number of steps in the eyes of the question.
func (l *look) size() (n float64) {
	for _, h := range l.hops {
		n += flag(!l.r.p.schema.IsMediator(h.step.To()))
	}
	return n
}

// genitives is by how much the nouns that the question joins to others by "of" or "'s"
// outnumber the steps.
func (l *look) genitives() (n float64) {
	says := func(i int) bool {
		w := &l.q.Words[i]
		return w.Mention < 0 && !w.Stop && !w.Silent && !glue[w.Lower]
	}
	for i := 1; i+1 < len(l.q.Words); i++ {
		if l.q.Words[i].Mention >= 0 {
			continue
		}
		switch l.q.Words[i].Lower {
		case "of":
			n += flag(says(i - 1))
		case lexicon.Possessive:
			n += flag(says(i + 1))
		}
	}
	return max(0, n-l.size())
}

// wordsOver is by how much the words that say something outnumber the steps.
func (l *look) wordsOver() (n float64) {
	for i := range l.q.Words {
		n += flag(l.q.Words[i].Mention < 0 && !l.q.Words[i].Stop)
	}
	return max(0, n-l.size())
}

// wordless counts the hops without a word, but for those that another leg has a word for, "border
// both X and Y", or that a value before the noun needs none for: "female dogs".
func (l *look) wordless() float64 {
	worded := map[schema.Step]bool{}
	for i, c := range l.verdict.cue {
		if i < len(l.hops) && c >= 0 {
			worded[l.hops[i].step] = true
		}
	}
	n := l.verdict.uncued
	for i, c := range l.verdict.cue {
		if i < len(l.hops) && c < 0 && len(l.shape.legs) > 1 && (worded[l.hops[i].step] || l.isBeforeNoun(l.shape.legs[l.hops[i].leg])) {
			n--
		}
	}
	return float64(max(0, n))
}

// isBeforeNoun reports whether a leg is of one step from a value that stands right before the asked noun,
// or before another such value.
func (l *look) isBeforeNoun(of leg) bool {
	at := l.q.Mentions[of.mention].To
	for at < l.q.asked && l.q.Words[at].Mention >= 0 {
		at++
	}
	return at == l.q.asked && len(of.steps) == 1 && len(l.r.p.g.Out(of.entity)) == 0
}

// inner tells that the noun after "which" or "what" names something before the end.
func (l *look) inner() float64 {
	for i := range l.q.Words {
		if w := &l.q.Words[i]; w.Mention >= 0 || w.Lower != "which" && w.Lower != "what" {
			continue
		}
		at := i + 1
		for at < len(l.q.Words) && l.q.Words[at].Mention < 0 && l.q.Words[at].Silent {
			at++
		}
		if at == len(l.q.Words) || l.q.Words[at].Mention >= 0 || l.q.Words[at].Stop {
			continue
		}
		w := &l.q.Words[at]
		fits := func(s schema.Step) bool { return w.Weight[s] > 0 || w.Names[s] || l.q.NamesSlot(w, s.To()) }
		if !slices.ContainsFunc(l.last, fits) && slices.ContainsFunc(l.hops, func(h hop) bool { return fits(h.step) }) {
			return 1
		}
	}
	return 0
}

// repeats counts the hops whose relation the leg has taken before.
func (l *look) repeats() (n float64) {
	for i, h := range l.hops {
		n += flag(slices.ContainsFunc(l.hops[i-h.at:i], func(o hop) bool { return o.step.Relation() == h.step.Relation() }))
	}
	return n
}

// several tells that a noun in the singular has several answers.
func (l *look) several() float64 {
	if l.q.asked < 0 || len(l.answers) < 2 {
		return 0
	}
	plural := func(i int) bool {
		w := &l.q.Words[i]
		return w.Mention < 0 && w.Lower != w.Stem && w.Lower[len(w.Lower)-1] == 's'
	}
	return flag(!plural(l.q.asked) && (l.q.asked == 0 || !plural(l.q.asked-1))) // "which countries border"
}

// echo is which share of the first answers the question names.
func (l *look) echo() float64 {
	sample, n := l.answers[:min(len(l.answers), 20)], 0.0
	for _, e := range sample {
		n += flag(slices.ContainsFunc(l.r.Spans, func(s words.Span) bool {
			return slices.ContainsFunc(s.Candidates, func(c link.Candidate) bool { return c.Entity == e })
		}))
	}
	return n / float64(max(1, len(sample)))
}

// inside counts the names that lie inside longer ones.
func (l *look) inside() (n float64) {
	for _, g := range l.shape.legs {
		m := l.q.Mentions[g.mention]
		n += flag(slices.ContainsFunc(l.r.All, func(o words.Span) bool {
			return o.From <= m.From && m.To <= o.To && o.To-o.From > m.To-m.From
		}))
	}
	return n
}
