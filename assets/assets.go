// Package assets holds what is built into the program: the sample graph, the
// lexicon and the icon; package prompts below it holds the prompts. It is data and
// imports only embed: the packages that understand a file parse it.
package assets

import _ "embed" // for the files below

//go:generate go test ./sample -run TestSampleIsUpToDate -update

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

// GSRBase is a network that was trained on questions made out of several graphs, to start
// from on others; engine/retrieve/gsr reads it, and packaging/pretrain.sh makes it.
//
//go:embed gsr-base.bin
var GSRBase string

// Lexicon is the text of the built-in lexicon; engine/lexicon parses it. Its
// format is described in its head.
//
//go:embed lexicon.txt
var Lexicon string

// English is what the program knows of English beside the lexicon: irregular forms and
// small classes of words; engine/lexicon parses it.
//
//go:embed english.txt
var English string

// Meanings are vectors of English words; engine/meanings reads them, and meanings.md says
// how they were made.
//
//go:embed meanings.bin
var Meanings string

// Trust counts how often retrievers were right on the graphs of published sets; package
// engine reads it, and cairn-lab trust makes it.
//
//go:embed trust.json
var Trust []byte
