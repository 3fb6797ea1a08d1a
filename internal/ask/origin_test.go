package ask

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestOriginInFewWords(t *testing.T) {
	came := noon().Format(time.RFC3339)
	for _, c := range []struct {
		is    Origin
		after time.Duration
		want  string
	}{
		{Origin{}, 0, "author not known"},
		{Origin{NotReviewed: true}, 0, "new, author not known, not reviewed"},
		{Origin{By: "mallory", Came: came}, 30 * time.Second, "by mallory, just now"},
		{Origin{By: "mallory", Came: came}, 90 * time.Minute, "by mallory, 1 h ago"},
		{Origin{By: "mallory", Came: came, NotReviewed: true}, 59 * time.Minute, "new, by mallory, 59 min ago, not reviewed"},
		{Origin{By: "mallory", Came: came}, 50 * time.Hour, "by mallory, 2 d ago"},
		{Origin{By: "mallory", Came: came}, -time.Hour, "by mallory, just now"}, // a clock that is wrong
	} {
		if got := c.is.short(noon().Add(c.after)); got != c.want {
			t.Errorf("%+v after %s: %q, want %q", c.is, c.after, got, c.want)
		}
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
