package ask

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/graph"
	"episodes/internal/capture"
	"episodes/internal/memory"
	"episodes/internal/plain"
	"episodes/internal/team"
	"episodes/internal/term"
	"episodes/internal/track"
	"episodes/recall"
	"episodes/redact"
)

// PushRequest asks to bring this memory's episodes to the team's store.
type PushRequest struct {
	Private bool // the private part too; others do not see it there
	DryRun  bool
}

// PushAnswer says what was brought.
type PushAnswer struct {
	Project   string    `json:"project"`
	Pushed    []string  `json:"pushed"`
	Removed   []string  `json:"removed"` // that were forgotten here
	Unchanged int       `json:"unchanged"`
	LeftOut   []LeftOut `json:"left_out"`
	Graph     *Change   `json:"graph,omitempty"` // of the project; absent in a dry run
	DryRun    bool      `json:"dry_run,omitempty"`
}

// LeftOut is an episode that was not brought, and why.
type LeftOut struct {
	ID  string `json:"id"`
	Why string `json:"why"`
}

// pushedAtOnce is how many episodes are one transaction.
const pushedAtOnce = 200

// Push brings the shared episodes to the project of the team's store: only what changed, a
// transaction for each batch, so that it can be cut off and done again. What was forgotten
// here is removed there. An episode that holds what the rules of today call a secret stays.
func (m *Memory) Push(ctx context.Context, r PushRequest) (*PushAnswer, error) {
	s, err := m.teamStore(ctx)
	if err != nil {
		return nil, err
	}
	a := &PushAnswer{Project: s.Name(), Pushed: []string{}, Removed: []string{}, LeftOut: []LeftOut{}, DryRun: r.DryRun}
	theirs, err := s.Versions(ctx)
	if err != nil {
		return nil, err
	}
	changed, err := m.toPush(a, theirs, r.Private)
	if err != nil {
		return nil, err
	}
	forgotten := m.folder.Forgotten()
	for _, v := range theirs {
		if !v.Private && (forgotten[v.ID] || forgotten[v.Log]) {
			a.Removed = append(a.Removed, v.ID)
		}
	}
	known := map[string]*team.Episode{}
	redactor := capture.Redactor(m.Location)
	done := 0
	for part := range slices.Chunk(changed, pushedAtOnce) {
		var batch []team.Episode
		for _, f := range part {
			e, err := m.outgoing(f.ID, redactor)
			if err != nil {
				a.LeftOut = append(a.LeftOut, LeftOut{f.ID, err.Error()})
				continue
			}
			e.Private = f.Private
			batch = append(batch, *e)
			a.Pushed = append(a.Pushed, e.ID)
			if !e.Private {
				known[e.ID] = e
			}
		}
		if !r.DryRun {
			if err := s.Write(ctx, batch, nil); err != nil {
				return nil, err
			}
		}
		done += len(part)
		if m.Progress != nil {
			m.Progress("episodes to the team's store", done, len(changed))
		}
	}
	if r.DryRun {
		return a, nil
	}
	if err := s.Write(ctx, nil, a.Removed); err != nil {
		return nil, err
	}
	rep, err := graph.Update(ctx, m.Team, &team.Source{Context: ctx, Store: s, Known: known, Parse: m.parseTeam}, m.store.Options)
	if err != nil {
		return nil, fmt.Errorf("bring the project's graph in step: %w", err)
	}
	a.Graph = capture.ChangeOf(rep)
	return a, nil
}

// toPush lists the episodes that the store does not have as they are here.
func (m *Memory) toPush(a *PushAnswer, theirs []team.Version, private bool) (out []memory.File, err error) {
	set, err := track.Load(m.folder).Set()
	if err != nil {
		return nil, err
	}
	type version struct {
		id, hash string
		private  bool
	}
	there := map[version]bool{}
	for _, v := range theirs {
		there[version{v.ID, v.SHA256, v.Private}] = true
	}
	for _, e := range set.Whole {
		f := memory.File{ID: e.ID, Private: m.folder.IsPrivate(e.ID)}
		switch {
		case f.Private && !private:
		case there[version{e.ID, e.Hash, f.Private}]:
			a.Unchanged++
		default:
			out = append(out, f)
		}
	}
	return out, nil
}

// outgoing is an episode file as the store takes it.
func (m *Memory) outgoing(id string, redactor *redact.Redactor) (*team.Episode, error) {
	data, err := m.folder.Read(id)
	if err != nil {
		return nil, err
	}
	ep, err := m.folder.Parse(id, data)
	if err != nil {
		return nil, err
	}
	words := recall.FromEpisode(ep).Hashes()
	if found := redactor.Episode(ep); found.Total() > 0 {
		return nil, fmt.Errorf("%w (%s)", errSecret, found)
	}
	return &team.Episode{ID: id, SHA256: memory.Hash(data), Log: ep.Provenance.Source.SHA256, Body: data, Words: words}, nil
}

// errSecret: an episode holds what must not leave this machine.
var errSecret = errors.New("it holds what looks like a secret or personal data")

// Text says what was brought.
func (a *PushAnswer) Text(tokens int) string {
	var b strings.Builder
	would := ""
	if a.DryRun {
		would = "would be "
	}
	fmt.Fprintf(&b, "project %s: %s %spushed, %d unchanged", plain.Words(a.Project), term.Plural(len(a.Pushed), "episode"), would, a.Unchanged)
	if n := len(a.Removed); n > 0 {
		fmt.Fprintf(&b, ", %d %sremoved, forgotten here", n, would)
	}
	b.WriteString("\n")
	leftOutText(&b, a.LeftOut)
	return term.Cut(b.String(), tokens)
}

func leftOutText(b *strings.Builder, list []LeftOut) {
	for _, l := range list {
		fmt.Fprintf(b, "left out: %s: %s\n", l.ID, plain.Words(l.Why))
	}
}

// Empty is false: that nothing changed is an answer.
func (a *PushAnswer) Empty() bool { return false }

// PullRequest asks for what others pushed for this repository.
type PullRequest struct {
	Private bool // and what this login pushed of its private part
	DryRun  bool
}

// PullAnswer says what came.
type PullAnswer struct {
	Project string    `json:"project"`
	Pulled  []string  `json:"pulled"`
	Differ  []string  `json:"differ"` // that are here too, and say something else; they stay as they are here
	Same    int       `json:"same"`
	LeftOut []LeftOut `json:"left_out"`
	Graph   *Change   `json:"graph,omitempty"`
	DryRun  bool      `json:"dry_run,omitempty"`
}

// Pull fetches the episodes of the project that are not here. What is here stays as it is, and
// what was forgotten here does not come back.
func (m *Memory) Pull(ctx context.Context, r PullRequest) (*PullAnswer, error) {
	s, err := m.teamStore(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := s.Project(ctx); err != nil {
		return nil, err
	}
	a := &PullAnswer{Project: s.Name(), Pulled: []string{}, Differ: []string{}, LeftOut: []LeftOut{}, DryRun: r.DryRun}
	theirs, err := s.Versions(ctx)
	if err != nil {
		return nil, err
	}
	set, err := track.Load(m.folder).Set()
	if err != nil {
		return nil, err
	}
	here := map[string]string{}
	for _, e := range set.Whole {
		here[e.ID] = e.Hash
	}
	forgotten := m.folder.Forgotten()
	var want []string
	for _, v := range theirs {
		hash, there := here[v.ID]
		switch {
		case v.Private && !r.Private, forgotten[v.ID], forgotten[v.Log], slices.Contains(want, v.ID):
		case !there:
			want = append(want, v.ID)
		case hash == v.SHA256:
			a.Same++
		default:
			a.Differ = append(a.Differ, v.ID)
		}
	}
	if r.DryRun || len(want) == 0 {
		a.Pulled = append(a.Pulled, want...)
		return a, nil
	}
	if r.Private {
		if err := m.folder.MakePrivate(); err != nil {
			return nil, err
		}
	}
	rep, leftOut, err := m.write(ctx, func(o memory.GraphOptions) (graph.Report, *track.Set, error) {
		for part := range slices.Chunk(want, pushedAtOnce) {
			if err := m.fetch(ctx, s, part, a); err != nil {
				return graph.Report{}, nil, err
			}
		}
		return m.catchUp(ctx, o)
	})
	if err != nil {
		return nil, err
	}
	m.warn(leftOut)
	a.Graph = capture.ChangeOf(rep)
	return a, nil
}

// fetch writes episodes of the store into the folder, after the same checks as for any file of
// others; the lock is held.
func (m *Memory) fetch(ctx context.Context, s *team.Store, ids []string, a *PullAnswer) error {
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
		if _, err := m.folder.Read(e.ID); !errors.Is(err, fs.ErrNotExist) {
			continue // it came meanwhile, or its shared file was first
		}
		files = append(files, memory.Pending{ID: e.ID, Data: e.Body, Private: e.Private})
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
	if memory.Hash(e.Body) != e.SHA256 {
		return errors.New("it is not what its hash says")
	}
	_, err := m.parseTeam(e.ID, e.Body)
	return err
}

// Text says what came.
func (a *PullAnswer) Text(tokens int) string {
	var b strings.Builder
	would := ""
	if a.DryRun {
		would = "would be "
	}
	fmt.Fprintf(&b, "project %s: %s %spulled, %d the same here", plain.Words(a.Project), term.Plural(len(a.Pulled), "episode"), would, a.Same)
	if n := len(a.Differ); n > 0 {
		fmt.Fprintf(&b, ", %d differ and stay as they are here", n)
	}
	b.WriteString("\n")
	leftOutText(&b, a.LeftOut)
	return term.Cut(b.String(), tokens)
}

// Empty is false: that nothing came is an answer.
func (a *PullAnswer) Empty() bool { return false }
