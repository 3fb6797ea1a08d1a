package notes

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
)

// memory is what is read of a memory of Forgetful. An export of its tables has lists as
// texts in JSON and booleans as numbers; its own answers have lists and booleans.
type memory struct {
	ID                      json.RawMessage
	Title, Content, Context string
	Keywords, Tags          json.RawMessage
	Obsolete                json.RawMessage `json:"is_obsolete"`
	Created                 string          `json:"created_at"`
	Updated                 string          `json:"updated_at"`
	Agent                   string          `json:"encoding_agent"`
}

// memoriesOf reads an export: {"memories":[…]}, as Forgetful lists them; {"data":
// {"memories":[…]}}, an export of its tables; or the list alone.
func memoriesOf(path, text string) (out []Note) {
	var list []memory
	if decode(text, &list) != nil {
		var doc struct {
			Memories []memory
			Data     struct{ Memories []memory }
		}
		if decode(text, &doc) != nil {
			return nil
		}
		list = append(doc.Memories, doc.Data.Memories...)
	}
	for _, m := range list {
		if s := string(m.Obsolete); s == "true" || s == "1" {
			continue
		}
		said := strings.TrimPrefix(m.Title+": "+m.Content, ": ")
		parts := []string{strings.TrimSuffix(said, ": "), m.Context, strings.Join(append(words(m.Keywords), words(m.Tags)...), ", ")}
		parts = slices.DeleteFunc(parts, func(p string) bool { return strings.TrimSpace(p) == "" })
		if len(parts) == 0 {
			continue
		}
		name := strings.Trim(string(m.ID), `"`)
		if name == "" || name == "null" {
			name = m.Title
		}
		out = append(out,
			Note{Source: "forgetful", Name: name, Path: path, Date: day(m.Updated, m.Created), Agent: m.Agent,
				Text: strings.Join(parts, "\n")})
	}
	return out
}

// decode is json.Unmarshal that leaves out members of other types than expected.
func decode(text string, v any) error {
	err := json.Unmarshal([]byte(text), v)
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) && wrong.Field != "" {
		return nil
	}
	return err
}

// words reads a list of words, or a text that is one.
func words(raw json.RawMessage) (list []string) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = json.RawMessage(text)
	}
	_ = json.Unmarshal(raw, &list)
	return list
}

// day is the day of the first of some times that is one.
func day(times ...string) string {
	for _, t := range times {
		t = t[:min(len(t), len(time.DateOnly))]
		if _, err := time.Parse(time.DateOnly, t); err == nil {
			return t
		}
	}
	return ""
}

// newest leaves of each memory what the last export that holds it says.
func newest(all []Note) (out []Note) {
	at := map[string]int{}
	for _, n := range all {
		if i, ok := at[n.Name]; ok {
			out[i] = n
			continue
		}
		at[n.Name] = len(out)
		out = append(out, n)
	}
	return out
}
