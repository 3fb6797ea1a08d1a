// Package facts makes an episode of what was read in a log: facts and links with
// the lines that show them get ids in the order of the log, cross references and
// provenance. It knows no format and no rules.
package facts

import (
	"episodes/episode"
	"episodes/outcome"
)

// Kind is the kind of a fact.
type Kind uint8

// The kinds of facts.
const (
	Decision Kind = iota
	Event
	Lesson
)

// Fact is an item of an episode before it has an id.
type Fact struct {
	Kind     Kind
	Span     episode.Span // the lines that show it
	Content  string
	Time     string            // of an event, RFC 3339; "" when it is not known
	Key      string            // of an event; "": made of its type and content
	Rule     string            // the rule that took it, or several, joined by ", "
	Event    episode.EventType // of an event
	Put      []episode.Put     // of an event that is a fix
	Decision episode.Decision  // of a decision, but for id and keys
	Lesson   episode.Lesson    // of a lesson, but for id and what it says, which is Content

	id string
}

// Link is a link before its ends have ids.
type Link struct {
	From, To *Fact
	Type     episode.LinkType
	Explicit bool // the log states it
	Span     episode.Span
	Rule     string // as of a Fact
}

// Draft is what was read in a log: an episode without ids and provenance of its
// file.
type Draft struct {
	Facts []*Fact // in any order
	Links []Link  // those of facts that are not in the draft are left out

	Task     string
	TaskSpan episode.Span
	Instance string // episode.Episode.Instance

	State        episode.State // episode.Episode.State
	SupersededBy string        // episode.Episode.SupersededBy

	Signs []outcome.Sign // of the outcome, in order; Build decides

	SessionID    string // episode.Source.Session
	Timestamp    string // RFC 3339; "" when the log does not say
	Minutes      *float64
	FilesChanged *int
	Tokens       *int
	Cost         *float64 // US dollars
}

// Taken says what one span of the log was read as.
type Taken struct {
	Span episode.Span
	What string // "decision d001", "event e002 (error)", "link d001>e002 (prevents, explicit)", "lesson l001 (trap)", "task", "outcome", "passed over (plan)"
	Why  string // of a fact the rules that took it, joined by ", "
}

// Around are the lines from the first to the last of two places.
func Around(a, b episode.Span) episode.Span { return episode.Span{min(a[0], b[0]), max(a[1], b[1])} }
