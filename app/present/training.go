package present

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"cairn/engine"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
)

// QuestionFormats are the formats of files with questions, as they are chosen; the
// first is to recognise them.
var QuestionFormats = []struct{ ID, Name string }{
	{"", "Detect automatically"},
	{"csv", "Table with a header"},
	{"metaqa", "MetaQA"},
	{"pathquestion", "PathQuestion"},
	{"worldcup", "WorldCup"},
	{"jsonl", "JSON, as in WebQSP"},
}

// QuestionFileHelp says which files of questions are understood.
const QuestionFileHelp = "A table is the simplest: a first row with question, topics, answers, then one question per row. Topics are the names in the question; separate several names with |. " +
	"The files of MetaQA, PathQuestion, WorldCup and WebQSP also work, gzipped or not. Names must be those of this graph; questions with other names are left out and listed."

// QuestionFile says what a file of questions holds.
func QuestionFile(qs []questions.Question, problems []questions.Problem) []string {
	lines := []string{Plural(len(qs), "question", "questions") + " with answers."}
	if len(qs) > 0 {
		q := qs[0]
		lines = append(lines, fmt.Sprintf("First question: “%s” → %s", Shorten(OneLine(q.Text), 90), Shorten(OneLine(strings.Join(q.Answers, ", ")), 60)))
	}
	return append(lines, ProblemLines(problems, len(problems))...)
}

// maxProblems is how many reasons are listed, and how many lines of each.
const (
	maxProblems     = 6
	maxProblemLines = 5
)

// ProblemLines say why questions cannot be used, the most frequent reason first.
// all is how many there are; problems may be only the first of them.
func ProblemLines(problems []questions.Problem, all int) []string {
	if all == 0 {
		return nil
	}
	type group struct {
		why   string
		n     int
		lines []string
	}
	at := map[string]int{}
	var groups []group
	for _, p := range problems {
		i, ok := at[p.Why]
		if !ok {
			i = len(groups)
			at[p.Why] = i
			groups = append(groups, group{why: p.Why})
		}
		groups[i].n++
		if p.Line > 0 && len(groups[i].lines) <= maxProblemLines {
			groups[i].lines = append(groups[i].lines, Count(p.Line))
		}
	}
	slices.SortStableFunc(groups, func(a, b group) int { return b.n - a.n })
	lines := []string{Plural(all, "question", "questions") + " cannot be used:"}
	if all > len(problems) && len(problems) > 0 {
		lines[0] = Plural(all, "question", "questions") + " cannot be used. Of the first " + Count(len(problems)) + ":"
	}
	for i, g := range groups {
		if i == maxProblems {
			lines = append(lines, "• and "+Plural(len(groups)-i, "other reason", "other reasons"))
			break
		}
		lines = append(lines, problemLine(g.why, g.n, g.lines))
	}
	return lines
}

func problemLine(why string, n int, lines []string) string {
	text := "• " + strings.TrimSuffix(Sentence(OneLine(why)), ".")
	switch {
	case len(lines) == 1 && n == 1:
		return text + " (line " + lines[0] + ")"
	case len(lines) > maxProblemLines:
		return fmt.Sprintf("%s (%s; lines %s …)", text, Count(n), strings.Join(lines[:maxProblemLines], ", "))
	case len(lines) > 0:
		return fmt.Sprintf("%s (%s; lines %s)", text, Count(n), List(lines))
	case n > 1:
		return fmt.Sprintf("%s (%s)", text, Count(n))
	}
	return text
}

// TrainEstimate says before a training how long it may take, from an earlier one of the
// same kind on this graph where there is one. asked 0 is not known.
func TrainEstimate(m retrieve.Trainable, chosen retrieve.Values, asked int, known []engine.TrainedModel) string {
	options := m.Options()
	kind := func(v retrieve.Values) string {
		if len(options) == 0 {
			return ""
		}
		return cmp.Or(v[options[0].Name], options[0].Default)
	}
	parts := func(v retrieve.Values) float64 {
		n := 1
		for _, o := range options {
			n = max(n, len(v.List(o.Name)))
		}
		return float64(n)
	}
	for _, k := range known {
		a := k.About
		if k.Method == m.Info().ID && kind(a.Chosen) == kind(chosen) && a.Seconds > 0 && a.Questions > 0 && asked > 0 {
			seconds := a.Seconds / float64(a.Questions) / parts(a.Chosen) * float64(asked) * parts(chosen)
			return capitalFirst(about(seconds)) + ", judging by “" + Shorten(TrainedName(k), 40) + "”."
		}
	}
	return "The time is estimated once training has started. You can stop at any time and keep the best result so far."
}

// ChoiceTitle is the title of a value of an option; that of its default for an empty
// one.
func ChoiceTitle(o retrieve.Option, value string) string {
	for _, c := range o.Choices {
		if c.Value == cmp.Or(value, o.Default) {
			return c.Title
		}
	}
	return OneLine(value)
}

// Training is what is known of a training under way, or that has ended.
type Training struct {
	Title  string               // what is trained
	Data   *engine.TrainingData // nil until it is known
	Notes  []string             // what the method says of the questions
	Epochs []retrieve.Epoch
	Task   string // what is being done within an epoch, or before the first
	Done   int64
	Total  int64 // 0 is not known
}

// last is the latest epoch.
func (t *Training) last() (retrieve.Epoch, bool) {
	if len(t.Epochs) == 0 {
		return retrieve.Epoch{}, false
	}
	return t.Epochs[len(t.Epochs)-1], true
}

// before is how many epochs there were before a training was resumed, of its first
// part and try.
func (t *Training) before() int {
	if len(t.Epochs) == 0 || t.Epochs[0].Part != 1 || t.Epochs[0].Try != 1 {
		return 0
	}
	return t.Epochs[0].Epoch - 1
}

// Share is how much of the training is done at least, in [0, 1], as if none of its
// tries stalled and none stopped early; ok is false where nobody can know.
func (t *Training) Share() (share float64, ok bool) {
	e, some := t.last()
	if !some {
		if t.Total <= 0 {
			return 0, false
		}
		return float64(t.Done) / float64(t.Total), true // of the preparation
	}
	done := float64(e.Epoch) / float64(max(1, e.Epochs))
	if e.Stalled {
		done = 0
	}
	return min(1, (float64(e.Part-1)+done)/float64(max(1, e.Parts))), true
}

// State says in one line how far a training has come.
func (t *Training) State() string {
	e, some := t.last()
	if !some {
		return ProgressText(cmp.Or(t.Task, "prepare the questions"), t.Done, t.Total, false)
	}
	var said []string
	if e.Parts > 1 {
		said = append(said, fmt.Sprintf("part %d of %d", e.Part, e.Parts))
	}
	if e.Try > 1 {
		said = append(said, "attempt "+Count(e.Try))
	}
	said = append(said, fmt.Sprintf("epoch %d of at most %d", e.Epoch, e.Epochs))
	if left := t.left(); left != "" {
		said = append(said, left)
	}
	return capitalFirst(strings.Join(said, " · "))
}

// left says how long the rest may take.
func (t *Training) left() string {
	e, some := t.last()
	if !some || e.Seconds <= 0 {
		return ""
	}
	per := e.Seconds / float64(t.before()+len(t.Epochs))
	if n := len(t.Epochs); n > 1 { // what was before a stop took its own time
		per = (e.Seconds - t.Epochs[0].Seconds) / float64(n-1)
	}
	rest := e.Epochs - e.Epoch + (e.Parts-e.Part)*e.Epochs
	if rest <= 0 {
		return ""
	}
	return "at most " + about(per*float64(rest)) + " left"
}

// Result says how good the part in training is, by its best epoch so far; "" where
// nothing was measured yet.
func (t *Training) Result() string {
	var best *retrieve.Metrics
	last, _ := t.last()
	for _, e := range t.Epochs {
		if e.Part == last.Part && e.Dev != nil && (e.Best || best == nil) {
			best = e.Dev
		}
	}
	if best == nil {
		return ""
	}
	whose := ""
	if last.Parts > 1 {
		whose = " of part " + Count(last.Part)
	}
	about := retrieve.About{Dev: *best}
	if t.Data != nil {
		about.Held, about.HeldMade = t.Data.Held, t.Data.HeldMade
	}
	return "Best so far" + whose + ": " + Measured(about)
}

// countedAtMost is how many held questions are asked at each measurement; of more
// only a share is known.
const countedAtMost = 500

// Measured says in sentences how good a retriever was, such as "the first answer was
// right for 174 of 200 held-back questions (H@1 0.87)".
func Measured(a retrieve.About) string {
	percent := int(math.Round(a.Dev.H1 * 100))
	if a.Dev.H1 < 1 { // only all is 100
		percent = min(percent, 99)
	}
	share := Count(percent) + "%"
	switch {
	case a.Own:
		return "you wrote it or changed it, so it was not measured."
	case a.Held <= 0:
		return "the first answer was right for " + share + " of the questions it was trained on. None were held back, so this says little about others."
	case a.Held <= countedAtMost:
		share = fmt.Sprintf("%s of %s", Count(int(math.Round(a.Dev.H1*float64(a.Held)))), Count(a.Held))
	default:
		share += " of the"
	}
	said := fmt.Sprintf("the first answer was right for %s held-back questions (H@1 %.2f).", share, a.Dev.H1)
	if a.HeldMade {
		said += " " + madeItself
	}
	return said
}

// madeItself says what a measurement on questions that Cairn made from the graph
// is, and what it is not.
const madeItself = "Cairn made these questions from this graph, so this does not say how well it answers yours."

// About says what is learned from, and what the method says of it.
func (t *Training) About() []string {
	d := t.Data
	if d == nil {
		return nil
	}
	line := "It learns from " + cmp.Or(strings.TrimSuffix(OneLine(d.About), "."), Plural(d.Train, "question", "questions"))
	if d.Held > 0 {
		line += " and is measured on " + Count(d.Held) + " others."
	} else {
		line += "; there are too few to hold some back for measuring."
	}
	lines := append([]string{line}, t.Notes...)
	if len(t.Epochs) == 0 && d.SecondsEpoch > 0 {
		lines = append(lines, "An epoch (one pass through the questions) takes "+about(d.SecondsEpoch)+".")
	}
	return lines
}

// Restarts say in words which tries stalled.
func (t *Training) Restarts() []string {
	var lines []string
	for i, e := range t.Epochs {
		if !e.Stalled {
			continue
		}
		which := "Training"
		if e.Parts > 1 {
			which = fmt.Sprintf("Part %d of %d", e.Part, e.Parts)
		}
		line := fmt.Sprintf("%s stalled on attempt %d, after %s.", which, e.Try, Plural(e.Epoch, "epoch", "epochs"))
		if i+1 < len(t.Epochs) && t.Epochs[i+1].Part == e.Part {
			line += " It was restarted with another seed, which is normal."
		}
		lines = append(lines, line)
	}
	return lines
}

// Curve is one try of one part, for the picture of a training.
type Curve struct {
	Part, Try int
	Name      string // "part 2, attempt 1"; empty where there is but one
	Stalled   bool
	Points    []CurvePoint
}

// CurvePoint is one epoch. At counts epochs over all tries, from 1.
type CurvePoint struct {
	At   int
	Loss float64
	H1   float64 // NaN where it was not measured
	Best bool
}

// maxCurvePoints bounds what is drawn.
const maxCurvePoints = 400

// Curves are the tries of a training, in order, and how many epochs there will be at
// most, tries to come not counted.
func (t *Training) Curves() (curves []Curve, epochs int) {
	every, before := 1+len(t.Epochs)/maxCurvePoints, t.before()
	for i, e := range t.Epochs {
		n := len(curves)
		if n == 0 || curves[n-1].Part != e.Part || curves[n-1].Try != e.Try {
			curves = append(curves, Curve{Part: e.Part, Try: e.Try})
			n++
		}
		c := &curves[n-1]
		c.Stalled = e.Stalled
		if i%every != 0 && i != len(t.Epochs)-1 && !e.Best {
			continue
		}
		p := CurvePoint{At: before + i + 1, Loss: e.Loss, H1: math.NaN()}
		if e.Dev != nil {
			p.H1, p.Best = e.Dev.H1, e.Best
		}
		c.Points = append(c.Points, p)
	}
	if len(curves) > 1 {
		for i := range curves {
			curves[i].Name = "attempt " + Count(curves[i].Try)
			if last, _ := t.last(); last.Parts > 1 {
				curves[i].Name = fmt.Sprintf("part %d, attempt %d", curves[i].Part, curves[i].Try)
			}
		}
	}
	if e, some := t.last(); some {
		epochs = before + len(t.Epochs)
		if !e.Stalled {
			epochs += max(0, e.Epochs-e.Epoch)
		}
	}
	return curves, epochs
}

// TrainedRow is a trained retriever in a list.
type TrainedRow struct {
	ID      int64
	Name    string
	Lines   []string // what it learned from, how good it is, when it was made
	Warning string   // that it is stale, or cannot be used
	InUse   bool
	Usable  bool
}

// TrainedRows are the trained retrievers of a graph.
func TrainedRows(models []engine.TrainedModel) []TrainedRow {
	rows := make([]TrainedRow, 0, len(models))
	for _, m := range models {
		a := m.About
		row := TrainedRow{ID: m.ID, Name: TrainedName(m), InUse: m.InUse, Usable: m.Problem == "", Warning: Sentence(OneLine(cmp.Or(m.Problem, m.Stale)))}
		if data := strings.TrimSuffix(OneLine(a.Data), "."); data != "" && !strings.Contains(row.Name, data) {
			row.Lines = append(row.Lines, "Trained on "+data+".")
		}
		if a.Questions > 0 {
			row.Lines = append(row.Lines, capitalFirst(Measured(a)))
		}
		row.Lines = append(row.Lines, a.Notes...)
		var made []string
		if a.Title != "" {
			made = append(made, OneLine(a.Title))
		}
		if !a.Made.IsZero() {
			made = append(made, "made "+When(a.Made))
		}
		if a.Seconds > 0 {
			made = append(made, "trained in "+about(a.Seconds))
		}
		if m.Bytes > 0 {
			made = append(made, Bytes(m.Bytes))
		}
		if len(made) > 0 {
			row.Lines = append(row.Lines, capitalFirst(strings.Join(made, " · ")))
		}
		rows = append(rows, row)
	}
	return rows
}

// TrainedName is the name of a trained retriever.
func TrainedName(m engine.TrainedModel) string {
	return capitalFirst(cmp.Or(OneLine(m.Name), OneLine(m.About.Title), "Retriever "+Count(int(m.ID))))
}

// InUse is the trained retriever that questions to a method go to; ok is false for none
// that can be used.
func InUse(models []engine.TrainedModel, method string) (m engine.TrainedModel, ok bool) {
	i := slices.IndexFunc(models, func(m engine.TrainedModel) bool { return m.Method == method && m.InUse && m.Problem == "" })
	if i < 0 {
		return m, false
	}
	return models[i], true
}

// Trained says what came of a training.
func Trained(m engine.TrainedModel, stopped bool) string {
	name := Shorten(TrainedName(m), 60)
	said := "“" + name + "” is trained and in use."
	if stopped {
		said = "Stopped. The best so far is kept as “" + name + "” and is in use."
	}
	if m.About.Questions > 0 {
		said += " " + capitalFirst(Measured(m.About))
	}
	return said
}
