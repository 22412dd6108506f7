package assets

import _ "embed" // for the base

// GSRBase is a network that was trained on questions made out of several graphs, to start
// from on others; engine/retrieve/gsr reads it, and packaging/pretrain.sh makes it.
//
//go:embed gsr-base.bin
var GSRBase string
