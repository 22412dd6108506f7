package present

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/extract"
	"cairn/engine/kg"
)

func statements() []kg.Statement {
	return []kg.Statement{
		{ID: 1, Head: "Vienna", Relation: "capital of", Tail: "Austria", Spans: []kg.Span{{Start: 4, End: 30, Line: 2, Quote: "Vienna, the capital\nof Austria"}}},
		{ID: 2, Head: "Graz", Relation: "capital of", Tail: "Austria", Spans: []kg.Span{
			{Line: 3, Quote: "Graz is not", Doubt: "it is denied"}, {Line: 9, Quote: "Graz, once the capital"},
		}},
		{ID: 3, Head: "Linz", Relation: "capital of", Tail: "Austria", Spans: []kg.Span{{Line: 4, Quote: "Linz may be", Doubt: "the text is not sure"}}},
		{ID: 4, Head: "Rome", Relation: "capital of", Tail: "Italy", State: kg.StatementInvalid, Reason: "“Rome” is not in the text"},
		{ID: 5, Head: "Bern", Relation: "capital of", Tail: "Switzerland", State: kg.StatementAccepted},
		{ID: 6, Head: "Oslo", Relation: "capital of", Tail: "Norway", State: kg.StatementAdded},
	}
}

func TestStatementRows(t *testing.T) {
	rows := StatementRows(statements())
	want := []StatementRow{
		{ID: 1, Head: "Vienna", Relation: "capital of", Tail: "Austria", Quote: "Vienna, the capital of Austria", Line: 2, Start: 4, End: 30, Places: 1},
		{ID: 2, Head: "Graz", Relation: "capital of", Tail: "Austria", Quote: "Graz, once the capital", Line: 9, Places: 2},
		{ID: 3, Head: "Linz", Relation: "capital of", Tail: "Austria", Note: "The text is not sure.", Quote: "Linz may be", Line: 4, Places: 1},
		{ID: 4, Head: "Rome", Relation: "capital of", Tail: "Italy", State: kg.StatementInvalid, Note: "“Rome” is not in the text."},
		{ID: 5, Head: "Bern", Relation: "capital of", Tail: "Switzerland", State: kg.StatementAccepted},
		{ID: 6, Head: "Oslo", Relation: "capital of", Tail: "Norway", State: kg.StatementAdded},
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("StatementRows() (-want +got):\n%s", diff)
	}
	var plain []int64
	for _, r := range rows {
		if r.Plain() {
			plain = append(plain, r.ID)
		}
	}
	if want := []int64{1, 2}; !slices.Equal(plain, want) {
		t.Errorf("plain are %v, want %v: a doubt or a decision keeps from accepting all", plain, want)
	}
}

func TestFilterStatements(t *testing.T) {
	rows := StatementRows(statements())
	for _, c := range []struct {
		filter StatementFilter
		text   string
		want   []int
	}{
		{ShowAll, "", []int{0, 1, 2, 3, 4, 5}},
		{ShowAll, " AUSTRIA ", []int{0, 1, 2}},
		{ShowAll, "of aus", nil}, // no name holds it
		{ShowToDecide, "", []int{0, 1, 2}},
		{ShowDoubtful, "", []int{2}},
		{ShowAccepted, "", []int{4}},
		{ShowDeclined, "", nil},
		{ShowInvalid, "", []int{3}},
		{ShowAdded, "", []int{5}},
	} {
		got, counts := FilterStatements(rows, c.filter, c.text)
		if !slices.Equal(got, c.want) {
			t.Errorf("FilterStatements(%s, %q) = %v, want %v", c.filter, c.text, got, c.want)
		}
		if want := []int{6, 3, 1, 1, 0, 1, 1}; !slices.Equal(counts, want) {
			t.Errorf("FilterStatements(%s, %q) counts %v, want %v", c.filter, c.text, counts, want)
		}
	}
}

func TestNameRows(t *testing.T) {
	rows := NameRows([]extract.Proposal{
		{
			Kind: kg.EntityName, Name: "Wien", Type: "city", Suggested: "Q1741", Why: "it is an alias of Vienna",
			Candidates: []extract.Candidate{{Key: "Q1741", Label: "Vienna", Detail: "city", Method: "alias"}, {Key: "Q9", Label: "Vienna", Detail: "city", Method: "alias"}},
		},
		{Kind: kg.EntityName, Name: "Graz", Decided: true, Suggested: "Q13298", Candidates: []extract.Candidate{{Key: "Q13298", Label: "Graz"}}},
		{Kind: kg.RelationName, Name: "lies on"},
	})
	wien := rows[IDOfName(kg.EntityName, "WIEN")]
	if wien == nil || wien.Choices[wien.Chosen].Key != "Q1741" || wien.Why != "It is an alias of Vienna." {
		t.Fatalf("Wien = %+v, want what is suggested", wien)
	}
	if got, want := wien.Choices[2].Text, "Vienna · city · alias · Q9"; got != want {
		t.Errorf("the second Vienna reads %q, want %q", got, want)
	}
	if graz := rows[IDOfName(kg.EntityName, "Graz")]; graz.Chosen != 0 {
		t.Errorf("Graz = %+v, want something new, as decided", graz)
	}
	if got, want := rows[IDOfName(kg.RelationName, "lies on")].Choices[0].Text, "A new relation"; got != want {
		t.Errorf("relation reads %q, want %q", got, want)
	}
}

func TestDocumentText(t *testing.T) {
	d := kg.Document{Model: "qwen3:4b", Chunks: 30, Read: 12, Failed: 1, Statements: map[kg.StatementState]int{kg.StatementProposed: 40, kg.StatementAccepted: 3}}
	if got, want := DocumentText(d), "Read by qwen3:4b · 12 of 30 parts read · 1 failed · 43 statements · 40 undecided · 3 accepted"; got != want {
		t.Errorf("DocumentText() = %q, want %q", got, want)
	}
}

func TestAround(t *testing.T) {
	text := "One sentence before it. Vienna is the\ncapital of Österreich. And one after it."
	start := int64(strings.Index(text, "Vienna"))
	end := int64(strings.Index(text, " And"))
	before, place, after, ok := Around(text, start, end, 12)
	if !ok || before != "… before it." || place != "Vienna is the capital of Österreich." || after != "And one …" {
		t.Errorf("Around() = %q, %q, %q, %v", before, place, after, ok)
	}
	for radius := range 60 { // never within a letter
		before, _, after, ok := Around("ÄÖÜäöü Vienna ßéèêëàâ", 13, 19, radius)
		if !ok || strings.ContainsRune(before+after, '\uFFFD') {
			t.Errorf("Around(radius %d) = %q, %q, %v", radius, before, after, ok)
		}
	}
	for _, bad := range [][2]int64{{-1, 3}, {5, 2}, {0, 1000}} {
		if _, _, _, ok := Around(text, bad[0], bad[1], 5); ok {
			t.Errorf("Around(%v) is ok", bad)
		}
	}
}
