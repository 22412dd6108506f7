package learn

import (
	"testing"

	"cairn/engine/retrieve"
)

func TestStalled(t *testing.T) {
	falling := []float64{3, 2, 1.5, 1.2, 1, 0.8, 0.65, 0.55}
	plateau := []float64{3, 2, 1.2, 1.1, 1.1, 1.1, 1.09, 1.1, 1.1}
	learned := []float64{3, 1, 0.3, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2}
	for _, c := range []struct {
		name   string
		losses []float64
		h1     float64
		epochs int
		want   bool
	}{
		{"too early", plateau[:4], 0.6, 12, false},
		{"before half of the epochs", plateau, 0.6, 40, false},
		{"plateau", plateau, 0.7, 12, true},
		{"plateau of questions that are answered", plateau, 0.97, 12, false},
		{"still falling", falling, 0.7, 12, false},
		{"learned", learned, 0.7, 12, false},
	} {
		p := progress{Losses: c.losses, Tried: retrieve.Metrics{H1: c.h1}}
		if got := p.stalled(c.epochs); got != c.want {
			t.Errorf("%s: stalled() = %v, want %v", c.name, got, c.want)
		}
	}
}

func TestSettled(t *testing.T) {
	for _, c := range []struct {
		name  string
		p     progress
		want  bool
		epoch int
	}{
		{"all answered, once", progress{Tried: retrieve.Metrics{H1: 1, Hit: 1, F1: 1}}, false, 20},
		{"all answered, not long ago", progress{Tried: retrieve.Metrics{H1: 1, Hit: 1, F1: 1}, Since: 2}, false, 20},
		{"all answered for a while", progress{Tried: retrieve.Metrics{H1: 1, Hit: 1, F1: 1}, Since: 3}, true, 20},
		{"better a while ago", progress{Tried: retrieve.Metrics{H1: 0.8, Hit: 0.9, F1: 0.8}, Since: 4}, false, 20},
		{"better long ago", progress{Tried: retrieve.Metrics{H1: 0.8, Hit: 0.9, F1: 0.8}, Since: 8}, true, 20},
	} {
		if got := c.p.settled(c.epoch); got != c.want {
			t.Errorf("%s: settled() = %v, want %v", c.name, got, c.want)
		}
	}
}
