package extract

import (
	"cmp"
	"slices"

	"episodes/episode"
)

// reading is what the rules made of a document.
type reading struct {
	draft draft
	x     *extraction
}

// readDocument takes the facts of a document. The name of the log's file may hold
// its date.
func readDocument(l *lexicon, d *document, fileName string) *reading {
	x := &extraction{doc: d, lex: l, used: map[*block]*fact{}}
	x.byRule()
	x.link()
	x.outcome()
	x.outcomeLinks()
	x.choiceOutcomes()
	x.draft.minutes, x.draft.filesChanged = x.minutes(), x.filesChanged()
	x.draft.timestamp = x.timestamp(fileName)
	for _, f := range x.facts {
		x.draft.facts = append(x.draft.facts, &f.coreFact)
	}
	for _, l := range x.links {
		link := coreLink{from: &l.from.coreFact, typ: l.typ, explicit: l.explicit, span: l.span, why: l.why}
		if l.to != nil {
			link.to = &l.to.coreFact
		}
		x.draft.links = append(x.draft.links, link)
	}
	return &reading{draft: x.draft, x: x}
}

// byRule takes the facts that rules name.
func (x *extraction) byRule() {
	x.task()
	x.decisions()
	x.lessons()
	x.commits()
	x.tests()
	x.errors()
	x.stories()
	x.handoffs()
	x.milestones()
	x.completeLeadIns()
}

// plain is a text of the log, or a part of one, in words.
func (x *extraction) plain(s string) text { return x.lex.text(s) }

// fact is a fact with what the rules know of where it comes from.
type fact struct {
	coreFact
	block   *block   // nil when it stands in none
	section *section // of a fact that a heading states
	text    text     // of an event: its content in full

	state    episode.Outcome // of a check whose row gives it
	repair   bool            // a decision stated as a fix
	borrowed bool            // its context comes from a section beside it
	cause    bool            // an error that the log gives as the cause of others
}

// linkFact is a link before its ends have ids. A nil target is the outcome.
type linkFact struct {
	from, to *fact
	typ      episode.LinkType
	explicit bool
	span     episode.Span
	why      string
}

// extraction collects the facts of one log.
type extraction struct {
	doc   *document
	lex   *lexicon
	facts []*fact
	links []linkFact
	used  map[*block]*fact // the fact a block was taken for
	words *wordTable

	sitting sitting // newest, once asked for

	draft draft // what is read, but for facts and links
}

// add takes a fact, and its block for it.
func (x *extraction) add(f *fact) *fact {
	f.content = shorten(withoutClock(f.content), maxContent)
	x.facts = append(x.facts, f)
	if f.block != nil && x.used[f.block] == nil {
		x.used[f.block] = f
	}
	return f
}

// event takes an event.
func (x *extraction) event(t episode.EventType, b *block, span episode.Span, content, why string) *fact {
	return x.add(&fact{coreFact: coreFact{kind: eventFact, event: t, span: span, content: content, why: why}, block: b, text: x.plain(content)})
}

// sortFacts puts facts in the order of their lines.
func sortFacts(fs []*fact) {
	slices.SortStableFunc(fs, func(a, b *fact) int {
		return cmp.Or(cmp.Compare(a.span[0], b.span[0]), cmp.Compare(a.span[1], b.span[1]))
	})
}
