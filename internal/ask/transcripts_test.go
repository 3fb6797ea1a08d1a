package ask

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"episodes/internal/memory"
	"episodes/ledger"
)

// transcript is what an agent left of a session in a folder: a failing check, an edit, and the
// same check again.
func transcript(session, cwd, day string) string {
	n := 0
	line := func(kind, content string) string {
		n++
		return fmt.Sprintf(`{"type":%q,"uuid":"u%d","sessionId":%q,"cwd":%q,"timestamp":"%sT09:00:%02dZ","message":{"role":%q,"content":%s}}`+"\n",
			kind, n, session, cwd, day, n, kind, content)
	}
	call := func(id, name, input string) string {
		return line("assistant", fmt.Sprintf(`[{"type":"tool_use","id":%q,"name":%q,"input":%s}]`, id, name, input))
	}
	result := func(id string, failed bool, text string) string {
		return line("user", fmt.Sprintf(`[{"type":"tool_result","tool_use_id":%q,"is_error":%v,"content":%q}]`, id, failed, text))
	}
	return line("user", `"make the upload test pass"`) +
		call("t1", "Bash", `{"command":"go test ./upload"}`) + result("t1", true, "Exit code 1\n--- FAIL: TestUpload (0.09s)\n    upload_test.go:9: database is locked") +
		call("t2", "Edit", fmt.Sprintf(`{"file_path":%q,"old_string":"timeout = 1","new_string":"timeout = 5"}`, cwd+"/upload.go")) + result("t2", false, "updated") +
		call("t3", "Bash", `{"command":"go test ./upload"}`) + result("t3", false, "ok  \tupload\t0.2s")
}

// leaves writes transcripts of sessions below a home folder, one for each day.
func leaves(t *testing.T, home, cwd string, days ...string) {
	t.Helper()
	dir := filepath.Join(home, ".claude", "projects", "x")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, day := range days {
		name := filepath.Join(dir, "session-"+day+".jsonl")
		if err := os.WriteFile(name, []byte(transcript("session-"+day, cwd, day)), 0o644); err != nil {
			t.Fatal(err)
		}
		at, err := time.Parse(time.DateOnly, day)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
}

// configured sets the user's configuration for a test.
func configured(t *testing.T, text string) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	if err := os.MkdirAll(filepath.Join(dir, "episodes"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "episodes", "config.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func noEnv(string) string { return "" }

// Transcripts of this repository are counted, read into the private part, and quoted as long as
// they do not change. Those of other folders are not.
func TestTranscripts(t *testing.T) {
	ctx := context.Background()
	o, home := repository(t, nil), t.TempDir()
	leaves(t, home, o.Location.Root, "2026-05-01")
	leaves(t, home, "/src/other", "2026-05-02")
	where := SourcesRequest{Agents: []string{"claude"}, Home: home, Getenv: noEnv}
	found, err := Sources(ctx, o, where)
	if err != nil || len(found.Sources) != 1 || found.Empty() {
		t.Fatalf("%+v, %v", found, err)
	}
	if s := found.Sources[0]; s.Sessions != 1 || s.New != 1 || s.Others != 1 || !strings.Contains(found.Text(0), "next: episodes extract --from all") || len(found.Text(10)) > 40 {
		t.Errorf("%+v: %s", s, found.Text(0))
	}
	r := ExtractRequest{From: []string{"claude"}, Sources: where, Cwd: o.Location.Root, Create: true}
	a, err := Extract(ctx, o, r)
	if err != nil || a.Written() != 1 || a.Private() != 1 || a.Failed()+a.Kept()+a.Unchanged() != 0 || a.Totals().Events == 0 {
		t.Fatalf("%+v, %v", a, err)
	}
	if again, err := Extract(ctx, o, r); err != nil || again.Unchanged() != 1 || again.Written() != 0 {
		t.Errorf("%+v, %v", again, err)
	}
	if found, err = Sources(ctx, o, where); err != nil || found.Sources[0].New != 0 || strings.Contains(found.Text(0), "next:") {
		t.Errorf("%+v, %v", found, err)
	}
	m := opened(t, o)
	ref := ExplainRequest{Ref: a.Episodes[0].ID + "#e001"}
	x, err := m.Explain(ctx, ref)
	if err != nil || !strings.Contains(x.Text(0), "database is locked") || len(x.Logs) == 0 || x.Logs[0].State != Same {
		t.Errorf("%+v, %v", x, err)
	}
	leaves(t, home, o.Location.Root+"/sub", "2026-05-01") // another content under the same name
	if x, err = opened(t, o).Explain(ctx, ref); err != nil || len(x.Logs) == 0 || x.Logs[0].State != Changed {
		t.Errorf("after a change: %+v, %v", x.Logs, err)
	}
}

// What was said in a session is found after the agent deleted its transcript, by a new index too,
// until the episode is forgotten. It is shared only on request.
func TestTheTextOfTranscripts(t *testing.T) {
	ctx := context.Background()
	o, home := repository(t, nil), t.TempDir()
	leaves(t, home, o.Location.Root, "2026-05-01", "2026-05-02", "2026-05-03")
	transcripts := filepath.Join(home, ".claude", "projects", "x")
	for _, day := range []string{"2026-05-01", "2026-05-02", "2026-05-03"} {
		f, err := os.OpenFile(filepath.Join(transcripts, "session-"+day+".jsonl"), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(f, `{"type":"assistant","sessionId":"session-%s","message":{"role":"assistant","content":[{"type":"text","text":"The quartermaster of %s keeps the lantern; token AKIA5XQ2ZP7LM3RT9KWB."}]}}`+"\n", day, day)
		f.Close()
	}
	r := ExtractRequest{From: []string{"claude"}, Sources: SourcesRequest{Home: home, Getenv: noEnv}, Cwd: o.Location.Root, Create: true}
	a, err := Extract(ctx, o, r)
	if err != nil || a.Written() != 3 {
		t.Fatalf("%+v, %v", a, err)
	}
	kept := filepath.Join(o.Location.Dir, "private", "said")
	if err := os.RemoveAll(kept); err != nil { // as older versions left it
		t.Fatal(err)
	}
	r.Force = true
	if again, err := Extract(ctx, o, r); err != nil || again.Unchanged() != 3 {
		t.Fatalf("%+v, %v", again, err)
	}
	if files, err := os.ReadDir(kept); err != nil || len(files) != 3 {
		t.Errorf("kept again: %v, %v", files, err)
	}
	if err := os.RemoveAll(transcripts); err != nil {
		t.Fatal(err)
	}
	m := opened(t, o)
	finds := func(want ...string) {
		t.Helper()
		for range 2 { // as it is, and made again
			a, err := opened(t, o).Search(ctx, SearchRequest{Text: "quartermaster lantern", Limit: 9})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, h := range a.Hits {
				got = append(got, strings.TrimPrefix(h.Episode, "episode-session-"))
			}
			slices.Sort(got)
			if !slices.Equal(got, want) || len(want) > 0 && !strings.Contains(a.Text(0), "keeps the lantern") || strings.Contains(a.Text(0), "AKIA5") {
				t.Errorf("found %q, want %q: %s", got, want, a.Text(0))
			}
			m.folder.RemoveDerived(memory.RecallPrefix, nil)
		}
	}
	finds("2026-05-01", "2026-05-02", "2026-05-03")
	first, second, third := a.Episodes[0].ID, a.Episodes[1].ID, a.Episodes[2].ID
	dry, err := m.Share(ctx, ShareRequest{Episodes: []string{first}, WithText: true, DryRun: true})
	if err != nil || !strings.Contains(dry.Text(0), "keeps the lantern") {
		t.Errorf("%+v, %v", dry, err)
	}
	if _, err := m.Share(ctx, ShareRequest{Episodes: []string{first}, WithText: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Share(ctx, ShareRequest{Episodes: []string{second}}); err != nil {
		t.Fatal(err)
	}
	finds("2026-05-01", "2026-05-03")
	if text, err := os.ReadFile(filepath.Join(m.Location.Dir, "said", first+".txt")); err != nil || !strings.Contains(string(text), "keeps the lantern") {
		t.Errorf("%q, %v", text, err)
	}
	if files, err := os.ReadDir(kept); err != nil || len(files) != 1 {
		t.Errorf("private: %v, %v", files, err)
	}
	if _, err := m.Forget(ctx, ForgetRequest{Episodes: []string{first, third}}); err != nil {
		t.Fatal(err)
	}
	finds()
}

// An agent may name one file of its own. A file elsewhere is refused and not read.
func TestOneTranscript(t *testing.T) {
	ctx := context.Background()
	o, home := repository(t, map[string]string{"own.jsonl": "x"}), t.TempDir()
	leaves(t, home, o.Location.Root, "2026-05-01", "2026-05-03")
	where := SourcesRequest{Home: home, Getenv: noEnv}
	dir := filepath.Join(home, ".claude", "projects", "x")
	r := ExtractRequest{From: []string{"claude"}, Only: filepath.Join(dir, "session-2026-05-03.jsonl"), Sources: where, Cwd: o.Location.Root, Create: true}
	a, err := Extract(ctx, o, r)
	if err != nil || len(a.Episodes) != 1 || a.Written() != 1 {
		t.Fatalf("%+v, %v", a, err)
	}
	for _, name := range []string{filepath.Join(o.Location.Root, "own.jsonl"), filepath.Join(dir, "..", "..", "..", "none.jsonl"), "/etc/passwd"} {
		r.Only = name
		if a, err := Extract(ctx, o, r); err == nil {
			t.Errorf("%s: %+v", name, a)
		}
	}
	o.Location.Bare = true
	if _, err := Extract(ctx, o, r); err == nil {
		t.Error("outside of a repository")
	}
}

// private_days removes private episodes of old sessions, and reads no old transcript again.
func TestPrivateDays(t *testing.T) {
	ctx := context.Background()
	configured(t, "private_days = 10\n")
	o, home := repository(t, nil), t.TempDir()
	leaves(t, home, o.Location.Root, "2026-04-01", "2026-05-08")
	o.Now = noon // 2026-05-10
	var warned []string
	o.Warn = func(text string) { warned = append(warned, text) }
	r := ExtractRequest{From: []string{"claude"}, Sources: SourcesRequest{Home: home, Getenv: noEnv}, Cwd: o.Location.Root, Create: true}
	a, err := Extract(ctx, o, r)
	if err != nil || a.Written() != 1 || !strings.Contains(a.Episodes[0].ID, "2026-05-08") {
		t.Fatalf("%+v, %v", a, err)
	}
	o.Now = func() time.Time { return noon().AddDate(0, 0, 20) }
	r.DryRun = true
	if _, err := Extract(ctx, o, r); err != nil || len(warned) != 1 || !strings.Contains(warned[0], "would be removed") {
		t.Errorf("a rehearsal: %q, %v", warned, err)
	}
	r.DryRun = false
	if _, err := Extract(ctx, o, r); err != nil || len(warned) != 2 || strings.Contains(warned[1], "would be") {
		t.Errorf("%q, %v", warned, err)
	}
	if ids, err := opened(t, o).IDs("episode-"); err != nil || len(ids) != 0 {
		t.Errorf("%v, %v", ids, err)
	}
	if files, err := os.ReadDir(filepath.Join(o.Location.Dir, "private", "said")); err != nil || len(files) > 0 {
		t.Errorf("texts of removed episodes: %v, %v", files, err)
	}
}

func TestUserConfigRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"private_days = -1\n": "private_days must not be negative",
		"brief = -1\n":        "brief must not be negative",
		"holdout = 1.5\n":     "holdout must be a share from 0 to 1",
		"reader = [\n":        "read ",
	} {
		configured(t, text)
		if _, err := ReadUserConfig(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	configured(t, "reader = \"cat\"\nreader_day = 9\nreader_session = 5\nreader_never = [\"/x\"]\nask_at_end = true\nshare = true\nprivate_days = 3\nholdout = 0.1\n")
	want := UserConfig{Reader: "cat", ReaderDay: 9, ReaderSession: 5, ReaderNever: []string{"/x"}, AskAtEnd: true, Share: true, PrivateDays: 3, Holdout: .1}
	if c, err := ReadUserConfig(); err != nil || !reflect.DeepEqual(c, want) {
		t.Errorf("%+v, %v", c, err)
	}
}

// Advice that a hook gave in a session is compared with what the transcript shows afterwards:
// here the agent ran the command that the advice names.
func TestTranscriptsMeetTheLedger(t *testing.T) {
	ctx := context.Background()
	o, home := repository(t, nil), t.TempDir()
	o.Now = noon
	leaves(t, home, o.Location.Root, "2026-05-08")
	if _, err := Create(o.Location); err != nil {
		t.Fatal(err)
	}
	names := ledger.Names("Run `go test ./upload` again", "", false)
	d := ledger.Delivery{Time: time.Date(2026, 5, 8, 9, 0, 3, 0, time.UTC), Agent: "claude", Kind: ledger.KindError, Session: ledger.SessionKey("session-2026-05-08"),
		Facts: []ledger.Fact{{Place: ledger.Place{Episode: uploads(0).ID}, Names: names}}}
	if err := ledger.Tell(ctx, o.Location.Dir, d.Named()); err != nil || len(names) == 0 {
		t.Fatalf("%v, %v", names, err)
	}
	r := ExtractRequest{From: []string{"claude"}, Sources: SourcesRequest{Home: home, Getenv: noEnv}, Cwd: o.Location.Root}
	for range 2 { // an unchanged transcript counts once
		if _, err := Extract(ctx, o, r); err != nil {
			t.Fatal(err)
		}
	}
	a, err := opened(t, o).Ledger(ctx, LedgerRequest{})
	if err != nil || a.Given != 1 || a.Followed.Count != 1 || a.Followed.Of != 1 {
		t.Errorf("%+v, %v", a, err)
	}
}
