package graph

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"episodes/episode"
	"episodes/internal/testing/few"
)

// The test binary runs itself as the processes that these tests kill, and as
// those that work at once.
const childVariable = "EPISODES_GRAPH_TEST_CHILD"

func TestMain(m *testing.M) {
	if task := os.Getenv(childVariable); task != "" {
		if err := child(strings.Fields(task)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func startChild(t testing.TB, task ...string) (*exec.Cmd, *bufio.Reader, *bytes.Buffer) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+strings.Join(task, " "))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewReader(out), &stderr
}

func child(task []string) error {
	ctx := context.Background()
	number := func(i int) int { n, _ := strconv.Atoi(task[i]); return n }
	switch task[0] {
	case "update", "rebuild": // URL seed from to
		src := newSource(generator{uint64(number(2))}.episodes(number(3), number(4))...)
		fmt.Println("ready")
		do := Update
		if task[0] == "rebuild" {
			do = Rebuild
		}
		_, err := do(ctx, task[1], src, Options{BatchSize: 8})
		fmt.Println("done")
		return err
	case "add": // DIR number count: adds episodes of its own, one after another, and reads
		dir := folderSource(filepath.Join(task[1], "episodes"))
		url := "badger:" + filepath.Join(task[1], "graph")
		opt := Options{Who: "test child " + task[2], LockTimeout: time.Minute}
		for i := range number(3) {
			ep := generator{7}.episode(number(2)*1000 + i)
			if err := dir.put(ep); err != nil {
				return err
			}
			r, err := Update(ctx, url, dir, opt)
			if err != nil {
				return err
			}
			if len(r.Skipped) > 0 {
				return fmt.Errorf("skipped: %v", r.Skipped)
			}
			g, err := Open(ctx, url, opt)
			if err != nil {
				return err
			}
			set, err := g.Episodes()
			if err == nil && !contains(set, ep.ID) {
				err = fmt.Errorf("%s was updated and is not there", ep.ID)
			}
			if err == nil {
				_, err = g.WithWord("retri")
			}
			if err := errors.Join(err, g.Close()); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("unknown task %q", task)
}

func contains(set []Entry, id string) bool {
	for _, e := range set {
		if e.ID == id {
			return true
		}
	}
	return false
}

// folderSource is a folder of episode files, as the program will have it.
type folderSource string

func (dir folderSource) put(ep *episode.Episode) error {
	b, err := episode.Marshal(ep)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(string(dir), 0o755); err != nil {
		return err
	}
	path := filepath.Join(string(dir), ep.ID+".json")
	tmp := path + ".tmp" + strconv.Itoa(os.Getpid())
	if err := os.WriteFile(tmp, b, 0o644); err != nil {
		return err
	}
	return os.Rename(tmp, path)
}

func (dir folderSource) List() ([]Entry, error) {
	paths, err := filepath.Glob(filepath.Join(string(dir), "*.json"))
	var out []Entry
	for _, p := range paths {
		b, err := os.ReadFile(p)
		if err != nil {
			return nil, err
		}
		out = append(out, entryOf(strings.TrimSuffix(filepath.Base(p), ".json"), b))
	}
	return out, err
}

func entryOf(id string, file []byte) Entry {
	h := sha256.Sum256(file)
	return Entry{id, hex.EncodeToString(h[:])}
}

func (dir folderSource) Load(id string) (*episode.Episode, error) {
	b, err := os.ReadFile(filepath.Join(string(dir), id+".json"))
	if err != nil {
		return nil, err
	}
	return episode.Parse(b)
}

// A process that dies at any moment leaves the graph of some set, whole, and the
// next Update goes on from there.
func TestKilledWriters(t *testing.T) {
	rounds := few.Of(9, 150)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	dir := t.TempDir()
	url := "badger:" + filepath.Join(dir, "graph")
	killed := 0
	for round := range rounds {
		from := r.IntN(60)
		to := from + 20 + r.IntN(100)
		task := []string{"update", "update", "rebuild"}[r.IntN(3)]
		cmd, out, _ := startChild(t, task, url, "3", strconv.Itoa(from), strconv.Itoa(to))
		if _, err := out.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(r.IntN(120_000)) * time.Microsecond)
		_ = cmd.Process.Kill()
		if cmd.Wait() != nil {
			killed++
		}
		wanted := newSource(generator{3}.episodes(from, to)...)
		switch round % 3 {
		case 0: // read what is left, it must be the graph of a set
			checkLeft(t, url, round)
		case 1: // or go on at once
		case 2:
			mustVerifyLeft(t, url)
			continue // and let the next one find this
		}
		mustUpdate(t, url, wanted)
		mem := fmt.Sprintf("mem:%s-%d", t.Name(), round)
		mustRebuild(t, mem, wanted)
		if exported(t, url) != exported(t, mem) {
			t.Fatalf("round %d: %s was killed, and an update does not mend it", round, task)
		}
		if names, _ := filepath.Glob(filepath.Join(dir, "graph", "gen-*")); len(names) != 1 {
			t.Fatalf("round %d: leftovers: %v", round, names)
		}
	}
	if killed < rounds/4 {
		t.Errorf("only %d of %d processes were still at work when they were killed", killed, rounds)
	}
}

// checkLeft opens what a killed process left, and compares it with a graph made
// from just the episodes that it says it holds.
func checkLeft(t *testing.T, url string, round int) {
	t.Helper()
	g, err := Open(context.Background(), url, Options{})
	if errors.Is(err, ErrMissing) {
		return
	}
	if err != nil {
		t.Fatalf("round %d: %v", round, err)
	}
	set, err := g.Episodes()
	g.Close()
	if err != nil {
		t.Fatal(err)
	}
	src := newSource()
	for _, ep := range (generator{3}).episodes(0, 200) {
		if contains(set, ep.ID) {
			src.put(ep)
		}
	}
	mem := fmt.Sprintf("mem:%s-left-%d", t.Name(), round)
	mustRebuild(t, mem, src)
	if exported(t, url) != exported(t, mem) {
		t.Fatalf("round %d: what is left is not the graph of the %d episodes in it", round, len(set))
	}
}

func mustVerifyLeft(t *testing.T, url string) {
	t.Helper()
	problems, err := Verify(context.Background(), url, nil, Options{})
	if err != nil && !errors.Is(err, ErrMissing) || len(problems) > 0 {
		t.Fatalf("verify: %v %q", err, problems)
	}
}

// Processes that update and read one store at once take turns, and lose nothing.
func TestManyProcesses(t *testing.T) {
	processes, each := few.Of(6, 32), few.Of(3, 20)
	dir := t.TempDir()
	var wg sync.WaitGroup
	for i := range processes {
		cmd, _, stderr := startChild(t, "add", dir, strconv.Itoa(i+1), strconv.Itoa(each))
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := cmd.Wait(); err != nil {
				t.Errorf("process %d: %v: %s", i, err, stderr)
			}
		}()
	}
	wg.Wait()
	src := folderSource(filepath.Join(dir, "episodes"))
	url := "badger:" + filepath.Join(dir, "graph")
	if set, _ := src.List(); len(set) != processes*each {
		t.Fatalf("%d episodes, want %d", len(set), processes*each)
	}
	mustVerify(t, url, src)
	before := exported(t, url)
	if r := mustRebuild(t, url, src); r.Unchanged != processes*each {
		t.Errorf("a rebuild found %+v", r)
	}
	if exported(t, url) != before {
		t.Error("a rebuild differs")
	}
}
