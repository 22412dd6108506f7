// Package transcript tests programs by what they print: in a home of their own, as
// transcripts that are compared with files.
package transcript

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/adrg/xdg"
)

// Home gives the test folders of its own, so that nobody's graphs are touched.
func Home(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_DATA_HOME", filepath.Join(dir, "data"))
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	for _, name := range []string{"DISPLAY", "WAYLAND_DISPLAY", "OLLAMA_HOST", "CAIRN_MODEL"} {
		t.Setenv(name, "")
	}
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	return dir
}

var (
	durations = regexp.MustCompile(`\b\d+(\.\d+)? (ms|s)\b`)
	dates     = regexp.MustCompile(`\b20\d\d-\d\d-\d\d \d\d:\d\d:\d\d`)
)

// Of is the transcript of a program's run: exit code, standard output and standard
// error, without what changes from run to run. Dir is the folder of the test.
func Of(dir, program string, args []string, code int, out, errs string) string {
	text := fmt.Sprintf("$ %s %s\n%s", program, quoted(args), out)
	if errs != "" {
		text += "stderr: " + errs
	}
	text += fmt.Sprintf("exit code %d\n\n", code)
	return Timeless(strings.ReplaceAll(text, dir, "DIR"))
}

// Timeless is a text without the times that change from run to run.
func Timeless(text string) string {
	return dates.ReplaceAllString(durations.ReplaceAllString(text, "0 ms"), "2000-01-01 00:00:00")
}

func quoted(args []string) string {
	qs := make([]string, len(args))
	for i, a := range args {
		qs[i] = a
		if strings.ContainsAny(a, " ()>?") {
			qs[i] = "'" + a + "'"
		}
	}
	return strings.Join(qs, " ")
}
