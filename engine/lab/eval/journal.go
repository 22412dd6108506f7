package eval

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cairn/assets/prompts"
)

// Config is everything that the result of an evaluation depends on. A journal
// holds it, so that records of two evaluations never mix.
type Config struct {
	Journal    int      `json:"journal"` // the version of the journal's form
	Version    string   `json:"version"` // Cairn's
	Dataset    string   `json:"set"`
	Groups     []string `json:"parts"`
	Questions  string   `json:"questions"` // SHA-256 of all questions asked, with their gold
	Graph      string   `json:"graph"`     // SHA-256 of the graph's files
	Sample     int      `json:"sample"`
	Seed       uint64   `json:"seed"`
	Forget     int      `json:"forget"` // percent of the relations
	WordsKept  bool     `json:"words_kept"`
	NoMeanings bool     `json:"no_meanings"`
	Leaked     bool     `json:"leaked"`
	Planner    string   `json:"planner"`
	Reader     string   `json:"reader"`
	Algorithm  string   `json:"algorithm"`
	Retriever  string   `json:"retriever"`
	Given      bool     `json:"given"`             // the topics
	Teaching   Teaching `json:"teaching,omitzero"` // zero where nothing is trained
	Model      string   `json:"model"`
	Digest     string   `json:"digest"`
	Context    int      `json:"context"` // of the model, in tokens
	Samples    int      `json:"samples"`
	Chains     bool     `json:"chains"`
	Alone      bool     `json:"alone"`
	Style      string   `json:"style"`
	Embedder   string   `json:"embedder,omitempty"` // its id; empty for the built-in one
	Prompts    string   `json:"prompts"`            // SHA-256 of the prompts' templates; empty without a model
}

const journalVersion = 5

// configOf describes an evaluation of the given questions.
func configOf(o *Options, d *Dataset, parts []part) (Config, error) {
	c := Config{
		Journal: journalVersion, Version: o.Version, Dataset: d.Name, Sample: o.Sample, Seed: o.Seed, Leaked: o.Leaked, Forget: o.Forget, WordsKept: o.WordsKept, NoMeanings: o.NoMeanings,
		Planner: o.Planner, Reader: o.Reader, Algorithm: o.Algorithm, Retriever: o.info.ID, Given: o.Given,
	}
	if o.Embedder != nil {
		c.Embedder = o.Embedder.ID()
	}
	if o.info.Trained {
		c.Teaching = o.Teaching
	}
	if o.asksModel() {
		c.Model, c.Digest, c.Context, c.Samples, c.Chains, c.Alone, c.Style = o.Model.Name(), o.Digest, o.Context, max(1, o.Planning.Samples), o.Planning.Chains, o.Planning.Alone, o.Style.String()
		h := sha256.New()
		for _, name := range []string{prompts.Pattern, prompts.Chains, prompts.AnswerQuestion, prompts.AnswerClaim} {
			fmt.Fprintf(h, "%q %q\n", name, prompts.Text(name))
		}
		c.Prompts = hex.EncodeToString(h.Sum(nil))
	}
	questions, graph := sha256.New(), sha256.New()
	seen := map[string]bool{}
	for _, p := range parts {
		c.Groups = append(c.Groups, p.Name)
		if err := json.NewEncoder(questions).Encode(p.questions); err != nil {
			return c, fmt.Errorf("read the questions: %w", err)
		}
		for _, s := range p.sources {
			for _, file := range []string{s.File, s.Labels} {
				if file == "" || seen[file] {
					continue
				}
				seen[file] = true
				if err := hashFile(graph, filepath.Join(o.Dir, filepath.FromSlash(file))); err != nil {
					return c, err
				}
			}
		}
	}
	c.Questions, c.Graph = hex.EncodeToString(questions.Sum(nil)), hex.EncodeToString(graph.Sum(nil))
	return c, nil
}

func hashFile(h io.Writer, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("read the graph: %w", err)
	}
	defer f.Close()
	_, err = io.Copy(h, f)
	return err
}

// differences lists in words how two configurations differ.
func (c Config) differences(other Config) []string {
	fields := func(c Config) map[string]json.RawMessage {
		var m map[string]json.RawMessage
		b, err := json.Marshal(c)
		if err == nil {
			err = json.Unmarshal(b, &m)
		}
		if err != nil {
			panic("eval: " + err.Error()) // plain values always marshal
		}
		return m
	}
	a, b := fields(c), fields(other)
	var differ []string
	for name := range a {
		if bytes.Equal(a[name], b[name]) {
			continue
		}
		if len(a[name]) > 40 || len(b[name]) > 40 { // a digest tells a reader nothing
			differ = append(differ, name)
			continue
		}
		differ = append(differ, fmt.Sprintf("%s %s, here %s", name, a[name], b[name]))
	}
	slices.Sort(differ)
	return differ
}

// JournalError is a journal that cannot be used.
type JournalError struct {
	Path string
	What string // a sentence without its subject and full stop
	Do   string // what the user can do
}

// Error returns the sentence.
func (e *JournalError) Error() string { return "the journal " + e.Path + " " + e.What }

// Remedy returns what the user can do.
func (e *JournalError) Remedy() string { return e.Do }

// journal is the file of an evaluation's records: a line with its Config, then a
// line for every question as soon as it is answered. A nil journal keeps nothing.
type journal struct {
	file *os.File
	done map[asked]map[int]Record // by index
}

// asked is a part that is measured with one seed of a training.
type asked struct {
	group string
	seed  uint64
}

// openJournal opens the journal at path, or begins it. What an interrupted run
// left of its last line is dropped.
func openJournal(path string, c Config) (*journal, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, &JournalError{path, "cannot be made: the folder " + filepath.Dir(path) + " does not exist", "make it, or choose another"}
		}
		return nil, fmt.Errorf("open the journal: %w", err)
	}
	j := &journal{file: f, done: map[asked]map[int]Record{}}
	if err := j.read(path, c); err != nil {
		f.Close()
		return nil, err
	}
	return j, nil
}

// read takes the records that are there, and leaves the file where the next one
// goes.
func (j *journal) read(path string, c Config) error {
	r := bufio.NewReader(j.file)
	whole := int64(0) // bytes of whole lines
	for n := 1; ; n++ {
		line, err := r.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read the journal: %w", err)
		}
		if err != nil { // the end, and perhaps a part of a line
			if n == 1 && !c.begins(line) {
				return errNoJournal(path)
			}
			break
		}
		whole += int64(len(line))
		if n == 1 {
			if err := j.begun(path, line, c); err != nil {
				return err
			}
			continue
		}
		var rec Record
		if err := json.Unmarshal(line, &rec); err != nil {
			return &JournalError{path, fmt.Sprintf("is damaged in line %d", n), "delete that line to ask its question again, or begin another journal"}
		}
		of := asked{rec.Group, rec.Seed}
		if j.done[of] == nil {
			j.done[of] = map[int]Record{}
		}
		j.done[of][rec.At] = rec
	}
	if err := j.file.Truncate(whole); err != nil {
		return fmt.Errorf("mend the journal: %w", err)
	}
	if _, err := j.file.Seek(whole, io.SeekStart); err != nil {
		return fmt.Errorf("read the journal: %w", err)
	}
	if whole == 0 {
		return j.write(c)
	}
	return nil
}

// begins reports whether a text is how the line of a configuration begins.
func (c Config) begins(line []byte) bool {
	whole, err := json.Marshal(c)
	return err == nil && bytes.HasPrefix(whole, line)
}

func errNoJournal(path string) error {
	return &JournalError{path, "is another kind of file", "name a file that is not there yet, or a journal of this evaluation"}
}

// begun checks the first line against the configuration.
func (j *journal) begun(path string, line []byte, c Config) error {
	var other Config
	if err := json.Unmarshal(line, &other); err != nil || other.Journal == 0 {
		return errNoJournal(path)
	}
	if differ := other.differences(c); len(differ) > 0 {
		return &JournalError{
			path, "belongs to another evaluation; it differs in " + strings.Join(differ, "; "),
			"name another file, or evaluate as before",
		}
	}
	return nil
}

// add keeps a record. It is written whole, with one call, so that an interrupt
// leaves at most a part of the last line.
func (j *journal) add(rec Record) error {
	if j == nil {
		return nil
	}
	return j.write(rec)
}

func (j *journal) write(v any) error {
	line, err := json.Marshal(v)
	if err == nil {
		_, err = j.file.Write(append(line, '\n'))
	}
	if err != nil {
		return fmt.Errorf("write the journal: %w", err)
	}
	return nil
}

// of returns the records of a part with one seed, by index.
func (j *journal) of(group string, seed uint64) map[int]Record {
	if j == nil {
		return nil
	}
	return j.done[asked{group, seed}]
}

func (j *journal) close() error {
	if j == nil {
		return nil
	}
	return j.file.Close()
}
