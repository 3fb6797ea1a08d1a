package ask

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"episodes/episode"
	"episodes/extract"
	"episodes/internal/capture"
	"episodes/internal/fsstore"
	"episodes/internal/lesson"
	"episodes/internal/memory"
	"episodes/internal/plain"
	"episodes/internal/sources"
	"episodes/internal/track"
	"episodes/query"
)

// LogState says whether the log behind an episode can still be quoted.
type LogState string

// Same: it has the bytes that the episode was made from. Changed: it has not.
// Gone: it is not where it was. Unknown: it was read on another machine, or the
// episode names none.
const (
	Same    LogState = "same"
	Changed LogState = "changed since"
	Gone    LogState = "gone"
	Unknown LogState = "not known here"
)

// quoter fills evidence with the lines of the logs, each log read once.
type quoter struct {
	root  string
	index *track.Index // logs outside the root, and their sub-agents
	logs  map[string]quoted
	// reads gives what reads transcripts and takes secrets out of lines.
	reads func() *extract.Extractor

	private func(id string) bool
}

type quoted struct {
	lines []string
	state LogState
}

// quoter returns a quoter for the logs of the memory's episodes.
func (m *Memory) quoter() *quoter { return newQuoter(m.Location, track.Load(m.folder), m.isPrivate) }

func newQuoter(loc Location, index *track.Index, isPrivate func(id string) bool) *quoter {
	return &quoter{root: loc.Root, index: index, logs: map[string]quoted{}, private: isPrivate,
		reads: sync.OnceValue(func() *extract.Extractor { return capture.Extractor(loc) })}
}

// fill puts the quote into the evidence where the log is still what it was, and
// returns how the log is.
func (q *quoter) fill(e *query.Evidence) LogState {
	e.Private = q.private(e.Episode)
	if e.Source.Path == "" || e.Source.SHA256 == "" {
		return Unknown
	}
	if extract.IsTranscript(e.Source.Format) {
		return q.excerpts(e)
	}
	log, ok := q.logs[e.Episode]
	if !ok {
		log = q.read(e)
		q.logs[e.Episode] = log
	}
	if log.state == Same && e.Lines != nil {
		first, last := max(e.Lines[0], 1), min(e.Lines[1], len(log.lines))
		if first <= last {
			e.Quote = nil
			for _, line := range log.lines[first-1 : last] {
				e.Quote = append(e.Quote, quotedLine(line))
			}
		}
	}
	return log.state
}

// longestLine is how much of a line of a log is quoted, in bytes.
const longestLine = 2000

func quotedLine(line string) string {
	return plain.Cut(strings.ReplaceAll(plain.Text(line), "\n", " "), longestLine)
}

// excerpts fills evidence of one transcript with the text at its places.
func (q *quoter) excerpts(list ...*query.Evidence) LogState {
	e := list[0]
	f, parts, done, state := q.transcript(e)
	if f == nil {
		return state
	}
	defer done()
	spans := make([]episode.Span, len(list))
	for i, e := range list {
		if e.Lines != nil {
			spans[i] = *e.Lines
		}
	}
	lines, digest, _, err := q.reads().Excerpts(f, e.Source, spans, parts...)
	if state = logState(e, digest, err); state != Same {
		return state
	}
	for i, e := range list {
		e.Quote = nil
		for _, line := range lines[i] {
			e.Quote = append(e.Quote, quotedLine(line))
		}
	}
	return Same
}

// fillAll is fill for evidence of one episode, whose log is read once.
func (q *quoter) fillAll(list []*query.Evidence) (state LogState) {
	if len(list) == 0 {
		return Unknown
	}
	if s := list[0].Source; s.Path != "" && s.SHA256 != "" && extract.IsTranscript(s.Format) {
		return q.excerpts(list...)
	}
	for _, e := range list {
		state = q.fill(e)
	}
	return state
}

// words returns the searchable text of a transcript; nothing if the file has changed since.
func (q *quoter) words(e *query.Evidence) []extract.Said {
	f, parts, done, _ := q.transcript(e)
	if f == nil {
		return nil
	}
	defer done()
	said, digest, err := q.reads().Words(f, e.Source, parts...)
	if err != nil || digest != e.Source.SHA256 {
		return nil
	}
	return said
}

// transcript opens a transcript, and those of sub-agents that were read with it; where it cannot be had, the file is nil.
// Where it was read on another machine, the parts are the ones that lie where the agent keeps them.
func (q *quoter) transcript(e *query.Evidence) (f io.Reader, parts []io.Reader, done func(), state LogState) {
	log, dir, state := q.open(e)
	if log == nil {
		return nil, nil, nil, state
	}
	path := filepath.Join(dir, filepath.FromSlash(e.Source.Path))
	known, ok := q.index.Logs[path]
	if !ok {
		known.Parts = new(sources.SubAgents).Of(path)
	}
	loc := memory.Location{Root: q.root}
	files := []io.Closer{log}
	for _, p := range known.Parts {
		f := &sources.File{Path: p}
		if rel, inside := loc.Inside(p); inside { // as the log: nothing leads out
			f.Root, f.Path = q.root, filepath.FromSlash(rel)
		}
		files, parts = append(files, f), append(parts, f)
	}
	return log, parts, func() {
		for _, f := range files {
			_ = f.Close()
		}
	}, state
}

// logState is the state of a transcript of which the digest was read, or not.
func logState(e *query.Evidence, digest string, err error) LogState {
	switch {
	case err != nil:
		return Gone
	case digest != e.Source.SHA256:
		return Changed
	}
	return Same
}

// logPaths gives how the log of an episode is shown: one outside of the repository by the path at which it was read
// here, with ~ for the home folder.
func (m *Memory) logPaths() func(episode, log string) string {
	index := sync.OnceValue(func() *track.Index { return track.Load(m.folder) })
	return func(episode, log string) string {
		if !strings.Contains(log, "/") {
			if at := index().Episodes[episode].Log; filepath.IsAbs(at) && filepath.Base(at) == log {
				if rel, err := filepath.Rel(fsstore.Real(m.Home), at); err == nil && filepath.IsLocal(rel) {
					at = filepath.Join("~", rel)
				}
				log = filepath.ToSlash(at)
			}
		}
		return plain.Words(log)
	}
}

// open opens a log; where it cannot be had, the file is nil. dir is the folder that its path
// is relative to.
func (q *quoter) open(e *query.Evidence) (f io.ReadCloser, dir string, state LogState) {
	// The path comes from an episode file, so it is not trusted: os.Root keeps
	// it from leading out of the repository.
	name := filepath.FromSlash(e.Source.Path)
	dir = q.root
	if log := q.index.Episodes[e.Episode].Log; filepath.IsAbs(log) && filepath.Base(log) == name {
		dir = filepath.Dir(log) // read on this machine, from outside the root
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, dir, Gone
	}
	defer root.Close()
	info, err := root.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && dir == q.root && !strings.Contains(e.Source.Path, "/"):
		return nil, dir, Unknown // a bare name is all that is noted of logs outside
	case err != nil || !info.Mode().IsRegular():
		return nil, dir, Gone
	}
	if f, err = root.Open(name); err != nil {
		return nil, dir, Gone
	}
	return f, dir, Same
}

func (q *quoter) read(e *query.Evidence) quoted {
	f, _, state := q.open(e)
	if f == nil {
		return quoted{state: state}
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, extract.MaxBytes+1))
	switch {
	case err != nil:
		return quoted{state: Gone}
	case len(data) > extract.MaxBytes || memory.Hash(data) != e.Source.SHA256:
		return quoted{state: Changed}
	}
	text := strings.ReplaceAll(q.reads().Redactor().String(string(data)), "\r\n", "\n")
	return quoted{lines: strings.Split(text, "\n"), state: Same}
}

// LogNote says how the log of an episode is.
type LogNote struct {
	Episode string   `json:"episode"`
	Path    string   `json:"path"`
	State   LogState `json:"state"`
}

// explanation quotes the logs in all evidence of x, and says for each episode in
// it how its log is, in order of appearance.
func (q *quoter) explanation(x *query.Explanation) []LogNote {
	notes, seen := []LogNote{}, map[string]bool{}
	fill := func(list ...*query.Evidence) {
		for _, e := range list {
			state := q.fill(e)
			if !seen[e.Episode] {
				seen[e.Episode] = true
				notes = append(notes, LogNote{Episode: e.Episode, Path: e.Source.Path, State: state})
			}
		}
	}
	each := func(list []query.Evidence) {
		for i := range list {
			fill(&list[i])
		}
	}
	switch {
	case x.Node != nil:
		each(x.Node.Mentions)
	case x.Edge != nil:
		each(x.Edge.Statements)
	case x.Record != nil:
		fill(&x.Record.Evidence)
		for i := range x.Record.Links {
			fill(&x.Record.Links[i].Evidence)
		}
	case x.Link != nil:
		fill(&x.Link.Evidence)
	case x.Pattern != nil:
		each(x.Pattern.Uses)
	}
	return notes
}

// session is the log of an episode as lessons are held to it; nil where it is not here as it was read.
func (q *quoter) session(ep *episode.Episode) *lesson.Session {
	e := &query.Evidence{Episode: ep.ID, Source: ep.Provenance.Source}
	if e.Source.Path == "" {
		return nil
	}
	if !extract.IsTranscript(e.Source.Format) {
		if log := q.read(e); log.state == Same {
			return lesson.FromMarkdown(log.lines)
		}
		return nil
	}
	f, parts, done, _ := q.transcript(e)
	if f == nil {
		return nil
	}
	defer done()
	return capture.Session(q.reads(), e.Source, append([]io.Reader{f}, parts...)...)
}
