package episodes

import (
	"errors"
	"fmt"
	"time"

	"episodes/episode"
	"episodes/internal/ask"
	"episodes/query"
)

// The requests.
type (
	// ExtractRequest says which logs to take in: Logs are files, folders or patterns;
	// none means the folder .agents/sessions. DryRun writes nothing; Force replaces
	// episodes that were edited by hand, which are kept otherwise.
	ExtractRequest = ask.ExtractRequest

	// RecordRequest is a statement: its Kind is decision, lesson or outcome, Text says it, and
	// Over, Question and Why belong to a decision. Of names the episode, or Session the session.
	RecordRequest = ask.StateRequest

	// AdviseRequest asks about Text, such as the output of a failed command, or about File.
	AdviseRequest = ask.AdviseRequest

	// SearchRequest looks for Text, if wanted only of one Kind or Since some time; Skip goes on
	// behind earlier hits.
	SearchRequest = ask.SearchRequest

	// PathRequest asks how From led to To. Both are nodes: by id (n…), by a record of
	// an episode (EPISODE#d001), by an outcome, or by words. Paths, MaxHops, Types and
	// MinWeight bound the search.
	PathRequest = ask.PathRequest

	// WhatIfRequest asks about Option, by words or by a decision EPISODE#d001. Context
	// gives words of the question that was decided, Episode the session to compare
	// with.
	WhatIfRequest = ask.WhatIfRequest

	// PatternsRequest asks for patterns of one Kind, Works or Fails. Start from
	// DefaultPatterns.
	PatternsRequest = ask.PatternsRequest

	// ExplainRequest asks on what Ref rests: a node, a record, a link, an edge or a
	// pattern, as other answers name them. Limit bounds each list of evidence.
	ExplainRequest = ask.ExplainRequest
)

// The answers. Each marshals to JSON, and but for ExtractAnswer each has Text(tokens)
// and Empty().
type (
	// ExtractAnswer says in Episodes what became of each log, and in Graph what that
	// changed in the graph.
	ExtractAnswer = ask.ExtractAnswer

	// RecordAnswer names in Ref the record that was kept.
	RecordAnswer = ask.StateAnswer

	// AdviseAnswer has in Advice what is known, the most useful first; Answered is false where
	// too little is.
	AdviseAnswer = ask.AdviseAnswer

	// SearchAnswer has Hits, the best first.
	SearchAnswer = ask.SearchAnswer

	// PathAnswer is a query.PathResult: Paths, the best first, with their weights and
	// hops. NotFound is not nil where an end names nothing.
	PathAnswer = ask.PathAnswer

	// WhatIfAnswer is a query.WhatIfResult: the Verdict with its Effect, and the counts of
	// both sides.
	WhatIfAnswer = ask.WhatIfAnswer

	// PatternsAnswer is a patterns.Result: Patterns, the best evidence first.
	PatternsAnswer = ask.PatternsAnswer

	// ExplainAnswer is a query.Explanation with the lines of the logs; Logs says for
	// each log whether it can still be quoted. NotFound is not nil where Ref names
	// nothing.
	ExplainAnswer = ask.ExplainAnswer
)

// The parts of answers that other packages of this module do not export.
type (
	Log            = ask.Log            // one log: its episode, counts, diagnostics
	LogStatus      = ask.LogStatus      // Written, Unchanged or Failed
	Diagnostic     = ask.Diagnostic     // something to know about a line of a log
	Change         = ask.Change         // what changed in the graph
	Rename         = ask.Rename         // an episode that got another id
	Taken          = ask.Taken          // in a dry run with Explain
	Totals         = ask.Totals         // sums over logs
	AdviceItem     = ask.AdviceItem     // one statement of an advice
	AdviceEvidence = ask.AdviceEvidence // its episode and lines
	ClosestItem    = ask.ClosestItem    // a match that is too weak for advice
	SearchHit      = ask.SearchHit      // one place
	Origin         = ask.Origin         // who brought it, in a repository of several authors
	LogNote        = ask.LogNote        // whether the log of an episode can be quoted
	LogState       = ask.LogState       // LogSame, LogChanged, LogGone or LogUnknown
)

// The words of requests.
type (
	LinkType    = episode.LinkType  // of a PathRequest: causes, enables, prevents or correlates
	PatternKind = query.PatternKind // of a PatternsRequest: Works or Fails
)

// What became of a log.
const (
	Written   LogStatus = ask.Written
	Unchanged LogStatus = ask.Unchanged
	Failed    LogStatus = ask.Failed
)

// Whether the log of an episode can be quoted: it has the bytes that the episode was
// made from, it has not, it is not where it was, or it is not known here.
const (
	LogSame    LogState = ask.Same
	LogChanged LogState = ask.Changed
	LogGone    LogState = ask.Gone
	LogUnknown LogState = ask.Unknown
)

// The kinds of pattern: one to follow, and one to avoid.
const (
	Works = query.GoodPattern
	Fails = query.AntiPattern
)

// DefaultPatterns returns the request for patterns of a kind with the default limits of the
// command line.
func DefaultPatterns(kind PatternKind) PatternsRequest { return ask.DefaultPatterns(kind) }

// The errors on which a caller can decide, by errors.Is.
var (
	ErrNoMemory   = ask.ErrNoMemory   // there is no memory in the folder: Create makes one
	ErrLocked     = ask.ErrLocked     // another process writes, for longer than is waited
	ErrVocabulary = ask.ErrVocabulary // the file .agents/episodes.toml cannot be read
	ErrNoRef      = ask.ErrNoRef      // a text cannot name an episode at all
	ErrNoEpisode  = ask.ErrNoEpisode  // no episode has this name
	ErrNoRecord   = ask.ErrNoRecord   // the episode has no such record
	ErrTogether   = ask.ErrTogether   // the parts of a what-if exclude each other

	// ErrDamaged: the graph is damaged, or of another version of the program. `episodes
	// graph rebuild` makes it again from the episodes.
	ErrDamaged = errors.New("the graph is damaged or of another version")
	// ErrFull: the disk has too little room.
	ErrFull = errors.New("the disk is full")
)

// The errors that carry more, for errors.As.
type (
	// RequestError says what is wrong with a request.
	RequestError = ask.RequestError
	// AmbiguousError says that a prefix fits several episodes, and which.
	AmbiguousError = ask.AmbiguousError
)

// matched makes errors.Is find ErrDamaged and ErrFull, of which there are several below.
func matched(err error) error {
	switch {
	case err == nil:
		return nil
	case ask.Damaged(err):
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	case ask.Full(err):
		return fmt.Errorf("%w: %w", ErrFull, err)
	}
	return err
}

// lockTimeout is how long a call waits for another process.
const lockTimeout = 10 * time.Second
