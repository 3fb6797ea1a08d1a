package ask

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/plain"
	"episodes/internal/term"
	"episodes/recall"
)

// AdviseRequest asks what is known about what one is about to do.
type AdviseRequest struct {
	Text string
	Kind string // error, action, task or choice; "": guessed
	File string // that it is about
	// Closest asks for the best match, however weak, where nothing is known well enough.
	Closest bool
}

// adviceKinds are the kinds of questions.
var adviceKinds = []string{string(recall.AnError), string(recall.AnAction), string(recall.ATask), string(recall.AChoice)}

// Check refuses a request that cannot be answered.
func (r AdviseRequest) Check() error {
	switch {
	case strings.TrimSpace(r.Text) == "" && r.File == "":
		return &RequestError{Message: "nothing is asked", Hint: "give the text, - for standard input, or @FILE"}
	case r.Kind != "" && !slices.Contains(adviceKinds, r.Kind):
		return &RequestError{Params: []string{"kind"}, Value: r.Kind, Message: "must be " + strings.Join(adviceKinds, ", ")}
	}
	return nil
}

// AdviseAnswer is what is known, or nothing.
type AdviseAnswer struct {
	Answered bool         `json:"answered"`
	Said     string       `json:"text"`
	Advice   []AdviceItem `json:"advice"`
	// Closest is what comes nearest, on request where nothing is known well enough; it is no
	// advice.
	Closest *ClosestItem `json:"closest"`

	nearest string         // Closest as text
	found   *recall.Answer // nil where nothing is known well enough
	fresh   string         // what is new, as text
}

// AdviceItem is one statement.
type AdviceItem struct {
	Text     string           `json:"text"`
	Kind     string           `json:"kind"`           // cause, fix, failed, choice, lesson, or warning
	Note     string           `json:"note,omitempty"` // whether its fix is still in place, or why it may not hold
	Evidence []AdviceEvidence `json:"evidence"`
}

// ClosestItem is a match that is not certain enough to be advice.
type ClosestItem struct {
	Text     string           `json:"text"`
	Evidence []AdviceEvidence `json:"evidence"`
}

// AdviceEvidence is the source of a statement: an episode, and lines of its log.
type AdviceEvidence struct {
	Project string        `json:"project,omitempty"` // in an answer of several projects
	Episode string        `json:"episode"`
	Log     string        `json:"log"`
	Lines   *episode.Span `json:"lines"` // null where they are not known
	Private bool          `json:"private,omitempty"`
	Origin
}

// mostAsked is the number of bytes of a question that are used: its last ones, since errors
// are usually at the end of an output.
const mostAsked = 64 << 10

func asked(text string) string {
	text = plain.Text(text)
	if len(text) > mostAsked {
		text = text[len(text)-mostAsked:]
		text = text[strings.IndexByte(text, '\n')+1:]
	}
	return text
}

// Advise answers one who is about to act, from what other sessions show. Where nothing
// is known well enough, it says nothing.
func (m *Memory) Advise(ctx context.Context, r AdviseRequest) (*AdviseAnswer, error) {
	text := asked(r.Text)
	kind := recall.Want(r.Kind)
	if kind == "" {
		kind = recall.Guess(text)
	}
	q := recall.Analyse(kind, text)
	q.About(r.File)
	var found, fresh *recall.Answer
	err := m.recall(ctx, q, func(x *recall.Index) (err error) {
		if r.Closest {
			found, err = x.Closest(q)
		} else {
			found, err = x.Advise(q)
		}
		if err == nil && x.New != nil {
			fresh, err = x.New.Advise(q)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	out := &AdviseAnswer{Advice: []AdviceItem{}}
	defer out.add(m, fresh)
	if found = m.stillThere(found); found == nil {
		return out, nil
	}
	found.MarkRisks(m.inManifest)
	items := m.items(found)
	if found.Weak {
		out.Closest = &ClosestItem{items[0].Text, items[0].Evidence}
		out.nearest = found.Text(recall.Budget)
		return out, nil
	}
	out.Answered, out.Advice, out.found = true, items, found
	out.Said = found.Text(recall.Budget)
	return out, nil
}

// mostNew is how many statements of new authors are given, and freshBudget the bytes for them.
const (
	mostNew     = 2
	freshBudget = 60 * 4
)

// add adds to an answer what is new, last.
func (a *AdviseAnswer) add(m *Memory, fresh *recall.Answer) {
	if fresh == nil {
		return
	}
	fresh.MarkRisks(m.inManifest)
	few := &recall.Answer{Statements: fresh.Statements[:min(mostNew, len(fresh.Statements))]}
	a.Advice = append(a.Advice, m.items(few)...)
	a.Answered, a.fresh = true, few.Text(freshBudget)
}

// stillThere leaves the statements of an answer whose episodes still exist; nil where that of
// the first one is gone.
func (m *Memory) stillThere(a *recall.Answer) *recall.Answer {
	if a == nil {
		return nil
	}
	var out []recall.Statement
	for i, s := range a.Statements {
		if m.there(s.Episode) {
			out = append(out, s)
		} else if i == 0 {
			return nil
		}
	}
	a.Statements = out
	return a
}

// items returns the statements of an answer, filtered, with private evidence marked.
func (m *Memory) items(found *recall.Answer) (out []AdviceItem) {
	m.verify(found)
	path := m.logPaths()
	for i := range found.Statements {
		s := &found.Statements[i]
		s.Log = path(s.Episode, s.Log)
		s.Private = m.isPrivate(s.Episode)
		s.Project, _ = m.project(s.Episode)
		s.Project = plain.Words(s.Project)
		_, s.By = m.originOf(s.Episode)
		for i := range s.Quotes {
			s.Quotes[i].Text = m.inert(s.Quotes[i].Text)
		}
	}
	for _, s := range found.Statements {
		project, id := m.project(s.Episode)
		origin, _ := m.originOf(s.Episode)
		out = append(out, AdviceItem{Text: s.Text(), Kind: s.Class().String(), Note: cmp.Or(s.Doubt, s.Note()),
			Evidence: []AdviceEvidence{{Project: project, Episode: id, Log: s.Log,
				Lines: span(s.Lines), Private: s.Private, Origin: origin}}})
	}
	return out
}

// span is nil for lines that are not known.
func span(l episode.Span) *episode.Span {
	if l[0] == 0 {
		return nil
	}
	return &l
}

// Text is the answer, cut from its end.
func (a *AdviseAnswer) Text(tokens int) string { return term.Cut(a.Said+a.nearest+a.fresh, tokens) }

// Empty reports whether there is neither advice nor a closest match.
func (a *AdviseAnswer) Empty() bool { return !a.Answered && a.Closest == nil }
