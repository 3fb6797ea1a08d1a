package ledger

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"episodes/internal/lock"
)

func numbered(who string, n int) Delivery {
	return Delivery{Time: day.Add(time.Duration(n) * time.Second), Agent: who, Kind: KindError, Session: who, Key: "k", Facts: []Fact{{Place: Place{"e", [2]int{n, n}}, Names: []string{"name"}}}}.Named()
}

// asTeller makes the test binary a hook that tells often; its value names the memory.
const asTeller = "EPISODES_TEST_TELLER"

const deliveries = 60

func tellMany() {
	for i := range deliveries {
		t := numbered(os.Args[1], i)
		err := Tell(context.Background(), os.Getenv(asTeller), t)
		for errors.Is(err, lock.ErrTimeout) { // a hook gives up; the machine may be busy
			err = Tell(context.Background(), os.Getenv(asTeller), t)
		}
		if err != nil {
			panic(err)
		}
	}
}

// Processes tell at once, while runs note what followed and forget. Nothing is lost or torn.
func TestProcessesAtOnce(t *testing.T) {
	memory := t.TempDir()
	const tellers = 4
	done := make(chan error, tellers)
	for i := range tellers {
		cmd := exec.Command(os.Args[0], "teller "+strconv.Itoa(i))
		cmd.Env = append(os.Environ(), asTeller+"="+memory)
		cmd.Stderr = os.Stderr
		go func() { done <- cmd.Run() }()
	}
	want := New()
	for left := tellers; left > 0; {
		select {
		case err := <-done:
			if left--; err != nil {
				t.Error(err)
			}
		default:
			l, err := Open(memory)
			must(t, err)
			var after []After
			for _, d := range l.Deliveries() {
				if a := (After{d.ID, []Followed{Did}, false}); l.Follow(a) {
					after = append(after, a)
				}
			}
			must(t, Note(context.Background(), memory, after))
			must(t, Forget(context.Background(), memory, []string{"another"}, []string{"another"}))
		}
	}
	for i := range tellers {
		for n := range deliveries {
			want.Deliver(numbered("teller "+strconv.Itoa(i), n))
		}
	}
	got, err := Open(memory)
	must(t, err)
	if d := cmp.Diff(want.Deliveries(), got.Deliveries()); d != "" {
		t.Fatalf("(-want +got):\n%s", d)
	}
	must(t, Forget(context.Background(), memory, nil, nil))
	if again, err := Open(memory); err != nil || !cmp.Equal(encoded(again.lines()), encoded(got.lines())) {
		t.Errorf("written anew it is another ledger: %v", err)
	}
}

// A hook that was killed leaves half a line, which costs nothing else. What an older program wrote is read.
func TestKilled(t *testing.T) {
	memory := t.TempDir()
	count := func(want int) {
		t.Helper()
		l, err := Open(memory)
		if err != nil || len(l.Deliveries()) != want {
			t.Fatalf("%d deliveries, want %d; %v", len(l.Deliveries()), want, err)
		}
	}
	must(t, Tell(context.Background(), memory, numbered("a", 1)))
	dir, err := open(memory, false)
	must(t, err)
	defer dir.Close()
	must(t, dir.AppendPrivate(name, []byte(`{"v":1,"told":{"id":"torn","facts":[`), most))
	must(t, Tell(context.Background(), memory, numbered("a", 2)))
	count(2)
	must(t, dir.WritePrivate(oldName, encoded([]line{{Given: new(numbered("old", 3))}})))
	count(3)
	must(t, Forget(context.Background(), memory, nil, nil))
	count(3)
	if dir.Exists(oldName) {
		t.Error("the file of an older program is left")
	}
}

// The oldest go where there is too much.
func TestTooMuch(t *testing.T) {
	memory := t.TempDir()
	must(t, Tell(context.Background(), memory, numbered("a", 1)))
	dir, err := open(memory, false)
	must(t, err)
	defer dir.Close()
	must(t, dir.AppendPrivate(name, bytes.Repeat([]byte("\n"), most), most))
	must(t, Tell(context.Background(), memory, numbered("a", 2)))
	l, err := Open(memory)
	if info, err := dir.Lstat(name); err != nil || info.Size() > most*2/3 {
		t.Errorf("%v, %v", info, err)
	}
	if err != nil || len(l.Deliveries()) != 1 || !l.Deliveries()[0].Time.Equal(numbered("a", 2).Time) {
		t.Errorf("%+v, %v", l, err)
	}
}

// Each memory has a ledger of its own, which nobody else may read; asking makes none.
func TestWhereItLies(t *testing.T) {
	state := t.TempDir()
	t.Setenv("XDG_STATE_HOME", state)
	one, other := t.TempDir(), t.TempDir()
	if l, err := Open(one); err != nil || len(l.Deliveries()) > 0 {
		t.Errorf("of a ledger that is not there: %v, %v", l, err)
	}
	must(t, Forget(context.Background(), one, []string{"e"}, nil))
	if entries, err := os.ReadDir(state); err != nil || len(entries) > 0 {
		t.Errorf("reading made %v, %v", entries, err)
	}
	must(t, Tell(context.Background(), one, numbered("a", 1)))
	must(t, Note(context.Background(), one, []After{{"a", []Followed{Did}, false}}))
	if l, err := Open(other); err != nil || len(l.Deliveries()) != 0 {
		t.Errorf("of another memory: %v, %v", l, err)
	}
	for _, dir := range []string{one, other} {
		if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
			t.Errorf("in the memory lies %v, %v", entries, err)
		}
	}
	_ = filepath.WalkDir(filepath.Join(state, "episodes", folder), func(path string, d fs.DirEntry, err error) error {
		if info, err := d.Info(); err == nil && info.Mode().Perm()&0o077 != 0 && filepath.Ext(path) != ".lock" {
			t.Errorf("%s may be read by others: %s", path, info.Mode())
		}
		return err
	})
}

// must ends a test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
