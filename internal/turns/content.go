package turns

import (
	"encoding/json"
	"strings"
	"time"
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

// Blocks are the parts of a message, as most agents write them. In JSON they are a list, or a string, which is one
// block of text.
type Blocks []Block

// Block is a part of a message: a text, a call, or a result.
type Block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
	IsError   bool            `json:"is_error"`
}

// UnmarshalJSON never fails.
func (b *Blocks) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) == nil {
		*b = Blocks{{Type: "text", Text: s}}
	} else {
		Decode(data, (*[]Block)(b))
	}
	return nil
}

// Millis is a time in milliseconds since 1970 as RFC 3339, "" for one that no session had.
func Millis(ms float64) string {
	if ms < 1 || ms > 1e14 {
		return ""
	}
	return time.UnixMilli(int64(ms)).UTC().Format("2006-01-02T15:04:05.000Z07:00")
}

// Inner is a value, or a string that holds it as JSON. Its decoding never fails, as that of Loose.
type Inner[T any] struct{ Is T }

// UnmarshalJSON never fails.
func (i *Inner[T]) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		data = []byte(text)
	}
	Decode(data, &i.Is)
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
