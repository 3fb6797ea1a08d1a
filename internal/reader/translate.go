package reader

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"episodes/episode"
	"episodes/internal/corrections"
	"episodes/internal/lesson"
)

// translation makes entries of the lines of an answer.
type translation struct {
	draft   *episode.Episode
	log     corrections.Lines
	records map[string]string // of the draft, with their words
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
	return t
}

func (t *translation) refuse(l line, why string) {
	t.refused = append(t.refused, Refusal{Line: l.number, Text: l.text, Reason: why, follows: l.verb == link})
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
	for _, pass := range [][]verb{{outcome, drop, change, add}, {link}, {question}} {
		for _, l := range list {
			if !slices.Contains(pass, l.verb) {
				continue
			}
			if why := t.one(l); why != "" {
				t.refuse(l, why)
			}
		}
	}
	slices.SortStableFunc(t.refused, func(a, b Refusal) int { return cmp.Compare(a.Line, b.Line) })
}

// latest leaves of several lines about one thing the last, so that a second answer mends a first. A drop of what the answer
// itself adds takes that back.
func (t *translation) latest(list []line) (out []line) {
	own, last := map[string]bool{}, map[string]int{}
	about := make([]string, len(list))
	for i, l := range list {
		switch about[i] = l.id; {
		case l.entry != nil && l.entry.Lesson != nil && l.entry.Lesson.ID != "":
			about[i] = string(l.entry.Lesson.ID)
		case l.entry != nil:
			about[i] = fmt.Sprint("line ", i)
			continue
		case l.verb == link:
			about[i] = episode.LinkID(l.id, l.to)
		case l.verb == question:
			about[i] = "? " + l.quote
			continue
		case l.verb != add:
			continue
		}
		own[about[i]] = true
	}
	for i, l := range list {
		if (l.verb == drop || l.verb == change) && !own[l.id] {
			about[i] = t.inDraft(l.id)
			list[i].id = about[i]
		}
		last[about[i]] = i
	}
	for i, l := range list {
		if last[about[i]] == i && !(l.verb == drop && own[l.id] && !t.has(l.id)) {
			out = append(out, l)
		}
	}
	return out
}

// one translates a line; it says what is wrong with it.
func (t *translation) one(l line) string {
	switch {
	case l.entry != nil:
		return t.put(l, *l.entry)
	case l.verb == drop:
		return t.drop(l)
	}
	for _, s := range l.at {
		switch {
		case !t.log.Has(s):
			return fmt.Sprintf("the log has no lines %s: it ends at %d", s.Range(), len(t.log))
		case s[1]-s[0] >= maxSpan:
			return fmt.Sprintf("%d lines are too many: cite the smallest range", s[1]-s[0]+1)
		}
	}
	switch l.verb {
	case outcome:
		return t.put(l, lesson.Entry{Outcome: &lesson.Outcome{Outcome: episode.Outcome(l.outcome), Lines: l.at}})
	case link:
		return t.link(l)
	case question:
		return t.question(l)
	}
	return t.record(l)
}

// maxSpan is how many lines an answer may cite at once.
const maxSpan = 60

// inDraft is the id in the draft of what a line names: d2 is short for d002.
func (t *translation) inDraft(id string) string {
	if n, err := strconv.Atoi(strings.TrimLeft(id, "del")); err == nil && t.records[id] == "" {
		if long := fmt.Sprintf("%s%03d", id[:1], n); t.records[long] != "" {
			return long
		}
	}
	return id
}

// has reports whether the draft has a record, link or lesson.
func (t *translation) has(id string) bool {
	return t.records[id] != "" ||
		slices.ContainsFunc(t.draft.Links, func(l episode.Link) bool { return episode.LinkID(l.Source, l.Target) == id }) ||
		slices.ContainsFunc(t.draft.Taught, func(l lesson.Lesson) bool { return string(l.ID) == id })
}

func (t *translation) drop(l line) string {
	id := l.id
	switch most := max(1, len(t.records)/2); {
	case !t.has(id):
		return fmt.Sprintf("the draft has no %s", id)
	case measured(t.draft, id):
		return fmt.Sprintf("%s is what a command did: a reader cannot drop it", id)
	case t.drops >= most && !strings.Contains(id, ">"):
		return "an answer may drop half of the records of the draft"
	case !strings.Contains(id, ">"):
		t.drops++
	}
	d := lesson.Drop{ID: lesson.Ref(id), Why: l.why}
	for i, taught := range t.draft.Taught {
		if id == episode.LessonID(i+1) {
			d.ID = taught.ID
		}
	}
	return t.put(l, lesson.Entry{Drop: &d})
}

// measured reports whether a record shows what a command of a transcript did. Other logs only say it.
func measured(ep *episode.Episode, id string) bool {
	if format := ep.Provenance.Source.Format; format == "markdown" || format == "session-json" {
		return false
	}
	ev := ep.Event(id)
	return ev != nil && slices.Contains([]episode.EventType{episode.Error, episode.Test, episode.Commit, episode.ToolCall}, ev.Type)
}

// endings are those of what a decision was about.
var endings = map[string]lesson.Ending{"success": lesson.Held, "failure": lesson.Failed, "partial": lesson.Unknown}

// record makes a lesson of a line about a record. Without words of its own a record of the draft keeps those that it has.
func (t *translation) record(l line) string {
	kind, why := kindOf(l)
	if why != "" {
		return why
	}
	text := passage(t.log, l.at)
	say, _ := take(text, l.quote)
	le := &lesson.Lesson{ID: lesson.Ref(l.id), Kind: kind, Lines: l.at, Outcome: cmp.Or(endings[l.outcome], lesson.Ending(l.outcome))}
	if l.verb == change {
		if t.records[l.id] == "" {
			return fmt.Sprintf("the draft has no %s; a new record begins with +", l.id)
		}
		if d := t.draft.Decision(l.id); d != nil {
			le.Because = d.Rationale
		}
		if s, ok := t.draft.Provenance.Spans[l.id]; l.quote == "" {
			if say = t.records[l.id]; ok {
				le.Lines = lesson.Lines{s}
			}
			if le.Outcome != "" {
				le.Proof = l.at
			}
		}
	} else if t.records[l.id] != "" {
		return fmt.Sprintf("%s is a record of the draft: take another number", l.id)
	}
	if say = cmp.Or(say, l.quote); !hasWords(say) {
		return fmt.Sprintf("there are no words on lines %s", l.at)
	}
	le.Say, le.More = lesson.Cut(episode.Shorten(say, lesson.MaxTold-len(" …")))
	if hasWords(l.why) {
		_, because := take(text, l.why)
		if because == "" {
			_, because = take(passage(t.log, t.near(l.at)), l.why)
		}
		le.Because = cmp.Or(because, l.why)
	}
	le.Because = episode.Shorten(le.Because, lesson.MaxField-len(" …"))
	return t.put(l, lesson.Entry{Lesson: le})
}

// kindOf is the kind of lesson that a line about a record makes.
func kindOf(l line) (lesson.Kind, string) {
	decides, happens := l.id[0] == 'd', l.id[0] == 'x' || l.id[0] == 'e'
	switch {
	case l.id[0] == 'l', happens && l.typ == string(episode.Error):
		return lesson.Trap, ""
	case decides && l.typ == string(episode.Recovery):
		return lesson.Fix, ""
	case decides && corrections.KnownType(corrections.Decision, l.typ):
		return lesson.Choice, ""
	case happens && corrections.KnownType(corrections.Event, l.typ):
		return "", fmt.Sprintf("of events only an error is a lesson; what commands did is measured, so no %s is taken", l.typ)
	case decides || happens:
		return "", fmt.Sprintf("%q is no type of %s", l.typ, map[bool]string{true: "a decision", false: "an event"}[decides])
	}
	return "", "a new record is +d1, +x1 or +l1"
}

// nearLines is how far from the lines of a decision its reason may stand.
const nearLines = 20

// near are the lines around ranges.
func (t *translation) near(at lesson.Lines) (out lesson.Lines) {
	for _, s := range at {
		out = append(out, episode.Span{max(1, s[0]-nearLines), min(len(t.log), s[1]+nearLines)})
	}
	return out
}

// lesson is the one of the answer that a line names.
func (t *translation) lesson(id string) *lesson.Lesson {
	for _, e := range t.entries {
		if e.Lesson != nil && string(e.Lesson.ID) == id {
			return e.Lesson
		}
	}
	return nil
}

func (t *translation) link(l line) string {
	var ends [2]lesson.Ref
	if l.to == episode.OutcomeRef {
		return "links lead between lessons, not to the outcome"
	}
	for i, id := range []string{l.id, l.to} {
		if t.lesson(id) == nil {
			id = t.inDraft(id)
		}
		if t.lesson(id) == nil {
			return fmt.Sprintf("%s is no lesson of the answer: give it a line of its own (ID TYPE LINES), so that a link can name it", id)
		}
		ends[i] = lesson.Ref(id)
	}
	return t.put(l, lesson.Entry{Link: &lesson.Link{Type: lesson.LinkType(l.typ), From: ends[0], To: ends[1], Lines: l.at}})
}

// question makes a phrasing of the lesson whose lines it shares, or else a lesson of what stands on its lines.
func (t *translation) question(l line) string {
	switch {
	case !slices.Contains(episode.QuestionKinds(), l.typ):
		return fmt.Sprintf("%q is no kind of question: %s", l.typ, strings.Join(episode.QuestionKinds(), ", "))
	case len(strings.Fields(l.quote)) > lesson.MaxWords || !hasWords(l.quote):
		return fmt.Sprintf("a question has 1 to %d words", lesson.MaxWords)
	}
	var best *lesson.Lesson
	most := 0
	for _, e := range t.entries {
		if e.Lesson == nil {
			continue
		}
		if n := shared(e.Lesson.Lines, l.at); n > most {
			best, most = e.Lesson, n
		}
	}
	if best == nil {
		say, _ := take(passage(t.log, l.at), "")
		if !hasWords(say) {
			return fmt.Sprintf("there are no words on lines %s", l.at)
		}
		best = &lesson.Lesson{Kind: t.kindOn(l), Lines: l.at}
		best.Say, best.More = lesson.Cut(episode.Shorten(say, lesson.MaxTold-len(" …")))
		t.put(l, lesson.Entry{Lesson: best})
	}
	if len(best.When) == lesson.MaxWhen {
		return fmt.Sprintf("the lesson on these lines has %d questions, which is enough", lesson.MaxWhen)
	}
	best.When = append(best.When, l.quote)
	return ""
}

// kindOn is the kind of the lesson on lines that a question is about.
func (t *translation) kindOn(l line) lesson.Kind {
	for _, d := range t.draft.Decisions {
		if s, ok := t.draft.Provenance.Spans[d.ID]; ok && d.Type == episode.Recovery && shared(lesson.Lines{s}, l.at) > 0 {
			return lesson.Fix
		}
	}
	if l.typ == "choice" {
		return lesson.Choice
	}
	return lesson.Trap
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
