package eval

import "testing"

// TestWhatCountsAsTrue checks how verdicts on claims are counted.
func TestWhatCountsAsTrue(t *testing.T) {
	for _, c := range []struct {
		what   string
		record Record
		want   bool
	}{
		{"supported", Record{Verdict: "supported"}, true},
		{"likely", Record{Verdict: "likely"}, true},
		{"refuted", Record{Verdict: "refuted", DeniesNothing: true}, false},
		{"not found", Record{Verdict: "not_found", Sure: true}, false},
		{"what it denies is not found", Record{Verdict: "not_found", DeniesNothing: true}, true},
		{"a question that is answered for sure", Record{Answers: []string{"Oslo"}, Sure: true}, true},
		{"a question that is answered with a doubt", Record{Answers: []string{"Oslo"}}, false},
		{"a question without an answer", Record{Sure: true}, false},
	} {
		if got := c.record.holds(); got != c.want {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
}
