package lesson

import (
	"slices"
	"strings"

	"episodes/episode"
)

// refer translates a reference: a name within the text, else one that the caller knows.
func (k *checker) refer(ref Ref) (Ref, *Reason) {
	if id, ok := k.names[ref]; ok {
		if id == "" {
			return "", refuse(BadRef, "It names %q, which was refused.", ref)
		}
		return id, nil
	}
	switch k.age(ref) {
	case Nowhere:
		return "", refuse(BadRef, "No lesson %.80q is known here: name one of this text or one that was shown.", ref)
	case Younger:
		return "", refuse(BadRef, "%q is of a younger session: name what came before.", ref)
	}
	return ref, nil
}

func (k *checker) age(ref Ref) Age {
	switch {
	case k.own[ref]:
		return Same
	case k.Known == nil || ref == "":
		return Nowhere
	}
	return k.Known(ref)
}

// follow notes that one lesson leads to another, unless that closes a circle.
func (k *checker) follow(group string, from, to Ref) *Reason {
	g := k.follows[group]
	seen := map[Ref]bool{}
	var leads func(at Ref) bool
	leads = func(at Ref) bool {
		if at == from {
			return true
		}
		if seen[at] {
			return false
		}
		seen[at] = true
		return slices.ContainsFunc(g[at], leads)
	}
	if leads(to) {
		return refuse(Cycle, "%s and %s lead to each other: leave out the weakest of these.", from, to)
	}
	g[from] = append(g[from], to)
	return nil
}

// other checks an entry that is no lesson.
func (k *checker) other(e *Entry) *Reason {
	switch {
	case e.Again != nil:
		a := *e.Again
		e.Again = &a
		return k.again(&a)
	case e.Link != nil:
		l := *e.Link
		e.Link = &l
		return k.link(&l)
	case e.Outcome != nil:
		return k.ended(e.Outcome)
	case e.Drop != nil:
		d := *e.Drop
		e.Drop = &d
		if r := k.safe(&d.Why); r != nil {
			return r
		}
		return k.known(&d.ID)
	case e.Correct != nil:
		c := *e.Correct
		e.Correct = &c
		return k.correct(&c)
	case e.Forgotten != nil:
		f := *e.Forgotten
		e.Forgotten = &f
		if k.By != Person {
			return refuse(BadForm, "Only a person forgets a lesson.")
		}
		return nil // what is forgotten is known no longer
	}
	return refuse(BadForm, "The line has nothing that can be kept.")
}

// known translates a reference in place.
func (k *checker) known(ref *Ref) *Reason {
	id, r := k.refer(*ref)
	if r == nil {
		*ref = id
	}
	return r
}

// stated checks the lines of a relation. A relation without lines is one that nothing states.
func (k *checker) stated(l Lines, s **bool) *Reason {
	if len(l) == 0 {
		no := false
		*s = &no
		return nil
	}
	if len(l) > MaxRanges {
		return refuse(BadForm, "%d ranges of lines are enough.", MaxRanges)
	}
	if k.Log == nil {
		return nil
	}
	return k.lines("lines", l)
}

func (k *checker) again(a *Again) *Reason {
	if !slices.Contains([]What{Met, HeldAgain, FailedNow, Done, Overtaken}, a.What) {
		return refuse(BadForm, "%q is not what can become of a lesson: met, held, failed, done, overtaken.", a.What)
	}
	if r := k.known(&a.Of); r != nil {
		return r
	}
	if a.Lesson != "" {
		if r := k.known(&a.Lesson); r != nil {
			return r
		}
		if a.Lesson == a.Of {
			return refuse(BadRef, "A lesson is no return of itself.")
		}
	}
	if id, r := k.refer(Ref(a.Remedy)); r == nil {
		a.Remedy = string(id)
	}
	if r := k.safe(&a.Remedy, &a.Say); r != nil {
		return r
	}
	if len(a.Remedy) > MaxSay || len(a.Say) > MaxSay {
		return refuse(BadForm, "remedy and say have %d bytes at most.", MaxSay)
	}
	if r := k.stated(a.Lines, &a.Stated); r != nil || k.Log == nil || k.By == Person {
		return r
	}
	if k.age(Ref(a.Remedy)) == Nowhere {
		if w := k.Log.foreign(a.Remedy); w != "" {
			return refuse(Foreign, "%q does not occur in the session: use its own words for the remedy.", w)
		}
	}
	if a.What == HeldAgain && !k.Log.shows(a.Lines, true) || a.What == FailedNow && !k.Log.shows(a.Lines, false) {
		a.What = Met // it came back, and nothing shows how that ended
	}
	return nil
}

func (k *checker) link(l *Link) *Reason {
	if !slices.Contains([]LinkType{Causes, Enables, Prevents, Supersedes, Refutes, Disagrees}, l.Type) {
		return refuse(BadForm, "%q is no link: causes, enables, prevents, supersedes, refutes, disagrees.", l.Type)
	}
	for _, ref := range []*Ref{&l.From, &l.To} {
		if r := k.known(ref); r != nil {
			return r
		}
	}
	leads := l.Type == Causes || l.Type == Enables
	switch from, to := k.age(l.From), k.age(l.To); {
	case l.From == l.To:
		return refuse(BadRef, "A link is between two lessons.")
	case leads && from == Same && to == Older:
		return refuse(BadRef, "%s runs from the older lesson to the younger: %s is of an earlier session.", l.Type, l.To)
	case (l.Type == Supersedes || l.Type == Refutes) && from == Older && to == Same:
		return refuse(BadRef, "%s runs from the newer lesson to the older: %s is of an earlier session.", l.Type, l.From)
	}
	if r := k.stated(l.Lines, &l.Stated); r != nil {
		return r
	}
	if leads {
		return k.follow("", l.From, l.To)
	}
	return nil
}

// ended checks the outcome of the session.
func (k *checker) ended(o *Outcome) *Reason {
	if !slices.Contains(episode.Outcomes(), o.Outcome) {
		return refuse(BadForm, "%q is no outcome of a session: success, partial, failure, unknown.", o.Outcome)
	}
	if k.By == Person || k.Log == nil {
		return nil
	}
	if r := k.lines("lines", o.Lines); r != nil {
		return r
	}
	if o.Outcome == episode.Success && !k.Log.shows(o.Lines, true) || o.Outcome == episode.Failure && !k.Log.shows(o.Lines, false) {
		return refuse(Unrelated, "On lines %s no check, printed result or person says %s.", o.Lines, o.Outcome)
	}
	return nil
}

// correct checks a correction. Only a person's own words need nothing in the session.
func (k *checker) correct(c *Correct) *Reason {
	if r := k.known(&c.Of); r != nil {
		return r
	}
	l := Lesson{Kind: c.Kind, When: c.When, Say: c.Say, More: c.More, Because: c.Because, Was: c.Was, Outcome: c.Outcome}
	if l.Kind == "" {
		l.Kind = Fix // any outcome goes
	}
	if strings.TrimSpace(l.Say) == "" {
		l.Say = "-" // stays
	}
	if r := l.form(); r != nil {
		return r
	}
	texts := []*string{&l.Say, &l.More, &l.Because, &l.Was, &c.Why}
	l.When = slices.Clone(l.When)
	for i := range l.When {
		texts = append(texts, &l.When[i])
	}
	if r := k.safe(texts...); r != nil {
		return r
	}
	if r := l.lengths(); r != nil {
		return r
	}
	if k.Log != nil && k.By != Person {
		for _, text := range []string{l.Say, l.More, l.Because, l.Was} {
			if w := k.Log.foreign(text); w != "" {
				return refuse(Foreign, "%q does not occur in the session: use its own words for it.", w)
			}
		}
	}
	if c.Say != "" {
		c.Say, c.More = l.Say, l.More
	}
	c.When, c.Because, c.Was = l.When, l.Because, l.Was
	return nil
}
