// Package lexicon knows words: how a text is cut into tokens, what a word's
// stem is, and which words mean the same in questions and in relation names.
//
//	Token    a run of letters or digits with its place and stem
//	Concept  one line of the lexicon: the relation names that it stands for and
//	         the words that ask for it
package lexicon

// Token is one word of a text.
type Token struct {
	Text    string // as written
	Lower   string // folded: lower case, no accents
	Stem    string // of Lower
	Start   int    // byte offset of the first byte
	End     int    // byte offset after the last byte
	Capital bool   // Text starts with an upper-case letter
}
