package testkg

import (
	"strings"

	"cairn/assets"
	"cairn/engine/kg"
)

// Sample reads the sample graph the way importing it does: "is a" gives
// types, "also known as" gives further names.
func Sample() *kg.Graph {
	var b kg.Builder
	for _, f := range rows(string(assets.SampleWorld)) {
		switch e := b.Entity(f[0]); f[1] {
		case "is a":
			b.AddType(e, f[2])
		case "also known as":
			b.AddAlias(e, f[2])
		default:
			b.Add(f[0], f[1], f[2])
		}
	}
	for _, f := range rows(string(assets.SampleLabels)) {
		b.SetLabel(b.Entity(f[0]), f[1])
	}
	return b.Graph()
}

// rows returns the rows of a tab-separated table without its header.
func rows(table string) [][]string {
	var out [][]string
	for line := range strings.Lines(table) {
		out = append(out, strings.Split(strings.TrimRight(line, "\r\n"), "\t"))
	}
	return out[1:]
}
