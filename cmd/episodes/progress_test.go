package main

import (
	"bytes"
	"testing"
	"time"
)

// handClock is a clock that a test moves.
type handClock struct {
	now    time.Time
	alarms map[*time.Time]func()
}

func (c *handClock) Now() time.Time { return c.now }

func (c *handClock) After(d time.Duration, f func()) (stop func()) {
	at := c.now.Add(d)
	c.alarms[&at] = f
	return func() { delete(c.alarms, &at) }
}

// pass lets time go by.
func (c *handClock) pass(d time.Duration) {
	c.now = c.now.Add(d)
	for at, f := range c.alarms {
		if !at.After(c.now) {
			delete(c.alarms, at)
			f()
		}
	}
}

func newProgress() (*progress, *handClock, *bytes.Buffer) {
	var b bytes.Buffer
	c := &handClock{time.Unix(0, 0), map[*time.Time]func(){}}
	return &progress{w: &b, clock: c, since: c.now}, c, &b
}

// Progress is shown on one line, after a while, and taken away.
func TestProgress(t *testing.T) {
	p, c, b := newProgress()
	p.show("logs read", 1, 9)
	if b.Len() > 0 {
		t.Errorf("shown at once: %q", b)
	}
	c.pass(time.Second)
	p.show("logs read", 2, 9)
	p.show("logs read", 3, 9)
	p.clear()
	p.clear()
	if got := b.String(); got != "\r\x1b[K2 of 9 logs read\r\x1b[K" {
		t.Errorf("got %q", got)
	}
}

// Work that takes longer than half a second is named while it lasts; what is done
// sooner is not.
func TestWorkIsNamedWhenItTakesLong(t *testing.T) {
	p, c, b := newProgress()
	done := p.working("studying the episodes")
	c.pass(patience - 1)
	done()
	c.pass(time.Hour)
	if b.Len() > 0 {
		t.Errorf("short work is shown: %q", b)
	}

	p, c, b = newProgress()
	done = p.working("studying the episodes")
	c.pass(patience)
	if got := b.String(); got != "\r\x1b[Kstudying the episodes ..." {
		t.Errorf("long work: %q", got)
	}
	done()
	if got := b.String(); got != "\r\x1b[Kstudying the episodes ...\r\x1b[K" {
		t.Errorf("at its end: %q", got)
	}
}

// The user waits for all pieces of work together: a second one is shown at once when
// the first took long.
func TestTheWaitIsThatOfTheCommand(t *testing.T) {
	p, c, b := newProgress()
	p.working("bringing the graph up to date")()
	c.pass(patience)
	defer p.working("studying the episodes")()
	c.pass(0)
	if got := b.String(); got != "\r\x1b[Kstudying the episodes ..." {
		t.Errorf("got %q", got)
	}
}

// Without a terminal, and with --quiet, nothing is shown at all; TestEnvelopes and
// the scripts run without one.
func TestNoProgressWithoutTerminal(t *testing.T) {
	var b bytes.Buffer
	a := &app{environment: environment{stderr: &b, now: time.Now}}
	if a.showWork() != nil || a.showProgress() != nil {
		t.Error("progress without a terminal")
	}
}
