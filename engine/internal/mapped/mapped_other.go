//go:build !unix && !windows

package mapped

import (
	"errors"
	"os"
)

func mapFile(*os.File, int) ([]byte, error) { return nil, errors.ErrUnsupported }

func forget([]byte) {}

func unmap([]byte) error { return nil }
