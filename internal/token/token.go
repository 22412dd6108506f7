// Package token writes the values of an enumeration as the words that files keep.
// They stay as they are; what people read is worded elsewhere.
package token

import (
	"fmt"
	"slices"
	"strings"
)

// Names are the tokens of an enumeration, by its values from 0 on.
type Names []string

// Of returns the token of a value, "unknown" where it has none.
func (n Names) Of(value int) string {
	if value < 0 || value >= len(n) {
		return "unknown"
	}
	return n[value]
}

// Read sets a value by its token, as encoding.TextUnmarshaler does. what says what
// the values are: "scale".
func Read[E ~int](n Names, what string, text []byte, to *E) error {
	i := slices.Index(n, string(text))
	if i < 0 {
		return fmt.Errorf("there is no %s %q; choose one of %s", what, text, strings.Join(n, ", "))
	}
	*to = E(i)
	return nil
}
