package hook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"episodes/internal/ask"
	"episodes/internal/fsstore"
	"episodes/internal/local"
	"episodes/internal/lock"
	"episodes/internal/proc"
)

// The queue of what is to be taken in: a file for each transcript, so that one that is
// named again takes the place of itself. A file stays when it is done, to know the
// transcript in that state.
const (
	queueDir   = "queue"
	queueWait  = 50 * time.Millisecond // for the lock, of an agent's time
	mostQueued = 512                   // files
	leaveQueue = 384                   // of them, when there are more
	jsonSuffix = ".json"

	// refreshPause is the time in which an index is brought up to date once: where that
	// fails it would do so again at every call.
	refreshPause = time.Minute
)

// RunQueue is the argument of the command hook with which a run takes in what is queued.
const RunQueue = "run-queue"

// job is a piece of work in the queue.
type job struct {
	Agent  string    `json:"agent"`
	Event  string    `json:"event"`
	Path   string    `json:"path,omitempty"` // of the transcript; "": all that the agent left of the repository
	Root   string    `json:"root"`
	Memory string    `json:"memory,omitempty"` // where it was named
	Store  string    `json:"store,omitempty"`  // likewise
	Size   int64     `json:"size"`             // of the transcript
	Time   time.Time `json:"time"`             // of its last change
	Queued time.Time `json:"queued"`
	Tries  int       `json:"tries,omitempty"` // that failed
	Done   bool      `json:"done,omitempty"`
	// Refresh: nothing is taken in, but the memory's index is brought up to date.
	Refresh bool `json:"refresh,omitempty"`
}

func (j job) name() string {
	return nameOf(j.Agent, j.Path, j.Root, j.Memory, j.Store, fmt.Sprint(j.Refresh)) + jsonSuffix
}

// enqueue puts the transcript that an event names into the queue, and sees that somebody
// works on it.
func (h *hook) enqueue(ctx context.Context, loc ask.Location, v *Event) error {
	m, err := ask.Open(ask.Options{Location: loc, AsItIs: true}) // is there a memory at all?
	if err != nil {
		return err
	}
	m.Close()
	j := h.job(loc)
	if j.Path = v.Transcript; j.Path != "" {
		info, err := os.Stat(j.Path)
		if err != nil || !info.Mode().IsRegular() {
			return errors.New("the transcript that the agent named is no file")
		}
		j.Size, j.Time = info.Size(), info.ModTime()
	}
	return h.put(ctx, j)
}

// refresh queues that the index is brought up to date.
func (h *hook) refresh(ctx context.Context, loc ask.Location) {
	j := h.job(loc)
	j.Agent, j.Refresh = "", true
	if err := h.put(ctx, j); err != nil {
		h.trouble(err)
	}
}

func (h *hook) job(loc ask.Location) job {
	j := job{Agent: h.Agent, Event: h.Event, Root: loc.Root, Store: h.Store, Queued: h.now()}
	if h.Memory != "" {
		j.Memory = loc.Dir
	}
	return j
}

// put adds a job to the queue and starts a run that works on it.
func (h *hook) put(ctx context.Context, j job) error {
	dir, err := h.state()
	if err != nil {
		return err
	}
	q, err := openQueue(ctx, dir, queueWait)
	if err != nil {
		return err
	}
	defer q.close()
	wanted, err := q.add(j)
	if !wanted || err != nil {
		return err
	}
	launch := h.Launch
	if launch == nil {
		launch = Launch
	}
	if err := launch("hook", RunQueue); err != nil {
		return fmt.Errorf("start the run that takes in what is queued: %w", err)
	}
	return nil
}

// add writes a job; wanted is false where it was done before, and it is as it was. An index
// is not brought up to date again and again.
func (q *queue) add(j job) (wanted bool, err error) {
	old, there := q.read(j.name())
	same := there && j.Path != "" && old.Size == j.Size && old.Time.Equal(j.Time)
	switch {
	case same && old.Done, there && j.Refresh && j.Queued.Sub(old.Queued) < refreshPause:
		return false, nil
	case same:
		return true, nil // it waits
	case !there:
		prune(q.dir, mostQueued, leaveQueue)
	}
	return true, q.write(j)
}

// Launch starts this program with other arguments, in a session of processes of its own, so
// that it outlives whoever started this one.
func Launch(args ...string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	dir, err := openState(true)
	if err != nil {
		return err
	}
	defer dir.Close()
	cmd := exec.Command(self, args...)
	cmd.Args[0], cmd.Dir = os.Args[0], dir.Path("")
	return proc.StartDetached(cmd)
}

// queue is the folder of jobs, under its lock.
type queue struct {
	dir  *fsstore.Dir
	lock *lock.Lock
}

func openQueue(ctx context.Context, state *fsstore.Dir, wait time.Duration) (*queue, error) {
	l, err := local.LockState(ctx, wait, "episodes hook")
	if err != nil {
		return nil, err
	}
	dir, err := state.SubPrivate(queueDir)
	if err != nil {
		_ = l.Release()
		return nil, err
	}
	return &queue{dir, l}, nil
}

func (q *queue) close() {
	q.dir.Close()
	_ = q.lock.Release()
}

func (q *queue) read(name string) (j job, ok bool) {
	data, err := q.dir.Read(name)
	return j, err == nil && json.Unmarshal(data, &j) == nil
}

func (q *queue) write(j job) error {
	data, err := json.Marshal(j)
	if err != nil {
		return err
	}
	return q.dir.WriteCache(j.name(), data)
}

// next is the job that waits longest; ok is false when none does.
func (q *queue) next() (j job, ok bool) {
	names, err := q.dir.Names()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return j, false
	}
	for _, name := range slices.DeleteFunc(names, func(n string) bool { return !strings.HasSuffix(n, jsonSuffix) }) {
		one, good := q.read(name)
		if !good || one.name() != name {
			_ = q.dir.Remove(name) // written by another version
			continue
		}
		if !one.Done && (!ok || one.Queued.Before(j.Queued)) {
			j, ok = one, true
		}
	}
	return j, ok
}

// finish records the result of a job, unless it was queued again meanwhile.
func (q *queue) finish(taken, now job) error {
	if there, ok := q.read(taken.name()); !ok || !there.Queued.Equal(taken.Queued) {
		return nil
	}
	return q.write(now)
}
