package badgerkv

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/hidal-go/hidalgo/kv/flat"
)

// Each transaction of the writing child puts its number under these keys, and
// under "last"; all or none must be there afterwards.
func killKeys(i int) [2]flat.Key {
	return [2]flat.Key{fmt.Appendf(nil, "a/%08d", i), fmt.Appendf(nil, "z/%08d", i)}
}

func killVal(i int) flat.Value {
	return append(bytes.Repeat([]byte("ballast "), 8000), strconv.Itoa(i)...)
}

// childWrite commits transactions until it is killed and prints the number of
// each after its commit; with reopen it closes the database after every two dozen.
// The values are big, so that logs fill, tables are written and merged while the
// kill may come.
func childWrite(dir string, reopen bool) {
	db, err := Open(dir, version)
	if errors.Is(err, ErrMissing) {
		db, err = Create(dir, version)
	}
	if err != nil {
		panic(err)
	}
	for i := lastOf(db) + 1; ; i++ {
		if reopen && i%24 == 0 {
			if err := db.Close(); err != nil {
				panic(err)
			}
			if db, err = Open(dir, version); err != nil {
				panic(err)
			}
		}
		err := db.Update(bg, func(tx flat.Tx) error {
			for _, k := range killKeys(i) {
				if err := tx.Put(bg, k, killVal(i)); err != nil {
					return err
				}
			}
			return tx.Put(bg, flat.Key("last"), fmt.Append(nil, i))
		})
		if err != nil {
			panic(err)
		}
		fmt.Println(i)
	}
}

func lastOf(db *DB) int {
	last := 0
	err := db.View(bg, func(tx flat.Tx) error {
		v, err := tx.Get(bg, flat.Key("last"))
		if err == flat.ErrNotFound {
			return nil
		}
		if err == nil {
			last, err = strconv.Atoi(string(v))
		}
		return err
	})
	if err != nil {
		panic(err)
	}
	return last
}

func TestKillWhileWriting(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	for round, transactions := range []int{1, 40, 220} { // the last fill more than one log
		cmd, out := startChild(t, "write", dir)
		printed := 0
		for range transactions {
			if !out.Scan() {
				t.Fatalf("round %d: the child ended early", round)
			}
			n, err := strconv.Atoi(out.Text())
			must(t, err)
			printed = n
		}
		kill(cmd)

		before := snapshot(t, dir)
		_, err := OpenReadOnly(dir, version)
		wantErr(t, err, ErrUnclean)
		if snapshot(t, dir) != before {
			t.Error("the refused read-only open changed the directory")
		}
		db, err := Open(dir, version)
		must(t, err)
		checkKilled(t, db, printed)
		must(t, db.Verify())
		must(t, db.Close())

		db, err = OpenReadOnly(dir, version)
		must(t, err)
		checkKilled(t, db, printed)
		must(t, db.Close())
	}
}

// Most of the time of a short command is spent in Close, so most kills hit there.
func TestKillAnywhere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	printed := 0
	for round := range 12 {
		cmd, out := startChild(t, "write-reopen", dir)
		time.AfterFunc(time.Duration(20+9*round)*time.Millisecond, func() { _ = cmd.Process.Kill() })
		for out.Scan() {
			n, err := strconv.Atoi(out.Text())
			must(t, err)
			printed = n
		}
		kill(cmd)
		db, err := OpenReadOnly(dir, version)
		switch {
		case err == nil: // it died before it wrote or after all was in tables
			checkKilled(t, db, printed)
			must(t, db.Close())
		case !errors.Is(err, ErrMissing): // it died before it made anything
			wantErr(t, err, ErrUnclean)
		}
		if round%4 < 3 {
			continue // the next child has to cope
		}
		db, err = Open(dir, version)
		if errors.Is(err, ErrMissing) && printed == 0 {
			continue // on a busy machine none has come so far yet
		}
		must(t, err)
		checkKilled(t, db, printed)
		must(t, db.Verify())
		must(t, db.Close())
	}
}

// checkKilled fails unless every transaction up to the last is there as a whole,
// nothing after it, and none that was reported as committed is missing.
func checkKilled(t *testing.T, db *DB, printed int) {
	t.Helper()
	last := lastOf(db)
	if last < printed {
		t.Fatalf("transaction %d was committed, the last one here is %d", printed, last)
	}
	pairs := 0
	must(t, db.View(bg, func(tx flat.Tx) error {
		for i := 1; i <= last; i++ {
			for _, k := range killKeys(i) {
				v, err := tx.Get(bg, k)
				if err != nil || !bytes.Equal(v, killVal(i)) {
					return fmt.Errorf("key %q of %d: %d bytes, %v", k, last, len(v), err)
				}
			}
		}
		return flat.Each(bg, tx, func(flat.Key, flat.Value) error { pairs++; return nil })
	}))
	if pairs != 2*last+min(last, 1) {
		t.Fatalf("got %d pairs after %d transactions", pairs, last)
	}
}

// A writer can die between making a log and giving it a length. Badger's own
// recovery fails on such a file.
func TestKillBeforeLogHasLength(t *testing.T) {
	for _, name := range []string{"00009.mem", "000009.vlog"} {
		dir := create(t, 10)
		must(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
		must(t, os.WriteFile(filepath.Join(dir, pidName), []byte("1\n"), 0o644))
		_, err := OpenReadOnly(dir, version)
		wantErr(t, err, ErrUnclean)
		db, err := Open(dir, version)
		must(t, err)
		checkPairs(t, db, 10)
		must(t, db.Close())
	}
}

// A writer can die with a merged table written but not yet named in the
// MANIFEST. Only a writer may clear that up.
func TestKillWhileMerging(t *testing.T) {
	dir := create(t, 10)
	stray := filepath.Join(dir, tableName(99))
	must(t, os.WriteFile(stray, []byte("half a table"), 0o644))
	must(t, os.WriteFile(filepath.Join(dir, pidName), []byte("1\n"), 0o644))
	before := snapshot(t, dir)
	_, err := OpenReadOnly(dir, version)
	wantErr(t, err, ErrUnclean)
	if snapshot(t, dir) != before {
		t.Error("the refused read-only open changed the directory")
	}
	db, err := Open(dir, version)
	must(t, err)
	checkPairs(t, db, 10)
	must(t, db.Close())
	if _, err := os.Stat(stray); !os.IsNotExist(err) {
		t.Errorf("the stray table is still there: %v", err)
	}
}
