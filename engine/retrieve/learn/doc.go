// Package learn is what the methods share that learn from questions with answers:
//
//	TokensOf, NamesOf   a question as words, with its names as names
//	Vocabulary, Rows    words as sums of rows of a table, unseen ones by their parts
//	Course              training with restarts, checkpoints and the best weights kept
//	Form                weights and checkpoints as checksummed bytes
package learn
