package ask

import (
	"encoding/json"
	"fmt"

	"episodes/internal/lazy"
	"episodes/internal/plain"
	"episodes/internal/term"
)

// Tell is an answer as it leaves the memory: as text in at most so many tokens, or 0 for the
// question's own budget, and as data in JSON. Whoever reads it may be a model, so both are
// without what cannot be seen or is obeyed, without tags, fences and marks of chat templates,
// and without what the rules of today call secrets.
func (m *Memory) Tell(a Answer, tokens int) (text string, data []byte, err error) {
	data, err = marshal(a)
	if err != nil {
		return "", nil, fmt.Errorf("write the answer: %w", err)
	}
	if text = a.Text(tokens); text == "" && a.Empty() {
		return "", data, nil // nothing of a log is in it; to learn the rules takes longer than to find nothing
	}
	return term.Cut(m.inert(text), tokens), m.tellJSON(data), nil
}

// inert makes a text of an answer fit to be told.
func (m *Memory) inert(text string) string { return plain.Inert(m.Redact(plain.Text(text))) }

// jsonString matches the strings of JSON.
var jsonString = lazy.Pattern(`"(?:[^"\\]|\\.)*"`)

// tellJSON makes the strings of JSON fit to be told, and changes nothing else.
func (m *Memory) tellJSON(data []byte) []byte {
	return jsonString().ReplaceAllFunc(data, func(found []byte) []byte {
		var was string
		if json.Unmarshal(found, &was) != nil {
			return found
		}
		is := plain.Inert(m.Redact(was))
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
