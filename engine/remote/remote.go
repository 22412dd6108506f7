// Package remote fetches a graph from a server into a file that can be imported.
//
//	Open   a SPARQL 1.1 endpoint, or a database of a Neo4j server, over HTTP or Bolt
//	Fetch  writes its pages into a file, and continues one that was cut short
//
// The file is what the import reads and cites: it begins with comments that say
// which server was asked what, and when. A server is asked only where its address
// was given, through engine/outbound.
package remote

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"path/filepath"
	"strings"

	"cairn/engine/kg"
	"cairn/internal/wording"
)

// Server is one that gives its graph page by page.
type Server interface {
	// Address is where the server is, without credentials.
	Address() string
	// Query is what is asked, before it is cut into pages.
	Query() string
	// Encrypted reports whether nobody on the way can read what is sent.
	Encrypted() bool
	// Host is the name of the server's machine, in letters that a file's name may have.
	Host() string
	// Ending is that of a file's name with what Fetch writes.
	Ending() string
	// Close closes the connections to the server.
	Close()
	// page asks for what comes after some rows; it is empty at the end.
	page(ctx context.Context, after Fetched) (page, error)
	pageSize() int
}

// place is where a server is, and how it is asked.
type place struct {
	address string // as it was given, which names the server in files and messages
	url     *url.URL
	o       Options
}

// Address implements Server.
func (p *place) Address() string { return p.address }

// Encrypted implements Server.
func (p *place) Encrypted() bool { return p.url.Scheme == "https" || bolts[p.url.Scheme] }

// Host implements Server.
func (p *place) Host() string { return strings.ReplaceAll(p.url.Hostname(), ":", "-") }

func (p *place) pageSize() int { return p.o.Page }

// overNeo4j begins the addresses of Neo4j servers that are asked over HTTP.
const overNeo4j = "neo4j+"

// Open returns the server at address: a SPARQL endpoint, or with bolt://, bolt+s://,
// neo4j+http:// or neo4j+https:// a Neo4j server. Nothing is sent yet.
func Open(address string, o Options) (Server, error) {
	u, err := parse(address)
	if err != nil {
		return nil, err
	}
	if _, ok := bolts[u.Scheme]; ok {
		return newBolt(u, o)
	}
	if strings.HasPrefix(u.Scheme, overNeo4j) {
		return newNeo4j(u, o)
	}
	return newSPARQL(u, o)
}

// failed is an error of a server, which is named by its address.
func failed(address, what, remedy string, cause error) error {
	return &kg.FileError{Doing: "import from", Path: address, What: what, Remedy: remedy, Cause: cause}
}

// parse reads an address that the user gave. It may hold no password, since it is
// written into files.
func parse(address string) (*url.URL, error) {
	const like = "write it like https://host/sparql, " + likeBolt + " or " + likeNeo4j
	u, err := url.Parse(strings.TrimSpace(address))
	switch {
	case err != nil:
		return nil, failed("the server", "its address cannot be read", like, nil) // the cause might quote a password
	case u.User != nil:
		u.User = nil
		return nil, failed(u.String(), "the address contains a user or a password, which would be stored with the graph", whoAsks, nil)
	}
	_, overBolt := bolts[u.Scheme]
	switch scheme := strings.TrimPrefix(u.Scheme, overNeo4j); {
	case scheme == "http" || scheme == "https" || overBolt:
	case strings.HasSuffix(scheme, "ssc"):
		return nil, failed(address, "an untrusted certificate could be anyone's", "add it to the system's trusted ones, and use bolt+s://", nil)
	default:
		return nil, failed(address, "the address must begin with http://, https://, bolt:// or bolt+s://", like, nil)
	}
	if u.Hostname() == "" {
		return nil, failed(address, "the host name is missing", like, nil)
	}
	u.Fragment = ""
	return u, nil
}

// oneLine is text as one line of at most limit bytes.
func oneLine(text string, limit int) string {
	text = strings.ToValidUTF8(wording.OneLine(text), "\uFFFD")
	if len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "") + "…"
	}
	return text
}

// Origin says in words what is asked of a server, for ingest.Options.
func Origin(s Server) string {
	return "from " + s.Address() + ", asked " + wording.OneLine(s.Query())
}

// File is where what is fetched for a graph's file is kept: beside it, one file for
// each server and query.
func File(s Server, graph string) string {
	sum := sha256.Sum256([]byte(s.Address() + "\n" + s.Query()))
	name := filepath.Base(strings.TrimSuffix(graph, filepath.Ext(graph)))
	if name != s.Host() {
		name += "-" + s.Host()
	}
	return filepath.Join(filepath.Dir(graph), name+"-"+hex.EncodeToString(sum[:4])+s.Ending())
}
