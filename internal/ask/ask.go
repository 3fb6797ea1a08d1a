package ask

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"episodes/graph"
	"episodes/infer"
	"episodes/internal/capture"
	"episodes/internal/memory"
	"episodes/internal/team"
	"episodes/ledger"
	"episodes/redact"
)

// Options say which memory to ask, and who is told what on the way. Only Location
// is required.
type Options struct {
	Location    Location
	Store       string           // URL of the graph; "", or that of a team's store: the memory's own
	Team        string           // URL of a team's store with its project, which is asked instead; ""
	Org         bool             // of Team: Advise and Search look in all its projects
	LockTimeout time.Duration    // how long to wait for another process; 0: not at all
	Who         string           // names this process to others that wait for it
	Now         func() time.Time // nil: time.Now
	// AsItIs answers from what is kept of the last time: nothing is written, brought up to
	// date or removed, no lock is taken, and the graph is not opened. Only Advise, Branch and
	// Current keep to it.
	AsItIs bool

	// Note, when not nil, gets what the user should know beside the answer.
	Note func(text string)
	// Warn, when not nil, gets what the user must know: which episodes were left out.
	Warn func(text string)
	// Working, when not nil, is called when work begins that may take seconds;
	// what it returns is called at its end.
	Working func(what string) (done func())
	// Progress, when not nil, gets how much of a piece of work is done.
	Progress func(what string, done, total int)
}

func (o Options) note(format string, args ...any) {
	if o.Note != nil {
		o.Note(fmt.Sprintf(format, args...))
	}
}

func (o Options) warn(lines []string) {
	for _, text := range lines {
		if o.Warn != nil {
			o.Warn(text)
		}
	}
}

func (o Options) working(what string) (done func()) {
	if o.Working == nil {
		return func() {}
	}
	return o.Working(what)
}

// progress is Progress for one kind of work.
func (o Options) progress(what string) func(done, total int) {
	if o.Progress == nil {
		return nil
	}
	return func(done, total int) { o.Progress(what, done, total) }
}

func (o Options) now() time.Time {
	if o.Now == nil {
		return time.Now()
	}
	return o.Now()
}

// GraphOptions is how rooms below work on the memory's graph.
func (o Options) GraphOptions() memory.GraphOptions {
	g := memory.GraphOptions{Store: o.Store, Options: graph.Options{LockTimeout: o.LockTimeout, Who: o.Who, Progress: o.progress("episodes into the graph")}}
	if g.Store == "" || team.Is(g.Store) { // a team's graph is made of what was pushed, never of this folder
		g.Store = o.Location.DefaultStore()
	}
	if g.LockTimeout == 0 {
		g.LockTimeout = time.Nanosecond // the graph takes 0 for its default
	}
	return g
}

// Memory is a memory that is being asked. It answers one question after another,
// all from the same state of the graph; it is not safe for concurrent use. A
// server opens one for each request.
type Memory struct {
	Options
	folder *memory.Memory
	absent error // where there is no memory and a team's store is asked: ErrNoMemory
	store  memory.GraphOptions
	graph  *graph.Graph    // nil until a question needs it
	study  *infer.Study    // nil likewise
	kept   []keptRecord    // of the episodes of graph; nil likewise
	told   *ledger.Summary // what came of tellings; nil likewise
	// changed: a file is no longer what graph was made from, so nothing computed
	// from both may be kept.
	changed bool
	settled bool // store is the one that may be asked
	// sharedOnly: graph is of the shared part alone; see shared.
	sharedOnly bool
	redactor   *redact.Redactor // nil until Redact needs it
	team       *team.Store      // nil until a question to it needs it
	private    map[string]bool  // of what the team's store told: episodes of this login alone
}

// Open opens a memory; the error is ErrNoMemory when there is none, which a question to a team's
// store does not need.
func Open(o Options) (*Memory, error) {
	folder, err := memory.Open(o.Location)
	absent := err
	if o.Team != "" && errors.Is(err, ErrNoMemory) {
		folder, err = memory.Nowhere(o.Location), nil
	}
	if err != nil {
		return nil, err
	}
	folder.Note = o.Note
	o.notePrivate(folder)
	m := &Memory{Options: o, folder: folder, absent: absent, store: o.GraphOptions()}
	if o.Team == "" {
		m.store.View = folder.View().Edges()
	}
	return m, nil
}

// notePrivate says that a private part is not used, and why.
func (o Options) notePrivate(folder *memory.Memory) {
	if err := (*memory.PrivateError)(nil); errors.As(folder.PrivateError(), &err) {
		o.note("%v; to do: %s", err, err.Hint())
	}
}

// Close releases the memory and its graph.
func (m *Memory) Close() {
	if m.graph != nil {
		_ = m.graph.Close()
	}
	if m.team != nil {
		m.team.Close()
	}
	m.folder.Close()
}

// Redact takes out of a text what must not leave the memory: what the rules of today and the
// project call secrets and personal data.
func (m *Memory) Redact(text string) string {
	if m.redactor == nil {
		m.redactor = capture.Redactor(m.Location)
	}
	return m.redactor.String(text)
}

// Answer is what every question gives.
type Answer interface {
	// Text renders the answer for people, in at most so many tokens of 4 bytes;
	// 0 takes the question's own budget.
	Text(tokens int) string
	// Empty reports whether nothing was found.
	Empty() bool
}

// marshal is json.Marshal that leaves <, > and & as they are, like the envelope.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
