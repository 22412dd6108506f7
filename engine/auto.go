package engine

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"cairn/engine/answer"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/retrieve"
	"cairn/internal/wording"
)

// Auto is the ID of the automatic choice, which is the default. It asks the first method;
// where that is not sure, it asks all that read questions in another way and can be asked,
// but for baselines, and lets what they agree on settle which reading was meant (ensembles of GNN-RAG §4.5).
const Auto = "auto"

// automatic describes the automatic choice: until it asks others, it is the first method.
func automatic(first retrieve.Info) retrieve.Info {
	i := first
	i.ID, i.Title, i.Who = Auto, "Automatic", "the automatic choice"
	i.Help = first.ID + " is asked, and where it is not sure also what is trained on this graph: what both find is sure"
	return i
}

// auto asks the first method, and others where it is not sure.
func (e *Engine) auto(ctx context.Context, question string, o AskOptions, ev *Events) (*Run, error) {
	m, err := e.method("")
	if err != nil {
		return nil, err
	}
	save := o.Save
	o.Save = false
	run, err := e.askBy(ctx, question, m, o, ev)
	if err != nil {
		return nil, err
	}
	if run.isUnsettled() && o.Reading == 0 && !o.Chosen {
		if run, err = e.askOthers(ctx, run, o, ev); err != nil {
			return nil, err
		}
	}
	return run, e.keepRun(ctx, run, save)
}

// isUnsettled reports whether a question for entities was not answered for sure.
func (r *Run) isUnsettled() bool {
	p := r.Pattern()
	return r.Plan.Doubt != plan.Sure && !r.Plan.Claim && r.Task == pattern.Find && (p == nil || p.IsPlain())
}

// Calm reports whether a run ended without a caution.
func (r *Run) Calm() bool { return len(r.Notes) == 0 && !r.Partial() }

// askOthers has a question read by the methods that read it in another way, and returns
// the run to follow: run itself, settled or with what speaks against it, or another's.
func (e *Engine) askOthers(ctx context.Context, run *Run, o AskOptions, ev *Events) (*Run, error) {
	var others []retrieve.Method
	for _, m := range e.opts.Methods {
		if i := m.Info(); i.Seeded && !i.Baseline && e.trainedFor(ctx, m) == nil {
			others = append(others, m)
		}
	}
	if len(others) == 0 {
		return run, ctx.Err()
	}
	ev.begin(StageCheck)
	start := time.Now()
	o.NoModel, o.Mentions = true, run.Mentions
	opinions := e.opinions(ctx, run.Question, others, o, 1)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	run = run.weighed(opinions)
	check := &run.Stages[len(run.Stages)-1]
	check.Duration += time.Since(start)
	check.Details = slices.Concat(check.Details, run.Chosen)
	ev.end(run, *check)
	return run, nil
}

// weighed returns the run to follow, of a run that is not sure and what others say to the
// same question. Where one that has learned from questions with answers is sure of the same,
// 96 to 100 of 100 are right on MetaQA, PathQuestion and WorldCup; where it is sure of
// others, it is right as often as the first, and far more often where the graph's relations
// have names that nobody would guess (docs/benchmarks.md).
//
// What has learned from made questions alone knows of words what the first method knows:
// what it finds is said, and settles nothing.
func (r *Run) weighed(opinions []Opinion) *Run {
	var same, other []*Opinion // all of them sure
	for i := range opinions {
		op := &opinions[i]
		who := wording.Capital(op.Method.Who)
		if op.Err != nil {
			r.Chosen = append(r.Chosen, who+" could not be asked, or took too long.")
			continue
		}
		if len(op.Run.Plan.Seeds) == 0 { // it begins nowhere, or reads operators as the first does
			continue
		}
		sure := op.Run.Calm() && op.Run.Plan.Doubt == plan.Sure
		switch items := op.Run.said(); {
		case len(items) == 0:
		case sameItems(items, r.said()) && op.Run.Made:
			r.Chosen = append(r.Chosen, who+" finds the same, but has learned from made questions alone.")
		case sameItems(items, r.said()):
			if sure {
				same = append(same, op)
			}
			r.Chosen = append(r.Chosen, who+" finds the same.")
		case sure:
			if len(r.said()) == 0 || !op.Run.Made {
				other = append(other, op)
			}
			r.Chosen = append(r.Chosen, fmt.Sprintf("%s finds otherwise: %s.", who, firstFew(items)))
			r.Rival = cmp.Or(r.Rival, op.Method.ID)
		}
	}
	switch {
	case len(other) > 0 && len(same) == 0:
		return other[0].Run.instead(r)
	case len(other) == 0 && len(same) > 0 && r.Plan.Open:
		p := *r.Plan
		p.Doubt, p.Reason, p.Barred, p.Open = plan.Sure, "", false, false
		found := wording.Each(same, func(op *Opinion) string { return op.Method.Who })
		r.Plan, r.Chosen = &p, []string{fmt.Sprintf("%s alone was not sure of the reading. Asked as well, %s found the same.", wording.Capital(r.Method.Who), wording.List(found))}
	}
	return r
}

// instead says why a run is followed in place of another, which makes it doubtful.
func (r *Run) instead(of *Run) *Run {
	p, first := *r.Plan, wording.Capital(of.Method.Who)
	p.Doubt, p.Reason = plan.Unsure, fmt.Sprintf("%s could not read the question, so %s answers alone.", first, r.Method.Who)
	r.Rival, r.Chosen = of.Method.ID, nil
	if items := of.said(); len(items) > 0 {
		p.Reason = fmt.Sprintf("%s is not sure of its reading; %s has learned from questions with answers and reads it otherwise.", first, r.Method.Who)
		r.Chosen = append(r.Chosen, fmt.Sprintf("%s finds: %s.", first, firstFew(items)))
	}
	if of.Plan.Reason != "" {
		r.Chosen = append(r.Chosen, fmt.Sprintf("%s says: %s", first, of.Plan.Reason))
	}
	r.Plan = &p
	return r
}

// said returns what a run answers: entities, values, or its verdict.
func (r *Run) said() (items []answer.Item) {
	switch {
	case r == nil || r.Answer == nil || r.Answer.Refusal != nil:
		return nil
	case r.Answer.Verdict == answer.NotFound:
		return nil
	case r.Answer.Verdict != answer.NoVerdict:
		return []answer.Item{{Entity: kg.NoEntity, Label: r.Answer.Verdict.Words()}}
	}
	return r.Answer.Items
}

// saidKey tells apart what runs say.
type saidKey struct {
	entity kg.EntityID
	label  string // of what is no entity
}

func keyOf(it answer.Item) saidKey {
	if it.Entity == kg.NoEntity {
		return saidKey{it.Entity, it.Label}
	}
	return saidKey{entity: it.Entity}
}

// sameItems reports whether the same was said, in whatever order.
func sameItems(a, b []answer.Item) bool { return maps.Equal(saidSet(a), saidSet(b)) }

// saidSet is the set of what was said.
func saidSet(items []answer.Item) map[saidKey]bool {
	set := make(map[saidKey]bool, len(items))
	for _, it := range items {
		set[keyOf(it)] = true
	}
	return set
}

// firstFew names the first of what was said.
func firstFew(items []answer.Item) string {
	return wording.Few(wording.Each(items, func(it answer.Item) string { return wording.OneLine(it.Label) }), 3)
}
