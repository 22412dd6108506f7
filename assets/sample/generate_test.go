package sample

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/internal/testing/golden"
)

// The files that are built in are what the tables say.
func TestSampleIsUpToDate(t *testing.T) {
	world, labels, err := generate("source")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]byte{"world.tsv": world, "labels.tsv": labels} {
		golden.Compare(t, name, string(want))
	}
}

func TestTableForms(t *testing.T) {
	dir := t.TempDir()
	for _, name := range tables {
		write(t, dir, name, "* | is a #\n")
	}
	write(t, dir, "countries", "# a comment\ncountry | people # | capital > city ^ located in | near > *\nAland | 1.5M | Ac; Bc | Bland\nBland | 7k | Cc\n")
	write(t, dir, "organisations", "club | ~ member of > country\nClub | Aland; Bland\n")
	write(t, dir, "labels", "key | label\nBland | Aland\n")
	world, labels, err := generate(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := `head	relation	tail
Aland	is a	country
Aland	people	1500000
Ac	is a	city
Aland	capital	Ac
Ac	located in	Aland
Bc	is a	city
Aland	capital	Bc
Bc	located in	Aland
Aland	near	Bland
Bland	is a	country
Bland	people	7000
Cc	is a	city
Bland	capital	Cc
Cc	located in	Bland
Club	is a	club
Aland	member of	Club
Bland	member of	Club
`
	if got := string(world); got != want {
		t.Errorf("world = %s\nwant %s", got, want)
	}
	if got, want := string(labels), "id\tlabel\nBland\tAland\n"; got != want {
		t.Errorf("labels = %q, want %q", got, want)
	}
}

func TestMistakesAreNamed(t *testing.T) {
	for name, c := range map[string]struct{ countries, labels, want string }{
		"no type":         {"country | near > *\nA | B\n", "key | label\n", `countries.txt:2: no table says what "B" is`},
		"given twice":     {"country | near > *\nA | A; A\n", "key | label\n", `countries.txt:2: near: "A" is given twice`},
		"too many cells":  {"country | near > *\nA | A | A\n", "key | label\n", "countries.txt:2: 3 cells, the header has 2"},
		"label of no one": {"country\nA\n", "key | label\nX | Y\n", `labels.txt:2: "X" has a label but is in no triple`},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for _, name := range tables {
				write(t, dir, name, "* | is a #\n")
			}
			write(t, dir, "countries", c.countries)
			write(t, dir, "labels", c.labels)
			_, _, err := generate(dir)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("generate = %v, want an error with %q", err, c.want)
			}
		})
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name+".txt"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
