package team

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"episodes/internal/pg"
)

// Store is a connection to the memory of a team, for one project of it. Its methods may be
// called by several goroutines, one after another. A method during which the connection is lost
// fails with engine.ErrLost, and the next one connects again.
type Store struct {
	db   *pg.DB
	who  string
	mu   sync.Mutex
	conn *pgx.Conn
}

// Project is a repository in the store.
type Project struct {
	ID       int64  `json:"-"`
	Name     string `json:"name"`
	Owner    string `json:"owner"`
	Private  bool   `json:"private"`
	Sessions int    `json:"sessions"` // shared episodes
}

// ErrNoProject: nothing was pushed under this name, or this login may not read it.
var ErrNoProject = errors.New("no such project in the team store")

// Is reports whether a URL is that of a team's store.
func Is(url string) bool { return pg.Claims(url) }

// Open connects; who names this process to the server.
func Open(ctx context.Context, url, who string) (*Store, error) {
	db, err := pg.Parse(url)
	if err != nil {
		return nil, err
	}
	s := &Store{db: db, who: who}
	if s.conn, err = db.Connect(ctx, who); err != nil {
		return nil, err
	}
	if err := db.Failed("open", pg.CheckVersion(ctx, s.conn)); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Name is the name of the project.
func (s *Store) Name() string { return s.db.Project }

// Close ends the connection.
func (s *Store) Close() {
	const patience = 5 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_ = s.conn.Close(ctx) // nothing is under way on it
}

// Login is whom the server takes this connection for.
func (s *Store) Login(ctx context.Context) (string, error) {
	logins, err := query(ctx, s, "ask", pgx.RowTo[string], "select session_user::text")
	if err != nil {
		return "", err
	}
	return logins[0], nil
}

// Projects lists what this login may read, by name.
func (s *Store) Projects(ctx context.Context) ([]Project, error) {
	return s.projects(ctx, "true")
}

// Project is the one that the store was opened for. The error is ErrNoProject where there is
// none.
func (s *Store) Project(ctx context.Context) (Project, error) {
	list, err := s.projects(ctx, "name = $1", s.db.Project)
	if err == nil && len(list) == 0 {
		return Project{}, fmt.Errorf("%q: %w", s.db.Project, ErrNoProject)
	}
	if err != nil {
		return Project{}, err
	}
	return list[0], nil
}

func (s *Store) projects(ctx context.Context, where string, args ...any) ([]Project, error) {
	return query(ctx, s, "list", func(row pgx.CollectableRow) (p Project, err error) {
		return p, row.Scan(&p.ID, &p.Name, &p.Owner, &p.Private, &p.Sessions)
	}, "select id, name, owner, private, sessions from episodes.project where "+where+" order by name", args...)
}

// live connects again where the connection was lost. What was under way on it is not done again.
func (s *Store) live(ctx context.Context) error {
	if !s.conn.IsClosed() {
		return nil
	}
	conn, err := s.db.Connect(ctx, s.who)
	if err == nil {
		s.conn = conn
	}
	return err
}

// query collects the rows of a statement.
func query[T any](ctx context.Context, s *Store, what string, scan pgx.RowToFunc[T], sql string, args ...any) ([]T, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.live(ctx); err != nil {
		return nil, err
	}
	rows, err := s.conn.Query(ctx, sql, args...)
	if err != nil {
		return nil, s.db.Failed(what, err)
	}
	out, err := pgx.CollectRows(rows, scan)
	return out, s.db.Failed(what, err)
}

// begin runs fn in a transaction.
func (s *Store) begin(ctx context.Context, what string, fn func(pgx.Tx) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.live(ctx); err != nil {
		return err
	}
	return s.db.Failed(what, pgx.BeginFunc(ctx, s.conn, fn))
}

// ProjectOf is the project that a URL names; "" for none.
func ProjectOf(url string) (string, error) {
	db, err := pg.Parse(url)
	if err != nil {
		return "", err
	}
	return db.Project, nil
}

// WithProject is the URL with another project in it.
func WithProject(url, project string) (string, error) { return pg.WithProject(url, project) }
