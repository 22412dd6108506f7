package present

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/answer"
)

// TestReadPastSaysWhatTheRunSaid compares a run's record with the run.
func TestReadPastSaysWhatTheRunSaid(t *testing.T) {
	g, run := films(t, 1)
	run.Started = time.Now()
	run.Plan.Planner, run.Answer.Model = "model qwen3:4b", "qwen3:4b"
	checks := []answer.Check{
		answer.Covered, answer.Partly, answer.Misattributed, answer.Joined, answer.NotInEvidence, answer.NotInGraph, answer.Unchecked,
	}
	for _, c := range checks {
		run.Answer.Sentences = append(run.Answer.Sentences, answer.Sentence{Text: "In 1940 [T2].", Citations: []int{2}, Check: c, Reason: "why", Model: true})
	}
	run.Answer.Sentences = append(run.Answer.Sentences, answer.Sentence{Text: "The search was complete.", Note: true})
	run.Exchanges = promptRun().Exchanges
	record, err := json.Marshal(run)
	if err != nil {
		t.Fatal(err)
	}
	past, err := ReadPast(record, g)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Sentences(run.Answer), past.Sentences); diff != "" {
		t.Errorf("sentences (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(PromptRows(run), past.Prompts); diff != "" {
		t.Errorf("prompts (-want +got):\n%s", diff)
	}
	if past.Question != run.Question || past.Headline != "1940" || len(past.Evidence) != 2 || past.Makers[1] != "Worded by qwen3:4b, checked against 2 triples" {
		t.Errorf("ReadPast() = %+v", past)
	}
	run.Plan.Planner, run.Plan.StoodIn = "built-in", "Another planned it."
	run.Answer.Model, run.Answer.NotWorded, run.Answer.Sentences = "", "It was not worded.", nil
	if record, err = json.Marshal(run); err != nil {
		t.Fatal(err)
	}
	if past, err = ReadPast(record, g); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Read by the built-in planner", "Another planned it.", "It was not worded."}, past.Makers); diff != "" {
		t.Errorf("makers of a run that a model failed (-want +got):\n%s", diff)
	}
	for _, bad := range []string{"", "{}", "null", `{"answer":7}`} {
		if _, err := ReadPast([]byte(bad), g); err == nil {
			t.Errorf("ReadPast(%q) is no error", bad)
		}
	}
}
