// Package capture takes session logs into a memory: logs → episodes → graph.
//
// Logs are read and extracted in parallel without any lock. Then, under the lock of
// the memory, ids are assigned, episodes written, the graph brought in step and the
// index saved. A run that finds nothing changed reads no
// log, takes no lock and writes nothing. A log that cannot be read or kept is
// reported, and the others are still done.
//
// An episode is what the rules find in its log, then what a reader added, then what its agent
// stated, then what people corrected (package corrections). capture applies all of it whenever
// it writes an episode, so no other package needs to know about it. A sub-agent's transcript that
// is read without its session becomes an episode of its own; it is removed when the session is
// read with it, unless a person or a reader corrected it.
package capture

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"episodes/extract"
	"episodes/extract/actions"
	"episodes/internal/fsstore"
	"episodes/internal/memory"
	"episodes/internal/reader"
	"episodes/internal/sources"
	"episodes/internal/track"
)

// Options say what to take in, and how.
type Options struct {
	Location memory.Location
	Create   bool // make the memory when it is missing
	Cwd      string
	Stdin    io.Reader

	Args    []string // files, folders, patterns, or Stdin
	Unnamed bool     // nothing outside the repository is read
	Found   []string // files of LookForLogs, which are for the user alone unless git tracks them
	Session string   // of standard input
	// Private says that episodes of Transcripts go to the private part. What is in the shared one
	// already stays as it is.
	Private bool
	// Transcripts are read as well as Args: of this user's agents.
	Transcripts []sources.Session
	// NotBefore leaves out Transcripts of sessions that began earlier, and Since all sessions.
	NotBefore, Since time.Time
	Format           string // "auto", or a name that extract.FormatNamed knows

	Force   bool // replace edited episodes, read unchanged logs again
	DryRun  bool // write nothing
	NoGraph bool // leave the graph as it is
	Explain bool // say what was taken from which lines
	Jobs    int

	// Read asks a reader about a log; nil: none is asked. By names the reader. With it all
	// logs are looked at, also those that did not change. Again asks also about logs that a
	// reader has seen in the state that they are in.
	Read  func(ctx context.Context, l reader.Log) (*reader.Verdict, error)
	By    string
	Again bool
	// Asking is called before a reader is asked, with the number of logs and the tokens of their
	// orders; may be nil.
	Asking func(logs, tokens int)
	Once   bool // ask about no log again in the state that it is in

	// Acts, when not nil, gets what was done in each transcript that is read: the id of the
	// session, its episode, the calls. It is called from several goroutines.
	Acts func(session, episode string, acts []actions.Act)

	Graph    memory.GraphOptions
	Index    track.Indexer // of what is retrieved
	Now      func() time.Time
	Free     func(dir string) (uint64, bool)      // space on the disk
	Progress func(done, total int, share float64) // logs read, and the share of the whole work
	Written  func(done, total int)                // episodes
	Note     func(text string)                    // a message for the user on the way
	Warn     func(text string)                    // one that he must see

	keepLines bool               // of logs that are read
	extractor *extract.Extractor // with the project's vocabulary; set by Run
}

func (o Options) progress(done, total int, share float64) {
	if o.Progress != nil {
		o.Progress(done, total, share)
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
// work was done: what it lists as written is on disk. When ctx ends, the logs that were read
// until then are taken in, and the graph is left to the next run.
func Run(ctx context.Context, o Options) (*Report, error) {
	start := o.Now()
	var err error
	if o.extractor, err = newExtractor(o.Location, o.Note, o.Warn); err != nil {
		return nil, err
	}
	r := &run{Options: o, start: time.Now()}
	v, _, err := vocabularyOf(o.Location)
	if err != nil {
		return nil, err
	}
	g := gather(o, v.Logs.Paths, v.Logs.Exclude)
	r.items = g.failed
	if len(g.passed) > 0 {
		r.note("no logs by their names: " + someOf(g.passed) + "; to take one in, name it")
	}
	if len(g.hidden) > 0 {
		r.warn("git ignores %s, so nothing there was read; to take one in, for you alone, name it", someOf(g.hidden))
	}
	if len(g.aside) > 0 {
		r.warn("git does not track %s, and you did not commit the [logs] paths of %s that name it: read for you alone; to share it: episodes trust config",
			someOf(g.aside), VocabularyFile)
	}
	report, err := r.do(ctx, g.logs)
	if report != nil {
		report.DryRun = o.DryRun
		report.DurationMS = o.Now().Sub(start).Milliseconds()
	}
	return report, err
}

// someOf names the first of some files.
func someOf(files []string) string {
	const most = 3
	more := ""
	if n := len(files) - most; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(files[:min(len(files), most)], ", ") + more
}

type run struct {
	Options
	m       *memory.Memory
	start   time.Time      // before any log was looked at
	idx     *track.Index   // as it was when the logs were compared with it
	mu      sync.Mutex     // of idx: readers are consulted at the same time
	items   []Item         // failed arguments first, then logs by path
	origins *track.Origins // who brought what is there

	agents map[string]bool // episodes of sub-agents; nil until they are listed
}

func (r *run) do(ctx context.Context, logs []input) (*Report, error) {
	if err := r.open(ctx); err != nil {
		return nil, err
	}
	if r.m != nil {
		defer r.m.Close()
	}
	if r.keepLines = r.Read != nil; r.m != nil {
		r.origins = track.Ask(r.m, r.start)
	}
	changed, unchanged := r.skim(r.withKnownParts(logs))
	read, stopped := parseAll(ctx, changed, r.Options)
	r.boundDates(context.WithoutCancel(ctx), read)
	if len(logs) > 0 && r.extractor.Rules() != extract.Version {
		r.note("the words of " + VocabularyFile + " are in use")
	}
	rep := &Report{}
	defer func() {
		if rep != nil {
			rep.Headings = recurring(read)
		}
	}()
	fresh := r.readable(read)
	if stopped == nil {
		stopped = cmp.Or(r.consult(ctx, fresh), ctx.Err())
	}
	if stopped != nil {
		if len(fresh) == 0 || r.DryRun {
			return nil, stopped
		}
		ctx, r.NoGraph = context.WithoutCancel(ctx), true
	}
	var err error
	isPrivate := func(p parsed) bool { return p.private }
	if r.Unnamed && r.m != nil && r.m.PrivateError() != nil { // open said so
		fresh, r.Private = slices.DeleteFunc(fresh, isPrivate), false
	}
	switch private := slices.ContainsFunc(fresh, isPrivate); {
	case r.m == nil || !r.Private && !private:
	case private && !r.DryRun:
		err = r.m.MakePrivate()
	default:
		err = r.m.PrivateError()
	}
	if err != nil {
		return nil, err
	}
	switch {
	case r.DryRun:
		rep, err = r.rehearse(ctx, fresh)
	case len(fresh) > 0 || len(logs) > 0 && !r.NoGraph && !r.inStep():
		rep, err = r.commit(ctx, fresh)
	}
	rep.Episodes = append(append(append([]Item{}, r.items...), unchanged...), rep.Episodes...)
	slices.SortStableFunc(rep.Episodes, func(a, b Item) int { return strings.Compare(a.Path, b.Path) })
	return rep, cmp.Or(err, stopped)
}

// readable are the logs that became episodes; the items of others are noted.
func (r *run) readable(read []parsed) (fresh []parsed) {
	for _, p := range r.withoutOld(r.withoutForgotten(read)) {
		if p.ep == nil && p.found && p.item.code() == noLog {
			continue // JSON for other uses lies in any folder
		}
		if p.ep == nil && p.found && p.item.code() == ownExport {
			r.note("left out: " + p.item.Diagnostics[0].String())
			continue
		}
		if p.ep == nil {
			r.items = append(r.items, p.item)
		} else {
			fresh = append(fresh, p)
		}
	}
	return fresh
}

// withoutForgotten leaves out the logs that were forgotten, unless they were named or an
// episode of the name is there again.
func (r *run) withoutForgotten(read []parsed) []parsed {
	if r.m == nil || !r.Unnamed && len(r.Transcripts) == 0 {
		return read
	}
	forgotten, all := r.origins.Forgotten(), len(read)
	read = slices.DeleteFunc(read, func(p parsed) bool {
		_, exists := r.m.StatOf(p.item.ID)
		return (forgotten[p.sha] || p.transcript && forgotten[p.item.ID]) && !exists
	})
	if n := all - len(read); n > 0 {
		r.note(fmt.Sprintf("forgotten logs passed over: %d; to take one in again, name it", n))
	}
	return read
}

// withoutOld leaves out sessions that began before NotBefore or Since.
func (r *run) withoutOld(read []parsed) []parsed {
	return slices.DeleteFunc(read, func(p parsed) bool {
		if p.ep == nil {
			return false
		}
		t, ok := p.ep.Time()
		return ok && (t.Before(r.Since) || p.transcript && t.Before(r.NotBefore))
	})
}

func (r *run) open(ctx context.Context) (err error) {
	r.m, err = memory.Open(r.Location)
	if errors.Is(err, memory.ErrNone) && r.Create {
		if r.DryRun {
			return nil // an empty memory, as far as a rehearsal is concerned
		}
		r.m, _, err = memory.Create(r.Location)
	}
	if err != nil {
		return err
	}
	r.m.Note = r.Note
	if err := (*memory.PrivateError)(nil); (r.Unnamed || !r.Private) && errors.As(r.m.PrivateError(), &err) {
		r.note(fmt.Sprintf("%v; to do: %s", err, err.Hint()))
	}
	if !r.DryRun {
		r.Graph, _ = r.m.Settle(ctx, r.Graph)
		err = r.ignore()
	}
	if why, ok := errors.AsType[*memory.NotKeptError](r.m.Local()); ok {
		r.NoGraph = true
		r.warn("the graph is left as it is: %v; to do: %s", why, why.Hint())
	}
	return err
}

func (r *run) warn(format string, args ...any) {
	if r.Warn != nil {
		r.Warn(fmt.Sprintf(format, args...))
	}
}

// ignore keeps what is derived out of git, also when nothing else is to be written: a
// .gitignore may have come with the repository. Where it cannot be written, neither can
// what git could take.
func (r *run) ignore() error {
	if r.m.Ignored() {
		return nil
	}
	err := r.m.EnsureDerived()
	if fsstore.Unwritable(err) {
		return nil
	}
	return err
}

// inStep reports whether the graph is in step with the episodes.
func (r *run) inStep() bool {
	if r.m == nil || r.Force || r.Explain {
		return false
	}
	_, ok := track.InStep(r.m, r.Graph.Store)
	return ok
}

// index is the index on disk.
func (r *run) index() *track.Index {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.idx == nil || !r.idx.Current() {
		r.idx = track.Load(r.m)
	}
	return r.idx
}

// skim leaves out the logs that the index knows and whose episodes were not changed
// since.
func (r *run) skim(logs []input) (changed []input, unchanged []Item) {
	if r.m == nil || r.Force || r.Explain || r.Read != nil {
		return logs, nil
	}
	idx := r.index()
	for _, in := range logs {
		sessions := idx.Logs[in.path].Sessions()
		if slices.ContainsFunc(sessions, func(l track.Log) bool { return r.differs(idx, in, l) }) {
			changed = append(changed, in)
			continue
		}
		for _, l := range sessions {
			unchanged = append(unchanged, Item{ID: l.Episode, Path: in.shown, File: r.m.EpisodePath(l.Episode),
				Private: r.m.IsPrivate(l.Episode), Status: Unchanged, Counts: l.Counts, Diagnostics: []Diagnostic{}})
		}
	}
	return changed, unchanged
}

// differs reports whether a log or its episode is not as the index has a session of it.
func (r *run) differs(idx *track.Index, in input, l track.Log) bool {
	absorbed, _ := r.absorbed(idx, in, l.Episode, nil)
	e := idx.Episodes[l.Episode]
	stat, exists := r.m.StatOf(l.Episode)
	named := !in.transcript && !in.private && r.m.IsPrivate(l.Episode) // it is to be shared now
	return named || l.Stat != in.stat || !slices.Equal(l.Parts, in.partPaths()) || len(absorbed) > 0 ||
		l.Extractor != r.extractor.Rules() || l.EpisodeSHA256 != e.SHA256 || !exists || stat != e.Stat
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
