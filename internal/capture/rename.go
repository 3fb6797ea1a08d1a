package capture

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"episodes/episode"
	"episodes/internal/corrections"
	"episodes/internal/memory"
)

// rename gives an episode another id, in its file's name and inside the file; the
// caller holds the lock. The new file is written before the old one goes. If a kill
// between the two left both, the old one goes now. A file that was edited by hand stays,
// and done is false. sha256 is of the new file, "" when that was there before.
func rename(m *memory.Memory, from, to string) (sha256 string, done bool, err error) {
	data, err := m.Read(from)
	if err != nil {
		return "", false, err
	}
	ep, err := episode.Parse(data)
	if err != nil {
		return "", false, &memory.FileError{Path: m.EpisodePath(from), Err: err}
	}
	if corrections.Edited(data) {
		return "", false, nil
	}
	if _, err := m.Load(to); errors.Is(err, fs.ErrNotExist) {
		ep.ID, ep.Session = to, strings.TrimPrefix(to, episode.IDFromSession(""))
		if data, err = episode.MarshalSealed(ep); err != nil {
			return "", false, err
		}
		if _, err := m.Write(context.Background(),
			[]memory.Pending{{ID: to, Data: data, Private: m.IsPrivate(from)}}, 1); err != nil {
			return "", false, err
		}
		sha256 = memory.Hash(data)
	}
	if err := m.MoveAttached(from, to); err != nil {
		return "", false, err
	}
	return sha256, true, m.Remove(from)
}

// move does what names decided, and notes it in the index.
func (r *run) move(p *plan) (done []Rename, err error) {
	for _, mv := range p.moves {
		sha256, moved, err := rename(r.m, mv.from, mv.to)
		if err != nil {
			return done, fmt.Errorf("rename episode %q: %w", mv.from, err)
		}
		if moved {
			p.idx.Move(mv.from, mv.to, sha256)
			done = append(done, Rename{From: mv.from, To: mv.to})
		}
	}
	return done, nil
}
