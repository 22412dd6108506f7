package cypher

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/internal/wording"
)

type tokenKind int

const (
	end tokenKind = iota
	word
	quotedWord // in backticks: never a keyword
	number
	quoted
	param
	mark
)

type token struct {
	kind    tokenKind
	at, end int
	text    string // of a word, a mark or a string, without quotes and escapes
	value   any    // of a number
	wrong   *Error // of a number that is none
}

// is reports whether a token is a keyword, or a mark.
func (t token) is(text string) bool {
	return t.kind == word && strings.EqualFold(t.text, text) || t.kind == mark && t.text == text
}

func (t token) isName() bool { return t.kind == word || t.kind == quotedWord }

// String says what the token is, for errors.
func (t token) String() string {
	switch t.kind {
	case end:
		return "the end"
	case quoted:
		return strconv.Quote(t.text)
	case param:
		return "$" + t.text
	case number:
		return Text(t.value)
	case word, quotedWord, mark:
	}
	return wording.Quote(t.text)
}

// lex cuts a text into tokens; the last one is the end.
func lex(text string) []token {
	var tokens []token
	for at := 0; ; {
		at = blank(text, at)
		if at == len(text) {
			return append(tokens, token{kind: end, at: at, end: at})
		}
		t := next(text, at)
		at = t.end
		tokens = append(tokens, t)
	}
}

// blank returns where the text goes on behind spaces and comments.
func blank(text string, at int) int {
	for at < len(text) {
		r, n := utf8.DecodeRuneInString(text[at:])
		switch {
		case unicode.IsSpace(r):
			at += n
		case strings.HasPrefix(text[at:], "//"):
			if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
				at += i + 1
			} else {
				at = len(text)
			}
		case strings.HasPrefix(text[at:], "/*"):
			i := strings.Index(text[at+2:], "*/")
			if i < 0 {
				panic(syntax(len(text), "UnexpectedSyntax", "a comment that begins with /* is not closed by */"))
			}
			at += i + 4
		default:
			return at
		}
	}
	return at
}

// next reads the token at a place that is not blank.
func next(text string, at int) token {
	r, n := utf8.DecodeRuneInString(text[at:])
	after := func(n int) rune {
		r, _ := utf8.DecodeRuneInString(text[min(at+n, len(text)):])
		return r
	}
	switch {
	case r == utf8.RuneError && n == 1:
		panic(syntax(at, "UnexpectedSyntax", "the text is not UTF-8"))
	case r == '_' || unicode.IsLetter(r):
		stop := wordEnd(text, at)
		return token{kind: word, at: at, end: stop, text: text[at:stop]}
	case isDigit(r), r == '.' && isDigit(after(1)):
		return lexNumber(text, at)
	case r == '\'' || r == '"':
		return lexString(text, at)
	case r == '`':
		return lexName(text, at)
	case r == '$':
		if after(1) == '`' {
			t := lexName(text, at+1)
			t.kind, t.at = param, at
			return t
		}
		stop := wordEnd(text, at+1)
		if stop == at+1 {
			panic(syntax(at, "UnexpectedSyntax", "a parameter needs a name, such as $name"))
		}
		return token{kind: param, at: at, end: stop, text: text[at+1 : stop]}
	}
	for _, m := range []string{"<>", "<=", ">=", "=~", "..", "!=", "||"} {
		if strings.HasPrefix(text[at:], m) {
			return token{kind: mark, at: at, end: at + 2, text: m}
		}
	}
	if strings.ContainsRune("()[]{}<>=+-*/%^,.:|;", r) {
		return token{kind: mark, at: at, end: at + n, text: string(r)}
	}
	panic(syntax(at, "InvalidUnicodeCharacter", "unexpected %q", r))
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

// wordEnd returns where the word at a place ends.
func wordEnd(text string, at int) int {
	for at < len(text) {
		r, n := utf8.DecodeRuneInString(text[at:])
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		at += n
	}
	return at
}

// lexName reads a name in backticks, in which two stand for one.
func lexName(text string, at int) token {
	var b strings.Builder
	for i := at + 1; i < len(text); i++ {
		switch {
		case text[i] != '`':
			b.WriteByte(text[i])
		case strings.HasPrefix(text[i:], "``"):
			b.WriteByte('`')
			i++
		default:
			return token{kind: quotedWord, at: at, end: i + 1, text: b.String()}
		}
	}
	panic(syntax(at, "UnexpectedSyntax", "a name that begins with ` is not closed"))
}

// lexString reads a string in single or double quotes.
func lexString(text string, at int) token {
	quote := text[at]
	var b strings.Builder
	for i := at + 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == quote:
			return token{kind: quoted, at: at, end: i + 1, text: b.String()}
		case c != '\\':
			b.WriteByte(c)
		case i+1 == len(text):
		default:
			i++
			c = text[i]
			switch at := strings.IndexByte("bfnrt", c); {
			case at >= 0:
				b.WriteByte("\b\f\n\r\t"[at])
			case strings.IndexByte("\\'\"`", c) >= 0:
				b.WriteByte(c)
			case c == 'u' || c == 'U':
				n := map[byte]int{'u': 4, 'U': 8}[c]
				code, err := strconv.ParseUint(text[min(i+1, len(text)):min(i+1+n, len(text))], 16, 32)
				if err != nil || i+n >= len(text) {
					panic(syntax(i-1, "InvalidUnicodeLiteral", "\\%c needs %d hexadecimal digits", c, n))
				}
				b.WriteRune(rune(code))
				i += n
			default:
				panic(syntax(i-1, "UnexpectedSyntax", "\\%c is not an escape sequence; write \\\\ for a backslash", c))
			}
		}
	}
	panic(syntax(at, "UnexpectedSyntax", "a string that begins with %c is not closed", quote))
}

// lexNumber reads an integer (decimal, hexadecimal, octal) or a number with a point or
// an exponent. An integer that only a minus sign makes fit is returned as minInt.
func lexNumber(text string, at int) token {
	stop := at
	digits := func() {
		for stop < len(text) && isDigit(rune(text[stop])) {
			stop++
		}
	}
	if text[at] == '0' && at+1 < len(text) && strings.IndexByte("xXoO", text[at+1]) >= 0 {
		stop = wordEnd(text, at)
		return lexInteger(text, at, stop)
	}
	digits()
	float := false
	if stop+1 < len(text) && text[stop] == '.' && isDigit(rune(text[stop+1])) {
		float = true
		stop++
		digits()
	}
	if stop < len(text) && (text[stop] == 'e' || text[stop] == 'E') {
		from := stop
		stop++
		if stop < len(text) && (text[stop] == '-' || text[stop] == '+') {
			stop++
		}
		if before := stop; func() bool { digits(); return stop == before }() {
			stop = from
		} else {
			float = true
		}
	}
	if w := wordEnd(text, stop); w > stop {
		return badNumber(at, w, syntax(at, "InvalidNumberLiteral", "%q is not a number", text[at:w]))
	}
	if !float {
		return lexInteger(text, at, stop)
	}
	v, err := strconv.ParseFloat(text[at:stop], 64)
	if err != nil && math.IsInf(v, 0) {
		return badNumber(at, stop, syntax(at, "FloatingPointOverflow", "%s is too large", text[at:stop]))
	}
	return token{kind: number, at: at, end: stop, text: text[at:stop], value: v}
}

// badNumber is a token whose error is told where a number may stand.
func badNumber(at, stop int, err *Error) token {
	return token{kind: number, at: at, end: stop, value: int64(0), wrong: err}
}

// minInt stands for 9223372036854775808, of which only the negative is an integer.
type minInt struct{}

func lexInteger(text string, at, stop int) token {
	s := text[at:stop]
	base, plain := 10, s
	if len(s) > 1 && s[0] == '0' {
		switch s[1] {
		case 'x', 'X':
			base, plain = 16, s[2:]
		case 'o', 'O':
			base, plain = 8, s[2:]
		}
	}
	v, err := strconv.ParseUint(plain, base, 64)
	t := token{kind: number, at: at, end: stop, text: s, value: int64(v)}
	switch {
	case err != nil && plain != "" && strings.HasSuffix(err.Error(), strconv.ErrRange.Error()), v > 1<<63:
		return badNumber(at, stop, syntax(at, "IntegerOverflow", "%s is too large: the largest integer is 9223372036854775807", s))
	case err != nil:
		return badNumber(at, stop, syntax(at, "InvalidNumberLiteral", "%q is not a number", s))
	case v == 1<<63:
		t.value = minInt{}
	}
	return t
}
