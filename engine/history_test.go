package engine

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/engine/answer"
	"cairn/engine/evidence"
	"cairn/engine/ingest"
	"cairn/engine/llm"
)

func TestHistoryKeepsQuestionsWithTheirRecords(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "films.txt")
	if err := os.WriteFile(file, []byte("Tangerine|directed_by|Sean Baker\nAnora|directed_by|Sean Baker\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := Open(t.Context(), filepath.Join(dir, "films.cairn"), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if _, err := e.Import(t.Context(), []string{file}, ingest.Options{}, nil); err != nil {
		t.Fatal(err)
	}
	e.SetModel(brokenModel{})
	for _, q := range []string{"who directed Tangerine?", "who directed Anora?"} {
		if _, err := e.Ask(t.Context(), q, AskOptions{Save: true}, nil); err != nil {
			t.Fatal(err)
		}
	}
	past, err := e.History(t.Context(), 10)
	if err != nil || len(past) != 2 || past[0].Question != "who directed Anora?" {
		t.Fatalf("History = %+v, %v, want the latest first", past, err)
	}
	record, err := e.PastRecord(t.Context(), past[0].ID)
	if err != nil || int64(len(record)) != past[0].Bytes || !strings.Contains(string(record), "Sean Baker") {
		t.Errorf("PastRecord = %s, %v", record, err)
	}
	if err := e.ForgetHistory(t.Context()); err != nil {
		t.Fatal(err)
	}
	if past, err := e.History(t.Context(), 10); err != nil || len(past) != 0 {
		t.Errorf("after it was forgotten: History = %+v, %v", past, err)
	}
}

func TestALargeRecordIsCut(t *testing.T) {
	run := &Run{Question: "q", Answer: &answer.Answer{}, Found: evidence.Found{Candidates: make([]evidence.Candidate, 50)}}
	small, err := recordOf(run)
	if err != nil || strings.Count(string(small), `"distance"`) != 50 {
		t.Errorf("a small record is not kept whole: %v", err)
	}
	for i := range 100 {
		run.Exchanges = append(run.Exchanges, Exchange{Stage: StagePlan, Exchange: llm.Exchange{Model: "m", Sent: strings.Repeat("x", 50_000), Reply: fmt.Sprint(i)}})
	}
	run.Candidates = make([]evidence.Candidate, 20_000)
	run.Answers = make([]evidence.Answer, 20_000)
	record, err := recordOf(run)
	if err != nil || len(record) > maxRecord {
		t.Fatalf("recordOf: %d bytes, %v, want at most %d", len(record), err, maxRecord)
	}
	var kept struct {
		Exchanges  []llm.Exchange       `json:"exchanges"`
		Candidates []evidence.Candidate `json:"candidates"`
		Answers    []evidence.Answer    `json:"answers"`
	}
	if err := json.Unmarshal(record, &kept); err != nil || len(kept.Exchanges) != 100 || !strings.Contains(kept.Exchanges[0].Left, "50000 bytes sent") {
		t.Errorf("the record does not say what it leaves out: %v, %+v", err, kept.Exchanges[:1])
	}
	if len(kept.Candidates) != keptMatches || len(kept.Answers) != keptSentences {
		t.Errorf("%d matches and %d answers are kept, want %d and %d", len(kept.Candidates), len(kept.Answers), keptMatches, keptSentences)
	}
	if len(run.Answers) != 20_000 || run.Exchanges[0].Sent == "" || len(run.Candidates) != 20_000 {
		t.Error("the run itself was cut")
	}
}
