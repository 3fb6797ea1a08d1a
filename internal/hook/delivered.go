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

// The facts that a session got already are in a file with one line for each: its episode and
// lines, and the failure that it was given at. Hooks of one session run at the same time, so a lock covers reading and writing.
const (
	deliveredDir  = "told"
	deliveredWait = 100 * time.Millisecond
	maxDelivered  = 64 << 10 // bytes of one file, which limit a session's facts
	mostSessions  = 256      // sessions that are remembered
	leaveSessions = 192      // of them, when there are more
)

// fact is a place in a log. Without lines it is the whole episode.
type fact struct {
	episode     string
	first, last int
	failure     string // a hash of the failure, or ""
}

func factAt(e ask.AdviceEvidence) fact {
	f := fact{episode: e.Episode}
	if e.Lines != nil {
		f.first, f.last = e.Lines[0], e.Lines[1]
	}
	return f
}

// same reports whether two places overlap. At a failure, what was given at another one does not
// count: it was about that one.
func (f fact) same(o fact) bool {
	return f.episode == o.episode && f.first <= o.last && o.first <= f.last && (f.failure == "" || f.failure == o.failure)
}

// errFull says that the file of a session has its maximum size.
var errFull = errors.New("this session was told as much as is remembered")

// claim returns the part of an answer that a session has not got yet, with its evidence, and
// records that it has it now. Facts for which quiet is true are left out. failure is a hash of the current failure, or "".
func (h *hook) claim(ctx context.Context, session, failure string, quiet func(ask.AdviceEvidence) bool, answer *ask.AdviseAnswer) (text string, given []ask.AdviceEvidence, err error) {
	q, err := h.open(ctx, deliveredDir, deliveredWait)
	if err != nil {
		return "", nil, err
	}
	defer q.close()
	data, err := q.dir.ReadLarge(session, maxDelivered)
	var large *fsstore.TooLargeError
	switch {
	case errors.As(err, &large):
		return "", nil, errFull
	case errors.Is(err, fs.ErrNotExist):
		prune(q.dir, mostSessions, leaveSessions)
	case err != nil:
		return "", nil, err
	}
	known := factsIn(data)
	text, given = answer.Unasked(budget, func(e ask.AdviceEvidence) bool {
		at := factAt(e)
		at.failure = failure
		return quiet(e) || slices.ContainsFunc(known, at.same)
	})
	if text == "" {
		return "", nil, nil
	}
	var lines []byte
	for _, e := range given {
		at := factAt(e)
		lines = fmt.Appendf(lines, "%s %d %d %s\n", at.episode, at.first, at.last, failure)
	}
	if err := q.dir.AppendPrivate(session, lines, 2*maxDelivered); err != nil {
		return "", nil, err
	}
	return text, given, nil
}

// factsIn are the facts in a file; what is no fact is left out.
func factsIn(data []byte) (out []fact) {
	for line := range strings.Lines(string(data)) {
		var f fact
		if n, _ := fmt.Sscanf(line, "%s %d %d %s\n", &f.episode, &f.first, &f.last, &f.failure); n >= 3 {
			out = append(out, f)
		}
	}
	return out
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
