package model

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"cairn/engine/evidence"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/internal/wording"
)

// Why a plan that was made without the model stands in for one that it made.
var (
	errNoBetter  = errors.New("its reading is different, without better evidence")
	errNoMatch   = errors.New("its pattern has no match")
	errFar       = errors.New("nothing in the graph is like")
	errLeavesOut = errors.New("its pattern ignores")
)

// decide holds the model's readings against the plan that was made without it,
// and returns the plan to follow. All different readings are kept, for the user
// to choose.
//
// The rule, with "the other" for the planner without a model:
//
//  1. Where the other reads nothing, the model is followed, but for three cases. A
//     claim is checked as a whole or not at all: where the model's pattern leaves
//     a name or number out, the refusal stands. So it does where nothing in the
//     graph is like a name or relation of the pattern, and where the pattern
//     leaves out a word whose meaning is known: it is about something else then.
//     Its readings can be chosen.
//  2. Where both read the same, it is followed.
//  3. Where the other has a match and the model has none, the other is followed:
//     without a model the user would have had that answer. (For claims a match
//     is no merit of the reading: a false claim, well read, has none.)
//  4. Where the other cannot choose between several readings and the model's is one
//     of them, the model is followed if it costs no more.
//  5. Otherwise the model is followed if it costs less and answers to more words of
//     the question. To cost less is not enough: a pattern of one step from a name of
//     the question, drawn by chance, costs less than a right one of two steps.
//
// No model makes a plan surer: where it is followed, and the other reads otherwise,
// or is in doubt, so is the plan. Small models agree and disagree by chance.
func (p *Planner) decide(ctx context.Context, q *question, mine []*reading, without *plan.Plan) (*plan.Plan, error) {
	made := p.planOf(q, mine)
	if p.opts.Alone {
		return made, p.doubt(ctx, made, mine, nil)
	}
	if len(without.Readings) == 0 || without.Doubt == plan.NoRelation || without.Doubt == plan.NoMention {
		if left := unchecked(q, mine[0]); left != "" {
			return p.standIn(without, fmt.Errorf("%w “%s”, but a claim is checked as a whole", errLeavesOut, left)), nil
		}
		why := error(nil)
		if far := mine[0].grounding.far; far != "" {
			why = fmt.Errorf("%w “%s”", errFar, far)
		} else if word := p.ignored(q, mine[0]); word != "" {
			why = fmt.Errorf("%w “%s”", errLeavesOut, word)
		}
		if why != nil {
			without = p.standIn(without, why)
			without.Doubt = plan.NoRelation // its readings are to choose from, not followed
			without.Readings = distinct(made.Readings, without.Readings)
			return without, nil
		}
		made.Readings = distinct(made.Readings, without.Readings)
		return made, p.doubt(ctx, made, mine, nil)
	}
	theirs, err := p.measure(ctx, q, without)
	if err != nil {
		return nil, err
	}
	best := mine[0]
	same := pattern.Canonical(best.Pattern) == pattern.Canonical(theirs.Pattern)
	if !same {
		if same, err = p.sameAnswers(ctx, best, theirs); err != nil {
			return nil, err
		}
	}
	key := pattern.Canonical(best.Pattern)
	known := slices.ContainsFunc(without.Readings, func(r plan.Reading) bool { return pattern.Canonical(r.Pattern) == key })
	doubt := without.Doubt
	if without.Barred {
		doubt = plan.Sure // as far as its words go, which are what is weighed here
	}
	switch {
	case same:
		without.Planner = made.Planner
		x := &without.Readings[0].Explanation
		x.Children = append(slices.Clone(x.Children), evidence.Explanation{Message: made.Readings[0].Explanation.Message})
		without.Readings = distinct(without.Readings, made.Readings[1:])
		return without, nil
	case p.isFollowed(best, theirs, known, doubt):
		made.Readings = distinct(made.Readings, without.Readings)
		if err := p.doubt(ctx, made, mine, theirs); err != nil {
			return nil, err
		}
		if made.Doubt == plan.Sure {
			made.Doubt, made.Reason = plan.Ambiguous, fmt.Sprintf("The %s planner reads it differently.", p.w.Fallback.Name())
		}
		return made, nil
	}
	why := errNoBetter
	if !best.grounding.Found {
		why = errNoMatch
	}
	without = p.standIn(without, why)
	if without.Doubt == plan.Sure && best.grounding.Found && best.cost.total() <= theirs.cost.total()+noise {
		without.Doubt = plan.Ambiguous
	}
	without.Readings = distinct(without.Readings[:1], made.Readings, without.Readings[1:])
	return without, nil
}

// isFollowed reports whether the model's best reading is put before the best one
// that was made without it, rules 3 to 5; known says that it is among the others that
// were.
func (p *Planner) isFollowed(mine, theirs *reading, known bool, doubt plan.Doubt) bool {
	claims := mine.isClaim() || theirs.isClaim()
	if !claims && mine.grounding.Found != theirs.grounding.Found {
		return mine.grounding.Found
	}
	other := theirs.cost
	if doubt == plan.Sure {
		other.unasked = 0 // its planner has a word for each, be it "in" or "by"
	}
	d := mine.cost.total() - other.total()
	if known && doubt != plan.Sure {
		return d <= noise
	}
	return d < -noise && len(mine.cost.unused) < len(other.unused)
}

// measure weighs the first reading of the other plan as the model's were.
func (p *Planner) measure(ctx context.Context, q *question, without *plan.Plan) (*reading, error) {
	r := &reading{linked: linked{Pattern: without.Readings[0].Pattern}}
	var err error
	if r.grounding, err = p.ground(ctx, r.Pattern); err != nil {
		return nil, err
	}
	r.cost = p.costOf(q, r.Pattern, r.grounding)
	return r, nil
}

// planOf makes a plan of the model's readings.
func (p *Planner) planOf(q *question, mine []*reading) *plan.Plan {
	made := &plan.Plan{Question: q.text, Planner: p.Name(), Mentions: mine[0].mentions, Unlinked: mine[0].unlinked}
	for _, r := range mine {
		made.Readings = append(made.Readings, p.toPlan(r))
	}
	return made
}

// doubt says how sure a plan is that follows the model. theirs is the best
// reading made without it, or nil.
func (p *Planner) doubt(ctx context.Context, made *plan.Plan, mine []*reading, theirs *reading) error {
	best := mine[0]
	rivals := mine[1:]
	if theirs != nil {
		rivals = append(slices.Clone(rivals), theirs)
	}
	rival := false
	for _, r := range rivals {
		if rival || r.grounding.Found != best.grounding.Found || r.cost.total() > best.cost.total()+noise {
			continue
		}
		same, err := p.sameAnswers(ctx, best, r)
		if err != nil {
			return err
		}
		rival = !same
	}
	switch {
	case len(best.unlinked) > 0:
		made.Doubt = plan.Unsure
		made.Reason = fmt.Sprintf("Nothing in this graph is called “%s”, so the most similar names were tried.", best.unlinked[0])
	case rival:
		made.Doubt, made.Reason = plan.Ambiguous, "Another reading has equally good evidence."
	case !best.grounding.Found && !best.isClaim():
		made.Doubt = plan.Unsure
		made.Reason = "Nothing in this graph matches the whole reading."
	case len(best.cost.unused) > 0:
		made.Doubt = plan.Unsure
		made.Reason = "The reading ignores " + wording.Quotes(best.cost.unused) + "."
	case len(best.cost.added) > 0:
		made.Doubt = plan.Unsure
		made.Reason = "The question does not name " + wording.Quotes(best.cost.added) + "; the model does."
	case best.cost.unasked > 0:
		made.Doubt = plan.Unsure
		made.Reason = "One relation of the reading has no matching word in the question."
	}
	return nil
}

// distinct joins lists of readings, without those that say what one before them
// does.
func distinct(lists ...[]plan.Reading) []plan.Reading {
	seen := map[string]bool{}
	var out []plan.Reading
	for _, r := range slices.Concat(lists...) {
		if key := pattern.Canonical(r.Pattern); !seen[key] {
			seen[key] = true
			out = append(out, r)
		}
	}
	return out
}

// ignored returns a word of the question that asks for something, as far as the
// lexicon knows, and that a reading leaves out, or "". What the lexicon does not
// know, such as another language, is the model's to understand.
func (p *Planner) ignored(q *question, r *reading) string {
	for _, t := range q.content {
		if slices.Contains(r.cost.unused, t.Text) && p.w.Lexicon.Knows(t.Stem) && !p.isKind(t) {
			return t.Text
		}
	}
	return ""
}

// unchecked returns a name or number of a claim that a pattern leaves out, or "".
func unchecked(q *question, r *reading) string {
	if r.Task != pattern.Verify {
		return ""
	}
	for _, t := range q.content {
		named := t.Capital && t.Start > q.tokens[0].Start || strings.ContainsFunc(t.Text, unicode.IsDigit)
		for _, u := range q.without.Unlinked {
			named = named || slices.Contains(lexicon.Stems(u), t.Stem)
		}
		if named && slices.Contains(r.cost.unused, t.Text) {
			return t.Text
		}
	}
	return ""
}
