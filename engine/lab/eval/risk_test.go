package eval

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRisk(t *testing.T) {
	var qs []Question
	var records []Record
	add := func(n int, confidence float64, answer string) {
		for range n {
			qs = append(qs, Question{Gold: []string{"a"}})
			records = append(records, Record{Confidence: confidence, Answers: []string{answer}})
		}
	}
	add(38, 0.9, "a")
	add(1, 0.8, "b") // 38 of 39 right
	add(1, 0.8, "a") // as sure as the one before: 39 of 40
	add(10, 0.5, "b")
	qs, records = append(qs, Question{Gold: []string{"a"}}), append(records, Record{Confidence: 0.99}) // no answer
	n := float64(len(qs))
	want := []RiskPoint{{0.95, 40 / n}, {0.97, 40 / n}, {0.99, 38 / n}}
	if diff := cmp.Diff(want, risk(qs, records)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := risk(qs, make([]Record, len(qs))); got != nil {
		t.Errorf("without a confidence: %v", got)
	}
}
