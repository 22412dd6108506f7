package builtin

import (
	"context"
	"reflect"

	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/questions"
)

// Contest is one question to fit weights by: the features of its right reading
// and of the others.
type Contest struct {
	Right []float64
	Wrong [][]float64
}

// contestants is how many of the best proposals are compared with the right one.
const contestants = 12

// Compete reads a generated question under the planner's weights and returns
// the features of its right reading and of the best others with other answers.
// It reports false where the right reading is not among the proposals.
//
// A feature is what a reading's score gains for one point of a weight: the score
// is linear in the weights as long as the same words go to the same hops, so
// that a small change of one weight shows its feature exactly, whatever scoring
// consists of. What no weight touches comes last, as a feature of weight 1.
func (p *Planner) Compete(ctx context.Context, g *questions.Generated) (Contest, bool) {
	mentions, err := p.linker.Link(ctx, g.Text)
	if err != nil {
		return Contest{}, false
	}
	r := p.newReader(g.Text, mentions)
	proposals := r.propose(ctx)
	sortProposals(proposals)
	var c Contest
	for i := range proposals {
		pr := &proposals[i]
		if len(pr.shape.legs) == 0 || len(pr.shape.values) > 0 {
			continue
		}
		isRight := pr.shape.count == (g.Pattern.Task != 0) && pattern.Canonical(p.write(pr).Pattern) == pattern.Canonical(g.Pattern)
		switch {
		case isRight && c.Right == nil:
			c.Right = p.features(r, pr)
		case !isRight && len(c.Wrong) < contestants && i < 4*contestants:
			if p.realise(ctx, pr) && !sameAnswers(pr.answers, g.Answers) {
				c.Wrong = append(c.Wrong, p.features(r, pr))
			}
		}
		if c.Right != nil && (len(c.Wrong) == contestants || i >= 4*contestants) {
			break
		}
	}
	return c, c.Right != nil && len(c.Wrong) > 0
}

func sameAnswers(a, b []kg.EntityID) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// features scores a proposal again with each weight a little larger.
func (p *Planner) features(r *reader, pr *proposal) []float64 {
	const h = 1e-6
	score := func(w Weights) float64 {
		other := *p
		other.weights = w
		q := *pr.q
		q.p = &other
		q.memo = newMemo()
		again := *r
		again.p = &other
		out := again.proposal(&q, pr.shape)
		return out.score - again.unusedMentions(&out)
	}
	base := score(p.weights)
	var out []float64
	dot := 0.0
	for i, v := range Vector(p.weights) {
		w := p.weights
		reflect.ValueOf(&w).Elem().Field(i).SetFloat(v + h)
		f := (score(w) - base) / h
		out = append(out, f)
		dot += v * f
	}
	return append(out, pr.score-dot)
}

// Vector returns weights as numbers, in the order of their fields.
func Vector(w Weights) []float64 {
	v := reflect.ValueOf(w)
	out := make([]float64, v.NumField())
	for i := range out {
		out[i] = v.Field(i).Float()
	}
	return out
}

// FromVector is the inverse of Vector.
func FromVector(x []float64) Weights {
	var w Weights
	v := reflect.ValueOf(&w).Elem()
	for i := range v.NumField() {
		v.Field(i).SetFloat(x[i])
	}
	return w
}

// WeightNames returns the names of the weights, in the order of Vector.
func WeightNames() []string {
	t := reflect.TypeFor[Weights]()
	out := make([]string, t.NumField())
	for i := range out {
		out[i] = t.Field(i).Name
	}
	return out
}
