//go:build unix

package mapped

import (
	"os"

	"golang.org/x/sys/unix"
)

func mapFile(f *os.File, size int) ([]byte, error) {
	return unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
}

// forget is a piece of advice: where it is not taken, the pages stay.
func forget(data []byte) { _ = unix.Madvise(data, unix.MADV_DONTNEED) }

func unmap(data []byte) error { return unix.Munmap(data) }
