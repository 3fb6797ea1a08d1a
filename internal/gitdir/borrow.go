package gitdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Borrow makes the folder to a repository that knows the commits, branches and index of the
// repository in the folder from, and has its objects from there: what is done in it leaves
// the other as it is. Hooks and configuration are not taken over. It reports whether it did:
// from must be a main working tree of the usual kind.
func Borrow(from, to string) (bool, error) {
	git, own := filepath.Join(from, gitName), filepath.Join(to, gitName)
	if info, err := os.Lstat(git); err != nil || !info.IsDir() {
		return false, nil
	}
	if ok, err := borrowObjects(git, to); err != nil || !ok {
		return false, err
	}
	root, err := os.OpenRoot(git)
	if err != nil {
		return false, err
	}
	defer root.Close()
	take := func(name string) error {
		info, missing := root.Stat(name) // before it is read: git reads files as new as its index
		data, err := fs.ReadFile(root.FS(), name)
		if err != nil || missing != nil {
			return nil // not every repository has each
		}
		path := filepath.Join(own, filepath.FromSlash(name))
		return errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, data, 0o644),
			os.Chtimes(path, info.ModTime(), info.ModTime()))
	}
	for _, name := range []string{"HEAD", "packed-refs", "index"} {
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

// borrowObjects makes the folder to a repository that has its objects from another one, and no configuration. It reports
// false if that uses extensions of the format of repositories other than those that are harmless.
func borrowObjects(git, to string, harmless ...string) (bool, error) {
	root, err := os.OpenRoot(git)
	if err != nil {
		return false, nil
	}
	defer root.Close()
	config, err := fs.ReadFile(root.FS(), "config")
	if err != nil || slices.ContainsFunc(extensions(string(config)), func(name string) bool { return !slices.Contains(harmless, name) }) {
		return false, nil
	}
	own := filepath.Join(to, gitName)
	for _, dir := range []string{"objects/info", "refs/heads", "refs/tags"} {
		if err := os.MkdirAll(filepath.Join(own, dir), 0o755); err != nil {
			return false, err
		}
	}
	files := map[string]string{"config": "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
		"objects/info/alternates": filepath.Join(git, "objects") + "\n"}
	if shallow, err := fs.ReadFile(root.FS(), "shallow"); err == nil {
		files["shallow"] = string(shallow)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(own, name), []byte(text), 0o644); err != nil {
			return false, err
		}
	}
	return true, nil
}

// extensions are the names in the sections extensions of a configuration, in small letters.
func extensions(config string) (out []string) {
	settings(config, func(section, _, key, _ string) {
		if section == "extensions" {
			out = append(out, key)
		}
	})
	return out
}
