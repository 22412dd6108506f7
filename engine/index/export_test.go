package index

// Unreached is how many vectors no chain of links in the lowest layer leads to
// from the entry, not counting those that equal another. A search may still come
// upon them from above.
func (h *HNSW) Unreached() int {
	reached := h.reached()
	for _, next := range h.same {
		if next != noVector {
			reached[next] = true // found with the one that they equal
		}
	}
	lost := 0
	for _, ok := range reached {
		if !ok {
			lost++
		}
	}
	return lost
}
