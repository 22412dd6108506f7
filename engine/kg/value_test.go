package kg_test

import (
	"math"
	"testing"

	"cairn/engine/kg"
	"cairn/internal/testing/testkg"
)

func TestParseValue(t *testing.T) {
	const number, date = kg.NumberValue, kg.DateValue
	tests := []struct {
		label string
		kind  kg.ValueKind
		want  float64
		unit  string
	}{
		{"1967", number, 1967, ""},
		{" 0 ", number, 0, ""},
		{"0.5", number, 0.5, ""},
		{".5", number, 0.5, ""},
		{"-3.5", number, -3.5, ""},
		{"−40", number, -40, ""},
		{"+7", number, 7, ""},
		{"94802.4", number, 94802.4, ""},
		{"1,234.5", number, 1234.5, ""},
		{"1 234 567", number, 1234567, ""},
		{"1\u202f234", number, 1234, ""},
		{"6.02e23", number, 6.02e23, ""},
		{"1.0E-3", number, 0.001, ""},
		{"12 km", number, 12, "km"},
		{"12km", number, 12, "km"},
		{"505,990 km²", number, 505990, "km²"},
		{"505990 km2", number, 505990, "km²"},
		{"45%", number, 45, "%"},
		{"$1.5 million", number, 1.5e6, "$"},
		{"1.4 billion", number, 1.4e9, ""},
		{"3 million km", number, 3e6, "km"},
		{"1999-07-02", date, 1999.4986, ""},
		{"1999-12-31", date, 1999.9973, ""},
		{"1999-01", date, 1999, ""},
		{"2000-02-29", date, 2000.1612, ""},
		{"1999-12-31T23:59:59Z", date, 2000, ""},
		{"-0044-03-15", date, -43.7978, ""},
		{"31 December 1999", date, 1999.9973, ""},
		{"December 31, 1999", date, 1999.9973, ""},
		{"January 1970", date, 1970, ""},
		{"44 BC", date, -43, ""},
		{"c. 1155", date, 1155, ""},
		{"ca. 980", date, 980, ""},
		{"1240s", date, 1240, ""},
		{"79 AD", date, 79, ""},
	}
	for _, tt := range tests {
		got, ok := kg.ParseValue(tt.label)
		if !ok || got.Kind != tt.kind || math.Abs(got.Number-tt.want) > 2e-4*math.Max(1, math.Abs(tt.want)/1e3) || got.Unit != tt.unit {
			t.Errorf("ParseValue(%q) = %+v, %v, want %v %v %q", tt.label, got, ok, tt.kind, tt.want, tt.unit)
		}
	}
}

func TestParseValueLeavesNamesAlone(t *testing.T) {
	for _, label := range []string{
		"", " ", "Kismet", "12 Monkeys", "21 Grams", "8 Mile", "28 Days Later", "007", "3,5", "1,23,456", "12,34",
		"1.2.3", "--5", "e5", "5e", ".", "-", "1999-13-01", "1999-02-30", "99-01-01", "Apollo 13", "B-52", "0x10",
		"NaN", "Inf", "1e999", "9 to 5", "1984 (film)", "192.168.0.1", "2001: A Space Odyssey", "$", "km", "5 km 3",
	} {
		if got, ok := kg.ParseValue(label); ok {
			t.Errorf("ParseValue(%q) = %+v, want nothing", label, got)
		}
	}
}

func FuzzParseValue(f *testing.F) {
	for _, s := range []string{"1967", "1,234.5", "12 km", "1999-12-31", "44 BC", "−", "$ million", "1e", "５"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, ok := kg.ParseValue(s)
		if ok && (math.IsNaN(v.Number) || math.IsInf(v.Number, 0)) {
			t.Errorf("ParseValue(%q) = %v", s, v.Number)
		}
		if !ok && v != (kg.Value{}) {
			t.Errorf("ParseValue(%q) = %+v without ok", s, v)
		}
	})
}

func TestValuesOfLabelsThatCount(t *testing.T) {
	for label, unit := range map[string]string{
		"2400 TEU": "TEU", "320 pages": "pages", "12 mg/dl": "mg/dl", "40 NTU": "NTU", "55 °P": "", "300 PSU": "PSU", "12 km": "km", "5 m³/s": "m³/s",
		"12 Monkeys": "", "50 Cent": "", "9 PM": "", "3 men and a baby": "", "007 agents": "", "pages 12": "", "5 4th": "",
	} {
		g := testkg.Build("X|says|" + label)
		v, ok := g.Value(1)
		if ok != (unit != "") || ok && v.Unit != unit {
			t.Errorf("%q is %v (%v), want the unit %q", label, v, ok, unit)
		}
		if _, counts := kg.ParseValue(label); counts && unit != "km" {
			t.Errorf("%q is a value wherever it stands", label)
		}
	}
}
