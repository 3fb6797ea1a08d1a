package badgerkv

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"testing"

	"github.com/hidal-go/hidalgo/kv/flat"
	"github.com/hidal-go/hidalgo/kv/options"
)

// rest returns the keys that it still has.
func rest(t testing.TB, it flat.Iterator) []string {
	t.Helper()
	var got []string
	for it.Next(bg) {
		got = append(got, string(it.Key()))
		if want := "v" + string(it.Key()); string(it.Val()) != want {
			t.Errorf("value of %q is %q", it.Key(), it.Val())
		}
	}
	must(t, it.Err())
	if it.Key() != nil || it.Val() != nil || it.Next(bg) {
		t.Error("the end of an iterator is not its end")
	}
	return got
}

func TestSeekAndPrefix(t *testing.T) {
	db := newDB(t)
	tx := begin(t, db, true)
	put(t, tx, "a", "b", "b\x00", "ba", "bab", "b\xff", "c", "\xff", "\xff\xff")
	must(t, tx.Commit(bg))
	const start = "(start)" // no seek at all
	for _, c := range []struct {
		pref, seek string
		want       []string
	}{
		{"", start, []string{"a", "b", "b\x00", "ba", "bab", "b\xff", "c", "\xff", "\xff\xff"}},
		{"", "", []string{"a", "b", "b\x00", "ba", "bab", "b\xff", "c", "\xff", "\xff\xff"}},
		{"", "bb", []string{"b\xff", "c", "\xff", "\xff\xff"}},
		{"", "\xff\xff\x00", nil},
		{"b", start, []string{"b", "b\x00", "ba", "bab", "b\xff"}},
		{"b", "", []string{"b", "b\x00", "ba", "bab", "b\xff"}},
		{"b", "a", []string{"b", "b\x00", "ba", "bab", "b\xff"}},
		{"b", "ba", []string{"ba", "bab", "b\xff"}},
		{"b", "bb", []string{"b\xff"}},
		{"b", "b\xff\x00", nil},
		{"b", "c", nil},
		{"ba", "b", []string{"ba", "bab"}},
		{"\xff", start, []string{"\xff", "\xff\xff"}},
		{"\xff", "\xff\x01", []string{"\xff\xff"}},
		{"x", start, nil},
		{"x", "a", nil},
	} {
		t.Run(fmt.Sprintf("prefix %q seek %q", c.pref, c.seek), func(t *testing.T) {
			tx := begin(t, db, false)
			defer tx.Close()
			it := tx.Scan(bg, options.WithPrefixFlat(flat.Key(c.pref)))
			for range 2 { // also after Reset
				var got []string
				if c.seek == start {
					got = rest(t, it)
				} else if it.(flat.Seeker).Seek(bg, flat.Key(c.seek)) {
					got = append(got, string(it.Key()))
					got = append(got, rest(t, it)...)
				} else if it.Next(bg) {
					t.Error("Next goes on after a Seek that found nothing")
				}
				if !slices.Equal(got, c.want) {
					t.Errorf("got %q, want %q", got, c.want)
				}
				it.Reset()
			}
			must(t, it.Close())
			if it.Next(bg) || !errors.Is(it.Err(), fs.ErrClosed) {
				t.Errorf("a closed iterator: %v", it.Err())
			}
		})
	}
}

// An iterator of a write transaction shows its writes, from each new start.
func TestScanOwnWrites(t *testing.T) {
	db := newDB(t)
	tx := begin(t, db, true)
	put(t, tx, "a", "b", "c")
	must(t, tx.Commit(bg))

	tx = begin(t, db, true)
	defer tx.Close()
	it := tx.Scan(bg)
	put(t, tx, "d")
	must(t, tx.Del(bg, flat.Key("b")))
	expect := func(want ...string) {
		t.Helper()
		if got := rest(t, it); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		it.Reset()
	}
	expect("a", "c", "d")
	must(t, tx.Del(bg, flat.Key("a")))
	put(t, tx, "b")
	expect("b", "c", "d")
	second := tx.Scan(bg, options.WithPrefixFlat(flat.Key("c"))) // two at once
	if got := rest(t, second); !slices.Equal(got, []string{"c"}) {
		t.Errorf("second iterator: %q", got)
	}
	expect("b", "c", "d")
	must(t, tx.Close()) // with both iterators open
	if it.Next(bg) || !errors.Is(it.Err(), fs.ErrClosed) {
		t.Errorf("iterator of a closed transaction: %v", it.Err())
	}
	if err := it.Close(); !errors.Is(err, fs.ErrClosed) { // Close returns Err
		t.Errorf("close: %v", err)
	}
}

func TestReadersSeeTheirMoment(t *testing.T) {
	db := newDB(t)
	reader := begin(t, db, false)
	defer reader.Close()
	writer := begin(t, db, true)
	put(t, writer, "a")
	must(t, writer.Commit(bg))
	if _, err := reader.Get(bg, flat.Key("a")); err != flat.ErrNotFound {
		t.Errorf("got %v, want %v", err, flat.ErrNotFound)
	}
	if got := rest(t, reader.Scan(bg)); got != nil {
		t.Errorf("got %q", got)
	}
}
