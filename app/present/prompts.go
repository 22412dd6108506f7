package present

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"cairn/engine"
	"cairn/engine/report"
	"cairn/engine/retrieve"
	"cairn/internal/wording"
)

// PromptRows lists what a run asked of models, in order.
func PromptRows(run *engine.Run) []report.Prompt {
	if run == nil {
		return nil
	}
	rows := make([]report.Prompt, len(run.Exchanges))
	for i, x := range run.Exchanges {
		rows[i] = promptRow(i+1, x)
	}
	return rows
}

func promptRow(n int, x engine.Exchange) report.Prompt {
	step, _ := stageWords(x.Stage, retrieve.Info{})
	row := report.Prompt{Title: fmt.Sprintf("%d · %s", n, step), About: OneLine(x.Model), Failed: x.Err != ""}
	if x.Purpose != "" && !strings.EqualFold(x.Purpose, step) {
		row.Title += ": " + OneLine(x.Purpose)
	}
	if x.PromptTokens+x.ReplyTokens > 0 {
		row.About += " · " + Count(x.PromptTokens) + " + " + Count(x.ReplyTokens) + " tokens"
	}
	row.About += " · " + Elapsed(x.Duration)
	row.Facts = promptFacts(x)
	row.Texts = promptViews(x)
	return row
}

func promptFacts(x engine.Exchange) []report.Fact {
	var facts []report.Fact
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, report.Fact{Name: name, Value: value})
		}
	}
	model := OneLine(x.Model)
	if x.Digest != "" {
		model += " (" + x.Digest + ")"
	}
	add("Model", model)
	add("Sent to", x.Host)
	if !x.Began.IsZero() {
		add("When", x.Began.UTC().Format("2 January 2006, 15:04:05 UTC")+", took "+Elapsed(x.Duration))
	}
	add("Tokens", tokenText(x))
	add("Left out", Sentence(OneLine(x.Left)))
	add("Failed", Sentence(OneLine(x.Err)))
	return facts
}

// tokenText says what the tokens of a prompt were thought to be and what they
// were.
func tokenText(x engine.Exchange) string {
	var said []string
	if x.Estimated > 0 {
		said = append(said, Count(x.Estimated)+" estimated before it was sent")
	}
	if x.PromptTokens > 0 {
		said = append(said, Count(x.PromptTokens)+" counted by the server")
	}
	if x.ReplyTokens > 0 {
		said = append(said, Count(x.ReplyTokens)+" in the reply")
	}
	return strings.Join(said, ", ")
}

// sentBody is what the view knows of a request's body.
type sentBody struct {
	Messages []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"messages"`
	System  string                     `json:"system"`
	Prompt  string                     `json:"prompt"`
	Format  json.RawMessage            `json:"format"`
	Options map[string]json.RawMessage `json:"options"`
}

func promptViews(x engine.Exchange) []report.Text {
	var body sentBody
	readable := x.Sent
	if json.Unmarshal([]byte(x.Sent), &body) == nil {
		readable = readableBody(body)
	}
	views := []report.Text{
		{Name: "Prompt", Note: "The messages of the request, without JSON escapes", Text: readable},
		{Name: "Bytes sent", Note: "The request's body, byte for byte: " + Plural(len(x.Sent), "byte", "bytes"), Text: x.Sent, JSON: true},
	}
	if len(body.Format) > 0 {
		var b bytes.Buffer
		text := string(body.Format)
		if json.Indent(&b, body.Format, "", "  ") == nil {
			text = b.String()
		}
		views = append(views, report.Text{Name: "Schema", Note: "The reply schema: part of the bytes sent, formatted for reading", Text: text, JSON: true})
	}
	thought, said := thoughts(x.Reply)
	views = append(views, report.Text{
		Name: "Reply", Note: "The model's reply, unchanged: " + Plural(len(said), "byte", "bytes"), Text: said, JSON: len(body.Format) > 0,
	})
	if thought != "" {
		views = append(views, report.Text{Name: "Reasoning", Note: "The model's reasoning before its reply; it is not used", Text: thought})
	}
	return views
}

// thoughts divides a reply into what the model thought aloud and what it said.
func thoughts(reply string) (thought, said string) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(reply, " \t\r\n"), "<think>")
	if !ok {
		return "", reply
	}
	thought, said, _ = strings.Cut(rest, "</think>")
	return strings.TrimSpace(thought), strings.TrimLeft(said, "\r\n")
}

// readableBody writes a request's messages for a person.
func readableBody(b sentBody) string {
	var out strings.Builder
	part := func(role, text string) {
		if text != "" {
			fmt.Fprintf(&out, "── %s ──\n%s\n\n", role, text)
		}
	}
	part("system", b.System)
	for _, m := range b.Messages {
		part(m.Role, m.Content)
	}
	part("prompt", b.Prompt)
	options := wording.Each(slices.Sorted(maps.Keys(b.Options)), func(name string) string { return name + " " + string(b.Options[name]) })
	part("options", strings.Join(options, "\n"))
	return strings.TrimRight(out.String(), "\n")
}

// PromptsText writes everything that a run asked of models and what they
// replied, as a text to read or to keep.
func PromptsText(run *engine.Run) string {
	rows := PromptRows(run)
	if len(rows) == 0 {
		return "No model was asked.\n"
	}
	head := fmt.Sprintf("%s\nAsked %s; %s to a model.\n", OneLine(run.Question), run.Started.UTC().Format(time.RFC3339), Plural(len(rows), "request", "requests"))
	return head + PromptRowsText(rows)
}

// PromptRowsText writes requests to a model and what it replied, whole.
func PromptRowsText(rows []report.Prompt) string {
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "\n%s\n%s\n", strings.Repeat("═", 72), r.Title)
		for _, f := range r.Facts {
			fmt.Fprintf(&b, "%-10s%s\n", f.Name, f.Value)
		}
		for _, v := range r.Texts {
			fmt.Fprintf(&b, "\n─── %s ─── %s\n%s\n", v.Name, v.Note, strings.TrimRight(v.Text, "\n"))
		}
	}
	return b.String()
}
