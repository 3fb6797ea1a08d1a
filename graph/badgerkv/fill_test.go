package badgerkv

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

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
		rest := keys
		must(t, Fill(dir, version, func() (key, value []byte, ok bool) {
			if len(rest) == 0 {
				return nil, nil, false
			}
			k := rest[0]
			rest = rest[1:]
			return []byte(k), []byte(want[k]), true
		}))
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
	i := 0
	must(t, Fill(dir, version, func() (k, v []byte, ok bool) {
		i++
		return fmt.Appendf(nil, "%08d", i), value, i <= n
	}))
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
	dir := create(t, 3)
	wantErr(t, Fill(dir, version, func() (k, v []byte, ok bool) { return nil, nil, false }), ErrExists)
	once := true
	wantErr(t, Fill(t.TempDir(), version, func() (k, v []byte, ok bool) {
		ok, once = once, false
		return []byte("k"), make([]byte, valueLogSize+1), ok
	}), ErrTooBig)
}
