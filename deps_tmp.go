//go:build depstmp

package main

import (
	_ "fyne.io/fyne/v2/app"
	_ "fyne.io/fyne/v2/test"
	_ "github.com/adrg/xdg"
	_ "github.com/alecthomas/kong"
	_ "github.com/coder/hnsw"
	_ "github.com/dominikbraun/graph"
	_ "github.com/go-text/typesetting/shaping"
	_ "github.com/go-text/typesetting/fontscan"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/mattn/go-sqlite3"
	_ "github.com/ollama/ollama/api"
	_ "go.uber.org/goleak"
	_ "golang.org/x/image/vector"
	_ "golang.org/x/image/font/opentype"
	_ "golang.org/x/sync/errgroup"
	_ "golang.org/x/text/unicode/norm"
	_ "github.com/go-text/typesetting/shaping"
)
