package engine

import (
	"testing"

	"cairn/internal/testing/testkg"
)

// TestUnitsInTheNamesOfColumns: the unit is read as people write it in the header of a column.
func TestUnitsInTheNamesOfColumns(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Build(
		"Rex|weight_g|1680", "Tom|weight_g|9", "Duke|power (kW)|1200", "Earl|output_kw|900", "Ann|grade a|5",
	), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	checkSure(t, e, map[string]bool{
		"Rex weighs 1680 kg.": false, "Rex weighs 1680 g.": true, "Rex weighs 1.68 kg.": true,
		"Duke has a power of 1200 W.": false, "Duke has a power of 1200 kW.": true, "Duke has a power of 1.2 MW.": true,
		"Earl has an output of 900 W.": false, "Earl has an output of 900 kW.": true,
	})
}
