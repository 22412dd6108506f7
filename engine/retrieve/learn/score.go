package learn

import (
	"context"
	"sync"

	"cairn/engine/kg"
	"cairn/engine/retrieve"
	"cairn/internal/guard"
)

// Score compares the answers to one question, best first, with the right ones, which
// are ascending.
func Score(found, right []kg.EntityID) (m retrieve.Metrics) {
	both := 0
	for i, e := range found {
		if kg.Holds(right, e) {
			both++
			if i == 0 {
				m.H1 = 1
			}
		}
	}
	if both > 0 {
		m.Hit = 1
		p, r := float64(both)/float64(len(found)), float64(both)/float64(len(right))
		m.F1 = 2 * p * r / (p + r)
	}
	return m
}

// Mean is that of the scores of questions.
func Mean(ms []retrieve.Metrics) retrieve.Metrics {
	var sum retrieve.Metrics
	for _, s := range ms {
		sum.H1 += s.H1
		sum.Hit += s.Hit
		sum.F1 += s.F1
	}
	n := float64(max(len(ms), 1))
	return retrieve.Metrics{H1: sum.H1 / n, Hit: sum.Hit / n, F1: sum.F1 / n}
}

// better reports whether weights with metrics m are better than others.
func better(m, than retrieve.Metrics) bool { return m.H1+m.F1 > than.H1+than.F1 }

// Each calls do for 0 … n−1 on all cores, and tells now and then how many are
// done.
func Each(ctx context.Context, n int, do func(i int), told func(done int)) error {
	var mu sync.Mutex
	taken := 0
	return guard.Each(ctx, n, func(i int) {
		mu.Lock()
		if taken++; told != nil && taken%256 == 0 {
			told(taken)
		}
		mu.Unlock()
		do(i)
	})
}
