// Package ollamatest runs a real Ollama server for tests: private, on a loopback
// port, with an empty store that takes tinymodel's models, gone when the tests
// are over.
//
//	Run     wraps a package's tests, and stops the server that they shared
//	Shared  the server of this test binary, started when it is first wanted
//	Start   a server of one test's own, to be killed or to be set up otherwise
//
// The server's binary is named by OLLAMA_BIN. Without it tests that want a server
// skip; `make test-ollama` builds one and sets it.
package ollamatest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/ollama/ollama/api"
	"go.uber.org/goleak"

	"cairn/internal/testing/tinymodel"
)

// Env is the environment variable that names the server's binary.
const Env = "OLLAMA_BIN"

// How long a server may take: it needs a tenth of a second for either on an idle
// computer.
const (
	startWithin = 20 * time.Second
	stopWithin  = 5 * time.Second
)

// Server is a running Ollama server.
type Server struct {
	bin, home string
	env       []string
	address   string // host and port; stays the same over a restart
	api       *api.Client
	logPath   string

	cmd    *exec.Cmd
	exited chan struct{} // closed when cmd is over
}

var shared struct {
	sync.Mutex
	server *Server
}

// Run runs a package's tests and stops the shared server, if one was started. It fails
// where a goroutine is left:
//
//	func TestMain(m *testing.M) { os.Exit(ollamatest.Run(m)) }
func Run(m *testing.M) int {
	code := m.Run()
	shared.Lock()
	defer shared.Unlock()
	if s := shared.server; s != nil {
		s.stop()
		_ = os.RemoveAll(s.home)
	}
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	return code
}

// Shared returns the server that all tests of this binary share. The package's
// TestMain must call Run. It skips the test where there is no binary.
func Shared(tb testing.TB) *Server {
	tb.Helper()
	bin := binary(tb)
	shared.Lock()
	defer shared.Unlock()
	if shared.server == nil {
		home, err := os.MkdirTemp("", "cairn-ollama-") //nolint:usetesting // it outlives the test
		if err != nil {
			tb.Fatal(err)
		}
		s := newServer(bin, home)
		if err := s.start(tb.Context()); err != nil {
			_ = os.RemoveAll(home)
			tb.Fatal(err)
		}
		shared.server = s
	}
	shared.server.logOnFailure(tb)
	return shared.server
}

// Start starts a server for one test, with environment variables as "KEY=value".
// It skips the test where there is no binary.
func Start(tb testing.TB, env ...string) *Server {
	tb.Helper()
	s := newServer(binary(tb), tb.TempDir(), env...)
	if err := s.start(tb.Context()); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(s.stop)
	s.logOnFailure(tb)
	return s
}

func binary(tb testing.TB) string {
	tb.Helper()
	bin := os.Getenv(Env)
	if bin == "" {
		tb.Skipf("no real Ollama server here: run `make test-ollama`, or set %s to an ollama binary", Env)
	}
	if _, err := os.Stat(bin); err != nil {
		tb.Fatalf("%s: %v", Env, err)
	}
	return bin
}

func newServer(bin, home string, env ...string) *Server {
	s := &Server{bin: bin, home: home, logPath: filepath.Join(home, "server.log")}
	s.env = append([]string{
		"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + os.TempDir(),
		"OLLAMA_MODELS=" + filepath.Join(home, "models"),
		"OLLAMA_NO_CLOUD=1", "OLLAMA_MAX_LOADED_MODELS=3",
	}, env...)
	return s
}

// start runs the server on a port that was free a moment ago, and on another one
// where that was lost to somebody else.
func (s *Server) start(ctx context.Context) error {
	var err error
	for range 3 {
		if s.address, err = freeAddress(ctx); err != nil {
			return err
		}
		if err = s.serve(ctx); err == nil {
			return nil
		}
	}
	return err
}

func freeAddress(ctx context.Context) (string, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// serve starts the process and waits until it answers.
func (s *Server) serve(ctx context.Context) error {
	log, err := os.OpenFile(s.logPath, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close() // the process has its own
	// Not CommandContext: a killed server would leave its runners behind.
	cmd := exec.Command(s.bin, "serve") //nolint:noctx // stop ends it
	cmd.Env = append([]string{"OLLAMA_HOST=" + s.address}, s.env...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = ownGroup()
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", s.bin, err)
	}
	exited := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(exited)
	}()
	s.cmd, s.exited = cmd, exited
	s.api = api.NewClient(&url.URL{Scheme: "http", Host: s.address}, &http.Client{})
	for deadline := time.Now().Add(startWithin); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		select {
		case <-exited:
			return fmt.Errorf("%s ended at once: %s", s.bin, s.tail(0))
		default:
		}
		if s.api.Heartbeat(ctx) == nil {
			return nil
		}
	}
	s.stop()
	return fmt.Errorf("%s does not answer at %s within %v: %s", s.bin, s.address, startWithin, s.tail(0))
}

// stop asks the server to end, which ends its runners, and then kills what is
// left of its group.
func (s *Server) stop() {
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.exited:
	case <-time.After(stopWithin):
	}
	s.kill()
}

func (s *Server) kill() {
	killGroup(s.cmd.Process)
	<-s.exited
}

// Kill kills the server and its runners, as a crash would.
func (s *Server) Kill() { s.kill() }

// Restart starts a server that was killed again, at the same address and with
// the same models.
func (s *Server) Restart(tb testing.TB) {
	tb.Helper()
	if err := s.serve(tb.Context()); err != nil {
		tb.Fatal(err)
	}
}

// KillRunners kills the processes that run the server's models, and returns how
// many there were.
func (s *Server) KillRunners(tb testing.TB) int {
	tb.Helper()
	runners, err := children(s.cmd.Process.Pid)
	if err != nil {
		tb.Fatal(err)
	}
	for _, pid := range runners {
		if p, err := os.FindProcess(pid); err == nil {
			_ = p.Kill() // one that has just ended is as good
		}
	}
	return len(runners)
}

// Host returns the server's address, as a user would type it.
func (s *Server) Host() string { return "http://" + s.address }

// API returns a client that hides nothing of the server.
func (s *Server) API() *api.Client { return s.api }

// Install gives the server a model, and returns its name there. The same model
// given again is the same.
func (s *Server) Install(tb testing.TB, m tinymodel.Model) string {
	tb.Helper()
	name := fmt.Sprintf("tiny-%x", sha256.Sum256(append([]byte(m.Template), m.Weights...)))[:13]
	s.InstallAs(tb, name, m, nil)
	return name
}

// InstallAs gives the server a model by name. parameters go into its Modelfile;
// num_thread is 1 unless they say otherwise, since the threads of a model this
// small would spend their time waiting for each other.
func (s *Server) InstallAs(tb testing.TB, name string, m tinymodel.Model, parameters map[string]any) {
	tb.Helper()
	ctx := tb.Context()
	digest := fmt.Sprintf("sha256:%x", sha256.Sum256(m.Weights))
	if err := s.api.CreateBlob(ctx, digest, bytes.NewReader(m.Weights)); err != nil {
		tb.Fatalf("give the server the weights of %s: %v", name, err)
	}
	all := map[string]any{"num_thread": 1}
	maps.Copy(all, parameters)
	req := &api.CreateRequest{Model: name, Files: map[string]string{"model.gguf": digest}, Template: m.Template, Parameters: all}
	if err := s.api.Create(ctx, req, func(api.ProgressResponse) error { return nil }); err != nil {
		tb.Fatalf("create the model %s: %v", name, err)
	}
}

// Log returns what the server logged so far.
func (s *Server) Log() string {
	b, err := os.ReadFile(s.logPath)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// tail returns the last lines of the log after an offset, without what a runner
// says of each model's shape.
func (s *Server) tail(from int) string {
	const most = 8000 // bytes
	log := s.Log()
	var told strings.Builder
	for line := range strings.Lines(log[min(from, len(log)):]) {
		if !chatter.MatchString(line) {
			told.WriteString(line)
		}
	}
	log = told.String()
	return log[max(0, len(log)-most):]
}

var chatter = regexp.MustCompile(`^(print_info|llama_\w+|load\w*|common_\w+|set_\w+): `)

func (s *Server) logOnFailure(tb testing.TB) {
	tb.Helper()
	from := len(s.Log())
	tb.Cleanup(func() {
		if tb.Failed() {
			tb.Logf("the server's log:\n%s", s.tail(from))
		}
	})
}
