// Package synth makes worlds of any size out of nothing but a number: graphs in
// the shape of DBpedia, and queries cut from them whose true subgraph is known.
//
//	World     entities, types, relations and edges that follow from (seed, id)
//	place     an entity's position in its type; the first are the best known
//	Query     a pattern cut from the graph, in other words
//
// Nothing is kept: the label, the key and the edges of any entity are computed
// when they are asked for. So a world of ten million entities is written to disk
// in the memory of a few blocks, by as many processors as there are, with the
// same bytes whatever their number. Only whole numbers are used, so that every
// machine makes the same world.
//
// A World is immutable and safe for concurrent use.
package synth
