package main

import (
	"fmt"
	"io"
	"time"
)

// progress is one line on a terminal that is written over. A nil one shows nothing.
type progress struct {
	w     io.Writer
	now   func() time.Time
	since time.Time
	last  time.Time
	shown bool
}

// Nothing is shown of what is done before long, nor more often than is readable.
const (
	patience = 500 * time.Millisecond
	refresh  = 100 * time.Millisecond
)

// showProgress returns a function that shows how far a piece of work is.
func (a *app) showProgress(what string) func(done, total int) {
	if a.flags.quiet || !terminal(a.stderr) {
		return nil
	}
	if a.progress == nil {
		a.progress = &progress{w: a.stderr, now: a.now, since: a.now()}
	}
	return func(done, total int) { a.progress.show(what, done, total) }
}

func (p *progress) show(what string, done, total int) {
	now := p.now()
	if now.Sub(p.since) < patience || now.Sub(p.last) < refresh {
		return
	}
	p.last, p.shown = now, true
	fmt.Fprintf(p.w, "\r\x1b[K%d of %d %s", done, total, what)
}

func (p *progress) clear() {
	if p != nil && p.shown {
		p.shown = false
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
