package rules

import (
	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
)

// linkRule is a kind of evidence by which facts are linked. Words or structure of the
// log say that one affects the other; order alone never does.
type linkRule struct {
	name string
	run  func(linker)
}

// The rules of links, in the order in which they run.
var (
	// recordLinks are based on place. They run before events that the log reports
	// twice are merged, since either report may be part of a record.
	recordLinks = []linkRule{
		{"one row of a table", linker.rowRecords},
		{"one record of labels", linker.labelRecords},
		{"the sentence gives the cause", linker.statedCauses},
		{"the attempt and its failure", linker.attempts},
		{"the section's only fault and its only choice", linker.soleErrors},
		{"the root cause of what the log is about", linker.rootCause},
		{"the problem that the log is about", linker.sharedContext},
	}
	// wordLinks go by the words of facts.
	wordLinks = []linkRule{
		{"", linker.answers}, // by the names of answerRules
		{"the work says what was decided", linker.sameWork},
		{"the work is named after the same thing", linker.sameSubject},
		{"the approval rests on the check", linker.approvalGrounds},
	}
)

// linker links facts by one rule.
type linker struct {
	*extraction
	sim      *likeness      // nil for rules that are based on place
	recorded map[*fact]bool // facts whose counterpart their record gives
	answered map[*fact]bool // faults whose record gives the choice that answers them
	rule     string
}

// link joins the facts of a log.
func (x *extraction) link() {
	x.linkBy(recordLinks, nil)
	sim := x.likeness()
	x.merge(sim)
	x.linkBy(wordLinks, sim)
}

func (x *extraction) linkBy(rules []linkRule, sim *likeness) {
	recorded, answered := map[*fact]bool{}, map[*fact]bool{}
	for _, l := range x.links {
		if !l.explicit {
			continue
		}
		recorded[l.from], recorded[l.to] = true, true
		answered[l.from] = answered[l.from] || l.to.Kind == facts.Decision
		answered[l.to] = answered[l.to] || l.from.Kind == facts.Decision
	}
	for _, r := range rules {
		if r.name != "" && Consult != nil && !Consult("links", r.name, false) {
			continue
		}
		r.run(linker{x, sim, recorded, answered, r.name})
	}
}

// link links two facts by the rule that runs.
func (x linker) link(from, to *fact, typ episode.LinkType, explicit bool) {
	x.join(from, to, typ, explicit, x.rule)
}

func (x *extraction) join(from, to *fact, typ episode.LinkType, explicit bool, rule string) {
	if from == nil || to == nil || from == to || from.Kind == facts.Lesson || to.Kind == facts.Lesson {
		return
	}
	if typ == episode.Prevents && (from.isError() || !to.isError()) {
		return
	}
	if x.linked[[2]*fact{to, from}] { // linked from the other end already
		return
	}
	if !consult("links", rule) {
		return
	}
	x.linked[[2]*fact{from, to}] = true
	span := episode.Span{min(from.Span[0], to.Span[0]), max(from.Span[1], to.Span[1])}
	x.links = append(x.links, linkFact{from: from, to: to, typ: typ, explicit: explicit, span: span, why: because(rule, "")})
}

func (f *fact) isError() bool { return f.isEvent(episode.Error) }

func (f *fact) isEvent(t episode.EventType) bool {
	return f != nil && f.Kind == facts.Event && f.Event == t
}

func (f *fact) factSection() *doc.Section {
	if f.block == nil {
		return f.section
	}
	return f.block.Section
}
