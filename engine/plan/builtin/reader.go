package builtin

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/plan/claim"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

const (
	// maxMentions is how many mentions one reading joins.
	maxMentions = 3
	// maxSame is how many same-name entities of a mention are tried.
	maxSame = 3
	// strengthRange is how much weaker than the strongest a mention may be.
	strengthRange = 1.5
)

type reader struct {
	*words.Text

	p       *Planner
	compare []*comparison
	said    []*saying
	claim   bool   // it is to be checked
	denied  bool   // it denies what it says
	unlike  string // why an amount of it is compared with nothing; empty where it is
	work    work
	// wanted are the conditions of the question, naming the question with their names, and
	// covered what meets the most of them, once they are found.
	wanted  []condition
	covered []cover
	naming  *question
	parsed  map[*question]parsed
	first   *look // the reading of the question, once it is read
}

func (p *Planner) newReader(text string, mentions []link.Mention) *reader {
	r := &reader{Text: p.NewText(text, mentions), p: p, work: newWork(), parsed: map[*question]parsed{}}
	r.claim, r.denied = claim.Is(r.Text)
	if !r.claim {
		r.said = r.findSaid()
	}
	r.compare = r.findComparisons()
	r.said = slices.DeleteFunc(r.said, r.isCompared)
	r.takeSaid()
	r.unlike = cmp.Or(r.unlike, r.unmadeComparison())
	return r
}

// unmadeComparison says in a sentence that a question compares with what it names, by nothing that
// is known: "fancier than X". It returns "" where it does not, and where a relation is called so.
func (r *reader) unmadeComparison() string {
	if slices.ContainsFunc(r.p.names, func(n relationName) bool { return slices.Contains(n.words, "than") }) {
		return ""
	}
	for _, s := range r.Spans {
		at := s.From - 1
		for at > 0 && !r.PartOfName(at) && (r.Words[at].Lower == "the" || r.Words[at].Lower == "a" || r.Words[at].Lower == "an") {
			at--
		}
		if !r.claim && at > 0 && r.Words[at].Lower == "than" && !r.Words[at].Taken && !r.PartOfName(at) && !r.PartOfName(at-1) && strings.HasSuffix(r.Words[at-1].Lower, "er") {
			return fmt.Sprintf("Nothing in this graph says what is %s.", wording.Quote(r.Source[r.Words[at-1].Start:r.Words[at].End]))
		}
	}
	return ""
}

// propose returns all scored shapes of the question.
func (r *reader) propose(ctx context.Context) []proposal {
	var out []proposal
	for i, s := range r.Spans {
		if i > 0 && s.Strength < r.Spans[0].Strength-strengthRange {
			break
		}
		within := func(o words.Span) bool {
			return o.Strength >= s.Strength && o.Candidates[0].Method == link.Exact && o.From <= s.From && s.To <= o.To && o.To-o.From > s.To-s.From
		}
		if slices.ContainsFunc(r.Spans, within) {
			continue // the town in "the Kivara cholera outbreak"
		}
		r.work.left = chainsBudget
		out = append(out, r.proposeChains(ctx, s)...)
	}
	r.work.left = starsBudget
	out = append(out, r.proposeStars(ctx)...)
	out = append(out, r.proposeRoots(ctx)...)
	out = append(out, r.proposeRoles(out)...)
	for i := range out {
		out[i].score -= r.unusedMentions(&out[i])
		out[i].shape.count = out[i].q.wh == howMany && !out[i].isNumber()
	}
	out = r.withValues(r.withSaid(out), r.compare)
	best, against := -1, make([]bool, len(out))
	for i := range out {
		if against[i] = out[i].againstWh() != "" || out[i].againstAsked(); !against[i] && (best < 0 || out[i].score > out[best].score) {
			best = i
		}
	}
	for i := range out {
		if against[i] && best >= 0 && out[best].isOfAsked() {
			out[i].score -= r.p.weights.Against
		}
	}
	return out
}

// isNumber reports whether a proposal leads to a number.
func (pr *proposal) isNumber() bool {
	last := pr.shape.lastSteps()
	return len(last) > 0 && pr.q.p.isNumber(last[0].To())
}

// proposeChains reads the question with one mention.
func (r *reader) proposeChains(ctx context.Context, s words.Span) []proposal {
	var out []proposal
	q := r.p.newQuestion(r.Words, []words.Span{s})
	for rank, e := range r.candidates(s) {
		for _, steps := range r.chains(ctx, q, e, maxHops) {
			if !r.afford(1) {
				break
			}
			out = append(out, r.proposal(q, shape{legs: []leg{{entity: e, rank: rank, steps: steps}}}))
		}
	}
	return out
}

// candidates returns the entities of a mention that are tried: those as near as
// the first. Where some are named letter by letter, punctuation included, the
// others are not tried: "Up!" is not "Up".
func (p *Planner) candidates(s words.Span) []kg.EntityID {
	same := link.SameName(p.g, s.Text, s.Candidates)
	return wording.Each(same[:min(len(same), maxSame)], func(c link.Candidate) kg.EntityID { return c.Entity })
}

// candidates is Planner.candidates, with the country first whose adjective a name is as well, where the graph says both
// of the same people or bodies: who is "Dutch" need not speak it. Where a language stands, it is one.
func (r *reader) candidates(s words.Span) []kg.EntityID {
	out := r.p.candidates(s)
	if r.namesLanguage(s.From, s.To) {
		return out
	}
	from := func(x kg.Edge) schema.Slot { return schema.Forward(x.Relation).From() }
	for _, e := range r.p.Countries(s) {
		isOfSame := func(x kg.Edge) bool {
			return r.p.IsOfSomebody(x.Relation) && slices.ContainsFunc(r.p.g.In(out[0]), func(o kg.Edge) bool { return r.p.schema.Shared(from(o), from(x)) > 0 })
		}
		if !slices.Contains(out, e) && slices.ContainsFunc(r.p.g.In(e), isOfSame) {
			out = slices.Insert(out, 0, e)
		}
	}
	return out
}

// proposal scores a shape as a whole.
func (r *reader) proposal(q *question, s shape) proposal {
	v := q.score(&s, false)
	r.work.left -= v.steps / stepsPerShape
	score := v.score
	for i, l := range s.legs {
		score += r.p.weights.Mention*q.Mentions[l.mention].Strength - r.p.weights.MentionRank*float64(l.rank)
		if i > 0 {
			score -= r.p.weights.MentionMore
		}
	}
	return proposal{q: q, shape: s, verdict: v, score: score}
}

// unusedMentions is what a proposal loses for the sure mentions that it leaves
// out.
func (r *reader) unusedMentions(p *proposal) float64 {
	lost := 0.0
	for _, s := range r.Spans {
		if slices.ContainsFunc(p.q.Mentions, s.Overlaps) {
			continue
		}
		switch l := r.qualified(p, s); {
		case l != nil && r.p.isNear(l.entity, s):
			lost -= r.p.weights.Qualified
		case s.IsSure():
			lost += r.p.weights.MentionUnused
		}
	}
	return lost
}

// qualified returns the leg from the name right after which a span stands, as in
// "Paris Texas", or nil.
func (r *reader) qualified(p *proposal, s words.Span) *leg {
	for i, l := range p.shape.legs {
		if p.q.Mentions[l.mention].To == s.From {
			return &p.shape.legs[i]
		}
	}
	return nil
}

// isNear reports whether an entity has a triple with one that a span names, in
// either direction.
func (p *Planner) isNear(e kg.EntityID, s words.Span) bool {
	for _, edges := range [2][]kg.Edge{p.g.Out(e), p.g.In(e)} {
		for _, x := range edges[:min(len(edges), nearEdges)] {
			for _, c := range s.Candidates {
				if x.Entity == c.Entity && c.Method != link.Near {
					return true
				}
			}
		}
	}
	return false
}

// nearEdges is how many edges of a name are looked at for what qualifies it.
const nearEdges = 2_000
