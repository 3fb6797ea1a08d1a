package serve

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"episodes/internal/ask"
)

// exampleMemory is a memory of the sample logs, in a repository that was cloned from a forge.
func exampleMemory(t *testing.T) ask.Options {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{".git/HEAD": "ref: refs/heads/main\n",
		".git/config": "[remote \"origin\"]\n\turl = https://user:secret@github.com/harbor/harbord.git\n"} {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755))
		must(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o644))
	}
	must(t, os.CopyFS(filepath.Join(root, "logs"), os.DirFS("../../testdata/sessions")))
	loc, err := ask.Locate("", "", root)
	must(t, err)
	if _, err := ask.Create(loc); err != nil {
		t.Fatal(err)
	}
	o := ask.Options{Location: loc, LockTimeout: time.Minute, Shared: true}
	if _, err := ask.Extract(t.Context(), o, ask.ExtractRequest{Logs: []string{"logs"}, Cwd: root}); err != nil {
		t.Fatal(err)
	}
	return o
}

var address = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 4711}

func serverOf(t *testing.T, o ask.Options) *Server {
	return New(Options{Memory: o, Name: "harbord", Trouble: func(text string) { t.Error(text) },
		Explain: func(err error) (message, hint string) { return err.Error(), "" }}, address)
}

// get asks a server for a path below its token.
func get(s *Server, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, s.URL()+path, nil))
	return w
}

// What the script of the graph asks for fails as a page does: it says what is wrong.
func TestDrawingFails(t *testing.T) {
	s := serverOf(t, exampleMemory(t))
	if w := get(s, moreOfGraph+"?most=31"); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "most") {
		t.Errorf("too many facts: %d, %s", w.Code, w.Body)
	}
	s.Memory.Location.Dir = t.TempDir()
	if w := get(s, moreOfGraph); w.Code != http.StatusInternalServerError {
		t.Errorf("no memory: %d, %s", w.Code, w.Body)
	}
}

func TestWhoIsLetIn(t *testing.T) {
	s := serverOf(t, exampleMemory(t))
	own := s.base()
	for _, c := range []struct {
		name, method, path, host string
		header                   [2]string
		want                     int
	}{
		{name: "the link", path: own, want: 200},
		{name: "only the head", method: "HEAD", path: own, want: 200},
		{name: "by name", path: own, host: "localhost:4711", want: 200},
		{name: "a page of its own asks", path: own, header: [2]string{"Origin", "http://127.0.0.1:4711"}, want: 200},
		{name: "no token", path: "/", want: 403},
		{name: "another token", path: "/" + strings.Repeat("x", len(s.token)) + "/", want: 403},
		{name: "more than the token", path: own[:len(own)-1] + "x/", want: 403},
		{name: "the token without an end", path: own[:len(own)-1], want: 403},
		{name: "out of the token", path: own + "../", want: 404},
		{name: "out of the files", path: own + "static/../../../serve.go", want: 404},
		{name: "a list of the files", path: own + "static/", want: 404},
		{name: "a rebound name", path: own, host: "attacker.example:4711", want: 421},
		{name: "another port", path: own, host: "127.0.0.1:80", want: 421},
		{name: "another site asks", path: own, header: [2]string{"Origin", "https://attacker.example"}, want: 403},
		{name: "an opaque origin asks", path: own, header: [2]string{"Origin", "null"}, want: 403},
		{name: "another site includes it", path: own, header: [2]string{"Sec-Fetch-Site", "cross-site"}, want: 403},
		{name: "a form is sent", method: "POST", path: own, want: 405},
		{name: "no such page", path: own + "nothing", want: 404},
		{name: "no such session", path: own + "session/nothing", want: 404},
		{name: "a session out of the memory", path: own + "session/..%2f..%2fx", want: 404},
	} {
		r := httptest.NewRequest("GET", "http://127.0.0.1:4711/", nil)
		r.Method = c.method
		if c.method == "" {
			r.Method = "GET"
		}
		r.URL.Path, r.URL.RawPath = strings.ReplaceAll(c.path, "%2f", "/"), ""
		if c.host != "" {
			r.Host = c.host
		}
		if c.header[0] != "" {
			r.Header.Set(c.header[0], c.header[1])
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("%s: %d, want %d: %s", c.name, w.Code, c.want, w.Body)
		}
		for name, want := range map[string]string{"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff",
			"Referrer-Policy": "no-referrer", "Cache-Control": "no-store"} {
			if got := w.Header().Get(name); got != want {
				t.Errorf("%s: %s is %q", c.name, name, got)
			}
		}
		if body := w.Body.String(); c.want != 200 && strings.Contains(body, s.token) && !strings.HasPrefix(c.path, own) ||
			r.Method == "HEAD" && body != "" {
			t.Errorf("%s: %s", c.name, body)
		}
	}
}

func TestEachServerHasItsOwnToken(t *testing.T) {
	a, b := serverOf(t, ask.Options{}), serverOf(t, ask.Options{})
	if a.token == b.token || len(a.token) < 32 {
		t.Errorf("%q and %q", a.token, b.token)
	}
}

func TestHostNames(t *testing.T) {
	s := New(Options{}, &net.TCPAddr{IP: net.IPv6loopback, Port: 80})
	if want := []string{"[::1]:80", "localhost:80", "[::1]", "localhost"}; !slices.Equal(s.hosts, want) {
		t.Errorf("%q", s.hosts)
	}
}

func TestListen(t *testing.T) {
	for address, ok := range map[string]bool{"127.0.0.1:0": true, "localhost:0": true, ":0": false, "[::]:0": false, "192.0.2.1:0": false, "127.0.0.1": false} {
		l, err := Listen(address)
		if (err == nil) != ok {
			t.Errorf("%q: %v", address, err)
		}
		if err == nil {
			l.Close()
		}
	}
}

// The pages show what the logs say; the server ends with its context.
func TestPages(t *testing.T) {
	o := exampleMemory(t)
	s := serverOf(t, o)
	const first = "episode-2026-01-12-session-02-lock-timeout"
	for path, want := range map[string][]string{
		"": {"<title>Errors that came back · harbord</title>", "Met 12 times in 11 sessions", "What ended it</dt><dd><a",
			"Release the lock before the index build", "/session/" + first + "#e001"},
		"errors?since=2026-05-01": {"5 sessions since 2026-05-01", "1 error was met"},
		"errors?node=n0":          {"<h1>An error that came back</h1>", "No error with this address"},
		"choices":                 {"5 of 5", `<rect class="range"`, "Also named"},
		"lessons":                 {"35 lessons", "Purging a cache is an operation with load"},
		"time":                    {"30 sessions", "2026-05", "the search service must start with two replicas"},
		"advice":                  {"may quote your private sessions, so it is shown only with them"},
		"search?q=SQLITE_BUSY":    {`class="hits"`, "database is locked", `value="SQLITE_BUSY"`},
		"search?q=uploads&kind=decision&since=2026-01-01": {"<small>decision,", `<option value="decision" selected`, `value="2026-01-01"`},
		"search?q=zebra": {"Nothing that is kept of any session fits"},
		"session/" + first: {"A check or an exit code in the log shows it", "Line 74 of the log", "| 2 | 8847 | ❌ failed",
			"from 30s to 120s", "of the log, as above", "Met in 11 sessions", "episodes correct 2026-01-12-session-02-lock-timeout#d001 --wrong",
			`href="https://github.com/harbor/harbord/blob/HEAD/logs/2026-01-12-session-02-lock-timeout.md#L74-L74"`},
		"static/style.css": {"prefers-color-scheme: dark"},
	} {
		w := get(s, path)
		body := w.Body.String()
		if w.Code != 200 {
			t.Errorf("%q: %d %s", path, w.Code, body)
		}
		for _, text := range want {
			if !strings.Contains(body, text) {
				t.Errorf("%q has no %q", path, text)
			}
		}
		if strings.Contains(body, "secret@") || strings.Contains(body, "ZgotmplZ") {
			t.Errorf("%q: %s", path, body)
		}
	}
}

// A file that cannot be read is said where the graph is brought up to date.
func TestLeftOut(t *testing.T) {
	o := exampleMemory(t)
	must(t, os.WriteFile(filepath.Join(o.Location.Dir, "episodes", "episode-broken.json"), []byte("{<b>"), 0o644))
	if body := get(serverOf(t, o), "choices").Body.String(); !strings.Contains(body, `<aside class="soft" aria-label="Notes"><ul>`) || !strings.Contains(body, "episode-broken") {
		t.Errorf("%.800s", body)
	}
}

// must ends a test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
