package output

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"
)

// What Cairn wrote is known by lines of size and SHA-256 in a file of the user's
// state folder: no format has to carry a mark, a file that was moved is still
// known, and one that was edited is not. Where there is no such folder nothing is
// known, and everything that is there is left alone.

// mostSums bounds the list, in bytes; the older half is then forgotten.
const mostSums = 1 << 20

// listPath returns where the list is, or "" where the user has no folder for it.
func listPath() string {
	if home, err := os.UserHomeDir(); (err != nil || home == "") && os.Getenv("XDG_STATE_HOME") == "" {
		return ""
	}
	return filepath.Join(xdg.StateHome, "cairn", "written")
}

// own reports whether the file at path is, byte for byte, one that Cairn wrote.
func own(path string) bool {
	list, err := os.ReadFile(listPath())
	if err != nil {
		return false
	}
	info, err := os.Stat(path)
	list = append([]byte("\n"), list...)
	// A file of a size that was never written need not be read.
	if err != nil || !bytes.Contains(list, fmt.Appendf(nil, "\n%d ", info.Size())) {
		return false
	}
	sum, err := sumOfFile(path)
	return err == nil && bytes.Contains(list, []byte("\n"+sum+"\n"))
}

// remember keeps the sum of a file that was written. Where it cannot, the next
// command over the same file asks for --force.
func remember(sum string) {
	path := listPath()
	if path == "" || os.MkdirAll(filepath.Dir(path), 0o700) != nil {
		return
	}
	if old, err := os.ReadFile(path); err == nil && len(old) > mostSums {
		kept := old[len(old)/2:]
		_ = os.WriteFile(path, kept[bytes.IndexByte(kept, '\n')+1:], 0o600)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	_, _ = f.WriteString(sum + "\n")
	_ = f.Close()
}

// sumOf returns the size and the SHA-256 of what is left to read.
func sumOf(r io.Reader) (string, error) {
	h := sha256.New()
	n, err := io.Copy(h, r)
	return fmt.Sprintf("%d %x", n, h.Sum(nil)), err
}

func sumOfFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return sumOf(f)
}
