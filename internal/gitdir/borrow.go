package gitdir

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
)

// Borrow makes the folder to a repository that knows the commits, branches and index of the
// repository in the folder from, and has its objects from there: what is done in it leaves
// the other as it is. Hooks and configuration are not taken over. It reports whether it did:
// from must be a main working tree of the usual kind.
func Borrow(from, to string) (bool, error) {
	git, own := filepath.Join(from, gitName), filepath.Join(to, gitName)
	config, err := os.ReadFile(filepath.Join(git, "config"))
	if err != nil || bytes.Contains(bytes.ToLower(config), []byte("[extensions]")) {
		return false, nil
	}
	if info, err := os.Lstat(git); err != nil || !info.IsDir() {
		return false, nil
	}
	for _, dir := range []string{"objects/info", "refs/heads", "refs/tags"} {
		if err := os.MkdirAll(filepath.Join(own, dir), 0o755); err != nil {
			return false, err
		}
	}
	for name, text := range map[string]string{"config": "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
		"objects/info/alternates": filepath.Join(git, "objects") + "\n"} {
		if err := os.WriteFile(filepath.Join(own, name), []byte(text), 0o644); err != nil {
			return false, err
		}
	}
	root, err := os.OpenRoot(git)
	if err != nil {
		return false, err
	}
	defer root.Close()
	take := func(name string) error {
		data, err := fs.ReadFile(root.FS(), name)
		if err != nil {
			return nil // not every repository has each
		}
		path := filepath.Join(own, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		return os.WriteFile(path, data, 0o644)
	}
	for _, name := range []string{"HEAD", "packed-refs", "index", "shallow"} {
		if err := take(name); err != nil {
			return false, err
		}
	}
	return true, fs.WalkDir(root.FS(), "refs", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || name == "refs/stash" {
			return nil
		}
		return take(name)
	})
}
