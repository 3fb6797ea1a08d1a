package ask

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"episodes/episode"
	"episodes/internal/memory"
)

// The graph is made, brought up to date and made again, and each time says what that changed.
func TestUpdate(t *testing.T) {
	ctx := context.Background()
	m := memoryOf(t, 3)
	for _, c := range []struct {
		what                      string
		act                       func()
		rebuild                   bool
		added, changed, unchanged int
	}{
		{"made", func() {}, false, 3, 0, 0},
		{"nothing new", func() {}, false, 0, 0, 3},
		{"one more", func() { write(t, m, uploads(3)) }, false, 1, 0, 3},
		{"one edited", func() { ep := uploads(3); ep.Outcome = episode.Partial; write(t, m, ep) }, false, 0, 1, 3},
		{"made again", func() {}, true, 0, 0, 4},
	} {
		c.act()
		by := opened(t, Options{Location: m.Location})
		a, err := by.Update(ctx, UpdateRequest{Rebuild: c.rebuild})
		by.Close()
		if err != nil || a.Added != c.added || a.Changed != c.changed || a.Unchanged != c.unchanged || a.Empty() || a.Text(0) == "" {
			t.Errorf("%s: %+v, %v", c.what, *a.Change, err)
		}
	}
}

// A view hides what it says and deletes nothing: the zero view shows all again.
func TestPrune(t *testing.T) {
	ctx := context.Background()
	m := memoryOf(t, 40)
	m.Now = func() time.Time { return time.Date(2026, 5, 10, 12, 0, 0, 0, time.UTC) }
	for _, c := range []struct {
		what     string
		r        PruneRequest
		hidden   int
		kept     int // episodes that a question finds afterwards
		viewText string
	}{
		{"a rehearsal", PruneRequest{OlderThan: "2026-05-01", DryRun: true}, 30, 40, "sessions since 2026-05-01"},
		{"before a day", PruneRequest{OlderThan: "2026-05-01"}, 30, 10, "sessions since 2026-05-01"},
		{"before some days ago", PruneRequest{OlderThan: "5d"}, 35, 5, "sessions since 2026-05-05"},
		{"weak links", PruneRequest{MinWeight: 0.99}, 0, 40, "links of weight 0.99 or more"},
		{"rare links", PruneRequest{MinSupport: 100}, 0, 40, "links stated by 100 episodes or more"},
		{"nothing", PruneRequest{}, 0, 40, "everything"},
	} {
		by := opened(t, Options{Location: m.Location, Now: m.Now})
		a, err := by.Prune(ctx, c.r)
		by.Close()
		if err != nil || a.Hidden.Episodes != c.hidden || a.Empty() || a.DryRun != c.r.DryRun || !strings.Contains(a.Text(0), c.viewText) {
			t.Errorf("%s: %+v, %v", c.what, a, err)
			continue
		}
		if a.All.Episodes != 40 || a.Left.Edges+a.Hidden.Edges != a.All.Edges || (c.r.MinSupport > 0) != (a.Hidden.Edges > 0 && a.Left.Edges == 0) && c.hidden == 0 && c.r.MinWeight == 0 {
			t.Errorf("%s: %+v", c.what, a)
		}
		asked := opened(t, Options{Location: m.Location})
		if n := asked.openGraphEpisodes(t); n != c.kept {
			t.Errorf("%s: %d episodes are in view, want %d", c.what, n, c.kept)
		}
		asked.Close()
	}
	refuses(t, "a weight", PruneRequest{MinWeight: 2}.Check(), "min-weight")
	refuses(t, "a support", PruneRequest{MinSupport: -1}.Check(), "min-support")
	refuses(t, "an age", PruneRequest{OlderThan: "old"}.Check(), "older-than")
}

func TestForget(t *testing.T) {
	ctx := context.Background()
	m := memoryOf(t, 40)
	copied := uploads(0)
	copied.ID = episode.IDFromSession("copy")
	write(t, m, copied)
	logs := logged(t, m, "log.md", "the database is locked")
	for _, c := range []struct {
		what string
		r    ForgetRequest
		n    int
		left int
	}{
		{"a rehearsal", ForgetRequest{OlderThan: "2026-04-11", DryRun: true}, 12, 42},
		{"by name", ForgetRequest{Episodes: []string{uploads(39).Session, uploads(39).ID}}, 1, 41},
		{"by log", ForgetRequest{Logs: []string{"log.md"}, Cwd: m.Location.Root}, 1, 40},
		{"a copy", ForgetRequest{Episodes: []string{copied.ID}}, 1, 39},
		{"older than a day", ForgetRequest{OlderThan: "2026-04-11"}, 10, 29},
		{"older than a day, again", ForgetRequest{OlderThan: "2026-04-11"}, 0, 29},
	} {
		by := opened(t, Options{Location: m.Location})
		a, err := by.Forget(ctx, c.r)
		if err != nil || len(a.Forgotten) != c.n || a.Empty() != (c.n == 0) || !slices.IsSorted(a.Forgotten) {
			t.Errorf("%s: %+v, %v", c.what, a, err)
		}
		if (len(a.Copies) > 0) != (c.what == "a copy" || c.what == "by log") || a.DryRun != strings.Contains(a.Text(0), "would be forgotten") {
			t.Errorf("%s: copies %v: %s", c.what, a.Copies, a.Text(0))
		}
		if n := by.openGraphEpisodes(t); n != c.left {
			t.Errorf("%s: %d episodes are left, want %d", c.what, n, c.left)
		}
		by.Close()
	}
	if gone := m.folder.Forgotten(true); !gone[logs.Provenance.Source.SHA256] {
		t.Error("the log would be read again")
	}
	refuses(t, "nothing", ForgetRequest{}.Check())
	refuses(t, "an age", ForgetRequest{OlderThan: "old"}.Check(), "older-than")
	for what, r := range map[string]ForgetRequest{"no episode": {Episodes: []string{"none"}}, "no log": {Logs: []string{"none.md"}, Cwd: m.Location.Root}} {
		if _, err := m.Forget(ctx, r); !errors.Is(err, ErrNoEpisode) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// A secret in the text of a correction is kept nowhere. One that another tool wrote into the
// corrections, or somebody into the episode, keeps the episode private.
func TestSecretsInCorrections(t *testing.T) {
	ctx := context.Background()
	m := memoryOf(t, 1)
	writePrivate(t, m, uploads(1))
	text := "rotate AKIA5XQ2ZP7LM3RT9KWB first"
	if _, err := m.Correct(ctx, CorrectRequest{Ref: uploads(1).ID, Text: &text}); err != nil {
		t.Fatal(err)
	}
	fixes, _, err := m.folder.Additions(uploads(1).ID)
	if err != nil || len(fixes) != 1 || !strings.Contains(string(fixes[0].Data), "redacted") || strings.Contains(string(fixes[0].Data), "AKIA5") {
		t.Errorf("%s, %v", fixes, err)
	}
	foreign := strings.ReplaceAll(string(fixes[0].Data), "rotate", "AKIA5XQ2ZP7LM3RT9KWB")
	if err := m.folder.Add(uploads(1).ID, []byte(foreign), true); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Share(ctx, ShareRequest{Episodes: []string{uploads(1).ID}}); err == nil || !strings.Contains(err.Error(), "aws-access-key") || !m.isPrivate(uploads(1).ID) {
		t.Errorf("shared: %v", err)
	}
	edited, err := episode.Marshal(uploads(2))
	if err != nil {
		t.Fatal(err)
	}
	edited = []byte(strings.ReplaceAll(string(edited), "Uploads fail", "AKIA5XQ2ZP7LM3RT9KWB"))
	if _, err := m.folder.Write(ctx, []memory.Pending{{ID: uploads(2).ID, Data: edited, Private: true}}, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Share(ctx, ShareRequest{Episodes: []string{uploads(2).ID}}); err == nil || !strings.Contains(err.Error(), "edited by hand") {
		t.Errorf("shared: %v", err)
	}
}

// Shared is what the request names, without secrets; the rest stays private.
func TestShare(t *testing.T) {
	ctx := context.Background()
	m := memoryOf(t, 1)
	secret := uploads(2)
	secret.Task = "Rotate AKIA5XQ2ZP7LM3RT9KWB"
	writePrivate(t, m, uploads(1), secret, uploads(3))
	refuses(t, "nothing", ShareRequest{}.Check())
	if _, err := m.Share(ctx, ShareRequest{Episodes: []string{"none"}}); !errors.Is(err, ErrNoEpisode) {
		t.Errorf("no episode: %v", err)
	}
	if a, err := m.Share(ctx, ShareRequest{Episodes: []string{uploads(0).ID}}); err != nil || !a.Empty() || a.Text(0) != "nothing to share" {
		t.Errorf("what is shared already: %+v, %v", a, err)
	}
	both := []string{uploads(1).Session, secret.ID, uploads(1).ID}
	dry, err := m.Share(ctx, ShareRequest{Episodes: both, DryRun: true})
	if err != nil || len(dry.Shared) != 2 || strings.Contains(dry.Text(0), "AKIA5") || !strings.Contains(dry.Text(0), "would be shared as") {
		t.Errorf("%+v, %v", dry, err)
	}
	if !m.isPrivate(secret.ID) {
		t.Error("a dry run shared it")
	}
	a, err := m.Share(ctx, ShareRequest{Episodes: both})
	if err != nil || len(a.Shared) != 2 || a.Graph == nil {
		t.Fatalf("%+v, %v", a, err)
	}
	again := opened(t, Options{Location: m.Location})
	for id, private := range map[string]bool{uploads(0).ID: false, uploads(1).ID: false, secret.ID: false, uploads(3).ID: true} {
		if again.isPrivate(id) != private {
			t.Errorf("%s: private %v", id, !private)
		}
	}
	if data, err := again.folder.Read(secret.ID); err != nil || strings.Contains(string(data), "AKIA5") {
		t.Errorf("%s, %v", data, err)
	}
}
