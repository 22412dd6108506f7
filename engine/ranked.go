package engine

import (
	"context"
	"fmt"
	"slices"

	"cairn/engine/answer"
	"cairn/engine/evidence"
	"cairn/engine/gnnrag"
	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/qa"
)

// plannerGNN is the planner's name in the plans of ByGNN: the network reads the
// question itself.
const plannerGNN = "GNN-RAG"

// manyAnswers is how many answers are so many that the network may just be unsure.
const manyAnswers = 50

// How much probability all answers have together is how much of what the network
// takes the question to ask for is there. Below leastSure it has nothing to say,
// below quiteSure a reader is told.
const leastSure, quiteSure = 0.001, 0.3

// ranking is a question on its way to a retriever that scores entities:
//
//	link ─mentions─▶ locate ─seeds─▶ rank ─Ranking─▶ answer ─▶ check
type ranking struct {
	*asking

	engine *Engine
	seeds  qa.Example
	task   pattern.Task // of the question, as the built-in planner reads it
}

// askTrained answers a question by the trained retriever. It fails with ErrUntrained
// where there is none.
func (e *Engine) askTrained(ctx context.Context, a *asking) (*Run, error) {
	kept, err := e.kept.TrainedModels(ctx, kindGNN)
	switch {
	case err != nil:
		return nil, err
	case len(kept) == 0:
		return nil, ErrUntrained
	}
	a.run.Retriever = ByGNN
	r := &ranking{asking: a, engine: e}
	return e.through(ctx, a, a.link, r.locate, r.rank, r.say, a.check)
}

// locate is the plan stage: it settles which entities the retrieval starts from.
// There is no reading: the network reads the question by itself.
func (r *ranking) locate(ctx context.Context) error {
	return r.stage(StagePlan, func() (string, []string, error) {
		seeds, used := r.asking.seeds(r.run.Question, r.mentions)
		p := &plan.Plan{Question: r.run.Question, Planner: plannerGNN, Mentions: used}
		p.Unlinked = r.linker.Unlinked(r.run.Question, used)
		r.run.Plan, r.seeds = p, seeds
		// A name that the graph does not have is what is asked about, and not a common
		// word beside it that happens to be a name.
		if len(p.Unlinked) > 0 && !slices.ContainsFunc(used, func(m link.Mention) bool { return m.Strength >= likelyName }) {
			seeds.Topics, r.seeds.Topics = nil, nil
		}
		if len(seeds.Topics) == 0 {
			p.Doubt = plan.NoMention
			p.Reason = "Nothing in the question is a name that the graph has, so there is nothing to start from."
			return "nothing to start from", []string{p.Reason}, nil
		}
		if err := r.readTask(ctx); err != nil {
			return "", nil, err
		}
		if r.task == pattern.Verify {
			p.Doubt = plan.NotSupported
			p.Reason = "It is a claim, and a trained retriever only finds answers: have claims checked by the retriever that matches patterns."
			return "a claim, which is not looked for", []string{p.Reason}, nil
		}
		p.Region = &plan.Region{Seeds: seeds.Topics}
		var names []string
		for _, e := range seeds.Topics {
			names = append(names, r.graph.Label(e))
		}
		return "from " + first(names, 4), nil, nil
	})
}

// readTask finds out what is asked for: answers, their number, or whether a claim
// holds.
func (r *ranking) readTask(ctx context.Context) error {
	p, err := r.builtin.Plan(ctx, r.run.Question)
	if err != nil {
		return fmt.Errorf("find out what is asked for: %w", err)
	}
	if len(p.Readings) > 0 && p.Readings[0].Pattern != nil {
		r.task = p.Readings[0].Pattern.Task
	}
	return nil
}

// rank is the retrieve stage: the network scores entities, and paths lead to the
// best ones.
func (r *ranking) rank(ctx context.Context) error {
	return r.stage(StageRetrieve, func() (string, []string, error) {
		run := r.run
		if run.Plan.Region == nil {
			return "nothing to look for", nil, nil
		}
		by, err := r.engine.ranker(ctx, r.state)
		if err != nil {
			return "", nil, fmt.Errorf("make the trained retriever ready: %w", err)
		}
		found, err := by.Retrieve(ctx, r.seeds, gnnrag.RetrieveOptions{Answers: r.opts.MaxAnswers, MaxWallTime: r.opts.MaxWallTime})
		if err != nil {
			return "", nil, fmt.Errorf("score the entities: %w", err)
		}
		ranked := found.Ranking
		ranked.Notes = slices.Concat(by.notes, ranked.Notes)
		switch p := evidence.TotalProbability(ranked.Answers); {
		case len(ranked.Answers) == 0 || p >= quiteSure:
		case p < leastSure:
			ranked.Answers, ranked.Paths = nil, nil
			ranked.Notes = append(ranked.Notes, "What the network takes the question to ask for is not there.")
		default:
			ranked.Notes = append(ranked.Notes, fmt.Sprintf("What the network would rather look for is not there: all of its answers have a probability of %.2g together.", p))
		}
		for _, name := range run.Plan.Unlinked {
			ranked.Notes = append(ranked.Notes, fmt.Sprintf("Nothing in the graph is called “%s”: it was answered without that.", name))
		}
		if r.task == pattern.Count {
			ranked.Notes = append(ranked.Notes, "A number is asked for: a trained network lists what it finds likely and counts nothing, which the retriever that matches patterns does.")
		}
		if n := len(ranked.Answers); n > manyAnswers {
			ranked.Notes = append(ranked.Notes, fmt.Sprintf("It takes %s to hold most of the probability: where there are not that many right answers, the network does not know.", plural(n, "entity", "entities")))
		}
		run.Ranking, run.Completeness, run.Stats = &ranked, found.Completeness, found.Stats
		found.Region.Seeds = run.Plan.Region.Seeds
		run.Plan.Region = &found.Region
		details := append(trainedOn(by.about), fmt.Sprintf("%s and %s looked through: %s", plural(found.Region.Entities, "entity", "entities"), plural(found.Region.Triples, "triple", "triples"), found.Region.Method))
		brought, err := r.augment(ctx)
		if err != nil {
			return "", nil, err
		}
		run.Candidates = candidatesOf(run.Ranking)
		for i, step := range ranked.Steps {
			details = append(details, fmt.Sprintf("%d. %s", i+1, step))
		}
		details = append(append(details, brought...), run.Ranking.Notes...)
		summary := fmt.Sprintf("%s, %s, %s", plural(len(run.Ranking.Answers), "answer", "answers"), plural(len(run.Ranking.Paths), "path", "paths"), run.Completeness)
		if len(run.Ranking.Answers) > 0 {
			summary += fmt.Sprintf(", probability %.2f (1 is sure)", run.Ranking.Answers[0].Probability)
		}
		return summary, details, nil
	})
}

// trainedOn says what a trained retriever has learned from, and how good it was.
func trainedOn(a gnnrag.About) []string {
	if a.Data == "" {
		return nil
	}
	on := "questions that it learned from"
	if a.Held > 0 {
		on = plural(a.Held, "question", "questions") + " that it did not learn from"
	}
	lines := []string{fmt.Sprintf("trained on %s: the first answer was right for %.1f %% of %s", a.Data, 100*a.Dev.H1, on)}
	if a.Coverage.Entities > 0 {
		lines = append(lines, fmt.Sprintf("where it looked, there was a right answer for %.1f %% of them, and all of them for %.1f %%: what lies outside cannot be found", 100*a.Coverage.Any, 100*a.Coverage.All))
	}
	return lines
}

// candidatesOf are the paths of a ranking as matches, in their order.
func candidatesOf(r *evidence.Ranking) []evidence.Candidate {
	probability := make(map[kg.EntityID]float64, len(r.Answers))
	for _, s := range r.Answers {
		probability[s.Entity] = s.Probability
	}
	cs := make([]evidence.Candidate, len(r.Paths))
	for i, p := range r.Paths {
		cs[i] = p.Candidate(probability[p.Answer()])
	}
	return cs
}

// say is the answer stage. A model is given the reasoning paths (GNN-RAG §4.3).
func (r *ranking) say(ctx context.Context) error {
	return r.stage(StageAnswer, func() (string, []string, error) {
		run := r.run
		if run.Ranking == nil {
			run.Answer = answer.Refuse(r.graph, run.Plan, nil)
			return summarise(run.Answer), nil, nil
		}
		run.Answer = answer.Ranked(r.graph, run.Plan, *run.Ranking, run.Completeness)
		style := r.opts.Style
		if style == evidence.Tuples {
			style = evidence.Paths
		}
		return r.word(ctx, answer.PhraseOptions{Style: style, Starts: run.Plan.Region.Seeds})
	})
}
