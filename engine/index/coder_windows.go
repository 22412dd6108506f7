package index

import (
	"context"
	"errors"
)

// errNoCoder: coder/hnsw v0.6.1 saves files by a package that is empty on Windows.
var errNoCoder = errors.New("coder/hnsw does not compile on Windows; choose another kind of index")

// NewCoder returns an error: coder/hnsw does not compile on Windows.
func NewCoder(context.Context, Exact, HNSWOptions) (Near, error) { return nil, errNoCoder }

func openCoder(string, string, Exact) (Near, error) { return nil, errNoCoder }
