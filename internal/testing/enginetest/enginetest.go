// Package enginetest checks the contract of package engine. Whoever adds an engine
// runs Run on it, and then the laws of package graphtest.
package enginetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/hidal-go/hidalgo/kv/flat"

	"episodes/graph/engine"
	"episodes/internal/lock"
)

// Format is the format for which Run opens stores, unless it wants another.
const Format = 7

// Run checks the contract. fresh returns a function that opens one and the same
// location, where there is no store yet, for a format, as another process would:
// again and again.
func Run(t *testing.T, fresh func(t *testing.T) (open func(format int) engine.Store)) {
	for name, law := range map[string]func(*testing.T, func(int) engine.Store){
		"nothing there":                    nothingThere,
		"a new generation is not seen":     newIsNotSeen,
		"a discarded generation is gone":   discarded,
		"readers keep the old generation":  readersKeepTheOld,
		"a transaction is whole":           wholeTransactions,
		"a transaction sees its moment":    snapshots,
		"order, prefixes and seeking":      order,
		"limits":                           limits,
		"too big":                          tooBig,
		"another format":                   otherFormat,
		"one writer":                       oneWriter,
		"a reader and the writer":          readerAndWriter,
		"sweeping":                         sweeping,
		"an ended context":                 endedContext,
		"what is closed is there reopened": reopened,
	} {
		t.Run(name, func(t *testing.T) { law(t, fresh(t)) })
	}
}

var (
	background = context.Background()
	patient    = engine.Wait{Timeout: 10 * time.Second, Who: "enginetest"}
	short      = engine.Wait{Timeout: 30 * time.Millisecond, Who: "enginetest"}
)

// store is a store under test, with errors that fail the test.
type store struct {
	*testing.T
	engine.Store
}

func (s store) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s store) wantErr(err, want error) {
	s.Helper()
	if !errors.Is(err, want) {
		s.Errorf("got %v, want %v", err, want)
	}
}

func (s store) lock() (release func()) {
	s.Helper()
	release, err := s.Lock(background, patient)
	s.must(err)
	return release
}

func (s store) read() engine.Generation {
	s.Helper()
	g, err := s.Read(background, patient)
	s.must(err)
	return g
}

func (s store) write() engine.Generation {
	s.Helper()
	g, err := s.Write(background, patient)
	s.must(err)
	return g
}

// create begins a generation that holds some keys, each as its own value.
func (s store) create(keys ...string) engine.Generation {
	s.Helper()
	g, err := s.Create()
	s.must(err)
	s.put(g, keys...)
	return g
}

func (s store) put(g engine.Generation, keys ...string) {
	s.Helper()
	s.must(g.Update(background, func(tx flat.Tx) error {
		for _, k := range keys {
			if err := tx.Put(background, flat.Key(k), flat.Value(k)); err != nil {
				return err
			}
		}
		return nil
	}))
}

// publish makes a generation of some keys the current one.
func (s store) publish(keys ...string) {
	s.Helper()
	defer s.lock()()
	g := s.create(keys...)
	s.must(g.Close())
	s.must(s.Publish(g.Name()))
}

// wantKeys compares all that a generation holds.
func (s store) wantKeys(g engine.Generation, want ...string) {
	s.Helper()
	tx, err := g.Tx(background, false)
	s.must(err)
	defer tx.Close()
	s.wantKeysIn(tx, "", "", want...)
}

// wantKeysIn compares the keys with a prefix, from one on, with their values.
func (s store) wantKeysIn(tx flat.Tx, prefix, from string, want ...string) {
	s.Helper()
	it := tx.Scan(background).(flat.PrefixIterator).WithPrefix(flat.Key(prefix))
	defer it.Close()
	var got []string
	more := func() bool { return it.Next(background) }
	if from != "" {
		first := true
		more = func() bool {
			if first {
				first = false
				return it.(flat.Seeker).Seek(background, flat.Key(from))
			}
			return it.Next(background)
		}
	}
	for more() {
		if !bytes.Equal(it.Key(), it.Val()) {
			s.Errorf("key %q has the value %q", it.Key(), it.Val())
		}
		got = append(got, string(it.Key()))
	}
	s.must(it.Err())
	if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		s.Errorf("prefix %q from %q: got %q, want %q", prefix, from, got, want)
	}
}

func nothingThere(t *testing.T, open func(int) engine.Store) {
	s := store{t, open(Format)}
	_, err := s.Read(background, patient)
	s.wantErr(err, engine.ErrMissing)
	defer s.lock()()
	_, err = s.Write(background, patient)
	s.wantErr(err, engine.ErrMissing)
	s.must(s.Sweep())
}

func newIsNotSeen(t *testing.T, open func(int) engine.Store) {
	s := store{t, open(Format)}
	release := s.lock()
	first := s.create("a")
	_, err := s.Read(background, patient)
	s.wantErr(err, engine.ErrMissing)
	s.must(first.Close())
	s.must(s.Publish(first.Name()))

	second := s.create("b")
	if first.Name() == second.Name() {
		t.Errorf("two generations are called %q", first.Name())
	}
	g := s.read()
	s.wantKeys(g, "a")
	s.must(g.Close())
	s.must(second.Close())
	s.must(s.Publish(second.Name()))
	release()
	g = s.read()
	s.wantKeys(g, "b")
	if g.Name() != second.Name() {
		t.Errorf("the current generation is %q, published was %q", g.Name(), second.Name())
	}
	s.must(g.Close())
}

func discarded(t *testing.T, open func(int) engine.Store) {
	s := store{t, open(Format)}
	s.publish("a")
	defer s.lock()()
	g := s.create("b")
	s.must(g.Close())
	s.must(s.Discard(g.Name()))
	if err := s.Publish(g.Name()); err == nil {
		t.Error("a generation that was discarded can be published")
	}
	cur := s.read()
	s.wantKeys(cur, "a")
	s.must(cur.Close())
}

func readersKeepTheOld(t *testing.T, open func(int) engine.Store) {
	s := store{t, open(Format)}
	s.publish("a", "b")
	old := s.read()
	s.publish("c")
	s.wantKeys(old, "a", "b")
	now := store{t, open(Format)}.read()
	s.wantKeys(now, "c")
	s.wantKeys(old, "a", "b")
	s.must(now.Close())
	s.must(old.Close())
}

func wholeTransactions(t *testing.T, open func(int) engine.Store) {
	s := store{t, open(Format)}
	s.publish("a", "b")
	defer s.lock()()
	g := s.write()
	tx, err := g.Tx(background, true)
	s.must(err)
	s.must(tx.Put(background, flat.Key("c"), flat.Value("c")))
	s.must(tx.Del(background, flat.Key("a")))
	s.must(tx.Del(background, flat.Key("never there")))
	s.wantKeysIn(tx, "", "", "b", "c") // its own writes
	if v, err := tx.Get(background, flat.Key("a")); err != flat.ErrNotFound {
		t.Errorf("got %q, %v", v, err)
	}
	s.must(tx.Close()) // given up
	s.wantKeys(g, "a", "b")

	tx, err = g.Tx(background, true)
	s.must(err)
	k, v := flat.Key("d"), flat.Value("d")
	s.must(tx.Put(background, k, v))
	k[0], v[0] = 'x', 'x' // no reference is kept
	s.must(tx.Del(background, flat.Key("a")))
	s.must(tx.Commit(background))
	s.must(tx.Close())
	s.wantKeys(g, "b", "d")
	s.must(g.Verify())
	if n, err := g.Size(); err != nil || n <= 0 {
		t.Errorf("size %d, %v", n, err)
	}
	s.must(g.Close())
}

func snapshots(t *testing.T, open func(int) engine.Store) {
	s := store{t, open(Format)}
	s.publish("a")
	defer s.lock()()
	g := s.write()
	before, err := g.Tx(background, false)
	s.must(err)
	s.put(g, "b")
	s.wantKeysIn(before, "", "", "a")
	if _, err := before.Get(background, flat.Key("b")); err != flat.ErrNotFound {
		t.Errorf("a reader sees what was committed after it began: %v", err)
	}
	s.must(before.Close())
	s.wantKeys(g, "a", "b")
	s.must(g.Close())
}

func order(t *testing.T, open func(int) engine.Store) {
	s := store{t, open(Format)}
	s.publish("\x00", "a", "a\x00", "a\x00b", "aa", "a\xff", "b", "\xff", "\xff\xff")
	g := s.read()
	defer g.Close()
	tx, err := g.Tx(background, false)
	s.must(err)
	defer tx.Close()
	s.wantKeysIn(tx, "", "", "\x00", "a", "a\x00", "a\x00b", "aa", "a\xff", "b", "\xff", "\xff\xff")
	s.wantKeysIn(tx, "a", "", "a", "a\x00", "a\x00b", "aa", "a\xff")
	s.wantKeysIn(tx, "a", "a\x00a", "a\x00b", "aa", "a\xff")
	s.wantKeysIn(tx, "a", "\x00", "a", "a\x00", "a\x00b", "aa", "a\xff")
	s.wantKeysIn(tx, "a", "b")
	s.wantKeysIn(tx, "\xff", "", "\xff", "\xff\xff")
	s.wantKeysIn(tx, "c", "")
	it := tx.Scan(background).(flat.PrefixIterator).WithPrefix(flat.Key("a"))
	defer it.Close()
	for _, k := range []string{"aa", "a", "a\xff"} { // back and forth
		if !it.(flat.Seeker).Seek(background, flat.Key(k)) || string(it.Key()) != k {
			t.Errorf("sought %q, found %q", k, it.Key())
		}
	}
}

func limits(t *testing.T, open func(int) engine.Store) {
	s := store{t, open(Format)}
	defer s.lock()()
	g := s.create()
	long, large := bytes.Repeat([]byte("k"), 2<<10), bytes.Repeat([]byte("v"), 1<<20)
	s.must(g.Update(background, func(tx flat.Tx) error {
		return errors.Join(tx.Put(background, long, large), tx.Put(background, flat.Key("empty"), flat.Value{}))
	}))
	s.must(g.View(background, func(tx flat.Tx) error {
		v, err := tx.Get(background, long)
		if err != nil || !bytes.Equal(v, large) {
			t.Errorf("a long key: %d bytes, %v", len(v), err)
		}
		vs, err := tx.GetBatch(background, []flat.Key{flat.Key("empty"), flat.Key("missing")})
		if err != nil || len(vs) != 2 || vs[0] == nil || len(vs[0]) != 0 || vs[1] != nil {
			t.Errorf("an empty value and none are %#v, %v", vs, err)
		}
		return nil
	}))
	s.must(g.Close())
	s.must(s.Discard(g.Name()))
}

// tooBig fills a transaction up to 64 MB. An engine may have no limit; one that has
// leaves the transaction as it was.
func tooBig(t *testing.T, open func(int) engine.Store) {
	s := store{t, open(Format)}
	defer s.lock()()
	g := s.create()
	tx, err := g.Tx(background, true)
	s.must(err)
	value := make([]byte, 64<<10)
	n := 0
	for ; n < 1000 && err == nil; n++ {
		err = tx.Put(background, fmt.Appendf(nil, "%06d", n), value)
	}
	if err != nil {
		s.wantErr(err, engine.ErrTooBig)
		if n--; n < 16 {
			t.Errorf("only %d values of 64 KB fit into a transaction", n)
		}
	}
	s.must(tx.Commit(background))
	found := 0
	s.must(g.View(background, func(tx flat.Tx) error {
		return flat.Each(background, tx, func(flat.Key, flat.Value) error { found++; return nil })
	}))
	if found != n {
		t.Errorf("%d keys were taken, %d are there", n, found)
	}
	s.must(g.Close())
	s.must(s.Discard(g.Name()))
}

func otherFormat(t *testing.T, open func(int) engine.Store) {
	s := store{t, open(Format)}
	s.publish("a")
	for _, format := range []int{Format - 1, Format + 1} {
		other := store{t, open(format)}
		_, err := other.Read(background, patient)
		s.wantErr(err, engine.ErrVersion)
		var fe *engine.FormatError
		if !errors.As(err, &fe) || fe.Found != Format || fe.Want != format {
			t.Errorf("format %d: %v", format, err)
		}
		release := other.lock()
		_, err = other.Write(background, patient)
		s.wantErr(err, engine.ErrVersion)
		release()
	}
	other := store{t, open(Format + 1)}
	other.publish("b")
	g := other.read()
	other.wantKeys(g, "b")
	s.must(g.Close())
	_, err := s.Read(background, patient)
	s.wantErr(err, engine.ErrVersion)
}

func oneWriter(t *testing.T, open func(int) engine.Store) {
	s, other := store{t, open(Format)}, store{t, open(Format)}
	release := s.lock()
	_, err := other.Lock(background, short)
	s.wantErr(err, lock.ErrTimeout)
	release()
	release = other.lock()
	go func() {
		time.Sleep(20 * time.Millisecond)
		release()
	}()
	s.lock()() // waits
}

// readerAndWriter holds for engines of both kinds: either a writer works next to a reader,
// and the reader does not see it, or one waits for the other, and not for ever.
func readerAndWriter(t *testing.T, open func(int) engine.Store) {
	s, other := store{t, open(Format)}, store{t, open(Format)}
	s.publish("a")
	reader := s.read()
	tx, err := reader.Tx(background, false)
	s.must(err)
	release := other.lock()
	w, err := other.Write(background, short)
	if err == nil {
		s.put(w, "b")
		s.must(w.Close())
	} else {
		s.wantErr(err, lock.ErrTimeout)
	}
	s.wantKeysIn(tx, "", "", "a")
	s.must(tx.Close())
	s.must(reader.Close())

	w = other.write()
	s.put(w, "b")
	r, err := s.Read(background, short)
	if err == nil {
		s.must(r.Close())
	} else {
		s.wantErr(err, lock.ErrTimeout)
	}
	s.must(w.Close())
	release()
	r = s.read()
	s.wantKeys(r, "a", "b")
	s.must(r.Close())
}

func sweeping(t *testing.T, open func(int) engine.Store) {
	s := store{t, open(Format)}
	s.publish("a")
	old := s.read()
	s.publish("b")
	release := s.lock()
	left := s.create("never published") // as a crash leaves it
	s.must(left.Close())
	release()

	next := store{t, open(Format)}
	release = next.lock()
	s.must(next.Sweep())
	s.wantKeys(old, "a")
	s.must(old.Close())
	s.must(next.Sweep())
	release()
	g := next.read()
	s.wantKeys(g, "b")
	s.must(g.Close())
}

func endedContext(t *testing.T, open func(int) engine.Store) {
	s := store{t, open(Format)}
	s.publish("a")
	g := s.read()
	defer g.Close()
	ctx, cancel := context.WithCancel(background)
	cancel()
	if _, err := g.Tx(ctx, false); !errors.Is(err, context.Canceled) {
		t.Errorf("begin: %v", err)
	}
	tx, err := g.Tx(background, false)
	s.must(err)
	defer tx.Close()
	it := tx.Scan(background)
	defer it.Close()
	if it.Next(ctx) || !errors.Is(it.Err(), context.Canceled) {
		t.Errorf("scan: %v", it.Err())
	}
	if _, err := s.Read(ctx, patient); !errors.Is(err, context.Canceled) {
		t.Errorf("read: %v", err)
	}
}

func reopened(t *testing.T, open func(int) engine.Store) {
	s := store{t, open(Format)}
	s.publish("a")
	release := s.lock()
	for i := range 25 {
		g := store{t, open(Format)}.write()
		s.put(g, fmt.Sprintf("b%02d", i))
		s.must(g.Close())
	}
	release()
	want := []string{"a"}
	for i := range 25 {
		want = append(want, fmt.Sprintf("b%02d", i))
	}
	g := store{t, open(Format)}.read()
	s.wantKeys(g, want...)
	s.must(g.Verify())
	s.must(g.Close())
}
