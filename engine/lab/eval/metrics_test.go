package eval

import (
	"math"
	"testing"
)

func TestScores(t *testing.T) {
	tests := []struct {
		name                                      string
		gold, answers                             []string
		hits1, hit, amr, precision, f1, exact, no float64
	}{
		{name: "exact", gold: []string{"a", "b"}, answers: []string{"b", "a"}, hits1: 1, hit: 1, amr: 1, precision: 1, f1: 1, exact: 1},
		{name: "first is wrong", gold: []string{"a"}, answers: []string{"x", "a"}, hit: 1, amr: 1, precision: 0.5, f1: 2.0 / 3},
		{name: "half of gold", gold: []string{"a", "b"}, answers: []string{"a"}, hits1: 1, hit: 1, amr: 0.5, precision: 1, f1: 2.0 / 3},
		{name: "disjoint", gold: []string{"a"}, answers: []string{"x"}},
		{name: "case matters", gold: []string{"Kiefer"}, answers: []string{"kiefer"}},
		{name: "abstained", gold: []string{"a"}, no: 1},
		{name: "repeats count once", gold: []string{"a", "a"}, answers: []string{"a", "a"}, hits1: 1, hit: 1, amr: 1, precision: 1, f1: 1, exact: 1},
		{name: "nothing is gold and something is said", answers: []string{"a"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var s Scores
			s.Score(tt.gold, tt.answers, true)
			got := []float64{s.Hits1, s.Hit, s.AMR, s.Precision, s.F1, s.Exact, float64(s.Abstained)}
			want := []float64{tt.hits1, tt.hit, tt.amr, tt.precision, tt.f1, tt.exact, tt.no}
			for i := range got {
				if math.Abs(got[i]-want[i]) > 1e-9 {
					t.Fatalf("Score(%q, %q) = %v, want %v", tt.gold, tt.answers, got, want)
				}
			}
		})
	}
}

func TestSample(t *testing.T) {
	qs := make([]Question, 50)
	for i := range qs {
		qs[i].ID = string(rune('A' + i))
	}
	a, b := sample(qs, 10, 7), sample(qs, 10, 7)
	if len(a) != 10 {
		t.Fatalf("sample of 10 has %d", len(a))
	}
	for i := range a {
		if a[i].ID != b[i].ID {
			t.Fatal("the same seed gave two samples")
		}
		if i > 0 && a[i-1].ID >= a[i].ID {
			t.Fatal("the sample is out of order or repeats")
		}
	}
	if got := len(sample(qs, 0, 7)); got != 50 {
		t.Errorf("sample of 0 has %d, want all 50", got)
	}
}
