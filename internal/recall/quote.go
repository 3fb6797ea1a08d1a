package recall

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"episodes/extract"
	"episodes/graph"
	"episodes/infer"
	"episodes/internal/memory"
	"episodes/internal/track"
	"episodes/patterns"
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

// Quoter fills evidence with the lines of the logs, each log read once.
type Quoter struct {
	root  string
	index map[string]track.Episode // for the paths of logs outside the root
	logs  map[string]quoted
}

type quoted struct {
	lines []string
	state LogState
}

// Quoter returns a quoter for the logs of the session's episodes.
func (s *Session) Quoter() *Quoter {
	return &Quoter{root: s.Location.Root, index: track.Load(s.Memory).Episodes, logs: map[string]quoted{}}
}

// Fill puts the quote into the evidence where the log is still what it was, and
// returns how the log is.
func (q *Quoter) Fill(e *query.Evidence) LogState {
	if e.Source.Path == "" || e.Source.SHA256 == "" {
		return Unknown
	}
	log, ok := q.logs[e.Episode]
	if !ok {
		log = q.read(e)
		q.logs[e.Episode] = log
	}
	if log.state == Same && e.Lines != nil {
		first, last := max(e.Lines[0], 1), min(e.Lines[1], len(log.lines))
		if first <= last {
			e.Quote = log.lines[first-1 : last]
		}
	}
	return log.state
}

func (q *Quoter) read(e *query.Evidence) quoted {
	// The path comes from an episode file, so it is not trusted: os.Root keeps
	// it from leading out of the repository.
	dir, name := q.root, filepath.FromSlash(e.Source.Path)
	if log := q.index[e.Episode].Log; filepath.IsAbs(log) && filepath.Base(log) == name {
		dir = filepath.Dir(log) // read on this machine, from outside the root
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return quoted{state: Gone}
	}
	defer root.Close()
	info, err := root.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && dir == q.root && !strings.Contains(e.Source.Path, "/"):
		return quoted{state: Unknown} // a bare name is all that is noted of logs outside
	case err != nil || !info.Mode().IsRegular():
		return quoted{state: Gone}
	case info.Size() > extract.MaxBytes:
		return quoted{state: Changed}
	}
	data, err := root.ReadFile(name)
	switch {
	case err != nil:
		return quoted{state: Gone}
	case memory.Hash(data) != e.Source.SHA256:
		return quoted{state: Changed}
	}
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	return quoted{lines: strings.Split(text, "\n"), state: Same}
}

// Explain shows on what ref rests, with the lines of the logs, and how each log
// is. limit bounds the evidence in each list; 0 takes the default.
func (s *Session) Explain(ctx context.Context, g *graph.Graph, ref string, limit int) (*query.Explanation, []LogNote, error) {
	o := query.ExplainOptions{Limit: limit, Study: func() (*infer.Study, error) { return s.Study(ctx) }}
	if patternRef.MatchString(ref) {
		mined, err := s.Patterns(ctx, patterns.Defaults())
		if err != nil {
			return nil, nil, err
		}
		o.Patterns = mined.Patterns
	}
	x, err := query.Explain(g, s, ref, o)
	if err != nil {
		return nil, nil, err
	}
	return x, s.Quoter().Explanation(x), nil
}

// patternRef matches what may name a pattern; mining is not done for less.
var patternRef = regexp.MustCompile(`^p[0-9a-f]+$`)

// LogNote says how the log of an episode is.
type LogNote struct {
	Episode string   `json:"episode"`
	Path    string   `json:"path"`
	State   LogState `json:"state"`
}

// Explanation quotes the logs in all evidence of x, and says for each episode in
// it how its log is, in order of appearance.
func (q *Quoter) Explanation(x *query.Explanation) []LogNote {
	notes, seen := []LogNote{}, map[string]bool{}
	fill := func(list ...*query.Evidence) {
		for _, e := range list {
			state := q.Fill(e)
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
		each(x.Pattern.Lessons)
		each(x.Pattern.Uses)
	}
	return notes
}
