package ask

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"episodes/episode"
	"episodes/internal/plain"
	"episodes/internal/term"
	"episodes/recall"
)

// SearchRequest looks for words in all that is known.
type SearchRequest struct {
	Text    string
	Kind    string // one of SearchKinds; "": any
	Since   string // an age, a date or a time
	Session string // an episode's id, or a part of its name
	Skip    int    // hits that were seen before
	Limit   int    // 0: the search's own limit
}

// SearchKinds are the kinds of hits that a search can be limited to.
func SearchKinds() []string { return recall.Kinds() }

// hitBytes is the largest length of the text of a hit in bytes.
const hitBytes = 160

// searchLimit is how many hits are listed when nothing else is asked for.
const searchLimit = 10

// Check refuses a request that cannot be answered.
func (r SearchRequest) Check() error {
	switch {
	case strings.TrimSpace(r.Text) == "":
		return nothingAsked()
	case r.Skip < 0:
		return badParam("skip", fmt.Sprint(r.Skip), "must not be negative")
	}
	return oneOf("kind", r.Kind, SearchKinds())
}

// SearchAnswer lists hits, best first.
type SearchAnswer struct {
	Hits []SearchHit `json:"hits"`
	Next *int        `json:"next"` // what to skip to go on; null at the end
}

// SearchHit is one of them.
type SearchHit struct {
	Project string        `json:"project,omitempty"` // in an answer of several projects
	Kind    string        `json:"kind"`
	Text    string        `json:"text"`
	Episode string        `json:"episode"`
	Record  string        `json:"record,omitempty"`
	Source  string        `json:"source,omitempty"` // of a note, without Episode: its tool and name
	Log     string        `json:"log"`
	Lines   *episode.Span `json:"lines"`
	Date    string        `json:"date"`
	Score   float64       `json:"score"`
	Private bool          `json:"private,omitempty"` // it is this user's alone
	Note    string        `json:"note,omitempty"`
	Origin
	Doubt string `json:"doubt,omitempty"` // its log does not say so, or is not here

	from string // Origin in few words
}

// Search lists what fits words or a pasted text, of all kinds, best first: facts of
// episodes, lines of their logs, and notes of other tools and of the user's agents.
func (m *Memory) Search(ctx context.Context, r SearchRequest) (*SearchAnswer, error) {
	since, err := m.since(r.Since)
	if err != nil {
		return nil, err
	}
	want := recall.Filter{Kind: r.Kind, Session: r.Session, Since: since, Skip: r.Skip, Limit: cmp.Or(r.Limit, searchLimit)}
	q := questionOf(r.Text, "", "")
	var hits []recall.Cited
	more := false
	err = m.recall(ctx, q, func(x *recall.Index) (err error) {
		if x, err = m.withNotes(x); err != nil {
			return err
		}
		fresh := x.New
		hits, more, err = x.List(q, want)
		if left := want.Limit - len(hits); err == nil && fresh != nil && !more && left > 0 {
			var last []recall.Cited
			want.Skip, want.Limit = 0, left
			last, _, err = fresh.List(q, want)
			hits = append(hits, last...)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	out, logs, path := &SearchAnswer{Hits: []SearchHit{}}, verifier{m: m}, m.logPaths()
	for i := range hits {
		h := &hits[i]
		text, private := h.Line(q, hitBytes), m.isPrivate(h.Episode)
		project, id := m.project(h.Episode)
		hit := SearchHit{Project: project, Kind: h.Kind, Text: m.inert(text), Episode: id, Record: h.Record,
			Log: path(h.Episode, h.Log), Lines: span(h.At), Date: h.Date,
			Score: float64(int(h.Score*100)) / 100, Private: private}
		hit.Note = m.Risk(text)
		if h.Kind == "note" {
			hit.Source, hit.Episode = h.Episode, ""
			hit.Private = hit.claim() != ""
		} else if hit.Origin, _ = m.originOf(h.Episode); hit.Origin != (Origin{}) {
			hit.from = hit.short(m.now())
		}
		if h.Record != "" {
			hit.Doubt = logs.remark(h.Episode, h.At, h.Fact)
		}
		out.Hits = append(out.Hits, hit)
	}
	if more {
		next := r.Skip + len(hits)
		out.Next = &next
	}
	return out, nil
}

// Of a hit in a small budget: the bytes of its text, and those around text and place.
const (
	shortestHit = 20
	aroundHit   = 50
)

// longestPlace is how much of the path of a log is shown, in bytes.
const longestPlace = 200

// Text is one hit a line.
func (a *SearchAnswer) Text(tokens int) string {
	var b strings.Builder
	for _, h := range a.Hits {
		place := h.Episode
		if h.Source != "" {
			place = plain.Name(h.Source, longestName) + " in " + plain.Name(h.Log, longestPlace)
		}
		if h.Log != "" && h.Lines != nil {
			place = fmt.Sprintf("%s:%d", plain.Name(h.Log, longestPlace), h.Lines[0])
		}
		if h.Project != "" {
			place = plain.Name(h.Project, longestPlace) + ": " + place
		}
		if h.Private {
			place += ", private"
		}
		if h.from != "" {
			place += ", " + h.from
		}
		if h.Doubt != "" {
			place += ", " + h.Doubt
		}
		if h.Note != "" {
			place += "; " + h.Note
		}
		line, claim := h.Text, h.claim()
		if tokens > 0 { // leave room to say what is left out
			line = plain.Clip(line, max(shortestHit, 4*tokens-len(claim)-len(place)-aroundHit))
		}
		fmt.Fprintf(&b, "%-10s  %-8s  %s\"%s\"  (%s)\n", orDash(h.Date), h.Kind, claim,
			plain.Unquote(line), term.Line(place))
	}
	if a.Next != nil {
		fmt.Fprintf(&b, "more: --skip %d\n", *a.Next)
	}
	return term.Cut(b.String(), tokens)
}

func orDash(s string) string {
	return cmp.Or(s, "-")
}

// Empty reports whether nothing fits.
func (a *SearchAnswer) Empty() bool { return len(a.Hits) == 0 }
