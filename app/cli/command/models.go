package command

import (
	"fmt"
	"log/slog"

	"cairn/engine"
	"cairn/engine/evidence"
	"cairn/engine/llm"
	"cairn/engine/ollama"
	bymodel "cairn/engine/plan/model"
)

// ModelFlags choose a language model. Without --model none is asked.
type ModelFlags struct {
	Model string `help:"Let this Ollama model read the question and write the answer." env:"CAIRN_MODEL" placeholder:"NAME"`

	HostFlags
	ContextFlag

	NoModel bool `help:"Use no model, whatever the environment says."`
	Samples int  `help:"Let the model read the question this many times, and use the reading with the best evidence." default:"1" placeholder:"N"`
	Chains  bool `help:"Let the model name relations to follow instead of writing a pattern."`

	Style evidence.Style `help:"How the model is shown the evidence: tuples, paths, sets, ends (sets, with the second-best match last) or sentences." placeholder:"STYLE"`
}

// Validate refuses what no model can work with, or nobody would wait for.
func (f ModelFlags) Validate() error {
	const most = 100
	if f.Samples < 1 || f.Samples > most {
		return fmt.Errorf("--samples must be a whole number from 1 to %d", most)
	}
	return f.ContextFlag.Validate()
}

// HostFlags say where Ollama is.
type HostFlags struct {
	Host        string `help:"Where Ollama listens (default: this computer, port 11434)." env:"OLLAMA_HOST" placeholder:"URL"`
	AllowRemote bool   `help:"Allow a host other than this computer. Questions and evidence will be sent there."`
}

// ContextFlag is the context of a model.
type ContextFlag struct {
	Context int `help:"The model's context size in tokens." default:"8192" placeholder:"N"`
}

// Validate refuses what no model can work with.
func (f ContextFlag) Validate() error {
	const least = 512 // the instructions alone take more
	if f.Context < least {
		return fmt.Errorf("--context must be at least %d tokens", least)
	}
	return nil
}

// Options are the flags as models have them.
func (f ContextFlag) Options() ollama.ModelOptions { return ollama.ModelOptions{NumCtx: f.Context} }

// Use sets the chosen model, if any, in an engine.
func (f ModelFlags) Use(e *engine.Engine, log *slog.Logger) error {
	m, err := f.Open(log)
	if err == nil && m != nil {
		e.SetPlanning(f.Planning())
		e.SetModel(m)
	}
	return err
}

// Planning are the choices of planning with the model.
func (f ModelFlags) Planning() bymodel.Options {
	return bymodel.Options{Samples: f.Samples, Chains: f.Chains}
}

// Open returns the chosen model, or nil for none.
func (f ModelFlags) Open(log *slog.Logger) (llm.Model, error) {
	if f.NoModel || f.Model == "" {
		return nil, nil
	}
	server, err := f.Server(log)
	if err != nil {
		return nil, err
	}
	return server.Model(f.Model, f.Options())
}

// Server returns the Ollama that the flags name.
func (f HostFlags) Server(log *slog.Logger) (*ollama.Server, error) {
	u, local, err := ollama.Host(f.Host)
	if err == nil && !local && !f.AllowRemote {
		return nil, UsageError(u.Hostname() + " is another computer and was not contacted: questions and evidence would leave this one; add --allow-remote to use it")
	}
	return ollama.NewServer(f.Host, ollama.ServerOptions{AllowRemote: f.AllowRemote, Logger: log})
}
