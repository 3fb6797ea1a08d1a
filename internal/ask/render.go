package ask

import (
	"encoding/json"
	"fmt"

	"episodes/internal/lazy"
	"episodes/internal/plain"
	"episodes/internal/term"
)

// Render returns an answer as text of at most so many tokens (0: the default budget of the
// question), and as JSON. Both are free of invisible characters, instructions, tags, fences and
// marks of chat templates, and secrets are redacted.
func (m *Memory) Render(a Answer, tokens int) (text string, data []byte, err error) {
	data, err = marshal(a)
	if err != nil {
		return "", nil, fmt.Errorf("write the answer: %w", err)
	}
	if text = a.Text(tokens); text == "" && a.Empty() {
		return "", data, nil // without text of logs
	}
	return term.Cut(m.inert(text), tokens), m.cleanJSON(data), nil
}

// inert redacts a text and removes what a terminal or a model would act on.
func (m *Memory) inert(text string) string { return plain.Inert(m.Redact(plain.Text(text))) }

// jsonString matches the strings of JSON.
var jsonString = lazy.Pattern(`"(?:[^"\\]|\\.)*"`)

// Readable returns an answer whose texts are redacted and free of invisible characters, for readers that
// escape marks themselves. Only what JSON has of the answer is in it.
func Readable[T any](m *Memory, answer *T, err error) (*T, error) {
	if err != nil {
		return nil, err
	}
	data, err := marshal(answer)
	if err != nil {
		return nil, fmt.Errorf("write the answer: %w", err)
	}
	out := new(T)
	err = json.Unmarshal(eachString(data, func(s string) string { return plain.Text(m.Redact(s)) }), out)
	return out, err
}

// cleanJSON applies inert to the strings of a JSON text and changes nothing else.
func (m *Memory) cleanJSON(data []byte) []byte {
	return eachString(data, func(s string) string { return plain.Inert(m.Redact(s)) })
}

// eachString applies a function to the strings of a JSON text.
func eachString(data []byte, change func(string) string) []byte {
	return jsonString().ReplaceAllFunc(data, func(found []byte) []byte {
		var was string
		if json.Unmarshal(found, &was) != nil {
			return found
		}
		is := change(was)
		if is == was {
			return found
		}
		out, err := marshal(is)
		if err != nil {
			return found
		}
		return out
	})
}
