package turns

import (
	"encoding/json"
	"strings"
)

// Content is the text of a message. In JSON it is a string, or a list of blocks; the texts of the
// blocks of type "text" are joined by newlines.
type Content string

// UnmarshalJSON never fails: content of an unknown form is empty.
func (c *Content) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) == nil {
		*c = Content(s)
		return nil
	}
	var blocks []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	Decode(data, &blocks)
	var parts []string
	for _, b := range blocks {
		if b.Type == "text" || b.Type == "" && b.Text != "" {
			parts = append(parts, b.Text)
		}
	}
	*c = Content(strings.Join(parts, "\n"))
	return nil
}

// Loose is a value whose decoding never fails. Parts of an unexpected type are left out, since tools
// of other vendors use the same names for other things.
type Loose[T any] struct{ Is T }

// UnmarshalJSON never fails.
func (l *Loose[T]) UnmarshalJSON(data []byte) error {
	Decode(data, &l.Is)
	return nil
}
