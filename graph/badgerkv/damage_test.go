package badgerkv

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dgraph-io/badger/v4/fb"
	"github.com/hidal-go/hidalgo/kv/flat"
)

// Without our look, Badger ends the process on most of these, and on the missing
// and the shortened MANIFEST it deletes every table.
func TestDamageFoundByOpen(t *testing.T) {
	const table, vlog = "000002.sst", "000001.vlog"
	cut := func(n int) func([]byte) []byte { return func(b []byte) []byte { return b[:n] } }
	less := func(n int) func([]byte) []byte { return func(b []byte) []byte { return b[:len(b)-n] } }
	zero := func(b []byte) []byte { clear(b); return b }
	junk := func(b []byte) []byte {
		for i := range b {
			b[i] = byte(7*i + 13)
		}
		return b
	}
	flip := func(at int) func([]byte) []byte {
		return func(b []byte) []byte { b[(at+len(b))%len(b)] ^= 0x40; return b }
	}
	huge := func(b []byte) []byte { // an entry whose value would have 4 GB
		return append(b[:logHead], "\x00\x00\x01\xff\xff\xff\xff\x0f\x00k"...)
	}
	more := func(b []byte) []byte { return append(b, "more than one head"...) }

	for _, c := range []struct {
		name string
		file string
		edit func([]byte) []byte // nil: the file is removed
	}{
		{"no manifest", manifestName, nil},
		{"empty manifest", manifestName, cut(0)},
		{"manifest cut in its head", manifestName, cut(5)},
		{"manifest without its last entry", manifestName, cut(16)},
		{"manifest cut in an entry", manifestName, less(1)},
		{"manifest of junk", manifestName, junk},
		{"manifest with a flipped length", manifestName, flip(17)},
		{"manifest with a flipped entry", manifestName, flip(-1)},
		{"manifest with more behind it", manifestName, more},
		{"no table", table, nil},
		{"empty table", table, cut(0)},
		{"table cut to a few bytes", table, cut(5)},
		{"table cut by a byte", table, less(1)},
		{"table cut in half", table, func(b []byte) []byte { return b[:len(b)/2] }},
		{"table of zeros", table, zero},
		{"table of junk", table, junk},
		{"table with more behind it", table, more},
		{"table with a flipped end", table, flip(-1)},
		{"table with a flipped index", table, flip(-200)},
		{"table without its first block", table, func(b []byte) []byte { return b[100:] }},
		{"empty value log", vlog, cut(0)},
		{"value log with an entry of 4 GB", vlog, huge},
		{"key registry with an entry", registryName, func(b []byte) []byte { return append(b, "\xff\xff\xff\xff\x00\x00\x00\x00"...) }},
		{"value log of junk", vlog, junk},
		{"empty key registry", registryName, cut(0)},
		{"short key registry", registryName, cut(5)},
		{"key registry of junk", registryName, junk},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := create(t, 3000)
			path := filepath.Join(dir, c.file)
			if c.edit == nil {
				must(t, os.Remove(path))
			} else {
				edit(t, path, c.edit)
			}
			left := len(tablesIn(t, dir))
			for _, open := range []func(string, uint16) (*DB, error){OpenReadOnly, Open} {
				_, err := open(dir, version)
				wantErr(t, err, ErrDamaged)
			}
			_, err := Create(dir, version)
			wantErr(t, err, ErrExists)
			if got := len(tablesIn(t, dir)); got != left {
				t.Errorf("%d tables of %d are left", got, left)
			}
		})
	}
}

func tablesIn(t *testing.T, dir string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "*"+tableSuffix))
	must(t, err)
	return all
}

// checkContents sets how many bytes of tables every open checks throughout.
func checkContents(t *testing.T, most int64) {
	r, w := checkedForReading, checkedForMerging
	t.Cleanup(func() { checkedForReading, checkedForMerging = r, w })
	checkedForReading, checkedForMerging = most, most
}

// In tables small enough to be checked throughout, a flipped byte is found before
// it can change an answer, and before a writer makes the loss last.
func TestOpenFindsFlippedByte(t *testing.T) {
	const pairs = 3000
	dir := create(t, pairs)
	path := oneTable(t, dir)
	sound, err := os.ReadFile(path)
	must(t, err)
	checkContents(t, int64(len(sound)))
	const places = 40
	found := 0
	for i := range places {
		bad := bytes.Clone(sound)
		bad[i*len(sound)/places] ^= 0xff
		must(t, os.WriteFile(path, bad, 0o644))
		for _, open := range []func(string, uint16) (*DB, error){OpenReadOnly, Open} {
			db, err := open(dir, version)
			if err != nil {
				wantErr(t, err, ErrDamaged)
				found++
				continue
			}
			checkPairs(t, db, pairs) // the compression had room to spare
			must(t, db.Close())
		}
	}
	if found < 2*places*9/10 {
		t.Errorf("%d of %d opens found the flipped byte", found, 2*places)
	}
	checkContents(t, int64(len(sound))-1)
	bad := bytes.Clone(sound)
	bad[len(bad)/3] ^= 0xff
	must(t, os.WriteFile(path, bad, 0o644))
	db, err := OpenReadOnly(dir, version) // larger ones are left to Verify
	must(t, err)
	wantErr(t, db.Verify(), ErrDamaged)
	must(t, db.Close())
}

func TestVerifyFindsFlippedByte(t *testing.T) {
	checkContents(t, 0)
	const pairs = 3000
	dir := create(t, pairs)
	path := oneTable(t, dir)
	sound, err := os.ReadFile(path)
	must(t, err)
	passed := 0
	const places = 40
	for i := range places {
		at := i * (len(sound) * 3 / 4) / places // the last quarter is the index, which Open checks
		bad := bytes.Clone(sound)
		bad[at] ^= 0xff
		must(t, os.WriteFile(path, bad, 0o644))
		db, err := OpenReadOnly(dir, version)
		if err != nil {
			wantErr(t, err, ErrDamaged) // Badger reads the last block to open a table
			continue
		}
		if err := db.Verify(); err == nil {
			passed++
			checkPairs(t, db, pairs) // then nothing may be lost either
		} else {
			wantErr(t, err, ErrDamaged)
			if !strings.Contains(err.Error(), filepath.Base(path)) {
				t.Errorf("%q does not name the file", err)
			}
		}
		must(t, db.Close())
	}
	if passed > places/10 {
		t.Errorf("%d of %d flipped bytes were not found", passed, places)
	}
	must(t, os.WriteFile(path, sound, 0o644))
	db, err := OpenReadOnly(dir, version)
	must(t, err)
	must(t, db.Verify())
	must(t, db.Close())
}

// Badger looks at the numbers at the end of a block before it compares the block
// with its checksum. Whatever stands there, no read ends the process, and none
// gives a value that was not put.
func TestReadsOutliveBrokenBlocks(t *testing.T) {
	checkContents(t, 0)
	const pairs = 1000
	dir := create(t, pairs)
	path := oneTable(t, dir)
	sound, err := os.ReadFile(path)
	must(t, err)
	file, err := os.Open(path)
	must(t, err)
	defer file.Close()
	index, err := new(checker).indexOf(file, int64(len(sound)))
	must(t, err)
	var first, last fb.BlockOffset
	blocks := fb.GetRootAsTableIndex(index, 0)
	if n := blocks.OffsetsLength(); n < 2 || !blocks.Offsets(&first, 0) || !blocks.Offsets(&last, n-1) {
		t.Fatalf("%d blocks", n)
	}
	reported := 0
	for back := 1; back <= 40; back++ {
		bad := bytes.Clone(sound)
		bad[int(first.Len())-back] ^= 0xff
		must(t, os.WriteFile(path, bad, 0o644))
		db, err := OpenReadOnly(dir, version)
		must(t, err)
		tx := begin(t, db, false)
		for i := range pairs {
			v, err := tx.Get(bg, key(i))
			switch {
			case errors.Is(err, ErrDamaged):
				reported++
			case err != nil && err != flat.ErrNotFound:
				t.Error(err)
			case err == nil && !bytes.Equal(v, val(i)):
				t.Errorf("%q=%q", key(i), v)
			}
		}
		it := tx.Scan(bg)
		for it.Next(bg) {
			var i int
			if _, err := fmt.Sscanf(string(it.Key()), "key/%d", &i); err != nil || !bytes.Equal(it.Val(), val(i)) {
				t.Errorf("%q=%q", it.Key(), it.Val())
			}
		}
		if err := it.Close(); err != nil {
			wantErr(t, err, ErrDamaged)
		}
		must(t, tx.Close())
		must(t, db.Close())

		bad = bytes.Clone(sound)
		bad[int(last.Offset()+last.Len())-back] ^= 0xff
		must(t, os.WriteFile(path, bad, 0o644))
		_, err = OpenReadOnly(dir, version) // which reads the last block
		wantErr(t, err, ErrDamaged)
	}
	if reported == 0 {
		t.Error("Badger panics no more: guardRead can go")
	}
}

// Long values are not in a table, and Badger returns nothing for one that it
// cannot read.
func TestLongValues(t *testing.T) {
	dir := create(t, 10)
	long := bytes.Repeat([]byte("0123456789abcdef"), 100_000)
	db, err := Open(dir, version)
	must(t, err)
	put := func(tx flat.Tx) error { return tx.Put(bg, flat.Key("long"), long) }
	must(t, db.Update(bg, put))
	must(t, db.Verify())
	must(t, db.Close())

	read := func() (err error) {
		db, oerr := OpenReadOnly(dir, version)
		must(t, oerr)
		defer db.Close()
		verr := db.Verify()
		err = db.View(bg, func(tx flat.Tx) error {
			v, err := tx.Get(bg, flat.Key("long"))
			if err == nil && !bytes.Equal(v, long) {
				t.Error("another value came back")
			}
			each := flat.Each(bg, tx, func(flat.Key, flat.Value) error { return nil })
			if (each == nil) != (err == nil) {
				t.Errorf("scan: %v, but get: %v", each, err)
			}
			return err
		})
		if (verr == nil) != (err == nil) {
			t.Errorf("verify: %v, but get: %v", verr, err)
		}
		return err
	}
	must(t, read())
	logs, err := filepath.Glob(filepath.Join(dir, "*"+vlogSuffix))
	must(t, err)
	for _, path := range logs {
		if fi, err := os.Stat(path); err == nil && fi.Size() > valueInLog {
			edit(t, path, func(b []byte) []byte { b[len(b)/2] ^= 1; return b })
			wantErr(t, read(), ErrDamaged)
			must(t, os.Truncate(path, fi.Size()/2))
			wantErr(t, read(), ErrDamaged)
			must(t, os.Remove(path))
			wantErr(t, read(), ErrDamaged)
			return
		}
	}
	t.Fatal("the long value is in no value log")
}
