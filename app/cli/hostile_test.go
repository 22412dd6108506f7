package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/report"
	"cairn/engine/retrieve"
	"cairn/internal/testing/hostile"
)

// TestHostileNames imports hostile names, describes the graph, asks about each name,
// makes pages, and trains.
func TestHostileNames(t *testing.T) {
	home(t)
	names, huge := hostile.Names(), 400_000
	if testing.Short() { // the race detector makes all this ten times as slow
		huge /= 4
	}
	for _, test := range []struct {
		file, content string
		asked         []hostile.Name
	}{
		{"hostile.tsv", tabbed(names), names},
		{"hostile.nt", statements(names), names},
		{"huge.tsv", tabbed(append([]hostile.Name{{Text: "Harvey"}, {Text: "Kismet"}}, hostile.Huge(huge)...)), names[:20]},
		{"reported.tsv", "a \xcc\x80 b\ttype\tfilm\nrock 'n' \u0301 roll\ttype\tfilm\n", names},
	} {
		t.Run(test.file, func(t *testing.T) {
			dir := t.TempDir()
			file, graph := filepath.Join(dir, test.file), filepath.Join(dir, "g.cairn")
			if err := os.WriteFile(file, []byte(test.content), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, args := range [][]string{{"import", "--into", graph, "--yes", file}, {"info", graph}} {
				if code, out, errs := start(t.Context(), args...); code != command.ExitDone {
					t.Fatalf("cairn %v: exit code %d\n%.2000s%.2000s", args, code, out, errs)
				}
			}
			askOf(t, graph, test.asked, test.file[:4] == "host")
		})
	}
}

// askOf asks about every name, makes the page of one in some, and may train a small
// network.
func askOf(t *testing.T, graph string, names []hostile.Name, train bool) {
	t.Helper()
	paged := 17 // one in so many
	if testing.Short() {
		paged = 83
	}
	e, err := engine.Open(t.Context(), graph, engine.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for i, n := range names {
		if testing.Short() && i%paged > 0 {
			continue
		}
		run, err := e.Ask(t.Context(), "Who directed "+n.Text+"?", engine.AskOptions{MaxWallTime: time.Second, Save: i%paged == 0}, nil)
		if err != nil {
			t.Fatalf("%s: ask of %.100q: %v", n.Why, n.Text, err)
		}
		if i%paged > 0 {
			continue
		}
		page, err := present.Page(t.Context(), e, run, "test")
		if err != nil {
			t.Fatalf("%s: page of %.100q: %v", n.Why, n.Text, err)
		}
		var b strings.Builder
		if err := report.WriteHTML(&b, page); err != nil || !utf8.ValidString(b.String()) {
			t.Errorf("%s: page of %.100q: %v; UTF-8 %v", n.Why, n.Text, err, utf8.ValidString(b.String()))
		}
	}
	if !train || testing.Short() { // others train with the race detector
		return
	}
	if _, err := e.Train(t.Context(), engine.TrainOptions{Questions: 40, Chosen: retrieve.Values{"epochs": "1", "layers": "1"}}, nil); err != nil {
		t.Errorf("train: %v", err)
	}
}

// tabbed writes the names as heads, relations and tails, such as they are.
func tabbed(names []hostile.Name) string {
	var b strings.Builder
	for i, n := range names {
		fmt.Fprintf(&b, "%s\tdirected by\t%s\n%[1]s\ttype\tfilm\nfilm %[3]d\t%[1]s\tAnthony Mann\n", n.Text, names[(i+1)%len(names)].Text, i)
	}
	return b.String()
}

// statements writes the names as labels and values of N-Triples, which have no
// place for bytes that are no UTF-8.
func statements(names []hostile.Name) string {
	var b strings.Builder
	for i, n := range names {
		if !utf8.ValidString(n.Text) {
			continue
		}
		var escaped strings.Builder
		for _, r := range n.Text {
			fmt.Fprintf(&escaped, "\\U%08X", r)
		}
		fmt.Fprintf(&b, "<http://x/%d> <http://www.w3.org/2000/01/rdf-schema#label> \"%s\" .\n", i, escaped.String())
		fmt.Fprintf(&b, "<http://x/%d> <http://x/directedBy> \"%s\" .\n", i, escaped.String())
		fmt.Fprintf(&b, "<http://x/%d> <http://x/directedBy> <http://x/%d> .\n", i, (i+1)%len(names))
	}
	return b.String()
}
