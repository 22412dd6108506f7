//go:build !amd64

package vec

func pickedAVX(dst *int32, rows **byte, m, stride int, q *int16) {}
