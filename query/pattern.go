package query

import (
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

// Pattern is a pattern or anti-pattern found by package patterns: for the question
// in Trigger, the action succeeds more often (or less often) than the other options.
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
	Baseline    float64     `json:"baseline"`   // success rate of the other options
	BaselineN   int         `json:"baseline_n"` // known outcomes behind it
	Lift        *float64    `json:"lift"`       // success rate over baseline; null when the baseline is 0
	PValue      float64     `json:"p_value"`
	QValue      float64     `json:"q_value"`
	Occurrences int         `json:"occurrences"` // episodes with a known outcome
	Episodes    []string    `json:"episodes"`    // those
	Uses        []Use       `json:"uses"`        // the decisions behind it
	// Task and Seen narrow the trigger: to sessions of a task, or to those that had
	// seen an event before the choice.
	Task string `json:"task,omitempty"`
	Seen string `json:"seen,omitempty"`
	// Instances is on how many things (issues, pull requests, tasks) Episodes worked; one that
	// names none is one of its own.
	Instances int `json:"instances"`
	// TheseTasks: it is certain enough for tasks like those of the memory, not for others.
	TheseTasks bool `json:"these_tasks_only,omitempty"`
	// Adjusted is the difference to the baseline under like conditions.
	Adjusted float64 `json:"adjusted"`
	// Spread is that of Episodes. One day has most of them, or of what they are compared with.
	Spread
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

// Lesson is a lesson of a session.
type Lesson struct {
	Text     string `json:"text"`
	Episode  string `json:"episode"`
	Record   string `json:"record"`   // l001
	Sessions int    `json:"sessions"` // that noted it
}

// TriggerText describes the trigger: the question, and what narrows it. quote
// puts its words in quotation marks.
func (p Pattern) TriggerText(quote func(string) string) string {
	switch {
	case p.Task != "":
		return "for the question " + quote(p.Trigger) + " in the task " + quote(p.Task)
	case p.Seen != "":
		return "for the question " + quote(p.Trigger) + " after seeing " + quote(p.Seen)
	}
	return "for the question " + quote(p.Trigger)
}

// Use refers to one decision of one episode.
type Use struct {
	Episode string          `json:"episode"`
	Record  string          `json:"record"`
	Outcome episode.Outcome `json:"outcome"`
}
