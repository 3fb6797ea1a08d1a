package hook

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
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
// transcript in that state. Hooks leave new jobs in the inbox, without a lock.
const (
	queueDir   = "queue"
	inboxDir   = "inbox"
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
	Agent string `json:"agent"`
	Event string `json:"event"`
	// Session is the id of a session whose agent named no transcript; it is untrusted. The file is
	// found by it.
	Session string `json:"session,omitempty"`
	// Path is that of the transcript. Without Session and Path it is all that the agent left of the
	// repository.
	Path string `json:"path,omitempty"`
	Root string `json:"root"` // of the repository's home
	// Tree is the working tree in which it was queued. It may be gone soon.
	Tree   string    `json:"tree,omitempty"`
	Memory string    `json:"memory,omitempty"` // where it was named
	Store  string    `json:"store,omitempty"`  // likewise
	Size   int64     `json:"size"`             // of the transcript; 0 before it was read
	Time   time.Time `json:"time"`             // of its last change
	Queued time.Time `json:"queued"`
	Tries  int       `json:"tries,omitempty"` // that failed
	Done   bool      `json:"done,omitempty"`
	// Begun: the session began, and may have left nothing.
	Begun bool `json:"begun,omitempty"`
	// Refresh: nothing is taken in, but the memory's index is brought up to date.
	Refresh bool `json:"refresh,omitempty"`
}

// tree is the working tree of a job, also of one of an older version.
func (j job) tree() string { return cmp.Or(j.Tree, j.Root) }

func (j job) name() string {
	what := j.Path
	switch {
	case j.Refresh: // each tree has an index
		what = j.Tree
	case j.Session != "":
		what = "session " + j.Session
	}
	return nameOf(j.Agent, what, j.Root, j.Memory, j.Store, fmt.Sprint(j.Refresh)) + jsonSuffix
}

// check notes the state of the transcript. It reports whether it is another one than before.
func (j *job) check() (changed bool, err error) {
	info, err := os.Stat(j.Path)
	if err != nil || !info.Mode().IsRegular() {
		return false, errors.New("the transcript that the agent named is no file")
	}
	changed = j.Size != info.Size() || !j.Time.Equal(info.ModTime())
	j.Size, j.Time = info.Size(), info.ModTime()
	return changed, nil
}

// enqueue puts the transcript that an event names into the queue, and sees that somebody
// works on it.
func (h *hook) enqueue(loc ask.Location, v *Event) error {
	m, err := ask.Open(ask.Options{Location: loc, AsItIs: true}) // is there a memory at all?
	if err != nil {
		return err
	}
	m.Close()
	j := h.job(loc, v)
	if j.Path != "" {
		if _, err := j.check(); err != nil {
			return err
		}
	}
	return h.put(j)
}

// begin notes that a session starts. It queues the sessions of the repository whose transcripts are
// not as they were read: their agents were killed, or wrote on behind the last hook.
func (h *hook) begin(ctx context.Context, loc ask.Location, v *Event) error {
	q, err := h.open(ctx, queueDir, queueWait)
	if err != nil {
		return err
	}
	defer q.close()
	own, queued := h.job(loc, v), 0
	for _, j := range q.all() {
		if !j.Done || j.Refresh || j.Root != own.Root || j.Memory != own.Memory || j.Session+j.Path == "" || j.name() == own.name() {
			continue
		}
		if changed, err := j.check(); changed && err == nil {
			j.Tries = 0
		} else if j.Path != "" || j.Tries%mostTries != 0 || j.Tries >= triesInAll {
			continue // as it was, or hopeless before a run had all its tries
		}
		j.Done, j.Queued = false, h.now()
		if err := q.write(j); err != nil {
			return err
		}
		queued++
	}
	if _, there := q.read(own.name()); !there && own.Session+own.Path != "" {
		prune(q.dir, mostQueued, leaveQueue)
		own.Done, own.Begun = true, true
		if err := q.write(own); err != nil {
			return err
		}
	}
	if queued == 0 {
		return nil
	}
	return h.launch()
}

// refresh queues that the index is brought up to date.
func (h *hook) refresh(loc ask.Location) {
	j := h.job(loc, &Event{})
	j.Agent, j.Refresh = "", true
	if err := h.put(j); err != nil {
		h.trouble(err)
	}
}

func (h *hook) job(loc ask.Location, v *Event) job {
	j := job{Agent: h.Agent, Event: h.Event, Path: v.Transcript, Root: loc.Home().Root, Tree: loc.WorkTree(), Store: h.Store, Queued: h.now()}
	if j.Path == "" {
		j.Session = v.Session
	}
	if h.Memory != "" {
		j.Memory = loc.Dir
	}
	return j
}

// put leaves a job for the run that works on the queue, and starts one. It takes no lock: many
// sessions may end at once.
func (h *hook) put(j job) error {
	state, err := h.state()
	if err != nil {
		return err
	}
	for _, name := range []string{queueDir, inboxDir} {
		dir, err := state.SubPrivate(name)
		if err != nil {
			return err
		}
		defer dir.Close()
		q := &queue{dir: dir}
		switch same, settled := q.knows(j); {
		case settled:
			return nil
		case same: // it waits
			return h.launch()
		case name == inboxDir:
			prune(dir, mostQueued, leaveQueue)
			err = q.write(j)
		}
		if err != nil {
			return err
		}
	}
	return h.launch()
}

// launch starts a run that works on the queue.
func (h *hook) launch() error {
	launch := h.Launch
	if launch == nil {
		launch = Launch
	}
	if err := launch("hook", RunQueue); err != nil {
		return fmt.Errorf("start the run that takes in what is queued: %w", err)
	}
	return nil
}

// knows reports whether the queue has a job in the same state of its transcript, and whether
// nothing more is to be done for it. An index is not brought up to date again and again.
func (q *queue) knows(j job) (same, settled bool) {
	old, there := q.read(j.name())
	same = there && j.Path != "" && old.Size == j.Size && old.Time.Equal(j.Time)
	return same, same && old.Done || there && j.Refresh && j.Queued.Sub(old.Queued) < refreshPause
}

// adopt moves what hooks left in the inbox into the queue.
func (q *queue) adopt(state *fsstore.Dir) error {
	dir, err := state.Existing(inboxDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	inbox := &queue{dir: dir}
	for _, j := range inbox.all() {
		if same, settled := q.knows(j); !same && !settled {
			prune(q.dir, mostQueued, leaveQueue)
			if err := q.write(j); err != nil {
				return err
			}
		}
		_ = dir.Remove(j.name())
	}
	return nil
}

// Launch starts this program with other arguments, in a session of processes of its own, so
// that it outlives whoever started this one.
func Launch(args ...string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	dir, err := local.OpenState(true)
	if err != nil {
		return err
	}
	defer dir.Close()
	cmd := exec.Command(self, args...)
	cmd.Args[0], cmd.Dir = os.Args[0], dir.Path("")
	return proc.StartDetached(cmd)
}

// queue is a folder in that of the state, such as that of the jobs, under the lock of the state.
type queue struct {
	dir  *fsstore.Dir
	lock *lock.Lock
}

func (h *hook) open(ctx context.Context, name string, wait time.Duration) (*queue, error) {
	state, err := h.state()
	if err != nil {
		return nil, err
	}
	l, err := local.LockState(ctx, wait, "episodes hook")
	if err != nil {
		return nil, err
	}
	dir, err := state.SubPrivate(name)
	if err != nil {
		_ = l.Release()
		return nil, err
	}
	q := &queue{dir, l}
	if name == queueDir {
		err = q.adopt(state)
	}
	if err != nil {
		q.close()
		return nil, err
	}
	return q, nil
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
	return q.dir.WriteCachePrivate(j.name(), data)
}

// all are the jobs. Those that another version wrote are removed.
func (q *queue) all() (jobs []job) {
	names, _ := q.dir.Names()
	for _, name := range names {
		if !strings.HasSuffix(name, jsonSuffix) {
			continue
		}
		if j, good := q.read(name); good && j.name() == name {
			jobs = append(jobs, j)
		} else {
			_ = q.dir.Remove(name)
		}
	}
	return jobs
}

// next is the job that waits longest; ok is false when none does.
func (q *queue) next() (j job, ok bool) {
	for _, one := range q.all() {
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
