package recall

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/plain"
)

// Kind is the kind of a document.
type Kind uint8

// The kinds of documents: facts of episodes, and parts of logs.
const (
	Passage Kind = iota // a part of a log, quoted where no fact covers it
	Task
	Error
	Decision
	Lesson
	Link // one fact leads to another, or prevents it
	Test
	Event
	Note  // a part of a note kept by another tool
	Said  // a part of a turn of a transcript
	Asked // a question of a reader: words by which somebody may ask for what is on its lines, never quoted
)

// Document is a fact of an episode or a part of its log.
type Document struct {
	Kind    Kind
	ID      string       // of the record in its episode, that a question is about; "" for passages
	Lines   episode.Span // of the log; zero where they are not known
	Who     Who          // whose words a passage is
	Heading string       // the headings above it in the log
	Text    string
	Class   Class
	Later   string // what superseded it, or Unnamed; "" while it holds

	from int // offset in its file, see Segment.Kept; 0: in the index
}

// Who says whose words a passage is.
type Who uint8

// Whose words: those of a log, a person, an agent, or what a tool printed.
const (
	ALog Who = iota
	APerson
	AnAgent
	ATool
)

// String is the word that answers use.
func (w Who) String() string { return [...]string{"log", "person", "agent", "tool"}[min(w, ATool)] }

// Unnamed is the value of Document.Later for a superseded decision whose log does not
// name its successor.
const Unnamed = "?"

// Class classifies what a document advises.
type Class uint8

// The classes of advice: none, only an observation; the cause of a failure; a fix; an
// attempt that failed; a choice with its reason or outcome; a lesson.
const (
	Nothing Class = iota
	Cause
	Fix
	Failed
	Choice
	Learned
	// Of what was said, by which a brief finds what may come into it: a short turn of a person that demands
	// something, one that takes back what the agent did, output below its call.
	Demands
	Reverses
	Calls
)

// String returns the word that answers use for the class.
func (s Class) String() string {
	return [...]string{"warning", "cause", "fix", "failed", "choice", "lesson"}[min(s, Learned)]
}

// Session is an episode with its documents.
type Session struct {
	Episode string
	SHA256  string // of the episode's file, in hexadecimal
	Name    string
	Log     string
	Date    string // yyyy-mm-dd, or ""
	Task    string
	Docs    []Document
}

// FromEpisode returns a session with one document for each fact of an episode. Passages of
// its log are added by AddPassages.
func FromEpisode(e *episode.Episode) *Session {
	s := &Session{Episode: e.ID, Name: e.Session, Log: e.Provenance.Source.Path, Task: plain.Words(e.Task)}
	if len(e.Timestamp) >= len("2006-01-02") {
		s.Date = e.Timestamp[:len("2006-01-02")]
	}
	add := func(k Kind, id string, class Class, parts ...string) {
		who := ALog // of what nobody recorded
		switch by, _, _ := strings.Cut(e.Provenance.By[id], " "); by {
		case "agent", "reader": // in words of its own
			who = AnAgent
		case "person":
			who = APerson
		}
		text := strings.Join(slices.DeleteFunc(parts, func(p string) bool { return strings.TrimSpace(p) == "" }), "\n")
		if text != "" {
			s.Docs = append(s.Docs, Document{Kind: k, ID: id, Lines: e.Provenance.Spans[id], Who: who, Text: plain.Text(text), Class: class})
		}
	}
	add(Task, "task", Nothing, e.Task)
	for i := range e.Events {
		v := &e.Events[i]
		switch v.Type {
		case episode.Error:
			add(Error, v.ID, Nothing, v.Content)
		case episode.Test:
			add(Test, v.ID, Nothing, strings.TrimSpace(v.Content+" "+string(v.Outcome)))
		case episode.Correction:
			add(Event, v.ID, Learned, v.Content)
		case episode.Commit: // states what was done, but not why
		default:
			add(Event, v.ID, Nothing, v.Content)
		}
	}
	for i := range e.Decisions {
		d := &e.Decisions[i]
		n := len(s.Docs)
		add(Decision, d.ID, decisionClass(d), append([]string{d.Context, d.Chosen, d.Rationale}, d.Options...)...)
		if d.Superseded != nil && len(s.Docs) > n {
			s.Docs[n].Later = cmp.Or(plain.Words(*d.Superseded), Unnamed)
		}
	}
	for i, l := range e.Lessons {
		add(Lesson, fmt.Sprintf("l%03d", i+1), Learned, l)
	}
	for _, l := range e.Links {
		from, to := end(e, l.Source), end(e, l.Target)
		if from != "" && to != "" {
			add(Link, l.Source+">"+l.Target, linkClass(e, l), from, to)
		}
	}
	for _, q := range e.Questions[:min(len(e.Questions), episode.MaxQuestions)] {
		words := strings.Fields(q.Text)
		s.Docs = append(s.Docs, Document{Kind: Asked, ID: q.Of, Lines: q.Lines, Text: strings.Join(words[:min(len(words), episode.QuestionWords)], " ")})
	}
	return s
}

// stated reports whether a fact was recorded by an agent or a person.
func (d *Document) stated() bool { return !d.Kind.prose() && d.Who != ALog }

func decisionClass(d *episode.Decision) Class {
	switch {
	case d.Type == episode.Recovery:
		return answerClass(d)
	case d.Outcome == episode.Failure:
		return Failed
	case d.Outcome.Known() || d.Rationale != "":
		return Choice
	}
	return Nothing
}

// linkClass classifies a link by its ends. A fix is what held: the call after which the command passed, or a decision that
// succeeded.
func linkClass(e *episode.Episode, l episode.Link) Class {
	failed := func(id string) bool { v := e.Event(id); return v != nil && v.Type == episode.Error }
	by, d := e.Event(l.Source), e.Decision(l.Source)
	switch {
	case l.Type == episode.Prevents && onlyPlaces(end(e, l.Source)):
		return Nothing
	case l.Type == episode.Prevents && by != nil && by.Type == episode.ToolCall:
		return Fix
	case l.Type == episode.Prevents:
		return answerClass(d)
	case failed(l.Target):
		return Cause
	case failed(l.Source):
		return answerClass(e.Decision(l.Target))
	case d != nil:
		return Choice
	case l.Type == episode.Causes:
		return Cause
	}
	return Nothing
}

// onlyPlaces reports whether a fix names the files that were edited and not what changed in them:
// nobody can act on that.
func onlyPlaces(fix string) bool {
	return !strings.Contains(fix, "`") && (strings.HasPrefix(fix, "edit of ") || strings.HasPrefix(fix, "writing of "))
}

// answerClass classifies the decision behind a response to an error, which may be nil.
func answerClass(d *episode.Decision) Class {
	switch {
	case d == nil:
		return Nothing
	case d.Outcome == episode.Failure:
		return Failed
	case d.Outcome == episode.Success:
		return Fix
	}
	return Choice
}

// end returns the text of the event or decision with the given id, or "".
func end(e *episode.Episode, id string) string {
	if v := e.Event(id); v != nil {
		return v.Content
	}
	if d := e.Decision(id); d != nil {
		return d.Chosen
	}
	return ""
}
