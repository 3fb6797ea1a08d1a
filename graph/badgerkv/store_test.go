package badgerkv

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"episodes/graph/engine"
	"episodes/internal/lock"
)

// published is a store with one empty generation.
func published(t *testing.T) *Store {
	t.Helper()
	s := OpenStore(t.TempDir(), version, "")
	release, err := s.Lock(bg, engine.Wait{Timeout: time.Minute, Who: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	g, err := s.Create()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(g.Close(), s.Publish(g.Name())); err != nil {
		t.Fatal(err)
	}
	return s
}

// A writer gets its turn although at every moment one of many readers has the store open, and
// so do the readers after it.
func TestWriterIsNotPassedOver(t *testing.T) {
	s := published(t)
	patient := engine.Wait{Timeout: time.Minute, Who: "test"}
	first, err := s.Read(bg, patient)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	baton := make(chan engine.Generation, 1)
	baton <- first
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { // each reader opens the store before the one before it closes it
			for {
				select {
				case <-done:
					return
				case before := <-baton:
					next, err := OpenStore(s.dir, version, "").Read(bg, engine.Wait{Timeout: time.Millisecond, Who: "reader"})
					if errors.Is(err, lock.ErrTimeout) { // it lets the writer go first
						next, err = nil, before.Close()
						if err == nil {
							next, err = OpenStore(s.dir, version, "").Read(bg, patient)
						}
						before = nil
					}
					if err != nil {
						t.Error(err)
						return
					}
					if before != nil {
						_ = before.Close()
					}
					baton <- next
				}
			}
		})
	}
	for range 3 {
		release, err := s.Lock(bg, patient)
		if err != nil {
			t.Fatal(err)
		}
		g, err := s.Write(bg, patient)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Close(); err != nil {
			t.Error(err)
		}
		release()
	}
	close(done)
	wg.Wait()
	_ = (<-baton).Close()
}

// While a writer works without the gate, readers come and go. Once it waits, they let it go first.
// After it gave up or died, nothing of that is left.
func TestReadersAndAWaitingWriter(t *testing.T) {
	s := published(t)
	short, patient := engine.Wait{Timeout: 20 * time.Millisecond, Who: "test"}, engine.Wait{Timeout: time.Minute, Who: "test"}
	read := func(want bool) {
		t.Helper()
		g, err := OpenStore(s.dir, version, "").Read(bg, short)
		if (err == nil) != want || err != nil && !errors.Is(err, lock.ErrTimeout) {
			t.Errorf("read: %v", err)
		}
		if err == nil {
			_ = g.Close()
		}
	}
	release, err := s.Lock(bg, patient)
	if err != nil {
		t.Fatal(err)
	}
	read(true)
	open, err := OpenStore(s.dir, version, "").Read(bg, patient)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Write(bg, short); !errors.Is(err, lock.ErrTimeout) {
		t.Errorf("written beside a reader: %v", err)
	}
	read(true) // it gave up
	written := make(chan error)
	go func() {
		g, err := s.Write(bg, patient)
		if err == nil {
			err = g.Close()
		}
		written <- err
	}()
	path := filepath.Join(s.dir, writeLock)
	for waiting := false; !waiting; {
		if waiting, err = lock.Waiting(path); err != nil {
			t.Fatal(err)
		}
	}
	read(false)
	announced, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_ = open.Close()
	if err := <-written; err != nil {
		t.Error(err)
	}
	read(true)
	release()
	if err := os.WriteFile(path, announced, 0o644); err != nil { // as a writer that was killed leaves it
		t.Fatal(err)
	}
	read(true)
}

// A program that starts at the same time has the descriptors of ours until it runs, locks too.
func TestCreateWhileProgramsStart(t *testing.T) {
	s := OpenStore(t.TempDir(), version, "")
	done := make(chan struct{})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					_ = exec.Command(os.Args[0], "-test.run=^$").Run()
				}
			}
		})
	}
	for range 30 {
		g, err := s.Create()
		if err != nil {
			t.Error(err)
			break
		}
		if err := errors.Join(g.Close(), s.Discard(g.Name())); err != nil {
			t.Error(err)
			break
		}
	}
	close(done)
	wg.Wait()
}
