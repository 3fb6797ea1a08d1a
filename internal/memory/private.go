package memory

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/fsstore"
	"episodes/internal/local"
)

// The private part of a memory holds the episodes of this user's own transcripts:
//
//	private/
//	  .gitignore              *: git sees nothing here
//	  owner                   whose it is; see local.Mark
//	  episodes/ corrections/ additions/ said/ forgotten.txt    as in the shared part
//
// It is believed only where this user's own runs made it: one that came with a repository,
// or that git tracks, is neither read nor written nor removed. Its mark does not name the
// folder, as that of what is derived does, since a private part cannot be made again once
// the transcripts are gone, so it must outlast a move. All working trees of a repository
// use that of its home; see Location.Home. An id that is also in the shared part counts there alone.
const (
	privateDir    = "private"
	ownerName     = "owner"
	privateIgnore = "# of this machine alone; `episodes share` moves an episode into the shared part\n*\n"
)

// private is an open private part.
type private struct {
	dir      *fsstore.Dir
	episodes *fsstore.Dir // nil until made
}

// PrivateError says why a private part is neither read nor written.
type PrivateError struct {
	Dir     string
	Tracked bool  // git tracks a file in it
	Err     error // why the owner is not known; nil: another user
}

func (e *PrivateError) Error() string {
	switch {
	case e.Tracked:
		return fmt.Sprintf("git tracks files in %q, so that it is not private, and nothing in it is read or written", e.Dir)
	case e.Err != nil:
		return fmt.Sprintf("nothing in %q is read or written: %v", e.Dir, e.Err)
	}
	return fmt.Sprintf("%q was not made by you on this machine, as its file %q shows, so nothing in it is read or written",
		e.Dir, ownerName)
}

func (e *PrivateError) Unwrap() error { return e.Err }

func (e *PrivateError) Hint() string {
	switch {
	case e.Tracked:
		return "git rm -r --cached '" + strings.ReplaceAll(e.Dir, "'", `'\''`) + "', and commit that"
	case e.Err != nil:
		return "see who may read it, and the folder of your configuration (HOME or XDG_CONFIG_HOME)"
	}
	return "move it away; extract --from makes a new one"
}

// privatePath returns the path of the private part, which need not exist.
func (l Location) privatePath() string { return filepath.Join(l.Home().Dir, privateDir) }

// EpisodePath is the path that an episode would have in one of the parts.
func (l Location) EpisodePath(private bool, id string) string {
	if private {
		return filepath.Join(l.privatePath(), episodesDir, id+suffix)
	}
	return filepath.Join(l.Dir, episodesDir, id+suffix)
}

// openPrivate opens the private part, if there is one that may be used.
func (m *Memory) openPrivate() {
	m.privatePath = m.Location.privatePath()
	m.private, m.privateErr = nil, nil
	home, err := fsstore.Open(filepath.Dir(m.privatePath))
	if err == nil {
		defer home.Close()
		var dir *fsstore.Dir
		if dir, err = home.Existing(privateDir); err == nil {
			m.private, err = m.believed(dir)
			if m.private == nil {
				dir.Close()
			}
		}
	}
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return
	}
	if e := (*PrivateError)(nil); errors.As(err, &e) {
		e.Dir, m.privateErr = m.privatePath, e
	} else {
		m.privateErr = &PrivateError{Dir: m.privatePath, Err: err}
	}
}

// believed opens what is in a private part that is this user's own; nil where there is
// nothing yet.
func (m *Memory) believed(dir *fsstore.Dir) (*private, error) {
	tracked, err := local.Tracked(m.privatePath)
	switch {
	case err != nil:
		return nil, err
	case tracked != "":
		return nil, &PrivateError{Dir: m.privatePath, Tracked: true}
	}
	own, err := owned(dir)
	if err != nil || !own {
		return nil, err
	}
	p := &private{dir: dir}
	if p.episodes, err = dir.Existing(episodesDir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return p, nil
}

// owned reports whether a private part has this user's mark. The error is a *PrivateError
// when it has another one, or none and something that one would be needed for.
func owned(dir *fsstore.Dir) (bool, error) {
	text, err := dir.ReadHead(ownerName, 256)
	if errors.Is(err, fs.ErrNotExist) {
		entries, noList := dir.Entries()
		if noList != nil || !slices.ContainsFunc(entries, needsOwner) {
			return false, noList
		}
		if text, err = dir.ReadHead(ownerName, 256); errors.Is(err, fs.ErrNotExist) { // else another process has just made it
			return false, &PrivateError{}
		}
	}
	if err != nil {
		return false, err
	}
	id, rest, _ := bytes.Cut(text, []byte(" "))
	mark, err := local.Mark("private " + string(id))
	if err == nil && string(rest) != mark+"\n" {
		err = &PrivateError{}
	}
	return err == nil, err
}

// needsOwner reports whether an entry of a private part is there only after the owner's mark.
func needsOwner(e fs.FileInfo) bool {
	name := e.Name()
	return name != ignoreName && name != lockName && !strings.HasPrefix(name, fsstore.TempPrefix)
}

// PrivateError returns the reason why an existing private part is not used, or nil.
func (m *Memory) PrivateError() error {
	if m.privateErr == nil {
		return nil
	}
	return m.privateErr
}

// PrivateDir is where the private part is, or would be.
func (m *Memory) PrivateDir() string { return m.privatePath }

// HasPrivate reports whether there is a private part that is used.
func (m *Memory) HasPrivate() bool { return m.private != nil }

// MakePrivate makes the private part where it is missing. It is to be called before the
// lock is taken. The error is a *PrivateError where there is one that is not to be used.
func (m *Memory) MakePrivate() error {
	if err := m.PrivateError(); err != nil {
		return err
	}
	if tracked, err := local.Tracked(m.privatePath); err != nil || tracked != "" {
		return &PrivateError{Dir: m.privatePath, Tracked: tracked != "", Err: err}
	}
	home := filepath.Dir(m.privatePath)
	if err := os.MkdirAll(home, 0o755); err != nil {
		return fmt.Errorf("make %q: %w", home, fsstore.Cause(err))
	}
	top, err := fsstore.Open(home)
	if err != nil {
		return err
	}
	defer top.Close()
	_ = top.Make(episodesDir) // by which other working trees find it
	dir, err := top.SubPrivate(privateDir)
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := markPrivate(dir); err != nil {
		return fmt.Errorf("make %q: %w", m.privatePath, err)
	}
	if made, err := dir.SubPrivate(episodesDir); err != nil {
		return err
	} else {
		made.Close()
	}
	m.private.close()
	m.openPrivate()
	return m.PrivateError()
}

// markPrivate writes the .gitignore before anything else, and then whose the folder is.
func markPrivate(dir *fsstore.Dir) error {
	if text, err := dir.ReadHead(ignoreName, int64(len(privateIgnore))+1); err != nil || string(text) != privateIgnore {
		if err := dir.Clear(ignoreName); err != nil {
			return err
		}
		if err := dir.WritePrivate(ignoreName, []byte(privateIgnore)); err != nil {
			return err
		}
	}
	if own, err := owned(dir); own || err != nil {
		return err
	}
	id := rand.Text()
	mark, err := local.Mark("private " + id)
	if err != nil {
		return err
	}
	err = dir.WriteOncePrivate(ownerName, []byte(id+" "+mark+"\n"))
	if errors.Is(err, fs.ErrExist) { // of whoever was first
		return nil
	}
	return err
}

func (p *private) close() {
	if p != nil {
		p.episodes.Close()
		p.dir.Close()
	}
}

// IsPrivate reports whether an episode is in the private part, and not in the shared one.
func (m *Memory) IsPrivate(id string) bool {
	return m.private != nil && m.private.episodes != nil && episode.ValidID(id) &&
		!m.episodes.Exists(id+suffix) && m.private.episodes.Exists(id+suffix)
}

// AnyPrivate reports whether an episode is in the private part alone.
func (m *Memory) AnyPrivate() (bool, error) {
	files, _, err := m.Files()
	for _, f := range files {
		if f.Private {
			return true, err
		}
	}
	return false, err
}

// folderOf is the folder that an episode is in, or would be.
func (m *Memory) folderOf(id string) *fsstore.Dir {
	if m.IsPrivate(id) {
		return m.private.episodes
	}
	return m.episodes
}

// episodeFolders are the folders of episodes, the shared one first.
func (m *Memory) episodeFolders() []*fsstore.Dir {
	if m.private == nil || m.private.episodes == nil {
		return []*fsstore.Dir{m.episodes}
	}
	return []*fsstore.Dir{m.episodes, m.private.episodes}
}

// homes are the folders of the parts, the shared one first.
func (m *Memory) homes() []*fsstore.Dir {
	if m.private == nil {
		return []*fsstore.Dir{m.top}
	}
	return []*fsstore.Dir{m.top, m.private.dir}
}

// home is the folder of one part.
func (m *Memory) home(private bool) *fsstore.Dir {
	if private && m.private != nil {
		return m.private.dir
	}
	return m.top
}
