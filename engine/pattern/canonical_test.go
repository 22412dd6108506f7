package pattern

import "testing"

func TestCanonicalOfOperators(t *testing.T) {
	tests := []struct {
		a, b string
		same bool
	}{
		{"(?f) -by-> (Mann) | without (?f) -genre-> (?g)", "(?x) -by-> (Mann) | without (?x) -genre-> (?y)", true},
		{"(?f) -by-> (Mann) | without (?f) -genre-> (?g)", "(?f) -by-> (Mann) | only (?f) -genre-> (?g)", false},
		{"(?f) -by-> (Mann) | without (?f) -genre-> (?g)", "(?f) -by-> (Mann) -genre-> (?g) | find ?f", false},
		{"(?x:C) | either (?x) -b-> (A) | or (?x) -b-> (B)", "(?x:C) | either (?x) -b-> (B) | or (?x) -b-> (A)", true},
		{"(?x:C) | either (?x) -b-> (A) | or (?x) -b-> (B)", "(?x:C) | either (?x) -b-> (A) | either (?x) -b-> (B)", false},
		{"(?f) -y-> (?a); (?f) -z-> (?b) | find ?f | ?a > ?b", "(?f) -z-> (?b); (?f) -y-> (?a) | find ?f | ?a > ?b", true},
		{"(?f) -y-> (?a); (?f) -z-> (?b) | find ?f | ?a > ?b", "(?f) -y-> (?a); (?f) -z-> (?b) | find ?f | ?b > ?a", false},
		{"(?f) -d-> (?p) | count ?f per ?p | largest count", "(?g) -d-> (?q) | count ?g per ?q | largest count", true},
		{"(?f) -d-> (?p) | count ?f per ?p | largest count", "(?f) -d-> (?p) | count ?p per ?f | largest count", false},
		{"(?f) -d-> (?p) | count ?f per ?p | largest count", "(?f) -d-> (?p) | count ?f per ?p | largest count 1 after 1", false},
		{"(?x) -p+-> (E)", "(?x) -p-> (E)", false},
		{"path (A) to (B) | via (C)", "path (A) to (B) | avoiding (C)", false},
		{"path (A) to (B)", "path (B) to (A)", false},
	}
	for _, test := range tests {
		a, err := ParseText(test.a)
		if err != nil {
			t.Fatal(err)
		}
		b, err := ParseText(test.b)
		if err != nil {
			t.Fatal(err)
		}
		if got := Canonical(a) == Canonical(b); got != test.same {
			t.Errorf("%s and %s: same = %v, want %v\n%s\n%s", test.a, test.b, got, test.same, Canonical(a), Canonical(b))
		}
	}
}
