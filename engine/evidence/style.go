package evidence

import "cairn/internal/token"

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

var styles = token.Names{"tuples", "paths", "sets", "sentences"}

// String returns the style's name.
func (s Style) String() string { return styles.Of(int(s)) }

// MarshalText writes the style's name.
func (s Style) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a style's name; an empty one is Tuples.
func (s *Style) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*s = Tuples
		return nil
	}
	return token.Read(styles, "style", text, s)
}
