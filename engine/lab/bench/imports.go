package bench

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cairn/engine/ingest"
	"cairn/engine/ingest/rdf"
	"cairn/engine/kg"
	"cairn/engine/lab/process"
	"cairn/engine/lab/synth"
)

// ImportOptions are the choices of a comparison of imports.
type ImportOptions struct {
	World   *synth.World
	Forms   []string     // of ImportForms
	Peers   []ImportPeer // commands that run on the same files, in turn with us
	Repeats int
	Damage  int    // places in which each file is damaged, to see what is said; 0 for none
	Dir     string // where files and graphs are made, and left
	// Progress is told what is measured next; it may be nil.
	Progress func(what string)
}

// ImportPeer is a command of the shell. In it, $FILE is the file, $FORMAT the form, and
// $OUT a file that is not there yet.
type ImportPeer struct{ Name, Command string }

// ImportRow is what one form costs.
type ImportRow struct {
	Form       string       `json:"form"`
	Bytes      int64        `json:"bytes"`
	Lines      int          `json:"lines"`      // of the text, before it was packed or converted
	Statements int64        `json:"statements"` // that the graph then has
	Properties int64        `json:"properties"` // of them
	Rejected   int64        `json:"rejected"`   // lines
	Runs       []ImportTime `json:"runs"`
	Snapshot   int64        `json:"snapshot"` // bytes of the cache beside the graph
	Graph      int64        `json:"graph"`    // bytes of the graph's file
	// What was said of damaged files: with a line, without one, nothing.
	Named   int `json:"named"`
	Unnamed int `json:"unnamed"`
	Unseen  int `json:"unseen"`

	Failed string `json:"failed,omitempty"` // why it was not imported
}

// ImportTime is the median cost of one way of reading a file.
type ImportTime struct {
	Name      string        `json:"name"`
	Wall      time.Duration `json:"wall"`
	Processor time.Duration `json:"processor"` // of user and system
	Peak      int64         `json:"peak"`      // bytes; 0 for other programs
	Failed    string        `json:"failed,omitempty"`
}

// imports is a comparison that is under way.
type imports struct {
	ImportOptions
	report ingest.Report
}

// Imports writes a world in every form, and measures what reading it costs.
func Imports(ctx context.Context, o ImportOptions) ([]ImportRow, error) {
	m := &imports{ImportOptions: o}
	var rows []ImportRow
	for _, form := range o.Forms {
		if o.Progress != nil {
			o.Progress(form)
		}
		dir := filepath.Join(o.Dir, form)
		row, err := m.form(ctx, form, dir)
		if err := errors.Join(err, ctx.Err(), os.RemoveAll(dir)); err != nil {
			return rows, fmt.Errorf("measure %s: %w", form, err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// form measures one form.
func (m *imports) form(ctx context.Context, form, dir string) (ImportRow, error) {
	row := ImportRow{Form: form}
	files, lines, err := writeImportForm(ctx, m.World, form, dir)
	if err != nil {
		return row, err
	}
	row.Lines = lines
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil {
			return row, err
		}
		row.Bytes += info.Size()
	}
	ways := []string{"import"}
	if parserOf(form) != nil {
		ways = append(ways, "parse")
	}
	for _, p := range m.Peers {
		ways = append(ways, p.Name)
	}
	times := make([][]ImportTime, len(ways))
	for range max(m.Repeats, 1) {
		for i, way := range ways {
			t, err := m.once(ctx, way, form, dir, files)
			if ctx.Err() != nil {
				return row, ctx.Err()
			}
			if t.Name = way; err != nil {
				t.Failed = err.Error()
			}
			times[i] = append(times[i], t)
			if i == 0 {
				row.Graph, row.Snapshot = sizes(filepath.Join(dir, "graph.cairn"))
			}
		}
	}
	for _, all := range times {
		slices.SortFunc(all, func(a, b ImportTime) int { return int(a.Processor - b.Processor) })
		row.Runs = append(row.Runs, all[len(all)/2])
	}
	row.Failed = row.Runs[0].Failed
	row.Statements, row.Properties, row.Rejected = m.report.Added, m.report.Properties, m.report.Rejected
	return row, m.damage(ctx, &row, dir)
}

// once reads the files in one way.
func (m *imports) once(ctx context.Context, way, form, dir string, files []string) (ImportTime, error) {
	out := filepath.Join(dir, "graph.cairn")
	if err := removeGraph(out); err != nil {
		return ImportTime{}, err
	}
	process.ResetPeak()
	began, worked := time.Now(), process.ProcessorTime()
	var err error
	switch way {
	case "import":
		m.report, err = importInto(ctx, out, files)
	case "parse":
		err = parseFile(form, files[0])
	default:
		return m.peer(ctx, way, form, files[0], filepath.Join(dir, "peer.cairn"))
	}
	return ImportTime{Wall: time.Since(began), Processor: process.ProcessorTime() - worked, Peak: process.ReadMemory().Peak}, err
}

// importInto imports files as the program does, up to the snapshot that questions need.
func importInto(ctx context.Context, path string, files []string) (ingest.Report, error) {
	st, err := kg.OpenStore(ctx, path)
	if err != nil {
		return ingest.Report{}, err
	}
	r, err := ingest.Files(ctx, st, files, ingest.Options{}, nil)
	if err == nil {
		_, err = st.Graph(ctx, nil)
	}
	return r, errors.Join(err, st.Close())
}

// peer runs another program.
func (m *imports) peer(ctx context.Context, name, form, file, out string) (ImportTime, error) {
	if err := removeGraph(out); err != nil {
		return ImportTime{}, err
	}
	at := slices.IndexFunc(m.Peers, func(p ImportPeer) bool { return p.Name == name })
	c := exec.CommandContext(ctx, "sh", "-c", m.Peers[at].Command) //nolint:gosec // the user's own command
	c.Env = append(os.Environ(), "FILE="+file, "FORMAT="+form, "OUT="+out)
	began := time.Now()
	said, err := c.CombinedOutput()
	t := ImportTime{Wall: time.Since(began)}
	if c.ProcessState != nil {
		t.Processor = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	}
	if err != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(string(said)), "\n")
		err = fmt.Errorf("%w: %s", err, first)
	}
	return t, errors.Join(err, os.RemoveAll(out))
}

// removeGraph removes a graph and its cache.
func removeGraph(path string) error {
	return errors.Join(os.RemoveAll(path), os.RemoveAll(path+".d"))
}

// sizes returns how large a graph's file and its cache are.
func sizes(path string) (graph, cache int64) {
	if info, err := os.Stat(path); err == nil {
		graph = info.Size()
	}
	_ = filepath.WalkDir(path+".d", func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			cache += info.Size()
		}
		return err
	})
	return graph, cache
}

// parserOf returns what parses a form of RDF and makes no graph, nil for other forms.
func parserOf(form string) func(r io.Reader, h rdf.Handler) error {
	switch form {
	case "ntriples", "nquads":
		return func(r io.Reader, h rdf.Handler) error {
			var p rdf.LineParser
			lines := bufio.NewScanner(r)
			lines.Buffer(nil, 1<<20)
			for lines.Scan() {
				s, ok, err := p.Parse(lines.Bytes())
				if err == nil && ok {
					err = h.Statement(&s)
				}
				if err != nil {
					return err
				}
			}
			return lines.Err()
		}
	case "turtle", "turtle-properties", "trig":
		return func(r io.Reader, h rdf.Handler) error { return rdf.Turtle(r, form == "trig", rdf.Options{}, h) }
	case "rdfxml", "owl":
		return func(r io.Reader, h rdf.Handler) error { return rdf.XML(r, rdf.Options{}, h) }
	case "jsonld":
		return func(r io.Reader, h rdf.Handler) error { return rdf.JSONLD(r, rdf.Options{}, h) }
	}
	return nil
}

// parseFile reads statements and drops them.
func parseFile(form, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	n := 0
	err = parserOf(form)(f, rdf.Handler{Statement: func(*rdf.Statement) error { n++; return nil }})
	if err == nil && n == 0 {
		err = errors.New("no statement was read")
	}
	return err
}

// damage damages small files of the form in many places, and counts what is said.
func (m *imports) damage(ctx context.Context, row *ImportRow, dir string) error {
	if m.Damage == 0 {
		return nil
	}
	w, err := synth.New(synth.Options{Entities: damagedEntities, Seed: m.World.Options().Seed})
	if err != nil {
		return err
	}
	dir = filepath.Join(dir, "damaged")
	files, _, err := writeImportForm(ctx, w, row.Form, dir)
	if err != nil {
		return err
	}
	last := files[len(files)-1]
	whole, err := os.ReadFile(last)
	if err != nil {
		return err
	}
	for i := range m.Damage {
		text := bytes.Clone(whole)
		copy(text[len(text)*(2*i+1)/(2*m.Damage):], "\"<{]")
		if err := os.WriteFile(last, text, 0o600); err != nil {
			return err
		}
		out := filepath.Join(dir, "graph.cairn")
		if err := removeGraph(out); err != nil {
			return err
		}
		r, err := importInto(ctx, out, files)
		bad, refused := errors.AsType[*kg.FileError](err)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case refused && bad.Line > 0, err == nil && len(r.Rejects) > 0 && r.Rejects[0].Line > 0:
			row.Named++
		case err != nil || r.Rejected > 0:
			row.Unnamed++
		default:
			row.Unseen++
		}
	}
	return nil
}

// damagedEntities is how many entities the files have that are damaged.
const damagedEntities = 2_000
