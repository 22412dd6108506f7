package present

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"cairn/engine"
	"cairn/engine/questions"
	"cairn/engine/retrieve/gnnrag"
)

// Network is a kind of network in words for people.
type Network struct {
	Kind  gnnrag.Kind
	Name  string // "Quick: relation flow"
	About string
}

// Networks are the networks that can be trained: the first two for everybody.
var Networks = []Network{
	{gnnrag.Flow, "Quick: relation flow", "Takes seconds on a small graph, minutes on a large one. It learns which relations to follow one after the other from what a question names, looks at the whole graph, and says how it read a question as a short plan. It cannot combine several conditions."},
	{gnnrag.ReaRev, "Thorough: ReaRev", "Takes minutes. It weighs everything in a region around what a question names, several times over, and can take several conditions into account. It gives no plan."},
	{gnnrag.NSM, "NSM", "An older network, for comparison: it follows the question word by word."},
	{gnnrag.GraftNet, "GraftNet", "An older network, for comparison: it weighs the neighbours without following steps."},
}

// NetworkName is the name of a kind of network.
func NetworkName(k gnnrag.Kind) string {
	k = cmp.Or(k, gnnrag.Flow)
	for _, n := range Networks {
		if n.Kind == k {
			_, name, ok := strings.Cut(n.Name, ": ")
			if !ok {
				name = n.Name
			}
			return name
		}
	}
	return OneLine(string(k))
}

// QuestionFormats are the formats of files with questions, as they are chosen; the
// first is to recognise them.
var QuestionFormats = []struct{ ID, Name string }{
	{"", "Recognise it"},
	{"csv", "Table with a header"},
	{"metaqa", "MetaQA"},
	{"pathquestion", "PathQuestion"},
	{"worldcup", "WorldCup"},
	{"jsonl", "JSON, as of WebQSP"},
}

// QuestionFileHelp says which files of questions are understood.
const QuestionFileHelp = "A table is the simplest: a first row with question, topics, answers, then one question a row; topics are the names in the question, several names are divided by |. " +
	"The files of MetaQA, PathQuestion, WorldCup and WebQSP are understood too, each also as .gz. Names have to be those of this graph; what is not found is left out and listed."

// QuestionFile says what a file of questions holds.
func QuestionFile(qs []questions.Question, problems []questions.Problem) []string {
	lines := []string{Plural(len(qs), "question", "questions") + " with answers."}
	if len(qs) > 0 {
		q := qs[0]
		lines = append(lines, fmt.Sprintf("The first: “%s” → %s", Shorten(OneLine(q.Text), 90), Shorten(OneLine(strings.Join(q.Answers, ", ")), 60)))
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

// TrainEstimate says before a training how long it may take, from one of the same
// kind on this graph where there is one. asked 0 is not known.
func TrainEstimate(o gnnrag.Options, asked int, known []engine.TrainedModel) string {
	kind, networks := cmp.Or(o.Kind, gnnrag.Flow), max(1, len(o.Encoders))
	for _, m := range known {
		a := m.About
		if cmp.Or(a.Options.Kind, gnnrag.Flow) != kind || a.Seconds <= 0 || a.Questions == 0 || asked == 0 {
			continue
		}
		per := a.Seconds / float64(a.Questions) / float64(max(1, len(a.Options.Encoders)))
		return capitalFirst(about(per*float64(asked*networks))) + ", going by “" + Shorten(TrainedName(m), 40) + "”."
	}
	usual := "some minutes"
	if kind == gnnrag.Flow {
		usual = "seconds on a small graph, minutes on a large one"
	}
	if networks > 1 {
		usual += " for each of the " + Count(networks) + " networks"
	}
	return "Usually " + usual + "; measured once it has begun. You can stop at any time and keep the best so far."
}

// about says a number of seconds no more exactly than it can be known: "a few
// seconds", "about 40 s".
func about(seconds float64) string {
	switch {
	case seconds < 10:
		return "a few seconds"
	case seconds < 55:
		return fmt.Sprintf("about %d s", int(seconds/10+0.5)*10)
	case seconds < 90:
		return "about a minute"
	case seconds < 100*60:
		return fmt.Sprintf("about %d min", int(seconds/60+0.5))
	}
	return fmt.Sprintf("about %.0f h", seconds/3600)
}

// Training is what is known of a training under way, or that has ended.
type Training struct {
	Options gnnrag.Options
	Data    *engine.TrainingData // nil until it is known
	Epochs  []gnnrag.Epoch
	Task    string // what is being done within an epoch, or before the first
	Done    int64
	Total   int64 // 0 is not known
}

// last is the latest epoch.
func (t *Training) last() (gnnrag.Epoch, bool) {
	if len(t.Epochs) == 0 {
		return gnnrag.Epoch{}, false
	}
	return t.Epochs[len(t.Epochs)-1], true
}

// before is how many turns there were before a training was gone on with, of its
// first network and try.
func (t *Training) before() int {
	if len(t.Epochs) == 0 || t.Epochs[0].Network != 1 || t.Epochs[0].Try != 1 {
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
	return min(1, (float64(e.Network-1)+done)/float64(max(1, e.Networks))), true
}

// State says in one line how far a training has come.
func (t *Training) State() string {
	e, some := t.last()
	if !some {
		return ProgressText(cmp.Or(t.Task, "prepare the questions"), t.Done, t.Total, false)
	}
	var said []string
	if e.Networks > 1 {
		said = append(said, fmt.Sprintf("network %d of %d", e.Network, e.Networks))
	}
	if e.Try > 1 {
		said = append(said, "try "+Count(e.Try))
	}
	said = append(said, fmt.Sprintf("pass %d of at most %d through the questions", e.Epoch, e.Epochs))
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
	rest := e.Epochs - e.Epoch + (e.Networks-e.Network)*e.Epochs
	if rest <= 0 {
		return ""
	}
	return "at most " + about(per*float64(rest)) + " left"
}

// Begun says how long a training may take, once its first turn is measured.
func (t *Training) Begun() string {
	d := t.Data
	if d == nil || d.SecondsEpoch <= 0 || d.EpochsAtMost <= 0 {
		return ""
	}
	return fmt.Sprintf("A pass through the questions takes %s; there are %s at most.", about(d.SecondsEpoch), Count(d.EpochsAtMost))
}

// Result says how good the network in training is, by its best turn so far; ""
// where nothing was measured yet.
func (t *Training) Result() string {
	best, last := -1, gnnrag.Epoch{}
	for i, e := range t.Epochs {
		if e.Network != last.Network {
			best = -1
		}
		if e.Dev != nil && (e.Best || best < 0) {
			best = i
		}
		last = e
	}
	if best < 0 {
		return ""
	}
	whose := ""
	if last.Networks > 1 {
		whose = " of network " + Count(last.Network)
	}
	held, made := 0, false
	if t.Data != nil {
		held, made = t.Data.Held, t.Data.HeldMade
	}
	return "Best so far" + whose + ": " + Measured(t.Epochs[best].Dev.H1, held, made)
}

// countedAtMost is how many held questions are asked at each measurement; of more
// only a share is known.
const countedAtMost = 500

// Measured says a share of first answers that are right: "the first answer is right
// for 174 of 200 questions held back (0.87 H@1; 1 is all)". held is how many were
// held back; 0 where none were. made says that Cairn made them itself.
func Measured(h1 float64, held int, made bool) string {
	said := fmt.Sprintf("%s of 100 questions", perHundred(h1))
	switch {
	case held <= 0:
		return "the first answer is right for " + said + " that it learnt from (none were held back, so that this says little of others)"
	case held <= countedAtMost:
		said = fmt.Sprintf("%s of %s", Count(int(math.Round(h1*float64(held)))), Plural(held, "question", "questions"))
	}
	said = fmt.Sprintf("the first answer is right for %s held back (%.2f H@1; 1 is all)", said, h1)
	if made {
		said += "; " + MadeItself
	}
	return said
}

// MadeItself says what a measurement on questions that Cairn made out of the graph
// is, and what it is not.
const MadeItself = "Cairn made these questions from this graph itself, so that this does not say how well it answers yours"

// About says what is learnt from.
func (t *Training) About() []string {
	d := t.Data
	if d == nil {
		return nil
	}
	lines := []string{"It learns from " + cmp.Or(strings.TrimSuffix(OneLine(d.About), "."), Plural(d.Train, "question", "questions"))}
	if d.Held > 0 {
		lines[0] += " and is measured on " + Count(d.Held) + " that it does not learn from."
	} else {
		lines[0] += "; there are too few to hold some back for measuring."
	}
	if c := CoverageText(d.Coverage); c != "" {
		lines = append(lines, c)
	}
	if d.WithoutAnswer > 0 {
		lines = append(lines, Plural(d.WithoutAnswer, "question has", "questions have")+" no answer within reach.")
	}
	return lines
}

// poorCoverage is the share of answers in reach below which the user is told what
// to do.
const poorCoverage = 0.9

// CoverageText says how many of the right answers can be found at all; "" for a
// network that looks at the whole graph.
func CoverageText(c gnnrag.Coverage) string {
	if c.Entities == 0 && c.Share == 0 {
		return ""
	}
	text := fmt.Sprintf("%s of 100 right answers lie within the region that the network looks at (on average %s and %s).",
		perHundred(c.Share), Plural(int(math.Round(c.Entities)), "entity", "entities"), Plural(int(math.Round(c.Facts)), "triple", "triples"))
	if c.Share < poorCoverage {
		text += " The others cannot be found: under Advanced, raise the limit of hubs or the hops, or take the quick network, which looks at the whole graph."
	}
	return text
}

// perHundred rounds a share so that only all is 100.
func perHundred(share float64) string {
	n := int(math.Round(share * 100))
	if n == 100 && share < 1 {
		n = 99
	}
	return Count(n)
}

// Restarts say in words which tries did not get on.
func (t *Training) Restarts() []string {
	var lines []string
	for i, e := range t.Epochs {
		if !e.Stalled {
			continue
		}
		which := "The training"
		if e.Networks > 1 {
			which = fmt.Sprintf("Network %d of %d", e.Network, e.Networks)
		}
		line := fmt.Sprintf("%s stalled on attempt %d (after %s).", which, e.Try, Plural(e.Epoch, "pass", "passes"))
		if i+1 < len(t.Epochs) && t.Epochs[i+1].Network == e.Network {
			line += " It was restarted with other random numbers, which is normal."
		}
		lines = append(lines, line)
	}
	return lines
}

// Curve is one try of one network, for the picture of a training.
type Curve struct {
	Network, Try int
	Name         string // "network 2, try 1"; empty where there is but one
	Stalled      bool
	Points       []CurvePoint
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
		if n == 0 || curves[n-1].Network != e.Network || curves[n-1].Try != e.Try {
			curves = append(curves, Curve{Network: e.Network, Try: e.Try})
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
			curves[i].Name = "try " + Count(curves[i].Try)
			if last, _ := t.last(); last.Networks > 1 {
				curves[i].Name = fmt.Sprintf("network %d, try %d", curves[i].Network, curves[i].Try)
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
	Lines   []string // what it learnt from, how good it is, when it was made
	Warning string   // that it is stale, or cannot be used
	InUse   bool
	Usable  bool
}

// TrainedRows are the trained retrievers of a graph.
func TrainedRows(models []engine.TrainedModel) []TrainedRow {
	rows := make([]TrainedRow, 0, len(models))
	for _, m := range models {
		a := m.About
		row := TrainedRow{ID: m.ID, Name: TrainedName(m), InUse: m.InUse, Usable: m.Problem == ""}
		if data := strings.TrimSuffix(OneLine(a.Data), "."); data != "" && !strings.Contains(row.Name, data) {
			row.Lines = append(row.Lines, "Learnt from "+data)
		}
		if a.Questions > 0 {
			row.Lines = append(row.Lines, capitalFirst(Measured(a.Dev.H1, a.Held, a.HeldMade)))
		}
		if c := a.Coverage; c.Share > 0 {
			row.Lines = append(row.Lines, perHundred(c.Share)+" of 100 right answers lie within the region that it looks at")
		}
		made := NetworkName(a.Options.Kind)
		if n := len(a.Options.Encoders); n > 1 {
			made += ", " + Count(n) + " networks together"
		}
		if !a.Made.IsZero() {
			made += " · made " + a.Made.Local().Format("2 January 2006, 15:04")
		}
		if a.Seconds > 0 {
			made += ", which took " + about(a.Seconds)
		}
		if m.Bytes > 0 {
			made += " · " + Bytes(m.Bytes)
		}
		row.Lines = append(row.Lines, capitalFirst(made))
		switch {
		case m.Problem != "":
			row.Warning = Sentence(OneLine(m.Problem))
		case m.Stale != "":
			row.Warning = Sentence(OneLine(m.Stale))
		}
		rows = append(rows, row)
	}
	return rows
}

// TrainedName is the name of a trained retriever.
func TrainedName(m engine.TrainedModel) string {
	return capitalFirst(cmp.Or(OneLine(m.Name), NetworkName(m.About.Options.Kind)))
}

// InUse is the trained retriever that questions go to; ok is false for none that
// can be used.
func InUse(models []engine.TrainedModel) (m engine.TrainedModel, ok bool) {
	i := slices.IndexFunc(models, func(m engine.TrainedModel) bool { return m.InUse && m.Problem == "" })
	if i < 0 {
		return m, false
	}
	return models[i], true
}

// Trained says what came of a training.
func Trained(m engine.TrainedModel, stopped bool) string {
	name := Shorten(TrainedName(m), 60)
	said := "“" + name + "” is trained and in use"
	if stopped {
		said = "Stopped. The best so far is kept as “" + name + "” and in use"
	}
	if m.About.Questions == 0 {
		return said + "."
	}
	return said + ": " + Measured(m.About.Dev.H1, m.About.Held, m.About.HeldMade) + "."
}
