package task

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// decode reads a trajectory. A history is read at each question, and encoding/json
// takes 50 ms for 10 000 attempts, which is the whole time that the schema allows
// (success_metrics, read_latency): so what this program writes is read by a scanner
// that knows the six kinds of value of a step, and all else by encoding/json.
func (t *Trajectory) decode(data []byte) error {
	s := scanner{data: data, ok: true}
	if found := s.trajectory(); s.ok {
		*t = found
		return nil
	}
	return json.Unmarshal(data, t)
}

// scanner reads a part of JSON: no escapes in strings, no null, no signs and
// exponents, no list that stands twice. What it does not read makes ok false; what
// it reads, encoding/json reads in the same way.
type scanner struct {
	data []byte
	at   int
	ok   bool
}

func (s *scanner) peek() byte {
	for s.at < len(s.data) {
		switch c := s.data[s.at]; c {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return c
		}
	}
	s.ok = false
	return 0
}

func (s *scanner) expect(c byte) {
	if s.peek() == c {
		s.at++
	} else {
		s.ok = false
	}
}

// list calls item for each item between open and shut.
func (s *scanner) list(open, shut byte, item func()) {
	s.expect(open)
	if s.peek() == shut {
		s.at++
		return
	}
	for s.ok {
		item()
		if s.peek() == shut {
			s.at++
			return
		}
		s.expect(',')
	}
}

func (s *scanner) object(field func(name []byte)) {
	s.list('{', '}', func() {
		name := s.quoted()
		s.expect(':')
		field(name)
	})
}

func (s *scanner) text() string { return string(s.quoted()) }

func (s *scanner) quoted() []byte {
	s.expect('"')
	if !s.ok {
		return nil
	}
	n := bytes.IndexByte(s.data[s.at:], '"')
	if n < 0 {
		s.ok = false
		return nil
	}
	part := s.data[s.at : s.at+n]
	ascii := true
	for _, c := range part {
		if c < ' ' || c == '\\' {
			s.ok = false
			return nil
		}
		ascii = ascii && c < utf8.RuneSelf
	}
	s.ok = ascii || utf8.Valid(part)
	s.at += n + 1
	return part
}

// digits reads the letters of a number and checks the form that JSON wants of it.
func (s *scanner) digits() string {
	s.peek()
	from := s.at
	for s.at < len(s.data) && (s.data[s.at] >= '0' && s.data[s.at] <= '9' || s.data[s.at] == '.') {
		s.at++
	}
	number := s.data[from:s.at]
	n := len(number)
	if n == 0 || number[0] == '.' || number[n-1] == '.' || n > 1 && number[0] == '0' && number[1] != '.' { // strconv takes more than JSON does
		s.ok = false
	}
	return string(number)
}

func (s *scanner) int() int {
	n, err := strconv.Atoi(s.digits())
	s.ok = s.ok && err == nil
	return n
}

func (s *scanner) share() *float64 {
	x, err := strconv.ParseFloat(s.digits(), 64)
	s.ok = s.ok && err == nil
	return &x
}

func (s *scanner) trajectory() (t Trajectory) {
	s.object(func(name []byte) {
		switch string(name) {
		case "task_id":
			t.TaskID = s.text()
		case "attempts":
			s.ok = s.ok && t.Attempts == nil
			t.Attempts = make([]Step, 0, bytes.Count(s.data, []byte(`"attempt_id"`)))
			s.list('[', ']', func() { t.Attempts = append(t.Attempts, s.step()) })
		default:
			s.ok = false
		}
	})
	if s.ok && len(bytes.Trim(s.data[s.at:], " \t\r\n")) > 0 { // JSON knows no other white space
		s.ok = false
	}
	return t
}

func (s *scanner) step() (x Step) {
	s.object(func(name []byte) {
		switch string(name) {
		case "attempt_id":
			x.AttemptID = s.int()
		case "started":
			x.Started = s.text()
		case "ended":
			x.Ended = s.text()
		case "outcome":
			x.Outcome = s.text()
		case "plan":
			x.Plan = s.text()
		case "actions":
			x.Actions = s.int()
		case "iterations":
			x.Iterations = s.int()
		case "final_quality":
			x.Quality = s.share()
		case "completion_percent":
			x.Percent = s.share()
		case "milestones":
			s.ok = s.ok && x.Milestones == nil
			x.Milestones = []Milestone{}
			s.list('[', ']', func() { x.Milestones = append(x.Milestones, s.milestone()) })
		default:
			s.ok = false
		}
	})
	return x
}

func (s *scanner) milestone() (m Milestone) {
	s.object(func(name []byte) {
		switch string(name) {
		case "timestamp":
			m.Timestamp = s.text()
		case "event":
			m.Event = s.text()
		case "details":
			m.Details = s.text()
		default:
			s.ok = false
		}
	})
	return m
}
