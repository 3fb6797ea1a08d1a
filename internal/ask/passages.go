package ask

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"episodes/episode"
	"episodes/internal/plain"
	"episodes/internal/term"
	"episodes/recall"
)

// AskRequest asks what is known about something.
type AskRequest struct {
	Texts []string // phrasings of one question
	Kind  string   // error, action, task or choice; "": guessed
	File  string   // that it is about
	Since string   // an age, a date or a time: sessions since then
	Of    string   // one of SearchKinds; "": any
	Limit int      // passages; 0: as many as fit
}

// AskAnswer has whole passages, best first.
type AskAnswer struct {
	Answered bool          `json:"answered"`
	Passages []PassageItem `json:"passages"`
	Said     string        `json:"text"`

	sure bool
}

// PassageItem is a passage of a log.
type PassageItem struct {
	Project string        `json:"project,omitempty"` // in an answer of several projects
	Text    string        `json:"text"`
	Who     string        `json:"who"`           // person, agent, tool or log
	Ref     string        `json:"ref,omitempty"` // of a record that an agent left
	Episode string        `json:"episode"`
	Log     string        `json:"log"`
	Lines   *episode.Span `json:"lines"` // null where they are not known
	Date    string        `json:"date"`
	Heading string        `json:"heading,omitempty"`
	Score   float64       `json:"score"`
	Now     string        `json:"now,omitempty"` // what took the place of the decision in it, as the log says
	Later   *string       `json:"later"`         // a reference to what a later session says about it; null: nothing is known
	Private bool          `json:"private,omitempty"`
	Note    string        `json:"note,omitempty"` // that it is risky
	Origin

	from string // Origin in few words
}

// Check refuses a request that cannot be answered.
func (r AskRequest) Check() error {
	if strings.TrimSpace(strings.Join(r.Texts, "")) == "" && r.File == "" {
		return nothingAsked()
	}
	return cmp.Or(oneOf("kind", r.Kind, adviceKinds), oneOf("kind", r.Of, SearchKinds()))
}

// The most passages of an answer, and the tokens that it takes when nothing else is asked for.
const (
	mostPassages = 8
	askTokens    = 900
)

// Ask answers with the passages that fit a question best, whole.
func (m *Memory) Ask(ctx context.Context, r AskRequest) (*AskAnswer, error) {
	since, err := m.since(r.Since)
	if err != nil {
		return nil, err
	}
	want := recall.Filter{Kind: r.Of, Since: since, Limit: max(r.Limit, mostPassages)}
	if len(r.Texts) == 0 { // it is about a file
		r.Texts = []string{""}
	}
	var questions []*recall.Question
	for _, text := range r.Texts {
		questions = append(questions, questionOf(text, r.Kind, r.File))
	}
	out, path := &AskAnswer{Passages: []PassageItem{}}, m.logPaths()
	all := recall.Analyse(questions[0].Want, strings.Join(r.Texts, "\n"))
	err = m.recall(ctx, all, func(x *recall.Index) error {
		list, err := x.Ask(want, questions...)
		if err != nil {
			return err
		}
		if want.Limit -= len(list); x.New != nil && want.Limit > 0 {
			last, err := x.New.Ask(want, questions...)
			if list = append(list, last...); err != nil {
				return err
			}
		}
		for _, c := range list {
			if known, sure := c.Known(); known && m.there(c.Episode) {
				out.sure = out.sure || len(out.Passages) == 0 && sure
				c.Log = path(c.Episode, c.Log)
				out.Passages = append(out.Passages, m.passage(c))
			}
		}
		return nil
	})
	risky := map[bool]int{true: 1} // which comes last
	slices.SortStableFunc(out.Passages, func(a, b PassageItem) int { return risky[a.Note != ""] - risky[b.Note != ""] })
	out.Passages = out.Passages[:min(len(out.Passages), cmp.Or(r.Limit, mostPassages))]
	out.Answered = len(out.Passages) > 0
	out.Said = out.Text(0)
	return out, err
}

// since is the day of a moment, "" for none.
func (m *Memory) since(when string) (string, error) {
	if when == "" {
		return "", nil
	}
	at, err := moment("since", when, m.now(), "7d")
	return at.UTC().Format(time.DateOnly), err
}

// questionOf is the question of a text of a kind, which is guessed where it is "".
func questionOf(text, kind, file string) *recall.Question {
	text = asked(text)
	q := recall.Analyse(cmp.Or(recall.Want(kind), recall.Guess(text)), text)
	q.About(file)
	return q
}

func (m *Memory) passage(c recall.Cited) PassageItem {
	project, id := m.project(c.Episode)
	p := PassageItem{Project: project, Text: m.inert(plain.Cut(c.Text, 4*askTokens)), Who: c.Who.String(), Episode: id, Log: c.Log, Lines: span(c.Lines),
		Date: c.Date, Heading: m.inert(c.Heading), Now: m.inert(c.Now), Score: float64(int(c.Score*100)) / 100, Private: m.isPrivate(c.Episode), Note: m.Risk(c.Text)}
	if left := c.Left(); left != "" {
		p.Ref = id + "#" + left
	}
	if p.Origin, _ = m.originOf(c.Episode); p.Origin != (Origin{}) {
		p.from = p.short(m.now())
	}
	if c.Later != nil && m.Risk(c.Later.Text) == "" {
		ref := m.placeOf(c.Later)
		p.Later = &ref
	}
	return p
}

// placeOf is a reference to a passage: a record, or lines of a log by its path, which say more than an episode's id.
func (m *Memory) placeOf(c *recall.Cited) string {
	_, ref := m.project(c.Episode)
	if left := c.Left(); left != "" {
		return ref + "#" + left
	}
	if c.Lines[0] > 0 {
		ref = cmp.Or(m.logPaths()(c.Episode, c.Log), ref) + ":" + c.Lines.Range()
	}
	return ref
}

// Text is the answer, whole passages as long as there is room.
func (a *AskAnswer) Text(tokens int) string {
	var b strings.Builder
	if len(a.Passages) > 0 && !a.sure {
		b.WriteString("Not sure; what comes nearest:\n")
	}
	left, out := 4*cmp.Or(tokens, askTokens)-len("left out: 9 passages; --max-tokens N or search has them\n"), 0
	for i, p := range a.Passages {
		one := p.shown()
		if i > 0 && b.Len()+len(one) > left {
			out++
			continue
		}
		b.WriteString(one)
	}
	if out > 0 {
		fmt.Fprintf(&b, "left out: %s; --max-tokens N or search has them\n", plain.Plural(out, "passage"))
	}
	return term.Cut(b.String(), cmp.Or(tokens, askTokens))
}

// shown is a passage with its source before it.
func (p *PassageItem) shown() string {
	place := plain.Name(cmp.Or(p.Ref, p.Log), longestPlace)
	if p.Lines != nil {
		place += ":" + p.Lines.Range()
	}
	if p.Project != "" {
		place = plain.Name(p.Project, longestPlace) + ": " + place
	}
	about := []string{p.Who}
	add := func(text string) {
		if text != "" {
			about = append(about, text)
		}
	}
	add(p.Date)
	if p.Private {
		add("private")
	}
	add(p.from)
	add(p.Note)
	if p.Heading != "" {
		add("under " + plain.Quote(p.Heading, longestPlace))
	}
	text := term.Line(place) + " (" + strings.Join(about, ", ") + ")\n"
	blank := true // those of a part that is left out are shown as one
	for line := range strings.Lines(p.Text) {
		line = strings.TrimRight(line, " \n")
		if line != "" || !blank {
			text += strings.TrimRight("  | "+line, " ") + "\n"
		}
		blank = line == ""
	}
	if p.Now != "" {
		text = strings.Replace(text, "\n", "\n  "+strings.TrimSpace(p.Now)+"\n", 1)
	}
	if p.Later != nil {
		text += "  later: " + *p.Later + "\n"
	}
	return text
}

// Empty reports whether nothing is known.
func (a *AskAnswer) Empty() bool { return len(a.Passages) == 0 }
