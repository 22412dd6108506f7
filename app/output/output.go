// Package output writes the files that a user asks for, so that nothing else is
// lost: a page, a picture, a table, a copy of a graph.
//
// A file is written under another name in its folder, brought to the disk and then
// renamed: it is whole or not there. What must not be lost is not written over: a
// graph, what a graph was made from, a graph's cache, and any file whose bytes are
// not what Cairn wrote, which is known from a list of their sums (own.go).
package output

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"cairn/engine/kg"
)

// cacheEnding is what is added to the name of a graph for its cache folder.
const cacheEnding = ".d"

// Guard says what is in use while a file is written, and what was asked for.
// The zero value guards what needs no graph to be known.
type Guard struct {
	Graph   string      // the graph that is open; it is never written over
	Sources []kg.Source // what it was made from
	// NewGraph says that the file is a graph, which may be made but not replaced.
	NewGraph bool
	// Replace says that the user was asked and wants a file that Cairn did not write
	// to be replaced, as the file dialogs of the window do. Graphs and sources stay.
	Replace bool
	// Force replaces everything but the graph that is open.
	Force bool
}

// Error is returned for a file that was not written.
type Error struct {
	Path  string
	What  string // why, as a part of a sentence
	Do    string // what the user can do
	Force bool   // Guard.Force would write it
	Cause error  // the system's; nil where a Guard refused
}

// Error returns the sentence.
func (e *Error) Error() string { return "nothing was written to " + e.Path + ": " + e.What }

// Remedy returns what the user can do.
func (e *Error) Remedy() string { return e.Do }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// because says in words what the system had against writing to path.
func because(path string, err error) error {
	e := &Error{Path: path, What: err.Error(), Do: "choose another folder", Cause: err}
	folder := filepath.Dir(path)
	_, folderErr := os.Stat(folder)
	switch bare := (*fs.PathError)(nil); {
	case errors.Is(err, syscall.ENOSPC):
		e.What, e.Do = "the disk is full", "free some space and try again"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		e.What, e.Do = "you do not have permission to write there", "choose a folder of your own"
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		e.What = "part of this path is a file, not a folder"
	case errors.Is(err, fs.ErrNotExist) && folderErr == nil:
		e.What = "nothing can be created in that folder"
	case errors.Is(err, fs.ErrNotExist):
		e.What, e.Do = "the folder "+folder+" does not exist", "create it, or choose another"
	case errors.As(err, &bare): // the name in it is the temporary one
		e.What = bare.Err.Error()
	}
	return e
}

// Folder makes sure that there is a folder at path.
func Folder(path string) error {
	if err := os.MkdirAll(path, 0o777); err != nil { // less what the user's mask takes away
		return because(path, err)
	}
	return nil
}

// Check returns an *Error where Write would not write to path, so that
// nothing long is begun in vain.
func Check(path string, g Guard) error {
	_, _, err := g.look(path)
	return err
}

// Write writes a file of what write gives.
func Write(path string, g Guard, write func(io.Writer) error) error {
	_, info, err := g.look(path)
	if err != nil {
		return err
	}
	to := func(name string) error {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return because(path, err)
		}
		if err := write(f); err != nil {
			return errors.Join(err, f.Close())
		}
		return f.Close()
	}
	if info != nil && !info.Mode().IsRegular() { // a pipe, a terminal, /dev/null
		return to(path)
	}
	return Make(path, g, to)
}

// Make writes a file by means of something that wants a file to write to: it is
// given an empty one, which takes the place of path when it returns nil.
func Make(path string, g Guard, fill func(temp string) error) (err error) {
	target, old, err := g.look(path)
	if err != nil {
		return err
	}
	temp, err := empty(target)
	if err != nil {
		return because(path, err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(temp)
		}
	}()
	if err := fill(temp); err != nil {
		return err
	}
	sum, err := settle(temp, old)
	if err != nil {
		return because(path, err)
	}
	// Something may have come there meanwhile.
	if _, _, err := g.look(path); err != nil {
		return err
	}
	if g.NewGraph { // what SQLite kept beside a graph that was here is not of this one
		for _, of := range companions {
			_ = os.Remove(target + of)
		}
	}
	if err := os.Rename(temp, target); err != nil {
		return because(path, err)
	}
	syncFolder(filepath.Dir(target))
	if !g.NewGraph {
		remember(sum)
	}
	return nil
}

// empty makes an empty file beside path, with the permissions that any new file
// gets there.
func empty(path string) (string, error) {
	for try := 0; ; try++ {
		name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".cairn-%08x", rand.Uint32()))
		f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		if errors.Is(err, fs.ErrExist) && try < 100 {
			continue
		}
		if err != nil {
			return "", err
		}
		return name, f.Close()
	}
}

// settle gives a file the permissions of the one that it replaces, if any, brings
// it to the disk and returns its sum.
func settle(path string, old fs.FileInfo) (sum string, err error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if old != nil {
		if err := f.Chmod(old.Mode().Perm()); err != nil {
			return "", err
		}
	}
	if err := f.Sync(); err != nil {
		return "", err
	}
	return sumOf(f)
}

// syncFolder brings a renaming to the disk, where the system can.
func syncFolder(dir string) {
	if f, err := os.Open(dir); err == nil {
		_ = f.Sync()
		_ = f.Close()
	}
}

// look finds the file that path stands for behind its links, what is there (nil
// for nothing), and whether it may be written.
func (g Guard) look(path string) (target string, info fs.FileInfo, err error) {
	refuse := func(force bool, what string) (string, fs.FileInfo, error) {
		return "", nil, &Error{Path: path, What: what, Do: "choose another name", Force: force}
	}
	target, err = behindLinks(path)
	if err == nil {
		info, err = os.Stat(target)
	}
	if errors.Is(err, fs.ErrNotExist) {
		info, err = nil, nil
	}
	switch {
	case err != nil:
		return "", nil, because(path, err)
	case path == "-":
		return refuse(false, "- is not a file name")
	case info != nil && info.IsDir():
		return refuse(false, "it is a folder")
	case g.isGraph(target, info):
		return refuse(false, "it is the open graph")
	case g.Force:
		return target, info, nil
	case inCache(target, g.Graph):
		return refuse(true, "it is in the cache folder of a graph, which can be emptied at any time")
	case g.isSource(target, info):
		return refuse(true, "the graph was made from this file")
	case endsAsGraph(target) && (!g.NewGraph || info != nil):
		if info != nil {
			return refuse(true, "a graph with this name exists")
		}
		return refuse(true, "names ending in "+kg.Ext+" are reserved for graphs")
	case info == nil || !info.Mode().IsRegular():
		return target, info, nil
	case isDatabase(target):
		return refuse(true, "it is a graph or another database")
	case g.Replace:
		return target, info, nil
	case info.Mode().Perm()&0o200 == 0:
		return refuse(true, "the file there is write-protected")
	case !own(target):
		return refuse(true, "the file there was not written by Cairn or has changed since")
	}
	return target, info, nil
}

// behindLinks follows symbolic links, also to what is not there yet.
func behindLinks(path string) (string, error) {
	const most = 40
	for range most {
		info, err := os.Lstat(path)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			break
		}
		to, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	return path, nil
}

// isGraph reports whether a file is the graph that is open or one of the files
// that SQLite keeps beside it.
func (g Guard) isGraph(path string, info fs.FileInfo) bool {
	if g.Graph == "" {
		return false
	}
	graph, err := behindLinks(g.Graph)
	if err != nil {
		return false
	}
	for _, of := range append([]string{""}, companions...) {
		other, err := os.Stat(graph + of)
		if path == graph+of || err == nil && info != nil && os.SameFile(info, other) {
			return true
		}
	}
	return false
}

// companions are what SQLite adds to the name of a database for its own files.
var companions = []string{"-wal", "-shm", "-journal"}

// isSource reports whether a file is one that the graph was made from, by its name
// or, wherever it lies by now, by what is in it.
func (g Guard) isSource(path string, info fs.FileInfo) bool {
	if info == nil {
		return false
	}
	return slices.ContainsFunc(g.Sources, func(s kg.Source) bool {
		if other, err := os.Stat(s.File); err == nil && os.SameFile(info, other) {
			return true
		}
		if s.Hash == "" || s.Bytes != info.Size() {
			return false
		}
		sum, err := sumOfFile(path)
		return err == nil && strings.HasSuffix(sum, s.Hash)
	})
}

// endsAsGraph reports whether a file is a graph by its name, or SQLite's beside one.
func endsAsGraph(path string) bool {
	name := strings.ToLower(filepath.Base(path))
	for _, of := range companions {
		name = strings.TrimSuffix(name, of)
	}
	return strings.HasSuffix(name, kg.Ext)
}

// inCache reports whether a file lies in the cache folder of a graph, whatever the
// graph that is open is called.
func inCache(path, graph string) bool {
	own, err := os.Stat(graph + cacheEnding)
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if strings.HasSuffix(strings.ToLower(dir), kg.Ext+cacheEnding) {
			return true
		}
		if info, dirErr := os.Stat(dir); graph != "" && err == nil && dirErr == nil && os.SameFile(info, own) {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

// isDatabase reports whether a file begins as those of SQLite do: a graph under
// any name.
func isDatabase(path string) bool {
	const magic = "SQLite format 3\x00"
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(magic))
	_, err = io.ReadFull(f, head)
	return err == nil && bytes.Equal(head, []byte(magic))
}

// Several writes files that belong together: fill writes them all at once. one writes
// one file, as Write does; each is whole or not there, and none is where fill fails.
func Several(paths []string, one func(path string, write func(io.Writer) error) error, fill func(to ...io.Writer) error) error {
	var open []io.Writer
	var next func() error
	next = func() error {
		if len(open) == len(paths) {
			return fill(open...)
		}
		return one(paths[len(open)], func(w io.Writer) error {
			open = append(open, w)
			return next()
		})
	}
	return next()
}
