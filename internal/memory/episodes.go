package memory

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"episodes/episode"
	"episodes/internal/fsstore"
)

// File is an episode file, not yet read.
type File struct {
	ID string
	fsstore.Stat
}

// List is what is in the folder of the episodes.
type List struct {
	Files     []File   // by id
	Strange   []string // JSON files that can be no episode's: links, folders, names that are no id; sorted
	Leftovers []string // files that killed writers left, or that a writer is at
}

// List lists the folder of the episodes.
func (m *Memory) List() (*List, error) {
	entries, err := m.episodes.Entries()
	if err != nil {
		return nil, err
	}
	l := &List{Files: make([]File, 0, len(entries))}
	for _, info := range entries {
		id, ok := strings.CutSuffix(info.Name(), suffix)
		switch {
		case strings.HasPrefix(info.Name(), fsstore.TempPrefix):
			l.Leftovers = append(l.Leftovers, info.Name())
		case !ok || strings.HasPrefix(id, "."):
		case !info.Mode().IsRegular() || !episode.ValidID(id):
			l.Strange = append(l.Strange, info.Name())
		default:
			l.Files = append(l.Files, File{id, fsstore.StatOf(info)})
		}
	}
	slices.SortFunc(l.Files, func(a, b File) int { return strings.Compare(a.ID, b.ID) })
	slices.Sort(l.Strange)
	return l, nil
}

// Files lists the episode files by id, and as strange the names of List.Strange.
func (m *Memory) Files() (files []File, strange []string, err error) {
	l, err := m.List()
	if err != nil {
		return nil, nil, err
	}
	return l.Files, l.Strange, nil
}

// suffix ends the names of episode files.
const suffix = ".json"

// Taken lists the ids that match and for which there is a file, or anything else of its
// name. It reads names only, and so is faster than Files.
func (m *Memory) Taken(match func(id string) bool) (map[string]bool, error) {
	names, err := m.episodes.All()
	taken := map[string]bool{}
	for _, name := range names {
		if id, ok := strings.CutSuffix(name, suffix); ok && match(id) {
			taken[id] = true
		}
	}
	return taken, err
}

// StatOf describes one episode file; ok is false when there is none.
func (m *Memory) StatOf(id string) (st fsstore.Stat, ok bool) {
	info, err := m.episodes.Lstat(id + suffix)
	if err != nil || !info.Mode().IsRegular() {
		return st, false
	}
	return fsstore.StatOf(info), true
}

// FolderChanged is the time when a name in the folder of the episodes last changed.
func (m *Memory) FolderChanged() (fsstore.Stat, error) {
	info, err := m.episodes.Stat()
	if err != nil {
		return fsstore.Stat{}, err
	}
	return fsstore.StatOf(info), nil
}

// Read returns the bytes of an episode file; the error is fs.ErrNotExist when
// there is none.
func (m *Memory) Read(id string) ([]byte, error) {
	if !episode.ValidID(id) {
		return nil, fmt.Errorf("%q is no episode id: %w", id, fs.ErrNotExist)
	}
	data, err := m.episodes.Read(id + suffix)
	var large *fsstore.TooLargeError
	switch {
	case err == nil:
		return data, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("read episode %q: %w", id, fsstore.Cause(err))
	case errors.Is(err, fsstore.ErrNotRegular):
		if strange := m.Strange(id + suffix); strange != nil {
			return nil, fmt.Errorf("read episode %q: %w", id, strange)
		}
	case errors.As(err, &large):
		return nil, fmt.Errorf("read %q: %d MB is too large for an episode", m.EpisodePath(id), large.Size>>20)
	}
	return nil, &FileError{Path: m.EpisodePath(id), Err: fsstore.Cause(err)}
}

// Strange says that a name in the folder of the episodes is that of a link, a folder or
// a device; nil when it is that of a file, or of nothing.
func (m *Memory) Strange(name string) error {
	info, err := m.episodes.Lstat(name)
	if err != nil || info.Mode().IsRegular() {
		return nil
	}
	return fmt.Errorf("%q %w", m.path(episodesDir, name), &fsstore.TypeError{Found: info.Mode()})
}

// Load reads one episode and refuses one that claims another id than its file's
// stem, so that two files are never one episode.
func (m *Memory) Load(id string) (*episode.Episode, error) {
	data, err := m.Read(id)
	if err != nil {
		return nil, err
	}
	return m.Parse(id, data)
}

// Parse is Load of bytes that were read before.
func (m *Memory) Parse(id string, data []byte) (*episode.Episode, error) {
	ep, err := episode.Parse(data)
	if err != nil {
		return nil, &FileError{Path: m.EpisodePath(id), Err: err}
	}
	if ep.ID != id {
		return nil, &FileError{Path: m.EpisodePath(id), Err: &episode.SyntaxError{
			Line: episode.LineOf(data, `"id"`), Msg: fmt.Sprintf("id %q is not the file's stem", ep.ID)}}
	}
	if p := ep.Foreign(); p != nil {
		return nil, &FileError{Path: m.EpisodePath(id), Err: &episode.SyntaxError{Line: episode.LineOf(data, p.Needle), Msg: p.Msg}}
	}
	return ep, nil
}

// FileError is a defect of a file, with the file.
type FileError struct {
	Path string
	Err  error
}

// Error gives file, line (when known) and defect.
func (e *FileError) Error() string {
	var se *episode.SyntaxError
	if errors.As(e.Err, &se) {
		return fmt.Sprintf("%s:%d: %s", e.Path, se.Line, se.Msg)
	}
	return fmt.Sprintf("%s: %v", e.Path, e.Err)
}

// Unwrap gives the defect.
func (e *FileError) Unwrap() error { return e.Err }

// Pending is an episode file to be written.
type Pending struct {
	ID   string
	Data []byte
}

// Write writes episode files, each whole or not at all, jobs at a time; the caller
// holds the lock. When ctx ends, files already begun are finished and the rest is
// left; done holds the ids of what was written.
func (m *Memory) Write(ctx context.Context, files []Pending, jobs int) (done map[string]bool, err error) {
	done = map[string]bool{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	next := make(chan Pending)
	for range max(1, min(jobs, len(files))) {
		wg.Go(func() {
			for p := range next {
				werr := m.write(p)
				mu.Lock()
				if werr != nil {
					err = errors.Join(err, werr)
				} else {
					done[p.ID] = true
				}
				mu.Unlock()
			}
		})
	}
	for _, p := range files {
		if ctx.Err() != nil {
			break
		}
		next <- p
	}
	close(next)
	wg.Wait()
	if len(done) > 0 {
		err = errors.Join(err, m.episodes.Sync())
	}
	return done, errors.Join(err, ctx.Err())
}

func (m *Memory) write(p Pending) error {
	if !episode.ValidID(p.ID) {
		return fmt.Errorf("write episode: %q is no episode id", p.ID)
	}
	name := p.ID + suffix
	if err := m.Strange(name); err != nil {
		return fmt.Errorf("write episode %q: %w", p.ID, err)
	}
	if err := m.episodes.Write(name, p.Data); err != nil {
		return fmt.Errorf("write episode %q: %w", p.ID, fsstore.Cause(err))
	}
	return nil
}

// Remove deletes an episode file; the caller holds the lock.
func (m *Memory) Remove(id string) error {
	if !episode.ValidID(id) {
		return fmt.Errorf("remove episode: %q is no episode id", id)
	}
	if err := m.episodes.Remove(id + suffix); err != nil {
		return fmt.Errorf("remove episode %q: %w", id, fsstore.Cause(err))
	}
	return m.episodes.Sync()
}

// Leftovers lists what killed writers left behind, as paths.
func (m *Memory) Leftovers() []string {
	var out []string
	for _, dir := range []*fsstore.Dir{m.episodes, m.derived} {
		names, _ := dir.Leftovers()
		for _, name := range names {
			out = append(out, dir.Path(name))
		}
	}
	return out
}

// Clean removes what killed writers left behind; the caller holds the lock. What
// cannot be removed does no harm.
func (m *Memory) Clean() {
	_ = m.episodes.Clean()
	m.CleanDerived()
}

// CleanDerived is Clean of what is derived only.
func (m *Memory) CleanDerived() { _ = m.derived.Clean() }

// Hash is the identity of a file's content.
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
