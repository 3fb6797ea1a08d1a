package learning

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"episodes/episode"
	"episodes/internal/ask"
	"episodes/internal/local"
	"episodes/internal/lock"
	"episodes/internal/memory"
	"episodes/reflexion"
	"episodes/reflexion/loop"
)

type LoopRequest struct {
	Resume string      // go on with this loop; then Config is not used
	Config loop.Config // of a new loop; the id and the time may be missing
	// Change changes a loop that is resumed, and lets one that ended go on; nil: as it was.
	Change func(*loop.Config)
	// OnIteration, when not nil, is called with each iteration and its result.
	OnIteration func(*reflexion.Turn)
}

type LoopAnswer struct {
	Config      *loop.Config
	End         *loop.End
	History     []*reflexion.Record
	Episode     string          // its id; "" when nothing was tried
	Brought     *loop.Brought   // of an isolated loop that runs, or nil
	Committed   *loop.Committed // after a pass, if asked for
	Uncommitted error           // why it was not
}

// BrokenError says that a loop did not end, and can go on.
type BrokenError struct {
	LoopID string
	Err    error
}

func (e *BrokenError) Error() string { return e.Err.Error() }
func (e *BrokenError) Unwrap() error { return e.Err }

// RunTask is RunLoop for a task of a list. A loop of the same task that was begun here by the same
// command goes on. The task is not tried again if one passed.
func (f *Folder) RunTask(ctx context.Context, r LoopRequest) (*LoopAnswer, error) {
	r.Config.Task, r.Config.Attempt = cleanTask(r.Config.Task), true
	home, done, err := f.home()
	if err != nil {
		return nil, err
	}
	defer done()
	for n := 1; ; n++ {
		id := loopID(r.Config.Task, n)
		d, err := home.Open(id)
		if rs, _ := f.Loop(id); err != nil && len(rs) == 0 {
			break // else it is another's
		}
		if d.Close(); err != nil || d.Config().Task != r.Config.Task {
			continue
		}
		end := d.End()
		if end != nil && end.Reason == loop.Passed {
			r.Resume, r.Change = id, nil
			break
		}
		if r.Resume = ""; (end == nil || d.Config().CanGoOn(end.Reason)) && d.Config().SameCommand(&r.Config) {
			r.Resume = id
		}
	}
	if r.Resume != "" {
		f.note("loop %s, begun before", r.Resume)
	}
	return f.RunLoop(ctx, r)
}

// loopID is the n-th id of loops with a task.
func loopID(task string, n int) string {
	id := reflexion.LoopIDFrom(task)
	if n > 1 {
		id += fmt.Sprintf("-%d", n)
	}
	return id
}

func cleanTask(s string) string { return strings.TrimSpace(reflexion.Clean(s)) }

// RunLoop runs a loop to its end and makes an episode of it.
func (f *Folder) RunLoop(ctx context.Context, r LoopRequest) (*LoopAnswer, error) {
	m, _, err := memory.Create(f.Location) // git keeps no empty folders
	if err != nil {
		return nil, err
	}
	m.Close()
	home, done, err := f.home()
	if err != nil {
		return nil, err
	}
	defer done()
	var tree *lock.Lock
	defer func() { _ = tree.Release() }()
	if r.Resume == "" {
		if tree, err = f.enter(ctx, home.Aside, &r.Config, true); err != nil {
			return nil, err
		}
	}
	dir, err := f.openLoop(home, r)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	running, err := lock.Acquire(ctx, dir.LockPath(), f.LockTimeout, "episodes loop")
	if err != nil {
		return nil, err
	}
	defer func() { _ = running.Release() }()
	if err = errors.Join(dir.Clean(), dir.Load()); err == nil { // another process may have run it
		err = f.putBack(dir)
	}
	if err == nil {
		err = goOn(dir, r)
	}
	if err != nil {
		return nil, err
	}
	records, err := reflexion.CreateStore(f.top)
	if err != nil {
		return nil, err
	}
	defer records.Close()
	c := dir.Config()
	if err := records.Clean(c.LoopID); err != nil {
		return nil, err
	}
	run := f.runner(ctx, c)
	steps := &loop.Processes{Dir: dir, Config: c, Work: f.Location.WorkTree(), Memory: f.Location.Dir, Note: f.note}
	run.Store, run.Steps, run.OnIteration = dir.Store(records), steps, r.OnIteration
	if end := dir.End(); end != nil { // before
		answer := &LoopAnswer{Config: c, End: end}
		if answer.History, err = run.Own(); err == nil && len(answer.History) > 0 {
			answer.Episode = episode.IDFromSession(c.LoopID)
		}
		return answer, errors.Join(err, dir.Forget())
	}
	if r.Resume != "" {
		if tree, err = f.enter(ctx, home.Aside, c, false); err != nil {
			return nil, err
		}
	}
	if c.Isolate {
		own, err := run.Own()
		if err == nil {
			err = steps.Isolate(own)
		}
		if err != nil {
			return nil, err
		}
	}
	answer := &LoopAnswer{Config: c}
	end, history, err := run.Run(ctx)
	if err == nil {
		answer.End, answer.History = end, history
		answer.Brought, err = steps.BringBack(history)
	}
	if err != nil {
		return nil, &BrokenError{c.LoopID, err}
	}
	if len(history) == 0 { // there was nothing to do
		return answer, dir.Finish(end, nil)
	}
	if c.Commit && end.Reason == loop.Passed {
		answer.Committed, answer.Uncommitted = steps.Commit(ctx, history, answer.Brought)
	}
	if answer.Episode, err = f.finish(ctx, dir, c, end, history); err != nil {
		return nil, &BrokenError{c.LoopID, err}
	}
	return answer, nil
}

// putBack puts back what the actor of a loop removed of the memory before the loop was killed.
func (f *Folder) putBack(dir *loop.Dir) error {
	restored, err := dir.Recover(f.Location.Dir)
	if len(restored) > 0 && err == nil {
		f.warn(fmt.Sprintf("%d files of the memory were removed while the loop ran; they were put back", len(restored)))
	}
	return err
}

// enter locks the working tree for a loop, unless it works in copies, and checks and says what a new
// one needs to know of it.
func (f *Folder) enter(ctx context.Context, aside string, c *loop.Config, isNew bool) (tree *lock.Lock, err error) {
	if !c.Isolate {
		sum := sha256.Sum256([]byte(f.Location.WorkTree()))
		path := filepath.Join(aside, fmt.Sprintf("tree-%x.lock", sum[:8]))
		file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600) // a lock alone could be read by others
		if err != nil {
			return nil, err
		}
		_ = file.Close()
		tree, err = lock.Acquire(ctx, path, 0, "episodes loop")
		if errors.Is(err, lock.ErrTimeout) {
			err = &HintError{fmt.Errorf("another loop works in this working tree: %w", err), "--isolate lets a loop work in a copy meanwhile"}
		}
		if err != nil {
			return nil, err
		}
	}
	if !isNew {
		return tree, nil
	}
	if c.Commit {
		if err := loop.Committable(ctx, f.Location.WorkTree(), f.Location.Dir); err != nil {
			return tree, &HintError{fmt.Errorf("--commit: %w", err), "--commit takes a working tree of git without changes"}
		}
	}
	if by := f.Location.IgnoredBy(); by != "" {
		f.note("what is learned stays on this machine: git ignores the memory (%s)", by)
	}
	return tree, nil
}

// goOn lets a loop that is resumed go on with what was asked for: one that ended stuck, or for
// want of a person, always, another when it may do more.
func goOn(dir *loop.Dir, r LoopRequest) error {
	end := dir.End()
	again := end != nil && slices.Contains([]loop.Reason{loop.Blocked, loop.Stuck, loop.Changing}, end.Reason)
	if r.Resume == "" || r.Change == nil && !again {
		return nil
	}
	if end != nil && !dir.Config().CanGoOn(end.Reason) {
		return &ask.RequestError{Message: fmt.Sprintf("the loop %q ended (%s) and has nothing to go on with", end.LoopID, end.Reason)}
	}
	return dir.GoOn(r.Change)
}

// home is where the loops of this memory are. Where the user's configuration cannot be written, none can
// be resumed: what they need is removed by done.
func (f *Folder) home() (h loop.Home, done func(), err error) {
	h = loop.Home{Top: f.top, Key: f.key()} // which makes the folder
	if h.Aside, err = local.Aside("loops"); err == nil {
		err = os.MkdirAll(h.Aside, 0o700)
	}
	if err == nil {
		return h, func() {}, nil
	}
	h.Aside, err = os.MkdirTemp("", "episodes-loop-")
	return h, func() { _ = os.RemoveAll(h.Aside) }, err
}

// runner prepares a loop whose prompts contain what this memory knows.
func (f *Folder) runner(ctx context.Context, c *loop.Config) *loop.Runner {
	run := &loop.Runner{Config: c, Now: f.Now, Advise: func(errs []reflexion.Problem, tried map[string]bool) []reflexion.Known {
		return f.advice(ctx, errs, c.LoopID, tried)
	}}
	if c.Arm == "all" {
		run.Recall = func() (said, learned []reflexion.Known) {
			return f.recall(ctx, c.Task, episode.IDFromSession(c.LoopID))
		}
	}
	return run
}

func (f *Folder) openLoop(home loop.Home, r LoopRequest) (*loop.Dir, error) {
	if r.Resume != "" {
		return home.Open(r.Resume)
	}
	c := r.Config
	if c.Created == "" {
		c.Created = f.Now().UTC().Format(time.RFC3339)
	}
	c.Task = cleanTask(c.Task)
	if n := len(c.Task); n == 0 || n > loop.MaxTask {
		return nil, &ask.RequestError{Message: fmt.Sprintf("the task must have 1 to %d bytes, not %d", loop.MaxTask, n)}
	}
	for n := 1; ; n++ {
		c.LoopID = loopID(c.Task, n)
		dir, err := home.Create(c)
		if err == nil {
			f.note("loop %s", c.LoopID)
		}
		if !errors.Is(err, fs.ErrExist) {
			return dir, err
		}
	}
}

// finish makes the episode of a loop that ended, and brings the graph up to date. It returns its id.
func (f *Folder) finish(ctx context.Context, dir *loop.Dir, c *loop.Config, end *loop.End,
	history []*reflexion.Record) (string, error) {
	path, inside := f.Location.Inside(dir.LogPath())
	if !inside {
		path = filepath.Base(dir.LogPath())
	}
	ep, log := loop.Episode(c, end, history, path)
	m, _, err := memory.Create(f.Location) // a checkout may have removed empty folders
	if err != nil {
		return "", err
	}
	defer m.Close()
	return ep.ID, f.locked(ctx, m, "episodes loop", func() error {
		if err := f.keep(ctx, m, ep, false); err != nil {
			return err
		}
		return dir.Finish(end, log)
	})
}
