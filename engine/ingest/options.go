package ingest

import "strings"

// Options are the choices of an import; the zero value is the default.
type Options struct {
	// Kind is what the file holds.
	//
	// The default value, Auto, looks at the content.
	Kind Kind
	// Delimiter divides the columns of a delimited file.
	//
	// The default value, 0, looks at the content: tab, |, ; or a comma.
	Delimiter rune
	// Header tells whether the first row names the columns.
	//
	// The default value, HeaderAuto, looks for known names in it.
	Header Header
	// Columns tells which column is what, by the name in the header or by number
	// from 1. Columns left empty are found by their names.
	//
	// The default value finds them by the header and by what they hold.
	Columns Columns
	// Reading says what every column is, instead of Columns.
	//
	// The default value, nil, leaves that to Columns and what the file holds.
	Reading *Reading
	// Files say by path how single files are read: their Kind, Delimiter, Header, Reading and
	// Encoding stand for these.
	Files map[string]Options
	// HeadType is the type of the heads of all rows of tables.
	//
	// The default value, "", is the type that a table about entities shows.
	HeadType string
	// AcceptGuess reads a table also where it is not sure which columns are what.
	//
	// The default value, false, ends such an import with ErrUnsure.
	AcceptGuess bool
	// Table is which sheet of a workbook, or which table of a database, is read; of
	// a SQLite file also a query that begins with SELECT.
	//
	// The default value, empty, is every sheet that is not hidden, and the only table.
	Table string
	// Labels is the path of a second file: key, tab, name on every line. It names
	// the entities and relations of the graph once the triples are in. Keys that
	// the graph does not know are skipped.
	//
	// The default value, empty, is none.
	Labels string
	// AnyNames takes a file of names also where the graph has none of its keys.
	AnyNames bool
	// Languages are the languages in which names are wanted, the best first. A
	// name in none of them is taken where there is no other, one without a
	// language before one in another language. All the others become aliases.
	//
	// The default value is English.
	Languages []string
	// Encoding is how the file writes letters: "utf-8", "utf-16" or "latin1".
	//
	// The default value, empty, is UTF-8, or UTF-16 where the file says so.
	Encoding string
	// Base is the IRI against which the relative IRIs of RDF are resolved, until the
	// document states one itself.
	//
	// The default value, empty, rejects statements with relative IRIs.
	Base string
	// MaxLine is the longest line that is read, in bytes; a longer one is rejected.
	//
	// The default value is 1 MiB.
	MaxLine int
	// MaxRejects is how many rejected lines end the import; 0 for no limit.
	MaxRejects int64
	// Strict ends the import at the first rejected line.
	Strict bool
	// Rows is how many rows, or lines, are read: a trial.
	//
	// The default value, 0, is all of them.
	Rows int64
	// Off imports the file as a layer that is switched off.
	Off bool
	// Origin is where the files come from, in words, where that is not a place on this
	// machine. The layer keeps it with how it was read.
	Origin string
	// BatchSize is how many rows are committed at once.
	//
	// The default value, 0, is 100000 at first, and up to ten times as many of a
	// large file.
	BatchSize int
}

// ForNames are the options by which the file of Labels is read.
func (o *Options) ForNames() Options {
	return Options{Kind: Labels, Languages: o.Languages, MaxLine: o.MaxLine, MaxRejects: o.MaxRejects, Strict: o.Strict, BatchSize: o.BatchSize}
}

// of are the options by which a file, or what is in it, is read.
func (o *Options) of(file string) *Options {
	for path, of := range o.Files {
		if file == path || strings.HasPrefix(file, path+"/") {
			own := *o
			own.Kind, own.Delimiter, own.Header, own.Columns, own.Reading, own.Encoding = of.Kind, of.Delimiter, of.Header, of.Columns, of.Reading, of.Encoding
			return &own
		}
	}
	return o
}

func (o *Options) setDefaults() {
	if len(o.Languages) == 0 {
		o.Languages = []string{"en"}
	}
	if o.MaxLine <= 0 {
		o.MaxLine = 1 << 20
	}
	if o.Strict {
		o.MaxRejects = 1
	}
}

// Header tells whether the first row names the columns.
type Header string

// The choices of Header.
const (
	HeaderAuto Header = "" // by its names
	HeaderYes  Header = "yes"
	HeaderNo   Header = "no"
)

// Columns tells which column is what, each by its name in the header or by its
// number from 1. Empty is for a column that is found by itself or not there.
type Columns struct {
	// Head, Relation and Tail make the triple. A Relation such as "=linked to" is
	// no column: it is the relation of every row.
	Head, Relation, Tail string
}

// Events is told how an import is going. It and its fields may be nil. They are called on
// the goroutine that imports, in order, and must return quickly.
type Events struct {
	// Progress reports bytes of the file read; total 0 means unknown.
	Progress func(done, total int64)
	// Load reports rows of the graph read before an import into one that is not
	// empty.
	Load func(done, total int64)
	// Settle reports how far what a large import puts off to its end has come; see
	// kg.Store.SetLargeImport.
	Settle func(done, total int64)
	// Reject is told of every rejected line.
	Reject func(Reject)
}

// called returns events that can be called, whatever ev leaves out.
func (ev *Events) called() Events {
	var all Events
	if ev != nil {
		all = *ev
	}
	if all.Progress == nil {
		all.Progress = func(int64, int64) {}
	}
	if all.Reject == nil {
		all.Reject = func(Reject) {}
	}
	return all
}
