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

// What is derived is local: it is believed only where this user's own runs of the
// program wrote it, see package local. Everything else in its folder came with the
// repository, or with a folder that was moved. It is called foreign, is never opened
// further than to see whose it is, and is removed by the next command that has the lock.

// NotKeptError says why nothing derived is read or kept: it could not be told from
// what came with the repository. Questions are answered from a graph that ends with
// the process.
type NotKeptError struct {
	Dir     string // of what is derived
	Tracked bool   // git tracks a file in it, so that anybody who pushed may have written it
	Err     error  // why whose it is cannot be known, when it is not tracked
}

// Error gives the reason.
func (e *NotKeptError) Error() string {
	if e.Tracked {
		return fmt.Sprintf("git tracks files in %q, which whoever pushes can change, so nothing derived is read or kept", e.Dir)
	}
	return fmt.Sprintf("nothing derived is read or kept: %v", e.Err)
}

// Unwrap gives the cause.
func (e *NotKeptError) Unwrap() error { return e.Err }

// Hint says how to go on.
func (e *NotKeptError) Hint() string {
	if e.Tracked {
		return "git rm -r --cached '" + strings.ReplaceAll(e.Dir, "'", `'\''`) + "', and commit that"
	}
	return "see that the folder of your configuration (HOME or XDG_CONFIG_HOME) can be read and written"
}

// Local returns nil where what is derived may be read and kept, else a *NotKeptError.
func (m *Memory) Local() error {
	_, err := m.token()
	return err
}

func (m *Memory) findToken() (string, error) {
	tracked, err := local.Tracked(m.DerivedDir())
	if tracked != "" || err != nil {
		return "", &NotKeptError{Dir: m.DerivedDir(), Tracked: tracked != "", Err: err}
	}
	token, err := local.Token(m.Dir)
	if err != nil {
		return "", &NotKeptError{Dir: m.DerivedDir(), Err: err}
	}
	return token, nil
}

// Bind gives the options of a graph the token of this user; where nothing may be kept,
// a store that ends with the process.
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

// ThisRun is the URL of a graph of the memory that ends with the process.
func (m *Memory) ThisRun() string { return "mem:" + m.Dir }

// Settle is Bind, and removes what is foreign unless another process is writing, which
// does the same. The error is that of Local, for a message: the options are good.
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

// Foreign lists the names in the folder of what is derived that were not written here.
// Where git tracks one of them, that is all; where whose they are cannot be known, none.
func (m *Memory) Foreign() ([]string, error) {
	if m.derived == nil {
		return nil, nil
	}
	token, err := m.token()
	if err != nil && !err.(*NotKeptError).Tracked {
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

// dropForeign removes what is foreign, unread; the caller holds the lock. A view is moved
// aside instead: somebody chose it, and nothing says it again.
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
		m.note("dropped what was in %q, unread: it was not made here, but came with the repository or an older version, or the folder was moved", m.DerivedDir())
	}
	return nil
}

// olderGraphName is where older tools keep their graph (ADR-038). It is theirs.
const olderGraphName = "causal-graph.json"

// asideName is where a foreign view is moved.
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

// Aside is the path of a view that was moved aside; "" when there is none.
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
