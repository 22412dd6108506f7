package present

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"cairn/engine"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/internal/wording"
)

// ConditionRow is how an answer, or what is none, stands to one condition of a question.
type ConditionRow struct {
	Text   string `json:"text"`
	Mark   string `json:"mark"` // "✓", "✗" or "?"
	Status string `json:"status"`
	// Triples say so where it is met, Instead what the graph has in its place.
	Triples []string `json:"triples,omitempty"`
	Instead []string `json:"instead,omitempty"`
	// Edges are those of Triples in the picture.
	Edges []string `json:"-"`
}

var conditionMarks = map[evidence.Status]string{evidence.Met: "✓", evidence.Unmet: "✗", evidence.Unknown: "?"}

// Conditions lists how an answer of a run stands to the conditions of its question; nil
// where the method does not tell them apart.
func Conditions(g *kg.Graph, run *engine.Run, e kg.EntityID) []ConditionRow {
	if len(run.Conditions) == 0 {
		return nil // before a search in what may be very many
	}
	a, ok := weighed(run, e)
	if !ok {
		return nil
	}
	return conditionRows(g, run.Conditions, a.Outcomes, nil)
}

func conditionRows(g *kg.Graph, conditions []evidence.Condition, outcomes []evidence.Outcome, instead [][]kg.TripleID) []ConditionRow {
	var rows []ConditionRow
	for i, o := range outcomes[:min(len(outcomes), len(conditions))] {
		r := ConditionRow{Text: OneLine(conditions[i].Text), Mark: conditionMarks[o.Status], Status: o.Status.Words(), Triples: tripleTexts(g, o.Triples)}
		r.Edges = wording.Each(o.Triples, EdgeID)
		if i < len(instead) {
			r.Instead = tripleTexts(g, instead[i])
		}
		rows = append(rows, r)
	}
	return rows
}

func tripleTexts(g *kg.Graph, ts []kg.TripleID) (texts []string) {
	return wording.Each(ts, func(t kg.TripleID) string { return TripleText(g, t) })
}

// Reasons are why an entity is an answer to a question, or why not, in words.
type Reasons struct {
	Name string `json:"name"`
	Key  string `json:"key"`
	// Answer says that it is one.
	Answer   bool   `json:"answer"`
	Headline string `json:"headline"`
	// Lines say whether the question names it, how much it meets, and where it came.
	Lines      []string       `json:"lines"`
	Conditions []ConditionRow `json:"conditions"`
	// Missing are the triples that would make it meet what it does not.
	Missing []string `json:"missing,omitempty"`
	// Because are the minimal sets of triples that make it an answer, Shared those
	// without any of which it would be none.
	Because [][]string `json:"because,omitempty"`
	Shared  []string   `json:"shared,omitempty"`
	More    string     `json:"more,omitempty"` // says that there are more such sets
	// Against are triples that speak against these, with the reason.
	Against []string `json:"against,omitempty"`
}

// ReasonsOf words what the engine found out of an entity; why is nil for what is no
// answer.
func ReasonsOf(g *kg.Graph, w *engine.WhyNot, why *evidence.Why) Reasons {
	s := Reasons{
		Name: OneLine(g.Label(w.Entity)), Key: OneLine(g.Key(w.Entity)), Answer: w.Place > 0 && w.Place <= w.Answers,
		Conditions: conditionRows(g, w.Conditions, w.Outcomes, w.Instead),
	}
	s.Missing = wording.Each(w.Missing, func(m evidence.Missing) string {
		return fmt.Sprintf("%s — %s → %s", OneLine(m.HeadText), OneLine(m.Relation), OneLine(m.TailText))
	})
	if why != nil {
		for _, set := range why.Sets {
			s.Because = append(s.Because, tripleTexts(g, set))
		}
		s.Shared = tripleTexts(g, why.Shared)
		s.Against = wording.Each(why.Against, func(a evidence.Against) string { return TripleText(g, a.Triple) + ": " + OneLine(a.Reason) })
		if why.Completeness != evidence.Exhaustive {
			s.More = "There are more such sets: the search was " + CompleteWords(why.Completeness) + "."
		}
	}
	s.Headline = reasonHeadline(s, w)
	s.Lines = reasonLines(w)
	return s
}

// reasonHeadline says in a sentence whether an entity is an answer.
func reasonHeadline(s Reasons, w *engine.WhyNot) string {
	met, all := w.CountMet(), len(w.Outcomes)
	meets := fmt.Sprintf("it meets %d of %s", met, Plural(all, "condition", "conditions"))
	if met == all {
		meets = "it meets " + wording.Every(all, "condition", "conditions")
	}
	switch {
	case s.Answer:
		return fmt.Sprintf("%s is an answer: %s.", s.Name, meets)
	case w.Named:
		return fmt.Sprintf("%s is not an answer: the question itself names it.", s.Name)
	case w.Apart:
		return fmt.Sprintf("%s is not an answer: it meets each condition separately, but not all at once.", s.Name)
	}
	return fmt.Sprintf("%s is not an answer: %s.", s.Name, meets)
}

// reasonLines say where an entity came in a run.
func reasonLines(w *engine.WhyNot) (lines []string) {
	switch {
	case w.Linked != "":
		lines = append(lines, fmt.Sprintf("“%s” in the question may refer to it.", OneLine(w.Linked)))
	case !w.Named:
		lines = append(lines, "No word of the question refers to it.")
	}
	met := w.CountMet()
	leads := slices.ContainsFunc(w.Outcomes, func(o evidence.Outcome) bool { return o.Status == evidence.Met && len(o.Triples) > 0 })
	switch {
	case w.Named: // said already
	case w.Place > 0 && w.Place <= w.Answers:
		lines = append(lines, fmt.Sprintf("It is answer %s of %s.", Count(w.Place), Count(w.Answers)))
	case w.Place > 0:
		lines = append(lines, fmt.Sprintf("It ranked %s, behind the %s.", ordinal(w.Place), Plural(w.Answers, "answer", "answers")))
	case !leads:
		lines = append(lines, "It was not a candidate: no triple about it meets a condition.")
	case w.Answers == 0:
		lines = append(lines, "It was a candidate, but the question has no answer.")
	case w.Best > met:
		cut := ""
		if w.Kept > w.Answers {
			cut = fmt.Sprintf(", and the last of the %s kept meets %d", Count(w.Kept), w.Least)
		}
		lines = append(lines, fmt.Sprintf("It was a candidate, but the first answer meets %d%s.", w.Best, cut))
	case w.Cut != evidence.Exhaustive:
		lines = append(lines, fmt.Sprintf("It was a candidate, but is not among the first %s: the search was %s.", Plural(w.Answers, "answer", "answers"), CompleteWords(w.Cut)))
	case w.Meets():
		lines = append(lines, "It was a candidate, but the answers are closer to the names in the question, or come first in the order asked for.")
	default:
		lines = append(lines, "It was a candidate, but ranked behind the answers.")
	}
	if w.Completeness != evidence.Exhaustive {
		lines = append(lines, "This explanation is incomplete: the search was "+CompleteWords(w.Completeness)+".")
	}
	return lines
}

// ordinal is a place: "3rd".
func ordinal(n int) string {
	end := "th"
	if n%100 < 11 || n%100 > 13 {
		end = cmp.Or(map[int]string{1: "st", 2: "nd", 3: "rd"}[n%10], end)
	}
	return Count(n) + end
}

// ReasonList is a list of triples below a title.
type ReasonList struct {
	Title string
	Texts []string
}

// Lists are the triples that are missing, and those that make it an answer.
func (s Reasons) Lists() (lists []ReasonList) {
	lists = append(lists, ReasonList{"What would make it an answer", s.Missing})
	for i, set := range s.Because {
		title := "Supported by these triples"
		if len(s.Because) > 1 {
			title = fmt.Sprintf("Supported by these triples (set %d)", i+1)
		}
		lists = append(lists, ReasonList{title, set})
	}
	if len(s.Because) > 1 {
		lists = append(lists, ReasonList{"Without any one of these, it would not be an answer", s.Shared})
	}
	return append(lists, ReasonList{"Evidence against it", s.Against})
}

// Text is all of it as lines of text.
func (s Reasons) Text() string {
	var b strings.Builder
	fmt.Fprintln(&b, s.Headline)
	for _, l := range s.Lines {
		fmt.Fprintln(&b, l)
	}
	if len(s.Conditions) > 0 {
		fmt.Fprintf(&b, "\nConditions\n")
	}
	for _, c := range s.Conditions {
		fmt.Fprintf(&b, "  %s %s (%s)\n", c.Mark, c.Text, c.Status)
		for _, t := range c.Triples {
			fmt.Fprintf(&b, "      %s\n", t)
		}
		for _, t := range c.Instead {
			fmt.Fprintf(&b, "      instead: %s\n", t)
		}
	}
	for _, l := range s.Lists() {
		if len(l.Texts) > 0 {
			fmt.Fprintf(&b, "\n%s\n", l.Title)
		}
		for _, t := range l.Texts {
			fmt.Fprintf(&b, "  %s\n", t)
		}
	}
	if s.More != "" {
		fmt.Fprintf(&b, "%s\n", s.More)
	}
	return b.String()
}

// Explainer finds out how an entity stands to the question of a run.
type Explainer interface {
	Graph() *kg.Graph
	WhyNot(ctx context.Context, run *engine.Run, e kg.EntityID) (*engine.WhyNot, error)
	Why(ctx context.Context, run *engine.Run, e kg.EntityID) (*evidence.Why, error)
}

// FindReasons tells why an entity is an answer of a run, or why not. It fails with
// engine.ErrNoConditions where the run asks for no entity by conditions.
func FindReasons(ctx context.Context, by Explainer, run *engine.Run, e kg.EntityID) (Reasons, error) {
	w, err := by.WhyNot(ctx, run, e)
	if err != nil {
		return Reasons{}, err
	}
	var why *evidence.Why
	if w.Place > 0 && w.Place <= w.Answers {
		if why, err = by.Why(ctx, run, e); err != nil {
			return Reasons{}, err
		}
	}
	return ReasonsOf(by.Graph(), w, why), nil
}

// NoConditions says why nothing can be explained of an entity.
const NoConditions = "This question does not ask for entities by conditions, so no entity can be explained."

// CanExplain reports whether FindReasons has something to say of a run's entities.
func CanExplain(run *engine.Run) bool {
	return run != nil && run.Plan != nil && run.Pattern() != nil && run.Pattern().Asked >= 0
}

// NamesFor says why a name means no one entity, and what can be asked for instead: keys,
// where the name is of several, else the nearest names.
func NamesFor(g *kg.Graph, name string, es []kg.EntityID, named bool) (why string, names []string) {
	for _, e := range es {
		if named {
			names = append(names, g.Key(e))
		} else {
			names = append(names, g.Label(e))
		}
	}
	switch {
	case named:
		return fmt.Sprintf("“%s” may be any of %d entities. Choose one by its key:", OneLine(name), len(es)), names
	case len(es) > 0:
		return fmt.Sprintf("Nothing in this graph is called “%s”. The closest names:", OneLine(name)), names
	}
	return fmt.Sprintf("Nothing in this graph is called “%s”.", OneLine(name)), nil
}
