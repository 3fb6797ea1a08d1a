// Package episodes is a causal memory for coding agents. It reads the logs that agents
// leave behind, reduces each session to an episode (what was decided, what happened,
// what led to what, how it ended), builds a causal graph over all episodes, and
// answers questions at the moment an agent acts.
//
// A memory is the folder .agents/memory of a repository. Create makes it, Open opens
// it, Extract takes logs in, Record keeps what an agent states, and the questions are
//
//   - Advise: what is known about what I am about to do, or about this error?
//   - Search: where do these words occur?
//   - Path: how did one thing lead to another?
//   - WhatIf: what would another option have done?
//   - Patterns: what works here, and what never does?
//   - Explain: on which lines of which logs does that rest?
//
// Each question takes a request, whose zero fields take defaults, and gives an answer
// that marshals to JSON and renders as text:
//
//	m, err := episodes.Open(".")
//	...
//	defer m.Close()
//	a, err := m.WhatIf(ctx, episodes.WhatIfRequest{Option: "retry with backoff"})
//	...
//	fmt.Print(a.Text(200)) // in at most 200 tokens
//
// Nothing in an answer is made up: outcomes are what logs show, rates come with
// intervals, and where there is too little evidence the answer says so. Having found
// nothing is an answer, not an error: see Empty of each answer.
//
// # Errors
//
// What a caller can decide on is found by errors.Is and errors.As: the variables and types
// below, fs.ErrClosed after Close, and the error of the context. A *RequestError says that
// the request itself is wrong; asking again does not help.
//
// # Compatibility
//
// Only this package is a promise: what it exports keeps working within a major version.
// Names are not removed, fields of requests get no other meaning, and a request that does
// not name a new field is answered as before. Fields may be added to requests and answers,
// so name the fields of literals. The JSON form of an answer is the data of `episodes
// ... --json` and has the same promise. Which answer is given for the same logs, and its
// text, may improve with every version. Types of other packages have the promise as far as
// answers reach them (testdata/api.txt lists them); all else there may change at any time.
package episodes

import (
	"cmp"
	"context"
	"io/fs"
	"path/filepath"

	"episodes/internal/ask"
)

// Memory is the memory of one repository. Every question sees the episodes as they
// are at that moment, and brings the graph up to date first. It is safe for concurrent
// use: calls take turns. A call ends with the error of its context once that is done,
// also while it waits for its turn or for another process.
type Memory struct {
	// Note, if not nil, is called with remarks that are not part of an answer, such as
	// episodes that were left out. It is set before the first call.
	Note func(text string)

	turn   chan struct{} // holds a value while a call is at work
	loc    ask.Location
	closed bool
}

// Open opens the memory of the repository in a folder: dir/.agents/memory. It must
// exist; else the error is ErrNoMemory.
func Open(dir string) (*Memory, error) {
	loc, err := locate(dir)
	if err != nil {
		return nil, err
	}
	m := &Memory{turn: make(chan struct{}, 1), loc: loc}
	opened, err := ask.Open(m.options())
	if err != nil {
		return nil, matched(err)
	}
	opened.Close()
	return m, nil
}

// Create makes the memory of the repository in a folder where it is missing, and
// opens it. What exists is left alone.
func Create(dir string) (*Memory, error) {
	loc, err := locate(dir)
	if err != nil {
		return nil, err
	}
	if _, err := ask.Create(loc); err != nil {
		return nil, err
	}
	return Open(dir)
}

func locate(dir string) (ask.Location, error) {
	root, err := filepath.Abs(dir)
	if err != nil {
		return ask.Location{}, err
	}
	return ask.Locate(root, "", root)
}

// Close ends the use of the memory: later calls fail with fs.ErrClosed.
func (m *Memory) Close() error {
	m.turn <- struct{}{}
	defer m.end()
	m.closed = true
	return nil
}

// begin waits for the turn of a call, which end passes on.
func (m *Memory) begin(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case m.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	if m.closed {
		m.end()
		return fs.ErrClosed
	}
	return nil
}

func (m *Memory) end() { <-m.turn }

// Extract takes session logs into the memory: logs to episodes, episodes into the
// graph. Relative paths start at the repository. A log that fails is part of the
// answer, not an error; the others are still done.
func (m *Memory) Extract(ctx context.Context, r ExtractRequest) (*ExtractAnswer, error) {
	if err := m.begin(ctx); err != nil {
		return nil, err
	}
	defer m.end()
	r.Cwd = cmp.Or(r.Cwd, m.loc.Root)
	a, err := ask.Extract(ctx, m.options(), r)
	return a, matched(err)
}

// Record keeps a decision, a lesson or an outcome that an agent states about its own session.
// It outlasts later readings of the session's log.
func (m *Memory) Record(ctx context.Context, r RecordRequest) (*RecordAnswer, error) {
	return question(m, ctx, r, (*ask.Memory).State)
}

// Advise finds what other sessions show about an error, an action, a task or a choice. It
// answers only where enough is known.
func (m *Memory) Advise(ctx context.Context, r AdviseRequest) (*AdviseAnswer, error) {
	return question(m, ctx, r, (*ask.Memory).Advise)
}

// Search finds words in episodes, logs and notes.
func (m *Memory) Search(ctx context.Context, r SearchRequest) (*SearchAnswer, error) {
	return question(m, ctx, r, (*ask.Memory).Search)
}

// Path finds how one thing led to another.
func (m *Memory) Path(ctx context.Context, r PathRequest) (*PathAnswer, error) {
	return question(m, ctx, r, (*ask.Memory).Path)
}

// WhatIf compares an option with what was done instead.
func (m *Memory) WhatIf(ctx context.Context, r WhatIfRequest) (*WhatIfAnswer, error) {
	return question(m, ctx, r, (*ask.Memory).WhatIf)
}

// Patterns finds what works here, or what never does.
func (m *Memory) Patterns(ctx context.Context, r PatternsRequest) (*PatternsAnswer, error) {
	return question(m, ctx, r, (*ask.Memory).Patterns)
}

// Explain shows on which episodes, files and lines something rests.
func (m *Memory) Explain(ctx context.Context, r ExplainRequest) (*ExplainAnswer, error) {
	return question(m, ctx, r, (*ask.Memory).Explain)
}

// question opens the memory for one question. It keeps nothing open between two,
// so that other processes can write.
func question[R, A any](m *Memory, ctx context.Context, r R, method func(*ask.Memory, context.Context, R) (A, error)) (A, error) {
	var none A
	if err := m.begin(ctx); err != nil {
		return none, err
	}
	defer m.end()
	if err := ask.Check(r); err != nil {
		return none, err
	}
	opened, err := ask.Open(m.options())
	if err != nil {
		return none, matched(err)
	}
	defer opened.Close()
	a, err := method(opened, ctx, r)
	return a, matched(err)
}

func (m *Memory) options() ask.Options {
	return ask.Options{Location: m.loc, LockTimeout: lockTimeout, Who: "a program that uses package episodes",
		Note: m.Note, Warn: m.Note}
}
