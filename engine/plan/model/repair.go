package model

import (
	"context"
	"fmt"
	"slices"

	"cairn/assets/prompts"
	"cairn/engine/kg"
	"cairn/engine/llm"
	"cairn/internal/wording"
)

const (
	// maxShownReply is how much of a bad reply is shown to the model again, in
	// characters.
	maxShownReply = 2000
	// maxNear is how many names of the graph are offered for one that it does not
	// have.
	maxNear = 5
)

// complaint says what is wrong with a reply, or returns "".
func (p *Planner) complaint(got *linked, err error) string {
	switch {
	case err != nil:
		return err.Error()
	case len(got.unlinked) > 0:
		return fmt.Sprintf("the graph has nothing by the name %s", wording.Quotes(got.unlinked[:min(3, len(got.unlinked))]))
	case len(got.strange) > 0:
		return fmt.Sprintf("the graph has no relation like %s: use one of its relations, or UNKNOWN relation 1", wording.Quotes(got.strange[:min(3, len(got.strange))]))
	}
	return ""
}

// repair shows the model its reply with what is wrong with it, after all of the first
// prompt, which the server need not read again, and reads what it says then. There is
// one such round.
func (p *Planner) repair(ctx context.Context, q *question, first llm.Request, reply, complaint string, got *linked) (*linked, error) {
	near, err := p.near(ctx, q, got)
	if err != nil {
		return nil, err
	}
	req := first
	req.Purpose += ", repaired"
	d := repairData{Reply: llm.Quote(reply, maxShownReply), Complaint: llm.Quote(complaint, maxShownReply), Near: near}
	if req, err = p.repairPrompt(q, req, d); err != nil {
		return nil, err
	}
	again, err := p.model.Ask(ctx, req)
	if err != nil {
		return nil, err
	}
	return p.read(ctx, q, again.Text)
}

// repairData is what the repair prompt shows beside what the first one did.
type repairData struct {
	Reply, Complaint string
	Near             []string // names of the graph
}

// near returns names of the graph that may have been meant: those that the
// question was found to have, and those nearest to the names that were not found.
func (p *Planner) near(ctx context.Context, q *question, got *linked) ([]string, error) {
	var es []kg.EntityID
	for _, m := range q.without.Mentions[:min(maxNear, len(q.without.Mentions))] {
		if len(m.Candidates) > 0 {
			es = append(es, m.Candidates[0].Entity)
		}
	}
	if got != nil {
		for _, name := range got.unlinked[:min(maxNear, len(got.unlinked))] {
			ns, err := p.w.Names.Entities(ctx, name, maxNear)
			if err != nil {
				return nil, fmt.Errorf("look for names like %q: %w", name, err)
			}
			for _, n := range ns {
				es = append(es, n.ID)
			}
		}
	}
	var names []string
	for _, e := range es {
		if name := llm.Quote(p.w.Graph.Label(e), maxLabel); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, nil
}

func (p *Planner) repairPrompt(q *question, req llm.Request, d repairData) (llm.Request, error) {
	full := p.promptData(q)
	full.repairData = d
	return p.fitted(req, prompts.Pattern, full)
}
