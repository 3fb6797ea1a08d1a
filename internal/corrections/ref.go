package corrections

import (
	"slices"
	"strings"

	"episodes/episode"
)

// RefTo makes a reference to a record by its id, so that it is found again when its id or
// its lines have changed. It is false when there is no such record.
func RefTo(ep *episode.Episode, log Lines, id string) (*Ref, bool) {
	if id == episode.OutcomeRef {
		return &Ref{Kind: Outcome}, true
	}
	r, ok := recordOf(ep, id)
	if !ok {
		return nil, false
	}
	ref := &Ref{Kind: r.kind, Type: r.typ, Text: r.text}
	if !r.hasNoLines {
		ref.At = log.Anchor(r.span)
	}
	return ref, true
}

func recordOf(ep *episode.Episode, id string) (record, bool) {
	e := &editor{ep: ep}
	for _, k := range []Kind{Decision, Event, Lesson} {
		list := e.records(k)
		if i := slices.IndexFunc(list, func(r record) bool { return r.id == id }); i >= 0 {
			return list[i], true
		}
	}
	return record{}, false
}

// Describe says in words what an episode holds at a place: a record, a link, the task or
// the outcome ("" for the task, or with outcome the outcome, of the session).
func Describe(ep *episode.Episode, id string, outcome bool) string {
	switch {
	case id == episode.OutcomeRef, id == "" && outcome:
		return string(ep.Outcome)
	case id == "" || id == "task":
		return ep.Task
	}
	for _, l := range ep.Links {
		if episode.LinkID(l.Source, l.Target) == id {
			return string(l.Type)
		}
	}
	r, _ := recordOf(ep, id)
	if d := ep.Decision(id); d != nil && outcome {
		return r.text + " (" + string(d.Outcome) + ")"
	}
	return r.text
}

// IDOf returns the id of the record that has the words of a reference, or "".
func IDOf(ep *episode.Episode, ref *Ref) string {
	if ref == nil {
		return ""
	}
	for _, r := range (&editor{ep: ep}).records(ref.Kind) {
		if strings.Join(strings.Fields(r.text), " ") == ref.Text {
			return r.id
		}
	}
	return ""
}
