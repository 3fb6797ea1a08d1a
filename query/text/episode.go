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

// Episode renders one session. tokens is the budget; 0 means EpisodeTokens.
func Episode(e *episode.Episode, private bool, tokens int) string {
	return fit(budget(tokens, EpisodeTokens), func(d detail) *sheet {
		s := &sheet{}
		head := episodeHead(e, d)
		if private {
			head[0] += ", private"
		}
		s.add(head...)
		section(s, "Decisions", d, e.Decisions, func(x episode.Decision) []string {
			lines := decisionLines(x, d)
			lines[0] += saidBy(e, x.ID)
			return lines
		})
		lesson := 0
		section(s, "Lessons", d, e.Lessons, func(l string) []string {
			lesson++
			return []string{quote(l, 2*d.width) + saidBy(e, episode.LessonID(lesson))}
		})
		var checks, other []episode.Event
		commits := 0
		for _, v := range e.Events {
			switch v.Type {
			case episode.Error, episode.Test:
				checks = append(checks, v)
			case episode.Commit:
				commits++
			default:
				other = append(other, v)
			}
		}
		line := func(v episode.Event) []string {
			as := string(v.Type)
			if v.Outcome != "" {
				as += " (" + string(v.Outcome) + ")"
			}
			return []string{fmt.Sprintf("%s %s: %s", name(v.ID), as, quote(v.Content, d.width)) + saidBy(e, v.ID)}
		}
		section(s, "Errors and tests", d, checks, line)
		section(s, "What led to what", d, e.Links, func(l episode.Link) []string {
			return []string{fmt.Sprintf("%s %s %s", name(l.Source),
				query.LinkVerb(l.Type, e.Decision(l.Target) != nil),
				name(l.Target)) + saidBy(e, episode.LinkID(l.Source, l.Target))}
		})
		section(s, "Also happened", d, other, line)
		if commits > 0 {
			s.addf("Commits: %d", commits)
		}
		section(s, "Questions that lead here", d, e.Questions, func(q episode.Question) []string {
			at := fmt.Sprintf("lines %d-%d", q.Lines[0], q.Lines[1])
			if q.Of != "" {
				at = name(q.Of)
			}
			return []string{fmt.Sprintf("%s, %s: %s", plain.Name(q.Kind, maxItem), at, quote(q.Text, d.width)) + by(q.By)}
		})
		section(s, "Memories of Serena", d, query.SerenaMemories(e), func(m query.SerenaMemory) []string {
			return []string{plain.Name(m.Name, min(d.width, maxItem)) + " (" + name(m.Record) + ")"}
		})
		if p := e.Provenance.Source.Path; p != "" {
			s.addf("Log: %s", plain.Name(p, min(d.width, maxItem)))
		}
		return s
	})
}

func episodeHead(e *episode.Episode, d detail) []string {
	outcome := string(cmp.Or(e.Outcome, episode.Unknown))
	if slices.Contains([]episode.OutcomeSource{episode.Measured, episode.Stated, episode.Default}, e.OutcomeSource) {
		outcome += " (" + string(e.OutcomeSource) + ")"
	}
	if state := stateOf(e.State, e.SupersededBy, d.width); state != "" {
		outcome += ", " + state
	}
	lines := []string{fmt.Sprintf("%s: %s", name(e.ID), outcome) + saidBy(e, episode.OutcomeRef)}
	if e.Task != "" {
		lines = append(lines, "Task: "+quote(e.Task, 2*d.width)+saidBy(e, "task"))
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
func decisionLines(x episode.Decision, d detail) []string {
	line := name(x.ID) + " " + choice(x.Context, x.Chosen, d.width)
	if x.Outcome.Known() {
		line += " → " + string(x.Outcome)
	}
	if x.Superseded != nil {
		line += ", superseded"
		if *x.Superseded != "" {
			line += " by " + quote(*x.Superseded, d.width)
		}
	}
	lines := []string{line}
	if r := rejected(x, d); r != "" {
		lines = append(lines, "not: "+r)
	}
	if x.Rationale != "" {
		lines = append(lines, "because: "+quote(x.Rationale, d.width))
	}
	return lines
}

// choice quotes a question, if there is one, and what was chosen.
func choice(question, chosen string, width int) string {
	width = min(width, maxItem/2)
	return quote(query.WithQuestion(short(question, width), short(chosen, width)), maxItem)
}

func rejected(x episode.Decision, d detail) string {
	var out []string
	for _, o := range x.Options {
		if o != x.Chosen && len(out) < d.items {
			out = append(out, quote(o, d.width))
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
	section(s, head, detail{400, 1000}, l.Decisions, func(x episode.Decision) []string { return decisionLines(x, detail{400, 100}) })
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
