package engine

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"cairn/engine/answer"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/retrieve"
	"cairn/engine/say"
	"cairn/internal/wording"
)

// Auto is the ID of the automatic choice, which is the default. It asks the first method;
// where that is not sure, it asks all that read questions in another way and can be asked,
// but for baselines (ensembles of GNN-RAG §4.5). Whom it follows where they differ, and whether
// it is sure where they agree, goes by who was right before: see Trust.
const Auto = "auto"

// automatic describes the automatic choice: until it asks others, it is the first method.
func automatic(first retrieve.Info) retrieve.Info {
	i := first
	i.ID, i.Title, i.Who = Auto, "Automatic", "the automatic choice"
	i.Help = "asks " + first.ID + " and, if it is not sure, the retrievers trained on this graph; follows whichever was right more often before"
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
	s, err := e.awaitReady(ctx, nil)
	if err != nil {
		return nil, err
	}
	for i := range opinions {
		opinions[i].barred = s.bars(run, opinions[i].Run)
	}
	trust, err := e.Trust(ctx)
	if err != nil {
		return nil, err
	}
	run = run.weighed(opinions, trust)
	check := &run.Stages[len(run.Stages)-1]
	check.Duration += time.Since(start)
	check.Details = slices.Concat(check.Details, run.Chosen)
	ev.end(run, *check)
	return run, nil
}

// bars says in a sentence why the word of another run counts for nothing beside the first one's:
// the first reads every word, and the other ignores one that asks for a relation by that
// relation's own words; or both begin at what seems to be several things of one name, and none
// says which is meant.
func (s *state) bars(first, other *Run) string {
	p := first.Pattern()
	if p == nil || other == nil {
		return ""
	}
	words := first.Plan.Readings[first.Reading].Words
	isUnread := func(w plan.Word) bool { return w.Role == plan.Unread }
	if q := other.Pattern(); q != nil && !slices.ContainsFunc(words, isUnread) {
		marked := s.builtin.Mark(first.Question, first.Mentions, q)
		for _, w := range words {
			asks := func(o plan.Word) bool { return o.Start == w.Start && o.AsksFirmly() }
			if w.AsksFirmly() && !slices.ContainsFunc(marked, asks) {
				return fmt.Sprintf("It ignores %s, which asks for %s.", wording.Quote(first.Question[w.Start:w.End]), wording.Quote(say.Readable(w.For)))
			}
		}
	}
	if sameItems(first.said(), other.said()) {
		return answer.SeveralOfOneName(s.graph, p.Named())
	}
	return ""
}

// hearing is what the first method and others said to a question, with the records of the cases.
type hearing struct {
	first    *Run
	opinions []Opinion
	records  []record
}

// weighed returns the run to follow, of a run that is not sure and what others say to the
// same question. It goes by how often each was right in such a case, on this graph and on
// others. What has learned from made questions alone knows of words what the first method
// knows: until it was tried on questions of people, what it finds is said, and settles nothing.
func (r *Run) weighed(opinions []Opinion, trust Trust) *Run {
	h := &hearing{r, opinions, make([]record, len(opinions))}
	followed, at := r, -1
	var same []int
	for i := range opinions {
		op := &opinions[i]
		who := wording.Capital(op.Method.Who)
		if op.Err != nil {
			r.Chosen = append(r.Chosen, who+" could not be asked or took too long.")
			continue
		}
		if len(op.Run.Plan.Seeds) == 0 { // it begins nowhere, or reads operators as the first does
			continue
		}
		h.records[i] = trust.of(r, op)
		k := &h.records[i]
		isSure := op.Run.Calm() && op.Run.Plan.Doubt == plan.Sure
		switch items := op.Run.said(); {
		case len(items) == 0:
		case sameItems(items, r.said()):
			said := strings.TrimSpace(who + " agrees. " + op.barred)
			if k.settles() {
				same = append(same, i)
			} else if op.Run.Made && k.asked == 0 {
				said = who + " agrees, but has learned only from generated questions."
			}
			r.Chosen = append(r.Chosen, strings.TrimSpace(said+" "+k.because("their common answer", "")))
		case isSure, k.outdoes():
			if k.outdoes() && (at < 0 || k.trust() > h.records[at].trust()) {
				at = i
			}
			why := cmp.Or(op.barred, k.because(op.Method.Who, r.Method.Who))
			r.Chosen = append(r.Chosen, strings.TrimSpace(fmt.Sprintf("%s disagrees: %s. %s", who, firstFew(items), why)))
			r.Rival = cmp.Or(r.Rival, op.Method.ID)
		}
	}
	switch {
	case at >= 0 && len(same) == 0:
		followed = opinions[at].Run.instead(r, &h.records[at])
	case at < 0 && len(same) > 0:
		p := *r.Plan
		p.Doubt, p.Reason, p.Barred, p.Open = plan.Sure, "", false, false
		r.Plan = &p
		found := wording.Each(same, func(i int) string { return opinions[i].Method.Who })
		r.Chosen = []string{
			fmt.Sprintf("%s alone was not sure of its reading, but %s found the same.", wording.Capital(r.Method.Who), wording.List(found)),
			h.records[same[0]].because("their common answer", ""),
		}
	}
	followed.heard = h
	return followed
}

// instead says why a run is followed in place of another, which makes it doubtful.
func (r *Run) instead(of *Run, k *record) *Run {
	p, first := *r.Plan, wording.Capital(of.Method.Who)
	p.Doubt, p.Reason = plan.Unsure, fmt.Sprintf("%s could not read the question, so %s answers alone.", first, r.Method.Who)
	r.Rival, r.Chosen = of.Method.ID, nil
	if items := of.said(); len(items) > 0 {
		p.Reason = fmt.Sprintf("%s is not sure of its reading, and %s reads the question differently.", first, r.Method.Who)
		r.Chosen = append(r.Chosen, fmt.Sprintf("%s finds: %s.", first, firstFew(items)))
	}
	p.Reason = strings.TrimSpace(p.Reason + " " + k.because(r.Method.Who, of.Method.Who))
	if of.Plan.Reason != "" {
		r.Chosen = append(r.Chosen, fmt.Sprintf("%s says: %s", first, of.Plan.Reason))
	}
	r.Plan = &p
	return r
}

// said returns what a run answers: entities, values, or its verdict.
func (r *Run) said() (items []answer.Item) {
	switch {
	case r == nil || r.Answer == nil || r.Answer.Refusal != nil || r.Answer.Verdict == answer.NotFound:
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
