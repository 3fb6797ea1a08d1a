package ask

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/graph"
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
	Force   bool // also what others changed or removed there
	DryRun  bool
}

// PushAnswer says what was brought.
type PushAnswer struct {
	full
	Project   string    `json:"project"`
	Pushed    []string  `json:"pushed"`
	Removed   []string  `json:"removed"` // that were forgotten here
	Unchanged int       `json:"unchanged"`
	Differ    []string  `json:"differ"` // that others changed or removed; they stay
	LeftOut   []LeftOut `json:"left_out"`
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
// here is removed there. An episode that holds what the rules of today call a secret stays
// here, and what others changed or removed since it was last in step with this memory stays
// there.
func (m *Memory) Push(ctx context.Context, r PushRequest) (*PushAnswer, error) {
	if err := m.here.absent; err != nil {
		return nil, err
	}
	s, err := m.teamStore(ctx)
	if err != nil {
		return nil, err
	}
	a := &PushAnswer{Project: s.Name(), Pushed: []string{}, Removed: []string{}, Differ: []string{},
		LeftOut: []LeftOut{}, DryRun: r.DryRun}
	theirs, err := s.Versions(ctx)
	if err != nil {
		return nil, err
	}
	gone, err := s.Gone(ctx)
	if err != nil {
		return nil, err
	}
	inStep := m.inStepWithTeam()
	changed, err := m.toPush(a, r, inStep, theirs, gone)
	if err != nil {
		return nil, err
	}
	forgotten := m.here.origins().Forgotten()
	for _, v := range theirs {
		if n := len(a.Removed); (forgotten[v.ID] || forgotten[v.Log]) && (n == 0 || a.Removed[n-1] != v.ID) {
			a.Removed = append(a.Removed, v.ID) // by id: a private one can have that of a shared one
		}
	}
	redactor := m.here.redactor()
	done := 0
	for part := range slices.Chunk(changed, pushedAtOnce) {
		var batch []team.Episode
		for _, f := range part {
			e, err := m.outgoing(f.id, redactor)
			if err != nil {
				a.LeftOut = append(a.LeftOut, LeftOut{f.id, err.Error()})
				continue
			}
			e.Private, e.Was = f.private, f.was
			batch = append(batch, *e)
		}
		var kept []string
		if !r.DryRun {
			if kept, err = s.Update(ctx, batch, nil); err != nil {
				return nil, err
			}
			a.Differ = append(a.Differ, kept...)
		}
		for _, e := range batch {
			if slices.Contains(kept, e.ID) {
				continue
			}
			a.Pushed = append(a.Pushed, e.ID)
			if !e.Private {
				inStep[e.ID] = e.SHA256
			}
		}
		done += len(part)
		if m.Progress != nil {
			m.progress("episodes to the team's store", whole)(done, len(changed))
		}
	}
	if r.DryRun {
		return a, s.MayWrite(ctx)
	}
	if err := s.Write(ctx, nil, a.Removed); err != nil {
		return nil, err
	}
	return a, m.keepInStep(inStep)
}

// The versions of shared episodes that were the same here and in the store are kept in a
// derived file: a push replaces those alone.
const (
	inStepName = "-in-step.json" // after teamName
	inStepKey  = "in step 1"
)

func (m *Memory) inStepWithTeam() map[string]string {
	out := map[string]string{}
	if json.Unmarshal(m.folder.ReadDerived(teamName(m.Team)+inStepName, inStepKey), &out) != nil {
		return map[string]string{}
	}
	return out
}

func (m *Memory) keepInStep(versions map[string]string) error {
	data, err := json.Marshal(versions)
	if err == nil {
		err = m.folder.KeepDerived(teamName(m.Team)+inStepName, inStepKey, data)
	}
	return err
}

// pushing is an episode that is to be pushed.
type pushing struct {
	id, was string // was: see team.Episode
	private bool
}

// toPush lists the episodes that the store does not have as they are here, and counts what is
// the same. What others changed or removed is left out, unless it is to be replaced.
func (m *Memory) toPush(a *PushAnswer, r PushRequest, inStep map[string]string, theirs []team.Version,
	gone map[string]bool) (out []pushing, err error) {
	set, err := m.here.set()
	if err != nil {
		return nil, err
	}
	shared, own := map[string]string{}, map[string]string{}
	for _, v := range theirs {
		if v.Private {
			own[v.ID] = v.SHA256
		} else {
			shared[v.ID] = v.SHA256
		}
	}
	for _, e := range m.versions(set) {
		f := pushing{id: e.ID, private: m.folder.IsPrivate(e.ID), was: shared[e.ID]}
		switch {
		case f.private && !r.Private:
		case f.private && own[e.ID] == e.Hash, !f.private && f.was == e.Hash:
			a.Unchanged++
			if !f.private {
				inStep[e.ID] = e.Hash
			}
		case !f.private && !r.Force && (f.was != "" && inStep[e.ID] != f.was || f.was == "" && gone[e.ID]):
			a.Differ = append(a.Differ, e.ID)
		default:
			out = append(out, f)
		}
	}
	return out, nil
}

// versions are the episodes of a set with the hashes of what the store gets.
func (m *Memory) versions(set *track.Set) []graph.Entry {
	out := slices.Clone(set.All)
	for i, e := range out {
		if !m.folder.HasMore(e.ID) {
			continue
		}
		if data, _, err := m.whole(e.ID); err == nil {
			out[i].Hash = memory.Hash(data)
		}
	}
	return out
}

// whole is an episode as others get it: the file, or where something was added the two together.
func (m *Memory) whole(id string) ([]byte, *episode.Episode, error) {
	data, err := m.folder.Read(id)
	if err != nil {
		return nil, nil, err
	}
	ep, err := m.folder.Parse(id, data)
	if err != nil || !m.folder.HasMore(id) {
		return data, ep, err
	}
	m.here.join(ep)
	if n := m.withoutPrivate(ep); n > 0 && !m.isPrivate(id) {
		m.note("%s: without %s to private sessions", id, term.Plural(n, "reference"))
	}
	data, err = episode.MarshalSealed(ep)
	return data, ep, err
}

// outgoing is an episode as the store takes it.
func (m *Memory) outgoing(id string, redactor *redact.Redactor) (*team.Episode, error) {
	data, ep, err := m.whole(id)
	if err != nil {
		return nil, err
	}
	words := recall.FromEpisode(ep).Hashes()
	found := redactor.Episode(ep)
	if found.Total() == 0 {
		_, found = redactor.Text(string(data)) // what no episode has goes with the file too
	}
	if found.Total() > 0 {
		return nil, fmt.Errorf("%w (%s)", errSecret, found)
	}
	return &team.Episode{ID: id, SHA256: memory.Hash(data), Log: ep.Provenance.Source.SHA256, Body: data, Words: words}, nil
}

// errSecret: an episode holds what must not leave this machine.
var errSecret = errors.New("it holds what looks like a secret or personal data")

// Text says what was brought.
func (a *PushAnswer) Text(tokens int) string {
	var b strings.Builder
	would := wouldBe(a.DryRun)
	fmt.Fprintf(&b, "project %s: %s %spushed, %d unchanged", plain.Words(a.Project),
		term.Plural(len(a.Pushed), "episode"), would, a.Unchanged)
	if n := len(a.Removed); n > 0 {
		fmt.Fprintf(&b, ", %d %sremoved, forgotten here", n, would)
	}
	if n := len(a.Differ); n > 0 {
		fmt.Fprintf(&b, ", %d changed or removed there by others", n)
	}
	return withLeftOut(&b, a.LeftOut, tokens)
}

// withLeftOut ends a line, and lists what was left out.
func withLeftOut(b *strings.Builder, list []LeftOut, tokens int) string {
	b.WriteString("\n")
	for _, l := range list {
		fmt.Fprintf(b, "left out: %s: %s\n", plain.Words(l.ID), plain.Words(l.Why))
	}
	return term.Cut(b.String(), tokens)
}
