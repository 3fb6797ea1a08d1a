package rules

import (
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
	"episodes/keys"
)

// link joins facts where words or structure of the log say that one affects
// the other. Order alone never does.
func (x *extraction) link() {
	x.recordLinks()
	x.statedCauses()
	x.soleErrors()
	x.sharedContext()
	sim := x.likeness()
	x.merge(sim)
	x.reasonLinks(sim)
	x.sameWorkLinks(sim)
	x.subjectLinks(sim)
	x.lackLinks(sim)
	x.countLinks(sim)
	x.conflictLinks(sim)
	x.effectLinks(sim)
	x.enableLinks(sim)
}

func (x *extraction) join(from, to *fact, typ episode.LinkType, explicit bool, why string) {
	if from == nil || to == nil || from == to || from.Kind == facts.Lesson || to.Kind == facts.Lesson {
		return
	}
	span := episode.Span{min(from.Span[0], to.Span[0]), max(from.Span[1], to.Span[1])}
	x.links = append(x.links, linkFact{from: from, to: to, typ: typ, explicit: explicit, span: span, why: why})
}

func (f *fact) isError() bool {
	return f != nil && f.Kind == facts.Event && f.Event == episode.Error
}

func (f *fact) factSection() *doc.Section {
	if f.block == nil {
		return f.section
	}
	return f.block.Section
}

// causeMarks join an effect with its cause inside one sentence.
var causeMarks = []string{" because of ", " because ", " due to ", " caused by ", ", since ", " as a result of ", " eftersom ", " på grund av ", " omdat ", " door ", " weil ", " wegen ", " из-за "}

// effectMarks join a cause with its effect inside one sentence.
var effectMarks = []string{", causing ", ", which caused ", ", which causes ", ", resulting in ", ", leading to ", " led to ", ", breaking ", ", vilket ledde till ", ", waardoor "}

// sameReason are the words by which an error points back at the one before it.
var sameReason = []string{"for the same reason", "with the same error", "av samma skäl", "om dezelfde reden"}

// effectLinks links an error with the one that its own sentence says it led to,
// where the log tells that one too, and with the one before it whose reason it
// says to share.
func (x *extraction) effectLinks(sim *likeness) {
	for i, f := range sim.errors {
		if effect := sim.words.of(keys.Clause(effectOf(f.Content))); len(effect) > 0 {
			for _, e := range near(sim.errors, f.Span[0]) {
				if e.Span[0] > f.Span[0] && holdsAll(e.words, effect) {
					x.join(f.fact, e.fact, episode.Causes, true, "the sentence says what it led to")
					break
				}
			}
		}
		for _, m := range sameReason {
			if i > 0 && strings.Contains(f.Content, m) && sim.errors[i-1].factSection() == f.factSection() {
				x.join(sim.errors[i-1].fact, f.fact, episode.Causes, true, "says "+quote(m))
				break
			}
		}
	}
}

// effectOf is what a text says it led to, "" when it does not.
func effectOf(s string) string {
	for _, m := range effectMarks {
		if _, effect, ok := strings.Cut(s, m); ok {
			return effect
		}
	}
	return ""
}

// holdsAll reports whether all words of b are in a; both are sorted.
func holdsAll(a, b []int32) bool {
	for _, w := range b {
		if _, ok := slices.BinarySearch(a, w); !ok {
			return false
		}
	}
	return true
}

// statedCauses splits sentences that give the cause of an error. The cause
// becomes a fact of its own, unless the log has stated it before.
func (x *extraction) statedCauses() {
	var sim *likeness
	for _, f := range x.facts[:len(x.facts):len(x.facts)] {
		if f.Kind != facts.Event || f.Event != episode.Error {
			continue
		}
		effect, cause, ok := splitCause(f.Content)
		if !ok {
			continue
		}
		if sim == nil {
			sim = x.likeness()
		}
		c := x.alike(sim, f, f.Span[0], cause)
		if c == nil {
			if t := x.plain(cause); len(t.Words) < 2 || len(t.Words) > 25 {
				continue
			}
			c = x.event(episode.Error, nil, f.Span, cause, "given as the cause")
			c.section = f.factSection()
		}
		if e := x.plain(effect); e.At(len(e.Words)-1, lex.ClassHas) { // "the failure was | due to …"
			effect = strings.TrimRight(e.Raw[:e.Words[len(e.Words)-1].Start], " ")
		}
		f.Content = effect
		f.text = x.plain(effect)
		x.join(c, f, episode.Causes, true, "the sentence gives the cause")
	}
}

// outcomeLinks links to the session's outcome what the log gives as its reason:
// the error that the outcome's own line names, and the check that it was
// measured by.
func (x *extraction) outcomeLinks() {
	if !x.draft.Outcome.Known() {
		return
	}
	var sim *likeness
	for _, b := range x.doc.Blocks {
		if b.Span[0] > x.draft.OutcomeSpan[1] || b.Span[1] < x.draft.OutcomeSpan[0] || b.Kind == doc.Code {
			continue
		}
		if _, cause, ok := splitCause(b.Full()); ok {
			if sim == nil {
				sim = x.likeness()
			}
			if e := x.alike(sim, nil, b.Span[0], cause); e != nil {
				x.links = append(x.links, linkFact{from: e, typ: episode.Causes, explicit: true, span: b.Span, why: "the outcome's line gives the reason"})
			}
		}
	}
	for _, f := range x.facts {
		if x.draft.Outcome != episode.Success && f.Kind == facts.Event && f.Event == episode.Test && f.Span == x.draft.OutcomeSpan { // a check that passes shows success, it does not cause it
			x.links = append(x.links, linkFact{from: f, typ: episode.Causes, span: f.Span, why: "the outcome was measured by it"})
		}
	}
}

// splitCause splits "X because Y".
func splitCause(s string) (effect, cause string, ok bool) {
	for _, m := range causeMarks {
		if i := strings.Index(s, m); i > 0 {
			cause = keys.Clause(s[i+len(m):])
			effect = strings.Trim(s[:i], " ,;:")
			return effect, cause, len(strings.Fields(effect)) >= 2 && cause != ""
		}
	}
	return "", "", false
}

// alike finds the error that says the same as a text that stands on a line.
func (x *extraction) alike(sim *likeness, not *fact, line int, s string) *fact {
	var best *fact
	at := sameFact
	words := sim.words.of(s)
	for _, e := range near(sim.errors, line) {
		if e.fact == not {
			continue
		}
		if v := sim.share(words, e.words); v >= at {
			best, at = e.fact, v
		}
	}
	return best
}

// reasonLinks links a decision to the error that its own reason or context
// repeats.
func (x *extraction) reasonLinks(sim *likeness) {
	for _, d := range x.facts {
		if d.Kind != facts.Decision {
			continue
		}
		purpose, reason, chosen := sim.words.of(purposeOf(d.Content)), sim.words.of(d.Decision.Rationale), sim.words.of(keys.Option(d.Decision.Chosen))
		said, context := sim.words.of(d.Content), sim.words.of(d.Decision.Context)
		joined := 0
		for _, e := range near(sim.errors, d.Span[0]) {
			if joined == maxAlike {
				break
			}
			before := len(x.links)
			if sim.share(chosen, e.occasion) >= sameMatter {
				x.join(d, e.fact, episode.Causes, true, "the fault came after what was chosen")
				joined++
				continue
			}
			if sim.share(purpose, e.words) >= sameWork {
				x.join(d, e.fact, episode.Prevents, true, "the choice is to prevent it")
			}
			switch {
			case sim.share(reason, e.words) >= sameWork || sim.share(context, e.words) >= sameWork:
				x.join(e.fact, d, episode.Causes, true, "the reason repeats the fault")
			case sim.share(chosen, e.clause) >= sameMatter || e.Span[0] < d.Span[0] && sim.share(said, e.words) >= sameWork:
				x.join(e.fact, d, episode.Causes, false, "the choice answers the fault in its own words")
				if d.Decision.Context == "" && e.Span[0] < d.Span[0] {
					d.Decision.Context = keys.Clause(e.Content)
					context = sim.words.of(d.Decision.Context)
				}
			}
			if len(x.links) > before {
				joined++
			}
		}
	}
}

// occasion is what a text says went before: "After moving the tests, ...".
func occasion(s string) string {
	for _, m := range []string{"After ", "Efter ", "Na ", "Nach "} {
		if rest, ok := strings.CutPrefix(s, m); ok {
			if i := strings.Index(rest, ", "); i > 0 {
				return rest[:i]
			}
		}
	}
	return ""
}

// maxAlike bounds how many facts one choice is linked to for their words: what
// so many facts say alike tells nothing of any of them.
const maxAlike = 8

// purposeOf is what a choice says it is to prevent.
func purposeOf(s string) string {
	for _, m := range []string{" to prevent ", " to avoid ", " to stop ", " för att undvika ", " om te voorkomen "} {
		if i := strings.Index(s, m); i >= 0 {
			return s[i+len(m):]
		}
	}
	return ""
}

// sameWorkLinks links a decision to the work that carries it out in nearly the
// same words; the log implies it.
func (x *extraction) sameWorkLinks(sim *likeness) {
	for _, d := range x.facts {
		if d.Kind != facts.Decision {
			continue
		}
		said := sim.words.of(d.Decision.Context + " " + d.Decision.Chosen)
		joined := 0
		for _, e := range near(sim.work, d.Span[0]) {
			if joined < maxAlike && sim.share(said, e.words) >= sameWork {
				typ := episode.Causes
				if d.Decision.Type == episode.Routing { // who does it makes the work possible, no more
					typ = episode.Enables
				}
				x.join(d, e.fact, typ, false, "the work says what was decided")
				joined++
			}
		}
	}
}
