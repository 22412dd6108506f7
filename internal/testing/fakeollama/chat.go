package fakeollama

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

func (s *Server) chat(w http.ResponseWriter, r *http.Request, body []byte) {
	c, err := readChat(body)
	if err != nil {
		writeError(w, http.StatusBadRequest, err.Error())
		return
	}
	t, code, message := s.turn(c)
	switch {
	case code == http.StatusOK && message != "": // loaded or unloaded only
		writeLine(w, map[string]any{"model": c.Model, "message": map[string]any{"role": "assistant", "content": ""}, "done": true, "done_reason": message})
	case code != http.StatusOK:
		writeError(w, code, message)
	case s.fail(w, r, t.whole()):
	case c.stream:
		s.stream(w, r, t)
	default:
		s.atOnce(w, r, t)
	}
}

// turn is one answer, and what the server says of it.
type turn struct {
	Answer
	model  string
	prompt int // tokens
	limit  int // tokens of the reply
	remote string
}

// whole returns the turn's fault where it leaves nothing of the text.
func (t turn) whole() Fault {
	if _, ok := whole[t.Fault]; ok || t.Fault == Silent || t.Fault == Hangup || t.Fault == Redirect {
		return t.Fault
	}
	return None
}

// turn does what the server does before it streams. A code other than 200 comes
// with the error's message, 200 with the reason where there is nothing to say.
func (s *Server) turn(c Chat) (t turn, code int, message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.find(c.Model)
	switch {
	case m == nil:
		return t, http.StatusNotFound, fmt.Sprintf("model '%s' not found", c.Model)
	case m.Embeds:
		return t, http.StatusBadRequest, fmt.Sprintf("%q does not support chat", c.Model)
	case c.Think != nil && *c.Think && !m.thinks():
		return t, http.StatusBadRequest, fmt.Sprintf("%q does not support thinking", c.Model)
	case c.messages == 0 && c.keepAlive == "0":
		m.loaded = false
		return t, http.StatusOK, "unload"
	}
	numCtx, err := m.load(c.Options)
	if err != nil {
		return t, http.StatusInternalServerError, err.Error()
	}
	if c.messages == 0 {
		return t, http.StatusOK, "load"
	}
	if message := badFormat(c.Schema); message != "" {
		m.loaded = m.loaded && !strings.Contains(message, "unexpectedly stopped")
		return t, http.StatusInternalServerError, message
	}
	c.N = m.asked
	m.asked++
	t = turn{Answer: m.answer(c), model: c.Model, limit: int(c.Number("num_predict")), remote: m.Remote}
	if !m.thinks() || c.Think != nil && !*c.Think {
		t.Thought = ""
	}
	t.prompt = 8*c.messages + Tokens(c.Prompt)
	if t.prompt > numCtx {
		if !c.truncate && !m.CutsPrompts {
			return t, http.StatusBadRequest, tooLong
		}
		t.prompt = numCtx
	}
	if m.CountsUncached {
		same := 0
		for same < min(len(c.Prompt), len(m.prompt)) && c.Prompt[same] == m.prompt[same] {
			same++
		}
		t.prompt = max(1, t.prompt-same/4)
	}
	m.prompt = c.Prompt
	if t.Thought != "" && len(c.Schema) > 0 {
		t.prompt += Tokens(t.Thought) // it was read once more
	}
	return t, http.StatusOK, ""
}

// badFormat returns what the server says of a format that it does not take:
// nothing for most. A bound over 2000 kills the runner.
func badFormat(format json.RawMessage) string {
	switch format = bytes.TrimSpace(format); {
	case len(format) == 0, string(format) == "null", string(format) == `""`, string(format) == `"json"`:
		return ""
	case format[0] != '{':
		return "invalid JSON schema in format"
	}
	var schema any
	if json.Unmarshal(format, &schema) != nil {
		return "invalid JSON schema in format"
	}
	if tooWide(schema) {
		return "model runner has unexpectedly stopped, this may be due to resource limitations or an internal error, check ollama server logs for details"
	}
	return ""
}

func tooWide(schema any) bool {
	switch x := schema.(type) {
	case map[string]any:
		for key, v := range x {
			if f, ok := v.(float64); ok && f > 2000 && (key == "maxLength" || key == "maxItems") || tooWide(v) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(x, tooWide)
	}
	return false
}

// piece is how many characters come at once.
const piece = 3

// pieces cuts a text.
func pieces(text string) []string {
	var list []string
	for rs := []rune(text); len(rs) > 0; {
		n := min(piece, len(rs))
		list = append(list, string(rs[:n]))
		rs = rs[n:]
	}
	return list
}

func (s *Server) stream(w http.ResponseWriter, r *http.Request, t turn) {
	thought, text := pieces(t.Thought), pieces(t.Text)
	cut := t.limit > 0 && len(thought)+len(text) > t.limit
	if cut {
		thought = thought[:min(len(thought), t.limit)]
		text = text[:t.limit-len(thought)]
	}
	half := t.Fault != None
	if half && t.Fault != FullOfThought {
		text = text[:len(text)/2]
	}
	say := func(key, piece string) bool {
		writeLine(w, map[string]any{"model": t.model, "message": map[string]any{"role": "assistant", "content": "", key: piece}, "done": false})
		return r.Context().Err() == nil
	}
	for _, p := range thought {
		if !say("thinking", p) {
			return
		}
	}
	if t.Fault == FullOfThought {
		writeLine(w, map[string]any{"error": tooLong})
		return
	}
	for _, p := range text {
		if !say("content", p) {
			return
		}
	}
	reason := "stop"
	if cut {
		reason = "length"
	}
	switch t.Fault {
	case Cut:
		hangUp()
	case LongLine:
		_, _ = io.WriteString(w, longLine())
	case Repeat:
		return
	case Killed:
		writeLine(w, map[string]any{"error": killed})
		return
	case Limit:
		reason = "length"
	case Stalled:
		s.wait(r)
		return
	default:
	}
	writeLine(w, t.last(reason, len(thought)+len(text)))
}

// last is the message that ends a reply.
func (t turn) last(reason string, said int) map[string]any {
	m := map[string]any{
		"model": t.model, "message": map[string]any{"role": "assistant", "content": ""}, "done": true, "done_reason": reason,
		"prompt_eval_count": t.prompt, "eval_count": said,
	}
	if t.remote != "" {
		m["remote_host"], m["remote_model"] = t.remote, t.model
	}
	return m
}

// atOnce answers without streaming.
func (s *Server) atOnce(w http.ResponseWriter, r *http.Request, t turn) {
	if t.Fault != None {
		s.stream(w, r, t) // what goes wrong goes wrong alike
		return
	}
	m := t.last("stop", len(pieces(t.Thought))+len(pieces(t.Text)))
	m["message"] = map[string]any{"role": "assistant", "content": t.Text, "thinking": t.Thought}
	writeJSON(w, http.StatusOK, m)
}
