package ingest

import "testing"

func TestUnitInBrackets(t *testing.T) {
	for name, want := range map[string]string{
		"length_km":               "length (km)",
		"Height_m":                "Height (m)",
		"power_mw":                "power (MW)",
		"ram_gb":                  "ram (GB)",
		"area_km2":                "area (km²)",
		"price_usd":               "price (USD)",
		"discharge_m3_s":          "discharge (m3/s)",
		"design_pressure_bar":     "design_pressure (bar)",
		"volume_mio_m3":           "volume_mio_m3",
		"price_per_kg":            "price_per_kg",
		"temperature_min":         "temperature_min",
		"founded_year":            "founded_year",
		"annual_yield_mwh":        "annual_yield (MWh)",
		"speed_kn":                "speed (kn)",
		"downtime_h":              "downtime (h)",
		"max_draught_m":           "max_draught (m)",
		"model_h":                 "model_h",
		"label_m":                 "label_m",
		"birth_weight_pounds":     "birth_weight (lb)",
		"price_pounds":            "price (£)",
		"damage_pounds":           "damage_pounds",
		"Fee EUR":                 "Fee (EUR)",
		"Grid ref":                "Grid ref",
		"Peak MW":                 "Peak (MW)",
		"Crew HR":                 "Crew HR",
		"running_time_min":        "running_time (min)",
		"humidity_pct":            "humidity (%)",
		"temp_c":                  "temp (°C)",
		"water_temperature_f":     "water_temperature (°F)",
		"_km":                     "_km",
		"km":                      "km",
		"Length (km)":             "Length (km)",
		"haemoglobin_g_dl":        "haemoglobin (g/dl)",
		"contract annual_fee_eur": "contract annual_fee (EUR)",
		"Water temp (C)":          "Water temp (°C)",
		"Vitamin (C)":             "Vitamin (C)",
	} {
		if got := unitInBrackets(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
