package badgerkv

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"testing"

	badger "github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/pb"
	"github.com/hidal-go/hidalgo/kv/flat"
	"pgregory.net/rapid"
)

// What is filled in is what transactions would have put there, and goes on as any
// other database does.
func TestFillEqualsPuts(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		want := map[string]string{}
		for range rapid.IntRange(0, 300).Draw(r, "n") {
			k := rapid.StringN(1, 20, 40).Draw(r, "key")
			want[k] = rapid.StringN(0, 50, 200).Draw(r, "value")
		}
		var keys []string
		for k := range want {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		dir := t.TempDir()
		f := filler(t, dir)
		for _, k := range keys {
			must(t, f.Put([]byte(k), []byte(want[k])))
		}
		must(t, f.Close())
		check := func(db *DB) {
			got := map[string]string{}
			var order []string
			must(t, db.View(bg, func(tx flat.Tx) error {
				return flat.Each(bg, tx, func(k flat.Key, v flat.Value) error {
					got[string(k)], order = string(v), append(order, string(k))
					return nil
				})
			}))
			if len(got) != len(want) || !slices.IsSorted(order) {
				r.Fatalf("%d keys, want %d", len(got), len(want))
			}
			for k, v := range want {
				if got[k] != v {
					r.Fatalf("%q is %q, want %q", k, got[k], v)
				}
			}
		}
		db, err := OpenReadOnly(dir, version)
		must(t, err)
		check(db)
		must(t, db.Verify())
		must(t, db.Close())

		// Overwriting, removing and adding work on it as on any other.
		db, err = Open(dir, version)
		must(t, err)
		must(t, db.Update(bg, func(tx flat.Tx) error {
			for i, k := range keys {
				var err error
				switch i % 3 {
				case 0:
					want[k] = "new"
					err = tx.Put(bg, flat.Key(k), flat.Value("new"))
				case 1:
					delete(want, k)
					err = tx.Del(bg, flat.Key(k))
				}
				if err != nil {
					return err
				}
			}
			return nil
		}))
		check(db)
		must(t, db.Close())
		db, err = OpenReadOnly(dir, version)
		must(t, err)
		check(db)
		must(t, db.Close())
	})
}

func TestFillLarge(t *testing.T) {
	const n = 60_000
	dir := t.TempDir()
	value := bytes.Repeat([]byte("0123456789"), 20)
	f := filler(t, dir)
	for i := range n {
		must(t, f.Put(fmt.Appendf(nil, "%08d", i+1), value))
	}
	must(t, f.Close())
	f.Cancel() // does nothing
	db, err := OpenReadOnly(dir, version)
	must(t, err)
	defer db.Close()
	must(t, db.Verify())
	seen := 0
	must(t, db.View(bg, func(tx flat.Tx) error {
		return flat.Each(bg, tx, func(k flat.Key, v flat.Value) error {
			if seen++; string(k) != fmt.Sprintf("%08d", seen) || !bytes.Equal(v, value) {
				t.Fatalf("key %d is %q", seen, k)
			}
			return nil
		})
	}))
	if seen != n {
		t.Errorf("%d keys, want %d", seen, n)
	}
}

func TestFillRefuses(t *testing.T) {
	_, err := Fill(create(t, 3), version)
	wantErr(t, err, ErrExists)
	f := filler(t, t.TempDir())
	defer f.Cancel()
	wantErr(t, f.Put([]byte("k"), make([]byte, valueLogSize+1)), ErrTooBig)
	wantErr(t, f.Put(nil, nil), ErrTooBig)
	must(t, f.Put([]byte("m"), nil))
	for _, k := range []string{"l", "m"} {
		if f.Put([]byte(k), nil) == nil {
			t.Errorf("%q after \"m\" was taken", k)
		}
	}
}

func TestPutKVIsOfBadger(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		ours, theirs := newFillBuffer(), newFillBuffer()
		for range rapid.IntRange(1, 4).Draw(r, "n") {
			k := rapid.SliceOfN(rapid.Byte(), 1, 300).Draw(r, "key")
			v := rapid.SliceOfN(rapid.Byte(), 1, 300).Draw(r, "value")
			putKV(ours, k, v)
			badger.KVToBuffer(&pb.KV{Key: k, Value: v, Version: 1}, theirs)
		}
		if !bytes.Equal(ours.Bytes(), theirs.Bytes()) {
			r.Fatalf("%x, want %x", ours.Bytes(), theirs.Bytes())
		}
	})
}

// Who gives up leaves a directory without a lock, which can be removed.
func TestFillGivenUp(t *testing.T) {
	for _, n := range []int{0, 1, 60_000} {
		dir := t.TempDir()
		f := filler(t, dir)
		for i := range n {
			must(t, f.Put(fmt.Appendf(nil, "%08d", i), make([]byte, 100)))
		}
		f.Cancel()
		f.Cancel()
		must(t, os.RemoveAll(dir))
		must(t, filler(t, dir).Close())
	}
}

// A disk that is full in the middle is told, and what was written can be given up.
func TestFillFullDisk(t *testing.T) {
	f := filler(t, t.TempDir())
	defer func(n uint64) { minFree = n }(minFree)
	minFree = 1 << 62
	var err error
	for i := 0; i < 60_000 && err == nil; i++ {
		err = f.Put(fmt.Appendf(nil, "%08d", i), make([]byte, 100))
	}
	wantErr(t, err, ErrFull)
	wantErr(t, f.Close(), ErrFull)
	f.Cancel()
}

func filler(t *testing.T, dir string) *Filler {
	t.Helper()
	f, err := Fill(dir, version)
	must(t, err)
	return f
}
