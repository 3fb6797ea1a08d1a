package capture

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"episodes/episode"
	"episodes/internal/memory"
)

// holders reads who holds the names that the logs want.
func (r *run) holders(logs []memory.Log, existing map[string]bool, idx *memory.Index) []memory.Holder {
	wanted := map[string]bool{}
	for _, l := range logs {
		wanted[l.Session] = true
	}
	byBase := map[string]bool{} // plain ids that are wanted
	for s := range wanted {
		byBase[episode.IDFromSession(s)] = true
	}
	var out []memory.Holder
	for id := range existing {
		base, qualified := id, ""
		if i := len(id) - 9; i > 0 && id[i] == '-' {
			qualified = id[:i]
		}
		if byBase[base] || byBase[qualified] {
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
