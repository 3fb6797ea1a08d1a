package corrections

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/plain"
)

// Dropped is an entry that no longer holds, and why.
type Dropped struct {
	Entry Entry
	Why   string
}

// String says what was dropped.
func (d Dropped) String() string {
	return fmt.Sprintf("a correction by %s no longer holds (%s): %s", strings.TrimSuffix(plain.Cut(plain.Words(d.Entry.By), 80), " says"),
		d.Entry.Subject(), d.Why)
}

// Subject describes what an entry is about, in few words.
func (e Entry) Subject() string {
	words := func(r *Ref) string {
		if r.Kind == Outcome {
			return "the outcome"
		}
		return string(r.Kind) + " " + plain.Quote(r.Text, 60)
	}
	switch e.Op {
	case SetOutcome:
		return "outcome " + string(e.Outcome)
	case SetTask:
		return "the task"
	case PutLink, DropLink:
		return "link from " + words(e.From) + " to " + words(e.To)
	case Put, Drop, State:
		return string(e.Op) + " " + words(e.Record)
	case Ask:
		return "the question " + plain.Quote(e.Text, 60)
	}
	return plain.Name(string(e.Op), 40)
}

// Apply corrects an episode: first what readers said, then agents, then persons, each in its
// order. It returns the entries that no longer hold. The episode is not sealed afterwards.
// Applying the same again changes nothing more.
func Apply(ep *episode.Episode, log Lines, entries []Entry) []Dropped {
	a := &application{editor: edit(ep), log: &finder{log: log}}
	ordered := slices.Clone(entries)
	slices.SortStableFunc(ordered, func(x, y Entry) int { return cmp.Compare(x.rank(), y.rank()) })
	var out []Dropped
	contested := differ(outcomes(entries))
	for _, e := range ordered {
		why := isDisputed
		if !e.FromReader() || e.Op != SetOutcome || !contested {
			why = a.apply(e)
		}
		if why != "" {
			out = append(out, Dropped{e, why})
		}
	}
	a.finish()
	return out
}

type application struct {
	*editor
	log *finder
	was []record // records before entries changed them

	dropped []*Ref // their links went with them
}

// rank: readers before agents before persons, and questions about what these leave.
func (e Entry) rank() int {
	switch {
	case e.Op == Ask:
		return 3
	case e.FromReader():
		return 0
	case e.FromAgent():
		return 1
	}
	return 2
}

const (
	linesGone = "its lines are not in the log any more"
	endGone   = "one of its ends is not in the log any more"
	unknownOp = "this version of the program knows no such correction"
	isShown   = "the log shows what came of it"

	isDisputed = "another reader says otherwise, so neither counts"
	isMeasured = "a check in the log shows the outcome"
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
		if e.FromReader() && Measured(a.ep) {
			if e.Outcome != a.ep.Outcome {
				return isMeasured
			}
			return "" // the same, which is measured
		}
		if e.FromAgent() && !a.mayState(episode.OutcomeRef, a.ep.Outcome) {
			return isShown
		}
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
			a.takeAway(r)
		}
		a.dropped = append(a.dropped, e.Record)
	case PutLink, DropLink:
		return a.applyLink(e, at)
	case State:
		a.state(e)
	case Ask:
		return a.ask(e, at)
	case Read:
	default:
		return unknownOp
	}
	return ""
}

// takeAway removes a record and notes what it was.
func (a *application) takeAway(r record) {
	a.was = append(a.was, r)
	a.remove(r)
	if r.kind != Lesson {
		return
	}
	for i, w := range a.was { // lessons after it have moved up
		switch n, gone := number(w.id), number(r.id); {
		case w.kind != Lesson:
		case n == gone:
			a.was[i].id = ""
		case n > gone:
			a.was[i].id = episode.LessonID(n - 1)
		}
	}
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
	r, where := a.resolve(e.after(), true)
	if where != found {
		r, where = a.resolve(e.Record, e.New)
	}
	switch where {
	case gone:
		return linesGone
	case missing:
		span, _ := a.log.find(e.Record.At)
		r = a.add(e.Record.Kind, cmp.Or(e.Record.Type, e.Type), cmp.Or(e.Record.Text, e.Text), span)
	case found:
		if d := a.ep.Decision(r.id); e.FromAgent() && d != nil && e.Outcome != "" && !a.mayState(r.id, d.Outcome) {
			return isShown
		}
		a.was = append(a.was, r)
	}
	a.change(r, e)
	if e.At != nil && e.Text != "" {
		a.ep.Provenance.Spans[r.id] = at
	}
	a.by(r.id, e.By)
	return ""
}

// mayState reports whether an agent's word on an outcome counts: what a log shows, or a
// person or a reader said, is not overruled by it.
func (a *application) mayState(id string, now episode.Outcome) bool {
	by := a.ep.Provenance.By[id]
	return !now.Known() && by != Person || marked(by, AgentMark)
}

// state adds what an agent states. Where the log has a record with these words already, it
// stays the log's, and gets only what it lacks.
func (a *application) state(e Entry) {
	r, where := a.resolve(e.Record, true)
	if where != found {
		r = a.add(e.Record.Kind, e.Record.Type, e.Record.Text, episode.Span{})
		a.by(r.id, e.By)
	}
	if r.kind == Decision {
		complete(a.ep.Decision(r.id), e)
	}
}

// ask adds a question, unless the episode has it or has as many as count.
func (a *application) ask(e Entry, at episode.Span) string {
	q := episode.Question{Kind: e.Type, Text: e.Text, Lines: at, By: e.By}
	if e.At == nil {
		r, where := a.resolve(e.Record, true)
		if where != found {
			return linesGone
		}
		q.Of = r.id
	}
	has := slices.ContainsFunc(a.ep.Questions, func(old episode.Question) bool { return strings.EqualFold(old.Text, q.Text) })
	switch {
	case has:
	case len(a.ep.Questions) >= episode.MaxQuestions:
		return fmt.Sprintf("a log has at most %d questions", episode.MaxQuestions)
	default:
		a.ep.Questions = append(a.ep.Questions, q)
	}
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
	switch {
	case !ok1 && a.dropsRecord(e.From), !ok2 && a.dropsRecord(e.To):
		return ""
	case !ok1 || !ok2 || from == to:
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

// dropsRecord reports whether an entry took the record away, and its links with it.
func (a *application) dropsRecord(r *Ref) bool {
	return slices.ContainsFunc(a.dropped, func(d *Ref) bool { return reflect.DeepEqual(d, r) })
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
// same lines, else with the same words there, else the one that had these words until an
// entry changed it, else the only one of its type that has exactly these lines. byWords:
// only one that has the same words.
func (a *application) resolve(ref *Ref, byWords bool) (record, where) {
	if !a.log.spend(lineWork * (len(a.ep.Decisions) + len(a.ep.Events) + len(a.ep.Lessons) + len(a.was))) {
		return record{}, gone
	}
	var span episode.Span
	anchored := ref.At != nil
	if anchored {
		var ok bool
		if span, ok = a.log.find(ref.At); !ok {
			return record{}, gone
		}
	}
	like := func(r record) int { return likeness(r, ref, span, anchored) }
	all := a.records(ref.Kind)
	best, points, alike := likest(all, like)
	if points <= weak && !byWords {
		if w, p, _ := likest(a.was, like); p > weak { // it was changed, or taken away
			i := slices.IndexFunc(all, func(r record) bool { return r.id == w.id })
			points = 0
			if i >= 0 {
				best, points = all[i], p
			}
		}
	}
	switch {
	case points > weak, points == weak && alike == 1 && !byWords:
		return best, found
	case !anchored || ref.At.Hash == "":
		return record{}, gone // nothing shows that its lines still say the same
	}
	return record{}, missing
}

// likest returns the first of the records with most points, and how many have as many.
func likest(all []record, like func(record) int) (best record, points, alike int) {
	for _, r := range all {
		switch p := like(r); {
		case p > points:
			best, points, alike = r, p, 1
		case p == points:
			alike++
		}
	}
	return best, points, alike
}

const weak = 1

func likeness(r record, ref *Ref, span episode.Span, anchored bool) int {
	if r.kind != ref.Kind {
		return 0
	}
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
