package text

import (
	"fmt"

	"episodes/episode"
	"episodes/query"
)

// Record renders one record of an episode: a decision, an event, a lesson or a link. It
// is empty when there is no such record. tokens is the budget; 0 means EpisodeTokens.
func Record(e *episode.Episode, record string, tokens int) string {
	width := detail{width: maxItem, items: 100}
	s := &sheet{}
	link := func(l episode.Link) {
		s.add(fmt.Sprintf("%s %s %s", name(l.Source), query.LinkVerb(l.Type, e.Decision(l.Target) != nil),
			name(l.Target)) + saidBy(e, episode.LinkID(l.Source, l.Target)))
	}
	if d := e.Decision(record); d != nil {
		s.add(decisionLines(*d, width)...)
	} else if v := e.Event(record); v != nil {
		s.add(fmt.Sprintf("%s %s: %s", name(v.ID), v.Type, quote(v.Content, width.width)) + saidBy(e, v.ID))
	}
	for i, l := range e.Lessons {
		if episode.LessonID(i+1) == record {
			s.add(name(record) + " lesson: " + quote(l, width.width) + saidBy(e, record))
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
	s.add(episodeHead(e, width)[0])
	if where := e.Provenance.Source.Path; where != "" {
		if span, ok := e.Provenance.Spans[record]; ok && e.Provenance.Source.Unit == "" {
			where = fmt.Sprintf("%s:%d", where, span[0])
		}
		s.add("Log: " + name(where))
	}
	return s.cut(budget(tokens, EpisodeTokens))
}

// shownRecord quotes what a decision or an event says.
func shownRecord(e *episode.Episode, record string) string {
	if d := e.Decision(record); d != nil {
		return choice(d.Context, d.Chosen, maxItem)
	}
	if v := e.Event(record); v != nil {
		return quote(v.Content, maxItem)
	}
	return name(record)
}
