package remote

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
)

// boltServer is a Neo4j server that speaks Bolt 5.4 (https://neo4j.com/docs/bolt/current).
// It has one database, "movies", which user "ann" may read with "secret". It knows no
// Cypher: a question about relationships gives those, every other the nodes.
type boltServer struct {
	Nodes, Relationships []string // rows in JSON, in the order of their ids
	// Instead, where it is not nil, is called for every question, the first being 1;
	// where it returns true its reply is sent: records, and the error behind them.
	Instead func(n int) (boltReply, bool)

	listener net.Listener
	secure   bool
	running  sync.WaitGroup
	mu       sync.Mutex
	asked    int
	open     map[net.Conn]bool
}

// boltReply is what comes for a question.
type boltReply struct {
	Lines         []any  // what the rows hold
	Code, Message string // of an error
	Gone          bool   // the connection ends behind the rows
}

// Messages of Bolt, by their tag.
const (
	hello, goodbye, reset, run, discard, pull = 0x01, 0x02, 0x0F, 0x10, 0x2F, 0x3F
	logon, logoff                             = 0x6A, 0x6B
	success, record, ignored, failure         = 0x70, 0x71, 0x7E, 0x7F
)

// newBoltServer starts a server that ends with the test; with a certificate it encrypts.
func newBoltServer(t *testing.T, nodes, relationships []string, certificate ...tls.Certificate) *boltServer {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &boltServer{Nodes: nodes, Relationships: relationships, listener: l, open: map[net.Conn]bool{}}
	if len(certificate) > 0 {
		s.secure, s.listener = true, tls.NewListener(l, &tls.Config{Certificates: certificate, MinVersion: tls.VersionTLS12})
	}
	s.running.Go(s.accept)
	t.Cleanup(s.Close)
	return s
}

// Close ends the server and every connection.
func (s *boltServer) Close() {
	_ = s.listener.Close()
	s.mu.Lock()
	for c := range s.open {
		_ = c.Close()
	}
	s.mu.Unlock()
	s.running.Wait()
}

// Host is the address without what is before and behind it.
func (s *boltServer) Host() string { return s.listener.Addr().String() }

// Address is that of the database.
func (s *boltServer) Address() string {
	if s.secure {
		return "bolt+s://" + s.Host() + "/movies"
	}
	return "bolt://" + s.Host() + "/movies"
}

// Asked is how many questions came.
func (s *boltServer) Asked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

func (s *boltServer) accept() {
	for {
		c, err := s.listener.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		s.open[c] = true
		s.mu.Unlock()
		s.running.Go(func() {
			_ = (&talk{s: s, r: bufio.NewReader(c), w: c}).all() // a client that is gone ends it
			_ = c.Close()
			s.mu.Lock()
			delete(s.open, c)
			s.mu.Unlock()
		})
	}
}

// talk is one connection.
type talk struct {
	s       *boltServer
	r       *bufio.Reader
	w       io.Writer
	failed  bool // until it is reset
	known   bool // who asks
	pending boltReply
}

var errGone = errors.New("the server is gone")

func (t *talk) all() error {
	begin := make([]byte, 20)
	if _, err := io.ReadFull(t.r, begin); err != nil {
		return err
	}
	if !bytes.Equal(begin[:4], []byte{0x60, 0x60, 0xB0, 0x17}) || !slices.Contains(begin[4:], 5) {
		_, err := t.w.Write(make([]byte, 4)) // no version that both know
		return err
	}
	if _, err := t.w.Write([]byte{0, 0, 4, 5}); err != nil {
		return err
	}
	for {
		m, err := t.message()
		if err != nil {
			return err
		}
		if err := t.answer(m); err != nil {
			return err
		}
	}
}

// message reads the pieces of a message up to the empty one.
func (t *talk) message() (boltStruct, error) {
	var all bytes.Buffer
	for {
		var size uint16
		if err := binary.Read(t.r, binary.BigEndian, &size); err != nil {
			return boltStruct{}, err
		}
		if size == 0 && all.Len() > 0 {
			break
		}
		if _, err := io.CopyN(&all, t.r, int64(size)); err != nil {
			return boltStruct{}, err
		}
	}
	v, err := unpack(bufio.NewReader(&all))
	m, ok := v.(boltStruct)
	if err == nil && !ok {
		err = errors.New("no message")
	}
	return m, err
}

func (t *talk) say(tag byte, fields ...any) error {
	text := pack(nil, boltStruct{tag, fields})
	var b []byte
	for piece := range slices.Chunk(text, 1<<15) {
		b = append(binary.BigEndian.AppendUint16(b, uint16(len(piece))), piece...)
	}
	_, err := t.w.Write(append(b, 0, 0))
	return err
}

func (t *talk) fail(code, message string) error {
	t.failed = true
	return t.say(failure, map[string]any{"code": code, "message": message})
}

func (t *talk) answer(m boltStruct) error {
	switch {
	case m.Tag == goodbye:
		return errGone
	case m.Tag == reset:
		t.failed = false
		return t.say(success, map[string]any{})
	case t.failed:
		return t.say(ignored)
	case m.Tag == hello:
		return t.say(success, map[string]any{"server": "Neo4j/5.26.0", "connection_id": "bolt-1", "hints": map[string]any{}})
	case m.Tag == logon:
		who, _ := m.Fields[0].(map[string]any)
		if who["scheme"] != "basic" || who["principal"] != "ann" || who["credentials"] != "secret" {
			return t.fail("Neo.ClientError.Security.Unauthorized", "The client is unauthorized due to authentication failure.")
		}
		t.known = true
		return t.say(success, map[string]any{})
	case m.Tag == logoff:
		t.known = false
		return t.say(success, map[string]any{})
	case !t.known:
		return t.fail("Neo.ClientError.Request.Invalid", "who asks?")
	case m.Tag == run:
		return t.run(m)
	case m.Tag == discard:
		t.pending = boltReply{}
		return t.say(success, map[string]any{})
	case m.Tag == pull:
		return t.pull(m)
	}
	return t.fail("Neo.ClientError.Request.Invalid", "no such message")
}

func (t *talk) run(m boltStruct) error {
	t.s.mu.Lock()
	t.s.asked++
	n := t.s.asked
	t.s.mu.Unlock()
	query, _ := m.Fields[0].(string)
	with, _ := m.Fields[1].(map[string]any)
	extra, _ := m.Fields[2].(map[string]any)
	from, hasFrom := with["from"].(int64)
	limit, hasLimit := with["limit"].(int64)
	switch {
	case extra["db"] != "movies":
		return t.fail("Neo.ClientError.Database.DatabaseNotFound", "Graph not found")
	case extra["mode"] != "r" || !hasFrom || !hasLimit:
		return t.fail("Neo.ClientError.Statement.ArgumentError", "it may write, or lacks what it is asked with")
	}
	t.pending = boltReply{}
	if t.s.Instead != nil {
		if reply, ok := t.s.Instead(n); ok {
			t.pending = reply
			return t.say(success, map[string]any{"fields": []any{"line"}, "t_first": 0})
		}
	}
	rows := t.s.Nodes
	if strings.Contains(query, "-[r]->") {
		rows = t.s.Relationships
	}
	for _, row := range rows {
		d := json.NewDecoder(strings.NewReader(row))
		d.UseNumber()
		var line map[string]any
		if err := d.Decode(&line); err != nil {
			panic(err)
		}
		id, err := json.Number(line["id"].(string)).Int64() //nolint:errcheck // every row has one
		if err != nil {
			panic(err)
		}
		if id >= from && int64(len(t.pending.Lines)) < limit {
			t.pending.Lines = append(t.pending.Lines, line)
		}
	}
	return t.say(success, map[string]any{"fields": []any{"line"}, "t_first": 0})
}

func (t *talk) pull(m boltStruct) error {
	with, _ := m.Fields[0].(map[string]any)
	n, _ := with["n"].(int64)
	for ; n != 0 && len(t.pending.Lines) > 0; n-- {
		if err := t.say(record, []any{t.pending.Lines[0]}); err != nil {
			return err
		}
		t.pending.Lines = t.pending.Lines[1:]
	}
	switch {
	case len(t.pending.Lines) > 0:
		return t.say(success, map[string]any{"has_more": true})
	case t.pending.Gone:
		return errGone
	case t.pending.Code != "":
		return t.fail(t.pending.Code, t.pending.Message)
	}
	return t.say(success, map[string]any{"type": "r", "db": "movies", "t_last": 0})
}
