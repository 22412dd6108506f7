package cli

import (
	"strings"
	"testing"

	"cairn/app/cli/command"
)

// TestIndexOfFewNames: an index of the names of millions is made elsewhere; of few
// names none is made.
func TestIndexOfFewNames(t *testing.T) {
	small := smallGraph(t, home(t))
	for want, tt := range map[string]struct {
		code int
		args []string
	}{
		"Nothing needs to be done": {command.ExitInput, []string{small}},
		"no index of the names":    {command.ExitDone, []string{small, "--remove"}},
		"\"removed\": false":       {command.ExitDone, []string{small, "--remove", "--json"}},
		"There is no index":        {command.ExitDone, []string{small, "--kind", "scan"}},
		"coder-hnsw":               {command.ExitUsage, []string{small, "--kind", "tree"}},
		"2 to 1024":                {command.ExitUsage, []string{small, "--m", "1"}},
		"no such file":             {command.ExitInput, []string{small + "x"}},
	} {
		code, text, errs := start(t.Context(), append([]string{"index"}, tt.args...)...)
		if code != tt.code || !strings.Contains(text+errs, want) {
			t.Errorf("index %q: exit code %d\n%s%s; want %d, %q", tt.args, code, text, errs, tt.code, want)
		}
	}
}
