package extract

import (
	"cmp"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/keys"
)

// markdown reads a Markdown log: parse, take facts, link them, assemble.
func markdown(lex *lexicon, src Source, data []byte) *Result {
	x := &extraction{doc: parse(lex, data), lex: lex, used: map[*block]*fact{}}
	x.byRule()
	x.link()
	x.outcome()
	x.outcomeLinks()
	x.choiceOutcomes()
	return x.assemble(src)
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

// factKind is the kind of a fact.
type factKind uint8

const (
	decisionFact factKind = iota
	eventFact
	lessonFact
)

// fact is an item before it has an id.
type fact struct {
	kind    factKind
	span    episode.Span
	block   *block
	text    text // of an event: its content in full
	content string
	why     string // the evidence, for people

	state    episode.Outcome // of a check whose row gives it
	repair   bool            // a decision stated as a fix
	borrowed bool            // its context comes from a section beside it
	section  *section        // of a fact that a heading states
	event    episode.EventType
	cause    bool // an error that the log gives as the cause of others
	dec      episode.Decision
	id       string
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

	taskText   string
	taskSpan   episode.Span
	result     episode.Outcome
	resultFrom episode.OutcomeSource
	resultSpan episode.Span
	resultWhy  string
}

func (x *extraction) add(f *fact) *fact {
	f.content = shorten(withoutClock(f.content), maxContent)
	x.facts = append(x.facts, f)
	if f.block != nil && x.used[f.block] == nil {
		x.used[f.block] = f
	}
	return f
}

func (x *extraction) event(t episode.EventType, b *block, span episode.Span, content, why string) *fact {
	return x.add(&fact{kind: eventFact, event: t, block: b, span: span, text: x.plain(content), content: content, why: why})
}

// maxContent is the longest quote kept of a fact, in bytes; the span leads to the rest.
const maxContent = 400

func shorten(s string, n int) string {
	s = collapse(s)
	if len(s) <= n {
		return s
	}
	cut := n
	for cut > n/2 && s[cut] != ' ' {
		cut--
	}
	for cut > 0 && s[cut]&0xC0 == 0x80 {
		cut--
	}
	return strings.TrimRight(s[:cut], " ,;:") + " …"
}

// assemble gives the facts ids in document order and writes the episode.
func (x *extraction) assemble(src Source) *Result {
	slices.SortStableFunc(x.facts, func(a, b *fact) int {
		return cmp.Or(cmp.Compare(a.span[0], b.span[0]), cmp.Compare(a.span[1], b.span[1]), cmp.Compare(a.kind, b.kind), strings.Compare(a.content, b.content))
	})
	ep := &episode.Episode{Outcome: x.result, OutcomeSource: x.resultFrom, Task: x.taskText}
	ep.Provenance.Spans = make(map[string]episode.Span, len(x.facts)+len(x.links)+2)
	events := 0
	for _, f := range x.facts {
		if f.kind == eventFact {
			events++
		}
	}
	if events > 0 {
		ep.Events = make([]episode.Event, 0, events)
	}
	res := &Result{Episode: ep, Diagnostics: x.doc.diags}
	if n := len(x.facts) + len(x.links); n > 0 {
		res.Taken = make([]Taken, 0, n+2)
	}
	take := func(id, what, why string, span episode.Span) {
		ep.Provenance.Spans[id] = span
		res.Taken = append(res.Taken, Taken{Span: span, What: what, Why: why})
	}
	if x.taskText != "" {
		take("task", "task", "what the session set out to do", x.taskSpan)
	}
	if x.resultSpan[0] > 0 {
		take(episode.OutcomeRef, "outcome "+string(x.result), x.resultWhy, x.resultSpan)
	}
	for _, f := range x.facts {
		switch f.kind {
		case decisionFact:
			f.dec.ID = episode.DecisionID(len(ep.Decisions) + 1)
			f.id = f.dec.ID
			f.setKeys()
			ep.Decisions = append(ep.Decisions, f.dec)
			take(f.id, "decision "+f.id, f.why, f.span)
		case eventFact:
			f.id = episode.EventID(len(ep.Events) + 1)
			ep.Events = append(ep.Events, episode.Event{ID: f.id, Type: f.event, Content: f.content, Key: keys.Event(string(f.event), f.content)})
			take(f.id, "event "+f.id+" ("+string(f.event)+")", f.why, f.span)
		case lessonFact:
			ep.Lessons = append(ep.Lessons, f.content)
			id := episode.LessonID(len(ep.Lessons))
			take(id, "lesson "+id, f.why, f.span)
		}
	}
	x.writeLinks(ep, take)
	x.metrics(ep)
	ep.Timestamp = x.timestamp(src)
	x.diagnose(ep)
	res.Diagnostics = x.doc.diags
	if src.Explain {
		res.Taken = append(res.Taken, x.passedOver(res.Taken)...)
	}
	slices.SortStableFunc(res.Taken, func(a, b Taken) int {
		return cmp.Or(cmp.Compare(a.Span[0], b.Span[0]), strings.Compare(a.What, b.What))
	})
	slices.SortStableFunc(res.Diagnostics, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), strings.Compare(a.Code, b.Code))
	})
	return res
}

func (f *fact) setKeys() {
	d := &f.dec
	if strings.EqualFold(strings.TrimSpace(d.Context), strings.TrimSpace(d.Chosen)) {
		d.Context = "" // a question that only repeats its answer asks nothing
	}
	d.Key = keys.Decision(d.Context)
	d.OptionKeys = nil
	for _, o := range d.Options {
		d.OptionKeys = append(d.OptionKeys, keys.Option(o))
	}
}

// writeLinks sorts links, keeps the strongest of each pair and gives both ends
// of a link their cross references.
func (x *extraction) writeLinks(ep *episode.Episode, take func(id, what, why string, span episode.Span)) {
	type pair struct{ from, to string }
	best := map[pair]linkFact{}
	for _, l := range x.links {
		p := pair{l.from.id, episode.OutcomeRef}
		if l.to != nil {
			p.to = l.to.id
		} else if !x.result.Known() {
			continue
		}
		if p.from == p.to || p.from == "" || p.to == "" {
			continue
		}
		if old, ok := best[p]; !ok || l.explicit && !old.explicit {
			best[p] = l
		}
	}
	order := make([]pair, 0, len(best))
	for p := range best {
		order = append(order, p)
	}
	slices.SortFunc(order, func(a, b pair) int { return cmp.Or(strings.Compare(a.from, b.from), strings.Compare(a.to, b.to)) })
	decisions, events := map[string]*episode.Decision{}, map[string]*episode.Event{}
	for i := range ep.Decisions {
		decisions[ep.Decisions[i].ID] = &ep.Decisions[i]
	}
	for i := range ep.Events {
		events[ep.Events[i].ID] = &ep.Events[i]
	}
	for _, p := range order {
		l := best[p]
		ep.Links = append(ep.Links, episode.Link{Source: p.from, Target: p.to, Type: l.typ, Explicit: l.explicit})
		id := episode.LinkID(p.from, p.to)
		said := "implied"
		if l.explicit {
			said = "explicit"
		}
		take(id, "link "+id+" ("+string(l.typ)+", "+said+")", l.why, l.span)
		if d := decisions[p.from]; d != nil {
			d.Effects = append(d.Effects, p.to)
		}
		if v := events[p.from]; v != nil && events[p.to] != nil {
			v.LeadsTo = append(v.LeadsTo, p.to)
		}
		if v := events[p.to]; v != nil && l.typ != episode.Prevents {
			v.CausedBy = append(v.CausedBy, p.from)
		}
	}
}

// diagnose says what a user may wonder about.
func (x *extraction) diagnose(ep *episode.Episode) {
	if len(ep.Decisions)+len(ep.Events)+len(ep.Lessons) == 0 {
		x.doc.note(1, "no-facts", "nothing in this log was recognised as a decision, an event or a lesson")
	}
	if ep.Outcome == episode.Unknown {
		x.doc.note(1, "no-outcome", "the log does not show what the session came to")
	}
}

func sortFacts(fs []*fact) {
	slices.SortStableFunc(fs, func(a, b *fact) int {
		return cmp.Or(cmp.Compare(a.span[0], b.span[0]), cmp.Compare(a.span[1], b.span[1]))
	})
}
