// Package templates answers questions by their shapes: a template has the shapes of a
// question, in which slots stand for names, and the Cypher query that answers it (the
// Text2Cypher of SG-RAG, MAKE 2025 7(3):74, where people wrote the templates).
//
//	template
//	  ask     which films did {x} direct
//	  cypher  MATCH (answer)-[:directed_by]->(x) RETURN answer
//
// Templates are learned from questions with answers, and from questions that are made of
// the graph, and kept as such a text, which people may read and change.
package templates
