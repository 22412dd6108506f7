package simgrag

import (
	"context"
	"errors"
	"slices"

	"cairn/engine/match"
	"cairn/engine/pattern"
)

// exact is the query of a pattern of which nothing is left to likeness: its matches are
// all equally near, and the join engine finds them.
func (q *query) exact() (x *match.Query, ok bool) {
	if slices.ContainsFunc(q.p.Nodes, func(n pattern.Node) bool { return n.Type != "" && n.Within == nil }) {
		return nil, false // it was looked up what kind that is
	}
	p := *q.p
	p.Order = nil // what has no value to order by is told of
	x, err := match.Compile(q.g, &p)
	if err != nil {
		return nil, false
	}
	x.Unfilled = true
	return x, true
}

// join has the join engine find all matches.
func (q *query) join(x *match.Query, m *meter, c *collector) error {
	ctx := m.ctx
	if !m.deadline.IsZero() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, m.deadline)
		defer cancel()
	}
	stats, err := match.Anchored{Graph: q.g, Budget: max(m.budget, 0)}.Each(ctx, x, func(b match.Binding) bool {
		c.offer(b.Nodes, 0)
		return true
	})
	m.considered = stats.Considered
	m.spent = errors.Is(err, match.ErrBudget)
	m.timedOut = errors.Is(err, context.DeadlineExceeded) && m.ctx.Err() == nil
	if m.spent || m.timedOut {
		return nil
	}
	return err
}
