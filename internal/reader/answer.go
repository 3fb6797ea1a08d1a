package reader

import (
	"encoding/json"
	"fmt"
	"strings"

	"episodes/episode"
	"episodes/internal/corrections"
	"episodes/internal/lazy"
	"episodes/internal/lesson"
)

// Refusal is a line of an answer that was not taken.
type Refusal struct {
	Line    int    `json:"line"` // of the answer
	Text    string `json:"text"`
	Reason  string `json:"reason"`
	follows bool   // it names what was refused, and may hold once that is mended
}

// Limits of an answer; one that is longer was not made for the order.
const (
	maxAnswer = 256 << 10 // bytes
	maxLines  = 500
	maxText   = 1000 // bytes of a line that is no object
)

// Entries reads an answer: objects of JSON, one a line, as package lesson has them, and lines of the forms that the order asks
// for. Others are refused. If an answer has a block of code, the lines outside of it are ignored.
func Entries(answer string, draft *episode.Episode, log corrections.Lines) ([]lesson.Entry, []Refusal) {
	if len(answer) > maxAnswer {
		return nil, []Refusal{{Line: 1, Reason: fmt.Sprintf("the answer has more than %d bytes", maxAnswer)}}
	}
	t := newTranslation(draft, log)
	var list []line
	for i, text := range strings.Split(body(answer), "\n") {
		l := line{number: i + 1, text: strings.Join(strings.Fields(text), " ")}
		if i == maxLines {
			t.refuse(l, fmt.Sprintf("the answer has more than %d lines", maxLines))
			break
		}
		why := ""
		switch {
		case l.text == "":
			continue
		case strings.HasPrefix(l.text, "{"):
			why = l.object(text)
		case len(l.text) > maxText:
			why = "the line is too long"
		case dropForm().MatchString(l.text): // each id counts by itself
			for _, id := range strings.Fields(strings.ReplaceAll(l.text, ",", " "))[1:] {
				list = append(list, line{number: i + 1, text: "drop " + id, verb: drop, id: id})
			}
			continue
		default:
			why = l.read()
		}
		if why != "" {
			t.refuse(l, why)
		} else {
			list = append(list, l)
		}
	}
	t.all(list)
	return t.entries, t.refused
}

// body is an answer with the lines emptied that are fences of Markdown or, where there is a block, outside of it.
func body(answer string) string {
	list := strings.Split(answer, "\n")
	fenced, inside := strings.Count("\n"+answer, "\n```") >= 2, false
	for i, text := range list {
		fence := strings.HasPrefix(strings.TrimSpace(text), "```")
		if inside = inside != fence; fence || fenced && !inside {
			list[i] = ""
		}
	}
	return strings.Join(list, "\n")
}

// line is one line of an answer.
type line struct {
	number   int    // from 1
	text     string // as it was given
	verb     verb
	id       string // what it is about
	entry    *lesson.Entry
	from, to string // the ends of a link
	typ      string
	outcome  string
	at       lesson.Lines
	quote    string // of a question: it
	why      string
}

// verb is what a line does; outcome says that of the session, question asks what lines answer.
type verb int

const (
	add verb = iota
	change
	drop
	outcome
	link
	question
)

var (
	dropForm = lazy.Pattern(`^drop(?:[ ,]+[a-z]\w*(?:>[a-z]\w*)?)+$`)
	form     = lazy.Pattern(`^(\+|\? ?)?([a-z]\w*)(?:>([a-z]\w*))?(?: ([a-z_]+))?(?: ([a-z]+))? (\d[\d ,–-]*)(?:["“](.*?)["”])?(?: ?why ["“](.*)["”])?$`)
)

// object reads a line of JSON; it says what is wrong with it.
func (l *line) object(text string) string {
	e := lesson.Entry{}
	if err := json.Unmarshal([]byte(text), &e); err != nil {
		return err.Error()
	}
	l.entry, l.id = &e, fmt.Sprint(l.number)
	switch {
	case e.Drop != nil:
		l.verb, l.id, l.why, l.entry = drop, string(e.Drop.ID), e.Drop.Why, nil
	case e.Lesson != nil && e.Lesson.ID != "":
		l.id = string(e.Lesson.ID)
	}
	return ""
}

// read finds the form of a line; it says what is wrong with it.
func (l *line) read() string {
	m := append(form().FindStringSubmatch(l.text), make([]string, 9)...)
	l.verb, l.id, l.typ, l.outcome, l.quote, l.why = change, m[2], m[4], m[5], m[7], m[8]
	switch {
	case strings.HasPrefix(m[1], "?") && l.quote != "":
		l.verb, l.id, l.typ = question, "? "+l.quote, l.id
	case l.typ == "":
		return "it has none of the forms of an answer (a line number is needed, and quotes are double)"
	case m[3] != "":
		l.verb, l.id, l.from, l.to = link, episode.LinkID(l.id, m[3]), l.id, m[3]
	case l.id == episode.OutcomeRef:
		l.verb, l.outcome = outcome, l.typ
	case m[1] == "+":
		l.verb = add
	}
	if err := l.at.UnmarshalJSON([]byte(m[6])); err != nil {
		return err.Error()
	}
	return ""
}
