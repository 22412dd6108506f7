// Package shared finds the real data sets that lie beside a checkout in
// ../shared/data. They are not part of the project: tests that use them skip
// where they are absent.
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
