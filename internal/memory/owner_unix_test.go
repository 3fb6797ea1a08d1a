//go:build unix

package memory

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A repository of another user is passed over, unless it is named or the user came to
// it by sudo.
func TestOtherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a folder away")
	}
	const other = 54321
	for _, mine := range []string{"", agentsDir} { // which of the two stays one's own
		root := t.TempDir()
		sub := filepath.Join(root, "sub")
		ok(t, os.MkdirAll(filepath.Join(root, agentsDir), 0o755))
		ok(t, os.Mkdir(sub, 0o755))
		give := root
		if mine == "" {
			give = filepath.Join(root, agentsDir)
		}
		ok(t, os.Chown(give, other, other))
		_, err := Locate(Request{Cwd: sub})
		if !errors.Is(err, ErrNone) || !strings.Contains(err.Error(), `"`+root+`" was passed over`) || !strings.Contains(err.Error(), "belongs to another user") {
			t.Errorf("%q: %v", give, err)
		}
		if loc, err := Locate(Request{Root: root, Cwd: sub}); err != nil || loc.Root != root {
			t.Errorf("named: %v, %v", loc, err)
		}
		if loc, err := Locate(Request{Memory: "m", Cwd: sub}); err != nil || loc.Root != sub {
			t.Errorf("memory named: %v, %v", loc, err)
		}
		t.Setenv("SUDO_UID", "54321")
		if loc, err := Locate(Request{Cwd: sub}); err != nil || loc.Root != root {
			t.Errorf("by sudo: %v, %v", loc, err)
		}
		t.Setenv("SUDO_UID", "")
	}
}
