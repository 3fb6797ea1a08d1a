package badgerkv

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"testing"
	"time"

	"github.com/hidal-go/hidalgo/kv/flat"
	"github.com/hidal-go/hidalgo/kv/kvtest"
)

// hidalgo's own suite: order, prefixes, seeks, read-only transactions, and ten
// writers that must not lose an increment.
func TestHidalgo(t *testing.T) {
	kvtest.RunTestLocal(t, flat.UpgradeOpenPath(func(path string) (flat.KV, error) {
		return Create(path, version)
	}), nil)
}

func newDB(t testing.TB) *DB {
	t.Helper()
	db, err := Create(filepath.Join(t.TempDir(), "db"), version)
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	return db
}

func begin(t testing.TB, db *DB, rw bool) flat.Tx {
	t.Helper()
	tx, err := db.Tx(bg, rw)
	must(t, err)
	return tx
}

func put(t testing.TB, tx flat.Tx, keys ...string) {
	t.Helper()
	for _, k := range keys {
		must(t, tx.Put(bg, flat.Key(k), flat.Value("v"+k)))
	}
}

func TestTooBig(t *testing.T) {
	db := newDB(t)
	tx := begin(t, db, true)
	defer tx.Close()
	wantErr(t, tx.Put(bg, flat.Key("k"), make([]byte, valueLogSize+1)), ErrTooBig)
	wantErr(t, tx.Put(bg, make([]byte, maxKey+1), nil), ErrTooBig)
	wantErr(t, tx.Del(bg, make([]byte, maxKey+1)), ErrTooBig)
	must(t, tx.Put(bg, bytes.Repeat([]byte("k"), maxKey), make([]byte, valueLogSize)))
}

func TestRefusedKeys(t *testing.T) {
	db := newDB(t)
	tx := begin(t, db, true)
	defer tx.Close()
	for _, k := range []string{"", "!badger!x"} {
		if err := tx.Put(bg, flat.Key(k), nil); err == nil {
			t.Errorf("put %q was taken", k)
		}
		if err := tx.Del(bg, flat.Key(k)); err == nil {
			t.Errorf("delete %q was taken", k)
		}
		if _, err := tx.Get(bg, flat.Key(k)); err != flat.ErrNotFound {
			t.Errorf("get %q: %v", k, err)
		}
	}
}

func TestWritersTakeTurns(t *testing.T) {
	db := newDB(t)
	first := begin(t, db, true)
	ctx, cancel := context.WithTimeout(bg, 20*time.Millisecond)
	defer cancel()
	if _, err := db.Tx(ctx, true); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("second writer: got %v", err)
	}
	got := make(chan error)
	go func() {
		tx, err := db.Tx(bg, true)
		if err == nil {
			err = tx.Close()
		}
		got <- err
	}()
	must(t, first.Commit(bg))
	must(t, <-got)

	// A cancelled commit writes nothing and lets the next one in.
	tx := begin(t, db, true)
	put(t, tx, "a")
	if err := tx.Commit(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("commit: got %v", err)
	}
	tx = begin(t, db, true)
	defer tx.Close()
	if _, err := tx.Get(bg, flat.Key("a")); err != flat.ErrNotFound {
		t.Errorf("got %v", err)
	}
	it := tx.Scan(bg)
	if it.Next(ctx) || !errors.Is(it.Err(), context.DeadlineExceeded) {
		t.Errorf("scan: got %v", it.Err())
	}
}

func TestAfterTheEnd(t *testing.T) {
	closed := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%s: got %v", what, err)
		}
	}
	uses := func(what string, tx flat.Tx) {
		t.Helper()
		_, err := tx.Get(bg, key(0))
		closed(what+": get", err)
		_, err = tx.GetBatch(bg, []flat.Key{key(0)})
		closed(what+": get batch", err)
		closed(what+": put", tx.Put(bg, key(0), nil))
		closed(what+": delete", tx.Del(bg, key(0)))
		it := tx.Scan(bg)
		if it.Next(bg) {
			t.Errorf("%s: scan goes on", what)
		}
		closed(what+": scan", it.Err())
		closed(what+": commit", tx.Commit(bg))
		must(t, tx.Close())
	}
	db, err := Create(filepath.Join(t.TempDir(), "db"), version)
	must(t, err)
	tx := begin(t, db, true)
	put(t, tx, "a", "b")
	must(t, tx.Commit(bg))
	uses("committed", tx)

	// Close with everything still open, and a writer waiting.
	tx = begin(t, db, true)
	put(t, tx, "c")
	reader := begin(t, db, false)
	it := reader.Scan(bg)
	if !it.Next(bg) {
		t.Fatal(it.Err())
	}
	waiting := make(chan error)
	go func() {
		_, err := db.Tx(bg, true)
		waiting <- err
	}()
	time.Sleep(5 * time.Millisecond)
	must(t, db.Close())
	closed("waiting writer", <-waiting)
	if it.Val() != nil || it.Next(bg) {
		t.Error("an iterator goes on")
	}
	closed("iterator", it.Err())
	_ = it.Close()
	must(t, reader.Close())
	uses("open at close", tx)
	_, err = db.Tx(bg, false)
	closed("tx", err)
	_, err = db.Tx(bg, true)
	closed("tx", err)
	closed("verify", db.Verify())
	must(t, db.Close())
}
