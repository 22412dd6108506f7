package questions

import "testing"

func TestRight(t *testing.T) {
	q := Question{Answers: []string{"Vienna", "Q2"}}
	for _, test := range []struct {
		answers [][]string
		want    bool
	}{
		{[][]string{{"vienna", "Q1"}, {"Budapest", "Q2"}}, true}, // by label or key
		{[][]string{{"Budapest", "Q2"}, {"Vienna", "Q1"}, {"Vienna", "Q9"}}, true},
		{[][]string{{"Vienna", "Q1"}}, false},
		{[][]string{{"Vienna", "Q1"}, {"Budapest", "Q2"}, {"Prague", "Q3"}}, false},
		{nil, false},
	} {
		if got := q.Right(test.answers); got != test.want {
			t.Errorf("Right(%q) = %v, want %v", test.answers, got, test.want)
		}
	}
}
