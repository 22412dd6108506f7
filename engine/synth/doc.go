// Package synth makes graphs of any size that are shaped like DBpedia, and
// queries cut from them whose true subgraph is known.
package synth
