package loop

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"episodes/internal/fsstore"
	"episodes/internal/snapshot"
	"episodes/reflexion"
)

// The steps of a loop are kept aside, out of the work tree, where a command that the actor
// runs there does not reach them (git clean, git stash): what the running actor prints, how
// it ended, the snapshot from before it, and a copy of the memory, from which what it
// removed is put back.

// asideName is the folder of a loop among those kept aside.
func asideName(key, id string) string {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte("aside " + id))
	return id[:min(len(id), 60)] + "-" + hex.EncodeToString(mac.Sum(nil)[:8])
}

// KeepAside makes a folder (absolute) the one that holds what running loops need.
func (d *Dir) KeepAside(folder string) error {
	top, err := fsstore.Create(folder)
	if err != nil {
		return err
	}
	defer top.Close()
	if d.aside, err = top.SubPrivate(asideName(d.key, d.state.LoopID)); err != nil {
		return err
	}
	old := &Dir{Dir: d.aside, key: d.key}
	if err := old.load(d.state.LoopID); err != nil || old.state.Nonce != d.state.Nonce { // of another loop that had the id
		if err := d.removeAside(true); err != nil {
			return err
		}
	}
	return d.save() // its copy
}

// removeAside removes what is kept aside, but for what the loop began with, if asked to.
func (d *Dir) removeAside(butStart bool) error {
	names, err := d.aside.All()
	for _, name := range names {
		if !butStart || name != startFile { // which has a seal of its own
			err = errors.Join(err, snapshot.Remove(d.aside.Path(name)))
		}
	}
	return err
}

// Forget removes what a loop that ended needs no more. Of one that may go on, what it began
// with stays.
func (d *Dir) Forget() error {
	err := errors.Join(d.RemoveAll(stepsDir), d.removeAside(d.state.End != nil && d.state.CanGoOn(d.state.End.Reason)))
	_ = os.Remove(d.aside.Path("")) // empty, but for what is not ours
	return err
}

// Close releases the folders.
func (d *Dir) Close() {
	if d != nil {
		d.aside.Close()
		d.Dir.Close()
	}
}

// Recover puts back what the actor of a loop removed of the memory before the loop was
// killed: when the loop's own state is gone, or one of its records. It returns the files.
func Recover(top, key, id, aside, memory string) ([]string, error) {
	if !reflexion.ValidLoopID(id) {
		return nil, nil
	}
	kept, err := fsstore.Open(filepath.Join(aside, asideName(key, id)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer kept.Close()
	d := &Dir{Dir: kept, key: key, aside: kept}
	if err := d.load(id); err != nil || !d.ours {
		return nil, nil // nothing of ours
	}
	records, err := reflexion.OpenStore(top)
	if err != nil {
		return nil, err
	}
	defer records.Close()
	found, err := records.Loop(id)
	var damage *reflexion.DamageError
	if err != nil && !errors.Is(err, reflexion.ErrNoLoop) && !errors.As(err, &damage) {
		return nil, err
	}
	_, gone := os.Lstat(filepath.Join(top, loopsDir, id, configFile))
	if gone == nil && len(only(found, d.state.Records.has)) == len(d.state.Records) {
		return nil, nil
	}
	copies, err := fs.Glob(os.DirFS(kept.Path("")), path.Join(stepsDir, "*", memoryFile)) // of the iteration under way
	if len(copies) == 0 || err != nil {
		return nil, err
	}
	tree, err := d.tree(copies[len(copies)-1])
	if tree == nil || err != nil {
		return nil, err
	}
	return tree.Restore(memory)
}
