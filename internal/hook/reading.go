package hook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"episodes/internal/ask"
	"episodes/internal/fsstore"
	"episodes/internal/lock"
)

// Sessions that a reader is to be asked about, where the user wants that: a file for each, in a
// folder of its own. The run that takes a transcript in adds it, and each run asks about those
// that are due. Taking in never waits for a reader.
const (
	readingDir  = "reading"
	readingLock = "reading.lock"
	quiet       = 30 * time.Minute // since the last turn of a session without an end
	firstAgain  = 10 * time.Minute // after a failure; doubled after each more
	answerTime  = 5 * time.Minute
)

// reading is a session that a reader is to be asked about.
type reading struct {
	Job   job       `json:"job"`
	Due   time.Time `json:"due"`
	Tries int       `json:"tries,omitempty"` // that began
	Done  bool      `json:"done,omitempty"`
}

// readLater notes a session whose transcript was taken in. One that was read in this state is left
// as it is.
func (h *hook) readLater(ctx context.Context, j job) error {
	config, err := ask.ReadUserConfig()
	if err != nil || j.Path == "" || !config.Reads(j.tree()) {
		return err
	}
	due := h.now()
	if !strings.EqualFold(j.Event, "SessionEnd") {
		due = due.Add(quiet)
	}
	return h.changeReading(ctx, j.name(), func(r *reading) bool {
		switch {
		case r.Job.Size != j.Size || !r.Job.Time.Equal(j.Time):
			*r = reading{Job: j, Due: due}
		case r.Done || r.Tries > 0 || !due.Before(r.Due):
			return false
		default:
			r.Due = due
		}
		return true
	})
}

// changeReading reads a file, or makes an empty one, and writes it where change says so.
func (h *hook) changeReading(ctx context.Context, name string, change func(*reading) bool) error {
	q, err := h.open(ctx, readingDir, queuePatience)
	if err != nil {
		return err
	}
	defer q.close()
	var r reading
	data, err := q.dir.Read(name)
	if err != nil || json.Unmarshal(data, &r) != nil {
		r = reading{}
		prune(q.dir, mostQueued, leaveQueue)
	}
	if !change(&r) {
		return nil
	}
	if data, err = json.Marshal(r); err != nil {
		return err
	}
	return q.dir.WriteCachePrivate(name, data)
}

// nextReading returns the session that is due the longest.
func (h *hook) nextReading(state *fsstore.Dir) (next reading, ok bool) {
	dir, err := state.Existing(readingDir)
	if err != nil {
		return next, false
	}
	defer dir.Close()
	names, _ := dir.Names()
	for _, name := range names {
		var r reading
		data, err := dir.Read(name)
		if err == nil && json.Unmarshal(data, &r) == nil && r.Job.name() == name && !r.Done && !r.Due.After(h.now()) &&
			(!ok || r.Due.Before(next.Due)) {
			next, ok = r, true
		}
	}
	return next, ok
}

// readDue asks a reader about the sessions that are due, unless another process does so.
func (h *hook) readDue(ctx context.Context, state *fsstore.Dir, o WorkerOptions) {
	if _, ok := h.nextReading(state); !ok {
		return
	}
	l, free, err := lock.Try(state.Path(readingLock), "episodes hook "+RunQueue)
	if err != nil || !free {
		return
	}
	defer func() { _ = l.Release() }()
	for ctx.Err() == nil {
		r, ok := h.nextReading(state)
		if !ok {
			return
		}
		h.Agent, h.Event = r.Job.Agent, "reading"
		if err := h.readOne(ctx, r, o); err != nil {
			h.trouble(err)
			if _, ok := errors.AsType[*keptError](err); ok { // it would be asked about for ever
				return
			}
		}
	}
}

// keptError says that what became of a session cannot be noted.
type keptError struct{ error }

// readOne asks about one session. The try is noted before, so that a run that is killed has had it.
func (h *hook) readOne(ctx context.Context, r reading, o WorkerOptions) error {
	note := func(change func(*reading)) error {
		err := h.changeReading(ctx, r.Job.name(), func(now *reading) bool {
			if now.Job.Size != r.Job.Size || !now.Job.Time.Equal(r.Job.Time) {
				return false // the session went on
			}
			change(now)
			return true
		})
		if err != nil {
			return &keptError{err}
		}
		return nil
	}
	config, err := ask.ReadUserConfig()
	if err != nil || !config.Reads(r.Job.tree()) {
		return errors.Join(err, note(func(now *reading) { now.Done = true }))
	}
	left, err := config.ReaderLeft(h.now())
	tomorrow := h.now().UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
	if err != nil || left == 0 {
		return errors.Join(err, note(func(now *reading) { now.Due = tomorrow }))
	}
	err = note(func(now *reading) {
		now.Due = h.now().Add(firstAgain << now.Tries)
		now.Tries++
		now.Done = now.Tries >= mostTries
	})
	if err != nil {
		return err
	}
	switch skipped, err := h.work(ctx, &r.Job, o, &ask.ReaderRequest{Command: config.Reader, Timeout: answerTime,
		PerLog: config.ReaderSession, PerRun: left, Apart: true, Background: true}); {
	case err != nil:
		return fmt.Errorf("try %d to ask the reader: %w", r.Tries+1, err)
	case skipped:
		return note(func(now *reading) { now.Due = tomorrow })
	}
	return note(func(now *reading) { now.Done = true })
}
