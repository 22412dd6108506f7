package cli

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"cairn/app/cli/command"
	"cairn/internal/testing/shared"
	"cairn/internal/testing/transcript"
)

// flipped is a graph of which single bits are turned over.
type flipped struct {
	path     string
	good     []byte // its file
	cache    map[string][]byte
	commands [][]string
	want     []string // what they print of the sound graph
}

// newFlipped makes a graph with something in every part of its file.
func newFlipped(t *testing.T) *flipped {
	t.Helper()
	dir := home(t)
	tsv, labels := filepath.Join(dir, "flips.tsv"), filepath.Join(dir, "names.tsv")
	small, err := os.ReadFile("testdata/small.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var rows, names strings.Builder
	rows.Write(small)
	for i := range 400 {
		fmt.Fprintf(&rows, "Film %d\tdirected_by\tDirector %d\nFilm %d\trelease_year\t%d\nFilm %d\tis a\tfilm\n", i, i%37, i, 1950+i%70, i)
		fmt.Fprintf(&names, "Director %d\tMaster %d\n", i%37, i)
	}
	for path, text := range map[string]string{tsv: rows.String(), labels: names.String()} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f := &flipped{path: filepath.Join(dir, "flips.cairn"), cache: map[string][]byte{}}
	for _, args := range [][]string{{"import", tsv, "--labels", labels, "--into", f.path}, {"ask", f.path, "Who directed Film 3?"}} {
		if code, out, errs := start(t.Context(), args...); code != command.ExitDone {
			t.Fatalf("%q: exit code %d\n%s%s", args, code, out, errs)
		}
	}
	if f.good, err = os.ReadFile(f.path); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(f.path + ".d")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range files {
		if f.cache[x.Name()], err = os.ReadFile(filepath.Join(f.path+".d", x.Name())); err != nil {
			t.Fatal(err)
		}
	}
	f.commands = [][]string{
		{"ask", f.path, "Who directed Film 3?"},
		{"ask", f.path, "Which films were directed by Director 5?"},
		{"ask", f.path, "What is the capital of Austria?"},
		{"info", f.path},
	}
	for _, args := range f.commands {
		f.put(t, f.good, false)
		_, out, errs := start(t.Context(), args...)
		f.want = append(f.want, transcript.Timeless(out+errs))
	}
	return f
}

// put puts a file in the place of the graph's, with or without its cache.
func (f *flipped) put(t *testing.T, b []byte, cached bool) {
	t.Helper()
	if err := os.RemoveAll(f.path + ".d"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if !cached {
		return
	}
	if err := os.Mkdir(f.path+".d", 0o700); err != nil {
		t.Fatal(err)
	}
	for name, content := range f.cache {
		if err := os.WriteFile(filepath.Join(f.path+".d", name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFlippedBits turns single bits of a graph's file over, with and without its
// cache: what is printed is what the sound graph gives, or it names the damage.
// CAIRN_TEST_FLIPS says how many.
func TestFlippedBits(t *testing.T) {
	shared.Sequential(t)
	flips, err := strconv.Atoi(os.Getenv("CAIRN_TEST_FLIPS"))
	if err != nil {
		flips = 12
	}
	f := newFlipped(t)
	rng := rand.New(rand.NewPCG(11, 11))
	said, same, silent := 0, 0, 0
	for i := range flips {
		bad := append([]byte(nil), f.good...)
		at := rng.IntN(len(bad))
		bad[at] ^= 1 << rng.IntN(8)
		for _, cached := range []bool{false, true} {
			named, differs := false, ""
			for n, args := range f.commands {
				f.put(t, bad, cached)
				_, out, errs := start(t.Context(), args...)
				if strings.Contains(errs, "damaged") {
					named = true
				} else if got := transcript.Timeless(out + errs); got != f.want[n] {
					differs = got
				}
			}
			switch {
			case differs != "":
				silent++
				t.Errorf("flip %d, byte %d of page %d, cached %v: silently\n%s", i, at%4096, at/4096+1, cached, differs)
			case named:
				said++
			default:
				same++
			}
		}
	}
	t.Logf("%d flips, with and without cache: %d named, %d of no consequence, %d silent", flips, said, same, silent)
}
