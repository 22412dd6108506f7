package rdf

import (
	"cmp"
	"strings"
)

// base is an IRI in its parts, against which relative ones are resolved (RFC 3986, 5.2).
// The zero value is no base.
type base struct{ scheme, authority, path, query string } // authority with its //, query with its ?

// splitIRI returns the parts of an IRI or a reference, each with the sign before it,
// the scheme with that after it.
func splitIRI(s string) (scheme, authority, path, query, fragment string) {
	if i := strings.IndexAny(s, ":/?#"); i > 0 && s[i] == ':' && isScheme([]byte(s[:i])) {
		scheme, s = s[:i+1], s[i+1:]
	}
	if i := strings.IndexByte(s, '#'); i >= 0 {
		s, fragment = s[:i], s[i:]
	}
	if i := strings.IndexByte(s, '?'); i >= 0 {
		s, query = s[:i], s[i:]
	}
	if strings.HasPrefix(s, "//") {
		end := strings.IndexByte(s[2:], '/')
		if end < 0 {
			return scheme, s, "", query, fragment
		}
		authority, s = s[:2+end], s[2+end:]
	}
	return scheme, authority, s, query, fragment
}

// set makes an absolute IRI the base.
func (b *base) set(iri string) {
	b.scheme, b.authority, b.path, b.query, _ = splitIRI(iri)
}

// resolve makes a reference absolute; ok is false where it is relative and there is no
// base. An absolute IRI stays as it is written.
func (b *base) resolve(ref string) (iri string, ok bool) {
	scheme, authority, path, query, fragment := splitIRI(ref)
	switch {
	case scheme != "":
		return ref, true
	case b.scheme == "":
		return "", false
	case authority != "":
		return b.scheme + authority + withoutDots(path) + query + fragment, true
	case path == "":
		query = cmp.Or(query, b.query)
		return b.scheme + b.authority + b.path + query + fragment, true
	case path[0] == '/':
		path = withoutDots(path)
	case b.authority != "" && b.path == "":
		path = withoutDots("/" + path)
	default:
		path = withoutDots(b.path[:strings.LastIndexByte(b.path, '/')+1] + path)
	}
	return b.scheme + b.authority + path + query + fragment, true
}

// withoutDots takes the segments . and .. out of a path (RFC 3986, 5.2.4).
func withoutDots(in string) string {
	if !strings.Contains(in, ".") {
		return in
	}
	var out []byte
	for in != "" {
		switch {
		case strings.HasPrefix(in, "../"):
			in = in[3:]
		case strings.HasPrefix(in, "./"), strings.HasPrefix(in, "/./"):
			in = in[2:]
		case in == "/.":
			in = "/"
		case strings.HasPrefix(in, "/../"), in == "/..":
			if in = in[3:]; in == "" {
				in = "/"
			}
			out = out[:max(strings.LastIndexByte(string(out), '/'), 0)]
		case in == "." || in == "..":
			in = ""
		default:
			end := strings.IndexByte(in[1:], '/') + 1
			if end == 0 {
				end = len(in)
			}
			out = append(out, in[:end]...)
			in = in[end:]
		}
	}
	return string(out)
}
