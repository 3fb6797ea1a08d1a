package ask

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"episodes/episode"
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
		return &RequestError{Params: []string{"by"}, Value: r.By, Message: "must be reader, agent or person"}
	}
	for i, line := range strings.Split(r.Text, "\n") {
		if line = strings.TrimSpace(line); line != "" && !json.Valid([]byte(line)) {
			return &RequestError{Params: []string{"from"}, Message: fmt.Sprintf("line %d is no JSON, so nothing was written", i+1)}
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

// RecordFrom adds to the sessions of a text what it says of them, older sessions first, so that later ones may refer to
// them. Each line is taken or refused by itself. The same text again changes nothing.
func (m *Memory) RecordFrom(ctx context.Context, r RecordFromRequest) (*RecordFromAnswer, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	a := &RecordFromAnswer{IDs: map[string]string{}, Refused: []RefusedLine{}}
	entries, refused := lesson.Parse(r.Text)
	for _, bad := range refused {
		a.refuse(bad.Entry.Line, "%s", bad.Text)
	}
	_, leftOut, err := m.change(ctx, func() error {
		of, err := m.bySession(entries, a)
		if err != nil {
			return err
		}
		tree, close := m.here.tree()
		defer close()
		names, known := map[lesson.Ref]lesson.Ref{}, m.knownLessons()
		for _, g := range of {
			if err := m.recordOf(g, cmp.Or(lesson.By(r.By), lesson.Reader), names, known, tree, a); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	m.warn(leftOut)
	slices.SortFunc(a.Refused, func(x, y RefusedLine) int { return x.Line - y.Line })
	return a, nil
}

// sessionEntries are the entries about one session.
type sessionEntries struct {
	id      string
	time    time.Time
	entries []lesson.Entry
}

// bySession sorts entries by their sessions, of which the oldest is first. An entry of no session that is known here is
// refused.
func (m *Memory) bySession(entries []lesson.Entry, a *RecordFromAnswer) ([]*sessionEntries, error) {
	var out []*sessionEntries
	found, at := map[string]string{}, map[string]*sessionEntries{}
	for _, e := range entries {
		name := cmp.Or(e.Session, e.Log)
		id, known := found[name]
		if !known && name != "" {
			ep, err := m.ofName(e)
			if err == nil {
				id = ep.ID
				t, _ := ep.Time()
				at[id] = cmp.Or(at[id], &sessionEntries{id: id, time: t})
			}
			found[name] = id
		}
		switch g := at[id]; {
		case name == "":
			a.refuse(e.Line, "It names no session and no log.")
		case g == nil:
			a.refuse(e.Line, "No session %.80q is known here: extract its log first.", name)
		default:
			if len(g.entries) == 0 {
				out = append(out, g)
			}
			g.entries = append(g.entries, e)
		}
	}
	slices.SortStableFunc(out, func(x, y *sessionEntries) int { return x.time.Compare(y.time) })
	return out, nil
}

// ofName is the episode of an entry, by the session or log that it names.
func (m *Memory) ofName(e lesson.Entry) (*episode.Episode, error) {
	if e.Session != "" {
		id, err := m.find(e.Session)
		if err != nil {
			return nil, err
		}
		return m.folder.Load(id)
	}
	return m.Load(e.Log)
}

// recordOf adds what is said of one session.
func (m *Memory) recordOf(g *sessionEntries, by lesson.By, names map[lesson.Ref]lesson.Ref, known *knownLessons, tree *lesson.Tree, a *RecordFromAnswer) error {
	to, err := m.adding(g.id, nil, by, "")
	if err != nil {
		return err
	}
	to.of.Tree, to.of.Commit = tree, gitdir.Head(gitdir.Top(m.Location.WorkTree()))
	added, res := to.of.Take(g.entries, lesson.Check{By: by, Known: known.of(to.of.Episode), Names: names, Redact: m.here.redactor()})
	if err := to.write(added); err != nil {
		return err
	}
	known.add(g.id, res.Taken)
	for name, id := range res.IDs {
		names[name] = id
		a.IDs[string(name)] = g.id + "#" + string(id)
	}
	a.Taken += len(res.Taken)
	for _, bad := range res.Refused {
		a.refuse(bad.Entry.Line, "%s", bad.Text)
	}
	return nil
}
