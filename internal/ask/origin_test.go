package ask

import (
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
