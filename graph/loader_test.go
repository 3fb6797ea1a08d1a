package graph

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cayleygraph/cayley/graph/proto"
	"github.com/google/go-cmp/cmp"
	hkv "github.com/hidal-go/hidalgo/kv"
	"github.com/hidal-go/hidalgo/kv/flat"
	protobuf "google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"episodes/causal"
	"episodes/graph/badgerkv"
)

// A sorter gives back what came, by key and in its order, whether in memory or
// from files, and as often as it is asked.
func TestSorter(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dir := t.TempDir()
		s := &sorter{dir: dir, budget: rapid.IntRange(1, 3000).Draw(rt, "budget")}
		if rapid.Bool().Draw(rt, "memory") {
			s.dir = ""
		}
		want := map[string][]string{}
		for i := range rapid.IntRange(0, 200).Draw(rt, "n") {
			k := rapid.StringN(0, 12, -1).Draw(rt, "key")
			v := fmt.Sprint(i, strings.Repeat("v", rapid.IntRange(0, 300).Draw(rt, "length")))
			want[k] = append(want[k], v)
			if err := s.add([]byte(k), []byte(v)); err != nil {
				rt.Fatal(err)
			}
		}
		for range 2 {
			got, last := map[string][]string{}, ""
			err := s.each(func(key []byte, values [][]byte) error {
				if string(key) < last || got[string(key)] != nil {
					rt.Fatalf("%q after %q", key, last)
				}
				last = string(key)
				for _, v := range values {
					got[last] = append(got[last], string(v))
				}
				return nil
			})
			if err != nil {
				rt.Fatal(err)
			}
			if d := cmp.Diff(want, got); d != "" {
				rt.Fatal(d)
			}
		}
		s.close()
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			rt.Fatalf("left: %v", left)
		}
	})
}

func TestSorterReportsACutFile(t *testing.T) {
	s := &sorter{dir: t.TempDir(), budget: 1}
	defer s.close()
	for i := range 3 {
		if err := s.add(fmt.Append(nil, i), make([]byte, 100)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.sort(); err != nil {
		t.Fatal(err)
	}
	if err := s.runs[1].file.Truncate(50); err != nil {
		t.Fatal(err)
	}
	if err := s.each(func([]byte, [][]byte) error { return nil }); err == nil {
		t.Error("no error")
	}
}

// everything reads all that a store holds.
func everything(t testing.TB, kv flat.KV) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := flat.View(background, kv, func(tx flat.Tx) error {
		return flat.Each(background, tx, func(k flat.Key, v flat.Value) error {
			all[string(k)] = string(v)
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// The same episodes give the same store, whether all fits into memory or not.
func TestRebuildsAreTheSame(t *testing.T) {
	src := generated(3, 150)
	var first map[string]string
	for _, budget := range []int{maxInMemory, 20_000, 1} {
		dir := t.TempDir()
		func() {
			defer func(n int) { maxInMemory = n }(maxInMemory)
			maxInMemory = budget
			mustRebuild(t, "badger:"+dir, src)
		}()
		db, err := badgerkv.OpenReadOnly(filepath.Join(dir, "gen-000001"), Format)
		if err != nil {
			t.Fatal(err)
		}
		all := everything(t, db)
		db.Close()
		if first == nil {
			first = all
		} else if d := cmp.Diff(first, all); d != "" {
			t.Errorf("with %d bytes: %s", budget, d)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "*", "sorted-*")); len(left) > 0 {
			t.Errorf("left: %v", left)
		}
		mustVerify(t, "badger:"+dir, src)
	}
}

func TestLoaderRefusesDisorder(t *testing.T) {
	l := newLoader(newSortedMap(), "", ours)
	eps := generator{1}.episodes(0, 2)
	for i, id := range []string{"episode-b", "episode-b", "episode-a"} {
		c := causal.Contribute(eps[0])
		c.Episode = id
		if err := l.add(background, prepare(c, "", "")); (err == nil) != (i == 0) {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// What the loader writes for Cayley is what Cayley writes for the same quads, but
// for the numbers and the times.
func TestLoaderWritesWhatCayleyWould(t *testing.T) {
	for _, n := range []int{0, 1, 2, 40, 1200} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			src := generated(4, n)
			ours, theirs := newSortedMap(), newSortedMap()
			l := newLoader(ours, "", rules{})
			tr := &transaction{kv: theirs}
			if err := tr.begin(background, true); err != nil {
				t.Fatal(err)
			}
			head, err := cayleyHead()
			if err != nil {
				t.Fatal(err)
			}
			for k, v := range head {
				if err := tr.put(background, []byte(k), v); err != nil {
					t.Fatal(err)
				}
			}
			f, err := openCayley(tr)
			if err != nil {
				t.Fatal(err)
			}
			set, _ := src.List()
			for _, e := range set {
				s, err := load(src, e)
				if err != nil {
					t.Fatal(err)
				}
				if err := l.add(background, s); err != nil {
					t.Fatal(err)
				}
				if err := f.apply(s.rec.quads(e.ID), nil); err != nil {
					t.Fatal(err)
				}
			}
			if err := l.finish(background); err != nil {
				t.Fatal(err)
			}
			if err := tr.commit(background); err != nil {
				t.Fatal(err)
			}
			is, want := withoutNumbers(t, everything(t, ours)), withoutNumbers(t, everything(t, theirs))
			if d := cmp.Diff(want, is); d != "" {
				t.Error(d)
			}
			if n > 1000 && len(is) < 0x3000 {
				t.Errorf("only %d keys: no number of two bytes is left out", len(is))
			}
		})
	}
}

// withoutNumbers is what Cayley has in a store, with hashes of values in the place
// of numbers, and without times.
func withoutNumbers(t *testing.T, all map[string]string) map[string]string {
	t.Helper()
	hash := map[uint64]string{}
	for k, v := range all {
		if k[0] == 'v' {
			n, _ := binary.Uvarint([]byte(v))
			hash[n] = k
		}
	}
	logged := map[uint64]string{}
	highest := uint64(0)
	for k, v := range all {
		if !strings.HasPrefix(k, "log/") {
			continue
		}
		var p proto.Primitive
		if err := protobuf.Unmarshal([]byte(v), &p); err != nil {
			t.Fatal(err)
		}
		parts := flat.KeyUnescape(flat.Key(k))
		if len(parts) != 2 || binary.BigEndian.Uint64(parts[1]) != p.ID {
			t.Fatalf("%q holds number %d", k, p.ID)
		}
		highest = max(highest, p.ID)
		if p.IsNode() {
			logged[p.ID] = fmt.Sprintf("%q %v", p.Value, p.Deleted)
			continue
		}
		logged[p.ID] = fmt.Sprintln(hash[p.Subject], hash[p.Predicate], hash[p.Object], hash[p.Label], p.Replaces, p.Deleted)
	}
	out := map[string]string{}
	for k, v := range all {
		switch k[0] {
		case '@', 'l':
		case 'v':
			n, _ := binary.Uvarint([]byte(v))
			out[k] = logged[n]
			delete(logged, n)
		case 's':
			n, _ := binary.Uvarint([]byte(v))
			parts := flat.KeyUnescape(flat.Key(k))
			key := string(parts[0])
			for id := range slices.Chunk(parts[1], 8) {
				key += " " + hash[binary.BigEndian.Uint64(id)]
			}
			out[key] = logged[n]
			delete(logged, n)
		default:
			out[k] = v
		}
	}
	if len(logged) > 0 {
		t.Errorf("%d in the log that nothing points at: %v", len(logged), maps.Values(logged))
	}
	if h, ok := out["meta/horizon"]; ok {
		if binary.LittleEndian.Uint64([]byte(h)) != highest {
			t.Errorf("the horizon is %x, the last number %x", h, highest)
		}
		delete(out, "meta/horizon")
	}
	return out
}

// Keys of numbers sort as the numbers do, and hold nothing that is escaped.
func TestNumbers(t *testing.T) {
	for _, c := range [][2]uint64{{0, 1}, {0x2e, 0x30}, {0x5b, 0x5d}, {0x2eff, 0x3000}, {0x125bff, 0x125d00}, {0x2effff, 0x300000}} {
		if got := nextNumber(c[0]); got != c[1] {
			t.Errorf("after %x comes %x, want %x", c[0], got, c[1])
		}
	}
	var last []byte
	for n, i := uint64(0), 0; i < 100_000; i++ {
		n = nextNumber(n)
		raw := binary.BigEndian.AppendUint64(nil, n)
		key := flat.KeyEscape(hkv.Key{raw})
		if !bytes.Equal(key, raw) || bytes.Compare(last, key) >= 0 {
			t.Fatalf("%x becomes %x, after %x", n, key, last)
		}
		last = key
	}
}
