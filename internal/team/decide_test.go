package team

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"episodes/internal/pg"
	"episodes/internal/testing/pgtest"
)

// says expects an error of a kind that names something, in its message or in its hint.
func says(t *testing.T, what string, err, kind error, words ...string) {
	t.Helper()
	text := fmt.Sprint(err)
	if hint := (*pg.HintError)(nil); errors.As(err, &hint) {
		text += "; " + hint.Hint()
	}
	for _, w := range words {
		if !errors.Is(err, kind) || !strings.Contains(text, w) {
			t.Errorf("%s: %q does not say %q", what, text, w)
		}
	}
}

// Nothing of a project is left, whoever wrote it, and the other projects are as they were.
func TestRemove(t *testing.T) {
	l := newLogins(t)
	max := open(t, l.url["max"], "hidden")
	private := text("episode-of-max", "a private thing", mine)
	private.Private = true
	must(t, max.Write(t.Context(), []Episode{private}, nil))
	says(t, "a writer", max.Remove(t.Context()), pg.ErrRefused, `"ada"`)
	says(t, "a stranger", open(t, l.url["bob"], "hidden").Remove(t.Context()), ErrNoProject, "hidden")
	project, err := max.Project(t.Context())
	must(t, err)
	before := dump(t, l.own)
	must(t, open(t, l.url["ada"], "hidden").Remove(t.Context()))
	conn := pgtest.Connect(t, l.store)
	for _, table := range []string{"episode", "member", "word", "gone"} {
		if n := count(t, conn, "select count(*) from episodes."+table+" where project = $1", project.ID); n != 0 {
			t.Errorf("%d rows are left in %s", n, table)
		}
		if n := count(t, conn, "select count(*) from episodes."+table); table != "gone" && n == 0 {
			t.Errorf("nothing is left in %s of other projects", table)
		}
	}
	if err := open(t, l.url["boss"], "public").Remove(t.Context()); err != nil {
		t.Error(err)
	}
	for table, rows := range dump(t, l.own) {
		if rows != "" || before[table] == "" {
			t.Errorf("%s holds %q, held %q", table, rows, before[table])
		}
	}
}

// Who is admitted, or becomes the owner, must be there, and be able to do what it is admitted for.
func TestAdmitWhom(t *testing.T) {
	l := newLogins(t)
	ada := open(t, l.url["ada"], "public")
	before := dump(t, l.own)
	says(t, "nobody", ada.Admit(t.Context(), "nobody", false), ErrNoLogin, `"nobody"`, "on this server", "episodes_reader")
	says(t, "a role", ada.Admit(t.Context(), "episodes_writer", true), ErrNoLogin, "on this server")
	says(t, "a reader to write", ada.Admit(t.Context(), "cid", true), ErrNoLogin, `"cid" has not the role episodes_writer`)
	says(t, "a login of others", ada.Admit(t.Context(), "eve", false), ErrNoLogin, `"eve" has not the role episodes_reader`)
	says(t, "not admitted", ada.Dismiss(t.Context(), "nobody"), ErrNotAdmitted, `"nobody"`, "admitted are max")
	says(t, "given to nobody", ada.Give(t.Context(), "nobody"), ErrNoLogin, `"nobody"`, "on this server")
	says(t, "given to a reader", ada.Give(t.Context(), "cid"), ErrNoLogin, `"cid"`, "episodes_writer")
	if !maps.Equal(before, dump(t, l.own)) {
		t.Error("something changed")
	}
	must(t, ada.Dismiss(t.Context(), "max"))
	says(t, "nobody is left", ada.Dismiss(t.Context(), "max"), ErrNotAdmitted, "nobody is")
}

// What a login kept private, which may be gone by now, can be deleted by who cannot read it, and
// nothing else goes with it.
func TestDeletePrivate(t *testing.T) {
	l := newLogins(t)
	ada, max := open(t, l.url["ada"], "public"), open(t, l.url["max"], "public")
	private := text("episode-of-max", "a private thing", mine)
	private.Private = true
	must(t, max.Write(t.Context(), []Episode{private, text("episode-1", "x", common)}, nil))
	_, err := max.DeletePrivate(t.Context(), "ada")
	says(t, "a writer", err, pg.ErrRefused, `"ada"`)
	pgtest.Exec(t, l.store, "update episodes.episode set holder = 'gone' where holder = 'max'") // a login that was dropped
	before := dump(t, l.own)["episode"]
	if n, err := ada.DeletePrivate(t.Context(), ""); err != nil || n != 0 || dump(t, l.own)["episode"] != before {
		t.Errorf("what nobody keeps private: %d, %v", n, err)
	}
	if n, err := ada.DeletePrivate(t.Context(), "gone"); err != nil || n != 1 {
		t.Errorf("%d, %v", n, err)
	}
	conn := pgtest.Connect(t, l.store)
	if n := count(t, conn, "select count(*) from episodes.episode where holder = 'ada'"); n != 2 {
		t.Errorf("%d of ada's are left", n)
	}
	if n := count(t, conn, "select count(*) from episodes.episode where holder = '' and project = (select id from episodes.project where name = 'public')"); n != 2 {
		t.Errorf("%d shared episodes are left", n)
	}
}
