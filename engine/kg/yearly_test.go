package kg

import "testing"

func TestYearly(t *testing.T) {
	for text, dates := range map[string]map[string]bool{
		"May":         {"1932-05-01": true, "1932-05-31": true, "1999-05": true, "May 2024": true, "1932-04-30": false, "1933-06-01": false, "1932": false, "5 km": false},
		"1 May":       {"2023-05-01": true, "2024-05-01": true, "2024-05-02": false, "2024-05-01T23:59:00Z": true},
		"December 31": {"2023-12-31": true, "2024-12-31": true, "2024-12-30": false},
	} {
		y, ok := ParseYearly(text)
		if !ok {
			t.Fatalf("%q was not read", text)
		}
		if again, _ := ParseYearly(y.String()); again != y {
			t.Errorf("%q became %q", text, y)
		}
		for date, want := range dates {
			v, ok := ParseValue(date)
			if !ok || y.Has(v) != want {
				t.Errorf("%s has %s: %v, want %v", text, date, !want, want)
			}
		}
	}
	for _, text := range []string{"", "Ma", "30 February", "0 May", "2024", "mayor"} {
		if y, ok := ParseYearly(text); ok {
			t.Errorf("%q is %s", text, y)
		}
	}
}

func TestYearsBetween(t *testing.T) {
	var b Builder
	for _, test := range []struct {
		from, to string
		want     float64
		rough    bool
	}{
		{"1756-01-27", "1791-12-05", 35, false},
		{"1900-03-01", "1964-03-01", 64, false},
		{"1964-03-01", "2001-02-28", 36, false},
		{"31 August 1931", "1982-12-27", 51, false},
		{"1939", "2016-10-20", 77, true},
		{"1939", "2016", 77, true},
		{"1912-05", "1984-05-03", 72, true},
		{"1912-05", "1984-06-03", 72, false},
		{"1991-01-01", "1990-06-01", -1, false},
	} {
		b.Add("x", "from", test.from)
		b.Add("x", "to", test.to)
		g := b.Graph()
		id := func(label string) (e EntityID) {
			for e = range EntityID(g.Entities()) {
				if g.Label(e) == label {
					break
				}
			}
			return e
		}
		if n, rough, ok := g.YearsBetween(id(test.from), id(test.to)); n != test.want || rough != test.rough || !ok {
			t.Errorf("%s to %s: %v, %v, %v; want %v, %v", test.from, test.to, n, rough, ok, test.want, test.rough)
		}
	}
}
