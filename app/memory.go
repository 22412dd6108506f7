package app

import (
	"os"
	"strconv"
	"strings"
	"sync"
)

// physicalMemory is this computer's memory in bytes; 0 where the system does
// not tell it in a file, as only Linux does.
var physicalMemory = sync.OnceValue(func() int64 {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	return memTotal(string(text))
})

// memTotal reads the line "MemTotal:  16252928 kB".
func memTotal(meminfo string) int64 {
	for line := range strings.Lines(meminfo) {
		fields := strings.Fields(line)
		if len(fields) == 3 && fields[0] == "MemTotal:" && fields[2] == "kB" {
			n, err := strconv.ParseInt(fields[1], 10, 64)
			if err != nil {
				return 0
			}
			return n << 10
		}
	}
	return 0
}
