package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// progress is one line on a terminal that is written over: what the user waits for.
// A nil one shows nothing.
type progress struct {
	w     io.Writer
	since time.Time // when the user began to wait

	mu    sync.Mutex
	last  time.Time // when the line was written
	shown bool

	began time.Time // when the work was first heard of
	first float64   // the share of it that was done then
	most  float64   // the greatest heard of; below it nothing can be said
}

// Nothing is shown before the user has waited for long, nor more often than is
// readable.
const (
	patience = 500 * time.Millisecond
	refresh  = 100 * time.Millisecond
)

// line returns the line for progress, or nil where none is shown: without a
// terminal, and with --quiet.
func (a *app) line() *progress {
	if a.progress == nil && !a.flags.quiet && terminal(a.stderr) {
		a.progress = &progress{w: a.stderr, since: time.Now()}
	}
	return a.progress
}

// showProgress returns a function that shows how much of a piece of work is done.
func (a *app) showProgress() func(what string, done, total int, share float64) {
	if p := a.line(); p != nil {
		return p.show
	}
	return nil
}

// showWork returns a function that shows what is being done, when that takes long.
func (a *app) showWork() func(what string) (done func()) {
	if p := a.line(); p != nil {
		return p.working
	}
	return nil
}

func (p *progress) show(what string, done, total int, share float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.began.IsZero() {
		p.began, p.first = time.Now(), share
	}
	p.write(fmt.Sprintf("%d of %d %s%s", done, total, what, p.left(share)))
}

// left is how long the whole work still takes, if it goes on as it did; "" as long as that is a guess.
func (p *progress) left(share float64) string {
	took := time.Since(p.began)
	if p.most = max(p.most, share); took < time.Second || share <= p.first || share < p.most {
		return ""
	}
	left := time.Duration(float64(took) * (1 - share) / (share - p.first))
	if left < 2*time.Minute {
		return fmt.Sprintf(", %d s left", int(left.Seconds()+1))
	}
	return fmt.Sprintf(", %d min left", int(left.Minutes()+.5))
}

// working shows what is being done as soon as the user has waited for long.
func (p *progress) working(what string) (done func()) {
	over := false
	timer := time.AfterFunc(patience-time.Since(p.since), func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if !over {
			p.write(what + " ...")
		}
	})
	return func() {
		timer.Stop()
		p.mu.Lock()
		over = true
		p.mu.Unlock()
		p.clear()
	}
}

// write writes the line; the caller holds the mutex.
func (p *progress) write(text string) {
	now := time.Now()
	if now.Sub(p.since) < patience || now.Sub(p.last) < refresh {
		return
	}
	p.last, p.shown = now, true
	fmt.Fprintf(p.w, "\r\x1b[K%s", text)
}

func (p *progress) clear() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		p.shown = false
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
