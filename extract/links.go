package extract

import (
	"math"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/keys"
)

// link joins facts where words or structure of the log say that one bears on
// the other. Order alone never does.
func (x *extraction) link() {
	x.recordLinks()
	x.statedCauses()
	x.soleFaults()
	x.sharedContext()
	sim := newLikeness(x.facts)
	x.merge(sim)
	x.reasonLinks(sim)
	x.sameWorkLinks(sim)
}

func (x *extraction) join(from, to *fact, typ episode.LinkType, explicit bool, why string) {
	if from == nil || to == nil || from == to || from.kind == lessonFact || to.kind == lessonFact {
		return
	}
	span := episode.Span{min(from.span[0], to.span[0]), max(from.span[1], to.span[1])}
	x.links = append(x.links, linkFact{from: from, to: to, typ: typ, explicit: explicit, span: span, why: why})
}

// recordLinks reads the records that name problem, cause and fix: labelled lines
// of one group, rows of one table, sections side by side.
func (x *extraction) recordLinks() {
	byRow := map[*block][]*fact{}
	for _, f := range x.facts {
		if f.block != nil && f.block.kind == rowBlock {
			byRow[f.block] = append(byRow[f.block], f)
		}
	}
	for _, f := range x.facts {
		if fs := byRow[f.block]; len(fs) > 1 && fs[0] == f {
			x.record(fs, "one row of a table")
		}
	}
	for _, f := range x.facts {
		if f.kind == eventFact && f.event == episode.Error && f.block != nil && f.block.labelRole == 0 && f.block.kind == itemBlock && x.nextIsFix(f.block) {
			x.record([]*fact{f, x.used[x.doc.blocks[f.block.index+1]]}, "a fault and its solution in one list")
		}
	}
	type groupKey struct {
		section *section
		parent  *block
	}
	groups := map[groupKey][]*fact{}
	var order []groupKey
	for _, f := range x.facts {
		if f.block == nil || f.block.kind == rowBlock || f.block.labelRole == 0 {
			continue
		}
		k := groupKey{f.block.section, f.block.parent}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], f)
	}
	for _, k := range order {
		x.labelled(groups[k])
	}
	x.sectionRecords()
}

// soleFaults links the only fault that a section tells with the only choice that
// it states: a short section is one record. The log implies this, no more.
func (x *extraction) soleFaults() {
	type pair struct {
		faults, choices []*fact
	}
	by := map[*section]*pair{}
	var order []*section
	for _, f := range x.facts {
		s := f.factSection()
		if s == nil || s.level < 2 || f.kind == lessonFact {
			continue
		}
		p := by[s]
		if p == nil {
			p = &pair{}
			by[s] = p
			order = append(order, s)
		}
		switch {
		case f.kind == decisionFact:
			p.choices = append(p.choices, f)
		case f.event == episode.Error:
			p.faults = append(p.faults, f)
		}
	}
	for _, s := range order {
		p := by[s]
		if len(p.faults) >= 1 && len(p.choices) == 1 && p.faults[0].span[0] <= p.choices[0].span[0] {
			f, d := p.faults[0], p.choices[0]
			if len(p.faults) > 1 && p.faults[1].span[0] <= d.span[0] {
				continue
			}
			x.join(f, d, episode.Causes, false, "the section's only fault and its only choice")
			if d.dec.Context == "" {
				d.dec.Context = keys.Clause(f.content)
			}
		}
	}
}

// sharedContext gives a decision without a question of its own the problem that
// its log states for all of it: the fault told under a context or problem
// heading, or before any section, when the choice speaks of the same thing.
func (x *extraction) sharedContext() {
	var problem *fact
	for _, f := range x.facts {
		if f.kind != eventFact || f.event != episode.Error {
			continue
		}
		s := f.factSection()
		if s == nil || s.level > 1 && !(s.level == 2 && s.roles.any(roleContext, roleProblem)) {
			continue
		}
		if problem != nil {
			return // several problems: the log does not say which
		}
		problem = f
	}
	if problem == nil {
		return
	}
	words := keys.Words(keys.Clause(problem.content))
	for _, d := range x.facts {
		if d.kind != decisionFact || d.dec.Context != "" || d.span[0] < problem.span[0] {
			continue
		}
		for _, w := range keys.Words(keys.Clause(d.dec.Chosen)) {
			if slices.Contains(words, w) {
				d.dec.Context = keys.Clause(problem.content)
				x.join(problem, d, episode.Causes, false, "the problem that the log is about")
				break
			}
		}
	}
}

// labelled splits the labelled facts of one group into records: a label that
// comes again starts the next one.
func (x *extraction) labelled(fs []*fact) {
	sortFacts(fs)
	var rec []*fact
	var seen roleSet
	for i, f := range fs {
		if i > 0 && fs[i-1].block == f.block {
			rec = append(rec, f)
			continue
		}
		r := f.block.labelRole & (1<<roleProblem | 1<<roleCause | 1<<roleFix | 1<<roleAttempt | 1<<roleResult)
		if r&seen != 0 {
			x.record(rec, "one record of labels")
			rec, seen = nil, 0
		}
		rec = append(rec, f)
		seen |= r
	}
	x.record(rec, "one record of labels")
}

// record links the facts of one record: the cause causes the problem, the fix
// prevents the fault, and a commit of it comes from the fix.
func (x *extraction) record(fs []*fact, why string) {
	var problem, cause, fix, commit, result *fact
	for _, f := range fs {
		switch {
		case f == nil:
			continue
		case f.kind == eventFact && f.block != nil && f.block.labelRole.has(roleResult) && f.block.kind != rowBlock:
			result = f
			continue
		}
		switch {
		case f.kind == decisionFact && fix == nil:
			fix = f
		case f.kind == eventFact && f.event == episode.Error && f.cause && cause == nil:
			cause = f
		case f.kind == eventFact && f.event == episode.Error && problem == nil:
			problem = f
		case f.kind == eventFact && f.event == episode.Commit && commit == nil:
			commit = f
		}
	}
	if result != nil {
		x.join(fix, result, episode.Causes, true, why)
		if fix != nil && problem != nil && problem.block != nil && problem.block.labelRole.has(roleFailed) {
			x.join(problem, result, episode.Causes, true, why)
			x.join(fix, problem, episode.Causes, true, why)
			return
		}
	}
	x.join(cause, problem, episode.Causes, true, why)
	if fix == nil || fix.dec.Outcome != episode.Failure {
		x.join(fix, problem, episode.Prevents, true, why)
	}
	x.join(cause, fix, episode.Causes, true, why)
	x.join(problem, fix, episode.Causes, true, why)
	x.join(fix, commit, episode.Causes, true, why)
}

// sectionRecords links across sections that stand side by side: Problem, Root
// cause, Solution. Only single faults are linked, since among several the log
// does not say which belongs to which.
func (x *extraction) sectionRecords() {
	type trio struct{ problems, causes, fixes []*fact }
	by := map[*section]*trio{}
	var order []*section
	for _, f := range x.facts {
		s := f.factSection()
		if s == nil || s.parent == nil {
			continue
		}
		t := by[s.parent]
		if t == nil {
			t = &trio{}
			by[s.parent] = t
			order = append(order, s.parent)
		}
		switch {
		case f.kind == eventFact && f.event == episode.Error && f.cause && s.roles.has(roleCause):
			t.causes = append(t.causes, f)
		case f.kind == eventFact && f.event == episode.Error && s.roles.any(roleProblem) && !s.roles.has(roleCause):
			t.problems = append(t.problems, f)
		case f.kind == decisionFact && s.roles.any(roleFix):
			t.fixes = append(t.fixes, f)
		}
	}
	for _, p := range order {
		t := by[p]
		const why = "sections side by side"
		if len(t.causes) == 1 {
			for _, q := range t.problems {
				x.join(t.causes[0], q, episode.Causes, true, why)
			}
			if len(t.fixes) == 1 {
				x.join(t.fixes[0], t.causes[0], episode.Prevents, true, why)
				x.join(t.causes[0], t.fixes[0], episode.Causes, true, why)
			}
		}
		if len(t.fixes) == 1 {
			for _, q := range t.problems {
				x.join(t.fixes[0], q, episode.Prevents, true, why)
			}
		}
	}
}

func (f *fact) factSection() *section {
	if f.block == nil {
		return f.section
	}
	return f.block.section
}

// merge drops an event that the log tells a second time, in a summary or a
// table: the telling with fewer words goes.
func (x *extraction) merge(sim *likeness) {
	gone := map[*fact]*fact{}
	for i, a := range x.facts {
		for _, b := range x.facts[i+1:] {
			if gone[a] != nil || gone[b] != nil || a.kind != b.kind || a.event != b.event {
				continue
			}
			if a.kind == lessonFact || a.event == episode.Commit || a.event == episode.Handoff || a.factSection() == b.factSection() {
				continue
			}
			keep, drop := a, b
			if a.kind == decisionFact {
				if !sameDecision(sim, a, b) {
					continue
				}
				if a.repair && !b.repair {
					keep, drop = b, a
				}
				keep.takeOver(drop)
			} else {
				if sim.of(a.content, b.content) < sameFact || a.event == episode.Test && numbers(a.text) != numbers(b.text) {
					continue
				}
				if len(b.content) > len(a.content) {
					keep, drop = b, a
				}
			}
			keep.cause = keep.cause || drop.cause
			gone[drop] = keep
		}
	}
	if len(gone) == 0 {
		return
	}
	x.facts = slices.DeleteFunc(x.facts, func(f *fact) bool { return gone[f] != nil })
	for i := range x.links {
		if k := gone[x.links[i].from]; k != nil {
			x.links[i].from = k
		}
		if x.links[i].to != nil && gone[x.links[i].to] != nil {
			x.links[i].to = gone[x.links[i].to]
		}
	}
}

// numbers joins the figures of a text: two results are one only with the same.
func numbers(t text) string {
	var out []string
	for _, w := range t.words {
		if isNumber(w.s) {
			out = append(out, w.s)
		}
	}
	return strings.Join(out, " ")
}

// sameDecision reports whether two decisions are one choice told twice, as in a
// decision table and in the fix column of an issue table.
func sameDecision(sim *likeness, a, b *fact) bool {
	return (a.repair || b.repair) && sim.of(a.dec.Chosen, b.dec.Chosen) >= sameChoice
}

// takeOver fills what a decision lacks from a second telling of it.
func (f *fact) takeOver(o *fact) {
	if f.dec.Context == "" {
		f.dec.Context = o.dec.Context
	}
	if f.dec.Rationale == "" {
		f.dec.Rationale = o.dec.Rationale
	}
	if f.dec.Outcome == episode.Unknown {
		f.dec.Outcome = o.dec.Outcome
	}
	if o.dec.Type == episode.Recovery {
		f.dec.Type = episode.Recovery
	}
}

// sameChoice is the likeness from which a fix and a decision of one log are one.
const sameChoice = 0.6

// sameFact is the likeness from which two events of one log are one.
const sameFact = 0.75

// causeMarks join an effect with its cause inside one sentence.
var causeMarks = []string{" because of ", " because ", " due to ", " caused by ", ", since ", " as a result of ", " eftersom ", " på grund av ", " omdat ", " door ", " weil ", " wegen ", " из-за "}

// statedCauses splits sentences that give the cause of an error. The cause
// becomes a fact of its own, unless the log has told it before.
func (x *extraction) statedCauses() {
	sim := newLikeness(x.facts)
	for _, f := range slices.Clone(x.facts) {
		if f.kind != eventFact || f.event != episode.Error {
			continue
		}
		effect, cause, ok := splitCause(f.content)
		if !ok {
			continue
		}
		c := x.alike(sim, f, cause)
		if c == nil {
			if t := plain(cause); len(t.words) < 2 || len(t.words) > 25 {
				continue
			}
			c = x.event(episode.Error, nil, f.span, cause, "given as the cause")
			c.section = f.factSection()
		}
		f.content = effect
		f.text = plain(effect)
		x.join(c, f, episode.Causes, true, "the sentence gives the cause")
	}
}

// outcomeLinks links to the session's outcome what the log gives as its reason:
// the fault that the outcome's own line names, and the check that it was
// measured by.
func (x *extraction) outcomeLinks() {
	if !x.result.Known() {
		return
	}
	sim := newLikeness(x.facts)
	for _, b := range x.doc.blocks {
		if b.span[0] > x.resultSpan[1] || b.span[1] < x.resultSpan[0] || b.kind == codeBlock {
			continue
		}
		if _, cause, ok := splitCause(b.full()); ok {
			if e := x.alike(sim, nil, cause); e != nil {
				x.links = append(x.links, linkFact{from: e, typ: episode.Causes, explicit: true, span: b.span, why: "the outcome's line gives the reason"})
			}
		}
	}
	for _, f := range x.facts {
		if f.kind == eventFact && f.event == episode.Test && f.span == x.resultSpan {
			x.links = append(x.links, linkFact{from: f, typ: episode.Causes, span: f.span, why: "the outcome was measured by it"})
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

// alike finds the error that says the same as a text.
func (x *extraction) alike(sim *likeness, not *fact, s string) *fact {
	var best *fact
	at := sameFact
	for _, e := range x.facts {
		if e == not || e.kind != eventFact || e.event != episode.Error {
			continue
		}
		if v := sim.of(s, e.content); v >= at {
			best, at = e, v
		}
	}
	return best
}

// reasonLinks links a decision to the fault that its own reason or context
// repeats.
func (x *extraction) reasonLinks(sim *likeness) {
	for _, d := range x.facts {
		if d.kind != decisionFact {
			continue
		}
		for _, e := range x.facts {
			if e.kind != eventFact || e.event != episode.Error {
				continue
			}
			if p := purposeOf(d.content); p != "" && sim.of(p, e.content) >= sameWork {
				x.join(d, e, episode.Prevents, true, "the choice is to prevent it")
			}
			switch {
			case sim.of(d.dec.Rationale, e.content) >= sameWork || sim.of(d.dec.Context, e.content) >= sameWork:
				x.join(e, d, episode.Causes, true, "the reason repeats the fault")
			case sim.of(d.dec.Chosen, keys.Clause(e.content)) >= sameWork:
				x.join(e, d, episode.Causes, false, "the choice answers the fault in its own words")
				if d.dec.Context == "" && e.span[0] < d.span[0] {
					d.dec.Context = keys.Clause(e.content)
				}
			}
		}
	}
}

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
		if d.kind != decisionFact {
			continue
		}
		for _, e := range x.facts {
			if e.kind == eventFact && (e.event == episode.Milestone || e.event == episode.Commit) && sim.of(d.dec.Context+" "+d.dec.Chosen, e.content) >= sameWork {
				x.join(d, e, episode.Causes, false, "the work says what was decided")
			}
		}
	}
}

// sameWork is the likeness from which two texts of one log speak of one thing.
const sameWork = 0.5

// likeness compares texts of one log by their words, each weighted by how few
// facts of the log share it.
type likeness struct {
	df    map[string]int
	facts int
	words map[string][]string
}

func newLikeness(facts []*fact) *likeness {
	l := &likeness{df: map[string]int{}, facts: len(facts), words: map[string][]string{}}
	for _, f := range facts {
		for _, w := range l.wordsOf(f.content) {
			l.df[w]++
		}
	}
	return l
}

func (l *likeness) wordsOf(s string) []string {
	w, ok := l.words[s]
	if !ok {
		w = keys.Words(s)
		l.words[s] = w
	}
	return w
}

// of is the weight of the shared words over that of the text with less; 0 when
// fewer than two words are shared.
func (l *likeness) of(a, b string) float64 {
	wa, wb := l.wordsOf(a), l.wordsOf(b)
	if len(wa) == 0 || len(wb) == 0 {
		return 0
	}
	in := make(map[string]bool, len(wb))
	tb := 0.0
	for _, w := range wb {
		in[w] = true
		tb += l.weight(w)
	}
	ta, both, n := 0.0, 0.0, 0
	for _, w := range wa {
		ta += l.weight(w)
		if in[w] {
			both += l.weight(w)
			n++
		}
	}
	if n < 2 {
		return 0
	}
	return both / min(ta, tb)
}

func (l *likeness) weight(w string) float64 {
	return math.Log(1 + float64(l.facts+1)/float64(l.df[w]+1))
}
