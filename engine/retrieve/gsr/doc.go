// Package gsr retrieves by chains of relations that a small network speaks (GSR: Huang
// et al., "Less is More: Making Smaller Language Models Competent Subgraph Retrievers
// for Multi-hop KGQA", EMNLP 2024).
//
//	question ─net─▶ chains with probabilities ─graph─▶ answers and their paths
//
// The question is encoded once; a decoder then speaks one step at a time, a step being a
// relation and a direction, until it says that the chain ends (§3: P(c|q) = Π P(r_i|q,
// r_<i)). Chains that the graph does not have are not spoken. Everything that a chain
// leads to from what the question names is an answer.
//
//	net      the network: words to states, relations by their names, scores of steps
//	chains   what is learned from: the chains that lead from topics to answers
//	slips    questions as they are mistaken, to learn from
//	decode   beams over steps
//	Method   the seam: training, readings, evidence
//
// Differs from the paper in: a network of some 0.6 million numbers that is trained on one
// graph, in place of T5; a step has a direction; the vectors of relations are made of
// their names, so that new ones can be spoken; decoding is held to the graph.
package gsr
