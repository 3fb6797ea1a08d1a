package reflexion

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strings"
	"sync"

	"episodes/internal/fsstore"
)

// Store keeps the records of loops in DIR/reflections/<loop-id>/001.json and so on
// (guide, "Long-Term Memory"). A record is written once and never changed.
type Store struct{ dir *fsstore.Dir }

const ReflectionsDir = "reflections" // the folder of a store with those of its loops

// OpenStore opens the store in a folder for reading; a missing one is empty.
func OpenStore(path string) (*Store, error) {
	d, err := fsstore.Open(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return &Store{d}, nil
}

func CreateStore(path string) (*Store, error) {
	d, err := fsstore.Create(path)
	if err != nil {
		return nil, err
	}
	return &Store{d}, nil
}

// Reopen opens the folder again after it was removed and recreated.
func (s *Store) Reopen() error {
	again, err := CreateStore(s.dir.Path(""))
	if err != nil {
		return err
	}
	s.dir.Close()
	s.dir = again.dir
	return nil
}

func (s *Store) Close() { s.dir.Close() }

// in calls do with a folder of the store, if it exists.
func (s *Store) in(name string, do func(*fsstore.Dir) error) error {
	if s.dir == nil {
		return nil
	}
	d, err := s.dir.Existing(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer d.Close()
	return do(d)
}

// DamageError lists the files of a loop that are no valid records. It accompanies the valid ones.
type DamageError struct{ Files []error }

func (e *DamageError) Error() string { return errors.Join(e.Files...).Error() }

// ErrNoLoop means that there are no records of a loop.
var ErrNoLoop = errors.New("no such loop")

// Save writes one record. Errors: fs.ErrExist when the iteration has one already, *InvalidError.
func (s *Store) Save(r *Record) error {
	data, err := Marshal(r)
	if err != nil {
		return err
	}
	d, err := s.dir.Sub(ReflectionsDir + "/" + r.LoopID)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.WriteOnce(FileName(r.Iteration), data)
}

// Clean removes temporary files of killed writers. The caller must hold the loop's lock.
func (s *Store) Clean(loopID string) error {
	return s.in(ReflectionsDir+"/"+loopID, (*fsstore.Dir).Clean)
}

func (s *Store) Path(loopID string, iteration int) string {
	return s.dir.Path(ReflectionsDir + "/" + loopID + "/" + FileName(iteration))
}

func (s *Store) Has(id string) (has bool, err error) {
	err = s.in(ReflectionsDir, func(d *fsstore.Dir) error { has = d.Exists(id); return nil })
	return has, err
}

// Loop reads the records of a loop, by iteration. Errors: ErrNoLoop, *DamageError.
func (s *Store) Loop(id string) ([]*Record, error) { return s.loop(id, nil) }

// loop is Loop without the files that may, where it is not nil, leaves out unread.
func (s *Store) loop(id string, may func(data []byte) bool) (out []*Record, err error) {
	none, damage := fmt.Errorf("loop %q: %w", id, ErrNoLoop), &DamageError{}
	if !ValidLoopID(id) {
		return nil, none
	}
	err = s.in(ReflectionsDir+"/"+id, func(d *fsstore.Dir) error {
		none = nil
		names, err := d.Names()
		for _, name := range names {
			stem, isJSON := strings.CutSuffix(name, ".json")
			if n, ok := ParseOrdinal(stem); isJSON && ok {
				if r, err := read(d, name, id, n-1, may); err != nil {
					damage.Files = append(damage.Files, fmt.Errorf("%s: %w", d.Path(name), err))
				} else if r != nil {
					out = append(out, r)
				}
			}
		}
		return err
	})
	if err = cmp.Or(err, none); err == nil && damage.Files != nil {
		err = damage
	}
	return out, err
}

// Bounds of what a folder of records may hold: the bytes of a record, the iterations of a loop.
const (
	maxRecord    = 8 << 20
	maxIteration = 1 << 20
)

func read(d *fsstore.Dir, name, loop string, iteration int, may func(data []byte) bool) (*Record, error) {
	data, err := d.ReadLarge(name, maxRecord)
	if err != nil || may != nil && !may(data) {
		return nil, err
	}
	r, err := Load(data)
	switch {
	case err != nil:
		return nil, err
	case r.Iteration >= maxIteration:
		return nil, invalid("iteration %d: no loop has so many", r.Iteration)
	case r.LoopID != loop || r.Iteration != iteration:
		return nil, invalid("iteration %d of %q in the place of iteration %d of %q", r.Iteration, r.LoopID, iteration, loop)
	}
	return r, nil
}

// All reads the records of every loop, by loop and iteration, but for those that may, where it is not
// nil, tells from their bytes. damage is as in Loop.
func (s *Store) All(may func(data []byte) bool) (out []*Record, damage []error, err error) {
	err = s.in(ReflectionsDir, func(d *fsstore.Dir) error {
		ids, err := d.Names()
		found, failed := make([][]*Record, len(ids)), make([]error, len(ids))
		var wg sync.WaitGroup
		share := len(ids)/runtime.GOMAXPROCS(0) + 1
		for first := 0; first < len(ids); first += share {
			wg.Go(func() {
				for i := first; i < min(first+share, len(ids)); i++ {
					found[i], failed[i] = s.loop(ids[i], may)
				}
			})
		}
		wg.Wait()
		for i, id := range ids {
			var bad *DamageError
			switch {
			case errors.As(failed[i], &bad):
				damage = append(damage, bad.Files...)
			case failed[i] != nil && ValidLoopID(id):
				return failed[i]
			}
			out = append(out, found[i]...)
		}
		return err
	})
	return out, damage, err
}
