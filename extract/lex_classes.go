package extract

// class is a class of words inside prose.
type class uint

const (
	classChoose    class = iota // says that a choice was made
	classSettle                 // says by itself that one way was taken and another was not
	classAdopt                  // starts an item that states a choice in a decision's place
	classSubject                // stands before a verb of the writer's own act
	classContrast               // sets one option against another
	classPurpose                // opens what an act is for
	classExplain                // opens a clause that explains
	classRefuseAct              // says that a thing is not done
	classAgents                 // who work is given to
	classLaunch                 // sets them to work
	classReady                  // a judgement on a change
	classRoute                  // gives work to another
	classAgent                  // who gets it
	classNow                    // other than before
	classWayOut                 // opens what solved a problem
	classPrep                   // may follow a participle that ends a statement
	classSpoils                 // before a participle: it states nothing
	classVerdict                // a judgement
	classMark                   // a judgement where one is asked for
	classApprove                // a judgement that lets the work pass
	classRefuse                 // one that does not
	classOption                 // opens the name of an option
	classTaken                  // marks the option taken
	classRevert                 // going back
	classTestAct                // how work is verified
	classImplement              // how work is done
	classFail                   // something failed or was found broken
	classStrong                 // says in the past or present tense that it failed
	classNegate                 // takes the next word back
	classAbout                  // after a word of failure: the thing deals with failures
	classFind                   // came to light
	classUnsettled              // of a remark of others: not dealt with yet, which is no fault that was found
	classFaultNoun              // what comes to light
	classRepaired               // in a heading: what follows was wrong
	classHas                    // a verb that says how a thing is
	classReported               // somebody said that something is wrong
	classWhy                    // opens a question or a condition
	classOff                    // other than was thought
	classGrade                  // how grave a finding is
	classIf                     // supposes
	classWhen                   // opens when a thing may happen
	classTodo                   // opens a task
	classWish                   // names an improvement rather than a fault
	classStory                  // in a heading: the story around a fault
	classTracker                // after "issue": an entry of a tracker
	classPass                   // a check went well
	classTest                   // names a check
	classTally                  // what is counted of a check
	classVerify                 // says that the writer made sure
	classSetup                  // after "verified": where the work stands
	classRun                    // says that the writer ran something
	classRan                    // a command came to its end
	classLint                   // a check of form
	classSuite                  // a check of substance
	classLooked                 // looked at rather than run
	classUnrelated              // has nothing to do with the work
	classCI                     // where checks run
	classMake                   // past tense: something was made or changed
	classKeep                   // one side of a conflict was taken
	classSession                // in a heading: opens the account of one
	classThis                   // the log itself
	classRoutine                // of these, the ones that are steps
	classEarlier                // what was there before
	classHand                   // work passed on
	classAddress                // whom it is passed to
	classFirst                  // the writer
	classGood                   // a good end, as a status
	classBad                    // a bad end, as a status
	classHalf                   // neither
	classUnderway               // not yet at an end
	classLack                   // is not there
	classNone                   // opens the name of what is not there
	classConflict               // two versions that do not go together
	classMerge                  // brings two versions together
	classImpact                 // what a fault led to
	classNeeded                 // not there yet
	classCriteria               // what work is accepted by
	classGuard                  // opens what keeps faults away
	classWell                   // done as it should be
	classCondition              // a good end with strings attached
	classNot                    // takes a status back
	classReview                 // in a heading or label: a review of the work
	classDocState               // the state of a document
	classBlank                  // says that there is nothing
	classEffect                 // what came of an act
	classWorkedOut              // it helped
	classNoGood                 // it did not
	classNoHelp                 // it was right, and did not
	classAll                    // the whole of it
	classAddressed              // dealt with
	classBefore                 // after a failure: it is what was, or would be
	classAccept                 // in a heading: what the work is measured by
	classForeign                // before a hash: not this session's commit
	classUpstream               // the same, further before
	classMention                // in a text that names a commit: it speaks of one, it tells of none made
	classByDesign               // how a thing is meant to fail
	classLeadIn                 // ends a line that opens the list of what a thing holds, or of its reasons
	classBase                   // the commit that work started from
	classHashName               // names a commit's hash
)

// classSet is a set of word classes.
type classSet [2]uint64

// has reports whether c is in the set.
func (s classSet) has(c class) bool { return s[c>>6]&(1<<(c&63)) != 0 }

func (s *classSet) add(c class) { s[c>>6] |= 1 << (c & 63) }

func (s *classSet) drop(c class) { s[c>>6] &^= 1 << (c & 63) }

func (s *classSet) addAll(o classSet) {
	s[0] |= o[0]
	s[1] |= o[1]
}

// is reports whether any word of t outside code is of class c.
func (t text) is(c class) bool { return t.index(c) >= 0 }

// index returns the first word of t outside code that is of class c, or that
// opens a phrase of it; -1 when there is none.
func (t text) index(c class) int {
	if !t.classes.has(c) {
		return -1
	}
	for i := range t.words {
		if t.words[i].classes.has(c) {
			return i
		}
	}
	return -1
}

// hasWord is like is, and looks into code as well.
func (t text) hasWord(c class) bool {
	if t.is(c) {
		return true
	}
	for _, w := range t.words {
		if w.code && t.lex.words[w.s].classes.has(c) {
			return true
		}
	}
	return false
}

// capitals reports whether word i stands in capitals, as states and verdicts do.
func (t text) capitals(i int) bool {
	return i < len(t.words) && isUpper(t.s[t.words[i].start:t.words[i].end])
}

// at reports whether word i is of class c.
func (t text) at(i int, c class) bool {
	return i < len(t.words) && t.words[i].classes.has(c)
}
