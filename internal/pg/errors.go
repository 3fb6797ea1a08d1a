package pg

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"episodes/graph/engine"
)

// What a person has to decide on.
var (
	// ErrNoStore: there are no tables, or those of another version.
	ErrNoStore = errors.New("no team store")
	// ErrNewer: the tables are those of a newer program.
	ErrNewer = fmt.Errorf("%w for this program", ErrNoStore)
	// ErrRefused: the server does not let this login in, or not do this.
	ErrRefused = errors.New("not allowed")
)

// HintError is an error with what can be done about it.
type HintError struct {
	Err  error
	hint string
}

func (e *HintError) Error() string { return e.Err.Error() }

func (e *HintError) Unwrap() error { return e.Err }

func (e *HintError) Hint() string { return e.hint }

// WithHint adds to an error what can be done about it.
func WithHint(err error, hint string) error { return &HintError{err, hint} }

// Hints about what failed before a session had begun.
const (
	hintUnreached  = "is it there, and may this machine reach it? the host is that of --store or EPISODES_STORE, else PGHOST"
	hintLogin      = "the password comes from PGPASSWORD, ~/.pgpass or a service file, the login from the URL (postgres://LOGIN@HOST/DATABASE) or PGUSER"
	hintNoDatabase = "createdb makes it, episodes store init its tables"
	hintNoTLS      = "let the server speak TLS; sslmode in the URL or PGSSLMODE say what is asked of it"
)

// Codes of errors, as PostgreSQL's manual lists them (appendix A).
const (
	undefinedTable    = "42P01"
	undefinedSchema   = "3F000"
	undefinedFunction = "42883"
	diskFull          = "53100"
	dataCorrupted     = "XX001"
	indexCorrupted    = "XX002"
	noPrivilege       = "42501"
	noDatabase        = "3D000"
	newerTables       = "EP001" // ours: see SQL
	classOfLogins     = "28"
)

// Failed says what failed, of which project, and of what kind it is; nil for nil.
func (d *DB) Failed(what string, err error) error {
	kind := kindOf(err)
	var connecting *pgconn.ConnectError
	switch {
	case err == nil:
		return nil
	case kind == err:
		return err
	case kind == engine.ErrLost && errors.As(err, &connecting):
		return &HintError{&unreachedError{d.name() + " at " + hosts(connecting.Config), connecting.Unwrap()}, hintUnreached}
	case kind == nil:
		return hinted(fmt.Errorf("%s %s: %w", what, d.name(), err))
	}
	return hinted(fmt.Errorf("%s %s: %w: %w", what, d.name(), kind, err))
}

// hinted adds a hint where there is one.
func hinted(err error) error {
	var server *pgconn.PgError
	switch {
	case !errors.As(err, &server):
		if untrusted(err) {
			return &HintError{err, hintNoTLS}
		}
	case strings.HasPrefix(server.Code, classOfLogins):
		return &HintError{err, hintLogin}
	case server.Code == noDatabase:
		return &HintError{err, hintNoDatabase}
	}
	return err
}

// unreachedError is engine.ErrLost of a connection that never was.
type unreachedError struct {
	what string
	err  error
}

func (e *unreachedError) Error() string {
	return "cannot reach " + e.what + ": " + strings.ReplaceAll(e.err.Error(), "\n", "; ")
}

func (e *unreachedError) Unwrap() []error { return []error{engine.ErrLost, e.err} }

// hosts are all that were tried.
func hosts(c *pgconn.Config) string {
	out := []string{c.Host}
	for _, f := range c.Fallbacks {
		if !slices.Contains(out, f.Host) {
			out = append(out, f.Host)
		}
	}
	return strings.Join(out, ", ")
}

func (d *DB) name() string {
	if d.Project == "" {
		return "the team's store"
	}
	return fmt.Sprintf("the store of project %q", d.Project)
}

// kindOf is the kind of an error; itself where it has one already, nil for any other.
func kindOf(err error) error {
	var server *pgconn.PgError
	var connecting *pgconn.ConnectError
	switch {
	case errors.Is(err, context.Canceled),
		errors.Is(err, context.DeadlineExceeded) && !errors.As(err, &connecting), errors.Is(err, engine.ErrLost),
		errors.Is(err, ErrNoStore), errors.Is(err, ErrRefused):
		return err
	case errors.As(err, &server):
		switch code := server.Code; {
		case code == diskFull:
			return engine.ErrFull
		case code == dataCorrupted, code == indexCorrupted:
			return engine.ErrDamaged
		case code == newerTables:
			return ErrNewer
		case code == undefinedTable, code == undefinedSchema, code == undefinedFunction:
			return ErrNoStore
		case code == noPrivilege, strings.HasPrefix(code, classOfLogins):
			return ErrRefused
		case again(code):
			return engine.ErrLost
		}
	case untrusted(err):
		return nil
	case errors.As(err, &connecting), pgconn.SafeToRetry(err), lost(err):
		return engine.ErrLost
	}
	return nil
}

// again reports whether an error with this code may be gone when all is done once more: the
// server ends or begins, became a standby, has too many connections, or transactions were in
// each other's way.
func again(code string) bool {
	switch code {
	case "40001", "40P01", "57P01", "57P02", "57P03", "25006", "53300":
		return true
	}
	return strings.HasPrefix(code, "08")
}

// untrusted reports whether a server did not prove who it is, which trying again does not mend.
func untrusted(err error) bool {
	var certificate *tls.CertificateVerificationError
	return errors.As(err, &certificate) || err != nil && strings.Contains(err.Error(), "server refused TLS")
}

// lost reports whether a connection broke.
func lost(err error) bool {
	var network net.Error
	return err != nil &&
		(errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
			errors.Is(err, net.ErrClosed) || strings.Contains(err.Error(), "conn closed"))
}
