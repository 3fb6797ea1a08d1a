package main

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/rogpeppe/go-internal/testscript"

	"episodes/internal/pg"
	"episodes/internal/testing/pgtest"
)

// The contract of the commands of a team's store, on a server of the test's own; each script
// has a database, without our tables, in EPISODES_STORE; STORE_OF_BOB is the same for a login
// that is a writer.
func TestTeamScripts(t *testing.T) {
	server, err := pgtest.New()
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	db, err := pg.Parse(server.URL("postgres"))
	must0(t, err)
	must0(t, db.Init(context.Background())) // the roles are of the server, not of a database
	pgtest.Login(t, server.URL("postgres"), "bob", "episodes_writer")
	var number atomic.Int64
	// The scripts run in parallel, and end before the server does.
	t.Run("scripts", func(t *testing.T) {
		testscript.Run(t, scripts("testdata/team", func(env *testscript.Env) error {
			ctx := context.Background()
			conn, err := pgx.Connect(ctx, server.URL("postgres"))
			if err != nil {
				return err
			}
			defer conn.Close(ctx)
			name := fmt.Sprint("script", number.Add(1))
			if _, err := conn.Exec(ctx, "create database "+name); err != nil {
				return err
			}
			env.Setenv("EPISODES_STORE", server.URL(name))
			env.Setenv("STORE_OF_BOB", strings.Replace(server.URL(name), "user=owner", "user=bob", 1))
			return nil
		}))
	})
}
