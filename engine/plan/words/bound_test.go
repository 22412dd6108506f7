package words_test

import (
	"strings"
	"testing"

	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/testing/testkg"
)

func TestBounds(t *testing.T) {
	s, err := schema.Read(t.Context(), testkg.Build("Nile|length|6650", "Danube|length|2850"))
	if err != nil {
		t.Fatal(err)
	}
	v := words.New(s, lexicon.Builtin(), words.Own{}, nil)
	const none = pattern.Op(-1)
	for _, tt := range []struct {
		text   string // up to | is before a number, else behind one
		op     pattern.Op
		date   bool
		behind bool
	}{
		{"more than", pattern.Greater, false, false},
		{"no more than", pattern.AtMost, false, false},
		{"not less than", pattern.AtLeast, false, false},
		{"longer than", pattern.Greater, false, false},
		{"no longer than", pattern.AtMost, false, false},
		{"not longer than", pattern.AtMost, false, false},
		{"after", pattern.Greater, true, false},
		{"on or after", pattern.AtLeast, true, false},
		{"in or before", pattern.AtMost, true, false},
		{"before or in", pattern.AtMost, true, false},
		{"not before", pattern.AtLeast, true, false},
		{"not after", pattern.AtMost, true, false},
		{"no later than", pattern.AtMost, true, false},
		{"no earlier than", pattern.AtLeast, true, false},
		{"not exactly", none, false, false},
		{"longer", none, false, false},
		{"or more", pattern.AtLeast, false, true},
		{"or less", pattern.AtMost, false, true},
		{"or longer", pattern.AtLeast, false, true},
		{"or later", pattern.AtLeast, true, true},
		{"or earlier", pattern.AtMost, true, true},
		{"at the latest", pattern.AtMost, true, true},
		{"at the earliest", pattern.AtLeast, true, true},
		{"onwards", pattern.AtLeast, true, true},
		{"or longer than", none, false, true},
		{"or France", none, false, true},
	} {
		ws := v.NewText(tt.text, nil).Words
		read := v.BoundAt
		if tt.behind {
			read = v.BoundAfter
		}
		b, ok := read(ws, 0)
		switch {
		case !ok && tt.op != none, ok && tt.op == none:
			t.Errorf("%q: %v, %v", tt.text, b, ok)
		case ok && (b.Op != tt.op || b.Date != tt.date || b.To != len(strings.Fields(tt.text))):
			t.Errorf("%q: %+v", tt.text, b)
		}
	}
	for text, want := range map[string]bool{
		"born on or after 1950": true, "born in 1950 or later": true, "5 km or longer": true, "100 million people or more": true,
		"France or Spain": false, "older or younger": false, "in 1950 or France": false,
	} {
		ws := v.NewText(text, nil).Words
		for i := range ws {
			if ws[i].Lower == "or" && v.IsOfBound(ws, i) != want {
				t.Errorf("%q: the or is of a bound = %v", text, !want)
			}
		}
	}
}
