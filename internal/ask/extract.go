package ask

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"episodes/episode"
	"episodes/extract"
	"episodes/internal/capture"
	"episodes/internal/sources"
	"episodes/internal/term"
)

// Stdin is the name of standard input among the logs of an ExtractRequest.
const Stdin = capture.Stdin

// VocabularyFile is where a project keeps words of its own, below its root.
const VocabularyFile = capture.VocabularyFile

// ExtractRequest says which logs to take into a memory, and how.
type ExtractRequest struct {
	// Logs are files, folders, patterns, or Stdin. None: the folder .agents/sessions of the
	// repository, what [logs] of VocabularyFile names, what LookForLogs finds, and without a
	// Reader the transcripts of all agents, as From.
	Logs    []string
	Cwd     string    // where relative paths start
	Stdin   io.Reader // the log named Stdin
	Session string    // of standard input; "": made from its content
	Format  string    // "" and "auto": found out
	Create  bool      // make the memory when it is missing
	Force   bool      // replace edited episodes, read unchanged logs again
	DryRun  bool      // write nothing
	NoGraph bool      // leave the graph as it is
	Explain bool      // in a dry run, say what was taken from which lines
	Jobs    int       // logs read at once; 0: one for each processor
	// Since leaves out sessions that began before: an age (36h, 7d, 2w), a date or a time; "": none.
	Since string
	// From are agents whose transcripts of this repository are read, in place of Logs. They go
	// to the private part of the memory, unless the user's configuration says share.
	From []string
	// Only is a file that an agent named as a transcript of its own; it is untrusted. From
	// must name that agent, and of what it left only the session of that file is read.
	Only string
	// Sources says where to look for transcripts.
	Sources SourcesRequest
	// Reader completes what the rules find; nil: nobody does.
	Reader *ReaderRequest
	// Free returns the free space of a disk in bytes; nil: that of the system.
	Free func(dir string) (uint64, bool)
}

// ExtractAnswer says what became of each log.
type ExtractAnswer struct {
	capture.Report
	Reader   *Spent    `json:"reader,omitempty"`   // what a reader that was a command has cost
	Returned []Finding `json:"returned,omitempty"` // failures of other sessions too, most frequent first
}

// The parts of an ExtractAnswer.
type (
	Log        = capture.Item        // what became of one log
	LogStatus  = capture.Status      // Written, Unchanged or Failed
	Diagnostic = capture.Diagnostic  // something to know about a line of a log
	Change     = capture.GraphChange // what changed in the graph
	Rename     = capture.Rename      // an episode that got another id
	Taken      = capture.Taken       // lines of a log, and what they were read as
)

// What became of a log.
const (
	Written   = capture.Written
	Unchanged = capture.Unchanged
	Kept      = capture.Kept
	Failed    = capture.Failed
)

// Formats lists the formats of logs that can be read.
func Formats() []string { return extract.Formats() }

// TranscriptTitles lists the formats of transcripts as people call them.
func TranscriptTitles() []string { return extract.TranscriptTitles() }

func known(format string) bool {
	_, ok := extract.FormatNamed(format)
	return ok
}

// Check refuses a request that cannot be carried out.
func (r ExtractRequest) Check() error {
	const names = "letters, digits, '.', '_' and '-'"
	switch {
	case r.Format != "" && r.Format != "auto" && !known(r.Format):
		return badParam("format", r.Format, "must be auto or one of "+strings.Join(Formats(), ", "))
	case r.Jobs < 0:
		return badParam("jobs", "", fmt.Sprintf("%d: must not be negative", r.Jobs))
	case r.Session != "" && !slices.Contains(r.Logs, Stdin):
		return &RequestError{Params: []string{"session"},
			Message: "names the log on standard input, but it is not read",
			Hint:    "episodes extract - --session NAME"}
	case r.Session != "" && !capture.SafeSession(r.Session):
		return &RequestError{Params: []string{"session"}, Message: fmt.Sprintf("%q cannot be a file's name", r.Session), Hint: names}
	}
	if len(r.From) > 0 && len(r.Logs) > 0 {
		return &RequestError{Params: []string{"from"},
			Message: "reads the transcripts of an agent; a log that is named goes to the shared part",
			Hint:    "take one of them"}
	}
	if _, err := moment("since", cmp.Or(r.Since, "1d"), time.Now(), "7d"); err != nil {
		return err
	}
	from := r.Sources
	from.Agents = r.From
	if err := from.Check(); err != nil {
		return err
	}
	logs := r.Logs
	if r.Only != "" {
		logs = []string{r.Only}
	}
	return r.Reader.check(logs)
}

// Extract takes logs into the memory at a location: logs to episodes, episodes into
// the graph. The answer is also given with an error where part of the work was done:
// what it lists as written is on disk.
func Extract(ctx context.Context, o Options, r ExtractRequest) (*ExtractAnswer, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	unnamed := len(r.Logs) == 0 && len(r.From) == 0
	var found []string
	if unnamed {
		var err error
		if r.Logs, found, err = o.unnamed(r.Cwd); err != nil {
			return nil, err
		}
	}
	c := capture.Options{Location: o.Location, Create: r.Create, Cwd: r.Cwd, Stdin: r.Stdin, Args: r.Logs,
		Unnamed: unnamed, Found: found, Session: r.Session, Format: r.Format,
		Force: r.Force, DryRun: r.DryRun, NoGraph: r.NoGraph, Explain: r.DryRun && r.Explain, Jobs: r.Jobs,
		Graph: o.GraphOptions(), Index: o.Indexer(), Now: o.now, Free: r.Free, Note: o.Note, Warn: o.Warn, Written: o.progress("episodes written", toDisk)}
	if o.Progress != nil {
		c.Progress = func(done, total int, share float64) { o.Progress("logs read", done, total, share) }
	}
	c.Format = cmp.Or(c.Format, "auto")
	switch {
	case len(r.From) > 0:
		if err := o.from(ctx, r, &c); err != nil {
			return nil, err
		}
	case unnamed && r.Reader == nil && r.Sources.Home != "" && !o.Location.Bare:
		if err := o.from(ctx, r, &c); err != nil {
			o.note("transcripts of agents were not looked for: %v", err)
		}
	}
	if err := o.since(r, &c); err != nil {
		return nil, err
	}
	if c.Jobs == 0 {
		c.Jobs = runtime.GOMAXPROCS(0)
	}
	if c.Free == nil {
		c.Free = freeBytes
	}
	spent, err := r.Reader.reads(o, r.Cwd, &c)
	if err != nil {
		return nil, err
	}
	taking := o.takesIn(r)
	c.Acts = taking.acts()
	rep, err := capture.Run(ctx, c)
	if rep == nil {
		return nil, err
	}
	if err := taking.keep(context.WithoutCancel(ctx)); err != nil {
		o.note("what agents were told is not compared with what they did: %v", err)
	}
	if err == nil && len(rep.Episodes) == 0 {
		if len(r.From) > 0 {
			o.note("no transcripts of this repository found")
		} else {
			o.note("no logs found")
		}
	}
	if by := o.Location.IgnoredBy(); by != "" && rep.Count(Written) > 0 && !r.DryRun {
		o.note("%s", ignoredNote(by))
	}
	a := &ExtractAnswer{Report: *rep, Reader: spent()}
	if err == nil && rep.Graph != nil && rep.Count(Written) > 1 { // opening the graph again would take longer
		a.Returned = o.returned(ctx, rep.Episodes)
	}
	return a, err
}

// since leaves out what began too early.
func (o Options) since(r ExtractRequest, c *capture.Options) error {
	if r.Since == "" {
		return nil
	}
	since, err := moment("since", r.Since, o.now(), "7d")
	c.Since = since
	c.Transcripts = slices.DeleteFunc(c.Transcripts, func(s sources.Session) bool { return s.Modified < since.UnixNano() })
	return err
}

// from adds the transcripts of agents to what is read, and says where they go. What is too
// old to be kept is removed first.
func (o Options) from(ctx context.Context, r ExtractRequest, c *capture.Options) error {
	config, err := ReadUserConfig()
	if err != nil {
		return err
	}
	r.Sources.Agents, r.Sources.copy = r.From, true
	if r.Only != "" {
		return o.only(ctx, r, config, c)
	}
	found, err := Sources(ctx, o, r.Sources)
	if err != nil {
		return err
	}
	for _, s := range found.Sources {
		if s.Note != "" && len(r.From) > 0 {
			o.note("%s: %s", s.Agent, s.Note)
		}
	}
	for _, name := range r.From {
		if name != sources.All && !slices.ContainsFunc(found.Sources, func(s Source) bool { return s.Agent == name }) {
			o.note("%s has no folder of transcripts on this machine", name)
		}
	}
	return o.take(ctx, found.transcripts(), config, r.DryRun, c)
}

// only adds the one transcript that an agent named. The error is a
// *sources.NoTranscriptError if the file is not a transcript of that agent in this repository.
func (o Options) only(ctx context.Context, r ExtractRequest, config UserConfig, c *capture.Options) error {
	if o.Location.Bare || len(r.From) != 1 {
		return fmt.Errorf("%w: there is no repository to which a transcript could belong", ErrNoMemory)
	}
	here := sources.NewHere(o.Location.Root, r.Sources.MovedFrom...)
	one, err := sources.One(r.Sources.environment(), here, r.From[0], r.Only)
	if err != nil {
		return err
	}
	return o.take(ctx, []sources.Session{one}, config, r.DryRun, c)
}

// take says what is read of agents, and where it goes.
func (o Options) take(ctx context.Context, all []sources.Session, config UserConfig, dry bool, c *capture.Options) error {
	c.Transcripts, c.Private, c.NotBefore = all, !config.Share, config.cutoff(o.now())
	if c.NotBefore.IsZero() {
		return nil
	}
	return o.retire(ctx, c.NotBefore, dry)
}

// retire removes private episodes of sessions that began before a time.
func (o Options) retire(ctx context.Context, before time.Time, dry bool) error {
	m, err := Open(o)
	if errors.Is(err, ErrNoMemory) {
		return nil
	}
	if err != nil {
		return err
	}
	defer m.Close()
	files, _, err := m.folder.Files()
	if err != nil {
		return err
	}
	var old []string
	for _, f := range files {
		if !f.Private {
			continue
		}
		if ep, err := m.folder.Load(f.ID); err == nil {
			if t, ok := ep.Time(); ok && t.Before(before) {
				old = append(old, f.ID)
			}
		}
	}
	if len(old) == 0 {
		return nil
	}
	if _, err := m.Forget(ctx, ForgetRequest{Episodes: old, DryRun: dry}); err != nil {
		return err
	}
	o.warn([]string{fmt.Sprintf("private_days: %s of before %s %sremoved", term.Plural(len(old), "private episode"),
		before.Format(time.DateOnly), wouldBe(dry))})
	return nil
}

// unnamed is what is read when no logs are named, and what was found beside it.
func (o Options) unnamed(cwd string) (paths, found []string, err error) {
	if o.Location.Bare {
		o.note("there is no repository around %q: name the logs", o.Location.Root)
		return nil, nil, nil
	}
	paths, notes, err := capture.Unnamed(o.Location)
	if err != nil {
		return nil, nil, err
	}
	o.warn(notes)
	defer o.working("looking for logs")()
	for _, p := range capture.LookForLogs(o.Location) {
		found = append(found, p.Files...)
	}
	for i, p := range paths {
		paths[i] = filepath.Join(o.Location.Root, filepath.FromSlash(p))
		if rel, err := filepath.Rel(cwd, paths[i]); err == nil {
			paths[i] = rel
		}
	}
	return paths, found, nil
}

// Written is how many episodes are new or changed.
func (a *ExtractAnswer) Written() int { return a.Count(Written) }

// Unchanged is how many logs say what their episodes already have.
func (a *ExtractAnswer) Unchanged() int { return a.Count(Unchanged) }

// Failed is how many logs could not be taken in; their diagnostics say why.
func (a *ExtractAnswer) Failed() int { return a.Count(Failed) }

// Kept is how many logs have an episode that stays as it is: shared, or edited by hand.
func (a *ExtractAnswer) Kept() int { return a.Count(Kept) }

// Private is how many of the episodes are in the private part.
func (a *ExtractAnswer) Private() (n int) {
	for _, it := range a.Episodes {
		if it.Private && it.Status != Failed {
			n++
		}
	}
	return n
}

// Totals are sums over the logs that did not fail.
type Totals struct {
	Outcomes                                       map[episode.Outcome]int
	Decisions, Events, Links, Lessons, Diagnostics int
}

// Totals sums up the logs that did not fail.
func (a *ExtractAnswer) Totals() Totals {
	t := Totals{Outcomes: map[episode.Outcome]int{}}
	for _, it := range a.Episodes {
		if it.Status == Failed {
			continue
		}
		t.Outcomes[it.Outcome]++
		t.Decisions, t.Events, t.Links, t.Lessons = t.Decisions+it.Decisions, t.Events+it.Events, t.Links+it.Links, t.Lessons+it.Lessons
		t.Diagnostics += len(it.Diagnostics)
	}
	return t
}
