package team

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"episodes/internal/pg"
)

// What the owner of a project decides, or a login with the role episodes_owner. For all others
// the error is pg.ErrRefused, and names the owner; ErrNoProject where they see no project.

// ErrNoLogin: the server has no such login, or it has not the role that it needs.
var ErrNoLogin = errors.New("no such login")

// ErrNotAdmitted: a login was not admitted to the project.
var ErrNotAdmitted = errors.New("not admitted")

// Admit lets a login read the project although it is private, and write to it. The error is
// ErrNoLogin where there is no such login.
func (s *Store) Admit(ctx context.Context, login string, writes bool) error {
	const what = "admit a login to"
	done, err := s.decide(ctx, what, "admit($1, $2, $3)", login, writes)
	if err == nil && !done {
		role := "episodes_reader"
		if writes {
			role = writerRole
		}
		err = s.whyNot(ctx, what, login, role)
	}
	return err
}

const writerRole = "episodes_writer"

// Give makes another login the owner of the project. The error is ErrNoLogin where there is no
// such login, or it may not write to a store.
func (s *Store) Give(ctx context.Context, login string) error {
	const what = "give away"
	done, err := s.decide(ctx, what, "give($1, $2)", login)
	if err == nil && !done {
		err = s.whyNot(ctx, what, login, writerRole)
	}
	return err
}

// whyNot says what a login lacks.
func (s *Store) whyNot(ctx context.Context, what, login, role string) error {
	found, err := query(ctx, s, what, pgx.RowTo[bool], "select rolcanlogin from pg_roles where rolname = $1", login)
	switch {
	case err != nil:
		return err
	case len(found) == 0 || !found[0]:
		err = fmt.Errorf("%w on this server: %q", ErrNoLogin, login)
		return pg.WithHint(s.db.Failed(what, err), "who administers the database makes it, and grants it "+role)
	}
	err = fmt.Errorf("%w in the store: %q has not the role %s", ErrNoLogin, login, role)
	return pg.WithHint(s.db.Failed(what, err), "who administers the database grants it")
}

// Dismiss takes back what Admit gave. The error is ErrNotAdmitted for a login that was never
// admitted.
func (s *Store) Dismiss(ctx context.Context, login string) error {
	const what = "dismiss a login from"
	done, err := s.decide(ctx, what, "dismiss($1, $2)", login)
	if err != nil || done {
		return err
	}
	admitted, err := query(ctx, s, what, pgx.RowTo[string],
		"select login from episodes.member m join episodes.project p on p.id = m.project where p.name = $1 order by 1",
		s.db.Project)
	if err != nil {
		return err
	}
	hint := "nobody is admitted"
	if len(admitted) > 0 {
		hint = "admitted are " + strings.Join(admitted, ", ")
	}
	return pg.WithHint(s.db.Failed(what, fmt.Errorf("%q is %w", login, ErrNotAdmitted)), hint)
}

// DeletePrivate deletes what a login keeps private in the project, which nobody else can read,
// and counts it. There need be no such login any more.
func (s *Store) DeletePrivate(ctx context.Context, login string) (int, error) {
	const what = "delete episodes from"
	if err := s.mayDecide(ctx, what); err != nil {
		return 0, err
	}
	deleted, err := query(ctx, s, what, pgx.RowTo[int], "select episodes.delete_private($1, $2)", s.db.Project, login)
	if err != nil {
		return 0, err
	}
	return deleted[0], nil
}

// Remove deletes the project with all that it holds, also what logins keep private there.
func (s *Store) Remove(ctx context.Context) error {
	_, err := s.decide(ctx, "delete", "remove($1)")
	return err
}

// Reveal shows the project to all who may read the store.
func (s *Store) Reveal(ctx context.Context) error {
	_, err := s.decide(ctx, "reveal", "set_private($1, false)")
	return err
}

// Hide hides the project from everybody who was not admitted. If it does not exist it is created,
// so that it can be hidden before the first push.
func (s *Store) Hide(ctx context.Context) error {
	const what = "hide"
	var done *bool
	err := s.begin(ctx, what, func(tx pgx.Tx) error {
		if _, err := s.db.MakeProject(ctx, tx); err != nil {
			return err
		}
		return tx.QueryRow(ctx, "select episodes.set_private($1, true)", s.db.Project).Scan(&done)
	})
	if err == nil && done == nil {
		err = s.mayDecide(ctx, what)
	}
	return err
}

// decide calls a function of the store, which does something for who may decide, and does it
// for nobody else. It reports whether it did.
func (s *Store) decide(ctx context.Context, what, call string, args ...any) (bool, error) {
	done, err := query(ctx, s, what, pgx.RowTo[*bool], "select episodes."+call, append([]any{s.db.Project}, args...)...)
	if err != nil || done[0] != nil {
		return err == nil, err
	}
	return false, s.mayDecide(ctx, what)
}

// mayDecide is nil for who may decide about the project.
func (s *Store) mayDecide(ctx context.Context, what string) error {
	type answer struct {
		Owner string
		May   bool
	}
	rows, err := query(ctx, s, what, pgx.RowToStructByPos[answer],
		"select owner, id in (select episodes.owned(name)) from episodes.project where name = $1", s.db.Project)
	switch {
	case err != nil:
		return err
	case len(rows) == 0:
		return fmt.Errorf("%q: %w", s.db.Project, ErrNoProject)
	case !rows[0].May:
		err := fmt.Errorf("%s project %q: %w: it is of %q", what, s.db.Project, pg.ErrRefused, rows[0].Owner)
		return pg.WithHint(err, fmt.Sprintf("%s decides about it, or a login with the role episodes_owner", rows[0].Owner))
	}
	return nil
}
