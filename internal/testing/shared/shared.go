// Package shared says which tests are skipped: those of real data sets, which lie beside a
// checkout in ../shared/data and are not part of the project, where they are absent, and those
// that tell nothing with -short.
package shared

import (
	"os"
	"path/filepath"
	"testing"
)

// Data returns the path of a file or folder of the data sets, such as
// "metaqa/kb.txt". It skips the test where the data sets are absent.
func Data(tb testing.TB, name string) string {
	tb.Helper()
	dir := os.Getenv("CAIRN_DATA")
	if dir == "" {
		dir = filepath.Join(root(tb), "..", "shared", "data")
	}
	path := filepath.Join(dir, filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		tb.Skipf("the data sets are not here (%v); set CAIRN_DATA to their folder to run this test", err)
	}
	return path
}

// Sequential skips a test where only the race detector is to find something, which make race
// does with -short: one of one goroutine, or of such as other tests of its package start in the
// same way.
func Sequential(tb testing.TB) {
	tb.Helper()
	if testing.Short() {
		tb.Skip("the race detector finds nothing here that it does not find in other tests")
	}
}

// root returns the folder of the project's go.mod.
func root(tb testing.TB) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatalf("Getwd: %v", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			tb.Fatal("no go.mod above the test")
		}
		dir = parent
	}
}
