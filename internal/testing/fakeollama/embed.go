package fakeollama

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
)

func (s *Server) embed(w http.ResponseWriter, _ *http.Request, body []byte) {
	var req struct {
		Model      string
		Input      any
		Truncate   *bool
		Dimensions int
		Options    map[string]any
	}
	if err := json.Unmarshal(body, &req); err != nil {
		writeError(w, http.StatusBadRequest, err.Error())
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.find(req.Model)
	if m == nil {
		writeError(w, http.StatusNotFound, fmt.Sprintf("model %q not found, try pulling it first", req.Model))
		return
	}
	numCtx, err := m.load(req.Options)
	if err != nil {
		writeError(w, http.StatusInternalServerError, err.Error())
		return
	}
	texts, ok := inputs(req.Input)
	switch {
	case !ok:
		writeError(w, http.StatusBadRequest, "invalid input type")
		return
	case len(texts) > 0 && m.NoEmbeddings:
		writeError(w, http.StatusNotImplemented, "this model does not support embeddings")
		return
	}
	vectors, tokens := [][]float32{}, 0
	for _, text := range texts {
		if Tokens(text) > numCtx {
			if req.Truncate != nil && !*req.Truncate || !ascii(text) {
				// A cut text of unknown words is written as "[UNK]" and read anew,
				// which makes it longer.
				writeError(w, http.StatusBadRequest, tooLong)
				return
			}
			text = text[:4*numCtx]
		}
		tokens += Tokens(text)
		v := m.vector(text)
		for _, x := range v {
			if math.IsNaN(float64(x)) {
				writeError(w, http.StatusInternalServerError, "failed to encode response: json: unsupported value: NaN")
				return
			}
		}
		if req.Dimensions > 0 && req.Dimensions < len(v) {
			v = shorten(v, req.Dimensions)
		}
		vectors = append(vectors, v)
	}
	writeJSON(w, http.StatusOK, map[string]any{"model": req.Model, "embeddings": vectors, "prompt_eval_count": tokens})
}

// inputs reads the input of an embedding. An empty text that stands alone is
// none, and one in a list is one.
func inputs(input any) (texts []string, ok bool) {
	switch x := input.(type) {
	case nil:
	case string:
		if x != "" {
			texts = []string{x}
		}
	case []any:
		for _, v := range x {
			text, isText := v.(string)
			if !isText {
				return nil, false
			}
			texts = append(texts, text)
		}
	default:
		return nil, false
	}
	return texts, true
}

func (m *installed) vector(text string) []float32 {
	if m.Embed != nil {
		return m.Embed(text)
	}
	return vector(text, m.dims())
}

func shorten(v []float32, dims int) []float32 {
	out := append([]float32(nil), v[:dims]...)
	var norm float64
	for _, x := range out {
		norm += float64(x) * float64(x)
	}
	for i := range out {
		out[i] = float32(float64(out[i]) / math.Sqrt(norm))
	}
	return out
}

func ascii(text string) bool {
	for i := range len(text) {
		if text[i] > 127 {
			return false
		}
	}
	return true
}
