package reader

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/corrections"
)

// Verdict is what became of an answer.
type Verdict struct {
	Entries   []corrections.Entry // what was taken, for corrections
	Accepted  []Line              // the lines that it was taken from
	Refused   []Refusal
	Questions []string // asked once more, though not wrong
	Cached    bool     // it was counted before
	pending   []Line   // links of lines that were refused: once these are mended they may hold
}

// Verify holds the lines of an answer against the log and the draft, and makes corrections of what
// holds. refused are lines of no known form; by names the reader in the corrections.
func Verify(l Log, answer []Line, refused []Refusal, by string) *Verdict {
	v := &verifier{Log: l, by: by, sections: sections(l.Lines), names: map[string]*named{}}
	v.draft()
	v.Refused = refused
	for _, r := range refused {
		if id, _, _ := strings.Cut(strings.TrimPrefix(r.Text, "+"), " "); strings.HasPrefix(r.Text, "+") && v.names[id] == nil {
			v.names[id] = &named{gone: true, isNew: true}
		}
	}
	v.answer = v.latest(answer)
	for _, pass := range [][]Verb{{Drop}, {SayOutcome}, {Change, Add}, {AddLink}, {Ask}} {
		for _, line := range v.answer {
			if slices.Contains(pass, line.Verb) {
				v.line(line)
			}
		}
	}
	slices.SortStableFunc(v.Accepted, func(a, b Line) int { return cmp.Compare(a.Number, b.Number) })
	slices.SortStableFunc(v.Refused, func(a, b Refusal) int { return cmp.Compare(a.Line, b.Line) })
	v.ask()
	return &v.Verdict
}

type verifier struct {
	Log
	Verdict
	by       string
	answer   []Line
	sections []section
	names    map[string]*named // records of the draft and of the answer
	links    map[[2]string]bool
	outcome  episode.Outcome
	said     episode.Outcome // by the answer
	changes  int             // what the answer makes different in the draft
	asks     int             // questions of the answer
	drops    int             // records that the answer drops
}

// named is a record that an answer can speak of.
type named struct {
	ref     corrections.Ref
	outcome episode.Outcome // of a decision
	span    episode.Span
	gone    bool // dropped, or refused when it was to be added
	isNew   bool
}

func (v *verifier) draft() {
	ep := v.Draft
	add := func(id string, k corrections.Kind, typ, text string, o episode.Outcome) {
		n := &named{ref: corrections.Ref{Kind: k, Type: typ, Text: text}, outcome: o}
		if span, ok := ep.Provenance.Spans[id]; ok {
			n.span, n.ref.At = span, v.Lines.Anchor(span)
		}
		v.names[id] = n
	}
	for _, d := range ep.Decisions {
		add(d.ID, corrections.Decision, string(d.Type), d.Chosen, d.Outcome)
	}
	for _, e := range ep.Events {
		add(e.ID, corrections.Event, string(e.Type), e.Content, "")
	}
	for i, text := range ep.Lessons {
		add(episode.LessonID(i+1), corrections.Lesson, string(corrections.Lesson), text, "")
	}
	v.names[episode.OutcomeRef] = &named{ref: corrections.Ref{Kind: corrections.Outcome},
		span: ep.Provenance.Spans[episode.OutcomeRef]}
	v.links = map[[2]string]bool{}
	v.outcome = ep.Outcome
}

// latest leaves of several lines about one thing the last. A drop of the answer's own line takes
// that line back.
func (v *verifier) latest(answer []Line) []Line {
	last, own := map[string]int{}, map[string]bool{}
	about := func(l Line) string {
		switch l.Verb {
		case SayOutcome:
			return "the outcome"
		case AddLink:
			return l.ID + ">" + l.To
		case Ask:
			return "? " + l.Quote
		}
		return l.ID
	}
	for i, l := range answer {
		last[about(l)] = i
		own[about(l)] = own[about(l)] || l.Verb == Add || l.Verb == AddLink && !hasLink(v.Draft, l.ID, l.To)
	}
	var out []Line
	for i, l := range answer {
		switch {
		case last[about(l)] != i:
		case l.Verb == Drop && v.names[l.ID] == nil && own[l.ID]:
			v.names[l.ID] = &named{gone: true, isNew: true}
		case l.Verb == Drop && v.names[l.ID] != nil && v.names[l.ID].isNew: // of a line of no known form
		default:
			out = append(out, l)
		}
	}
	return out
}

func (v *verifier) line(l Line) {
	var why string
	n := len(v.Entries)
	switch l.Verb {
	case Drop:
		why = v.drop(l)
	case SayOutcome:
		why = v.sayOutcome(l)
	case Change:
		why = v.change(l)
	case Add:
		why = v.add(l)
	case AddLink:
		why = v.link(l)
	case Ask:
		why = v.question(l)
	}
	switch why {
	case "":
		v.Accepted = append(v.Accepted, l)
	case followsOn:
		v.pending = append(v.pending, l)
	default:
		v.Entries = v.Entries[:n]
		if len(v.Refused) < maxLines {
			v.Refused = append(v.Refused, Refusal{l.Number, l.Text, why})
		}
	}
}

func (v *verifier) entry(e corrections.Entry) {
	e.By = v.by
	v.Entries = append(v.Entries, e)
	v.changes++
}

// maxSpan is how many lines the span of a fact may have.
const maxSpan = 60

// cited says what is wrong with the lines that an answer cites.
func (v *verifier) cited(s episode.Span) string {
	switch {
	case !v.Lines.Has(s):
		return fmt.Sprintf("the log has no lines %s: it ends at %d", lines(s), len(v.Lines))
	case s[1]-s[0] >= maxSpan:
		return fmt.Sprintf("%d lines are too many: cite the smallest range", s[1]-s[0]+1)
	case len(tokens(v.Lines.Of(s))) == 0:
		return fmt.Sprintf("there are no words on %s", onLines(s))
	}
	return ""
}

func onLines(s episode.Span) string {
	if s[0] == s[1] {
		return "line " + lines(s)
	}
	return "lines " + lines(s)
}

// quote says what is wrong with quoted words; needed: there must be some.
func (v *verifier) quote(l Line, needed bool) string {
	want := tokens(l.Quote)
	_, enough := opening(want)
	switch {
	case len(want) == 0 && !needed:
		return ""
	case len(want) == 0:
		return "quote the first words of it, as they stand on " + onLines(l.Span)
	case !enough && !whole(v.Lines, l.Span, l.Quote):
		return "quote at least three words, of Chinese or Japanese six letters, of Thai twelve"
	}
	if before, text := around(v.Lines, l.Span, l.Quote); turned(before) {
		return "the words before it in its sentence may turn its sense: quote the sentence from its beginning"
	} else if text != "" {
		return ""
	}
	for n := range v.Lines {
		if s := (episode.Span{n + 1, n + 1}); take(v.Lines, s, l.Quote) != "" {
			return fmt.Sprintf("these words are not on %s; they are on line %d", onLines(l.Span), n+1)
		}
	}
	return fmt.Sprintf("these words are not on %s", onLines(l.Span))
}
