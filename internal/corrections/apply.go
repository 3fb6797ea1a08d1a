package corrections

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"episodes/episode"
)

// Dropped is an entry that no longer holds, and why.
type Dropped struct {
	Entry Entry
	Why   string
}

// String says what was dropped.
func (d Dropped) String() string {
	return fmt.Sprintf("a correction by %s no longer holds (%s): %s", d.Entry.By, d.Entry.Subject(), d.Why)
}

// Subject describes what an entry is about, in few words.
func (e Entry) Subject() string {
	words := func(r *Ref) string {
		if r.Kind == Outcome {
			return "the outcome"
		}
		text := strings.Join(strings.Fields(r.Text), " ")
		if len(text) > 60 {
			text = strings.ToValidUTF8(text[:60], "") + " …"
		}
		return fmt.Sprintf("%s %q", r.Kind, text)
	}
	switch e.Op {
	case SetOutcome:
		return "outcome " + string(e.Outcome)
	case SetTask:
		return "the task"
	case PutLink, DropLink:
		return "link from " + words(e.From) + " to " + words(e.To)
	case Read:
		return "what a reader has seen"
	}
	return string(e.Op) + " " + words(e.Record)
}

// Apply corrects an episode: first what readers said, then what persons said, each in
// its order. It returns what no longer holds: such entries change nothing. The episode is
// not sealed afterwards. Applying the same to its result changes nothing more.
func Apply(ep *episode.Episode, log Lines, entries []Entry) []Dropped {
	a := &application{editor: edit(ep), log: &finder{log: log}}
	ordered := slices.Clone(entries)
	slices.SortStableFunc(ordered, func(x, y Entry) int { return cmp.Compare(x.rank(), y.rank()) })
	var out []Dropped
	for _, e := range ordered {
		if why := a.apply(e); why != "" {
			out = append(out, Dropped{e, why})
		}
	}
	a.finish()
	return out
}

type application struct {
	*editor
	log *finder
}

// rank: readers before persons.
func (e Entry) rank() int {
	if e.FromReader() {
		return 0
	}
	return 1
}

const (
	linesGone = "its lines are not in the log any more"
	endGone   = "one of its ends is not in the log any more"
)

// apply does one entry; the answer says why it could not.
func (a *application) apply(e Entry) string {
	var at episode.Span
	if e.At != nil {
		var ok bool
		if at, ok = a.log.find(e.At); !ok {
			return linesGone
		}
	}
	switch e.Op {
	case SetOutcome:
		a.setOutcome(e, at)
	case SetTask:
		a.ep.Task = e.Text
		delete(a.ep.Provenance.Spans, "task")
		a.by("task", e.By)
	case Put:
		return a.put(e, at)
	case Drop:
		r, where := a.resolve(e.Record, false)
		if where == gone {
			return linesGone
		}
		if where == found {
			a.remove(r)
		}
	case PutLink, DropLink:
		return a.applyLink(e, at)
	}
	return ""
}

// setOutcome: what a person says is on no line of the log.
func (a *application) setOutcome(e Entry, at episode.Span) {
	a.ep.Outcome, a.ep.OutcomeSource = e.Outcome, episode.Stated
	if !e.FromReader() || e.At == nil {
		delete(a.ep.Provenance.Spans, episode.OutcomeRef)
	} else {
		a.ep.Provenance.Spans[episode.OutcomeRef] = at
	}
	a.by(episode.OutcomeRef, e.By)
	if e.Outcome.Known() {
		return
	}
	a.ep.OutcomeSource = ""
	for _, l := range slices.Clone(a.ep.Links) {
		if l.Target == episode.OutcomeRef {
			a.unlink(l.Source, l.Target)
		}
	}
}

func (a *application) put(e Entry, at episode.Span) string {
	r, where := a.resolve(e.after(), e.New)
	if where != found {
		r, where = a.resolve(e.Record, e.New)
	}
	switch where {
	case gone:
		return linesGone
	case missing:
		span, _ := a.log.find(e.Record.At)
		r = a.add(e.Record.Kind, cmp.Or(e.Record.Type, e.Type), cmp.Or(e.Record.Text, e.Text), span)
	}
	a.change(r, e)
	if e.At != nil && e.Text != "" {
		a.ep.Provenance.Spans[r.id] = at
	}
	a.by(r.id, e.By)
	return ""
}

// after is the reference to the record of a Put once it is done.
func (e Entry) after() *Ref {
	r := *e.Record
	r.Type, r.Text = cmp.Or(e.Type, r.Type), cmp.Or(e.Text, r.Text)
	if e.At != nil && e.Text != "" {
		r.At = e.At
	}
	return &r
}

func (a *application) applyLink(e Entry, at episode.Span) string {
	from, ok1 := a.end(e.From)
	to, ok2 := a.end(e.To)
	if !ok1 || !ok2 || from == to {
		return endGone
	}
	if e.Op == DropLink {
		a.unlink(from, to)
		return ""
	}
	if to == episode.OutcomeRef && !a.ep.Outcome.Known() {
		return "the outcome is not known"
	}
	a.link(from, to, episode.LinkType(e.Type), e.Explicit)
	id := episode.LinkID(from, to)
	if e.At != nil {
		a.ep.Provenance.Spans[id] = at
	}
	a.by(id, e.By)
	return ""
}

func (a *application) end(r *Ref) (id string, ok bool) {
	if r.Kind == Outcome {
		return episode.OutcomeRef, true
	}
	rec, where := a.resolve(r, false)
	return rec.id, where == found
}

// where a record is.
type where int

const (
	found   where = iota
	missing       // its lines are there, but no such record
	gone          // its lines are not there
)

// resolve finds the record that a reference means: the one with the same words on the
// same lines, else with the same words there, else the only one of its type that has
// exactly these lines. byWords: only one with the same words.
func (a *application) resolve(ref *Ref, byWords bool) (record, where) {
	var span episode.Span
	anchored := ref.At != nil
	if anchored {
		var ok bool
		if span, ok = a.log.find(ref.At); !ok {
			return record{}, gone
		}
	}
	var best record
	points := 0
	for _, r := range a.records(ref.Kind) {
		p := likeness(r, ref, span, anchored)
		switch {
		case p == weak && byWords:
		case p > points:
			best, points = r, p
		case p == points && p == weak:
			return record{}, missing // two that it could be
		}
	}
	switch {
	case points > 0:
		return best, found
	case !anchored || ref.At.Hash == "":
		return record{}, gone // nothing shows that its lines still say the same
	}
	return record{}, missing
}

const weak = 1

func likeness(r record, ref *Ref, span episode.Span, anchored bool) int {
	same := strings.Join(strings.Fields(r.text), " ") == strings.Join(strings.Fields(ref.Text), " ")
	onLines := anchored && !r.hasNoLines && r.span == span
	near := !anchored || r.hasNoLines || ref.At.Hash == "" || r.span[0] <= span[1] && span[0] <= r.span[1]
	p := 0
	switch {
	case same && onLines:
		p = 8
	case same && near:
		p = 5
	case onLines && r.typ == ref.Type && ref.At.Hash != "":
		return weak
	}
	if p > 0 && r.typ == ref.Type {
		p++
	}
	return p
}
