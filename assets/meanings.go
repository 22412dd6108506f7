package assets

import _ "embed" // for the meanings

// Meanings are vectors of English words; engine/meanings reads them, and meanings.md says
// how they were made.
//
//go:embed meanings.bin
var Meanings string
