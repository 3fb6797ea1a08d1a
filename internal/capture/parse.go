package capture

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"

	"episodes/episode"
	"episodes/extract"
	"episodes/internal/corrections"
	"episodes/internal/memory"
)

// parsed is a log that was read.
type parsed struct {
	input
	sha  string
	item Item // with diagnostics and counts; failed when the log could not be read
	ep   *episode.Episode
	// plain is the outcome that the log has without the words of the project; only where
	// the project has words.
	plain episode.Outcome
	lines corrections.Lines   // of the log, where corrections or a reader need them
	said  []corrections.Entry // by the reader, now; nil: nothing
	key   string              // of the work order
}

// parseAll reads and extracts logs, jobs at a time; it needs no lock. When ctx
// ends, it returns ctx's error.
func parseAll(ctx context.Context, logs []input, o Options) ([]parsed, error) {
	out := make([]parsed, len(logs))
	next := make(chan int)
	var wg sync.WaitGroup
	for range max(1, min(o.Jobs, len(logs))) {
		wg.Go(func() {
			for i := range next {
				out[i] = parse(ctx, logs[i], o)
			}
		})
	}
	for i := range logs {
		if ctx.Err() != nil {
			break
		}
		next <- i
		o.progress(i+1, len(logs))
	}
	close(next)
	wg.Wait()
	return out, ctx.Err()
}

func parse(ctx context.Context, in input, o Options) parsed {
	p := parsed{input: in}
	data, err := in.read(ctx, o.Stdin)
	if in.path == Stdin && err == nil {
		if len(bytes.TrimSpace(data)) == 0 {
			p.item = failedItem(in.shown, "", failure{code: "empty", err: errors.New("standard input is empty")})
			return p
		}
		if in.session == "" { // named by its content, so that no other has its id
			in.session = "stdin-" + memory.Hash(data)[:8]
			p.input = in
		}
	}
	id := ""
	if in.session != "" {
		id = episode.IDFromSession(in.session)
	}
	if err != nil {
		p.item = failedItem(in.shown, id, failure{code: "unreadable", err: err})
		return p
	}
	if err := knownFormat(in, data, o.Format); err != nil {
		p.item = failedItem(in.shown, id, failure{code: "not-markdown", err: err, hint: "--format markdown reads it as Markdown all the same"})
		return p
	}
	res, err := o.extractor.Log(extract.Source{Path: in.source, Session: in.session, Explain: o.Explain}, data)
	if err != nil {
		p.item = failedItem(in.shown, id, failure{code: "unreadable", err: err})
		return p
	}
	p.sha, p.ep, p.plain = memory.Hash(data), res.Episode, res.Episode.Outcome
	if o.builtin != nil {
		if plain, err := o.builtin.Log(extract.Source{Path: in.source, Session: in.session}, data); err == nil {
			p.plain = plain.Episode.Outcome
		}
	}
	if o.keepLines {
		p.lines = corrections.Split(data)
	}
	p.item = Item{ID: id, Path: in.shown, Diagnostics: []Diagnostic{}}
	p.item.count(res.Episode)
	for _, d := range res.Diagnostics {
		p.item.Diagnostics = append(p.item.Diagnostics, Diagnostic{File: in.shown, Line: d.Line, Code: d.Code, Message: d.Message})
	}
	if o.Explain {
		p.item.Lines = strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n"), "\n")
		p.item.Taken = taken(res.Taken, p.item.Lines)
	}
	return p
}

// knownFormat refuses what plainly is another kind of file. A log that cannot
// be told from Markdown is Markdown: every text is.
func knownFormat(in input, data []byte, format string) error {
	if format == extract.FormatMarkdown {
		return nil
	}
	switch strings.ToLower(filepath.Ext(in.source)) {
	case ".json", ".jsonl", ".ndjson":
		return errors.New("a JSON file, not a Markdown log")
	}
	if looksJSON(data) {
		return errors.New("holds JSON, not a Markdown log")
	}
	return nil
}

func looksJSON(data []byte) bool {
	data = bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(data) < 2 {
		return false
	}
	rest := bytes.TrimLeft(data[1:], " \t\r\n")
	switch {
	case len(rest) == 0:
		return false
	case data[0] == '{':
		return rest[0] == '"' || rest[0] == '}'
	case data[0] == '[':
		return rest[0] == '{'
	}
	return false
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
