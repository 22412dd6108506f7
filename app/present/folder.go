package present

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"
)

// ErrNoHome is returned where nothing says in which folder graphs are to be kept.
var ErrNoHome = errors.New("there is no folder to keep graphs in: HOME is not set; set HOME or XDG_DATA_HOME, or name a graph by its path")

// DataFolder is where graphs are kept that no path was given for.
func DataFolder() (string, error) {
	// Without a home folder xdg would take the root of the file system.
	if home, err := os.UserHomeDir(); (err != nil || home == "") && os.Getenv("XDG_DATA_HOME") == "" {
		return "", ErrNoHome
	}
	return filepath.Join(xdg.DataHome, "cairn"), nil
}
