package memory

import (
	"context"
	"fmt"
	"io/fs"
	"strings"

	"episodes/graph/stores"
	"episodes/internal/fsstore"
	"episodes/internal/local"
)

// Derived files are local: they are trusted only if this user's runs of the program wrote
// them, see package local. All other files in their folder came with the repository or with
// a folder that was moved. They are called foreign, are read only as far as needed to see
// that, and are removed by the next command that holds the lock.

// NotKeptError is the reason why no derived file is read or written: it could not be
// distinguished from a file that came with the repository. Questions are answered from a
// graph in memory.
type NotKeptError struct {
	Dir     string // folder of the derived files
	Tracked string // a file in it that git tracks
	Err     error  // otherwise the reason why the writer cannot be determined
}

func (e *NotKeptError) Error() string {
	if e.Tracked != "" {
		return fmt.Sprintf("git tracks %q in %q, which whoever pushes can change, so nothing derived is read or kept", e.Tracked, e.Dir)
	}
	return fmt.Sprintf("nothing derived is read or kept: %v", e.Err)
}

func (e *NotKeptError) Unwrap() error { return e.Err }

func (e *NotKeptError) Hint() string {
	if e.Tracked != "" {
		return "git rm -r --cached '" + strings.ReplaceAll(e.Dir, "'", `'\''`) + "', and commit that"
	}
	return "see that the folder of your configuration (HOME or XDG_CONFIG_HOME) can be read and written"
}

// Local returns nil if derived files may be read and written, and otherwise a *NotKeptError.
func (m *Memory) Local() error {
	_, err := m.token()
	return err
}

func (m *Memory) findToken() (string, error) {
	tracked, err := local.Tracked(m.DerivedDir())
	if tracked != "" || err != nil {
		return "", &NotKeptError{Dir: m.DerivedDir(), Tracked: tracked, Err: err}
	}
	token, err := local.Token(m.Dir)
	if err != nil {
		return "", &NotKeptError{Dir: m.DerivedDir(), Err: err}
	}
	return token, nil
}

// Bind sets this user's token in the options of a graph or, if derived files may not be kept,
// selects a store in memory.
func (m *Memory) Bind(o GraphOptions) GraphOptions {
	if stores.Private(o.Store) {
		return o
	}
	token, err := m.token()
	if err != nil {
		o.Store = m.ThisRun()
	}
	o.Token = token
	return o
}

// ThisRun returns the URL of a store in memory for the graph.
func (m *Memory) ThisRun() string { return "mem:" + m.Dir }

// Settle is like Bind, and removes foreign files unless another process is writing, which
// does the same. The error is that of Local and only for a message: the options are valid.
func (m *Memory) Settle(ctx context.Context, o GraphOptions) (GraphOptions, error) {
	if stores.Private(o.Store) {
		return o, nil
	}
	if foreign, _ := m.Foreign(); len(foreign) > 0 {
		if unlock, err := m.Lock(ctx, 0, o.Who); err == nil {
			unlock()
		}
	}
	return m.Bind(o), m.Local()
}

// Foreign lists the foreign names in the folder of derived files: all if git tracks one of
// them, none if their writer cannot be determined.
func (m *Memory) Foreign() ([]string, error) {
	if m.derived == nil {
		return nil, nil
	}
	token, err := m.token()
	if err != nil && err.(*NotKeptError).Tracked == "" {
		return nil, nil
	}
	entries, err := m.derived.Entries()
	var foreign []string
	for _, info := range entries {
		if !m.own(info, token) {
			foreign = append(foreign, info.Name())
		}
	}
	return foreign, err
}

// own reports whether an entry holds nothing to be believed, or was written under a
// token; with none, nothing was.
func (m *Memory) own(info fs.FileInfo, token string) bool {
	name, regular := info.Name(), info.Mode().IsRegular()
	switch {
	case name == lockName, name == ignoreName:
		return true // neither is read for what it says
	case name == asideName, name == olderGraphName, strings.HasPrefix(name, fsstore.TempPrefix):
		return regular // likewise
	case token == "":
		return false
	case name == graphName:
		return info.IsDir() && !stores.Foreign(m.DefaultStore(), token)
	case strings.HasPrefix(name, furtherGraph):
		return info.IsDir() && !stores.Foreign(m.GraphNamed(strings.TrimPrefix(name, furtherGraph)), token)
	}
	head, err := m.derived.ReadHead(name, int64(len(token))+1)
	return regular && err == nil && string(head) == token+" "
}

// dropForeign removes foreign files without reading them. A view is moved aside instead,
// since it cannot be computed again. The caller must hold the lock.
func (m *Memory) dropForeign() error {
	names, err := m.Foreign()
	if err != nil {
		return err
	}
	dropped := false
	for _, name := range names {
		if info, err := m.derived.Lstat(name); name == viewName && err == nil && info.Mode().IsRegular() {
			if err := m.setAside(); err != nil {
				return err
			}
			continue
		}
		if err := m.derived.RemoveAll(name); err != nil {
			return err
		}
		dropped = true
	}
	if dropped {
		m.note("dropped what was in %q, unread: it was not made here, but came with the repository or an older version, or the folder was moved",
			m.DerivedDir())
	}
	return nil
}

// olderGraphName is the file in which older tools keep their graph (ADR-038). It is theirs.
const olderGraphName = "causal-graph.json"

// asideName is the name to which a foreign view is moved.
const asideName = viewName + ".foreign"

func (m *Memory) setAside() error {
	if err := m.derived.Clear(asideName); err != nil {
		return err
	}
	if err := m.derived.Rename(viewName, asideName); err != nil {
		return err
	}
	m.note("%q was not set here and is moved aside to %q, unread: everything is in view", m.path(derivedDir, viewName), asideName)
	return nil
}

// Aside returns the path of a view that was moved aside, or "".
func (m *Memory) Aside() string {
	if m.derived == nil || !m.derived.Exists(asideName) {
		return ""
	}
	return m.path(derivedDir, asideName)
}

func (m *Memory) note(format string, args ...any) {
	if m.Note != nil {
		m.Note(fmt.Sprintf(format, args...))
	}
}
