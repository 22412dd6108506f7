// Package remote fetches a graph from a server into a file that can be imported.
//
//	SPARQL  a SPARQL 1.1 endpoint, asked page by page
//	Fetch   writes the pages as N-Quads into a file, and continues one that was cut short
//
// The file is what the import reads and cites: it begins with comments that say
// which server was asked what, and when. A server is asked only where its address
// was given, through engine/outbound.
package remote

import (
	"net/url"
	"strings"

	"cairn/engine/kg"
)

// giveUser is the remedy where a server wants to know who asks.
const giveUser = "give the user and the password apart from the address; to cairn import, --user NAME and the password in CAIRN_IMPORT_PASSWORD"

// failed is an error of a server, which is named by its address.
func failed(address, what, remedy string, cause error) error {
	return &kg.FileError{Doing: "import from", Path: address, What: what, Remedy: remedy, Cause: cause}
}

// parse reads an address that the user gave. It may hold no password, since it is
// written into files.
func parse(address string) (*url.URL, error) {
	const like = "write it like https://host/sparql"
	u, err := url.Parse(strings.TrimSpace(address))
	switch {
	case err != nil:
		return nil, failed("the server", "its address cannot be read", like, nil) // the cause might quote a password
	case u.User != nil:
		u.User = nil
		return nil, failed(u.String(), "the address holds a user or a password, which would be kept with the graph", giveUser, nil)
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, failed(address, "the address must begin with http:// or https://", like, nil)
	case u.Hostname() == "":
		return nil, failed(address, "the host's name is missing", like, nil)
	}
	u.Fragment = ""
	return u, nil
}

// oneLine is text as one line of at most limit bytes.
func oneLine(text string, limit int) string {
	text = strings.ToValidUTF8(strings.Join(strings.Fields(text), " "), "\uFFFD")
	if len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "") + "…"
	}
	return text
}
