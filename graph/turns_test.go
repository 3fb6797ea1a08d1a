package graph

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"episodes/episode"
	"episodes/graph/badgerkv"
	"episodes/graph/engine"
	"episodes/internal/lock"
)

func TestLockTimeoutNamesTheHolder(t *testing.T) {
	dir, url, src := folderStore(t, 3)
	store := badgerkv.OpenStore(dir, Format, "")
	free, err := store.Lock(background, engine.Wait{Timeout: time.Minute, Who: "episodes graph\tupdate\x1b[31m"})
	check(t, err)
	_, err = Update(background, url, src, Options{LockTimeout: 30 * time.Millisecond})
	var timeout *lock.TimeoutError
	if !errors.As(err, &timeout) || !errors.Is(err, lock.ErrTimeout) {
		t.Fatalf("%v", err)
	}
	if h := timeout.Holder; h == nil || h.PID != os.Getpid() || h.Who != "episodes graph update [31m" || timeout.Waited < 30*time.Millisecond {
		t.Errorf("%+v %+v", timeout, timeout.Holder)
	}
	mustOpen(t, url).Close() // a writer that does not write yet hinders no reader
	free()
	mustUpdate(t, url, src)
}

// On disk a reader keeps a writer from the current generation, and the other way
// round; every wait ends.
func TestReadersAndWriterTakeTurns(t *testing.T) {
	dir, url, src := folderStore(t, 3)
	g := mustOpen(t, url)
	mustUpdate(t, url, src) // nothing to write
	src.put(generator{5}.episode(3))
	short := Options{LockTimeout: 30 * time.Millisecond}
	if _, err := Update(background, url, src, short); !errors.Is(err, lock.ErrTimeout) {
		t.Errorf("update beside a reader: %v", err)
	}
	g.Close()
	g.Close()

	w, err := badgerkv.OpenStore(dir, Format, "").Write(background, engine.Wait{Timeout: time.Minute, Who: "a writer"})
	check(t, err)
	if _, err := Open(background, url, short); !errors.Is(err, lock.ErrTimeout) {
		t.Errorf("open beside the writing: %v", err)
	}
	ctx, cancel := context.WithTimeout(background, 30*time.Millisecond)
	defer cancel()
	if _, err := Open(ctx, url, Options{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("open with a deadline: %v", err)
	}
	w.Close()
	mustUpdate(t, url, src)
	checkStore(t, url, src)
}

// slowSource lets a test stop a rebuild in the middle.
type slowSource struct {
	*memorySource
	loading, goOn chan struct{}
}

func (s slowSource) Load(id string) (*episode.Episode, error) {
	select {
	case s.loading <- struct{}{}:
	default:
	}
	<-s.goOn
	return s.memorySource.Load(id)
}

func TestRebuildBlocksNoReader(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		src := generated(5, 8)
		mustUpdate(t, url, src)
		old := exported(t, url)
		reader := mustOpen(t, url)

		src.put(generator{5}.episode(100))
		slow := slowSource{src, make(chan struct{}, 1), make(chan struct{})}
		done := make(chan error, 1)
		go func() {
			_, err := Rebuild(background, url, slow, Options{})
			done <- err
		}()
		<-slow.loading
		if exported(t, url) != old {
			t.Error("a reader sees something else during a rebuild")
		}
		if _, err := Update(background, url, src, Options{LockTimeout: time.Millisecond}); !errors.Is(err, lock.ErrTimeout) {
			t.Errorf("a second writer: %v", err)
		}
		close(slow.goOn)
		if err := <-done; err != nil {
			t.Fatal(err) // though a reader still has the old generation open
		}
		checkAgainst(t, reader, src.all()[:8])
		reader.Close()
		checkStore(t, url, src)
		mustUpdate(t, url, src)
		if dir, ok := strings.CutPrefix(url, "badger:"); ok {
			if names, _ := filepath.Glob(filepath.Join(dir, "gen-*")); len(names) != 1 {
				t.Errorf("the old generation is still there: %v", names)
			}
		}
	})
}

func TestCancelledRebuildLeavesTheOldGraph(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		src := generated(5, 60)
		mustUpdate(t, url, src)
		before := exported(t, url)
		ctx, cancel := context.WithCancel(background)
		_, err := Rebuild(ctx, url, generated(6, 60), Options{BatchSize: 5, Progress: func(done, total int) {
			if done > 20 {
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if exported(t, url) != before {
			t.Error("the graph changed")
		}
		if dir, ok := strings.CutPrefix(url, "badger:"); ok {
			if names, _ := filepath.Glob(filepath.Join(dir, "gen-*")); len(names) != 1 {
				t.Errorf("leftovers: %v", names)
			}
		}
	})
}

func TestCancelledUpdateIsTheGraphOfSomeSet(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		src := generated(5, 60)
		mustUpdate(t, url, generated(5, 1))
		ctx, cancel := context.WithCancel(background)
		r, err := Update(ctx, url, src, Options{BatchSize: 5, Progress: func(done, total int) {
			if done > 20 {
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) || r.Added < 20 || r.Added > 40 {
			t.Fatalf("%v %+v", err, r)
		}
		mustVerify(t, url, nil)
		mustUpdate(t, url, src)
		checkStore(t, url, src)
	})
}
