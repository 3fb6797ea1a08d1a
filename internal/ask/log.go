package ask

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"episodes/episode"
	"episodes/extract"
	"episodes/internal/lazy"
	"episodes/internal/plain"
	"episodes/internal/telling"
	"episodes/internal/term"
	"episodes/query"
)

// LogAnswer is the session of an episode as a reader is shown it: without most of what tools printed.
type LogAnswer struct {
	Episode string    `json:"episode"`
	Private bool      `json:"private,omitempty"`
	Log     string    `json:"log"`
	State   LogState  `json:"state"`
	Lines   []LogLine `json:"lines"`
	// Later is what other sessions decided later in place of what was decided on the lines that are asked for.
	Later []query.LaterDecision `json:"later,omitempty"`
}

// LogLine is the text of one line or record of a log; that of a record may have several lines.
type LogLine struct {
	Line int    `json:"line"`
	Text string `json:"text"`
}

// LogRequest asks for the log of an episode, or for some lines of it with those around.
type LogRequest struct {
	Ref   string       // the episode
	Lines episode.Span // zero: all
}

// LogRequestOf reads a reference such as EPISODE:12-15; ok is false for one without lines.
func LogRequestOf(ref string) (r LogRequest, ok bool) {
	m := linesRef().FindStringSubmatch(ref)
	if m == nil {
		return r, false
	}
	first, err := strconv.Atoi(m[2])
	last, err2 := strconv.Atoi(cmp.Or(m[3], m[2]))
	return LogRequest{m[1], episode.Span{first, last}}, err == nil && err2 == nil && 0 < first && first <= last
}

var linesRef = lazy.Pattern(`^(.+):(\d+)(?:-(\d+))?$`)

// longestText is how much of a line or record is shown that was not asked for, in bytes; longestAround, of those around
// others.
const (
	longestText   = 5 << 10
	longestAround = 400
)

// linesAround is how many lines before and after those that are asked for are shown.
const linesAround = 10

// Log shows the log of an episode. If it is not what was read, the words that are kept of it are the answer.
func (m *Memory) Log(ctx context.Context, r LogRequest) (*LogAnswer, error) {
	ep, err := m.Load(r.Ref)
	if err != nil {
		return nil, err
	}
	return m.log(ctx, ep, r.Lines), nil
}

func (m *Memory) log(ctx context.Context, ep *episode.Episode, lines episode.Span) *LogAnswer {
	a := &LogAnswer{Episode: ep.ID, Private: m.isPrivate(ep.ID), Log: m.logPaths()(ep.ID, ep.Provenance.Source.Path), Lines: []LogLine{}}
	some := lines[0] > 0
	add := func(first, last int, text string) {
		most := len(text)
		switch {
		case strings.TrimSpace(text) == "" || some && (last < lines[0]-linesAround || first > lines[1]+linesAround):
			return
		case !some:
			most = longestText
		case last < lines[0] || first > lines[1]:
			most = longestAround
		}
		a.Lines = append(a.Lines, LogLine{first, plain.Cut(m.inert(text), most)})
	}
	var texts []string
	texts, a.State = m.quoter().shown(&query.Evidence{Episode: ep.ID, Source: ep.Provenance.Source}, some)
	if (some || a.State != Same) && m.here.absent == nil {
		for _, s := range extract.ParseSaid(m.folder.Said(ep.ID)) {
			who := map[extract.Speaker]string{extract.Person: "user: ", extract.Agent: "agent: "}[s.Who]
			text, at := who+s.Text, s.At[0]-1
			switch {
			case a.State != Same:
				add(s.At[0], s.At[1], text)
			case s.Line > 0 || at >= len(texts) || who == "": // it is there
			case !strings.HasPrefix(texts[at], who): // a reader is given little of what an agent says
				texts[at] = text + "\n" + texts[at]
			case len(texts[at]) < len(text):
				texts[at] = text
			}
		}
	}
	for i, text := range texts {
		add(i+1, i+1, text)
	}
	in := func(record string) bool { return within(ep.Provenance.Spans[record], lines) }
	if slices.ContainsFunc(ep.Decisions, func(d episode.Decision) bool { return in(d.ID) }) {
		if g, err := m.openGraph(ctx); err == nil { // else it is not known now
			a.Later, _ = query.Later(g, m, ep.ID, in)
		}
	}
	return a
}

// shown is a log as a reader is shown it, or whole where it is a text.
func (q *quoter) shown(e *query.Evidence, whole bool) ([]string, LogState) {
	switch text := !extract.IsTranscript(e.Source.Format); {
	case whole && (text || path.Ext(e.Source.Path) == ".md"):
		log := q.read(e)
		return log.lines, log.state
	case text:
		log := q.read(e)
		return telling.InLog(log.lines), log.state
	}
	f, parts, done, state := q.transcript(e)
	if f == nil {
		return nil, state
	}
	defer done()
	texts, digest, err := q.reads().Rendering(f, e.Source, parts...)
	if state = logState(e, digest, err); state != Same {
		return nil, state
	}
	return texts, Same
}

// Text shows the log with the numbers of its lines.
func (a *LogAnswer) Text(tokens int) string {
	var b strings.Builder
	if a.State != Same {
		kept := "these are the words that are kept of it"
		if a.Empty() {
			kept = "no words of it are kept here"
		}
		fmt.Fprintf(&b, "The log %s is %s; %s.\n", episode.Shorten(term.Line(a.Log), 200), a.State, kept)
	}
	for _, l := range a.Lines {
		text := strings.ReplaceAll(strings.TrimSuffix(term.Lines(l.Text), "\n"), "\n", "\n  |   ")
		fmt.Fprintf(&b, "  | %d: %s\n", l.Line, text)
	}
	for _, l := range a.Later {
		fmt.Fprintf(&b, "later: %s %s#%s: %s\n", l.Date, l.Episode, l.Record, plain.Quote(l.Chosen, longestText))
	}
	return term.Cut(b.String(), tokens)
}

// Empty reports whether nothing of the log is there.
func (a *LogAnswer) Empty() bool { return len(a.Lines) == 0 }
