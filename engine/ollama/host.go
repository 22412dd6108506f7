package ollama

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"strings"

	"cairn/engine/llm"
)

// DefaultHost is where Ollama listens unless it was told otherwise.
const DefaultHost = "http://127.0.0.1:11434"

// Host returns the address of a host as the user typed it (a name, with or
// without a port or "http://"), and whether it is this machine. Names are not
// looked up: the only one that is this machine is "localhost".
func Host(host string) (u *url.URL, local bool, err error) {
	host = cmp.Or(strings.TrimSpace(host), DefaultHost)
	fail := func(detail string) error {
		return failure(llm.ErrHost, fmt.Sprintf("(%q: %s)", host, detail), "write it like "+DefaultHost, nil)
	}
	if !strings.Contains(host, "://") {
		if strings.Count(host, ":") > 1 && !strings.HasPrefix(host, "[") {
			host = "[" + host + "]" // a bare IPv6 address
		}
		host = "http://" + host
	}
	u, err = url.Parse(host)
	switch {
	case err != nil:
		return nil, false, fail("it is not an address")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, false, fail("it must begin with http:// or https://")
	case u.Hostname() == "":
		return nil, false, fail("the host's name is missing")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, false, fail("it may hold only a host, a port and a path")
	case strings.ContainsFunc(u.Hostname(), func(r rune) bool { return r > '~' }):
		return nil, false, fail("letters outside ASCII must be written as the network knows them, xn--…")
	}
	name := u.Hostname()
	port := u.Port()
	if ip := net.ParseIP(name); ip != nil && ip.IsUnspecified() {
		name = "127.0.0.1" // what a server listens on is not what a client calls
	}
	if port == "" && u.Scheme == "http" {
		port = "11434"
	}
	u.Host = name
	if strings.Contains(name, ":") {
		u.Host = "[" + name + "]"
	}
	if port != "" {
		u.Host = net.JoinHostPort(name, port)
	}
	ip := net.ParseIP(name)
	return u, strings.EqualFold(name, "localhost") || ip != nil && ip.IsLoopback(), nil
}

// dialled returns the host and port that a client of u connects to.
func dialled(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = "443" // Host gives every other address a port
	}
	return net.JoinHostPort(u.Hostname(), port)
}
