package bench

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Spent is the share of the processor's time that a function itself took.
type Spent struct {
	Function string  `json:"function"`
	Share    float64 `json:"share"`
}

// errProfile is returned for what is no CPU profile.
var errProfile = errors.New("this is no CPU profile")

// topFunctions returns the n functions that took most of a CPU profile's samples,
// and the share of all others as the last, named "". The profile is the
// gzip-compressed protocol buffer that runtime/pprof writes (profile.proto of
// github.com/google/pprof).
func topFunctions(profile []byte, n int) ([]Spent, error) {
	unpacked, err := gzip.NewReader(bytes.NewReader(profile))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errProfile, err)
	}
	message, err := io.ReadAll(unpacked)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errProfile, err)
	}
	p := samples{leaves: map[uint64]int64{}, functions: map[uint64]uint64{}, names: map[uint64]uint64{}}
	if err := fields(message, p.field); err != nil {
		return nil, err
	}
	return p.top(n), nil
}

// samples is what is needed of a profile.
type samples struct {
	leaves    map[uint64]int64  // by location: the samples that ended there
	functions map[uint64]uint64 // by location: the innermost function
	names     map[uint64]uint64 // by function: its name, an index into texts
	texts     []string
}

// Numbers of fields in profile.proto.
const (
	profileSample, profileLocation, profileFunction, profileText = 2, 4, 5, 6

	sampleLocations, sampleValues   = 1, 2
	locationID, locationLine        = 1, 4
	lineFunction                    = 1
	functionID, functionName        = 1, 2
	wireVarint, wire64, wireBytes   = 0, 1, 2
	wire32                          = 5
	bytesOf64, bytesOf32, bitsOfTag = 8, 4, 3
)

// field takes one field of the profile.
func (p *samples) field(number int, value uint64, data []byte) error {
	switch number {
	case profileSample:
		var at, values []uint64
		err := fields(data, func(number int, value uint64, data []byte) (err error) {
			switch number {
			case sampleLocations:
				at, err = numbers(at, value, data)
			case sampleValues:
				values, err = numbers(values, value, data)
			}
			return err
		})
		if len(at) > 0 && len(values) > 0 {
			p.leaves[at[0]] += int64(values[len(values)-1])
		}
		return err
	case profileLocation:
		var id, function uint64
		seen := false
		err := fields(data, func(number int, value uint64, data []byte) error {
			switch {
			case number == locationID:
				id = value
			case number == locationLine && !seen: // the first is the innermost
				seen = true
				return fields(data, func(number int, value uint64, _ []byte) error {
					if number == lineFunction {
						function = value
					}
					return nil
				})
			}
			return nil
		})
		p.functions[id] = function
		return err
	case profileFunction:
		var id, name uint64
		err := fields(data, func(number int, value uint64, _ []byte) error {
			switch number {
			case functionID:
				id = value
			case functionName:
				name = value
			}
			return nil
		})
		p.names[id] = name
		return err
	case profileText:
		p.texts = append(p.texts, string(data))
	}
	return nil
}

// top sums the samples up by function.
func (p *samples) top(n int) []Spent {
	byName := map[string]int64{}
	total := int64(0)
	for at, count := range p.leaves {
		name := ""
		if i := p.names[p.functions[at]]; i < uint64(len(p.texts)) {
			name = p.texts[i]
		}
		byName[name] += count
		total += count
	}
	var all []Spent
	for name, count := range byName {
		all = append(all, Spent{name, float64(count) / float64(max(1, total))})
	}
	slices.SortFunc(all, func(a, b Spent) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Function, b.Function))
	})
	if len(all) <= n {
		return all
	}
	rest := 0.0
	for _, s := range all[n:] {
		rest += s.Share
	}
	return append(all[:n:n], Spent{"", rest})
}

// fields calls f with each field of a message: value is that of a number, data
// that of bytes.
func fields(message []byte, f func(number int, value uint64, data []byte) error) error {
	for len(message) > 0 {
		tag, n := binary.Uvarint(message)
		if n <= 0 {
			return errProfile
		}
		message = message[n:]
		var value uint64
		var data []byte
		size := 0
		switch tag & (1<<bitsOfTag - 1) {
		case wireVarint:
			value, size = binary.Uvarint(message)
		case wire64:
			size = bytesOf64
		case wire32:
			size = bytesOf32
		case wireBytes:
			length, n := binary.Uvarint(message)
			if n <= 0 || length > uint64(len(message)-n) {
				return errProfile
			}
			size = n + int(length)
			data = message[n:size]
		}
		if size <= 0 || size > len(message) {
			return errProfile
		}
		message = message[size:]
		if err := f(int(tag>>bitsOfTag), value, data); err != nil {
			return err
		}
	}
	return nil
}

// numbers appends a repeated number, which is packed into bytes or alone.
func numbers(to []uint64, value uint64, data []byte) ([]uint64, error) {
	if data == nil {
		return append(to, value), nil
	}
	for len(data) > 0 {
		v, n := binary.Uvarint(data)
		if n <= 0 {
			return nil, errProfile
		}
		to, data = append(to, v), data[n:]
	}
	return to, nil
}
