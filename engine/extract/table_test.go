package extract

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/kg"
)

func TestTableComesBackAsItWas(t *testing.T) {
	d := kg.Document{ID: 7, Hash: "0123456789abcdef", Name: "a\tb.md", Model: "m"}
	odd := "a\tkey\nwith \"all\""
	statements := []kg.Statement{
		{ID: 1, Head: "h", Relation: "r", Tail: "t", Spans: []kg.Span{{Quote: "one\ntwo\tthree"}}},
		{ID: 2, Spans: []kg.Span{{Doubt: "a question"}}},
		{ID: 3, State: kg.StatementAccepted},
		{ID: 4, State: kg.StatementDeclined},
		{ID: 5, State: kg.StatementInvalid, Reason: "no such words"},
		{ID: 6, State: kg.StatementAdded},
	}
	proposals := []Proposal{
		{Kind: kg.EntityName, Name: "Vienna", Suggested: "Q1741", Candidates: []Candidate{{Key: "Q1741", Label: "Vienna", Method: "exact name"}}},
		{Kind: kg.EntityName, Name: "new"},
		{Kind: kg.EntityName, Name: "odd", Decided: true, Existing: odd},
		{Kind: kg.RelationName, Name: "is", Suggested: "other", Decided: true},
		{Kind: kg.RelationName, Name: "capital of", Decided: true, Existing: "capital", Turned: true},
	}
	var b strings.Builder
	if err := WriteTable(&b, d, statements, proposals); err != nil {
		t.Fatal(err)
	}
	got, err := readTable("t.tsv", strings.NewReader(b.String()))
	want := []Decided{{
		Document: 7, Hash: "01234567",
		States: map[int64]kg.StatementState{1: kg.StatementAccepted, 2: kg.StatementProposed, 3: kg.StatementAccepted, 4: kg.StatementDeclined},
		Names: []kg.Naming{
			{Kind: kg.EntityName, Name: "Vienna", Existing: "Q1741"},
			{Kind: kg.EntityName, Name: "new"},
			{Kind: kg.EntityName, Name: "odd", Existing: odd},
			{Kind: kg.RelationName, Name: "is"},
			{Kind: kg.RelationName, Name: "capital of", Existing: "capital", Turned: true},
		},
	}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("readTable, %v (-want +got):\n%s\n%s", err, diff, b.String())
	}
}

func TestReadTableRefusals(t *testing.T) {
	for text, say := range map[string]string{
		"":                          "names no document",
		"# nothing\n":               "names no document",
		"document\tx\th\n":          "line 1",
		"statement\tyes\t1\n":       "must come first",
		"document\t1\th\nnonsense":  "line 2",
		"document\t1\th\na\tb\tc\n": "must begin with document",
		"document\t1\th\n\nstatement\tperhaps\t1\n":     "line 3",
		"document\t1\th\nstatement\tyes\tone\n":         "then its number",
		"document\t1\th\nentity\tVienna\tVienna\n":      "“new”, “is”",
		"document\t1\th\n" + strings.Repeat("x", 2<<20): "more than 1 MB",
	} {
		if got, err := readTable("t.tsv", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), say) {
			t.Errorf("readTable(%.40q) = %+v, %v; want an error that says %q", text, got, err, say)
		}
	}
}

func FuzzReadTable(f *testing.F) {
	f.Add("document\t1\th\nstatement\tyes\t1\nentity\tis \"a\\tb\"\tc\n")
	f.Fuzz(func(_ *testing.T, text string) {
		_, _ = readTable("t.tsv", strings.NewReader(text)) // does not panic
	})
}
