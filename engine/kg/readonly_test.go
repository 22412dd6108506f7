//go:build unix

package kg_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"cairn/engine/kg"
)

// TestReadOnly runs itself again as nobody where it is run by root, whom no
// permission stops.
func TestReadOnly(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere; TestReadOnlyAsNobody runs this one")
	}
	dir := os.Getenv("CAIRN_TEST_DIR")
	if dir == "" {
		dir = t.TempDir()
	}
	path := filepath.Join(dir, "graphs", "ro.cairn")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	st, err := kg.OpenStore(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, st, "x.tsv", [3]string{"a", "r", "b"})
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Dir(path), 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Dir(path), 0o755) })
	for _, mode := range []os.FileMode{0o644, 0o444} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		st := open(t, path)
		if g := graph(t, st); !st.ReadOnly() || g.Triples() != 1 {
			t.Errorf("ReadOnly = %v, %d triples", st.ReadOnly(), g.Triples())
		}
		if err := st.SetSetting(t.Context(), "k", "v"); !errors.Is(err, kg.ErrReadOnly) {
			t.Errorf("SetSetting: %v, want ErrReadOnly", err)
		}
		if _, err := st.NewWriter(t.Context(), kg.Layer{}, nil); !errors.Is(err, kg.ErrReadOnly) || !strings.Contains(err.Error(), path) {
			t.Errorf("NewWriter: %v, want ErrReadOnly", err)
		}
		_, put := st.PutTrained(t.Context(), kg.Trained{Kind: "gnn"}, []byte("w"))
		for what, err := range map[string]error{
			"PutTrained": put, "DeleteTrained": st.DeleteTrained(t.Context(), 1),
			"SaveTraining":   st.SaveTraining(t.Context(), kg.Training{Kind: "gnn"}),
			"ForgetTraining": st.ForgetTraining(t.Context(), "gnn"),
		} {
			if !errors.Is(err, kg.ErrReadOnly) || !strings.Contains(err.Error(), "copy the file to a folder of your own") {
				t.Errorf("%s: %v, want ErrReadOnly with a remedy", what, err)
			}
		}
		if list, err := st.TrainedModels(t.Context(), "gnn"); err != nil || len(list) != 0 {
			t.Errorf("TrainedModels = %v, %v, want none", list, err)
		}
		if got := len(st.Notices()); got != 2 {
			t.Errorf("notices: %q", st.Notices())
		}
	}
	if _, err := kg.OpenStore(t.Context(), filepath.Join(dir, "graphs", "new.cairn")); !errors.Is(err, kg.ErrReadOnly) {
		t.Errorf("a new file: %v, want ErrReadOnly", err)
	}
}

func TestReadOnlyAsNobody(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("TestReadOnly does it")
	}
	program, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	const nobody = 65534
	dir, err := os.MkdirTemp("", "cairn-nobody-") //nolint:usetesting // nobody cannot enter t.TempDir
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	copied := filepath.Join(dir, "kg.test")
	if err := errors.Join(os.WriteFile(copied, program, 0o755), os.Chmod(copied, 0o755), os.Chmod(dir, 0o755), os.Chown(dir, nobody, nobody)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), copied, "-test.run", "^TestReadOnly$", "-test.v")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CAIRN_TEST_DIR="+dir, "TMPDIR="+dir, "HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: TestReadOnly") {
		if errors.Is(err, os.ErrPermission) {
			t.Skipf("cannot run as nobody here: %v", err)
		}
		t.Errorf("as nobody: %v\n%s", err, out)
	}
}
