package hook

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"episodes/internal/ask"
	"episodes/internal/lock"
	"episodes/internal/sources"
)

// How the queue is worked on: by one run at a time on this machine.
const (
	workerLock    = "worker.lock"
	mostTries     = 3                      // in one run
	triesInAll    = 9                      // for a session without a file, in runs that later sessions start
	firstPause    = 500 * time.Millisecond // after a try that failed; twice as long after each more
	jobTime       = 15 * time.Minute
	memoryWait    = 30 * time.Second // for another process that writes to the memory
	queuePatience = 10 * time.Second // for the queue itself, which nobody holds for long
)

// WorkerOptions say what a run that works on the queue takes from its surroundings.
type WorkerOptions struct {
	Home   string
	Getenv func(string) string
	Now    func() time.Time
	// Rest is how long a transcript has to be unchanged before it is read: agents write to it
	// behind their last hooks.
	Rest time.Duration
}

// mostRests is how many times Rest a transcript is waited for at most.
const mostRests = 10

// Work takes in what is queued until nothing is, unless another process does so. What fails
// is tried again a few times, and then left until it is queued again.
func Work(ctx context.Context, o WorkerOptions) {
	if Off(o.Getenv) {
		return
	}
	h := &hook{Options: Options{Getenv: o.Getenv, Now: o.Now, Agent: "-", Event: RunQueue}}
	dir, err := h.state()
	if err != nil {
		return
	}
	for ctx.Err() == nil {
		l, free, err := lock.Try(dir.Path(workerLock), "episodes hook "+RunQueue)
		if err != nil || !free {
			return
		}
		h.drain(ctx, o)
		_ = l.Release()
		h.readDue(ctx, dir, o)
		if _, ok := h.waiting(ctx); !ok { // else it was queued when nobody else could get the lock
			return
		}
	}
}

// waiting is the job that waits longest.
func (h *hook) waiting(ctx context.Context) (j job, ok bool) {
	q, err := h.open(ctx, queueDir, queuePatience)
	if err != nil {
		h.trouble(err)
		return j, false
	}
	defer q.close()
	return q.next()
}

// drain works until nothing waits. A transcript that was written to since it was read is read once
// more; a session that goes on has further hooks, which queue it again.
func (h *hook) drain(ctx context.Context, o WorkerOptions) {
	var read []job
	for ctx.Err() == nil {
		j, queued := h.waiting(ctx)
		if !queued {
			var ok bool
			if j, ok = grown(ctx, read, o.Rest); !ok {
				return
			}
			read = slices.DeleteFunc(read, func(r job) bool { return r.name() == j.name() })
		}
		h.Agent, h.Event = j.Agent, j.Event
		now := j
		_, err := h.work(ctx, &now, o, nil)
		if err != nil {
			now.Tries++
			if no := (*sources.NoTranscriptError)(nil); !j.Begun || !errors.As(err, &no) {
				h.trouble(fmt.Errorf("try %d: %w", now.Tries, err))
			}
		} else if !j.Refresh {
			if queued {
				read = append(read, now)
			}
			if err := h.readLater(ctx, now); err != nil {
				h.trouble(err)
			}
		}
		now.Done = err == nil || now.Tries%mostTries == 0 || hopeless(err)
		q, err := h.open(ctx, queueDir, queuePatience)
		if err == nil {
			err = q.finish(j, now)
			q.close()
		}
		if err != nil { // it would be done for ever
			h.trouble(err)
			return
		}
		if !now.Done {
			pause(ctx, firstPause<<((now.Tries-1)%mostTries))
		}
	}
}

// grown waits, and returns a job whose transcript was written to since it was read.
func grown(ctx context.Context, read []job, rest time.Duration) (j job, ok bool) {
	if rest == 0 || len(read) == 0 {
		return j, false
	}
	pause(ctx, mostRests/2*rest)
	for _, j := range read {
		if changed, err := j.check(); changed && err == nil {
			return j, true
		}
	}
	return j, false
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// hopeless reports whether to try again is of no use.
func hopeless(err error) bool {
	var no *sources.NoTranscriptError
	return errors.As(err, &no) && !no.Later || errors.Is(err, ask.ErrNoMemory)
}

// work does one job, as `episodes extract --from` would, with a reader where there is one; skipped: the
// reader was not asked, since it would cost too much. It notes which transcript it read, and in which state.
func (h *hook) work(ctx context.Context, j *job, o WorkerOptions, r *ask.ReaderRequest) (skipped bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %T", p)
		}
	}()
	ctx, stop := context.WithTimeout(ctx, jobTime)
	defer stop()
	loc, err := ask.Locate(j.tree(), j.Memory, j.Root)
	if err != nil {
		loc, err = ask.Locate(j.Root, j.Memory, j.Root)
	}
	if err != nil {
		return false, err
	}
	warn := func(text string) { h.trouble(errors.New(text)) } // doctor shows where it is
	options := ask.Options{Warn: warn, Location: loc, Store: j.Store, LockTimeout: memoryWait, Who: "episodes hook", Now: h.now}
	if !j.Refresh {
		return takeIn(ctx, j, options, o, r)
	}
	m, err := ask.Open(options)
	if err != nil {
		return false, err
	}
	defer m.Close()
	return false, m.Prepare(ctx)
}

// takeIn reads the transcript of a job. A reader gets it in the state in which it was read before.
func takeIn(ctx context.Context, j *job, options ask.Options, o WorkerOptions, reader *ask.ReaderRequest) (skipped bool, err error) {
	if j.Session != "" && reader == nil {
		path, err := sources.OfSession(ctx, sources.Environment{Home: o.Home, Getenv: o.Getenv}, j.Agent, j.Session, options.Location.Root)
		if err != nil {
			return false, err
		}
		j.Path = path
	}
	if j.Path != "" && reader == nil {
		if err := settle(ctx, j, o.Rest); err != nil {
			return false, err
		}
	}
	r := ask.ExtractRequest{From: []string{j.Agent}, Only: j.Path, Cwd: options.Location.Root, Jobs: 1, Reader: reader}
	r.Sources.Home, r.Sources.Getenv, r.Sources.MovedFrom = o.Home, o.Getenv, []string{j.tree()} // git may know it no longer
	a, err := ask.Extract(ctx, options, r)
	if err != nil {
		return false, err
	}
	for _, e := range a.Episodes {
		switch {
		case e.Status == ask.Failed && len(e.Diagnostics) > 0:
			return false, fmt.Errorf("the transcript was not taken in: %s", e.Diagnostics[0].Code)
		case e.Reader != nil && e.Reader.Error != "":
			return false, errors.New(e.Reader.Error)
		case e.Reader != nil:
			skipped = skipped || e.Reader.Skipped
		}
	}
	return skipped, nil
}

// settle waits until a transcript has not been written to for a while, and notes its state.
func settle(ctx context.Context, j *job, rest time.Duration) error {
	for n := range mostRests {
		if _, err := j.check(); err != nil {
			return err
		}
		if n > 0 && time.Since(j.Time) >= rest || rest == 0 {
			break
		}
		pause(ctx, rest)
	}
	return nil
}
