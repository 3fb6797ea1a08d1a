package ask

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"episodes/internal/additions"
	"episodes/internal/gitdir"
	"episodes/internal/lesson"
	"episodes/internal/term"
)

// RecordFromRequest is a text of what was said about several sessions, one JSON object a line, as lessons.md has them.
type RecordFromRequest struct {
	Text string
	By   string // reader (also for ""), agent or person
}

// Check refuses a text of which a line is no JSON, and then all of it.
func (r RecordFromRequest) Check() error {
	if !slices.Contains([]lesson.By{"", lesson.Reader, lesson.Agent, lesson.Person}, lesson.By(r.By)) {
		return badParam("by", r.By, "must be reader, agent or person")
	}
	for i, line := range strings.Split(r.Text, "\n") {
		if line = strings.TrimSpace(line); line != "" && !json.Valid([]byte(line)) {
			return badParam("from", "", fmt.Sprintf("line %d is no JSON, so nothing was written", i+1))
		}
	}
	return nil
}

// RecordFromAnswer says what became of each line.
type RecordFromAnswer struct {
	full
	Taken   int               `json:"taken"` // also what was there
	IDs     map[string]string `json:"ids"`   // of names within the text
	Refused []RefusedLine     `json:"refused"`
}

// RefusedLine is a line that was not taken.
type RefusedLine struct {
	Line   int    `json:"line"`
	Reason string `json:"reason"`
}

// Text says how many were taken, and what is wrong with the others.
func (a *RecordFromAnswer) Text(tokens int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s taken, %d refused\n", term.Plural(a.Taken, "line"), len(a.Refused))
	for _, r := range a.Refused {
		fmt.Fprintf(&b, "line %d: %s\n", r.Line, term.Line(r.Reason))
	}
	return term.Cut(b.String(), tokens)
}

func (a *RecordFromAnswer) refuse(line int, format string, args ...any) {
	a.Refused = append(a.Refused, RefusedLine{line, fmt.Sprintf(format, args...)})
}

// RecordFrom adds to the sessions of a text what it says of them. Each line is taken or refused by itself; first all lessons,
// so that others may refer to them. The same text again changes nothing.
func (m *Memory) RecordFrom(ctx context.Context, r RecordFromRequest) (*RecordFromAnswer, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	a := &RecordFromAnswer{IDs: map[string]string{}, Refused: []RefusedLine{}}
	entries, refused := lesson.Parse(r.Text)
	for _, bad := range refused {
		a.refuse(bad.Entry.Line, "%s", bad.Text)
	}
	_, _, err := m.change(ctx, func() error {
		list, err := m.bySession(entries, cmp.Or(lesson.By(r.By), lesson.Reader), a)
		if err != nil {
			return err
		}
		tree, close := m.here.tree()
		defer close()
		check := lesson.Check{By: cmp.Or(lesson.By(r.By), lesson.Reader), Names: map[lesson.Ref]lesson.Ref{}, Redact: m.here.redactor()}
		known := m.knownLessons()
		for _, lessons := range []bool{true, false} {
			for _, s := range list {
				s.to.of.Tree = tree
				check.Known = known.of(s.to.of.Episode)
				s.take(lessons, check, known, a)
			}
		}
		for _, s := range list {
			err = errors.Join(err, s.to.write(s.added))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(a.Refused, func(x, y RefusedLine) int { return x.Line - y.Line })
	return a, nil
}

// sayings are the entries of a text about one session.
type sayings struct {
	to      *adding
	entries []lesson.Entry
	added   []additions.Entry
}

// bySession sorts entries by their sessions, in the order of the text. An entry of no session that is known here is refused.
func (m *Memory) bySession(entries []lesson.Entry, by lesson.By, a *RecordFromAnswer) (out []*sayings, err error) {
	type name struct{ session, log string }
	found, at := map[name]string{}, map[string]*sayings{}
	commit := gitdir.Head(gitdir.Top(m.Location.WorkTree()))
	for _, e := range entries {
		n := name{e.Session, e.Log}
		if n == (name{}) {
			a.refuse(e.Line, "It names no session and no log.")
			continue
		}
		id, known := found[n]
		if !known {
			if id, err = m.ofName(e); err == nil && at[id] == nil {
				at[id] = &sayings{}
				if at[id].to, err = m.adding(id, nil, by, ""); err != nil {
					return nil, err
				}
				at[id].to.of.Commit = commit
				out = append(out, at[id])
			}
			found[n] = id
		}
		if id == "" {
			a.refuse(e.Line, "No session %.80q is known here: extract its log first.", cmp.Or(e.Session, e.Log))
			continue
		}
		at[id].entries = append(at[id].entries, e)
	}
	return out, nil
}

// ofName is the id of the episode of an entry, by the session or else the log that it names; "" with an error.
func (m *Memory) ofName(e lesson.Entry) (string, error) {
	id, err := m.find(e.Session)
	if err == nil || e.Log == "" {
		return id, err
	}
	ep, err := m.Load(e.Log)
	if err != nil {
		return "", err
	}
	return ep.ID, nil
}

// take takes the lessons of a session, or what else is said of it.
func (s *sayings) take(lessons bool, check lesson.Check, known *knownLessons, a *RecordFromAnswer) {
	var entries []lesson.Entry
	for _, e := range s.entries {
		if (e.Lesson != nil) == lessons {
			entries = append(entries, e)
		}
	}
	added, res := s.to.of.Take(entries, check)
	s.added = append(s.added, added...)
	known.add(s.to.of.Episode, res.Taken)
	for name, id := range res.IDs {
		check.Names[name] = id
		a.IDs[string(name)] = s.to.of.Episode.ID + "#" + string(id)
	}
	a.Taken += len(res.Taken)
	for _, bad := range res.Refused {
		a.refuse(bad.Entry.Line, "%s", bad.Text)
	}
}
