package extract

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/keys"
)

// factKind is the kind of a fact.
type factKind uint8

// The kinds of facts.
const (
	decisionFact factKind = iota
	eventFact
	lessonFact
)

// coreFact is an item of an episode before it has an id.
type coreFact struct {
	kind     factKind
	span     episode.Span // the lines that show it
	content  string
	why      string            // the evidence, for people
	event    episode.EventType // of an event
	decision episode.Decision  // of a decision, but for id and keys

	id string
}

// coreLink is a link before its ends have ids. A nil target is the outcome.
type coreLink struct {
	from, to *coreFact
	typ      episode.LinkType
	explicit bool // the log states it
	span     episode.Span
	why      string
}

// draft is what was read in a log: an episode without ids and provenance of its
// file.
type draft struct {
	facts []*coreFact // in any order
	links []coreLink  // those of facts that are not in the draft are left out

	task     string
	taskSpan episode.Span

	outcome     episode.Outcome
	outcomeFrom episode.OutcomeSource
	outcomeSpan episode.Span
	outcomeWhy  string

	timestamp    string // RFC 3339; "" when the log does not say
	minutes      *float64
	filesChanged *int
}

// Taken says what one span of the log was read as.
type Taken struct {
	Span episode.Span
	What string // "decision d001", "event e002 (error)", "link d001>e002 (prevents, explicit)", "lesson l001", "task", "outcome", "passed over (plan)"
	Why  string // the evidence: heading, label, words
}

// maxContent is the longest quote kept of a fact, in bytes; the span leads to the rest.
const maxContent = 400

// shorten cuts s at a word, to n bytes and an ellipsis, and folds its white space.
func shorten(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
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

// assembly is an episode in the making.
type assembly struct {
	episode *episode.Episode
	taken   []Taken
}

// take records which lines show an item.
func (a *assembly) take(id, what, why string, span episode.Span) {
	a.episode.Provenance.Spans[id] = span
	a.taken = append(a.taken, Taken{Span: span, What: what, Why: why})
}

// build gives the facts ids in document order and makes the episode. It also
// returns what was taken from which lines.
func (d *draft) build() (*episode.Episode, []Taken) {
	slices.SortStableFunc(d.facts, func(a, b *coreFact) int {
		return cmp.Or(cmp.Compare(a.span[0], b.span[0]), cmp.Compare(a.span[1], b.span[1]), cmp.Compare(a.kind, b.kind), strings.Compare(a.content, b.content))
	})
	ep := &episode.Episode{Outcome: d.outcome, OutcomeSource: d.outcomeFrom, Task: d.task, Timestamp: d.timestamp}
	ep.Provenance.Spans = map[string]episode.Span{}
	a := &assembly{episode: ep}
	if d.task != "" {
		a.take("task", "task", "what the session set out to do", d.taskSpan)
	}
	if d.outcomeSpan[0] > 0 {
		a.take(episode.OutcomeRef, "outcome "+string(d.outcome), d.outcomeWhy, d.outcomeSpan)
	}
	for _, f := range d.facts {
		a.add(f)
	}
	a.link(d.links)
	ep.Metrics = episode.Metrics{Commits: count(ep, episode.Commit), Errors: count(ep, episode.Error), DurationMinutes: d.minutes, FilesChanged: d.filesChanged}
	return ep, a.taken
}

// add gives a fact the next id of its kind.
func (a *assembly) add(f *coreFact) {
	ep := a.episode
	switch f.kind {
	case decisionFact:
		f.id = episode.DecisionID(len(ep.Decisions) + 1)
		d := f.decision
		d.ID = f.id
		setKeys(&d)
		ep.Decisions = append(ep.Decisions, d)
		a.take(f.id, "decision "+f.id, f.why, f.span)
	case eventFact:
		f.id = episode.EventID(len(ep.Events) + 1)
		ep.Events = append(ep.Events, episode.Event{ID: f.id, Type: f.event, Content: f.content, Key: keys.Event(string(f.event), f.content)})
		a.take(f.id, "event "+f.id+" ("+string(f.event)+")", f.why, f.span)
	case lessonFact:
		ep.Lessons = append(ep.Lessons, f.content)
		id := episode.LessonID(len(ep.Lessons))
		a.take(id, "lesson "+id, f.why, f.span)
	}
}

// setKeys gives a decision the keys under which it meets others.
func setKeys(d *episode.Decision) {
	if strings.EqualFold(strings.TrimSpace(d.Context), strings.TrimSpace(d.Chosen)) {
		d.Context = "" // a question that only repeats its answer asks nothing
	}
	d.Key = keys.Decision(d.Context)
	d.OptionKeys = nil
	for _, o := range d.Options {
		d.OptionKeys = append(d.OptionKeys, keys.Option(o))
	}
}

// count is the number of events of one type; nil when there are none.
func count(ep *episode.Episode, t episode.EventType) *int {
	n := 0
	for _, v := range ep.Events {
		if v.Type == t {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return &n
}

// link sorts links, keeps the strongest of each pair and gives both ends of a
// link their cross references.
func (a *assembly) link(links []coreLink) {
	type pair struct{ from, to string }
	ep, best := a.episode, map[pair]coreLink{}
	for _, l := range links {
		p := pair{l.from.id, episode.OutcomeRef}
		if l.to != nil {
			p.to = l.to.id
		} else if !ep.Outcome.Known() {
			continue
		}
		if p.from == p.to || p.from == "" || p.to == "" {
			continue
		}
		if old, ok := best[p]; !ok || l.explicit && !old.explicit {
			best[p] = l
		}
	}
	order := slices.SortedFunc(maps.Keys(best), func(a, b pair) int { return cmp.Or(strings.Compare(a.from, b.from), strings.Compare(a.to, b.to)) })
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
		a.take(id, "link "+id+" ("+string(l.typ)+", "+said+")", l.why, l.span)
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
