package ingest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/ingest"
)

// TestListsInCells divides cells by commas where the column is called a plural, or its pieces
// have cells of their own, and its cells are lists, and says where cells with commas are read as one value.
func TestListsInCells(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
		say        string // in the notes; "-" for nothing about it
	}{
		{
			"lists", "Title,Authors,Subjects,Pages\nMice,\"Ann Lee, Bob Ray\",\"mice, rodents\",10\nBirds,Cy Dun,\"birds, Norfolk, mice\",20\nFish,\"Ann Lee, Cy Dun\",fish,30\n",
			[]string{
				"Birds — authors → Cy Dun", "Birds — pages → 20 ^integer", "Birds — subjects → Norfolk", "Birds — subjects → birds", "Birds — subjects → mice",
				"Fish — authors → Ann Lee", "Fish — authors → Cy Dun", "Fish — pages → 30 ^integer", "Fish — subjects → fish",
				"Mice — authors → Ann Lee", "Mice — authors → Bob Ray", "Mice — pages → 10 ^integer", "Mice — subjects → mice", "Mice — subjects → rodents",
			},
			"Cells of “Subjects” hold several values, separated by “,”.",
		},
		{
			"plurals before what tells of them", "food,Countries of origin,Languages spoken,genes (known),price\nNut,\"Turkey, Italy\",\"a, b\",x; y,3\nOats,\"Italy, Peru\",\"b, c\",z,4\nKale,Peru,c,w,5\n",
			[]string{
				"Kale — countries of origin → Peru", "Kale — genes (known) → w", "Kale — languages spoken → c", "Kale — price → 5 ^integer",
				"Nut — countries of origin → Italy", "Nut — countries of origin → Turkey", "Nut — genes (known) → x", "Nut — genes (known) → y", "Nut — languages spoken → a", "Nut — languages spoken → b", "Nut — price → 3 ^integer",
				"Oats — countries of origin → Italy", "Oats — countries of origin → Peru", "Oats — genes (known) → z", "Oats — languages spoken → b", "Oats — languages spoken → c", "Oats — price → 4 ^integer",
			},
			"Cells of “Countries of origin” hold several values",
		},
		{
			"inverted names", "Title,Authors,Pages\nMice,\"Lee, Ann\",10\nBirds,\"Dun, Cy\",20\nFish,\"Lee, Ann\",30\n",
			[]string{
				"Birds — authors → Dun, Cy", "Birds — pages → 20 ^integer", "Fish — authors → Lee, Ann", "Fish — pages → 30 ^integer", "Mice — authors → Lee, Ann", "Mice — pages → 10 ^integer",
			},
			"Cells of “Authors” such as “Dun, Cy” are read as one value each. If they hold several, save the mapping",
		},
		{
			"places", "Firm,Offices,Staff\nAcme,\"Oslo, Norway\",10\nBeta,Oslo,20\nGamma,\"Bergen, Norway\",30\nDelta,\"Rome, Italy\",40\n",
			[]string{
				"Acme — offices → Oslo, Norway", "Acme — staff → 10 ^integer", "Beta — offices → Oslo", "Beta — staff → 20 ^integer", "Delta — offices → Rome, Italy", "Delta — staff → 40 ^integer",
				"Gamma — offices → Bergen, Norway", "Gamma — staff → 30 ^integer",
			},
			"are read as one value each",
		},
		{
			"lists that no plural calls", "Animal,Diet,Born\nSimba,\"beef, rabbit\",2013\nKito,beef,2019\nLuna,\"rabbit, beef, goat\",2015\nMira,rabbit,2017\nAsh,goat,2018\n",
			[]string{
				"Ash — born → 2018 ^gYear", "Ash — diet → goat", "Kito — born → 2019 ^gYear", "Kito — diet → beef", "Luna — born → 2015 ^gYear", "Luna — diet → beef", "Luna — diet → goat", "Luna — diet → rabbit",
				"Mira — born → 2017 ^gYear", "Mira — diet → rabbit", "Simba — born → 2013 ^gYear", "Simba — diet → beef", "Simba — diet → rabbit",
			},
			"Cells of “Diet” hold several values, separated by “,”.",
		},
		{
			"one of many", "Firm,Trade,Staff\nAcme,\"tin, lead\",10\nBeta,tea,20\nGamma,tin,30\nDelta,wine,40\nEta,tea,50\n",
			[]string{
				"Acme — staff → 10 ^integer", "Acme — trade → tin, lead", "Beta — staff → 20 ^integer", "Beta — trade → tea", "Delta — staff → 40 ^integer", "Delta — trade → wine",
				"Eta — staff → 50 ^integer", "Eta — trade → tea", "Gamma — staff → 30 ^integer", "Gamma — trade → tin",
			},
			"-",
		},
		{
			"a few semicolons", "Firm,Owner,Inspected by,Founded\nAcme,Ann Lee,\"Ray, Bob\",1987\nBeta,Bob Ray; Cy Dun,\"Ray, Bob; Lee, Ann\",1999\nGamma,Di Fox,\"Lee, Ann\",2006\n",
			[]string{
				"Acme — founded → 1987 ^gYear", "Acme — inspected by → Ray, Bob", "Acme — owner → Ann Lee", "Beta — founded → 1999 ^gYear", "Beta — inspected by → Lee, Ann", "Beta — inspected by → Ray, Bob",
				"Beta — owner → Bob Ray", "Beta — owner → Cy Dun", "Gamma — founded → 2006 ^gYear", "Gamma — inspected by → Lee, Ann", "Gamma — owner → Di Fox",
			},
			"Cells of “Owner” hold several values, separated by “;”. x: Cells of “Inspected by” hold several values",
		},
		{
			"parts of one value", "Firm,Box,Maker,Staff\nAcme,A; 12,Smith &amp; Co,10\nBeta,B; 14,Lee,20\nGamma,C; 15,Ray,30\n",
			[]string{
				"Acme — box → A; 12", "Acme — maker → Smith &amp; Co", "Acme — staff → 10 ^integer", "Beta — box → B; 14", "Beta — maker → Lee", "Beta — staff → 20 ^integer",
				"Gamma — box → C; 15", "Gamma — maker → Ray", "Gamma — staff → 30 ^integer",
			},
			"Cells of “Box” such as “A; 12” are read as one value each. If they hold several, save the mapping, and write split = \";\" below that column.",
		},
		{
			"in the tail of statements", "source\trelation\ttarget\nAnn\tknows\tBob;Cy\nBob\tknows\tAnn;Cy;Di\nDi\tlikes\tAnn\n",
			[]string{"Ann — knows → Bob;Cy", "Bob — knows → Ann;Cy;Di", "Di — likes → Ann"},
			"Cells of “target” such as “Ann;Cy;Di” are read as one value each. If they hold several, write one row for each value.",
		},
		{
			"signs", "gene,strand,start\nBRCA1,-,430\nTP53,-,766\nEGFR,+,550\n",
			[]string{
				"BRCA1 — start → 430 ^integer", "BRCA1 — strand → -", "EGFR — start → 550 ^integer", "EGFR — strand → +", "TP53 — start → 766 ^integer", "TP53 — strand → -",
			},
			"-",
		},
	} {
		st := store(t)
		r, err := stream(t, st, "x", tt.text, ingest.Options{AcceptGuess: true})
		if err != nil || r.Check() != nil || r.Rejected > 0 {
			t.Errorf("%s: %v, %v", tt.name, err, r)
			continue
		}
		notes := strings.Join(r.Notes, " ")
		if diff := cmp.Diff(tt.want, said(graph(t, st))); diff != "" || tt.say != "-" && !strings.Contains(notes, tt.say) || tt.say == "-" && strings.Contains(notes, "ells") {
			t.Errorf("%s: notes %q, want %q\n%s", tt.name, notes, tt.say, diff)
		}
		again := store(t)
		if _, err := stream(t, again, "x", tt.text, ingest.Options{Reading: &r.Format.Reading}); err != nil || !cmp.Equal(said(graph(t, again)), tt.want) {
			t.Errorf("%s: by its own reading: %v, %q", tt.name, err, said(graph(t, again)))
		}
	}
}
