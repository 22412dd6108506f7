package ollama

import (
	"strings"
	"testing"

	"github.com/ollama/ollama/api"
)

func TestHoldsJSON(t *testing.T) {
	for in, want := range map[string]bool{
		`{"a": 1}`: true, "```json\n{\"a\": 1}\n```": true, "Here it is: [1, 2].": true, `"a"`: true, "12": true,
		"": false, "It is Vienna.": false, `{"a": 1`: false, "} {": false, "{a} and [1]": true, `{"a": 1} {"b": 2}`: false,
	} {
		if got := holdsJSON(in); got != want {
			t.Errorf("holdsJSON(%q) = %v, want %v", in, got, want)
		}
	}
}

// What is shown of a reply as it comes is the reply, however it is cut.
func FuzzAssembler(f *testing.F) {
	f.Add("<think>hm</think>\n {\"a\": 1}", 3)
	f.Add("  <thin", 2)
	f.Add("<think>and on", 1)
	f.Add("Vienna </think> Graz", 4)
	f.Fuzz(func(t *testing.T, text string, size int) {
		var shown strings.Builder
		a := assembler{show: func(s string) { shown.WriteString(s) }}
		size = 1 + (size%16+16)%16
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			if err := a.add(api.ChatResponse{Message: api.Message{Content: rest[:n]}}); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := a.add(api.ChatResponse{Done: true}); err != nil {
			t.Fatal(err)
		}
		reply := a.reply()
		if a.raw() != text {
			t.Errorf("raw = %q, want %q", a.raw(), text)
		}
		if _, late, _ := splitThought(text); strings.Contains(late, thinkShut) {
			return // a thought that shows only when it is over was shown as text
		}
		if strings.TrimSpace(shown.String()) != reply.Text {
			t.Errorf("%q in pieces of %d: shown %q, and the reply is %q", text, size, shown.String(), reply.Text)
		}
	})
}
