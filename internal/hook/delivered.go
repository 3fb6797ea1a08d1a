package hook

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"episodes/internal/ask"
	"episodes/internal/fsstore"
)

// What a session was told is in a file with one line for each fact: its episode and lines, and how it was told. Hooks of one session
// run at the same time, so a lock covers each reading and writing.
const (
	toldDir       = "told"
	toldWait      = 100 * time.Millisecond
	maxTold       = 64 << 10 // bytes of one file, which limit a session's facts
	mostSessions  = 256      // sessions that are remembered
	leaveSessions = 192      // of them, when there are more
)

// briefMark marks what a brief said.
const briefMark = "brief"

// fact is a place in a log. Without lines it is the whole episode; without an episode it says that there was a brief.
type fact struct {
	episode     string
	first, last int
	mark        string // briefMark, or a hash of the failure at which it was told, or ""
}

func factAt(e ask.AdviceEvidence, mark string) fact {
	f := fact{episode: e.Episode, mark: mark}
	if e.Lines != nil {
		f.first, f.last = e.Lines[0], e.Lines[1]
	}
	return f
}

func (f fact) briefed() bool { return f.mark == briefMark }

// same reports whether two places overlap. At a failure, what was told at another one does not
// count: it was about that one.
func (f fact) same(o fact) bool {
	return f.episode == o.episode && f.first <= o.last && o.first <= f.last && (f.mark == "" || o.mark == "" || f.mark == o.mark || f.briefed())
}

var errTold = errors.New("told already")

// errFull says that the file of a session has its maximum size.
var errFull = errors.New("this session was told as much as is remembered")

// told is what the session was told so far.
func (t *telling) told(ctx context.Context) (out []fact, err error) {
	q, err := t.open(ctx, toldDir, toldWait)
	if err != nil {
		return nil, err
	}
	defer q.close()
	return q.told(t.session)
}

func (q *queue) told(session string) (out []fact, err error) {
	data, err := q.dir.ReadLarge(session, maxTold)
	var large *fsstore.TooLargeError
	switch {
	case errors.As(err, &large):
		return nil, errFull
	case errors.Is(err, fs.ErrNotExist):
		prune(q.dir, mostSessions, leaveSessions)
	case err != nil:
		return nil, err
	}
	for line := range strings.Lines(string(data)) {
		var f fact
		if n, _ := fmt.Sscanf(line, "%q %d %d %q\n", &f.episode, &f.first, &f.last, &f.mark); n == 4 {
			out = append(out, f)
		}
	}
	return out, nil
}

// remember adds what the session is told; errTold if another hook of the session told it meanwhile.
func (t *telling) remember(ctx context.Context, places []fact) error {
	q, err := t.open(ctx, toldDir, toldWait)
	if err != nil {
		return err
	}
	defer q.close()
	told, err := q.told(t.session)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(told, func(f fact) bool { return f.briefed() == places[0].briefed() && f.same(places[0]) }) {
		return errTold
	}
	var lines []byte
	for _, f := range places {
		lines = fmt.Appendf(lines, "%q %d %d %q\n", f.episode, f.first, f.last, f.mark)
	}
	return q.dir.AppendPrivate(t.session, lines, 2*maxTold)
}

// forget lets the session be told everything anew: its context was compacted.
func (t *telling) forget(ctx context.Context) error {
	q, err := t.open(ctx, toldDir, toldWait)
	if err != nil {
		return err
	}
	defer q.close()
	if err := q.dir.Remove(t.session); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// prune removes the oldest files of a folder where it has more than most.
func prune(dir *fsstore.Dir, most, leave int) {
	entries, err := dir.Entries()
	if err != nil || len(entries) < most {
		return
	}
	slices.SortFunc(entries, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for _, e := range entries[leave:] {
		_ = dir.Remove(e.Name())
	}
}
