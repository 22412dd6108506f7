package tinymodel

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Scene is a text to recite, and when.
type Scene struct {
	// Cue is how the first message of a request begins where this scene is meant:
	// the system prompt, or the prompt where there is none.
	// It may hold no control characters. The last scene needs none: it is recited
	// where no other's cue fits.
	Cue string
	// Text is recited byte for byte. It has two bytes at least, and no byte that
	// a cue could be mistaken for: control characters but tab and newline.
	Text string
}

// Script returns a model that recites a text, whatever it is asked.
func Script(text string) Model { return Scenes(Scene{Text: text}) }

// Scenes returns a model that recites the first scene whose cue fits the request.
// Such a model cannot read; its template compares, and ends the prompt with one
// byte for each scene.
func Scenes(scenes ...Scene) Model {
	if len(scenes) == 0 || len(scenes) > maxScenes {
		panic(fmt.Sprintf("tinymodel: %d scenes; 1 to %d are possible", len(scenes), maxScenes))
	}
	v := newVocabulary()
	next := map[int]int{} // the token after each token of a scene
	opening := make([]int, len(scenes))
	for i, s := range scenes {
		chain := v.chain(s.Text)
		opening[i] = chain[0]
		for at, token := range chain {
			next[token] = v.end()
			if at+1 < len(chain) {
				next[token] = chain[at+1]
			}
		}
	}
	for i := range len(scenes) - 1 {
		next[v.bytes[sceneMark(i)]] = opening[i]
	}
	last := opening[len(opening)-1]
	m := bigram("script", v, func(prev, token int) float32 {
		want, ok := next[prev]
		if !ok {
			want = last
		}
		if token == want {
			return certain
		}
		return 0
	})
	m.Template = sceneTemplate(scenes)
	return m
}

// The bytes that mark scenes: control characters other than white space.
const maxScenes = 8

func sceneMark(i int) byte { return byte(i + 1) }

// sceneTemplate writes the chat template: the usual one, then the mark of the
// scene.
func sceneTemplate(scenes []Scene) string {
	if len(scenes) == 1 {
		return chatTemplate
	}
	var b strings.Builder
	b.WriteString("{{ $said := (index .Messages 0).Content }}")
	b.WriteString(chatTemplate)
	for i, s := range scenes[:len(scenes)-1] {
		word := "else if"
		if i == 0 {
			word = "if"
		}
		fmt.Fprintf(&b, "{{ %s eq (printf \"%%.%ds\" $said) %q }}%c", word, utf8.RuneCountInString(s.Cue), s.Cue, sceneMark(i))
	}
	b.WriteString("{{ end }}")
	return b.String()
}

// chain cuts a text into tokens, each of them new and therefore followed by one
// thing only. Pieces are two or three bytes long, longer in a long text, and
// never cut a character. A tail that is no new token joins the piece before it.
func (v *vocabulary) chain(text string) []int {
	if len(text) < 2 {
		panic(fmt.Sprintf("tinymodel: the text %q is too short to recite", text))
	}
	size := 2 + len(text)/2000
	var pieces []string
	for rest := text; rest != ""; {
		end := newPiece(v, pieces, rest, size)
		for end == 0 { // nothing new is left: take the piece before back in
			if len(pieces) == 0 {
				panic(fmt.Sprintf("tinymodel: %q cannot be cut", text))
			}
			rest = pieces[len(pieces)-1] + rest
			pieces = pieces[:len(pieces)-1]
			if !v.has(rest) && !slices.Contains(pieces, rest) {
				end = len(rest)
			}
		}
		pieces = append(pieces, rest[:end])
		rest = rest[end:]
	}
	ids := make([]int, len(pieces))
	for i, p := range pieces {
		ids[i] = v.add(p)
	}
	return ids
}

// newPiece returns the length of the shortest prefix of rest that is long enough
// and no token yet; 0 where there is none.
func newPiece(v *vocabulary, pieces []string, rest string, size int) int {
	for end := size; end <= len(rest); end++ {
		whole := end == len(rest) || utf8.RuneStart(rest[end])
		if whole && !v.has(rest[:end]) && !slices.Contains(pieces, rest[:end]) {
			return end
		}
	}
	return 0
}
