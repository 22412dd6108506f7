package simgrag

import (
	"context"
	"time"
)

const (
	// checkEvery is how many partial matches are looked at between two looks at
	// the clock: some 50 µs of work.
	checkEvery = 1024
	// workEvery is how many edges are, likewise.
	workEvery = 1 << 15
)

// meter counts the work of one search and says when to stop.
type meter struct {
	ctx      context.Context //nolint:containedctx // lives for one call of Search, in its inner loop
	deadline time.Time       // zero: none
	budget   int             // negative: none

	considered, pruned int
	worked             int   // edges since the last look at the clock
	err                error // of ctx
	timedOut, spent    bool
	halted             bool // for any of these
}

// tick counts one partial match and reports whether the search may go on.
func (m *meter) tick() bool {
	m.considered++
	if m.considered == m.budget {
		m.spent, m.halted = true, true
		return false
	}
	return m.considered%checkEvery != 0 || m.look()
}

// work counts n edges that are walked over without a partial match being looked
// at, and reports whether the search may go on.
func (m *meter) work(n int) bool {
	if m.worked += n; m.worked < workEvery {
		return true
	}
	m.worked = 0
	return m.look()
}

// look looks at the clock.
func (m *meter) look() bool {
	if m.err = m.ctx.Err(); m.err != nil {
		m.halted = true
	} else if !m.deadline.IsZero() && time.Now().After(m.deadline) {
		m.timedOut, m.halted = true, true
	}
	return !m.halted
}
