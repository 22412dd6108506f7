package ingest_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/ingest"
	"cairn/engine/kg"
	"cairn/internal/testing/shared"
	"cairn/internal/wording"
)

// said lists what a graph says, as sentences.
func said(g *kg.Graph) []string {
	var out []string
	for t := range g.Triples() {
		x := g.Triple(kg.TripleID(t))
		line := g.Label(x.Head) + " — " + g.RelationText(x.Relation) + " → " + g.Label(x.Tail)
		if g.IsLiteral(x.Tail) {
			_, datatype, _ := strings.Cut(g.Key(x.Tail), "^^<")
			line += " ^" + strings.TrimPrefix(strings.TrimSuffix(datatype, ">"), "http://www.w3.org/2001/XMLSchema#")
		}
		qualified := false
		for ps := range g.Statements(kg.TripleID(t)) {
			qualified = true
			with := ""
			for _, p := range ps {
				with += ", " + p.Name + " " + g.PropertyValue(p)
			}
			out = append(out, line+with)
		}
		if !qualified {
			out = append(out, line)
		}
	}
	slices.Sort(out)
	return out
}

// TestRowsOfTables imports tables of the shapes that people have and compares all that
// the graph then says.
func TestRowsOfTables(t *testing.T) {
	tests := []struct {
		name, text string
		options    ingest.Options
		want       []string
		properties int64
	}{
		{
			name: "dates stay apart", text: "source,target,relation,from,to\nAnn,Oslo,lives in,2001-01-01,2003-01-01\nAnn,Oslo,lives in,2007-01-01,2009-01-01\nAnn,Oslo,lives in,2007-01-01,2009-01-01\n",
			want: []string{
				"Ann — lives in → Oslo, from 2001-01-01, to 2003-01-01",
				"Ann — lives in → Oslo, from 2007-01-01, to 2009-01-01",
			}, properties: 6,
		},
		{
			name: "a source without a target", text: "person,relation,relative,source\nAnna,mother of,Ben,book 1\nBen,father of,Cid,book 2\n",
			want: []string{"Anna — mother of → Ben", "Ben — father of → Cid"},
		},
		{
			name: "things and what is said of them", text: "name,city,age\nAnn,Berlin,34\nBob,Paris,28\n",
			want: []string{"Ann — age → 34 ^integer", "Ann — city → Berlin", "Bob — age → 28 ^integer", "Bob — city → Paris"},
		},
		{
			name: "a relation called label", text: "source,label,target\nQueen,label,EMI\nDevo,genre,rock\n",
			want: []string{"Devo — genre → rock", "Queen — label → EMI"},
		},
		{
			name: "things that belong together", text: "film,performer,character\nAlien,Weaver,Ripley\nAlien,Hurt,Kane\n",
			options: ingest.Options{Reading: &ingest.Reading{Relation: "cast", Columns: []ingest.Column{{Role: "head"}, {Role: "tail"}, {Role: "property", Says: "as"}}}},
			want:    []string{"Alien — cast → Hurt, as Kane", "Alien — cast → Weaver, as Ripley"}, properties: 2,
		},
		{
			name: "several names a cell", text: "title,authors,year\nOne,\"Lee, A.; Ray, B.; Oz, C.\",2017\nTwo,\"Fox, D.; Sun, E.\",2018\nSix,\"Moor, G.\",2019\n",
			want: []string{"One — authors → Lee, A.", "One — authors → Oz, C.", "One — authors → Ray, B.", "One — year → 2017 ^gYear", "Six — authors → Moor, G.", "Six — year → 2019 ^gYear", "Two — authors → Fox, D.", "Two — authors → Sun, E.", "Two — year → 2018 ^gYear"},
		},
		{
			name: "one value with a sign in it", text: "shop,address,opened\nBee,Ring 1; Bonn,1990\nCat,Allee 2; Ulm,1991\nDog,Weg 3; Hof,1992\n",
			want: []string{"Bee — address → Ring 1; Bonn", "Bee — opened → 1990 ^gYear", "Cat — address → Allee 2; Ulm", "Cat — opened → 1991 ^gYear", "Dog — address → Weg 3; Hof", "Dog — opened → 1992 ^gYear"},
		},
		{
			name: "several values of a table that semicolons divide", text: "tree;nickname;species;planted;defects\nA1;Old Greg;ash;1901;\"ivy; rot\"\nA2;;oak;1902;rot\nA3;;ash;1903;\"rot; ivy; moss\"\n", options: ingest.Options{Header: ingest.HeaderYes},
			want: []string{
				"A1 — defects → ivy", "A1 — defects → rot", "A1 — nickname → Old Greg ^", "A1 — planted → 1901 ^gYear", "A1 — species → ash", "A2 — defects → rot", "A2 — planted → 1902 ^gYear", "A2 — species → oak",
				"A3 — defects → ivy", "A3 — defects → moss", "A3 — defects → rot", "A3 — planted → 1903 ^gYear", "A3 — species → ash",
			},
		},
		{
			name: "one year for all rows", text: "vessel,species,tonnes,year\nMary,Cod,5,2023\nMary,Hake,3,2023\nAnn,Cod,4,2023\nAnn,Hake,9,2023\n",
			want: []string{
				"Ann — species → Cod, tonnes 4, year 2023", "Ann — species → Hake, tonnes 9, year 2023", "Mary — species → Cod, tonnes 5, year 2023", "Mary — species → Hake, tonnes 3, year 2023",
			}, properties: 8,
		},
		{
			name: "results of SPARQL", text: "item,itemLabel,capital,capitalLabel,people\nhttp://x/Q1,Germany,http://x/Q2,Berlin,83\nhttp://x/Q3,France,http://x/Q4,Paris,67\nhttp://x/Q5,Italy,http://x/Q6,Rome,58\n",
			want: []string{"France — capital → Paris", "France — people → 67 ^integer", "Germany — capital → Berlin", "Germany — people → 83 ^integer", "Italy — capital → Rome", "Italy — people → 58 ^integer"},
		},
		{
			name: "ids and names of a column", text: "person,dept_id,dept_name,age\nAnn,d1,Physics,30\nBob,d2,Law,31\nCem,d1,Physics,32\n",
			want: []string{"Ann — age → 30 ^integer", "Ann — dept → Physics", "Bob — age → 31 ^integer", "Bob — dept → Law", "Cem — age → 32 ^integer", "Cem — dept → Physics"},
		},
		{
			name: "dates by the day, and thousands with points", text: "plant,opened,rebuilt,closed,staff\nAlt,12.04.1983,12-Apr-1990,04/1999,1.234\nBerg,1.9.2011,3-May-2012,11/2019,12.500\nCarl,30.6.1976,1-Jun-1980,none,980\n",
			want: []string{
				"Alt — closed → 1999-04 ^gYearMonth", "Alt — opened → 1983-04-12 ^date", "Alt — rebuilt → 1990-04-12 ^date", "Alt — staff → 1234 ^integer",
				"Berg — closed → 2019-11 ^gYearMonth", "Berg — opened → 2011-09-01 ^date", "Berg — rebuilt → 2012-05-03 ^date", "Berg — staff → 12500 ^integer",
				"Carl — opened → 1976-06-30 ^date", "Carl — rebuilt → 1980-06-01 ^date", "Carl — staff → 980 ^integer",
			},
		},
		{
			name: "dates by the month, and those that tell no order", text: "plant,opened,closed,river\nAlt,04/12/1983,04/12/1990,none\nBerg,1/31/2011,1/9/2012,Elbe\n",
			want: []string{
				"Alt — closed → 04/12/1990 ^", "Alt — opened → 1983-04-12 ^date", "Berg — closed → 1/9/2012 ^", "Berg — opened → 2011-01-31 ^date", "Berg — river → Elbe",
			},
		},
		{
			name: "powers of ten in units", text: "city,inhabitants (thousand),budget (M USD),visitors in millions,area (km²)\nRome,1230,7.5,10,1285\nBari,1316,0.4,1,117\n",
			want: []string{
				"Bari — area (km²) → 117 ^km²", "Bari — budget (USD) → 0.4 million ^USD", "Bari — inhabitants → 1316 thousand ^", "Bari — visitors → 1 million ^",
				"Rome — area (km²) → 1285 ^km²", "Rome — budget (USD) → 7.5 million ^USD", "Rome — inhabitants → 1230 thousand ^", "Rome — visitors → 10 million ^",
			},
		},
		{
			name: "a power of ten of a property", text: "buyer,relation,seller,price (M USD)\nAnn,bought from,Bob,3\nAnn,bought from,Cid,2.5\n",
			want: []string{"Ann — bought from → Bob, price 3 million USD", "Ann — bought from → Cid, price 2.5 million USD"}, properties: 2,
		},
		{
			name: "units and several values", text: "peak,height (m),ranges\nEiger,3967,Alps|Bernese Alps\n",
			options: ingest.Options{Reading: &ingest.Reading{Columns: []ingest.Column{{Role: "head"}, {Role: "value", Holds: "numbers", Unit: "m"}, {Role: "value", Says: "part of", Split: "|"}}}},
			want:    []string{"Eiger — height (m) → 3967 ^m", "Eiger — part of → Alps", "Eiger — part of → Bernese Alps"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			st := store(t)
			r, err := stream(t, st, "x.csv", tt.text, tt.options)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, said(graph(t, st))); diff != "" || r.Properties != tt.properties {
				t.Errorf("%v, %d properties, want %d\n%s", r, r.Properties, tt.properties, diff)
			}
		})
	}
}

// TestTopsOfSheets reads tables under titles and under headers of two rows: what is above
// the header is named in the report, and no row of the body is lost.
func TestTopsOfSheets(t *testing.T) {
	const two = "Person,Address,,Contact,\n,street,city,phone,email\nAnn,Ring 1,Bonn,0301,a@x\nBob,Allee 2,Ulm,0302,b@x\n"
	joined := []string{"Ann — address city → Bonn", "Ann — address street → Ring 1", "Ann — contact email → a@x", "Ann — contact phone → 0301 ^integer", "Bob — address city → Ulm", "Bob — address street → Allee 2", "Bob — contact email → b@x", "Bob — contact phone → 0302 ^integer"}
	cities := []string{"Ann — born → 1980 ^gYear", "Ann — city → Bonn", "Bob — born → 1975 ^gYear", "Bob — city → Ulm"}
	for _, tt := range []struct {
		name, text string
		want       []string
		say        string // in the notes; empty for nothing about the top
		rejected   int64
	}{
		{"a title", "Staff list 2024\n\nname,born,city\nAnn,1980,Bonn\nBob,1975,Ulm\n", cities, "“Staff list 2024”", 0},
		{"a title right above", "Staff list 2024\nname,born,city\nAnn,1980,Bonn\nBob,1975,Ulm\n", cities, "“Staff list 2024”", 0},
		{"as sheets are exported", "Staff list 2024,,\n,,\nname,born,city\nAnn,1980,Bonn\nBob,1975,Ulm\n", cities, "“Staff list 2024”", 0},
		{"a title in merged cells", "Staff,Staff,Staff\nname,born,city\nAnn,1980,Bonn\nBob,1975,Ulm\n", cities, "“Staff”", 0},
		{"a title and a remark", "# made today\nStaff,,,\nas of:,2024-01-01,,\nname,born,city,room\nAnn,1980,Bonn,\nBob,1975,Ulm,\n", cities, "“Staff”, “as of: 2024-01-01”", 0},
		{"names throughout", "Members\n\nName,Unit,City\nAnn,Physics,Bonn\nBob,Law,Ulm\n", []string{"Ann — city → Bonn", "Ann — unit → Physics", "Bob — city → Ulm", "Bob — unit → Law"}, "“Members”", 0},
		{"two columns", "Cities of the Rhine\ncity,people\nBonn,300\nKöln,600\n", []string{"Bonn — people → 300 ^integer", "Köln — people → 600 ^integer"}, "“Cities of the Rhine”", 0},
		{"triples", "My graph\nsubject,predicate,object\nAnn,knows,Bob\nBob,likes,Tea\n", []string{"Ann — knows → Bob", "Bob — likes → Tea"}, "“My graph”", 0},
		{"two rows", two, joined, "“Address street”", 0},
		{"two rows, merged", "Person,Address,Address,Contact,Contact\nPerson,street,city,phone,email\n" + strings.SplitN(two, "\n", 3)[2], joined, "“Address street”", 0},
		{"two rows under a title", "Staff,,,,\n\n" + strings.Replace(two, "\n,", "\nname,", 1), joined, "“Staff”", 0},
		{"years", ",People,,Income,\nCity,2019,2020,2019,2020\nBonn,300,310,1.5,2.5\nUlm,100,101,1.4,2.4\n", []string{
			"Bonn — income 2019 → 1.5 ^decimal", "Bonn — income 2020 → 2.5 ^decimal", "Bonn — people 2019 → 300 ^integer", "Bonn — people 2020 → 310 ^integer",
			"Ulm — income 2019 → 1.4 ^decimal", "Ulm — income 2020 → 2.4 ^decimal", "Ulm — people 2019 → 100 ^integer", "Ulm — people 2020 → 101 ^integer",
		}, "“People 2019”", 0},
		{"a name that comes twice", "title,author,author\nDune,Herbert,Smith\nEmma,Austen,Jones\nFaust,Goethe,Hill\n", []string{"Dune — author → Herbert", "Dune — author → Smith", "Emma — author → Austen", "Emma — author → Jones", "Faust — author → Goethe", "Faust — author → Hill"}, "", 0},
		{"a column without a name", "person,,city\nAnn,Physics,Bonn\nBob,Law,Ulm\nCem,Law,Bonn\n", []string{"Ann — city → Bonn", "Ann — column 2 → Physics", "Bob — city → Ulm", "Bob — column 2 → Law", "Cem — city → Bonn", "Cem — column 2 → Law"}, "", 0},
		{"a poor first row", "Ann,,\nBob,knows,Tea\nCem,likes,Ann\nDora,likes,Bob\n", []string{"Bob — knows → Tea", "Cem — likes → Ann", "Dora — likes → Bob"}, "", 1},
		{"a title without a header", "My triples\n\nAnn,knows,Bob\nBob,likes,Tea\nCem,hates,Tea\n", []string{"Ann — knows → Bob", "Bob — likes → Tea", "Cem — hates → Tea"}, "", 1},
	} {
		st := store(t)
		r, err := stream(t, st, "x", tt.text, ingest.Options{AcceptGuess: tt.say == ""})
		if err != nil || r.Check() != nil {
			t.Errorf("%s: %v, %v", tt.name, err, r.Check())
			continue
		}
		notes := strings.Join(r.Notes, " ")
		if diff := cmp.Diff(tt.want, said(graph(t, st))); diff != "" || r.Rejected != tt.rejected || !strings.Contains(notes, tt.say) || tt.say == "" && strings.Contains(notes, "header") {
			t.Errorf("%s: %v, notes %q, want %q\n%s", tt.name, r, notes, tt.say, diff)
		}
	}
}

// TestAsidesOfTables leaves out what is none of the rows, and says so: sums, remarks, lines
// that are drawn, and cells that only say that there is no value.
func TestAsidesOfTables(t *testing.T) {
	const staff = "unit,head,budget,staff\nPhysics,Ann,1200,12\nLaw,Bob,800,8\nArts,Cem,500,5\n"
	rows := []string{
		"Arts — budget → 500 ^integer", "Arts — head → Cem", "Arts — staff → 5 ^integer", "Law — budget → 800 ^integer", "Law — head → Bob", "Law — staff → 8 ^integer",
		"Physics — budget → 1200 ^integer", "Physics — head → Ann", "Physics — staff → 12 ^integer",
	}
	more := func(with ...string) []string {
		all := append(slices.Clone(rows), with...)
		slices.Sort(all)
		return all
	}
	for _, tt := range []struct {
		name, text string
		want       []string
		say        string // in the notes; "-" for nothing about it
	}{
		{"no aside", staff, rows, "-"},
		{"a total", staff + "Total,,2500,25\n", rows, "Line 5 is the sum of rows above, so it was left out: “Total 2500 25”"},
		{"in another tongue", staff + "Gesamt,,2500,25\n", rows, "“Gesamt 2500 25”"},
		{"of one column", "unit,budget\nPhysics,1200\nLaw,800\nArts,500\nGrand total,2500\n", []string{"Arts — budget → 500 ^integer", "Law — budget → 800 ^integer", "Physics — budget → 1200 ^integer"}, "“Grand total 2500”"},
		{"of parts", staff + "Together,,2500,25\nChess,Dan,10,2\nGo,Eva,20,3\nTotal,,30,5\n", more("Chess — budget → 10 ^integer", "Chess — head → Dan", "Chess — staff → 2 ^integer", "Go — budget → 20 ^integer", "Go — head → Eva", "Go — staff → 3 ^integer"), "Line 8 is the sum"},
		{"an average", staff + "Average,,833.3,8.3\n", rows, "Line 5 is the average of rows above, so it was left out: “Average 833.3 8.3”"},
		{"an average in another tongue", staff + "Mittel,,833,8.33\n", rows, "“Mittel 833 8.33”"},
		{"the least and the most", staff + "Min,,500,5\nMax,,1200,12\n", rows, "Line 6 has the maximum of the rows above"},
		{"sums of parts, an average and a sum", "unit,area,budget,staff\nPhysics,North,1200,12\nLaw,North,800,8\nSubtotal North,,2000,20\nArts,South,500,5\nMusic,South,300,3\nSubtotal South,,800,8\nAverage,,700,7\nTotal,,2800,28\n", []string{
			"Arts — area → South", "Arts — budget → 500 ^integer", "Arts — staff → 5 ^integer", "Law — area → North", "Law — budget → 800 ^integer", "Law — staff → 8 ^integer",
			"Music — area → South", "Music — budget → 300 ^integer", "Music — staff → 3 ^integer", "Physics — area → North", "Physics — budget → 1200 ^integer", "Physics — staff → 12 ^integer",
		}, "Line 8 is the average of rows above"},
		{"a number that is an average by chance", staff + "Music,Dan,833,8\n", more("Music — budget → 833 ^integer", "Music — head → Dan", "Music — staff → 8 ^integer"), "-"},
		{"a header that comes again", "unit,head,budget,staff\nPhysics,Ann,1200,12\nLaw,Bob,800,8\nunit,head,budget,staff\nArts,Cem,500,5\n", rows, "Line 4 repeats the header"},
		{"headings", "unit,head,staff\nSciences,,\nPhysics,Ann,12\nMaths,Dan,9\n\nHumanities,,\nLaw,Bob,8\nArts,Cem,5\n\nSource: the office\n", []string{
			"Arts — head → Cem", "Arts — section → Humanities", "Arts — staff → 5 ^integer", "Law — head → Bob", "Law — section → Humanities", "Law — staff → 8 ^integer",
			"Maths — head → Dan", "Maths — section → Sciences", "Maths — staff → 9 ^integer", "Physics — head → Ann", "Physics — section → Sciences", "Physics — staff → 12 ^integer",
		}, "3 rows were read as section headings for the rows below them: “Sciences”, “Humanities”, “Source: the office”."},
		{"merged headings", "unit,head,staff\nSciences,Sciences,Sciences\nPhysics,Ann,12\nMaths,Dan,9\nHumanities,Humanities,Humanities\nLaw,Bob,8\n", []string{
			"Law — head → Bob", "Law — section → Humanities", "Law — staff → 8 ^integer",
			"Maths — head → Dan", "Maths — section → Sciences", "Maths — staff → 9 ^integer", "Physics — head → Ann", "Physics — section → Sciences", "Physics — staff → 12 ^integer",
		}, "2 rows were read as section headings"},
		{"rows of which little is known", "unit,head,staff\nPhysics,Ann,12\nMaths,,\nLaw,Bob,8\nArts,Cem,5\n", []string{
			"Arts — head → Cem", "Arts — staff → 5 ^integer", "Law — head → Bob", "Law — staff → 8 ^integer", "Physics — head → Ann", "Physics — staff → 12 ^integer",
		}, "-"},
		{"a thing called so", staff + "Total,Dan,7,7\n", more("Total — budget → 7 ^integer", "Total — head → Dan", "Total — staff → 7 ^integer"), "-"},
		{"the first that says nothing in a column of texts", "unit,head,town\nPhysics,Ann,Ulm\nLaw,Bob,Hof\nArts,Cem,Bonn\nMusic,,Ulm\n", []string{"Arts — head → Cem", "Arts — town → Bonn", "Law — head → Bob", "Law — town → Hof", "Music — town → Ulm", "Physics — head → Ann", "Physics — town → Ulm"}, "-"},
		{"names that are words for results", "player,goals\nMax,1\nMin Park,7\nMax Frost,12\nMIN-4,3\nMax,12\n", []string{"MIN-4 — goals → 3 ^integer", "Max Frost — goals → 12 ^integer", "Max — goals → 1 ^integer", "Max — goals → 12 ^integer", "Min Park — goals → 7 ^integer"}, "-"},
		{"a number that is a sum by chance", staff + "Music,Dan,2500,1\n", more("Music — budget → 2500 ^integer", "Music — head → Dan", "Music — staff → 1 ^integer"), "-"},
		{"remarks", staff + "\nSource: the office\n*without guests\n", rows, "Line 6 stands alone below a blank line, so it was left out: “Source: the office”"},
		{"blank rows", staff + ",,,\n,,,\nas of 2024,,,\n", rows, "“as of 2024”"},
		{"a line of Markdown", "|unit|head|budget|\n|:---|---|---:|\n|Physics|Ann|1200|\n|Law|Bob|800|\n", []string{"Law — budget → 800 ^integer", "Law — head → Bob", "Physics — budget → 1200 ^integer", "Physics — head → Ann"}, "-"},
		{
			"no values", "city,mayor,twin,people\nBonn,Ann,Oxford,300\nUlm,n/a,-,120\nHof,unknown,Oxford,NA\nTrier,N/A,Metz,110\n",
			[]string{"Bonn — mayor → Ann", "Bonn — people → 300 ^integer", "Bonn — twin → Oxford", "Hof — twin → Oxford", "Trier — people → 110 ^integer", "Trier — twin → Metz", "Ulm — people → 120 ^integer"},
			"5 cells mean that there is no value and were read as empty: “-”, “N/A”, “NA”, “n/a”, “unknown”",
		},
		{"a code", "country,code,people\nNamibia,NA,2\nNorway,NO,5\nNepal,NP,30\n", []string{"Namibia — code → NA", "Namibia — people → 2 ^integer", "Nepal — code → NP", "Nepal — people → 30 ^integer", "Norway — code → NO", "Norway — people → 5 ^integer"}, "-"},
	} {
		st := store(t)
		r, err := stream(t, st, "x", tt.text, ingest.Options{})
		if err != nil || r.Check() != nil || r.Rejected > 0 {
			t.Errorf("%s: %v, %v", tt.name, err, r)
			continue
		}
		notes := strings.Join(r.Notes, " ")
		if diff := cmp.Diff(tt.want, said(graph(t, st))); diff != "" || !strings.Contains(notes, tt.say) && tt.say != "-" || tt.say == "-" && (strings.Contains(notes, "left out") || strings.Contains(notes, "cells")) {
			t.Errorf("%s: notes %q, want %q\n%s", tt.name, notes, tt.say, diff)
		}
	}
}

// TestNodesAndEdges imports a table of nodes and one of edges, in both orders: the ids
// join them.
func TestNodesAndEdges(t *testing.T) {
	nodes := "id,name,type,born\np1,Marie Curie,person,1867\np2,Pierre Curie,person,1859\n"
	edges := "source,target,relation,since\np1,p2,married to,1895\n"
	want := []string{
		"Marie Curie — born → 1867 ^gYear", "Marie Curie — married to → Pierre Curie, since 1895", "Marie Curie — type → person",
		"Pierre Curie — born → 1859 ^gYear", "Pierre Curie — type → person",
	}
	for _, order := range [][]string{{nodes, edges}, {edges, nodes}} {
		st := store(t)
		for i, text := range order {
			if _, err := stream(t, st, fmt.Sprint(i), text, ingest.Options{}); err != nil {
				t.Fatal(err)
			}
		}
		g := graph(t, st)
		if diff := cmp.Diff(want, said(g)); diff != "" {
			t.Error(diff)
		}
		if e, _, _ := st.EntityID(t.Context(), "p1"); g.TypeLabel(g.Types(e)[0]) != "person" {
			t.Error("Marie Curie is no person")
		}
	}
}

// TestNodesThatNameNodes joins nodes by a property all of whose values are ids of nodes, or most of
// them; one of which only some are, and numbers, stay what they are.
func TestNodesThatNameNodes(t *testing.T) {
	const text = `{"id":"p1","name":"Anna","age":34,"code":"p2"}
{"id":"p2","name":"Bob","boss":"p1","age":1}
{"id":"p3","name":"Cem","boss":"p1","code":"x","friend":"p1"}
{"id":"p4","name":"Dag","friend":"p2"}
{"id":"p5","name":"Eve","friend":"Rex"}
`
	want := []string{"Anna — age → 34 ^integer", "Anna — code → p2 ^", "Bob — age → 1 ^integer", "Bob — boss → Anna", "Cem — boss → Anna", "Cem — code → x ^", "Cem — friend → Anna", "Dag — friend → Bob", "Eve — friend → Rex"}
	st := store(t)
	r, err := stream(t, st, "x.jsonl", text, ingest.Options{})
	got := wording.Each(said(graph(t, st)), func(s string) string {
		at, _, plain := strings.Cut(s, ` ^"`)
		if plain {
			at += " ^"
		}
		return at
	})
	if err != nil || r.Check() != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, %q, want %q", err, r, got, want)
	}
}

// TestNamesInLanguages takes the best name of several columns.
func TestNamesInLanguages(t *testing.T) {
	text := "id,name_en,name_de,area\nL1,Lake Constance,Bodensee,536\nL2,Lake Geneva,Genfersee,580\nL3,Lake Zurich,Zürichsee,88\n"
	for language, want := range map[string]string{"en": "Lake Constance", "de": "Bodensee"} {
		st := store(t)
		if _, err := stream(t, st, "x", text, ingest.Options{Languages: []string{language}}); err != nil {
			t.Fatal(err)
		}
		g := graph(t, st)
		if e, ok, _ := st.EntityID(t.Context(), "L1"); !ok || g.Label(e) != want {
			t.Errorf("in %s it is called %s, want %s", language, g.Label(e), want)
		}
	}
}

// TestSentence reads the first row aloud.
func TestSentence(t *testing.T) {
	tests := []struct{ text, want string }{
		{
			"head,relation,tail,from,to,source\nMarie Curie,director of,Radium Institute,1914,1934,biography.pdf\n",
			"Marie Curie — director of → Radium Institute, from 1914 to 1934, source biography.pdf",
		},
		{"name,city,age\nAnn,Berlin,34\nBob,Paris,28\n", "Ann — city → Berlin; age → 34"},
		{"id,name,category,note\nM:1,Flu,Disease,x\nM:2,Cold,Disease,y\n", "Flu (Disease) — note → x"},
	}
	for _, tt := range tests {
		path := filepath.Join(t.TempDir(), "x.csv")
		write(t, path, tt.text)
		f, err := ingest.Sniff(t.Context(), []string{path}, ingest.Options{})
		if err != nil || len(f.Says) != 1 || f.Says[0].String() != tt.want {
			t.Errorf("%v, %v, want %s", f.Says, err, tt.want)
		}
	}
}

// TestMappingFiles keeps a reading in a file, reads it again, and finds it for a file of
// the same shape; what is wrong with one is said with its line.
func TestMappingFiles(t *testing.T) {
	dir := t.TempDir()
	one, two := filepath.Join(dir, "people.csv"), filepath.Join(dir, "more.csv")
	write(t, one, "name;city;height (cm)\nAnn;Berlin;170\nBob;Paris;180\n")
	write(t, two, "name;city;height (cm)\nCem;Rome;165\n")
	f, err := ingest.Sniff(t.Context(), []string{one}, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f.Columns[1].Says = "lives in"
	kept := f.Saved(one, []string{"de", "en"})
	path := filepath.Join(dir, "people"+ingest.MappingEnding)
	write(t, path, string(kept.Text()))
	again, err := ingest.ReadMapping(path)
	if diff := cmp.Diff(kept, again); err != nil || diff != "" {
		t.Fatalf("%v\n%s", err, diff)
	}
	other, err := ingest.Sniff(t.Context(), []string{two}, ingest.Options{})
	if err != nil && !errors.Is(err, ingest.ErrUnsure) {
		t.Fatal(err)
	}
	if got := ingest.FindMapping(dir, &other); got != path {
		t.Errorf("for a file of the same shape %q is offered", got)
	}
	var o ingest.Options
	again.Apply(&o)
	st := store(t)
	if _, err := ingest.File(t.Context(), st, two, o, nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Cem — height (cm) → 165 ^cm", "Cem — lives in → Rome"}, said(graph(t, st))); diff != "" {
		t.Error(diff)
	}
	for text, want := range map[string]string{
		"delimiter = \"comma\"\nheader = tru\n":                                               "line 2",
		"delimiter = \"comma\"\ncolour = 1\n":                                                 `"colour"`,
		"delimiter = \"comma\"\n[[column]]\nrole = \"queen\"\n":                               `"queen" is not a column role`,
		"delimiter = \"comma\"\n[[column]]\nrole = \"head\"\n[[column]]\nrole = \"head\"\n":   "both the head",
		"delimiter = \"ab\"\n[[column]]\nrole = \"head\"\n":                                   "not a single character",
		"delimiter = \"tab\"\n[[column]]\nrole = \"head\"\n[[column]]\nrole = \"property\"\n": "no relation or tail",
	} {
		write(t, path, text)
		if _, err := ingest.ReadMapping(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := ingest.ReadMapping(filepath.Join(dir, "none")); err == nil {
		t.Error("a mapping that is not there is read")
	}
}

// TestMappingOfTwoRows keeps how a header of two rows is read, and reads the next file so.
func TestMappingOfTwoRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.csv")
	write(t, path, "Staff\n\nPerson,Address,,\n,street,city,hired\nAnn,Ring 1,Bonn,1990\nBob,Allee 2,Ulm,1991\n")
	f, err := ingest.Sniff(t.Context(), []string{path}, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := f.Saved(path, nil)
	var o ingest.Options
	m.Apply(&o)
	st := store(t)
	r, err := ingest.File(t.Context(), st, path, o, nil)
	if got := said(graph(t, st)); err != nil || r.Rejected > 0 || len(got) != 6 || got[0] != "Ann — address city → Bonn" {
		t.Errorf("%v, %v, %q", err, r, got)
	}
}

// TestMappingOfAnotherFile refuses a mapping whose columns a file lacks.
func TestMappingOfAnotherFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.csv")
	write(t, path, "name,town,age\nAnn,Rome,3\n")
	_, err := ingest.Sniff(t.Context(), []string{path}, ingest.Options{Header: ingest.HeaderYes, Reading: &ingest.Reading{Columns: []ingest.Column{{Name: "name", Role: "head"}, {Name: "city", Role: "value"}}}})
	if !errors.Is(err, ingest.ErrColumns) || !strings.Contains(err.Error(), "there is no column called city") {
		t.Error(err)
	}
}

// TestTrial reads the first rows only, counts them, shows samples of each relation and
// leaves nothing behind.
func TestTrial(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	path := filepath.Join(t.TempDir(), "x.csv")
	write(t, path, made(",", "name city age", 12_000, "Person #", "Oslo|Rome|Lima", "#70"))
	r, err := ingest.Trial(t.Context(), path, ingest.Options{})
	if err != nil || r.Check() != nil {
		t.Fatal(err, r.Check())
	}
	if r.Read != ingest.TrialRows || r.Added != 2*(ingest.TrialRows-1) || len(r.ByRelation) != 2 {
		t.Errorf("%v, %d relations", r, len(r.ByRelation))
	}
	var sum int64
	for _, c := range r.ByRelation {
		sum += c.Statements
		if len(c.Samples) != 3 || !strings.Contains(c.Samples[0], " — "+c.Name+" → ") {
			t.Errorf("samples of %s: %q", c.Name, c.Samples)
		}
	}
	if sum != r.Added+r.Duplicate {
		t.Errorf("the relations have %d statements, the report %v", sum, r)
	}
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("it left %v", left)
	}
}

// TestTrialOfNames holds names against what the file before them would bring.
func TestTrialOfNames(t *testing.T) {
	shared.Sequential(t)
	dir := t.TempDir()
	data, names := filepath.Join(dir, "d.tsv"), filepath.Join(dir, "n.tsv")
	write(t, names, "id\tlabel\nQ1\tOne\nQ2\tTwo\nQ99999\tLast\n")
	for _, tt := range []struct {
		rows           int
		named, unknown int64
		say            string
	}{{3, 2, 1, "It added 2 names; 1 of its keys"}, {20_000, 2, 1, "may find more of the 1 keys"}} {
		write(t, data, made("\t", "", tt.rows, "Q#", "knows", "Q#9"))
		trials, err := ingest.NewTrials(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := trials.File(t.Context(), data, ingest.Options{}); err != nil {
			t.Fatal(err)
		}
		r, err := trials.File(t.Context(), names, ingest.Options{})
		if err != nil || r.Named != tt.named || r.Unknown != tt.unknown || !strings.Contains(strings.Join(r.Notes, " "), tt.say) {
			t.Errorf("%d rows: %v, named %d, unknown %d, %q, want %q", tt.rows, err, r.Named, r.Unknown, r.Notes, tt.say)
		}
		if err := trials.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestManyColumns reads a table of ten thousand columns: each has a role.
func TestManyColumns(t *testing.T) {
	shared.Sequential(t)
	var header, row strings.Builder
	header.WriteString("name")
	for i := range 9_999 {
		fmt.Fprintf(&header, ",c%d", i)
		fmt.Fprintf(&row, ",%d", i)
	}
	text := header.String() + "\nAnn" + row.String() + "\nBob" + row.String() + "\n"
	st := store(t)
	r, err := stream(t, st, "x", text, ingest.Options{})
	if err != nil || r.Added != 2*9_999 || len(r.Format.Columns) != 10_000 {
		t.Errorf("%v, %v, %d columns", r, err, len(r.Format.Columns))
	}
}

// TestMatrix reads a matrix, whose columns are called as its rows are: by ones, by
// weights, and by words.
func TestMatrix(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string
	}{
		{"x,a,b,c,d\na,0,1,0,1\nb,1,0,,0\nc,0,0,0,1\nd,0,0,0,0\n", []string{"a | linked to | b", "a | linked to | d", "b | linked to | a", "c | linked to | d"}},
		{";a;b;c;d\na;;1;0;2,5\nb;1;;;\nc;;;;\nd;;;;1.000,5\n", []string{"a | linked to | b, weight 1", "a | linked to | d, weight 2.5", "b | linked to | a, weight 1", "d | linked to | d, weight 1000.5"}},
		{"x,a,b,c,d\na,-,knows,no,x\nb,,-,,\nc,hates,,-,\nd,,,,-\n", []string{"a | knows | b", "a | linked to | d", "c | hates | a"}},
	} {
		st := store(t)
		if _, err := stream(t, st, "x", tt.text, ingest.Options{}); err != nil {
			t.Error(err)
			continue
		}
		if got := statements(graph(t, st)); !slices.Equal(got, tt.want) {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// TestPersonsOfATable: persons with names are what their table is called as well.
func TestPersonsOfATable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "miners.csv")
	write(t, path, "person_id,name,city\nP1,Ann Tregear,Oslo\nP2,William Vosper,Rome\nP3,John Penrose,Bonn\nP4,Mary Penrose,Oslo\n")
	f, err := ingest.Sniff(t.Context(), []string{path}, ingest.Options{AcceptGuess: true})
	if err != nil || f.HeadType != "miner|person" {
		t.Errorf("%q, %v", f.HeadType, err)
	}
}

// TestWhatOthersCallTheRows: what other tables call cars are cars, whatever their key is called.
func TestWhatOthersCallTheRows(t *testing.T) {
	dir := t.TempDir()
	cars, trips := filepath.Join(dir, "cars.csv"), filepath.Join(dir, "trips.csv")
	write(t, cars, "reg,make,fuel\nKD71 OXA,Corsa,petrol\nKE69 RTB,Fiesta,petrol\nKF73 LLN,Leaf,electric\nKP24 NEW,Zoe,electric\n")
	write(t, trips, "trip,car,day\nT1,KD71 OXA,2024-01-03\nT2,KE69 RTB,2024-01-04\nT3,KF73 LLN,2024-01-05\n")
	st := store(t)
	if _, err := ingest.Files(t.Context(), st, []string{cars, trips}, ingest.Options{AcceptGuess: true}, nil); err != nil {
		t.Fatal(err)
	}
	g := graph(t, st)
	of := map[string]int{}
	for i := range g.NumTypes() {
		of[g.TypeLabel(kg.TypeID(i))] = len(g.OfType(kg.TypeID(i)))
	}
	if of["car"] != 4 {
		t.Errorf("%v, want four cars", of)
	}
}

// TestWhatRowsAreAbout: the header of the heads says it, or else the name of the file.
func TestWhatRowsAreAbout(t *testing.T) {
	rows := "A One,1990,Oslo\nB Two,1991,Rome\nC Three,1992,Bonn\nD Four,1993,Oslo\n"
	for _, tt := range []struct{ file, header, want string }{
		{"a.csv", "lighthouse,built,coast", "lighthouse"},
		{"a.csv", "geneSymbol,found,in", "gene"},
		{"a.csv", "Cases,opened,court", "case"},
		{"old cities.csv", "name,founded,land", "old city"},
		{"people.csv", "name,born,city", "person"},
		{"export (3).csv", "name,born,city", ""},
		{"staff_list.csv", "name,born,city", ""},
		{"a.csv", "id,born,city", ""},
		{"servers.csv", "Hostname,bought,site", "server|hostname"},
		{"machines.csv", "Serial no.,bought,spare machine", "machine|serial"},
		{"prices.csv", "product code,price,shop", "product"},
	} {
		path := filepath.Join(t.TempDir(), tt.file)
		write(t, path, tt.header+"\n"+rows)
		f, err := ingest.Sniff(t.Context(), []string{path}, ingest.Options{AcceptGuess: true})
		if err != nil {
			t.Fatal(err)
		}
		if f.HeadType != tt.want {
			t.Errorf("%s of %s: %q, want %q", tt.header, tt.file, f.HeadType, tt.want)
		}
		st := store(t)
		if _, err := ingest.File(t.Context(), st, path, ingest.Options{AcceptGuess: true, HeadType: "thing"}, nil); err != nil {
			t.Fatal(err)
		}
		g := graph(t, st)
		if g.NumTypes() != 1 || len(g.OfType(0)) != 4 || g.TypeLabel(0) != "thing" {
			t.Errorf("%s: told that rows are things, there are %d types", tt.header, g.NumTypes())
		}
	}
}

// TestDecimalCommas reads numbers as the table writes them: 10.000 are ten thousand where
// another number has a comma before its last digits.
func TestDecimalCommas(t *testing.T) {
	for _, tt := range []struct{ name, table, want string }{
		{"commas", "museum;price;area;visitors\nStädel;8,00;1.200,5;10.000\nZwinger;9,50;237,5;11.100\nAlbertina;7,25;90;12.300\n", "Städel — price → 8.00; area → 1200.5; visitors → 10000"},
		{"points", "museum;price;area;visitors\nStädel;8.00;1,200.5;10.000\nZwinger;9.50;237.5;11.100\nAlbertina;7.25;90;12.300\n", "Städel — price → 8.00; area → 1,200.5; visitors → 10.000"},
		{"neither", "museum;visitors;size\nStädel;10.000;3\nZwinger;11.100;4\nAlbertina;12.300;5\n", "Städel — visitors → 10.000; size → 3"},
		{"both", "museum;price;area\nStädel;8,00;10.5\nZwinger;9,50;11.1\nAlbertina;7,25;12.3\n", "Städel — price → 8,00; area → 10.5"},
	} {
		path := filepath.Join(t.TempDir(), "m.csv")
		write(t, path, tt.table)
		f, err := ingest.Sniff(t.Context(), []string{path}, ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		said := f.Says[0]
		said.Is = nil
		if got := said.String(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	st, _, err := filed(t, "m.csv", "museum;price;area\nStädel;8,05;1.200,5\nZwinger;9,50;-237,5\nAlbertina;12,5 %;90\n", ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"Albertina | area | 90", "Albertina | price | 12.5", "Städel | area | 1200.5", "Städel | price | 8.05", "Zwinger | area | -237.5", "Zwinger | price | 9.50"}
	if got := statements(graph(t, st)); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
