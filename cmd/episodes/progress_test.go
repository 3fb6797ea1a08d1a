package main

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"
)

func newProgress() (*progress, *bytes.Buffer) {
	var b bytes.Buffer
	return &progress{w: &b, since: time.Now()}, &b
}

// pass lets time go by in a bubble of synctest.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// Progress is shown on one line, after a while, and taken away.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, b := newProgress()
		p.show("logs read", 1, 9, .1)
		if b.Len() > 0 {
			t.Errorf("shown at once: %q", b)
		}
		pass(time.Second)
		p.show("logs read", 2, 9, .2)
		p.show("logs read", 3, 9, .3)
		p.clear()
		p.clear()
		if got := b.String(); got != "\r\x1b[K2 of 9 logs read, 9 s left\r\x1b[K" {
			t.Errorf("got %q", got)
		}
	})
}

// How long work still takes is judged by the share of the whole that was done in a time. Where a step falls behind what was said, nothing is.
func TestProgressSaysHowLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, b := newProgress()
		for _, c := range []struct {
			what   string
			share  float64
			passed time.Duration
			want   string
		}{
			{"logs read", .02, time.Second, ""},
			{"logs read", .02, time.Second, ""},
			{"logs read", .12, 9 * time.Second, ", 89 s left"},
			{"logs read", .52, 10 * time.Second, ", 20 s left"},
			{"episodes", .5, time.Second, ""},
			{"episodes", .56, time.Minute, ", 66 s left"},
		} {
			pass(c.passed)
			b.Reset()
			p.show(c.what, 3, 9, c.share)
			if got := b.String(); got != "\r\x1b[K3 of 9 "+c.what+c.want {
				t.Errorf("%+v: %q", c, got)
			}
		}
	})
}

// Work that takes longer than half a second is named while it lasts; what is done
// sooner is not.
func TestWorkIsNamedWhenItTakesLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, b := newProgress()
		done := p.working("studying the episodes")
		pass(patience - 1)
		done()
		pass(time.Hour)
		if b.Len() > 0 {
			t.Errorf("short work is shown: %q", b)
		}

		p, b = newProgress()
		done = p.working("studying the episodes")
		pass(patience)
		if got := b.String(); got != "\r\x1b[Kstudying the episodes ..." {
			t.Errorf("long work: %q", got)
		}
		done()
		pass(refresh)
		defer p.working("asking")() // the user waits for all pieces of work together
		synctest.Wait()
		if got := b.String(); got != "\r\x1b[Kstudying the episodes ...\r\x1b[K\r\x1b[Kasking ..." {
			t.Errorf("at its end, and after it: %q", got)
		}
	})
}
