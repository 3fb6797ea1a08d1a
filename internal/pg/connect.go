package pg

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"episodes/internal/lazy"
)

// DB is a project in a database, by its URL. Nothing is touched before it connects.
type DB struct {
	URL     string // without the project
	Project string // "": none is named
}

// ErrURL: the URL names no database that can be used.
var ErrURL = errors.New("not the URL of a PostgreSQL database")

// projectParameter names the project in a URL; the rest of it is as libpq has it, and what it
// leaves out is taken from libpq's places: PGHOST, PGPASSWORD, .pgpass, PGSERVICE and so on.
const (
	projectParameter = "project"
	tlsParameter     = "sslmode"
)

// Parse reads the URL of a store. A password in it is refused: others can see it in the
// list of processes. The server must prove who it is by TLS unless the URL or PGSSLMODE say
// otherwise; a socket on this machine needs none.
func Parse(store string) (*DB, error) {
	u, err := url.Parse(store)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return nil, ErrURL // not quoted: a part of it may be a password
	}
	q, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, ErrURL
	}
	if _, stated := u.User.Password(); stated || q.Has("password") || q.Has("sslpassword") {
		return nil, fmt.Errorf("%w: it holds a password, which others could see; give it in PGPASSWORD, ~/.pgpass or a service file",
			ErrURL)
	}
	d := &DB{Project: q.Get(projectParameter)}
	if err := checkName(d.Project); err != nil {
		return nil, err
	}
	q.Del(projectParameter)
	if !q.Has(tlsParameter) && os.Getenv("PGSSLMODE") == "" {
		q.Set(tlsParameter, "verify-full")
	}
	u.RawQuery = q.Encode()
	d.URL = u.String()
	return d, nil
}

// nameRule says what the name of a project is; schema.sql has the same.
const nameRule = `^[!-~]([ -~]{0,198}[!-~])?$`

var validName = lazy.Pattern(nameRule)

func checkName(project string) error {
	if project != "" && !validName().MatchString(project) {
		return fmt.Errorf("%w: the name of the project must be at most 200 printable ASCII characters, with no space at its ends",
			ErrURL)
	}
	return nil
}

// WithProject is the URL of a store with another project in it.
func WithProject(store, project string) (string, error) {
	u, err := url.Parse(store)
	if err != nil {
		return "", ErrURL
	}
	q := u.Query()
	q.Set(projectParameter, project)
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// connecting is how long one address has to answer where the URL has no connect_timeout: half
// of the time that a lost connection is tried again, so that another address has its turn.
const connecting = 5 * time.Second

// Config says how to connect; who names this process to the server.
func (d *DB) Config(who string) (*pgx.ConnConfig, error) {
	c, err := pgx.ParseConfig(d.URL)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrURL, err)
	}
	// A machine that is gone says nothing: neither at the beginning nor later.
	c.ConnectTimeout = cmp.Or(c.ConnectTimeout, connecting)
	c.DialFunc = (&net.Dialer{KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second,
		Interval: 5 * time.Second, Count: 3}}).DialContext
	c.RuntimeParams["application_name"] = strings.TrimSpace("episodes " + who)
	// What other logins made, such as a function in schema public, is not taken for the server's.
	c.RuntimeParams["search_path"] = "pg_catalog, pg_temp"
	return c, nil
}

// Connect opens one connection.
func (d *DB) Connect(ctx context.Context, who string) (*pgx.Conn, error) {
	c, err := d.Config(who)
	if err != nil {
		return nil, err
	}
	conn, err := pgx.ConnectConfig(ctx, c)
	return conn, d.Failed("connect to", err)
}

// Claims reports whether a URL begins as that of a PostgreSQL database does.
func Claims(store string) bool {
	scheme, _, _ := strings.Cut(store, ":")
	return strings.EqualFold(scheme, "postgres") || strings.EqualFold(scheme, "postgresql")
}
