package ask

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"episodes/internal/memory"
)

// Options select the memory to ask and receive messages about the work. Only Location is
// required.
type Options struct {
	Location    Location
	Store       string           // URL of the graph; "" or a team's store: the memory's own
	Team        string           // URL of a team's store that is asked instead, or ""
	Org         bool             // of Team: all its projects are asked
	LockTimeout time.Duration    // how long to wait for another process; 0: not at all
	Who         string           // names this process to others that wait for it
	Now         func() time.Time // nil: time.Now
	// Home and Getenv are the user's. Searches look there for agents' own notes; "": nowhere.
	Home   string
	Getenv func(string) string
	// AsItIs answers from what is kept of the last time: nothing is written, brought up to
	// date or removed, no lock is taken, and the graph is not opened. Only Advise, Branch and
	// Current keep to it.
	AsItIs bool
	// Unreviewed: Advise and Search also give, last, what is new and by authors who are not known
	// here. It is for people; agents never get it.
	Unreviewed  bool
	Shared      bool // only the shared part is asked, as everyone who clones has it
	NameAuthors bool // name the author of all that is not this user's, not only of what came lately

	// Note, if not nil, is called with remarks that are not part of the answer.
	Note func(text string)
	// Warn, when not nil, gets what the user must know: which episodes were left out.
	Warn func(text string)
	// Working, when not nil, is called when work begins that may take seconds;
	// what it returns is called at its end.
	Working func(what string) (done func())
	// Progress, when not nil, gets how much of a piece of work is done, which may be a step of a larger one.
	Progress func(what string, done, total int, share float64) // share is that of the whole, from 0 to 1
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

// A step is what a piece of work has to the whole: the shares of the time at which it begins and ends.
type step struct{ from, to float64 }

// The steps of taking logs in. Of 10 000 logs reading takes 14 of 36 s (internal/capture); then they are
// written at 18, in the graph at 23, indexed at 36.
var (
	whole   = step{0, 1}
	toDisk  = step{.39, .51}
	toGraph = step{.61, .66}
	toIndex = step{.66, 1}
)

// progress is Progress for one step.
func (o Options) progress(what string, s step) func(done, total int) {
	if o.Progress == nil {
		return nil
	}
	return func(done, total int) {
		o.Progress(what, done, total, s.from+(s.to-s.from)*float64(done)/float64(total))
	}
}

func (o Options) now() time.Time {
	if o.Now == nil {
		return time.Now()
	}
	return o.Now()
}

// Memory is a memory that is being asked. It answers one question after another,
// all from the same state of the graph; it is not safe for concurrent use. A
// server opens one for each request.
type Memory struct {
	Options
	source                 // what questions are asked of
	here    *local         // the memory of this machine
	folder  *memory.Memory // of here
	figures                // statistics that were computed over the source
}

// notePrivate says that a private part is not used, and why.
func (o Options) notePrivate(folder *memory.Memory) {
	if err := (*memory.PrivateError)(nil); errors.As(folder.PrivateError(), &err) {
		o.note("%v; to do: %s", err, err.Hint())
	}
}

// Close releases the memory and its graph.
func (m *Memory) Close() {
	m.source.close()
	m.folder.Close()
}

// Redact takes out of a text what must not leave the memory: what the rules of today and the
// project call secrets and personal data.
func (m *Memory) Redact(text string) string { return m.here.redactor().String(text) }

// Answer is what every question gives.
type Answer interface {
	// Text renders the answer for people, in at most so many tokens of 4 bytes;
	// 0 takes the question's own budget.
	Text(tokens int) string
	// Empty reports whether nothing was found.
	Empty() bool
}

// full is part of the answers that are never empty: that nothing changed is an answer, too.
type full struct{}

func (full) Empty() bool { return false }

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
