// Package bench measures what retrieval costs on graphs of any size, and writes
// it as tables, CSV and plots.
//
//	Case       a query cut from a graph, as a pattern of it, and its true subgraph
//	World      a graph that is open, and the vocabulary that its names are looked
//	           up in
//	Retrieval  what queries took and found (SimGRAG, Table 4)
//	Cell       what they took and found with one k(n), k(r) and k(t) (appendix E)
//	Front      the cells that none beats both in time and in Hits@1 (Figure 5)
//	Growth     how a cost grows with the graph
//	Plot       curves, written as SVG
//	Operator   what the query language can ask, in four languages
//	Index      what looking names up costs, in our indexes and in others
//
// Times are of this computer; what was found is not, and depends on the seed
// alone where nothing ran out of time.
package bench
