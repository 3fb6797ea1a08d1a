package reader

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"episodes/episode"
	"episodes/internal/corrections"
	"episodes/internal/lazy"
)

// Line is one line of an answer.
type Line struct {
	Number  int    // in the answer, from 1
	Text    string // as it was given
	Verb    Verb
	ID      string // of Drop, Change and Add; the start of a Link
	To      string // the end of a Link
	Type    string // of a record, link or question
	Outcome episode.Outcome
	Span    episode.Span
	Quote   string // of Ask: the question
	Why     string
}

// Verb is what a line of an answer does.
type Verb int

// The verbs: the outcome of the session; records and links that are no facts; a record of
// the draft that is otherwise; a new record; a link; a question that lines answer.
const (
	SayOutcome Verb = iota
	Drop
	Change
	Add
	AddLink
	Ask
)

// Refusal is a line of an answer that was not taken.
type Refusal struct {
	Line   int    `json:"line"` // of the answer
	Text   string `json:"text"`
	Reason string `json:"reason"`
}

// Limits of an answer; one that is longer was not made for the order.
const (
	maxAnswer = 256 << 10 // bytes
	maxLines  = 2000
	maxText   = 1000 // bytes of a line
)

var (
	lineForm = lazy.Pattern(`^(\+?)([a-z]\w*) ([a-z_]+)(?: ([a-z]+))? (\d+)(?:[-–](\d+))?(?: "(.*?)")?(?: why "(.*)")?$`)
	linkForm = lazy.Pattern(`^([a-z]\w*)>([a-z]\w*) ([a-z_]+) (\d+)(?:[-–](\d+))?$`)
	sayForm  = lazy.Pattern(`^outcome ([a-z]+) (\d+)(?:[-–](\d+))?$`)
	askForm  = lazy.Pattern(`^\? ?([a-z]+) (\d+)(?:[-–](\d+))? "(.+)"$`)
	dropForm = lazy.Pattern(`^drop((?:[ ,]+[a-z]\w*(?:>[a-z]\w*)?)+)$`)
	listForm = lazy.Pattern(` \d+(?:[-–]\d+)? ?,`)
	curly    = strings.NewReplacer("“", `"`, "”", `"`)
)

// Parse reads an answer. Lines of no known form are refused. If an answer has a block of
// code, the lines outside of it are ignored.
func Parse(answer string) ([]Line, []Refusal) {
	if len(answer) > maxAnswer {
		return nil, []Refusal{{Line: 1, Reason: fmt.Sprintf("the answer has %d bytes, the limit is %d", len(answer), maxAnswer)}}
	}
	var out []Line
	var refused []Refusal
	fenced := strings.Count("\n"+answer, "\n```") >= 2
	inside := false
	for i, raw := range strings.Split(answer, "\n") {
		if i == maxLines {
			return out, append(refused, Refusal{i + 1, "", fmt.Sprintf("the answer has more than %d lines", maxLines)})
		}
		text := strings.Join(strings.Fields(raw), " ")
		if strings.HasPrefix(text, "```") {
			inside = !inside
			continue
		}
		if text == "" || fenced && !inside {
			continue
		}
		if len(text) > maxText {
			refused = append(refused, Refusal{i + 1, episode.Shorten(text, 80), "the line is too long"})
			continue
		}
		if m := dropForm().FindStringSubmatch(text); m != nil { // each id counts by itself
			for _, id := range strings.FieldsFunc(m[1], func(r rune) bool { return r == ' ' || r == ',' }) {
				out = append(out, Line{Number: i + 1, Text: "drop " + id, Verb: Drop, ID: id})
			}
			continue
		}
		l, why := parseLine(text)
		l.Number, l.Text = i+1, text
		if why != "" {
			refused = append(refused, Refusal{i + 1, text, why})
			continue
		}
		out = append(out, l)
	}
	return out, refused
}

func parseLine(text string) (l Line, why string) {
	if !strings.Contains(text, `"`) {
		text = curly.Replace(text)
	}
	if m := sayForm().FindStringSubmatch(text); m != nil {
		l = Line{Verb: SayOutcome, Outcome: episode.Outcome(m[1])}
		return l, l.lines(m[2], m[3])
	}
	if m := linkForm().FindStringSubmatch(text); m != nil {
		l = Line{Verb: AddLink, ID: m[1], To: m[2], Type: m[3]}
		return l, l.lines(m[4], m[5])
	}
	if m := askForm().FindStringSubmatch(text); m != nil {
		l = Line{Verb: Ask, Type: m[1], Quote: m[4]}
		return l, l.lines(m[2], m[3])
	}
	if m := lineForm().FindStringSubmatch(text); m != nil {
		l = Line{Verb: Change, ID: m[2], Type: m[3], Outcome: episode.Outcome(m[4]), Quote: m[7], Why: m[8]}
		if m[1] == "+" {
			l.Verb = Add
		}
		return l, l.lines(m[5], m[6])
	}
	if before, _, _ := strings.Cut(text, `"`); listForm().MatchString(before) {
		return l, "one number or range of lines is needed, not a list with commas"
	}
	return l, "it has none of the forms of an answer (a line number is needed, and quotes are double)"
}

// lines sets the span; the answer says what is wrong with it.
func (l *Line) lines(first, last string) string {
	last = cmp.Or(last, first)
	a, err1 := strconv.Atoi(first)
	b, err2 := strconv.Atoi(last)
	if err1 != nil || err2 != nil || min(a, b) < 1 {
		return fmt.Sprintf("%s-%s is no range of lines", first, last)
	}
	l.Span = episode.Span{min(a, b), max(a, b)}
	return ""
}

// kind is the kind of the record that an id names.
func kind(id string) corrections.Kind {
	switch id[:1] {
	case "d":
		return corrections.Decision
	case "x", "e":
		return corrections.Event
	case "l":
		return corrections.Lesson
	}
	return ""
}
