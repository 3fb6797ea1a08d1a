package rules

import (
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
	"episodes/keys"
)

// answer is a decision and an error near it, compared by their words.
type answer struct {
	sim                           *likeness
	decision                      *fact
	reason, chosen, said, context []int32 // words of the decision's parts
	fault                         worded
}

// sameMatter, sameWork: two texts share enough words to be about one thing; the first
// is for texts cut down to their first clauses.
func (a *answer) sameMatter(s, t []int32) bool { return a.sim.share(s, t) >= sameMatter }
func (a *answer) sameWork(s, t []int32) bool   { return a.sim.share(s, t) >= sameWork }

// twoWords: the fault is described in a few words, and the reason has only two of them,
// as any reason may.
func (a *answer) twoWords() bool {
	shared := 0
	for _, w := range a.fault.words {
		if _, has := slices.BinarySearch(a.reason, w); has {
			shared++
		}
	}
	return shared == 2 && len(a.fault.words) > 2
}

// faultBefore: the log reports the fault before the decision.
func (a *answer) faultBefore() bool { return a.fault.Span[0] < a.decision.Span[0] }

// answerRule is a rule of links on a decision and an error.
type answerRule struct {
	name     string
	when     func(*answer) bool
	typ      episode.LinkType
	toFault  bool // the link leads from the decision to the fault
	explicit bool
}

var answerRules = []answerRule{
	{"the fault came after what was chosen", func(a *answer) bool {
		return a.sameMatter(a.chosen,
			a.fault.occasion)
	}, episode.Causes, true, true},
	{"the reason repeats the fault", func(a *answer) bool {
		return a.sameWork(a.reason, a.fault.words) && !a.twoWords() || a.sameWork(a.context, a.fault.words)
	}, episode.Causes, false, true},
	{"the choice answers the fault in its own words", func(a *answer) bool {
		return a.sameMatter(a.chosen, a.fault.clause) || a.faultBefore() && a.sameWork(a.said, a.fault.words)
	}, episode.Causes, false, false},
}

// answers links decisions with the errors that they answer, prevent or led to.
func (x linker) answers() {
	of := x.sim.words.of
	for _, d := range x.facts {
		if d.Kind != facts.Decision {
			continue
		}
		a := &answer{
			sim: x.sim, decision: d,
			reason: of(d.Decision.Rationale), chosen: of(keys.Option(d.Decision.Chosen)),
			said: of(d.Content), context: of(d.Decision.Context),
		}
		joined := 0
		for _, e := range near(x.sim.errors, d.Span[0]) {
			if a.fault = e; x.answer(a) {
				joined++
			}
			if joined == maxAlike {
				break
			}
		}
	}
}

// answer links a decision with an error by the first rule that holds of them, and reports
// whether one does. An error that a choice answers is what the choice is about.
func (x linker) answer(a *answer) bool {
	d, e := a.decision, a.fault.fact
	for _, r := range answerRules {
		if Consult != nil && !Consult("links", r.name, false) || !r.when(a) || !r.toFault && x.recorded[d] && x.answered[e] && !x.linked[[2]*fact{e, d}] { // their records say what belongs to them
			continue
		}
		if r.toFault {
			x.join(d, e, r.typ, r.explicit, r.name)
		} else {
			x.join(e, d, r.typ, r.explicit, r.name)
			if !r.explicit && d.Decision.Context == "" && a.faultBefore() {
				d.Decision.Context = keys.Clause(e.Content)
				a.context = a.sim.words.of(d.Decision.Context)
			}
		}
		return true
	}
	return false
}

// maxAlike bounds how many facts one choice is linked to by their words: words that
// more facts share do not identify any of them.
const maxAlike = 8

// occasion is what a text says went before: "After moving the tests, ...".
func occasion(s string) string {
	for _, m := range lex.OccasionMarks {
		if rest, ok := strings.CutPrefix(s, m); ok {
			if i := strings.Index(rest, ", "); i > 0 {
				return rest[:i]
			}
		}
	}
	return ""
}

// hasCommit reports whether the record of a decision names its commit.
func (x linker) hasCommit(d *fact) bool {
	return slices.ContainsFunc(x.links, func(l linkFact) bool { return l.from == d && l.explicit && l.to.isEvent(episode.Commit) })
}

// sameWork links a decision to the work that carries it out in nearly the same words;
// the log implies it.
func (x linker) sameWork() {
	for _, d := range x.facts {
		if d.Kind != facts.Decision || d.judges() { // a verdict is carried out by nobody
			continue
		}
		typ := episode.Causes
		if d.Decision.Type == episode.Routing { // who does it makes the work possible, no more
			typ = episode.Enables
		}
		said := x.sim.words.of(d.Decision.Context + " " + d.Decision.Chosen)
		joined := 0
		for _, e := range near(x.sim.work, d.Span[0]) {
			if joined < maxAlike && !(e.Event == episode.Commit && x.hasCommit(d)) && x.sim.share(said, e.words) >= sameWork {
				x.link(d, e.fact, typ, false)
				joined++
			}
		}
	}
}
