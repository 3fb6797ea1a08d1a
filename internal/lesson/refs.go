package lesson

import (
	"cmp"
	"slices"

	"episodes/episode"
)

// refer translates a reference: a name within the text, else one that the caller knows.
func (k *checker) refer(ref Ref) (Ref, *Reason) {
	id, named := k.names[ref]
	if !named {
		id = cmp.Or(k.Names[ref], ref)
	}
	if age := k.age(id); named && age != Same || age == Nowhere || age == Younger {
		return ref, refuse(BadRef, "No older lesson %.80q is known: name one that was shown, or one of this text that is taken.", ref)
	}
	return id, nil
}

func (k *checker) age(ref Ref) Age {
	switch {
	case k.own[ref]:
		return Same
	case k.Known == nil, ref == "":
		return Nowhere
	}
	return k.Known(ref)
}

// other checks an entry that is no lesson.
func (k *checker) other(e *Entry) *Reason {
	switch {
	case e.Again != nil:
		return k.again(e.Again)
	case e.Link != nil:
		return k.link(e.Link)
	case e.Outcome != nil:
		return k.ended(e.Outcome)
	case e.Drop != nil:
		return k.known([]*Ref{&e.Drop.ID}, &e.Drop.Why)
	case e.Correct != nil:
		return k.correct(e.Correct)
	case e.Forgotten != nil && k.By == Person: // what is forgotten is known no longer
		return nil
	}
	return refuse(BadForm, "Only a person forgets a lesson.")
}

// known translates references in place and checks texts.
func (k *checker) known(refs []*Ref, texts ...*string) (r *Reason) {
	for _, ref := range refs {
		if *ref, r = k.refer(*ref); r != nil {
			return r
		}
	}
	return k.safe(texts...)
}

// stated checks the lines of a relation. One without lines is one that nothing states.
func (k *checker) stated(l Lines, s **bool) *Reason {
	if len(l) == 0 {
		*s = new(bool)
	}
	if len(l) > MaxRanges {
		return refuse(BadForm, "%d ranges of lines are enough.", MaxRanges)
	}
	return k.lines(l)
}

func (k *checker) again(a *Again) *Reason {
	refs := []*Ref{&a.Of}
	if a.Lesson != "" {
		refs = append(refs, &a.Lesson)
	}
	if r := cmp.Or(oneOf(a.What, "met, held, failed, done, overtaken"), k.known(refs, &a.Remedy, &a.Say, &a.Why)); r != nil {
		return r
	}
	if a.Lesson == a.Of || max(len(a.Remedy), len(a.Say), len(a.Why)) > MaxSay {
		return refuse(BadForm, "remedy and say have %d bytes at most, and no lesson is a return of itself.", MaxSay)
	}
	id, none := k.refer(Ref(a.Remedy))
	a.Remedy = string(id)
	r := k.stated(a.Lines, &a.Stated)
	if r != nil || !k.holds() {
		return r
	}
	if none != nil {
		r = k.Log.foreign(a.Remedy)
	}
	if !k.Log.shows(a.Lines, Ending(a.What)) {
		a.What = "met" // it came back, and nothing shows how that ended
	}
	return r
}

func (k *checker) link(l *Link) *Reason {
	if r := cmp.Or(oneOf(l.Type, "causes, enables, prevents, supersedes, refutes, disagrees"), k.known([]*Ref{&l.From, &l.To})); r != nil {
		return r
	}
	from, to := k.age(l.From), k.age(l.To)
	switch leads := l.Type == "causes" || l.Type == "enables"; {
	case l.From == l.To, leads && from == Same && to == Older, (l.Type == "supersedes" || l.Type == "refutes") && from == Older && to == Same:
		return refuse(BadRef, "A link is between two lessons: causes and enables run from older to younger, supersedes and refutes from newer to older.")
	case leads && k.reaches(l.To, l.From, map[Ref]bool{}):
		return refuse(Cycle, "%s and %s would cause each other: leave out the weakest of these links.", l.From, l.To)
	case leads:
		k.leads[l.From] = append(k.leads[l.From], l.To)
	}
	return k.stated(l.Lines, &l.Stated)
}

// reaches reports whether causes lead from one lesson to another.
func (k *checker) reaches(from, to Ref, seen map[Ref]bool) bool {
	if from == to || seen[from] {
		return from == to
	}
	seen[from] = true
	return slices.ContainsFunc(k.leads[from], func(r Ref) bool { return k.reaches(r, to, seen) })
}

// ended checks the outcome of the session.
func (k *checker) ended(o *Outcome) *Reason {
	as := map[episode.Outcome]Ending{episode.Success: Held, episode.Failure: Failed}[o.Outcome]
	r := cmp.Or(oneOf(o.Outcome, "success, partial, failure, unknown"), k.lines(o.Lines))
	if r == nil && k.holds() && !k.Log.shows(o.Lines, as) {
		r = refuse(Unrelated, "On lines %s no check, printed result or person says %s.", o.Lines, o.Outcome)
	}
	return r
}

// correct checks what a correction says of a lesson.
func (k *checker) correct(c *Correct) *Reason {
	r := cmp.Or(k.known([]*Ref{&c.Of}, &c.Why), k.text(&c.Lesson, false))
	if r == nil && k.holds() {
		r = k.Log.foreign(c.Say, c.More, c.Because, c.Was)
	}
	return r
}
