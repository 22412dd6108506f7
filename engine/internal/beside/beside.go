// Package beside makes files and folders beside a graph. Who may not read the graph
// may not read them either.
package beside

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ending is what the folder of a graph has behind the name of its file.
const ending = ".d"

// Folder returns the folder beside the graph at path that holds what can be made
// anew at any time.
func Folder(path string) string { return path + ending }

// Mode returns the permissions of a file that holds something of what is in the file
// or the folder at path; its owner may always write it. Where nothing is there, only
// the owner may read it.
func Mode(path string) fs.FileMode {
	info, err := os.Stat(path)
	if err != nil {
		return 0o600
	}
	return info.Mode().Perm()&0o666 | 0o600
}

// Make makes a folder that Folder named, where it is missing, and sees to it that
// nobody may read it who may not read its graph.
func Make(dir string) error {
	graph := strings.TrimSuffix(dir, ending)
	if _, err := os.Stat(graph); errors.Is(err, fs.ErrNotExist) {
		graph = filepath.Dir(dir) // of a graph that is elsewhere
	}
	mode := Mode(graph) | 0o700
	mode |= mode >> 2 & 0o111 // to read a folder is to enter it
	if err := os.MkdirAll(dir, mode); err != nil {
		return err
	}
	return Tighten(dir, mode)
}

// Tighten takes away the permissions at path that mode does not give.
func Tighten(path string, mode fs.FileMode) error {
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm()&^mode == 0 {
		return err
	}
	return os.Chmod(path, info.Mode().Perm()&mode)
}
