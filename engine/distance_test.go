package engine

import (
	"testing"

	"cairn/internal/testing/testkg"
)

// TestHowFarApartIsNotPassedOver: a claim that says by how much two values differ is supported by
// no order of the two alone.
func TestHowFarApartIsNotPassedOver(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Build(
		"Cecilia|born|1887", "Bertil|born|1884", "Blue Hall|opened on|2001-05-02", "Red Hall|opened on|2003-05-02", "Anna|height|120 m", "Ben|height|90 m",
	), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	checkSure(t, e, map[string]bool{
		"Cecilia was born after Bertil.": true, "Blue Hall opened before Red Hall.": true, "Anna is higher than Ben.": true,
		"Cecilia was born 50 years after Bertil.": false, "Was Cecilia born two years after Bertil?": false,
		"Blue Hall opened a month before Red Hall.": false, "Anna is 10 m higher than Ben.": false,
		"Cecilia was born long after Bertil.": false, "Anna is slightly higher than Ben.": false,
	})
}
