package capture

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"episodes/episode"
	"episodes/internal/memory"
)

// surroundings are the names that are taken, in whatever way, and what the index
// knows: of all episodes, or under a hold of those alone that the logs may meet.
func (r *run) surroundings(logs []parsed) (existing map[string]bool, idx *memory.Index, err error) {
	existing = map[string]bool{}
	if r.m == nil {
		return existing, &memory.Index{}, nil
	}
	if r.hold != nil {
		var paths, sessions []string
		for _, l := range logs {
			paths, sessions = append(paths, l.path), append(sessions, l.session)
			for _, id := range []string{episode.IDFromSession(l.session), memory.OwnID(l.session, l.place)} {
				existing[id] = r.m.Taken(id)
			}
		}
		wanted := near(sessions)
		for _, id := range r.hold.IDs(wanted) {
			existing[id] = true
		}
		maps.DeleteFunc(existing, func(_ string, taken bool) bool { return !taken })
		if idx = r.hold.Index(r.idx, paths, wanted); idx != nil {
			return existing, idx, nil
		}
		r.letGo()
	}
	files, strange, err := r.m.Files()
	if err != nil {
		return nil, nil, err
	}
	for _, name := range strange { // a link or a folder in an episode's place
		existing[strings.TrimSuffix(name, ".json")] = true
	}
	for _, f := range files {
		existing[f.ID] = true
	}
	return existing, r.m.LoadIndex(), nil
}

// near returns what tells the ids that the episodes of some sessions may have: the
// plain one, and those made of it and a place.
func near(sessions []string) func(id []byte) bool {
	plain := map[string]bool{}
	common := "" // how all of them begin: most ids do not
	for i, s := range sessions {
		id := episode.IDFromSession(s)
		if plain[id] = true; i == 0 {
			common = id
		}
		for !strings.HasPrefix(id, common) {
			common = common[:len(common)-1]
		}
	}
	return func(id []byte) bool {
		if len(id) < len(common) || string(id[:len(common)]) != common {
			return false
		}
		i := len(id) - 9
		return plain[string(id)] || i > 0 && id[i] == '-' && plain[string(id[:i])]
	}
}

// holders reads who holds the names that the logs want.
func (r *run) holders(logs []memory.Log, existing map[string]bool, idx *memory.Index) []memory.Holder {
	sessions := make([]string, len(logs))
	for i, l := range logs {
		sessions[i] = l.Session
	}
	wanted := near(sessions)
	var out []memory.Holder
	for id := range existing {
		if wanted([]byte(id)) {
			out = append(out, r.holder(id, idx))
		}
	}
	return out
}

// holder tells of which log an existing episode was made, and where that log is.
func (r *run) holder(id string, idx *memory.Index) memory.Holder {
	h := memory.Holder{ID: id, Stem: strings.TrimPrefix(id, episode.IDFromSession("")), Place: idx.Episodes[id].Place}
	ep, err := r.m.Load(id)
	if err != nil {
		return h
	}
	src := ep.Provenance.Source
	h.SHA256 = src.SHA256
	if src.Path != "" && src.Path != Stdin {
		h.Stem = episode.SessionFromPath(src.Path)
	}
	at := filepath.Join(r.Location.Root, filepath.FromSlash(src.Path))
	switch {
	case src.Path == Stdin:
		h.Place = Stdin
		if i := len(h.Stem) - 9; i > 0 && episode.Qualified(h.Stem[:i], Stdin) == h.Stem {
			h.Stem = h.Stem[:i] // its name is shared with another log
		}
		return h
	case strings.Contains(src.Path, "/"):
		h.Place = src.Path
	case h.Place == "" && src.Path != "" && isFile(at):
		h.Place = src.Path
	}
	if h.Place != "" && h.Place != src.Path {
		at = filepath.FromSlash(h.Place)
	}
	_, err = os.Lstat(at)
	h.Gone = h.Place != "" && errors.Is(err, fs.ErrNotExist)
	return h
}

// readable: an episode that cannot be read stays where it is.
func (r *run) readable(id string) bool {
	_, err := r.m.Load(id)
	return err == nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
