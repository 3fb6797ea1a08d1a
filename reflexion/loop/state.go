package loop

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"episodes/internal/fsstore"
	"episodes/internal/snapshot"
	"episodes/reflexion"
)

// A loop's folder may have come with the repository, or a pull may have put files into
// it. So all that is read from it is sealed: with a keyed hash of the loop, the name and
// the content, under a key that only this user on this machine has (internal/local).
// What has no such seal is not read further, and nothing of it decides anything.

// state is the content of loop.json.
type state struct {
	Config
	Nonce string `json:"nonce"` // so that no seal is of another loop that had the id
	// Records are the SHA-256 of the records that this loop wrote, by iteration: git may
	// add others to the folder.
	Records sums   `json:"records,omitempty"`
	Trusted sums   `json:"trusted,omitempty"` // of those that were there when the user trusted the loop
	End     *End   `json:"end,omitempty"`
	Seal    string `json:"seal"`
}

// sums are SHA-256 in hex, by iteration.
type sums map[string]string

func (s sums) has(r *reflexion.Record) bool {
	sum, err := sumOf(r)
	return err == nil && sum == s[strconv.Itoa(r.Iteration)]
}

// with returns s with the sum of a record.
func (s sums) with(r *reflexion.Record) (sums, error) {
	sum, err := sumOf(r)
	if s == nil {
		s = sums{}
	}
	s[strconv.Itoa(r.Iteration)] = sum
	return s, err
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

// Dir is the folder of one loop.
type Dir struct {
	*fsstore.Dir
	key   string
	state state
	ours  bool         // the seal is right
	aside *fsstore.Dir // what a running loop needs; nil before KeepAside
}

// seal is the keyed hash of a file of the loop.
func (d *Dir) seal(name string, data []byte) string {
	mac := hmac.New(sha256.New, []byte(d.key))
	fmt.Fprintf(mac, "%q %q %q ", d.state.LoopID, d.state.Nonce, name)
	mac.Write(data)
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

// load reads loop.json and finds out whether it is ours.
func (d *Dir) load(id string) error {
	data, err := d.ReadLarge(configFile, maxState)
	if err != nil {
		return err
	}
	d.state = state{}
	if err := json.Unmarshal(data, &d.state); err != nil {
		return fmt.Errorf("read %q: %w", d.Path(configFile), err)
	}
	if d.state.LoopID != id {
		return fmt.Errorf("%q is that of loop %q", d.Path(configFile), d.state.LoopID)
	}
	s := d.state
	s.Seal = ""
	want, err := reflexion.Encode(s, "  ")
	d.ours = err == nil && hmac.Equal([]byte(d.seal(configFile, want)), []byte(d.state.Seal))
	return err
}

// save writes loop.json.
func (d *Dir) save() error {
	d.state.Seal = ""
	data, err := reflexion.Encode(d.state, "  ")
	if err == nil {
		d.state.Seal = d.seal(configFile, data)
		data, err = reflexion.Encode(d.state, "  ")
	}
	if err != nil {
		return err
	}
	err = d.WritePrivate(configFile, data)
	if err == nil && d.aside != nil {
		err = d.aside.WritePrivate(configFile, data) // see Recover
	}
	d.ours = d.ours || err == nil
	return err
}

// keep writes a file aside, with its seal on the first line.
func (d *Dir) keep(name string, data []byte) error {
	in, err := d.aside.SubPrivate(path.Dir(name))
	if err != nil {
		return err
	}
	defer in.Close()
	return in.WritePrivate(path.Base(name), append([]byte(d.seal(name, data)+"\n"), data...))
}

// kept reads what keep wrote; nil when nothing was, or it was changed.
func (d *Dir) kept(name string) ([]byte, error) {
	data, err := d.aside.ReadLarge(name, maxKept)
	var large *fsstore.TooLargeError
	if errors.Is(err, fs.ErrNotExist) || errors.As(err, &large) {
		return nil, nil
	}
	seal, data, _ := bytes.Cut(data, []byte("\n"))
	if err != nil || !hmac.Equal([]byte(d.seal(name, data)), seal) {
		return nil, err
	}
	return data, nil
}

// stepName is the name of a step of an iteration among what is kept aside, which counts from 1.
func stepName(iteration int, step string) string {
	return path.Join(stepsDir, reflexion.Ordinal(iteration+1), step)
}

// keepStep stores the result of a step.
func (d *Dir) keepStep(name string, v any) error {
	data, err := reflexion.Encode(v, "  ")
	if err != nil {
		return err
	}
	return d.keep(name, data)
}

// step reads what keepStep stored; false when nothing was, or it was changed.
func (d *Dir) step(name string, v any) (bool, error) {
	data, err := d.kept(name)
	if data == nil || err != nil {
		return false, err
	}
	return true, json.Unmarshal(data, v)
}

// keepTree keeps a snapshot.
func (d *Dir) keepTree(name string, tree *snapshot.Tree) error {
	data, err := tree.Encode()
	if err != nil {
		return err
	}
	return d.keep(name, data)
}

// takeTree keeps a snapshot of a folder, unless there is one.
func (d *Dir) takeTree(name, folder string, o snapshot.Options) error {
	if data, err := d.kept(name); data != nil || err != nil {
		return err
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
	err := d.aside.RemoveAll(stepsDir)
	names, e := d.aside.All()
	err = errors.Join(err, e)
	for _, name := range names {
		if strings.HasPrefix(name, foundFile) && !slices.ContainsFunc(iterations, func(i int) bool { return name == foundName(i) }) {
			err = errors.Join(err, d.aside.RemoveAll(name))
		}
	}
	return err
}

// store keeps the records of a loop and knows which of them the loop wrote.
type store struct {
	*reflexion.Store
	dir *Dir
}

// Store returns the store of the loop's records. The records are in git, so the loop
// notes the hash of each that it writes: another one is part of the history, but neither
// ends the loop nor counts as measured.
func (d *Dir) Store(s *reflexion.Store) Store { return store{s, d} }

// Save implements Store. The hash comes first: a record without one would not be ours.
func (s store) Save(r *reflexion.Record) (err error) {
	if s.dir.state.Records, err = s.dir.state.Records.with(r); err != nil {
		return err
	}
	if err := s.dir.save(); err != nil {
		return err
	}
	return s.Store.Save(r)
}

func (s store) Reopen() error {
	again, err := fsstore.Open(s.dir.Path(""))
	if err != nil {
		return err
	}
	s.dir.Dir.Close()
	s.dir.Dir = again
	return s.Store.Reopen()
}

func (s store) Own(r *reflexion.Record) bool { return s.dir.state.Records.has(r) }

func (s store) Known(r *reflexion.Record) bool { return s.Own(r) || s.dir.state.Trusted.has(r) }

func (s store) Iterations() int {
	n := len(s.dir.state.Records)
	for i := range s.dir.state.Trusted {
		if _, both := s.dir.state.Records[i]; !both {
			n++
		}
	}
	return n
}

// ForeignError says that a loop was not begun by this user on this machine, or that its
// folder was moved.
type ForeignError struct {
	Config Config // as its folder says it
	Path   string
}

func (e *ForeignError) Error() string {
	return fmt.Sprintf("the loop %q was not begun here, so nothing of it was run; %q says that these would be:\n%s",
		e.Config.LoopID, e.Path, strings.Join(e.Config.Lines(), "\n"))
}

// What a system takes as one argument of a program, in bytes, and more verifiers than
// anybody has. A configuration with more is not taken over.
const (
	maxLine      = 128 << 10
	maxVerifiers = 100
)

// Lines are the task and every command line of a loop, as they would run: quoted as in Go,
// with escapes for all that is not plain ASCII. What is too long to run is cut.
func (c *Config) Lines() (out []string) {
	add := func(what, line string, most int) {
		if line != "" {
			out = append(out, what+": "+strconv.QuoteToASCII(reflexion.Shorten(line, most)))
		}
	}
	add("task", c.Task, 2000)
	add("actor", c.Actor, maxLine)
	for _, line := range c.Verify[:min(len(c.Verify), maxVerifiers)] {
		add("verifier", line, maxLine)
	}
	if n := len(c.Verify) - maxVerifiers; n > 0 {
		out = append(out, fmt.Sprintf("verifiers: %d more", n))
	}
	add("model", c.Reflect, maxLine)
	return out
}
