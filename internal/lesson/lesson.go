// Package lesson is what a session leaves to later ones: lessons in words of whoever was there, what
// became of earlier lessons, and how they belong together. It reads no file but those of a working tree.
//
//	lesson.go   the types; ids; long sentences
//	parse.go    JSON lines → entries, leniently; entries → JSON
//	session.go  what a lesson is held to: the lines of a log, and who speaks in them
//	read.go     a transcript → what a lesson is held to
//	words.go    the words of code in a text, and where a session has them
//	check.go    entries → those that are taken, and reasons for the others
//	refs.go     what entries say of other lessons
//	told.go     what the cited lines say against a lesson, or for its outcome
//	safe.go     what no lesson may say, whoever says it
//	touch.go    the code that a lesson touches, and whether it is still there
package lesson

import (
	"episodes/episode"
)

// The types are those of package episode.
type (
	Kind   = episode.LessonKind
	Ending = episode.Ending
	By     = episode.Author
	Ref    = episode.LessonRef
	Lesson = episode.Lesson
	Touch  = episode.Touch
	Again  = episode.Again
	Link   = episode.Relation
	Lines  = episode.Ranges
)

// The kinds of lessons.
const (
	Fix    = episode.FixLesson
	Choice = episode.ChoiceLesson
	Rule   = episode.RuleLesson
	Trap   = episode.TrapLesson
	Open   = episode.OpenLesson
)

// The endings; "" is none.
const (
	Held    = "held"
	Failed  = "failed"
	Unknown = "unknown"
)

// Who can say something.
const (
	Agent  = "agent" // of the session
	Reader = "reader"
	Person = "person"
	Rules  = episode.ByRules
)

// Outcome is what the session as a whole came to.
type Outcome struct {
	Outcome episode.Outcome `json:"outcome"`
	Lines   Lines           `json:"lines,omitempty"`
}

// Drop takes a record of the rules away.
type Drop struct {
	ID  Ref    `json:"drop"`
	Why string `json:"why,omitempty"`
}

// Correct changes a lesson, which keeps its id. What is empty stays.
type Correct struct {
	Of Ref `json:"correct"`
	Lesson
	Wrong bool   `json:"wrong,omitempty"`
	Why   string `json:"why,omitempty"`
}

// Forgotten is the tombstone of a lesson.
type Forgotten struct {
	ID Ref `json:"forgotten"`
}

// Entry is a line of a text: exactly one of the pointers is set.
type Entry struct {
	Line      int `json:"-"` // of the text, from 1
	Session   string
	Log       string // its path
	Lesson    *Lesson
	Again     *Again
	Link      *Link
	Outcome   *Outcome
	Drop      *Drop
	Correct   *Correct
	Forgotten *Forgotten
}

// Limits of the fields of a lesson, in bytes unless they say otherwise.
const (
	MaxSay    = episode.MaxSay
	MaxTold   = episode.MaxTold
	MaxField  = episode.MaxField
	MaxWhen   = 3  // phrasings
	MaxWords  = 25 // of a phrasing
	MaxCited  = 40 // lines of a range
	MaxRanges = 20
)
