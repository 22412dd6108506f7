package ollama

import "time"

// Batches sets how many texts and bytes one request holds.
func (e *Embedder) Batches(texts, bytes int) *Embedder {
	e.batchTexts, e.batchBytes = texts, bytes
	return e
}

// QueryWithin sets how long a question waits for its vectors.
func (e *Embedder) QueryWithin(d time.Duration) *Embedder {
	e.queryTime = d
	return e
}
