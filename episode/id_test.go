package episode

import (
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSessionFromPath(t *testing.T) {
	for _, c := range []struct{ path, want string }{
		{"2026-01-15-session-42-desc.md", "2026-01-15-session-42-desc"},
		{"logs/deep/session-7-hotfix.md", "session-7-hotfix"},
		{"v1.2.md", "v1.2"},
	} {
		if got := SessionFromPath(c.path); got != c.want {
			t.Errorf("SessionFromPath(%q) = %q, want %q", c.path, got, c.want)
		}
	}
	for _, pair := range [][2]string{{"größe.md", "grösse.md"}, {"ログ.md", "日誌.md"}, {"a b.md", "a-b.md"}, {"a b.md", "a  b.md"}, {strings.Repeat("x", 300) + "a.md", strings.Repeat("x", 300) + "b.md"}, {".md", "-.md"}} {
		if a, b := SessionFromPath(pair[0]), SessionFromPath(pair[1]); a == b {
			t.Errorf("%q and %q are both %q", pair[0], pair[1], a)
		}
	}
}

// An id is a file's stem: whatever a log is called, the file stays in its folder.
func TestSessionIsSafe(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, s string) {
		for _, session := range []string{SafeSession(s), SessionFromPath(s)} {
			id := IDFromSession(session)
			file := id + ".json"
			if !ValidID(id) || len(file) > 255 || filepath.Base(file) != file || filepath.Dir(filepath.Join("store", file)) != "store" {
				t.Fatalf("%q becomes %q", s, id)
			}
		}
	}
	for _, s := range []string{"", ".", "..", "../../etc/passwd", "a/../b", `..\..\x`, "a..b", "...", "-", "--x", "\x00", "\xff", "con:", "é", strings.Repeat("é", 300), strings.Repeat("a", 300), strings.Repeat("a", 199) + "..b", "a\nb", ".md", "..md"} {
		check(t, s)
	}
	rapid.Check(t, func(t *rapid.T) {
		any, legal := rapid.String().Draw(t, "any"), rapid.StringMatching(`[A-Za-z0-9][A-Za-z0-9_-]{0,60}`).Draw(t, "legal")
		check(t, any)
		if once := SafeSession(any); SafeSession(once) != once || SafeSession(legal) != legal {
			t.Fatalf("%q becomes %q, then %q; %q becomes %q", any, once, SafeSession(once), legal, SafeSession(legal))
		}
	})
}

func TestValidID(t *testing.T) {
	for id, want := range map[string]bool{"episode-a": true, "episode-2026-01-02-x.y_z": true, "episode-": false, "episode--a": false, "episode-a/b": false, "episode-..": false, "episode-a..b": false, "a": false, "episode-a\n": false, "Episode-a": false, "episode-é": false} {
		if got := ValidID(id); got != want {
			t.Errorf("ValidID(%q) = %v", id, got)
		}
	}
}
