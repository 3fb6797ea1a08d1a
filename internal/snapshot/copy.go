package snapshot

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Copy copies a folder into a new one, including files that git ignores, but without what is
// skipped and, unless all is wanted, without the folders of git. Links are copied as links.
// Files keep their modification times, by which build tools detect outdated files. What is
// removed meanwhile is left out.
func Copy(from, to string, o Options) error {
	root, err := os.OpenRoot(from)
	if err != nil {
		return err
	}
	defer root.Close()
	t := &taker{root: root, o: o}
	return fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		path := filepath.Join(to, filepath.FromSlash(name))
		switch {
		case errors.Is(err, fs.ErrNotExist) && name != ".":
			return nil
		case err != nil:
			return err
		case t.skips(name), !o.All && d.Name() == ".git":
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return os.MkdirAll(path, 0o755)
		case d.Type() == fs.ModeSymlink:
			target, err := root.Readlink(name)
			if err != nil {
				return unlessGone(err)
			}
			return os.Symlink(target, path)
		case d.Type() != 0:
			return nil
		}
		return copyFile(root, name, path)
	})
}

func unlessGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func copyFile(root *os.Root, name, path string) (err error) {
	in, err := root.Open(name)
	if err != nil {
		return unlessGone(err)
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o200)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close(), os.Chtimes(path, time.Time{}, info.ModTime()))
}

// Remove removes a folder with its content, including read-only folders such as those of
// downloaded modules. It is not an error if the folder does not exist.
func Remove(dir string) error {
	err := os.RemoveAll(dir)
	if err == nil {
		return nil
	}
	root, opened := os.OpenRoot(dir)
	if opened != nil {
		return err
	}
	defer root.Close()
	_ = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = root.Chmod(name, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}

// Differing are the paths of the files that are not the same in two trees, sorted, as far as
// both were looked at.
func Differing(a, b *Tree) (paths []string) {
	all := maps.Clone(a.Files)
	maps.Copy(all, b.Files)
	for name := range all {
		if a.sees(name) && b.sees(name) && a.Files[name].differs(b.Files[name]) {
			paths = append(paths, name)
		}
	}
	slices.Sort(paths)
	return paths
}

// Apply does to a folder what leads from one tree to another. A file that is there in
// another state than in either tree stays as it is; so does one of which the content is not
// known. done are the paths that were changed, left those that were not, sorted. Doing it
// again changes nothing.
func Apply(dir string, from, to *Tree, o Options) (done, left []string, err error) {
	now, err := Take(dir, o)
	if err != nil {
		return nil, nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	paths := map[string]bool{}
	for _, t := range []*Tree{from, to} {
		for name := range t.Files {
			paths[name] = true
		}
	}
	for name := range paths {
		old, new, is := from.Files[name], to.Files[name], now.Files[name]
		switch {
		case !from.sees(name), !to.sees(name), !now.sees(name): // nobody knows
		case !old.differs(new), !is.differs(new):
		case new.ID == "" && to.Unseen > 0: // it may only not have been readable
			left = append(left, name)
		case is.differs(old), new.ID != "" && (!new.Kept || new.Mode&fs.ModeSymlink != 0):
			left = append(left, name)
		default:
			if new.ID == "" {
				err = root.Remove(name)
			} else {
				err = write(root, name, new)
			}
			if err != nil {
				return done, left, err
			}
			done = append(done, name)
		}
	}
	slices.Sort(done)
	slices.Sort(left)
	return done, left, nil
}

// In is the path of a folder relative to another, with slashes; "" when it is not in it.
func In(folder, dir string) string {
	rel, err := filepath.Rel(folder, dir)
	if err != nil || dir == "" || !filepath.IsLocal(rel) || rel == "." {
		return ""
	}
	return strings.TrimSuffix(filepath.ToSlash(rel), "/")
}
