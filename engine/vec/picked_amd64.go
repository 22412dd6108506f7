package vec

// pickedAVX is pickedGo for m rows, at least one.
//
//go:noescape
func pickedAVX(dst *int32, rows **byte, m, stride int, q *int16)
