package rules

import (
	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/keys"
)

// linkRule is a kind of evidence by which facts are linked. Words or structure of the
// log say that one affects the other; order alone never does.
type linkRule struct {
	name string
	run  func(linker)
}

// recordLinks are the rules of links, in the order in which they run.
var recordLinks = []linkRule{
	{"one row of a table", linker.rowRecords},
	{"one record of labels", linker.labelRecords},
	{statedInWords, linker.statedCauses},
	{"the attempt and its failure", linker.attempts},
	{"the section's only fault and its only choice", linker.soleErrors},
	{"the root cause of what the log is about", linker.rootCause},
	{"the problem that the log is about", linker.sharedContext},
}

// linker links facts by one rule.
type linker struct {
	*extraction
	rule string
}

// link joins the facts of a log.
func (x *extraction) link() {
	for _, r := range recordLinks {
		r.run(linker{x, r.name})
	}
	for _, l := range x.links { // what a choice answers is what it is about
		if l.from.isError() && l.to.Kind == facts.Decision && l.to.Decision.Context == "" {
			l.to.Decision.Context = keys.Clause(l.from.Content)
		}
	}
}

// link links two facts by the rule that runs.
func (x linker) link(from, to *fact, typ episode.LinkType, explicit bool) {
	if from == nil || to == nil || from == to || from.Kind == facts.Lesson || to.Kind == facts.Lesson {
		return
	}
	if typ == episode.Prevents && (from.isError() || !to.isError()) {
		return
	}
	if x.linked[[2]*fact{to, from}] { // linked from the other end already
		return
	}
	x.linked[[2]*fact{from, to}] = true
	span := facts.Around(from.Span, to.Span)
	x.links = append(x.links, linkFact{from: from, to: to, typ: typ, explicit: explicit, span: span, rule: x.rule})
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
