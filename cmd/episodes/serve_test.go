package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Other users of the machine see the arguments of the program that opens a browser: the key is in a file that only
// this user can read, in a folder that only this user can enter.
func TestLinkFile(t *testing.T) {
	const link = "http://127.0.0.1:8080/the-key/"
	file, err := linkFile(link)
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(filepath.Dir(file))
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), `content="0; url=`+link+`"`) || strings.Contains(file, "the-key") {
		t.Errorf("%s: %s %v", file, text, err)
	}
	if runtime.GOOS == "windows" { // the temporary folder is this user's own there
		return
	}
	for path, want := range map[string]fs.FileMode{file: 0o600, filepath.Dir(file): 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v", path, info.Mode(), err)
		}
	}
}
