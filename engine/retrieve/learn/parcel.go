package learn

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
)

// Form is what begins every parcel of one kind; its last byte is the version.
type Form string

// Pack writes a header as JSON and blobs behind each other, with a checksum:
//
//	form  length header  count (length blob)…  SHA-256 of all before
//
// with lengths and the count as 64-bit little-endian numbers.
func (f Form) Pack(header any, blobs ...[]byte) ([]byte, error) {
	h, err := json.Marshal(header)
	if err != nil {
		return nil, fmt.Errorf("write the header: %w", err)
	}
	out := []byte(f)
	add := func(b []byte) {
		out = binary.LittleEndian.AppendUint64(out, uint64(len(b)))
		out = append(out, b...)
	}
	add(h)
	out = binary.LittleEndian.AppendUint64(out, uint64(len(blobs)))
	for _, b := range blobs {
		add(b)
	}
	sum := sha256.Sum256(out)
	return append(out, sum[:]...), nil
}

// Unpack reads what Pack wrote. The blobs alias b.
func (f Form) Unpack(b []byte, header any) (blobs [][]byte, err error) {
	if !bytes.HasPrefix(b, []byte(f)) {
		if bytes.HasPrefix(b, []byte(f[:len(f)-1])) {
			return nil, errors.New("it was written by another version of this program")
		}
		return nil, errors.New("it is something else")
	}
	if len(b) < len(f)+sha256.Size {
		return nil, errors.New("it is cut off")
	}
	body, sum := b[:len(b)-sha256.Size], b[len(b)-sha256.Size:]
	if want := sha256.Sum256(body); !bytes.Equal(sum, want[:]) {
		return nil, errors.New("it is damaged or cut off: its checksum is wrong")
	}
	rest, whole := body[len(f):], true
	number := func() uint64 {
		if len(rest) < 8 {
			whole = false
			return 0
		}
		n := binary.LittleEndian.Uint64(rest)
		rest = rest[8:]
		return n
	}
	take := func() []byte {
		n := number()
		if n > uint64(len(rest)) {
			whole = false
			return nil
		}
		b := rest[:n]
		rest = rest[n:]
		return b
	}
	h := take()
	for n := number(); n > 0 && whole; n-- {
		blobs = append(blobs, take())
	}
	if !whole || len(rest) > 0 {
		return nil, errors.New("its parts do not fit together")
	}
	if err := json.Unmarshal(h, header); err != nil {
		return nil, fmt.Errorf("its header cannot be read: %w", err)
	}
	return blobs, nil
}
