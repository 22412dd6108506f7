package eval

import "testing"

func TestContained(t *testing.T) {
	n := neighbours{}
	for _, x := range [][2]string{{"France", "m.1"}, {"m.1", "Germany"}, {"Germany", "Weeze"}, {"Weeze", "Nijmegen"}, {"Spain", "m.2"}, {"m.2", "France"}} {
		for _, y := range [][2]string{x, {x[1], x[0]}} {
			if n[y[0]] == nil {
				n[y[0]] = map[string]bool{}
			}
			n[y[0]][y[1]] = true
		}
	}
	query := "WHERE {\nFILTER (?x != ns:m.f)\nns:m.f ns:location.location.adjoin_s ?y .\n?y ns:location.adjoins ?x .\n" +
		"?x ns:common.topic.notable_types ns:m.01mp .\n?x ns:location.location.contains ?c .\n?c ns:aviation.airport.serves ns:m.n . \n}"
	names := map[string]string{"m.f": "France", "m.n": "Nijmegen"}
	for _, tt := range []struct {
		answers []string
		want    bool
	}{
		{[]string{"Germany"}, true},
		{[]string{"Spain"}, false},             // no airport
		{[]string{"Germany", "Narnia"}, false}, // not in the graph
		{nil, false},
	} {
		if got := n.has(query, names, tt.answers); got != tt.want {
			t.Errorf("has(%v) = %v", tt.answers, got)
		}
	}
}
