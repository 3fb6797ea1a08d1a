package querytest

import (
	"crypto/sha256"
	"fmt"

	"episodes/episode"
)

// Builder makes an episode step by step. Records are numbered as they come, and
// each is given the next line of the log.
type Builder struct {
	e    *episode.Episode
	line int
}

// Build begins an episode of a session with a measured outcome; Unknown gives
// one without.
func Build(session string, outcome episode.Outcome) *Builder {
	e := &episode.Episode{ID: episode.IDFromSession(session), Session: session, Outcome: outcome}
	if outcome.Known() {
		e.OutcomeSource = episode.Measured
	}
	e.Provenance = episode.Provenance{
		Source: episode.Source{Path: "sessions/" + session + ".md", SHA256: fmt.Sprintf("%x", sha256.Sum256([]byte(session))), Format: "markdown"},
		Spans:  map[string]episode.Span{},
	}
	return &Builder{e: e}
}

func (b *Builder) span(record string) {
	b.line += 10
	b.e.Provenance.Spans[record] = episode.Span{b.line, b.line + 1}
}

// Task sets the task and the day, such as 2026-01-12.
func (b *Builder) Task(task, day string) *Builder {
	b.e.Task, b.e.Timestamp = task, day+"T09:00:00Z"
	b.span("task")
	return b
}

// Decide adds a decision; its question may be "" and its outcome Unknown.
func (b *Builder) Decide(question, chosen string, outcome episode.Outcome, rejected ...string) *Builder {
	d := episode.Decision{ID: episode.DecisionID(len(b.e.Decisions) + 1), Type: episode.Design, Context: question, Chosen: chosen, Outcome: outcome}
	if len(rejected) > 0 {
		d.Options = append([]string{chosen}, rejected...)
	}
	b.e.Decisions = append(b.e.Decisions, d)
	b.span(d.ID)
	return b
}

// Because gives the last decision its reason.
func (b *Builder) Because(reason string) *Builder {
	b.e.Decisions[len(b.e.Decisions)-1].Rationale = reason
	return b
}

// Event adds an event.
func (b *Builder) Event(t episode.EventType, content string) *Builder {
	id := episode.EventID(len(b.e.Events) + 1)
	b.e.Events = append(b.e.Events, episode.Event{ID: id, Type: t, Content: content})
	b.span(id)
	return b
}

// Lesson adds a lesson.
func (b *Builder) Lesson(text string) *Builder {
	b.e.Lessons = append(b.e.Lessons, text)
	b.span(episode.LessonID(len(b.e.Lessons)))
	return b
}

// Link adds an explicit link between two records, or to the outcome.
func (b *Builder) Link(source, target string, t episode.LinkType) *Builder {
	b.e.Links = append(b.e.Links, episode.Link{Source: source, Target: target, Type: t, Explicit: true})
	b.span(episode.LinkID(source, target))
	return b
}

// Implied makes the last link an implied one.
func (b *Builder) Implied() *Builder {
	b.e.Links[len(b.e.Links)-1].Explicit = false
	return b
}

// Done returns the episode.
func (b *Builder) Done() *episode.Episode { return b.e }
