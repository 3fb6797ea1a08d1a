package lex

import "slices"

// Class is a class of words inside prose.
type Class uint

// classNames are the names of the classes in the vocabulary.
var classNames []string

func class(name string) Class {
	classNames = append(classNames, name)
	return Class(len(classNames) - 1)
}

// The classes.
var (
	ClassChoose     = class("choose")
	ClassSettle     = class("settle")   // states a choice and its alternative by itself
	ClassAdopt      = class("adopt")    // starts a choice in a list of decisions
	ClassAdvise     = class("advise")   // starts advice
	ClassSubject    = class("subject")  // precedes what the writer did
	ClassContrast   = class("contrast") // sets one option against another
	ClassPurpose    = class("purpose")
	ClassExplain    = class("explain")
	ClassRefuseAct  = class("refuse-act") // says that a thing is not done
	ClassNow        = class("now")        // other than before
	ClassWayOut     = class("way-out")
	ClassPrep       = class("prep")      // may follow a participle that ends a statement
	ClassSpoils     = class("spoils")    // before a participle: it states nothing
	ClassVerdict    = class("verdict")   // a judgement
	ClassMark       = class("mark")      // a judgement where one is asked for
	ClassApprove    = class("approve")   // a judgement that lets the work pass
	ClassRefuse     = class("refuse")    // one that does not
	ClassOption     = class("option")    // opens the name of an option
	ClassRevert     = class("revert")    // going back
	ClassTestAct    = class("test-act")  // how work is verified
	ClassImplement  = class("implement") // how work is done
	ClassFail       = class("fail")
	ClassStrong     = class("strong") // states a failure
	ClassNegate     = class("negate") // takes the next word back
	ClassAbout      = class("about")  // after a word of failure: it deals with failures
	ClassFind       = class("find")
	ClassUnsettled  = class("unsettled")  // a remark of others that is not dealt with
	ClassErrorNoun  = class("fault-noun") // what is found
	ClassRepaired   = class("repaired")   // in a heading: what follows was wrong
	ClassHas        = class("has")        // a verb that says how a thing is
	ClassReported   = class("reported")
	ClassWhy        = class("why")   // opens a question or a condition
	ClassGrade      = class("grade") // how grave a finding is
	ClassIf         = class("if")    // supposes
	ClassWhen       = class("when")
	ClassTodo       = class("todo")
	ClassStory      = class("story")   // in a heading: the story around an error
	ClassTracker    = class("tracker") // after "issue": an entry of a tracker
	ClassPass       = class("pass")    // a check went well
	ClassTest       = class("test")
	ClassTally      = class("tally")  // what is counted of a check
	ClassVerify     = class("verify") // says that the writer made sure
	ClassSetup      = class("setup")  // after "verified": the state of the work
	ClassRun        = class("run")
	ClassRan        = class("ran")
	ClassLint       = class("lint")   // a check of form
	ClassSuite      = class("suite")  // a check of substance
	ClassLooked     = class("looked") // looked at rather than run
	ClassUnrelated  = class("unrelated")
	ClassCI         = class("ci")
	ClassMake       = class("make")     // past tense: something was made or changed
	ClassKeep       = class("keep")     // one side of a conflict was taken
	ClassSession    = class("session")  // in a heading: opens the account of one
	ClassThat       = class("that")     // in front: it points to what was said before
	ClassThis       = class("this")     // the log itself
	ClassRoutine    = class("routine")  // of these, the ones that are steps
	ClassEarlier    = class("earlier")  // what was there before
	ClassHand       = class("hand")     // work passed on
	ClassFirst      = class("first")    // the writer
	ClassGood       = class("good")     // a good end, as a status
	ClassBad        = class("bad")      // a bad end, as a status
	ClassHalf       = class("half")     // neither
	ClassUnderway   = class("underway") // not yet at an end
	ClassPlanned    = class("planned")
	ClassCancelled  = class("cancelled")
	ClassDeferred   = class("deferred")
	ClassLack       = class("lack") // is not there
	ClassNone       = class("none") // opens the name of what is not there
	ClassMerge      = class("merge")
	ClassImpact     = class("impact")
	ClassNeeded     = class("needed")    // not there yet
	ClassCriteria   = class("criteria")  // what work is accepted by
	ClassGuard      = class("guard")     // opens what keeps errors away
	ClassWell       = class("well")      // done as it should be
	ClassCondition  = class("condition") // a good end with strings attached
	ClassNot        = class("not")       // takes a status back
	ClassReview     = class("review")
	ClassDocState   = class("doc-state")
	ClassBlank      = class("blank")
	ClassNoGood     = class("no-good") // it did not
	ClassNoHelp     = class("no-help") // it was right, and did not
	ClassAll        = class("all")     // the whole of it
	ClassAddressed  = class("addressed")
	ClassBefore     = class("before")    // after a failure: it is what was, or would be
	ClassAccept     = class("accept")    // in a heading: what the work is measured by
	ClassForeign    = class("foreign")   // before a hash: not this session's commit
	ClassUpstream   = class("upstream")  // the same, further before
	ClassMention    = class("mention")   // a commit that is only mentioned
	ClassByDesign   = class("by-design") // how a thing is meant to fail
	ClassLeadIn     = class("lead-in")   // ends a line that opens a list of parts or reasons
	ClassBase       = class("base")      // the commit that work started from
	ClassHashName   = class("hash-name")
	ClassBenefit    = class("benefit")    // a benefit, or what broke
	ClassWas        = class("was")        // says how a thing was
	ClassBy         = class("by")         // before the means of an act
	ClassOver       = class("over")       // after a verb of choice: before the option not taken
	ClassTestFirst  = class("test-first") // opens a choice on how work is verified
	ClassFiller     = class("filler")     // adds nothing to a status
	ClassOr         = class("or")         // joins two verdicts
	ClassZero       = class("zero")       // after a word of failure: there was none
	ClassNoneYet    = class("none-yet")   // opens a placeholder in place of an error
	ClassTicket     = class("ticket")     // before a word of a tracker: an entry of it
	ClassModal      = class("modal")      // before a word of failure: it may fail, and did not
	ClassMeant      = class("meant")      // an intended failure, as in test-driven work
	ClassRed        = class("red")        // in a heading: the step that is meant to fail
	ClassDayPart    = class("day-part")
	ClassLogName    = class("log-name")
	ClassCommand    = class("command")
	ClassSuperseded = class("superseded") // a decision that no longer holds
	ClassWithdrawn  = class("withdrawn")  // in capitals: a finding that proved untrue
	ClassArticle    = class("article")
	ClassAssess     = class("assess")   // names a judgement of what is looked at
	ClassOwnWork    = class("own work") // what a session does to the thing it is about
	ClassIntent     = class("intent")   // ends the title of a log of what is to be done

	// What people say to an agent. Of each language only the words that nearly every speaker needs.
	ClassAssent     = class("assent")     // opens a reply that accepts
	ClassTurnaround = class("turnaround") // opens one that turns the other around
	ClassDenial     = class("denial")     // says that something is not so
	ClassAmiss      = class("amiss")      // says that something is not as it should be
	ClassForbid     = class("forbid")     // opens a prohibition
	ClassStanding   = class("standing")   // holds beyond the next step
	ClassPostposed  = class("postposed")  // the same, behind an imperative
	ClassScope      = class("scope")      // holds for more than one thing
	ClassDemand     = class("demand")     // asks for something
	ClassEnsure     = class("ensure")     // opens a demand on how a thing is to be
	ClassJoint      = class("joint")      // joins clauses
	ClassManner     = class("manner")     // how work is gone about
	ClassAsk        = class("ask")        // opens a question
	ClassAgreed     = class("agreed")     // in a heading: what was settled
	ClassUnended    = class("unended")    // in a heading: what is not at its end
	ClassRuling     = class("ruling")     // in a heading: rules
	ClassGround     = class("ground")     // before a cause
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
	return slices.ContainsFunc(t.Words, func(w Word) bool { return w.Code && t.lex.words[w.Lower].classes.Has(c) })
}

// Capitals reports whether word i is written in capitals, as states and verdicts are.
func (t Text) Capitals(i int) bool {
	return i < len(t.Words) && IsUpper(t.Raw[t.Words[i].Start:t.Words[i].End])
}

// At reports whether word i is of class c.
func (t Text) At(i int, c Class) bool {
	return i < len(t.Words) && t.Words[i].Classes.Has(c)
}
