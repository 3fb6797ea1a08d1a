package corrections

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/keys"
)

// editor changes an episode and keeps ids, references, spans and counts in step.
type editor struct {
	ep        *episode.Episode
	decisions int // highest number of an id that was given
	events    int
	commits   int // events of these types before any change
	errors    int
}

func edit(ep *episode.Episode) *editor {
	e := &editor{ep: ep}
	for _, d := range ep.Decisions {
		e.decisions = max(e.decisions, number(d.ID))
	}
	for _, v := range ep.Events {
		e.events = max(e.events, number(v.ID))
	}
	e.commits, e.errors = e.count(episode.Commit), e.count(episode.Error)
	if ep.Provenance.Spans == nil {
		ep.Provenance.Spans = map[string]episode.Span{}
	}
	return e
}

func number(id string) (n int) {
	_, _ = fmt.Sscanf(id[min(1, len(id)):], "%d", &n)
	return n
}

func (e *editor) count(t episode.EventType) (n int) {
	for _, v := range e.ep.Events {
		if v.Type == t {
			n++
		}
	}
	return n
}

// finish brings the metrics in step that are counts of events.
func (e *editor) finish() {
	recount := func(metric **int, before int, t episode.EventType) {
		after := e.count(t)
		stated := *metric != nil && **metric != before || *metric == nil && before > 0
		switch {
		case stated || after == before:
		case after == 0:
			*metric = nil
		default:
			*metric = &after
		}
	}
	recount(&e.ep.Metrics.Commits, e.commits, episode.Commit)
	recount(&e.ep.Metrics.Errors, e.errors, episode.Error)
}

// record is a record of any kind.
type record struct {
	id         string
	kind       Kind
	typ, text  string
	span       episode.Span
	hasNoLines bool
}

// records lists the records of a kind in their order.
func (e *editor) records(k Kind) []record {
	var out []record
	add := func(id, typ, text string) {
		span, ok := e.ep.Provenance.Spans[id]
		out = append(out, record{id, k, typ, text, span, !ok})
	}
	switch k {
	case Decision:
		for _, d := range e.ep.Decisions {
			add(d.ID, string(d.Type), d.Chosen)
		}
	case Event:
		for _, v := range e.ep.Events {
			add(v.ID, string(v.Type), v.Content)
		}
	case Lesson:
		for i, l := range e.ep.Lessons {
			add(episode.LessonID(i+1), string(Lesson), l)
		}
	}
	return out
}

// by notes who says so of a record, a link or the outcome.
func (e *editor) by(id, who string) {
	if e.ep.Provenance.By == nil {
		e.ep.Provenance.By = map[string]string{}
	}
	e.ep.Provenance.By[id] = who
}

func (e *editor) forget(id string) {
	delete(e.ep.Provenance.Spans, id)
	delete(e.ep.Provenance.By, id)
}

// remove takes a record away, with its links and questions.
func (e *editor) remove(r record) {
	e.ep.Questions = slices.DeleteFunc(e.ep.Questions, func(q episode.Question) bool { return q.Of == r.id })
	if r.kind == Lesson {
		e.removeLesson(number(r.id))
		return
	}
	for _, l := range slices.Clone(e.ep.Links) {
		if l.Source == r.id || l.Target == r.id {
			e.unlink(l.Source, l.Target)
		}
	}
	e.ep.Decisions = slices.DeleteFunc(e.ep.Decisions, func(d episode.Decision) bool { return d.ID == r.id })
	e.ep.Events = slices.DeleteFunc(e.ep.Events, func(v episode.Event) bool { return v.ID == r.id })
	e.forget(r.id)
}

// removeLesson closes the gap: lessons are numbered by their place.
func (e *editor) removeLesson(n int) {
	e.ep.Taught = slices.DeleteFunc(slices.Clone(e.ep.Taught), func(l episode.Lesson) bool { return l.Say == e.ep.Lessons[n-1] })
	e.ep.Lessons = slices.Delete(e.ep.Lessons, n-1, n)
	e.forget(episode.LessonID(n))
	for i := n; i <= len(e.ep.Lessons); i++ {
		from, to := episode.LessonID(i+1), episode.LessonID(i)
		for j := range e.ep.Questions {
			if q := &e.ep.Questions[j]; q.Of == from {
				q.Of = to
			}
		}
		if s, ok := e.ep.Provenance.Spans[from]; ok {
			e.ep.Provenance.Spans[to] = s
		}
		if by, ok := e.ep.Provenance.By[from]; ok {
			e.ep.Provenance.By[to] = by
		}
		e.forget(from)
	}
}

// add gives a new record the next id, and its place by its lines; at the end where it has
// none.
func (e *editor) add(k Kind, typ, text string, span episode.Span) record {
	r := record{kind: k, typ: typ, text: text, span: span}
	switch k {
	case Decision:
		e.decisions++
		r.id = episode.DecisionID(e.decisions)
		d := episode.Decision{ID: r.id, Type: episode.DecisionType(typ), Chosen: text, Outcome: episode.Unknown}
		at := e.place(span, len(e.ep.Decisions), func(i int) string { return e.ep.Decisions[i].ID })
		e.ep.Decisions = slices.Insert(e.ep.Decisions, at, d)
	case Event:
		e.events++
		r.id = episode.EventID(e.events)
		v := episode.Event{ID: r.id, Type: episode.EventType(typ), Content: text, Key: keys.Event(typ, text)}
		at := e.place(span, len(e.ep.Events), func(i int) string { return e.ep.Events[i].ID })
		e.ep.Events = slices.Insert(e.ep.Events, at, v)
	case Lesson:
		e.ep.Lessons = append(e.ep.Lessons, text)
		r.id = episode.LessonID(len(e.ep.Lessons))
	}
	if r.hasNoLines = span == (episode.Span{}); !r.hasNoLines {
		e.ep.Provenance.Spans[r.id] = span
	}
	return r
}

// place is where in a list of n records one with these lines belongs.
func (e *editor) place(span episode.Span, n int, id func(i int) string) int {
	if span == (episode.Span{}) {
		return n
	}
	for i := range n {
		if s, ok := e.ep.Provenance.Spans[id(i)]; ok && cmp.Or(cmp.Compare(s[0], span[0]), cmp.Compare(s[1], span[1])) > 0 {
			return i
		}
	}
	return n
}

// change makes a record what an entry says.
func (e *editor) change(r record, to Entry) {
	switch r.kind {
	case Decision:
		d := e.ep.Decision(r.id)
		d.Type = cmp.Or(episode.DecisionType(to.Type), d.Type)
		d.Outcome = cmp.Or(to.Outcome, d.Outcome)
		d.Rationale = cmp.Or(to.Why, d.Rationale)
		if to.Text != "" && to.Text != d.Chosen {
			rechoose(d, to.Text)
		}
	case Event:
		v := e.ep.Event(r.id)
		typ, text := cmp.Or(episode.EventType(to.Type), v.Type), cmp.Or(to.Text, v.Content)
		v.Outcome = cmp.Or(to.Outcome, v.Outcome)
		if typ != v.Type || text != v.Content {
			v.Type, v.Content, v.Key = typ, text, keys.Event(string(typ), text)
		}
	case Lesson:
		n := number(r.id) - 1
		text := cmp.Or(to.Text, e.ep.Lessons[n])
		e.ep.Taught = slices.Clone(e.ep.Taught)
		for i := range e.ep.Taught {
			if l := &e.ep.Taught[i]; l.Say == e.ep.Lessons[n] {
				l.Say = text
			}
		}
		e.ep.Lessons[n] = text
	}
}

// complete fills in what a decision lacks of what an agent states.
func complete(d *episode.Decision, e Entry) {
	d.Timestamp, d.Rationale = cmp.Or(d.Timestamp, e.Time), cmp.Or(d.Rationale, e.Why)
	if d.Context == "" && e.Context != "" {
		d.Context, d.Key = e.Context, keys.Decision(e.Context)
	}
	if len(d.Options) > 0 || len(e.Options) == 0 {
		return
	}
	d.Options, d.OptionKeys = slices.Clone(e.Options), nil
	for _, o := range d.Options {
		d.OptionKeys = append(d.OptionKeys, keys.Option(o))
	}
}

// rechoose gives a decision other words, also among its options.
func rechoose(d *episode.Decision, text string) {
	for i, o := range d.Options {
		if o == d.Chosen {
			d.Options = slices.Clone(d.Options)
			d.Options[i] = text
			if i < len(d.OptionKeys) {
				d.OptionKeys = slices.Clone(d.OptionKeys)
				d.OptionKeys[i] = keys.Option(text)
			}
		}
	}
	d.Chosen = text
	if strings.EqualFold(strings.TrimSpace(d.Context), strings.TrimSpace(text)) {
		d.Context, d.Key = "", ""
	}
}

// link adds a link, or gives the one that there is another type. One that led the other
// way goes: a pair has one link.
func (e *editor) link(from, to string, typ episode.LinkType, explicit bool) {
	e.unlink(from, to)
	e.unlink(to, from)
	l := episode.Link{Source: from, Target: to, Type: typ, Explicit: explicit}
	at := len(e.ep.Links)
	for i, o := range e.ep.Links {
		if cmp.Or(strings.Compare(o.Source, from), strings.Compare(o.Target, to)) > 0 {
			at = i
			break
		}
	}
	e.ep.Links = slices.Insert(e.ep.Links, at, l)
	if d := e.ep.Decision(from); d != nil {
		d.Effects = insert(d.Effects, to)
	}
	target := e.ep.Event(to)
	if v := e.ep.Event(from); v != nil && target != nil {
		v.LeadsTo = insert(v.LeadsTo, to)
	}
	if target != nil && typ != episode.Prevents {
		target.CausedBy = insert(target.CausedBy, from)
	}
}

// insert adds an id to a sorted list.
func insert(list []string, id string) []string {
	at, found := slices.BinarySearch(list, id)
	if found || slices.Contains(list, id) {
		return list
	}
	return slices.Insert(slices.Clone(list), at, id)
}

func (e *editor) unlink(from, to string) {
	n := len(e.ep.Links)
	e.ep.Links = slices.DeleteFunc(e.ep.Links, func(l episode.Link) bool { return l.Source == from && l.Target == to })
	if len(e.ep.Links) == n {
		return
	}
	without := func(list []string, id string) []string {
		list = slices.DeleteFunc(slices.Clone(list), func(x string) bool { return x == id })
		if len(list) == 0 {
			return nil
		}
		return list
	}
	if d := e.ep.Decision(from); d != nil {
		d.Effects = without(d.Effects, to)
	}
	if v := e.ep.Event(from); v != nil {
		v.LeadsTo = without(v.LeadsTo, to)
	}
	if v := e.ep.Event(to); v != nil {
		v.CausedBy = without(v.CausedBy, from)
	}
	e.forget(episode.LinkID(from, to))
}
