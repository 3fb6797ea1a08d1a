package text

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"episodes/episode"
	"episodes/internal/plain"
	"episodes/query"
)

// Episode renders one session whole.
func Episode(e *episode.Episode, private bool) string {
	s := &sheet{}
	head := episodeHead(e)
	if private {
		head[0] += ", private"
	}
	s.add(head...)
	section(s, "Decisions", whole, e.Decisions, func(x episode.Decision) []string {
		lines := decisionLines(x)
		lines[0] += where(e, x.ID)
		return lines
	})
	said := map[string]bool{}
	section(s, "Lessons", whole, e.Taught, func(l episode.Lesson) []string {
		said[l.Say] = true
		return lessonLines(e, l)
	})
	title, lesson := "Lessons", 0
	if len(said) > 0 {
		title = "Other lessons"
	}
	others := slices.DeleteFunc(slices.Clone(e.Lessons), func(l string) bool { return said[l] })
	section(s, title, whole, others, func(l string) []string {
		for lesson < len(e.Lessons) && e.Lessons[lesson] != l {
			lesson++
		}
		lesson++
		id := episode.LessonID(lesson)
		return []string{id + " " + uncut(l) + where(e, id)}
	})
	var checks, commits, other []episode.Event
	for _, v := range e.Events {
		switch v.Type {
		case episode.Error, episode.Test:
			checks = append(checks, v)
		case episode.Commit:
			commits = append(commits, v)
		default:
			other = append(other, v)
		}
	}
	line := func(v episode.Event) []string {
		as := string(v.Type)
		if v.Outcome != "" {
			as += " (" + string(v.Outcome) + ")"
		}
		return []string{fmt.Sprintf("%s %s: %s", name(v.ID), as, uncut(v.Content)) + where(e, v.ID)}
	}
	section(s, "Errors and tests", whole, checks, line)
	section(s, "What led to what", whole, e.Links, func(l episode.Link) []string { return []string{link(e, l)} })
	section(s, "Also happened", whole, other, line)
	section(s, "Commits", whole, commits, line)
	questions := slices.DeleteFunc(slices.Clone(e.Questions), func(q episode.Question) bool {
		return slices.ContainsFunc(e.Taught, func(l episode.Lesson) bool { return slices.Contains(l.When, q.Text) })
	})
	section(s, "Questions that lead here", whole, questions, func(q episode.Question) []string {
		at := ":" + q.Lines.Range()
		if q.Of != "" {
			at = name(q.Of)
		}
		return []string{fmt.Sprintf("%s, %s: %s", plain.Name(q.Kind, maxItem), at, uncut(q.Text)) + by(q.By)}
	})
	section(s, "Memories of Serena", whole, query.SerenaMemories(e), func(m query.SerenaMemory) []string {
		return []string{name(m.Name) + " (" + name(m.Record) + ")"}
	})
	if p := e.Provenance.Source.Path; p != "" {
		s.addf("Log: %s", name(p))
	}
	return s.String()
}

// lessonLines renders a lesson: what it says, on what it stands, when it is needed.
func lessonLines(e *episode.Episode, l episode.Lesson) []string {
	id := string(l.ID)
	line := name(id) + " " + plain.Name(string(l.Kind), maxItem) + ": " + uncut(l.Say)
	if l.Outcome != "" {
		line += " → " + plain.Name(string(l.Outcome), maxItem)
	}
	at := ""
	if len(l.Lines) > 0 {
		at = " (:" + l.Lines[0].Range() + ")"
	}
	if l.Unchecked {
		at += " (unchecked)"
	}
	lines := []string{line + at + saidBy(e, id)}
	for _, x := range [][2]string{{"", l.More}, {"because: ", l.Because}, {"before: ", l.Was}, {"mends: ", string(l.Mends)}} {
		if x[1] != "" {
			lines = append(lines, x[0]+uncut(x[1]))
		}
	}
	for _, w := range l.When {
		lines = append(lines, "when: "+uncut(w))
	}
	for _, t := range l.Touches {
		lines = append(lines, "touches: "+strings.TrimSpace(name(t.File)+" "+plain.Name(t.Symbol, maxItem)+" "+plain.Name(t.State, maxItem)))
	}
	return lines
}

// mostStated is more than a person may say of one record.
const mostStated = 2048

// whole is every entry.
var whole = detail{mostStated, noBudget}

func uncut(s string) string { return full(s, whole.width) }

// where is the place of a record in its log, with its source.
func where(e *episode.Episode, id string) string {
	at := ""
	if span := e.Provenance.Spans[id]; span[0] > 0 {
		at = " (:" + span.Range() + ")"
	}
	return at + saidBy(e, id)
}

func episodeHead(e *episode.Episode) []string {
	outcome := string(cmp.Or(e.Outcome, episode.Unknown))
	if slices.Contains([]episode.OutcomeSource{episode.Measured, episode.Stated, episode.Default}, e.OutcomeSource) {
		outcome += " (" + string(e.OutcomeSource) + ")"
	}
	if state := stateOf(e.State, e.SupersededBy, maxItem); state != "" {
		outcome += ", " + state
	}
	lines := []string{fmt.Sprintf("%s: %s", name(e.ID), outcome) + saidBy(e, episode.OutcomeRef)}
	if e.Task != "" {
		lines = append(lines, "Task: "+uncut(e.Task)+saidBy(e, "task"))
	}
	if e.Instance != "" {
		lines = append(lines, "Worked on: "+plain.Name(e.Instance, maxItem))
	}
	if t, ok := e.Time(); ok {
		layout := "2006-01-02 15:04 MST"
		if t.UTC().Equal(t.UTC().Truncate(24 * time.Hour)) {
			layout = time.DateOnly // the log gives a date only
		}
		lines = append(lines, "Began: "+t.Format(layout))
	}
	if m := Metrics(e.Metrics); m != "" {
		lines = append(lines, "Measured: "+m)
	}
	return lines
}

// saidBy returns the source of a record that the rules did not find: "person" or "reader" and
// a name.
func saidBy(e *episode.Episode, id string) string {
	return by(e.Provenance.By[id])
}

// by names who said something, in brackets; "" for the rules.
func by(name string) string {
	who, called, _ := strings.Cut(name, " ")
	switch {
	case who == "":
		return ""
	case name == episode.FileSays:
		return " (" + name + ")"
	case called == "":
		return " (" + plain.Name(who, 40) + ")"
	}
	return " (" + plain.Name(who, 40) + " " + plain.Name(called, 40) + ")"
}

// Metrics describes what a log measures.
func Metrics(m episode.Metrics) string {
	var parts []string
	if m.DurationMinutes != nil {
		parts = append(parts, fmt.Sprintf("%g minutes", *m.DurationMinutes))
	}
	for _, x := range []struct {
		n    *int
		what string
	}{{m.ToolCalls, "tool call"}, {m.Errors, "error"}, {m.Commits, "commit"}, {m.FilesChanged, "changed file"}} {
		if x.n != nil {
			parts = append(parts, plain.Plural(*x.n, x.what))
		}
	}
	if m.Recoveries != nil {
		parts = append(parts, fmt.Sprintf("recovered %d times", *m.Recoveries))
	}
	if m.Reward != nil {
		parts = append(parts, fmt.Sprintf("reward %.3g", *m.Reward))
	}
	if m.Tokens != nil {
		parts = append(parts, plain.Plural(*m.Tokens, "token"))
	}
	if m.CostUSD != nil {
		parts = append(parts, fmt.Sprintf("$%.2f", *m.CostUSD))
	}
	return strings.Join(parts, ", ")
}

// section adds a headed list, or nothing when it is empty. An entry may take
// several lines.
func section[T any](s *sheet, head string, d detail, list []T, entry func(T) []string) {
	for i, x := range list {
		if i == d.items {
			s.addf("- and %d more", len(list)-i)
			return
		}
		var lines []string
		if i == 0 {
			lines = append(lines, head+":")
		}
		mark := "- "
		for _, l := range entry(x) {
			lines = append(lines, mark+l)
			mark = "  "
		}
		s.add(lines...)
	}
}

// decisionLines renders a decision: what was chosen, what was not, and why.
func decisionLines(x episode.Decision) []string {
	line := name(x.ID) + " " + uncut(query.WithQuestion(x.Context, x.Chosen))
	if x.Outcome.Known() {
		line += " → " + string(x.Outcome)
	}
	if x.Superseded != nil {
		line += ", superseded"
		if *x.Superseded != "" {
			line += " by " + uncut(*x.Superseded)
		}
	}
	lines := []string{line}
	if r := rejected(x, whole); r != "" {
		lines = append(lines, "not: "+r)
	}
	if x.Rationale != "" {
		lines = append(lines, "because: "+uncut(x.Rationale))
	}
	return lines
}

func rejected(x episode.Decision, d detail) string {
	var out []string
	for _, o := range x.Options {
		if o != x.Chosen && len(out) < d.items {
			out = append(out, full(o, d.width))
		}
	}
	return strings.Join(out, ", ")
}

// Decisions renders the decisions of an episode in order. tokens is the budget; 0 means
// none.
func Decisions(l *query.DecisionList, tokens int) string {
	s := &sheet{}
	head := fmt.Sprintf("%s of %s, which came to %s", plain.Plural(len(l.Decisions), "decision"), name(l.Episode),
		cmp.Or(l.Outcome, episode.Unknown))
	if len(l.Decisions) == 0 {
		s.add(head)
	}
	section(s, head, whole, l.Decisions, decisionLines)
	return s.cut(budget(tokens, noBudget))
}

// stateOf is the state of an episode with the record that took its place, "" without one.
func stateOf(s episode.State, by string, width int) string {
	if by == "" {
		return string(s)
	}
	return string(s) + " by " + quote(by, width)
}

// listLine renders one episode of a list on one line, without a line end.
func listLine(e query.EpisodeSummary) string {
	date := "----------"
	if len(e.Timestamp) >= len(date) {
		if _, err := time.Parse(time.DateOnly, e.Timestamp[:len(date)]); err == nil {
			date = e.Timestamp[:len(date)]
		}
	}
	task := ""
	if strings.TrimSpace(e.Task) != "" {
		task = quote(e.Task, 100)
	}
	id := name(e.ID)
	if e.Private {
		id += " (private)"
	}
	if state := stateOf(e.State, e.SupersededBy, 100); state != "" {
		id += " (" + state + ")"
	}
	if e.By != "" {
		id += " (by " + plain.Line(e.By) + ")" // quoted by now
	}
	return fmt.Sprintf("%s  %-7s  %s  %s", date, cmp.Or(e.Outcome, episode.Unknown), id, task)
}

// List renders a list of episodes, a line each. tokens is the budget; 0 means none.
func List(l *query.EpisodeList, tokens int) string {
	s := &sheet{}
	if len(l.Episodes) == 0 {
		newest := ""
		if date, _, _ := strings.Cut(l.Newest, "T"); date != "" {
			newest = " The newest of all is of " + name(date) + "."
		}
		s.add("No episode fits." + newest)
	}
	for _, e := range l.Episodes {
		s.add(strings.TrimRight(listLine(e), " "))
	}
	if l.Older > 0 {
		s.addf("and %d older: --after %s lists them", l.Older, name(strings.TrimPrefix(l.Next, episode.IDFromSession(""))))
	}
	return s.cut(budget(tokens, noBudget))
}
