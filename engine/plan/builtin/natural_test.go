package builtin_test

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"testing"

	"cairn/internal/testing/shared"
)

// natural reads naturally worded questions over Freebase, gzipped JSON lines.
func natural(file string) func(t *testing.T) []asked {
	return func(t *testing.T) []asked {
		t.Helper()
		f, err := os.Open(shared.Data(t, "webqsp-cwq/"+file))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = f.Close() }()
		zr, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		var out []asked
		for dec := json.NewDecoder(zr); dec.More(); {
			var line struct {
				Question string   `json:"question"`
				Answers  []string `json:"answers"`
			}
			if err := dec.Decode(&line); err != nil {
				t.Fatal(err)
			}
			gold := map[string]bool{}
			for _, a := range line.Answers {
				gold[a] = true
			}
			out = append(out, asked{line.Question, gold})
		}
		return out
	}
}
