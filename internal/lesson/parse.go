package lesson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"episodes/episode"
	"episodes/internal/lazy"
)

// Phrasings are ways to say one thing; a single one may stand without a list.
type Phrasings []string

// UnmarshalJSON takes a text or a list of texts. Empty ones are absent.
func (p *Phrasings) UnmarshalJSON(data []byte) error {
	var list []string
	if data[0] != '[' {
		data = slices.Concat([]byte("["), data, []byte("]"))
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return errors.New("when is a list of texts")
	}
	*p = slices.DeleteFunc(list, func(s string) bool { return strings.TrimSpace(s) == "" })
	if len(*p) == 0 {
		*p = nil
	}
	return nil
}

// UnmarshalJSON takes a name of any form.
func (r *Ref) UnmarshalJSON(data []byte) error {
	var v any
	switch json.Unmarshal(data, &v); v := v.(type) {
	case string:
		*r = Ref(strings.TrimSpace(v))
	case float64:
		*r = Ref(data)
	case nil:
	default:
		return fmt.Errorf("a name is a text or a number, not %s", data)
	}
	return nil
}

// Lines are ranges of lines of a log, each with both ends.
type Lines []episode.Span

var span = lazy.Pattern(`^\s*[Ll]?(\d{1,9})(?:\s*(?:-|–|:|\.\.)\s*[Ll]?(\d{1,9}))?\s*$`)

// UnmarshalJSON takes pairs, one pair, a single line, and texts such as "3-5,8".
func (l *Lines) UnmarshalJSON(data []byte) error {
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	out, ok := ranges(v)
	if !ok {
		return fmt.Errorf("lines are pairs such as [[3,5],[8,8]] or a text such as \"3-5,8\", not %.60s", data)
	}
	*l = out
	return nil
}

func ranges(v any) (out Lines, ok bool) {
	switch v := v.(type) {
	case nil:
		return nil, true
	case float64:
		n := int(v)
		return Lines{{n, n}}, float64(n) == v
	case string:
		for _, part := range strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == ';' }) {
			m := span().FindStringSubmatch(part)
			if m == nil {
				if strings.TrimSpace(part) == "" {
					continue
				}
				return nil, false
			}
			a, _ := strconv.Atoi(m[1])
			b := a
			if m[2] != "" {
				b, _ = strconv.Atoi(m[2])
			}
			out = append(out, episode.Span{a, b})
		}
		return out, true
	case []any:
		if len(v) == 2 {
			a, isNumber := v[0].(float64)
			b, areNumbers := v[1].(float64)
			if isNumber && areNumbers {
				return Lines{{int(a), int(b)}}, a == float64(int(a)) && b == float64(int(b))
			}
		}
		for _, part := range v {
			more, ok := ranges(part)
			if !ok {
				return nil, false
			}
			out = append(out, more...)
		}
		return out, true
	}
	return nil, false
}

// Problem is a line that is no entry.
type Problem struct {
	Line int
	Text string // one sentence
}

func (p Problem) Error() string { return fmt.Sprintf("line %d: %s", p.Line, p.Text) }

// Parse reads a text with one JSON object a line. Empty lines are passed over, and fences of Markdown, which models set
// around their answers.
func Parse(text string) (entries []Entry, problems []Problem) {
	text = strings.TrimPrefix(text, "\ufeff")
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "```") {
			continue
		}
		e := Entry{Line: i + 1}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			problems = append(problems, Problem{i + 1, sentence(err)})
			continue
		}
		entries = append(entries, e)
	}
	return entries, problems
}

// sentence says what is wrong with a line so that whoever wrote it can mend it.
func sentence(err error) string {
	var typed *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &typed):
		return fmt.Sprintf("%q cannot be a %s.", typed.Field, typed.Value)
	case errors.As(err, &syntax):
		return fmt.Sprintf("This is no JSON object on one line: %s at byte %d.", syntax.Error(), syntax.Offset)
	}
	return strings.ToUpper(err.Error()[:1]) + err.Error()[1:] + "."
}

// part is one of the things that an entry can be: the member that tells it, and where it is read to.
type part struct {
	member string
	to     any
}

// UnmarshalJSON reads one entry; the members that it has say which.
func (e *Entry) UnmarshalJSON(data []byte) error {
	var has map[string]json.RawMessage
	if err := json.Unmarshal(data, &has); err != nil {
		return err
	}
	for name, v := range has {
		if s := string(bytes.TrimSpace(v)); s == "null" || s == `""` || s == "[]" || s == "{}" || strings.TrimSpace(strings.Trim(s, `"`)) == "" {
			delete(has, name)
		}
	}
	full, err := json.Marshal(has)
	if err != nil {
		return err
	}
	var of struct{ Session, Log string }
	if err := json.Unmarshal(full, &of); err != nil {
		return err
	}
	e.Session, e.Log = of.Session, of.Log
	l := []part{{"again", &e.Again}, {"link", &e.Link}, {"drop", &e.Drop}, {"correct", &e.Correct}, {"forgotten", &e.Forgotten}, {"kind", &e.Lesson}, {"outcome", &e.Outcome}}
	l = slices.DeleteFunc(l, func(p part) bool { return has[p.member] == nil })
	switch {
	case len(l) > 1 && (l[len(l)-1].member == "outcome"):
		l = l[:len(l)-1] // a lesson's own, or that of its correction
	case len(l) == 1 && l[0].member == "outcome" && has["say"] != nil, len(l) == 0 && has["say"] != nil:
		return errors.New("a lesson has a kind: fix, choice, rule, trap or open")
	}
	if len(l) == 2 && l[0].member == "correct" {
		l = l[:1]
	}
	switch len(l) {
	case 1:
		return json.Unmarshal(full, l[0].to)
	case 0:
		return errors.New("a line has one of kind, again, link, outcome, drop, correct, forgotten")
	}
	return fmt.Errorf("a line has one of %s and %s, not both", l[0].member, l[1].member)
}

// MarshalJSON writes one entry as Parse reads it.
func (e Entry) MarshalJSON() ([]byte, error) {
	var v any = e.Forgotten
	switch {
	case e.Lesson != nil:
		v = e.Lesson
	case e.Again != nil:
		v = e.Again
	case e.Link != nil:
		v = e.Link
	case e.Outcome != nil:
		v = e.Outcome
	case e.Drop != nil:
		v = e.Drop
	case e.Correct != nil:
		v = e.Correct
	case e.Forgotten == nil:
		return nil, errors.New("an entry of no kind")
	}
	of, err := json.Marshal(struct {
		Session string `json:"session,omitempty"`
		Log     string `json:"log,omitempty"`
	}{e.Session, e.Log})
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(v)
	if err != nil || len(of) == 2 {
		return body, err
	}
	return slices.Concat(of[:len(of)-1], []byte(","), body[1:]), nil
}
