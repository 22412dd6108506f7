//go:build !linux

package ollamatest

import (
	"errors"
	"os"
	"syscall"
)

func ownGroup() *syscall.SysProcAttr { return nil }

func killGroup(p *os.Process) { _ = p.Kill() }

func children(int) ([]int, error) {
	return nil, errors.New("a server's runners are found on Linux only")
}
