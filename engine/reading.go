package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/match"
	"cairn/engine/plan"
	"cairn/engine/retrieve"
	"cairn/internal/wording"
)

const (
	// sureReading is the probability from which on a reading is not in doubt.
	sureReading = 0.5
	// rivalReading is how much of its probability makes another reading its rival, and
	// maxRivals how many are looked at.
	rivalReading, maxRivals = 0.5, 4
	// rivalBudget bounds the look at where a reading leads.
	rivalBudget = 1 << 20
)

// read has a method that reads questions by itself list its readings, and settles which
// one is followed.
func (a *asking) read(ctx context.Context) error {
	p := a.run.Plan
	if !a.method.Info().Reads || len(p.Seeds) == 0 {
		return nil
	}
	if err := a.open(ctx); err != nil {
		return err
	}
	reader, ok := a.by.Retriever.(retrieve.Reader)
	if !ok {
		return fmt.Errorf("%s does not read questions", a.method.Info().Who)
	}
	err := a.retryOnFallback(func() (err error) {
		p.Readings, err = reader.Read(ctx, a.query())
		return err
	})
	if err != nil {
		return fmt.Errorf("read the question: %w", err)
	}
	a.choose()
	return a.doubtReading(ctx)
}

// doubtReading says of the reading that is followed, which has a probability, that it is
// unlikely, or that another one which leads elsewhere is about as likely.
func (a *asking) doubtReading(ctx context.Context) error {
	p := a.run.Plan
	if a.run.Reading < 0 {
		return nil
	}
	first := p.Readings[a.run.Reading]
	if first.Score < sureReading {
		p.Doubt = plan.Unsure
		p.Reason = fmt.Sprintf("Cairn is not sure it read the question correctly (probability %s).", evidence.ProbabilityText(first.Score))
	}
	join := match.Anchored{Graph: a.graph, Budget: rivalBudget}
	var leads []kg.EntityID
	looked := 0
	for i, r := range p.Readings {
		if i == a.run.Reading || r.Score < rivalReading*first.Score || looked == maxRivals {
			continue
		}
		if looked++; looked == 1 {
			leads = join.Leads(ctx, first.Pattern)
		}
		if to := join.Leads(ctx, r.Pattern); len(to) == 0 || slices.Equal(to, leads) {
			continue
		}
		p.Doubt = plan.Ambiguous
		p.Reason = strings.TrimSpace(fmt.Sprintf("%s It could also mean “%s” (probability %s).", p.Reason, wording.OneLine(r.Text), evidence.ProbabilityText(r.Score)))
		break
	}
	return ctx.Err()
}
