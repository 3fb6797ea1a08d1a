//go:build unix

package learning

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"episodes/internal/ask"
	"episodes/internal/memory"
	"episodes/reflexion"
	"episodes/reflexion/loop"
)

// repository is the reflexion folder of a memory in a new repository of git, of which
// nothing of the memory is committed. told gets what is said.
func repository(t *testing.T, told *[]string) *Folder {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skipf("the actors run git, which is not here: %v", err)
	}
	root := t.TempDir()
	for _, args := range [][]string{{"init", "-q"}, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "--allow-empty", "-m", "begin"}} {
		if out, err := exec.Command("git", append([]string{"-C", root}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	at := memory.Location{Root: root, Dir: filepath.Join(root, ".agents", "memory")}
	m, _, err := memory.Create(at)
	must(t, err)
	m.Close()
	f, err := Open(ask.Options{Location: at, Warn: func(s string) { *told = append(*told, s) }})
	must(t, err)
	return f
}

const clean = "git clean -fdxq; git -c user.name=a -c user.email=a@example.org stash -uq; "

// An actor that cleans the repository, or stashes all of it, takes nothing of the memory
// away: what is gone is put back, and the record says so.
func TestCleaningActor(t *testing.T) {
	var told []string
	f := repository(t, &told)
	must(t, os.WriteFile(filepath.Join(f.Location.Dir, "episodes", "mine.txt"), []byte("mine"), 0o600))
	home, _, err := f.home()
	must(t, err)
	before, _ := filepath.Glob(filepath.Join(home.Aside, "ralph-*", "*")) // of loops of other tests, which may go on
	c := loop.Config{Task: "clean up", Actor: clean + "echo $EPISODES_ITERATION >n", Verify: []string{"test $(cat n) = 2"}, Max: 5, Arm: "all", ActorTimeout: 60, VerifyTimeout: 60}
	ended, err := f.RunLoop(context.Background(), LoopRequest{Config: c})
	if err != nil || !ended.End.Success || len(ended.History) != 3 {
		t.Fatalf("%+v, %v", ended, err)
	}
	for _, name := range []string{"episodes/mine.txt", "episodes/" + ended.Episode + ".json", "reflexion/reflections/ralph-clean-up/001.json", "reflexion/reflections/ralph-clean-up/003.json", "reflexion/loops/ralph-clean-up/log.md"} {
		if _, err := os.Stat(filepath.Join(f.Location.Dir, name)); err != nil {
			t.Error(err)
		}
	}
	if notes := ended.History[1].Notes; !strings.Contains(notes, "files of the memory") || !strings.Contains(notes, "put back") {
		t.Errorf("notes %q", notes)
	}
	if c := ended.History[1].Actor.Changed; len(c.Files) != 1 || c.Files[0].Path != "n" {
		t.Errorf("changed %+v", c)
	}
	if again, err := f.RunLoop(context.Background(), LoopRequest{Resume: "ralph-clean-up"}); err != nil || !again.End.Success {
		t.Errorf("%+v, %v", again, err)
	}
	aside, err := filepath.Glob(filepath.Join(home.Aside, "ralph-*", "*"))
	if err != nil || len(aside) > len(before)+2 { // loop.json and lock
		t.Errorf("left %v beside %v, %v", aside, before, err)
	}
}

// Interrupted after its actor cleaned the repository, a loop goes on as if the memory had
// never been away, and says that it was.
func TestCleanedLoopGoesOn(t *testing.T) {
	var told []string
	f := repository(t, &told)
	ctx, stop := context.WithCancel(context.Background())
	begun := filepath.Join(t.TempDir(), "begun")
	c := loop.Config{Task: "clean up", Actor: clean + "echo x >>" + begun + "; [ $EPISODES_ITERATION = 0 ] || sleep 60", Verify: []string{"false"}, Max: 2, Arm: "all", ActorTimeout: 60, VerifyTimeout: 60}
	n := 0
	go func() {
		for { // until the second actor runs
			if data, _ := os.ReadFile(begun); string(data) == "x\nx\n" {
				stop()
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	var broken *BrokenError
	if _, err := f.RunLoop(ctx, LoopRequest{Config: c, OnIteration: func(*reflexion.Turn) { n++ }}); !errors.As(err, &broken) || n != 1 {
		t.Fatalf("after %d iterations: %v", n, err)
	}
	ended, err := f.RunLoop(context.Background(), LoopRequest{Resume: broken.LoopID})
	if err != nil || ended.End.Reason != loop.Limit || len(ended.History) != 2 {
		t.Fatalf("%+v, %v", ended, err)
	}
	if data, _ := os.ReadFile(begun); string(data) != "x\nx\n" {
		t.Errorf("an actor was begun twice: %q", data)
	}
	if len(told) == 0 || !strings.Contains(told[0], "they were put back") {
		t.Errorf("told %q", told)
	}
}

// An isolated loop leaves the work tree and the repository alone while it runs, whatever its
// actor does with git; at the end the best attempt is brought back, but for files that
// changed meanwhile.
func TestIsolated(t *testing.T) {
	git := func(f *Folder, args ...string) string {
		out, err := exec.Command("git", append([]string{"-C", f.Location.Root, "-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v: %s", args, err, out)
		}
		return string(out)
	}
	put := func(f *Folder, name, text string) {
		must(t, os.WriteFile(filepath.Join(f.Location.Root, name), []byte(text), 0o644))
	}
	read := func(f *Folder, name string) string {
		data, _ := os.ReadFile(filepath.Join(f.Location.Root, name))
		return string(data)
	}
	for name, discard := range map[string]bool{"brought back": false, "discarded": true} {
		t.Run(name, func(t *testing.T) {
			var told []string
			f := repository(t, &told)
			put(f, "n", "9\n")
			put(f, "gone", "1\n")
			put(f, "mine", "1\n")
			put(f, ".gitignore", "ignored\n.agents\n")
			git(f, "add", ".")
			git(f, "commit", "-qm", "all")
			put(f, "ignored", "needed\n")
			put(f, "staged", "1\n")
			git(f, "add", "staged")
			state := func() string {
				index, _ := os.ReadFile(filepath.Join(f.Location.Root, ".git", "index"))
				return git(f, "branch", "-av") + git(f, "stash", "list") + git(f, "count-objects", "-v") + string(index)
			}
			before := state()
			user := filepath.Join(f.Location.Root, "mine")
			c := loop.Config{Task: "count down", Verify: []string{`test -e ignored; n=$(cat n); echo 1..3; for i in 1 2 3; do [ $i -le $n ] && echo "not ok $i - t$i" || echo "ok $i - t$i"; done; [ $n = 0 ]`}, Max: 3, Arm: "all", ActorTimeout: 60, VerifyTimeout: 60, Isolate: true, Discard: discard,
				Actor: `cat >/dev/null; case $EPISODES_ITERATION in 0) echo 2 >n;; 1) echo 1 >n; rm gone; mkdir new; printf 'a\000b' >new/bin; echo 2 >mine; echo 3 >` + user + `;; *) echo 3 >n; echo worse >new/text;; esac; git add -A; git -c user.name=b -c user.email=b@example.org commit -qm x; git branch b$EPISODES_ITERATION; echo 5 >>gone; git -c user.name=b -c user.email=b@example.org stash -uq`}
			ended, err := f.RunLoop(context.Background(), LoopRequest{Config: c})
			if err != nil || ended.End.Reason != loop.Limit || len(ended.History) != 3 {
				t.Fatalf("%+v, %v", ended, err)
			}
			if after := state(); after != before {
				t.Errorf("the repository is\n%s, was\n%s", after, before)
			}
			if n := read(f, "n"); discard {
				if n != "9\n" || ended.Brought != nil || read(f, "gone") != "1\n" {
					t.Errorf("n is %q, %+v", n, ended.Brought)
				}
				return
			}
			b := ended.Brought
			if b == nil || b.Attempt != 2 || strings.Join(b.Files, " ") != "gone n new/bin" || strings.Join(b.Left, " ") != "mine" {
				t.Fatalf("%+v", b)
			}
			if read(f, "n") != "1\n" || read(f, "gone") != "" || read(f, "new/bin") != "a\x00b" || read(f, "mine") != "3\n" || read(f, "new/text") != "" || read(f, "staged") != "1\n" {
				t.Errorf("n %q, gone %q, new %q, mine %q", read(f, "n"), read(f, "gone"), read(f, "new/bin"), read(f, "mine"))
			}
		})
	}
}
