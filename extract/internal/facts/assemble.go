package facts

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/keys"
	"episodes/outcome"
)

// assembly is an episode in the making.
type assembly struct {
	episode *episode.Episode
	taken   []Taken
	said    map[string]bool // what lessons say
}

// take records which lines show an item, and why it was taken.
func (a *assembly) take(id, what, why string, span episode.Span) {
	a.episode.Provenance.Spans[id] = span
	a.taken = append(a.taken, Taken{Span: span, What: what, Why: why})
}

// Build gives the facts ids in document order and makes the episode. It also
// returns what was taken from which lines.
func (d *Draft) Build() (*episode.Episode, []Taken) {
	slices.SortStableFunc(d.Facts, func(a, b *Fact) int {
		return cmp.Or(cmp.Compare(a.Span[0], b.Span[0]), cmp.Compare(a.Span[1], b.Span[1]),
			cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Content, b.Content))
	})
	verdict := outcome.Decide(d.Signs...)
	ep := &episode.Episode{Outcome: verdict.Outcome, OutcomeSource: verdict.From, State: d.State, SupersededBy: d.SupersededBy,
		Task: d.Task, Instance: d.Instance, Timestamp: d.Timestamp}
	ep.Provenance.Spans = map[string]episode.Span{}
	a := &assembly{episode: ep, said: map[string]bool{}}
	if d.TaskSpan[0] > 0 {
		a.take("task", "task", "what the session set out to do", d.TaskSpan)
	}
	if verdict.Outcome.Known() && verdict.Lines[0] > 0 {
		a.take(episode.OutcomeRef, "outcome "+string(verdict.Outcome), verdict.Rule, verdict.Lines)
	}
	for _, f := range d.Facts {
		a.add(f)
	}
	a.link(d.Links)
	ep.Metrics = episode.Metrics{Commits: count(ep, episode.Commit), Errors: count(ep, episode.Error),
		DurationMinutes: d.Minutes, FilesChanged: d.FilesChanged, Tokens: d.Tokens, CostUSD: d.Cost}
	return ep, a.taken
}

// add gives a fact the next id of its kind.
func (a *assembly) add(f *Fact) {
	ep := a.episode
	switch f.Kind {
	case Decision:
		f.id = episode.DecisionID(len(ep.Decisions) + 1)
		d := f.Decision
		d.ID = f.id
		setKeys(&d)
		ep.Decisions = append(ep.Decisions, d)
		a.take(f.id, "decision "+f.id, f.Rule, f.Span)
	case Event:
		f.id = episode.EventID(len(ep.Events) + 1)
		key := f.Key
		if key == "" {
			key = keys.Event(string(f.Event), f.Content)
		}
		ep.Events = append(ep.Events, episode.Event{ID: f.id, Type: f.Event, Content: f.Content, Key: key, Timestamp: f.Time, Put: f.Put})
		a.take(f.id, "event "+f.id+" ("+string(f.Event)+")", f.Rule, f.Span)
	case Lesson:
		l := f.Lesson
		l.By, l.Lines = episode.ByRules, append(episode.Ranges{f.Span}, l.Lines...)
		l.Say, l.More = episode.CutLesson(episode.Shorten(f.Content, episode.MaxTold))
		for _, s := range []*string{&l.Was, &l.Because} {
			*s = episode.Shorten(*s, episode.MaxField-len(" …"))
		}
		if a.said[l.Say] {
			return
		}
		a.said[l.Say] = true
		ep.Taught = append(ep.Taught, l)
		if l.Kind != episode.TrapLesson && l.Kind != episode.RuleLesson { // decisions and events say it, or it is open
			a.taken = append(a.taken, Taken{Span: f.Span, What: "lesson (" + string(l.Kind) + ")", Why: f.Rule})
			return
		}
		ep.Lessons = append(ep.Lessons, l.Say)
		id := episode.LessonID(len(ep.Lessons))
		a.take(id, "lesson "+id+" ("+string(l.Kind)+")", f.Rule, f.Span)
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
func (a *assembly) link(links []Link) {
	type pair struct{ from, to string }
	ep, best := a.episode, map[pair]Link{}
	for _, l := range links {
		p := pair{l.From.id, l.To.id}
		if p.from == p.to || p.from == "" || p.to == "" {
			continue
		}
		if old, ok := best[p]; !ok || l.Explicit && !old.Explicit {
			best[p] = l
		}
	}
	order := slices.SortedFunc(maps.Keys(best),
		func(a, b pair) int { return cmp.Or(strings.Compare(a.from, b.from), strings.Compare(a.to, b.to)) })
	decisions, events := map[string]*episode.Decision{}, map[string]*episode.Event{}
	for i := range ep.Decisions {
		decisions[ep.Decisions[i].ID] = &ep.Decisions[i]
	}
	for i := range ep.Events {
		events[ep.Events[i].ID] = &ep.Events[i]
	}
	for _, p := range order {
		l := best[p]
		ep.Links = append(ep.Links, episode.Link{Source: p.from, Target: p.to, Type: l.Type, Explicit: l.Explicit})
		id := episode.LinkID(p.from, p.to)
		said := "implied"
		if l.Explicit {
			said = "explicit"
		}
		a.take(id, "link "+id+" ("+string(l.Type)+", "+said+")", l.Rule, l.Span)
		if d := decisions[p.from]; d != nil {
			d.Effects = append(d.Effects, p.to)
		}
		if v := events[p.from]; v != nil && events[p.to] != nil {
			v.LeadsTo = append(v.LeadsTo, p.to)
		}
		if v := events[p.to]; v != nil && l.Type != episode.Prevents {
			v.CausedBy = append(v.CausedBy, p.from)
		}
	}
}
