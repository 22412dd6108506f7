package builtin

import (
	"cmp"
	"context"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
)

const (
	// maxWords is how many words of a question are read.
	maxWords = 120
	// maxSpans is how many of the strongest mentions are tried.
	maxSpans = 8
	// maxMentions is how many mentions one reading joins.
	maxMentions = 3
	// maxSame is how many same-name entities of a mention are tried.
	maxSame = 3
	// strengthRange is how much weaker than the strongest a mention may be.
	strengthRange = 1.5
	// sureStrength is the strength from which a mention is a name beyond doubt.
	sureStrength = 0.8
	// likelyStrength is that of one word that questions do not use, written
	// without its capital, as people type: with a second name beside it, it is a
	// name too.
	likelyStrength = 0.6
	// weakStrength is the strength below which stop words are no name.
	weakStrength = 0.5
)

// reader reads one question.
type reader struct {
	p       *Planner
	text    string
	words   []word // before any mention is chosen
	spans   []span // strongest first
	all     []span // spans, with those beyond maxSpans
	compare []*comparison
	claim   bool // it is to be checked
	negated bool // it denies what it says
	work    work
}

func (p *Planner) newReader(text string, mentions []link.Mention) *reader {
	r := &reader{p: p, text: text, work: newWork()}
	tokens := lexicon.Tokenize(text)
	tokens = p.expandCompounds(tokens[:min(len(tokens), maxWords)], mentions)
	for _, t := range tokens {
		r.words = append(r.words, word{Token: t, mention: -1, stop: p.lex.IsStop(t.Lower)})
	}
	for _, m := range mentions {
		s := span{Mention: m}
		s.from = slices.IndexFunc(r.words, func(w word) bool { return w.Start >= m.Start })
		s.to = s.from
		for s.from >= 0 && s.to < len(r.words) && r.words[s.to].End <= m.End {
			s.to++
		}
		// "Who" may be WHO, but hardly is.
		onlyStops := s.Strength < weakStrength && !slices.ContainsFunc(r.words[max(0, s.from):max(0, s.to)], func(w word) bool { return !w.stop })
		if s.to > s.from && !onlyStops {
			r.spans = append(r.spans, s)
		}
	}
	slices.SortStableFunc(r.spans, func(a, b span) int { return cmp.Compare(b.Strength, a.Strength) })
	r.all = r.spans
	r.spans = r.spans[:min(len(r.spans), maxSpans)]
	r.readForm()
	r.compare = r.findComparisons()
	return r
}

// expandCompounds writes compounds out where the graph knows their parts and
// not the compound: "grandson" as child 's child, or child of child before
// "of". Words inside sure names and capitalised words stay.
func (p *Planner) expandCompounds(tokens []lexicon.Token, mentions []link.Mention) []lexicon.Token {
	var out []lexicon.Token
	for i, t := range tokens {
		parts := p.lex.Compound(t.Lower)
		inName := slices.ContainsFunc(mentions, func(m link.Mention) bool {
			return m.Strength >= sureStrength && m.Start <= t.Start && t.End <= m.End
		})
		if parts == nil || i > 0 && t.Capital || inName || len(p.cues.byLast[t.Stem]) > 0 || !p.knowsAll(parts) {
			out = append(out, t)
			continue
		}
		joint := lexicon.Possessive
		if i+1 < len(tokens) && tokens[i+1].Lower == "of" {
			joint = "of"
			parts = slices.Clone(parts)
			slices.Reverse(parts)
		}
		for j, w := range parts {
			if j > 0 {
				out = append(out, lexicon.Token{Text: t.Text, Lower: joint, Stem: joint, Start: t.Start, End: t.End})
			}
			out = append(out, lexicon.Token{Text: t.Text, Lower: w, Stem: lexicon.Stem(w), Start: t.Start, End: t.End})
		}
	}
	return out
}

func (p *Planner) knowsAll(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return len(p.cues.byLast[lexicon.Stem(w)]) == 0 })
}

// propose returns all scored shapes of the question.
func (r *reader) propose(ctx context.Context) []proposal {
	var out []proposal
	for i, s := range r.spans {
		if i > 0 && s.Strength < r.spans[0].Strength-strengthRange {
			break
		}
		r.work.left = chainsBudget
		out = append(out, r.proposeChains(ctx, s)...)
	}
	r.work.left = starsBudget
	out = append(out, r.proposeStars(ctx)...)
	out = append(out, r.proposeRoots(ctx)...)
	for i := range out {
		out[i].score -= r.unusedMentions(&out[i])
		out[i].shape.count = out[i].q.wh == howMany && !out[i].isNumber()
	}
	return r.withValues(out, r.compare)
}

// isNumber reports whether a proposal leads to a number.
func (pr *proposal) isNumber() bool {
	last := pr.shape.lastSteps()
	return len(last) > 0 && pr.q.p.isNumber(last[0].To())
}

// proposeChains reads the question with one mention.
func (r *reader) proposeChains(ctx context.Context, s span) []proposal {
	var out []proposal
	q := r.p.newQuestion(r.words, []span{s})
	for rank, e := range r.p.candidates(s) {
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
// the first.
func (p *Planner) candidates(s span) []kg.EntityID {
	var out []kg.EntityID
	for _, c := range s.Candidates {
		if c.Distance > s.Candidates[0].Distance || c.Method > s.Candidates[0].Method {
			break
		}
		if out = append(out, c.Entity); len(out) == maxSame {
			break
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
		score += r.p.weights.Mention*q.mentions[l.mention].Strength - r.p.weights.MentionRank*float64(l.rank)
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
	for _, s := range r.spans {
		if slices.ContainsFunc(p.q.mentions, s.overlaps) {
			continue
		}
		switch l := r.qualified(p, s); {
		case l != nil && r.p.isNear(l.entity, s):
			lost -= r.p.weights.Qualified
		case s.isSure():
			lost += r.p.weights.MentionUnused
		}
	}
	return lost
}

// qualified returns the leg from the name right after which a span stands, as in
// "Paris Texas", or nil.
func (r *reader) qualified(p *proposal, s span) *leg {
	for i, l := range p.shape.legs {
		if p.q.mentions[l.mention].to == s.from {
			return &p.shape.legs[i]
		}
	}
	return nil
}

// isNear reports whether an entity has a triple with one that a span names, in
// either direction.
func (p *Planner) isNear(e kg.EntityID, s span) bool {
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

// isSure reports whether a span is a name letter by letter and beyond doubt.
func (a span) isSure() bool {
	if a.Strength < sureStrength {
		return false
	}
	// Names are often written small: two words of one are no chance.
	m := a.Candidates[0].Method
	return m <= link.Alias || m == link.Folded && a.to-a.from > 1 && a.Strength >= 1
}
