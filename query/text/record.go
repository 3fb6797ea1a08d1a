package text

import (
	"fmt"

	"episodes/episode"
	"episodes/query"
)

// Record renders one record of an episode whole: a decision, an event, a lesson or a link, with its links.
func Record(e *episode.Episode, record string) string {
	s, kind := &sheet{}, "lesson"
	if v := e.Event(record); v != nil {
		kind = string(v.Type)
	}
	if l := e.Lesson(record); l != nil {
		s.add(lessonLines(e, *l)...)
	} else if d := e.Decision(record); d != nil {
		s.add(decisionLines(*d)...)
	} else if text := query.RecordText(e, record); text != "" {
		s.add(name(record) + " " + kind + ": " + uncut(text) + saidBy(e, record))
	}
	for _, l := range e.Links {
		if l.Source == record || l.Target == record || episode.LinkID(l.Source, l.Target) == record {
			s.add(link(e, l), "  from: "+uncut(query.RecordText(e, l.Source)), "  to:   "+uncut(query.RecordText(e, l.Target)))
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

// link says what led to what.
func link(e *episode.Episode, l episode.Link) string {
	return fmt.Sprintf("%s %s %s", name(l.Source), query.LinkVerb(l.Type, e.Decision(l.Target) != nil), name(l.Target)) +
		saidBy(e, episode.LinkID(l.Source, l.Target))
}
