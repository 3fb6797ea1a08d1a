package actions

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/facts"
	"episodes/internal/turns"
)

// Builder takes the turns of one session in their order. It keeps little of each, so that
// a long session costs little memory.
type Builder struct {
	steps  []*step
	passed int              // steps that were passed over, see thin
	open   map[string]*step // calls without their last result, by id
	last   *step            // the last call, for formats without ids
	// Brief leaves out what only a draft needs.
	Brief bool
}

// New makes a Builder.
func New() *Builder { return &Builder{open: map[string]*step{}} }

// mostSteps is how many calls and utterances are held. No session that people lead comes
// near.
const mostSteps = 50_000

// thin makes room in a session of more than mostSteps: of its older half what neither
// failed nor was said goes first, then what is oldest.
func (b *Builder) thin() {
	half := len(b.steps) / 2
	before := len(b.steps)
	b.steps = append(slices.DeleteFunc(b.steps[:half:half], func(s *step) bool {
		return s.role == turns.Call && s.ended && !s.failed && !s.green && s.made == nil &&
			s.tests == nil && s.call.Tool != turns.Edit && s.call.Tool != turns.Write
	}), b.steps[half:]...)
	if room := mostSteps * 3 / 4; len(b.steps) > room {
		b.steps = slices.Delete(b.steps, 0, len(b.steps)-room)
	}
	b.passed += before - len(b.steps)
}

// Remarks say what was passed over.
func (b *Builder) Remarks() []episode.Diagnostic {
	if b.passed == 0 {
		return nil
	}
	return []episode.Diagnostic{{Code: "long-session", Message: fmt.Sprintf("of a session of more than %d steps %d of the older ones were passed over", mostSteps, b.passed)}}
}

// Add takes the next turn.
func (b *Builder) Add(t turns.Turn) error {
	if len(b.steps) >= mostSteps {
		b.thin()
	}
	switch t.Role {
	case turns.Call:
		s := &step{role: turns.Call, at: t.At, time: t.Time, sub: t.Sub, call: *t.Call}
		s.call.Files = slices.Clone(s.call.Files)
		for i, f := range s.call.Files {
			if len(f) > 2 && f[1] == ':' { // of Windows
				s.call.Files[i] = strings.ReplaceAll(f, `\`, "/")
			}
		}
		if s.call.Tool == turns.Shell {
			s.line = parseShell(s.call.Command)
		}
		if s.edits() {
			s.compare()
		}
		if !b.Brief {
			s.remember()
		}
		b.steps = append(b.steps, s)
		b.last = s
		if s.call.ID != "" {
			b.open[s.call.ID] = s
		}
	case turns.Result:
		b.result(t)
	default:
		b.steps = append(b.steps, said(t, t.Role, t.Text))
	}
	return nil
}

// NextFile says that the next turn is from another file: results there do not belong to
// earlier calls.
func (b *Builder) NextFile() {
	clear(b.open)
	b.last = nil
}

// said is an utterance.
func said(t turns.Turn, role turns.Role, text string) *step {
	s := &step{role: role, at: t.At, time: t.Time, sub: t.Sub, text: text}
	if text == t.Text {
		s.lines = t.Lines
	}
	if role == turns.User {
		s.corrects = correctionIn(text)
	}
	return s
}

func (b *Builder) result(t turns.Turn) {
	s := b.open[t.Result.ID]
	if t.Result.ID == "" {
		s = b.last
	}
	if s == nil || s.ended {
		return // of a call that is not in the file
	}
	s.result, s.done, s.until = *t.Result, t.At, t.Time
	if s.result.State == turns.Running {
		s.result.Text = ""
		return
	}
	s.ended = true
	delete(b.open, t.Result.ID)
	if s.judge(b.before(s)); s.failed && !b.Brief {
		s.tellsToo = s.tellingToo()
		if at, found := standing(t.Result.Text, t.Lines, s.tells); found {
			s.done = at
			name, _, _ := strings.Cut(s.tells, ": ") // of a test that failed
			if head, named := standing(t.Result.Text, t.Lines, name); named {
				s.done = near(at, head)
			}
		}
	}
	words := t.Result.Said
	s.forget()
	if words != "" {
		u := said(t, turns.User, words)
		if u.refused = s.result.State == turns.Refused; !u.refused && s.call.Tool == turns.Ask {
			u.answers = &s.call
		}
		b.steps = append(b.steps, u)
	}
}

// before is what the last run of the same command line printed; nil where there was none.
func (b *Builder) before(s *step) []uint64 {
	if s.call.Command == "" {
		return nil
	}
	for i := len(b.steps) - 1; i >= max(0, len(b.steps)-recently); i-- {
		if p := b.steps[i]; p != s && p.role == turns.Call && p.call.Command == s.call.Command {
			return p.prints
		}
	}
	return nil
}

// recently is how many steps back a run of the same line is looked for.
const recently = 50

// kept is how much of the texts of a step is kept once it is judged, in bytes.
const kept = 400

// forget drops what is not needed once a step is judged.
func (s *step) forget() {
	s.result.Text = ""
	for _, text := range []*string{&s.call.Old, &s.call.New, &s.call.Text, &s.call.Command} {
		if len(*text) > kept && s.call.Tool != turns.Ask {
			*text = string([]byte(turns.Start(*text, kept))) // a copy, so that the whole can go
		}
	}
}

// worked is the one thing that a session worked on.
func worked(s *turns.Session) string {
	var w facts.Worked
	w.Task(s.Task)
	for _, b := range s.Branches {
		w.Branch(b)
	}
	return w.One()
}

// Draft makes the facts of what was taken.
func (b *Builder) Draft(session turns.Session) *facts.Draft {
	d := &drafting{Builder: b, session: session, draft: &facts.Draft{SessionID: session.ID,
		Timestamp: session.Started, Instance: worked(&session)}}
	if session.Tokens > 0 {
		d.draft.Tokens = &session.Tokens
	}
	if session.Cost > 0 && !math.IsInf(session.Cost, 0) {
		cost := math.Round(session.Cost*1e6) / 1e6 // sums of decimal figures
		d.draft.Cost = &cost
	}
	d.task()
	d.failures()
	d.checks()
	d.commits()
	d.fixes()
	d.choices()
	d.draft.Signs = d.signs()
	return d.draft
}
