package recall

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/plain"
)

// Kind is what a document is.
type Kind uint8

// The kinds of documents: facts of episodes, and parts of logs.
const (
	Passage Kind = iota // a part of a log, the last resort
	Task
	Error
	Decision
	Lesson
	Link // one fact leads to another, or prevents it
	Test
	Event
	Note // a part of what another tool keeps
)

// Document is a fact of an episode or a part of its log.
type Document struct {
	Kind    Kind
	ID      string       // of the record in its episode; "" for passages
	Lines   episode.Span // of the log; zero where they are not known
	Heading string       // what it stands under: the headings above
	Text    string
	Says    Says
	Ended   string // what took the place of a decision, Unnamed where that is not said; "" while it holds
}

// Unnamed is in the place of what took the place of a decision, where its log does not
// name it.
const Unnamed = "?"

// Says is what a document tells one who is about to act.
type Says uint8

// What documents tell: nothing but that something was so; why something went wrong; what
// mended it; what was tried in vain; which way was taken, with its reason or outcome; what
// was learned.
const (
	Nothing Says = iota
	Cause
	Fix
	Failed
	Choice
	Learned
)

// String is the word for it in answers.
func (s Says) String() string {
	return [...]string{"warning", "cause", "fix", "failed", "choice", "lesson"}[min(s, Learned)]
}

// Session is an episode with its documents.
type Session struct {
	Episode string
	SHA256  string // of its file
	Name    string
	Log     string
	Date    string // yyyy-mm-dd, or ""
	Task    string
	Failed  bool // it ended in failure
	Named   bool // its log names an id of the session: it is the session's record, and not what somebody wrote of it
	Docs    []Document
}

// FromEpisode gives the documents of the facts of an episode.
func FromEpisode(e *episode.Episode) *Session {
	s := &Session{Episode: e.ID, Name: e.Session, Log: e.Provenance.Source.Path, Task: plain.Words(e.Task), Failed: e.Outcome == episode.Failure,
		Named: e.Provenance.Source.Session != ""}
	if len(e.Timestamp) >= len("2006-01-02") {
		s.Date = e.Timestamp[:len("2006-01-02")]
	}
	add := func(k Kind, id string, says Says, parts ...string) {
		if by, _, _ := strings.Cut(e.Provenance.By[id], " "); by == "agent" {
			parts = append(parts, "stated by the agent")
		}
		text := strings.Join(slices.DeleteFunc(parts, func(p string) bool { return strings.TrimSpace(p) == "" }), "\n")
		if text != "" {
			s.Docs = append(s.Docs, Document{Kind: k, ID: id, Lines: e.Provenance.Spans[id], Text: plain.Text(text), Says: says})
		}
	}
	add(Task, "task", Nothing, e.Task)
	for i := range e.Events {
		v := &e.Events[i]
		switch v.Type {
		case episode.Error:
			add(Error, v.ID, Nothing, v.Content)
		case episode.Test:
			add(Test, v.ID, Nothing, v.Content)
		case episode.Correction:
			add(Event, v.ID, Learned, v.Content)
		case episode.Commit: // says what was done, and nothing of why
		default:
			add(Event, v.ID, Nothing, v.Content)
		}
	}
	for i := range e.Decisions {
		d := &e.Decisions[i]
		n := len(s.Docs)
		add(Decision, d.ID, saysDecision(e, d), append([]string{d.Context, d.Chosen, d.Rationale}, d.Options...)...)
		if d.Superseded != nil && len(s.Docs) > n {
			s.Docs[n].Ended = cmp.Or(plain.Words(*d.Superseded), Unnamed)
		}
	}
	for i, l := range e.Lessons {
		add(Lesson, fmt.Sprintf("l%03d", i+1), Learned, l)
	}
	for _, l := range e.Links {
		from, to := end(e, l.Source), end(e, l.Target)
		if from != "" && to != "" {
			add(Link, l.Source+">"+l.Target, saysLink(e, l), from, to)
		}
	}
	return s
}

func saysDecision(e *episode.Episode, d *episode.Decision) Says {
	switch {
	case d.Type == episode.Recovery:
		return saysAnswer(e, d)
	case d.Outcome == episode.Failure:
		return Failed
	case d.Outcome.Known() || d.Rationale != "":
		return Choice
	}
	return Nothing
}

// saysLink tells what a link says by what stands at its ends: an error leads to what was
// done about it, and anything else to an error is its cause.
func saysLink(e *episode.Episode, l episode.Link) Says {
	failed := func(id string) bool { v := e.Event(id); return v != nil && v.Type == episode.Error }
	switch {
	case l.Type == episode.Prevents:
		return Fix
	case failed(l.Target):
		return Cause
	case failed(l.Source):
		return saysAnswer(e, e.Decision(l.Target))
	case e.Decision(l.Source) != nil:
		return Choice
	case l.Type == episode.Causes:
		return Cause
	}
	return Nothing
}

// saysAnswer tells what the answer to an error was worth: d where it was a decision. Where
// that did not work, or the session failed, it was no fix.
func saysAnswer(e *episode.Episode, d *episode.Decision) Says {
	switch {
	case d != nil && d.Outcome == episode.Failure:
		return Failed
	case e.Outcome == episode.Failure && (d == nil || d.Outcome == episode.Unknown):
		return Choice
	}
	return Fix
}

// end is the text of an end of a link.
func end(e *episode.Episode, id string) string {
	if v := e.Event(id); v != nil {
		return v.Content
	}
	if d := e.Decision(id); d != nil {
		return d.Chosen
	}
	return ""
}
