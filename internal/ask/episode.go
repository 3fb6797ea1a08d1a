package ask

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"episodes/episode"
	"episodes/internal/additions"
	"episodes/internal/corrections"
	"episodes/internal/term"
	"episodes/query"
	"episodes/query/text"
)

// EpisodeRequest asks for one episode.
type EpisodeRequest struct {
	Ref string // its id, its session, or a unique prefix
}

// EpisodeAnswer is one episode.
type EpisodeAnswer struct {
	full
	Episode *episode.Episode
	Private bool // it is this user's alone
	// Disputed is what readers and checks say different things of; it stays as it was found.
	Disputed []string
	Origin

	from string     // Origin in few words
	log  *LogAnswer // the words of the log, if nothing was made of it
}

// Episode returns one episode. The error is a *NoEpisodeError when none has the name, an
// *AmbiguousError when several fit.
func (m *Memory) Episode(ctx context.Context, r EpisodeRequest) (*EpisodeAnswer, error) {
	ep, err := m.Load(r.Ref)
	if err != nil {
		return nil, err
	}
	entries := m.here.corrected(ep.ID)
	m.here.touched(ep)
	a := &EpisodeAnswer{Episode: ep, Private: m.isPrivate(ep.ID), Disputed: corrections.Disputed(ep, entries)}
	if a.Origin, _ = m.originOf(ep.ID); a.Origin != (Origin{}) {
		a.from = a.short(m.now())
	}
	if len(ep.Decisions)+len(ep.Events)+len(ep.Lessons) == 0 {
		a.log = m.log(ctx, ep, episode.Span{})
	}
	return a, err
}

// Text describes the session.
func (a *EpisodeAnswer) Text(tokens int) string {
	out := text.Episode(a.Episode, a.Private)
	for _, d := range a.Disputed {
		out += "readers disagree: " + term.Line(d) + "\n"
	}
	if a.from != "" {
		out += term.Line(a.from) + "\n"
	}
	if a.log != nil {
		out += "Nothing was recognised in its log:\n" + a.log.Text(0)
	}
	return term.Cut(out, tokens)
}

// corrected are the corrections of the records of an episode that can be read.
func (l *local) corrected(id string) []corrections.Entry {
	if l.absent != nil {
		return nil
	}
	entries, _, _, _ := l.origins().Corrections(l.folder, id) // doctor says what is damaged
	return slices.Concat(entries, additions.Corrections(l.additionsOf(id)))
}

// MarshalJSON gives the episode as its file has it, but lists are never null, a private one
// says so, and the memories of Serena that it names are listed.
func (a *EpisodeAnswer) MarshalJSON() ([]byte, error) {
	data, err := episode.Marshal(a.Episode)
	if err != nil {
		return nil, err
	}
	head, err := json.Marshal(struct {
		Private  bool                 `json:"private,omitempty"`
		Serena   []query.SerenaMemory `json:"serena_memories,omitempty"`
		Disputed []string             `json:"readers_disagree,omitempty"`
		Origin
	}{a.Private, query.SerenaMemories(a.Episode), a.Disputed, a.Origin})
	if err != nil || string(head) == "{}" {
		return data, err
	}
	return append(append(bytes.TrimSuffix(head, []byte("}")), ','), bytes.TrimPrefix(data, []byte("{"))...), nil
}

// DecisionsAnswer lists what was decided in one episode.
type DecisionsAnswer struct{ query.DecisionList }

// Decisions lists what was decided in one episode, in order.
func (m *Memory) Decisions(_ context.Context, r EpisodeRequest) (*DecisionsAnswer, error) {
	ep, err := m.Load(r.Ref)
	if err != nil {
		return nil, err
	}
	return &DecisionsAnswer{*query.Decisions(ep)}, nil
}

// Text shows the decisions.
func (a *DecisionsAnswer) Text(tokens int) string { return text.Decisions(&a.DecisionList, tokens) }

// Empty reports whether nothing was decided.
func (a *DecisionsAnswer) Empty() bool { return len(a.Decisions) == 0 }
