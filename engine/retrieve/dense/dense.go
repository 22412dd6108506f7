// Package dense answers with the triples whose words are most like the question's
// (KAPING, Baek, Aji and Saffari 2023): a baseline, which knows no structure.
//
//	question ─link─▶ seeds ─gnnrag.Cutter─▶ triples ─embed─▶ cosines ─top 10─▶ where they lead to
//
// Differs from the paper in three things: the embedder is the built-in one, there is no
// language model that reads the triples, so that all that they lead to is an answer, and the
// triples of the second hop are ranked as well, as far as there is room for them.
package dense

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"cairn/engine/embed"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/around"
	"cairn/engine/retrieve/gnnrag"
	"cairn/engine/say"
	"cairn/engine/vec"
	"cairn/internal/wording"
)

const (
	// kept is how many triples are kept, the paper's.
	kept = 10
	// batch is how many triples are embedded between two looks at the clock.
	batch = 512
)

// region is where triples are looked for: two hops, with room for two thousand entities,
// the nearest to the seeds first.
var region = gnnrag.RegionOptions{Hops: 2}

// Method ranks triples by their words.
type Method struct{}

// Info describes the method.
func (Method) Info() retrieve.Info {
	return retrieve.Info{
		ID: "dense", Title: "Baseline: similar triples", Help: "lists the triples whose words are most like the question's, as a baseline for comparison",
		Who: "the list of similar triples", Plan: "where to look", Retrieve: "compare the triples with the question",
		Basis: "where the most similar triples lead to", Seeded: true, Baseline: true,
	}
}

// Open makes the built-in embedder ready.
func (Method) Open(ctx context.Context, w retrieve.World) (retrieve.Retriever, error) {
	e, err := w.Embed(ctx, "")
	if err != nil {
		return nil, fmt.Errorf("make the embedder ready: %w", err)
	}
	return &retriever{w.Graph, e, gnnrag.NewCutter(w.Graph, region)}, nil
}

type retriever struct {
	graph  *kg.Graph
	words  embed.Embedder
	cutter *gnnrag.Cutter
}

// Retrieve ranks the triples around the seeds.
func (r *retriever) Retrieve(ctx context.Context, q retrieve.Query) (evidence.Found, error) {
	if err := ctx.Err(); err != nil || len(q.Seeds) == 0 {
		return evidence.Found{}, err
	}
	start := time.Now()
	cut, err := r.cutter.Cut(ctx, q.Seeds)
	if err != nil {
		return evidence.Found{}, err
	}
	near, looked, err := r.likeness(ctx, q.Question, cut.Facts, start.Add(cmp.Or(q.Limits.WallTime, 10*time.Second)))
	if err != nil {
		return evidence.Found{}, err
	}
	f := r.best(around.In(cut), near, looked, q.Limits.Answers)
	f.Region = evidence.Region{Entities: len(cut.Entities), Triples: len(cut.Facts), Method: region.Describe(r.graph), Completeness: cut.Completeness}
	f.Completeness = max(f.Completeness, cut.Completeness)
	if looked < len(near) {
		f.Completeness = evidence.TimedOut
	}
	f.Stats = evidence.Stats{Considered: looked, Found: len(f.Answers), Duration: time.Since(start)}
	return f, nil
}

// likeness returns the cosine of each of the triples with the question, and how many of
// them, the first ones, it looked at before time ran out; the others have 0.
func (r *retriever) likeness(ctx context.Context, question string, facts []gnnrag.Fact, deadline time.Time) (near []float64, looked int, err error) {
	near = make([]float64, len(facts))
	asked, err := r.words.Embed(ctx, embed.Query, []string{question})
	if err != nil {
		return nil, 0, fmt.Errorf("embed the question: %w", err)
	}
	for some := range slices.Chunk(facts, batch) {
		if time.Now().After(deadline) {
			break
		}
		texts := wording.Each(some, func(f gnnrag.Fact) string { return say.Triple(r.graph, f.Triple) })
		vectors, err := r.words.Embed(ctx, embed.Document, texts)
		if err != nil {
			return nil, 0, fmt.Errorf("embed the triples: %w", err)
		}
		for _, v := range vectors {
			near[looked] = float64(vec.Dot(asked[0], v))
			looked++
		}
	}
	return near, looked, nil
}

// best answers with where those of the triples lead to that are most like the question.
func (r *retriever) best(t around.Triples, near []float64, looked, limit int) evidence.Found {
	var order []int
	for i, f := range t.Facts[:looked] {
		if len(t.Leads(f)) > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(near[b], near[a]) })
	f := evidence.Found{By: "KAPING (similar triples)"}
	if len(order) > kept {
		order, f.Completeness = order[:kept], evidence.CutByK
	}
	back := t.Back(near)
	for place, i := range order {
		for _, l := range t.Leads(t.Facts[i]) {
			e := t.Entities[l.To]
			f.Candidates = append(f.Candidates, t.Path(l, t.Facts[i], back, "similar triples"))
			if slices.ContainsFunc(f.Answers, func(a evidence.Answer) bool { return a.Entity == e }) {
				continue
			}
			far := max(0, 1-near[i])
			f.Answers = append(f.Answers, evidence.Answer{
				Entity: e, Score: evidence.Score{Value: far, Scale: evidence.Distance},
				Explanation: evidence.Explanation{Value: far, Message: fmt.Sprintf("1 minus the cosine of the question and “%s”, ranked %d of %d", say.Triple(r.graph, t.Facts[i].Triple), place+1, looked)},
			})
		}
	}
	slices.SortStableFunc(f.Answers, evidence.ByScore)
	if limit > 0 && len(f.Answers) > limit {
		f.Answers, f.Completeness = f.Answers[:limit], evidence.CutByK
	}
	f.Support(evidence.Candidate.End)
	return f
}
