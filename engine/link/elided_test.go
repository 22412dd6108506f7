package link_test

import (
	"slices"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
)

// namedIn links a text and returns what each sure mention means, by its text.
func namedIn(t *testing.T, text string, names ...string) map[string]string {
	t.Helper()
	var b kg.Builder
	for _, n := range names {
		b.Add(n, "is", "known")
	}
	g := b.Graph()
	ms, err := link.NewLinker(g, nil, lexicon.Builtin()).Link(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, m := range ms {
		if m.Strength >= 0.8 {
			out[m.Text] = g.Label(m.Candidates[0].Entity)
		}
	}
	return out
}

// TestElided: a list may say what its names share once.
func TestElided(t *testing.T) {
	names := []string{"2000 Summer Olympics", "2004 Summer Olympics", "2012 Summer Olympics", "2012", "North Korea", "South Korea", "Norway", "Korea", "Korea East"}
	for _, test := range []struct {
		text string
		want map[string]string
	}{
		{
			"Which sport was in the 2000, 2004, and 2012 Summer Olympics?",
			map[string]string{"2000": "2000 Summer Olympics", "2004": "2004 Summer Olympics", "2012 Summer Olympics": "2012 Summer Olympics"},
		},
		{
			"Which sport was in both the 2012 and 2004 Summer Olympics?",
			map[string]string{"2012": "2012 Summer Olympics", "2004 Summer Olympics": "2004 Summer Olympics"},
		},
		{
			"Which sport is played in North and South Korea?",
			map[string]string{"North": "North Korea", "South Korea": "South Korea"},
		},
		{
			"Which sport is played in Norway and South Korea?",
			map[string]string{"Norway": "Norway", "South Korea": "South Korea"},
		},
		{
			"Which sport is played in Korea or Korea East?",
			map[string]string{"Korea": "Korea", "Korea East": "Korea East"},
		},
		{
			"Is North of South Korea a place?",
			map[string]string{"South Korea": "South Korea"},
		},
	} {
		got := namedIn(t, test.text, names...)
		for name, want := range test.want {
			if got[name] != want {
				t.Errorf("%s: %s is %q, want %q", test.text, name, got[name], want)
			}
		}
		if _, isThere := got["North"]; isThere && test.want["North"] == "" {
			t.Errorf("%s: North is %q", test.text, got["North"])
		}
	}
}

// TestRegionTag: the tag of a language's region is no part of a name.
func TestRegionTag(t *testing.T) {
	names := []string{"Sound Editor-GB", "Coca-Cola", "Rolls-RR"}
	got := namedIn(t, "Which film has a Sound Editor from Coca?", names...)
	want := map[string]string{"Sound Editor": "Sound Editor-GB"}
	for name, label := range want {
		if got[name] != label {
			t.Errorf("%s is %q, want %q", name, got[name], label)
		}
	}
	if slices.Contains([]string{"Coca-Cola"}, got["Coca"]) {
		t.Error("Coca is Coca-Cola")
	}
}
