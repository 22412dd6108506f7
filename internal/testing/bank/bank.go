// Package bank reads the question bank of the engine's tests, engine/testdata.
package bank

import (
	"os"
	"slices"
	"strings"
)

// Question is one question of the bank: below "# KIND" and "= GOLD".
type Question struct{ Kind, Gold, Text string }

// Read reads a file of questions.
func Read(path string) (qs []Question, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var q Question
	for l := range strings.SplitSeq(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n") {
		switch mark, rest, _ := strings.Cut(l, " "); {
		case l == "":
		case mark == "#":
			q.Kind = rest
		case mark == "=":
			q.Gold = rest
		default:
			q.Text = l
			qs = append(qs, q)
		}
	}
	return qs, nil
}

// Graph is the file of a graph of the bank, below the folder of all: some are asked for the
// order of readings too.
func Graph(name string) string {
	switch name {
	case "guild":
		return "trades/guild.tsv"
	case "donors":
		return "trades/donors.csv"
	}
	folder := "bank"
	if slices.Contains([]string{"library", "register", "biomedical"}, name) {
		folder = "ranking"
	}
	return folder + "/" + name + ".tsv"
}
