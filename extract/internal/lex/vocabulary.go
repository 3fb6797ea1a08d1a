package lex

// Phrases inside sentences, written as in the text, with the spaces and the punctuation
// around them. A project cannot add to them.
var (
	// ReasonMarks open the reason inside a text that states a choice.
	ReasonMarks = append(Phrases{" because ", NameOrReason, " due to ", " eftersom ", " omdat ",
		" weil ", " потому что "}, PurposeReasons...)
	// PurposeReasons open a reason and are a part of it.
	PurposeReasons = Phrases{" so that ", " to avoid ", " to prevent ", " to keep "}
	// CauseOpeners open the text of a fix that gives the cause first.
	CauseOpeners = Phrases{"caused by", "due to", "because of", "root cause", "the cause was"}
	// ContrastMarks separate the option taken from another.
	ContrastMarks = Phrases{" instead of ", " rather than ", " in favor of not ", " as opposed to ",
		" istället för ", " i stället för ", " in plaats van ", " statt ", ", not ", " (not "}
	// negations set apart what was not taken.
	negations = Phrases{"(not ", ", not "}
	// Over precedes an option not taken, after one of ChoiceVerbs.
	Over        = Phrases{" over "}
	ChoiceVerbs = Phrases{"chose ", "chosen ", "choose ", "prefer ", "preferred ", "picked ", "selected ", "favored ", "valde ", "koos "}
	// ClauseEnds end the first clause of a text.
	ClauseEnds = Phrases{". ", "; ", ", ", " because ", " since ", " based on ", " to ", " for ", " so ", ") ", ")", " — ", " – "}
	// ClauseJoiners join two clauses.
	ClauseJoiners = Phrases{", and ", ", but ", "; ", ", och ", ", men ", ", en ", ", maar "}
	// ListJoiners precede the last part of a list.
	ListJoiners = Phrases{"or ", "and "}
	// DateFields are fields that end the reason of a decision.
	DateFields = Phrases{"Date:", "Date/Author:"}
)

// NameOrReason is the mark of a reason that is a name as well, of a flag or a column.
const NameOrReason = " since "

var (
	// reportMarks separate somebody who reports from the report.
	reportMarks = Phrases{":", " that", " \""}
	// ticketMarks open a reference to a ticket.
	ticketMarks = Phrases{"#", "PR #", "Issue #", "http", "Fixes #", "Closes #", "Resolves #"}
	// ticketNumbers precede the number of a ticket in a label or title.
	ticketNumbers = Phrases{"ssue #"}
	// errorOutput names an error in a line of output.
	errorOutput = Phrases{"error:", "error ", "exception", "panic:", "fatal:"}
	// abbreviations end in a dot that ends no sentence.
	abbreviations = Phrases{"e.g", "i.e", "vs", "etc", "approx", "cf", "no", "bzw", "z.B", "t.ex", "bijv"}
	// clauseOpeners may precede the first word of a clause.
	clauseOpeners = Phrases{" same", " the"}
)

// The endings by which the form of a word shows where the vocabulary does not know it.
const (
	gerundEnding = "ing"
	pastEnding   = "ed"
	adverbEnding = "ly"
)

// Words and phrases that are matched literally, also in quoted code and with the
// punctuation around them. A project cannot add to them.
var (
	// results of checks, as tools print them
	outOf         = Phrases{"of", "av", "van"} // between what passed and how many there are
	staleEntries  = Phrases{"stale"}
	skippedChecks = Phrases{"skipped"}
	partResults   = Phrases{"passed", "pass", "green", "red", "failed", "stale", "complete", "ok", "tests", "runs", "succeeded"} // after "12 of 14"
	slashResults  = Phrases{"passed", "passing", "pass", "passes", "green", "tests", "ok"}                                       // after "12/14"
	countedAfter  = Phrases{"godkända", "gröna", "passed", "passing", "pass", "failed", "failing", "skipped", "geslaagd"}        // after a number
	countedErrors = Phrases{"errors", "error", "failures", "warnings"}                                                           // the same; only "no errors" is a result
	countedBefore = Phrases{"passed", "failed", "errors", "failures"}                                                            // before ": 12"
	countedFailed = Phrases{"failed", "failures", "failing"}
	Expectations  = Phrases{"expected", "expect", "should"} // open a line of output that gives no result

	// states
	undone        = Phrases{"not", "already"} // before a verb of work: it was not done here
	notApplicable = Phrases{"n/a"}
	WeakDone      = Phrases{"changed"} // ends a label of a list: "Files changed"

	// commits
	CommitStems   = Phrases{"commit"} // open words of committing
	CommitWords   = Phrases{"commit"}
	CommitActs    = Phrases{"merged", "squash"}
	CommitNames   = Phrases{"sha", "merged"} // shortly before a hash
	CommitBefore  = Phrases{"before", "to"}  // "prior to 5eb1dcb": its own first commit
	ReferenceEnds = Phrases{" in", " as", " with", " by", " som", " i"}
)

// The units of a duration, as parts of a regular expression.
const (
	HourUnits   = `hours?|hrs?|h|timmar|uur`
	MinuteUnits = `minutes?|mins?|min|m|minuter|minuten`
)
