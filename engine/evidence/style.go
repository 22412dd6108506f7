package evidence

import (
	"fmt"
	"strings"
)

// Style is how evidence is written for a model to read.
type Style int

// The styles.
const (
	// Tuples are numbered tuples (head, relation, tail), the matches' in order
	// (SimGRAG, Tables 12 and 13).
	Tuples Style = iota
	// Paths are reasoning paths A → r → B → …, in true directions (GNN-RAG §4.3).
	Paths
	// Sets are triples h, r, t without repetition, grouped by match (GSR, Table 4;
	// SG-RAG's subject|relation|object).
	Sets
	// Sentences are triples as plain sentences.
	Sentences
)

// Styles lists every style.
var Styles = []Style{Tuples, Paths, Sets, Sentences}

// String returns the style's name.
func (s Style) String() string {
	switch s {
	case Tuples:
		return "tuples"
	case Paths:
		return "paths"
	case Sets:
		return "sets"
	case Sentences:
		return "sentences"
	}
	return "unknown"
}

// MarshalText writes the style's name.
func (s Style) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a style's name; an empty one is Tuples.
func (s *Style) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*s = Tuples
		return nil
	}
	names := make([]string, len(Styles))
	for i, known := range Styles {
		if names[i] = known.String(); names[i] == string(text) {
			*s = known
			return nil
		}
	}
	return fmt.Errorf("there is no style %q; choose one of %s", text, strings.Join(names, ", "))
}
