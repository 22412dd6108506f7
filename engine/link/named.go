package link

import "cairn/engine/kg"

// Named returns the entities with a name that is text but for case, accents,
// punctuation and little words, the likeliest first.
func (l *Linker) Named(text string) []kg.EntityID {
	found := l.named(text)
	es := make([]kg.EntityID, len(found))
	for i, c := range found {
		es[i] = c.Entity
	}
	return es
}
