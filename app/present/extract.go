package present

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"cairn/engine/extract"
	"cairn/engine/kg"
)

// StatementRow is something that a model read in a text, for a person to decide.
type StatementRow struct {
	ID                   int64
	Head, Relation, Tail string
	State                kg.StatementState
	// Note says what speaks against it: why it may not hold, or why it does not.
	Note  string
	Quote string // the place that says it, on one line; empty where none does
	Line  int64
	// Start and End are byte offsets of the place in the document.
	Start, End int64
	Places     int
}

// StatementRows lists statements in the order of the document. The place that
// is shown is the first without a doubt, if there is one.
func StatementRows(statements []kg.Statement) []StatementRow {
	rows := make([]StatementRow, len(statements))
	for i := range statements {
		s := &statements[i]
		row := StatementRow{
			ID: s.ID, Head: OneLine(s.Head), Relation: OneLine(s.Relation), Tail: OneLine(s.Tail),
			State: s.State, Note: Sentence(OneLine(s.Doubt())), Places: len(s.Spans),
		}
		if s.State == kg.StatementInvalid {
			row.Note = Sentence(OneLine(s.Reason))
		}
		for j, x := range s.Spans {
			if j == 0 || x.Doubt == "" {
				row.Quote, row.Line, row.Start, row.End = OneLine(x.Quote), x.Line, x.Start, x.End
			}
			if x.Doubt == "" {
				break
			}
		}
		rows[i] = row
	}
	return rows
}

// Open reports whether there is still something to decide on.
func (r StatementRow) Open() bool {
	return r.State <= kg.StatementDeclined
}

// Plain reports whether nothing speaks against it and nobody has decided, so
// that it may be accepted with others at once.
func (r StatementRow) Plain() bool { return r.State == kg.StatementProposed && r.Note == "" }

// StatementFilter chooses which statements are listed.
type StatementFilter int

// The filters.
const (
	ShowAll StatementFilter = iota
	ShowToDecide
	ShowDoubtful // to decide, and something speaks against them
	ShowAccepted
	ShowDeclined
	ShowInvalid
	ShowAdded
)

// StatementFilters are the filters in their order.
var StatementFilters = []StatementFilter{ShowAll, ShowToDecide, ShowDoubtful, ShowAccepted, ShowDeclined, ShowInvalid, ShowAdded}

// String returns the filter in words.
func (f StatementFilter) String() string {
	switch f { //nolint:exhaustive // of one state each
	case ShowAll:
		return "All"
	case ShowDoubtful:
		return "Doubtful"
	}
	return capitalFirst(stateWords[filtered[f]])
}

// filtered are the states that the filters let through, but ShowAll, which has none.
var filtered = [...]kg.StatementState{
	ShowToDecide: kg.StatementProposed, ShowDoubtful: kg.StatementProposed, ShowAccepted: kg.StatementAccepted,
	ShowDeclined: kg.StatementDeclined, ShowInvalid: kg.StatementInvalid, ShowAdded: kg.StatementAdded,
}

// stateWords say what has become of a statement.
var stateWords = [...]string{
	kg.StatementProposed: "undecided", kg.StatementAccepted: "accepted", kg.StatementDeclined: "declined",
	kg.StatementInvalid: "not in the text", kg.StatementAdded: "in the graph",
}

// has reports whether a filter lets a statement through.
func (f StatementFilter) has(r StatementRow) bool {
	return f == ShowAll || r.State == filtered[f] && (f != ShowDoubtful || r.Note != "")
}

// FilterStatements returns the indexes of the rows that a filter lets through
// and that hold a text in a name, whatever its case; and how many every filter
// lets through, in the order of StatementFilters.
func FilterStatements(rows []StatementRow, f StatementFilter, text string) (shown []int, counts []int) {
	counts = make([]int, len(StatementFilters))
	text = strings.ToLower(strings.TrimSpace(text))
	for i, r := range rows {
		for j, other := range StatementFilters {
			if other.has(r) {
				counts[j]++
			}
		}
		if f.has(r) && (text == "" || strings.Contains(strings.ToLower(r.Head+"\x00"+r.Relation+"\x00"+r.Tail), text)) {
			shown = append(shown, i)
		}
	}
	return shown, counts
}

// NameRow is what a name of a text may mean in the graph.
type NameRow struct {
	Kind    kg.NameKind
	Name    string
	Why     string       // why the meaning is suggested
	Choices []NameChoice // the first is something new
	Chosen  int          // index into Choices
}

// NameChoice is one meaning.
type NameChoice struct {
	Key    string // of the graph; empty for something new
	Turned bool   // with its ends exchanged
	Text   string
}

// NameID tells names apart that mean different things.
type NameID struct {
	Kind kg.NameKind
	Name string // as extract.NameKey has it
}

// IDOfName is the id of a name as a statement has it.
func IDOfName(kind kg.NameKind, name string) NameID { return NameID{kind, extract.NameKey(name)} }

// NameRows lists the meanings of names, by id.
func NameRows(proposals []extract.Proposal) map[NameID]*NameRow {
	rows := make(map[NameID]*NameRow, len(proposals))
	for i := range proposals {
		p := &proposals[i]
		key, isNew := p.Meaning()
		fresh := "A new entity"
		if p.Kind == kg.RelationName {
			fresh = "A new relation"
		}
		if t := OneLine(p.Type); t != "" {
			fresh += " (" + Shorten(t, 40) + ")"
		}
		row := &NameRow{Kind: p.Kind, Name: OneLine(p.Name), Why: Sentence(OneLine(p.Why)), Choices: []NameChoice{{Text: fresh}}}
		seen := map[string]bool{fresh: true}
		for _, c := range p.Candidates {
			text := Shorten(OneLine(c.Label), 50)
			for _, more := range []string{c.Detail, c.Method} {
				if more != "" {
					text += " · " + Shorten(OneLine(more), 60)
				}
			}
			if seen[text] {
				text += " · " + Shorten(OneLine(c.Key), 40)
			}
			seen[text] = true
			row.Choices = append(row.Choices, NameChoice{Key: c.Key, Turned: c.Turned, Text: text})
			if !isNew && c.Key == key && c.Turned == (p.Decided && p.Turned) {
				row.Chosen = len(row.Choices) - 1
			}
		}
		rows[IDOfName(p.Kind, p.Name)] = row
	}
	return rows
}

// DocumentText says how far a text was read and what became of what it says.
func DocumentText(d kg.Document) string {
	said := []string{"read by " + OneLine(d.Model)}
	if d.Complete() {
		said = append(said, Plural(d.Chunks, "part", "parts"))
	} else {
		said = append(said, fmt.Sprintf("%s of %s read", Count(d.Read), Plural(d.Chunks, "part", "parts")))
	}
	if d.Failed > 0 {
		said = append(said, Count(d.Failed)+" failed")
	}
	total := 0
	for _, n := range d.Statements {
		total += n
	}
	said = append(said, Plural(total, "statement", "statements"))
	for state, words := range stateWords {
		if n := d.Statements[kg.StatementState(state)]; n > 0 {
			said = append(said, Count(n)+" "+words)
		}
	}
	return capitalFirst(strings.Join(said, " · "))
}

// AddedRows are the counts of what a text brought into the graph.
func AddedRows(a extract.Added) []CountRow {
	return []CountRow{
		{Label: "Added", Count: Count(a.Added), Note: "new triples, marked as read by a model"},
		{Label: "Already there", Count: Count(a.Duplicate), Note: "triples that now have one more source"},
		{Label: "New entities", Count: Count(a.Entities)},
		{Label: "New relations", Count: Count(a.Relations)},
		{Label: "Undecided", Count: Count(a.Left), Note: "statements without a decision"},
	}
}

// Around cuts out of a document the passage round the bytes from start to end:
// what comes before, the place itself, and what comes after, each on one line,
// with at most about radius bytes on either side. ok is false where the document
// is not that long.
func Around(text string, start, end int64, radius int) (before, place, after string, ok bool) {
	if start < 0 || end < start || end > int64(len(text)) {
		return "", "", "", false
	}
	from, to := max(int(start)-radius, 0), min(int(end)+radius, len(text))
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	before, after = text[from:start], text[end:to]
	if from > 0 {
		if space := strings.IndexAny(before, " \n"); space >= 0 {
			before = before[space:]
		}
		before = "…" + before
	}
	if to < len(text) {
		if space := strings.LastIndexAny(after, " \n"); space >= 0 {
			after = after[:space]
		}
		after += " …"
	}
	return OneLine(before), OneLine(text[start:end]), OneLine(after), true
}
