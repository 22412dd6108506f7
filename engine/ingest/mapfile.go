package ingest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"

	"cairn/engine/kg"
	"cairn/internal/wording"
)

// MappingEnding is how the names of mapping files end.
const MappingEnding = ".import.toml"

// MappingFile is how files of one shape are read, as a small file keeps it.
type MappingFile struct {
	For       string   `toml:"for"`       // the name of the file that it was made for
	Delimiter string   `toml:"delimiter"` // tab, comma, semicolon, pipe, space, or one sign
	Header    bool     `toml:"header"`
	Encoding  string   `toml:"encoding,omitempty"`
	Languages []string `toml:"languages,omitempty"`
	Reading
}

// delimiterWords are the names of delimiters in mapping files.
var delimiterWords = map[string]string{"tab": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " "}

// ParseDelimiter reads a delimiter: a word such as tab, or one sign.
func ParseDelimiter(text string) (rune, bool) {
	sign := cmp.Or(delimiterWords[strings.ToLower(text)], text)
	d, size := utf8.DecodeRuneInString(sign)
	return d, size == len(sign) && d != utf8.RuneError
}

// Saved is the mapping file of a format.
func (f *Format) Saved(file string, languages []string) MappingFile {
	m := MappingFile{For: filepath.Base(file), Delimiter: f.Delimiter, Header: f.Header, Encoding: f.Encoding, Languages: languages, Reading: f.Reading}
	for word, sign := range delimiterWords {
		if sign == f.Delimiter {
			m.Delimiter = word
		}
	}
	return m
}

// Apply sets the options by which a file is read so.
func (m *MappingFile) Apply(o *Options) {
	o.Kind, o.Reading = Delimited, &m.Reading
	if d, ok := ParseDelimiter(m.Delimiter); ok {
		o.Delimiter = d
	}
	if o.Header = HeaderNo; m.Header {
		o.Header = HeaderYes
	}
	o.Encoding = cmp.Or(o.Encoding, m.Encoding)
	if len(o.Languages) == 0 {
		o.Languages = m.Languages
	}
}

// Text is the content of the file.
func (m *MappingFile) Text() []byte {
	var b bytes.Buffer
	b.WriteString("# How Cairn reads " + wording.OneLine(m.For) + ", and files with the same columns:\n# cairn import --map THIS-FILE FILE --into GRAPH.cairn\n# The roles of columns are " + joinRoles(Roles) + ".\n\n")
	e := toml.NewEncoder(&b)
	e.Indent = ""
	if err := e.Encode(m); err != nil {
		panic(err) // a struct of strings can be written
	}
	return b.Bytes()
}

// ReadMapping reads a mapping file.
func ReadMapping(path string) (MappingFile, error) {
	var m MappingFile
	wrong := func(line int64, what string) error {
		return &kg.FileError{Doing: "read the mapping", Path: path, Line: line, Kind: ErrFormat, What: what, Remedy: "correct it, or create a new one: cairn import FILE --dry-run --save-map " + filepath.Base(path)}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return m, wrong(0, reason(err).Error())
	}
	meta, err := toml.Decode(string(text), &m)
	if parse, ok := errors.AsType[toml.ParseError](err); ok {
		return m, wrong(int64(parse.Position.Line), parse.Message)
	}
	if err != nil {
		return m, wrong(0, err.Error())
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return m, wrong(0, fmt.Sprintf("it has %q, which is not part of a mapping", unknown[0].String()))
	}
	if _, ok := ParseDelimiter(m.Delimiter); !ok {
		return m, wrong(0, fmt.Sprintf("the delimiter %q is not a single character", m.Delimiter))
	}
	if err := m.Check(); err != nil {
		return m, wrong(0, err.Error())
	}
	return m, nil
}

// Fits reports whether a mapping was made for files of the shape of f: with the same
// columns in the same order.
func (m *MappingFile) Fits(f *Format) bool {
	return f.Header && m.Header && len(m.Columns) == f.Width && slices.EqualFunc(m.Columns, f.Names, func(c Column, name string) bool { return c.Name == name })
}

// FindMapping returns the path of the youngest mapping file in a folder that fits; empty
// for none.
func FindMapping(folder string, f *Format) string {
	if len(f.Names) == 0 {
		return ""
	}
	paths, _ := filepath.Glob(filepath.Join(folder, "*"+MappingEnding))
	found, age := "", int64(0)
	for _, path := range paths {
		m, err := ReadMapping(path)
		if err != nil || !m.Fits(f) {
			continue
		}
		if info, err := os.Stat(path); err == nil && (found == "" || info.ModTime().UnixNano() > age) {
			found, age = path, info.ModTime().UnixNano()
		}
	}
	return found
}
