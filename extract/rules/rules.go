// Package rules takes facts from a document: decisions, events, lessons, the task
// and the outcome, and the links that the log states between them. A fact is taken
// only where the words or the structure of the log show it.
//
// The features of each block are computed once. Then the tables of rules are tried in order.
// The first rule that matches takes a fact from the block or refuses it, and its name is the
// reason that extract --verbose prints. Links are rules too; they run when all facts are known.
package rules

import (
	"cmp"
	"slices"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
	"episodes/outcome"
)

// Reading is what the rules made of a document.
type Reading struct {
	Draft facts.Draft

	x *extraction
}

// Read takes the facts of a document. The path of the log may contain its date, and say
// what it is about.
func Read(l *lex.Lexicon, d *doc.Document, path string) *Reading {
	x := &extraction{doc: d, lex: l, used: map[*doc.Block]*fact{}, linked: map[[2]*fact]bool{},
		judged: map[*doc.Block]*features{}, newest: newestSession(d), path: path}
	x.byRule()
	x.link()
	x.state()
	x.outcome()
	x.widen()
	x.draft.Minutes, x.draft.FilesChanged = x.minutes(), x.filesChanged()
	x.draft.Timestamp = x.timestamp()
	for _, f := range x.facts {
		x.draft.Facts = append(x.draft.Facts, &f.Fact)
		x.learnChoice(f)
	}
	for _, l := range x.links {
		x.draft.Links = append(x.draft.Links, facts.Link{From: &l.from.Fact, To: &l.to.Fact,
			Type: l.typ, Explicit: l.explicit, Span: l.span, Rule: l.rule})
	}
	return &Reading{Draft: x.draft, x: x}
}

// byRule takes the facts; a block that an earlier rule took is left alone by later
// ones.
func (x *extraction) byRule() {
	x.task()
	x.sessionID()
	x.instance()
	x.decisions()
	x.lessons()
	x.commits()
	x.tests()
	x.errors()
	x.milestones()
}

// plain is a text of the log, or a part of one, in words.
func (x *extraction) plain(s string) lex.Text { return x.lex.Text(s) }

// fact is a fact with what the rules know of where it comes from.
type fact struct {
	facts.Fact
	block   *doc.Block   // nil if the fact has no block
	section *doc.Section // of a fact that a heading states
	text    lex.Text     // of an event: its content in full

	state episode.Outcome // of a check whose row gives it
	cause bool            // an error that the log gives as the cause of others
	tried bool            // a decision that is one of several attempts
}

// linkFact is a link before its ends have ids.
type linkFact struct {
	from, to *fact
	typ      episode.LinkType
	explicit bool
	span     episode.Span
	rule     string
}

// extraction collects the facts of one log.
type extraction struct {
	doc    *doc.Document
	lex    *lex.Lexicon
	facts  []*fact
	links  []linkFact
	linked map[[2]*fact]bool    // the ends of links
	used   map[*doc.Block]*fact // the fact a block was taken for
	judged map[*doc.Block]*features

	newest     sessionPart // of the file
	lookedOnly bool        // the session had nothing to do to what it is about
	isRecord   bool        // the status of a document
	path       string      // of the log

	draft   facts.Draft     // what is read, but for facts and links
	verdict outcome.Verdict // on its signs
}

// add takes a fact, and its block for it.
func (x *extraction) add(f *fact) *fact {
	f.Content = episode.Shorten(f.Content, episode.MaxContent)
	x.facts = append(x.facts, f)
	if f.block != nil {
		x.cover(f, []*doc.Block{f.block})
	}
	return f
}

// cover takes blocks, of which nothing was made, for a fact.
func (x *extraction) cover(f *fact, blocks []*doc.Block) {
	for _, b := range blocks {
		x.used[b] = cmp.Or(x.used[b], f)
	}
}

// event takes an event; rule names the rule that found it.
func (x *extraction) event(t episode.EventType, b *doc.Block, span episode.Span, content, rule string) *fact {
	return x.add(&fact{Fact: facts.Fact{Kind: facts.Event, Event: t, Span: span, Content: content, Rule: rule},
		block: b, text: x.plain(content)})
}

// sortFacts puts facts in the order of their lines.
func sortFacts(fs []*fact) {
	slices.SortStableFunc(fs, func(a, b *fact) int { return slices.Compare(a.Span[:], b.Span[:]) })
}

// ofEarlier reports whether b is in an account of an earlier session.
func ofEarlier(b *doc.Block) bool {
	if b.LabelText.Earlier() || b.Intro != nil && (b.Intro.LabelText.Earlier() || b.Intro.Text.Earlier()) {
		return true
	}
	for s := b.Section; s != nil && s.Level > 1; s = s.Parent {
		if s.Title.Earlier() {
			return true
		}
	}
	return false
}

// quiet reports whether b is in a place that states nothing about this session:
// protocol lists, references, file lists, plans, templates.
func quiet(b *doc.Block) bool {
	return b.InProtocol() || ofEarlier(b) || b.LabelRoles.Any(lex.RoleWho, lex.RoleBase) || b.Placeholder()
}
