package outcome

import "episodes/episode"

// Kind is what a sign is, and what it is worth.
type Kind struct {
	Rule     string                // its name, as `extract --verbose` prints it
	strength int                   // the strongest sign decides
	From     episode.OutcomeSource // Default: it was looked for, and nothing shows it
	says     episode.Outcome       // "": as the sign says; Unknown: nothing is known
	is       group
	settles  group // earlier signs that no longer count
}

// kinds are those of the tables below, in their order. The tests of this package hold each to the laws.
var kinds []Kind

// of is a line of a table.
func of(k Kind) Kind {
	kinds = append(kinds, k)
	return k
}

// group is a set of kinds that other kinds settle.
type group uint8

const (
	works    group = 1 << iota // next to these a failing check is partial
	failing                    // a check
	pipeline                   // a check that ran elsewhere, before the commit that follows
	edited
	corrected
)

// What the turns of a transcript show, strongest first.
var (
	Interrupted    = of(Kind{"it was broken off", 99, episode.Default, episode.Unknown, 0, 0}) // unless work follows
	SomeChecksFail = of(Kind{"a check still fails", 98, episode.Measured, episode.Partial, 0, 0})
	UserCorrects   = of(Kind{"it ends with a correction", 97, episode.Stated, episode.Partial, corrected, works})
	CheckFails     = of(Kind{"the checks fail", 96, episode.Measured, episode.Failure, failing, 0})
	PipelineFails  = of(Kind{"the checks fail", 96, episode.Measured, episode.Failure, pipeline, 0})
	Edits          = of(Kind{"edited after the last check", 95, episode.Default, episode.Unknown, edited, 0})
	CheckPasses    = of(Kind{"the last check passes", 94, episode.Measured, episode.Success, works, edited | corrected})
	FailureEnds    = of(Kind{"the last check passes", 94, episode.Measured, episode.Success, works, edited | corrected})
	CommitMade     = of(Kind{"the work was committed", 93, episode.Stated, episode.Success, works,
		edited | corrected | failing})
	Installs     = of(Kind{"something was installed", 0, episode.Default, episode.Unknown, 0, 0})
	UserSpeaks   = of(Kind{"the user spoke", 0, episode.Default, episode.Unknown, 0, corrected}) // thanks, too
	NothingShown = of(Kind{"nothing shows it", 0, episode.Default, episode.Unknown, 0, 0})
)

// What a log says, strongest first. LeftOpen decides only against a success that the log states.
var (
	OutcomeLabel     = of(Kind{"label gives the outcome", 80, episode.Stated, "", 0, 0})
	StatusLabel      = of(Kind{"label gives the status", 70, episode.Stated, "", 0, 0})
	FrontMatter      = of(Kind{"front matter gives the status", 60, episode.Stated, "", 0, 0})
	StatusSection    = of(Kind{"line under a heading of the status states it", 55, episode.Stated, "", 0, 0})
	OutcomeSection   = of(Kind{"line under a heading of the outcome states it", 50, episode.Stated, "", 0, 0})
	LastReportFails  = of(Kind{"last check fails", 48, episode.Measured, episode.Failure, 0, 0}) // outweighs steps marked done
	SomeReportsFail  = of(Kind{"last check fails", 48, episode.Measured, episode.Partial, 0, 0}) // others passed
	ItemsAgree       = of(Kind{"pieces of work have a status", 45, episode.Stated, "", 0, 0})
	ItemsDiffer      = of(Kind{"pieces of work have a status", 45, episode.Stated, episode.Partial, 0, 0})
	TimelineEnds     = of(Kind{"entry of a timeline ends with a status", 40, episode.Stated, "", 0, 0})
	AllDone          = of(Kind{"says that all is done", 32, episode.Stated, episode.Success, 0, 0})
	LastReportPasses = of(Kind{"last check passes", 30, episode.Measured, "", 0, 0}) // or some of it
	LastAttempt      = of(Kind{"heading says how the last attempt ended", 29, episode.Stated, "", 0, 0})
	TasksDone        = of(Kind{"tasks have a status", 28, episode.Stated, episode.Success, 0, 0})
	SomeTasksDone    = of(Kind{"tasks have a status", 28, episode.Stated, episode.Partial, 0, 0})
	Approval         = of(Kind{"verdict approves", 27, episode.Stated, episode.Success, 0, 0})
	BoxesTicked      = of(Kind{"every box is ticked", 25, episode.Stated, episode.Success, 0, 0})
	BoxesOpen        = of(Kind{"some boxes are open", 25, episode.Stated, episode.Partial, 0, 0})
	StepsCommitted   = of(Kind{"work is committed and its steps are ticked", 20, episode.Stated, episode.Success, 0, 0})
	Underway         = of(Kind{"a status says that work goes on", 15, episode.Stated, episode.Partial, 0, 0}) // often left so
	LeftOpen         = of(Kind{"boxes of its work are open", 0, episode.Stated, episode.Partial, 0, 0})
)

// What a loop shows, and what shows how one choice turned out.
var (
	LoopPasses  = of(Kind{"the verifiers pass", 1, episode.Measured, episode.Success, 0, 0})
	LoopFails   = of(Kind{"it ended before the verifiers passed", 1, episode.Measured, episode.Failure, 0, 0})
	ErrorGone   = of(Kind{"an error is gone", 1, episode.Measured, episode.Success, 0, 0})
	NoErrorGone = of(Kind{"no error is gone", 1, episode.Measured, episode.Failure, 0, 0})
)
