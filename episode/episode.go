// Package episode defines the types that all other packages share: an Episode
// is one agent session reduced to its decisions, events, causal links, lessons
// and outcome, each with the lines of the log that support it.
//
// The JSON form follows ADR-038 and its schema (urn:episodes:schema:episode:1).
// Fields of ADR-038 keep their names and meaning; links, keys, provenance and
// the value "unknown" are added, so a reader that knows only ADR-038 can ignore
// them. Marshal is canonical: equal episodes give equal bytes. The package uses
// the standard library only, and the filter of texts (package plain).
// Other programs use package episodes: only that is a promise.
package episode

import (
	"fmt"
	"strconv"
	"time"
)

// Outcome is the result of a session or a decision. Unknown is used whenever the
// log does not show one of the others.
type Outcome string

// The outcomes of the schema.
const (
	Success Outcome = "success"
	Partial Outcome = "partial"
	Failure Outcome = "failure"
	Unknown Outcome = "unknown"
)

// Known reports whether o is success, partial or failure.
func (o Outcome) Known() bool { return o == Success || o == Partial || o == Failure }

// Outcomes lists the legal outcomes in the order of the schema.
func Outcomes() []Outcome { return []Outcome{Success, Partial, Failure, Unknown} }

// OutcomeSource is the kind of evidence for an episode's outcome.
type OutcomeSource string

// Measured: checks or exit codes in the log. Stated: the log says so in words.
// Default: an older tool filled it in without any evidence.
const (
	Measured OutcomeSource = "measured"
	Stated   OutcomeSource = "stated"
	Default  OutcomeSource = "default"
)

// DecisionType is the kind of a decision.
type DecisionType string

// The decision types of the schema.
const (
	Design         DecisionType = "design"
	Implementation DecisionType = "implementation"
	Testing        DecisionType = "test"
	Recovery       DecisionType = "recovery"
	Routing        DecisionType = "routing"
)

// EventType is the kind of an event.
type EventType string

// The event types of the schema.
const (
	ToolCall  EventType = "tool_call"
	Error     EventType = "error"
	Milestone EventType = "milestone"
	Handoff   EventType = "handoff"
	Commit    EventType = "commit"
	Test      EventType = "test"
	// Correction: a person said that what the agent did is wrong, and turned it around.
	Correction EventType = "correction"
)

// EventTypes lists the event types.
func EventTypes() []EventType {
	return []EventType{ToolCall, Error, Milestone, Handoff, Commit, Test, Correction}
}

// State is the stated status of work that a log does not report as finished. It is neither success
// nor failure.
type State string

// The states of a log. "" means that the log gives no such status.
const (
	Planned    State = "planned"
	Cancelled  State = "cancelled"
	Deferred   State = "deferred"
	Superseded State = "superseded"
)

// LinkType is the relation between a cause and its effect.
type LinkType string

// Causes: the effect follows. Enables: the effect becomes possible. Prevents:
// the effect is prevented. Correlates: they occur together; no direction is claimed.
const (
	Causes     LinkType = "causes"
	Enables    LinkType = "enables"
	Prevents   LinkType = "prevents"
	Correlates LinkType = "correlates"
)

// LinkTypes lists the legal link types in the order of the schema.
func LinkTypes() []LinkType { return []LinkType{Causes, Enables, Prevents, Correlates} }

// OutcomeRef is the link target that denotes the session's outcome.
const OutcomeRef = "outcome"

// Episode is one session.
type Episode struct {
	ID            string        `json:"id"`
	Session       string        `json:"session"`
	Timestamp     string        `json:"timestamp,omitempty"` // RFC 3339; absent when the log gives none
	Outcome       Outcome       `json:"outcome"`
	OutcomeSource OutcomeSource `json:"outcome_source,omitempty"`
	State         State         `json:"state,omitempty"`         // of a log that reports no finished work
	SupersededBy  string        `json:"superseded_by,omitempty"` // the record that took its place, as the log names it
	Task          string        `json:"task"`
	Instance      string        `json:"instance,omitempty"` // the issue, pull request, branch, task or loop, if named
	Decisions     []Decision    `json:"decisions"`
	Events        []Event       `json:"events"`
	Metrics       Metrics       `json:"metrics"`
	Lessons       []string      `json:"lessons"`             // what no other record says of Taught, in the same order
	Taught        []Lesson      `json:"taught,omitempty"`    // in a file those of the rules, in answers all
	Again         []Again       `json:"again,omitempty"`     // only in answers
	Relations     []Relation    `json:"relations,omitempty"` // only in answers
	Links         []Link        `json:"links"`
	Questions     []Question    `json:"questions,omitempty"`
	Records       []Record      `json:"records,omitempty"` // of a task: what its agent stated
	Provenance    Provenance    `json:"provenance"`
}

// RecordKind is the kind of a record.
type RecordKind string

// The kinds of records of the schema.
const (
	AttemptRecord    RecordKind = "attempt"
	TaskRecord       RecordKind = "task"
	ReflectionRecord RecordKind = "reflection"
	ProcedureRecord  RecordKind = "procedure"
	FeedbackRecord   RecordKind = "feedback"
)

// Record is what a task left, in a form of its own: each is an object of the schema of its
// kind (package reflexion/history).
type Record struct {
	ID   string         `json:"id"` // r001
	Kind RecordKind     `json:"kind"`
	Data map[string]any `json:"data"`
}

// Question is what somebody may say to whom a place of the log is of use, in other words than
// the log. It comes from a reader or an agent, is only searched for, and is never quoted.
type Question struct {
	Kind  string `json:"kind"` // one of QuestionKinds
	Text  string `json:"text"`
	Lines Span   `json:"lines,omitzero"` // that answer it
	Of    string `json:"of,omitempty"`   // in place of Lines: the record that answers it
	By    string `json:"by"`             // as in Provenance.By
}

// QuestionKinds lists the kinds of questions.
func QuestionKinds() []string { return []string{"error", "action", "choice", "task"} }

// MaxQuestions is how many questions of an episode count, QuestionWords how many words of each.
const (
	MaxQuestions  = 6
	QuestionWords = 25
)

// Decision is a choice between options that had a consequence in its session.
type Decision struct {
	ID          string       `json:"id"`
	Timestamp   string       `json:"timestamp,omitempty"`
	Type        DecisionType `json:"type"`
	Key         string       `json:"key,omitempty"`         // of what is being decided, normalized
	OptionKeys  []string     `json:"option_keys,omitempty"` // normalized options, in the order of Options
	Exploration bool         `json:"exploration,omitempty"` // chosen at random, and the log says so
	Context     string       `json:"context,omitempty"`     // the question it answers; never a copy of Chosen
	Options     []string     `json:"options"`               // alternatives, with Chosen; may be empty
	Chosen      string       `json:"chosen"`
	Rationale   string       `json:"rationale,omitempty"`
	Outcome     Outcome      `json:"outcome"`
	Superseded  *string      `json:"superseded,omitempty"` // what took its place, or "" if not named; nil while it holds
	Effects     []string     `json:"effects,omitempty"`    // ids of the records that it links to
}

// Event is something that happened in a session.
type Event struct {
	ID        string    `json:"id"`
	Timestamp string    `json:"timestamp,omitempty"`
	Type      EventType `json:"type"`
	Key       string    `json:"key,omitempty"` // signature: tool, exit status, masked error, or normalized words
	Content   string    `json:"content"`
	CausedBy  []string  `json:"caused_by,omitempty"`
	LeadsTo   []string  `json:"leads_to,omitempty"`
	Outcome   Outcome   `json:"outcome,omitempty"` // of a test, where a reader gives another
	Put       []Put     `json:"put,omitempty"`     // of a fix, by file: the lines that its edits left
}

// Link is a causal statement of the log about two records, or about a record and
// the outcome (OutcomeRef).
type Link struct {
	Source     string   `json:"source"`
	Target     string   `json:"target"`
	Type       LinkType `json:"type"`
	Explicit   bool     `json:"explicit"` // stated in words or structure, not only implied
	Confidence float64  `json:"confidence,omitempty"`
}

// Metrics are numbers that the log states or that can be counted in it. Nil means
// that the log does not give the number, not that it is zero.
type Metrics struct {
	DurationMinutes *float64 `json:"duration_minutes,omitempty"`
	ToolCalls       *int     `json:"tool_calls,omitempty"`
	Errors          *int     `json:"errors,omitempty"`
	Recoveries      *int     `json:"recoveries,omitempty"`
	Commits         *int     `json:"commits,omitempty"`
	FilesChanged    *int     `json:"files_changed,omitempty"`
	Reward          *float64 `json:"reward,omitempty"` // of the task, such as the share of its tests that pass
	Tokens          *int     `json:"tokens,omitempty"` // of the model, read and written
	CostUSD         *float64 `json:"cost_usd,omitempty"`
}

// FileSays is shown for corrections by hand that are not this user's own.
const FileSays = "a file of the repository says"

// Provenance ties an episode to its log.
type Provenance struct {
	Source    Source `json:"source"`
	Extractor string `json:"extractor,omitempty"` // version of the extraction rules
	Seal      string `json:"seal,omitempty"`      // see Episode.Sealed
	// By names who said what the rules did not find, by the keys of Spans: "reader NAME",
	// "person"; in answers FileSays for a person that this user does not know.
	By    map[string]string `json:"by,omitempty"`
	Spans map[string]Span   `json:"spans"` // by record id, "task", "outcome", "l001", "d001>e002"
}

// Source names the log an episode was read from.
type Source struct {
	Path   string `json:"path"` // relative to the root, or a base name
	SHA256 string `json:"sha256"`
	Format string `json:"format"` // markdown, session-json, ...
	// Unit is what spans count where the log is one JSON value: step, message or part;
	// "" for lines.
	Unit string `json:"unit,omitempty"`
	// Session is the unique id of the session if the log names one. Episodes with the same
	// id are of one session.
	Session string `json:"session,omitempty"`
}

// Span is a range of lines of the log: 1-based, inclusive. Where sub-agents have
// transcripts of their own, these go on counting after that of the session.
type Span [2]int

// Range is the span as references have it: 12-15, or 12 for one line.
func (s Span) Range() string {
	if s[0] == s[1] {
		return strconv.Itoa(s[0])
	}
	return fmt.Sprintf("%d-%d", s[0], s[1])
}

// Time returns when the session started; false when the log does not say.
func (e *Episode) Time() (time.Time, bool) {
	t, err := time.Parse(time.RFC3339, e.Timestamp)
	return t, err == nil
}

// Measured reports whether the outcome is evidence: known and not filled in by
// default.
func (e *Episode) Measured() bool { return e.Outcome.Known() && e.OutcomeSource != Default }

// Decision returns the decision with the given id, or nil.
func (e *Episode) Decision(id string) *Decision {
	for i := range e.Decisions {
		if e.Decisions[i].ID == id {
			return &e.Decisions[i]
		}
	}
	return nil
}

// Lesson returns the lesson with the given id, or nil.
func (e *Episode) Lesson(id string) *Lesson {
	for i := range e.Taught {
		if string(e.Taught[i].ID) == id {
			return &e.Taught[i]
		}
	}
	return nil
}

// Event returns the event with the given id, or nil.
func (e *Episode) Event(id string) *Event {
	for i := range e.Events {
		if e.Events[i].ID == id {
			return &e.Events[i]
		}
	}
	return nil
}
