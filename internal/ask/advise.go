package ask

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/plain"
	"episodes/internal/term"
	"episodes/recall"
)

// AdviseRequest asks what is known about what one is about to do.
type AdviseRequest struct {
	Text string
	Kind string // error, action, task or choice; "": guessed
	File string // that it is about
	// Closest asks for the best match, however weak, where nothing is known well enough.
	Closest bool
	// Moment asks as a hook does: for one line that is exact, or nothing.
	Moment string
}

// moments are those at which hooks ask, with the kinds of their questions.
var moments = map[string]recall.Want{"prompt": recall.ATask, "failure": recall.AnError, "edit": recall.AnAction, "command": recall.AnAction}

// adviceKinds are the kinds of questions.
var adviceKinds = []string{string(recall.AnError), string(recall.AnAction), string(recall.ATask), string(recall.AChoice)}

// Check refuses a request that cannot be answered.
func (r AdviseRequest) Check() error {
	switch {
	case strings.TrimSpace(r.Text) == "" && r.File == "":
		return nothingAsked()
	case r.Moment != "" && moments[r.Moment] == "":
		return badParam("moment", r.Moment, "must be prompt, failure, edit or command")
	}
	return oneOf("kind", r.Kind, adviceKinds)
}

// AdviseAnswer is what is known, or nothing.
type AdviseAnswer struct {
	Answered bool         `json:"answered"`
	Said     string       `json:"text"`
	Advice   []AdviceItem `json:"advice"`
	// Closest is what comes nearest, on request where nothing is known well enough; it is no
	// advice.
	Closest *ClosestItem `json:"closest"`
}

// AdviceItem is one line.
type AdviceItem struct {
	Text     string           `json:"text"`
	Kind     string           `json:"kind"` // fix, choice, rule, trap, or line
	Ref      string           `json:"ref"`  // for show
	Who      string           `json:"who"`
	Date     string           `json:"date"`
	Note     string           `json:"note,omitempty"` // how it worked out, or why it may not hold
	Evidence []AdviceEvidence `json:"evidence"`
	Doubt    string           `json:"-"` // why its log does not bear it out

	label   string // stands before it
	origin  string // Origin in few words
	vouched bool   // by the user, two sessions, or for want of a risk
}

// ClosestItem is a match that is not certain enough to be advice.
type ClosestItem struct {
	Text     string           `json:"text"`
	Evidence []AdviceEvidence `json:"evidence"`
}

// AdviceEvidence is the source of a statement: an episode, and lines of its log.
type AdviceEvidence struct {
	Project string        `json:"project,omitempty"` // in an answer of several projects
	Episode string        `json:"episode"`
	Log     string        `json:"log"`
	Lines   *episode.Span `json:"lines"` // null where they are not known
	Private bool          `json:"private,omitempty"`
	Origin
}

// mostAsked is the number of bytes of a question that are used: its last ones, since errors
// are usually at the end of an output.
const mostAsked = 64 << 10

func asked(text string) string {
	text = plain.Text(text)
	if len(text) > mostAsked {
		text = text[len(text)-mostAsked:]
		text = text[strings.IndexByte(text, '\n')+1:]
	}
	return text
}

// Advise answers one who is about to act, from what other sessions show. Where nothing
// is known well enough, it says nothing.
func (m *Memory) Advise(ctx context.Context, r AdviseRequest) (*AdviseAnswer, error) {
	q := questionOf(r.Text, cmp.Or(r.Kind, string(moments[r.Moment])), r.File)
	var lines []recall.Line
	err := m.recall(ctx, q, func(x *recall.Index) (err error) {
		if r.Moment != "" {
			lines, err = x.Exact(q, r.Text)
			return err
		}
		if lines, err = x.Advise(q); err != nil || x.New == nil || len(lines) >= recall.MostLines {
			return err
		}
		fresh, err := x.New.Advise(q)
		lines = append(lines, fresh[:min(len(fresh), recall.MostLines-len(lines))]...)
		return err
	})
	if err != nil {
		return nil, err
	}
	recall.MarkRisks(lines, m.inManifest)
	out, doubts := &AdviseAnswer{Advice: []AdviceItem{}}, verifier{m: m}
	for i := range lines {
		if l := &lines[i]; m.there(l.Episode) {
			out.Advice = append(out.Advice, m.adviceItem(l, doubts.remark(l.Episode, l.Lines, l.Text)))
		}
	}
	last := map[bool]int{true: 1}
	slices.SortStableFunc(out.Advice, func(a, b AdviceItem) int { return last[a.Doubt == NotHere] - last[b.Doubt == NotHere] })
	most := recall.Budget
	if r.Moment != "" {
		most, out.Advice = momentBytes, out.Advice[:min(1, len(out.Advice))]
	}
	out.Answered, out.Said = len(out.Advice) > 0, out.within(most)
	if !out.Answered && r.Closest {
		out.Closest, err = m.nearest(ctx, r)
	}
	return out, err
}

// momentBytes is what a line takes that a hook gives, 120 tokens.
const momentBytes = 120 * 4

// nearest is the best passage that shares something with a question, however little.
func (m *Memory) nearest(ctx context.Context, r AdviseRequest) (*ClosestItem, error) {
	a, err := m.Ask(ctx, AskRequest{Texts: []string{r.Text}, Kind: r.Kind, File: r.File, Limit: 1})
	if err != nil || a.Empty() {
		return nil, err
	}
	p := &a.Passages[0]
	return &ClosestItem{plain.Cut(plain.Words(p.Text), nearBytes), []AdviceEvidence{{Project: p.Project, Episode: p.Episode, Log: p.Log, Lines: p.Lines,
		Private: p.Private, Origin: p.Origin}}}, nil
}

// nearBytes is how many bytes of the closest passage are shown.
const nearBytes = 160

// labels stand before what ended the very error, or did not.
var labels = map[string]string{"fix": "Fix: ", "trap": "not: "}

func (m *Memory) adviceItem(l *recall.Line, doubt string) AdviceItem {
	project, id := m.project(l.Episode)
	at := AdviceEvidence{Project: plain.Words(project), Episode: id, Log: m.logPaths()(l.Episode, l.Log), Lines: span(l.Lines), Private: m.isPrivate(l.Episode)}
	out := AdviceItem{Text: m.inert(l.Text), Kind: l.Kind(), Ref: id, Who: l.Who.String(), Date: l.Date,
		label: labels[l.Kind()], Doubt: doubt, vouched: l.Vouched}
	at.Origin, out.origin = m.originOf(l.Episode)
	if at.Lines != nil {
		out.Ref += ":" + at.Lines.Range()
	}
	notes := []string{l.Result(), l.Risk, string(l.State), doubt}
	out.Note = strings.Join(slices.DeleteFunc(notes, func(note string) bool { return note == "" }), ", ")
	out.Evidence = []AdviceEvidence{at}
	return out
}

// line is an item in at most most bytes, "" where that is too few; name shortens the path of its log.
func (a *AdviceItem) line(most int, name func(string) string) string {
	at := &a.Evidence[0]
	place := plain.Words(name(at.Log))
	if at.Lines == nil {
		place = at.Episode
	} else {
		place += ":" + at.Lines.Range()
	}
	if at.Project != "" {
		place = plain.Cut(at.Project, longestName) + ": " + place
	}
	about := []string{a.Who, a.Date, place}
	if at.Private {
		about = append(about, "private")
	}
	about = slices.DeleteFunc(append(about, a.origin, a.Note), func(s string) bool { return s == "" })
	source := " (" + strings.Join(about, ", ") + ")\n"
	room := most - len(a.label) - len(`""`) - len(source)
	if room < shortestQuote {
		return ""
	}
	return a.label + plain.Quote(recall.Cut(a.Text, room), room) + source // the text cannot end the quotation
}

// shortestQuote is the number of bytes below which a text is not quoted.
const shortestQuote = 36

// within is the answer in at most most bytes.
func (a *AdviseAnswer) within(most int) string {
	text := ""
	for i := range a.Advice {
		line := a.Advice[i].line((most-len(text))/(len(a.Advice)-i), plain.Words)
		if line == "" {
			break
		}
		text += line
	}
	return text
}

// span is nil for lines that are not known.
func span(l episode.Span) *episode.Span {
	if l[0] == 0 {
		return nil
	}
	return &l
}

// Text is the answer within a budget.
func (a *AdviseAnswer) Text(tokens int) string {
	switch {
	case a.Closest != nil:
		near := AdviceItem{label: "closest, not sure: ", Text: a.Closest.Text, Evidence: a.Closest.Evidence}
		return term.Cut(near.line(2*nearBytes, plain.Words), tokens)
	case tokens > 0 && len(a.Said) > 4*tokens:
		return a.within(4 * tokens)
	}
	return a.Said
}

// Empty reports whether there is neither advice nor a closest match.
func (a *AdviseAnswer) Empty() bool { return !a.Answered && a.Closest == nil }
