package pgkv

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/hidal-go/hidalgo/kv/flat"

	"episodes/graph/engine"
	"episodes/internal/lock"
	"episodes/internal/pg"
	"episodes/internal/testing/pgtest"
)

// A server that is killed and started again, while writers of several projects count: no
// count that was acknowledged is lost, and none is there twice. A transaction whose answer
// was lost may be there or not.
func TestKilledServer(t *testing.T) {
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
	if err == nil {
		err = db.Init(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	const projects, writers, kills = 2, 2, 3
	var wg sync.WaitGroup
	var mu sync.Mutex
	acknowledged, unsure := make([]int, projects), make([]int, projects)
	for p := range projects {
		url := project(t, server.URL("postgres"), fmt.Sprint("p", p))
		if err := prepare(Open(url, 1)); err != nil {
			t.Fatal(err)
		}
		for range writers {
			wg.Go(func() {
				for ctx.Err() == nil {
					sent, err := increment(Open(url, 1))
					mu.Lock()
					switch {
					case err == nil:
						acknowledged[p]++
					case !errors.Is(err, engine.ErrLost) && !errors.Is(err, lock.ErrTimeout):
						t.Errorf("project %d: %v", p, err)
						cancel()
					case sent:
						unsure[p]++
					}
					mu.Unlock()
				}
			})
		}
	}
	for range kills {
		time.Sleep(400 * time.Millisecond)
		if err := errors.Join(server.Kill(), server.Start()); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(400 * time.Millisecond)
	cancel()
	wg.Wait()
	for p := range projects {
		n, err := count(Open(project(t, server.URL("postgres"), fmt.Sprint("p", p)), 1))
		if err != nil || n < acknowledged[p] || n > acknowledged[p]+unsure[p] || acknowledged[p] == 0 {
			t.Errorf("project %d counts %d; acknowledged %d, unsure %d; %v", p, n, acknowledged[p], unsure[p], err)
		}
		t.Logf("project %d: %d counted, %d acknowledged, %d unsure", p, n, acknowledged[p], unsure[p])
	}
}

var impatient = engine.Wait{Timeout: 5 * time.Second, Who: "a test"}

func prepare(s engine.Store) error {
	release, err := s.Lock(context.Background(), impatient)
	if err != nil {
		return err
	}
	defer release()
	g, err := s.Create()
	if err != nil {
		return err
	}
	return errors.Join(g.Close(), s.Publish(g.Name()))
}

var counter = flat.Key("counter")

// increment counts; sent says that the server may have done it even where there is an error.
func increment(s engine.Store) (sent bool, err error) {
	ctx := context.Background()
	release, err := s.Lock(ctx, impatient)
	if err != nil {
		return false, err
	}
	defer release()
	g, err := s.Write(ctx, impatient)
	if err != nil {
		return false, err
	}
	defer g.Close()
	tx, err := g.Tx(ctx, true)
	if err != nil {
		return false, err
	}
	defer tx.Close()
	v, err := tx.Get(ctx, counter)
	if err == flat.ErrNotFound {
		v, err = make([]byte, 8), nil
	}
	if err != nil {
		return false, err
	}
	if err := tx.Put(ctx, counter, binary.BigEndian.AppendUint64(nil, binary.BigEndian.Uint64(v)+1)); err != nil {
		return false, err
	}
	return true, tx.Commit(ctx)
}

func count(s engine.Store) (int, error) {
	ctx := context.Background()
	g, err := s.Read(ctx, impatient)
	if err != nil {
		return 0, err
	}
	defer g.Close()
	tx, err := g.Tx(ctx, false)
	if err != nil {
		return 0, err
	}
	defer tx.Close()
	v, err := tx.Get(ctx, counter)
	if err != nil {
		return 0, err
	}
	return int(binary.BigEndian.Uint64(v)), nil
}

// Who lost the lock with its session cannot write, even if its transactions still could.
func TestLostLock(t *testing.T) {
	url := project(t, pgtest.Store(t), "p")
	first, second := Open(url, 1), Open(url, 1)
	if err := prepare(first); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	release, err := first.Lock(ctx, impatient)
	if err != nil {
		t.Fatal(err)
	}
	g, err := first.Write(ctx, impatient)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	release() // as when its session ends
	if _, err := increment(second); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Tx(ctx, true); !errors.Is(err, engine.ErrLost) {
		t.Errorf("it still writes: %v", err)
	}
}

// Any login can take the lock of a project by its number: writers wait, readers do not, and
// nothing is lost.
func TestForeignLock(t *testing.T) {
	store := pgtest.Store(t)
	url := project(t, store, "p")
	if err := prepare(Open(url, 1)); err != nil {
		t.Fatal(err)
	}
	if _, err := increment(Open(url, 1)); err != nil {
		t.Fatal(err)
	}
	eve := pgtest.Connect(t, pgtest.Login(t, store, "eve"))
	if _, err := eve.Exec(t.Context(), "select pg_advisory_lock($1)", lockKey(1)); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(url, 1).Lock(t.Context(), engine.Wait{Timeout: 100 * time.Millisecond}); !errors.Is(err, lock.ErrTimeout) {
		t.Errorf("a writer: %v", err)
	}
	if n, err := count(Open(url, 1)); err != nil || n != 1 {
		t.Errorf("a reader: %d, %v", n, err)
	}
	if err := eve.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := increment(Open(url, 1)); err != nil {
		t.Error(err)
	}
}
