package additions

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"episodes/episode"
	"episodes/internal/corrections"
	"episodes/internal/lesson"
	"episodes/redact"
)

// Join adds to an episode of the rules what old corrections and then files say, of which all count. log, if it is here, is
// what they are held to once more. It returns what was left out, and why.
func Join(ep *episode.Episode, old []corrections.Entry, files []*File, log *lesson.Session, r *redact.Redactor) (leftOut []string) {
	j := &joining{ep: ep, log: log, redact: r, gone: map[lesson.Ref]bool{}, forgotten: map[lesson.Ref]bool{}, at: map[lesson.Ref]int{}}
	j.apply(old)
	for _, f := range files {
		for _, e := range f.Entries {
			if e.Forgotten != nil {
				j.forgotten[e.Forgotten.ID] = true
			}
		}
	}
	for _, l := range ep.Taught {
		j.add(l, string(lesson.Rules))
	}
	for _, f := range files {
		j.file(f)
	}
	j.correct()
	maps.Copy(j.gone, j.forgotten)
	ep.Taught = slices.DeleteFunc(slices.Clone(j.lessons), func(l episode.Lesson) bool { return j.gone[l.ID] })
	j.records()
	return j.leftOut
}

type joining struct {
	ep     *episode.Episode
	log    *lesson.Session
	redact *redact.Redactor
	gone   map[lesson.Ref]bool // forgotten, dropped, or wrong

	forgotten map[lesson.Ref]bool
	lessons   []episode.Lesson
	who       []string           // of lessons
	at        map[lesson.Ref]int // of lessons
	fixes     []fix
	said      []related
	entries   []corrections.Entry // about records
	leftOut   []string
}

// related is a relation, and who says it.
type related struct {
	episode.Relation
	who string
}

// fix is a correction of a lesson.
type fix struct {
	*lesson.Correct
	of *File
}

func (j *joining) left(f *File, format string, args ...any) {
	j.leftOut = append(j.leftOut, "of additions "+f.Hash+": "+fmt.Sprintf(format, args...))
}

// add adds a lesson, unless it is there.
func (j *joining) add(l episode.Lesson, who string) {
	if _, there := j.at[l.ID]; !there {
		j.at[l.ID] = len(j.lessons)
		j.lessons, j.who = append(j.lessons, l), append(j.who, who)
	}
}

// file takes in what a file says that holds.
func (j *joining) file(f *File) {
	for _, err := range f.Bad {
		j.left(f, "%v", err)
	}
	var held []lesson.Entry // to the log
	for _, e := range f.Entries {
		switch {
		case e.Record != nil:
			if r := e.Record.Record; e.Record.Op == corrections.Drop && r.Kind == corrections.Lesson {
				j.dropped(r.Text)
			}
			j.entries = append(j.entries, f.correction(e))
		case e.Forgotten != nil:
		case e.Lesson != nil && !j.find(e.Lesson) && f.By != lesson.Person:
			j.left(f, "%s by %s no longer holds (%.60q): its lines are not in the log any more", e.Lesson.Kind, f.who(), e.Lesson.Say)
		default:
			held = append(held, e.Entry)
		}
	}
	check := lesson.Check{By: f.By, Session: SessionOf(j.ep), Log: j.log, Stored: true, Redact: j.redact,
		Known: func(lesson.Ref) lesson.Age { return lesson.Unordered }}
	taken := check.Take(held)
	for _, r := range taken.Refused {
		j.left(f, "%s", r.Text)
	}
	for _, e := range taken.Taken {
		j.take(f, e)
	}
}

// correction is an entry about a record or the outcome.
func (f *File) correction(e Entry) corrections.Entry {
	if e.Record != nil {
		c := *e.Record
		c.By, c.Time = f.who(), cmp.Or(c.Time, f.At)
		return c
	}
	c := corrections.Entry{By: f.who(), Op: corrections.SetOutcome, Outcome: e.Outcome.Outcome, Time: f.At}
	if len(e.Outcome.Lines) > 0 {
		c.At = &episode.Anchor{Lines: e.Outcome.Lines[0]}
	}
	return c
}

// Corrections are the entries of files that are about records or outcomes.
func Corrections(files []*File) (out []corrections.Entry) {
	for _, f := range files {
		for _, e := range f.Entries {
			if e.Record != nil || e.Outcome != nil {
				out = append(out, f.correction(e))
			}
		}
	}
	return out
}

// dropped takes away the lesson of the rules that says so.
func (j *joining) dropped(say string) {
	for _, l := range j.lessons {
		if l.By == lesson.Rules && l.Say == say {
			j.gone[l.ID] = true
		}
	}
}

// find brings the lines of a lesson to where the log has them now. It is false where it has them no more.
func (j *joining) find(l *episode.Lesson) bool {
	if j.log == nil || len(l.Anchors) != len(l.Lines) {
		return true
	}
	for i := range l.Anchors {
		at, ok := j.log.Lines.Find(&l.Anchors[i])
		if !ok {
			return false
		}
		l.Lines[i] = at
	}
	return true
}

func (j *joining) take(f *File, e lesson.Entry) {
	switch {
	case e.Lesson != nil:
		e.Lesson.By, e.Lesson.At = f.By, f.At
		j.add(*e.Lesson, f.who())
	case e.Correct != nil:
		j.fixes = append(j.fixes, fix{e.Correct, f})
	case e.Drop != nil:
		j.gone[e.Drop.ID] = true
	case e.Outcome != nil:
		j.entries = append(j.entries, f.correction(Entry{Entry: e}))
	case e.Again != nil:
		j.ep.Again = append(j.ep.Again, *e.Again)
	case e.Link != nil:
		j.ep.Relations = append(j.ep.Relations, *e.Link)
		j.said = append(j.said, related{*e.Link, f.who()})
	}
}

// correct applies the corrections of lessons: the last word is a person's, then the latest.
func (j *joining) correct() {
	slices.SortStableFunc(j.fixes, func(a, b fix) int {
		person := func(f fix) int { return map[bool]int{true: 1}[f.of.By == lesson.Person] }
		return cmp.Or(person(a)-person(b), a.of.time().Compare(b.of.time()), cmp.Compare(a.of.Hash, b.of.Hash))
	})
	for _, f := range j.fixes {
		i, there := j.at[f.Of]
		switch {
		case !there:
			j.left(f.of, "it corrects %s, which is not here", f.Of)
		case f.Wrong:
			j.gone[f.Of] = true
		default:
			delete(j.gone, f.Of)
			j.lessons[i] = corrected(j.lessons[i], f.Lesson)
			j.who[i] = f.of.who()
		}
	}
}

// corrected is a lesson with what a correction says of it.
func corrected(l, by episode.Lesson) episode.Lesson {
	l.Kind, l.Because, l.Was, l.Outcome = cmp.Or(by.Kind, l.Kind), cmp.Or(by.Because, l.Because), cmp.Or(by.Was, l.Was), cmp.Or(by.Outcome, l.Outcome)
	if by.Say != "" {
		l.Say, l.More = by.Say, by.More
	}
	if len(by.When) > 0 {
		l.When = by.When
	}
	return l
}

// records brings the records of the episode in step with its lessons, and then corrects them.
func (j *joining) records() {
	ends := map[lesson.Ref]string{}
	var gone []corrections.Entry // lessons of the rules; some are no records
	for i, l := range j.lessons {
		own := j.who[i] == string(lesson.Rules)
		switch {
		case !own && !j.gone[l.ID]:
			j.place(l, j.who[i])
			ends[l.ID] = corrections.Teach(j.ep, l, j.who[i])
		case l.By == lesson.Rules && (j.gone[l.ID] || !own):
			gone = append(gone, corrections.Entry{By: j.who[i], Op: corrections.Drop, Record: corrections.LessonRef(l.Say)})
		}
	}
	for _, s := range j.said {
		corrections.Relate(j.ep, s.Relation, ends[s.From], ends[s.To], s.who)
	}
	j.apply(j.entries)
	corrections.Apply(j.ep, nil, gone)
}

// apply applies corrections of records.
func (j *joining) apply(entries []corrections.Entry) {
	for _, d := range corrections.Apply(j.ep, Of{Episode: j.ep, Log: j.log}.Lines(), entries) {
		j.leftOut = append(j.leftOut, d.String())
	}
}

// place notes where a lesson stands and who says it.
func (j *joining) place(l episode.Lesson, who string) {
	p := &j.ep.Provenance
	if p.By == nil {
		p.By = map[string]string{}
	}
	p.By[string(l.ID)] = who
	if p.Spans == nil {
		p.Spans = map[string]episode.Span{}
	}
	if len(l.Lines) > 0 {
		p.Spans[string(l.ID)] = l.Lines[0]
	}
}

// SessionOf is what the ids of an episode's lessons are made of.
func SessionOf(ep *episode.Episode) string {
	return cmp.Or(ep.Provenance.Source.Session, ep.ID)
}
