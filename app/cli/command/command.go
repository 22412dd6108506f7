// Package command is what the programs of Cairn share on a command line: how one is
// run, what is printed and written, progress, errors as sentences, and exit codes.
//
// Results go to the standard output, as text or with --json; progress and
// errors go to the standard error. Exit codes:
//
//	0    done: the question is answered, the claim is supported, and nothing is in doubt
//	1    the claim is refuted by this graph, and nothing is in doubt
//	2    the command was written wrongly
//	3    there is an answer or a verdict, with a doubt that is named
//	4    this graph has no answer to the question or says nothing of the claim
//	5    something else failed: no model server, no room on the disk
//	6    nobody said how to read a table that can be read in several ways
//	7    a file cannot be used: not there, damaged, not readable, full of errors
//	130  interrupted
//	141  the standard output was closed before all was written
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
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
	"cairn/engine/retrieve"
	"cairn/internal/guard"
)

// Program is one start of a program.
type Program struct {
	Name, Description string
	Args              []string // without the program's name
	Stdin             io.Reader
	Stdout, Stderr    io.Writer
	// Commands is a pointer to the grammar of the command line: a struct that embeds
	// Flags.
	Commands interface{ common() *Flags }
	// With makes of a session what the commands are run with; nil for the session
	// itself.
	With func(*Session) any
	// Methods are the ways to look for evidence; nil for engine.Methods().
	Methods []retrieve.Method
}

// Infos describes the methods, the default one first.
func (p Program) Infos() []retrieve.Info {
	if p.Methods == nil {
		return engine.MethodInfos(engine.Methods())
	}
	return engine.MethodInfos(p.Methods)
}

// Method describes the method with an ID.
func (p Program) Method(id string) retrieve.Info {
	ms := p.Infos()
	return ms[max(slices.IndexFunc(ms, func(m retrieve.Info) bool { return m.ID == id }), 0)]
}

// Vars are what the grammar says of the program: kong writes them into the help.
func (p Program) Vars() kong.Vars {
	var ids, help, named []string
	for _, m := range p.Infos() {
		ids, help = append(ids, m.ID), append(help, m.ID+" ("+m.Help+")")
		if m.ID != engine.Auto {
			named = append(named, m.ID)
		}
	}
	return kong.Vars{
		"version": "Cairn " + Version, "retriever": ids[0], "method": named[0], "methods": strings.Join(named, ","),
		"retrievers": strings.Join(ids, ","), "retriever_help": strings.Join(help, "; "),
	}
}

// Flags are what every command takes.
type Flags struct {
	JSON        bool             `help:"Write the result as JSON." name:"json"`
	Progress    bool             `help:"Show progress even if standard error is not a terminal."`
	Force       bool             `help:"Overwrite files that Cairn did not write or that have changed since."`
	Debug       bool             `help:"Log what happens, and show full error details."`
	ShowVersion kong.VersionFlag `help:"Print the version." name:"version"`
}

func (f *Flags) common() *Flags { return f }

// Main runs the program on the real terminal and returns its exit code. A
// first interrupt cancels what is being done, a second one ends it at once.
func (p Program) Main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop)
	signal.Ignore(syscall.SIGPIPE) // it would end the program at once; see pipe
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	out := &pipe{Writer: p.Stdout, cancel: cancel}
	p.Stdout = out
	code := p.Run(ctx)
	if out.broken.Load() {
		return ExitPipe
	}
	return code
}

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
	parser, err := kong.New(
		p.Commands, kong.Name(p.Name), kong.Description(p.Description), kong.Writers(p.Stdout, p.Stderr),
		kong.Exit(func(code int) { panic(exited(code)) }), p.Vars(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	)
	if err != nil {
		fmt.Fprintf(p.Stderr, "%s: invalid command definitions: %v\n", p.Name, err)
		return ExitFailed
	}
	parsed, err := parser.Parse(p.Args)
	if err != nil {
		return p.misspelt(parser, err)
	}
	s := &Session{Program: p, Flags: *p.Commands.common(), Grammar: parser.Model}
	level := slog.LevelError
	if s.Debug {
		level = slog.LevelDebug
	}
	s.Log = slog.New(slog.NewTextHandler(p.Stderr, &slog.HandlerOptions{Level: level}))
	s.meter = newMeter(p.Stderr, s.Progress)
	parsed.BindTo(ctx, (*context.Context)(nil))
	with := any(s)
	if p.With != nil {
		with = p.With(s)
	}
	err = parsed.Run(with)
	s.Clear()
	for _, clean := range slices.Backward(s.cleanup) {
		if cleanErr := clean(); err == nil && cleanErr != nil {
			err = fmt.Errorf("end the command: %w", cleanErr)
		}
	}
	guard.Log(s.Log, err)
	return s.end(err)
}

// misspelt says what is wrong with the command line. A first word that is no
// command was taken for a file.
func (p Program) misspelt(parser *kong.Kong, err error) int {
	if len(p.Args) > 0 && !strings.HasPrefix(p.Args[0], "-") {
		known := slices.ContainsFunc(parser.Model.Children, func(n *kong.Node) bool { return n.Name == p.Args[0] })
		if _, statErr := os.Stat(p.Args[0]); !known && statErr != nil {
			err = Unknown(parser.Model.Node, p.Args[0])
		}
	}
	of := p.Name
	if parse, ok := errors.AsType[*kong.ParseError](err); ok && parse.Context.Selected() != nil {
		of = parse.Context.Selected().FullPath()
	}
	s := Session{Program: p, Flags: Flags{JSON: slices.Contains(p.Args, "--json")}}
	s.say(present.Sentence(present.Shorten(strings.TrimSuffix(plainer.Replace(err.Error()), "?"), 300)), "See "+of+" --help.", ExitUsage)
	return ExitUsage
}

// plainer puts the words of the command line's parser for those of a programmer.
var plainer = strings.NewReplacer(
	"expected a valid 64 bit int but got", "expected a number, not",
	"expected a valid 64 bit uint but got", "expected a number of 0 or more, not",
	"expected a float but got", "expected a number, not",
	"expected int value but got", "expected a number, not", " (short flag); perhaps try", "; write it as",
)

// Unknown is the error of a word that is no command below n.
func Unknown(n *kong.Node, word string) error {
	var names []string
	for _, c := range n.Children {
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	word = present.Shorten(word, 60)
	switch {
	case len(names) == 0:
		return UsageError(fmt.Sprintf("%[2]s has no command %[1]q; omit it", word, n.FullPath()))
	case n.Type == kong.ApplicationNode:
		return UsageError(fmt.Sprintf("there is no command or file %q; the commands are %s", word, present.List(names)))
	}
	return UsageError(fmt.Sprintf("%[2]s has no command %[1]q, only %[3]s", word, n.FullPath(), present.List(names)))
}
