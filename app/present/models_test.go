package present

import (
	"strings"
	"testing"
	"time"

	"cairn/engine/ollama"
	"cairn/engine/outbound"
)

func TestRate(t *testing.T) {
	var r Rate
	now := time.Now()
	for i, want := range []float64{0, 0, 100, 100, 50} {
		done := []int64{0, 100, 200, 250, 300}[i]
		if got := r.At(now.Add(time.Duration(i)*time.Second), done); got != want {
			t.Errorf("after %d s at %d: %v a second, want %v", i, done, got, want)
		}
	}
	if got := r.At(now.Add(9*time.Second), 10); got != 50 {
		t.Errorf("at the start of the next part: %v, want the last rate", got)
	}
}

func TestModel(t *testing.T) {
	const gb = 1_000_000_000
	tests := []struct {
		name    string
		info    ollama.ModelInfo
		details *ollama.Details
		memory  int64
		use     ModelUse
		suits   string
		fits    string
	}{
		{"a good size", ollama.ModelInfo{Name: "qwen3:4b", Size: 2.5 * gb, Parameters: "4.0B"}, &ollama.Details{Completes: true}, 16 * gb, UseQuestions, "Reading questions and writing answers.", "fits"},
		{"thinks", ollama.ModelInfo{Name: "qwen3:8b", Parameters: "8.2B"}, &ollama.Details{Completes: true, Thinks: true}, 0, UseQuestions, "reasons before it answers", ""},
		{"small", ollama.ModelInfo{Name: "gemma3:1b", Parameters: "999.89M"}, nil, 0, UseQuestions, "Probably too small", ""},
		{"tiny", ollama.ModelInfo{Name: "t", Parameters: "91.01K"}, nil, 0, UseQuestions, "Too small to read", ""},
		{"between", ollama.ModelInfo{Name: "qwen2.5:3b", Parameters: "3.1B"}, nil, 0, UseQuestions, "simple questions", ""},
		{"no size", ollama.ModelInfo{Name: "x"}, nil, 0, UseQuestions, "unknown", ""},
		{"embeds", ollama.ModelInfo{Name: "x"}, &ollama.Details{Embeds: true}, 0, UseNames, "vectors", ""},
		{"embeds by name", ollama.ModelInfo{Name: "nomic-embed-text:latest"}, nil, 0, UseNames, "vectors", ""},
		{"elsewhere", ollama.ModelInfo{Name: "x:cloud", Remote: "https://ollama.com"}, nil, 0, UseNothing, "would leave this computer", ""},
		{"tight", ollama.ModelInfo{Name: "x", Size: 9 * gb, Parameters: "14B"}, nil, 16 * gb, UseQuestions, "Reading", "little else"},
		{"too large", ollama.ModelInfo{Name: "x", Size: 40 * gb, Parameters: "70B"}, nil, 16 * gb, UseQuestions, "Reading", "too large"},
	}
	for _, test := range tests {
		r := Model(test.info, test.details, test.memory)
		if r.Use != test.use || !strings.Contains(r.Suits, test.suits) || !strings.Contains(r.Memory, test.fits) || (test.fits == "") != (r.Memory == "") {
			t.Errorf("%s: Model = %+v, want use %d, %q, %q", test.name, r, test.use, test.suits, test.fits)
		}
	}
}

func TestPullText(t *testing.T) {
	tests := []struct {
		p    ollama.Pulling
		rate float64
		want string
	}{
		{ollama.Pulling{Status: "pulling manifest"}, 0, "Pulling manifest"},
		{ollama.Pulling{Status: "pulling 1a2b", Done: 5e8, Total: 2e9}, 0, "Pulling 1a2b: 500 MB of 2.0 GB"},
		{ollama.Pulling{Status: "pulling 1a2b", Done: 5e8, Total: 2e9}, 1e7, "Pulling 1a2b: 500 MB of 2.0 GB, 10 MB a second, 3 min left"},
		{ollama.Pulling{Status: "evil\x1b[2Jline\nbreak"}, 0, "Evil[2Jline break"},
	}
	for _, test := range tests {
		if got := PullText(test.p, test.rate); got != test.want {
			t.Errorf("PullText(%+v, %v) = %q, want %q", test.p, test.rate, got, test.want)
		}
	}
}

func TestContacts(t *testing.T) {
	last := time.Date(2026, 1, 2, 15, 4, 5, 0, time.Local)
	here := outbound.Contact{Address: "127.0.0.1:11434", Local: true, Dialled: 3, Last: last}
	refused := outbound.Contact{Address: "192.168.1.7:11434", Denied: 2, Last: last}
	away := outbound.Contact{Address: "192.168.1.7:11434", Dialled: 1, Last: last}
	looked := outbound.Contact{Address: "models.example:11434", LookedUp: 1, Denied: 1, Last: last}
	tests := []struct {
		cs       []outbound.Contact
		sentence string
		line     string
	}{
		{nil, "Cairn has contacted nothing since", ""},
		{[]outbound.Contact{here}, "Cairn has contacted nothing outside this computer", "127.0.0.1:11434 · this computer · 3 connections · last at 15:04:05"},
		{[]outbound.Contact{here, refused}, "Cairn has contacted nothing outside this computer", "192.168.1.7:11434 · another computer · no connection · refused 2 times · last at 15:04:05"},
		{[]outbound.Contact{here, away}, "1 address outside this computer has been contacted", "192.168.1.7:11434 · another computer · 1 connection · last at 15:04:05"},
		{[]outbound.Contact{looked}, "1 address outside", "models.example:11434 · another computer · no connection · name looked up once · refused once · last at 15:04:05"},
	}
	for _, test := range tests {
		sentence, lines := Contacts(test.cs)
		if !strings.HasPrefix(sentence, test.sentence) {
			t.Errorf("Contacts(%+v) says %q, want %q", test.cs, sentence, test.sentence)
		}
		if len(lines) != len(test.cs) || len(lines) > 0 && lines[len(lines)-1] != test.line {
			t.Errorf("Contacts(%+v) lists %q, want %q last", test.cs, lines, test.line)
		}
	}
}

func TestTimeLeft(t *testing.T) {
	for _, tt := range []struct {
		rest      int64
		perSecond float64
		want      string
	}{
		{0, 1, "a few seconds"},
		{9, 1, "a few seconds"},
		{38, 1, "40 s"},
		{100, 1, "2 min"},
		{3000, 1, "50 min"},
		{7300, 1, "2 h"},
		{1 << 50, 1e-3, "312749974122951 h"}, // longer than a time.Duration can be
	} {
		if got := TimeLeft(tt.rest, tt.perSecond); got != tt.want {
			t.Errorf("TimeLeft(%d, %v) = %q, want %q", tt.rest, tt.perSecond, got, tt.want)
		}
	}
}
