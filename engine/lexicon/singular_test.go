package lexicon

import "testing"

func TestSingular(t *testing.T) {
	for plural, want := range map[string]string{
		"films": "film", "cities": "city", "people": "person", "boxes": "box", "classes": "class", "children": "child",
		"virus": "virus", "viruses": "virus", "school buses": "school bus", "houses": "house", "series": "series", "films of 1999": "film of 1999", "legal cases": "legal case", "species": "species", "media": "medium", "mediums": "medium", "genera": "genus", "fungi": "fungus", "lighthouse": "lighthouse", "": "",
	} {
		if got := Singular(plural); got != want {
			t.Errorf("%q: %q, want %q", plural, got, want)
		}
	}
}
