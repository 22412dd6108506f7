// Package selftest finds out what a model is good for, with a handful of small
// tasks whose right answers are known.
//
//	Run          a language model: can it write a pattern, can it cite?
//	RunEmbedder  an embedding model: is what means the same near?
//	Report       what it did, check by check, and a Verdict in words
//
// The tasks are put by the planner and the reader that questions go through, on
// a small invented world (world.go): nothing of the user's graph is sent, and no
// model can know the answers. Every request has temperature 0, so that the same
// weights get the same report.
package selftest
