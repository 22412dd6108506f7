// Package cli is Cairn's commands: the same engine as the window, for
// terminals and scripts. Package command has the exit codes.
package cli

import (
	"context"
	"io"
	"log/slog"
	"os"

	"cairn/app/cli/command"
	"cairn/engine"
	"cairn/engine/retrieve"
)

// WindowOptions are what the command line says about the window.
type WindowOptions struct {
	// Paths are the graph to open, or files to import; empty for the graph that was open last.
	Paths []string
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
	// It closes when ctx ends.
	Window func(ctx context.Context, o WindowOptions) error
	// Methods are the ways to look for evidence; nil for engine.Methods().
	Methods []retrieve.Method
}

// Main runs the program on the real terminal and returns its exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer, window func(context.Context, WindowOptions) error) int {
	return Program{Args: args, Stdin: stdin, Stdout: stdout, Stderr: stderr, Window: window}.program().Main()
}

// Run runs one command and returns its exit code.
func (p Program) Run(ctx context.Context) int { return p.program().Run(ctx) }

func (p Program) program() command.Program {
	return command.Program{
		Name: "cairn", Description: description, Args: p.Args, Stdin: p.Stdin, Stdout: p.Stdout, Stderr: p.Stderr,
		Commands: &commands{Train: newTrainCommand(p.methods())}, Methods: p.Methods,
		With: func(s *command.Session) any {
			return &session{Session: s, start: p, models: command.ModelFlags{HostFlags: command.HostFlags{Host: os.Getenv("OLLAMA_HOST")}}}
		},
	}
}

// methods are the ways to look for evidence.
func (p Program) methods() []retrieve.Method {
	if p.Methods == nil {
		return engine.Methods()
	}
	return p.Methods
}

// commands is the grammar of the command line.
type commands struct {
	Window    windowCommand    `cmd:"" default:"withargs" help:"Open the window (the default)."`
	Ask       askCommand       `cmd:"" help:"Answer a question or check a claim."`
	Query     queryCommand     `cmd:"" help:"Run a query with conditions, exclusions, alternatives, counts, sums, ranks or chains."`
	Path      pathCommand      `cmd:"" help:"Find how two entities are connected."`
	Describe  describeCommand  `cmd:"" help:"List everything a graph says about an entity, or what two have in common."`
	Compare   compareCommand   `cmd:"" help:"Ask several retrievers the same question and see where they agree."`
	WhyNot    whyNotCommand    `cmd:"" name:"whynot" help:"Explain why an entity is or is not an answer to a question."`
	History   historyCommand   `cmd:"" help:"List the questions asked in the window, and show their answers again."`
	Import    importCommand    `cmd:"" help:"Add files of triples to a graph."`
	Extract   extractCommand   `cmd:"" help:"Extract triples from texts with a language model and add them."`
	Backup    backupCommand    `cmd:"" help:"Copy a graph, even while it is in use, and check the copy."`
	Layers    layersCommand    `cmd:"" help:"List the layers of a graph (one per import); turn one off or on, or remove it."`
	Export    exportCommand    `cmd:"" help:"Export a graph, or part of it, in a format that other programs read."`
	Check     checkCommand     `cmd:"" help:"Check a graph for damage and repair it."`
	Info      infoCommand      `cmd:"" help:"Describe a graph: its size, relations, types and sources."`
	Embed     embedCommand     `cmd:"" help:"Embed the names of a graph with an Ollama model, or return to the built-in embedder."`
	Index     indexCommand     `cmd:"" help:"Index the names of a very large graph: faster, but may miss a few names."`
	Eval      evalCommand      `cmd:"" help:"Ask the questions in a file and count how many are answered correctly."`
	Train     trainCommand     `cmd:"" help:"Train a retriever on a graph."`
	Templates templatesCommand `cmd:"" help:"Show or set the question templates of a graph, and their Cypher queries."`
	Lexicon   lexiconCommand   `cmd:"" help:"Show or set the words a graph knows in addition to the built-in ones."`
	Tour      tourCommand      `cmd:"" help:"Answer the sample questions and write pages and pictures to a folder."`
	Models    modelsCommand    `cmd:"" help:"List, test and pull Ollama models."`
	Doctor    doctorCommand    `cmd:"" help:"Report what Cairn finds on this computer."`

	Completion completionCommand `cmd:"" help:"Print the completion script for bash, zsh or fish."`
	Complete   completeCommand   `cmd:"" hidden:""`
	Version    versionCommand    `cmd:"" help:"Show the version, its source and how it was built."`
	Help       helpCommand       `cmd:"" help:"Show the help of a command."`

	command.Flags
}

const description = `Ask your own knowledge graph, and see the evidence. Everything stays on this computer.

Exit codes: 0 success or a sure answer, 1 the claim is refuted for sure, 2 wrong usage, 3 a likely answer, with its doubt stated, 4 no answer, 5 another failure, 6 a table can be read in several ways, 7 a file cannot be used, 130 interrupted.`
