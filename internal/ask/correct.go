package ask

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/corrections"
	"episodes/internal/lesson"
	"episodes/internal/plain"
	"episodes/internal/term"
	"episodes/query"
)

// CorrectRequest corrects one thing that an episode says.
type CorrectRequest struct {
	Ref     string   // EPISODE, EPISODE#RECORD, EPISODE#LINK, as d001>e002, or a lesson
	Wrong   bool     // it is no fact: take it away
	Outcome string   // of the decision or of the session
	Text    *string  // the words of the record or lesson, or the task of the session
	When    []string // of a lesson, with or without Text: when it is needed
}

// Check refuses a request that cannot be carried out.
func (r CorrectRequest) Check() error {
	given := 0
	for _, is := range []bool{r.Wrong, r.Outcome != "", r.Text != nil || len(r.When) > 0} {
		if is {
			given++
		}
	}
	_, record, _ := strings.Cut(r.Ref, "#")
	switch {
	case given != 1:
		return &RequestError{Params: []string{"wrong", "outcome", "text"}, Message: "one of them is needed",
			Hint: "episodes help correct"}
	case r.Outcome != "" && !episode.Outcome(r.Outcome).Known() && r.Outcome != string(episode.Unknown):
		return badParam("outcome", r.Outcome, "must be success, partial, failure or unknown")
	case r.Text != nil && (strings.TrimSpace(*r.Text) == "" || len(*r.Text) > maxCorrection):
		return badParam("text", "", fmt.Sprintf("must be between 1 and %d bytes", maxCorrection))
	case r.Wrong && record == "":
		return &RequestError{Params: []string{"wrong"}, Message: "takes a record or a link, not an episode",
			Hint: "episodes correct EPISODE#d001 --wrong"}
	}
	return nil
}

// maxCorrection is the longest text of a correction in bytes.
const maxCorrection = 2000

// CorrectAnswer says what was corrected.
type CorrectAnswer struct {
	full
	Ref   string  `json:"ref"`
	Was   string  `json:"was"`
	Is    string  `json:"is"` // "" for what was taken away
	File  string  `json:"file"`
	Graph *Change `json:"graph"`
}

// Text says what it was and is.
func (a *CorrectAnswer) Text(tokens int) string {
	is := "(taken away)"
	if a.Is != "" {
		is = plain.Name(a.Is, maxCorrection)
	}
	return term.Cut(fmt.Sprintf("%s\n  was: %s\n  is:  %s\n%s", a.Ref, plain.Name(a.Was, maxCorrection), is, a.Graph), tokens)
}

// Correct adds a correction to an episode, and updates the graph. The error is ErrNoRecord if the record does not exist.
func (m *Memory) Correct(ctx context.Context, r CorrectRequest) (*CorrectAnswer, error) {
	id, l, err := m.lessonRef(r.Ref)
	name, record, _ := strings.Cut(r.Ref, "#")
	if l == "" {
		if len(r.When) > 0 {
			return nil, badParam("when", "", "is of a lesson")
		}
		id, err = m.find(name)
	} else {
		record = string(l)
	}
	if err != nil {
		return nil, err
	}
	a := &CorrectAnswer{Ref: id, File: m.folder.AdditionsPath(id)}
	if record != "" {
		a.Ref += "#" + record
	}
	a.Graph, _, err = m.change(ctx, func() error { return m.correct(r, id, record, a) })
	if err != nil {
		return nil, err
	}
	return a, nil
}

// correct writes the correction; the lock is held.
func (m *Memory) correct(r CorrectRequest, id, record string, a *CorrectAnswer) error {
	to, err := m.adding(id, nil, lesson.Person, "")
	if err != nil {
		return err
	}
	ep := to.of.Episode
	if l := lessonOf(ep, record, r); l != "" {
		return m.correctLesson(r, to, l, a)
	}
	e, err := correction(ep, to.lines(), r, record)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %q: %w", ErrNoRecord, a.Ref, err)
	}
	if err != nil {
		return err
	}
	m.here.redactor().All(&e)
	a.Was = corrections.Describe(ep, record, r.Outcome != "")
	if err := to.correct(e); err != nil {
		return err
	}
	if !r.Wrong {
		a.Is = corrections.Describe(ep, record, r.Outcome != "")
	}
	return nil
}

// lessonOf is the lesson that a request is about: the one that it names, or that the record stands for that it names.
func lessonOf(ep *episode.Episode, record string, r CorrectRequest) lesson.Ref {
	if id := lesson.Ref(record); episode.ValidLessonID(id) {
		return id
	}
	said := query.RecordText(ep, record)
	if d := ep.Decision(record); d != nil {
		said = d.Chosen
	}
	for _, l := range ep.Taught {
		if l.Say == said && l.By != lesson.Rules && r.Outcome == "" {
			return l.ID
		}
	}
	return ""
}

// correctLesson writes a correction of a lesson, which keeps its id.
func (m *Memory) correctLesson(r CorrectRequest, to *adding, id lesson.Ref, a *CorrectAnswer) error {
	at := slices.IndexFunc(to.of.Episode.Taught, func(l episode.Lesson) bool { return l.ID == id })
	if at < 0 {
		return fmt.Errorf("%w: %q has no %q", ErrNoRecord, to.of.Episode.ID, id)
	}
	was := to.of.Episode.Taught[at]
	c := &lesson.Correct{Of: id, Wrong: r.Wrong}
	if c.When = r.When; r.Text != nil {
		c.Say = plain.Words(m.here.redactor().String(*r.Text))
	}
	if r.Outcome != "" {
		c.Outcome = map[episode.Outcome]lesson.Ending{episode.Success: lesson.Held, episode.Failure: lesson.Failed}[episode.Outcome(r.Outcome)]
		c.Outcome = cmp.Or(c.Outcome, lesson.Unknown)
	}
	taken, refused, err := to.take([]lesson.Entry{{Correct: c}})
	switch {
	case err != nil:
		return err
	case len(refused) > 0:
		return &RequestError{Params: []string{"text", "when", "outcome"}, Message: refused[0].Text}
	}
	if a.Was = was.Say; !r.Wrong {
		a.Is = cmp.Or(taken[0].Correct.Say, was.Say)
	}
	return nil
}

// correction makes the entry of a request.
func correction(ep *episode.Episode, log corrections.Lines, r CorrectRequest, record string) (corrections.Entry, error) {
	e := corrections.Entry{By: corrections.Person, Outcome: episode.Outcome(r.Outcome)}
	if r.Text != nil {
		e.Text = strings.Join(strings.Fields(strings.ToValidUTF8(*r.Text, "\uFFFD")), " ")
	}
	if record == "" || record == episode.OutcomeRef || record == "task" {
		return ofSession(ep, log, e, record)
	}
	if from, to, isLink := strings.Cut(record, ">"); isLink {
		return ofLink(ep, log, e, from, to, r.Wrong)
	}
	ref, ok := corrections.RefTo(ep, log, record)
	switch {
	case !ok:
		return e, fs.ErrNotExist
	case e.Outcome != "" && ref.Kind != corrections.Decision:
		return e, badParam("outcome", "", fmt.Sprintf("is of a decision or a session; %s is %s", record, ref.Kind.Text()))
	}
	e.Op, e.Record = corrections.Put, ref
	if r.Wrong {
		e.Op = corrections.Drop
	}
	return e, nil
}

// ofSession corrects the outcome or the task. An outcome rests on the lines that showed
// the one that it replaces.
func ofSession(ep *episode.Episode, log corrections.Lines, e corrections.Entry, record string) (corrections.Entry, error) {
	key := episode.OutcomeRef
	switch {
	case e.Outcome != "" && record != "task":
		e.Op = corrections.SetOutcome
	case e.Text != "" && record != episode.OutcomeRef:
		e.Op, key = corrections.SetTask, "task"
	default:
		return e, &RequestError{Params: []string{"wrong", "outcome", "text"},
			Message: "a session has an outcome and, as text, a task"}
	}
	if span, ok := ep.Provenance.Spans[key]; ok {
		e.At = log.Anchor(span)
	}
	return e, nil
}

func ofLink(ep *episode.Episode, log corrections.Lines, e corrections.Entry, from, to string, wrong bool) (corrections.Entry, error) {
	a, ok1 := corrections.RefTo(ep, log, from)
	b, ok2 := corrections.RefTo(ep, log, to)
	there := false
	for _, l := range ep.Links {
		there = there || l.Source == from && l.Target == to
	}
	switch {
	case !ok1 || !ok2 || !there:
		return e, fs.ErrNotExist
	case !wrong:
		return e, badParam("wrong", "", "is all that can be said of a link")
	}
	e.Op, e.From, e.To = corrections.DropLink, a, b
	return e, nil
}
