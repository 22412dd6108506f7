package engine

import (
	"path/filepath"
	"strings"
	"testing"

	"cairn/engine/ingest"
	"cairn/internal/testing/shared"
)

// TestAirRoutes imports a property graph of two files with no mapping, and asks for what
// only the properties and labels of its nodes say.
func TestAirRoutes(t *testing.T) {
	shared.Sequential(t)
	dir := shared.Data(t, "air-routes")
	e, err := Open(t.Context(), filepath.Join(t.TempDir(), "g.cairn"), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	files := []string{filepath.Join(dir, "air-routes-latest-nodes.csv"), filepath.Join(dir, "air-routes-latest-edges.csv")}
	r, err := e.Import(t.Context(), files, ingest.Options{}, nil)
	if err != nil || r.Stubs != 0 || r.Rejected != 0 || r.Properties != 50_637 {
		t.Fatalf("Import = %v, %v (stubs %d, properties %d)", r, err, r.Stubs, r.Properties)
	}
	for question, want := range map[string]string{
		"How many runways does Hartsfield - Jackson Atlanta International Airport have?": "5",
		"Which city is London Heathrow in?":                                              "London",
		"Which airports have the city London?":                                           "London Gatwick",
		"What is the elev of Denver International Airport?":                              "5433",
		"Which airports are in the region US-AK?":                                        "Anchorage Ted Stevens",
	} {
		run, err := e.Ask(t.Context(), question, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, s := range run.Answer.Sentences {
			text += s.Text + " "
		}
		if !strings.Contains(text, want) {
			t.Errorf("%s is answered by %q, want %s", question, text, want)
		}
	}
}
