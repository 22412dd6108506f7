// Package gnnrag retrieves with a graph neural network (GNN-RAG, Mavromatis and
// Karypis 2024; ReaRev, 2022) that is trained on the user's own graph.
//
//	question ─link─▶ seeds ─Region─▶ subgraph ─network─▶ probabilities ─select─▶ answers ─shortest paths─▶ evidence
//
//	Region     the part of the graph around the seeds, in local ids
//	network    scores the entities of a region for a question
//	encoder    what a network reads of the words of questions and relations
//	Model      trained weights of one or more networks, with what they were
//	           trained on
//	retriever  a Model over one graph, ready for questions
//
// Letters: N entities and F facts of a region, R relations of the graph, n words
// of a question, d width of the network, K instructions, L layers, T stages.
package gnnrag
