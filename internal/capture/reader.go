package capture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"episodes/episode"
	"episodes/extract"
	"episodes/internal/corrections"
	"episodes/internal/lesson"
	"episodes/internal/memory"
	"episodes/internal/reader"
)

// Said is the answer of a reader for a log.
type Said struct {
	Known   bool             `json:"known,omitempty"` // the log was not changed, so it was not asked
	Taken   int              `json:"taken"`           // lessons, and what else was taken
	Refused []reader.Refusal `json:"refused,omitempty"`
	Error   string           `json:"error,omitempty"`   // why there is no answer
	Skipped bool             `json:"skipped,omitempty"` // it was not asked, for the budget
}

// consult asks the reader about logs, Jobs at a time. A log without an answer keeps what
// the rules found. The error is that of ctx.
func (r *run) consult(ctx context.Context, logs []parsed) error {
	if r.Read == nil {
		return nil
	}
	var asked []int
	keys := make([]string, len(logs)) // of the work orders
	tokens := 0
	for i := range logs {
		l := &logs[i]
		key, err := l.readerLog().Key()
		switch {
		case err != nil:
			l.item.Reader = &Said{Error: err.Error()}
			continue
		case !r.Force && !r.Again && r.knownBy(*l, key):
			l.item.Reader = &Said{Known: true}
			continue
		}
		keys[i] = key
		asked = append(asked, i)
		if r.Asking != nil {
			tokens += reader.Tokens(reader.Order(l.readerLog(), ""))
		}
	}
	if r.Asking != nil {
		r.Asking(len(asked), tokens)
	}
	var wg sync.WaitGroup
	done := 0
	next := make(chan int)
	for range max(1, min(r.Jobs, len(asked))) {
		wg.Go(func() {
			for i := range next {
				r.consultOne(ctx, &logs[i], keys[i])
				r.mu.Lock()
				done++
				r.progress(done, len(asked), float64(done)/float64(len(asked)))
				r.mu.Unlock()
			}
		})
	}
	for _, i := range asked {
		if ctx.Err() == nil {
			next <- i
		}
	}
	close(next)
	wg.Wait()
	return ctx.Err()
}

func (l *parsed) readerLog() reader.Log {
	return reader.Log{Name: l.logPath, Path: l.path, Lines: l.lines, Rendered: l.rendered, Draft: l.ep}
}

// held is what an answer about the log is held to; nil: its lines as they are.
func (l *parsed) held(ctx context.Context, e *extract.Extractor) *lesson.Session {
	if !l.rendered || l.path == Stdin {
		return nil
	}
	f, err := l.open()
	if err != nil {
		return nil
	}
	defer f.Close()
	parts, done, err := l.openParts(ctx)
	if err != nil {
		return nil
	}
	defer done()
	return Session(e, l.ep.Provenance.Source, append([]io.Reader{f}, parts...)...)
}

// maxHeld is the size in bytes of the largest transcript that lessons are held to.
const maxHeld = 64 << 20

// Session is a transcript as lessons are held to it, of its files; nil where they are not as they were read.
func Session(e *extract.Extractor, of episode.Source, files ...io.Reader) *lesson.Session {
	format, known := extract.Transcript(of.Format)
	var texts [][]byte
	var again []io.Reader
	left := int64(maxHeld)
	for _, file := range files {
		data, err := io.ReadAll(io.LimitReader(file, left))
		if left -= int64(len(data)); err != nil || left <= 0 {
			return nil
		}
		texts, again = append(texts, data), append(again, bytes.NewReader(data))
	}
	digest, rendering := memory.Hash(bytes.Join(texts, nil)), corrections.Lines(nil)
	if of.Unit != "" || !known || format.Starts != nil {
		lines, sum, err := e.Rendering(again[0], of, again[1:]...)
		if err != nil {
			return nil
		}
		digest, rendering = sum, lines
	}
	if digest != of.SHA256 {
		return nil
	}
	for i := range texts {
		texts[i] = []byte(e.Redactor().String(string(texts[i])))
	}
	if !known {
		return lesson.FromMarkdown(corrections.Split(texts[0]))
	}
	s, _ := lesson.Read(format, rendering, texts...)
	return s
}

func (r *run) consultOne(ctx context.Context, l *parsed, key string) {
	log := l.readerLog()
	l.spoken = l.held(ctx, r.extractor)
	log.Check.Log, log.Check.Redact = l.spoken, r.extractor.Redactor()
	v, err := r.Read(ctx, log)
	note := func(code, format string, args ...any) {
		l.item.Diagnostics = append(l.item.Diagnostics, Diagnostic{File: l.shown, Code: code, Message: fmt.Sprintf(format, args...)})
	}
	switch {
	case errors.Is(err, reader.ErrBudget):
		l.item.Reader = &Said{Skipped: true}
		note("reader-budget", "not read by the reader: %v", err)
		return
	case err != nil:
		l.item.Reader = &Said{Error: err.Error()}
		note("reader-failed", "%v", err)
		return
	}
	for _, f := range v.Refused {
		note("answer-refused", "line %d of the answer, %q: %s", f.Line, f.Text, f.Reason)
	}
	l.item.Reader = &Said{Taken: len(v.Entries), Refused: v.Refused}
	if len(v.Entries) == 0 && len(v.Refused) > 0 && !r.Once {
		return // nothing of the answer was of use, another one may be
	}
	l.said, l.key = v.Entries, key
}

// Draft reads one log, as a reader is to be shown it, with the draft that the rules make.
// Nothing is written, and there need be no memory.
func Draft(ctx context.Context, o Options) (l reader.Log, err error) {
	if o.extractor, err = newExtractor(o.Location, o.Note, o.Warn); err != nil {
		return l, err
	}
	o.keepLines = true
	g := gather(o, nil, nil)
	failed := g.failed
	if len(failed) == 0 && len(g.logs) == 1 {
		all := parse(ctx, g.logs[0], o)
		p := all[len(all)-1] // the last session in it
		if p.ep != nil {
			return p.readerLog(), nil
		}
		failed = append(failed, p.item)
	}
	for _, it := range failed {
		return l, &logError{errors.New(it.Diagnostics[0].String()), it.Hint}
	}
	return l, fmt.Errorf("%d logs were named; a work order is for one", len(g.logs))
}

// logError says why a log cannot be read, and how to go on.
type logError struct {
	error
	hint string
}

func (e *logError) Hint() string { return e.hint }
