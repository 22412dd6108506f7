package present

import (
	"os"
	"path/filepath"
	"strings"
)

// Path writes a file's path for people: below the home folder it begins with ~.
func Path(path string) string {
	home, err := os.UserHomeDir()
	if err != nil || home == "" {
		return path
	}
	if below, ok := strings.CutPrefix(path, filepath.Clean(home)+string(filepath.Separator)); ok {
		return filepath.Join("~", below)
	}
	return path
}
