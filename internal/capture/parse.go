package capture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"episodes/episode"
	"episodes/extract"
	"episodes/internal/corrections"
	"episodes/internal/fsstore"
	"episodes/internal/lesson"
	"episodes/internal/memory"
	"episodes/internal/plain"
	"episodes/internal/track"
)

// readShare is the share of the time that reading takes: of 10 000 logs 14 of 36 s, beside a reader nothing.
func (o Options) readShare() float64 {
	switch {
	case o.Read != nil:
		return 0
	case o.DryRun || o.NoGraph:
		return 1
	}
	return .39
}

// parsed is a log that was read.
type parsed struct {
	input
	sha      string
	item     Item // with diagnostics and counts
	ep       *episode.Episode
	lines    corrections.Lines // of the log, where corrections or a reader need them
	rendered bool              // lines are those of a rendering
	// streamed: it was not read whole. Where there is no rendering of it either, corrections
	// rest on the places and words of records.
	streamed bool
	text     []byte          // see extract.MarshalSaid
	headings []string        // that are not understood
	said     []lesson.Entry  // by the reader, now
	spoken   *lesson.Session // that it is held to; nil: lines
	key      string          // of the work order that they answer; "": the reader said nothing
	partIDs  []string        // as extract.Result.Parts
}

// parseAll reads and extracts logs, jobs at a time; it needs no lock. When ctx
// ends, it returns ctx's error and the logs that were read until then.
func parseAll(ctx context.Context, logs []input, o Options) ([]parsed, error) {
	out := make([][]parsed, len(logs))
	next := make(chan int)
	var wg sync.WaitGroup
	var mu sync.Mutex
	var done int
	var read, all int64
	for _, in := range logs {
		all += 1 + in.stat.Size
	}
	for range max(1, min(o.Jobs, len(logs))) {
		wg.Go(func() {
			for i := range next {
				out[i] = parse(ctx, logs[i], o)
				mu.Lock()
				done, read = done+1, read+1+logs[i].stat.Size
				o.progress(done, len(logs), o.readShare()*float64(read)/float64(all))
				mu.Unlock()
			}
		})
	}
	for i := range logs {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	list := slices.Concat(out...)
	if ctx.Err() != nil {
		list = slices.DeleteFunc(list, func(p parsed) bool { return p.ep == nil })
	}
	return list, ctx.Err()
}

// parse reads a log, which may hold several sessions.
func parse(ctx context.Context, in input, o Options) []parsed {
	res, err := guarded(func() (*extract.Result, error) { return in.extract(ctx, o) })
	if err != nil {
		f := failure{code: "unreadable", err: fsstore.Cause(err)}
		switch {
		case errors.Is(err, extract.ErrNoLog):
			f.code, f.hint = noLog, "--format markdown reads it as Markdown all the same"
		case errors.Is(err, extract.ErrOwn):
			f.code = ownExport
		case errors.Is(err, errEmpty):
			f.code, in.session = "empty", ""
		}
		id := ""
		if in.session != "" {
			id = episode.IDFromSession(in.session)
		}
		return []parsed{{input: in, item: failedItem(in.shown, id, f)}}
	}
	var out []parsed
	for _, res := range append([]*extract.Result{res}, res.More...) {
		out = append(out, in.parsed(ctx, res, o))
	}
	return out
}

// parsed is what was read of one session.
func (in input) parsed(ctx context.Context, res *extract.Result, o Options) parsed {
	p := parsed{input: in}
	if o.Acts != nil && res.Acts != nil {
		o.Acts(res.Episode.Provenance.Source.Session, res.Episode.ID, res.Acts())
	}
	if res.Said != nil && !o.DryRun {
		p.text = extract.MarshalSaid(res.Said())
	}
	p.session = res.Episode.Session
	data := res.Data
	p.streamed, p.headings, p.partIDs = data == nil, res.Headings, res.Parts
	p.sha, p.ep = res.Episode.Provenance.Source.SHA256, res.Episode
	if o.keepLines && data != nil {
		p.lines = corrections.Split(data)
	} else if o.keepLines {
		p.lines = in.rendering(ctx, o.extractor, res.Episode.Provenance.Source)
		p.rendered = true
	}
	p.item = Item{ID: res.Episode.ID, Path: in.shown, Counts: track.CountsOf(res.Episode), Diagnostics: []Diagnostic{}}
	for _, d := range res.Diagnostics {
		p.item.Diagnostics = append(p.item.Diagnostics, Diagnostic{File: in.shown, Line: d.Line, Code: d.Code, Message: d.Message})
	}
	if o.Explain {
		if p.item.Lines = res.Records; data != nil {
			p.item.Lines = strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n"), "\n")
		}
		for _, s := range res.Statements() {
			res.Taken = append(res.Taken, extract.Taken{Span: s.At, What: string(s.Kind) + " (statement)", Why: plain.Quote(s.Text, 160)})
		}
		p.item.Taken = taken(res.Taken, p.item.Lines)
	}
	return p
}

// The codes of what is read and is no log: JSON for other uses, and what this program
// exported.
const (
	noLog     = "no-log"
	ownExport = "own-export"
)

var errEmpty = errors.New("standard input is empty")

// guarded turns a panic into an error, so that a log that the program fails on is named and the
// others are still read.
func guarded(read func() (*extract.Result, error)) (res *extract.Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			res, err = nil, fmt.Errorf("a bug of this program stopped it here, please report it: %v", p)
		}
	}()
	return read()
}

// extract makes an episode of a log.
func (in input) extract(ctx context.Context, o Options) (*extract.Result, error) {
	src := extract.Source{Path: in.source, Session: in.session, Explain: o.Explain}
	if o.Format != "auto" {
		src.Format, _ = extract.FormatNamed(o.Format)
	}
	if in.path == Stdin {
		data, err := readStdin(ctx, o.Stdin)
		if err != nil {
			return nil, err
		}
		if len(bytes.TrimSpace(data)) == 0 {
			return nil, errEmpty
		}
		if src.Session == "" { // named by its content, so that no other has its id
			src.Session = "stdin-" + memory.Hash(data)[:8]
		}
		return o.extractor.Read(src, bytes.NewReader(data))
	}
	f, err := in.open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	parts, done, err := in.openParts(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	return o.extractor.Read(src, stopping{ctx, f}, parts...)
}

// rendering returns a transcript as a reader is shown it, a text for each record; nil if it cannot be read.
func (in input) rendering(ctx context.Context, e *extract.Extractor, of episode.Source) corrections.Lines {
	if in.path == Stdin {
		return nil
	}
	f, err := in.open()
	if err != nil {
		return nil
	}
	defer f.Close()
	parts, done, err := in.openParts(ctx)
	if err != nil {
		return nil
	}
	defer done()
	lines, _, err := e.Rendering(f, of, parts...)
	if err != nil {
		return nil
	}
	return lines
}

// stopping is a reader that ends with its context.
type stopping struct {
	ctx context.Context
	in  io.Reader
}

func (s stopping) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.in.Read(p)
}

func taken(list []extract.Taken, lines []string) []Taken {
	var out []Taken
	for _, t := range list {
		first, last := max(t.Span[0], 1), min(t.Span[1], len(lines))
		tk := Taken{First: t.Span[0], Last: t.Span[1], What: t.What, Why: t.Why}
		if first <= last {
			tk.Text = strings.Join(lines[first-1:last], "\n")
		}
		out = append(out, tk)
	}
	return out
}
