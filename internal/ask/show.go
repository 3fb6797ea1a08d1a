package ask

import (
	"context"
	"fmt"
	"strings"

	"episodes/episode"
	"episodes/internal/lesson"
	"episodes/internal/term"
	"episodes/query"
	"episodes/query/text"
)

// RecordRequest asks for one record of an episode: a decision (d001), an event (e001), a
// lesson (l001) or a link (d001>e002).
type RecordRequest struct {
	Ref    string // the episode
	Record string
}

// RecordRequestOf reads a reference such as EPISODE#d001; ok is false for one without a
// record.
func RecordRequestOf(ref string) (r RecordRequest, ok bool) {
	r.Ref, r.Record, ok = strings.Cut(ref, "#")
	return r, ok
}

// RecordAnswer is one record with the episode it is of. One of the pointers, or Lesson,
// is set.
type RecordAnswer struct {
	full
	Episode  string            `json:"episode"`
	Outcome  episode.Outcome   `json:"outcome"` // of the session
	Private  bool              `json:"private,omitempty"`
	Record   string            `json:"record"`
	Decision *episode.Decision `json:"decision,omitempty"`
	Event    *episode.Event    `json:"event,omitempty"`
	Lesson   string            `json:"lesson,omitempty"`
	Taught   *episode.Lesson   `json:"taught,omitempty"` // of Lesson, whole
	Became   []Became          `json:"became,omitempty"`
	Link     *episode.Link     `json:"link,omitempty"`
	Log      string            `json:"log,omitempty"`
	Lines    *episode.Span     `json:"lines"` // null when the episode gives none
	Around   *LogAnswer        `json:"around,omitempty"`

	of *episode.Episode
}

// Became is what a session says became of a lesson, or how one belongs to another one.
type Became struct {
	Episode string `json:"episode"`
	What    string `json:"what"` // met, held, failed, done, overtaken; or a type of a link
	Lesson  string `json:"lesson,omitempty"`
	Words   string `json:"words,omitempty"`
	From    bool   `json:"from,omitempty"` // of a link: this lesson is its source
}

// became lists what sessions say of a lesson.
func (m *Memory) became(id lesson.Ref) (out []Became) {
	if m.here.absent != nil {
		return nil
	}
	files, _, err := m.folder.Files()
	if err != nil {
		return nil
	}
	for _, f := range files {
		if !m.folder.HasMore(f.ID) {
			continue
		}
		ep, err := m.load(f.ID)
		if err != nil {
			continue
		}
		for _, a := range ep.Again {
			if a.Of == id {
				out = append(out, Became{f.ID, string(a.What), string(a.Lesson), strings.TrimSpace(a.Remedy + " " + a.Why), false})
			}
		}
		for _, r := range ep.Relations {
			switch id {
			case r.From:
				out = append(out, Became{f.ID, string(r.Type), string(r.To), "", true})
			case r.To:
				out = append(out, Became{f.ID, string(r.Type), string(r.From), "", false})
			}
		}
		for _, l := range ep.Taught {
			if l.Mends == id {
				out = append(out, Became{f.ID, "mended", string(l.ID), l.Say, false})
			}
		}
	}
	return out
}

// Show answers with lines of a log, one record, or an episode, as the reference says.
func (m *Memory) Show(ctx context.Context, r EpisodeRequest) (Answer, error) {
	if lines, ok := LogRequestOf(r.Ref); ok {
		return m.Log(ctx, lines)
	}
	if id, l, err := m.lessonRef(r.Ref); l != "" && err == nil {
		return m.Record(ctx, RecordRequest{id, string(l)})
	}
	if record, ok := RecordRequestOf(r.Ref); ok {
		return m.Record(ctx, record)
	}
	return m.Episode(ctx, r)
}

// Record returns one record. The error is ErrNoRecord if the episode has no such
// record.
func (m *Memory) Record(ctx context.Context, r RecordRequest) (*RecordAnswer, error) {
	ep, err := m.Load(r.Ref)
	if err != nil {
		return nil, err
	}
	m.here.touched(ep)
	a := &RecordAnswer{Episode: ep.ID, Outcome: ep.Outcome, Private: m.isPrivate(ep.ID), Record: r.Record,
		Decision: ep.Decision(r.Record), Event: ep.Event(r.Record), Log: ep.Provenance.Source.Path, of: ep}
	if strings.HasPrefix(r.Record, "l") {
		a.Lesson = query.RecordText(ep, r.Record)
	}
	if a.Taught = ep.Lesson(r.Record); a.Taught != nil {
		a.Became = m.became(lesson.Ref(r.Record))
	}
	for i, l := range ep.Links {
		if episode.LinkID(l.Source, l.Target) == r.Record {
			a.Link = &ep.Links[i]
		}
	}
	if a.Decision == nil && a.Event == nil && a.Lesson == "" && a.Link == nil {
		return nil, fmt.Errorf("%w: %q has no %q", ErrNoRecord, ep.ID, r.Record)
	}
	if d := a.Decision; d != nil && d.Options == nil {
		d.Options = []string{} // a list is never null
	}
	if span, ok := ep.Provenance.Spans[r.Record]; ok {
		a.Lines = &span
		a.Around = m.log(ctx, ep, span)
	}
	return a, nil
}

// Text shows the record and its lines.
func (a *RecordAnswer) Text(tokens int) string {
	out := text.Record(a.of, a.Record)
	for _, b := range a.Became {
		line := b.What
		if b.From {
			line = "it " + b.What
		}
		out += term.Line(strings.Join(strings.Fields(line+" "+b.Lesson+" in "+b.Episode+": "+b.Words), " ")) + "\n"
	}
	if a.Around != nil {
		out += a.Around.Text(0)
	}
	return term.Cut(out, tokens)
}

// NoEpisodeError says that no episode has a name; it is ErrNoEpisode.
type NoEpisodeError struct {
	Ref  string
	Near []string // ids that may be meant, the likeliest first
}

func (e *NoEpisodeError) Error() string { return fmt.Sprintf("no episode is named %q", e.Ref) }

func (e *NoEpisodeError) Hint() string {
	if len(e.Near) == 0 {
		return "episodes list shows the episodes"
	}
	return "did you mean " + strings.Join(e.Near, " or ") + "?"
}

func (e *NoEpisodeError) Unwrap() error { return ErrNoEpisode }

// noEpisode is the error for a reference that matches no id; it suggests similar ids.
func noEpisode(ref string, ids []string) error {
	sessions := make([]string, len(ids))
	for i, id := range ids {
		sessions[i] = sessionOf(id)
	}
	return &NoEpisodeError{Ref: ref, Near: term.Near(sessionOf(ref), sessions, 3)}
}

// sessionOf is an id without what all ids begin with; it names the same episode.
func sessionOf(id string) string { return strings.TrimPrefix(id, episode.IDFromSession("")) }

// IDs lists the ids of the episodes that begin with a prefix, or whose session does,
// sorted.
func (m *Memory) IDs(prefix string) ([]string, error) {
	files, _, err := m.folder.Files()
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, f := range files {
		switch session := sessionOf(f.ID); {
		case prefix != "" && strings.HasPrefix(f.ID, prefix):
			ids = append(ids, f.ID)
		case strings.HasPrefix(session, prefix):
			ids = append(ids, session)
		}
	}
	return ids, nil
}

// Records lists the references of an episode's records that begin as r does; none when
// there is no such episode.
func (m *Memory) Records(r RecordRequest) (refs []string) {
	ep, err := m.Load(r.Ref)
	if err != nil {
		return nil
	}
	add := func(record string) {
		if strings.HasPrefix(record, r.Record) {
			refs = append(refs, r.Ref+"#"+record)
		}
	}
	for _, d := range ep.Decisions {
		add(d.ID)
	}
	for _, e := range ep.Events {
		add(e.ID)
	}
	for i := range ep.Lessons {
		add(episode.LessonID(i + 1))
	}
	return refs
}
