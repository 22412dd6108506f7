package weights

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"cairn/engine/ollama"
)

// recipe is the version of how models are made here: raise it, and they are made anew.
const recipe = 1

// made is what is kept of a model that a server was given.
type made struct {
	Recipe   int       `json:"recipe"`
	Packages []Package `json:"packages"`
	Threads  int       `json:"threads"`
	Digest   string    `json:"digest"` // of the model, as the server names it
}

// Installed makes sure that a server has a model, and reports whether it had it before.
// program is the server's own program; say is told what is being done.
func (s Store) Installed(ctx context.Context, m Model, server *ollama.Server, program string, say func(string)) (before bool, err error) {
	note := filepath.Join(s.Dir, "made", strings.NewReplacer(":", "-", "/", "-").Replace(m.Name)+".json")
	if s.has(ctx, m, server, note) {
		return true, nil
	}
	var ws []*wheel
	defer func() {
		for _, w := range ws {
			w.file.Close()
		}
	}()
	for _, p := range m.Packages {
		say("fetch " + p.String())
		path, err := s.Fetch(ctx, p)
		if err != nil {
			return false, err
		}
		w, err := openWheel(p, path)
		if err != nil {
			return false, err
		}
		ws = append(ws, w)
	}
	if err := os.MkdirAll(filepath.Dir(note), 0o755); err != nil {
		return false, err
	}
	dir, err := os.MkdirTemp(s.Dir, "making-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	say("make " + m.Name)
	from, err := m.unpack(ws, dir)
	if err != nil {
		return false, err
	}
	if err := s.create(ctx, m.Name, dir, from, server.Host(), program); err != nil {
		return false, err
	}
	d, err := server.Details(ctx, m.Name)
	if err != nil {
		return false, err
	}
	b, err := json.Marshal(made{recipe, m.Packages, s.Threads, d.Digest})
	if err != nil {
		return false, err
	}
	return false, os.WriteFile(note, b, 0o644)
}

// has tells whether the server has the model as it was made from these packages.
func (s Store) has(ctx context.Context, m Model, server *ollama.Server, note string) bool {
	b, err := os.ReadFile(note)
	if err != nil {
		return false
	}
	var was made
	if json.Unmarshal(b, &was) != nil || was.Recipe != recipe || was.Threads != s.Threads || fmt.Sprint(was.Packages) != fmt.Sprint(m.Packages) {
		return false
	}
	d, err := server.Details(ctx, m.Name)
	return err == nil && d.Digest == was.Digest && d.Digest != ""
}

// create has the server's own program give the server a model.
func (s Store) create(ctx context.Context, name, dir, from, host, program string) error {
	file := filepath.Join(dir, "Modelfile")
	how := "FROM " + filepath.Join(dir, from) + "\n"
	if s.Threads > 0 {
		how += fmt.Sprintf("PARAMETER num_thread %d\n", s.Threads)
	}
	if err := os.WriteFile(file, []byte(how), 0o644); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, program, "create", name, "--file", file)
	cmd.Env = append(os.Environ(), "OLLAMA_HOST="+host)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	complained, err := ran(ctx, cmd)
	switch {
	case complained:
		return fmt.Errorf("%w: it does not make %s of them: %s", ErrRefused, name, lastLine(said.String()))
	case err != nil && ctx.Err() == nil:
		return fmt.Errorf("the server's program is needed to make %s: %w", name, err)
	}
	return err
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]")

// lastLine is the last thing that a program said to a terminal.
func lastLine(said string) string {
	lines := strings.FieldsFunc(escapes.ReplaceAllString(said, ""), func(r rune) bool { return r == '\n' || r == '\r' })
	for _, line := range slices.Backward(lines) {
		if line = strings.TrimSpace(line); line != "" {
			return strings.TrimPrefix(line, "Error: ")
		}
	}
	return "it said nothing"
}

// family is the part of a model's name before its colon.
func family(name string) string {
	head, _, _ := strings.Cut(name, ":")
	return cmp.Or(head, name)
}
