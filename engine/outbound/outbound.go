// Package outbound is the one door through which this program reaches a network.
//
//	Gate     opens the door to single addresses, and remembers every knock
//	Contact  one address that was dialled since the start, or refused
//
// A client asks the Gate for a dialler of exactly one address. The dialler goes
// there and nowhere else, and, unless the user allowed another machine, only
// where that address is this machine. Nor is a name looked up unless it may be
// dialled: looking up is a message to a name server. The linter keeps net and
// net/http out of every other package but ollama and remote, so that a list of contacts is a
// list of all of them.
package outbound

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"time"
)

// ErrDenied is returned for a connection that the Gate does not allow.
var ErrDenied = errors.New("this program may not connect there")

// Contact is one address that the program dialled, or was kept from dialling.
type Contact struct {
	Address string `json:"address"` // host and port, as they were asked for
	Local   bool   `json:"local"`   // every address it stands for is this machine
	// LookedUp counts how often the host's name was given to the system's
	// resolver, which may ask a name server. It is 0 for addresses in numbers and
	// for "localhost", which is known without asking.
	LookedUp int       `json:"looked_up"`
	Dialled  int       `json:"dialled"` // connections opened, or tried
	Denied   int       `json:"denied"`  // connections that were not allowed
	First    time.Time `json:"first"`
	Last     time.Time `json:"last"`
}

// DialFunc opens a connection.
type DialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// LookupFunc finds the addresses of a host's name.
type LookupFunc func(ctx context.Context, host string) ([]net.IPAddr, error)

// Gate hands out diallers and counts what they do. The zero value dials; it is
// safe for concurrent use. Its fields are set before it is used.
type Gate struct {
	// Dial opens the connections that are allowed. It is given addresses in
	// numbers only. A test that proves that nothing is dialled sets it to fail.
	//
	// The default value is a net.Dialer with a timeout of 5 seconds.
	Dial DialFunc
	// Lookup finds the addresses of a name that may be dialled.
	//
	// The default value is the system's resolver.
	Lookup LookupFunc

	mu       sync.Mutex
	contacts map[string]*Contact
}

var process Gate

// Process is the Gate of this program, which lists its contacts since its start.
func Process() *Gate { return &process }

// To returns a dialler that connects to address, a host and port, and to nothing
// else. Without remote it connects only to "localhost" and to numbers that mean
// this machine. A name is looked up once a connection, and what was found is what
// is dialled: a name that points elsewhere a moment later changes nothing.
func (g *Gate) To(address string, remote bool) DialFunc {
	return func(ctx context.Context, network, asked string) (net.Conn, error) {
		if asked != address {
			g.note(asked, func(c *Contact) { c.Denied++ })
			return nil, fmt.Errorf("connect to %s: %w", asked, ErrDenied)
		}
		host, port, err := net.SplitHostPort(address)
		if err != nil {
			return nil, fmt.Errorf("connect to %s: %w", address, err)
		}
		ips, local, err := g.find(ctx, address, host, remote)
		if err != nil {
			return nil, err
		}
		g.note(address, func(c *Contact) { c.Dialled++; c.Local = local })
		return g.dial(ctx, network, ips, port)
	}
}

// find returns the addresses that a host stands for, and whether all of them are
// this machine.
func (g *Gate) find(ctx context.Context, address, host string, remote bool) (ips []net.IP, local bool, err error) {
	ip := net.ParseIP(host)
	switch {
	case strings.EqualFold(host, "localhost"): // RFC 6761, section 6.3
		return []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}, true, nil
	case ip != nil && (remote || ip.IsLoopback()):
		return []net.IP{ip}, ip.IsLoopback(), nil
	case !remote:
		g.note(address, func(c *Contact) { c.Denied++ })
		return nil, false, fmt.Errorf("connect to %s, which is another machine: %w", address, ErrDenied)
	}
	g.note(address, func(c *Contact) { c.LookedUp++ })
	lookup := g.Lookup
	if lookup == nil {
		lookup = net.DefaultResolver.LookupIPAddr
	}
	found, err := lookup(ctx, host)
	if err != nil {
		return nil, false, fmt.Errorf("look up %s: %w", host, err)
	}
	local = len(found) > 0
	for _, a := range found {
		ips = append(ips, a.IP)
		local = local && a.IP.IsLoopback()
	}
	return ips, local, nil
}

// dial tries the addresses in order until one answers.
func (g *Gate) dial(ctx context.Context, network string, ips []net.IP, port string) (net.Conn, error) {
	dial := g.Dial
	if dial == nil {
		dial = (&net.Dialer{Timeout: 5 * time.Second}).DialContext
	}
	err := errors.New("the name stands for no address")
	for _, ip := range ips {
		conn, failed := dial(ctx, network, net.JoinHostPort(ip.String(), port))
		if failed == nil {
			return conn, nil
		}
		if err = failed; ctx.Err() != nil {
			break
		}
	}
	return nil, err
}

// saysLocal reports whether an address is this machine's as it stands, without
// asking anybody.
func saysLocal(address string) bool {
	host, _, err := net.SplitHostPort(address)
	return err == nil && (strings.EqualFold(host, "localhost") || net.ParseIP(host).IsLoopback())
}

// note changes the record of an address.
func (g *Gate) note(address string, change func(*Contact)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := time.Now()
	c := g.contacts[address]
	if c == nil {
		if g.contacts == nil {
			g.contacts = map[string]*Contact{}
		}
		c = &Contact{Address: address, Local: saysLocal(address), First: now}
		g.contacts[address] = c
	}
	c.Last = now
	change(c)
}

// Contacts lists every address that was dialled, looked up or refused, the first
// one first.
func (g *Gate) Contacts() []Contact {
	g.mu.Lock()
	defer g.mu.Unlock()
	list := make([]Contact, 0, len(g.contacts))
	for _, c := range g.contacts {
		list = append(list, *c)
	}
	slices.SortFunc(list, func(a, b Contact) int {
		return cmp.Or(a.First.Compare(b.First), cmp.Compare(a.Address, b.Address))
	})
	return list
}
