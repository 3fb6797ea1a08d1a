package badgerkv

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	badger "github.com/dgraph-io/badger/v4"
)

// What the machine lacks is not the fault of the files, and is told apart from damage.
func TestMeaning(t *testing.T) {
	for _, c := range []struct{ err, want error }{
		{badger.ErrEncryptionKeyMismatch, ErrDamaged},
		{badger.ErrTruncateNeeded, ErrUnclean},
		{badger.ErrDBClosed, fs.ErrClosed},
		{errors.New(`Opening table: "x" err: failed to initialize biggest for table x err: failed to decompress`), ErrDamaged},
		{errors.New(`Opening file: "x" err: open x: permission denied`), fs.ErrPermission},
		{errors.New("write x: no space left on device"), ErrFull},
		{errors.New(`failed to initialize table err: open x: too many open files`), nil},
		{errors.New("while mmapping MANIFEST: cannot allocate memory"), nil},
		{badger.ErrEmptyKey, nil},
	} {
		if got := meaning(fmt.Errorf("while working err: %+v", c.err)); got != c.want { // as Badger wraps it
			t.Errorf("%v: got %v, want %v", c.err, got, c.want)
		}
	}
}

// The errors that Badger makes only when it meets them. This is where a new
// Badger with other words shows.
func TestMeaningOfRealErrors(t *testing.T) {
	for _, c := range []struct {
		name     string
		spoil    func(dir string)
		readOnly bool
		version  uint16
		want     error
	}{
		{"no directory", func(dir string) { must(t, os.RemoveAll(dir)) }, true, version, ErrMissing},
		{"no manifest", func(dir string) { must(t, os.Remove(filepath.Join(dir, manifestName))) }, true, version, ErrMissing},
		{"other version", func(string) {}, true, version + 1, ErrVersion},
		{"no table", func(dir string) { must(t, os.Remove(oneTable(t, dir))) }, true, version, ErrDamaged},
		{"flipped manifest", func(dir string) {
			edit(t, filepath.Join(dir, manifestName), func(b []byte) []byte { b[len(b)-1]++; return b })
		}, true, version, ErrDamaged},
		{"long manifest", func(dir string) {
			edit(t, filepath.Join(dir, manifestName), func(b []byte) []byte { return append(b, "more than one head"...) })
		}, true, version, ErrDamaged},
		{"flipped index", func(dir string) {
			edit(t, oneTable(t, dir), func(b []byte) []byte { b[len(b)-200]++; return b })
		}, true, version, ErrDamaged},
		{"lock", func(dir string) {
			db, err := Open(dir, version)
			must(t, err)
			t.Cleanup(func() { db.Close() })
		}, false, version, ErrLocked},
		{"log to replay", func(dir string) {
			must(t, os.WriteFile(filepath.Join(dir, "00009.mem"), make([]byte, 1000), 0o644))
		}, true, version, ErrUnclean},
		{"log of junk", func(dir string) {
			junk := append(make([]byte, 20), bytes.Repeat([]byte{0xff}, 1000)...)
			must(t, os.WriteFile(filepath.Join(dir, "00009.mem"), junk, 0o644))
		}, false, version, ErrDamaged},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := create(t, 3000)
			c.spoil(dir)
			db, err := badger.Open(settings(dir, c.version).WithReadOnly(c.readOnly))
			if err == nil {
				db.Close()
			}
			if got := meaning(err); got != c.want {
				t.Errorf("%v: got %v, want %v", err, got, c.want)
			}
		})
	}
}

func TestGuard(t *testing.T) {
	err := func() (err error) {
		defer guard(&err, "verify")
		var none []byte
		_ = none[len(os.Args)]
		return nil
	}()
	wantErr(t, err, ErrDamaged)
}
