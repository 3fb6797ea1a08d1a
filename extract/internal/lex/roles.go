package lex

// Role is the meaning that a heading, a label or a column name gives to the text it
// governs. Roles do not depend on the language; their words are in words.txt.
type Role uint

const (
	RoleDecision    Role = iota // choices
	RoleChosen                  // the option taken
	RoleOptions                 // the options there were
	RoleRejected                // options not taken
	RoleReason                  // why
	RoleContext                 // the question or situation
	RoleProblem                 // what was wrong
	RoleCause                   // why it was wrong
	RoleFix                     // the way out
	RoleAttempt                 // a way that was tried
	RoleResult                  // the result
	RoleFailed                  // what did not work
	RoleTest                    // verification
	RoleLesson                  // what was learned
	RoleStatus                  // state of a thing
	RoleOutcome                 // how the session ended
	RoleVerdict                 // judgement of a review
	RoleCommit                  // commits
	RoleDone                    // work finished
	RoleHandoff                 // what the next one should do
	RoleTask                    // what the session set out to do
	RolePlan                    // what is meant to be done
	RoleSkip                    // protocol, inventories, file lists, references: no facts
	RoleBase                    // the commit or state that work started from
	RoleDate                    // when
	RoleDuration                // how long
	RoleWho                     // who does it
	RoleFinding                 // what was found
	RoleSummary                 // the session in short
	RoleWorked                  // what went well
	RoleFiles                   // files touched
	RoleAgent                   // agents dispatched
	RoleTimeline                // events by time
	RoleConsequence             // what follows from a decision
	RoleItem                    // a column of things to be done
	RoleOne                     // a single choice, as in a decision record
	RoleOpen                    // what is not done
	RolePulls                   // pull requests made
	RolePrevent                 // measures against an error to come
	RoleRefused                 // what was decided not to be done
	RoleMade                    // things that were made
	RoleConflict                // how a merge was resolved
	RoleStrategy                // the way the work was gone about
	RoleTopic                   // what the log is about
)

// Inherited are the roles that a heading without one of its own takes from the
// heading above it: items under "Lessons > Technical" are lessons.
const Inherited = 1<<RoleLesson | 1<<RoleProblem | 1<<RoleTest | 1<<RoleTimeline | 1<<RoleWorked

// RoleSet is a set of roles.
type RoleSet uint64

// Has reports whether r is in the set.
func (s RoleSet) Has(r Role) bool { return s&(1<<r) != 0 }

// Any reports whether one of the roles is in the set.
func (s RoleSet) Any(rs ...Role) bool {
	for _, r := range rs {
		if s.Has(r) {
			return true
		}
	}
	return false
}

// The names by which roles and classes go in a project's own vocabulary.

var roleNames = [...]string{
	RoleDecision:    "decision",
	RoleChosen:      "chosen",
	RoleOptions:     "options",
	RoleRejected:    "rejected",
	RoleReason:      "reason",
	RoleContext:     "context",
	RoleProblem:     "problem",
	RoleCause:       "cause",
	RoleFix:         "fix",
	RoleAttempt:     "attempt",
	RoleResult:      "result",
	RoleFailed:      "failed",
	RoleTest:        "test",
	RoleLesson:      "lesson",
	RoleStatus:      "status",
	RoleOutcome:     "outcome",
	RoleVerdict:     "verdict",
	RoleCommit:      "commit",
	RoleDone:        "done",
	RoleHandoff:     "handoff",
	RoleTask:        "task",
	RolePlan:        "plan",
	RoleSkip:        "skip",
	RoleBase:        "base",
	RoleDate:        "date",
	RoleDuration:    "duration",
	RoleWho:         "who",
	RoleFinding:     "finding",
	RoleSummary:     "summary",
	RoleWorked:      "worked",
	RoleFiles:       "files",
	RoleAgent:       "agent",
	RoleTimeline:    "timeline",
	RoleConsequence: "consequence",
	RoleItem:        "item",
	RoleOne:         "one",
	RoleOpen:        "open",
	RolePulls:       "pulls",
	RolePrevent:     "prevent",
	RoleRefused:     "refused",
	RoleMade:        "made",
	RoleConflict:    "conflict",
	RoleStrategy:    "strategy",
	RoleTopic:       "topic",
}
