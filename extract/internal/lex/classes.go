package lex

import "slices"

// Class is a class of words inside prose.
type Class uint

const (
	ClassChoose     Class = iota // says that a choice was made
	ClassSettle                  // says by itself that one way was taken and another was not
	ClassAdopt                   // starts an item that states a choice in a list of decisions
	ClassSubject                 // precedes a verb for something that the writer did
	ClassContrast                // sets one option against another
	ClassPurpose                 // opens what an act is for
	ClassExplain                 // opens a clause that explains
	ClassRefuseAct               // says that a thing is not done
	ClassNow                     // other than before
	ClassWayOut                  // opens what solved a problem
	ClassPrep                    // may follow a participle that ends a statement
	ClassSpoils                  // before a participle: it states nothing
	ClassVerdict                 // a judgement
	ClassMark                    // a judgement where one is asked for
	ClassApprove                 // a judgement that lets the work pass
	ClassRefuse                  // one that does not
	ClassOption                  // opens the name of an option
	ClassRevert                  // going back
	ClassTestAct                 // how work is verified
	ClassImplement               // how work is done
	ClassFail                    // something failed or was found broken
	ClassStrong                  // says in the past or present tense that it failed
	ClassNegate                  // takes the next word back
	ClassAbout                   // after a word of failure: the thing deals with failures
	ClassFind                    // was found
	ClassUnsettled               // of a remark of others: not dealt with yet, which is no error of this session
	ClassErrorNoun               // what is found
	ClassRepaired                // in a heading: what follows was wrong
	ClassHas                     // a verb that says how a thing is
	ClassReported                // somebody said that something is wrong
	ClassWhy                     // opens a question or a condition
	ClassOff                     // other than was thought
	ClassGrade                   // how grave a finding is
	ClassIf                      // supposes
	ClassWhen                    // opens when a thing may happen
	ClassTodo                    // opens a task
	ClassStory                   // in a heading: the story around an error
	ClassTracker                 // after "issue": an entry of a tracker
	ClassPass                    // a check went well
	ClassTest                    // names a check
	ClassTally                   // what is counted of a check
	ClassVerify                  // says that the writer made sure
	ClassSetup                   // after "verified": the state of the work
	ClassRun                     // says that the writer ran something
	ClassRan                     // a command finished
	ClassLint                    // a check of form
	ClassSuite                   // a check of substance
	ClassLooked                  // looked at rather than run
	ClassUnrelated               // has nothing to do with the work
	ClassCI                      // where checks run
	ClassMake                    // past tense: something was made or changed
	ClassKeep                    // one side of a conflict was taken
	ClassSession                 // in a heading: opens the account of one
	ClassThis                    // the log itself
	ClassRoutine                 // of these, the ones that are steps
	ClassEarlier                 // what was there before
	ClassHand                    // work passed on
	ClassAddress                 // whom it is passed to
	ClassFirst                   // the writer
	ClassGood                    // a good end, as a status
	ClassBad                     // a bad end, as a status
	ClassHalf                    // neither
	ClassUnderway                // not yet at an end
	ClassPlanned                 // the state of work that is still to begin
	ClassCancelled               // the state of work that will not be done
	ClassDeferred                // the state of work that was put off
	ClassLack                    // is not there
	ClassNone                    // opens the name of what is not there
	ClassConflict                // two versions that do not go together
	ClassMerge                   // brings two versions together
	ClassImpact                  // what an error led to
	ClassNeeded                  // not there yet
	ClassCriteria                // what work is accepted by
	ClassGuard                   // opens what keeps errors away
	ClassWell                    // done as it should be
	ClassCondition               // a good end with strings attached
	ClassNot                     // takes a status back
	ClassReview                  // in a heading or label: a review of the work
	ClassDocState                // the state of a document
	ClassBlank                   // says that there is nothing
	ClassWorkedOut               // it helped
	ClassNoGood                  // it did not
	ClassNoHelp                  // it was right, and did not
	ClassAll                     // the whole of it
	ClassAddressed               // dealt with
	ClassBefore                  // after a failure: it is what was, or would be
	ClassAccept                  // in a heading: what the work is measured by
	ClassForeign                 // before a hash: not this session's commit
	ClassUpstream                // the same, further before
	ClassMention                 // in a text that names a commit: it is only mentioned, not made
	ClassByDesign                // how a thing is meant to fail
	ClassLeadIn                  // ends a line that opens the list of what a thing contains, or of its reasons
	ClassBase                    // the commit that work started from
	ClassHashName                // names a commit's hash
	ClassBenefit                 // names what a thing is good for, as often as what it broke
	ClassWas                     // says how a thing was
	ClassBy                      // before the means of an act
	ClassOver                    // after a verb of choice: before the option not taken
	ClassMakeshift               // a way round a problem
	ClassTestFirst               // opens a choice on how work is verified
	ClassFiller                  // in a choice of status words and numbers: it adds nothing
	ClassOr                      // joins two verdicts
	ClassZero                    // after a word of failure: there was none
	ClassNoneYet                 // opens a placeholder in place of an error
	ClassFailed                  // opens the sentence that says how an act ended
	ClassTicket                  // before a word of a tracker: an entry of it
	ClassModal                   // before a word of failure: it may fail, and did not
	ClassMeant                   // a failure that is meant, as the first step of test-driven work
	ClassRed                     // in a heading: the step of a test that is meant to fail
	ClassDayPart                 // a part of a day, in a title
	ClassLogName                 // names a log as such
	ClassCommand                 // names what was run
	ClassSuperseded              // a decision that no longer holds
	ClassAssess                  // names a judgement of what is looked at
	ClassOwnWork                 // what a session does to the thing it is about
	ClassIntent                  // ends the title of a log of what is to be done
	ClassReplaces                // before the name of a decision that no longer holds
)

// ClassSet is a set of word classes.
type ClassSet [3]uint64

// Has reports whether c is in the set.
func (s ClassSet) Has(c Class) bool { return s[c>>6]&(1<<(c&63)) != 0 }

func (s *ClassSet) add(c Class) { s[c>>6] |= 1 << (c & 63) }

func (s *ClassSet) drop(c Class) { s[c>>6] &^= 1 << (c & 63) }

func (s *ClassSet) addAll(o ClassSet) {
	for i := range s {
		s[i] |= o[i]
	}
}

// Any reports whether w is of one of the classes.
func (w Word) Any(cs ...Class) bool { return slices.ContainsFunc(cs, w.Classes.Has) }

// Is reports whether any word of t outside code is of class c.
func (t Text) Is(c Class) bool { return t.Index(c) >= 0 }

// Index returns the first word of t outside code that is of class c, or that
// opens a phrase of it, or -1.
func (t Text) Index(c Class) int {
	if !t.Classes.Has(c) {
		return -1
	}
	for i := range t.Words {
		if t.Words[i].Classes.Has(c) {
			return i
		}
	}
	return -1
}

// HasWord is like is, and looks into code as well.
func (t Text) HasWord(c Class) bool {
	if t.Is(c) {
		return true
	}
	for _, w := range t.Words {
		if w.Code && t.lex.words[w.Lower].classes.Has(c) {
			return true
		}
	}
	return false
}

// Capitals reports whether word i is written in capitals, as states and verdicts are.
func (t Text) Capitals(i int) bool {
	return i < len(t.Words) && IsUpper(t.Raw[t.Words[i].Start:t.Words[i].End])
}

// At reports whether word i is of class c.
func (t Text) At(i int, c Class) bool {
	return i < len(t.Words) && t.Words[i].Classes.Has(c)
}
