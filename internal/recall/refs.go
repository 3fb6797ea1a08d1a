package recall

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"episodes/episode"
)

// ErrNoRef says that a text cannot name an episode at all.
var ErrNoRef = errors.New("not an episode's id, session or prefix")

// AmbiguousError says that a prefix fits several episodes.
type AmbiguousError struct {
	Ref string
	IDs []string // that it fits, sorted
}

// Error gives the number of episodes that fit.
func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%q fits %d episodes", e.Ref, len(e.IDs))
}

// Hint names those that fit.
func (e *AmbiguousError) Hint() string {
	const most = 8
	if len(e.IDs) > most {
		return fmt.Sprintf("one of: %s, and %d more", strings.Join(e.IDs[:most], ", "), len(e.IDs)-most)
	}
	return "one of: " + strings.Join(e.IDs, ", ")
}

// Find returns the id of the episode that ref names: its id, its session, or a
// prefix of one of them that fits no other. The error is fs.ErrNotExist when
// nothing fits, an *AmbiguousError when several do, and ErrNoRef when ref could
// only be a way out of the folder.
func (s *Session) Find(ref string) (string, error) {
	if strings.ContainsAny(ref, `/\`) || strings.Contains(ref, "..") || ref == "" {
		return "", fmt.Errorf("%q: %w", ref, ErrNoRef)
	}
	for _, id := range []string{ref, episode.IDFromSession(ref)} {
		if _, err := s.Read(id); err == nil || !errors.Is(err, fs.ErrNotExist) {
			return id, nil // an unreadable one is reported when it is loaded
		}
	}
	files, _, err := s.Files()
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
		return "", fmt.Errorf("no episode is named %q: %w", ref, fs.ErrNotExist)
	case 1:
		return fits[0], nil
	}
	return "", &AmbiguousError{Ref: ref, IDs: fits}
}

// DecisionRef completes the episode in a reference such as EPISODE#d001. What is
// no such reference, or names no episode here, stays as it is: it may be words.
func (s *Session) DecisionRef(ref string) (string, error) {
	name, record, found := strings.Cut(strings.TrimSpace(ref), "#")
	if !found || name == "" || !decisionID.MatchString(record) {
		return ref, nil
	}
	id, err := s.Find(name)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, ErrNoRef):
		return ref, nil
	case err != nil:
		return "", err
	}
	return id + "#" + record, nil
}

var decisionID = regexp.MustCompile(`^d\d{3,}$`)

// Load returns the episode that ref names; see Find. With it a Session serves
// as the episodes of package query.
func (s *Session) Load(ref string) (*episode.Episode, error) {
	id, err := s.Find(ref)
	if err != nil {
		return nil, err
	}
	return s.Memory.Load(id)
}
