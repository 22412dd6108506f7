package ingest_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cairn/engine/ingest"
	"cairn/internal/testing/shared"
)

// made writes a table: the header, if there is one, and n rows. Every column is a
// list of cells that come in turn; # in one is the number of the row, #7 one of
// seven numbers.
func made(sep, header string, n int, columns ...string) string {
	var b strings.Builder
	if header != "" {
		b.WriteString(strings.ReplaceAll(header, " ", sep) + "\n")
	}
	number := regexp.MustCompile(`#\d*`)
	for i := range n {
		for c, column := range columns {
			cells := strings.Split(column, "|")
			cell := cells[(i*(2*c+3)+i/len(cells))%len(cells)]
			cell = number.ReplaceAllStringFunc(cell, func(s string) string {
				if k, err := strconv.Atoi(s[1:]); err == nil {
					return strconv.Itoa((i*(2*c+3) + c) % k)
				}
				return strconv.Itoa(i)
			})
			if c > 0 {
				b.WriteString(sep)
			}
			b.WriteString(cell)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// outcome says what an import does with a table: reads, asks first, or refuses;
// by which columns; and what it leaves out.
func outcome(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "table")
	write(t, path, text)
	f, err := ingest.Sniff(t.Context(), []string{path}, ingest.Options{})
	if err != nil {
		if errors.Is(err, ingest.ErrColumns) {
			return "refuses"
		}
		return err.Error()
	}
	name := func(at int) string {
		if f.Columns[at].Name != "" {
			return f.Columns[at].Name
		}
		return strconv.Itoa(at + 1)
	}
	said := func(r ingest.Reading) string {
		s := ""
		for _, role := range []ingest.Role{"head-id", "head", "head-type", "relation", "tail-id", "tail", "tail-type", "source", "label", "alias", "description", "property", "value", "matrix", "left-out"} {
			var names []string
			for i, c := range r.Columns {
				if c.Role != role {
					continue
				}
				n := name(i)
				if c.Holds != "" && c.Holds != ingest.HoldsEntities {
					n += ":" + string(c.Holds)
				}
				names = append(names, n+c.Split)
			}
			switch text := strings.Join(names, ", "); {
			case len(names) == 0:
			case role == "head" || role == "relation" || role == "tail":
				s += " " + text
			case role == "property":
				s += " with " + text
			case role == "left-out":
				s += " without " + text
			default:
				s += " " + string(role) + "=" + text
			}
			if role == "relation" && r.Relation != "" {
				s += " =" + r.Relation
			}
		}
		return s
	}
	s := "reads"
	if f.Unsure != "" {
		s = "asks"
	}
	s += said(f.Reading)
	if f.RunnerUp != nil {
		s += " or" + said(*f.RunnerUp)
	}
	return s
}

// TestMappings tries the choice of columns on tables of many trades.
func TestMappings(t *testing.T) {
	shared.Sequential(t)
	const people, places = "Ann|Bob|Cem|Dora|Eva|Finn|Gus|Hana", "Oslo|Rome|Lima|Bonn|Kyiv"
	tests := []struct{ name, table, want string }{
		// Lists of triples: read, in silence.
		{"films, pipes", made("|", "", 30, "Film #12", "directed_by|written_by|has_genre", people), "reads 1 2 3"},
		{"films, tabs, names throughout", made("\t", "", 40, "Film #30", "Director|Writer|Genre", people), "reads 1 2 3"},
		{"films, commas", made(",", "", 30, "Film #12", "directed by|written by", people), "reads 1 2 3"},
		{"a known header", made(",", "head relation tail", 6, people, "knows", people), "reads head relation tail"},
		{"subject, predicate, object", made("\t", "Subject Predicate Object", 6, "Q#", "P#3", "Q#9"), "reads Subject Predicate Object"},
		{"ontology", made("\t", "", 50, "GO:#", "is_a|part_of|regulates", "GO:#20"), "reads 1 2 3"},
		{"Freebase", made("\t", "", 50, "/m/0#9", "/film/film/genre|/people/person/born", "/m/0#20"), "reads 1 2 3"},
		{"IRIs without brackets", made("\t", "", 20, "http://x/e#7", "http://x/p#2", "http://x/e#9"), "reads 1 2 3"},
		{"numbers for everything", made("\t", "", 60, "#40", "#3", "#30"), "reads 1 2 3"},
		{"one triple", "Kismet|directed_by|William Dieterle\n", "reads 1 2 3"},
		{"two triples", "Kismet\tdirected_by\tWilliam Dieterle\nKismet\trelease_year\t1944\n", "reads 1 2 3"},
		{"one relation throughout", made("\t", "", 30, people, "follows", people), "reads 1 2 3"},
		{"types", made("\t", "", 30, "Thing #", "is a", "film|book|song"), "reads 1 2 3"},
		{"years", made("|", "", 30, "Film #", "release_year", "19#60"), "reads 1 2 3"},
		{"one thing and all about it", "NL\tcapital\tAmsterdam\nNL\tking\tWillem\nNL\tcurrency\tEuro\nNL\tsea\tNorth Sea\n", "reads 1 2 3"},
		{"a script without small letters", made("\t", "", 30, "东京|大阪|京都", "位于|邻接", "日本|大阪|奈良"), "reads 1 2 3"},
		{"the relation in front", made("\t", "", 30, "likes|knows", people, people), "reads 2 1 3"},
		{"the relation last", made("\t", "", 40, "Gene#20", "Gene#20", "activates|inhibits"), "reads 1 3 2"},

		{"what was observed is no relation", "place,year,cover (%),damage,seen by,healed\n" + strings.Repeat("A Reef,2016,35,slight,Ann Roe,yes\nA Reef,2024,48,heavy,Bob Lim,no\nB Reef,2016,12,slight,Cem Oz,yes\nC Reef,2016,61,heavy,Ann Roe,no\n", 1), "asks"},

		// More columns: read, and named where they are left out.
		{"dates called from and to", made(",", "source target relation from to", 20, people, places, "lives in|works in", "20#20-01-01", "20#20-12-31"), "reads source relation target with from:dates, to:dates"},
		{"weight, year and proof", made("\t", "head relation tail weight year pmid", 20, "Drug #9", "treats|causes", "Disease #7", "0.#90", "19#90", "100#"), "reads head relation tail with weight:numbers, year:numbers, pmid:numbers"},
		{"a source of every row", made(",", "head relation tail source", 10, people, "knows", people, "Paper #3"), "reads head relation tail source=source"},
		{"dates behind triples", made("\t", "", 60, "Country #20", "Visit|Threaten|Consult", "Country #20", "2014-01-#28"), "reads 1 2 3 with 4:dates"},
		{"a grade is no source", "head,relation,tail,evidence\nAnn,knows,Bob,A\nBob,knows,Cem,B+\nCem,likes,Ann,\nBob,likes,Ann,2b\n", "reads head relation tail with evidence"},
		{"ids and names", made("\t", "head_id head head_type relation tail_id tail tail_type", 9, "q#", "Film #", "film", "year", "y#4", "19#4", "year"), "reads head-id=head_id head head-type=head_type relation tail-id=tail_id tail tail-type=tail_type"},
		{
			"a name beside a plain id", made("\t", "subject subject_label predicate object object_label", 9, "Q#", "Film #", "P#2", "Q#7", "Person #7"),
			"reads head-id=subject subject_label predicate tail-id=object object_label",
		},
		{"Wikidata", made("\t", "node1 label node2 id", 20, "Q#9", "P#3", "Q#12", "e#"), "reads node1 label node2 without id"},
		{"twins by number", made("\t", "protein1 interaction protein2 score", 30, "P0#20", "binds|cuts", "P0#20", "0.#99"), "reads protein1 interaction protein2 with score:numbers"},
		{"twins by letter", made("\t", "gene_a gene_b effect", 30, "G#20", "G#20", "up|down"), "reads gene_a effect gene_b"},
		{"a relation called label", made(",", "source label target", 10, "U2|Blink 182", "label|genre", "Island|MCA|Rock"), "reads source label target"},
		{"only the relation is named", made(",", "film relation person", 10, "Film #4", "directed by|written by", people), "reads film relation person"},
		{"ends called as what they are", "person,relation,institute\nMarie Curie,Director,Radium Institute\nNiels Bohr,Founder,Bohr Institute\n", "reads person relation institute"},
		{"and in small letters", "drug,predicate,disease\naspirin,treats,headache\nibuprofen,treats,fever\naspirin,causes,ulcer\n", "reads drug predicate disease"},
		{"and one row of them", "author,edge type,book\nHerbert,wrote,Dune\n", "reads author edge type book"},
		{"types that are verbs", "gene,type,phenotype\nBRCA1,associated_with,HP:1\nTP53,causes,HP:2\nEGFR,associated_with,HP:3\n", "reads gene type phenotype"},
		{"types that are none", "person,type,institute\nMarie Curie,physicist,Radium Institute\nLise Meitner,physicist,KWI\nEmil Fischer,chemist,KWI\n", "reads person head-type=type value=institute"},
		{"words of another tongue", made(";", "von Beziehung nach", 60, people, "kennt|liebt", people), "reads von Beziehung nach"},
		{"an empty column", made("\t", "subject predicate object note", 10, people, "knows|likes", places, ""), "reads subject predicate object without note"},

		// Words for ends of edges over dates and amounts: these tell when and how far.
		{"years called to", "name,company,to\nAnn,Acme,1998\nBob,Bosch,2001\nCem,Acme,2010\n", "reads name value=company, to:dates"},
		{"years called from and to", made(",", "person company from to", 30, people, "Acme|Bosch|Cargill", "199#9", "200#9"), "reads person =company company with from:dates, to:dates"},
		{"days called start and end", made(",", "reader book start end", 30, people, "Dune|Emma|Faust", "2001-0#9-01", "2002-0#7-11"), "reads reader =book book with start:dates, end:dates"},
		{"dates in words", "person,company,from,to\nAnn,Acme,Jan 1998,3 May 2004\nBob,Bosch,c. 1950,1960s\nCem,Acme,1914-18,2004\n", "reads person value=company, from:dates, to:dates"},
		{"a relation beside dates", made(",", "person relation company from to", 30, people, "leads|owns", "Acme|Bosch|Cargill", "199#9", "200#9"), "reads person relation company with from:dates, to:dates"},
		{"a kind beside dates", "label,type,start,end\nBoer War,war,1899,1902\nCold War,conflict,1947,1991\nPeace of Lunéville,treaty,1801,1801\n", "reads label head-type=type value=start:dates, end:dates"},
		{"times", made(",", "train station start_time end_time", 9, "T#", "Ulm|Bonn", "1#9:15", "2#3:10"), "reads train value=station, start_time:dates, end_time:dates"},
		{"house numbers, or ids", "street,district,from,to\nMain Street,North,1,99\nOak Lane,South,2,48\nElm Road,North,10,30\n", "asks street value=district, from:numbers, to:numbers or from street to with district"},
		{"keys that look like years", made(",", "from to type", 30, "100#9", "100#7", "knows|likes"), "reads from type to"},
		{"a source of rows about things", made(",", "object owner from to source", 30, "Bowl|Cup|Ring", "Duke|Museum", "160#9", "170#9", "List #4"), "asks object =owner owner with from:dates, to:dates, source or object =source source with owner, from:dates, to:dates"},
		{"ends that share a word", made(",", "from_account to_account kind", 30, "A#9", "A#9", "pays|lends"), "reads from_account kind to_account"},
		{"ends and a line", "from,to,line,minutes\nBank,Oval,North,7\nBank,Angel,North,5\nBow,Bank,District,9\nAngel,Oval,North,11\n", "asks from =leads to to with line, minutes:numbers or from line to with minutes:numbers"},
		{"currencies", made(",", "from to amount currency", 30, "A#9", "A#9", "#.5", "EUR|USD"), "asks"},
		{"vehicles", made(",", "passenger vehicle from to", 30, people, "Bus 12|Train 7", places, places), "asks"},
		{"attributes and their values", made(",", "country indicator value year", 30, "Chad|Peru|Mali", "Income|Debt", "#.5", "20#20"), "reads country indicator value with year:numbers"},
		{"an id called as what it is", made(",", "part_id part maker", 9, "P#", "Bolt#", "Acme|Bosch"), "reads head-id=part_id part value=maker"},
		{"a header of small words", "term,broader,related,note\ncat,mammal,dog,Felis catus\ndog,mammal,wolf,Canis familiaris\nwolf,mammal,dog,Canis lupus\n", "asks term value=broader, related, note"},

		// Codes, results and ids that are no names of other things.
		{"codes called by a kind", "flight,pilot,passengers\nLH401,Ann Lee,220\nLH733,Bo Fox,135\nBA12,Cid Roy,312\n", "reads flight value=pilot, passengers:numbers"},
		{"codes called a code", "isbn,book,pages\nB401,Green Hills,220\nB733,Blue Sea,135\nB12,Red Rock,312\n", "reads head-id=isbn:text book value=pages:numbers"},
		{"codes of letters", "code,name,people\nHAR,Harnby,500\nALD,Aldgate,80\nWEN,Wenning,90\n", "reads head-id=code:text name value=people:numbers"},
		{"a code behind a name", "country,code,people\nNorway,NO,5\nNepal,NP,30\nPeru,PE,33\n", "reads country value=code, people:numbers"},
		{"results of matches", "date,home team,away team,score\n2020-01-01,Lions,Bears,2:1\n2020-01-08,Bears,Tigers,0:0\n2020-01-15,Tigers,Lions,3:1\n2020-01-22,Lions,Tigers,1:1\n2020-01-29,Bears,Lions,2:1\n2020-02-05,Tigers,Bears,0:0\n", "reads home team =away team away team with date:dates, score"},
		{"all results different", "date,home team,away team,score\n2020-01-01,Lions,Bears,2:1\n2020-01-08,Bears,Tigers,0:0\n2020-01-15,Tigers,Lions,3:1\n2020-01-22,Owls,Foxes,1:1\n", "reads home team value=date:dates, away team, score"},
		{"ids of others, and dates", "mp_id,party_id,from,to\n101,1,2009-06-04,2017-05-30\n101,2,2017-06-01,\n102,2,2010-01-01,2011-01-01\n103,1,2010-01-01,\n", "reads mp_id =party party_id with from:dates, to:dates"},
		{"three ids of others", "mp_id,party_id,seat_id,from\n101,1,7,2009-06-04\n101,2,8,2017-06-01\n102,2,9,2010-01-01\n", "asks mp_id =party party_id with seat_id:numbers, from:dates or mp_id =seat seat_id with party_id:numbers, from:dates"},
		{"ids of others, and a word", "mp_id,bill_id,vote\n101,1,yes\n102,1,no\n103,1,yes\n101,2,no\n102,2,no\n103,2,yes\n", "reads mp_id =table bill_id with vote"},
		{"only ids of others", "bill_id,mp_id\n1,102\n1,103\n2,101\n3,101\n", "reads bill_id =table mp_id"},
		{"a row each beside an id of others", "employee_id,dept_id,salary\n1,10,400\n2,20,500\n3,10,300\n", "asks employee_id value=dept_id:numbers, salary:numbers"},
		{"players and whom they lead", "player,team,position,goals,captain of,country\nAnn,Lions,striker,12,Lions,Norway\nBen,Lions,keeper,0,,Peru\nCid,Bears,striker,9,,Peru\nDee,Bears,keeper,1,Bears,Chad\nEve,Owls,back,3,,Norway\nFay,Owls,striker,7,Owls,Chad\n", "reads player value=team, position, goals:numbers, captain of, country"},
		{"a header of plain words", "species,prey,habitat\nowl,mouse,forest\nowl,vole,forest\nfox,mouse,field\nhawk,vole,field\n", "asks 1 2 3"},
		{"numbers that are not all clean", "firm,staff,town\nAlm,1234 (2020),Rome\nBex,12500,Oslo\nCor,980,Rome\n", "reads firm value=staff:numbers, town"},

		// Two readings, or a poor one: asked about.
		{"two pairs of ends", made(",", "source relation target from to", 20, people, "writes|calls", people, places, places), "asks"},
		{"edges without a relation", made(",", "source target weight", 30, people, people, "0.#80"), "asks"},
		{"three words a row", "Ann,Berlin,Germany\nBob,Paris,France\nCem,Rome,Italy\n", "asks"},
		{"a city settles its country", made("\t", "", 40, "Person #", "Bonn\tGermany|Rome\tItaly|Lima\tPeru"), "asks"},

		// Rows about entities, and what is no table of either kind: refused, with what to do.
		{"words for relations above names", "Owner,Kind,Seat\nOrion Media,company,Milan\nNova Group,company,Milan\nState Radio,public body,Rome\nBruno Rossi,person,Genoa\n", "reads Owner head-type=Kind value=Seat"},
		{"words for relations within triples", "Paris,capital,France\nBerlin,capital,Germany\nDirector,made by,Owner\n", "reads 1 2 3"},
		{"a type as a relation", "Rex,type,dog\nRex,owner,Ann\nAnn,lives in,Oslo\nFido,type,dog\n", "reads 1 2 3"},
		{"a header shorter than its rows", "name,born\nAnn Lee,1980,Bonn\nBob Ray,1981,Ulm\nCem Oz,1982,Bonn\n", "reads name value=born:dates, 3"},
		{"two columns", made(",", "person city", 20, "Person #", places), "reads person value=city"},
		{"things and their properties", "name,city,age\nAnn,Berlin,34\nBob,Paris,28\n", "reads name value=city, age:numbers"},
		{"many things and their properties", made(",", "name city age", 40, "Person #", places, "#70"), "reads name value=city, age:numbers"},
		{"countries", made(",", "name capital population area iso", 30, "Land #", "City #", "1#", "2#", "L#"), "reads name value=capital, population:numbers, area:numbers, iso"},
		{"names behind many numbers", made(",", strings.Repeat("n ", 29)+"n town kind", 20, append(slices.Repeat([]string{"#3"}, 30), places, "inn|bar")...), "asks"},
		{"a matrix", made(",", "x a b c d e", 5, "a|b|c|d|e", "0|1", "1|0", "0|1", "1|0", "1"), "reads x matrix=a, b, c, d, e"},
		{"all different", made(",", "", 60, "country #", "capital #", "1#"), "refuses"},
	}
	for _, tt := range tests {
		got := outcome(t, tt.table)
		if got != tt.want && (tt.want != "asks" || !strings.HasPrefix(got, "asks ")) {
			t.Errorf("%s:\n%sgot  %s\nwant %s", tt.name, tt.table[:min(len(tt.table), 160)]+"…\n", got, tt.want)
		}
	}
	t.Log(fmt.Sprint(len(tests)) + " tables")
}

// TestNothingIsDroppedInSilence imports tables of which something is left out: the
// lines add up, and what is left out is named.
func TestNothingIsDroppedInSilence(t *testing.T) {
	known := "a\tr\tb\n"
	tests := []struct {
		name, text string
		options    ingest.Options
		added      int64
		say        string // in a note; empty for silence
		err        error
	}{
		{name: "columns", text: "head,relation,tail,weight,pmid\na,r,b,1,2\n", added: 1, say: "“weight”, “pmid” as properties of the statement"},
		{name: "columns beside chosen ones", text: "x,y,z,w\na,r,b,1\n", options: ingest.Options{Columns: ingest.Columns{Head: "x", Relation: "y", Tail: "z"}}, added: 1, say: "“w” as property of the statement"},
		{name: "nothing", text: "head,relation,tail\na,r,b\n", added: 1},
		{name: "rows that give names", text: "Q1\tlabel\tOne\nQ1\tknows\tQ2\nQ2\tlabel\tTwo\n", added: 1, say: "In 2 of its lines, the relation gives the head a name"},
		{name: "a band is no number", text: "U2\tlabel\tIsland\nQueen\tlabel\tEMI\nDevo\tgenre\trock\nU2\tgenre\trock\n", added: 4},
		{name: "a relation called label", text: "source,label,target\nQ1,cites,Q2\nQ2,cites,Q3\n", added: 2},
		{name: "sep", text: "sep=;\nhead;relation;tail\n\"a;b\";r;c\n", added: 1},
		{name: "remarks above", text: "# made today\n# from here, and there\n#subject,predicate,object\na,r,c\nb,r,d\n", added: 2},
		{name: "a relation that only its cells tell", text: made(",", "source target confidence", 9, "A#", "B#4", "high|low"), added: 9, say: "“confidence” as relation"},
		{name: "keys that are not there", text: "id\tlabel\na\tAnna\nx\tXaver\n", say: "It added 1 name; 1 of its keys are not in this graph"},
		{name: "no key that is there", text: "id\tlabel\nx\tXaver\n", err: ingest.ErrFormat},
		{name: "names with more columns", text: "id\tlabel\tage\na\tAnna\t3\n", options: ingest.Options{Kind: ingest.Labels}, say: "leaves out “age”"},
		{name: "one relation for all", text: "source,target,weight\na,b,0.5\nb,c,0.1\n", options: ingest.Options{Columns: ingest.Columns{Relation: "=cites"}}, added: 2, say: "“weight” as property of the statement, and “cites” as the relation in every row"},
		{name: "edges without a relation", text: "source,target,weight\na,b,0.5\nb,c,0.1\n", err: ingest.ErrUnsure},
		{name: "edges without a relation, confirmed", text: "source,target,weight\na,b,0.5\nb,c,0.1\n", options: ingest.Options{AcceptGuess: true}, added: 2, say: "“weight” as property of the statement, and “linked to” as the relation in every row"},
		{name: "edges that lead from and to", text: "from,to,length (m)\nTank,Pump,5\nPump,Silo,7\n", options: ingest.Options{AcceptGuess: true}, added: 2, say: "“leads to” as the relation in every row"},
		{name: "one end alone", text: "from,length (m),width (m)\nTank,5,3\nPump,7,4\nSilo,2,9\n", added: 6, say: "“length (m)”, “width (m)” as relations of the head"},
		{name: "one relation for all of too little", text: "source,weight\na,0.5\nb,0.1\n", options: ingest.Options{Columns: ingest.Columns{Relation: "=cites"}}, err: ingest.ErrUnsure},
		{name: "one relation for all of nothing", text: "source,target\na,\nb,\n", options: ingest.Options{Columns: ingest.Columns{Relation: "=cites"}}, err: ingest.ErrColumns},
		{name: "a wide table", text: strings.Repeat("a,", 300) + "b\n", options: ingest.Options{Columns: ingest.Columns{Head: "1", Relation: "300", Tail: "301"}}, added: 1, say: "column 13 and 286 more"},
		{name: "two columns, one relation for all", text: "a,b\nb,c\n", options: ingest.Options{Columns: ingest.Columns{Head: "1", Tail: "2", Relation: "=cites"}}, added: 2},
		{name: "unsure", text: "Ann,Berlin,Germany\nBob,Paris,France\nCem,Rome,Italy\n", err: ingest.ErrUnsure},
		{name: "unsure and confirmed", text: "Ann,Berlin,Germany\nBob,Paris,France\nCem,Rome,Italy\n", options: ingest.Options{AcceptGuess: true}, added: 3, say: "Cairn reads column 1 as head"},
	}
	for _, tt := range tests {
		st := store(t)
		if _, err := stream(t, st, "known", known, ingest.Options{}); err != nil {
			t.Fatal(err)
		}
		r, err := stream(t, st, "x", tt.text, tt.options)
		if !errors.Is(err, tt.err) || tt.err == nil && (err != nil || r.Read == 0) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.err)
			continue
		}
		if notes := strings.Join(r.Notes, " "); tt.err == nil && (r.Added+r.Duplicate != tt.added || !strings.Contains(notes, tt.say) || tt.say == "" && notes != "") {
			t.Errorf("%s: %v, notes %q; want %d triples and %q", tt.name, r, notes, tt.added, tt.say)
		}
	}
}

// TestHeldOutTables tries headers and contents that no rule was made after: each was
// written down before it was read for the first time.
func TestHeldOutTables(t *testing.T) {
	shared.Sequential(t)
	const surnames, towns = "Okafor|Lindqvist|Tanaka|Moreau|Petrov|Silva|Haddad|Novak|Reyes", "Lagos|Uppsala|Nara|Lyon|Perm|Faro|Tyre"
	tests := []struct{ name, table, want string }{
		// Rows about entities.
		{"museum", made(";", "Inventarnummer Objekt Künstler Entstehungsjahr Material", 30, "INV-#", "Schale #12", surnames, "18#90", "Holz|Bronze|Ton"), "reads Inventarnummer value=Objekt, Künstler, Entstehungsjahr:numbers, Material"},
		{"ships", made(",", "vessel flag built tonnage owner", 25, "MV Star #", "Panama|Malta|Liberia", "19#70", "4#", surnames), "reads vessel value=flag, built:numbers, tonnage:numbers, owner"},
		{"proteins", made("\t", "accession symbol organism length", 40, "P1#", "SYM#", "human|mouse|yeast", "3#"), "reads accession value=symbol, organism, length:numbers"},
		{"companies with ids", made(",", "id name registered_in founded", 20, "C-#", "Acme # Ltd", towns, "20#20"), "reads head-id=id name value=registered_in, founded:numbers"},
		{"names in languages", made(",", "id name_en name_de name_fr area", 20, "Q#", "Lake #", "See #", "Lac #", "#.5"), "reads head-id=id name_en label=name_de, name_fr value=area:numbers"},
		{"several values a cell", made(",", "recipe ingredients minutes", 24, "Recipe #", "salt; flour|salt; milk|flour; egg|egg; milk", "1#40"), "reads recipe value=ingredients;, minutes:numbers"},
		{"kinds and other names", made("\t", "drug type synonyms approved", 20, "Drug #", "opioid|statin", "D-#", "2001-0#9-11"), "reads drug head-type=type value=synonyms, approved:dates"},
		{"capitals in the header", made(",", "Planet Star Discovered", 30, "Kepler-# b", "Kepler-#|HD #", "20#12"), "reads Planet value=Star, Discovered:numbers"},
		{"nothing but words", made(",", "Bridge River City", 40, "Bridge #", "Rhone|Seine|Loire|Elbe", towns), "reads Bridge value=River, City"},
		{"a label that is a kind", made(",", "key label short title seats", 30, "#", "hall|room", "H#", "Great Hall No. #", "1#"), "reads head-id=key title head-type=label value=short, seats:numbers"},
		{"codes and a name without a name", made(",", "code full description seats", 30, "H-#", "Great Hall No. #", "hall|room", "1#"), "reads head-id=code:text full value=description, seats:numbers"},
		{"other names", made(",", "donor_id pseudonym sex", 12, "D0#", "Heron#", "female|male"), "reads head-id=donor_id pseudonym value=sex"},
		{"codes beside numbers", made(",", "ab_no clone host", 12, "AB#", "DX-#", "mouse|rabbit"), "reads ab_no alias=clone:text value=host"},
		{"two columns, what several have", "Orchard,County\nLow Acre,Kent\nHigh Field,Kent\nMill Close,Surrey\n", "reads Orchard value=County"},
		{"two columns, a number", made(",", "river length", 20, "River #", "1#.5"), "reads river value=length:numbers"},
		{"empty cells", made(",", "peak range height parent", 30, "Peak #", "Alps|Andes", "2#", "|Mont #4"), "reads peak value=range, height:numbers, parent"},

		// Statements with more columns.
		{"holdings", made(",", "subject predicate object share asOf", 40, "Fund #9", "owns|controls", "Firm #12", "0.#90", "2020-0#9-01"), "reads subject predicate object with share:numbers, asOf:dates"},
		{"phone calls", made("\t", "from_name type to_name seconds", 40, surnames, "called|texted", surnames, "#90"), "reads from_name type to_name with seconds:numbers"},
		{"interactions", made("\t", "Gene_1 Relationship Gene_2 PubMed Confidence", 40, "G#20", "binds|represses", "G#20", "91#", "0.#99"), "reads Gene_1 Relationship Gene_2 with PubMed:numbers, Confidence:numbers"},
		{"without a header", made("\t", "", 60, "Ship #20", "carries|escorts", "Cargo #12", "0.#50"), "reads 1 2 3 with 4:numbers"},
		{"letters", made(";", "Absender Beziehung Empfänger Datum", 60, surnames, "schreibt an|antwortet", surnames, "1801-0#9-1#9"), "reads Absender Beziehung Empfänger with Datum:dates"},

		// Rows of several things that belong together: a role is played by one in another.
		{"roles in films", made(",", "film performer character", 40, "Film #9", "Actor #13", "Role #17"), "reads film =performer performer with character"},
		{"parts as names", made(",", "film actor role", 40, "Film #9", "Actor #13", "Role #"), "reads film =actor actor with role"},
		{"parts of actors", made(",", "actor role film year", 40, "Actor #13", "Role #31", "Film #9", "1971|1980|1985|1994"), "reads actor =film film with role, year:dates"},
		{"few parts", "film,actor,role\nAlien,Sigourney Weaver,Ripley\nAlien,Ian Holm,Ash\nHeat,Al Pacino,Vincent Hanna\n", "reads film =actor actor with role"},
		{"posts", made(",", "person role organisation from to", 40, surnames, "Director|Fellow|Chair", "Acme|BBC|Oxford|Royal Society|Shell", "1951|1962|1978|1983", "1991|1999|2001"), "reads person role organisation with from:dates, to:dates"},
		{"posts last", made(",", "name company position start end", 40, surnames, "Acme|BBC|Oxford|Royal Society|Shell", "Chief engineer|Clerk|Driver", "1951|1962|1978|1983", "1991|1999|2001"), "reads name position company with start:dates, end:dates"},
		{"a crew", made("\t", "film person role", 40, "Film #9", surnames, "director|producer|writer"), "reads film role person"},
		{"few posts", "person,role,organisation\nMarie Curie,director,Radium Institute\nJean Perrin,professor,Sorbonne\nMarie Curie,professor,Sorbonne\n", "reads person role organisation"},
		{"every post its own name", made(",", "person role organisation", 40, surnames, "Keeper of room #", "Acme|BBC|Oxford|Royal Society|Shell"), "reads person =organisation organisation with role"},
		{"users", made(",", "user role email", 12, "Ann #", "admin|editor|viewer", "a#@x.org"), "reads user value=role, email"},
		{"staff", made(",", "name role department salary", 12, "Ann #", "engineer|manager|clerk", "Wings|Hulls", "30#"), "reads name value=role, department, salary:numbers"},
		{"bosses", "person,boss,job,town\nAnn,Carl,nurse,Rome\nBen,Carl,baker,Oslo\nCarl,Gus,baker,Rome\nDora,Gus,cook,Oslo\nGus,,manager,Rome\n", "reads person value=boss, job, town"},
		{"elections", made(",", "candidate district votes year", 60, "Cand #9", "North|South|East", "9#", "20#20"), "reads candidate =district district with votes:numbers, year:numbers"},
	}
	right := 0
	for _, tt := range tests {
		if got := outcome(t, tt.table); got != tt.want {
			t.Errorf("%s:\n%sgot  %s\nwant %s", tt.name, tt.table[:min(len(tt.table), 160)]+"…\n", got, tt.want)
			continue
		}
		right++
	}
	t.Logf("%d of %d", right, len(tests))
}
