package extract

// role is what a heading, a label or a column name says of the text it governs.
// Roles are neutral of language; the words for them stand in vocabulary.go.
type role uint

const (
	roleDecision    role = iota // choices
	roleChosen                  // the option taken
	roleOptions                 // the options there were
	roleRejected                // options not taken
	roleReason                  // why
	roleContext                 // the question or situation
	roleProblem                 // what was wrong
	roleCause                   // why it was wrong
	roleFix                     // the way out
	roleAttempt                 // a way that was tried
	roleResult                  // what came of it
	roleFailed                  // what did not work
	roleTest                    // verification
	roleLesson                  // what was learned
	roleStatus                  // state of a thing
	roleOutcome                 // what the session came to
	roleVerdict                 // judgement of a review
	roleCommit                  // commits
	roleDone                    // work finished
	roleHandoff                 // what the next one should do
	roleTask                    // what the session set out to do
	rolePlan                    // what is meant to be done
	roleSkip                    // protocol, inventories, file lists, references: no facts
	roleBase                    // the commit or state that work started from
	roleDate                    // when
	roleDuration                // how long
	roleWho                     // who does it
	roleFinding                 // what was found
	roleSummary                 // the session in short
	roleWorked                  // what went well
	roleFiles                   // files touched
	roleAgent                   // agents dispatched
	roleTimeline                // events by time
	roleConsequence             // what follows from a decision
	roleItem                    // a column of things to be done
	roleOne                     // a single choice, as in a decision record
	roleOpen                    // what is not done
	rolePulls                   // pull requests made
	rolePrevent                 // measures against a fault to come
	roleRefused                 // what was decided not to be done
	roleMade                    // things that were made
	roleConflict                // how a merge was settled
	roleStrategy                // the way the work was gone about
	roleTopic                   // what the log is about
)

// inherited are the roles that a heading without one of its own takes from the
// heading above it: what stands under "Lessons > Technical" are lessons.
const inherited = 1<<roleLesson | 1<<roleProblem | 1<<roleTest | 1<<roleTimeline | 1<<roleWorked

// roleSet is a set of roles.
type roleSet uint64

func (s roleSet) has(r role) bool { return s&(1<<r) != 0 }

func (s roleSet) any(rs ...role) bool {
	for _, r := range rs {
		if s.has(r) {
			return true
		}
	}
	return false
}

// The names by which roles and classes go in a project's own vocabulary.

var roleNames = [...]string{
	roleDecision:    "decision",
	roleChosen:      "chosen",
	roleOptions:     "options",
	roleRejected:    "rejected",
	roleReason:      "reason",
	roleContext:     "context",
	roleProblem:     "problem",
	roleCause:       "cause",
	roleFix:         "fix",
	roleAttempt:     "attempt",
	roleResult:      "result",
	roleFailed:      "failed",
	roleTest:        "test",
	roleLesson:      "lesson",
	roleStatus:      "status",
	roleOutcome:     "outcome",
	roleVerdict:     "verdict",
	roleCommit:      "commit",
	roleDone:        "done",
	roleHandoff:     "handoff",
	roleTask:        "task",
	rolePlan:        "plan",
	roleSkip:        "skip",
	roleBase:        "base",
	roleDate:        "date",
	roleDuration:    "duration",
	roleWho:         "who",
	roleFinding:     "finding",
	roleSummary:     "summary",
	roleWorked:      "worked",
	roleFiles:       "files",
	roleAgent:       "agent",
	roleTimeline:    "timeline",
	roleConsequence: "consequence",
	roleItem:        "item",
	roleOne:         "one",
	roleOpen:        "open",
	rolePulls:       "pulls",
	rolePrevent:     "prevent",
	roleRefused:     "refused",
	roleMade:        "made",
	roleConflict:    "conflict",
	roleStrategy:    "strategy",
	roleTopic:       "topic",
}
