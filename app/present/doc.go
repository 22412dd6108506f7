// Package present turns engine values into what people see: rows, sentences,
// steps and the picture of the evidence. It is pure: the same value in gives
// the same value out, and nothing here knows of windows, files or time.
//
//	CanvasModel     run → the picture of its evidence
//	EvidenceRows    run → one row per cited triple, with its part of the distance
//	PatternTable    pattern and match → one row per node and edge, adding up
//	Sentences       run → sentences with citations and the result of the check
//	Steps           run → the five steps with time, result and details
//	Explain         error → a sentence and a remedy
//
// The window and the commands share it.
package present
