//go:build unix

package loop

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"episodes/internal/snapshot"
	"episodes/internal/testing/few"
	"episodes/reflexion"
)

// tree is what a test knows of a work tree: the lines of each file.
type tree map[string][]string

// edit changes some files at random, and returns the shell commands that do the same.
func (w tree) edit(rng *rand.Rand) string {
	var line strings.Builder
	for range rng.IntN(4) {
		names := slices.Sorted(maps.Keys(w))
		name := names[rng.IntN(len(names))]
		switch rng.IntN(4) {
		case 0: // a new file, or another text for one that is there
			name = fmt.Sprintf("new-%d.txt", rng.IntN(3))
			w[name] = []string{fmt.Sprint("made ", rng.IntN(1000))}
		case 1:
			if len(names) > 2 {
				delete(w, name)
				fmt.Fprintf(&line, "rm %s\n", name)
				continue
			}
		case 2: // a line goes
			if n := len(w[name]); n > 1 {
				w[name] = slices.Delete(slices.Clone(w[name]), n/2, n/2+1)
			}
		case 3: // a line comes
			w[name] = slices.Insert(slices.Clone(w[name]), rng.IntN(len(w[name])+1), fmt.Sprintf("-- line %d\tof \"many\"", rng.IntN(1000)))
		}
		fmt.Fprintf(&line, "cat >%s <<'END'\n%s\nEND\n", name, strings.Join(w[name], "\n"))
	}
	return line.String()
}

// git runs git in a folder, with nobody's configuration.
func gitIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// What is stored of an attempt is what was done to the state with which it began, whatever that
// was: the files, how many lines, and the lines themselves. Of git's index, stash, branches and
// objects nothing changes, and of the other files of the user neither. Every second loop is
// isolated; it leaves what its best attempt made.
func TestWhatIsStoredIsWhatWasDone(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skipf("it compares what git knows before and after, and git is not here: %v", err)
	}
	loops := few.Of(4, 60)
	seed := rand.Uint64()
	for n := range loops {
		isolate := n%2 == 1
		rng := rand.New(rand.NewPCG(seed, uint64(n)))
		var left, from []int
		for i := range 4 {
			left, from = append(left, 1+rng.IntN(6)), append(from, i-1)
		}
		if isolate {
			from, _ = begun(left)
		}
		actors := t.TempDir()
		b := newCounted(t, left, isolate)
		b.runner.Config.Actor = "cat >/dev/null; sh " + actors + "/$EPISODES_ITERATION"
		base := tree{"left": {"5"}, ".gitignore": {"trail"}}
		for i := range 4 {
			for range 1 + rng.IntN(8) {
				name := fmt.Sprintf("file-%d.txt", i)
				base[name] = append(base[name], fmt.Sprintf("line %d", rng.IntN(5)))
			}
		}
		for name, lines := range base {
			put(t, b.work, name, strings.Join(lines, "\n")+"\n")
		}
		put(t, b.work, "stashed", "1\n")
		gitIn(t, b.work, "init", "-q", "-b", "main")
		gitIn(t, b.work, "add", "-A")
		gitIn(t, b.work, "commit", "-qm", "begin")
		gitIn(t, b.work, "branch", "other")
		put(t, b.work, "stashed", "2\n")
		gitIn(t, b.work, "stash", "-q")
		put(t, b.work, "staged", "1\n")
		gitIn(t, b.work, "add", "staged")
		put(t, b.work, "staged", "2\n")
		put(t, b.work, "untracked", "mine\n")
		gitIn(t, b.work, "update-index", "-q", "--refresh", "--ignore-missing")
		state := func() string {
			index, err := os.ReadFile(filepath.Join(b.work, ".git", "index"))
			if err != nil {
				t.Fatal(err)
			}
			return gitIn(t, b.work, "stash", "list") + gitIn(t, b.work, "branch", "-av") + gitIn(t, b.work, "count-objects", "-v") + b.file("staged") + b.file("untracked") + string(index)
		}
		before, states := state(), map[int]tree{reflexion.BeforeFirst: base}
		for i := range left {
			now := maps.Clone(states[from[i]])
			script := now.edit(rng)
			now["left"], now[".gitignore"] = []string{fmt.Sprint(left[i])}, base[".gitignore"]
			put(t, actors, fmt.Sprint(i), script+"echo "+now["left"][0]+" >left; echo trail >.gitignore\n")
			states[i] = now
		}
		_, history := b.run()
		for i, r := range history {
			if problem := differs(r.Actor.Changed, states[from[i]], states[i]); problem != "" || isolate && *r.From != from[i] {
				t.Fatalf("seed %d, loop %d, iteration %d: %s\n%+v\nfrom %v\nto   %v", seed, n, i, problem, r.Actor.Changed, states[from[i]], states[i])
			}
			if c := r.Actor.TotalChanges; c.FilesChanged != len(r.Actor.FilesModified) || c.LinesAdded != r.Actor.Changed.Additions || c.LinesDeleted != r.Actor.Changed.Deletions {
				t.Fatalf("seed %d, loop %d: %+v", seed, n, c)
			}
		}
		best := maps.Clone(states[len(left)-1])
		if isolate {
			if _, err := b.runner.Steps.(*Processes).BringBack(history); err != nil {
				t.Fatal(err)
			}
			last := best
			best = maps.Clone(states[reflexion.BestIteration(history)])
			for name := range last {
				best[name] = slices.Clone(best[name]) // one that is not there is empty
			}
		}
		for name, lines := range best {
			if got := strings.TrimSuffix(b.file(name), "\n"); got != strings.Join(lines, "\n") {
				t.Fatalf("seed %d, loop %d: %s is %q, want %q", seed, n, name, got, lines)
			}
		}
		if after := state(); after != before {
			t.Fatalf("seed %d, loop %d: %q, was %q", seed, n, after, before)
		}
	}
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// differs says where changes are not those between two trees.
func differs(c *snapshot.Changes, from, to tree) string {
	kinds := map[string]string{}
	for _, f := range c.Files {
		kinds[f.Path] = f.Kind
		if f.Kind == snapshot.Renamed {
			if !slices.Equal(from[f.From], to[f.Path]) {
				return f.Path + " is not " + f.From
			}
			kinds[f.From] = snapshot.Deleted
		}
	}
	names := maps.Clone(from)
	maps.Copy(names, to)
	for name := range names {
		old, was := from[name]
		now, is := to[name]
		want := ""
		switch {
		case was && !is:
			want = snapshot.Deleted
		case !was && is:
			want = snapshot.Added
		case !slices.Equal(old, now):
			want = snapshot.Changed
		}
		if got := kinds[name]; got != want && !(got == snapshot.Renamed && want == snapshot.Added) {
			return fmt.Sprintf("%s is %q, want %q", name, got, want)
		}
		if want == "" || kinds[name] == snapshot.Renamed || !is {
			continue
		}
		lines := slices.Clone(old)
		edits := c.Edits()
		for i := len(edits) - 1; i >= 0; i-- {
			if e := edits[i]; e.Path == name {
				lines = slices.Replace(lines, e.OldLine-1, e.OldLine-1+len(e.Old), e.New...)
			}
		}
		if !slices.Equal(lines, now) {
			return fmt.Sprintf("%s would be %q", name, lines)
		}
	}
	return ""
}
