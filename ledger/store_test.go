package ledger

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
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

func opened(t *testing.T, memory string) *Store {
	t.Helper()
	s, err := Open(memory, true)
	must(t, err)
	t.Cleanup(s.Close)
	return s
}

func numbered(who string, n int) Delivery {
	return Delivery{Time: day.Add(time.Duration(n) * time.Second), Agent: who, Kind: KindError, Session: who, Key: "k", Facts: []Fact{{Place{"e", [2]int{n, n}}, []string{"name"}}}}.Named()
}

// asTeller makes the test binary a hook that tells often; its value names the memory.
const asTeller = "EPISODES_TEST_TELLER"

const deliveries = 60

func tellMany() {
	s, err := Open(os.Getenv(asTeller), true)
	if err != nil {
		panic(err)
	}
	for i := range deliveries {
		err := s.Append(context.Background(), numbered(os.Args[1], i))
		for errors.Is(err, lock.ErrTimeout) { // a hook gives up; the machine may be busy
			err = s.Append(context.Background(), numbered(os.Args[1], i))
		}
		if err != nil {
			panic(err)
		}
	}
}

// Processes tell at once, while runs take in what they told. Nothing is lost or torn.
func TestProcessesAtOnce(t *testing.T) {
	memory := t.TempDir()
	s := opened(t, memory)
	const tellers = 4
	done := make(chan error, tellers)
	for i := range tellers {
		cmd := exec.Command(os.Args[0], "teller "+strconv.Itoa(i))
		cmd.Env = append(os.Environ(), asTeller+"="+memory)
		cmd.Stderr = os.Stderr
		go func() { done <- cmd.Run() }()
	}
	for left := tellers; left > 0; {
		select {
		case err := <-done:
			if left--; err != nil {
				t.Error(err)
			}
		default:
			must(t, s.Change(context.Background(), day, func(*Ledger, bool) {}))
		}
		if _, _, err := s.Read(); err != nil {
			t.Fatal(err)
		}
	}
	want := New()
	for i := range tellers {
		for n := range deliveries {
			want.Deliver(numbered("teller "+strconv.Itoa(i), n))
		}
	}
	for range 2 { // the second time when all is taken in
		got, _, err := s.Read()
		must(t, err)
		if d := cmp.Diff(string(want.Bytes()), string(got.Bytes())); d != "" {
			t.Fatalf("(-want +got):\n%s", d)
		}
		must(t, s.Change(context.Background(), day, func(*Ledger, bool) {}))
	}
	if s.dir.Exists(newName) {
		t.Error("lines wait although all were taken in")
	}
}

// A hook that was killed leaves half a line; a run that was killed leaves lines that it merged.
// Neither costs anything else.
func TestKilled(t *testing.T) {
	s := opened(t, t.TempDir())
	tell := func(n int) {
		t.Helper()
		must(t, s.Append(context.Background(), numbered("a", n)))
	}
	count := func(want int) {
		t.Helper()
		l, _, err := s.Read()
		if err != nil || len(l.Deliveries()) != want {
			t.Fatalf("%d deliveries, want %d; %v", len(l.Deliveries()), want, err)
		}
	}
	tell(1)
	f, err := s.dir.OpenFile(newName, os.O_RDWR|os.O_APPEND)
	must(t, err)
	if _, err := f.WriteString(`{"v":1,"told":{"id":"torn","facts":[`); err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	tell(2)
	count(2)
	merged, err := s.merge(context.Background(), day, func(*Ledger, bool) {})
	if err != nil { // else it is killed here
		t.Fatal(err)
	}
	count(2)
	tell(3)
	count(3)
	must(t, s.drop(context.Background(), merged))
	count(3)
	for range 2 {
		must(t, s.Change(context.Background(), day, func(*Ledger, bool) {}))
		count(3)
	}
	if s.dir.Exists(newName) {
		t.Error("lines wait although all were merged")
	}
}

// Each memory has a ledger of its own, which nobody else may read; asking makes none.
func TestWhereItLies(t *testing.T) {
	state := t.TempDir()
	t.Setenv("XDG_STATE_HOME", state)
	one, other := t.TempDir(), t.TempDir()
	if _, err := Open(one, false); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("opened a ledger that is not there: %v", err)
	}
	s := opened(t, one)
	must(t, s.Append(context.Background(), numbered("a", 1)))
	must(t, s.Change(context.Background(), day, func(*Ledger, bool) {}))
	if l, _, err := opened(t, other).Read(); err != nil || len(l.Deliveries()) != 0 {
		t.Errorf("of another memory: %d deliveries, %v", len(l.Deliveries()), err)
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

// Hooks stop writing where nobody takes in what they write.
func TestTooMuchWaits(t *testing.T) {
	s := opened(t, t.TempDir())
	must(t, s.dir.WritePrivate(newName, bytes.Repeat([]byte("\n"), maxNew+1)))
	if err := s.Append(context.Background(), numbered("a", 1)); !errors.Is(err, errLarge) {
		t.Errorf("told: %v", err)
	}
}

// The summary that is kept says of each fact what the ledger says, in few bytes.
func TestSummaryKept(t *testing.T) {
	s := opened(t, t.TempDir())
	if got := s.Summary(); len(got.Facts) > 0 {
		t.Errorf("of nothing: %+v", got)
	}
	err := s.Change(context.Background(), day, func(l *Ledger, fresh bool) {
		if !fresh {
			t.Error("a ledger that nobody wrote is not fresh")
		}
		for i := range 5 {
			told(l, fmt.Sprint("s", i), "k", i, false, Ignored, false)
		}
	})
	must(t, err)
	got := s.Summary()
	for _, c := range []struct {
		at     Place
		silent bool
	}{{Place{"e", [2]int{3, 5}}, true}, {Place{"e", [2]int{5, 9}}, true}, {Place{"e", [2]int{6, 9}}, false}, {Place{"o", [2]int{3, 5}}, false}} {
		if got.Silent(c.at) != c.silent {
			t.Errorf("%v: silent is %v", c.at, !c.silent)
		}
	}
	for _, damaged := range []string{"", "{", `{"v":99,"summary":{"facts":[{"e":"e","l":[3,5]}]}}` + "\n",
		`{"v":1,"summary":{"facts":[{"e":"e","l":[3,5]}]}}`} {
		must(t, s.dir.WritePrivate(allName, []byte(damaged)))
		if got := s.Summary(); len(got.Facts) > 0 {
			t.Errorf("of %q: %+v", damaged, got)
		}
	}
	most := Report{}
	for i := range 2 * mostSummed {
		most.Facts = append(most.Facts, FactFigures{Place: Place{fmt.Sprintf("episode-%060d", i), [2]int{i, i + 9}}, Verdict: Verdict{Silence: Harmful}})
	}
	data, err := json.Marshal(line{Summary: new(most.Summary())})
	if err != nil || len(data) > maxSummary {
		t.Errorf("a summary of %d bytes, of which %d are read; %v", len(data), maxSummary, err)
	}
}

// must ends a test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
