package lesson

import (
	"encoding/json"
	"errors"
	"maps"
	"strings"
)

// Parse reads a text with one JSON object a line, and refuses lines that are no entries. Empty lines are passed over, and
// fences of Markdown, which models set around their answers.
func Parse(text string) (entries []Entry, refused []Refusal) {
	for i, line := range strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n") {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "```") {
			continue
		}
		e := Entry{Line: i + 1}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			refused = append(refused, Refusal{Entry{Line: i + 1}, *refuse(BadForm, "Line %d: %v.", i+1, err)})
		} else {
			entries = append(entries, e)
		}
	}
	return entries, refused
}

// UnmarshalJSON reads one entry; the members that it has say which. Empty ones are absent.
func (e *Entry) UnmarshalJSON(data []byte) error {
	var has map[string]json.RawMessage
	if err := json.Unmarshal(data, &has); err != nil {
		return err
	}
	for name, v := range has {
		if strings.Trim(string(v), "\"[]{} ") == "" || string(v) == "null" {
			delete(has, name)
		}
	}
	full, _ := json.Marshal(has)
	var of struct{ Session, Log string }
	if err := json.Unmarshal(full, &of); err != nil {
		return err
	}
	*e = Entry{Line: e.Line, Session: of.Session, Log: of.Log}
	to := e.forms()
	maps.DeleteFunc(to, func(name string, _ any) bool {
		return has[name] == nil || name == "kind" && has["correct"] != nil || name == "outcome" && (has["correct"] != nil || has["say"] != nil)
	})
	for _, p := range to {
		if len(to) == 1 {
			return json.Unmarshal(full, p)
		}
	}
	return errors.New("a line has one of kind (with say), again, link, outcome, drop, correct, forgotten")
}

// forms are the members that say what an entry is, with where it goes.
func (e *Entry) forms() map[string]any {
	return map[string]any{"correct": &e.Correct, "again": &e.Again, "link": &e.Link, "drop": &e.Drop, "forgotten": &e.Forgotten, "kind": &e.Lesson, "outcome": &e.Outcome}
}

// MarshalJSON writes one entry as Parse reads it, without its session.
func (e Entry) MarshalJSON() ([]byte, error) {
	for _, p := range e.forms() {
		if body, err := json.Marshal(p); err != nil || string(body) != "null" {
			return body, err
		}
	}
	return nil, errors.New("an entry of no kind")
}
