package memory

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/fsstore"
)

// attached is a kind of files that belong to episodes: at most one for each, in the same part.
type attached struct{ dir, suffix string }

var (
	fixesOf = attached{"corrections", ".jsonl"} // by persons and readers; see package corrections
	saidOf  = attached{"said", ".txt"}          // the text of transcripts; see said.go
)

// Corrected lists the ids of the episodes that have corrections.
func (m *Memory) Corrected() (map[string]bool, error) { return m.having(fixesOf) }

// having lists the ids that are in the names of a folder of one of the parts.
func (m *Memory) having(a attached) (ids map[string]bool, err error) {
	ids = map[string]bool{}
	for _, dir := range folders(a.dir, &err, m.homes()...) {
		names, failed := dir.All()
		err = errors.Join(err, failed)
		for _, name := range names {
			if id, ok := strings.CutSuffix(name, a.suffix); ok && episode.ValidID(id) {
				ids[id] = true
			}
		}
	}
	return ids, err
}

// folders are those with a name in parts that have one, each with its part. err gets why others cannot be opened.
func folders(name string, err *error, homes ...*fsstore.Dir) iter.Seq2[*fsstore.Dir, *fsstore.Dir] {
	return func(yield func(home, dir *fsstore.Dir) bool) {
		for _, home := range homes {
			dir, failed := home.Existing(name)
			switch {
			case failed == nil:
				more := yield(home, dir)
				dir.Close()
				if !more {
					return
				}
			case !errors.Is(failed, fs.ErrNotExist):
				*err = errors.Join(*err, failed)
			}
		}
	}
}

// Corrections returns the corrections of an episode, at most limit bytes of them, or nil.
// They are in the same part as the episode.
func (m *Memory) Corrections(id string, limit int64) ([]byte, error) {
	return fixesOf.read(m.home(m.IsPrivate(id)), id, limit)
}

// read returns at most limit bytes of the file of an episode in one part, or nil.
func (a attached) read(home *fsstore.Dir, id string, limit int64) ([]byte, error) {
	dir, err := home.Existing(a.dir)
	if err == nil {
		defer dir.Close()
		var data []byte
		if data, err = dir.ReadLarge(id+a.suffix, limit); err == nil {
			return data, nil
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return nil, &FileError{Path: home.Path(filepath.Join(a.dir, id+a.suffix)), Err: fsstore.Cause(err)}
}

// HasMore reports whether there is something beside the file of an episode that bears on what it says: corrections or additions.
func (m *Memory) HasMore(id string) bool {
	_, err := os.Lstat(m.CorrectionsPath(id))
	return err == nil || len(m.AdditionNames(id)) > 0
}

// More describes the files of corrections of episodes, and the folders of additions: of each, when a name in it last changed.
func (m *Memory) More() (out []File, err error) {
	for _, a := range []attached{addedOf, fixesOf} {
		for home, dir := range folders(a.dir, &err, m.homes()...) {
			infos, failed := dir.Entries()
			err = errors.Join(err, failed)
			for _, info := range infos {
				if id, ok := strings.CutSuffix(info.Name(), a.suffix); ok && info.IsDir() == (a == addedOf) && episode.ValidID(id) {
					out = append(out, File{id, home != m.top, fsstore.StatOf(info)})
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b File) int { return strings.Compare(a.ID, b.ID) })
	if _, link := errors.AsType[*fsstore.TypeError](err); link {
		err = nil // nothing there counts, and doctor says so
	}
	return out, err
}

// CorrectionsPath returns the path of the corrections of an episode.
func (m *Memory) CorrectionsPath(id string) string {
	if m.IsPrivate(id) {
		return filepath.Join(m.privatePath, fixesOf.dir, id+fixesOf.suffix)
	}
	return m.path(fixesOf.dir, id+fixesOf.suffix)
}

// DropCorrections removes the corrections of an episode from both parts.
func (m *Memory) DropCorrections(id string) error { return m.drop(fixesOf, id) }

func (m *Memory) drop(a attached, id string) (err error) {
	for _, home := range m.homes() {
		err = errors.Join(err, m.save(a, home, id, nil))
	}
	return err
}

// save replaces the file of an episode in one part; nothing removes it.
func (m *Memory) save(a attached, home *fsstore.Dir, id string, data []byte) error {
	if !episode.ValidID(id) {
		return fmt.Errorf("write %s: %q is no episode id", a.dir, id)
	}
	open, write := m.writing(home)
	if len(data) == 0 {
		open = (*fsstore.Dir).Existing
		write = func(dir *fsstore.Dir, name string, _ []byte) error { return dir.Remove(name) }
	}
	dir, err := open(home, a.dir)
	if err == nil {
		defer dir.Close()
		if err = write(dir, id+a.suffix, data); err == nil {
			return dir.Sync()
		}
		err = fmt.Errorf("write %q: %w", dir.Path(id+a.suffix), fsstore.Cause(err))
	}
	if len(data) == 0 && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// writing are the ways to open a folder and to write a file in one part.
func (m *Memory) writing(home *fsstore.Dir) (open func(*fsstore.Dir, string) (*fsstore.Dir, error), write func(*fsstore.Dir, string, []byte) error) {
	if home == m.top {
		return (*fsstore.Dir).Sub, (*fsstore.Dir).Write
	}
	return (*fsstore.Dir).SubPrivate, (*fsstore.Dir).WritePrivate
}

// MoveAttached gives the files that belong to an episode to another id in the same part: corrections and text unless
// that has such files already, additions beside its own. The caller holds the lock.
func (m *Memory) MoveAttached(from, to string) error {
	home := m.home(m.IsPrivate(from))
	for _, a := range []attached{fixesOf, saidOf} {
		if err := m.move(a, home, from, home, to); err != nil {
			return err
		}
	}
	return m.moveAdditions(home, from, home, to, false)
}

func (m *Memory) move(a attached, home *fsstore.Dir, from string, other *fsstore.Dir, to string) error {
	data, err := a.read(home, from, fsstore.MaxFile)
	if err != nil || data == nil {
		return err
	}
	if there, err := a.read(other, to, fsstore.MaxFile); err != nil || there != nil {
		return err
	}
	if err := m.save(a, other, to, data); err != nil {
		return err
	}
	return m.save(a, home, from, nil)
}

// cleanAttached removes what killed writers left. The caller holds the lock.
func (m *Memory) cleanAttached() {
	var err error
	for _, a := range []attached{fixesOf, saidOf, addedOf} {
		for _, dir := range folders(a.dir, &err, m.homes()...) {
			_ = dir.Clean()
		}
	}
}
