package rdf

import "testing"

func TestNTriplesTerms(t *testing.T) {
	var p LineParser
	tests := []struct {
		line, object, datatype, language string
	}{
		{`<a:s> <a:p> <http://x/\u00E9\U0001F600> .`, "http://x/é😀", "", ""},
		{`<a:s><a:p>"x".`, "x", "", ""},
		{`  <a:s>	<a:p> "a\tb\n\"\\" . # end`, "a\tb\n\"\\", "", ""},
		{`<a:s> <a:p> "x"@en-GB .`, "x", "", "en-GB"},
		{`<a:s> <a:p> "x"@de-1996.`, "x", "", "de-1996"},
		{`<a:s> <a:p> "5"^^<http://www.w3.org/2001/XMLSchema#int> .`, "5", "http://www.w3.org/2001/XMLSchema#int", ""},
		{`<a:s> <a:p> "5"^^<http://www.w3.org/2001/XMLSchema#string> .`, "5", "", ""},
		{`_:a.b <a:p> _:c.`, "c", "", ""},
	}
	for _, tt := range tests {
		st, ok, err := p.Parse([]byte(tt.line))
		if !ok || err != nil || string(st.Object.Value) != tt.object || string(st.Object.Datatype) != tt.datatype || string(st.Object.Language) != tt.language {
			t.Errorf("parse(%s) = %q %q %q, %v, %v", tt.line, st.Object.Value, st.Object.Datatype, st.Object.Language, ok, err)
		}
	}
	for _, line := range []string{
		`<a:s> <a:p> "x"@1 .`, `<a:s> <a:p> "x"@en- .`, `<a:s> <a:p> "x"^^"y" .`, `<a:s> <a:p> .`, `<a:s> _:b <a:o> .`, `"x" <a:p> <a:o> .`,
		`<a:s> <a:p> <a:o>`, `<a:s> <a:p> <a:o> . x`, `<a:s> <a:p> "\uD800" .`, `<a:s> <a:p> "\U00110000" .`, `<a:s> <a:p> <a:b c> .`,
		`<a:s> <a:p> <a:\u0020> .`, `<s> <a:p> <a:o> .`, `<<( <a:s> <a:p> <a:o> )>> <a:p> <a:o> .`, `_: <a:p> <a:o> .`, `<a:s`, `<a:s> <a:p> "x`,
	} {
		if _, ok, err := p.Parse([]byte(line)); ok || err == nil {
			t.Errorf("parse(%s) succeeded", line)
		}
	}
}
