package loop

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"episodes/internal/fsstore"
	"episodes/reflexion"
)

const (
	loopsDir   = "loops"
	configFile = "loop.json"
	lockFile   = "lock"
	logFile    = "log.md"
	stepsDir   = "steps" // aside, and where older versions kept them
)

// ignore keeps command lines, and what commands were given and printed, out of git.
const ignore = "# what runs a loop stays on this machine; its log is the source of its episode\n/*/*\n!/*/log.md\n.tmp-*\n"

// Create creates the folder of a new loop inside the reflexion folder. key is known to
// this user alone. Errors: fs.ErrExist when there is a loop of that id, or a record of
// one: both may have come with the repository.
func Create(top, key string, c Config) (*Dir, error) {
	if !reflexion.ValidLoopID(c.LoopID) {
		return nil, fmt.Errorf("%q is no loop id", c.LoopID)
	}
	loops, err := createLoops(top)
	if err != nil {
		return nil, err
	}
	defer loops.Close()
	if taken, err := taken(top, loops, c.LoopID); err != nil {
		return nil, err
	} else if taken {
		return nil, fmt.Errorf("loop %q: %w", c.LoopID, fs.ErrExist)
	}
	// Made aside: what is there under the id is whole, and was made by us.
	temp := fsstore.TempPrefix + rand.Text()
	err = loops.MakePrivate(temp)
	if err == nil {
		err = begin(loops, temp, key, c)
	}
	if err == nil {
		err = loops.Rename(temp, c.LoopID)
	}
	if err != nil {
		return nil, errors.Join(err, loops.RemoveAll(temp))
	}
	return Open(top, key, c.LoopID)
}

// createLoops opens the folder of the loops, and creates it where it is missing. It has our
// .gitignore: another one may have come with a repository, and let git take what is private.
func createLoops(top string) (*fsstore.Dir, error) {
	t, err := fsstore.Create(top)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	d, err := t.Sub(loopsDir)
	if err != nil {
		return nil, err
	}
	if err := d.WriteCache(".gitignore", []byte(ignore)); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// taken reports whether anything has the id. An empty folder has nothing in it.
func taken(top string, loops *fsstore.Dir, id string) (bool, error) {
	if d, err := loops.Existing(id); err == nil {
		defer d.Close()
		if names, err := d.All(); err != nil || len(names) > 0 {
			return true, err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	records, err := reflexion.OpenStore(top)
	if err != nil {
		return false, err
	}
	defer records.Close()
	return records.Has(id)
}

// begin fills the folder of a new loop.
func begin(loops *fsstore.Dir, name, key string, c Config) error {
	in, err := loops.Existing(name)
	if err != nil {
		return err
	}
	defer in.Close()
	d := &Dir{Dir: in, key: key, state: state{Config: c, Nonce: rand.Text()}}
	if err := errors.Join(in.WritePrivate(lockFile, nil), d.save(), d.load(c.LoopID)); err != nil {
		return err
	}
	if !d.ours { // JSON cannot hold it
		return errors.New("a command line of the loop is no UTF-8 text")
	}
	return nil
}

// Open opens the folder of a loop that was begun here. Errors: reflexion.ErrNoLoop if it
// does not exist, and *ForeignError if it came from elsewhere.
func Open(top, key, id string) (*Dir, error) {
	d, err := OpenForeign(top, key, id)
	if err != nil {
		return nil, err
	}
	if err := d.foreign(); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// OpenForeign is Open for a loop that may have come from elsewhere. Nothing of it must be
// used before Trust.
func OpenForeign(top, key, id string) (d *Dir, err error) {
	defer func() {
		if errors.Is(err, fs.ErrNotExist) { // also where only its log is in git
			err = fmt.Errorf("loop %q: %w", id, reflexion.ErrNoLoop)
		}
	}()
	if !reflexion.ValidLoopID(id) {
		return nil, fs.ErrNotExist
	}
	t, err := fsstore.Open(top)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	in, err := t.Existing(loopsDir + "/" + id)
	if err != nil {
		return nil, err
	}
	d = &Dir{Dir: in, key: key}
	if err := d.load(id); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

func (d *Dir) foreign() error {
	if d.ours {
		return nil
	}
	return &ForeignError{Config: d.state.Config, Path: d.Path(configFile)}
}

// Prepare makes the folder ready to run the loop; the caller holds its lock. A loop from
// elsewhere is a *ForeignError, unless trust is set: then its configuration is taken over,
// announce is called with what will run, and everything else in its folder is moved away unread.
func (d *Dir) Prepare(top string, trust bool, announce func(string)) error {
	if err := d.load(d.state.LoopID); err != nil { // another process may have changed it
		return err
	}
	if err := d.foreign(); err != nil {
		if !trust {
			return err
		}
		if err := d.takeOver(top, announce); err != nil {
			return fmt.Errorf("take over the loop %q: %w", d.state.LoopID, err)
		}
	}
	loops, err := createLoops(top) // the .gitignore may have been replaced
	if err != nil {
		return err
	}
	loops.Close()
	return errors.Join(d.Clean(), d.RemoveAll(".gitignore"))
}

// takeOver makes a loop from elsewhere one of ours. Its records stay where they are; they
// are its history, and prove nothing.
func (d *Dir) takeOver(top string, announce func(string)) error {
	c := d.state.Config
	if err := c.check(); err != nil {
		return err
	}
	announce(fmt.Sprintf("the loop %q was not begun here; these will run:", c.LoopID))
	for _, line := range c.Lines() {
		announce(line)
	}
	if err := d.moveAside(announce); err != nil {
		return err
	}
	records, err := reflexion.OpenStore(top)
	if err != nil {
		return err
	}
	defer records.Close()
	found, err := records.Loop(c.LoopID)
	if err != nil && !errors.Is(err, reflexion.ErrNoLoop) {
		return err
	}
	c.Commit = false // nobody asked for it here
	d.state = state{Config: c, Nonce: rand.Text()}
	for _, r := range found {
		if d.state.Trusted, err = d.state.Trusted.with(r); err != nil {
			return err
		}
	}
	return d.save()
}

// moveAside moves what others put into the folder into a new folder there: a result of a
// step may be among it.
func (d *Dir) moveAside(announce func(string)) error {
	names, err := d.All()
	names = slices.DeleteFunc(names, func(name string) bool { return name == configFile || name == lockFile })
	aside := "untrusted-1"
	for n := 2; d.Exists(aside); n++ {
		aside = fmt.Sprintf("untrusted-%d", n)
	}
	if len(names) > 0 && err == nil {
		err = d.MakePrivate(aside)
	}
	for _, name := range names {
		if err == nil {
			err = d.Rename(name, aside+"/"+name)
		}
		if err == nil {
			announce(fmt.Sprintf("moved %q, unread, to %q", d.Path(name), d.Path(aside)))
		}
	}
	return err
}

// Config is the configuration of the loop; when it has ended, without command lines.
func (d *Dir) Config() *Config { return &d.state.Config }

// End is how the loop ended; nil when it has not yet.
func (d *Dir) End() *End { return d.state.End }

// GoOn lets a loop that ended, and may, go on; change, if any, changes its configuration.
func (d *Dir) GoOn(change func(*Config)) error {
	if change != nil {
		change(&d.state.Config)
	}
	if end := d.state.End; end != nil && d.state.CanGoOn(end.Reason) {
		d.state.WentOn, d.state.End = end.Iterations, nil
	}
	return d.save()
}

// Finish writes the log, if there is one, and the end of a loop, and forgets its steps, and
// its command lines unless it may go on. While End is nil, Finish must be repeated.
func (d *Dir) Finish(end *End, log []byte) error {
	if log != nil {
		if err := errors.Join(d.Clear(logFile), d.WritePrivate(logFile, log)); err != nil {
			return err
		}
	}
	d.state.End = end
	if !d.state.CanGoOn(end.Reason) {
		d.state.Actor, d.state.Verify, d.state.Reflect = "", nil, ""
	}
	if err := d.save(); err != nil {
		return err
	}
	return d.Forget()
}

// LogPath is the path of the loop's log.
func (d *Dir) LogPath() string { return d.Path(logFile) }

// LockPath is the file that a process locks while it runs the loop.
func (d *Dir) LockPath() string { return d.Path(lockFile) }
