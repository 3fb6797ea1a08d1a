package pg

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"episodes/graph/engine"
)

// What a person has to decide on.
var (
	// ErrNoStore: there are no tables, or those of another version.
	ErrNoStore = errors.New("no team store")
	// ErrRefused: the server does not let this login in, or not do this.
	ErrRefused = errors.New("not allowed")
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
	classOfLogins     = "28"
)

// Failed says what failed, of which project, and of what kind it is; nil for nil.
func (d *DB) Failed(what string, err error) error {
	kind := kindOf(err)
	switch {
	case err == nil:
		return nil
	case kind == err:
		return err
	case kind == nil:
		return fmt.Errorf("%s %s: %w", what, d.name(), err)
	}
	return fmt.Errorf("%s %s: %w: %w", what, d.name(), kind, err)
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
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded) && !errors.As(err, &connecting), errors.Is(err, engine.ErrLost), errors.Is(err, ErrNoStore), errors.Is(err, ErrRefused):
		return err
	case errors.As(err, &server):
		switch code := server.Code; {
		case code == diskFull:
			return engine.ErrFull
		case code == dataCorrupted, code == indexCorrupted:
			return engine.ErrDamaged
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
	return err != nil && (errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) || strings.Contains(err.Error(), "conn closed"))
}
