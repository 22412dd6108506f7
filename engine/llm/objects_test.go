package llm

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestObjects(t *testing.T) {
	for _, tt := range []struct {
		reply string
		want  []string
	}{
		{"", nil},
		{"none", nil},
		{"[1, 2]", nil},
		{`{"a": 1}`, []string{`{"a": 1}`}},
		{"Here it is:\n```json\n{\"a\": {\"b\": 1}}\n```\nDone }", []string{`{"a": {"b": 1}}`, `{"b": 1}`}},
		{`a set {x} and {"a": "}"} and {"b": 2}`, []string{`{"a": "}"}`, `{"b": 2}`}},
		{`{"cut": [{"whole": 1}, {"not`, []string{`{"whole": 1}`}},
	} {
		var got []string
		for o := range Objects(tt.reply) {
			got = append(got, string(o))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("Objects(%q) (-want +got):\n%s", tt.reply, diff)
		}
	}
	n := 0
	for range Objects(strings.Repeat("{}", 10*maxObjects)) {
		n++
	}
	if n != maxObjects {
		t.Errorf("of a reply without end, %d objects are tried; want %d", n, maxObjects)
	}
}
