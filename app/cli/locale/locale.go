// Package locale gives the program a language before the window's toolkit looks
// for one.
//
// Where the environment says "C" or "POSIX", as containers and services do, the
// toolkit writes an error of three lines to the terminal at every start, from
// an init function. Packages are initialised in the order of their import paths
// as far as their own imports allow; this one imports only os and strings, so
// that it comes first.
package locale

import (
	"os"
	"strings"
)

func init() {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := os.Getenv(name); v != "" {
			if isNone(v) {
				// An error would leave the message of three lines, no more.
				_ = os.Setenv(name, "en_US.UTF-8")
			}
			return
		}
	}
	_ = os.Setenv("LANG", "en_US.UTF-8")
}

// isNone reports whether a locale names no language.
func isNone(v string) bool {
	v, _, _ = strings.Cut(v, ".")
	return strings.EqualFold(v, "C") || strings.EqualFold(v, "POSIX")
}
