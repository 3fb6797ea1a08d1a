package pg_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"episodes/graph/engine"
	"episodes/internal/pg"
	"episodes/internal/testing/pgtest"
)

// A caller decides on the kind of an error: do it again, make the store, ask for rights, make
// room, rebuild; or show it.
func TestKinds(t *testing.T) {
	kinds := []error{engine.ErrLost, engine.ErrFull, engine.ErrDamaged, pg.ErrNoStore, pg.ErrRefused, context.Canceled, context.DeadlineExceeded}
	server := func(code string) error { return &pgconn.PgError{Code: code, Message: "m"} }
	d := &pg.DB{Project: "p"}
	for _, c := range []struct {
		err, kind error
	}{
		{server("40001"), engine.ErrLost}, // serialisation
		{server("57P01"), engine.ErrLost}, // shut down
		{server("25006"), engine.ErrLost}, // a standby
		{server("08006"), engine.ErrLost},
		{io.ErrUnexpectedEOF, engine.ErrLost},
		{&net.OpError{Op: "read", Err: io.EOF}, engine.ErrLost},
		{server("53100"), engine.ErrFull},
		{server("XX001"), engine.ErrDamaged},
		{server("42P01"), pg.ErrNoStore},
		{server("42501"), pg.ErrRefused},
		{server("28P01"), pg.ErrRefused},
		{server("23505"), nil},
		{errors.New("anything else"), nil},
		{context.Canceled, context.Canceled},
		{context.DeadlineExceeded, context.DeadlineExceeded},
	} {
		err := d.Failed("read", fmt.Errorf("around: %w", c.err))
		if !errors.Is(err, c.err) {
			t.Errorf("%v: the cause is not in %v", c.err, err)
		}
		for _, k := range kinds {
			if errors.Is(err, k) != (k == c.kind) {
				t.Errorf("%v: %v, of kind %v: %v", c.err, err, k, errors.Is(err, k))
			}
		}
	}
}

func hint(err error) string {
	if h := (*pg.HintError)(nil); errors.As(err, &h) {
		return h.Hint()
	}
	return ""
}

// Who is not let in, or may not make the store, is told what to look at.
func TestHints(t *testing.T) {
	clearEnvironment(t)
	server := newServer(t)
	store := server.URL("postgres")
	ada := pgtest.Login(t, store, "ada")
	address := fmt.Sprintf("127.0.0.1:%d/", server.Port)
	connect := func(url string) error {
		conn, err := parse(t, url).Connect(t.Context(), "a test")
		if err == nil {
			_ = conn.Close(t.Context())
		}
		return err
	}
	t.Setenv("PGPASSWORD", "not this one")
	if err := connect("postgres://ada@" + address + "postgres?sslmode=disable"); !errors.Is(err, pg.ErrRefused) || !strings.Contains(hint(err), "PGPASSWORD") || !strings.Contains(hint(err), "~/.pgpass") {
		t.Errorf("a wrong password: %v; %s", err, hint(err))
	}
	t.Setenv("PGPASSWORD", pgtest.Password)
	if err := connect("postgres://ada@" + address + "nowhere?sslmode=disable"); !strings.Contains(hint(err), "createdb") {
		t.Errorf("no database: %v; %s", err, hint(err))
	}
	if err := connect("postgres://ada@" + address + "postgres?sslmode=require"); !strings.Contains(hint(err), "sslmode") {
		t.Errorf("a server without TLS: %v; %s", err, hint(err))
	}
	if err := parse(t, ada).Init(t.Context()); !errors.Is(err, pg.ErrRefused) || !strings.Contains(hint(err), "createrole") {
		t.Errorf("init by any login: %v; %s", err, hint(err))
	}
	must(t, parse(t, store).Init(t.Context()))
	if err := parse(t, ada).Init(t.Context()); !errors.Is(err, pg.ErrRefused) || !strings.Contains(hint(err), "createrole") {
		t.Errorf("init of another's tables: %v; %s", err, hint(err))
	}
}

// What a real server does when it is not there, goes away, or has not what is asked for.
func TestLostServer(t *testing.T) {
	server, err := pgtest.New()
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = server.Stop() })
	d := parse(t, server.URL("postgres")+"&project=p")
	conn, err := d.Connect(t.Context(), "a test")
	must(t, err)
	defer conn.Close(t.Context())
	if _, err := parse(t, server.URL("elsewhere")).Connect(t.Context(), "a test"); err == nil || errors.Is(err, engine.ErrLost) || !strings.Contains(err.Error(), "elsewhere") {
		t.Errorf("a database that is not there: %v", err)
	}
	must(t, server.Kill())
	_, err = conn.Exec(t.Context(), "select 1")
	if err := d.Failed("read", err); !errors.Is(err, engine.ErrLost) || !strings.Contains(err.Error(), `"p"`) {
		t.Errorf("the server was killed: %v", err)
	}
	_, err = conn.Exec(t.Context(), "select 1")
	if err := d.Failed("read", err); !errors.Is(err, engine.ErrLost) {
		t.Errorf("a connection that was lost before: %v", err)
	}
	if _, err := d.Connect(t.Context(), "a test"); !errors.Is(err, engine.ErrLost) || !strings.Contains(err.Error(), "cannot reach") || strings.Contains(err.Error(), "lost") || !strings.Contains(hint(err), "PGHOST") {
		t.Errorf("nobody there: %v; %s", err, hint(err))
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	if _, err := d.Connect(ctx, "a test"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("no time: %v", err)
	}
}

// An address at which nobody speaks does not hold up those who have another one.
func TestSilentServer(t *testing.T) {
	clearEnvironment(t)
	server := newServer(t)
	pgtest.Login(t, server.URL("postgres"), "ada")
	t.Setenv("PGPASSWORD", pgtest.Password)
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer silent.Close()
	one := "postgres://ada@" + silent.Addr().String() + "/postgres?sslmode=disable"
	two := fmt.Sprintf("postgres://ada@%s,127.0.0.1:%d/postgres?sslmode=disable", silent.Addr(), server.Port)
	if c, err := parse(t, one).Config("a test"); err != nil || c.ConnectTimeout <= 0 || c.ConnectTimeout > 10*time.Second {
		t.Errorf("it waits %s: %v", c.ConnectTimeout, err)
	}
	if _, err := parse(t, one+"&connect_timeout=1").Connect(t.Context(), "a test"); !errors.Is(err, engine.ErrLost) {
		t.Errorf("nobody speaks: %v", err)
	}
	conn, err := parse(t, two+"&connect_timeout=1").Connect(t.Context(), "a test")
	if err != nil {
		t.Fatalf("the other one: %v", err)
	}
	_ = conn.Close(t.Context())
}

// must ends a test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
