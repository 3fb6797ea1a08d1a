package badgerkv

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hidal-go/hidalgo/kv/flat"
)

func TestCreateAndOpen(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "made", "on the way")
	_, err := Open(dir, version)
	wantErr(t, err, ErrMissing)
	_, err = OpenReadOnly(dir, version)
	wantErr(t, err, ErrMissing)
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Fatal("a failed open made the directory")
	}

	db, err := Create(dir, version)
	must(t, err)
	must(t, db.Update(bg, func(tx flat.Tx) error { return tx.Put(bg, key(0), val(0)) }))
	must(t, db.Close())
	must(t, db.Close())

	_, err = Create(dir, version)
	wantErr(t, err, ErrExists)
	for _, open := range []func(string, uint16) (*DB, error){Open, OpenReadOnly} {
		db, err := open(dir, version)
		must(t, err)
		checkPairs(t, db, 1)
		must(t, db.Close())
	}
	_, err = Open(root, version)
	wantErr(t, err, ErrMissing)
}

// The directory may hold files of others, and what a Create that died in its
// first moments leaves.
func TestCreateBesideOthers(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"notes.txt", "my.sst", pidName, "MANIFEST-REWRITE"} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o644))
	}
	_, err := Open(dir, version)
	wantErr(t, err, ErrMissing)
	db, err := Create(dir, version)
	must(t, err)
	must(t, db.Close())
	db, err = OpenReadOnly(dir, version)
	must(t, err)
	must(t, db.Close())
}

func TestReadOnlyChangesNothing(t *testing.T) {
	const pairs = 20000
	dir := create(t, pairs)
	before := snapshot(t, dir)
	db, err := OpenReadOnly(dir, version)
	must(t, err)
	second, err := OpenReadOnly(dir, version) // many may read at once
	must(t, err)
	checkPairs(t, db, pairs)
	checkPairs(t, second, pairs)
	must(t, db.Verify())
	if _, err := db.Tx(bg, true); err != flat.ErrReadOnly {
		t.Errorf("write transaction: got %v, want %v", err, flat.ErrReadOnly)
	}
	must(t, db.Close())
	must(t, second.Close())
	if after := snapshot(t, dir); after != before {
		t.Errorf("before:\n%safter:\n%s", before, after)
	}
}

// It must work for a user who may only read.
func TestReadOnlyWithoutWritePermission(t *testing.T) {
	dir := create(t, 10)
	must(t, os.Chmod(dir, 0o555))
	defer os.Chmod(dir, 0o755)
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return os.Chmod(path, 0o444)
	}))
	db, err := OpenReadOnly(dir, version)
	must(t, err)
	checkPairs(t, db, 10)
	must(t, db.Close())
}

// To open for reading is work that does not grow with the data: nothing is
// scanned. Allocations tell, whatever the machine does.
func TestReadOnlyOpenDoesNotScan(t *testing.T) {
	open := func(n int) float64 {
		dir := create(t, n)
		return testing.AllocsPerRun(5, func() {
			db, err := OpenReadOnly(dir, version)
			must(t, err)
			must(t, db.Close())
		})
	}
	small, large := open(200), open(20000)
	t.Logf("allocations: %.0f at 200 pairs, %.0f at 20 000", small, large)
	if large > 3*small {
		t.Errorf("open and close took %.0f allocations at 200 pairs, %.0f at 20 000", small, large)
	}
}

func TestLocked(t *testing.T) {
	dir := create(t, 10)
	for _, c := range []struct {
		role              string
		mayRead, mayWrite bool
	}{
		{"hold", false, false},
		{"hold-read", true, false},
	} {
		cmd, out := startChild(t, c.role, dir)
		if !out.Scan() {
			t.Fatal("the child did not open the database")
		}
		check := func(what string, may bool, open func(string, uint16) (*DB, error)) {
			db, err := open(dir, version)
			if !may {
				wantErr(t, err, ErrLocked)
				return
			}
			if err != nil {
				t.Errorf("%s beside %s: %v", what, c.role, err)
				return
			}
			must(t, db.Close())
		}
		check("read", c.mayRead, OpenReadOnly)
		check("write", c.mayWrite, Open)
		check("create", false, Create)
		kill(cmd)
		db, err := Open(dir, version) // a killed holder holds nothing
		must(t, err)
		_, err = Open(dir, version) // nor may the same process open it twice
		wantErr(t, err, ErrLocked)
		checkPairs(t, db, 10)
		must(t, db.Close())
	}
}

func TestVersion(t *testing.T) {
	dir := create(t, 10)
	before := snapshot(t, dir)
	for _, open := range []func(string, uint16) (*DB, error){Open, OpenReadOnly} {
		_, err := open(dir, version+1)
		wantErr(t, err, ErrVersion)
		for _, part := range []string{fmt.Sprintf("found version %d", version), fmt.Sprintf("want %d", version+1)} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q does not say %q", err, part)
			}
		}
	}
	// Badger's own format.
	path := filepath.Join(dir, manifestName)
	edit(t, path, func(b []byte) []byte { b[7]++; return b })
	_, err := Open(dir, version)
	wantErr(t, err, ErrVersion)
	edit(t, path, func(b []byte) []byte { b[7]--; return b })

	// Only the time of the file that was edited may differ.
	if len(before) != len(snapshot(t, dir)) {
		t.Error("the directory changed")
	}
	db, err := Open(dir, version)
	must(t, err)
	must(t, db.Close())
}

func TestFull(t *testing.T) {
	dir := create(t, 10)
	before := snapshot(t, dir)
	old := minFree
	defer func() { minFree = old }()
	minFree = 1 << 62

	_, err := Create(filepath.Join(t.TempDir(), "db"), version)
	wantErr(t, err, ErrFull)
	_, err = Open(dir, version)
	wantErr(t, err, ErrFull)
	if snapshot(t, dir) != before {
		t.Error("the refused open changed the directory")
	}
	db, err := OpenReadOnly(dir, version) // reading needs no room
	must(t, err)
	must(t, db.Close())

	// The disk fills during a long load.
	minFree = old
	db, err = Open(dir, version)
	must(t, err)
	defer db.Close()
	minFree = 1 << 62
	for range 20 {
		err = db.Update(bg, func(tx flat.Tx) error { return tx.Put(bg, flat.Key("x"), make([]byte, 1<<20-1)) })
		if err != nil {
			break
		}
	}
	wantErr(t, err, ErrFull)
}

func TestSize(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	db, err := Create(dir, version)
	must(t, err)
	empty, err := db.Size()
	must(t, err)
	if empty <= 0 || empty > 4<<20 { // its logs have 49 MB of holes
		t.Errorf("an empty database takes %d bytes", empty)
	}
	must(t, db.Update(bg, func(tx flat.Tx) error {
		return tx.Put(bg, flat.Key("long"), make([]byte, 5<<20))
	}))
	must(t, db.Close())
	db, err = OpenReadOnly(dir, version)
	must(t, err)
	if full, err := db.Size(); err != nil || full < 5<<20 {
		t.Errorf("with 5 MB in it: %d bytes, %v", full, err)
	}
	must(t, db.Close())
}
