package assets

import _ "embed" // for the lexicon

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
