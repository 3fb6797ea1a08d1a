package local

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

func config(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", home)
	path, err := KeyFile()
	if err != nil {
		t.Skipf("needs a folder for the user's configuration: %v", err)
	}
	return path
}

func TestToken(t *testing.T) {
	path := config(t)
	a, b := t.TempDir(), t.TempDir()
	first, err := Token(a)
	if err != nil || len(first) != 32 {
		t.Fatalf("%q, %v", first, err)
	}
	if again, _ := Token(a); again != first {
		t.Errorf("the token of one folder changed from %s to %s", first, again)
	}
	if other, _ := Token(b); other == first {
		t.Error("two folders have one token")
	}
	link := filepath.Join(t.TempDir(), "link")
	if os.Symlink(a, link) == nil {
		if through, _ := Token(link); through != first {
			t.Error("a folder has another token through a link")
		}
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("key: %v, %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(path + ".*"); left != nil {
		t.Errorf("left over: %v", left)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if other, _ := Token(a); other == first {
		t.Error("two users have one token")
	}
}

// However many ask first, all get the key that stays.
func TestTokenAtOnce(t *testing.T) {
	config(t)
	dir := t.TempDir()
	got := make([]string, 16)
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() {
			var err error
			if got[i], err = Token(dir); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, g := range got {
		if g != got[0] {
			t.Fatalf("different tokens: %v", got)
		}
	}
}

func TestBrokenKey(t *testing.T) {
	for name, content := range map[string]string{"empty": "", "short": "abcd\n", "no hex": strings.Repeat("x", 64), "long": strings.Repeat("a", 100)} {
		path := config(t)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if token, err := Token(t.TempDir()); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %q, %v", name, token, err)
		}
	}
}
