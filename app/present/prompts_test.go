package present

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cairn/engine"
	"cairn/engine/llm"
	"cairn/internal/testing/golden"
)

// promptRun is a run that asked a model twice, the second time in vain.
func promptRun() *engine.Run {
	at := time.Date(2026, 5, 4, 13, 7, 0, 0, time.UTC)
	return &engine.Run{
		Question: "Who directed\n“Winchester '73”?", Started: at,
		Exchanges: []engine.Exchange{
			{Stage: engine.StagePlan, Exchange: llm.Exchange{
				Purpose: "pattern", Model: "qwen3:4b", Digest: "sha256:2c9f41ab77d0e1", Host: "127.0.0.1:11434", Began: at,
				Sent:      `{"model":"qwen3:4b","messages":[{"role":"system","content":"Write a pattern."},{"role":"user","content":"Question: \u003cwho\u003e\n\"directed\""}],"format":{"type":"object"},"options":{"seed":0,"num_ctx":4096}}`,
				Reply:     "<think>\nWho? A director.\n</think>\n\n{\"edges\":[]}",
				Estimated: 410, PromptTokens: 371, ReplyTokens: 6, Duration: 1200 * time.Millisecond,
			}},
			{Stage: engine.StageAnswer, Exchange: llm.Exchange{
				Purpose: "answer", Model: "qwen3:4b", Host: "127.0.0.1:11434", Began: at.Add(time.Second), Sent: "not JSON",
				Left: "12 of 60 triples were left out", Err: "the server closed the connection", Duration: 30 * time.Millisecond,
			}},
		},
	}
}

func TestPromptsTextGolden(t *testing.T) {
	got := PromptsText(promptRun())
	golden.Compare(t, filepath.Join("testdata", "prompts.txt"), got)
	if got := PromptsText(&engine.Run{}); !strings.Contains(got, "No model was asked") {
		t.Errorf("PromptsText() of a run without a model = %q", got)
	}
}

func TestPromptRowsKeepTheBytesSent(t *testing.T) {
	run := promptRun()
	rows := PromptRows(run)
	if rows[0].Failed || !rows[1].Failed {
		t.Errorf("failed: %v, %v, want only the second", rows[0].Failed, rows[1].Failed)
	}
	for i, r := range rows {
		found := false
		for _, v := range r.Texts {
			found = found || v.Name == "Bytes sent" && v.Text == run.Exchanges[i].Sent
		}
		if !found {
			t.Errorf("request %d: no view has the bytes as they were sent", i+1)
		}
	}
}
