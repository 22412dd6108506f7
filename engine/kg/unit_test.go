package kg_test

import (
	"math"
	"testing"

	"cairn/engine/kg"
)

func TestIn(t *testing.T) {
	for _, tt := range []struct {
		number   float64
		from, to string
		want     float64
	}{
		{4000, "miles", "km", 6437.376},
		{20_000, "feet", "m", 6096},
		{1, "mi", "ft", 5280},
		{1, "square mile", "km²", 2.589988110336},
		{2, "ha", "m2", 20_000},
		{4.2, "t", "kg", 4200},
		{100, "pounds", "kg", 45.359237},
		{90, "minutes", "h", 1.5},
		{24, "months", "years", 2},
		{100, "km/h", "m/s", 27.7777777778},
		{212, "degrees Fahrenheit", "°C", 100},
		{0, "°C", "K", 273.15},
		{-40, "°C", "°F", -40},
		{1, "GiB", "MiB", 1024},
		{1500, "MB", "GB", 1.5},
		{7, "Kilometres", "km", 7},
		{5, "", "", 5},
	} {
		v, ok := kg.Value{Number: tt.number, Unit: tt.from}.In(tt.to)
		if !ok || math.Abs(v.Number-tt.want) > 1e-9*max(1, math.Abs(tt.want)) {
			t.Errorf("%v %s in %s = %v, %v, want %v", tt.number, tt.from, tt.to, v.Number, ok, tt.want)
		}
	}
	for _, pair := range [][2]string{{"km", "kg"}, {"km", "km²"}, {"$", "€"}, {"km", ""}, {"", "km"}, {"pounds", "m"}, {"furlongs", "km"}} {
		if v, ok := (kg.Value{Number: 1, Unit: pair[0]}).In(pair[1]); ok {
			t.Errorf("1 %s is %v %s", pair[0], v.Number, pair[1])
		}
	}
}

func TestScaled(t *testing.T) {
	for unit, want := range map[string][2]string{
		"thousand": {"thousand", ""}, "thousands": {"thousand", ""}, "'000": {"thousand", ""}, "in millions": {"million", ""}, "mio": {"million", ""},
		"M USD": {"million", "USD"}, "m EUR": {"million", "EUR"}, "USD million": {"million", "USD"}, "millions of USD": {"million", "USD"}, "k€": {"thousand", "€"}, "$bn": {"", "$bn"},
		"bn USD": {"billion", "USD"}, "$m": {"million", "$"}, "1000 t": {"thousand", "t"}, "million km²": {"million", "km²"},
		"m": {"", "m"}, "km": {"", "km"}, "M": {"", "M"}, "m s": {"", "m s"}, "": {"", ""}, "K": {"", "K"}, "million visits": {"", "million visits"},
	} {
		if scale, rest := kg.Scaled(unit); scale != want[0] || rest != want[1] {
			t.Errorf("%q is scaled by %q of %q, want %q", unit, scale, rest, want)
		}
	}
}

func TestRankOrdersAcrossUnits(t *testing.T) {
	var last float64
	for _, label := range []string{"900 mm", "95 cm", "1 m", "4 ft", "0.5 km", "1 mi", "2 km"} {
		v, ok := kg.ParseValue(label)
		if r := v.Rank(); !ok || r <= last {
			t.Errorf("%s ranks %v, not above %v", label, r, last)
		} else {
			last = r
		}
	}
}

func TestLeadingUnit(t *testing.T) {
	for text, want := range map[string]string{
		" miles long?": " miles", " square miles of land": " square miles", " km?": " km", "km": "km", " sq mi, and": " sq mi", " kilometres per hour": " kilometres per hour",
		"% of X": "%", " people": "", " Monkeys": "", "": "", "-metre tall": "-metre", " m high.": " m", " feet.": " feet",
	} {
		us, n := kg.LeadingUnit(text, nil)
		if text[:n] != want || (us == nil) != (want == "") {
			t.Errorf("LeadingUnit(%q) takes %q, want %q", text, text[:n], want)
		}
	}
}
