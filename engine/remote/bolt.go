package remote

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/config"

	"cairn/engine/outbound"
	"cairn/internal/guard"
	"cairn/internal/wording"
)

const (
	likeBolt   = "bolt://host:7687/neo4j"
	boltRemedy = "check the address: it should look like " + likeBolt + ", or bolt+s:// if the server encrypts; without the last part, the server's default database is read"
)

// bolts tells whether an address of some scheme is asked over Bolt, and encrypted.
var bolts = map[string]bool{"bolt": false, "bolt+s": true, "neo4j": false, "neo4j+s": true}

// bolt is a Neo4j server that is asked over Bolt, by the driver of its makers. The
// driver dials itself, and cannot be told otherwise; so it is given a relay. Of a
// cluster only the named machine is asked: a routing table would lead to others.
type bolt struct {
	place
	database string
	dial     outbound.DialFunc
	trust    *x509.CertPool // nil for what the system trusts

	open   sync.Mutex
	relay  *relay // nil until it is asked
	driver driver.DriverWithContext
}

// newBolt returns the database at an address. Nothing is sent yet.
func newBolt(u *url.URL, o Options) (*neo4j, error) {
	u.Path, u.RawPath = strings.TrimSuffix(u.Path, "/"), ""
	b := &bolt{place: place{u.String(), u, o.withDefaults()}, database: strings.TrimPrefix(u.Path, "/")}
	switch {
	case u.RawQuery != "" || strings.Contains(b.database, "/"):
		return nil, failed(b.address, "the address has more than a host and a database", "write it like "+likeBolt, nil)
	case o.Query != "" || o.Graph != "":
		return nil, failed(b.address, "--query and --graph are for SPARQL endpoints", "omit them: all nodes and relationships are read", nil)
	}
	b.dial = b.o.Gate.To(b.hostPort(), true)
	return &neo4j{b}, nil
}

// hostPort is what is dialled.
func (b *bolt) hostPort() string {
	return net.JoinHostPort(b.url.Hostname(), cmp.Or(b.url.Port(), "7687"))
}

// Close closes the connections to the server.
func (b *bolt) Close() {
	b.open.Lock()
	defer b.open.Unlock()
	if b.relay == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second) // to say goodbye
	defer cancel()
	_ = b.driver.Close(ctx)
	b.relay.close()
	b.relay = nil
}

// connect makes the driver and its relay, once.
func (b *bolt) connect() error {
	b.open.Lock()
	defer b.open.Unlock()
	if b.relay != nil {
		return nil
	}
	r, err := newRelay(b.dialled)
	if err != nil {
		return err
	}
	auth := driver.NoAuth()
	if b.o.User != "" {
		auth = driver.BasicAuth(b.o.User, b.o.Password, "")
	}
	path := filepath.ToSlash(strings.TrimPrefix(r.path(), filepath.VolumeName(r.path())))
	d, err := driver.NewDriverWithContext((&url.URL{Scheme: "bolt+unix", Path: path}).String(), auth, func(c *config.Config) {
		c.UserAgent, c.TelemetryDisabled = "cairn", true
		c.MaxConnectionPoolSize = 1
		c.ConnectionAcquisitionTimeout = b.o.Timeout
	})
	if err != nil {
		r.close()
		return err
	}
	b.relay, b.driver = r, d
	return nil
}

// dialled connects to the server, through the door.
func (b *bolt) dialled(ctx context.Context) (net.Conn, error) {
	conn, err := b.dial(ctx, "tcp", b.hostPort())
	if err != nil || !b.Encrypted() {
		return conn, err
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	secure := tls.Client(conn, &tls.Config{ServerName: b.url.Hostname(), RootCAs: b.trust, MinVersion: tls.VersionTLS12})
	if err := secure.HandshakeContext(ctx); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return secure, nil
}

// rows asks for the rows of a query, from an id on.
func (b *bolt) rows(ctx context.Context, query string, from int64) (rows []*element, err error) {
	if err := b.connect(); err != nil {
		return nil, failed(b.address, "the connection could not be prepared", "check that the folder for temporary files is writable", err)
	}
	err = b.o.again(ctx, func() (time.Duration, error) {
		ctx, cancel := context.WithTimeout(ctx, b.o.Timeout)
		defer cancel()
		b.relay.begin(b.o.MaxReply)
		err := guard.Do(func() (err error) { // what reads the words of others may panic
			rows, err = b.once(ctx, query, from)
			return err
		})
		if err != nil {
			return b.fault(ctx, err)
		}
		return -1, nil
	})
	return rows, err
}

// once asks in a transaction of its own, which cannot write.
func (b *bolt) once(ctx context.Context, query string, from int64) (rows []*element, err error) {
	s := b.driver.NewSession(ctx, driver.SessionConfig{AccessMode: driver.AccessModeRead, DatabaseName: b.database})
	defer func() { err = errors.Join(err, s.Close(ctx)) }()
	result, err := s.Run(ctx, query, map[string]any{"from": from, "limit": b.o.Page})
	if err != nil {
		return nil, err
	}
	for result.Next(ctx) {
		row, err := elementOf(result.Record())
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, result.Err()
}

// errStrange is a row that the query does not ask for.
var errStrange = errors.New("a row not in the requested form")

// elementOf reads a row.
func elementOf(r *driver.Record) (*element, error) {
	if len(r.Values) != 1 || r.Keys[0] != "line" {
		return nil, errStrange
	}
	line, ok := r.Values[0].(map[string]any)
	if !ok {
		return nil, errStrange
	}
	var text bytes.Buffer
	in, row := json.NewEncoder(&text), new(element)
	in.SetEscapeHTML(false)
	if err := in.Encode(plain(line)); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text.Bytes(), row); err != nil {
		return nil, errStrange
	}
	return row, nil
}

// plain writes a value as APOC does in JSON: what JSON has no form for is a text.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		all := make(map[string]any, len(v))
		for name, x := range v {
			all[name] = plain(x)
		}
		return all
	case []any:
		return wording.Each(v, plain)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Sprint(v)
		}
	case driver.Point2D:
		return pointIn(systems[v.SpatialRefId], v.X, v.Y)
	case driver.Point3D:
		return pointIn(systems[v.SpatialRefId], v.X, v.Y, v.Z)
	case time.Time:
		return v.Format(time.RFC3339Nano)
	case fmt.Stringer: // dates, times and durations, in ISO 8601
		return v.String()
	}
	return v
}

// systems are those of coordinates that Neo4j knows.
var systems = map[uint32]string{4326: "wgs-84", 4979: "wgs-84-3d", 7203: "cartesian", 9157: "cartesian-3d"}

// fault is the error of a question that failed, and how long to wait before it is asked
// again; below 0 where that is of no use.
func (b *bolt) fault(ctx context.Context, err error) (time.Duration, error) {
	why := b.relay.why()
	var said *driver.Neo4jError
	var unknown *tls.CertificateVerificationError
	var open tls.RecordHeaderError
	var misused *driver.UsageError
	var lost *driver.ConnectivityError
	switch {
	case errors.Is(why, errTooMuch):
		return -1, largeReply(b.address, b.o)
	case errors.As(why, &unknown):
		return -1, failed(b.address, "this computer does not trust the server's certificate: "+oneLine(unknown.Err.Error(), 200), "add the certificate to the system's trusted ones, or use the host name it was issued for", why)
	case errors.As(why, &open):
		return -1, failed(b.address, "the server does not encrypt", "write "+strings.Replace(b.address, "+s://", "://", 1)+" if you trust the network", why)
	case errors.Is(why, errSilent):
		return -1, failed(b.address, "the server does not respond to Bolt", boltRemedy, why)
	case why != nil:
		return -1, unreached(b.address, b.o, why)
	case errors.As(err, &said):
		wait := time.Duration(-1)
		if strings.HasPrefix(said.Code, "Neo.TransientError.") {
			wait = 0
		}
		return wait, answered(b.address, said.Code, said.Code+": "+said.Msg, boltRemedy)
	case ctx.Err() != nil:
		return -1, unreached(b.address, b.o, ctx.Err())
	case errors.Is(err, errStrange):
		return -1, failed(b.address, "the server does not respond like a Neo4j database", boltRemedy, err)
	case errors.As(err, &misused) && strings.Contains(misused.Message, "HTTP"):
		return -1, failed(b.address, "the server speaks HTTP, not Bolt", "use the port for Bolt, usually 7687, or connect over HTTP: "+likeNeo4j, err)
	case !b.relay.heard.Load():
		return -1, failed(b.address, "the server closed the connection without a reply", boltRemedy, err)
	case !errors.As(err, &lost):
		return -1, failed(b.address, "the server does not speak a Bolt version that Cairn knows: "+oneLine(err.Error(), 200), boltRemedy, err)
	}
	return 0, broken(b.address, err)
}
