package remote

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
)

// boltStruct is a structure of PackStream: a message, or a value such as a date or a point.
type boltStruct struct {
	Tag    byte
	Fields []any
}

// pack writes a value in PackStream (https://neo4j.com/docs/bolt/current/packstream).
func pack(b []byte, v any) []byte {
	sized := func(n int, tiny, first byte) []byte {
		switch {
		case n < 16 && tiny != 0:
			return append(b, tiny+byte(n))
		case n < 1<<8:
			return append(b, first, byte(n))
		case n < 1<<16:
			return binary.BigEndian.AppendUint16(append(b, first+1), uint16(n))
		}
		return binary.BigEndian.AppendUint32(append(b, first+2), uint32(n))
	}
	switch v := v.(type) {
	case nil:
		return append(b, 0xC0)
	case bool:
		if v {
			return append(b, 0xC3)
		}
		return append(b, 0xC2)
	case int:
		return binary.BigEndian.AppendUint64(append(b, 0xCB), uint64(v))
	case float64:
		return binary.BigEndian.AppendUint64(append(b, 0xC1), math.Float64bits(v))
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return pack(b, int(n))
		}
		f, err := v.Float64()
		if err != nil {
			panic(err)
		}
		return pack(b, f)
	case string:
		return append(sized(len(v), 0x80, 0xD0), v...)
	case []byte:
		return append(sized(len(v), 0, 0xCC), v...)
	case []any:
		b = sized(len(v), 0x90, 0xD4)
		for _, x := range v {
			b = pack(b, x)
		}
		return b
	case map[string]any:
		b = sized(len(v), 0xA0, 0xD8)
		for _, name := range slices.Sorted(maps.Keys(v)) {
			b = pack(pack(b, name), v[name])
		}
		return b
	case boltStruct:
		b = append(b, 0xB0+byte(len(v.Fields)), v.Tag)
		for _, x := range v.Fields {
			b = pack(b, x)
		}
		return b
	}
	panic(fmt.Sprintf("%T has no form in PackStream", v))
}

// unpack reads a value of PackStream.
func unpack(r *bufio.Reader) (any, error) {
	m, err := r.ReadByte()
	if err != nil {
		return nil, err
	}
	number := func(bytes int) int64 {
		var n uint64
		for range bytes {
			var c byte
			if c, err = r.ReadByte(); err != nil {
				return 0
			}
			n = n<<8 | uint64(c)
		}
		return int64(n<<(64-8*bytes)) >> (64 - 8*bytes)
	}
	size := func(first byte) int { return int(number(1<<(m-first)) & (1<<(8<<(m-first)) - 1)) }
	switch {
	case m < 0x80 || m >= 0xF0:
		return int64(int8(m)), nil
	case m < 0x90:
		return text(r, int(m&15))
	case m < 0xA0:
		return list(r, int(m&15))
	case m < 0xB0:
		return mapping(r, int(m&15))
	case m < 0xC0:
		s := boltStruct{}
		if s.Tag, err = r.ReadByte(); err != nil {
			return nil, err
		}
		s.Fields, err = list(r, int(m&15))
		return s, err
	case m == 0xC0:
		return nil, nil //nolint:nilnil // a null
	case m == 0xC1:
		return math.Float64frombits(uint64(number(8))), err
	case m == 0xC2 || m == 0xC3:
		return m == 0xC3, nil
	case m >= 0xC8 && m <= 0xCB:
		return number(1 << (m - 0xC8)), err
	case m >= 0xD0 && m <= 0xD2:
		return text(r, size(0xD0))
	case m >= 0xD4 && m <= 0xD6:
		return list(r, size(0xD4))
	case m >= 0xD8 && m <= 0xDA:
		return mapping(r, size(0xD8))
	}
	return nil, fmt.Errorf("byte %#x begins no value", m)
}

func text(r io.Reader, n int) (string, error) {
	var b strings.Builder
	_, err := io.CopyN(&b, r, int64(n))
	return b.String(), err
}

func list(r *bufio.Reader, n int) ([]any, error) {
	all := make([]any, n)
	for i := range all {
		var err error
		if all[i], err = unpack(r); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func mapping(r *bufio.Reader, n int) (map[string]any, error) {
	all := make(map[string]any, n)
	for range n {
		name, err := unpack(r)
		if err != nil {
			return nil, err
		}
		if all[fmt.Sprint(name)], err = unpack(r); err != nil {
			return nil, err
		}
	}
	return all, nil
}
