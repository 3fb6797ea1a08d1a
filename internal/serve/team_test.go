package serve

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"episodes/internal/ask"
	"episodes/internal/testing/pgtest"
)

// With a team's store pages are of one project, name all that this login may read, and say who said what.
// A store that does not answer is no empty memory.
func TestTeamPages(t *testing.T) {
	store := pgtest.Store(t)
	harbor, pumps := exampleMemory(t), memoryOf(t, hostileLogs())
	for name, o := range map[string]*ask.Options{"harbor": &harbor, "pumps": &pumps} {
		o.Team, o.Shared = "", false
		m, err := ask.Open(*o)
		if err != nil {
			t.Fatal(err)
		}
		if name == "pumps" {
			text := "open the valve of the pump by hand"
			if _, err := m.Correct(t.Context(), ask.CorrectRequest{Ref: "2026-01-01-pump-00#d001", Text: &text}); err != nil {
				t.Fatal(err)
			}
		}
		m.Close()
		o.Team, o.Shared = store+"&project="+name, true
		if m, err = ask.Open(*o); err != nil {
			t.Fatal(err)
		}
		if _, err := m.Push(t.Context(), ask.PushRequest{}); err != nil {
			t.Fatal(err)
		}
		m.Close()
	}
	s := serverOf(t, harbor)
	page := func(path string, want, not []string) {
		t.Helper()
		w := get(s, path)
		body := w.Body.String()
		if w.Code != http.StatusOK {
			t.Errorf("%q: %d %s", path, w.Code, body)
		}
		for _, text := range want {
			if !strings.Contains(body, text) {
				t.Errorf("%q has no %q", path, text)
			}
		}
		for _, text := range not {
			if strings.Contains(body, text) {
				t.Errorf("%q has %q", path, text)
			}
		}
	}
	page("", []string{"Met 12 times in 11 sessions", `project=harbor" aria-current="true">harbor</a> <small>owner owner`, `project=pumps">pumps</a>`}, []string{"PumpError"})
	page("?project=harbor", []string{"Met 12 times in 11 sessions"}, []string{"PumpError"})
	page("?project=pumps", []string{"PumpError", `project=pumps" aria-current="true">pumps</a>`, "/session/episode-2026-02-01-pump-00?project=pumps#e001"}, []string{"11 sessions"})
	page("session/2026-01-01-pump-00?project=pumps", []string{"by hand", "added by a file of the repository"}, []string{"added by you"})
	page("search?q=valve+pump&project=pumps", []string{"project=pumps", "valve"}, nil)
	s.Memory.LockTimeout = time.Millisecond // it is tried again for no longer
	s.Memory.Team = "postgres:///x?host=" + t.TempDir() + "&project=harbor"
	if w := get(s, ""); w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), "This could not be answered") {
		t.Errorf("no store: %d %s", w.Code, w.Body)
	}
}
