package engine

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cairn/engine/pattern"
	"cairn/engine/plan"
)

// TestField asks of graphs what people who saw no rule of the planner asked: each folder of
// testdata/field has the files of a graph as people keep them, and questions.txt, with a
// question or claim a line: KIND | QUESTION | GOLD. docs/benchmarks.md says how they fared when
// first asked; rules were made from the faults found since. The gold was worked out from the
// files before anything was asked: names and numbers with "; " between them, in any order; NAME =
// NUMBER where each has a number; yes or no for a claim; nothing where the graph has no
// answer; "*" and what the answer's text must have, for a path or a description. What was
// made of each is on record in outcomes.golden; after a change of the planner,
//
//	go test -tags ci ./engine -run TestField -update
//
// writes it again, and -v prints the sums. CAIRN_FIELD names another folder of such folders,
// whose outcomes are printed.
func TestField(t *testing.T) {
	folder := os.Getenv("CAIRN_FIELD")
	if folder == "" {
		folder = filepath.Join("testdata", "field")
	}
	asked, err := filepath.Glob(filepath.Join(folder, "*", "questions.txt"))
	if err != nil || len(asked) == 0 {
		t.Fatalf("%s has no graphs with questions: %v", folder, err)
	}
	var record strings.Builder
	sums := map[string]fieldSums{}
	for _, path := range asked {
		name := filepath.Base(filepath.Dir(path))
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		e := importFiles(t, fieldFiles(t, filepath.Dir(path))...)
		fmt.Fprintf(&record, "# %s\n", name)
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			part := strings.Split(line, "|")
			if len(part) != 3 {
				t.Fatalf("%s: %q is not KIND | QUESTION | GOLD", path, line)
			}
			kind, question, gold := strings.TrimSpace(part[0]), strings.TrimSpace(part[1]), strings.TrimSpace(part[2])
			run, err := e.Ask(t.Context(), question, AskOptions{NoModel: true}, nil)
			if err != nil {
				t.Fatalf("%s: %v", question, err)
			}
			o := judge(run, gold)
			for _, k := range []string{"total", name, "kind " + kind} {
				if sums[k] == nil {
					sums[k] = fieldSums{}
				}
				sums[k][o]++
			}
			fmt.Fprintf(&record, "%s: %s\n", o, question)
			if o != "sure and right" && o != "right with a doubt" && o != "rightly refused" {
				said, _ := saidBy(run)
				fmt.Fprintf(&record, "  %s\n  finds %s; right is %s\n", cmp.Or(run.Plan.Reason, "no doubt"), few(strings.Split(cmp.Or(said, "nothing"), "; ")), few(strings.Split(cmp.Or(gold, "nothing"), "; ")))
			}
		}
	}
	table := fieldTable(sums)
	t.Log("\n" + table)
	if os.Getenv("CAIRN_FIELD") != "" {
		t.Log("\n" + record.String())
		return
	}
	bankGolden(t, filepath.Join("..", "field", "outcomes.golden"), record.String()+table)
}

// fieldFiles are the files of a graph: all of a folder but its questions.
func fieldFiles(t *testing.T, folder string) (paths []string) {
	t.Helper()
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Name() != "questions.txt" {
			paths = append(paths, filepath.Join(folder, f.Name()))
		}
	}
	return paths
}

// judge says what came of a question, one of fieldColumns.
func judge(run *Run, gold string) string {
	said, sure := saidBy(run)
	if strings.HasPrefix(gold, "*") && run.Answer.Refusal == nil { // a path or a description has no items
		said, sure = "*", run.Plan.Doubt == plan.Sure
	}
	switch right := isGold(run, said, gold); {
	case said == "" && gold == "":
		return "rightly refused"
	case said == "":
		return "refused"
	case right && sure:
		return "sure and right"
	case right:
		return "right with a doubt"
	case sure:
		return "sure and wrong"
	case gold == "":
		return "answers where there is none"
	}
	return "wrong with a doubt"
}

var aNumber = regexp.MustCompile(`-?\d[\d,]*(\.\d+)?`)

// isGold reports whether a run's answer is the gold.
func isGold(run *Run, said, gold string) bool {
	if gold == "" || said == "" {
		return false
	}
	if must, ok := strings.CutPrefix(gold, "*"); ok {
		text := said
		for _, s := range run.Answer.Sentences {
			text += " " + s.Text
		}
		text = strings.ToLower(text)
		for m := range strings.SplitSeq(must, "; ") {
			if !strings.Contains(text, strings.ToLower(strings.TrimSpace(m))) {
				return false
			}
		}
		return true
	}
	want := strings.Split(gold, "; ")
	if n, err := strconv.Atoi(gold); err == nil && len(run.Plan.Readings) > 0 && run.Plan.Readings[0].Pattern.Task == pattern.Count && run.Plan.Readings[0].Pattern.Measure == nil {
		return n == run.Answer.Count
	}
	if run.Plan.Claim {
		return said == gold
	}
	if len(want) != len(run.Answer.Items) {
		return false
	}
	var got []string
	for _, x := range run.Answer.Items {
		text := x.Label
		if x.Amount != nil && strings.Contains(want[0], " = ") {
			text += " = " + strconv.FormatFloat(x.Amount.Value, 'f', -1, 64)
		}
		got = append(got, text)
	}
	slices.Sort(got)
	slices.Sort(want)
	for i := range want {
		if !sameText(got[i], want[i]) {
			return false
		}
	}
	return true
}

// sameText reports whether two answers are the same but for case, or for what a number is
// rounded to and the unit after it.
func sameText(got, want string) bool {
	if strings.EqualFold(got, want) {
		return true
	}
	gotName, gotNumber := numberOf(got)
	wantName, wantNumber := numberOf(want)
	return strings.EqualFold(gotName, wantName) && math.Abs(gotNumber-wantNumber) <= 0.005*math.Abs(wantNumber)
}

// numberOf splits "NAME = NUMBER", or takes a number that a text begins with.
func numberOf(text string) (name string, number float64) {
	name, rest, ok := strings.Cut(text, " = ")
	if !ok {
		name, rest = "", text
	}
	at := aNumber.FindStringIndex(rest)
	if at == nil || !ok && at[0] != 0 {
		return text, 0
	}
	number, err := strconv.ParseFloat(strings.ReplaceAll(rest[at[0]:at[1]], ",", ""), 64)
	if err != nil {
		return text, 0
	}
	return name, number
}

// fieldSums counts outcomes.
type fieldSums map[string]int

var fieldColumns = []string{"sure and right", "right with a doubt", "sure and wrong", "wrong with a doubt", "refused", "rightly refused", "answers where there is none"}

func fieldTable(sums map[string]fieldSums) string {
	text := fmt.Sprintf("%-20s", "")
	for _, c := range fieldColumns {
		text += "  " + c
	}
	for _, k := range slices.Sorted(maps.Keys(sums)) {
		text += fmt.Sprintf("\n%-20s", k)
		for _, c := range fieldColumns {
			text += fmt.Sprintf("  %*d", len(c), sums[k][c])
		}
	}
	return text + "\n"
}
