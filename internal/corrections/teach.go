package corrections

import (
	"slices"
	"strings"

	"episodes/episode"
	"episodes/keys"
)

// LessonRef is a reference to a lesson by its words.
func LessonRef(text string) *Ref { return &Ref{Kind: Lesson, Type: string(Lesson), Text: text} }

// Teach adds to an episode the records that a lesson stands for: of a choice a decision, of a fix the error and the
// recovery from it, of others a lesson. Where the rules found one on its lines, that is completed. who is as in
// Provenance.By. The lesson's phrasings of situations become questions that its record answers. It returns the record that a
// link of the lesson is of, "" if there is none.
func Teach(ep *episode.Episode, l episode.Lesson, who string) string {
	t := teaching{edit(ep), l, who}
	problem := "" // as a tool prints it, not what was tried or what one asks
	if i := slices.IndexFunc(l.When, func(w string) bool { return !strings.HasSuffix(w, "?") }); i >= 0 {
		problem = l.When[i]
	}
	id := ""
	switch {
	case l.Kind == episode.ChoiceLesson:
		id = t.decision(episode.Implementation)
	case l.Kind == episode.FixLesson:
		if id = t.decision(episode.Recovery); problem != "" {
			from := t.error(problem)
			t.link(from, id, episode.Causes, true)
			t.by(episode.LinkID(from, id), t.who)
		}
	default:
		id = t.lesson()
	}
	for _, w := range l.When {
		kind := "action"
		if l.Kind == episode.ChoiceLesson {
			kind = "choice"
		}
		has := slices.ContainsFunc(ep.Questions, func(q episode.Question) bool { return strings.EqualFold(q.Text, w) })
		if !has {
			ep.Questions = append(ep.Questions, episode.Question{Kind: kind, Text: w, Of: id, By: who})
		}
	}
	t.finish()
	if ep.Decision(id) == nil {
		r, _ := t.there(Event, string(episode.Error), l.Say)
		return r.id
	}
	return id
}

// Relate adds the link of two records that a relation of their lessons stands for.
func Relate(ep *episode.Episode, r episode.Relation, from, to, who string) {
	if typ := episode.LinkType(r.Type); from != "" && to != "" && from != to && slices.Contains(episode.LinkTypes(), typ) {
		e := edit(ep)
		e.link(from, to, typ, r.Stated == nil)
		e.by(episode.LinkID(from, to), who)
	}
}

type teaching struct {
	*editor
	l   episode.Lesson
	who string
}

// span is the first range of the lesson's lines.
func (t *teaching) span() (s episode.Span) {
	if len(t.l.Lines) > 0 {
		s = t.l.Lines[0]
	}
	return s
}

// there finds the record that says the same, or what the lesson says on the same lines.
func (t *teaching) there(kind Kind, typ, text string) (record, bool) {
	list := t.records(kind)
	i := slices.IndexFunc(list, func(r record) bool { return strings.EqualFold(r.text, text) })
	if i < 0 {
		i = slices.IndexFunc(list, func(r record) bool {
			return !r.hasNoLines && (kind == Decision || r.typ == typ) && overlaps(r.span, t.span()) && sameMatter(r.text, text)
		})
	}
	if i < 0 {
		return record{}, false
	}
	return list[i], true
}

// sameMatter reports whether two texts on the same lines share half of the words of the shorter.
func sameMatter(a, b string) bool {
	x, y := keys.Words(a), keys.Words(b)
	return 2*keys.Shared(x, y) >= max(1, min(len(x), len(y)))
}

// overlaps reports whether two ranges share at least half of the smaller.
func overlaps(a, b episode.Span) bool {
	shared := min(a[1], b[1]) - max(a[0], b[0]) + 1
	return b[0] > 0 && 2*shared >= min(a[1]-a[0], b[1]-b[0])+1
}

func (t *teaching) decision(typ episode.DecisionType) string {
	r, found := t.there(Decision, string(typ), t.l.Say)
	if !found {
		r = t.add(Decision, string(typ), t.l.Say, t.span())
		t.by(r.id, t.who)
	}
	d := t.ep.Decision(r.id)
	said := Entry{Why: t.l.Because}
	if strings.HasPrefix(t.who, AgentMark) { // while it worked
		said.Time = t.l.At
	}
	if t.l.Kind == episode.ChoiceLesson && len(t.l.When) > 0 {
		said.Context = t.l.When[0]
	}
	if t.l.Was != "" && t.l.Kind == episode.ChoiceLesson {
		said.Options = []string{d.Chosen}
		for _, o := range strings.Split(t.l.Was, "; ") {
			if !slices.Contains(said.Options, o) {
				said.Options = append(said.Options, o)
			}
		}
	}
	complete(d, said)
	if how, known := map[episode.Ending]episode.Outcome{"held": episode.Success, "failed": episode.Failure}[t.l.Outcome]; known && !d.Outcome.Known() {
		d.Outcome = how
	}
	return r.id
}

func (t *teaching) error(problem string) string {
	r, found := t.there(Event, string(episode.Error), problem)
	if !found {
		r = t.add(Event, string(episode.Error), problem, t.span())
		t.by(r.id, t.who)
	}
	return r.id
}

func (t *teaching) lesson() string {
	r, found := t.there(Lesson, string(Lesson), t.l.Say)
	if !found {
		r = t.add(Lesson, string(Lesson), t.l.Say, t.span())
		t.by(r.id, t.who)
	}
	return r.id
}
