package memory

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"episodes/internal/fsstore"
)

// reopen is the memory as the next process sees it.
func reopen(t *testing.T, m *Memory) *Memory {
	t.Helper()
	again, err := Open(m.Location)
	ok(t, err)
	t.Cleanup(again.Close)
	return again
}

// store writes an episode file that need not be sound.
func store(t *testing.T, m *Memory, id, text string, private bool) {
	t.Helper()
	_, err := m.Write(context.Background(), []Pending{{ID: id, Data: []byte(text), Private: private}}, 1)
	ok(t, err)
}

func list(t *testing.T, m *Memory) (out []string) {
	t.Helper()
	files, _, err := m.Files()
	ok(t, err)
	for _, f := range files {
		mark := ""
		if f.Private {
			mark = "*"
		}
		out = append(out, strings.TrimPrefix(f.ID, "episode-")+mark)
	}
	return out
}

func want(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// An id is in one part: the shared one wins, and takes the place of the private one when it
// is written, with what was corrected.
func TestTwoParts(t *testing.T) {
	m := create(t)
	if _, err := m.Write(context.Background(), []Pending{{ID: "episode-a", Private: true}}, 1); err == nil {
		t.Error("written to a private part that is not there")
	}
	ok(t, m.MakePrivate())
	store(t, m, "episode-a", "shared", false)
	store(t, m, "episode-a", "private", true)
	store(t, m, "episode-b", "private", true)
	want(t, "list", list(t, m), []string{"a", "b*"})
	if data, err := m.Read("episode-a"); err != nil || string(data) != "shared" {
		t.Errorf("%q, %v", data, err)
	}
	ok(t, m.save(fixesOf, m.home(true), "episode-b", []byte("fix\n")))
	ok(t, m.SaveSaid("episode-b", []byte("said"), true))
	ok(t, m.SaveSaid("episode-a", []byte("shared"), false))
	if err := m.SaveSaid("../episode-a", nil, false); err == nil {
		t.Error("an id that leads elsewhere")
	}
	if got := m.Said("episode-a") + m.Said("episode-b"); got != "sharedsaid" {
		t.Errorf("said %q", got)
	}
	ok(t, m.Forget([]string{strings.Repeat("1", 64)}, false))
	ok(t, m.Forget([]string{strings.Repeat("2", 64), "episode-x", "neither"}, true))
	if data, err := os.ReadFile(filepath.Join(m.Dir, ForgottenName)); err != nil || strings.Contains(string(data), "2") {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := os.Lstat(filepath.Join(m.Dir, fixesOf.dir)); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a correction of a private episode is in the shared part")
	}
	m = reopen(t, m)
	if len(m.Forgotten(true)) != 3 {
		t.Errorf("forgotten %v", m.Forgotten(true))
	}
	if ids, err := m.Corrected(); err != nil || !ids["episode-b"] {
		t.Errorf("corrected %v, %v", ids, err)
	}

	store(t, m, "episode-b", "now shared", false) // as share does
	want(t, "shared", list(t, m), []string{"a", "b"})
	if data, err := m.Corrections("episode-b", fsstore.MaxFile); err != nil || string(data) != "fix\n" {
		t.Errorf("corrections %q, %v", data, err)
	}
	if got := m.Said("episode-b"); got != "" {
		t.Errorf("shared with its text: %q", got)
	}
	episodes, err := m.private.episodes.All()
	ok(t, err)
	want(t, "episodes left", episodes, []string{"episode-a.json"}) // in the shadow of the shared one
	store(t, m, "episode-a", "private", true)
	ok(t, m.SaveSaid("episode-a", []byte("said"), true))
	ok(t, m.Remove("episode-a"))
	for _, home := range m.homes() {
		if text, err := saidOf.read(home, "episode-a", 9); text != nil || err != nil {
			t.Errorf("the text of what was removed: %q, %v", text, err)
		}
	}
	want(t, "removed from both", list(t, m), []string{"b"})
	if err := m.Remove("episode-a"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("removed again: %v", err)
	}
}

// git is told before there is anything to see, also where a run was killed at its start.
func TestPrivateIsIgnored(t *testing.T) {
	m := create(t)
	ok(t, os.Mkdir(m.PrivateDir(), 0o700))
	ok(t, os.WriteFile(filepath.Join(m.PrivateDir(), ignoreName), []byte("!*"), 0o600))
	m = reopen(t, m)
	ok(t, m.PrivateError())
	for range 2 {
		ok(t, m.MakePrivate())
	}
	if text, err := os.ReadFile(filepath.Join(m.PrivateDir(), ignoreName)); err != nil || !strings.HasSuffix(string(text), "\n*\n") {
		t.Errorf(".gitignore: %q, %v", text, err)
	}
}

// What this user did not make is not believed, whoever asks, and stays as it is; private-foreign.txtar
// shows that of another user and one without a mark, TestHostileFiles links.
func TestForeignPrivatePart(t *testing.T) {
	for name, spoil := range map[string]func(m *Memory) error{
		"a wrong mark": func(m *Memory) error {
			return os.WriteFile(filepath.Join(m.PrivateDir(), ownerName), []byte("x 0123456789abcdef0123456789abcdef\n"), 0o600)
		},
		"a repository of its own": func(m *Memory) error { return os.Mkdir(filepath.Join(m.PrivateDir(), ".git"), 0o755) },
	} {
		m := create(t)
		ok(t, m.MakePrivate())
		store(t, m, "episode-a", "x", true)
		ok(t, spoil(m))
		m = reopen(t, m)
		var why *PrivateError
		if !errors.As(m.PrivateError(), &why) || why.Dir != m.PrivateDir() || why.Hint() == "" {
			t.Fatalf("%s: %v", name, m.PrivateError())
		}
		want(t, name, list(t, m), nil)
		if _, err := m.Read("episode-a"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: read: %v", name, err)
		}
		if err := m.MakePrivate(); err == nil {
			t.Errorf("%s: made all the same", name)
		}
	}
}
