package query

import (
	"cmp"
	"fmt"
	"strings"

	"episodes/causal"
	"episodes/episode"
)

// PatternKind says whether a pattern is one to follow or one to avoid.
type PatternKind string

// The kinds of pattern.
const (
	GoodPattern PatternKind = "pattern"
	AntiPattern PatternKind = "anti_pattern"
)

// The baselines of a pattern.
const (
	OtherOptions   = "other options at the same trigger"
	OtherDecisions = "all decisions elsewhere"
)

// Pattern is a pattern or anti-pattern found by package patterns: after the trigger, the
// action succeeds more often (or less often) than its baseline.
type Pattern struct {
	ID          string      `json:"id"`
	Name        string      `json:"name"` // its keys; the id is made from it
	Kind        PatternKind `json:"kind"`
	Trigger     string      `json:"trigger"`
	Action      string      `json:"action"`
	Description string      `json:"description"`
	SuccessRate float64     `json:"success_rate"` // among the known outcomes
	Low         float64     `json:"low"`          // Wilson interval at Level
	High        float64     `json:"high"`
	Baseline    float64     `json:"baseline"`   // success rate of Basis
	BaselineN   int         `json:"baseline_n"` // known outcomes behind it
	// BaselineUnknown are further trials of Basis, whose outcome is not known.
	BaselineUnknown int      `json:"baseline_unknown,omitempty"`
	Basis           string   `json:"basis"`
	Lift            *float64 `json:"lift"` // success rate over baseline; null when the baseline is 0
	PValue          float64  `json:"p_value"`
	QValue          float64  `json:"q_value"`
	Occurrences     int      `json:"occurrences"`            // episodes with a known outcome
	Unknown         int      `json:"unknown"`                // further episodes, whose outcome is not known
	Episodes        []string `json:"episodes"`               // those with a known outcome
	TriggerNode     string   `json:"trigger_node,omitempty"` // of an event
	TriggerKind     string   `json:"trigger_kind,omitempty"` // question, the type of the event, or event
	Uses            []Use    `json:"uses"`                   // the decisions behind it
	// Task and Seen narrow the trigger: to sessions of a task, or to those that had
	// seen an event before the choice.
	Task     string `json:"task,omitempty"`
	Seen     string `json:"seen,omitempty"`
	SeenKind string `json:"seen_kind,omitempty"` // the type of that event, or event
	// Instances is on how many things (issues, pull requests, tasks) Episodes worked; one that
	// names none is one of its own.
	Instances int `json:"instances"`
	// TheseTasks: it is certain enough for tasks like those of the memory, not for others.
	TheseTasks bool `json:"these_tasks_only,omitempty"`
	// Adjusted is the difference to the baseline under like conditions; null where only
	// the bare rates were compared.
	Adjusted *Difference `json:"adjusted,omitempty"`
	// Spread is that of Episodes. One day has most of them, or of what they are compared with.
	Spread
	// Lessons are what the sessions that confirm it noted about what was decided, the
	// most closely related first.
	Lessons []Lesson `json:"lessons,omitempty"`
}

// LedgerEntry counts the sessions that have one choice or error, by how they ended.
type LedgerEntry struct {
	Kind     string       `json:"kind"` // choice or error
	Node     string       `json:"node"`
	Text     string       `json:"text"` // of a choice with its question
	Sessions int          `json:"sessions"`
	Outcomes causal.Tally `json:"outcomes"`       // of the choice if its log has one, else of the session
	Last     string       `json:"last"`           // the last record
	Date     string       `json:"date,omitempty"` // of its session
}

// Closest is a choice with its numbers of sessions with a known outcome.
type Closest struct {
	Text    string `json:"text"`    // the question and what was chosen
	With    int    `json:"with"`    // sessions that chose it
	Without int    `json:"without"` // sessions that chose another way
	Needs   int    `json:"needs"`   // what a pattern needs of each
}

// Lesson is a lesson of a session and the decision that it is about.
type Lesson struct {
	Text     string        `json:"text"`
	Episode  string        `json:"episode"`
	Record   string        `json:"record"`          // l001
	Lines    *episode.Span `json:"lines,omitempty"` // of the log
	Decision string        `json:"decision"`        // d001
	Sessions int           `json:"sessions"`        // that noted it
}

// Difference is a difference of two rates of success, standardised over the tasks
// and what was seen before the choice, with its interval at Level.
type Difference struct {
	Difference float64 `json:"difference"`
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
	Expected   float64 `json:"expected"` // the same by the outcome model, shrunk
	// For are the events before the choice that it is adjusted for, in addition to the task.
	For []string `json:"for,omitempty"`
}

// SeenBefore is the TriggerKind of an event that was seen before the choice.
const SeenBefore = "seen"

// TriggerText describes the trigger: the question, or the event that came before. quote
// puts its words in quotation marks.
func (p Pattern) TriggerText(quote func(string) string) string {
	switch {
	case p.Task != "":
		return "for the question " + quote(p.Trigger) + " in the task " + quote(p.Task)
	case p.Seen != "":
		return "for the question " + quote(p.Trigger) + " after seeing " + quote(p.Seen)
	case p.TriggerNode == "":
		return "for the question " + quote(p.Trigger)
	}
	return fmt.Sprintf("after the %s %s", strings.ReplaceAll(cmp.Or(p.TriggerKind, "event"), "_", " "), quote(p.Trigger))
}

// Use refers to one decision of one episode.
type Use struct {
	Episode string          `json:"episode"`
	Record  string          `json:"record"`
	Outcome episode.Outcome `json:"outcome"`
}
