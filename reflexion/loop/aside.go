package loop

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"

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

// KeepAside makes a folder (absolute) the one that holds the steps of loops.
func (d *Dir) KeepAside(folder string) error {
	top, err := fsstore.Create(folder)
	if err != nil {
		return err
	}
	defer top.Close()
	if d.aside, err = top.SubPrivate(asideName(d.key, d.state.LoopID)); err != nil || !d.ours {
		return err
	}
	old := &Dir{Dir: d.aside, key: d.key}
	if err := old.load(d.state.LoopID); err != nil || old.state.Nonce != d.state.Nonce { // of another loop that had the id
		names, err := d.aside.All()
		for _, name := range names {
			if name != startFile { // which has a seal of its own
				err = errors.Join(err, d.aside.RemoveAll(name))
			}
		}
		if err != nil {
			return err
		}
	}
	return d.save() // its copy
}

// forgetAside removes what is kept aside. Of a loop that may go on, what it began with stays.
func (d *Dir) forgetAside() error {
	goesOn := d.state.End != nil && d.state.CanGoOn(d.state.End.Reason)
	if d.aside == nil {
		if !goesOn {
			return errors.Join(d.RemoveAll(startFile), d.RemoveAll(checkCopy))
		}
		return nil
	}
	names, err := d.aside.All()
	for _, name := range names {
		if !goesOn || name != startFile {
			err = errors.Join(err, snapshot.Remove(d.aside.Path(name)))
		}
	}
	_ = os.Remove(d.aside.Path("")) // empty, but for what is not ours
	return err
}

// Close releases the folders.
func (d *Dir) Close() {
	if d == nil {
		return
	}
	d.aside.Close()
	d.Dir.Close()
}

// reopen opens the folder of the loop again after it was removed and made again.
func (d *Dir) reopen() error {
	again, err := fsstore.Open(d.Path(""))
	if err != nil {
		return err
	}
	d.Dir.Close()
	d.Dir = again
	return nil
}

// Recover puts back what the actor of a loop removed of the memory before the loop was
// killed: when the loop's own state is gone, or one of its records. It returns the files.
func Recover(top, key, id, aside, memory string) ([]string, error) {
	if !reflexion.ValidLoopID(id) {
		return nil, nil
	}
	kept, err := fsstore.Open(aside + "/" + asideName(key, id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	d := &Dir{Dir: kept, key: key}
	defer d.Close()
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
	if t, err := fsstore.Open(top); err == nil {
		defer t.Close()
		if t.Exists(loopsDir+"/"+id+"/"+configFile) && len(only(found, d.state.Records.has)) == len(d.state.Records) {
			return nil, nil
		}
	}
	tree, err := d.newestMemory()
	if tree == nil || err != nil {
		return nil, err
	}
	return tree.Restore(memory)
}

// newestMemory returns the last copy of the memory that the steps hold, or nil.
func (d *Dir) newestMemory() (*snapshot.Tree, error) {
	in, err := d.place().Existing(stepsDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer in.Close()
	names, err := in.Names()
	last := -1
	for _, name := range names {
		if n, ok := reflexion.ParseOrdinal(name); ok {
			last = max(last, n-1)
		}
	}
	if err != nil || last < 0 {
		return nil, err
	}
	return d.tree(last, memoryFile)
}

// tree reads a snapshot of a step; nil if it does not exist.
func (d *Dir) tree(iteration int, step string) (*snapshot.Tree, error) {
	return decoded(d.data(iteration, step, maxTree))
}

// treeBeside reads a snapshot that is kept next to the steps; nil if it does not exist.
func (d *Dir) treeBeside(name string) (*snapshot.Tree, error) {
	return decoded(d.dataAt(d.place(), name, name, maxTree))
}

func decoded(data []byte, err error) (*snapshot.Tree, error) {
	if data == nil || err != nil {
		return nil, err
	}
	return snapshot.Decode(data)
}

// keepTreeBeside keeps a snapshot next to the steps, under each of the names.
func (d *Dir) keepTreeBeside(tree *snapshot.Tree, names ...string) error {
	data, err := tree.Encode()
	for _, name := range names {
		if err == nil {
			err = d.keepAt(d.place(), name, name, data)
		}
	}
	return err
}

// maxTree is more than a snapshot has, in bytes.
const maxTree = 256 << 20

// keepTree keeps the snapshot of a step, and takes it when it was not taken yet.
func (d *Dir) keepTree(iteration int, step, folder string, o snapshot.Options) error {
	if tree, err := d.tree(iteration, step); tree != nil || err != nil {
		return err
	}
	tree, err := snapshot.Take(folder, o)
	if err != nil {
		return err
	}
	data, err := tree.Encode()
	if err != nil {
		return err
	}
	return d.keepData(iteration, step, data)
}
