package present

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"cairn/engine"
	"cairn/engine/kg"
	"cairn/engine/llm"
	"cairn/engine/retrieve"
	"cairn/internal/guard"
)

// Explain says an error in a sentence, and what can be done about it in
// another, which may be empty. It never shows what only a programmer would
// read.
func Explain(err error) (sentence, remedy string) {
	if err == nil {
		return "", ""
	}
	type remedied interface { // that knows what its reader can do about it
		error
		Remedy() string
	}
	if r, ok := errors.AsType[remedied](err); ok && r.Remedy() != "" {
		return Sentence(readable(err)), Sentence(r.Remedy())
	}
	if f, ok := errors.AsType[*kg.FileError](err); ok && f.What != "" {
		return Sentence("could not " + f.Where() + ": " + f.What), Sentence(f.Remedy)
	}
	if m, ok := errors.AsType[*llm.Error](err); ok && m.Kind != nil {
		return Sentence(strings.TrimSpace(m.Kind.Error() + " " + m.Detail)), Sentence(m.Remedy)
	}
	for _, k := range known {
		if k.is(err) {
			return k.say(err), k.remedy
		}
	}
	return sentenceAndRemedy(readable(err))
}

// knownError pairs a kind of error with its words.
type knownError struct {
	is     func(error) bool
	say    func(error) string
	remedy string
}

// known is looked through in order; the first that fits speaks.
var known = []knownError{
	{isPanic, says("An error in Cairn stopped this task. Everything else still works, and no saved data is lost."), "Try another way, and please report the error. If you start Cairn from a terminal, it prints the details there."},
	{is(context.Canceled), says("Stopped."), ""},
	{is(context.DeadlineExceeded), says("This took longer than the time allowed."), "Ask a narrower question, or try again when the computer is less busy."},
	{is(os.ErrDeadlineExceeded), says("No answer came in time."), "Try again."},
	{is(syscall.ENOSPC), says("The disk is full."), "Free some space, then try again. Nothing that was there before is lost."},
	{is(syscall.EROFS), onPath("%s cannot be written to: the disk is read-only."), "Choose another data folder in Settings, or copy the file to a folder of your own."},
	{is(fs.ErrPermission), onPath("You do not have permission to use %s."), "Choose another file or folder, or change its permissions."},
	{is(fs.ErrNotExist), onPath("%s does not exist."), "It may have been moved or renamed. Choose it again with Open."},
	{is(syscall.EISDIR), onPath("%s is a folder, not a file."), "Choose a file."},
	{is(syscall.ECONNREFUSED), says("Ollama does not respond at its address."), "Start Ollama, or check its address in Settings. Cairn also works without it."},
	{is(engine.ErrUntrained), says("No retriever of this kind is trained on this graph yet."), "Train one: it takes seconds to minutes on this computer. Or use another retriever."},
	{is(retrieve.ErrNothingToLearn), saysMore(retrieve.ErrNothingToLearn, "There is nothing to learn from: no question has an answer that can be reached from the entities it names."), "Choose other questions, or let Cairn generate questions from this graph."},
	{is(retrieve.ErrResume), says("The training cannot be resumed: the graph, the questions or Cairn have changed since, or its saved state is damaged."), "Start a new one. Retrievers trained earlier are kept."},
	{is(retrieve.ErrModel), says("The trained retriever cannot be used: it is damaged, made by another version of Cairn, or trained on another graph."), "Delete it and train a new one. The graph itself is not affected."},
	{is(retrieve.ErrDiverged), says("The training diverged: its weights grew without bound. If it completed an epoch, the best weights so far are kept."), "Train again with another seed or a lower learning rate."},
	{mentions("out of memory"), says("There is not enough memory for this."), "Close other programs, or use a smaller graph."},
}

func is(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

func isPanic(err error) bool {
	_, ok := errors.AsType[*guard.PanicError](err)
	return ok
}

func mentions(text string) func(error) bool {
	return func(err error) bool { return strings.Contains(err.Error(), text) }
}

func says(sentence string) func(error) string { return func(error) string { return sentence } }

// saysMore says sentence, unless what wraps an error says more than it does.
func saysMore(plain error, sentence string) func(error) string {
	return func(err error) string {
		message := readable(err)
		if i := strings.Index(message, plain.Error()); i >= 0 {
			if more := strings.Trim(message[i+len(plain.Error()):], " :;."); more != "" {
				return Sentence(plain.Error() + ": " + more)
			}
		}
		return sentence
	}
}

// onPath says sentence of the file that the error names.
func onPath(sentence string) func(error) string {
	return func(err error) string {
		path := "The file"
		if p, ok := errors.AsType[*fs.PathError](err); ok && p.Path != "" {
			path = p.Path
		} else if l, ok := errors.AsType[*os.LinkError](err); ok && l.New != "" {
			path = l.New
		}
		return strings.Replace(sentence, "%s", path, 1)
	}
}

// sentenceAndRemedy splits a message of ours, "what was being done: what is
// wrong; what to do", where it says what to do.
func sentenceAndRemedy(message string) (sentence, remedy string) {
	for _, sep := range []string{"; ", ". "} {
		if what, todo, ok := strings.Cut(message, sep); ok && todo != "" {
			return Sentence(what), Sentence(todo)
		}
	}
	return Sentence(message), ""
}

// readable strips from a message what says nothing to its reader.
func readable(err error) string {
	message := OneLine(err.Error())
	if i := strings.Index(message, "goroutine "); i > 0 {
		message = strings.TrimSpace(message[:i])
	}
	if strings.Contains(message, "runtime error:") || strings.Contains(message, "panic") {
		return "something went wrong inside Cairn; your data is unchanged. Please report what you did"
	}
	for _, s := range []struct{ from, to string }{
		{"unexpected EOF", "it ends too early"},
		{"invalid character", "it has an unexpected character"},
		{"no such table", "it is not a Cairn graph: a table is missing"},
		{"file is not a database", "it is not a Cairn graph"},
		{"database disk image is malformed", "it is damaged"},
		{"database is locked", "another program is using it"},
		{"no such host", "there is no computer with that name"},
		{"attempt to write a readonly database", "it is read-only"},
	} {
		message = strings.ReplaceAll(message, s.from, s.to)
	}
	return message
}
