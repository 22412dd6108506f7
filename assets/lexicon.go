package assets

import _ "embed" // for the lexicon

// Lexicon is the text of the built-in lexicon; engine/lexicon parses it. Its
// format is described in its head.
//
//go:embed lexicon.txt
var Lexicon string
