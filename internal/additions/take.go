package additions

import (
	"encoding/json"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/corrections"
	"episodes/internal/lesson"
)

// Of is what entries that come in are of.
type Of struct {
	Episode *episode.Episode // joined
	Files   []*File          // that were joined to it
	Log     *lesson.Session  // nil: there is nothing to hold them to
	Tree    *lesson.Tree     // of the code that they may be about; nil: not known
	Commit  string           // of Tree
}

// Take holds entries to a session. added are those that a file is to be made of: what the episode has already is not
// among them. check lacks what is of the session.
func (o Of) Take(entries []lesson.Entry, check lesson.Check) (added []Entry, res lesson.Result) {
	check.Session, check.Log = SessionOf(o.Episode), o.Log
	for i := range entries {
		short(&entries[i])
	}
	last := map[string]string{} // what was said of each thing
	for _, l := range o.Episode.Taught {
		last[string(l.ID)] = string(l.ID)
	}
	for _, f := range o.Files {
		for _, e := range f.Entries {
			about, says := e.says()
			last[about] = says
		}
	}
	rules, records := o.dropped(entries)
	res = check.Take(rules)
	for _, e := range res.Taken {
		if l := e.Lesson; l != nil {
			l.Unchecked = false
			o.fill(l)
		}
		e.Session, e.Log = "", ""
		records = append(records, Entry{Entry: e})
	}
	for _, e := range records {
		about, says := e.says()
		if e.Lesson != nil && last[about] == says {
			if c := o.more(e.Lesson); c != nil {
				e = Entry{Entry: lesson.Entry{Correct: c}}
				about, says = e.says()
			}
		}
		if last[about] != says {
			last[about] = says
			added = append(added, e)
		}
	}
	return added, res
}

// short takes the episodes out of the references of an entry: an id names one lesson, wherever its episode moves to.
func short(e *lesson.Entry) {
	for _, r := range refs(e) {
		if id, l, found := strings.Cut(string(*r), "#"); found && episode.ValidID(id) {
			*r = lesson.Ref(l)
		}
	}
}

// Refs are the references of an entry to lessons.
func (e Entry) Refs() []*lesson.Ref { return refs(&e.Entry) }

func refs(e *lesson.Entry) []*lesson.Ref {
	switch {
	case e.Lesson != nil:
		return []*lesson.Ref{&e.Lesson.Mends}
	case e.Again != nil:
		return []*lesson.Ref{&e.Again.Of, &e.Again.Lesson}
	case e.Link != nil:
		return []*lesson.Ref{&e.Link.From, &e.Link.To}
	case e.Drop != nil:
		return []*lesson.Ref{&e.Drop.ID}
	case e.Correct != nil:
		return []*lesson.Ref{&e.Correct.Of}
	}
	return nil
}

// more is what a lesson that is said again has and the one that is there lacks; nil if nothing.
func (o Of) more(l *lesson.Lesson) *lesson.Correct {
	was := o.Episode.Lesson(string(l.ID))
	if was == nil {
		return nil
	}
	c := lesson.Correct{Of: l.ID}
	if was.Because == "" {
		c.Because = l.Because
	}
	if was.Was == "" {
		c.Was = l.Was
	}
	if len(was.When) == 0 {
		c.When = l.When
	}
	if c.Because+c.Was == "" && c.When == nil {
		return nil
	}
	return &c
}

// Says reports whether a file says these entries and nothing else.
func (f *File) Says(entries []Entry) bool {
	return slices.EqualFunc(f.Entries, entries, func(a, b Entry) bool {
		_, x := a.says()
		_, y := b.says()
		return x == y
	})
}

// fill fills in what holds on to the lines of a lesson and to the code that it touches.
func (o Of) fill(l *lesson.Lesson) {
	cited := l.Lines
	log := o.Log
	if log == nil {
		log, l.Lines = lesson.FromMarkdown(nil), nil
	}
	for _, at := range l.Lines {
		l.Anchors = append(l.Anchors, *log.Lines.Anchor(at))
	}
	if o.Tree != nil {
		lesson.Fill(l, log, o.Tree, o.Commit)
	}
	l.Lines = cited
}

// says is what an entry is about, and all that it says.
func (e Entry) says() (about, says string) {
	if e.Lesson != nil {
		return string(e.Lesson.ID), string(e.Lesson.ID)
	}
	var of any = e.Entry
	if e.Record != nil {
		r := *e.Record
		r.Time, r.By, r.Mark = "", "", ""
		of = r
	}
	data, _ := json.Marshal(of)
	switch says = string(data); {
	case e.Record != nil:
		return e.Record.About(), says
	case e.Outcome != nil:
		return "outcome", says
	case e.Correct != nil:
		return "correct " + string(e.Correct.Of), says
	}
	return says, says
}

// dropped makes of drops that name a record of the rules by its id, which changes with them, such that name it by its
// words. The others are returned as they are.
func (o Of) dropped(entries []lesson.Entry) (others []lesson.Entry, drops []Entry) {
	for _, e := range entries {
		if e.Drop != nil {
			if ref, ok := o.recordOf(e.Drop.ID); ok {
				drops = append(drops, Entry{Record: &corrections.Entry{Op: corrections.Drop, Record: ref}})
				continue
			}
		}
		others = append(others, e)
	}
	return others, drops
}

func (o Of) recordOf(id lesson.Ref) (*corrections.Ref, bool) {
	for _, l := range o.Episode.Taught {
		if l.ID == id && l.By == lesson.Rules {
			return corrections.LessonRef(l.Say), true
		}
	}
	return corrections.RefTo(o.Episode, o.Lines(), string(id))
}

// Lines are those of a document; nil for a transcript, whose records keep their places.
func (o Of) Lines() corrections.Lines {
	if o.Log != nil && o.Episode.Provenance.Source.Format == "markdown" {
		return o.Log.Lines
	}
	return nil
}
