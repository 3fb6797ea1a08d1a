package memory

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"episodes/internal/fsstore"
	"episodes/internal/testing/few"
)

// Two branches add, replace and remove, the same and different things; git merges them without a conflict.
func TestBranchesMerge(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skipf("needs git: %v", err)
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	m := create(t)
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.email=me@example.com", "-c", "user.name=me"}, args...)...)
		cmd.Dir = m.Dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	// reading is one of an episode, with lines shorter and longer than what git compares at once; without one of them.
	reading := func(id string, without int) []byte {
		var lines []string
		for i := range 12 {
			lines = append(lines, fmt.Sprintf(`{"of":%q,"at":%d}`, id, i), fmt.Sprintf(`{"say":%q}`, strings.Repeat(fmt.Sprint(id, i, " "), 40)))
		}
		return addition("reader", slices.Delete(lines, without, min(without+1, len(lines)))...)
	}
	replace := func(id string, without int) {
		t.Helper()
		files, _, err := m.Additions(id)
		ok(t, err)
		for _, f := range files {
			if len(f.Data) > 1000 {
				ok(t, m.ReplaceAddition(id, f, reading(id, without)))
			}
		}
	}
	git("init", "-q", "-b", "main")
	for _, id := range []string{"episode-a", "episode-b", "episode-c"} {
		add(t, m, id, reading(id, 24), false, true)
	}
	replace("episode-c", 1)
	git("add", ".")
	git("commit", "-q", "-m", "before")
	both := addition("person", "{}")
	for i, branch := range []string{"one", "two"} {
		git("checkout", "-q", "-b", branch, "main")
		add(t, m, "episode-a", both, false, true)
		add(t, m, "episode-a", addition("agent", branch), false, true)
		replace("episode-a", i)
		ok(t, m.RemoveAddition("episode-b", AdditionHash(reading("episode-b", 24))))
		add(t, m, "episode-b", addition("agent", branch), false, true)
		replace("episode-c", 4+i)
		git("add", "-A", ".")
		git("commit", "-q", "-m", branch)
	}
	git("merge", "-q", "-m", "merged", "one")
	git("diff", "--quiet", "HEAD")
	want := func(id string, all ...[]byte) {
		t.Helper()
		var sorted []string
		for _, data := range all {
			sorted = append(sorted, string(data))
		}
		slices.Sort(sorted)
		if got := texts(t, m, id); !slices.Equal(got, sorted) {
			t.Errorf("%s: %q, want %q", id, got, sorted)
		}
	}
	one, two := addition("agent", "one"), addition("agent", "two")
	want("episode-a", both, one, two, reading("episode-a", 0), reading("episode-a", 1))
	want("episode-b", one, two)
	want("episode-c", reading("episode-c", 4), reading("episode-c", 5))
}

// The values of these make the test binary a process that adds and replaces until it is killed: the memory, and
// what its texts have that those of others do not have.
const (
	adder    = "EPISODES_TEST_ADDER"
	adderRun = "EPISODES_TEST_ADDER_RUN"
)

// addForever adds and replaces, and says on stdout what it is about to do and what it has done.
func addForever(dir, run string) {
	m, err := Open(Location{Root: dir, Dir: dir})
	if err != nil {
		panic(err)
	}
	defer m.Close()
	for n := 0; ; n++ {
		func() {
			unlock, err := m.Lock(context.Background(), time.Minute, "a test")
			if err != nil {
				panic(err)
			}
			defer unlock()
			m.Clean()
			for _, id := range []string{"episode-a", "episode-b"} {
				at := fmt.Sprintf("%s %s %d", id, run, n)
				data := addition("agent", `{"lesson":"`+at+`"}`, `{"say":"`+strings.Repeat("x", 3000)+`"}`)
				if err := m.Add(id, data, id == "episode-b"); err != nil {
					panic(err)
				}
				fmt.Println("added " + at)
				if n%2 == 0 {
					continue
				}
				fmt.Println("replacing " + at)
				if err := m.ReplaceAddition(id, Addition{AdditionHash(data), data}, addition("agent", `{"forgotten":"`+at+`"}`)); err != nil {
					panic(err)
				}
				fmt.Println("replaced " + at)
			}
		}()
	}
}

// A writer is killed again and again, at any moment. No file is half there, what was added is there or what replaced it,
// and both only where the kill came between the two.
func TestKilledWhileAdding(t *testing.T) {
	m := create(t)
	ok(t, m.MakePrivate())
	store(t, m, "episode-a", "shared", false)
	store(t, m, "episode-b", "private", true)
	did := map[string]string{} // the last that was said of each
	between := 0
	for run := range few.Of(6, 60) {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), adder+"="+m.Dir, adderRun+"="+fmt.Sprint(run))
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		ok(t, err)
		ok(t, cmd.Start())
		said := bufio.NewScanner(out)
		for n := 0; said.Scan(); n++ {
			what, at, _ := strings.Cut(said.Text(), " ")
			did[at] = what
			if n == 3+run%13 { // then what it said before it died
				time.Sleep(time.Duration(run*run%31) * 100 * time.Microsecond)
				ok(t, cmd.Process.Kill())
			}
		}
		if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() >= 0 {
			t.Fatalf("ended by itself: %v", err)
		}
		between = checkKilled(t, m, did)
	}
	if len(did) < few.Of(6, 60) {
		t.Errorf("only %d were added", len(did))
	}
	t.Logf("%d additions; of %d both are there", len(did), between)
	unlock, err := m.Lock(context.Background(), time.Minute, "a test")
	ok(t, err)
	m.Clean()
	unlock()
	for _, home := range m.homes() {
		for name := range tree(t, home.Path(addedOf.dir)) {
			if strings.HasPrefix(filepath.Base(name), fsstore.TempPrefix) {
				t.Errorf("left aside: %s", name)
			}
		}
	}
}

// checkKilled compares what is there with what was said, and counts where both an addition and what replaces it are.
func checkKilled(t *testing.T, m *Memory, did map[string]string) (both int) {
	t.Helper()
	there := map[string]bool{}
	for _, id := range []string{"episode-a", "episode-b"} {
		for _, text := range texts(t, m, id) { // none is left out
			_, body, _ := strings.Cut(text, "\n")
			kind, at, _ := strings.Cut(strings.TrimLeft(body, `{"`), `":"`)
			at, _, _ = strings.Cut(at, `"`)
			if !strings.HasPrefix(at, id+" ") {
				t.Errorf("%q in %s", at, id)
			}
			there[kind+" "+at] = true
		}
	}
	for at, what := range did {
		before, after := there["lesson "+at], there["forgotten "+at]
		switch {
		case what == "added" && (!before || after), what == "replaced" && (before || !after), what == "replacing" && !before && !after:
			t.Errorf("%s is %s: itself there %v, what replaces it %v", at, what, before, after)
		case before && after:
			both++
		}
	}
	return both
}
