package ask

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/internal/memory"
	"episodes/internal/testing/pgtest"
)

func TestTeamURL(t *testing.T) {
	for remote, want := range map[string]string{
		"git@git.example.org:harbor/api.git":           "git.example.org/harbor/api",
		"https://me@git.example.org:8443/harbor/api/":  "git.example.org/harbor/api",
		"ssh://git@GIT.example.org/harbor/api.git":     "git.example.org/harbor/api",
		"https://git.example.org/group/sub/api.git":    "git.example.org/group/sub/api",
		"file:///srv/api.git":                          "",
		"/srv/api.git":                                 "",
		"../api":                                       "",
		`C:\src\api`:                                   "",
		"https://git.example.org":                      "",
		"https://git.example.org/" + longName + ".git": "git.example.org/" + longName[:longestPlace-len("git.example.org/")-len("…")] + "…",
	} {
		if got := projectName(remote); got != want {
			t.Errorf("%q: %q, want %q", remote, got, want)
		}
	}
	root := t.TempDir()
	loc := memory.Location{Root: root, Dir: filepath.Join(root, "memory")}
	if url, err := TeamURL("postgres:///x?project=p", loc); err != nil || url != "postgres:///x?project=p" {
		t.Errorf("a project that is named: %q, %v", url, err)
	}
	_, err := TeamURL("postgres:///x", loc)
	refuses(t, "no remote", err, "store")
	if err := os.MkdirAll(filepath.Join(root, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	config := "[remote \"origin\"]\n\turl = git@git.example.org:harbor/api.git\n"
	if err := os.WriteFile(filepath.Join(root, ".git", "config"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	if url, err := TeamURL("postgres:///x", loc); err != nil || !strings.Contains(url, "project=git.example.org%2Fharbor%2Fapi") {
		t.Errorf("%q, %v", url, err)
	}
	if _, err := TeamURL("postgres://me:secret@h/x", loc); !errors.Is(err, ErrTeamURL) {
		t.Errorf("a password: %v", err)
	}
}

var longName = strings.Repeat("name", 100)

// two memories and a project that both push to and pull from.
func two(t *testing.T) (ada, bob *Memory, url string) {
	t.Helper()
	here := memoryOf(t, 3)
	url = pushed(t, here, "two")
	there := newMemory(t)
	return opened(t, Options{Location: here.Location, Team: url}), opened(t, Options{Location: there.Location, Team: url}), url
}

func TestPushAndPull(t *testing.T) {
	ctx := context.Background()
	ada, bob, _ := two(t)
	push := func(m *Memory, r PushRequest, pushed, removed, unchanged, differ int) {
		t.Helper()
		a, err := m.Push(ctx, r)
		if err != nil || len(a.Pushed) != pushed || len(a.Removed) != removed || a.Unchanged != unchanged || len(a.Differ) != differ || a.Empty() {
			t.Fatalf("%+v, %v", a, err)
		}
		if text := a.Text(0); !strings.HasPrefix(text, "project two: ") || r.DryRun != strings.Contains(text, "would be") {
			t.Error(text)
		}
	}
	pull := func(m *Memory, r PullRequest, pulled, same, differ int) {
		t.Helper()
		a, err := m.Pull(ctx, r)
		if err != nil || len(a.Pulled) != pulled || a.Same != same || len(a.Differ) != differ || a.Empty() {
			t.Fatalf("%+v, %v", a, err)
		}
		if text := a.Text(0); !strings.HasPrefix(text, "project two of owner: ") || r.DryRun != strings.Contains(text, "would be") {
			t.Error(text)
		}
	}
	edited := func(m *Memory, i int, task string) {
		ep := uploads(i)
		ep.Task = task
		write(t, m, ep)
	}
	push(ada, PushRequest{}, 0, 0, 3, 0)
	pull(bob, PullRequest{DryRun: true}, 3, 0, 0)
	pull(bob, PullRequest{}, 3, 0, 0)
	pull(bob, PullRequest{}, 0, 3, 0)

	edited(bob, 1, "as bob has it")
	write(t, bob, uploads(3))
	push(bob, PushRequest{DryRun: true}, 2, 0, 2, 0)
	push(bob, PushRequest{}, 2, 0, 2, 0)
	edited(ada, 1, "as ada has it")
	pull(ada, PullRequest{}, 1, 2, 1) // the new one; what differs stays
	push(ada, PushRequest{}, 0, 0, 3, 1)
	pull(ada, PullRequest{Force: true}, 1, 3, 0)
	if ep, err := ada.folder.Load(uploads(1).ID); err != nil || ep.Task != "as bob has it" {
		t.Errorf("%+v, %v", ep, err)
	}
	edited(ada, 1, "as ada has it after all")
	push(ada, PushRequest{}, 1, 0, 3, 0)

	if _, err := bob.Forget(ctx, ForgetRequest{Episodes: []string{uploads(2).Session}}); err != nil {
		t.Fatal(err)
	}
	push(bob, PushRequest{}, 0, 1, 2, 1)
	pull(bob, PullRequest{}, 0, 2, 1)
	push(ada, PushRequest{}, 0, 0, 3, 1) // what is gone there does not come back by itself
	push(ada, PushRequest{Force: true}, 1, 0, 3, 0)
}

// What is private goes only where that is said, and is private there and where it is pulled.
func TestPushPrivate(t *testing.T) {
	ctx := context.Background()
	ada, bob, _ := two(t)
	hidden := uploads(9)
	writePrivate(t, ada, hidden)
	if a, err := ada.Push(ctx, PushRequest{}); err != nil || len(a.Pushed) != 0 {
		t.Fatalf("%+v, %v", a, err)
	}
	if a, err := ada.Push(ctx, PushRequest{Private: true}); err != nil || !slices.Equal(a.Pushed, []string{hidden.ID}) {
		t.Fatalf("%+v, %v", a, err)
	}
	e, err := bob.Episode(ctx, EpisodeRequest{Ref: hidden.ID})
	if err != nil || !e.Private {
		t.Errorf("its own login reads %+v, %v", e, err)
	}
	if a, err := bob.Pull(ctx, PullRequest{}); err != nil || len(a.Pulled) != 3 {
		t.Fatalf("%+v, %v", a, err)
	}
	if a, err := bob.Pull(ctx, PullRequest{Private: true}); err != nil || !slices.Equal(a.Pulled, []string{hidden.ID}) {
		t.Fatalf("%+v, %v", a, err)
	}
	if m := opened(t, Options{Location: bob.Location}); !m.isPrivate(hidden.ID) || m.isPrivate(uploads(1).ID) {
		t.Error("it came into the shared part")
	}
}

// An episode with what looks like a secret stays, and the rest goes; what a store holds is
// checked before it becomes a file here.
func TestPushAndPullLeaveOut(t *testing.T) {
	ctx := context.Background()
	ada, bob, url := two(t)
	secret := uploads(5)
	secret.Task = "Rotate AKIA5XQ2ZP7LM3RT9KWB"
	write(t, ada, secret, uploads(6))
	a, err := ada.Push(ctx, PushRequest{})
	if err != nil || !slices.Equal(a.Pushed, []string{uploads(6).ID}) || len(a.LeftOut) != 1 || a.LeftOut[0].ID != secret.ID || strings.Contains(a.Text(0), "AKIA5") {
		t.Fatalf("%+v, %v", a, err)
	}
	pgtest.Exec(t, url[:strings.Index(url, "&project")], "update episodes.episode set body = 'x' where id = '"+uploads(6).ID+"'")
	p, err := bob.Pull(ctx, PullRequest{})
	if err != nil || len(p.Pulled) != 3 || len(p.LeftOut) != 1 || p.LeftOut[0].ID != uploads(6).ID || !strings.Contains(p.Text(0), "left out: ") {
		t.Fatalf("%+v, %v", p, err)
	}
	if ids, err := bob.IDs("episode-"); err != nil || len(ids) != 3 {
		t.Errorf("%v, %v", ids, err)
	}
}

func TestDrop(t *testing.T) {
	ctx := context.Background()
	ada, _, _ := two(t)
	id := uploads(1).ID
	for _, dry := range []bool{true, false} {
		a, err := ada.Drop(ctx, DropRequest{Episode: uploads(1).Session, DryRun: dry})
		if err != nil || a.Removed != id || a.Empty() || a.Text(0) != "project two: "+id+map[bool]string{true: " would be removed\n", false: " removed\n"}[dry] {
			t.Fatalf("%+v, %v", a, err)
		}
	}
	if _, err := ada.Drop(ctx, DropRequest{Episode: id}); !errors.Is(err, ErrNoEpisode) {
		t.Errorf("dropped twice: %v", err)
	}
	if _, err := ada.Drop(ctx, DropRequest{Episode: "2026-04-01-session"}); !errors.As(err, new(*AmbiguousError)) {
		t.Errorf("a prefix of two: %v", err)
	}
}

// Asked of all projects, an answer names the project of each thing it tells; a search is over
// those that the login may read.
func TestOrg(t *testing.T) {
	ctx := context.Background()
	store := pgtest.Store(t)
	for i, project := range []string{"harbor/api", "harbor/web"} {
		m := newMemory(t)
		for n := range 4 {
			write(t, m, uploads(4*i+n))
		}
		zebra := uploads(8 + i)
		zebra.Task = []string{"the zebra left its enclosure", "the zebra came back"}[i]
		write(t, m, zebra)
		push(t, m, store+"&project="+project)
	}
	nowhere := memory.Location{Root: t.TempDir(), Dir: filepath.Join(t.TempDir(), "none")}
	org := opened(t, Options{Location: nowhere, Team: store, Org: true})
	hits, err := org.Search(ctx, SearchRequest{Text: "zebra", Kind: "task"})
	if err != nil || len(hits.Hits) != 2 {
		t.Fatalf("%+v, %v", hits, err)
	}
	for _, h := range hits.Hits {
		want := map[string]string{uploads(8).ID: "harbor/api", uploads(9).ID: "harbor/web"}[h.Episode]
		if h.Project != want || want == "" || !strings.Contains(hits.Text(0), want) {
			t.Errorf("%+v", h)
		}
	}
	advice, err := org.Advise(ctx, AdviseRequest{Kind: "choice", Text: uploadChoice, Closest: true})
	if err != nil || advice.Empty() {
		t.Fatalf("%+v, %v", advice, err)
	}
	evidence := []AdviceEvidence{}
	for _, item := range advice.Advice {
		evidence = append(evidence, item.Evidence...)
	}
	if advice.Closest != nil {
		evidence = append(evidence, advice.Closest.Evidence...)
	}
	for _, at := range evidence {
		if !strings.HasPrefix(at.Project, "harbor/") || !episode.ValidID(at.Episode) {
			t.Errorf("%+v", at)
		}
	}
	known, err := org.Ask(ctx, AskRequest{Texts: []string{"failing uploads"}})
	if err != nil || known.Empty() || known.Passages[0].Project == "" || !episode.ValidID(known.Passages[0].Episode) {
		t.Errorf("%+v, %v", known, err)
	}
	list, err := Projects(ctx, Options{Team: store})
	if err != nil || len(list) != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	for _, p := range list {
		a, err := opened(t, Options{Location: nowhere, Team: p.URL}).Stats(ctx, StatsRequest{})
		if err != nil || a.Episodes != 5 {
			t.Errorf("%s: %+v, %v", p.Name, a, err)
		}
	}
	text, err := ListProjects(ctx, store)
	if err != nil || text.Empty() || !strings.Contains(text.Text(0), "harbor/api  5 episodes, owner ") {
		t.Errorf("%s, %v", text.Text(0), err)
	}
	if _, err := opened(t, Options{Location: nowhere, Team: store + "&project=none"}).Stats(ctx, StatsRequest{}); !errors.Is(err, ErrNoProject) {
		t.Errorf("a project that nobody pushed: %v", err)
	}
}

// The name of an owner is one word of the command that a hint gives, whatever the store says it is.
func TestOwnerHint(t *testing.T) {
	for owner, want := range map[string]string{"ada": `'ada'`, "$(id)": `'$(id)'`, "a'; id #": `'a'\''; id #'`} {
		if got := (&OwnerError{Owner: owner}).Hint(); !strings.HasSuffix(got, "--from-owner "+want) {
			t.Errorf("%q: %s", owner, got)
		}
	}
}
