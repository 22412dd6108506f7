package app

import (
	"context"
	"io"

	"cairn/engine"
	"cairn/engine/embed"
	"cairn/engine/export"
	"cairn/engine/ingest"
	"cairn/engine/kg"
	"cairn/engine/llm"
	bymodel "cairn/engine/plan/model"
	"cairn/engine/plan/words"
	"cairn/engine/report"
)

type asker interface {
	Ask(ctx context.Context, question string, o engine.AskOptions, ev *engine.Events) (*engine.Run, error)
	Graph() *kg.Graph
}

// openGraph is what the window needs of a graph that is open. Its methods but
// for Close may be called while others run.
type openGraph interface {
	asker
	comparer
	querier
	templateKeeper
	explainer
	textReader
	patternKeeper
	learner
	historian
	trainer
	// Name is the graph's name for people.
	Name() string
	// Path is its file.
	Path() string
	// Info describes it, and lists what it was made from.
	Info(ctx context.Context) (engine.Info, error)
	// Report is the page of a run of this graph; version is Cairn's.
	Report(ctx context.Context, run *engine.Run, version string) (report.Report, error)
	// Sources returns where triples come from.
	Sources(ctx context.Context, ts []kg.TripleID) (map[kg.TripleID][]kg.Provenance, error)
	// Import adds files. What was added before an error or a cancel stays.
	Import(ctx context.Context, files []string, c ingest.Options, ev *engine.Events) (ingest.Report, error)
	// Ready says that questions can be asked at once; Prepare sees to it.
	Ready() bool
	Prepare(ctx context.Context, ev *engine.Events) error
	// Examples are questions to begin with.
	Examples() []string
	SetModel(m llm.Model)
	// SetPlanning sets how a model plans questions.
	SetPlanning(o bymodel.Options)
	// Embedder says by which embedder's vectors names are found.
	Embedder() engine.EmbedderInfo
	// SetEmbedder has e embed the graph's names, the built-in embedder for nil,
	// and remembers it with the graph. What was embedded before an error or a
	// cancel is kept.
	SetEmbedder(ctx context.Context, e embed.Embedder, ev *engine.Events) error
	// Mappings are what the built-in planner understands by each relation.
	Mappings(ctx context.Context) ([]words.Mapping, error)
	// SetOverrides replaces what the user said about relations by own, and reads
	// the graph anew with it.
	SetOverrides(ctx context.Context, own []words.Override, ev *engine.Events) error
	// Export writes the graph, or a part of it, for other programs.
	Export(ctx context.Context, f export.Format, part engine.ExportPart, ev *engine.Events, to ...io.Writer) (export.Report, error)
	// Backup copies the graph into an empty file while it is in use.
	Backup(ctx context.Context, into string, ev *engine.Events) error
	Close() error
}

type fileLook struct {
	// Lines say it, and how it would be read.
	Lines []string
	// Asks says what the user should confirm before it is read so; empty where
	// it is sure.
	Asks string
	// Format is how it would be read. It has a Preview also beside an error, where the file
	// is a table.
	Format ingest.Format
	// Wrong says that it cannot be read, or not so.
	Wrong bool
	// Mapping is the path of a kept mapping for tables of its shape; empty for none.
	Mapping string
}

type opener interface {
	// Sniff says what a file looks like, read as the user chose; of several the first to look at.
	Sniff(ctx context.Context, files []string, c ingest.Options) (fileLook, error)
	// Trial reports what an import of the first rows of a file would do.
	Trial(ctx context.Context, path string, o ingest.Options) (ingest.Report, error)
	// Keep writes a mapping where Sniff finds it, and returns its path.
	Keep(m ingest.MappingFile) (path string, err error)
	// Open opens the .cairn file at path, or makes it where there is none. The
	// model that embeds its names, if one does, is at the server of connect.
	Open(ctx context.Context, path string, connect connectFunc, ev *engine.Events) (openGraph, error)
	// Sample opens the built-in sample, made in dir where it is not there yet.
	Sample(ctx context.Context, dir string, connect connectFunc, ev *engine.Events) (openGraph, error)
	// Server returns the Ollama at host, which has to be this computer unless
	// remote is set. Nothing is sent to it yet.
	Server(host string, remote bool) (modelServer, error)
}
