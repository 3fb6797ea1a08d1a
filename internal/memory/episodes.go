package memory

import (
	"cmp"
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
	ID      string
	Private bool // in the private part
	fsstore.Stat
}

// List is the content of the folders of episodes.
type List struct {
	Files     []File   // by id
	Strange   []string // links, folders, invalid names; sorted
	Leftovers []string // temporary files of killed or running writers
}

// List lists the episodes of both parts. If an id is in both, the shared episode counts.
func (m *Memory) List() (*List, error) {
	l := &List{Files: []File{}}
	for i, dir := range m.episodeFolders() {
		if err := l.add(dir, i > 0); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(l.Files, func(a, b File) int {
		if order := strings.Compare(a.ID, b.ID); order != 0 || !a.Private {
			return cmp.Or(order, -1)
		}
		return 1
	})
	l.Files = slices.CompactFunc(l.Files, func(a, b File) bool { return a.ID == b.ID })
	slices.Sort(l.Strange)
	return l, nil
}

func (l *List) add(dir *fsstore.Dir, private bool) error {
	entries, err := dir.Entries()
	if err != nil {
		return err
	}
	l.Files = slices.Grow(l.Files, len(entries))
	for _, info := range entries {
		id, ok := strings.CutSuffix(info.Name(), suffix)
		switch {
		case strings.HasPrefix(info.Name(), fsstore.TempPrefix):
			l.Leftovers = append(l.Leftovers, info.Name())
		case !ok || strings.HasPrefix(id, "."):
		case !info.Mode().IsRegular() || !episode.ValidID(id):
			l.Strange = append(l.Strange, info.Name())
		default:
			l.Files = append(l.Files, File{id, private, fsstore.StatOf(info)})
		}
	}
	return nil
}

// Files lists the episode files by id, and as strange the names of List.Strange.
func (m *Memory) Files() (files []File, strange []string, err error) {
	l, err := m.List()
	if err != nil {
		return nil, nil, err
	}
	return l.Files, l.Strange, nil
}

// suffix is the extension of episode files.
const suffix = ".json"

// Taken lists the ids that match and whose file name exists, as a file or anything else. It
// reads only names, and so is faster than Files.
func (m *Memory) Taken(match func(id string) bool) (map[string]bool, error) {
	taken := map[string]bool{}
	for _, dir := range m.episodeFolders() {
		names, err := dir.All()
		if err != nil {
			return taken, err
		}
		for _, name := range names {
			if id, ok := strings.CutSuffix(name, suffix); ok && match(id) {
				taken[id] = true
			}
		}
	}
	return taken, nil
}

// StatOf describes one episode file. If the file does not exist, ok is false.
func (m *Memory) StatOf(id string) (st fsstore.Stat, ok bool) {
	info, err := m.folderOf(id).Lstat(id + suffix)
	if err != nil || !info.Mode().IsRegular() {
		return st, false
	}
	return fsstore.StatOf(info), true
}

// FoldersChanged returns the times when a name in the folders of episodes last changed: of the
// shared part, and of the private part, or zero without one.
func (m *Memory) FoldersChanged() (times [2]fsstore.Stat, err error) {
	for i, dir := range m.episodeFolders() {
		info, err := dir.Stat()
		if err != nil {
			return times, err
		}
		times[i] = fsstore.StatOf(info)
	}
	return times, nil
}

// MaxEpisode is the size of the largest episode file that is read, in bytes: as much as a log may have.
const MaxEpisode = 8 << 20

// Read returns the bytes of an episode file. If it does not exist, the error is
// fs.ErrNotExist.
func (m *Memory) Read(id string) ([]byte, error) {
	if !episode.ValidID(id) {
		return nil, fmt.Errorf("%q is no episode id: %w", id, fs.ErrNotExist)
	}
	data, err := m.folderOf(id).ReadLarge(id+suffix, MaxEpisode)
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

// Strange returns an error if a name in a folder of episodes is that of a link, a folder or a
// device, and nil if it is that of a regular file or does not exist.
func (m *Memory) Strange(name string) error {
	for i, dir := range m.episodeFolders() {
		info, err := dir.Lstat(name)
		if err == nil && !info.Mode().IsRegular() {
			return fmt.Errorf("%q %w", m.PathIn(i > 0, strings.TrimSuffix(name, suffix)), &fsstore.TypeError{Found: info.Mode()})
		}
	}
	return nil
}

// NoEpisode reports whether a regular file among the episodes, with a name that no episode
// has, is something else that another program keeps there. An episode under a wrong name is
// still an episode.
func (m *Memory) NoEpisode(name string) bool {
	data, err := m.episodes.ReadLarge(name, MaxEpisode)
	if m.private != nil && m.private.episodes != nil && errors.Is(err, fs.ErrNotExist) {
		data, err = m.private.episodes.ReadLarge(name, MaxEpisode)
	}
	if err != nil {
		return false
	}
	ep, err := episode.Parse(data)
	return err != nil || ep.ID == ""
}

// Load reads one episode. An id other than the stem of the file's name is an error, so that
// two files never have one id.
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

func (e *FileError) Error() string {
	var se *episode.SyntaxError
	if errors.As(e.Err, &se) {
		return fmt.Sprintf("%s:%d: %s", e.Path, se.Line, se.Msg)
	}
	return fmt.Sprintf("%s: %v", e.Path, e.Err)
}

func (e *FileError) Unwrap() error { return e.Err }

// Pending is an episode file to be written.
type Pending struct {
	ID      string
	Data    []byte
	Private bool // to the private part, see MakePrivate
	// From is the owner of the project of a team's store that it came from, or the author of a transcript in git; "": it was
	// made here.
	From string
}

// Write writes episode files, each atomically, with the given number of concurrent jobs. When
// ctx ends, files that were begun are finished and the others are skipped. done has the ids
// of the written files. The caller must hold the lock.
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
	for _, p := range files {
		if done[p.ID] && !p.Private {
			err = errors.Join(err, m.unshadow(p.ID))
		}
	}
	if len(done) > 0 {
		for _, dir := range m.episodeFolders() {
			err = errors.Join(err, dir.Sync())
		}
	}
	return done, errors.Join(err, ctx.Err())
}

var errNoPrivate = errors.New("there is no private part")

func (m *Memory) write(p Pending) error {
	if !episode.ValidID(p.ID) {
		return fmt.Errorf("write episode: %q is no episode id", p.ID)
	}
	name := p.ID + suffix
	err := m.Strange(name)
	switch {
	case err != nil:
		return fmt.Errorf("write episode %q: %w", p.ID, err)
	case !p.Private:
		if m.IsPrivate(p.ID) { // its additions first: a shared episode has none in the private part
			err = m.moveAdditions(m.private.dir, p.ID, m.top, p.ID, true)
		}
		if err == nil {
			err = m.episodes.Write(name, p.Data)
		}
	case m.private == nil || m.private.episodes == nil:
		err = errNoPrivate
	default:
		err = m.private.episodes.WritePrivate(name, p.Data)
	}
	if err != nil {
		return fmt.Errorf("write episode %q: %w", p.ID, fsstore.Cause(err))
	}
	m.wrote.Store(p.ID+" "+Hash(p.Data), p.From)
	return nil
}

// Confirm notes that Write would have written what is there.
func (m *Memory) Confirm(id string, data []byte) { m.wrote.Store(id+" "+Hash(data), "") }

// Wrote reports whether Write wrote, or Confirm noted, an episode with this digest, and from where it came.
func (m *Memory) Wrote(id, sha256 string) (from string, written bool) {
	v, written := m.wrote.Load(id + " " + sha256)
	from, _ = v.(string)
	return from, written
}

// unshadow removes from the private part an episode that is now in the shared part, with the
// text of its transcript; its corrections and additions move. If the process is killed before that, the shared
// episode counts.
func (m *Memory) unshadow(id string) error {
	if m.private == nil || m.private.episodes == nil || !m.private.episodes.Exists(id+suffix) {
		return nil
	}
	err := m.move(fixesOf, m.private.dir, id, m.top, id)
	for _, a := range []attached{fixesOf, saidOf} {
		if err == nil {
			err = m.save(a, m.private.dir, id, nil)
		}
	}
	if err == nil {
		err = m.moveAdditions(m.private.dir, id, m.top, id, false)
	}
	if err != nil {
		return err
	}
	return m.private.episodes.Remove(id + suffix)
}

// Remove deletes an episode from both parts, and the text of its transcript before it. If it is in
// neither, the error is fs.ErrNotExist. The caller must hold the lock.
func (m *Memory) Remove(id string) error {
	if !episode.ValidID(id) {
		return fmt.Errorf("remove episode: %q is no episode id", id)
	}
	if err := m.drop(saidOf, id); err != nil {
		return err
	}
	err := fmt.Errorf("remove episode %q: %w", id, fs.ErrNotExist)
	for _, dir := range m.episodeFolders() {
		one := dir.Remove(id + suffix)
		switch {
		case one == nil:
			one = dir.Sync()
		case errors.Is(one, fs.ErrNotExist):
			continue
		}
		if one != nil {
			return fmt.Errorf("remove episode %q: %w", dir.Path(id+suffix), fsstore.Cause(one))
		}
		err = nil
	}
	return err
}

// Leftovers lists the paths of temporary files of killed writers.
func (m *Memory) Leftovers() []string {
	var out []string
	for _, dir := range append(m.episodeFolders(), m.derived) {
		names, _ := dir.Leftovers()
		for _, name := range names {
			out = append(out, dir.Path(name))
		}
	}
	return out
}

// Clean removes the temporary files of killed writers and ignores errors. The caller must
// hold the lock.
func (m *Memory) Clean() {
	for _, dir := range m.episodeFolders() {
		_ = dir.Clean()
	}
	m.cleanAttached()
	m.CleanDerived()
}

// CleanDerived is like Clean, restricted to the derived files.
func (m *Memory) CleanDerived() { _ = m.derived.Clean() }

// Hash is the identity of a file's content.
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
