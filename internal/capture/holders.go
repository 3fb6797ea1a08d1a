package capture

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/corrections"
	"episodes/internal/track"
)

// wantedBy matches the ids that the logs may want: the plain one of a session, and those
// made of it and a path.
func wantedBy(logs []namedLog) func(id string) bool {
	plain := map[string]bool{}
	for _, l := range logs {
		plain[fold(episode.IDFromSession(l.session))] = true
	}
	return func(id string) bool {
		id = fold(id)
		suffix := len(id) - len("-01234567") // of a qualified id
		return plain[id] || suffix > 0 && plain[id[:suffix]]
	}
}

// holder finds of which log an existing episode was made, and where that log is.
func (r *run) holder(id string, idx *track.Index) holder {
	h := holder{id: id, session: strings.TrimPrefix(id, episode.IDFromSession("")), path: idx.Episodes[id].Log}
	ep, err := r.m.Load(id)
	if err != nil {
		return h
	}
	src := ep.Provenance.Source
	h.sha256 = src.SHA256
	h.named = src.Session != "" && episode.IDFromSession(src.Session) == id
	if h.named {
		h.session = src.Session
	} else if src.Path != "" && src.Path != Stdin {
		h.session = episode.SessionFromPath(src.Path)
	}
	at := filepath.Join(r.Location.Root, filepath.FromSlash(src.Path))
	switch {
	case src.Path == Stdin:
		h.path = Stdin
		if i := len(h.session) - 9; i > 0 && episode.Qualified(h.session[:i], Stdin) == h.session {
			h.session = h.session[:i] // its name is shared with another log
		}
		return h
	case strings.Contains(src.Path, "/"):
		h.path = src.Path
	case h.path == "" && src.Path != "" && isFile(at):
		h.path = src.Path
	}
	if h.path != "" && h.path != src.Path {
		at = filepath.FromSlash(h.path)
	}
	_, err = os.Lstat(at)
	h.gone = h.path != "" && errors.Is(err, fs.ErrNotExist)
	return h
}

// dropMoves leaves out the moves of episodes that are not there or cannot be read, and of
// those that were edited by hand: these stay where they are, as the episodes of their logs.
func (r *run) dropMoves(p *plan, taken map[string]bool) {
	p.moves = slices.DeleteFunc(p.moves, func(mv move) bool {
		old := r.oldEpisode(mv.from, taken[mv.from])
		if old.ep == nil || !corrections.Edited(old.data) {
			return old.ep == nil
		}
		for i := range p.names {
			if p.names[i].id == mv.to {
				p.names[i].id = mv.from
			}
		}
		r.note(fmt.Sprintf("%s was edited by hand, so it keeps its name, which another log has too", mv.from))
		return true
	})
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
