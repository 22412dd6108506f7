package eval

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/ingest"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/internal/wording"
)

// FieldGraph is a graph as people keep it, in the files of a folder, and what people who saw no
// rule of the planner asked of it.
type FieldGraph struct {
	Name      string // of the folder
	Files     []string
	Questions []FieldQuestion
}

// FieldQuestion is a question or a claim. The gold is names and numbers with "; " between them,
// in any order; NAME = NUMBER where each has a number; yes or no for a claim; nothing where the
// graph has no answer; "*" and what the answer's text must have, for a path or a description.
type FieldQuestion struct{ Kind, Text, Gold string }

// FieldGraphs reads the folders of a folder. In each, questions.txt has a question a line, KIND |
// QUESTION | GOLD; all other files are the graph's. Where names are given, only these are read.
func FieldGraphs(folder string, names ...string) (graphs []FieldGraph, err error) {
	asked, err := filepath.Glob(filepath.Join(folder, "*", "questions.txt"))
	if err != nil {
		return nil, err
	}
	if len(asked) == 0 {
		return nil, fmt.Errorf("%s has no folder with a file questions.txt", folder)
	}
	for _, path := range asked {
		dir := filepath.Dir(path)
		f := FieldGraph{Name: filepath.Base(dir)}
		if len(names) > 0 && !slices.Contains(names, f.Name) {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		for i, line := range strings.Split(string(text), "\n") {
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			part := strings.Split(line, "|")
			if len(part) != 3 {
				return nil, fmt.Errorf("%s:%d: %q is not KIND | QUESTION | GOLD", path, i+1, line)
			}
			f.Questions = append(f.Questions, FieldQuestion{strings.TrimSpace(part[0]), strings.TrimSpace(part[1]), strings.TrimSpace(part[2])})
		}
		files, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, x := range files {
			if x.Name() != "questions.txt" {
				f.Files = append(f.Files, filepath.Join(dir, x.Name()))
			}
		}
		if len(f.Files) == 0 {
			return nil, fmt.Errorf("%s has questions and no files of a graph", dir)
		}
		graphs = append(graphs, f)
	}
	return graphs, nil
}

// open imports the graph into a new file.
func (f *FieldGraph) open(ctx context.Context, path string) (*engine.Engine, error) {
	eng, err := engine.Open(ctx, path, engine.Options{}, nil)
	if err != nil {
		return nil, err
	}
	if _, err := eng.Import(ctx, f.Files, ingest.Options{AcceptGuess: true}, nil); err != nil {
		eng.Close()
		return nil, err
	}
	return eng, nil
}

// FieldOutcome is what becomes of a question: one of fieldColumns, and why its reading is in doubt.
type FieldOutcome struct {
	Graph, Kind, Question, Gold string
	Outcome, Reason, Found      string
}

// FieldReport is what becomes of the questions of several graphs, in their order.
type FieldReport []FieldOutcome

// Field asks the graphs of a folder, or those that are named.
func Field(ctx context.Context, folder string, names ...string) (report FieldReport, err error) {
	graphs, err := FieldGraphs(folder, names...)
	if err != nil {
		return nil, err
	}
	tmp, err := os.MkdirTemp("", "cairn-field-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the graphs: %w", err)
	}
	defer os.RemoveAll(tmp)
	for _, f := range graphs {
		of, err := f.ask(ctx, filepath.Join(tmp, f.Name+".cairn"))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		report = append(report, of...)
	}
	return report, nil
}

func (f *FieldGraph) ask(ctx context.Context, path string) (report FieldReport, err error) {
	eng, err := f.open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer eng.Close()
	for i := range f.Questions {
		q := &f.Questions[i]
		run, err := eng.Ask(ctx, q.Text, engine.AskOptions{NoModel: true}, nil)
		if err != nil {
			return nil, err
		}
		found, _ := fieldAnswer(run)
		report = append(report, FieldOutcome{f.Name, q.Kind, q.Text, q.Gold, q.outcome(run), run.Plan.Reason, found})
	}
	return report, nil
}

// WriteText writes what becomes of each question, with why it is in doubt and, where it
// is not answered rightly, what is found; at the end a table of all outcomes, in total, by graph and by
// kind of question.
func (r FieldReport) WriteText(w io.Writer) error {
	var b strings.Builder
	sums := fieldSums{}
	for i, o := range r {
		if i == 0 || r[i-1].Graph != o.Graph {
			fmt.Fprintf(&b, "# %s\n", o.Graph)
		}
		for _, k := range []string{"total", o.Graph, "kind " + o.Kind} {
			sums.count(k, o.Outcome)
		}
		fmt.Fprintf(&b, "%s: %s\n", o.Outcome, o.Question)
		if o.Outcome == sureRight || o.Outcome == rightlyRefused {
			continue
		}
		fmt.Fprintf(&b, "  %s\n", cmp.Or(o.Reason, "no doubt"))
		if o.Outcome != doubtRight {
			few := func(list string) string { return wording.First(strings.Split(cmp.Or(list, "nothing"), "; "), 3) }
			fmt.Fprintf(&b, "  finds %s; right is %s\n", few(o.Found), few(o.Gold))
		}
	}
	_, err := io.WriteString(w, b.String()+sums.table())
	return err
}

// fieldAnswer is what a run answers, in the order of the alphabet, and whether it is sure.
func fieldAnswer(run *engine.Run) (text string, sure bool) {
	if run.Plan.Claim {
		v := run.Answer.Verdict
		text = map[answer.Verdict]string{answer.Supported: "yes", answer.Likely: "yes", answer.Refuted: "no"}[v]
		return text, text != "" && v != answer.Likely && run.Plan.Doubt == plan.Sure
	}
	var labels []string
	for _, x := range run.Answer.Items {
		labels = append(labels, x.Label)
	}
	slices.Sort(labels)
	return strings.Join(labels, "; "), run.Plan.Doubt == plan.Sure && len(labels) > 0
}

// Outcomes of a question.
const (
	sureRight      = "sure and right"
	doubtRight     = "right with a doubt"
	rightlyRefused = "rightly refused"
)

// outcome is one of fieldColumns.
func (q *FieldQuestion) outcome(run *engine.Run) string {
	said, sure := fieldAnswer(run)
	if strings.HasPrefix(q.Gold, "*") && run.Answer.Refusal == nil { // a path or a description has no items
		said, sure = "*", run.Plan.Doubt == plan.Sure
	}
	switch right := isGold(run, said, q.Gold); {
	case said == "" && q.Gold == "":
		return rightlyRefused
	case said == "":
		return "refused"
	case right && sure:
		return sureRight
	case right:
		return doubtRight
	case sure:
		return "sure and wrong"
	case q.Gold == "":
		return "answers where there is none"
	}
	return "wrong with a doubt"
}

var aNumber = regexp.MustCompile(`-?\d[\d,]*(\.\d+)?`)

// isGold reports whether a run's answer is the gold.
func isGold(run *engine.Run, said, gold string) bool {
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

// fieldSums counts outcomes: of all questions, of a graph, of a kind.
type fieldSums map[string]map[string]int

func (s fieldSums) count(of, outcome string) {
	if s[of] == nil {
		s[of] = map[string]int{}
	}
	s[of][outcome]++
}

var fieldColumns = []string{sureRight, doubtRight, "sure and wrong", "wrong with a doubt", "refused", rightlyRefused, "answers where there is none"}

func (s fieldSums) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-20s  %s", "", strings.Join(fieldColumns, "  "))
	for _, k := range slices.Sorted(maps.Keys(s)) {
		fmt.Fprintf(&b, "\n%-20s", k)
		for _, c := range fieldColumns {
			fmt.Fprintf(&b, "  %*d", len(c), s[k][c])
		}
	}
	return b.String() + "\n"
}
