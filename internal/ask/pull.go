package ask

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/corrections"
	user "episodes/internal/local"
	"episodes/internal/memory"
	"episodes/internal/plain"
	"episodes/internal/team"
	"episodes/internal/term"
)

// PullRequest asks for what others pushed for this repository.
type PullRequest struct {
	Private bool // and what this login pushed of its private part
	Force   bool // also what is here and says something else
	DryRun  bool
	// FromOwner is the login from whom the project is to be. It is needed the first time and when
	// the project changed hands: whoever pushes a name first owns it.
	FromOwner string
}

// PullAnswer says what came.
type PullAnswer struct {
	full
	Project string    `json:"project"`
	Owner   string    `json:"owner"`
	Pulled  []string  `json:"pulled"`
	Differ  []string  `json:"differ"` // that differ here; they stay as they are
	Same    int       `json:"same"`
	LeftOut []LeftOut `json:"left_out"`
	Graph   *Change   `json:"graph,omitempty"`
	DryRun  bool      `json:"dry_run,omitempty"`
}

// Pull fetches the episodes of the project that are not here. What is here stays as it is, and
// what was forgotten here does not come back.
func (m *Memory) Pull(ctx context.Context, r PullRequest) (*PullAnswer, error) {
	if err := m.here.absent; err != nil {
		return nil, err
	}
	s, err := m.teamStore(ctx)
	if err != nil {
		return nil, err
	}
	project, err := s.Project(ctx)
	if err == nil {
		err = m.fromOwner(ctx, s, project, r)
	}
	if err != nil {
		return nil, err
	}
	a := &PullAnswer{Project: s.Name(), Owner: project.Owner, Pulled: []string{}, Differ: []string{}, LeftOut: []LeftOut{}, DryRun: r.DryRun}
	theirs, err := s.Versions(ctx)
	if err != nil {
		return nil, err
	}
	set, err := m.here.set()
	if err != nil {
		return nil, err
	}
	here := map[string]string{}
	for _, e := range m.versions(set) {
		here[e.ID] = e.Hash
	}
	forgotten, inStep := m.here.origins().Forgotten(), m.inStepWithTeam()
	var want []string
	for _, v := range theirs { // by id, the shared one first
		hash, there := here[v.ID]
		switch {
		case v.Private && !r.Private, forgotten[v.ID], forgotten[v.Log], len(want) > 0 && want[len(want)-1] == v.ID:
		case !there, r.Force && !v.Private && hash != v.SHA256:
			want = append(want, v.ID)
		case hash == v.SHA256:
			a.Same++
			if !v.Private {
				inStep[v.ID] = v.SHA256
			}
		default:
			a.Differ = append(a.Differ, v.ID)
		}
	}
	if r.DryRun {
		a.Pulled = append(a.Pulled, want...)
		return a, nil
	}
	if len(want) == 0 {
		return a, m.keepInStep(inStep)
	}
	if r.Private {
		if err := m.folder.MakePrivate(); err != nil {
			return nil, err
		}
	}
	a.Graph, _, err = m.change(ctx, func() error {
		for part := range slices.Chunk(want, pushedAtOnce) {
			if err := m.fetch(ctx, s, part, r.Force, inStep, a); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return a, m.keepInStep(inStep)
}

// OwnerError says that the user has not confirmed who owns a project of a team's store.
type OwnerError struct{ Project, Owner, Before, Named string }

func (e *OwnerError) Error() string {
	text := fmt.Sprintf("project %s of the store is owned by %s", plain.Name(e.Project, longestName), plain.Name(e.Owner, longestName))
	switch {
	case e.Named != "":
		text += ", not by " + plain.Name(e.Named, longestName)
	case e.Before != "":
		text += ", and was by " + plain.Name(e.Before, longestName) + " when you last pulled"
	}
	return text
}

// Hint is what to do where the owner is the right one.
func (e *OwnerError) Hint() string {
	return "if that is who should own it: episodes pull --from-owner " + corrections.Quote(plain.Words(e.Owner))
}

// fromOwner returns an error unless the user knows that the project is of its owner: it is the
// user's own login, or was confirmed.
func (m *Memory) fromOwner(ctx context.Context, s *team.Store, p team.Project, r PullRequest) error {
	name := "owner " + m.Team
	before := string(user.Confirmed(name))
	login, err := s.Login(ctx)
	switch {
	case err != nil:
		return err
	case r.FromOwner != "" && r.FromOwner != p.Owner, r.FromOwner == "" && p.Owner != login && p.Owner != before:
		return &OwnerError{Project: p.Name, Owner: p.Owner, Before: before, Named: r.FromOwner}
	case p.Owner == before || r.DryRun:
		return nil
	}
	return user.Confirm(name, []byte(p.Owner))
}

// fetch writes episodes of the store into the folder, after the same checks as for any file of
// others; the lock is held.
func (m *Memory) fetch(ctx context.Context, s *team.Store, ids []string, force bool, inStep map[string]string, a *PullAnswer) error {
	found, err := s.Bodies(ctx, ids)
	if err != nil {
		return err
	}
	var files []memory.Pending
	for _, e := range found {
		if err := m.incoming(e); err != nil {
			a.LeftOut = append(a.LeftOut, LeftOut{e.ID, err.Error()})
			continue
		}
		if _, err := m.folder.Read(e.ID); !errors.Is(err, fs.ErrNotExist) && (!force || e.Private) {
			continue // it came meanwhile
		}
		if len(files) > 0 && files[len(files)-1].ID == e.ID {
			continue // the shared one came first
		}
		if !e.Private {
			inStep[e.ID] = e.SHA256
		}
		if force { // what was added here was replaced too
			if err := m.folder.DropAdditions(e.ID); err != nil {
				return err
			}
		}
		file := memory.Pending{ID: e.ID, Data: e.Body, Private: e.Private}
		if !e.Private {
			file.From = e.Pusher
		}
		files = append(files, file)
		a.Pulled = append(a.Pulled, e.ID)
	}
	_, err = m.folder.Write(ctx, files, 1)
	return err
}

// incoming checks an episode of the store that is to be a file of this memory.
func (m *Memory) incoming(e team.Episode) error {
	if !episode.ValidID(e.ID) {
		return errors.New("not an episode's id")
	}
	if len(e.Body) > memory.MaxEpisode {
		return errors.New("it is too large for an episode")
	}
	if memory.Hash(e.Body) != e.SHA256 {
		return errors.New("it is not what its hash says")
	}
	_, err := parseForeign(m.folder, e.ID, e.Body)
	return err
}

// Text says what came.
func (a *PullAnswer) Text(tokens int) string {
	var b strings.Builder
	would := wouldBe(a.DryRun)
	fmt.Fprintf(&b, "project %s of %s: %s %spulled, %d the same here", plain.Words(a.Project), plain.Name(a.Owner, longestName),
		term.Plural(len(a.Pulled), "episode"), would, a.Same)
	if n := len(a.Differ); n > 0 {
		fmt.Fprintf(&b, ", %d differ and stay as they are here", n)
	}
	return withLeftOut(&b, a.LeftOut, tokens)
}
