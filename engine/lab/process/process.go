// Package process tells what the system says of this program: its memory and its
// processor time. Only Linux says it; elsewhere everything is 0.
package process

import (
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// Memory is what a process holds, in bytes; 0 where the system does not say.
type Memory struct {
	// Peak is the most that was ever resident.
	Peak int64 `json:"peak"`
	// Anonymous is what is resident now and the program's own: heap and stacks.
	Anonymous int64 `json:"anonymous"`
	// Mapped is what is resident now of mapped files. The system takes it back
	// where another program needs it.
	Mapped int64 `json:"mapped"`
}

// ReadMemory asks the system what this process holds.
func ReadMemory() Memory {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return Memory{}
	}
	return parseMemory(string(status))
}

// parseMemory reads the fields of proc_pid_status(5).
func parseMemory(status string) Memory {
	var m Memory
	for line := range strings.Lines(status) {
		name, value, _ := strings.Cut(line, ":")
		field := map[string]*int64{"VmHWM": &m.Peak, "RssAnon": &m.Anonymous, "RssFile": &m.Mapped}[name]
		if field == nil {
			continue
		}
		kib, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "kB")), 10, 64)
		if err == nil {
			*field = kib << 10
		}
	}
	return m
}

// ResetPeak makes Memory.Peak count from now on, where the system can; garbage is
// given back first.
func ResetPeak() {
	debug.FreeOSMemory()
	// An error leaves the peak of the whole process, which is no less.
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

// ProcessorTime is how long processors have worked for this process, 0 where the
// system does not say. Other programs do not lengthen it much, as they do the time
// that goes by.
func ProcessorTime() time.Duration {
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0
	}
	return parseProcessorTime(string(stat))
}

// parseProcessorTime reads utime and stime of proc_pid_stat(5), fields 14 and 15 in
// hundredths of a second; field 2 is a name in brackets, of any characters.
func parseProcessorTime(stat string) time.Duration {
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	if len(fields) < 13 {
		return 0
	}
	user, err1 := strconv.ParseInt(fields[11], 10, 64)
	system, err2 := strconv.ParseInt(fields[12], 10, 64)
	if err1 != nil || err2 != nil {
		return 0
	}
	return time.Duration(user+system) * (time.Second / 100)
}
