package track

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"episodes/episode"
	"episodes/internal/local"
	"episodes/internal/memory"
)

// clone is a memory in a working tree, and what others push to it.
type clone struct {
	t        *testing.T
	up, here string
	m        *memory.Memory
}

func newClone(t *testing.T) *clone {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skipf("needs git: %v", err)
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", home)
	c := &clone{t: t, up: t.TempDir(), here: filepath.Join(t.TempDir(), "here")}
	c.git(c.up, "init", "-q", "-b", "main")
	c.push("ann", 0)
	c.git(c.up, "clone", "-q", c.up, c.here)
	c.git(c.here, "config", "user.email", "me@example.com")
	c.git(c.here, "config", "user.name", "me")
	here, err := filepath.EvalSymlinks(c.here)
	ok(t, err)
	c.m, _, err = memory.Create(memory.Location{Root: here, Dir: filepath.Join(here, ".agents/memory")})
	ok(t, err)
	t.Cleanup(c.m.Close)
	return c
}

func (c *clone) git(dir string, args ...string) {
	c.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		c.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

// push commits episode n as somebody.
func (c *clone) push(who string, n int) {
	c.t.Helper()
	dir := filepath.Join(c.up, ".agents/memory/episodes")
	ok(c.t, os.MkdirAll(dir, 0o755))
	ok(c.t, os.WriteFile(filepath.Join(dir, versionID(n)+".json"), version(n, 0), 0o644))
	c.git(c.up, "add", "-A")
	c.git(c.up, "-c", "user.name="+who, "-c", "user.email="+who+"@example.com", "commit", "-q", "-m", who)
}

// fresh lists the episodes that are new.
func (c *clone) fresh() []string {
	c.t.Helper()
	x := Load(c.m)
	set, err := x.Set()
	ok(c.t, err)
	ok(c.t, x.Save())
	var out []string
	for _, e := range set.New {
		out = append(out, e.ID)
	}
	if len(set.Entries)+len(set.New) != len(set.All) {
		c.t.Errorf("%d and %d are not %d", len(set.Entries), len(set.New), len(set.All))
	}
	return out
}

func (c *clone) want(what string, got []string, ns ...int) {
	c.t.Helper()
	var want []string
	for _, n := range ns {
		want = append(want, versionID(n))
	}
	if !slices.Equal(got, want) {
		c.t.Errorf("%s: new are %q, want %q", what, got, want)
	}
}

// Who is in the clone is known; who comes later is new until the user says otherwise or time has passed.
func TestOriginsOfPulls(t *testing.T) {
	c := newClone(t)
	c.want("a clone that was never looked at", c.fresh())
	c.want("a clone", c.fresh())
	c.push("ann", 1)
	c.push("mallory", 2)
	c.git(c.here, "pull", "-q")
	if o := Kept(c.m, time.Now()); !o.Of(versionID(1)).New || !o.Of(versionID(2)).New || o.Of(versionID(0)).New {
		t.Error("before git was asked: what came is known, or what was there is not")
	}
	c.want("after a pull", c.fresh(), 2)
	o := LoadOrigins(c.m, time.Now())
	if is := o.Of(versionID(2)); is.Author != "mallory" || is.User || is.Own || !is.Recent {
		t.Errorf("%+v", is)
	}
	if later := LoadOrigins(c.m, time.Now().AddDate(0, 0, 8)); len(later.Fresh()) > 0 || later.state() == o.state() {
		t.Errorf("after a week: %q", later.Fresh())
	}
	ok(t, local.AddTrusted("mallory@example.com"))
	c.want("a trusted author", c.fresh())
}

// What this user's program writes is the user's, also when it is committed; what lies there uncommitted
// and was not written by it is nobody's.
func TestOriginsOfOwn(t *testing.T) {
	c := newClone(t)
	c.want("a clone", c.fresh())
	_, err := c.m.Write(context.Background(), []memory.Pending{{ID: versionID(3), Data: version(3, 0)}}, 1)
	ok(t, err)
	planted := filepath.Join(c.m.EpisodesDir(), versionID(4)+".json")
	ok(t, os.WriteFile(planted, version(4, 0), 0o644))
	c.want("written and planted", c.fresh(), 4)
	c.git(c.here, "add", "-A")
	c.git(c.here, "commit", "-qm", "mine")
	c.want("committed by the user", c.fresh())
	ok(t, os.WriteFile(c.m.EpisodePath(versionID(0)), version(0, 1), 0o644))
	c.want("changed by another program", c.fresh(), 0)
	other, err := memory.Open(c.m.Location)
	ok(t, err)
	defer other.Close()
	ok(t, Load(other).Save())
	ok(t, other.DropDerived())
	if is := LoadOrigins(other, time.Now()).Of(versionID(3)); !is.Own || !is.User || is.New {
		t.Errorf("after a rebuild: %+v", is)
	}
}

// Without what was kept, or where nothing can be kept, git is asked again: what is in no commit is new, and nothing else.
func TestOriginsNotKept(t *testing.T) {
	c := newClone(t)
	c.want("a clone", c.fresh())
	c.push("ann", 2)
	c.push("eve", 3)
	c.git(c.here, "pull", "-q")
	ok(t, os.WriteFile(filepath.Join(c.m.EpisodesDir(), versionID(4)+".json"), version(4, 0), 0o644))
	c.want("kept", c.fresh(), 3, 4)
	forced := filepath.Join(c.up, ".agents/memory/causality/x")
	ok(t, os.MkdirAll(filepath.Dir(forced), 0o755))
	ok(t, os.WriteFile(forced, []byte("x\n"), 0o644))
	c.git(c.up, "add", "-f", forced)
	c.git(c.up, "-c", "user.name=eve", "-c", "user.email=eve@example.com", "commit", "-qm", "forced")
	c.git(c.here, "pull", "-q")
	m, err := memory.Open(c.m.Location)
	ok(t, err)
	defer m.Close()
	if m.Local() == nil {
		t.Fatal("derived files are kept")
	}
	if _, set, err := Load(m).Update(context.Background(), memory.GraphOptions{Store: m.ThisRun()}, Indexer{}); err != nil || len(set.New) != 2 {
		t.Errorf("nothing kept: %v, %v", set.New, err)
	}
	for n, want := range map[int]bool{0: false, 2: false, 3: true, 4: true, 9: true} {
		if LoadOrigins(m, time.Now()).Of(versionID(n)).New != want {
			t.Errorf("nothing kept: episode %d", n)
		}
	}
	if !Kept(m, time.Now()).Of(versionID(0)).New || !new(Origins).Of(versionID(0)).New {
		t.Error("without an answer something is known")
	}
	if apart, _ := new(Origins).apart(versionID(0), nil); !apart {
		t.Error("without an answer corrections count")
	}
}

// A commit that changes no file of the memory writes nothing, and what is read after it is the user's.
func TestOriginsOfCode(t *testing.T) {
	c := newClone(t)
	c.fresh()
	c.fresh() // git is asked for the folders of logs
	ok(t, os.WriteFile(filepath.Join(c.here, "main.go"), []byte("package main\n"), 0o644))
	c.git(c.here, "add", "-A", "main.go")
	c.git(c.here, "commit", "-qm", "code")
	store := c.m.DefaultStore()
	_, _, err := Load(c.m).Update(context.Background(), memory.GraphOptions{Store: store}, Indexer{})
	ok(t, err)
	before, _ := c.m.StatDerived(memory.OriginsName)
	ok(t, os.WriteFile(filepath.Join(c.here, "main.go"), []byte("package main // 2\n"), 0o644))
	c.git(c.here, "commit", "-qam", "more code")
	if _, in := InStep(c.m, store); !in {
		t.Error("the graph is not in step")
	}
	if after, _ := c.m.StatDerived(memory.OriginsName); after != before {
		t.Error("it is written again")
	}
	ep := must(episode.Parse(version(3, 0)))
	ep.Provenance.Source = episode.Source{Path: ".agents/memory/own.md", SHA256: memory.Hash(nil), Format: "markdown"}
	_, err = c.m.Write(context.Background(), []memory.Pending{{ID: ep.ID, Data: must(episode.Marshal(ep))}}, 1)
	ok(t, err)
	c.want("an own log", c.fresh())
}

// Episodes of a team's store are their owner's: those of the first pull are as a clone.
func TestOriginsOfStore(t *testing.T) {
	c := newClone(t)
	c.fresh()
	for n, owner := range map[int]string{5: "team", 6: "team"} {
		_, err := c.m.Write(context.Background(), []memory.Pending{{ID: versionID(n), Data: version(n, 0), From: owner}}, 1)
		ok(t, err)
	}
	c.want("the first pull", c.fresh())
	_, err := c.m.Write(context.Background(), []memory.Pending{{ID: versionID(7), Data: version(7, 0), From: "squatter"}}, 1)
	ok(t, err)
	c.want("another owner", c.fresh(), 7)
}

// What an own run reads while git does not answer is new until git says that it had no such file.
func TestOriginsWithoutAnswer(t *testing.T) {
	c := newClone(t)
	c.fresh()
	ok(t, os.WriteFile(filepath.Join(c.up, ".agents/memory/pushed.md"), []byte("# A\n"), 0o644))
	c.push("mallory", 1)
	c.git(c.here, "pull", "-q")
	path := os.Getenv("PATH")
	t.Setenv("PATH", t.TempDir())
	c.fresh()
	for n, log := range map[int]string{2: ".agents/memory/pushed.md", 3: ".agents/memory/own.md"} {
		ep := must(episode.Parse(version(n, 0)))
		ep.Provenance.Source = episode.Source{Path: log, SHA256: memory.Hash([]byte(log)), Format: "markdown"}
		_, err := c.m.Write(context.Background(), []memory.Pending{{ID: ep.ID, Data: must(episode.Marshal(ep))}}, 1)
		ok(t, err)
	}
	c.want("while git is silent", c.fresh(), 1, 2, 3)
	t.Setenv("PATH", path)
	c.want("when it answers", c.fresh(), 1, 2)
	if is := LoadOrigins(c.m, time.Now()).Of(versionID(2)); is.Author != "mallory" || !is.Own {
		t.Errorf("%+v", is)
	}
}

// A git that is slow is waited for once, not at each call.
func TestOriginsOfSlowGit(t *testing.T) {
	c := newClone(t)
	bin, asked := t.TempDir(), filepath.Join(t.TempDir(), "asked")
	path := os.Getenv("PATH")
	ok(t, os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\necho x >>"+asked+"\nsleep 20\n"), 0o755))
	t.Setenv("PATH", bin+string(os.PathListSeparator)+path)
	now := time.Now()
	for range 3 {
		x := Load(c.m)
		must(x.Set())
		ok(t, x.Save())
	}
	if got := string(must(os.ReadFile(asked))); got != "x\n" {
		t.Errorf("git was asked %q", got)
	}
	t.Setenv("PATH", path)
	if later := Ask(c.m, now.Add(2*unaskedFor)); len(later.Fixes)+len(later.Commits) < 2 {
		t.Error("git was not asked later")
	}
}

// What is told is what is known, also as it is read back; a file that is cut short is none.
func TestOriginsTold(t *testing.T) {
	c := newClone(t)
	c.fresh()
	c.push("mallory", 2)
	c.git(c.here, "pull", "-q")
	c.fresh()
	now := time.Now()
	known := load(c.m, now)
	told := Kept(c.m, now)
	if d := cmp.Diff(known.authors(), told, cmp.AllowUnexported(Origins{}, author{}, change{}), cmp.Comparer(func(a, b *memory.Memory) bool { return a == b })); d != "" || len(told.IDs) != 2 || len(told.Authors) != 2 {
		t.Errorf("%+v: %s", told, d)
	}
	c.want("told", told.Fresh(), 2)
	data := c.m.ReadDerived(memory.OriginsTold, toldKey)
	for _, n := range []int{0, 1, len(data) / 2, len(data) - 1} {
		ok(t, c.m.KeepDerived(memory.OriginsTold, toldKey, data[:n]))
		c.want("cut short", LoadOrigins(c.m, now).Fresh(), 2)
	}
	ok(t, c.m.DropDerived())
	if LoadOrigins(c.m, now).state() != told.state() {
		t.Error("without the file it is another state")
	}
	c.want("written again", c.fresh(), 2)
	if _, found := c.m.StatDerived(memory.OriginsTold); !found {
		t.Error("it is not written again")
	}
}

// A correction of a new author is kept apart, and not the episode that it is about.
func TestOriginsOfCorrections(t *testing.T) {
	c := newClone(t)
	c.fresh()
	for _, x := range []struct {
		who   string
		apart bool
	}{{"ann", false}, {"mallory", true}, {"ann", false}} {
		path := filepath.Join(c.up, ".agents/memory/corrections", versionID(0)+".jsonl")
		ok(t, os.MkdirAll(filepath.Dir(path), 0o755))
		ok(t, os.WriteFile(path, []byte("{} "+strings.Repeat("\n", int(time.Now().UnixNano()%1000))), 0o644))
		c.push(x.who, 0)
		c.git(c.here, "pull", "-q")
		c.want(x.who, c.fresh())
		o := LoadOrigins(c.m, time.Now())
		data := must(os.ReadFile(c.m.CorrectionsPath(versionID(0))))
		apart, _ := o.apart(versionID(0), data)
		if apart != x.apart || o.Of(versionID(0)).Author != "ann" {
			t.Errorf("%s: %v, %+v", x.who, apart, o.Of(versionID(0)))
		}
		if apart, _ := LoadOrigins(c.m, time.Now().AddDate(0, 0, 8)).apart(versionID(0), data); apart {
			t.Errorf("%s: still apart after a week", x.who)
		}
		for id, data := range map[string][]byte{versionID(0): append(data, '\n'), versionID(1): data} {
			if apart, _ := o.apart(id, data); !apart {
				t.Errorf("%s: not apart as nobody has committed it", x.who)
			}
		}
	}
}

// Where git is there but cannot answer, what it tracks is new, and known some days later; without git it is the user's.
func TestOriginsOfBrokenGit(t *testing.T) {
	c := newClone(t)
	path, bin := os.Getenv("PATH"), t.TempDir()
	t.Setenv("PATH", bin)
	c.want("without git", c.fresh())
	ok(t, os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\nexit 1\n"), 0o755))
	c.want("a git that fails", c.fresh(), 0)
	_, err := c.m.Write(context.Background(), []memory.Pending{{ID: versionID(3), Data: version(3, 0)}}, 1)
	ok(t, err)
	c.want("a git that fails again, and an own file", c.fresh(), 0)
	if is := LoadOrigins(c.m, time.Now()).Of(versionID(0)); is.Author != "" || is.User || !is.New {
		t.Errorf("%+v", is)
	}
	if later := LoadOrigins(c.m, time.Now().AddDate(0, 0, 8)); len(later.Fresh()) > 0 {
		t.Errorf("after a week: %q", later.Fresh())
	}
	t.Setenv("PATH", path)
	c.want("when it answers", c.fresh())
}

// A damaged file of origins is as none.
func TestOriginsThatDoNotFit(t *testing.T) {
	sound := func() *Origins {
		return &Origins{IDs: []string{"episode-a"}, Flags: []byte{0}, Logs: []int32{1}, Files: []int32{0}, Authors: []author{{}}, Commits: []change{{}, {}},
			Fixes: map[string]fixed{"episode-a": {Commit: 1}}}
	}
	if !sound().whole() {
		t.Error("sound origins are damaged")
	}
	for i, damage := range []func(*Origins){
		func(o *Origins) { o.Flags = nil },
		func(o *Origins) { o.Logs[0] = 2 },
		func(o *Origins) { o.Files[0] = -1 },
		func(o *Origins) { o.Commits[1].By = 1 },
		func(o *Origins) { o.Fixes["episode-a"] = fixed{Commit: 7} },
	} {
		o := sound()
		if damage(o); o.whole() {
			t.Errorf("damage %d is not seen", i)
		}
	}
}
