package ask

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// An origin is a few words: who, when, and whether somebody has looked at it.
func TestOriginInFewWords(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	at := func(d time.Duration) string { return now.Add(-d).Format(time.RFC3339) }
	for want, o := range map[string]Origin{
		"by ann, just now":                         {By: "ann", Came: at(20 * time.Second)},
		"by ann, 5 min ago":                        {By: "ann", Came: at(5*time.Minute + time.Second)},
		"by ann, 2 h ago":                          {By: "ann", Came: at(150 * time.Minute)},
		"by ann, 40 d ago":                         {By: "ann", Came: at(40 * 24 * time.Hour)},
		"new, by ann, 2 h ago, not reviewed":       {By: "ann", Came: at(2 * time.Hour), NotReviewed: true},
		"new, author not known, not reviewed":      {NotReviewed: true},
		"author not known":                         {},
		"new, by a future, just now, not reviewed": {By: "a future", Came: at(-time.Hour), NotReviewed: true},
	} {
		if got := o.short(now); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Authors are added to a file of the user's configuration, one a line; what could be more than a line is refused.
func TestTrustAuthors(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", home)
	config := filepath.Join(home, "episodes", "config.toml")
	if err := os.MkdirAll(filepath.Dir(config), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, []byte("trust = [\"ann@example.com\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, author := range []string{"Bob Example", "carol@example.com"} {
		if _, err := TrustAuthors([]string{author}); err != nil {
			t.Fatal(err)
		}
	}
	a, err := TrustAuthors([]string{"dan"})
	if want := []string{"ann@example.com", "Bob Example", "carol@example.com", "dan"}; err != nil || !slices.Equal(a.Authors, want) {
		t.Errorf("%v, %v", a, err)
	}
	for _, bad := range []string{"", "a\nb", "a\x1b[1m"} {
		if _, err := TrustAuthors([]string{bad}); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
	text, err := os.ReadFile(filepath.Join(home, "episodes", "trusted"))
	if err != nil || strings.Count(string(text), "\n") != 3 {
		t.Errorf("%q, %v", text, err)
	}
}

// cloned is a repository with the episodes that somebody else read from a log, and another log in its place.
func cloned(t *testing.T, log string) *Memory {
	t.Helper()
	theirs := repository(t, map[string]string{".agents/sessions/2026-01-10-lock.md": lockLog})
	if _, err := Extract(context.Background(), theirs, ExtractRequest{Cwd: theirs.Location.Root, Create: true}); err != nil {
		t.Fatal(err)
	}
	mine := repository(t, map[string]string{"README.md": "a clone\n"})
	if log != "" {
		mine = repository(t, map[string]string{".agents/sessions/2026-01-10-lock.md": log})
	}
	from := filepath.Join(theirs.Location.Dir, "episodes")
	if err := os.CopyFS(filepath.Join(mine.Location.Dir, "episodes"), os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return opened(t, mine)
}

// What a log does not say is marked, and not given unasked.
func TestFactsAreHeldAgainstTheirLogs(t *testing.T) {
	for _, c := range []struct {
		name, log, want string
		unasked         bool
	}{
		{"as it was read", lockLog, "", true},
		{"with a line more", lockLog + "\n- Decision: nothing else\n", "", true},
		{"another log", "# Session 2026-01-10-lock\n\nWe looked at the weather.\n", NotSaid, false},
		{"no log", "", NotHere, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := cloned(t, c.log)
			a, err := m.Advise(context.Background(), AdviseRequest{Kind: "error", Text: "ETIMEDOUT: migration timed out waiting for the advisory lock"})
			if err != nil || len(a.Advice) == 0 {
				t.Fatalf("%+v, %v", a, err)
			}
			if got := a.Advice[0].Note; got != c.want || !strings.Contains(a.Text(0), c.want) {
				t.Errorf("%q, want %q, in\n%s", got, c.want, a.Text(0))
			}
			text, _ := a.Unasked(1000, func(AdviceEvidence) bool { return false })
			if given := text != ""; given != c.unasked {
				t.Errorf("unasked: %q", text)
			}
		})
	}
}
