package ingest_test

import (
	"errors"
	"strings"
	"testing"

	"cairn/engine/ingest"
)

// TestTwoTablesInOneSheet refuses rows that are two tables, and reads those that are one
// with blank lines, headings or a header that comes again.
func TestTwoTablesInOneSheet(t *testing.T) {
	const staff = "Person,Born,Employer\nAnn,1970,Acme\nBob,1981,Beta\nCy,1975,Acme\n"
	for _, tt := range []struct{ name, text, say string }{
		{"below", staff + "\nCompany,City,Founded\nAcme,London,1950\nBeta,Paris,1999\n", "line 6: it has two tables: one with “Person”, “Born”, “Employer”, and from here on one with “Company”, “City”, “Founded”"},
		{"below, narrower", staff + ",,\nCompany,Founded,\nAcme,1950,\nBeta,1999,\n", "it has two tables"},
		{"beside", "Person,Born,,Company,City\nAnn,1970,,Acme,London\nBob,1981,,Beta,Paris\nCy,1975,,,\n", "line 1: it has two tables side by side: one with “Person”, “Born”, and one with “Company”, “City”"},
		{"one with a gap", staff + "\nDi,1990,Beta\nEva,1991,Beta\nFay,1992,Acme\n", ""},
		{"the same again", staff + "\nPerson,Born,Employer\nDi,1990,Beta\nEva,1991,Beta\n", ""},
		{"a column for looks", "Person,Born,,Company,City\nAnn,1970,,Acme,London\nBob,1981,,Beta,Paris\nCy,1975,,Acme,London\n", ""},
	} {
		r, err := stream(t, store(t), "x", tt.text, ingest.Options{AcceptGuess: true})
		switch {
		case tt.say == "" && (err != nil || r.Check() != nil):
			t.Errorf("%s: %v, %v", tt.name, err, r)
		case tt.say != "" && (!errors.Is(err, ingest.ErrFormat) || !strings.Contains(err.Error(), tt.say)):
			t.Errorf("%s: %v, want %q", tt.name, err, tt.say)
		}
	}
	// What the columns of one table are can be said.
	roles, err := ingest.ParseRoles("head,value,left-out,left-out,left-out")
	if err != nil {
		t.Fatal(err)
	}
	if r, err := stream(t, store(t), "x", "Person,Born,,Company,City\nAnn,1970,,Acme,London\nBob,1981,,Beta,Paris\nCy,1975,,,\n", ingest.Options{Reading: &roles}); err != nil || r.Added != 3 {
		t.Errorf("one of two: %v, %v", err, r)
	}
}
