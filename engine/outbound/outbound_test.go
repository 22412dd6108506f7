package outbound

import (
	"context"
	"errors"
	"go/parser"
	"go/token"
	"io/fs"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var errDialled = errors.New("dialled")

// rigged returns a Gate that connects to nothing, and what was dialled.
func rigged(names map[string][]string) (g *Gate, dialled *[]string) {
	var mu sync.Mutex
	dialled = new([]string)
	return &Gate{
		Dial: func(_ context.Context, _, address string) (net.Conn, error) {
			mu.Lock()
			defer mu.Unlock()
			*dialled = append(*dialled, address)
			return nil, errDialled
		},
		Lookup: func(_ context.Context, host string) ([]net.IPAddr, error) {
			var ips []net.IPAddr
			for _, ip := range names[host] {
				ips = append(ips, net.IPAddr{IP: net.ParseIP(ip)})
			}
			if ips == nil {
				return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
			}
			return ips, nil
		},
	}, dialled
}

func TestTo(t *testing.T) {
	names := map[string][]string{"models.lan": {"192.168.1.7", "fd00::7"}, "loop.lan": {"127.0.0.1"}}
	tests := []struct {
		name, to, asked string
		remote          bool
		err             error // nil for one of the resolver
		dialled         []string
		contact         Contact
	}{
		{"this machine", "127.0.0.1:11434", "127.0.0.1:11434", false, errDialled, []string{"127.0.0.1:11434"}, Contact{Local: true, Dialled: 1}},
		{"localhost is not looked up", "localhost:9", "localhost:9", false, errDialled, []string{"127.0.0.1:9", "[::1]:9"}, Contact{Local: true, Dialled: 1}},
		{"another port", "127.0.0.1:11434", "127.0.0.1:80", false, ErrDenied, nil, Contact{Denied: 1, Local: true}},
		{"another host", "127.0.0.1:11434", "ollama.com:443", true, ErrDenied, nil, Contact{Denied: 1}},
		{"another machine", "192.168.1.7:11434", "192.168.1.7:11434", false, ErrDenied, nil, Contact{Denied: 1}},
		{"a name is not even looked up", "models.lan:11434", "models.lan:11434", false, ErrDenied, nil, Contact{Denied: 1}},
		{"nor one that means this machine", "loop.lan:11434", "loop.lan:11434", false, ErrDenied, nil, Contact{Denied: 1}},
		{"another machine, allowed", "192.168.1.7:1", "192.168.1.7:1", true, errDialled, []string{"192.168.1.7:1"}, Contact{Dialled: 1}},
		{"a name, allowed", "models.lan:1", "models.lan:1", true, errDialled, []string{"192.168.1.7:1", "[fd00::7]:1"}, Contact{LookedUp: 1, Dialled: 1}},
		{"a name of this machine, allowed", "loop.lan:1", "loop.lan:1", true, errDialled, []string{"127.0.0.1:1"}, Contact{LookedUp: 1, Dialled: 1, Local: true}},
		{"no such name", "none.lan:1", "none.lan:1", true, nil, nil, Contact{LookedUp: 1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			g, dialled := rigged(names)
			_, err := g.To(test.to, test.remote)(t.Context(), "tcp", test.asked)
			if _, unknown := errors.AsType[*net.DNSError](err); unknown != (test.err == nil) || test.err != nil && !errors.Is(err, test.err) {
				t.Errorf("dial = %v, want %v", err, test.err)
			}
			if diff := cmp.Diff(test.dialled, *dialled, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("dialled (-want +got):\n%s", diff)
			}
			test.contact.Address = test.asked
			if diff := cmp.Diff([]Contact{test.contact}, g.Contacts(), cmpopts.IgnoreTypes(time.Time{})); diff != "" {
				t.Errorf("Contacts (-want +got):\n%s", diff)
			}
		})
	}
}

func TestToConnectsToWhatItLookedUp(t *testing.T) {
	g, dialled := rigged(nil)
	answers := [][]net.IPAddr{{{IP: net.IPv4(10, 0, 0, 1)}}, {{IP: net.IPv4(10, 0, 0, 2)}}}
	looked := 0
	g.Lookup = func(context.Context, string) ([]net.IPAddr, error) {
		looked++
		return answers[looked-1], nil
	}
	if _, err := g.To("twofaced.lan:1", true)(t.Context(), "tcp", "twofaced.lan:1"); !errors.Is(err, errDialled) {
		t.Errorf("dial = %v", err)
	}
	if diff := cmp.Diff([]string{"10.0.0.1:1"}, *dialled); diff != "" || looked != 1 {
		t.Errorf("looked up %d times, dialled (-want +got):\n%s", looked, diff)
	}
}

func TestToStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	g, _ := rigged(nil)
	tries := 0
	g.Dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
		tries++
		cancel()
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if _, err := g.To("localhost:1", false)(ctx, "tcp", "localhost:1"); !errors.Is(err, context.Canceled) || tries != 1 {
		t.Errorf("dial = %v after %d tries, want Canceled after 1", err, tries)
	}
}

func TestContactsInOrderAndConcurrently(t *testing.T) {
	g, _ := rigged(nil)
	first := g.To("127.0.0.1:1", false)
	_, _ = first(t.Context(), "tcp", "127.0.0.1:1")
	second := g.To("127.0.0.1:2", false)
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() { _, _ = second(t.Context(), "tcp", "127.0.0.1:2") })
		all.Go(func() { _, _ = second(t.Context(), "tcp", "127.0.0.1:3"); g.Contacts() })
	}
	all.Wait()
	got := g.Contacts()
	if len(got) != 3 || got[0].Address != "127.0.0.1:1" {
		t.Fatalf("Contacts = %+v, want three with the first one first", got)
	}
	for _, c := range got[1:] {
		if c.Dialled+c.Denied != 50 {
			t.Errorf("%s: %d connections counted, want 50", c.Address, c.Dialled+c.Denied)
		}
	}
}

// TestThereIsNoOtherDoor reads the imports of the whole program: what is not
// listed here cannot open a connection.
func TestThereIsNoOtherDoor(t *testing.T) {
	doors := []string{
		"engine/outbound", "engine/ollama", "engine/remote", // the clients, which are given their diallers by a Gate
		"internal/testing/fakeollama", "internal/testing/ollamatest", "internal/testing/fakeneo4j", "internal/testing/fakesparql", // of tests
	}
	const root = "../.."
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "testdata"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil || slices.Contains(doors, filepath.ToSlash(dir)) {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		files++
		for _, imported := range file.Imports {
			pkg, err := strconv.Unquote(imported.Path.Value)
			if err != nil {
				return err
			}
			for _, closed := range []string{"net", "net/http", "net/rpc", "net/smtp", "crypto/tls", "golang.org/x/net", "github.com/ollama/ollama"} {
				if pkg == closed || strings.HasPrefix(pkg, closed+"/") && closed != "net" {
					t.Errorf("%s imports %s: connections are opened by engine/outbound alone, for engine/ollama and engine/remote", path, pkg)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 100 {
		t.Errorf("%d files read: this is not the whole program", files)
	}
}
