package present

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/words"
	"cairn/internal/wording"
)

// headline says the outcome of a run in a few words, and its tone. An answer to less
// than what was asked is a doubtful one, and names what was not read.
func headline(run *engine.Run) (string, Tone) {
	text, tone := outcome(run)
	return opening(run) + text + open(run), tone
}

// isClosest reports whether what is shown meets not all that was asked, and is the
// closest to it.
func isClosest(run *engine.Run) bool {
	return unmet(run) != "" && run.Completeness != evidence.Fallback && run.Answers[0].CountMet() < len(run.Conditions)
}

// opening begins a headline over what is no whole answer, or none of the whole graph.
func opening(run *engine.Run) (text string) {
	if run != nil && len(run.Without) > 0 {
		text = "Without " + Plural(len(run.Without), "triple", "triples") + ": "
	}
	if isClosest(run) {
		text += "Closest: "
	}
	if isGuess(run) {
		text += fmt.Sprintf("A guess, %d%% likely: ", int(100*run.Plan.Confidence))
	}
	return text
}

// isGuess reports whether a run answers by a reading that is more likely wrong than right:
// that must not look like what is likely.
func isGuess(run *engine.Run) bool {
	return run != nil && run.Plan != nil && run.Plan.Doubt != plan.Sure && run.Plan.Confidence > 0 && run.Plan.Confidence < 0.5 &&
		run.Reading == 0 && run.Answer != nil && run.Answer.Refusal == nil && run.Answer.Verdict == answer.NoVerdict && !likely(run)
}

// open says at the end of a headline what an answer leaves open: conditions, and words
// that were not read.
func open(run *engine.Run) string { return unmet(run) + notRead(run) }

// unmet says how much the best answer meets, where answers do not meet everything.
func unmet(run *engine.Run) string {
	switch {
	case run == nil || run.Answer == nil || run.Answer.Refusal != nil || !run.Partial():
		return ""
	case run.Completeness == evidence.Fallback:
		return ", linked to names in the question"
	}
	return ", meeting " + met(run) // of one or of several
}

// met says which of the conditions the best answer of a run meets.
func met(run *engine.Run) string {
	n, all := run.Answers[0].CountMet(), len(run.Conditions)
	if n == all {
		return wording.Every(all, "condition", "conditions")
	}
	return fmt.Sprintf("%d of %s", n, Plural(all, "condition", "conditions"))
}

// notRead names the words of a question that its reading leaves out, for the end of a
// headline; "" where there are none, and where there is no answer.
func notRead(run *engine.Run) string {
	if run == nil || run.Answer == nil || run.Answer.Refusal != nil || run.Answer.Verdict != answer.NoVerdict || run.Pattern() == nil {
		return ""
	}
	unused := slices.Clone(run.Plan.Readings[run.Reading].Unused)
	for _, w := range Words(run) { // a plan in doubt need not list them
		if run.Plan.Doubt != plan.Sure && w.Role == plan.Unread && !slices.Contains(unused, w.Text) {
			unused = append(unused, w.Text)
		}
	}
	if len(unused) == 0 {
		return ""
	}
	slices.SortStableFunc(unused, func(a, b string) int {
		return cmp.Compare(strings.Index(run.Question, a), strings.Index(run.Question, b))
	})
	return ", ignoring " + List(wording.Each(slices.Compact(unused), func(w string) string { return "“" + OneLine(w) + "”" }))
}

// WordRow is a piece of a question: a word with its role, or what stands between words.
type WordRow struct {
	Text string    `json:"text"`
	Role plan.Role `json:"role"`
	For  string    `json:"for,omitempty"` // what it stands for
	Gap  bool      `json:"-"`             // it is no word
}

// Words cuts the question of a run into pieces that say what the reading makes of each
// word; nil where nobody told.
func Words(run *engine.Run) (rows []WordRow) {
	if run == nil || run.Plan == nil || run.Pattern() == nil {
		return nil
	}
	r, at := run.Plan.Readings[run.Reading], 0
	gap := func(to int) {
		if to > at {
			rows = append(rows, WordRow{Text: run.Question[at:to], Gap: true})
		}
	}
	for _, w := range r.Words {
		if w.Start < at || w.End > len(run.Question) || w.End <= w.Start {
			return nil // of another text
		}
		gap(w.Start)
		row := WordRow{Text: run.Question[w.Start:w.End], Role: w.Role, For: w.For}
		said := row.Role == plan.Named || row.Role == plan.Related
		if slices.Contains(r.Unused, row.Text) || !said && strings.Contains(Unsaid(run), wording.Quote(row.Text)) {
			row.Role, row.For = plan.Unread, ""
		}
		rows, at = append(rows, row), w.End
	}
	if rows != nil {
		gap(len(run.Question))
	}
	return rows
}

// Means says in words what a word stands for.
func (w WordRow) Means() string {
	text := map[plan.Role]string{
		plan.Filler: "a filler word", plan.Named: "a name", plan.Related: "asks for", plan.Kind: "a type",
		plan.Valued: "a value", plan.Operator: "an operator", plan.Unread: "ignored",
	}[w.Role]
	if w.For != "" && w.Role != plan.Named {
		text += " " + OneLine(w.For)
	}
	return text
}

// outcome is Headline without what is left open.
func outcome(run *engine.Run) (text string, tone Tone) {
	defer func() {
		if open(run) != "" {
			tone = Doubtful
		}
	}()
	if run == nil || run.Answer == nil {
		return "", Plain
	}
	a := run.Answer
	switch {
	case a.Verdict == answer.Likely, a.Verdict == answer.Supported && isDoubted(run):
		return "Likely supported by this graph", Doubtful
	case a.Verdict == answer.Supported:
		return "Supported by this graph", Good
	case a.Verdict == answer.Refuted:
		return "Refuted by this graph", Bad
	case a.Verdict == answer.NotFound:
		return "Not found in this graph", Doubtful
	case a.Refusal != nil:
		return "No answer in this graph", Doubtful
	case isCount(run):
		return "Answer: " + Count(a.Count), Good
	case run.Task == pattern.Connect:
		return Plural(a.Count, "path", "paths"), Good
	case run.Task == pattern.Contrast:
		return "Compared", Good
	}
	tone = Good
	if run.Method.Seeded { // it says what is likely or near, and not what fits a pattern
		tone = Plain
		if len(notes(run)) > 0 || run.Plan != nil && run.Plan.Doubt != plan.Sure {
			tone = Doubtful
		}
	}
	switch n := max(a.Count, len(a.Items)); {
	case n > 1 && likely(run):
		return Count(n) + " ranked answers", tone
	case n > 1 && isClosest(run):
		return Count(n) + " entities", tone
	case n > 1:
		return Count(n) + " answers", tone
	case n == 1 && likely(run):
		return "Likely answer", tone
	case n == 1:
		return "Answer", tone
	}
	return "Answer", Plain
}

// Glance is Headline, but names the answers themselves where they are few and
// short, or the likeliest.
func Glance(run *engine.Run) (string, Tone) {
	text, tone := outcome(run)
	if run != nil && run.Answer != nil && run.Answer.Refusal == nil && run.Answer.Verdict == answer.NoVerdict && !isCount(run) {
		if likely(run) {
			text = likeliest(run)
		} else {
			text = cmp.Or(briefly(run.Answer), text)
		}
	}
	return opening(run) + text + open(run), tone
}

// likeliest names the first answer of a network, with its probability, and says how
// many there are beside it.
func likeliest(run *engine.Run) string {
	a := run.Answer
	if len(a.Items) == 0 {
		text, _ := headline(run)
		return text
	}
	const few, short, alike = 3, 44, 0.95
	of := func(i int) float64 {
		score, _ := scoreOf(run, a.Items[i].Entity)
		return score.Value
	}
	says := evidence.ProbabilityText(of(0))
	equal := 1 // items that come first together
	for equal < len(a.Items) && of(equal) >= alike*of(0) {
		equal++
	}
	names := labels(a.Items[:min(equal, few)])
	first := Shorten(List(names), short) + " (" + says + ")"
	if equal > 1 {
		first = List(names) + " (" + says + " each)"
		if equal > few || len(first) > short {
			first = Count(equal) + " tied (" + says + " each)"
			if equal == max(a.Count, len(a.Items)) {
				return Count(equal) + " equally likely answers (" + says + " each)"
			}
		}
	}
	if more := max(a.Count, len(a.Items)) - equal; more > 0 {
		return "Most likely: " + first + " and " + Count(more) + " more"
	}
	chance := of(0)
	if !run.Method.Reads { // each has a part of it
		chance *= float64(equal)
	}
	if chance < 0.5 {
		return "Possibly: " + first
	}
	return "Likely: " + first
}

// briefly names the answers where they are few and short; "" otherwise.
func briefly(a *answer.Answer) string {
	const few, short = 3, 48
	if len(a.Items) == 0 || len(a.Items) > few || a.Count > len(a.Items) {
		return ""
	}
	if text := List(labels(a.Items)); len(text) <= short {
		return text
	}
	return ""
}

// isCount reports whether the question asks how many.
func isCount(run *engine.Run) bool {
	p := run.Matched()
	return p != nil && p.Task == pattern.Count
}

// Tone is how an outcome should look. It is always said in words too.
type Tone int

// The tones.
const (
	Plain Tone = iota
	Good
	Doubtful
	Bad
)

// Basis says in a sentence what the answer rests on and how complete it is.
func Basis(run *engine.Run) string {
	if run == nil || run.Answer == nil {
		return ""
	}
	a := run.Answer
	var said []string
	n := len(a.Pack.Triples)
	switch {
	case a.Model != "" && passed(a):
		said = append(said, "written by "+a.Model+", checked against "+Plural(n, "triple", "triples"))
	case n > 0 && a.Refusal != nil:
		said = append(said, "no answer is based on the "+Plural(n, "triple", "triples")+" shown")
	case n > 0:
		said = append(said, "based on "+Plural(n, "triple", "triples"))
	}
	if a.Refusal == nil {
		said = append(said, howFound(run)...)
	}
	return capitalFirst(strings.Join(said, " · "))
}

// howFound says how an answer was found, how good it is and how complete the search was.
func howFound(run *engine.Run) []string {
	var said []string
	if run.Method.Seeded {
		said = append(said, "found by "+retrieverName(run))
	}
	switch best, ok := run.Best(); {
	case ok && best.Scale == evidence.Distance && ScoreText(best) == "exact":
		said = append(said, "exact match")
	case ok && best.Scale == evidence.Distance:
		said = append(said, "distance "+ScoreText(best)+", lower is closer")
	case ok && best.Scale == evidence.Conditions && len(run.Conditions) > 0:
		said = append(said, "meets "+met(run))
	case ok && len(run.Answer.Items) == 1 && scoreWords(best) != "":
		said = append(said, scoreWords(best))
	}
	switch {
	case run.Completeness != evidence.Exhaustive:
		said = append(said, CompleteWords(run.Completeness))
	case !run.Method.Seeded:
		said = append(said, "complete search")
	}
	if !modelAsked(run) {
		said = append(said, "no language model used")
	}
	return said
}

// AnswerRow is one entity that answers the question.
type AnswerRow struct {
	Entity    kg.EntityID
	Label     string
	Detail    string // type or key, where it helps to tell it apart
	Citations []int
	Bar       float64 // its number as a part of the largest, from 0 to 1; 0 for none
	Score     evidence.Score
	Why       []string // where the score comes from; nil where nothing says so
	// Conditions say how it stands to what the question asks; nil where the method does
	// not tell that apart.
	Conditions []ConditionRow
}

// sentenceNames is how many answers a sentence names at most.
const sentenceNames = 12

// MoreAnswers says how many answers there are beyond the first shown ones, and where they
// are: very many are counted, and only the first of them kept.
func MoreAnswers(run *engine.Run, shown int) string {
	kept, all := len(run.Answer.Items), run.Answer.Count
	copied := "them all"
	if kept < all {
		copied = "the first " + Count(kept)
	}
	return "and " + Plural(max(kept, all)-shown, "more answer", "more answers") + "; Copy includes " + copied
}

// AnswerRows lists the entities that answer a question, with a detail that
// tells those of one name apart.
func AnswerRows(g *kg.Graph, run *engine.Run) []AnswerRow {
	if run == nil || run.Answer == nil {
		return nil
	}
	items := run.Answer.Items
	sameName := make(map[string]int, len(items))
	for _, it := range items {
		sameName[it.Label]++
	}
	found := map[kg.EntityID]evidence.Answer{} // as weighed finds them, for there may be very many
	for _, list := range [][]evidence.Answer{run.Weighed, run.Answers} {
		for _, a := range slices.Backward(list) {
			found[a.Entity] = a
		}
	}
	rows := make([]AnswerRow, len(items))
	bars := Bars(run.Answer)
	for i, it := range items {
		rows[i] = AnswerRow{Entity: it.Entity, Label: OneLine(it.Label), Citations: it.Citations, Detail: typeOf(g, it.Entity)}
		found := found[it.Entity]
		rows[i].Score, rows[i].Why = found.Score, why(found.Explanation)
		rows[i].Conditions = conditionRows(g, run.Conditions, found.Outcomes, nil)
		if it.Amount != nil && it.Entity != kg.NoEntity {
			rows[i].Detail = strings.TrimSuffix(OneLine(it.Amount.Text)+" · "+rows[i].Detail, " · ")
			if len(bars) == len(items) {
				rows[i].Bar = bars[i].Share
			}
		}
		if it.Entity == kg.NoEntity { // a value, of which there may be several
			if i < len(run.Answers) {
				rows[i].Score = run.Answers[i].Score
			}
			continue
		}
		if sameName[it.Label] > 1 {
			rows[i].Detail = strings.Trim(rows[i].Detail+" · "+OneLine(g.Key(it.Entity)), " ·")
		}
	}
	return rows
}

// why says an explanation line by line, with the parts that a score adds up from.
func why(x evidence.Explanation) []string {
	if x.Message == "" {
		return nil
	}
	lines := []string{Sentence(x.Message)}
	for _, group := range x.Children {
		for _, part := range group.Children {
			lines = append(lines, PartText(part.Value)+"  "+OneLine(part.Message))
		}
	}
	return lines
}

// MissingText says one thing that stood between a question and an answer.
func MissingText(m answer.Missing) string {
	s := Sentence("Not found: " + OneLine(m.Text))
	switch m.What {
	case "mention":
		s = fmt.Sprintf("Nothing in this graph is called “%s”.", OneLine(m.Text))
	case "relation":
		// What the graph has instead is a sentence of the answer already.
		return Sentence(OneLine(m.Text))
	}
	if m.Closest != "" {
		s += fmt.Sprintf(" The closest match is “%s”.", OneLine(m.Closest))
	}
	return s
}

// ReadingRow is one way to understand a question.
type ReadingRow struct {
	Index  int // into Plan.Readings
	Text   string
	Which  string   // tells readings of the same words apart; may be empty
	Unused []string // words that the reading ignores
	Chosen bool
	// Score is its probability, where it has one.
	Score evidence.Score
}

// Line is the reading in one line, with its probability.
func (r ReadingRow) Line() string {
	if r.Score.Scale != evidence.Probability {
		return r.Text
	}
	return r.Text + " (probability " + ScoreText(r.Score) + ")"
}

// standing says whether the reading was followed.
func (r ReadingRow) standing() string {
	if r.Chosen {
		return "Reading used"
	}
	return "Other reading"
}

// maxReadings is how many readings are offered: more would not be read.
const maxReadings = 5

// Readings lists the ways to understand a question, best first. Readings of the
// same words that are about different entities say which.
func Readings(g *kg.Graph, run *engine.Run) []ReadingRow {
	if run == nil || run.Plan == nil {
		return nil
	}
	var rows []ReadingRow
	texts := map[string]int{} // how many rows say the same
	seen := map[string]int{}  // index into rows, by what is meant
	for i, r := range run.Plan.Readings {
		row := ReadingRow{Index: i, Text: OneLine(r.Text), Unused: r.Unused, Chosen: i == run.Reading}
		if run.Method.Reads {
			row.Score = evidence.Score{Value: r.Score, Scale: evidence.Probability}
		}
		meant := row.Text + meaning(r.Pattern)
		if same, ok := seen[meant]; ok {
			if row.Chosen {
				rows[same] = row
			}
			continue
		}
		if len(rows) >= maxReadings && !row.Chosen {
			continue
		}
		seen[meant] = len(rows)
		texts[row.Text]++
		rows = append(rows, row)
	}
	for i, row := range rows {
		if texts[row.Text] > 1 {
			rows[i].Which = whichEntities(g, run.Plan.Readings[row.Index].Pattern)
		}
	}
	return rows
}

// meaning tells patterns apart that are worded alike.
func meaning(p *pattern.Pattern) string {
	if p == nil {
		return ""
	}
	var b strings.Builder
	for _, n := range p.Nodes {
		fmt.Fprint(&b, n.Entities, ";")
	}
	for _, e := range p.Edges {
		fmt.Fprint(&b, e.From, e.To, e.Relation, e.Fixed, ";")
	}
	return b.String()
}

// whichEntities says what the known nodes of a pattern are: "Georgia: country".
func whichEntities(g *kg.Graph, p *pattern.Pattern) string {
	var said []string
	for _, n := range p.Nodes {
		if n.Variable || len(n.Entities) == 0 {
			continue
		}
		e := n.Entities[0]
		what := typeOf(g, e)
		if key := OneLine(g.Key(e)); key != OneLine(g.Label(e)) && key != "" {
			what = strings.Trim(what+", "+Shorten(key, 40), ", ")
		}
		if what != "" {
			said = append(said, OneLine(g.Label(e))+": "+what)
		}
	}
	return strings.Join(said, "; ")
}

// Choice says which relation of a graph a word asks for, as the user chose.
func Choice(g *kg.Graph, c words.Choice) string {
	asks := wording.Quote(OneLine(c.Word)) + " asks for "
	for r := range kg.RelationID(g.Relations()) {
		if g.RelationKey(r) == c.RelationKey {
			return asks + wording.Quote(OneLine(g.RelationText(r)))
		}
	}
	return asks + wording.Quote(OneLine(c.RelationKey)) + ", which this graph lacks"
}

// Taken says in sentences which names of the question were not taken literally
// on the way to the reading that was followed, such as “Atlantis” for “Atlantic
// Ocean”, and why.
func Taken(g *kg.Graph, run *engine.Run) []string {
	var said []string
	for m, c := range taken(run) {
		said = append(said, fmt.Sprintf("“%s” was read as “%s” (%s).", OneLine(m.Text), OneLine(g.Label(c.Entity)), c.Method.Words()))
	}
	return said
}

// taken are the names that were not taken literally, with what each was taken for.
func taken(run *engine.Run) iter.Seq2[link.Mention, link.Candidate] {
	return func(yield func(link.Mention, link.Candidate) bool) {
		if run == nil || run.Plan == nil {
			return
		}
		used := namedEntities(run)
		for _, m := range run.Plan.Mentions {
			i := slices.IndexFunc(m.Candidates, func(c link.Candidate) bool { return used[c.Entity] })
			if i >= 0 && (m.Candidates[i].Method == link.Typo || m.Candidates[i].Method == link.Near) && !yield(m, m.Candidates[i]) {
				return
			}
		}
	}
}

// Chosen says in sentences what others said that the automatic choice asked, and why the
// answer is this one; nil where nobody else was asked.
func Chosen(run *engine.Run) []string {
	return wording.Each(run.Chosen, func(s string) string { return Sentence(OneLine(s)) })
}

// Doubt says why a planner is not sure, or returns "".
func Doubt(run *engine.Run) string {
	if run == nil || run.Plan == nil {
		return ""
	}
	if a := run.Answer; a != nil && a.Refusal != nil &&
		(run.Plan.Doubt == plan.NoMention || strings.Contains(a.Refusal.Reason, strings.TrimSuffix(run.Plan.Reason, "."))) {
		return "" // it is what the refusal is about, or says
	}
	if run.Plan.Reason != "" && (run.Plan.Doubt != plan.Ambiguous || run.Method.Reads) {
		return Sentence(run.Plan.Reason)
	}
	switch run.Plan.Doubt {
	case plan.Sure:
	case plan.Ambiguous:
		return "The question can be read in more than one way."
	case plan.Unsure:
		return "Some words of the question were ignored; check how it was read."
	case plan.NoMention:
		return "No name in the question is in this graph."
	case plan.NoRelation:
		return "The question does not name a relation that this graph knows."
	case plan.NotSupported:
		return "Questions of this form are not supported yet."
	}
	return ""
}

// AnswerText is an answer as plain text, for the clipboard: the question, the
// sentences with their citations, and the triples cited.
func AnswerText(g *kg.Graph, run *engine.Run) string {
	if run == nil || run.Answer == nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintln(&b, OneLine(run.Question))
	b.WriteByte('\n')
	for _, line := range WhatIfLines(g, run) {
		fmt.Fprintln(&b, line)
	}
	if head, _ := headline(run); head != "" {
		fmt.Fprintln(&b, head)
	}
	if r := run.Answer.Refusal; r != nil {
		fmt.Fprintln(&b, Sentence(r.Reason))
		for _, m := range r.Missing {
			fmt.Fprintln(&b, MissingText(m))
		}
	}
	rows := Sentences(run.Answer)
	for _, s := range rows {
		fmt.Fprintln(&b, s.Copied())
	}
	for _, line := range rankedText(g, run) {
		fmt.Fprintln(&b, line)
	}
	if items := AnswerRows(g, run); len(items) > sentenceNames && !run.Method.Seeded {
		b.WriteByte('\n')
		for _, r := range items {
			fmt.Fprintln(&b, strings.TrimSuffix(r.Label+" · "+r.Detail, " · "))
		}
		if more := run.Answer.Count - len(items); more > 0 {
			fmt.Fprintln(&b, "and "+Plural(more, "more answer", "more answers"))
		}
	}
	if modelAsked(run) {
		for _, line := range append([]string{CheckSummary(rows)}, MakerLines(run)...) {
			if line != "" {
				fmt.Fprintln(&b, line)
			}
		}
	}
	if len(run.Answer.Pack.Triples) > 0 {
		b.WriteByte('\n')
	}
	for i, t := range run.Answer.Pack.Triples {
		fmt.Fprintf(&b, "[%s] %s\n", Tag(i+1), TripleText(g, t))
	}
	return b.String()
}

// rankedText says the scores and the paths of answers that match no pattern, and what to
// know about them.
func rankedText(g *kg.Graph, run *engine.Run) []string {
	n := Network(g, run)
	if len(n.Answers) == 0 {
		return nil
	}
	line := "Found by " + retrieverName(run) + "."
	if t := ScaleTitle(run); t != "" {
		line += " " + t + "."
	}
	lines := []string{line}
	for _, a := range n.Answers {
		lines = append(lines, strings.TrimSuffix(a.Name+": "+a.Score, ": "))
		for _, p := range a.Paths {
			lines = append(lines, "    "+p.Text)
		}
	}
	if n.More != "" {
		lines = append(lines, n.More)
	}
	return append(lines, n.Notes...)
}
