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
	Line   int    `json:"line"` // of the answer
	Text   string `json:"text"`
	Reason string `json:"reason"`
	// follows: what it names was refused, so that it may hold once that is mended.
	follows bool
}

// Limits of an answer; one that is longer was not made for the order.
const (
	maxAnswer = 256 << 10 // bytes
	maxLines  = 500
	maxText   = 1000 // bytes of a line that is no JSON
)

// Entries reads an answer: lines with a JSON object, as package lesson has them, and lines of the forms that the order
// asks for, which say the same of the draft and of the lines of the log. What is neither is refused. If an answer has a
// block of code, the lines outside of it are ignored.
func Entries(answer string, draft *episode.Episode, log corrections.Lines) ([]lesson.Entry, []Refusal) {
	if len(answer) > maxAnswer {
		return nil, []Refusal{{Line: 1, Reason: fmt.Sprintf("the answer has %d bytes, the limit is %d", len(answer), maxAnswer)}}
	}
	t := newTranslation(draft, log)
	var list []line
	for i, text := range strings.Split(body(answer), "\n") {
		if i == maxLines {
			t.refuse(line{number: i + 1}, fmt.Sprintf("the answer has more than %d lines", maxLines))
			break
		}
		l := line{number: i + 1, text: strings.Join(strings.Fields(text), " ")}
		switch {
		case l.text == "":
		case strings.HasPrefix(l.text, "{"):
			e := lesson.Entry{}
			if err := json.Unmarshal([]byte(text), &e); err != nil {
				t.refuse(l, err.Error())
				continue
			}
			if l.entry = &e; e.Drop != nil {
				l.verb, l.id, l.why, l.entry = drop, string(e.Drop.ID), e.Drop.Why, nil
			}
			list = append(list, l)
		case len(l.text) > maxText:
			l.text = episode.Shorten(l.text, 80)
			t.refuse(l, "the line is too long")
		default:
			read, why := l.read()
			if why != "" {
				t.refuse(l, why)
			}
			list = append(list, read...)
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

// line is one line of an answer. One of the forms that the order asks for has a verb.
type line struct {
	number  int    // from 1
	text    string // as it was given
	entry   *lesson.Entry
	verb    verb
	id, to  string // what it is about; the ends of a link
	typ     string // of a record, link or question
	outcome string
	at      lesson.Lines
	quote   string // of a question: it
	why     string
}

type verb int

const (
	outcome  verb = iota
	drop          // what is no fact
	change        // of a record of the draft
	add           // a new record
	link          // between two
	question      // that lines answer
)

const cites = ` (\d[\d ,–-]*)`

var (
	sayForm  = lazy.Pattern(`^outcome ([a-z]+)` + cites + `$`)
	dropForm = lazy.Pattern(`^drop((?:[ ,]+[a-z]\w*(?:>[a-z]\w*)?)+)$`)
	lineForm = lazy.Pattern(`^(\+?)([a-z]\w*) ([a-z_]+)(?: ([a-z]+))?` + cites + `(?: ?"(.*?)")?(?: why "(.*)")?$`)
	linkForm = lazy.Pattern(`^([a-z]\w*)>([a-z]\w*) ([a-z]+)` + cites + `$`)
	askForm  = lazy.Pattern(`^\? ?([a-z]+)` + cites + ` ?"(.+)"$`)
	curly    = strings.NewReplacer("“", `"`, "”", `"`)
)

// read finds the form of a line. One that drops several things is several lines.
func (l line) read() (out []line, why string) {
	text, at := l.text, ""
	if !strings.Contains(text, `"`) {
		text = curly.Replace(text)
	}
	if m := dropForm().FindStringSubmatch(text); m != nil {
		for id := range strings.FieldsFuncSeq(m[1], func(r rune) bool { return r == ' ' || r == ',' }) {
			out = append(out, line{number: l.number, text: "drop " + id, verb: drop, id: id})
		}
		return out, ""
	}
	if m := sayForm().FindStringSubmatch(text); m != nil {
		l.verb, l.outcome, at = outcome, m[1], m[2]
	} else if m := linkForm().FindStringSubmatch(text); m != nil {
		l.verb, l.id, l.to, l.typ, at = link, m[1], m[2], m[3], m[4]
	} else if m := askForm().FindStringSubmatch(text); m != nil {
		l.verb, l.typ, at, l.quote = question, m[1], m[2], m[3]
	} else if m := lineForm().FindStringSubmatch(text); m != nil {
		l.verb, l.id, l.typ, l.outcome, at, l.quote, l.why = change, m[2], m[3], m[4], m[5], m[6], m[7]
		if m[1] == "+" {
			l.verb = add
		}
	} else {
		return nil, "it has none of the forms of an answer (a line number is needed, and quotes are double)"
	}
	if err := l.at.UnmarshalJSON([]byte(at)); err != nil {
		return nil, err.Error()
	}
	for i, s := range l.at {
		l.at[i] = episode.Span{min(s[0], s[1]), max(s[0], s[1])}
	}
	return []line{l}, ""
}
