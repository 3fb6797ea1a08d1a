// Package memory implements the memory folder on disk: episode files (the source of
// truth, in git), and next to them derived files, which may be deleted at any time.
//
//	.agents/memory/
//	  episodes/<id>.json     one small file a session
//	  corrections/<id>.jsonl what persons and readers corrected in an episode
//	  additions/<id>/*.jsonl what was added to the facts of an episode (additions.go)
//	  said/<id>.txt          the text of a transcript (said.go)
//	  forgotten.txt          digests of logs that are not to be read unless named
//	  private/               git-ignored, and believed only where this user made it (private.go)
//	  causality/             git-ignored, and believed only where this user made it (local.go): the graph,
//	                         the index of package track, view.json, memory.lock, caches (cache.go)
//
// Everything is read and written through package fsstore: no symbolic link in a
// memory that came with a repository is followed, and a reader, or a killed
// writer, never leaves half a file. Writers hold the one lock of the memory; readers
// need none.
package memory

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"episodes/internal/fsstore"
)

// ConfigName is the file of the project's own words, below the root.
const ConfigName = ".agents/episodes.toml"

// Names inside the memory folder.
const (
	episodesDir = "episodes"
	derivedDir  = "causality"
	lockName    = "memory.lock"
	graphName   = "graph"
	ignoreName  = ".gitignore"
)

// ignoreFile keeps the derived files out of git.
const ignoreFile = "# derived from the episodes, made anew by `episodes graph rebuild`\n*\n!.gitignore\n"

// Memory is an open memory folder.
type Memory struct {
	Location
	// Note, if not nil, is called with messages for the user on what was dropped.
	Note func(text string)

	top      *fsstore.Dir
	episodes *fsstore.Dir
	derived  *fsstore.Dir // nil until made

	private     *private // nil if no private part is used
	privatePath string
	privateErr  *PrivateError

	token func() (string, error) // see findToken, of which it is the first result
	wrote sync.Map               // see Wrote

	forgot []string
}

// Open opens a memory. If it does not exist, the error is ErrNone. The caller closes it.
func Open(loc Location) (*Memory, error) {
	top, err := fsstore.Open(loc.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %q does not exist", ErrNone, loc.Dir)
	}
	if err != nil {
		return nil, fmt.Errorf("open memory %q: %w", loc.Dir, fsstore.Cause(err))
	}
	m := &Memory{Location: loc, top: top}
	m.token = sync.OnceValues(m.findToken)
	if err := m.openFolders(); err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

// Nowhere returns a memory without a folder, for questions that are answered from elsewhere.
// Derived files are not kept, and nothing else may be read or written.
func Nowhere(loc Location) *Memory {
	return &Memory{Location: loc, token: func() (string, error) { return "", ErrNone }}
}

func (m *Memory) openFolders() (err error) {
	m.episodes, err = m.top.Existing(episodesDir)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %q has no folder %q", ErrNone, m.Dir, episodesDir)
	}
	if err != nil {
		return err
	}
	m.derived, err = m.top.Existing(derivedDir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	m.openPrivate()
	return m.checkDerived()
}

// CheckFolder returns an error if the folder name of a memory at loc exists and is a link or
// not a folder.
func CheckFolder(loc Location, name string) error {
	top, err := fsstore.Open(loc.Dir)
	if err == nil {
		defer top.Close()
		var dir *fsstore.Dir
		if dir, err = top.Existing(name); err == nil {
			dir.Close()
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Create opens the memory and creates the missing parts of its folder. Made lists the paths
// of these, relative to loc.Dir.
func Create(loc Location) (m *Memory, made []string, err error) {
	if err := os.MkdirAll(loc.Dir, 0o755); err != nil {
		return nil, nil, fmt.Errorf("make memory %q: %w", loc.Dir, fsstore.Cause(err))
	}
	top, err := fsstore.Open(loc.Dir)
	if err != nil {
		return nil, nil, fmt.Errorf("open memory %q: %w", loc.Dir, fsstore.Cause(err))
	}
	defer top.Close()
	for _, dir := range []string{episodesDir, derivedDir} {
		switch err := top.Make(dir); { // Open reports anything else in its place
		case err == nil:
			made = append(made, dir+"/")
		case !errors.Is(err, fs.ErrExist):
			return nil, nil, err
		}
	}
	m, err = Open(loc)
	if err != nil {
		return nil, nil, err
	}
	fresh, err := m.writeIgnore()
	if err != nil {
		m.Close()
		return nil, nil, err
	}
	if fresh {
		made = append(made, derivedDir+"/"+ignoreName)
	}
	return m, made, nil
}

// Close releases the folder.
func (m *Memory) Close() {
	m.private.close()
	for _, d := range []*fsstore.Dir{m.derived, m.episodes, m.top} {
		d.Close()
	}
}

// EnsureDerived creates the folder of the derived files, with its .gitignore.
func (m *Memory) EnsureDerived() error {
	if m.derived == nil {
		d, err := m.top.Sub(derivedDir)
		if err != nil {
			return err
		}
		m.derived = d
	}
	_, err := m.writeIgnore()
	return err
}

// writeIgnore needs no lock. It writes atomically, since an empty .gitignore would never be
// repaired.
func (m *Memory) writeIgnore() (fresh bool, err error) {
	if m.hasIgnore() {
		return false, nil
	}
	err = m.derived.WriteCachePrivate(ignoreName, []byte(ignoreFile))
	if err != nil && m.hasIgnore() { // a writer has cleaned up meanwhile, and written it before
		return false, nil
	}
	return err == nil, err
}

// hasIgnore reports whether the .gitignore is ours. One that came with a repository could
// make git track derived files.
func (m *Memory) hasIgnore() bool {
	text, err := m.derived.ReadHead(ignoreName, int64(len(ignoreFile))+1)
	return err == nil && string(text) == ignoreFile
}

// Ignored reports whether git ignores the derived files, or there are none yet. A writer that
// was killed at its start left nothing, or a part of a .gitignore.
func (m *Memory) Ignored() bool {
	if m.derived == nil || m.hasIgnore() {
		return true
	}
	entries, _ := m.derived.Entries()
	return !slices.ContainsFunc(entries, func(e fs.FileInfo) bool {
		return e.Name() != ignoreName && !strings.HasPrefix(e.Name(), fsstore.TempPrefix)
	})
}

// GraphDir returns the default folder of the graph.
func (m *Memory) GraphDir() string { return m.path(derivedDir, graphName) }

// DerivedDir returns the folder of the derived files.
func (m *Memory) DerivedDir() string { return m.path(derivedDir) }

// EpisodesDir returns the folder of the shared episode files.
func (m *Memory) EpisodesDir() string { return m.path(episodesDir) }

// EpisodePath returns the path of an episode's file: for an episode that does not exist, the
// path in the shared part.
func (m *Memory) EpisodePath(id string) string { return m.PathIn(m.IsPrivate(id), id) }

// PathIn returns the path of an episode's file in one of the parts. It need not exist.
func (m *Memory) PathIn(private bool, id string) string {
	if private {
		return filepath.Join(m.privatePath, episodesDir, id+suffix)
	}
	return m.path(episodesDir, id+suffix)
}

// AdditionsPath returns the path of the folder of an episode's additions.
func (m *Memory) AdditionsPath(id string) string {
	if m.IsPrivate(id) {
		return filepath.Join(m.privatePath, addedOf.dir, id)
	}
	return m.path(addedOf.dir, id)
}

// CorrectionsName is the name of the file of an episode's corrections in the shared part, relative to its
// folder, with slashes.
func CorrectionsName(id string) string { return fixesOf.dir + "/" + id + fixesOf.suffix }

func (m *Memory) path(parts ...string) string {
	return filepath.Join(append([]string{m.Dir}, parts...)...)
}
