package ingest_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/ingest"
	"cairn/engine/kg"
)

// TestTablesAreJoinedByIDs imports tables that refer to each other: a column of ids leads to
// what they name, equal ids of two tables stay two things, and the report says both.
func TestTablesAreJoinedByIDs(t *testing.T) {
	tests := []struct {
		name  string
		files []string // name, text
		want  []string
		notes []string // parts of them

		entities int    // where it matters that none is there twice
		types    string // where it matters what the things are
	}{
		{
			name: "a column of ids", files: []string{
				"staff.csv", "id,name,dept_id\n1,Ann,10\n2,Bob,20\n3,Cy,10\n",
				"departments.csv", "id,name,city\n10,Sales,London\n20,Ops,Paris\n",
			},
			want: []string{
				"Ann — dept → Sales", "Bob — dept → Ops", "Cy — dept → Sales", "Ops — city → Paris", "Sales — city → London",
			},
			notes: []string{"“dept_id” holds ids of “departments.csv”, such as “10”, which is “Sales”."},
		},
		{
			name: "ids that are called as the things of the table are", files: []string{
				"specimens.csv", "specimen_id,mineral_id,weight\nS-1,1,120\nS-2,2,85\nS-3,1,40\n",
				"minerals.csv", "mineral_id,name,hardness\n1,Quartz,7\n2,Topaz,8\n3,Talc,1\n",
			},
			want: []string{
				"Quartz — hardness → 7 ^integer", "S-1 — mineral → Quartz", "S-1 — weight → 120 ^integer", "S-2 — mineral → Topaz", "S-2 — weight → 85 ^integer", "S-3 — mineral → Quartz",
				"S-3 — weight → 40 ^integer", "Talc — hardness → 1 ^integer", "Topaz — hardness → 8 ^integer",
			},
			notes: []string{"“mineral_id” holds ids of “minerals.csv”, such as “1”, which is “Quartz”."},
		},
		{
			name: "an id beside the name of the thing", files: []string{
				"specimens.csv", "specimen,mineral_id\nS-1,1\nS-2,2\nS-3,1\n",
				"minerals.csv", "id,mineral_name,hardness\n1,Quartz,7\n2,Topaz,8\n3,Talc,1\n",
			},
			want: []string{
				"Quartz — hardness → 7 ^integer", "S-1 — mineral → Quartz", "S-2 — mineral → Topaz", "S-3 — mineral → Quartz", "Talc — hardness → 1 ^integer", "Topaz — hardness → 8 ^integer",
			},
		},
		{
			name: "rows with numbers that others use are no rescuees, each of one row", files: []string{
				"callouts.csv", "Callout no,Rescuee,Rescuee town,Dogs\nC1,Ann Roe,Oskby,1\nC2,Ben Low,Tarn,2\nC3,Cy Dunn,Oskby,0\n",
				"turnouts.csv", "Callout no,Dog,Hours\nC1,Moss,3\nC2,Moss,5\nC2,Fly,2\n",
			},
			want: []string{
				"C1 — dog → Moss, Hours 3", "C1 — dogs → 1 ^integer", "C1 — rescuee town → Oskby", "C1 — rescuee → Ann Roe", "C2 — dog → Fly, Hours 2", "C2 — dog → Moss, Hours 5",
				"C2 — dogs → 2 ^integer", "C2 — rescuee town → Tarn", "C2 — rescuee → Ben Low", "C3 — dogs → 0 ^integer", "C3 — rescuee town → Oskby", "C3 — rescuee → Cy Dunn",
			},
		},
		{
			name: "equal ids are two things", files: []string{
				"staff.csv", "id,name,dept_id\n1,Ann,1\n2,Bob,2\n3,Cy,1\n",
				"departments.csv", "id,name,city\n1,Sales,London\n2,Ops,Paris\n",
			},
			want: []string{
				"Ann — dept → Sales", "Bob — dept → Ops", "Cy — dept → Sales", "Ops — city → Paris", "Sales — city → London",
			},
			notes: []string{"“dept_id” holds ids of “departments.csv”", "“staff.csv” and “departments.csv” have equal ids, such as “1”, which is “Ann” and “Sales”. They are kept apart."},
		},
		{
			name: "a column that may hold the ids of either", files: []string{
				"staff.csv", "id,name,boss_id\n1,Ann,2\n2,Bob,1\n", "ships.csv", "id,name,port\n1,Vega,Oslo\n2,Lyra,Bergen\n",
			},
			want: []string{
				"Ann — boss id → 2 ^integer", "Bob — boss id → 1 ^integer", "Lyra — port → Bergen", "Vega — port → Oslo",
			},
			notes: []string{"“boss_id” may hold ids of “staff.csv” or “ships.csv”, which have some ids in common, so it was joined to none of them.", "They are kept apart."},
		},
		{
			name: "a column called by the sort of thing whose ids it holds", files: []string{
				"persons.csv", "person_id,name,birthplace_id,father_id\n1,Ann,2,2\n2,Carl,1,\n", "places.csv", "place_id,name,county\n1,Rome,Lazio\n2,Oslo,Viken\n",
			},
			want:  []string{"Ann — birthplace → Oslo", "Ann — father → Carl", "Carl — birthplace → Rome", "Oslo — county → Viken", "Rome — county → Lazio"},
			notes: []string{"“father_id” holds ids of “persons.csv”", "“birthplace_id” holds ids of “places.csv”"},
		},
		{
			name: "ids of the table itself, and one that is nowhere", files: []string{"staff.csv", "id,name,boss_id\n1,Ann,\n2,Bob,1\n3,Cy,1\n4,Di,2\n"},
			want:  []string{"Bob — boss → Ann", "Cy — boss → Ann", "Di — boss → Bob"},
			notes: []string{"“boss_id” holds ids of “staff.csv”, such as “1”, which is “Ann”."},
		},
		{
			name: "names of things that have ids", files: []string{
				"members.csv", "id,name,boss,born\n1,Ann,,1960\n2,Ben,Ann,1970\n3,Cid,Ann,1980\n4,Dee,Ben,1990\n",
				"committees.csv", "committee,chair,members\nJustice,Ann,Ann; Ben; Cid\nHealth,Ben,Ben; Dee\n",
			},
			want: []string{
				"Ann — born → 1960 ^gYear", "Ben — born → 1970 ^gYear", "Ben — boss → Ann", "Cid — born → 1980 ^gYear", "Cid — boss → Ann", "Dee — born → 1990 ^gYear", "Dee — boss → Ben",
				"Health — chair → Ben", "Health — members → Ben", "Health — members → Dee",
				"Justice — chair → Ann", "Justice — members → Ann", "Justice — members → Ben", "Justice — members → Cid",
			},
			notes: []string{"“members” holds names of “members.csv”."}, entities: 10,
		},
		{
			name: "tables that only join others", files: []string{
				"cosponsors.csv", "bill_id,mp_id\n1,102\n1,103\n2,101\n",
				"members.csv", "mp_id,name,born\n101,Ann,1961\n102,Ben,1974\n103,Cid,1983\n",
				"bills.csv", "bill_id,title,topic_ids\n1,Rent Act,t1; t2\n2,Farm Act,t1\n",
				"votes.csv", "mp_id,bill_id,vote\n101,1,yes\n101,2,no\n102,1,no\n",
				"topics.csv", "topic_id,name\nt1,tax\nt2,rent\n",
			},
			want: []string{
				"Ann — born → 1961 ^gYear", "Ann — votes → Farm Act, vote no", "Ann — votes → Rent Act, vote yes",
				"Ben — born → 1974 ^gYear", "Ben — votes → Rent Act, vote no", "Cid — born → 1983 ^gYear",
				"Farm Act — cosponsors → Ann", "Farm Act — topics → tax", "Rent Act — cosponsors → Ben", "Rent Act — cosponsors → Cid", "Rent Act — topics → rent", "Rent Act — topics → tax",
			},
			notes: []string{"cosponsors.csv: Its ids refer to “members.csv”."},
		},
		{
			name: "a table called by a word without a plural", files: []string{
				"staff.csv", "Initials,Full name,Supervisor,Age\nHN,Hana Novotna,,61\nPK,Petr Kralik,HN,40\nAS,Amira Saleh,HN,38\nJL,Jun Li,AS,29\n",
			},
			want: []string{
				"Amira Saleh — age → 38 ^integer", "Amira Saleh — initials → AS ^", "Amira Saleh — supervisor → Hana Novotna", "Hana Novotna — age → 61 ^integer", "Hana Novotna — initials → HN ^", "Jun Li — age → 29 ^integer",
				"Jun Li — initials → JL ^", "Jun Li — supervisor → Amira Saleh", "Petr Kralik — age → 40 ^integer", "Petr Kralik — initials → PK ^", "Petr Kralik — supervisor → Hana Novotna",
			},
			types: "staff",
		},
		{
			name: "names beside ids in JSON, and a list that numbers its records", files: []string{
				"clinic.json", `{"vets":[{"id":"V1","name":"Dr. Ann Bell"},{"id":"V2","name":"Dr. Cid Dow"}],"visits":[{"visit_no":"B1","vet":"Dr. Ann Bell"},{"visit_no":"B2","vet":"V2"}]}`,
			},
			want:  []string{"B1 — vet → Dr. Ann Bell", "B2 — vet → Dr. Cid Dow"},
			types: "vet, visit",
		},
		{
			name: "codes of letters, several in a cell, and a table that joins them", files: []string{
				"courses.csv", "course_code,title,dept_id,prerequisites\nCS101,Programming,CS,\nCS120,Data,CS,CS101\nMA110,Algebra,MA,\nCS250,Algorithms,CS,CS120; MA110\n",
				"departments.csv", "dept_id,name,building\nCS,Computer Science,Turing\nMA,Mathematics,Noether\n",
				"enrolments.csv", "student_id,course_code,semester,grade\nS1,CS101,WS21,1.3\nS1,CS120,SS22,1.7\nS2,MA110,WS21,2.0\nS2,CS101,WS21,3.0\n",
				"students.csv", "student_id,name,born\nS1,Ann,2001\nS2,Bob,2002\n",
			},
			want: []string{
				"Algebra — course code → MA110 ^", "Algebra — dept → Mathematics", "Algorithms — course code → CS250 ^", "Algorithms — dept → Computer Science",
				"Algorithms — prerequisites → Algebra", "Algorithms — prerequisites → Data",
				"Ann — born → 2001 ^gYear", "Ann — enrolments → Data, semester SS22, grade 1.7", "Ann — enrolments → Programming, semester WS21, grade 1.3",
				"Bob — born → 2002 ^gYear", "Bob — enrolments → Algebra, semester WS21, grade 2.0", "Bob — enrolments → Programming, semester WS21, grade 3.0",
				"Computer Science — building → Turing", "Data — course code → CS120 ^", "Data — dept → Computer Science", "Data — prerequisites → Programming",
				"Mathematics — building → Noether", "Programming — course code → CS101 ^", "Programming — dept → Computer Science",
			},
			types: "course, department, student",
		},
		{
			name: "a name called as the table is, and edges between ids of one table", files: []string{
				"connections.csv", "from,to,line_no,minutes\nHAR,ALD,L1,4\nALD,WEN,L1,11\nWEN,HAR,L2,9\nHAR,WEN,L1,20\n",
				"lines.csv", "line_no,line name,operator_id\nL1,North Line,CVR\nL2,Coast Line,ALN\n",
				"operators.csv", "operator_id,name,founded\nCVR,Coast and Vale,1987\nALN,Alderline,1996\n",
				"stations.csv", "code,station,town\nHAR,Harnby Central,Harnby\nALD,Aldgate,Harnby\nWEN,Wenning Junction,Wenning\n",
			},
			want: []string{
				"Alderline — founded → 1996 ^gYear", "Aldgate — code → ALD ^", "Aldgate — leads to → Wenning Junction, line North Line, minutes 11", "Aldgate — town → Harnby",
				"Coast Line — line no → L2 ^", "Coast Line — operator → Alderline", "Coast and Vale — founded → 1987 ^gYear",
				"Harnby Central — code → HAR ^", "Harnby Central — leads to → Aldgate, line North Line, minutes 4", "Harnby Central — leads to → Wenning Junction, line North Line, minutes 20",
				"Harnby Central — town → Harnby", "North Line — line no → L1 ^", "North Line — operator → Coast and Vale",
				"Wenning Junction — code → WEN ^", "Wenning Junction — leads to → Harnby Central, line Coast Line, minutes 9", "Wenning Junction — town → Wenning",
			},
			types: "line, operator, station",
		},
		{
			name: "tables of those who do something, and from when to when", files: []string{
				"companies.csv", "company_id,name\nc1,Acme\nc2,Bolt\n",
				"mines.csv", "mine_id,name\nm1,North Pit\nm2,South Pit\n",
				"people.csv", "person_id,name\np1,Ann\np2,Ben\n",
				"operators.csv", "mine_id,company_id,from,to\nm1,c1,1970,1980\nm1,c2,1980,\nm2,c1,1975,\n",
				"owners.csv", "person_id,mine_id,from,to\np1,m1,1960,1970\np1,m2,1960,1972\np2,m1,1970,\n",
			},
			want: []string{
				"Ann — owner of → North Pit, from 1960, to 1970", "Ann — owner of → South Pit, from 1960, to 1972", "Ben — owner of → North Pit, from 1970",
				"North Pit — operators → Acme, from 1970, to 1980", "North Pit — operators → Bolt, from 1980", "South Pit — operators → Acme, from 1975",
			},
		},
		{
			name: "a key that only others tell", files: []string{
				"calls.csv", "ship,port,arrived,departed\n9321483,DEHAM,2024-01-05,2024-01-06\n9454436,SGSIN,2024-01-02,2024-01-04\n9321483,SGSIN,2024-02-02,2024-02-03\n",
				"ports.csv", "port,abbr,country\nHamburg,DEHAM,Germany\nSingapore,SGSIN,Singapore\n",
				"ships.csv", "ship,imo,flag\nEmma,9321483,Denmark\nMarco Polo,9454436,France\n",
			},
			want: []string{
				"Emma — calls → Hamburg, arrived 2024-01-05, departed 2024-01-06", "Emma — calls → Singapore, arrived 2024-02-02, departed 2024-02-03", "Emma — flag → Denmark", "Emma — imo → 9321483 ^",
				"Hamburg — abbr → DEHAM ^", "Hamburg — country → Germany", "Marco Polo — calls → Singapore, arrived 2024-01-02, departed 2024-01-04", "Marco Polo — flag → France",
				"Marco Polo — imo → 9454436 ^", "Singapore — abbr → SGSIN ^", "Singapore — country → Singapore",
			},
			types: "port, ship",
		},
		{
			name: "lists of ids are no names, and are divided", files: []string{
				"trials.csv", "Trial ID,Acronym,Phase,Drug,Sites\nN101,HORIZON,3,D1,S1; S2\nN102,LUMEN,2,D2,S2; S3\nN103,ORBIT,3,D1; D3,S1; S3; S4\nN104,VESPER,1,D3,S4; S2\n",
				"drugs.csv", "Drug ID,Drug name\nD1,velotrine\nD2,cardalol\nD3,dacarine\n",
				"sites.csv", "Site ID,Hospital,City\nS1,Westmoor General,Leeds\nS2,Clinique Saint-Roch,Lyon\nS3,Ospedale Maggiore,Parma\nS4,Rigshospitalet,Copenhagen\n",
			},
			want: []string{
				"Clinique Saint-Roch — city → Lyon", "HORIZON — drug → velotrine", "HORIZON — phase → 3 ^integer", "HORIZON — sites → Clinique Saint-Roch", "HORIZON — sites → Westmoor General",
				"LUMEN — drug → cardalol", "LUMEN — phase → 2 ^integer", "LUMEN — sites → Clinique Saint-Roch", "LUMEN — sites → Ospedale Maggiore",
				"ORBIT — drug → dacarine", "ORBIT — drug → velotrine", "ORBIT — phase → 3 ^integer", "ORBIT — sites → Ospedale Maggiore", "ORBIT — sites → Rigshospitalet", "ORBIT — sites → Westmoor General",
				"Ospedale Maggiore — city → Parma", "Rigshospitalet — city → Copenhagen",
				"VESPER — drug → dacarine", "VESPER — phase → 1 ^integer", "VESPER — sites → Clinique Saint-Roch", "VESPER — sites → Rigshospitalet", "Westmoor General — city → Leeds",
			},
		},
		{
			name: "answers and counts are no relation and no head beside ids", files: []string{
				"events.csv", "Trial ID,Adverse event,Grade,Patients,Serious\nN101,headache,1,88,no\nN101,bradycardia,3,41,yes\nN101,fatigue,2,132,no\nN102,bradycardia,3,63,yes\nN102,nausea,1,95,no\nN103,headache,1,21,no\nN103,rash,2,17,no\nN104,nausea,4,5,yes\n",
				"trials.csv", "Trial ID,Acronym,Phase\nN101,HORIZON,3\nN102,LUMEN,2\nN103,ORBIT,3\nN104,VESPER,1\n",
			},
			want: []string{
				"HORIZON — adverse event → bradycardia, Grade 3, Patients 41, Serious yes", "HORIZON — adverse event → fatigue, Grade 2, Patients 132, Serious no",
				"HORIZON — adverse event → headache, Grade 1, Patients 88, Serious no", "HORIZON — phase → 3 ^integer",
				"LUMEN — adverse event → bradycardia, Grade 3, Patients 63, Serious yes", "LUMEN — adverse event → nausea, Grade 1, Patients 95, Serious no", "LUMEN — phase → 2 ^integer",
				"ORBIT — adverse event → headache, Grade 1, Patients 21, Serious no", "ORBIT — adverse event → rash, Grade 2, Patients 17, Serious no", "ORBIT — phase → 3 ^integer",
				"VESPER — adverse event → nausea, Grade 4, Patients 5, Serious yes", "VESPER — phase → 1 ^integer",
			},
		},
		{
			name: "ids of one person beside those of others", files: []string{
				"baptisms.csv", "child_id,baptism_date,church,godparent_ids,minister\nP3,1738-03-26,St Erme,P1; P2,Josiah Polkinghorne\nP4,1740-08-03,St Erme,P5,Josiah Polkinghorne\nP5,1736-11-28,St Mewan,P1; P2,Hugh Bray\n",
				"persons.csv", "person_id,name,born\nP1,Ann Tregear,1700\nP2,William Vosper,1701\nP3,John Penrose,1738\nP4,Mary Penrose,1740\nP5,Grace Angove,1716\n",
			},
			want: []string{
				"Ann Tregear — born → 1700 ^gYear", "Grace Angove — baptism date → 1736-11-28 ^date", "Grace Angove — born → 1716 ^gYear", "Grace Angove — church → St Mewan",
				"Grace Angove — godparents → Ann Tregear", "Grace Angove — godparents → William Vosper", "Grace Angove — minister → Hugh Bray", "John Penrose — baptism date → 1738-03-26 ^date",
				"John Penrose — born → 1738 ^gYear", "John Penrose — church → St Erme", "John Penrose — godparents → Ann Tregear", "John Penrose — godparents → William Vosper",
				"John Penrose — minister → Josiah Polkinghorne", "Mary Penrose — baptism date → 1740-08-03 ^date", "Mary Penrose — born → 1740 ^gYear", "Mary Penrose — church → St Erme",
				"Mary Penrose — godparents → Grace Angove", "Mary Penrose — minister → Josiah Polkinghorne", "William Vosper — born → 1701 ^gYear",
			},
			types: "person",
		},
		{
			name: "names of persons that are called by a role", files: []string{
				"baptisms.csv", "child,baptism_date,church,godparents\nJohn Penrose,1738-03-26,St Erme,Ann Tregear; William Vosper\nMary Penrose,1740-08-03,St Erme,Grace Angove\nGrace Angove,1736-11-28,St Mewan,Ann Tregear; William Vosper\n",
				"persons.csv", "person_id,name,born\nP1,Ann Tregear,1700\nP2,William Vosper,1701\nP3,John Penrose,1738\nP4,Mary Penrose,1740\nP5,Grace Angove,1716\n",
			},
			want: []string{
				"Ann Tregear — born → 1700 ^gYear", "Grace Angove — baptism date → 1736-11-28 ^date", "Grace Angove — born → 1716 ^gYear", "Grace Angove — church → St Mewan",
				"Grace Angove — godparents → Ann Tregear", "Grace Angove — godparents → William Vosper", "John Penrose — baptism date → 1738-03-26 ^date", "John Penrose — born → 1738 ^gYear",
				"John Penrose — church → St Erme", "John Penrose — godparents → Ann Tregear", "John Penrose — godparents → William Vosper", "Mary Penrose — baptism date → 1740-08-03 ^date",
				"Mary Penrose — born → 1740 ^gYear", "Mary Penrose — church → St Erme", "Mary Penrose — godparents → Grace Angove", "William Vosper — born → 1701 ^gYear",
			},
			types: "person",
		},
		{
			name: "what a row with an id only refers to names it not", files: []string{
				"awards.csv", "award_id,Prize,Edition,Film\nA1,Golden Lantern,2021,The Salt Road\nA2,Best Director,2021,Glass Orchard\nA3,Best Director,2022,Monsoon Radio\n",
				"films.csv", "film_id,Film,Year\nF1,The Salt Road,2021\nF2,Glass Orchard,2019\nF3,Monsoon Radio,2021\n",
				"loans.csv", "loan_id,Book,Reader,Fee\nL1,Emma,Ann Lee,3\nL2,Dune,Bo Ray,4\nL3,Emma,Cy Orr,5\n",
			},
			want: []string{
				"A1 — edition → 2021 ^gYear", "A1 — film → The Salt Road", "A1 — prize → Golden Lantern", "A2 — edition → 2021 ^gYear", "A2 — film → Glass Orchard",
				"A2 — prize → Best Director", "A3 — edition → 2022 ^gYear", "A3 — film → Monsoon Radio", "A3 — prize → Best Director", "Glass Orchard — year → 2019 ^gYear",
				"L1 — book → Emma", "L1 — fee → 3 ^integer", "L1 — reader → Ann Lee", "L2 — book → Dune", "L2 — fee → 4 ^integer", "L2 — reader → Bo Ray", "L3 — book → Emma", "L3 — fee → 5 ^integer", "L3 — reader → Cy Orr",
				"Monsoon Radio — year → 2021 ^gYear", "The Salt Road — year → 2021 ^gYear",
			},
			types: "award, film, loan",
		},
		{
			name: "a table that joins three others", files: []string{
				"runs.csv", "horse_id,race_id,jockey_id,position\nH1,R1,J1,1\nH2,R1,J2,2\nH1,R2,J2,1\n",
				"horses.csv", "horse_id,name\nH1,Enabler\nH2,Galloway\n",
				"jockeys.csv", "jockey_id,name\nJ1,Ann Lee\nJ2,Bo Ray\n",
				"races.csv", "race_id,name\nR1,Oaks\nR2,Derby\n",
			},
			want: []string{
				"Enabler — runs → Derby, jockey Bo Ray, position 1", "Enabler — runs → Oaks, jockey Ann Lee, position 1", "Galloway — runs → Oaks, jockey Bo Ray, position 2",
			},
		},
		{
			name: "a kind that the table calls by a longer word", files: []string{
				"racecourses.csv", "course_id,name,opened\nC1,Ascombe,1711\nC2,Epsworth,1661\nC3,Ayrmouth,1907\n",
			},
			want:  []string{"Ascombe — opened → 1711 ^gYear", "Ayrmouth — opened → 1907 ^gYear", "Epsworth — opened → 1661 ^gYear"},
			types: "course, racecourse",
		},
		{
			name: "edges to a node that nothing describes", files: []string{
				"parts.csv", "id,name,maker\nn1,Pump 1,KSB\nn2,Valve 7,ARI\n",
				"pipes.csv", "subject,predicate,object,bore\nn1,feeds,n2,3.5\nn2,feeds,n9,2.1\n",
			},
			want: []string{
				"Pump 1 — feeds → Valve 7, bore 3.5", "Pump 1 — maker → KSB", "Valve 7 — feeds → n9, bore 2.1", "Valve 7 — maker → ARI",
			},
			notes: []string{"Its ids refer to “parts.csv”.", "1 node appears only in edges. Its id is its name."},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			var paths []string
			for i := 0; i < len(test.files); i += 2 {
				paths = append(paths, filepath.Join(dir, test.files[i]))
				write(t, paths[i/2], test.files[i+1])
			}
			st := store(t)
			r, err := ingest.Files(t.Context(), st, paths, ingest.Options{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Check(); err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff(test.want, said(graph(t, st))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if n := graph(t, st).Entities(); test.entities > 0 && n != test.entities {
				t.Errorf("%d entities, want %d", n, test.entities)
			}
			g := graph(t, st)
			if types := typesOf(g); test.types != "" && types != test.types {
				t.Errorf("things are %q, want %s", types, test.types)
			}
			notes := strings.Join(r.Notes, "\n")
			for _, n := range test.notes {
				if !strings.Contains(notes, n) {
					t.Errorf("no note says %q:\n%s", n, notes)
				}
			}
			trials, err := ingest.NewTrials(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer trials.Close()
			trials.Among(paths)
			try, err := trials.File(t.Context(), paths[0], ingest.Options{})
			if err != nil || !cmp.Equal(try.Format.Columns, r.Format.Columns) {
				t.Errorf("a trial reads it otherwise: %v\n%s", err, cmp.Diff(r.Format.Columns, try.Format.Columns))
			}
		})
	}
}

// TestIDsThatTheGraphHasAlready says where a second import numbers other things.
func TestIDsThatTheGraphHasAlready(t *testing.T) {
	dir := t.TempDir()
	st := store(t)
	imported := func(name, text string) []string {
		path := filepath.Join(dir, name)
		write(t, path, text)
		r, err := ingest.File(t.Context(), st, path, ingest.Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r.Notes
	}
	taken := func(note string) bool { return strings.Contains(note, "“1”, which is “Ann” and “Sales”") }
	imported("staff.csv", "id,name,city\n1,Ann,Oslo\n2,Bob,Rome\n")
	if notes := imported("again.csv", "id,name,born\n1,Ann,1970\n2,Bob,1980\n"); slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, "other names") }) {
		t.Errorf("the same things: %q", notes)
	}
	if notes := imported("departments.csv", "id,name,city\n1,Sales,London\n2,Ops,Paris\n"); !slices.ContainsFunc(notes, taken) {
		t.Errorf("other things: %q", notes)
	}
}

// typesOf lists the types of a graph.
func typesOf(g *kg.Graph) string {
	types := make([]string, g.NumTypes())
	for i := range types {
		types[i] = g.TypeLabel(kg.TypeID(i))
	}
	slices.Sort(types)
	return strings.Join(types, ", ")
}
