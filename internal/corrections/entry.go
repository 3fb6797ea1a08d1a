package corrections

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"episodes/episode"
	"episodes/internal/plain"
)

// Op is what an entry does.
type Op string

// Put makes a record what the entry says, and adds it when the rules did not find it.
// Drop takes a record away. PutLink and DropLink do so with a link. SetOutcome and
// SetTask correct the session. State adds a record that an agent states, on no line of the
// log. Ask adds a question to which lines or a record are the answer. Read does nothing: it says
// that a reader has seen a state of the log, by the key of the work order.
const (
	Put        Op = "put"
	Drop       Op = "drop"
	PutLink    Op = "link"
	DropLink   Op = "unlink"
	SetOutcome Op = "outcome"
	SetTask    Op = "task"
	State      Op = "state"
	Ask        Op = "ask"
	Read       Op = "read"
)

// Kind is the kind of a record.
type Kind string

// The kinds of records. Outcome can only be the target of a link.
const (
	Decision Kind = "decision"
	Event    Kind = "event"
	Lesson   Kind = "lesson"
	Outcome  Kind = "outcome"
)

// Entry is one correction.
type Entry struct {
	By       string          `json:"by,omitempty"` // Person, or ReaderMark or AgentMark and a name
	Op       Op              `json:"op"`
	Record   *Ref            `json:"record,omitempty"` // of Put, Drop, State and Ask
	New      bool            `json:"new,omitempty"`    // the rules had no such record
	From     *Ref            `json:"from,omitempty"`   // of PutLink and DropLink
	To       *Ref            `json:"to,omitempty"`
	Type     string          `json:"type,omitempty"`    // of a record, link or question; "": as it is
	Outcome  episode.Outcome `json:"outcome,omitempty"` // of a decision, test or the session; "": as it is
	Text     string          `json:"text,omitempty"`    // words of a record, or the task; "": as they are
	Why      string          `json:"why,omitempty"`     // reason of a decision; "": as it is
	Context  string          `json:"context,omitempty"` // of State: the question that was decided
	Options  []string        `json:"options,omitempty"` // of State: what was chosen between
	Time     string          `json:"time,omitempty"`    // when an agent stated it, RFC 3339
	Explicit bool            `json:"explicit,omitempty"`
	At       *Anchor         `json:"at,omitempty"`  // with Text also the new place of the record
	Key      string          `json:"key,omitempty"` // of Read
	// Mark is that of the user whose program wrote the entry, by which he knows his own.
	Mark string `json:"mark,omitempty"`
}

// Person is the By of a correction by hand; ReaderMark begins that of a reader, AgentMark
// that of what an agent stated.
const (
	Person     = "person"
	ReaderMark = "reader"
	AgentMark  = "agent"
)

// Ref names a record by what it says and where, since its id may change.
type Ref struct {
	Kind Kind    `json:"kind"`
	Type string  `json:"type,omitempty"`
	Text string  `json:"text,omitempty"`
	At   *Anchor `json:"at,omitempty"`
}

// File are the corrections of one episode.
type File struct {
	Entries []Entry
}

// Limits of a file of corrections: far more than one log can need.
const (
	MaxBytes   = 4 << 20
	maxEntries = 5000
)

// Parse reads a file, whoever wrote it: nothing hidden is in its texts. The error names
// the line.
func Parse(data []byte) (*File, error) {
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("%d bytes are too many for corrections", len(data))
	}
	f := &File{}
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var e Entry
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, &episode.SyntaxError{Line: n, Msg: "not a correction: " + err.Error()}
		}
		plain.All(&e)
		if why := e.Flaw(); why != "" {
			return nil, &episode.SyntaxError{Line: n, Msg: why}
		}
		f.Entries = append(f.Entries, e)
	}
	if len(f.Entries) > maxEntries {
		return nil, fmt.Errorf("%d corrections are too many for one episode", len(f.Entries))
	}
	return f, nil
}

// Flaw says what makes an entry useless; "" when nothing does.
func (e Entry) Flaw() string {
	switch {
	case e.Time != "" && !isTime(e.Time):
		return fmt.Sprintf("%q is no time", e.Time)
	case e.Op == SetOutcome && e.Outcome == "":
		return "an outcome is missing"
	case e.Outcome != "" && !slices.Contains(episode.Outcomes(), e.Outcome):
		return fmt.Sprintf("%q is no outcome", e.Outcome)
	}
	for _, why := range []string{e.recordFlaw(), e.linkFlaw(), e.questionFlaw()} {
		if why != "" {
			return why
		}
	}
	for _, at := range e.anchors() {
		if at.Lines[0] < 1 || at.Lines[1] < at.Lines[0] {
			return fmt.Sprintf("[%d, %d] is no range of lines", at.Lines[0], at.Lines[1])
		}
	}
	return ""
}

// isRecord reports whether a reference is to a record, and not to the outcome.
func (r *Ref) isRecord() bool {
	return r != nil && (r.Kind == Decision || r.Kind == Event || r.Kind == Lesson)
}

// recordFlaw is Flaw of what is about a record.
func (e Entry) recordFlaw() string {
	switch {
	case e.Op != Put && e.Op != Drop && e.Op != State:
		return ""
	case !e.Record.isRecord():
		return fmt.Sprintf("%q needs a record", e.Op)
	case e.Op == State && (e.Record.Kind == Event || e.Record.Text == ""):
		return fmt.Sprintf("%q needs a decision or a lesson", e.Op)
	case e.Op == Drop:
		return ""
	}
	for _, typ := range []string{e.Type, e.Record.Type} {
		if typ != "" && !KnownType(e.Record.Kind, typ) {
			return fmt.Sprintf("%q is no type of %s", typ, e.Record.Kind.Text())
		}
	}
	return ""
}

// linkFlaw is Flaw of what is about a link.
func (e Entry) linkFlaw() string {
	switch {
	case e.Op != PutLink && e.Op != DropLink:
		return ""
	case !e.From.isRecord() || e.From.Kind == Lesson || !e.To.isRecord() && (e.To == nil || e.To.Kind != Outcome):
		return fmt.Sprintf("%q needs two ends", e.Op)
	case e.Op == PutLink && !slices.Contains(episode.LinkTypes(), episode.LinkType(e.Type)):
		return fmt.Sprintf("%q is no type of a link", e.Type)
	}
	return ""
}

// questionFlaw is Flaw of what is a question.
func (e Entry) questionFlaw() string {
	switch n := len(strings.Fields(e.Text)); {
	case e.Op != Ask:
	case !slices.Contains(episode.QuestionKinds(), e.Type):
		return fmt.Sprintf("%q is no kind of question: %s", e.Type, strings.Join(episode.QuestionKinds(), ", "))
	case n == 0 || n > episode.QuestionWords || len(e.Text) > maxQuestion:
		return fmt.Sprintf("a question has 1 to %d words", episode.QuestionWords)
	case e.At == nil && !e.Record.isRecord():
		return "a question needs the lines that answer it"
	}
	return ""
}

// maxQuestion is the length of a question in bytes.
const maxQuestion = 300

func isTime(s string) bool {
	_, err := time.Parse(time.RFC3339, s)
	return err == nil
}

// Text is the kind with its article.
func (k Kind) Text() string {
	if k == Event || k == Outcome {
		return "an " + string(k)
	}
	return "a " + string(k)
}

// KnownType reports whether records of a kind can have a type.
func KnownType(k Kind, t string) bool {
	switch k {
	case Decision:
		return slices.Contains([]episode.DecisionType{episode.Design, episode.Implementation, episode.Testing,
			episode.Recovery, episode.Routing},
			episode.DecisionType(t))
	case Event:
		return slices.Contains(episode.EventTypes(), episode.EventType(t))
	}
	return k == Lesson && t == string(Lesson)
}

func (e Entry) anchors() (out []*Anchor) {
	for _, at := range []*Anchor{e.At, e.Record.at(), e.From.at(), e.To.at()} {
		if at != nil {
			out = append(out, at)
		}
	}
	return out
}

func (r *Ref) at() *Anchor {
	if r == nil {
		return nil
	}
	return r.At
}

// FromReader reports whether a reader said it, not a person.
func (e Entry) FromReader() bool { return marked(e.By, ReaderMark) }

// FromAgent reports whether an agent stated it of its own session.
func (e Entry) FromAgent() bool { return marked(e.By, AgentMark) }

func marked(by, mark string) bool { return by == mark || strings.HasPrefix(by, mark+" ") }

// WasRead reports whether a reader has seen the state of the log that has this key.
func (f *File) WasRead(key string) bool {
	return slices.ContainsFunc(f.Entries, func(e Entry) bool { return e.Op == Read && e.Key == key })
}

// About identifies what an entry is about: of two with the same, the later says all.
func (e Entry) About() string {
	type fields struct {
		Op                           Op
		Record, From, To             *Ref
		Type, Outcome, Text, Why, At bool
	}
	b, _ := json.Marshal(fields{e.Op, e.Record, e.From, e.To, e.Type != "", e.Outcome != "", e.Text != "", e.Why != "", e.At != nil})
	return string(b)
}
