package ask

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/lazy"
	"episodes/internal/track"
)

// find returns the id of the episode that ref names: its id, its session, or a
// prefix of one of them that fits no other. The error is a *NoEpisodeError when
// nothing fits, an *AmbiguousError when several do, and ErrNoRef when ref could only be a
// way out of the folder.
func (m *Memory) find(ref string) (string, error) {
	if strings.ContainsAny(ref, `/\`) || strings.Contains(ref, "..") || ref == "" {
		return "", fmt.Errorf("%q: %w", ref, ErrNoRef)
	}
	return m.source.find(ref)
}

// decisionRef completes the episode in a reference such as EPISODE#d001. What is
// no such reference, or names no episode here, stays as it is: it may be words.
func (m *Memory) decisionRef(ref string) (string, error) {
	name, record, found := strings.Cut(strings.TrimSpace(ref), "#")
	if !found || name == "" || !decisionID().MatchString(record) {
		return ref, nil
	}
	id, err := m.find(name)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, ErrNoRef):
		return ref, nil
	case err != nil:
		return "", err
	}
	return id + "#" + record, nil
}

var decisionID = lazy.Pattern(`^d\d{3,}$`)

// place is a log as answers cite it.
var place = lazy.Pattern(`^(.*\.(?:md|markdown|jsonl?|traj))(?::[0-9, -]+)?$`)

// Load returns the episode that ref names: an id, a session, a prefix of one that fits no
// other, or a log as answers cite it ("docs/plan.md:12"). The error is ErrNoEpisode when
// nothing fits. It makes a Memory the query.Episodes of the questions below.
func (m *Memory) Load(ref string) (*episode.Episode, error) {
	id, err := m.find(ref)
	if cited := place().FindStringSubmatch(ref); err != nil && cited != nil {
		of, failed := m.find(episode.SessionFromPath(cited[1]))
		var several *AmbiguousError // of which one may be of this very log
		if errors.As(failed, &several) {
			err = failed
			for _, id := range several.IDs {
				if ep, err := m.load(id); err == nil && ep.Provenance.Source.Path == cited[1] {
					return ep, nil
				}
			}
		}
		if of = cmp.Or(m.ofLog(cited[1]), of); of != "" {
			id, err = of, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return m.load(id)
}

// ofLog is the first episode of a log, by the path that answers show; "" if none is.
func (m *Memory) ofLog(path string) string {
	shown, all := m.logPaths(), track.Load(m.folder).Episodes
	for _, id := range slices.Sorted(maps.Keys(all)) {
		log := all[id].Log
		if filepath.IsAbs(log) {
			log = filepath.Base(log)
		}
		if shown(id, log) == path {
			return id
		}
	}
	return ""
}
