package fsstore

import (
	"os"
	"path/filepath"
	"testing"
)

// What is written out goes where links lead, and keeps the mode of the file.
func TestWriteOut(t *testing.T) {
	dir := t.TempDir()
	file, link, dangling := filepath.Join(dir, "file"), filepath.Join(dir, "link"), filepath.Join(dir, "dangling")
	must(t, os.WriteFile(file, []byte("old"), 0o600))
	for from, to := range map[string]string{link: "file", dangling: "nowhere"} {
		if err := os.Symlink(to, from); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	must(t, WriteOut(link, []byte("new")))
	data, err := os.ReadFile(file)
	if err != nil || string(data) != "new" {
		t.Errorf("got %q, %v", data, err)
	}
	if info, err := os.Lstat(file); err != nil || info.Mode() != 0o600 {
		t.Errorf("file is now %v, %v", info.Mode(), err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode().Type() != os.ModeSymlink {
		t.Errorf("link is now %v, %v", info.Mode(), err)
	}
	for _, bad := range []string{dir, dangling, filepath.Join(dir, "no", "file")} {
		if WriteOut(bad, nil) == nil {
			t.Errorf("wrote %q", bad)
		}
	}
	if err := WriteOut(os.DevNull, []byte("x")); err != nil {
		t.Error(err)
	}
	if info, err := os.Lstat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%q is now %v, %v", os.DevNull, info.Mode(), err)
	}
}
