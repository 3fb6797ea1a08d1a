package reflexion

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"episodes/internal/fsstore"
)

// Store keeps the records of loops in DIR/reflections/<loop-id>/001.json and so on
// (guide, "Long-Term Memory"). Each loop has its own files. A record is written once and
// never changed.
type Store struct{ dir *fsstore.Dir }

const reflectionsDir = "reflections"

// OpenStore opens the store in a folder for reading; a missing one is empty.
func OpenStore(path string) (*Store, error) {
	d, err := fsstore.Open(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return &Store{d}, nil
}

// CreateStore opens the store in a folder for writing and creates a missing folder.
func CreateStore(path string) (*Store, error) {
	d, err := fsstore.Create(path)
	if err != nil {
		return nil, err
	}
	return &Store{d}, nil
}

// existing opens a folder of the store. If it does not exist, the error is fs.ErrNotExist.
func (s *Store) existing(name string) (*fsstore.Dir, error) {
	if s.dir == nil {
		return nil, fs.ErrNotExist
	}
	return s.dir.Existing(name)
}

// Reopen opens the folder again after it was removed and recreated.
func (s *Store) Reopen() error {
	again, err := fsstore.Create(s.dir.Path(""))
	if err != nil {
		return err
	}
	s.dir.Close()
	s.dir = again
	return nil
}

// Close releases the folder.
func (s *Store) Close() { s.dir.Close() }

// DamageError lists the files of a loop that are no valid records. It accompanies the
// valid ones.
type DamageError struct{ Files []error }

func (e *DamageError) Error() string { return errors.Join(e.Files...).Error() }

func (e *DamageError) Unwrap() []error { return e.Files }

// ErrNoLoop means that there are no records of a loop.
var ErrNoLoop = errors.New("no such loop")

// Save writes one record. Errors: fs.ErrExist when the iteration has a record already,
// *InvalidError when the record is invalid.
func (s *Store) Save(r *Record) error {
	data, err := Marshal(r)
	if err != nil {
		return err
	}
	d, err := s.dir.Sub(reflectionsDir + "/" + r.LoopID)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.WriteOnce(FileName(r.Iteration), data)
}

// Clean removes temporary files of killed writers. The caller must hold the loop's lock.
func (s *Store) Clean(loopID string) error {
	d, err := s.existing(reflectionsDir + "/" + loopID)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Clean()
}

// Path is the file of an iteration.
func (s *Store) Path(loopID string, iteration int) string {
	return s.dir.Path(reflectionsDir + "/" + loopID + "/" + FileName(iteration))
}

// LoopIDs lists the loops that have records, sorted.
func (s *Store) LoopIDs() ([]string, error) {
	d, err := s.existing(reflectionsDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	names, err := d.Names()
	return slices.DeleteFunc(names, func(n string) bool { return !ValidLoopID(n) }), err
}

// Has reports whether anything is kept of a loop.
func (s *Store) Has(id string) (bool, error) {
	d, err := s.existing(reflectionsDir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer d.Close()
	return d.Exists(id), nil
}

// Loop reads the records of a loop, by iteration. Errors: ErrNoLoop when there are none,
// *DamageError, together with the valid records, when some files are invalid.
func (s *Store) Loop(id string) ([]*Record, error) {
	if !ValidLoopID(id) {
		return nil, fmt.Errorf("loop %q: %w", id, ErrNoLoop)
	}
	d, err := s.existing(reflectionsDir + "/" + id)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("loop %q: %w", id, ErrNoLoop)
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	names, err := d.Names()
	if err != nil {
		return nil, err
	}
	var out []*Record
	damage := &DamageError{}
	for _, name := range names {
		stem, isJSON := strings.CutSuffix(name, ".json")
		n, ok := ParseOrdinal(stem)
		if !isJSON || !ok {
			continue
		}
		r, err := read(d, name)
		if err == nil && r.Iteration >= maxIteration {
			err = &InvalidError{Problems: []string{fmt.Sprintf("iteration %d: no loop has so many", r.Iteration)}}
		}
		if err == nil && (r.LoopID != id || r.Iteration != n-1) {
			err = &InvalidError{Problems: []string{fmt.Sprintf("iteration %d of %q in the place of iteration %d of %q",
				r.Iteration, r.LoopID, n-1, id)}}
		}
		if err != nil {
			damage.Files = append(damage.Files, fmt.Errorf("%s: %w", d.Path(name), err))
			continue
		}
		out = append(out, r)
	}
	if len(damage.Files) > 0 {
		return out, damage
	}
	return out, nil
}

// Bounds of what a folder of records may make a reader take: the size of a record in
// bytes, and the iterations of a loop.
const (
	maxRecord    = 8 << 20
	maxIteration = 1 << 20
)

func read(d *fsstore.Dir, name string) (*Record, error) {
	data, err := d.ReadLarge(name, maxRecord)
	if err != nil {
		return nil, err
	}
	return Load(data)
}

// All reads the records of every loop, by loop and iteration. damage is as in Loop.
func (s *Store) All() (out []*Record, damage []error, err error) {
	ids, err := s.LoopIDs()
	if err != nil {
		return nil, nil, err
	}
	for _, id := range ids {
		rs, err := s.Loop(id)
		var bad *DamageError
		switch {
		case errors.As(err, &bad):
			damage = append(damage, bad.Files...)
		case err != nil:
			return nil, nil, err
		}
		out = append(out, rs...)
	}
	return out, damage, nil
}
