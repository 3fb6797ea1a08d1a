// Package capture takes session logs into a memory: logs → episodes → graph.
//
// Logs are read and extracted in parallel without any lock. Then, holding the
// memory's lock, ids are assigned, files written aside and renamed, the graph
// brought in step and the index saved. A run that finds nothing changed reads no
// log, takes no lock and writes nothing. A log that cannot be read or kept is
// reported, and the others are still done.
package capture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"episodes/extract"
	"episodes/internal/memory"
)

// Options say what to take in, and how.
type Options struct {
	Location memory.Location
	Create   bool // make the memory when it is missing
	Cwd      string
	Stdin    io.Reader

	Args    []string // files, folders, patterns, or Stdin
	Session string   // of standard input
	Format  string   // "auto" or extract.FormatMarkdown

	Force    bool // replace episodes that were edited, and read unchanged logs again
	Preserve bool // merge into episodes that were edited
	DryRun   bool // write nothing
	NoGraph  bool // leave the graph as it is
	Explain  bool // say what was taken from which lines
	Jobs     int

	Graph    memory.GraphOptions
	Now      func() time.Time
	Free     func(dir string) (uint64, bool) // space on the disk
	Progress func(done, total int)           // logs read
	Note     func(text string)               // something to tell the user on the way

	extractor *extract.Extractor // with the project's vocabulary; set by Run
}

func (o Options) progress(done, total int) {
	if o.Progress != nil {
		o.Progress(done, total)
	}
}

func (r *run) note(text string) {
	if r.Note != nil {
		r.Note(text)
	}
}

// ErrFull says that the disk has too little room to write safely.
var ErrFull = errors.New("too little free space")

// Run takes logs in. The report is also given with an error where part of the
// work was done: what it lists as written is on disk.
func Run(ctx context.Context, o Options) (*Report, error) {
	start := o.Now()
	var err error
	if o.extractor, err = newExtractor(o.Location); err != nil {
		return nil, err
	}
	logs, failed := gather(o.Location, o.Cwd, o.Args, o.Session)
	r := &run{Options: o, items: failed}
	report, err := r.do(ctx, logs)
	if report != nil {
		report.DryRun = o.DryRun
		report.DurationMS = o.Now().Sub(start).Milliseconds()
	}
	return report, err
}

type run struct {
	Options
	m     *memory.Memory
	hold  *memory.Hold  // while a few logs are kept; nil: every file is looked at
	idx   *memory.Index // what is known of the logs in hand, when these are few
	items []Item        // failed arguments first, then logs by place
}

func (r *run) do(ctx context.Context, logs []input) (*Report, error) {
	if err := r.open(); err != nil {
		return nil, err
	}
	if r.m != nil {
		defer r.m.Close()
	}
	changed, unchanged := r.skim(logs)
	read, err := parseAll(ctx, changed, r.Options)
	if err != nil {
		return nil, err
	}
	rep := &Report{}
	var fresh []parsed
	for _, p := range read {
		if p.ep == nil {
			r.items = append(r.items, p.item)
		} else {
			fresh = append(fresh, p)
		}
	}
	switch {
	case r.DryRun:
		rep, err = r.rehearse(ctx, fresh)
	case len(fresh) > 0 || len(logs) > 0 && !r.NoGraph && !r.settled():
		rep, err = r.commit(ctx, fresh)
	}
	rep.Episodes = sortItems(append(append(r.items, unchanged...), rep.Episodes...))
	return rep, err
}

func (r *run) open() (err error) {
	r.m, err = memory.Open(r.Location)
	if !errors.Is(err, memory.ErrNone) || !r.Create {
		return err
	}
	if r.DryRun {
		return nil // an empty memory, as far as a rehearsal is concerned
	}
	r.m, _, err = memory.Create(r.Location)
	return err
}

// settled reports whether the graph is in step with the episodes.
func (r *run) settled() bool {
	return r.m != nil && !r.Force && !r.Explain && r.m.Settled(r.Graph.Store)
}

// skim leaves out the logs that the index knows, whose episodes are as they were
// left.
func (r *run) skim(logs []input) (changed []input, unchanged []Item) {
	if r.m == nil || r.Force || r.Explain {
		return logs, nil
	}
	idx := r.remembered(logs)
	for _, in := range logs {
		l := idx.Logs[in.path]
		e := idx.Episodes[l.Episode]
		if l.Path == "" || l.Stat != in.stat || l.Extractor != r.extractor.Rules() || l.SHA256 != e.Source || e.ID == "" || r.m.StatOf(l.Episode) != e.Stat {
			changed = append(changed, in)
			continue
		}
		it := Item{ID: l.Episode, Path: in.shown, File: r.m.EpisodePath(l.Episode), Status: Unchanged, Diagnostics: []Diagnostic{}}
		it.setCounts(l.Counts)
		unchanged = append(unchanged, it)
	}
	return changed, unchanged
}

// few is how many logs are looked up one by one.
const few = 64

// remembered is what the index knows of logs.
func (r *run) remembered(logs []input) *memory.Index {
	if len(logs) > few {
		return r.m.LoadIndex()
	}
	var paths, sessions []string
	unnamed := false // as what comes by standard input may be, until it is read
	for _, in := range logs {
		paths, sessions = append(paths, in.path), append(sessions, in.session)
		unnamed = unnamed || in.session == ""
	}
	idx := r.m.LoadIndexOf(paths, near(sessions))
	if !unnamed {
		r.idx = idx
	}
	return idx
}

// checkDisk refuses to start what the disk may not hold: a memory-mapped file on
// a full disk ends the process without a word.
func (r *run) checkDisk(bytes int) error {
	need := uint64(bytes) + 1<<20
	if !r.NoGraph {
		need += memory.FreeFloor
	}
	if free, ok := r.Free(r.m.Dir); ok && free < need {
		return fmt.Errorf("%w in %q: %d MB free, %d MB needed", ErrFull, r.m.Dir, free>>20, need>>20)
	}
	return nil
}
