package extract

import (
	"math"

	"episodes/episode"
	"episodes/keys"
)

// link joins facts where words or structure of the log say that one bears on
// the other. Order alone never does.
func (x *extraction) link() {
	x.recordLinks()
	sim := newLikeness(x.facts)
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

// labelled splits the labelled facts of one group into records: a label that
// comes again starts the next one.
func (x *extraction) labelled(fs []*fact) {
	sortFacts(fs)
	var rec []*fact
	var seen roleSet
	for _, f := range fs {
		r := f.block.labelRole & (1<<roleProblem | 1<<roleCause | 1<<roleFix | 1<<roleAttempt)
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
	var problem, cause, fix, commit *fact
	for _, f := range fs {
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
	x.join(cause, problem, episode.Causes, true, why)
	if cause != nil {
		x.join(fix, cause, episode.Prevents, true, why)
	}
	x.join(fix, problem, episode.Prevents, true, why)
	if cause != nil {
		x.join(cause, fix, episode.Causes, true, why)
	} else {
		x.join(problem, fix, episode.Causes, true, why)
	}
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
		return nil
	}
	return f.block.section
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
			switch {
			case sim.of(d.dec.Rationale, e.content) >= sameWork || sim.of(d.dec.Context, e.content) >= sameWork:
				x.join(e, d, episode.Causes, true, "the reason repeats the fault")
			case sim.of(d.dec.Chosen, e.content) >= sameWork:
				x.join(e, d, episode.Causes, false, "the choice answers the fault in its own words")
			}
		}
	}
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
