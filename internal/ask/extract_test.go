package ask

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// repository is one with logs and no memory.
func repository(t *testing.T, logs map[string]string) Options {
	t.Helper()
	root := t.TempDir()
	for name, text := range logs {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(root, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	loc, err := Locate("", "", root)
	if err != nil {
		t.Fatal(err)
	}
	return Options{Location: loc}
}

const lockLog = "# Session 2026-01-10-lock\n\n- Error: ETIMEDOUT: migration timed out waiting for the advisory lock\n- Fix: release the lock before the index build\n- Outcome: success\n"

const laterLog = "# Session 2026-02-20-later\n\nTask: ship the nightly report\n\n- Error: the mailer refused the attachment\n- Error: ETIMEDOUT: migration timed out waiting for the advisory lock\n" +
	"- Fix: send a link in place of the file\n- Decision: keep reports for a week, because the disk is small\n- Outcome: partial\n"

func TestCreate(t *testing.T) {
	o := repository(t, map[string]string{".agents/sessions/a.md": lockLog})
	first, err := Create(o.Location)
	if err != nil || len(first.Made) == 0 || len(first.Logs) != 1 || first.Empty() || !strings.Contains(first.Text(0), "next: episodes extract") {
		t.Fatalf("%+v, %v", first, err)
	}
	again, err := Create(o.Location)
	if err != nil || len(again.Made) != 0 || !strings.Contains(again.Text(0), "is there already") {
		t.Errorf("%+v, %v", again, err)
	}
	like := repository(t, map[string]string{"notes/2026-01-10-lock.md": lockLog, "notes/2026-01-11-lock.md": lockLog})
	if a, err := Create(like.Location); err != nil || len(a.Logs) != 0 {
		t.Errorf("%+v, %v", a, err)
	}
	for url, known := range map[string]bool{"badger:/x": true, "mem:x": true, "postgres://h/d": true, "postgresql://h/d": true, "mysql://h/d": false, "": false} {
		if KnownStore(url) != known {
			t.Errorf("%q: known %v", url, !known)
		}
	}
}

// A log becomes an episode once; a second one with the same error says that it came back.
func TestExtractAndFindings(t *testing.T) {
	ctx := context.Background()
	o := repository(t, map[string]string{".agents/sessions/2026-01-10-lock.md": lockLog, "later.md": laterLog, "third.md": "# Session third\n\n- Error: the zebra is out\n"})
	r := ExtractRequest{Cwd: o.Location.Root, Create: true, Logs: []string{".agents/sessions"}}
	none, err := Findings(ctx, o, FindingsRequest{Most: 3}, SourcesRequest{})
	if err != nil || !none.Empty() || !none.NoMemory || !strings.Contains(none.Text(0), "it has no memory yet") {
		t.Errorf("%+v, %v", none, err)
	}
	for i, status := range []LogStatus{Written, Unchanged} {
		a, err := Extract(ctx, o, r)
		if err != nil || len(a.Episodes) != 1 || a.Episodes[0].Status != status || len(a.Returned) != 0 {
			t.Fatalf("%d: %+v, %v", i, a, err)
		}
	}
	r.Logs = []string{"later.md", "third.md"} // after one log alone it is not looked for
	a, err := Extract(ctx, o, r)
	if err != nil || len(a.Returned) != 1 || a.Returned[0].Sessions != 2 || !strings.Contains(a.Proof(), "1 failure came back in later sessions") {
		t.Fatalf("%+v, %v", a, err)
	}
	found, err := Findings(ctx, o, FindingsRequest{Most: 3}, SourcesRequest{})
	if err != nil || len(found.Findings) != 1 || !strings.Contains(found.Text(0), "release the lock before the index build") {
		t.Errorf("%+v, %v", found, err)
	}
	bare := o
	bare.Location.Bare = true
	if a, err := Findings(ctx, bare, FindingsRequest{Most: 3}, SourcesRequest{}); err != nil || !a.NoRepo || !strings.Contains(a.Text(0), "no repository here") {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestExtractRefuses(t *testing.T) {
	for _, c := range []struct {
		what   string
		r      ExtractRequest
		params []string
	}{
		{"a format", ExtractRequest{Format: "zebra"}, []string{"format"}},
		{"fewer than no jobs", ExtractRequest{Jobs: -1}, []string{"jobs"}},
		{"the name of nothing", ExtractRequest{Session: "x"}, []string{"session"}},
		{"a name that leads out", ExtractRequest{Logs: []string{Stdin}, Session: "../x"}, []string{"session"}},
		{"logs and agents", ExtractRequest{Logs: []string{"x"}, From: []string{"all"}}, []string{"from"}},
		{"an agent", ExtractRequest{From: []string{"zebra"}}, []string{"from"}},
		{"a folder", ExtractRequest{From: []string{"all"}, Sources: SourcesRequest{MovedFrom: []string{"x"}}}, []string{"moved-from"}},
	} {
		refuses(t, c.what, c.r.Check(), c.params...)
	}
	if err := (ExtractRequest{Logs: []string{Stdin}, Session: "today"}).Check(); err != nil {
		t.Error(err)
	}
}

func TestSourcesOfNothing(t *testing.T) {
	ctx := context.Background()
	o := repository(t, nil)
	a, err := Sources(ctx, o, SourcesRequest{})
	if err != nil || !a.Empty() || len(a.Folders) == 0 || !strings.Contains(a.Text(0), "no agent's folder") {
		t.Errorf("%+v, %v", a, err)
	}
	o.Location.Bare = true
	if _, err := Sources(ctx, o, SourcesRequest{}); !errors.Is(err, ErrNoMemory) {
		t.Errorf("no repository: %v", err)
	}
	refuses(t, "an agent", SourcesRequest{Agents: []string{"zebra"}}.Check(), "from")
}
