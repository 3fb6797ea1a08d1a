package memory

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"episodes/episode"
)

// maxEpisode is more than any session's episode needs; a larger file is no
// episode, and reading it whole could exhaust the machine.
const maxEpisode = 64 << 20

// Stat is what tells cheaply that a file was not touched.
type Stat struct {
	Size    int64 `json:"size"`
	ModTime int64 `json:"mtime"` // nanoseconds; unsure when a change could hide behind it
}

// StatOf takes the stat of a file's information.
func StatOf(i fs.FileInfo) Stat { return Stat{Size: i.Size(), ModTime: i.ModTime().UnixNano()} }

// File is an episode file, not yet read.
type File struct {
	ID string
	Stat
	touched int64 // see look
	open    bool  // everybody may read it
	at      int   // where the folder lists it
}

// Files lists the episode files by id. Strange holds the names of JSON files
// that can be no episode's: links, folders, names that are no id.
func (m *Memory) Files() (files []File, strange []string, err error) {
	dir, err := m.episodes.Open(".")
	if err != nil {
		return nil, nil, fmt.Errorf("list %q: %w", m.EpisodesDir(), cause(err))
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, nil, fmt.Errorf("list %q: %w", m.EpisodesDir(), cause(err))
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		return !strings.HasSuffix(name, ".json") || strings.HasPrefix(name, ".")
	})
	at := make(map[string]int, len(names))
	for i, name := range names {
		names[i] = strings.TrimSuffix(name, ".json")
		at[names[i]] = i
	}
	slices.Sort(names)
	looks, err := lookAt(dir, names)
	if err != nil {
		return nil, nil, fmt.Errorf("look at the files of %q: %w", m.EpisodesDir(), cause(err))
	}
	files = make([]File, 0, len(names))
	for i, l := range looks {
		switch {
		case l.gone: // since it was listed
		case !l.regular || !episode.ValidID(names[i]):
			strange = append(strange, names[i]+".json")
		default:
			files = append(files, File{ID: names[i], Stat: l.Stat, touched: l.touched, open: l.open, at: at[names[i]]})
		}
	}
	return files, strange, nil
}

// look is what the system tells of a name in a folder.
type look struct {
	Stat
	touched             int64 // when the file or what is known of it changed, in nanoseconds; 0: not told here
	regular, open, gone bool
}

// lookAt looks at the JSON files with many stems in a folder, on all processors:
// at a large memory that is most of the work of finding what changed.
func lookAt(dir *os.File, stems []string) ([]look, error) {
	const chunk = 512
	out := make([]look, len(stems))
	at := statter(dir)
	var wg sync.WaitGroup
	var next atomic.Int64
	var failed atomic.Pointer[error]
	work := func() {
		for {
			from := int(next.Add(chunk)) - chunk
			if from >= len(stems) {
				return
			}
			for i := from; i < min(from+chunk, len(stems)); i++ {
				var err error
				if out[i], err = at(stems[i] + ".json"); err != nil {
					failed.Store(&err)
					return
				}
			}
		}
	}
	for range min(runtime.GOMAXPROCS(0), len(stems)/chunk) {
		wg.Go(work)
	}
	work()
	wg.Wait()
	if err := failed.Load(); err != nil {
		return nil, *err
	}
	return out, nil
}

func (m *Memory) entries(dir *os.Root) ([]fs.DirEntry, error) {
	f, err := dir.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadDir(-1)
}

// StatOf looks at one episode file; the stat of none is one that no file has.
func (m *Memory) StatOf(id string) Stat {
	info, err := m.episodes.Lstat(id + ".json")
	if err != nil || !info.Mode().IsRegular() || !episode.ValidID(id) {
		return Stat{Size: unsure, ModTime: unsure}
	}
	return StatOf(info)
}

// Taken reports whether anything stands where an episode's file would.
func (m *Memory) Taken(id string) bool {
	_, err := m.episodes.Lstat(id + ".json")
	return err == nil
}

// Read returns the bytes of an episode file; the error is fs.ErrNotExist when
// there is none.
func (m *Memory) Read(id string) ([]byte, error) {
	if !episode.ValidID(id) {
		return nil, fmt.Errorf("%q is no episode id: %w", id, fs.ErrNotExist)
	}
	name := id + ".json"
	if info, err := m.episodes.Lstat(name); err != nil {
		return nil, m.unreadable(id, err)
	} else if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("read episode %q: %q is no regular file", id, m.EpisodePath(id))
	} else if info.Size() > maxEpisode {
		return nil, fmt.Errorf("read episode %q: %d MB is too large for an episode", id, info.Size()>>20)
	}
	f, err := m.episodes.Open(name)
	if err != nil {
		return nil, m.unreadable(id, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxEpisode+1))
	if err != nil {
		return nil, fmt.Errorf("read episode %q: %w", id, cause(err))
	}
	return data, nil
}

// unreadable names the file of an episode that is there and cannot be opened.
func (m *Memory) unreadable(id string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read episode %q: %w", id, cause(err))
	}
	return &FileError{Path: m.EpisodePath(id), Err: cause(err)}
}

// opens returns nil when an episode file can be read, else why it cannot.
func (m *Memory) opens(id string) error {
	f, err := m.episodes.Open(id + ".json")
	if err != nil {
		return m.unreadable(id, err)
	}
	return f.Close()
}

// Load reads one episode and refuses one that claims another id than its file's
// stem, so that two files can never stand for one episode.
func (m *Memory) Load(id string) (*episode.Episode, error) {
	data, err := m.Read(id)
	if err != nil {
		return nil, err
	}
	return m.parse(id, data)
}

func (m *Memory) parse(id string, data []byte) (*episode.Episode, error) {
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

// Write writes episode files, each aside, synced and renamed, jobs at a time;
// the caller holds the lock. When ctx ends, files already begun are finished
// and the rest is left; done lists what was written.
func (m *Memory) Write(ctx context.Context, files []Pending, jobs int) (done map[string]Stat, err error) {
	done = map[string]Stat{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	next := make(chan Pending)
	for range max(1, min(jobs, len(files))) {
		wg.Go(func() {
			for p := range next {
				st, werr := m.write(p)
				mu.Lock()
				if werr != nil {
					err = errors.Join(err, werr)
				} else {
					done[p.ID] = st
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
		err = errors.Join(err, m.SyncEpisodes())
	}
	return done, errors.Join(err, ctx.Err())
}

// SyncEpisodes makes the names of the episode files outlast a power cut, where
// the system can sync a folder.
func (m *Memory) SyncEpisodes() error {
	f, err := m.episodes.Open(".")
	if err == nil {
		err = f.Sync()
		f.Close()
	}
	if err != nil && runtime.GOOS != "windows" && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return fmt.Errorf("sync %q: %w", m.EpisodesDir(), cause(err))
	}
	return nil
}

func (m *Memory) write(p Pending) (Stat, error) {
	if !episode.ValidID(p.ID) {
		return Stat{}, fmt.Errorf("write episode: %q is no episode id", p.ID)
	}
	name := p.ID + ".json"
	if info, err := m.episodes.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return Stat{}, fmt.Errorf("write episode %q: %q is no regular file", p.ID, m.EpisodePath(p.ID))
	}
	st, err := place(m.episodes, name, p.Data, newFile, true)
	if err != nil {
		return Stat{}, fmt.Errorf("write episode %q: %w", p.ID, cause(err))
	}
	return st, nil
}

// newFile is the mode of a file that did not exist; the umask takes from it.
const newFile fs.FileMode = 0o644

// replace writes a file aside and renames it into place.
func replace(dir *os.Root, name string, data []byte, mode fs.FileMode, sync bool) error {
	_, err := place(dir, name, data, mode, sync)
	return err
}

// place is replace, and returns the stat of what it wrote, whatever came in its place
// since.
func place(dir *os.Root, name string, data []byte, mode fs.FileMode, sync bool) (st Stat, err error) {
	temp := tempPrefix + rand.Text()
	f, err := dir.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return st, err
	}
	defer func() {
		if err != nil {
			dir.Remove(temp)
		}
	}()
	_, err = f.Write(data)
	if err == nil && mode != newFile {
		err = f.Chmod(mode) // whatever the umask is
	}
	if err == nil && sync {
		err = f.Sync()
	}
	if info, serr := f.Stat(); serr == nil {
		st = StatOf(info)
	} else {
		err = errors.Join(err, serr)
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return st, err
	}
	return st, dir.Rename(temp, name)
}

// Remove deletes an episode file; the caller holds the lock.
func (m *Memory) Remove(id string) error {
	if !episode.ValidID(id) {
		return fmt.Errorf("remove episode: %q is no episode id", id)
	}
	if err := m.episodes.Remove(id + ".json"); err != nil {
		return fmt.Errorf("remove episode %q: %w", id, cause(err))
	}
	return nil
}

// Leftovers lists what killed writers left behind, as paths.
func (m *Memory) Leftovers() []string {
	var out []string
	for _, dir := range []*os.Root{m.episodes, m.derived} {
		for _, name := range m.leftovers(dir) {
			out = append(out, filepath.Join(dir.Name(), name))
		}
	}
	return out
}

func (m *Memory) leftovers(dir *os.Root) (names []string) {
	if dir == nil {
		return nil
	}
	entries, _ := m.entries(dir)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), tempPrefix) && e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names
}

// Clean removes what killed writers left behind; the caller holds the lock.
func (m *Memory) Clean() (removed int) { return m.clean(m.episodes) + m.CleanDerived() }

// CleanDerived is Clean beside the episodes, and does not list these.
func (m *Memory) CleanDerived() (removed int) { return m.clean(m.derived) }

func (m *Memory) clean(dir *os.Root) (removed int) {
	for _, name := range m.leftovers(dir) {
		if dir.Remove(name) == nil {
			removed++
		}
	}
	return removed
}

// Hash is the identity of a file's content.
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
