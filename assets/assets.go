// Package assets holds what is built into the program: the sample graph, the
// lexicon and the icon; package prompts below it holds the prompts. It is data and
// imports only embed: the packages that understand a file parse it.
package assets

import _ "embed" // for the files below

//go:generate go run ./sample/generate sample

// The sample graph, ready to import. World is tab-separated with a header: head,
// relation, tail. Heads and tails are keys, which are the names of the entities
// but for those that share a name: SampleLabels gives these their labels (id, tab,
// label, with a header). Types are given by the relation "is a", further names by
// "also known as".
//
// SampleQuestions is tab-separated with a header: kind, question, answers divided
// by "; ", and the pattern that finds them, for tests. Package sample reads it.
var (
	//go:embed sample/world.tsv
	SampleWorld []byte
	//go:embed sample/labels.tsv
	SampleLabels []byte
	//go:embed sample/questions.tsv
	SampleQuestions string
)

// Icon is the program's icon as SVG. icon.png beside it is the same in 512×512
// pixels, for packages.
//
//go:embed icon.svg
var Icon []byte
