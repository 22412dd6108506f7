// Package cli is Cairn's commands: the same engine as the window, for
// terminals and scripts.
//
// Results go to the standard output, as text or with --json; progress and
// errors go to the standard error. Exit codes:
//
//	0    done: the question is answered, the claim is supported
//	1    this graph has no answer to the question or says nothing of the claim
//	2    the command was written wrongly
//	3    a file cannot be used: not there, damaged, not readable, full of errors
//	4    the claim is refuted by this graph
//	5    something else failed: no model server, no room on the disk
//	130  interrupted
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	_ "cairn/app/cli/locale" // before the toolkit looks for a language
	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/eval"
	"cairn/engine/gnnrag"
	"cairn/engine/ingest"
	"cairn/engine/kg"
	"cairn/engine/llm"
	"cairn/engine/pattern"
)

// The exit codes of the package comment.
const (
	exitDone        = 0
	exitNoAnswer    = 1
	exitUsage       = 2
	exitInput       = 3
	exitRefuted     = 4
	exitFailed      = 5
	exitInterrupted = 130
)

// WindowOptions are what the command line says about the window.
type WindowOptions struct {
	// Path is the graph to open; empty for the one that was open last.
	Path string
	// Question is asked as soon as the graph is open; may be empty.
	Question string
	// Folder is where new graphs are kept; empty for what the settings say.
	Folder string
	// Logger is told what the program does.
	Logger *slog.Logger
}

// Program is one start of the program.
type Program struct {
	Args           []string // without the program's name
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Window opens the window and returns when it is closed.
	Window func(WindowOptions) error
}

// Main runs the program on the real terminal and returns its exit code. A
// first interrupt cancels what is being done, a second one ends it at once.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer, window func(WindowOptions) error) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return Program{Args: args, Stdin: stdin, Stdout: stdout, Stderr: stderr, Window: window}.Run(ctx)
}

// commands is the grammar of the command line.
type commands struct {
	Window  windowCommand  `cmd:"" default:"withargs" help:"Open the window (what cairn alone does)."`
	Ask     askCommand     `cmd:"" help:"Answer a question or check a claim."`
	Import  importCommand  `cmd:"" help:"Add files of triples to a graph."`
	Extract extractCommand `cmd:"" help:"Read texts with a language model, and add what they say."`
	Info    infoCommand    `cmd:"" help:"Describe a graph: its size, relations, types and sources."`
	Embed   embedCommand   `cmd:"" help:"Embed the names of a graph with an Ollama model, or with the built-in embedder again."`
	Index   indexCommand   `cmd:"" help:"Index the names of a graph of millions, to find them faster and not quite exactly."`
	Train   trainCommand   `cmd:"" help:"Train a retriever on a graph."`
	Lexicon lexiconCommand `cmd:"" help:"Show or set the words that a graph knows besides the built-in ones."`
	Tour    tourCommand    `cmd:"" help:"Answer the sample questions into a folder of pages and pictures."`
	Models  modelsCommand  `cmd:"" help:"List, test and pull the models of Ollama."`
	Doctor  doctorCommand  `cmd:"" help:"Say what Cairn finds on this computer."`
	Eval    evalCommand    `cmd:"" help:"Measure how well questions of a published set are answered."`
	Bench   benchCommand   `cmd:"" help:"Measure speed and memory: the life of a graph, made graphs, indexes, matching."`

	JSON     bool             `help:"Write the result as JSON." name:"json"`
	Progress bool             `help:"Show progress even where the standard error is no terminal."`
	Debug    bool             `help:"Log what happens, and show the whole chain of an error."`
	Version  kong.VersionFlag `help:"Print the version."`
}

const description = `Ask your own knowledge graph, and see the evidence. Everything stays on this computer.

Exit codes: 0 done or answered, 1 no answer in this graph, 2 wrong usage, 3 a file cannot be used, 4 the claim is refuted, 5 something else failed, 130 interrupted.`

// exited is how kong's --help and --version end: as a panic that Run catches.
type exited int

// Run runs one command and returns its exit code.
func (p Program) Run(ctx context.Context) (code int) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case exited:
			code = int(r)
		default:
			panic(r)
		}
	}()
	var c commands
	parser, err := kong.New(
		&c, kong.Name("cairn"), kong.Description(description), kong.Writers(p.Stdout, p.Stderr),
		kong.Exit(func(code int) { panic(exited(code)) }), kong.Vars{"version": "Cairn " + Version},
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	)
	if err != nil {
		fmt.Fprintln(p.Stderr, "cairn: the commands are defined wrongly:", err)
		return exitFailed
	}
	parsed, err := parser.Parse(p.Args)
	if err != nil {
		fmt.Fprintf(p.Stderr, "cairn: %s\nSee cairn --help.\n", p.parseError(parser, err))
		return exitUsage
	}
	s := &session{Program: p, json: c.JSON, debug: c.Debug, version: Version, log: slog.New(slog.DiscardHandler)}
	s.models.Host = os.Getenv("OLLAMA_HOST")
	if c.Debug {
		s.log = slog.New(slog.NewTextHandler(p.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	s.meter = newMeter(p.Stderr, c.Progress)
	parsed.BindTo(ctx, (*context.Context)(nil))
	err = parsed.Run(s)
	s.meter.clear()
	for _, clean := range s.cleanup {
		clean()
	}
	return s.end(err)
}

// parseError says what is wrong with the command line. A first word that is no
// command was taken for a graph to open in the window.
func (p Program) parseError(parser *kong.Kong, err error) string {
	if len(p.Args) > 0 && !strings.HasPrefix(p.Args[0], "-") {
		known := slices.ContainsFunc(parser.Model.Children, func(n *kong.Node) bool { return n.Name == p.Args[0] })
		if _, statErr := os.Stat(p.Args[0]); !known && statErr != nil {
			err = noCommand(p.Args[0])
		}
	}
	return present.Sentence(present.Shorten(err.Error(), 300))
}

// codeError is an outcome that is no failure but has an exit code of its own.
type codeError int

func (e codeError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// usageError is a command that was written wrongly.
type usageError string

func (e usageError) Error() string { return string(e) }

// inputError is a file that cannot be used: what is wrong; what to do.
type inputError string

func (e inputError) Error() string { return string(e) }

// end says an error in a sentence with a remedy, and returns the exit code.
func (s *session) end(err error) int {
	if outcome := codeError(0); errors.As(err, &outcome) {
		return int(outcome)
	}
	if err == nil {
		return exitDone
	}
	sentence, remedy := present.Explain(err)
	fmt.Fprintf(s.Stderr, "cairn: %s\n", present.Printable(strings.TrimSpace(sentence+" "+remedy)))
	if s.debug {
		fmt.Fprintln(s.Stderr, "\nThe whole chain:")
		printChain(s.Stderr, err, 1)
	}
	return exitCode(err)
}

// exitCode sorts errors by what the user could do about them.
func exitCode(err error) int {
	usage := usageError("")
	input := inputError("")
	file := (*kg.FileError)(nil)
	path := (*fs.PathError)(nil)
	journal := (*eval.JournalError)(nil)
	switch {
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &usage), errors.Is(err, llm.ErrHost), errors.Is(err, pattern.ErrText), errors.Is(err, engine.ErrNoQuestion), errors.Is(err, engine.ErrNoModel), errors.Is(err, engine.ErrNothingUnfinished):
		return exitUsage
	case errors.Is(err, kg.ErrDiskFull), errors.Is(err, syscall.ENOSPC):
		return exitFailed
	case errors.As(err, &input), errors.As(err, &file), errors.As(err, &path), errors.As(err, &journal), isInput(err), isTraining(err):
		return exitInput
	}
	return exitFailed
}

// isInput reports whether an import, or the reading of a text, refused its file.
func isInput(err error) bool {
	refused := (*ingest.FileError)(nil)
	return errors.As(err, &refused)
}

// isTraining reports whether there is nothing that can be trained on, gone on with
// or asked.
func isTraining(err error) bool {
	return errors.Is(err, engine.ErrUntrained) || errors.Is(err, gnnrag.ErrNothingToLearn) || errors.Is(err, gnnrag.ErrResume) || errors.Is(err, gnnrag.ErrModel)
}

// printChain writes an error and what it wraps, one a line.
func printChain(w io.Writer, err error, depth int) {
	fmt.Fprintf(w, "%s%T: %v\n", strings.Repeat("  ", depth), err, err)
	switch u := err.(type) { //nolint:errorlint // the chain itself is shown
	case interface{ Unwrap() error }:
		if inner := u.Unwrap(); inner != nil {
			printChain(w, inner, depth+1)
		}
	case interface{ Unwrap() []error }:
		for _, inner := range u.Unwrap() {
			printChain(w, inner, depth+1)
		}
	}
}
