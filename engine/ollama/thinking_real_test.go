package ollama_test

import (
	"encoding/json"
	"testing"

	"cairn/engine/llm"
	"cairn/internal/testing/ollamatest"
	"cairn/internal/testing/tinymodel"
)

// thinkingTemplate is a chat template by which the server knows a model as one
// that thinks aloud.
const thinkingTemplate = `{{ range .Messages }}<|im_start|>{{ .Role }}
{{ if .Thinking }}<think>{{ .Thinking }}</think>{{ end }}{{ .Content }}<|im_end|>
{{ end }}<|im_start|>assistant
`

// TestRealThinkingModel has a model think aloud that the server knows to do so:
// it takes the thought apart, and with a schema has the model answer in a second
// pass, after the thought.
func TestRealThinkingModel(t *testing.T) {
	s := ollamatest.Shared(t)
	script := tinymodel.Script(`<think>Let me see.</think>{"items":["Wien"]}`)
	script.Template = thinkingTemplate
	m := realModel(t, s, script)
	d, err := m.Server().Details(t.Context(), m.Name())
	if err != nil || !d.Thinks {
		t.Fatalf("Details = %+v, %v; want one that thinks", d, err)
	}
	reply, err := m.Ask(t.Context(), llm.Request{Prompt: "p", MaxTokens: 200})
	if err != nil || reply.Text != `{"items":["Wien"]}` || reply.Thought != "Let me see." {
		t.Errorf("Ask = %+v, %v", reply, err)
	}
	var told []llm.Exchange
	reply, err = m.Ask(
		llm.WithTrace(t.Context(), func(x llm.Exchange) { told = append(told, x) }),
		llm.Request{Prompt: "p", MaxTokens: 200, Schema: json.RawMessage(listSchema)},
	)
	var list struct{ Items []string }
	if err != nil || reply.Thought != "Let me see." || json.Unmarshal([]byte(reply.Text), &list) != nil || len(list.Items) == 0 {
		t.Errorf("Ask with a schema = %+v, %v", reply, err)
	}
	for _, x := range told {
		t.Logf("%s\n→ %s (%d tokens of prompt, %d estimated) %s", x.Sent, x.Reply, x.PromptTokens, x.Estimated, x.Err)
	}
}
