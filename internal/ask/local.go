package ask

import (
	"context"
	"errors"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"episodes/episode"
	"episodes/graph"
	"episodes/internal/capture"
	"episodes/internal/memory"
	"episodes/internal/team"
	"episodes/internal/track"
	"episodes/query"
	"episodes/redact"
)

// local is the memory of this machine: a folder of episodes, with a graph and its index of
// retrieval, which are brought up to date together before a question is answered.
type local struct {
	*Options
	folder *memory.Memory
	absent error // ErrNoMemory if only a team's store is asked

	store   memory.GraphOptions
	settled bool         // store is the one that may be asked
	graph   *graph.Graph // nil until it is needed
	// made is the index of retrieval where it is made for this run alone, or nil.
	made *track.Passages

	redactor func() *redact.Redactor // of the rules of today and of the project
	origins  func() *track.Origins   // of the episodes; to be called when the index is up to date
}

func newLocal(o *Options, folder *memory.Memory, absent error) *local {
	l := &local{Options: o, folder: folder, absent: absent, store: o.GraphOptions(),
		redactor: sync.OnceValue(func() *redact.Redactor { return capture.Redactor(o.Location) }),
		origins: sync.OnceValue(func() *track.Origins {
			if o.AsItIs && folder.Local() == nil {
				return track.Kept(folder, o.now())
			}
			return track.LoadOrigins(folder, o.now())
		})}
	if absent == nil {
		l.store.View = folder.View().Edges()
	}
	return l
}

func (l *local) close() {
	if l.graph != nil {
		_ = l.graph.Close()
	}
	l.graph = nil
}

func (l *local) find(ref string) (string, error) {
	for _, id := range []string{ref, episode.IDFromSession(ref)} {
		if _, err := l.folder.Read(id); err == nil || !errors.Is(err, fs.ErrNotExist) {
			return id, nil // an unreadable one is reported when it is loaded
		}
	}
	files, _, err := l.folder.Files()
	if err != nil {
		return "", err
	}
	var fits []string
	for _, f := range files {
		if strings.HasPrefix(f.ID, ref) || strings.HasPrefix(f.ID, episode.IDFromSession(ref)) {
			fits = append(fits, f.ID)
		}
	}
	slices.Sort(fits)
	switch len(fits) {
	case 0:
		ids := make([]string, len(files))
		for i, f := range files {
			ids[i] = f.ID
		}
		return "", noEpisode(ref, ids)
	case 1:
		return fits[0], nil
	}
	return "", &AmbiguousError{Ref: ref, IDs: fits}
}

func (l *local) load(id string) (*episode.Episode, error) {
	ep, err := l.folder.Load(id)
	if err == nil {
		l.join(ep)
		redact.Default.Foreign(ep)
	}
	return ep, err
}

func (l *local) loader([]string) (query.Episodes, map[string]string, error) {
	files, err := l.set()
	if err != nil {
		return nil, nil, err
	}
	return files, hashes(files), nil
}

// hashes are those of the files of a set, by id.
func hashes(set *track.Set) map[string]string {
	out := make(map[string]string, len(set.All))
	for _, e := range set.All {
		out[e.ID] = e.Hash
	}
	return out
}

// atOnce calls do with each number below n, on all processors.
func atOnce(n int, do func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	wg.Wait()
}

// there is true: the index of retrieval is up to date when it is asked.
func (l *local) there(string) bool { return true }

func (l *local) isPrivate(id string) bool { return l.folder.IsPrivate(id) }

func (l *local) project(name string) (project, id string) { return "", name }

func (l *local) view() memory.View { return l.folder.View() }

func (l *local) readKept(name, key string) []byte { return l.folder.ReadCached(name, key) }

func (l *local) writeKept(name, key string, data []byte) error {
	return l.folder.KeepCached(name, key, data)
}

func (l *local) teamStore(context.Context) (*team.Store, error) {
	return nil, badParam("store", "", "names no team's store")
}
