package llm

import (
	"fmt"
	"strings"
	"text/template"
	"unicode"

	"cairn/assets/prompts"
)

// Prompt writes one of the built-in prompts, which are named in package prompts.
func Prompt(name string, data any) (string, error) {
	inc := template.FuncMap{"inc": func(i int) int { return i + 1 }}
	t, err := template.New(name).Funcs(inc).Parse(prompts.Text(name))
	var b strings.Builder
	if err == nil {
		err = t.Execute(&b, data)
	}
	if err != nil {
		return "", fmt.Errorf("write the prompt %s: %w", name, err)
	}
	return b.String(), nil
}

// Quote makes a text of the user's or the graph's safe to stand in a prompt
// between <<< and >>>: valid UTF-8 on one line, of at most limit characters and a
// mark where it was longer, and unable to close its delimiters. What people do
// not see, a model does: control characters, changes of the writing direction and
// Unicode's invisible tags are left out.
func Quote(s string, limit int) string {
	var b strings.Builder
	n, space := 0, false
	for _, r := range strings.ToValidUTF8(s, "") {
		switch {
		case unicode.IsSpace(r):
			space = n > 0
			continue
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r >= 0xE0000 && r <= 0xE007F:
			continue
		}
		if space {
			n++
		}
		if n >= limit {
			b.WriteRune('…')
			break
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
		n++
	}
	return closeBrackets(b.String())
}

// closeBrackets replaces runs of two or more angle brackets by others that look
// like them.
func closeBrackets(s string) string {
	if !strings.Contains(s, "<<") && !strings.Contains(s, ">>") {
		return s
	}
	rs := []rune(s)
	for i := 0; i < len(rs); {
		j := i + 1
		for j < len(rs) && rs[j] == rs[i] {
			j++
		}
		if twin, ok := map[rune]rune{'<': '‹', '>': '›'}[rs[i]]; ok && j-i > 1 {
			for k := i; k < j; k++ {
				rs[k] = twin
			}
		}
		i = j
	}
	return string(rs)
}
