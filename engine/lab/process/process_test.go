package process

import (
	"testing"
	"time"
)

func TestParseMemory(t *testing.T) {
	got := parseMemory("Name:\tcairn\nVmHWM:\t  1024 kB\nRssAnon:\t 512 kB\nRssFile:\t 256 kB\nRssShmem:\t 9 kB\n")
	if want := (Memory{Peak: 1 << 20, Anonymous: 512 << 10, Mapped: 256 << 10}); got != want {
		t.Errorf("parseMemory = %+v, want %+v", got, want)
	}
	if got := parseMemory("VmHWM: much\n"); got != (Memory{}) {
		t.Errorf("parseMemory of nonsense = %+v, want nothing", got)
	}
}

func TestParseProcessorTime(t *testing.T) {
	for stat, want := range map[string]time.Duration{
		"": 0, "7 (x": 0,
		"7 (a ) b) S 1 7 7 0 -1 4194560 95 0 0 0 120 34 0 0 20 0 1": 1540 * time.Millisecond,
	} {
		if got := parseProcessorTime(stat); got != want {
			t.Errorf("parseProcessorTime(%q) = %v, want %v", stat, got, want)
		}
	}
}
