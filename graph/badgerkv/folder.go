package badgerkv

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	badger "github.com/dgraph-io/badger/v4"

	"episodes/graph/engine"
	"episodes/internal/fsstore"
)

// registrySize is the size in bytes of a registry without keys. We use no keys, and Badger
// allocates any length that an entry claims.
const registrySize = 28

// The names that Badger gives its files.
const (
	manifestName = "MANIFEST"
	registryName = "KEYREGISTRY"
	pidName      = "LOCK" // there from the start of a writer to its clean end
	tableSuffix  = ".sst"
	memSuffix    = ".mem" // the log of what is not in a table yet
	vlogSuffix   = ".vlog"
)

// listing is what the names in a directory say about the database in it.
type listing struct {
	data     string          // a file that shows a database, or ""
	manifest bool            // without it the directory is empty for Badger
	dirty    bool            // a writer did not end cleanly
	logged   bool            // a log waits to be replayed
	logs     []string        // of values, and of what is not in tables yet
	empty    []string        // empty logs, whose writer died
	keys     bool            // the registry is not one without keys
	tables   map[uint64]bool // by number
}

// The largest files of Badger's that are opened, in bytes: several times of what it
// writes with our settings.
const (
	maxTable = 256 << 20
	maxLog   = 64 << 20
	maxOther = 16 << 20 // MANIFEST, KEYREGISTRY, DISCARD
)

// isFolder returns a *fsstore.TypeError when dir is a link or a file.
func isFolder(dir string) error {
	info, err := os.Lstat(dir)
	if err == nil && !info.IsDir() {
		err = &fs.PathError{Op: "open", Path: dir, Err: &fsstore.TypeError{Found: info.Mode(), Folder: true}}
	}
	return err
}

// sizeLimit is the largest size of a file that Badger opens, by its name; others are
// not known.
func sizeLimit(name string) (limit int64, known bool) {
	switch name {
	case manifestName, registryName, pidName, "MANIFEST-REWRITE", "REWRITE-KEYREGISTRY", "DISCARD":
		return maxOther, true
	}
	switch filepath.Ext(name) {
	case tableSuffix:
		return maxTable, true
	case memSuffix, vlogSuffix:
		return maxLog, true
	}
	return 0, false
}

// plain returns an error for an entry that Badger must not open or overwrite: Badger follows
// links, blocks on pipes, and maps files of any size into memory.
func plain(dir string, e fs.DirEntry) error {
	limit, known := sizeLimit(e.Name())
	if !known && (e.IsDir() || e.Type().IsRegular()) {
		return nil
	}
	path := filepath.Join(dir, e.Name())
	if !e.Type().IsRegular() {
		return fmt.Errorf("%w: %q %v", ErrDamaged, path, &fsstore.TypeError{Found: e.Type()})
	}
	info, err := e.Info()
	if errors.Is(err, fs.ErrNotExist) {
		return nil // a writer merged it away meanwhile
	}
	if err == nil && info.Size() > limit {
		err = fmt.Errorf("%w: %q has %d MB, more than such a file ever has", ErrDamaged, path, info.Size()>>20)
	}
	return err
}

// list reads the names in dir.
func list(dir string) (listing, error) {
	f := listing{tables: map[uint64]bool{}}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return f, ErrMissing
	}
	if err != nil {
		return f, err
	}
	for _, e := range entries {
		name := e.Name()
		if err := plain(dir, e); err != nil {
			return f, err
		}
		base, isTable := strings.CutSuffix(name, tableSuffix)
		isLog := strings.HasSuffix(name, memSuffix) || strings.HasSuffix(name, vlogSuffix)
		switch {
		case name == pidName:
			f.dirty = true
			continue // a Create that died this early left nothing else
		case name == manifestName:
			f.manifest = true
		case isTable:
			n, err := strconv.ParseUint(base, 10, 64)
			if err != nil {
				continue // not Badger's: it passes over such a name too
			}
			f.tables[n] = true
		case isLog:
			if strings.HasSuffix(name, memSuffix) {
				f.dirty, f.logged = true, true
			}
			f.logs = append(f.logs, name)
			if fi, err := e.Info(); err == nil && fi.Size() == 0 {
				f.empty = append(f.empty, name)
			}
		case name == registryName:
			fi, err := e.Info()
			f.keys = err == nil && fi.Size() != registrySize
		default:
			continue
		}
		f.data = name
	}
	return f, nil
}

// check says why Badger must not be let at the directory, if so. Badger alone
// would take a directory without a MANIFEST for an empty one and delete its
// tables; even read-only it deletes tables that the MANIFEST does not name; and
// a table with a broken end it answers with the end of the process. young is how
// many tables were never merged.
func (f listing) check(dir string, version uint16, readOnly bool) (young int, err error) {
	if !f.manifest {
		if f.data != "" {
			return 0, fmt.Errorf("%w: %q is missing but %q is there", ErrDamaged, manifestName, f.data)
		}
		return 0, ErrMissing
	}
	m, err := readManifest(dir, version)
	if err != nil {
		return 0, err
	}
	if len(m.Levels) > 0 {
		young = len(m.Levels[0].Tables)
	}
	for id := range f.tables {
		if _, ok := m.Tables[id]; ok {
			continue
		}
		// Leftovers of a writer that died while it merged tables are Badger's to
		// delete. After a clean end there are none, so this MANIFEST is an old one.
		if !f.dirty {
			return 0, fmt.Errorf("%w: %q does not name %q", ErrDamaged, manifestName, tableName(id))
		}
		if readOnly {
			return 0, ErrUnclean
		}
	}
	if err := checkTables(dir, m, readOnly, young >= mergeFrom); err != nil {
		return 0, err
	}
	if f.keys {
		return 0, fmt.Errorf("%w: %q is not one without keys", ErrDamaged, filepath.Join(dir, registryName))
	}
	for _, name := range f.logs {
		if err := checkLog(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return 0, err
		}
	}
	if len(f.empty) > 0 && !f.dirty {
		return 0, fmt.Errorf("%w: %q is empty", ErrDamaged, f.empty[0])
	}
	if readOnly && (f.logged || len(f.empty) > 0) {
		return 0, ErrUnclean
	}
	return young, nil
}

// The size of all tables, packed, up to which every open checks each block of
// them, at some 500 MB/s; and that up to which a writer does, of all tables or else
// of those that it will merge: merging a damaged table makes its loss last, and
// Badger merges in goroutines of its own, where a panic ends the process. Variables
// for the tests.
var (
	checkedForReading int64 = 256 << 10
	checkedForMerging int64 = 32 << 20
)

// checkTables checks the ends and the order of all tables, and where those are
// small all that they hold.
func checkTables(dir string, m badger.Manifest, readOnly, merge bool) error {
	size := map[uint64]int64{}
	all := int64(0)
	for id := range m.Tables {
		fi, err := os.Stat(filepath.Join(dir, tableName(id)))
		if err != nil {
			return damaged(err)
		}
		size[id] = fi.Size()
		all += fi.Size()
	}
	most := checkedForReading
	if !readOnly {
		most = checkedForMerging
	}
	every := func(uint64) bool { return all <= most }
	if !readOnly && merge && all > most {
		merged, most := toMerge(m), checkedForMerging
		for id := range merged {
			most -= size[id]
		}
		if most >= 0 {
			every = func(id uint64) bool { return merged[id] }
		}
	}
	var c checker
	for _, id := range tableIDs(m) { // in order, so that of two damaged ones always the same is reported
		if err := c.table(filepath.Join(dir, tableName(id)), m.Tables[id].Compression, every(id)); err != nil {
			return damaged(err)
		}
	}
	return nil
}

// toMerge returns the tables that a merge of the young ones reads: these, and the
// level below them.
func toMerge(m badger.Manifest) map[uint64]bool {
	merged := map[uint64]bool{}
	for i, level := range m.Levels {
		for id := range level.Tables {
			merged[id] = true
		}
		if i > 0 && len(level.Tables) > 0 {
			break
		}
	}
	return merged
}

// dropEmpty removes the empty logs, over which Badger's recovery stumbles.
func (f listing) dropEmpty(dir string) error {
	for _, name := range f.empty {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// damaged adds ErrDamaged to the error of a check, unless the check could not be
// made for a reason that lies outside the file.
func damaged(err error) error {
	if _, ok := errors.AsType[*fs.PathError](err); ok && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrDamaged, err)
}

// readManifest reads the list of tables. Errors: ErrDamaged, ErrVersion.
func readManifest(dir string, version uint16) (badger.Manifest, error) {
	var none badger.Manifest
	file, err := os.Open(filepath.Join(dir, manifestName))
	if err != nil {
		return none, damaged(err)
	}
	defer file.Close()

	// The head is read here first, so that an error can name both versions.
	var head [8]byte
	if _, err := io.ReadFull(file, head[:]); err != nil || string(head[:4]) != "Bdgr" {
		return none, fmt.Errorf("%w: %q does not begin as one", ErrDamaged, manifestName)
	}
	if found := binary.BigEndian.Uint16(head[4:]); found != version {
		return none, &engine.FormatError{Found: int(found), Want: int(version)}
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return none, err
	}
	m, _, err := badger.ReplayManifestFile(file, version, badger.Options{})
	if err != nil {
		if meaning(err) == ErrVersion {
			return none, engineError(manifestName, err)
		}
		return none, fmt.Errorf("%w: %q: %s", ErrDamaged, manifestName, tidy(err.Error()))
	}
	return m, nil
}

// tableIDs returns the numbers of the tables in order.
func tableIDs(m badger.Manifest) []uint64 {
	return slices.Sorted(maps.Keys(m.Tables))
}

func tableName(id uint64) string { return fmt.Sprintf("%06d%s", id, tableSuffix) }
