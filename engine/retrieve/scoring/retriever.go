package scoring

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/nn"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/around"
	"cairn/engine/retrieve/gnnrag"
)

const (
	// kept is how many triples are kept, the paper's.
	kept = 100
	// share is how much of the best answer's score every answer has.
	share = 0.3
	// answersAtMost caps the answers where the query does not.
	answersAtMost = 2000
)

// retriever is a network that is ready for questions over one graph.
type retriever struct {
	*scorer

	cutter  *gnnrag.Cutter
	options options
}

// Retrieve scores the triples around the seeds.
func (r *retriever) Retrieve(ctx context.Context, q retrieve.Query) (evidence.Found, error) {
	if err := ctx.Err(); err != nil || len(q.Seeds) == 0 {
		return evidence.Found{}, err
	}
	start := time.Now()
	cut, err := r.cutter.Cut(ctx, q.Seeds)
	if err != nil {
		return evidence.Found{}, err
	}
	in := r.read(questions.Example{Text: q.Question, Topics: q.Seeds, Spans: retrieve.Spans(q.Mentions)}, around.In(cut))
	s := r.score(&in)
	f := evidence.Found{By: "SubgraphRAG (scored triples)", Completeness: cut.Completeness, Answers: s.answers}
	if len(s.order) < len(in.Facts) {
		f.Completeness = max(f.Completeness, evidence.CutByK)
	}
	f.Region = evidence.Region{Entities: len(cut.Entities), Triples: len(cut.Facts), Method: r.options.region().Describe(r.graph), Completeness: cut.Completeness}
	if limit := cmp.Or(q.Limits.Answers, answersAtMost); len(f.Answers) > limit {
		f.Answers, f.Completeness = f.Answers[:limit], max(f.Completeness, evidence.CutByK)
	}
	back := in.Back(s.onWay)
	for i, a := range f.Answers {
		for _, fact := range s.order {
			for _, l := range in.Leads(in.Facts[fact]) {
				if in.Entities[l.To] == a.Entity {
					f.Candidates = append(f.Candidates, in.Path(l, in.Facts[fact], back, "scored triples"))
				}
			}
		}
		if i < evidence.Explained {
			f.Answers[i].Explanation = evidence.Explanation{
				Value: a.Score.Value, Message: fmt.Sprintf("the share of the triples that lead to it in the probability of all %d triples to be the last on the way to an answer", len(in.Facts)),
			}
		}
	}
	f.Support(evidence.Candidate.End)
	f.Stats = evidence.Stats{Considered: len(in.Facts), Found: len(f.Answers), Duration: time.Since(start)}
	return f, nil
}

// scored is what the network makes of a question.
type scored struct {
	onWay   []float64 // by triple
	order   []int     // the triples that are kept, the best first
	answers []evidence.Answer
}

// score has the network score the triples of a question, and adds up what leads to the
// same entity.
func (s *scorer) score(in *input) (out scored) {
	if len(in.Facts) == 0 {
		return out
	}
	t := s.tapes.Get().(*nn.Tape) //nolint:errcheck // the pool holds nothing else
	defer s.tapes.Put(t)
	t.Begin(false, 0)
	a, b := s.scores(t, in)
	onWay, last := t.Softmax(a, nil).Data, t.Softmax(b, nil).Data
	out.onWay = make([]float64, len(in.Facts))
	for i := range in.Facts {
		out.onWay[i] = float64(onWay[i])
		out.order = append(out.order, i)
	}
	slices.SortStableFunc(out.order, func(i, j int) int { return cmp.Compare(onWay[j]+last[j], onWay[i]+last[i]) })
	out.order = out.order[:min(len(out.order), kept)]
	sums := map[kg.EntityID]float64{}
	for _, i := range out.order {
		leads := in.Leads(in.Facts[i])
		for _, l := range leads {
			sums[in.Entities[l.To]] += float64(last[i]) / float64(len(leads))
		}
	}
	for e, p := range sums {
		out.answers = append(out.answers, evidence.Answer{Entity: e, Score: evidence.Score{Value: p, Scale: evidence.Probability}})
	}
	slices.SortFunc(out.answers, evidence.ByScore)
	out.answers = slices.DeleteFunc(out.answers, func(x evidence.Answer) bool { return x.Score.Value < share*out.answers[0].Score.Value })
	return out
}
