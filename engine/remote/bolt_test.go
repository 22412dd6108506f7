package remote

import (
	"context"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/outbound"
	"cairn/internal/testing/fakeneo4j"
)

// TestBoltResume has a server that is gone at every question in turn, and goes on where
// it was.
func TestBoltResume(t *testing.T) {
	nodes, relationships := fakeneo4j.Chain(25)
	const questions = 3 + 1 + 3 + 1
	for stop := 1; stop <= questions; stop++ {
		server := newBoltServer(t, nodes, relationships)
		gone := true
		server.Instead = func(n int) (boltReply, bool) {
			return boltReply{Lines: []any{map[string]any{"id": "7"}}, Gone: true}, gone && n >= stop
		}
		path := filepath.Join(t.TempDir(), "g.jsonl")
		_, err := Fetch(t.Context(), database(t, server.Address(), 10), path, nil)
		if err == nil || !strings.Contains(err.Error(), "continue from the last complete page") {
			t.Fatalf("gone at question %d: %v", stop, err)
		}
		if n := server.Asked(); n != stop-1+tries {
			t.Errorf("gone at question %d: %d questions, want %d tries", stop, n, tries)
		}
		gone = false
		got, err := Fetch(t.Context(), database(t, server.Address(), 10), path, nil)
		want := Fetched{Rows: 49, Nodes: 25, Next: 25, Resumed: []int64{0, 0, 10, 20, 25, 25, 35, 45, 49}[stop]}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("gone at question %d: %v (-want +got):\n%s", stop, err, diff)
		}
		if lines := data(t, path); len(lines) != 49 {
			t.Errorf("gone at question %d: %d lines, want 49", stop, len(lines))
		}
		if b, err := os.ReadFile(path); err != nil || strings.Contains(string(b), "secret") {
			t.Errorf("the file holds the password, or cannot be read: %v", err)
		}
	}
}

// TestBoltCancel ends a fetch while the server is silent.
func TestBoltCancel(t *testing.T) {
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err = Fetch(ctx, database(t, "bolt://"+l.Addr().String(), 10), filepath.Join(t.TempDir(), "g.jsonl"), nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, want the end of the time", err)
	}
	s := endpoint(t, "bolt://"+l.Addr().String(), Options{Timeout: 50 * time.Millisecond})
	if _, err = Fetch(t.Context(), s, filepath.Join(t.TempDir(), "g.jsonl"), nil); err == nil || !strings.Contains(err.Error(), "no reply came within 50ms") {
		t.Errorf("%v, want that no reply came", err)
	}
}

func TestBoltProperties(t *testing.T) {
	server := newBoltServer(t, nil, nil)
	node := func(properties map[string]any) map[string]any {
		return map[string]any{"type": "node", "id": "1", "labels": []any{"A", "B c"}, "properties": properties}
	}
	rows := []any{node(map[string]any{
		"text": "a <b>\n\"c\" é", "whole": 9007199254740993, "real": 1.5, "yes": true, "none": nil, "list": []any{1, 2}, "empty": []any{}, "bytes": []byte{1, 2},
		"date":  boltStruct{Tag: 'D', Fields: []any{16620}},
		"at":    boltStruct{Tag: 'I', Fields: []any{1436034744, 0, 3600}},
		"lasts": boltStruct{Tag: 'E', Fields: []any{14, 3, 4, 0}},
		"clock": boltStruct{Tag: 't', Fields: []any{3600 * 1_000_000_000}},
		"local": boltStruct{Tag: 'd', Fields: []any{1436034744, 0}},
		"there": boltStruct{Tag: 'X', Fields: []any{4326, 12.5, 55.25}},
		"solid": boltStruct{Tag: 'Y', Fields: []any{9157, 1.0, 2.0, 3.0}},
	})}
	server.Instead = func(n int) (boltReply, bool) { return boltReply{Lines: rows}, n == 1 }
	path := filepath.Join(t.TempDir(), "g.jsonl")
	if _, err := Fetch(t.Context(), database(t, server.Address(), 10), path, nil); err != nil {
		t.Fatal(err)
	}
	want := []string{`{"type":"node","id":"1","labels":["A","B c"],"properties":{"at":"2015-07-04T19:32:24+01:00","bytes":"AQI=","clock":"01:00:00","date":"2015-07-04","empty":[],` +
		`"lasts":"P14M3DT4S","list":[1,2],"local":"2015-07-04T18:32:24","none":null,"real":1.5,"solid":{"crs":"cartesian-3d","x":1,"y":2,"z":3},"text":"a <b>\n\"c\" é",` +
		`"there":{"crs":"wgs-84","latitude":55.25,"longitude":12.5},"whole":9007199254740993,"yes":true}}` + "\n"}
	if diff := cmp.Diff(want, data(t, path)); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

func TestBoltServersThatDoNotAnswer(t *testing.T) {
	line := func(id string) any { return map[string]any{"id": id} }
	saying := func(words string) string { // the address of a server that says this and ends
		l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				_, _ = io.ReadFull(c, make([]byte, 20))
				_, _ = io.WriteString(c, words)
				_ = c.Close()
			}
		}()
		return l.Addr().String()
	}
	const web = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"
	for _, test := range []struct {
		name, address, user, password string
		reply                         boltReply
		asked                         int
		want                          []string
	}{
		{name: "wrong password", password: "guess", want: []string{"Security.Unauthorized: The client is unauthorized", "--user"}},
		{name: "no password", user: "-", want: []string{"Security.Unauthorized", "--user"}},
		{name: "no such database", address: "bolt://HOST/none", asked: 1, want: []string{"DatabaseNotFound", "check the address"}},
		{name: "may not read", reply: boltReply{Code: "Neo.ClientError.Security.Forbidden", Message: "no"}, asked: 1, want: []string{"Forbidden: no", "--user"}},
		{name: "busy", reply: boltReply{Code: "Neo.TransientError.General.OutOfMemoryError", Message: strings.Repeat("long\n", 500)}, asked: tries, want: []string{"OutOfMemoryError: long long", "continues"}},
		{name: "other rows", reply: boltReply{Lines: []any{1}}, asked: 1, want: []string{"does not respond like a Neo4j database", "bolt+s://"}},
		{name: "other types", reply: boltReply{Lines: []any{map[string]any{"id": 1}}}, asked: 1, want: []string{"does not respond like a Neo4j database"}},
		{name: "in no order", reply: boltReply{Lines: []any{line("2"), line("1")}}, asked: 1, want: []string{"order of ids"}},
		{name: "too much", reply: boltReply{Lines: []any{strings.Repeat("x", 2<<20)}}, asked: 1, want: []string{"larger than 1 MiB", "--page"}},
		{name: "ended at once", address: "bolt://" + saying(""), want: []string{"without a reply", "bolt+s://"}},
		{name: "a web server", address: "bolt://" + saying(web), want: []string{"speaks HTTP", "7687", "neo4j+http://"}},
		{name: "a later version only", address: "bolt://" + saying("\x00\x00\x00\x09"), want: []string{"does not speak a Bolt version that Cairn knows", "9.0"}},
		{name: "nobody there", address: "bolt://127.0.0.1:1", want: []string{"cannot be reached", "refused", "check the address"}},
		{name: "no encryption", address: "bolt+s://HOST/movies", want: []string{"cannot be reached"}},
		{name: "a web server where it should encrypt", address: "neo4j+s://" + saying(web), want: []string{"does not encrypt", "neo4j://"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := newBoltServer(t, nil, nil)
			if len(test.reply.Lines) > 0 || test.reply.Code != "" {
				server.Instead = func(int) (boltReply, bool) { return test.reply, true }
			}
			o := Options{User: "ann", Password: "secret", Page: 10, MaxReply: 1 << 20}
			if test.password != "" {
				o.Password = test.password
			}
			if test.user == "-" {
				o.User = ""
			}
			address := server.Address()
			if test.address != "" {
				address = strings.Replace(test.address, "HOST", server.Host(), 1)
			}
			_, err := Fetch(t.Context(), endpoint(t, address, o), filepath.Join(t.TempDir(), "g.jsonl"), nil)
			for _, want := range test.want {
				if err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 800 || strings.Contains(err.Error(), "secret") {
					t.Errorf("%v, want %q", err, want)
				}
			}
			if n := server.Asked(); n != test.asked {
				t.Errorf("%d questions, want %d", n, test.asked)
			}
		})
	}
}

// TestBoltEncrypted reads from a server with a certificate that is trusted, and refuses
// one that is not before the password is sent.
func TestBoltEncrypted(t *testing.T) {
	made := httptest.NewTLSServer(http.NotFoundHandler()) // for its certificate
	defer made.Close()
	nodes, relationships := fakeneo4j.Chain(3)
	server := newBoltServer(t, nodes, relationships, made.TLS.Certificates[0])
	path := filepath.Join(t.TempDir(), "g.jsonl")
	s := database(t, server.Address(), 10)
	if _, err := Fetch(t.Context(), s, path, nil); err == nil || !strings.Contains(err.Error(), "does not trust") || server.Asked() != 0 {
		t.Errorf("%v, want that it is not trusted", err)
	}
	s = database(t, server.Address(), 10)
	trust := x509.NewCertPool()
	trust.AddCert(made.Certificate())
	s.(*neo4j).asker.(*bolt).trust = trust //nolint:errcheck // made above
	if got, err := Fetch(t.Context(), s, path, nil); err != nil || got.Rows != 5 || !s.Encrypted() {
		t.Errorf("%+v, %v, want 5 rows", got, err)
	}
}

// TestBoltGoesThroughTheGate has a gate that dials nothing, and looks at what it was
// asked for.
func TestBoltGoesThroughTheGate(t *testing.T) {
	gate := &outbound.Gate{
		Dial: func(context.Context, string, string) (net.Conn, error) { return nil, io.ErrClosedPipe },
		Lookup: func(context.Context, string) ([]net.IPAddr, error) {
			return []net.IPAddr{{IP: net.IPv4(192, 0, 2, 1)}}, nil
		},
	}
	s, err := Open("neo4j://graphs.example/movies", Options{Gate: gate})
	if err != nil || len(gate.Contacts()) > 0 {
		t.Fatalf("%v, %v", err, gate.Contacts())
	}
	defer s.Close()
	if _, err := Fetch(t.Context(), s, filepath.Join(t.TempDir(), "g.jsonl"), nil); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("%v, want what the gate said", err)
	}
	if c := gate.Contacts(); len(c) != 1 || c[0].Address != "graphs.example:7687" || c[0].Dialled != 1 {
		t.Errorf("%+v, want graphs.example:7687 once", c)
	}
}
