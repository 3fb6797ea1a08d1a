package snapshot

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/fxamacker/cbor/v2"
	"github.com/klauspost/compress/zstd"

	"episodes/internal/gitdir"
)

// Bounds of a snapshot. A file beyond them still counts, by its hash or by its size and
// time; only its lines are not known.
const (
	maxText  = 1 << 20   // bytes of a file whose text is kept
	maxTexts = 64 << 20  // bytes of all texts
	maxHash  = 16 << 20  // of a hashed file; larger ones count by size and time
	maxRead  = 256 << 20 // bytes that are read in all
)

// maxFiles bounds how many files are looked at. A variable, for tests.
var maxFiles = 50_000

// leftOut are folders that tools fill. Nobody wrote what is in them.
var leftOut = []string{".git", ".hg", ".jj", ".svn", "node_modules", "__pycache__", ".pytest_cache", ".mypy_cache",
	".ruff_cache", ".tox", ".nox", ".venv", ".gradle"}

// File is a file of a tree: a regular one, or a link, whose text is where it leads.
type File struct {
	Mode   fs.FileMode
	Size   int64
	Time   int64  // of the last change, in nanoseconds; of a regular file
	ID     string // of the content, or unread
	Text   []byte // when Kept
	Kept   bool   // the whole content is in Text
	Binary bool
}

// unread is the ID of a file that was too large to be read: its size and time count.
const unread = "unread"

// differs reports whether two files are not the same; one that is not there is empty.
func (f File) differs(g File) bool {
	if f.ID != "" && g.ID != "" && (f.ID == unread || g.ID == unread) {
		return f.Size != g.Size || f.Time != g.Time
	}
	return f.ID != g.ID || f.Mode&0o111 != g.Mode&0o111
}

// With is the file with another content.
func (f File) With(text []byte) File {
	sum := sha256.Sum256(text)
	f.Size, f.ID, f.Text, f.Kept = int64(len(text)), string(sum[:]), text, true
	return f
}

// Tree is what a folder holds, by path with slashes.
type Tree struct {
	Files  map[string]File
	Unseen int    // files that could not be read
	End    string // the last file, if there are too many, or ""
}

// sees reports whether a path is among what was looked at.
func (t *Tree) sees(name string) bool {
	return t.End == "" || slices.Compare(strings.Split(name, "/"), strings.Split(t.End, "/")) <= 0
}

// Options say what is in a snapshot.
type Options struct {
	Skip   []string // relative to the folder, with slashes
	All    bool     // also ignored and binary files; in a copy also git's folders
	Binary bool     // also the content of binary files
}

// Take reads a folder. No link is followed, and no other repository in it is looked into.
// The error says that the folder itself cannot be read.
func Take(dir string, o Options) (*Tree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	t := &taker{root: root, o: o, tree: &Tree{Files: map[string]File{}}, ignored: func(string, bool) bool { return false }}
	if real, err := filepath.EvalSymlinks(dir); err == nil && !o.All {
		t.ignored = gitdir.Ignorer(real)
	}
	if _, err := fs.ReadDir(root.FS(), "."); err != nil {
		return nil, err
	}
	return t.tree, fs.WalkDir(root.FS(), ".", t.visit)
}

type taker struct {
	root    *os.Root
	o       Options
	tree    *Tree
	ignored func(string, bool) bool
	texts   int64 // bytes kept
	read    int64
}

func (t *taker) visit(name string, d fs.DirEntry, err error) error {
	switch {
	case name == ".":
		return nil
	case err != nil: // gone meanwhile, or not ours to read
		t.tree.Unseen++
		return nil
	case d.IsDir():
		if t.skips(name) || !t.o.All && (slices.Contains(leftOut, d.Name()) || t.ignored(name, true) || t.repository(name)) {
			return fs.SkipDir
		}
		return nil
	case t.skips(name) || !t.o.All && t.ignored(name, false):
		return nil
	}
	if f, err := t.file(name, d); err == nil {
		t.tree.Files[name] = f
		if len(t.tree.Files) == maxFiles {
			t.tree.End = name
			return fs.SkipAll
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		t.tree.Unseen++
	}
	return nil
}

func (t *taker) skips(name string) bool {
	return slices.ContainsFunc(t.o.Skip, func(skip string) bool { return name == skip || strings.HasPrefix(name, skip+"/") })
}

func (t *taker) repository(name string) bool {
	_, err := t.root.Lstat(name + "/.git")
	return err == nil
}

var errOther = errors.New("neither a file nor a link")

func (t *taker) file(name string, d fs.DirEntry) (File, error) {
	switch d.Type() {
	case fs.ModeSymlink:
		to, err := t.root.Readlink(name)
		return File{Mode: fs.ModeSymlink, Size: int64(len(to)), ID: "link " + to, Text: []byte(to), Kept: true}, err
	case 0:
	default:
		return File{}, errOther
	}
	in, err := t.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return File{}, err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return File{}, err
	}
	if !info.Mode().IsRegular() {
		return File{}, errOther
	}
	f := File{Mode: info.Mode().Perm(), Size: info.Size(), Time: info.ModTime().UnixNano()}
	if f.Size > maxHash || t.read+f.Size > maxRead {
		f.Binary, f.ID = true, unread
		return f, nil
	}
	data, err := io.ReadAll(io.LimitReader(in, maxHash))
	if err != nil {
		return File{}, err
	}
	t.read += int64(len(data))
	sum := sha256.Sum256(data)
	f.Size, f.ID = int64(len(data)), string(sum[:])
	f.Binary = bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0 // the same heuristic as git's
	if (t.o.All || t.o.Binary || !f.Binary) && len(data) <= maxText && t.texts+f.Size <= maxTexts {
		f.Text, f.Kept = data, true
		t.texts += f.Size
	}
	return f, nil
}

// Encode packs a tree.
func (t *Tree) Encode() ([]byte, error) {
	var b bytes.Buffer
	z, err := zstd.NewWriter(&b, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	err = errors.Join(cbor.NewEncoder(z).Encode(t), z.Close())
	return b.Bytes(), err
}

// Decode reads what Encode packed. The data must be ours: it is not read with suspicion.
func Decode(data []byte) (*Tree, error) {
	z, err := zstd.NewReader(bytes.NewReader(data), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	mode, err := cbor.DecOptions{UTF8: cbor.UTF8DecodeInvalid}.DecMode() // names and hashes are any bytes
	if err != nil {
		return nil, err
	}
	t := &Tree{}
	err = mode.NewDecoder(z).Decode(t)
	return t, err
}

// Restore writes the files of a tree that are missing in a folder, and returns their paths,
// sorted. What is there stays as it is. The folder is made where it is missing.
func (t *Tree) Restore(dir string) (restored []string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	for name, f := range t.Files {
		if _, err := root.Lstat(name); !errors.Is(err, fs.ErrNotExist) || !f.Kept || f.Mode&fs.ModeSymlink != 0 {
			continue
		}
		if err := write(root, name, f); err != nil {
			return restored, err
		}
		restored = append(restored, name)
	}
	slices.Sort(restored)
	return restored, nil
}

// unfinished is the name of a file in the writing.
const unfinished = ".episodes-new"

// write makes a file whole or not at all, and its folders as private as the file is. What a
// kill leaves of it is taken by the next write.
func write(root *os.Root, name string, f File) error {
	if i := strings.LastIndexByte(name, '/'); i > 0 {
		folder := fs.FileMode(0o755)
		if f.Mode&0o077 == 0 {
			folder = 0o700
		}
		if err := root.MkdirAll(name[:i], folder); err != nil {
			return err
		}
	}
	temp := path.Join(path.Dir(name), unfinished)
	_ = root.Remove(temp)
	if err := root.WriteFile(temp, f.Text, f.Mode.Perm()|0o200); err != nil {
		return err
	}
	return errors.Join(root.Chmod(temp, f.Mode.Perm()), root.Rename(temp, name))
}
