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
