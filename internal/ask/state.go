package ask

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"episodes/episode"
	"episodes/internal/corrections"
	"episodes/internal/lesson"
	"episodes/internal/memory"
	"episodes/internal/plain"
	"episodes/internal/term"
)

// StateRequest is a statement about a session: a lesson of one of the kinds, an outcome, or that an earlier lesson was wrong.
// decision and lesson are older names of kinds, and some fields have an older name too.
type StateRequest struct {
	Kind     string   // fix, choice, rule, trap, open; decision, lesson; outcome; refuted
	Text     string   // the sentence; success, partial, failure or unknown; of refuted the REF
	Say      string   // in place of Text
	When     []string // situations in which it is needed
	Asked    []string // as When
	Question string   // the first of When; of a choice what was to be decided
	Because  string   // the reason
	Why      string   // as Because
	Was      string   // what was tried or held before
	Over     []string // of a choice, in place of Was: what else could have been chosen
	Lines    string   // of the log that show it: A-B,C or FILE:A-B
	Mends    string   // of a fix: the lesson whose problem it ends
	Of       string   // the episode; of an outcome also EPISODE#d001
	Session  string   // in place of Of: the id of a session
	By       string   // the agent's name, or ""
}

// refuted is the kind of the statement that a lesson was wrong.
const refuted = "refuted"

// StateKinds are the kinds of what can be stated.
func StateKinds() (out []string) {
	for _, k := range episode.LessonKinds() {
		out = append(out, string(k))
	}
	return append(out, string(corrections.Decision), string(corrections.Lesson), string(corrections.Outcome), refuted)
}

// maxStated is how long a text may be, in bytes. What a lesson takes is less.
const maxStated = 1000

// statedFormat is the format of the source of an episode that nothing but statements made.
const statedFormat = "stated"

// named is the request with the older names of its fields.
func (r StateRequest) named() StateRequest {
	r.Text, r.Why, r.Say, r.Because = cmp.Or(r.Say, r.Text), cmp.Or(r.Because, r.Why), "", ""
	r.Asked, r.When = slices.Concat(r.When, r.Asked), nil
	if r.Question != "" {
		r.Asked, r.Question = append([]string{r.Question}, r.Asked...), ""
	}
	if r.Was == "" {
		r.Was, r.Over = strings.Join(r.Over, "; "), nil
	}
	return r
}

// Check refuses a request that cannot be carried out.
func (r StateRequest) Check() error {
	r = r.named()
	episodeRef, record, _ := strings.Cut(r.Of, "#")
	isOutcome := r.Kind == string(corrections.Outcome)
	isLesson := !isOutcome && r.Kind != refuted
	switch {
	case !slices.Contains(StateKinds(), r.Kind):
		return &RequestError{Message: fmt.Sprintf("%q is no kind of statement: %s", plain.Cut(r.Kind, 40), strings.Join(StateKinds(), ", "))}
	case strings.TrimSpace(plain.Words(r.Text)) == "" || len(r.Text) > maxStated:
		return &RequestError{Message: fmt.Sprintf("the text must be between 1 and %d bytes", maxStated)}
	case len(r.Why) > maxStated:
		return badParam("because", "", fmt.Sprintf("must be at most %d bytes", maxStated))
	case !isLesson && (len(r.Asked) > 0 || r.Was != "" || r.Lines != "" || r.Mends != "" || isOutcome && r.Why != ""):
		return &RequestError{Params: []string{"when", "was", "over", "because", "lines", "mends"}, Message: "are of a lesson"}
	case r.Of != "" && r.Session != "":
		return &RequestError{Params: []string{"of", "session"}, Message: "together say two things"}
	case isOutcome && !slices.Contains(episode.Outcomes(), episode.Outcome(r.Text)):
		return &RequestError{Message: fmt.Sprintf("the outcome %q must be success, partial, failure or unknown",
			plain.Cut(r.Text, 40))}
	case isOutcome && episodeRef == "" && r.Session == "":
		return badParam("of", "", "says of what it is the outcome: an episode, or a decision EPISODE#d001")
	case record != "" && (!isOutcome || !decisionID().MatchString(record)):
		return badParam("of", r.Of, "must name an episode, or for an outcome a decision EPISODE#d001")
	}
	return checkName("by", r.By)
}

// StateAnswer says where a statement is kept.
type StateAnswer struct {
	full
	Ref     string  `json:"ref"` // the record, lesson or episode that it is now
	Kind    string  `json:"kind"`
	Said    string  `json:"text"` // as it is kept, without secrets
	File    string  `json:"file"`
	Private bool    `json:"private,omitempty"` // it is this user's alone
	Lesson  string  `json:"lesson,omitempty"`  // its id
	Graph   *Change `json:"graph"`
}

// Text says what is kept under which name.
func (a *StateAnswer) Text(tokens int) string {
	return term.Cut(fmt.Sprintf("recorded %s: %s %s", a.Ref, a.Kind, plain.Quote(a.Said, 200)), tokens)
}

// State keeps what an agent states among the additions to the session's episode, and brings the graph up to date. A session without an episode gets a
// private one, which its transcript completes. Secrets are removed first.
func (m *Memory) State(ctx context.Context, r StateRequest) (*StateAnswer, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	r = m.cleaned(r.named())
	ep, err := m.stated(r)
	if err != nil {
		return nil, err
	}
	fresh := ep.Provenance.Source.Format == statedFormat && !m.exists(ep.ID)
	if fresh {
		if err := m.folder.MakePrivate(); err != nil {
			return nil, err
		}
	}
	a := &StateAnswer{Kind: r.Kind, Said: r.Text}
	a.Graph, _, err = m.change(ctx, func() error { return m.keepStatement(ctx, r, ep, a) })
	if err != nil {
		return nil, err
	}
	return a, nil
}

// cleaned is a request in single lines, without secrets and what cannot be seen.
func (m *Memory) cleaned(r StateRequest) StateRequest {
	redactor := m.here.redactor()
	clean := func(s string) string { return plain.Words(redactor.String(strings.ToValidUTF8(s, "\uFFFD"))) }
	r.Text, r.Why, r.Was, r.Asked = clean(r.Text), clean(r.Why), clean(r.Was), slices.Clone(r.Asked)
	for i, q := range r.Asked {
		r.Asked[i] = clean(q)
	}
	return r
}

// stated is the episode that a statement is of: one that there is, or a new one.
func (m *Memory) stated(r StateRequest) (*episode.Episode, error) {
	if file, _ := cutLast(r.Lines, ":"); file != "" && r.Of == "" && r.Session == "" {
		ep, err := m.Load(file + ":1")
		if err != nil {
			return nil, fmt.Errorf("no episode was read from %q: %w", file, ErrNoEpisode)
		}
		return ep, nil
	}
	if r.Of != "" {
		name, _, _ := strings.Cut(r.Of, "#")
		id, err := m.find(name)
		if err != nil {
			return nil, err
		}
		return m.folder.Load(id)
	}
	now := m.now().UTC()
	ep := &episode.Episode{Timestamp: now.Format(time.RFC3339), Outcome: episode.Unknown}
	ep.Session = episode.SafeSession(r.Session)
	if r.Session == "" {
		ep.Session = episode.Qualified("stated-"+now.Format("2006-01-02"), r.Kind+" "+r.Text)
	}
	ep.ID = episode.IDFromSession(ep.Session)
	// There is no log: the digest, which each episode has, is of its name.
	ep.Provenance.Source = episode.Source{SHA256: memory.Hash([]byte(statedFormat + " " + ep.ID)),
		Format: statedFormat, Session: r.Session}
	return ep, nil
}

func (m *Memory) exists(id string) bool {
	_, err := m.folder.Read(id)
	return !errors.Is(err, fs.ErrNotExist)
}

// keepStatement writes what is stated; the caller holds the lock. made is the episode to create if the session has none
// yet.
func (m *Memory) keepStatement(ctx context.Context, r StateRequest, made *episode.Episode, a *StateAnswer) error {
	to, err := m.adding(made.ID, made, lesson.Agent, r.By)
	if err != nil {
		return err
	}
	id := made.ID
	a.Ref, a.File, a.Private = id, m.folder.PathIn(to.private, id), to.private
	if to.of.Episode == made && !m.exists(id) {
		data, err := episode.MarshalSealed(made)
		if err != nil {
			return err
		}
		if _, err := m.folder.Write(ctx, []memory.Pending{{ID: id, Data: data, Private: true}}, 1); err != nil {
			return err
		}
	}
	_, record, _ := strings.Cut(r.Of, "#")
	switch {
	case record != "":
		ref, ok := corrections.RefTo(to.of.Episode, to.lines(), record)
		if !ok {
			return fmt.Errorf("%w: %q has no %q", ErrNoRecord, id, record)
		}
		a.Ref += "#" + record
		return to.correct(corrections.Entry{Op: corrections.Put, Record: ref, Outcome: episode.Outcome(r.Text)})
	case r.Kind == string(corrections.Outcome):
		return to.correct(corrections.Entry{Op: corrections.SetOutcome, Outcome: episode.Outcome(r.Text)})
	}
	e, err := m.entry(r)
	if err != nil {
		return err
	}
	taken, refused, err := to.take([]lesson.Entry{e})
	if err != nil {
		return err
	}
	if len(refused) > 0 {
		return &RequestError{Message: refused[0].Text}
	}
	if l := taken[0].Lesson; l != nil {
		a.Lesson = string(l.ID)
		a.Ref += "#" + m.refOf(id, *l, r.Kind)
	}
	return nil
}

// entry makes the entry of a request that is no outcome.
func (m *Memory) entry(r StateRequest) (e lesson.Entry, err error) {
	if r.Kind == refuted {
		of, id, err := m.lessonRef(r.Text)
		if err != nil {
			return e, err
		}
		ep, err := m.load(of)
		if err != nil {
			return e, err
		}
		again := lesson.Again{Of: id, What: episode.Return(lesson.Failed), Why: r.Why}
		for _, l := range ep.Taught {
			if l.ID == id {
				again.Say = l.Say
			}
		}
		return lesson.Entry{Again: &again}, nil
	}
	l := &lesson.Lesson{Kind: lesson.Kind(r.Kind), Say: r.Text, When: r.Asked, Because: r.Why, Was: r.Was, Mends: lesson.Ref(r.Mends)}
	switch l.Kind {
	case lesson.Kind(corrections.Decision):
		l.Kind = lesson.Choice
	case lesson.Kind(corrections.Lesson):
		if l.Kind = lesson.Rule; l.Mends != "" {
			l.Kind = lesson.Fix
		}
	}
	if len(l.Because) > lesson.MaxField {
		l.Because, l.More = plain.Cut(r.Why, lesson.MaxField-len("…")), r.Why
	}
	if r.Lines != "" {
		_, lines := cutLast(r.Lines, ":")
		if err := json.Unmarshal([]byte(strconv.Quote(lines)), &l.Lines); err != nil {
			return e, badParam("lines", r.Lines, "must be lines such as 3-5,8")
		}
	}
	return lesson.Entry{Lesson: l}, nil
}

// cutLast splits a reference at its last separator; without one all of it comes after.
func cutLast(s, sep string) (before, after string) {
	i := strings.LastIndex(s, sep)
	return s[:max(i, 0)], s[i+1:]
}

// refOf names what a lesson is in its episode: the record that it stands for, by which decisions and lessons were always
// named, or its id.
func (m *Memory) refOf(id string, l lesson.Lesson, kind string) string {
	if ep, err := m.load(id); err == nil {
		for _, k := range []corrections.Kind{corrections.Decision, corrections.Lesson} {
			if record := corrections.IDOf(ep, &corrections.Ref{Kind: k, Text: l.Say}); kind == string(k) && record != "" {
				return record
			}
		}
	}
	return string(l.ID)
}
