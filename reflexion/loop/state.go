package loop

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"episodes/internal/fsstore"
	"episodes/internal/snapshot"
	"episodes/reflexion"
)

// The state of a loop is in a folder of the user, aside: out of the work tree, where neither a command
// that the actor runs there reaches it (git clean, git stash), nor a clone or a pull brings another
// one. The memory has the records of the loop, and its log.
const (
	loopsDir   = "loops" // in the memory: a folder with the log of each loop
	logFile    = "log.md"
	configFile = "loop.json" // the others are aside
	lockFile   = "lock"
	stepsDir   = "steps"
)

// state is the content of loop.json.
type state struct {
	Config
	// Records are the SHA-256 of the records that this loop wrote, by iteration: git may add others.
	Records map[string]string `json:"records,omitempty"`
	End     *End              `json:"end,omitempty"`
}

func sumOf(r *reflexion.Record) (string, error) {
	data, err := reflexion.Marshal(r)
	return hash(string(data)), err
}

// More than loop.json, and than any other file of ours, has, in bytes.
const (
	maxState = 8 << 20
	maxKept  = 256 << 20
)

// Dir is the state of one loop.
type Dir struct {
	*fsstore.Dir        // aside
	top          string // the reflexion folder of the memory
	state        state
}

// Home is where the loops of a memory are: its reflexion folder, a folder of the user for their state,
// and a key that is that of this memory.
type Home struct{ Top, Aside, Key string }

// name is the name of the state of a loop among those of all memories.
func (h Home) name(id string) string {
	mac := hmac.New(sha256.New, []byte(h.Key))
	mac.Write([]byte("aside " + id))
	return id[:min(len(id), 60)] + "-" + hex.EncodeToString(mac.Sum(nil)[:8])
}

// Create begins the state of a new loop. Errors: fs.ErrExist when there is anything of a loop of that id.
func (h Home) Create(c Config) (*Dir, error) {
	if !reflexion.ValidLoopID(c.LoopID) {
		return nil, fmt.Errorf("%q is no loop id", c.LoopID)
	}
	if lines := strings.Join(append(c.Verify, c.Actor, c.Reflect), ""); !utf8.ValidString(lines) { // JSON cannot hold it
		return nil, errors.New("a command line of the loop is no UTF-8 text")
	}
	top, err := fsstore.Create(h.Top)
	if err != nil {
		return nil, err
	}
	defer top.Close()
	loops, err := top.Sub(loopsDir)
	if err != nil {
		return nil, err
	}
	defer loops.Close()
	aside, err := fsstore.Create(h.Aside)
	if err != nil {
		return nil, err
	}
	defer aside.Close()
	records, err := reflexion.OpenStore(h.Top)
	if err != nil {
		return nil, err
	}
	defer records.Close()
	if taken, err := records.Has(c.LoopID); taken || err != nil || loops.Exists(c.LoopID) {
		return nil, cmp.Or(err, fs.ErrExist)
	}
	d := &Dir{top: h.Top, state: state{Config: c}}
	data, err := reflexion.Encode(d.state, "  ")
	if err != nil {
		return nil, err
	}
	if d.Dir, err = aside.SubPrivate(h.name(c.LoopID)); err != nil {
		return nil, err
	}
	err = d.WriteOncePrivate(configFile, data) // with it the loop has begun
	if err == nil {
		err = errors.Join(d.WritePrivate(lockFile, nil), loops.Make(c.LoopID))
	}
	if err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// Open opens the state of a loop that this user began here. The error is reflexion.ErrNoLoop if there is none.
func (h Home) Open(id string) (*Dir, error) {
	none := fmt.Errorf("loop %q: %w that was begun here", id, reflexion.ErrNoLoop)
	if !reflexion.ValidLoopID(id) {
		return nil, none
	}
	in, err := fsstore.Open(filepath.Join(h.Aside, h.name(id)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, none
	}
	if err != nil {
		return nil, err
	}
	d := &Dir{Dir: in, top: h.Top}
	if err = d.Load(); errors.Is(err, fs.ErrNotExist) { // killed when it began
		err = none
	}
	if err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// Load reads the state, again if another process may have changed it.
func (d *Dir) Load() error {
	data, err := d.ReadLarge(configFile, maxState)
	if err != nil {
		return err
	}
	d.state = state{}
	if err = json.Unmarshal(data, &d.state); err != nil {
		err = fmt.Errorf("read %q: %w", d.Path(configFile), err)
	}
	return err
}

func (d *Dir) save() error {
	data, err := reflexion.Encode(d.state, "  ")
	if err != nil {
		return err
	}
	return d.WritePrivate(configFile, data)
}

// Close releases the folder.
func (d *Dir) Close() {
	if d != nil {
		d.Dir.Close()
	}
}

// Config is the configuration of the loop; when it has ended, without command lines.
func (d *Dir) Config() *Config { return &d.state.Config }

// End is how the loop ended; nil when it has not yet.
func (d *Dir) End() *End { return d.state.End }

// LogPath is the path of the loop's log.
func (d *Dir) LogPath() string { return filepath.Join(d.top, loopsDir, d.state.LoopID, logFile) }

// LockPath is the file that a process locks while it runs the loop.
func (d *Dir) LockPath() string { return d.Path(lockFile) }

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

// Finish writes the log, if there is one, and the end of a loop, and forgets its steps, and its command
// lines unless it may go on. While End is nil, Finish must be repeated.
func (d *Dir) Finish(end *End, log []byte) error {
	if log != nil {
		top, err := fsstore.Create(d.top)
		if err != nil {
			return err
		}
		defer top.Close()
		in, err := top.SubPrivate(path.Join(loopsDir, d.state.LoopID))
		if err != nil {
			return err
		}
		defer in.Close()
		if err := errors.Join(in.Clear(logFile), in.WritePrivate(logFile, log)); err != nil {
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

// Forget removes what a loop that ended needs no more. Of one that may go on, what it began with stays.
func (d *Dir) Forget() error {
	names, err := d.All()
	for _, name := range names {
		start := name == startFile && d.state.End != nil && d.state.CanGoOn(d.state.End.Reason)
		if name != configFile && name != lockFile && !start {
			err = errors.Join(err, snapshot.Remove(d.Path(name)))
		}
	}
	return err
}

// Recover puts back what the actor removed of the memory before the loop was killed: when the folder of
// the loop in it is gone, or one of its records. It returns the files.
func (d *Dir) Recover(memory string) ([]string, error) {
	records, err := reflexion.OpenStore(d.top)
	if err != nil {
		return nil, err
	}
	defer records.Close()
	found, err := records.Loop(d.state.LoopID)
	var damage *reflexion.DamageError
	if err != nil && !errors.Is(err, reflexion.ErrNoLoop) && !errors.As(err, &damage) {
		return nil, err
	}
	_, gone := os.Lstat(filepath.Dir(d.LogPath()))
	if gone == nil && len(only(found, d.own)) == len(d.state.Records) {
		return nil, nil
	}
	copies, err := fs.Glob(os.DirFS(d.Path("")), path.Join(stepsDir, "*", memoryFile)) // of the iteration under way
	if len(copies) == 0 || err != nil {
		return nil, err
	}
	tree, err := d.tree(copies[len(copies)-1])
	if tree == nil || err != nil {
		return nil, err
	}
	return tree.Restore(memory)
}

func (d *Dir) own(r *reflexion.Record) bool {
	sum, err := sumOf(r)
	return err == nil && sum == d.state.Records[strconv.Itoa(r.Iteration)]
}

// keep writes a file of a step, whose text was made without an error.
func (d *Dir) keep(name string, data []byte, err error) error {
	if err != nil {
		return err
	}
	in, err := d.SubPrivate(path.Dir(name))
	if err != nil {
		return err
	}
	defer in.Close()
	return in.WritePrivate(path.Base(name), data)
}

// kept reads what keep wrote; nil when nothing was.
func (d *Dir) kept(name string) ([]byte, error) {
	data, err := d.ReadLarge(name, maxKept)
	var large *fsstore.TooLargeError
	if errors.Is(err, fs.ErrNotExist) || errors.As(err, &large) {
		return nil, nil
	}
	return data, err
}

// stepName is the name of a step of an iteration, which counts from 1.
func stepName(iteration int, step string) string {
	return path.Join(stepsDir, reflexion.Ordinal(iteration+1), step)
}

// keepStep stores the result of a step.
func (d *Dir) keepStep(name string, v any) error {
	data, err := reflexion.Encode(v, "  ")
	return d.keep(name, data, err)
}

// step reads what keepStep stored; false when nothing was.
func (d *Dir) step(name string, v any) (bool, error) {
	data, err := d.kept(name)
	if data == nil || err != nil {
		return false, err
	}
	return true, json.Unmarshal(data, v)
}

func (d *Dir) keepTree(name string, tree *snapshot.Tree) error {
	data, err := tree.Encode()
	return d.keep(name, data, err)
}

// takeTree keeps a snapshot of a folder, unless there is one.
func (d *Dir) takeTree(name, folder string, o snapshot.Options) error {
	if d.Exists(name) {
		return nil
	}
	tree, err := snapshot.Take(folder, o)
	if err != nil {
		return err
	}
	return d.keepTree(name, tree)
}

// tree reads a snapshot; nil if it does not exist.
func (d *Dir) tree(name string) (*snapshot.Tree, error) {
	data, err := d.kept(name)
	if data == nil || err != nil {
		return nil, err
	}
	return snapshot.Decode(data)
}

// forgetBut removes all that is kept of steps, and what was found in all but some iterations.
func (d *Dir) forgetBut(iterations ...int) error {
	err := d.RemoveAll(stepsDir)
	names, e := d.All()
	err = errors.Join(err, e)
	for _, name := range names {
		if strings.HasPrefix(name, foundFile) && !slices.ContainsFunc(iterations, func(i int) bool { return name == foundName(i) }) {
			err = errors.Join(err, d.RemoveAll(name))
		}
	}
	return err
}

// store keeps the records of a loop and knows which of them the loop wrote.
type store struct {
	*reflexion.Store
	dir *Dir
}

// Store returns the store of the loop's records.
func (d *Dir) Store(s *reflexion.Store) Store { return store{s, d} }

// Save implements Store. The hash comes first: a record without one would not be ours.
func (s store) Save(r *reflexion.Record) error {
	sum, err := sumOf(r)
	if err != nil {
		return err
	}
	if s.dir.state.Records == nil {
		s.dir.state.Records = map[string]string{}
	}
	s.dir.state.Records[strconv.Itoa(r.Iteration)] = sum
	if err := s.dir.save(); err != nil {
		return err
	}
	return s.Store.Save(r)
}

func (s store) Own(r *reflexion.Record) bool { return s.dir.own(r) }

func (s store) Iterations() int { return len(s.dir.state.Records) }
