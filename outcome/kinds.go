package outcome

import "episodes/episode"

// Kind names what a sign is. Kinds are in the order of the table: the strongest first.
type Kind uint8

// What the turns of a transcript show.
const (
	Interrupted    Kind = iota // the user stopped the agent, and nothing followed
	SomeChecksFail             // a check fails and another passes; Decide makes it of both
	UserCorrects               // the user says that what the agent did is wrong
	CheckFails                 // a check ran and failed
	PipelineFails              // a pipeline that runs elsewhere failed; a commit does not settle that
	Edits                      // files were changed
	CheckPasses                // a check ran and passed
	FailureEnds                // a call that failed works now, though it is no check
	CommitMade                 // a commit was made, with or without a check

	// What a log says.
	OutcomeLabel     // "Outcome: ..."
	StatusLabel      // "Status: ..." of the session
	StatusAtEnd      // "Status: ..." in the protocol that ends the log
	FrontMatter      // a status in the front matter
	StatusSection    // a line under a heading of the status
	ResolutionDay    // "Resolved: 2026-01-12"
	OutcomeSection   // a line under a heading of the outcome
	LastReportFails  // the last check that the log reports failed, and none passed
	SomeReportsFail  // it failed, and others passed
	ItemsAgree       // all pieces of work have the same status
	ItemsDiffer      // they have different ones
	LeftUndone       // a label names what was not done
	TimelineEnds     // the entry of a timeline ends with a status
	AllDone          // "All comments addressed"
	LastReportPasses // the last check that the log reports passed
	TasksDone        // all rows of a table of tasks are done
	SomeTasksDone    // some are
	Approval         // a verdict lets the work pass
	SaysDone         // "Done. ..."
	BoxesTicked      // all boxes of the work are ticked
	BoxesOpen        // some are
	StepsCommitted   // a commit is named and the steps are ticked
	Underway         // a status that was set at the start and often left so

	// What a loop shows.
	LoopPasses // its verifiers pass
	LoopFails  // it ended before they did

	// What shows how one choice turned out.
	ErrorGone    // an error is gone after the attempt
	NoErrorGone  // all errors are still there after it
	CheckFollows // the result of a check that followed
	WorkFollows  // it was carried out in a session that succeeded
	ErrorEnds    // it ended an error in a session that succeeded

	// What says nothing of the outcome by itself.
	LeftOpen     // an open box or "is BLOCKED" in a summary; decides only against a success that a log states
	Installs     // what a check needs was installed, and nothing more
	UserSpeaks   // the user says anything but a correction, thanks too
	NothingShown // any other call, and a transcript before its first turn
)

// shownToWork are the signs beside which a failing check is one of some, and which a correction takes back.
var shownToWork = []Kind{CheckPasses, FailureEnds, CommitMade}

// kinds is the table of precedence. A kind with the outcome unknown decides that nothing is known; one without
// an outcome leaves it to the sign. Origin default: it was looked for, and nothing shows it.
var kinds = [...]struct {
	rule     string // as `extract --verbose` prints it
	strength int
	from     episode.OutcomeSource
	says     episode.Outcome
	settles  []Kind // earlier signs that no longer count
}{
	Interrupted:    {"the user stopped it", 99, episode.Default, episode.Unknown, nil},
	SomeChecksFail: {"a check still fails", 98, episode.Measured, episode.Partial, nil},
	UserCorrects:   {"it ends with a correction", 97, episode.Stated, episode.Partial, shownToWork},
	CheckFails:     {"the checks fail", 96, episode.Measured, episode.Failure, nil},
	PipelineFails:  {"the checks fail", 96, episode.Measured, episode.Failure, nil},
	Edits:          {"edited after the last check", 95, episode.Default, episode.Unknown, nil},
	CheckPasses:    {"the last check passes", 94, episode.Measured, episode.Success, []Kind{Edits, UserCorrects}},
	FailureEnds:    {"the last check passes", 94, episode.Measured, episode.Success, []Kind{Edits, UserCorrects}},
	CommitMade: {"the last check passes", 94, episode.Measured, episode.Success,
		[]Kind{Edits, UserCorrects, CheckFails}},

	OutcomeLabel:     {"label gives the outcome", 80, episode.Stated, "", nil},
	StatusLabel:      {"label gives the status", 70, episode.Stated, "", nil},
	StatusAtEnd:      {"label at the end gives the status", 65, episode.Stated, "", nil},
	FrontMatter:      {"front matter gives the status", 60, episode.Stated, "", nil},
	StatusSection:    {"line under a heading of the status states it", 55, episode.Stated, "", nil},
	ResolutionDay:    {"label gives the day of the resolution", 50, episode.Stated, episode.Success, nil},
	OutcomeSection:   {"line under a heading of the outcome states it", 50, episode.Stated, "", nil},
	LastReportFails:  {"last check fails", 48, episode.Measured, episode.Failure, nil}, // outweighs steps marked done
	SomeReportsFail:  {"last check fails", 48, episode.Measured, episode.Partial, nil},
	ItemsAgree:       {"pieces of work have a status", 45, episode.Stated, "", nil},
	ItemsDiffer:      {"pieces of work have a status", 45, episode.Stated, episode.Partial, nil},
	LeftUndone:       {"label names what is left undone", 42, episode.Stated, episode.Partial, nil},
	TimelineEnds:     {"entry of a timeline ends with a status", 40, episode.Stated, "", nil},
	AllDone:          {"says that all is done", 32, episode.Stated, episode.Success, nil},
	LastReportPasses: {"last check passes", 30, episode.Measured, "", nil},
	TasksDone:        {"tasks have a status", 28, episode.Stated, episode.Success, nil},
	SomeTasksDone:    {"tasks have a status", 28, episode.Stated, episode.Partial, nil},
	Approval:         {"verdict approves", 27, episode.Stated, episode.Success, nil},
	SaysDone:         {"says that the work is done", 26, episode.Stated, episode.Success, nil},
	BoxesTicked:      {"every box is ticked", 25, episode.Stated, episode.Success, nil},
	BoxesOpen:        {"some boxes are open", 25, episode.Stated, episode.Partial, nil},
	StepsCommitted:   {"work is committed and its steps are ticked", 20, episode.Stated, episode.Success, nil},
	Underway:         {"a status says that work goes on", 15, episode.Stated, episode.Partial, nil},

	LoopPasses: {"the verifiers pass", 10, episode.Measured, episode.Success, nil},
	LoopFails:  {"the loop ended before the verifiers passed", 10, episode.Measured, episode.Failure, nil},

	ErrorGone:    {"an error is gone", 10, episode.Measured, episode.Success, nil},
	NoErrorGone:  {"no error is gone", 10, episode.Measured, episode.Failure, nil},
	CheckFollows: {"a check followed", 10, episode.Measured, "", nil},
	WorkFollows:  {"work followed", 10, episode.Stated, episode.Success, nil},
	ErrorEnds:    {"an error ended", 10, episode.Stated, episode.Success, nil},

	LeftOpen:     {"boxes of its work are open", 0, episode.Stated, episode.Partial, nil},
	Installs:     {"something was installed", 0, episode.Default, episode.Unknown, nil},
	UserSpeaks:   {"the user spoke", 0, episode.Default, episode.Unknown, []Kind{UserCorrects}},
	NothingShown: {"nothing shows it", 0, episode.Default, episode.Unknown, nil},
}

// String is the name of the rule behind a kind; "" of what is no kind. Kinds that differ only in what they
// speak for share a name.
func (k Kind) String() string {
	if int(k) >= len(kinds) {
		return ""
	}
	return kinds[k].rule
}

// From is the kind of evidence that a sign is.
func (k Kind) From() episode.OutcomeSource { return kinds[k].from }
