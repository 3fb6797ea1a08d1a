package reader

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/corrections"
	"episodes/internal/lesson"
)

// translation makes entries of the lines of an answer.
type translation struct {
	draft   *episode.Episode
	log     corrections.Lines
	records map[string]string // of the draft, with their words; links too
	entries []lesson.Entry
	refused []Refusal
	drops   int
}

func newTranslation(draft *episode.Episode, log corrections.Lines) *translation {
	t := &translation{draft: draft, log: log, records: map[string]string{}}
	for _, d := range draft.Decisions {
		t.records[d.ID] = d.Chosen
	}
	for _, e := range draft.Events {
		t.records[e.ID] = e.Content
	}
	for i, text := range draft.Lessons {
		t.records[episode.LessonID(i+1)] = text
	}
	for _, l := range draft.Taught {
		t.records[string(l.ID)] = l.Say
	}
	for _, l := range draft.Links {
		t.records[episode.LinkID(l.Source, l.Target)] = string(l.Type)
	}
	return t
}

func (t *translation) refuse(l line, why string) {
	t.refused = append(t.refused, Refusal{l.number, episode.Shorten(l.text, maxText), why, l.verb == link})
}

// put adds an entry of a line.
func (t *translation) put(l line, e lesson.Entry) string {
	e.Line = l.number
	t.entries = append(t.entries, e)
	return ""
}

// all translates lines: links and questions last, since they are about lessons.
func (t *translation) all(list []line) {
	list = t.latest(list)
	slices.SortStableFunc(list, func(a, b line) int { return cmp.Compare(max(a.verb, outcome), max(b.verb, outcome)) })
	for _, l := range list {
		if why := t.one(l); why != "" {
			t.refuse(l, why)
		}
	}
}

// latest leaves of lines about one thing the last, so that a second answer mends a first. A drop of what the answer adds
// takes it back.
func (t *translation) latest(list []line) (out []line) {
	own, last := map[string]bool{}, map[string]int{}
	for _, l := range list {
		own[l.id] = own[l.id] || l.verb == add || l.verb == link
	}
	for i, l := range list {
		if (l.verb == drop || l.verb == change) && !own[l.id] {
			list[i].id = t.inDraft(l.id)
		}
		last[list[i].id] = i
	}
	for i, l := range list {
		if last[l.id] == i && !(l.verb == drop && own[l.id] && t.records[l.id] == "") {
			out = append(out, l)
		}
	}
	return out
}

const (
	maxSpan   = 60 // lines that a line of an answer may cite at once
	nearLines = 20 // how far from them a reason may stand
)

// one translates a line; it says what is wrong with it.
func (t *translation) one(l line) string {
	for _, s := range l.at {
		switch {
		case !t.log.Has(s):
			return fmt.Sprintf("the log has no lines %s: it ends at %d", s.Range(), len(t.log))
		case s[1]-s[0] >= maxSpan:
			return fmt.Sprintf("%d lines are too many: cite the smallest range", s[1]-s[0]+1)
		}
	}
	switch {
	case l.entry != nil:
		return t.put(l, *l.entry)
	case l.verb == drop:
		return t.drop(l)
	case l.verb == outcome:
		return t.put(l, lesson.Entry{Outcome: &lesson.Outcome{Outcome: episode.Outcome(l.outcome), Lines: l.at}})
	case l.verb == link:
		return t.link(l)
	case l.verb == question:
		return t.question(l)
	}
	return t.record(l)
}

// inDraft is the id in the draft of what a line names: d2 is short for d002.
func (t *translation) inDraft(id string) string {
	n := strings.TrimLeft(id, "del")
	for _, zeros := range []string{"", "0", "00"} {
		if long := strings.TrimSuffix(id, n) + zeros + n; t.records[long] != "" {
			return long
		}
	}
	return id
}

func (t *translation) drop(l line) string {
	switch {
	case t.records[l.id] == "":
		return fmt.Sprintf("the draft has no %s", l.id)
	case t.measured(l.id):
		return fmt.Sprintf("%s is what a command did: a reader cannot drop it", l.id)
	case t.drops >= (len(t.records)+1)/2:
		return "an answer may drop half of the draft"
	}
	t.drops++
	d := lesson.Drop{ID: lesson.Ref(l.id), Why: l.why}
	for i, taught := range t.draft.Taught {
		if l.id == episode.LessonID(i+1) {
			d.ID = taught.ID
		}
	}
	return t.put(l, lesson.Entry{Drop: &d})
}

// measured reports whether a record shows what a command of a transcript did. Other logs only say it.
func (t *translation) measured(id string) bool {
	ev, format := t.draft.Event(id), t.draft.Provenance.Source.Format
	return ev != nil && format != "markdown" && format != "session-json" &&
		slices.Contains([]episode.EventType{episode.Error, episode.Test, episode.Commit, episode.ToolCall}, ev.Type)
}

// endings are those of what a decision was about.
var endings = map[string]lesson.Ending{"success": lesson.Held, "failure": lesson.Failed, "partial": lesson.Unknown}

// record makes a lesson of a line about a record. One of the draft keeps its words if the line has none.
func (t *translation) record(l line) string {
	le := &lesson.Lesson{ID: lesson.Ref(l.id), Lines: l.at, Outcome: cmp.Or(endings[l.outcome], lesson.Ending(l.outcome))}
	switch decides := l.id[0] == 'd'; {
	case l.verb == change && t.records[l.id] == "":
		return fmt.Sprintf("the draft has no %s; a new record begins with +", l.id)
	case l.id[0] == 'l', !decides && l.typ == string(episode.Error):
		le.Kind = lesson.Trap
	case decides && l.typ == string(episode.Recovery):
		le.Kind = lesson.Fix
	case decides && corrections.KnownType(corrections.Decision, l.typ):
		le.Kind = lesson.Choice
	default:
		return fmt.Sprintf("%q makes no lesson: decisions (d) and errors (x) do, and what commands did is measured", l.typ)
	}
	say, _ := take(passage(t.log, l.at), l.quote)
	if l.verb == change && l.quote == "" {
		if say = t.records[l.id]; l.id[0] == 'd' {
			le.Because = t.draft.Decision(l.id).Rationale
		}
		if s, ok := t.draft.Provenance.Spans[l.id]; ok {
			le.Lines = lesson.Lines{s}
		}
		if le.Outcome != "" {
			le.Proof = l.at
		}
	}
	if hasWords(l.why) {
		near := episode.Span{max(1, l.at[0][0]-nearLines), min(len(t.log), l.at[0][1]+nearLines)}
		_, because := take(passage(t.log, lesson.Lines{near}), l.why)
		le.Because = cmp.Or(because, l.why)
	}
	le.Because = episode.Shorten(le.Because, lesson.MaxField-len(" …"))
	return t.teach(l, le, cmp.Or(say, l.quote))
}

// teach adds a lesson that says something.
func (t *translation) teach(l line, le *lesson.Lesson, say string) string {
	if !hasWords(say) {
		return fmt.Sprintf("there is no sentence on lines %s", l.at)
	}
	le.Say, le.More = episode.CutLesson(episode.Shorten(say, episode.MaxTold-len(" …")))
	return t.put(l, lesson.Entry{Lesson: le})
}

// link links two lessons of the answer.
func (t *translation) link(l line) string {
	named := func(id string) bool {
		return slices.ContainsFunc(t.entries, func(e lesson.Entry) bool { return e.Lesson != nil && string(e.Lesson.ID) == id })
	}
	ends := []string{l.from, l.to}
	for i, id := range ends {
		if !named(id) {
			ends[i] = t.inDraft(id)
		}
		if !named(ends[i]) {
			return fmt.Sprintf("%s is no lesson of the answer, as both ends of a link are: give it a line of its own", id)
		}
	}
	return t.put(l, lesson.Entry{Link: &lesson.Link{Type: episode.RelationType(l.typ), From: lesson.Ref(ends[0]), To: lesson.Ref(ends[1]), Lines: l.at}})
}

// question makes a phrasing of the lesson that shares most of its lines, else a lesson of what stands on them.
func (t *translation) question(l line) string {
	if len(strings.Fields(l.quote)) > lesson.MaxWords || !hasWords(l.quote) {
		return fmt.Sprintf("a question has 1 to %d words", lesson.MaxWords)
	}
	var best *lesson.Lesson
	most := 0
	for _, e := range t.entries {
		if e.Lesson != nil && shared(e.Lesson.Lines, l.at) > most {
			best, most = e.Lesson, shared(e.Lesson.Lines, l.at)
		}
	}
	if best == nil {
		best = &lesson.Lesson{Kind: lesson.Trap, Lines: l.at}
		if l.typ == "choice" {
			best.Kind = lesson.Choice
		}
		say, _ := take(passage(t.log, l.at), "")
		if why := t.teach(l, best, say); why != "" {
			return why
		}
	}
	if len(best.When) == lesson.MaxWhen {
		return fmt.Sprintf("the lesson on these lines has %d questions already", lesson.MaxWhen)
	}
	best.When = append(best.When, l.quote)
	return ""
}

// shared is how many lines two lists of ranges have in common.
func shared(a, b lesson.Lines) (n int) {
	for _, x := range a {
		for _, y := range b {
			n += max(0, min(x[1], y[1])-max(x[0], y[0])+1)
		}
	}
	return n
}
