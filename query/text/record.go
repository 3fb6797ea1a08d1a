package text

import (
	"fmt"

	"episodes/episode"
	"episodes/query"
)

// Record renders one record of an episode whole: a decision, an event, a lesson or a link. It
// is empty when there is no such record.
func Record(e *episode.Episode, record string) string {
	s := &sheet{}
	link := func(l episode.Link) {
		s.add(fmt.Sprintf("%s %s %s", name(l.Source), query.LinkVerb(l.Type, e.Decision(l.Target) != nil),
			name(l.Target)) + saidBy(e, episode.LinkID(l.Source, l.Target)))
	}
	if d := e.Decision(record); d != nil {
		s.add(decisionLines(*d)...)
	} else if v := e.Event(record); v != nil {
		s.add(fmt.Sprintf("%s %s: %s", name(v.ID), v.Type, uncut(v.Content)) + saidBy(e, v.ID))
	}
	for i, l := range e.Lessons {
		if episode.LessonID(i+1) == record {
			s.add(name(record) + " lesson: " + uncut(l) + saidBy(e, record))
		}
	}
	for _, l := range e.Links {
		if episode.LinkID(l.Source, l.Target) == record {
			link(l)
			s.add("from: " + shownRecord(e, l.Source))
			s.add("to:   " + shownRecord(e, l.Target))
		}
	}
	if len(s.units) == 0 {
		return ""
	}
	for _, l := range e.Links {
		if l.Source == record || l.Target == record {
			link(l)
		}
	}
	s.add(episodeHead(e)[0])
	if log := e.Provenance.Source.Path; log != "" {
		if span, ok := e.Provenance.Spans[record]; ok {
			log += ":" + span.Range()
		}
		s.add("Log: " + name(log))
	}
	return s.String()
}

// shownRecord quotes what a decision or an event says.
func shownRecord(e *episode.Episode, record string) string {
	if d := e.Decision(record); d != nil {
		return uncut(query.WithQuestion(d.Context, d.Chosen))
	}
	if v := e.Event(record); v != nil {
		return uncut(v.Content)
	}
	return name(record)
}
