package outcome

import "episodes/episode"

// Kind is what a sign is, and what it is worth.
type Kind struct {
	Rule     string                // its name, as `extract --verbose` prints it
	strength int                   // the strongest sign decides
	From     episode.OutcomeSource // Default: it was looked for, and nothing shows it
	says     episode.Outcome       // "": the sign says it; Unknown: it decides that nothing is known
	is       group
	settles  group // earlier signs that no longer count
}

// group is a set of kinds that other kinds settle.
type group uint8

const (
	works    group = 1 << iota // shown to work: next to these, a failing check means that some checks fail, not all
	failing                    // a check
	pipeline                   // a check that ran elsewhere, before the commit that follows
	edited
	corrected
)

// What the turns of a transcript show, strongest first.
var (
	Interrupted    = Kind{"the user stopped it", 99, episode.Default, episode.Unknown, 0, 0} // unless anything follows
	SomeChecksFail = Kind{"a check still fails", 98, episode.Measured, episode.Partial, 0, 0}
	UserCorrects   = Kind{"it ends with a correction", 97, episode.Stated, episode.Partial, corrected, works}
	CheckFails     = Kind{"the checks fail", 96, episode.Measured, episode.Failure, failing, 0}
	PipelineFails  = Kind{"the checks fail", 96, episode.Measured, episode.Failure, pipeline, 0}
	Edits          = Kind{"edited after the last check", 95, episode.Default, episode.Unknown, edited, 0}
	CheckPasses    = Kind{"the last check passes", 94, episode.Measured, episode.Success, works, edited | corrected}
	FailureEnds    = Kind{"the last check passes", 94, episode.Measured, episode.Success, works, edited | corrected}
	CommitMade     = Kind{"the last check passes", 94, episode.Measured, episode.Success, works,
		edited | corrected | failing}
	Installs     = Kind{"something was installed", 0, episode.Default, episode.Unknown, 0, 0}
	UserSpeaks   = Kind{"the user spoke", 0, episode.Default, episode.Unknown, 0, corrected} // thanks, too
	NothingShown = Kind{"nothing shows it", 0, episode.Default, episode.Unknown, 0, 0}
)

// What a log says, strongest first. LeftOpen decides only against a success that the log states.
var (
	OutcomeLabel     = Kind{"label gives the outcome", 80, episode.Stated, "", 0, 0}
	StatusLabel      = Kind{"label gives the status", 70, episode.Stated, "", 0, 0}
	FrontMatter      = Kind{"front matter gives the status", 60, episode.Stated, "", 0, 0}
	StatusSection    = Kind{"line under a heading of the status states it", 55, episode.Stated, "", 0, 0}
	OutcomeSection   = Kind{"line under a heading of the outcome states it", 50, episode.Stated, "", 0, 0}
	LastReportFails  = Kind{"last check fails", 48, episode.Measured, episode.Failure, 0, 0} // outweighs steps marked done
	SomeReportsFail  = Kind{"last check fails", 48, episode.Measured, episode.Partial, 0, 0} // others passed
	ItemsAgree       = Kind{"pieces of work have a status", 45, episode.Stated, "", 0, 0}
	ItemsDiffer      = Kind{"pieces of work have a status", 45, episode.Stated, episode.Partial, 0, 0}
	TimelineEnds     = Kind{"entry of a timeline ends with a status", 40, episode.Stated, "", 0, 0}
	AllDone          = Kind{"says that all is done", 32, episode.Stated, episode.Success, 0, 0}
	LastReportPasses = Kind{"last check passes", 30, episode.Measured, "", 0, 0} // or some of it
	LastAttempt      = Kind{"heading says how the last attempt ended", 29, episode.Stated, "", 0, 0}
	TasksDone        = Kind{"tasks have a status", 28, episode.Stated, episode.Success, 0, 0}
	SomeTasksDone    = Kind{"tasks have a status", 28, episode.Stated, episode.Partial, 0, 0}
	Approval         = Kind{"verdict approves", 27, episode.Stated, episode.Success, 0, 0}
	BoxesTicked      = Kind{"every box is ticked", 25, episode.Stated, episode.Success, 0, 0}
	BoxesOpen        = Kind{"some boxes are open", 25, episode.Stated, episode.Partial, 0, 0}
	StepsCommitted   = Kind{"work is committed and its steps are ticked", 20, episode.Stated, episode.Success, 0, 0}
	Underway         = Kind{"a status says that work goes on", 15, episode.Stated, episode.Partial, 0, 0} // often left so
	LeftOpen         = Kind{"boxes of its work are open", 0, episode.Stated, episode.Partial, 0, 0}
)

// What a loop shows, and what shows how one choice turned out.
var (
	LoopPasses   = Kind{"the verifiers pass", 1, episode.Measured, episode.Success, 0, 0}
	LoopFails    = Kind{"it ended before the verifiers passed", 1, episode.Measured, episode.Failure, 0, 0}
	ErrorGone    = Kind{"an error is gone", 1, episode.Measured, episode.Success, 0, 0}
	NoErrorGone  = Kind{"no error is gone", 1, episode.Measured, episode.Failure, 0, 0}
	CheckFollows = Kind{"a check followed", 1, episode.Measured, "", 0, 0}
	WorkFollows  = Kind{"work followed", 1, episode.Stated, episode.Success, 0, 0}  // in a session that succeeded
	ErrorEnds    = Kind{"an error ended", 1, episode.Stated, episode.Success, 0, 0} // in a session that succeeded
)
