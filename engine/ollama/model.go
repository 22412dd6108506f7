package ollama

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/ollama/ollama/api"

	"cairn/engine/llm"
)

// Model asks a model through an Ollama server. It is safe for concurrent use.
type Model struct {
	server *Server
	model  string
	numCtx int // as it was asked for
	budget budget

	mu      sync.Mutex
	context int  // numCtx, or what the model was trained for
	thinks  bool // the server says that it can think aloud
	quiet   bool // it is told not to, which served better
}

// Name returns the model's name.
func (o *Model) Name() string { return o.model }

// Server returns the server that has the model.
func (o *Model) Server() *Server { return o.server }

// Room implements Roomy.
func (o *Model) Room(req llm.Request) int {
	o.mu.Lock()
	s := sizes{o.context, o.thinks && !o.quiet}
	o.mu.Unlock()
	return s.room(o.budget.estimate(req), req)
}

// sizes is what decides how long a prompt and its reply may be.
type sizes struct {
	context int  // tokens, for both
	thinks  bool // the model thinks aloud before it replies
}

// reply returns how many tokens a request's reply may have.
func (s sizes) reply(req llm.Request) int {
	n := req.MaxTokens
	if n <= 0 {
		n = 1024
	}
	if s.thinks {
		n += min(thoughtTokens, s.context/4)
	}
	return n
}

// room returns how many tokens are left beside a prompt and its reply.
func (s sizes) room(prompt int, req llm.Request) int { return s.context - s.reply(req) - prompt }

// check returns an error for a prompt that leaves no room for its reply.
func (s sizes) check(prompt int, req llm.Request) error {
	if s.room(prompt, req) >= 0 {
		return nil
	}
	return failure(
		llm.ErrPromptTooLong,
		fmt.Sprintf("(about %d tokens with %d for the reply, but the context holds %d)", prompt+s.reply(req), s.reply(req), s.context),
		moreContext, nil,
	)
}

// Ask sends one request, again where that may help (see reason). The reply is
// complete or an error: the client library returns no error for a stream that
// was cut or cancelled, so that only the server's last message counts as success.
// A reply to a request with a schema holds JSON, unless the model cannot be
// brought to write any: its text is then returned as it is.
func (o *Model) Ask(ctx context.Context, req llm.Request) (llm.Reply, error) {
	if err := ctx.Err(); err != nil {
		return llm.Reply{}, err
	}
	if err := (sizes{context: o.numCtx}).check(o.budget.estimate(req), req); err != nil {
		return llm.Reply{}, err // whatever the model turns out to be
	}
	if req.Schema != nil {
		if err := checkSchema(req.Schema); err != nil {
			return llm.Reply{}, failure(llm.ErrServer, "(the requested form would crash it)", "please report this; it is a bug in Cairn", err)
		}
	}
	d, err := o.server.known(ctx, o.model)
	if err != nil {
		return llm.Reply{}, err
	}
	o.meet(d)
	shown := false
	if show := req.OnToken; show != nil {
		req.OnToken = func(piece string) {
			shown = true
			show(piece)
		}
	}
	o.mu.Lock()
	t := try{Model: o, req: req, digest: d.Digest, quiet: o.quiet}
	o.mu.Unlock()
	again := retries{wait: o.server.opts.RetryWait}
	var text *llm.Reply // complete, but not in the form asked for
	for {
		reply, why, err := t.ask(ctx)
		if err == nil {
			o.prefer(t.quiet)
			return reply, nil
		}
		if ctx.Err() != nil {
			return llm.Reply{}, ctx.Err()
		}
		if errors.Is(err, llm.ErrForm) {
			text = &reply
		} else {
			o.server.forget(o.model)
		}
		mayShow := !shown || req.OnRetry != nil
		if mayShow && (why != lost || d.Thinks) && again.may(ctx, why) {
			shown = false
			if req.OnRetry != nil {
				req.OnRetry(err)
			}
			t.change(why)
			continue
		}
		switch {
		case ctx.Err() != nil:
			return llm.Reply{}, ctx.Err()
		case text != nil:
			return *text, nil
		}
		return llm.Reply{}, err
	}
}

// meet takes note of what the server says of the model.
func (o *Model) meet(d Details) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.thinks = d.Thinks
	// The server refuses a model that only embeds, and says why; that its context is
	// short is not the reason.
	embedsOnly := d.Embeds && !d.Completes
	if o.context = o.numCtx; d.Context > 0 && !embedsOnly {
		o.context = min(o.context, d.Context)
	}
}

// prefer has the next requests begin as this one succeeded.
func (o *Model) prefer(quiet bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.quiet = quiet
}

// How long a model may be silent. A big one on a slow computer takes minutes to
// its first word (loading it, the questions before this one and thousands of
// tokens of evidence all come first) and seconds to each that follows.
const (
	firstWord = 5 * time.Minute
	nextWord  = time.Minute
)

// maxBytesPerToken bounds a reply whose server does not keep to its limit. Tokens
// of prose have four bytes; what a model thinks aloud counts too.
const maxBytesPerToken = 64

// loopTemperature is the temperature of the try that follows a reply which only
// repeated itself, where that was asked for without any.
const loopTemperature = 0.4

var (
	errSilent  = errors.New("no response from the model in time")
	errEndless = errors.New("the reply does not end")
)

type try struct {
	*Model
	req    llm.Request
	digest string
	quiet  bool // the model is told not to think aloud
	sizes  sizes
}

// change makes the next try other than the last.
func (t *try) change(why reason) {
	switch why {
	case looped:
		t.req.Seed++
		t.req.Temperature = max(t.req.Temperature, loopTemperature)
	case lost:
		t.quiet = !t.quiet
	case busy, stopped, final:
	}
}

func (t *try) ask(ctx context.Context) (llm.Reply, reason, error) {
	t.mu.Lock()
	t.sizes = sizes{t.context, t.thinks && !t.quiet}
	t.mu.Unlock()
	estimated := t.budget.estimate(t.req)
	if err := t.sizes.check(estimated, t.req); err != nil {
		return llm.Reply{}, final, err
	}
	x := llm.Exchange{
		Purpose: t.req.Purpose, Model: t.model, Digest: t.digest, Host: t.server.host, Left: t.req.Left,
		Began: time.Now().UTC(), Estimated: estimated,
	}
	a := assembler{most: maxBytesPerToken * t.sizes.reply(t.req), show: t.req.OnToken}
	watching, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	silence := time.AfterFunc(firstWord, func() { stop(errSilent) })
	defer silence.Stop()
	a.heard = func() { silence.Reset(nextWord) }
	watching, w := withWire(watching)
	err := t.server.api.Chat(watching, t.chat(), a.add)
	silent := errors.Is(context.Cause(watching), errSilent)
	reply := a.reply()
	reply.Duration = time.Since(x.Began)
	why, err := t.judge(ctx, &a, reply, w, silent, err)

	x.Sent, x.Reply, x.Duration = w.body(), a.raw(), reply.Duration
	x.PromptTokens, x.ReplyTokens = reply.PromptTokens, reply.ReplyTokens
	x.Err = sentence(err)
	t.server.opts.Logger.DebugContext(
		ctx, "asked model", slog.String("model", t.model), slog.String("purpose", x.Purpose), slog.Int("estimated_tokens", x.Estimated),
		slog.Int("prompt_tokens", x.PromptTokens), slog.Int("reply_tokens", x.ReplyTokens), slog.Duration("took", x.Duration), slog.Any("error", err),
	)
	llm.Trace(ctx, x)
	if err != nil && !errors.Is(err, llm.ErrForm) {
		reply = llm.Reply{}
	}
	return reply, why, err
}

// judge tells whether a reply is one, and learns from it.
func (t *try) judge(ctx context.Context, a *assembler, reply llm.Reply, w *wire, silent bool, err error) (reason, error) {
	limit := t.sizes.reply(t.req)
	switch {
	case ctx.Err() != nil:
		return final, ctx.Err()
	case silent:
		t.server.hush(true)
		return final, failure(llm.ErrNotRunning, "at "+t.server.host+": it accepted the question and then stopped responding", "restart Ollama, choose a smaller model, or continue without one", errSilent)
	case err != nil && errors.Is(err, errEndless), err == nil && a.last.Done && a.last.DoneReason == "length":
		why, detail := final, fmt.Sprintf("at its limit of %d tokens", limit)
		if reply.Text == "" && reply.Thought != "" {
			why, detail = lost, detail+", before it finished reasoning"
		}
		return why, failure(llm.ErrCut, detail, "try again, or choose another model", err)
	case err != nil:
		why := reasonOf(err, w)
		err = t.server.explain(ctx, t.model, err)
		if errors.Is(err, llm.ErrPromptTooLong) {
			if reply.Thought != "" { // with the schema, a server reads the thought once more
				return lost, failure(llm.ErrCut, "(its reasoning exceeded its context)", "try again, or choose another model", err)
			}
			t.budget.learn(t.req, t.sizes.context+1)
		}
		return why, err
	case !a.last.Done && w.broken():
		return stopped, failure(llm.ErrCut, "(the connection to Ollama ended)", "try again; if it happens again, restart Ollama or choose a smaller model", nil)
	case !a.last.Done && a.pieces == 0:
		return stopped, failure(llm.ErrServer, "(it sent an empty answer)", "try again; if it happens again, restart Ollama or choose another model", nil)
	case !a.last.Done && !w.whole():
		return final, failure(llm.ErrCut, "(part of it was too long to read)", "try again, or choose another model", nil)
	case !a.last.Done:
		return looped, failure(llm.ErrCut, "(the model repeated itself)", "try again, or choose another model", nil)
	case a.last.RemoteHost != "" && !t.server.opts.AllowRemote:
		return final, remoteModel(t.model, a.last.RemoteHost)
	case reply.Thought == "" && reply.PromptTokens >= t.sizes.context:
		t.budget.learn(t.req, t.sizes.context+1)
		return final, failure(
			llm.ErrPromptTooLong, fmt.Sprintf("(%d tokens, which the server cut to its context of %d)", reply.PromptTokens, t.sizes.context),
			moreContext, nil,
		)
	}
	if reply.Thought == "" { // or else the server counts the thought as prompt too
		t.budget.learn(t.req, reply.PromptTokens)
	}
	switch {
	case reply.Text == "" && reply.Thought != "":
		return lost, failure(llm.ErrCut, "(the model reasoned but then said nothing)", "try again, or choose another model", nil)
	case reply.Text == "":
		return final, failure(llm.ErrCut, "(the model said nothing)", "try again, or choose another model", nil)
	case t.req.Schema != nil && !holdsJSON(reply.Text):
		return lost, failure(llm.ErrForm, "(it is not JSON)", "choose another model", nil)
	}
	return final, nil
}

// chat builds the one shape of request that is ever sent.
func (t *try) chat() *api.ChatRequest {
	no := false
	options := runnerOptions(t.sizes.context)
	options["num_predict"] = t.sizes.reply(t.req)
	options["temperature"] = t.req.Temperature
	options["seed"] = t.req.Seed
	r := &api.ChatRequest{
		Model:    t.model,
		Messages: []api.Message{{Role: "user", Content: t.req.Prompt}},
		Format:   t.req.Schema,
		Truncate: &no, // an error rather than a prompt without its head
		Shift:    &no, // a cut reply rather than one that lost its prompt
		Options:  options,
	}
	if t.quiet {
		r.Think = &api.ThinkValue{Value: false}
	}
	return r
}

// assembler puts a streamed reply together.
type assembler struct {
	show    func(string) // what is not thought, as it comes; may be nil
	thought strings.Builder
	all     strings.Builder
	shown   int // bytes of the text after thinking that were shown
	pieces  int
	last    api.ChatResponse
	most    int // bytes; 0 for no limit
	heard   func()
}

func (a *assembler) add(r api.ChatResponse) error {
	a.pieces++
	if a.heard != nil {
		a.heard()
	}
	if a.most > 0 && a.all.Len()+a.thought.Len()+len(r.Message.Content)+len(r.Message.Thinking) > a.most {
		return errEndless
	}
	a.thought.WriteString(r.Message.Thinking)
	a.all.WriteString(r.Message.Content)
	a.last = r
	if a.show == nil || r.Message.Content == "" && !r.Done {
		return nil
	}
	if _, visible, sure := splitThought(a.all.String()); (sure || r.Done) && len(visible) > a.shown {
		a.show(visible[a.shown:])
		a.shown = len(visible)
	}
	return nil
}

// reply returns what has come so far.
func (a *assembler) reply() llm.Reply {
	thought, text := wholeThought(a.all.String())
	thought = strings.TrimSpace(strings.TrimSpace(a.thought.String()) + "\n" + thought)
	return llm.Reply{Text: text, Thought: thought, PromptTokens: a.last.PromptEvalCount, ReplyTokens: a.last.EvalCount}
}

// raw returns all that the model said, thoughts included.
func (a *assembler) raw() string {
	if a.thought.Len() == 0 {
		return a.all.String()
	}
	return thinkOpen + a.thought.String() + thinkShut + a.all.String()
}
