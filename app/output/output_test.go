package output_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adrg/xdg"

	"cairn/app/output"
	"cairn/engine/kg"
)

// home gives the test folders of its own, and returns one for its files.
func home(t *testing.T) string {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	return t.TempDir()
}

func put(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func write(path string, g output.Guard, text string) error {
	return output.Write(path, g, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// alone fails the test where anything but the named files is in a folder: what a
// failed writing leaves behind.
func alone(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if want := strings.Join(names, " "); strings.Join(got, " ") != want {
		t.Errorf("the folder has %v, want %s", got, want)
	}
}

// TestWriteKeepsWhatMustNotBeLost has one line for every kind of file that a
// result may not replace, and says whether --force and the yes of a file dialog
// do.
func TestWriteKeepsWhatMustNotBeLost(t *testing.T) {
	const graph = "SQLite format 3\x00 and a graph"
	source := strings.Repeat("a|b|c\n", 100)
	for name, c := range map[string]struct {
		path           string // in the folder of the test
		forced, agreed bool
	}{
		"the graph":                   {"g.cairn", false, false},
		"the graph by a detour":       {"cache/../g.cairn", false, false},
		"a link to the graph":         {"link.html", false, false},
		"a hard link to the graph":    {"hard.html", false, false},
		"a journal of the graph":      {"g.cairn-wal", false, false},
		"another graph":               {"other.CAIRN", true, false},
		"a graph of another name":     {"other.db", true, false},
		"a graph that is not there":   {"new.cairn", true, false},
		"a journal of another graph":  {"other.cairn-wal", true, false},
		"a source":                    {"source.txt", true, false},
		"a link to a source":          {"sourcelink.html", true, false},
		"a source at another place":   {"moved/source.txt", true, false},
		"a file of the cache":         {"g.cairn.d/graph.csr", true, false},
		"a new file in the cache":     {"g.cairn.d/page.html", true, false},
		"a cache behind a link":       {"cache/page.html", true, false},
		"another graph's cache":       {"other.cairn.D/x", true, false},
		"a file of the user's":        {"thesis.html", true, true},
		"a link to the user's":        {"thesislink.html", true, true},
		"an empty file":               {"empty", true, true},
		"a page with the user's word": {"edited.html", true, true},
		"a write-protected page":      {"protected.html", true, true},
		"a folder":                    {"moved", false, false},
		"the name of a stream":        {"-", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := home(t)
			put(t, filepath.Join(dir, "g.cairn"), graph)
			put(t, filepath.Join(dir, "g.cairn-wal"), "wal")
			put(t, filepath.Join(dir, "g.cairn.d", "graph.csr"), "cache")
			put(t, filepath.Join(dir, "other.CAIRN"), "")
			put(t, filepath.Join(dir, "other.db"), graph)
			put(t, filepath.Join(dir, "other.cairn.D", "x"), "cache")
			put(t, filepath.Join(dir, "thesis.html"), "ten years of work")
			put(t, filepath.Join(dir, "empty"), "")
			put(t, filepath.Join(dir, "source.txt"), "another text by now\n")
			put(t, filepath.Join(dir, "moved", "source.txt"), source)
			for _, page := range []string{"edited.html", "protected.html"} {
				if err := write(filepath.Join(dir, page), output.Guard{}, "a page"); err != nil {
					t.Fatal(err)
				}
			}
			put(t, filepath.Join(dir, "edited.html"), "a page, annotated")
			if err := errors.Join(
				os.Chmod(filepath.Join(dir, "protected.html"), 0o444),
				os.Symlink("g.cairn", filepath.Join(dir, "link.html")),
				os.Link(filepath.Join(dir, "g.cairn"), filepath.Join(dir, "hard.html")),
				os.Symlink("source.txt", filepath.Join(dir, "sourcelink.html")),
				os.Symlink("thesis.html", filepath.Join(dir, "thesislink.html")),
				os.Symlink("g.cairn.d", filepath.Join(dir, "cache")),
			); err != nil {
				t.Skip("this system makes no links:", err)
			}
			t.Chdir(dir)
			path := filepath.FromSlash(c.path)
			before, beforeErr := os.ReadFile(path)
			g := output.Guard{
				Graph:   filepath.Join(dir, "g.cairn"),
				Sources: []kg.Source{{File: filepath.Join(dir, "source.txt"), Bytes: int64(len(source)), Hash: fmt.Sprintf("%x", sha256.Sum256([]byte(source)))}},
			}
			try := func(g output.Guard, want bool) {
				t.Helper()
				checked, err := output.Check(path, g), write(path, g, "page")
				refused, ok := errors.AsType[*output.Error](err)
				if (err == nil) != want || (checked == nil) != want {
					t.Fatalf("with %+v: Check says %v, Write %v; written should be %v", g, checked, err, want)
				}
				if want {
					if got := read(t, path); got != "page" {
						t.Errorf("the file has %q", got)
					}
					return
				}
				if !ok || refused.Force != c.forced || refused.Remedy() == "" {
					t.Errorf("refused with %#v, want Force %v and a remedy", err, c.forced)
				}
				after, afterErr := os.ReadFile(path)
				if string(after) != string(before) || (afterErr == nil) != (beforeErr == nil) {
					t.Errorf("the file has %q, %v; before %q, %v", after, afterErr, before, beforeErr)
				}
			}
			try(g, false)
			g.Replace = true
			try(g, c.agreed)
			if c.agreed {
				return
			}
			g.Replace, g.Force = false, true
			try(g, c.forced)
		})
	}
}

// TestWriteReplacesItsOwn writes over what was written before, keeping its
// permissions, wherever it was moved to.
func TestWriteReplacesItsOwn(t *testing.T) {
	dir := home(t)
	path, moved := filepath.Join(dir, "page.html"), filepath.Join(dir, "moved.html")
	for i := range 3 {
		if err := write(path, output.Guard{}, strings.Repeat("x", i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Chmod(path, 0o640), os.Rename(path, moved), os.Symlink("moved.html", path)); err != nil {
		t.Fatal(err)
	}
	if err := write(path, output.Guard{}, "last"); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(moved)
	if err != nil || info.Mode() != 0o640 || read(t, moved) != "last" {
		t.Errorf("behind the link is %v, %v; want a file of 0640 with the last page", info, err)
	}
	alone(t, dir, "moved.html", "page.html")
}

// TestWriteLeavesNothingHalf fails in the middle, and shows that the file before
// it is whole and nothing lies about.
func TestWriteLeavesNothingHalf(t *testing.T) {
	dir := home(t)
	path := filepath.Join(dir, "page.html")
	if err := write(path, output.Guard{}, "whole"); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := output.Write(path, output.Guard{}, func(w io.Writer) error {
		_, _ = io.WriteString(w, "ha")
		return broken
	})
	if !errors.Is(err, broken) || read(t, path) != "whole" {
		t.Errorf("Write = %v and left %q", err, read(t, path))
	}
	alone(t, dir, "page.html")
}

// TestWriteSeesWhatCameMeanwhile has another program write the file while the
// result is made.
func TestWriteSeesWhatCameMeanwhile(t *testing.T) {
	path := filepath.Join(home(t), "page.html")
	err := output.Write(path, output.Guard{}, func(io.Writer) error {
		put(t, path, "of another program")
		return nil
	})
	if _, ok := errors.AsType[*output.Error](err); !ok || read(t, path) != "of another program" {
		t.Errorf("Write = %v and left %q", err, read(t, path))
	}
}

func TestWriteToADevice(t *testing.T) {
	home(t)
	if err := write(os.DevNull, output.Guard{}, "page"); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Fatalf("%s is %v, %v after writing to it", os.DevNull, info, err)
	}
}

// TestMakeAGraph makes a graph's file: a new one, never over another, and without
// what SQLite kept for a file that was there.
func TestMakeAGraph(t *testing.T) {
	dir := home(t)
	path := put(t, filepath.Join(dir, "copy.cairn-wal"), "of a graph that is gone")
	path = strings.TrimSuffix(path, "-wal")
	fill := func(temp string) error { return os.WriteFile(temp, []byte("graph"), 0o600) }
	if err := output.Make(path, output.Guard{NewGraph: true}, fill); err != nil {
		t.Fatal(err)
	}
	alone(t, dir, "copy.cairn")
	if err := output.Make(path, output.Guard{NewGraph: true}, fill); err == nil {
		t.Error("a graph was written over another")
	}
}

// TestWordsOfFailure says what the system had against it without a raw error.
func TestWordsOfFailure(t *testing.T) {
	dir := home(t)
	put(t, filepath.Join(dir, "file"), "")
	for path, want := range map[string]string{
		filepath.Join(dir, "nowhere", "x.html"): "does not exist",
		filepath.Join(dir, "file", "x.html"):    "is a file, not a folder",
	} {
		err := write(path, output.Guard{}, "")
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "open ") {
			t.Errorf("Write(%s) = %v, want %q", path, err, want)
		}
	}
}
