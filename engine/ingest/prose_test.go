package ingest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestProse(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       bool
	}{
		{"notes.txt", "Marie Curie was born in Warsaw in 1867. She discovered polonium, radium and more.\n\nIn 1903 she was awarded the Nobel Prize.\n", true},
		{"notes.text", "Notes\n\nThe Danube flows through Vienna.\n", true},
		{"notes.txt", "In Vienna, Graz and Linz, there are universities, theatres and parks.\n", true},
		{"notes.md", "- Vienna\n", true},
		{"notes.csv", "Marie Curie was born in Warsaw in 1867.\n", false},
		{"graph.txt", "Vienna|capital_of|Austria\nGraz|located_in|Austria\n", false},
		{"graph.txt", "Vienna\tcapital of\tAustria\n", false},
		{"graph.txt", "head,relation,tail\nVienna,capital of,Austria\n", false},
		{"graph.txt", "<http://a/Vienna> <http://a/capital_of> <http://a/Austria> .\n", false},
		{"graph.txt", "Vienna, capital of, Austria\nDr. No, directed by, Terence Young\n", false},
		{"graph.txt", "Vienna, is, a city on the Danube.\nGraz, is, a city on the Mur.\nLinz, is, a town of steel.\n", false},
		{"graph.txt", "", false},
	} {
		if got := Prose(test.name, []byte(test.text)); got != test.want {
			t.Errorf("Prose(%s, %q) = %v, want %v", test.name, test.text, got, test.want)
		}
		if test.text == "" {
			continue
		}
		// Sniff goes by the same rule, and says what to do instead.
		path := filepath.Join(t.TempDir(), test.name)
		if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Sniff(t.Context(), []string{path}, Options{})
		if got := errors.Is(err, ErrFormat) && strings.Contains(err.Error(), "cairn extract"); got != test.want {
			t.Errorf("Sniff(%q): %v; want advice to have a model read it: %v", test.text, err, test.want)
		}
	}
}
