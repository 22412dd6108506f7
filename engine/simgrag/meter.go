package simgrag

import (
	"context"
	"time"
)

// checkEvery is how many partial matches are looked at between two looks at the
// clock: some 50 µs of work.
const checkEvery = 1024

// meter counts the work of one search and says when to stop.
type meter struct {
	ctx      context.Context //nolint:containedctx // lives for one call of Search, in its inner loop
	deadline time.Time       // zero: none
	budget   int             // negative: none

	considered, pruned int
	err                error // of ctx
	timedOut, spent    bool
}

// tick counts one partial match and reports whether the search may go on.
func (m *meter) tick() bool {
	m.considered++
	if m.considered%checkEvery != 0 {
		return m.considered != m.budget || m.stop()
	}
	if err := m.ctx.Err(); err != nil {
		m.err = err
		return false
	}
	if !m.deadline.IsZero() && time.Now().After(m.deadline) {
		m.timedOut = true
		return false
	}
	return m.considered != m.budget || m.stop()
}

// stop notes that the budget is spent; it returns false for tick's sake.
func (m *meter) stop() bool {
	m.spent = true
	return false
}
