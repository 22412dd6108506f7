package answer

import (
	"testing"

	"cairn/engine/check"
	"cairn/engine/evidence"
	"cairn/engine/kg"
)

func TestAmountsAreComparedByWhatTheySay(t *testing.T) {
	var b kg.Builder
	var pack evidence.Pack
	for _, x := range [][3]string{
		{"Ada", "birth date", "1945-03-12"},
		{"Zambia", "population", "46200000"},
		{"Everest", "height (m)", "8848.86"},
		{"Pole", "temperature (°C)", "-42"},
		{"Rhine", "length", "1,230 km"},
		{"Bob", "birth date", "12 March 1946"},
		{"Cy", "birth year", "1945"},
		{"Fund", "share", "45%"},
	} {
		pack.Triples = append(pack.Triples, b.Add(x[0], x[1], x[2]))
	}
	g := b.Graph()
	tests := []struct {
		text string
		cite int
		want bool
	}{
		{"The birth date of Ada is 1945-03-12.", 1, true},
		{"The birth date of Ada is 12 March 1945.", 1, true},
		{"The birth date of Ada is 12th March 1945.", 1, true},
		{"The birth date of Ada is the 12th of March 1945.", 1, true},
		{"The birth date of Ada is March 12, 1945.", 1, true},
		{"The birth date of Ada is Mar 12 1945.", 1, true},
		{"The birth date of Ada is March 1945.", 1, true},
		{"Ada was born in 1945.", 1, true},
		{"Ada was born on 12 March 1945.", 1, true},
		{"The birth date of Ada is 13 March 1945.", 1, false},
		{"The birth date of Ada is 12 March 1946.", 1, false},
		{"The birth date of Ada is 12 May 1945.", 1, false},
		{"The birth date of Ada is December 3, 1945.", 1, false},
		{"The birth date of Ada is April 1945.", 1, false},
		{"The birth date of Ada is 1945-12-03.", 1, false},
		{"Ada was born in 1944.", 1, false},
		{"Ada was born in the 1945s.", 1, false},
		{"The birth date of Bob is 1946-03-12.", 6, true},
		{"The birth date of Bob is 1946-03-13.", 6, false},
		{"The birth year of Cy is 12 March 1945.", 7, false},
		{"The population of Zambia is 46,200,000.", 2, true},
		{"The population of Zambia is 46.2 million.", 2, true},
		{"The population of Zambia is 46 million.", 2, false},
		{"The population of Zambia is 46.2 billion.", 2, false},
		{"The population of Zambia is 46.2.", 2, false},
		{"The population of Zambia is about 46.2 million.", 2, true},
		{"The population of Zambia is over 46.2 million.", 2, false},
		{"The height of Everest is 8,848.86 m.", 3, true},
		{"The height of Everest is 8848.86 metres.", 3, true},
		{"The height of Everest is 8848.86 feet.", 3, false},
		{"The height of Everest is 8848.", 3, false},
		{"The height of Everest is 8848.87 m.", 3, false},
		{"The temperature of Pole is -42 °C.", 4, true},
		{"The temperature of Pole is −42.", 4, true},
		{"The temperature of Pole is 42.", 4, false},
		{"The length of Rhine is 1230 km.", 5, true},
		{"The length of Rhine is 1230 kilometres.", 5, true},
		{"The length of Rhine is 1230 miles.", 5, false},
		{"The length of Rhine is 1 km.", 5, false},
		{"The share of Fund is 45 percent.", 8, true},
		{"The share of Fund is 45 km.", 8, false},
		{"The share of Fund is the 45th.", 8, false},
	}
	for _, test := range tests {
		a := &Answer{Pack: pack, Sentences: []Sentence{{Text: test.text, Citations: []int{test.cite}}}}
		CheckSentences(g, a, newMapped(g))
		if s := a.Sentences[0]; (s.Check == check.Covered) != test.want {
			t.Errorf("%q: %v (%s), want supported %v", test.text, s.Check, s.Reason, test.want)
		}
	}
}
