package present

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"
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

// ErrNoHome is returned where nothing says in which folder graphs are to be kept.
var ErrNoHome = errors.New("there is no folder to keep graphs in: HOME is not set; set HOME or XDG_DATA_HOME, or give the path of a graph")

// DataFolder is where graphs are kept that no path was given for.
func DataFolder() (string, error) {
	// Without a home folder xdg would take the root of the file system.
	if home, err := os.UserHomeDir(); (err != nil || home == "") && os.Getenv("XDG_DATA_HOME") == "" {
		return "", ErrNoHome
	}
	return filepath.Join(xdg.DataHome, "cairn"), nil
}
