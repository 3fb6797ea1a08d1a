package lex

import "slices"

// Role is the meaning that a heading, a label or a column name gives to the text it
// governs. Roles do not depend on the language; their words are in words.txt.
type Role uint

// roleNames are the names of the roles in the vocabulary.
var roleNames []string

func role(name string) Role {
	roleNames = append(roleNames, name)
	return Role(len(roleNames) - 1)
}

// The roles.
var (
	RoleDecision    = role("decision") // choices
	RoleChosen      = role("chosen")   // the option taken
	RoleOptions     = role("options")  // the options there were
	RoleRejected    = role("rejected")
	RoleReason      = role("reason")  // why
	RoleContext     = role("context") // the question or situation
	RoleProblem     = role("problem")
	RoleCause       = role("cause")   // why it was wrong
	RoleFix         = role("fix")     // the way out
	RoleAttempt     = role("attempt") // a way that was tried
	RoleResult      = role("result")  // the result
	RoleFailed      = role("failed")
	RoleTest        = role("test")
	RoleLesson      = role("lesson")
	RoleStatus      = role("status") // state of a thing
	RoleOutcome     = role("outcome")
	RoleVerdict     = role("verdict")
	RoleCommit      = role("commit")
	RoleDone        = role("done")
	RoleHandoff     = role("handoff") // what the next one should do
	RoleTask        = role("task")    // what the session set out to do
	RolePlan        = role("plan")    // what is meant to be done
	RoleSkip        = role("skip")    // protocol, inventories, file lists, references: no facts
	RoleBase        = role("base")    // the commit or state that work started from
	RoleDate        = role("date")    // when
	RoleDuration    = role("duration")
	RoleWho         = role("who") // who does it
	RoleFinding     = role("finding")
	RoleSummary     = role("summary") // the session in short
	RoleWorked      = role("worked")  // what went well
	RoleFiles       = role("files")
	RoleAgent       = role("agent")
	RoleTimeline    = role("timeline")
	RoleConsequence = role("consequence")
	RoleItem        = role("item") // a column of things to be done
	RoleOne         = role("one")  // a single choice, as in a decision record
	RoleOpen        = role("open") // what is not done
	RolePulls       = role("pulls")
	RolePrevent     = role("prevent") // measures against an error to come
	RoleRefused     = role("refused") // what was decided not to be done
	RoleMade        = role("made")
	RoleConflict    = role("conflict")
	RoleStrategy    = role("strategy") // the way the work was gone about
	RoleTopic       = role("topic")
)

// Inherited are the roles that a heading without one of its own takes from the
// heading above it: items under "Lessons > Technical" are lessons.
var Inherited RoleSet = 1<<RoleLesson | 1<<RoleProblem | 1<<RoleTest | 1<<RoleTimeline | 1<<RoleWorked

// RoleSet is a set of roles.
type RoleSet uint64

// Has reports whether r is in the set.
func (s RoleSet) Has(r Role) bool { return s&(1<<r) != 0 }

// Any reports whether one of the roles is in the set.
func (s RoleSet) Any(rs ...Role) bool {
	return slices.ContainsFunc(rs, s.Has)
}
