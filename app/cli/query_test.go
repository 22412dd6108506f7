package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"cairn/app/cli/command"
)

func TestQueryCommands(t *testing.T) {
	home(t)
	tests := []struct {
		args []string
		code int
		want string
	}{
		{[]string{"query", "(?c:country) -borders-> (?x) | find ?c | count ?x per ?c | largest count 3"}, command.ExitDone, "China   14  █"},
		{[]string{"query", "(?c:country) -borders-> (Germany) | without (?c) -currency-> (euro)", "--explain"}, command.ExitDone, "4 rows left of 9"},
		{[]string{"query", "(Austria) -borders-> (?c)"}, command.ExitDone, "8 answers"},
		{[]string{"query", "(Austria) -borders-> (?c) | without (?c) -borders-> (?d)"}, command.ExitNoAnswer, "Nothing in this graph meets every condition"},
		{[]string{"query", "(Austria) -borders-> (?c) | dance"}, command.ExitUsage, "expected find, count"},
		{[]string{"query"}, command.ExitUsage, "Expected"},
		{[]string{"path", "Austria", "Portugal", "--k", "2"}, command.ExitDone, "2 paths"},
		{[]string{"path", "Austria", "Portugal", "--within", "1"}, command.ExitNoAnswer, "No such path has at most 1 step"},
		{[]string{"path", "Austria", "Portugal", "--avoid", "euro", "--via", "Europe"}, command.ExitDone, "The continent of Austria is Europe"},
		{[]string{"path", "Austria", "Austria"}, command.ExitUsage, `use: cairn describe "Austria"`},
		{[]string{"describe", "Austrja"}, command.ExitNoAnswer, "Nearest to “Austrja” in this graph: “Austria”"},
		{[]string{"query", "(Austria) -bordrs-> (?c)"}, command.ExitNoAnswer, "Nearest to “bordrs” in this graph: “borders”"},
		{[]string{"query", "(?c:wombat) -currency-> (euro)"}, command.ExitDone, "No kind of thing in this graph is called “wombat”"},
		{[]string{"query", "(?c:country but no continent) -currency-> (euro)"}, command.ExitDone, "answers"},
		{[]string{"path", "Austria"}, command.ExitUsage, "Write the names of two entities"},
		{[]string{"describe", "Vienna"}, command.ExitDone, "What this graph says about Vienna"},
		{[]string{"describe", "Austria", "Hungary"}, command.ExitDone, "In common"},
		{[]string{"describe", "Austria", "Hungary", "Italy"}, command.ExitUsage, "or two names to compare"},
	}
	for _, test := range tests {
		code, out, errs := start(t.Context(), test.args...)
		if code != test.code || !strings.Contains(out+errs, test.want) {
			t.Errorf("cairn %q = %d, want %d with %q\n%s%s", test.args, code, test.code, test.want, out, errs)
		}
	}
}

func TestQueryJSON(t *testing.T) {
	home(t)
	_, out, _ := start(t.Context(), "query", "(?c:country) -borders-> (Germany) | without (?c) -currency-> (euro) | count ?c", "--json")
	var got struct {
		Count, ExcludedCount int
		Retriever            string
		Excluded             []struct{ Label, Why string }
	}
	if err := json.Unmarshal([]byte(strings.ReplaceAll(out, "excluded_count", "ExcludedCount")), &got); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	if got.Count != 4 || got.ExcludedCount != 5 || got.Retriever != "query" || got.Excluded[0].Label != "Austria" || got.Excluded[0].Why != "without (?c) -currency-> (euro)" {
		t.Errorf("query --json = %+v", got)
	}
}
