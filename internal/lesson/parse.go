package lesson

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
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
	to := map[string]any{"correct": &e.Correct, "again": &e.Again, "link": &e.Link, "drop": &e.Drop, "forgotten": &e.Forgotten, "kind": &e.Lesson, "outcome": &e.Outcome}
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

// MarshalJSON writes one entry as Parse reads it.
func (e Entry) MarshalJSON() ([]byte, error) {
	of, err := json.Marshal(struct {
		Session string `json:"session,omitempty"`
		Log     string `json:"log,omitempty"`
	}{e.Session, e.Log})
	for _, v := range []any{e.Lesson, e.Again, e.Link, e.Outcome, e.Drop, e.Correct, e.Forgotten} {
		body, failed := json.Marshal(v)
		switch {
		case err != nil || failed != nil:
			return nil, errors.Join(err, failed)
		case string(body) == "null":
		case len(of) == 2:
			return body, nil
		default:
			return slices.Concat(of[:len(of)-1], []byte(","), body[1:]), nil
		}
	}
	return nil, errors.New("an entry of no kind")
}
