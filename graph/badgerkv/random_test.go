package badgerkv

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hidal-go/hidalgo/kv/flat"
	"github.com/hidal-go/hidalgo/kv/options"
	"pgregory.net/rapid"

	"episodes/internal/testing/few"
)

// model is the same as a database in the simplest form: what is committed, and
// what the open transaction sees.
type model struct {
	t       *rapid.T
	dir     string
	db      *DB
	tx      flat.Tx // nil between transactions
	saved   map[string]string
	current map[string]string
}

// Few letters, so that keys meet and are prefixes of one another.
var (
	genKey  = rapid.StringOfN(rapid.SampledFrom([]rune("ab\x00\u00ff")), 1, 4, -1)
	genPref = rapid.StringOfN(rapid.SampledFrom([]rune("ab\x00\u00ff")), 0, 2, -1)
	genVal  = rapid.StringN(0, 5, -1)
)

// TestRandom does random things to a database and to a map and compares them.
// A failure prints the seed that repeats it.
func TestRandom(t *testing.T) {
	few.Checks(t, 35)
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		must(rt, err)
		defer os.RemoveAll(dir)
		m := &model{t: rt, dir: dir, saved: map[string]string{}, current: map[string]string{}}
		m.db, err = Create(dir, version)
		must(rt, err)
		defer func() { m.db.Close() }()
		rt.Repeat(map[string]func(*rapid.T){
			"put": func(rt *rapid.T) {
				k, v := genKey.Draw(rt, "key"), genVal.Draw(rt, "value")
				must(rt, m.writer().Put(bg, flat.Key(k), flat.Value(v)))
				m.current[k] = v
			},
			"delete": func(rt *rapid.T) {
				k := genKey.Draw(rt, "key")
				must(rt, m.writer().Del(bg, flat.Key(k)))
				delete(m.current, k)
			},
			"commit": func(rt *rapid.T) {
				must(rt, m.writer().Commit(bg))
				m.saved = clone(m.current)
				m.tx = nil
			},
			"give up": func(rt *rapid.T) {
				m.giveUp()
			},
			"reopen": func(rt *rapid.T) {
				// Rarely: it is a hundred times slower than the rest.
				if rapid.IntRange(0, 9).Draw(rt, "dice") > 0 {
					rt.Skip()
				}
				m.reopen(Open)
			},
			"read-only": func(rt *rapid.T) {
				if rapid.IntRange(0, 9).Draw(rt, "dice") > 0 {
					rt.Skip()
				}
				m.reopen(OpenReadOnly)
				m.compare(rt, "", "")
				must(rt, m.db.Verify())
				m.reopen(Open)
			},
			"get": func(rt *rapid.T) {
				keys := rapid.SliceOfN(genKey, 1, 5).Draw(rt, "keys")
				m.get(rt, keys)
			},
			"scan": func(rt *rapid.T) {
				m.compare(rt, genPref.Draw(rt, "prefix"), genPref.Draw(rt, "seek"))
			},
			"": func(rt *rapid.T) {
				m.compare(rt, "", "")
			},
		})
	})
}

func clone(m map[string]string) map[string]string {
	c := make(map[string]string, len(m))
	for k, v := range m {
		c[k] = v
	}
	return c
}

func (m *model) writer() flat.Tx {
	if m.tx == nil {
		tx, err := m.db.Tx(bg, true)
		must(m.t, err)
		m.tx = tx
	}
	return m.tx
}

func (m *model) giveUp() {
	if m.tx != nil {
		must(m.t, m.tx.Close())
		m.tx = nil
	}
	m.current = clone(m.saved)
}

func (m *model) reopen(open func(string, uint16) (*DB, error)) {
	m.giveUp()
	must(m.t, m.db.Close())
	db, err := open(m.dir, version)
	must(m.t, err)
	m.db = db
}

// view runs f in the open transaction, and in a new one that sees only what is
// committed.
func (m *model) view(rt *rapid.T, f func(tx flat.Tx, want map[string]string)) {
	if m.tx != nil {
		f(m.tx, m.current)
	}
	must(rt, m.db.View(bg, func(tx flat.Tx) error {
		f(tx, m.saved)
		return nil
	}))
}

func (m *model) get(rt *rapid.T, keys []string) {
	m.view(rt, func(tx flat.Tx, want map[string]string) {
		asked := make([]flat.Key, len(keys))
		for i, k := range keys {
			asked[i] = flat.Key(k)
		}
		got, err := tx.GetBatch(bg, asked)
		must(rt, err)
		for i, k := range keys {
			v, ok := want[k]
			if (got[i] != nil) != ok || string(got[i]) != v {
				rt.Fatalf("%q: got %#v, want %q %v", k, got[i], v, ok)
			}
		}
	})
}

// compare scans the keys with prefix pref from seek on, or from the start when
// seek is empty, in the database and in the map.
func (m *model) compare(rt *rapid.T, pref, seek string) {
	m.view(rt, func(tx flat.Tx, all map[string]string) {
		var want []string
		for k := range all {
			if strings.HasPrefix(k, pref) && k >= seek {
				want = append(want, k)
			}
		}
		slices.Sort(want)
		it := tx.Scan(bg, options.WithPrefixFlat(flat.Key(pref)))
		defer it.Close()
		more := func() bool { return it.Next(bg) }
		if seek != "" {
			first := true
			more = func() bool {
				if !first {
					return it.Next(bg)
				}
				first = false
				return it.(flat.Seeker).Seek(bg, flat.Key(seek))
			}
		}
		i := 0
		for ; more(); i++ {
			if i >= len(want) || string(it.Key()) != want[i] || !bytes.Equal(it.Val(), []byte(all[want[i]])) {
				rt.Fatalf("pair %d is %q=%q, want %q", i, it.Key(), it.Val(), want)
			}
		}
		must(rt, it.Err())
		if i != len(want) {
			rt.Fatalf("got %d pairs, want %q", i, want)
		}
	})
}
