// Package outbound is the one door through which this program reaches a network.
//
//	Gate     opens the door to single addresses, and remembers every knock
//	Contact  one address that was dialled since the start, or refused
//
// A client asks the Gate for a dialler of exactly one address. The dialler goes
// there and nowhere else, and, unless the user allowed another machine, only
// where that address is this machine. The linter keeps net and net/http out of
// every other package but llm, so that a list of contacts is a list of all of
// them.
package outbound

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"time"
)

// ErrDenied is returned for a connection that the Gate does not allow.
var ErrDenied = errors.New("this program may not connect there")

// Contact is one address that the program dialled, or was kept from dialling.
type Contact struct {
	Address string    `json:"address"` // host and port, as they were dialled
	Local   bool      `json:"local"`   // every address it stands for is this machine
	Dialled int       `json:"dialled"` // connections opened, or tried
	Denied  int       `json:"denied"`  // connections that were not allowed
	First   time.Time `json:"first"`
	Last    time.Time `json:"last"`
}

// DialFunc opens a connection.
type DialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// Gate hands out diallers and counts what they do. The zero value dials; it is
// safe for concurrent use.
type Gate struct {
	// Dial opens the connections that are allowed. A test that proves that
	// nothing is dialled sets it to fail.
	//
	// The default value is a net.Dialer with a timeout of 5 seconds.
	Dial DialFunc

	mu       sync.Mutex
	contacts map[string]*Contact
}

var process Gate

// Process is the Gate of this program, which lists its contacts since its start.
func Process() *Gate { return &process }

// To returns a dialler that connects to address, a host and port, and to nothing
// else. Without remote it refuses, after looking the host up, where any of the
// host's addresses is another machine.
func (g *Gate) To(address string, remote bool) DialFunc {
	return func(ctx context.Context, network, asked string) (net.Conn, error) {
		if asked != address {
			g.note(asked, false, true)
			return nil, fmt.Errorf("connect to %s: %w", asked, ErrDenied)
		}
		local, err := isLocal(ctx, address)
		if err != nil {
			g.note(address, false, false)
			return nil, err
		}
		if !local && !remote {
			g.note(address, false, true)
			return nil, fmt.Errorf("connect to %s, which is another machine: %w", address, ErrDenied)
		}
		g.note(address, local, false)
		dial := g.Dial
		if dial == nil {
			dial = (&net.Dialer{Timeout: 5 * time.Second}).DialContext
		}
		return dial(ctx, network, address)
	}
}

// isLocal reports whether every address that a host stands for is this machine.
func isLocal(ctx context.Context, address string) (bool, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false, err
	}
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsLoopback(), nil
	}
	ips, err := net.DefaultResolver.LookupIPAddr(ctx, host)
	if err != nil {
		return false, err
	}
	return !slices.ContainsFunc(ips, func(a net.IPAddr) bool { return !a.IP.IsLoopback() }), nil
}

func (g *Gate) note(address string, local, denied bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := time.Now()
	c := g.contacts[address]
	if c == nil {
		if g.contacts == nil {
			g.contacts = map[string]*Contact{}
		}
		c = &Contact{Address: address, First: now}
		g.contacts[address] = c
	}
	c.Last, c.Local = now, local
	if denied {
		c.Denied++
	} else {
		c.Dialled++
	}
}

// Contacts lists every address that was dialled or refused, the first one first.
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
