package propgraph

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// readTables reads records and shows the tables and their rows.
func readTables(text string) (string, error) {
	x := NewRecords("file", func(list string) string { return strings.TrimSuffix(list, "s") }, func(one string) string { return one + "s" })
	if err := x.Learn(strings.NewReader(text)); err != nil {
		return "", err
	}
	rows := map[*RecordTable]string{}
	err := x.Rows(strings.NewReader(text), func(t *RecordTable, line string, cells []string) error {
		rows[t] += line + ": " + strings.TrimRight(strings.Join(cells, ","), ",") + "\n"
		return nil
	})
	var b strings.Builder
	for _, t := range x.Tables {
		var names []string
		for i, c := range t.Columns {
			what := c.Name
			for role, at := range map[string]int{"!": t.ID, "*": t.Label, "^": t.Holder, ">": t.Tail} {
				if at == i {
					what += role
				}
			}
			names = append(names, what)
		}
		fmt.Fprintf(&b, "%s %s: %s\n%s", t.Within, t.Name, strings.Join(names, ","), rows[t])
	}
	if len(x.LeftOut) > 0 {
		b.WriteString("left out " + strings.Join(x.LeftOut, ", ") + "\n")
	}
	return b.String(), err
}

// TestRecords reads lists of objects as tables: ! is their id, * their name, ^ what holds them, and > what they join it to.
func TestRecords(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"lists, and objects that are records or parts", `{"made":"2024","films":[
{"id":1,"title":"Alien","year":1979,"director":{"id":"rs","name":"Ridley Scott"},"cast":[{"actor":"Ian Holm","role":"Ash"},{"actor":"John Hurt"}],"tags":["a","b"],"box":{"us":1.5}},
{"id":2,"title":"Gladiator","director":{"id":"rs","name":"Ridley Scott"},"cast":[{"actor":"Ian Holm"}]},
"Heat"]}`, ` films: id!,title*,year,director,tags,box us
2: ,1,Alien,1979,rs,a|b,1.5
3: ,2,Gladiator,,rs
!4: column 7: a record must be an object,"Heat"
 directors: id!,name*
2: ,rs,Ridley Scott
films cast: film^,actor>,role,actor type
2: ,1,Ian Holm,Ash,actor
2: ,1,John Hurt,,actor
3: ,2,Ian Holm,,actor
left out made
`},
		{"records with a number of their own, called as what holds them, or with neither", `[{"no":"L1","checks":[{"checkNo":"C1","found":"rust"},{"checkNo":"C2","found":"rust"}]},
{"no":"L2","checks":[{"checkNo":"C3","found":"dirt"}],"limits":[{"for":"adults","most":8},{"for":"children","most":10},{"for":"adults","most":9},{"for":"children","most":7}]}]`, ` file: no!
1: ,L1
2: ,L2
file checks: file^,checkNo!,found
1: ,L1,C1,rust
1: ,L1,C2,rust
2: ,L2,C3,dirt
file limits: file^,for,most
2: L2, limit adults,L2,adults,8
2: L2, limit children,L2,children,10
2: L2, limit adults 2,L2,adults,9
2: L2, limit children 2,L2,children,7
`},
		{"an album called as its band", `[{"name":"Boston","albums":[{"name":"Boston","label":"Epic"}]}]`, ` file: name*
1: ,Boston
file albums: file^,name*,label
1: albums/Boston,Boston,Boston,Epic
`},
		{"signs between values", `[{"name":"a","as":["x|y","z"]}]`, " file: name*,as\n1: ,a,x|y¦z\n"},
		{"a document in another", `{"data":{"parts":[{"part":"Wheel","maker":"Acme"}],"n":1}}`, " parts: part*,maker\n1: ,Wheel,Acme\nleft out data.n\n"},
	} {
		got, err := readTables(tt.text)
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", tt.name, err, diff)
		}
	}
}

// TestBadRecords tells where a document breaks.
func TestBadRecords(t *testing.T) {
	for text, want := range map[string]string{
		"[{\"name\":\"a\"},\n{\"name\":":                "2: column 9: the document ends too early",
		`[{"name":"a","x":` + strings.Repeat("[", 1000): "1: column 218: it is nested more than 200 levels deep",
	} {
		_, err := readTables(text)
		bad, ok := errors.AsType[*Error](err)
		if got := fmt.Sprintf("%d: %v", bad.Line, bad); !ok || got != want {
			t.Errorf("readTables = %q, want %q", got, want)
		}
	}
}
