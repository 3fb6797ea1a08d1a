package ask

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"episodes/episode"
	"episodes/internal/capture"
	"episodes/internal/corrections"
	"episodes/internal/memory"
	"episodes/internal/plain"
	"episodes/internal/term"
)

// StateRequest is a statement of an agent about its own session: a decision, a lesson or an
// outcome.
type StateRequest struct {
	Kind     string   // decision, lesson or outcome
	Text     string   // the statement; or success, partial, failure, unknown
	Over     []string // of a decision: what else could have been chosen
	Question string   // of a decision: what was to be decided
	Why      string   // of a decision: the reason
	Asked    []string // of a decision or lesson: words of those who need it
	Of       string   // the episode; of an outcome also EPISODE#d001
	Session  string   // in place of Of: the id of a session
	By       string   // the agent's name, or ""
}

// StateKinds are the kinds of what can be stated.
func StateKinds() []string {
	return []string{string(corrections.Decision), string(corrections.Lesson), string(corrections.Outcome)}
}

// Limits of what is stated.
const (
	maxStated  = 1000 // bytes of a text
	maxOptions = 12
)

// statedFormat is the format of the source of an episode that nothing but statements made.
const statedFormat = "stated"

// Check refuses a request that cannot be carried out.
func (r StateRequest) Check() error {
	episodeRef, record, _ := strings.Cut(r.Of, "#")
	isOutcome := r.Kind == string(corrections.Outcome)
	switch {
	case !slices.Contains(StateKinds(), r.Kind):
		return &RequestError{Message: fmt.Sprintf("%q is no kind of statement: decision, lesson or outcome", plain.Cut(r.Kind, 40))}
	case strings.TrimSpace(plain.Words(r.Text)) == "" || len(r.Text) > maxStated:
		return &RequestError{Message: fmt.Sprintf("the text must be between 1 and %d bytes", maxStated)}
	case len(r.Why) > maxStated || len(r.Question) > maxStated:
		return &RequestError{Params: []string{"why", "question"}, Message: fmt.Sprintf("must be at most %d bytes", maxStated)}
	case len(r.Over) > maxOptions ||
		slices.ContainsFunc(r.Over, func(o string) bool { return plain.Words(o) == "" || len(o) > maxStated }):
		return &RequestError{Params: []string{"over"},
			Message: fmt.Sprintf("must be at most %d texts of 1 to %d bytes", maxOptions, maxStated)}
	case len(r.Asked) > episode.MaxQuestions || isOutcome && len(r.Asked) > 0 ||
		slices.ContainsFunc(r.Asked, func(q string) bool { return asks(&corrections.Ref{Kind: corrections.Lesson}, q).Flaw() != "" }):
		return &RequestError{Params: []string{"asked"}, Message: fmt.Sprintf("must be at most %d texts of 1 to %d words, of a decision or lesson",
			episode.MaxQuestions, episode.QuestionWords)}
	case r.Kind != string(corrections.Decision) && (len(r.Over) > 0 || r.Question != "" || r.Why != ""):
		return &RequestError{Params: []string{"over", "question", "why"}, Message: "are of a decision"}
	case r.Of != "" && r.Session != "":
		return &RequestError{Params: []string{"of", "session"}, Message: "together say two things"}
	case isOutcome && !slices.Contains(episode.Outcomes(), episode.Outcome(r.Text)):
		return &RequestError{Message: fmt.Sprintf("the outcome %q must be success, partial, failure or unknown",
			plain.Cut(r.Text, 40))}
	case isOutcome && episodeRef == "" && r.Session == "":
		return &RequestError{Params: []string{"of"},
			Message: "says of what it is the outcome: an episode, or a decision EPISODE#d001"}
	case record != "" && (!isOutcome || !decisionID().MatchString(record)):
		return &RequestError{Params: []string{"of"}, Value: r.Of,
			Message: "must name an episode, or for an outcome a decision EPISODE#d001"}
	case r.By != "" && !readerName().MatchString(r.By):
		return &RequestError{Params: []string{"by"}, Value: r.By,
			Message: "must be letters, digits, spaces and . _ : / @ + -, at most 64"}
	}
	return nil
}

// StateAnswer says where a statement is kept.
type StateAnswer struct {
	full
	Ref     string  `json:"ref"` // the record or the episode that it is now
	Kind    string  `json:"kind"`
	Said    string  `json:"text"` // as it is kept, without secrets
	File    string  `json:"file"`
	Private bool    `json:"private,omitempty"` // it is this user's alone
	Graph   *Change `json:"graph"`
}

// Text says what is kept under which name.
func (a *StateAnswer) Text(tokens int) string {
	return term.Cut(fmt.Sprintf("recorded %s: %s %s", a.Ref, a.Kind, plain.Quote(a.Said, 200)), tokens)
}

// State keeps what an agent states among the corrections of the session's episode, so that it
// outlasts each extraction, and brings the graph up to date. A session without an episode gets a
// private one, which its transcript completes. Secrets are removed first.
func (m *Memory) State(ctx context.Context, r StateRequest) (*StateAnswer, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	r = m.cleaned(r)
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
	var leftOut []string
	a.Graph, leftOut, err = m.change(ctx, func() error { return m.keepStatement(ctx, r, ep, a) })
	if err != nil {
		return nil, err
	}
	m.warn(leftOut)
	return a, nil
}

// cleaned is a request in single lines, without secrets and what cannot be seen.
func (m *Memory) cleaned(r StateRequest) StateRequest {
	redactor := capture.Redactor(m.Location)
	clean := func(s string) string { return plain.Words(redactor.String(strings.ToValidUTF8(s, "\uFFFD"))) }
	r.Text, r.Question, r.Why = clean(r.Text), clean(r.Question), clean(r.Why)
	var over []string
	for _, o := range r.Over {
		if o = clean(o); o != r.Text && !slices.Contains(over, o) {
			over = append(over, o)
		}
	}
	r.Over, r.Asked = over, slices.Clone(r.Asked)
	for i, q := range r.Asked {
		r.Asked[i] = clean(q)
	}
	return r
}

// stated is the episode that a statement is of: one that there is, or a new one.
func (m *Memory) stated(r StateRequest) (*episode.Episode, error) {
	if r.Of != "" {
		name, _, _ := strings.Cut(r.Of, "#")
		id, err := m.find(name)
		if err != nil {
			return nil, err
		}
		return m.folder.Load(id)
	}
	now := m.now().UTC()
	ep := &episode.Episode{Timestamp: timeOf(now), Outcome: episode.Unknown}
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

// keepStatement writes the episode and its corrections; the caller holds the lock. made is the
// episode to create if the session has none yet.
func (m *Memory) keepStatement(ctx context.Context, r StateRequest, made *episode.Episode, a *StateAnswer) error {
	id, private := made.ID, true
	ep, err := m.unedited(id)
	switch {
	case err == nil:
		private = m.folder.IsPrivate(id)
	case errors.Is(err, fs.ErrNotExist) && r.Of == "":
		ep = made
	default:
		return err
	}
	e, err := m.statement(ep, r)
	if err != nil {
		return err
	}
	entries := []corrections.Entry{e}
	for _, q := range r.Asked {
		a := asks(e.Record, q)
		a.By, a.Time = e.By, e.Time
		entries = append(entries, a)
	}
	if dropped := corrections.Apply(ep, m.logOf(ep), entries); len(dropped) > 0 {
		return &RequestError{Params: []string{"of"}, Value: r.Of, Message: dropped[0].Why}
	}
	if err := m.keep(ctx, ep, private, entries...); err != nil {
		return err
	}
	a.Ref, a.File, a.Private = id, m.folder.PathIn(private, id), private
	if _, record, ok := strings.Cut(r.Of, "#"); ok {
		a.Ref += "#" + record
	} else if record := corrections.IDOf(ep, e.Record); record != "" {
		a.Ref += "#" + record
	}
	return nil
}

// asks is the entry of a question to which a record is the answer.
func asks(record *corrections.Ref, question string) corrections.Entry {
	kind := "choice"
	if record.Kind == corrections.Lesson {
		kind = "action"
	}
	return corrections.Entry{Op: corrections.Ask, Record: record, Type: kind, Text: question}
}

func timeOf(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// statement makes the entry of a request.
func (m *Memory) statement(ep *episode.Episode, r StateRequest) (corrections.Entry, error) {
	e := corrections.Entry{By: strings.TrimSpace(corrections.AgentMark + " " + r.By), Op: corrections.State, Time: timeOf(m.now())}
	_, record, _ := strings.Cut(r.Of, "#")
	switch {
	case record != "":
		ref, ok := corrections.RefTo(ep, m.logOf(ep), record)
		if !ok {
			return e, fmt.Errorf("%w: %q has no %q", ErrNoRecord, ep.ID, record)
		}
		e.Op, e.Record, e.Outcome = corrections.Put, ref, episode.Outcome(r.Text)
	case r.Kind == string(corrections.Outcome):
		e.Op, e.Outcome = corrections.SetOutcome, episode.Outcome(r.Text)
	case r.Kind == string(corrections.Lesson):
		e.Record = &corrections.Ref{Kind: corrections.Lesson, Type: string(corrections.Lesson), Text: r.Text}
	default:
		e.Record = &corrections.Ref{Kind: corrections.Decision, Type: string(episode.Implementation), Text: r.Text}
		e.Context, e.Why = r.Question, r.Why
		if len(r.Over) > 0 {
			e.Options = append([]string{r.Text}, r.Over...)
		}
	}
	return e, nil
}
