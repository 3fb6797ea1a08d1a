package pgtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5"
)

// Standby makes and starts a server that follows this one, with the same configuration. It
// ends with Stop.
func (s *Server) Standby() (*Server, error) {
	f, err := s.newSibling()
	if err != nil {
		return nil, err
	}
	from := fmt.Sprintf("host=%s port=%d user=owner", s.Dir, s.Port)
	out, err := f.command("pg_basebackup", "--pgdata", f.data(), "--dbname", from, "--write-recovery-conf", "--checkpoint", "fast", "--no-sync").CombinedOutput()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("pg_basebackup: %w: %s", err, out), os.RemoveAll(f.Dir))
	}
	if err := f.Start(); err != nil {
		return nil, errors.Join(err, f.Stop())
	}
	return f, nil
}

// newSibling returns an empty server with a folder of its own.
func (s *Server) newSibling() (*Server, error) {
	dir, err := os.MkdirTemp("", "pg") // short: the path of a socket has at most 107 bytes
	if err != nil {
		return nil, err
	}
	if err := s.own(dir); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return &Server{Dir: dir, Config: s.Config, bin: s.bin}, nil
}

// Promote makes a standby a server that takes changes, and waits until it does.
func (s *Server) Promote() error { return s.Run("select pg_promote()") }

// Run runs statements as the owner.
func (s *Server) Run(statements ...string) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, s.URL("postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	for _, sql := range statements {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
	}
	return nil
}

// Put writes a file that the server alone may read, such as the key of a certificate, and
// returns its path.
func (s *Server) Put(name string, data []byte) (string, error) {
	path := filepath.Join(s.Dir, name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return "", err
	}
	return path, s.own(path)
}

// Log is what the server has reported.
func (s *Server) Log() (string, error) {
	text, err := os.ReadFile(s.log())
	return string(text), err
}

// Program is one of the programs that come with the server, such as pg_dump.
func (s *Server) Program(name string) string { return filepath.Join(s.bin, name) }
